/** Streams the chunks of a reply. Uses `node:timers` so that other requests can run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createUIMessageStream, type UIMessageStreamWriter } from 'ai';
import type { Clock, NewId } from '../../common/ports';
import type { Proof } from '../../shared/proof';
import type { AnswerSource } from '../answers/answer';

/** A piece of a reply, in the order in which it is sent. */
export type ReplyPiece =
  /** A search has begun. */
  | { readonly type: 'search'; readonly id: string; readonly query: string }
  /** Sections that this search found and the reply uses. */
  | { readonly type: 'found'; readonly id: string; readonly sources: readonly AnswerSource[] }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'sources'; readonly sources: readonly AnswerSource[] }
  /** Complete text. It is sent a few words at a time. */
  | { readonly type: 'text'; readonly text: string }
  /** Tells the client that the service is still working while it has nothing else to send. */
  | { readonly type: 'waiting' }
  /** Text that a model has just written. It is sent at once. */
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'proof'; readonly proof: Proof };

export interface ReplyStreamPorts {
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface ReplyStreamInput {
  readonly pieces: AsyncIterable<ReplyPiece>;
  /** Milliseconds between two deltas of a complete text. 0 sends them without a pause. */
  readonly paceMs: number;
  /** Aborts when the client has disconnected or the service stops. Nothing more is sent then. */
  readonly signal: AbortSignal;
  /** Called with the whole text after it was sent. Returns the thread ID for the `finish` chunk. */
  readonly onSent: (text: string) => string;
  /** Called with the error that ended the reply. */
  readonly onError: (error: unknown) => void;
}

/** Key of the quote in a source's metadata (platform-api.md § Part, `providerMetadata`). */
const METADATA_KEY = 'localDocs';

const WORDS_PER_DELTA = 3;
/** Number of deltas after which other requests can run, if there is no pause between deltas. */
const DELTAS_PER_TURN = 50;

/**
 * Streams a reply as chunks of the chat SDK (platform-api.md § Assistant response stream). The
 * first step holds the searches, the reasoning and the sources. The second step holds the text and its
 * proof.
 */
export function replyStream(
  { clock, newId }: ReplyStreamPorts,
  { pieces, paceMs, signal, onSent, onError }: ReplyStreamInput,
): ReturnType<typeof createUIMessageStream> {
  let deltaCount = 0;
  const pause = async (): Promise<void> => {
    deltaCount++;
    if (paceMs > 0) await clock.delay(paceMs, signal);
    else if (deltaCount % DELTAS_PER_TURN === 0) await nextTurn();
    signal.throwIfAborted();
  };
  return createUIMessageStream({
    generateId: newId,
    onError: () => 'The reply failed.',
    execute: async ({ writer }) => {
      try {
        writer.write({ type: 'start', messageId: newId() });
        writer.write({ type: 'start-step' });
        const sent = { text: '', isWriting: false };
        const startText = (): void => {
          if (sent.isWriting) return;
          sent.isWriting = true;
          writer.write({ type: 'finish-step' });
          writer.write({ type: 'start-step' });
          writer.write({ type: 'text-start', id: 'text' });
        };
        for await (const piece of pieces) {
          signal.throwIfAborted();
          if (piece.type === 'text' || piece.type === 'delta') {
            startText();
            sent.text += piece.text;
            const isKnown = piece.type === 'text';
            for (const delta of isKnown ? deltasOf(piece.text) : [piece.text]) {
              writer.write({ type: 'text-delta', id: 'text', delta });
              if (isKnown) await pause();
            }
          } else if (piece.type === 'reasoning') {
            writer.write({ type: 'reasoning-start', id: 'reasoning' });
            for (const delta of deltasOf(piece.text)) {
              writer.write({ type: 'reasoning-delta', id: 'reasoning', delta });
              await pause();
            }
            writer.write({ type: 'reasoning-end', id: 'reasoning' });
          } else if (piece.type === 'waiting') {
            if (sent.isWriting) writer.write({ type: 'text-delta', id: 'text', delta: '' });
            else writer.write({ type: 'message-metadata', messageMetadata: {} });
          } else if (piece.type === 'proof') {
            writer.write({ type: 'data-proof', id: 'proof', data: piece.proof });
          } else writeSearch(writer, piece);
        }
        signal.throwIfAborted();
        startText();
        writer.write({ type: 'text-end', id: 'text' });
        writer.write({ type: 'finish-step' });
        // The SDK's type of this chunk has no `threadId`, but the SDK passes unknown fields on.
        const finish = {
          type: 'finish',
          finishReason: 'stop',
          threadId: onSent(sent.text),
        } as const;
        writer.write(finish);
      } catch (error) {
        // The client has disconnected, which is a normal end and not an error.
        if (signal.aborted) return;
        onError(error);
        throw error;
      }
    },
  });
}

/** Writes a search as the tool call that clients know (field-notes.md § Assistant messages). */
function writeSearch(
  writer: UIMessageStreamWriter,
  piece: Extract<ReplyPiece, { readonly type: 'search' | 'found' | 'sources' }>,
): void {
  switch (piece.type) {
    case 'search': {
      const call = { toolCallId: piece.id, toolName: 'search' };
      writer.write({ type: 'tool-input-available', ...call, input: { query: piece.query } });
      break;
    }
    case 'found': {
      const results = piece.sources.map(({ url, title }) => ({ url, title }));
      writer.write({ type: 'tool-output-available', toolCallId: piece.id, output: { results } });
      break;
    }
    case 'sources':
      for (const { quote, ...source } of piece.sources) {
        const providerMetadata = { [METADATA_KEY]: { quote } };
        writer.write({ type: 'source-url', ...source, providerMetadata });
      }
  }
}

const deltaPattern = new RegExp(`\\s*(?:\\S+\\s*){1,${WORDS_PER_DELTA}}|\\s+`, 'g');

/** Splits a text into deltas of a few words. The deltas contain all of the text, with its whitespace. */
export function deltasOf(text: string): string[] {
  return text.match(deltaPattern) ?? [];
}
