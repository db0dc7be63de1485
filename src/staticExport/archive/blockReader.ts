import { ExportError } from '../exportErrors';

/** Reads a stream of chunks by lengths of one's own, holding no more than a chunk. */
export class BlockReader {
  readonly #chunks: AsyncIterator<Buffer, unknown>;
  readonly #onRead: (bytes: number) => void;
  #rest: Buffer = Buffer.alloc(0);

  /** @param onRead is called before bytes are given out; what it throws ends the reading. */
  constructor(chunks: AsyncIterable<Buffer>, onRead: (bytes: number) => void) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#onRead = onRead;
  }

  /**
   * Returns exactly that many bytes.
   * @throws {ExportError} `broken-archive` if the stream ends before.
   */
  async take(length: number): Promise<Buffer> {
    const bytes = await this.takeUpTo(length);
    if (bytes.length < length) throw new ExportError('broken-archive');
    return bytes;
  }

  /** Returns that many bytes, or all that are left before the end. */
  async takeUpTo(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let taken = 0;
    while (taken < length) {
      const piece = await this.next(length - taken);
      if (piece === undefined) break;
      pieces.push(piece);
      taken += piece.length;
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  /** Lets go of the stream, wherever it is. */
  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** What is at hand, at most that many bytes; undefined at the end. */
  async next(atMost: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const result = await this.#chunks.next();
      if (result.done === true) return undefined;
      this.#rest = result.value;
    }
    const piece = this.#rest.subarray(0, atMost);
    this.#rest = this.#rest.subarray(piece.length);
    this.#onRead(piece.length);
    return piece;
  }
}
