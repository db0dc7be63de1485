import type { UIMessageChunk } from 'ai';

/**
 * Longest reply, in characters of its parts. A book of 3,000 pages fits; an endless stream ends
 * here before it fills the memory (faults.md A17).
 */
export const MAX_REPLY_LENGTH = 16 * 1024 * 1024;

/** Most parts of a reply: the reducer copies the list of parts at each change of it. */
export const MAX_REPLY_PARTS = 2000;

/** The reply is longer than {@link MAX_REPLY_LENGTH} or has more than {@link MAX_REPLY_PARTS}. */
export class ReplyTooLongError extends Error {
  constructor() {
    super('The reply is longer than any real one');
    this.name = 'ReplyTooLongError';
  }
}

/**
 * The chunks of one reply that wait to be taken, and how much of a reply they have come to.
 * What counts throws a {@link ReplyTooLongError} beyond the limits.
 */
export class ReplyChunks {
  #waiting: UIMessageChunk[] = [];
  #partCount = 0;
  #length = 0;

  /** Parts so far, which is a number that none of them has. */
  get partCount(): number {
    return this.#partCount;
  }

  /** Adds a chunk that counts as a part. */
  add(chunk: UIMessageChunk): void {
    this.countPart();
    this.#waiting.push(chunk);
  }

  /** Adds a chunk that belongs to a part. */
  goOn(chunk: UIMessageChunk): void {
    this.#waiting.push(chunk);
  }

  countPart(): void {
    if (++this.#partCount > MAX_REPLY_PARTS) throw new ReplyTooLongError();
  }

  countCharacters(length: number): void {
    this.#length += length;
    if (this.#length > MAX_REPLY_LENGTH) throw new ReplyTooLongError();
  }

  /** Those since the last call. */
  take(): UIMessageChunk[] {
    const chunks = this.#waiting;
    this.#waiting = [];
    return chunks;
  }
}
