import { readFileSync } from 'node:fs';

/** Characters of one delta, about what services send at a time. */
const DELTA_LENGTH = 50;

interface TextDelta {
  readonly type: 'text-delta';
  readonly id: string;
  readonly delta: string;
}

/** A recorded reply taken apart, to be played again in another length. */
export interface RecordedReply {
  /** Events before the first text delta and after the last, as they were sent. */
  readonly head: readonly string[];
  readonly tail: readonly string[];
  readonly textId: string;
  /** The reply's text, all deltas joined. */
  readonly text: string;
}

/** @param file of `test/fixtures/replies` */
export function readRecordedReply(file: string): RecordedReply {
  const events = readFileSync(`test/fixtures/replies/${file}`, 'utf8')
    .split('\n\n')
    .filter((event) => event !== '');
  const deltas = events.map(textDelta);
  const first = deltas.findIndex((delta) => delta !== undefined);
  const last = deltas.findLastIndex((delta) => delta !== undefined);
  const textId = deltas[first]?.id;
  if (textId === undefined) throw new Error(`${file} holds no text`);
  return {
    head: events.slice(0, first),
    tail: events.slice(last + 1),
    textId,
    text: deltas.map((delta) => delta?.delta ?? '').join(''),
  };
}

function textDelta(event: string): TextDelta | undefined {
  if (!event.startsWith('data: {"type":"text-delta"')) return undefined;
  // A recorded event, whose form the line above has checked.
  return JSON.parse(event.slice('data: '.length)) as TextDelta;
}

/** Returns the reply's events, with its text repeated until they have about that many bytes. */
export function replayedEvents(reply: RecordedReply, bytes: number): string[] {
  const once = deltaEvents(reply);
  const bytesOnce = Buffer.byteLength(once.join('\n\n'));
  const rounds = Math.max(1, Math.round(bytes / bytesOnce));
  return [...reply.head, ...Array.from({ length: rounds }, () => once).flat(), ...reply.tail];
}

/**
 * Returns the reply's text in deltas of about {@link DELTA_LENGTH} characters, none cut within a
 * character.
 */
export function deltaEvents({ text, textId }: RecordedReply): string[] {
  const pieces = text.match(new RegExp(`.{1,${DELTA_LENGTH}}`, 'gsu')) ?? [];
  return pieces.map(
    (delta) => `data: ${JSON.stringify({ type: 'text-delta', id: textId, delta })}`,
  );
}
