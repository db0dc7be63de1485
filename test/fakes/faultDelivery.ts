/** Sends a body for the fault proxy: in pieces, encoded, and with its cues. */
import type { ServerResponse } from 'node:http';
import {
  createBrotliCompress,
  createDeflate,
  createGzip,
  constants as zlibConstants,
} from 'node:zlib';
import type { Cue, Place } from './faults';

/** The remaining cues, in their order. */
export class CueLine {
  readonly #cues: Cue[];
  readonly #run: (cue: Cue) => Promise<void>;

  constructor(cues: readonly Cue[], run: (cue: Cue) => Promise<void>) {
    this.#cues = [...cues];
    this.#run = run;
  }

  get nextPlace(): Place | undefined {
    return this.#cues[0]?.at;
  }

  async runWhile(isDue: (place: Place) => boolean): Promise<void> {
    for (let cue = this.#cues[0]; cue && isDue(cue.at); cue = this.#cues[0]) {
      this.#cues.shift();
      await this.#run(cue);
    }
  }
}

/** Yields the pieces, and runs each cue at its position between two bytes. */
export async function deliver(
  source: AsyncIterable<Buffer>,
  cues: CueLine,
  write: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  let sentBytes = 0;
  let tail = Buffer.alloc(0);
  const runDue = (): Promise<void> =>
    cues.runWhile((at) =>
      typeof at === 'object' ? endsWith(tail, at.text) : at !== 'headers' && at <= sentBytes,
    );
  await runDue();
  for await (const piece of source) {
    let rest = piece;
    while (rest.length > 0) {
      const length = Math.min(rest.length, bytesTo(cues.nextPlace, sentBytes, tail, rest));
      const now = rest.subarray(0, length);
      await write(now);
      sentBytes += length;
      tail = Buffer.concat([tail, now]).subarray(-4096);
      rest = rest.subarray(length);
      await runDue();
    }
  }
}

/** Returns the number of bytes before the position, or Infinity if it is not in this piece. */
function bytesTo(place: Place | undefined, sentBytes: number, tail: Buffer, rest: Buffer): number {
  if (typeof place === 'number') return place - sentBytes;
  if (typeof place !== 'object') return Infinity;
  const size = Buffer.byteLength(place.text);
  const before = size > 1 ? tail.subarray(1 - size) : Buffer.alloc(0);
  const found = Buffer.concat([before, rest]).indexOf(place.text);
  return found === -1 ? Infinity : found + size - before.length;
}

const endsWith = (bytes: Buffer, text: string): boolean =>
  bytes.subarray(-Buffer.byteLength(text)).equals(Buffer.from(text));

export async function writePiece(
  response: ServerResponse,
  piece: Buffer,
  gone: AbortSignal,
): Promise<void> {
  gone.throwIfAborted();
  if (response.write(piece)) return;
  await new Promise<void>((resolve, reject) => {
    const onGone = (): void => reject(gone.reason as Error);
    gone.addEventListener('abort', onGone, { once: true });
    response.once('drain', () => {
      gone.removeEventListener('abort', onGone);
      resolve();
    });
  });
}

/** Yields the pieces, and reports their text. */
export async function* noting(
  source: AsyncIterable<Buffer>,
  note: (text: string) => void,
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const piece of source) {
    note(decoder.decode(piece, { stream: true }));
    yield piece;
  }
}

/** Encodes the pieces so that a client can decode each one without the next. */
export async function* encoded(
  source: AsyncIterable<Buffer>,
  coding: 'gzip' | 'br' | 'deflate',
): AsyncGenerator<Buffer> {
  const encoder = { gzip: createGzip, br: createBrotliCompress, deflate: createDeflate }[coding]();
  const flushed = (): Promise<void> =>
    new Promise((resolve) => {
      const kind =
        coding === 'br' ? zlibConstants.BROTLI_OPERATION_FLUSH : zlibConstants.Z_SYNC_FLUSH;
      encoder.flush(kind, resolve);
    });
  const read = (): Buffer => (encoder.read() as Buffer | null) ?? Buffer.alloc(0);
  for await (const piece of source) {
    encoder.write(piece);
    await flushed();
    yield read();
  }
  encoder.end();
  for await (const piece of encoder) yield piece as Buffer;
}
