import { setImmediate as nextTurn } from 'node:timers/promises';
import { createUIMessageStream } from 'ai';
import type { Clock, NewId } from '../common/ports';
import type { Answer } from './answer';

export interface ReplyStreamPorts {
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface ReplyStreamInput {
  readonly answer: Answer;
  /** Milliseconds between two pieces of text; 0 sends them as fast as they are read. */
  readonly paceMs: number;
  /** Aborts when the client has gone or the service stops: nothing more is sent. */
  readonly signal: AbortSignal;
  /** Called once the whole text is sent; gives the thread that `finish` names. */
  readonly onSent: () => string;
}

/** Under which sources carry their quote (platform-api.md § Part, `providerMetadata`). */
const METADATA_KEY = 'localDocs';

const WORDS_PER_DELTA = 3;
/** Deltas after which other requests get their turn when there is no pace. */
const DELTAS_PER_TURN = 50;

/**
 * Streams a reply as the chat SDK's chunks (platform-api.md § Assistant response stream): what was
 * searched as reasoning in a first step, then sources and text in a second.
 */
export function replyStream(
  { clock, newId }: ReplyStreamPorts,
  { answer, paceMs, signal, onSent }: ReplyStreamInput,
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
        writer.write({ type: 'reasoning-start', id: 'reasoning' });
        for (const delta of deltasOf(answer.reasoning)) {
          writer.write({ type: 'reasoning-delta', id: 'reasoning', delta });
          await pause();
        }
        writer.write({ type: 'reasoning-end', id: 'reasoning' });
        writer.write({ type: 'finish-step' });
        writer.write({ type: 'start-step' });
        for (const { quote, ...source } of answer.sources) {
          const providerMetadata = { [METADATA_KEY]: { quote } };
          writer.write({ type: 'source-url', ...source, providerMetadata });
        }
        writer.write({ type: 'text-start', id: 'text' });
        for (const delta of deltasOf(answer.text)) {
          writer.write({ type: 'text-delta', id: 'text', delta });
          await pause();
        }
        writer.write({ type: 'text-end', id: 'text' });
        writer.write({ type: 'finish-step' });
        // Not in the SDK's own type of this chunk; it passes unknown fields on.
        const finish = { type: 'finish', finishReason: 'stop', threadId: onSent() } as const;
        writer.write(finish);
      } catch (error) {
        // Nobody listens any more: this is a normal end, not an error to tell about.
        if (!signal.aborted) throw error;
      }
    },
  });
}

const deltaPattern = new RegExp(`\\s*(?:\\S+\\s*){1,${WORDS_PER_DELTA}}|\\s+`, 'g');

/** The text in pieces of a few words; joined they are the text. */
export function deltasOf(text: string): string[] {
  return text.match(deltaPattern) ?? [];
}
