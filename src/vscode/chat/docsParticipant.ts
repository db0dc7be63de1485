/** `@docs` in VS Code's own chat. Loads with the first question. */
import * as vscode from 'vscode';
import { baseName } from '../../chat/context/documentPaths';
import type { ContextItem } from '../../chat/context/contextItem';
import { textItem, toContextItem, type SelectionSnapshot } from '../../chat/context/selectionItem';
import { parseTurnMetadata, type ChatTurn } from '../../chat/participant/chatTurns';
import { answerInChat, type DocsParticipantPorts } from '../../chat/participant/docsParticipant';
import type { ChatReply } from '../../chat/participant/chatReplyWriter';
import { chatParticipants, commands } from '../../common/contributions';
import { viewStrings } from '../../shared/viewStrings';
import { errorActions } from '../errorActions';
import { translate } from '../notifications';
import { selectionRefusalText } from './askCommands';
import { readFile } from './attachFile';
import { rangeSnapshot } from './editorSelection';

interface ParticipantPorts extends DocsParticipantPorts {
  /** Returns the size limit of one attachment, in bytes of UTF-8. */
  readonly maxSelectionBytes: () => number;
}

/**
 * The parts of VS Code's chat that an answer uses. Tests make their own, because hosts without a
 * model have no chat.
 */
export type DocsRequest = Pick<vscode.ChatRequest, 'prompt' | 'references'>;
export type DocsStream = Pick<
  vscode.ChatResponseStream,
  'progress' | 'markdown' | 'reference' | 'button'
>;

/** Answers a question to `@docs`, with buttons for errors and for continuing in the panel. */
export async function answerDocs(
  ports: ParticipantPorts,
  request: DocsRequest,
  { history }: Pick<vscode.ChatContext, 'history'>,
  stream: DocsStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('The reader stopped the reply'));
  if (token.isCancellationRequested) stop();
  const listening = token.onCancellationRequested(stop);
  try {
    stream.progress(translate('Asking the docs…'));
    const attached = await attachments(request.references, ports);
    const { metadata, error } = await answerInChat(
      ports,
      { prompt: request.prompt, ...attached, turns: turnsOf(history) },
      chatReply(stream),
      controller.signal,
    );
    if (error?.keptDocs) {
      const title = translate(viewStrings.askKeptDocs);
      const asked = [error.keptDocs.id, request.prompt];
      stream.button({ command: commands.askKeptDocs, title, arguments: asked });
    }
    for (const action of error?.actions ?? []) {
      if (action === 'retry') continue;
      const { command, label } = errorActions[action];
      stream.button({ command, title: translate(label) });
    }
    if (metadata) {
      const title = translate('Continue in Docs Assistant');
      stream.button({ command: commands.continueThread, title, arguments: [metadata.threadId] });
    }
    return {
      metadata,
      errorDetails: error ? { message: error.message } : undefined,
    };
  } finally {
    listening.dispose();
  }
}

/** Returns the questions that a reply suggests. */
export function docsFollowUps({ metadata }: vscode.ChatResult): vscode.ChatFollowup[] {
  return (parseTurnMetadata(metadata)?.followUps ?? []).map((prompt) => ({ prompt }));
}

function chatReply(stream: DocsStream): ChatReply {
  return {
    progress: (sentence) => stream.progress(sentence),
    markdown: (text) => stream.markdown(text),
    reference: (url) => stream.reference(vscode.Uri.parse(url, true)),
  };
}

/** Returns the questions to `@docs` of a chat with their replies. Those without a reply are left out. */
function turnsOf(history: vscode.ChatContext['history']): ChatTurn[] {
  const turns: ChatTurn[] = [];
  let prompt: string | undefined;
  for (const turn of history) {
    if (turn.participant !== chatParticipants.docs) {
      prompt = undefined;
    } else if ('prompt' in turn) {
      ({ prompt } = turn);
    } else if (prompt !== undefined) {
      turns.push({ prompt, reply: markdownOf(turn), metadata: turn.result.metadata });
      prompt = undefined;
    }
  }
  return turns;
}

function markdownOf({ response }: vscode.ChatResponseTurn): string {
  return response
    .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
    .join('');
}

/** Most attachments of one question. */
const MAX_ATTACHMENTS = 20;

interface Attachments {
  readonly contextItems: readonly ContextItem[];
  readonly leftOut: readonly string[];
}

/**
 * Converts the reader's attachments, within the limits of the panel. Attachments that VS Code adds
 * by itself, such as the active editor's file, aren't sent. A selection is sent, because the reader
 * made it and sees it in the chat.
 */
async function attachments(
  references: readonly vscode.ChatPromptReference[],
  { maxSelectionBytes, newId }: ParticipantPorts,
): Promise<Attachments> {
  const limitBytes = maxSelectionBytes();
  const contextItems: ContextItem[] = [];
  const leftOut: string[] = [];
  const given = references
    .filter(({ id }) => !id.startsWith('vscode.implicit') || id === 'vscode.implicit.selection')
    // VS Code lists them from the end of the prompt.
    .toReversed();
  for (const reference of given.slice(0, MAX_ATTACHMENTS)) {
    const read = await readReference(reference, limitBytes);
    if ('sentence' in read) {
      leftOut.push(read.sentence);
    } else if ('text' in read) {
      if (Buffer.byteLength(read.text) > limitBytes) {
        leftOut.push(translate('{0} is too large to attach.', read.label));
      } else if (read.text.trim() !== '') {
        contextItems.push(textItem(newId(), read.label, read.text));
      }
    } else {
      const made = toContextItem(read.file, limitBytes, newId());
      if (made.ok) contextItems.push(made.item);
      else leftOut.push(selectionRefusalText(made.refusal));
    }
  }
  if (given.length > MAX_ATTACHMENTS) {
    leftOut.push(translate('Only the first {0} attachments were sent.', MAX_ATTACHMENTS));
  }
  return { contextItems, leftOut: leftOut.filter((sentence) => sentence !== '') };
}

type ReadReference =
  | { readonly file: SelectionSnapshot }
  | { readonly text: string; readonly label: string }
  | { readonly sentence: string };

async function readReference(
  { id, value }: vscode.ChatPromptReference,
  limitBytes: number,
): Promise<ReadReference> {
  if (typeof value === 'string') return { text: value, label: id };
  if (value instanceof vscode.Uri) return readFile(value, limitBytes);
  if (!(value instanceof vscode.Location)) {
    return { sentence: translate('An attachment isn’t text, so it wasn’t sent.') };
  }
  try {
    const document = await vscode.workspace.openTextDocument(value.uri);
    return { file: rangeSnapshot(document, document.validateRange(value.range)) };
  } catch {
    const name = baseName(value.uri.path);
    return { sentence: translate('{0} was not attached because it can’t be read as text.', name) };
  }
}
