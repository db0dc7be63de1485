import * as vscode from 'vscode';
import { baseName } from '../../chat/context/documentPaths';
import type { SelectionSnapshot } from '../../chat/context/selectionItem';
import { say, translate } from '../notifications';
import { openDocument } from '../openDocument';
import {
  attachSelections,
  selectionRefusalText,
  showRefusal,
  type AttachPorts,
} from './askCommands';
import { wholeOf } from './editorSelection';

/**
 * Attaches a file's text to the next question, or shows why it can't be attached.
 * @returns whether it was attached.
 */
export async function attachFile(ports: AttachPorts, uri: vscode.Uri): Promise<boolean> {
  const read = await readFile(uri, ports.maxSelectionBytes());
  if ('file' in read) return attachSelections(ports, [read.file]);
  if (read.refusal) void showRefusal(read.refusal);
  else say(read.sentence);
  return false;
}

type ReadFile =
  | { readonly file: SelectionSnapshot }
  | {
      /** Says why the file can't be attached. */
      readonly sentence: string;
      readonly refusal?: Parameters<typeof showRefusal>[0];
    };

/** Returns the whole text of a file, or why it can't be attached. */
export async function readFile(uri: vscode.Uri, limitBytes: number): Promise<ReadFile> {
  const label = baseName(uri.path);
  try {
    const sizeBytes = await sizeOnDisk(uri);
    if (sizeBytes > limitBytes) {
      // Checked before opening, because VS Code would load the whole file into memory.
      const refusal = { reason: 'too-large', label, sizeBytes, limitBytes } as const;
      return { sentence: selectionRefusalText(refusal), refusal };
    }
    const document = await vscode.workspace.openTextDocument(uri);
    return document.getText().trim() === ''
      ? { sentence: translate('{0} is empty.', label) }
      : { file: wholeOf(document) };
  } catch {
    // VS Code refuses files that are binary, deleted or too large.
    return {
      sentence: translate('{0} was not attached because it can’t be read as text.', label),
    };
  }
}

/**
 * Returns the size of a file on disk, or 0 if an editor has it open, because the text in the editor
 * can differ.
 */
async function sizeOnDisk(uri: vscode.Uri): Promise<number> {
  return openDocument(uri) ? 0 : (await vscode.workspace.fs.stat(uri)).size;
}
