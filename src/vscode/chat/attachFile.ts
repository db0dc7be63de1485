import * as vscode from 'vscode';
import { baseName } from '../../chat/context/documentPaths';
import { plainText, translate } from '../notifications';
import { attachSelections, showRefusal, type AttachPorts } from './askCommands';
import { wholeOf } from './editorSelection';

/**
 * Attaches a file's text to the next question, or says why it can't be attached.
 * @returns whether it was attached.
 */
export async function attachFile(ports: AttachPorts, uri: vscode.Uri): Promise<boolean> {
  const name = baseName(uri.path);
  let document: vscode.TextDocument;
  try {
    const limitBytes = ports.maxSelectionBytes();
    const sizeBytes = await sizeOnDisk(uri);
    if (sizeBytes > limitBytes) {
      // Checked before opening, because VS Code would load the whole file into memory.
      void showRefusal({ reason: 'too-large', label: name, sizeBytes, limitBytes });
      return false;
    }
    document = await vscode.workspace.openTextDocument(uri);
  } catch {
    // VS Code refuses files that are binary, deleted or too large.
    say(translate('{0} was not attached because it can’t be read as text.', name));
    return false;
  }
  if (document.getText().trim() === '') {
    say(translate('{0} is empty.', name));
    return false;
  }
  return attachSelections(ports, [wholeOf(document)]);
}

/**
 * Returns the size of a file on disk, or 0 if an editor has it open, as its text may not be saved
 * yet.
 */
async function sizeOnDisk(uri: vscode.Uri): Promise<number> {
  const isOpen = vscode.workspace.textDocuments.some(
    (document) => document.uri.toString() === uri.toString(),
  );
  return isOpen ? 0 : (await vscode.workspace.fs.stat(uri)).size;
}

function say(text: string): void {
  void vscode.window.showInformationMessage(plainText(text));
}
