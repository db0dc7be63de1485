import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Conversation } from '../../assistant/conversation';
import { DocsAssistantError } from '../../common/errors';
import { freeName, readAttachment } from '../../context/attachment';
import { baseName } from '../../context/workspacePath';
import { MAX_FILE_BYTES } from '../../shared/protocol';
import { readableSize } from '../../shared/readableSize';
import { viewStrings } from '../../shared/viewStrings';
import { translate } from '../notifications';
import { safeFileName } from '../openableLink';

export interface FilePorts {
  readonly conversation: Pick<Conversation, 'addFile' | 'files'>;
}

/**
 * Lets a person choose files and attaches those that can be.
 * @throws {DocsAssistantError} `file-refused`, `too-many-files`: what was left out, and why.
 */
export async function pickFiles(ports: FilePorts): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({
    canSelectMany: true,
    openLabel: translate('Attach'),
    title: translate(viewStrings.attachFile),
  });
  const refusals: DocsAssistantError[] = [];
  for (const uri of chosen ?? []) {
    try {
      await addFileAt(ports, uri);
    } catch (error) {
      if (!(error instanceof DocsAssistantError)) throw error;
      refusals.push(error);
    }
  }
  const [first] = refusals;
  if (!first) return;
  const serviceMessage = refusals.flatMap(({ details }) => details.serviceMessage ?? []).join(' ');
  throw new DocsAssistantError(first.code, { serviceMessage });
}

/**
 * Attaches a file by its content.
 * @param name as it came; only its last segment is kept, made safe and unlike the others' names.
 * @throws {DocsAssistantError} `file-refused`, `too-many-files`.
 */
export function addFile({ conversation }: FilePorts, name: string, content: Uint8Array): void {
  const filename = safeFileName(name, 'file');
  const read = readAttachment(filename, content);
  if (read === 'empty') throw refused(translate(viewStrings.fileEmpty, filename));
  if (read === 'kind') throw refused(translate(viewStrings.fileKindRefused, filename));
  // The same file, dropped again, is the same attachment.
  const id = createHash('sha256').update(`${filename}\n`).update(content).digest('base64url');
  if (conversation.files.some((other) => other.id === id)) return;
  const taken = conversation.files.map((other) => other.filename);
  conversation.addFile({ id, filename: freeName(filename, taken), ...read });
}

/** A file that was refused, with the sentence that says why. */
export function refused(serviceMessage: string): DocsAssistantError {
  return new DocsAssistantError('file-refused', { serviceMessage });
}

async function addFileAt(ports: FilePorts, uri: vscode.Uri): Promise<void> {
  const name = baseName(uri.path);
  let content: Uint8Array;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_FILE_BYTES) {
      const sizes = [readableSize(size), readableSize(MAX_FILE_BYTES)];
      throw refused(translate(viewStrings.fileTooLarge, name, ...sizes));
    }
    content = await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof DocsAssistantError) throw error;
    throw refused(translate(viewStrings.fileUnreadable, name));
  }
  addFile(ports, name, content);
}
