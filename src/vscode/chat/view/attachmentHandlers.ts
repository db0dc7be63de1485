import * as vscode from 'vscode';
import { createHash } from 'node:crypto';
import { decodeBase64, readAttachment } from '../../../chat/context/attachment';
import { freeName, safeFileName } from '../../../chat/context/fileNames';
import { viewStrings } from '../../../shared/viewStrings';
import { commands } from '../../../common/contributions';
import { translate } from '../../notifications';
import { Mentions } from './mentions';
import type { ViewHandlers } from '../../../chat/view/viewChannel';
import type { ViewPorts } from './viewPorts';
import type { Conversation } from '../../../chat/conversation/conversation';
import { DocsAssistantError } from '../../../common/errors';
import { baseName } from '../../../chat/context/documentPaths';
import { MAX_FILE_BYTES } from '../../../shared/limits';
import { sizeText } from '../../../shared/units';

/**
 * Returns the handlers that attach selections, files, problems and terminal output to a question.
 */
export function attachmentHandlers(ports: ViewPorts) {
  const { settings } = ports;
  const mentions = new Mentions({
    ...ports,
    maxSelectionBytes: () => settings.values.maxSelectionSize * 1000,
  });
  return {
    'context-item-add': async () => vscode.commands.executeCommand(commands.addSelection),
    'attachment-pick': () => pickFiles(ports),
    'attachment-add': ({ filename, content }) => {
      const bytes = decodeBase64(content);
      if (!bytes) throw refused(translate(viewStrings.fileUnreadable, filename));
      addFile(ports, filename, bytes);
    },
    'mention-list': async ({ kind, query }) => ({ mentions: await mentions.list(kind, query) }),
    'mention-add': ({ mentionId }) => mentions.add(mentionId),
  } satisfies Partial<ViewHandlers>;
}

interface FilePorts {
  readonly conversation: Pick<Conversation, 'pending'>;
}

/**
 * Asks for files and attaches those that can be attached.
 * @throws {DocsAssistantError} `file-refused` or `too-many-files`, with a sentence for each refused file.
 */
async function pickFiles(ports: FilePorts): Promise<void> {
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
 * Attaches a file.
 * @param name only its last segment is kept. It is made safe and unique among the attached files.
 * @throws {DocsAssistantError} `file-refused`, `too-many-files`.
 */
function addFile({ conversation }: FilePorts, name: string, content: Uint8Array): void {
  const filename = safeFileName(name);
  const read = readAttachment(filename, content);
  if (read === 'empty') throw refused(translate(viewStrings.fileEmpty, filename));
  if (read === 'kind') throw refused(translate(viewStrings.fileKindRefused, filename));
  // A file that is dropped twice is attached once.
  const id = createHash('sha256').update(`${filename}\n`).update(content).digest('base64url');
  if (conversation.pending.draft.files.some((other) => other.id === id)) return;
  const taken = conversation.pending.draft.files.map((other) => other.filename);
  conversation.pending.addFile({ id, filename: freeName(filename, taken), ...read });
}

/** Returns the error for a refused file, with the sentence that tells why. */
function refused(serviceMessage: string): DocsAssistantError {
  return new DocsAssistantError('file-refused', { serviceMessage });
}

async function addFileAt(ports: FilePorts, uri: vscode.Uri): Promise<void> {
  const name = baseName(uri.path);
  let content: Uint8Array;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > MAX_FILE_BYTES) {
      const sizes = [sizeText(size), sizeText(MAX_FILE_BYTES)];
      throw refused(translate(viewStrings.fileTooLarge, name, ...sizes));
    }
    content = await vscode.workspace.fs.readFile(uri);
  } catch (error) {
    if (error instanceof DocsAssistantError) throw error;
    throw refused(translate(viewStrings.fileUnreadable, name));
  }
  addFile(ports, name, content);
}
