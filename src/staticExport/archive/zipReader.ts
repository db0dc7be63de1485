import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { chunksOf, readAt, type ArchiveFile } from './archiveFile';

/** Bytes that are read where `yauzl` asks for a few: it takes each header by two small reads. */
const WINDOW_BYTES = 65_536;

interface Window {
  readonly start: number;
  readonly bytes: Buffer;
}

type ReadCallback = (error: Error | null) => void;

/**
 * Reads an open archive for `yauzl`, which takes offsets from the archive itself: one that no
 * file can have is an error for its callback here, where `node:fs` would throw past every handler.
 */
export class ZipReader extends RandomAccessReader {
  readonly #archive: ArchiveFile;
  /** The last two: headers are read in the central directory and before the contents in turn. */
  #windows: readonly Window[] = [];

  constructor(archive: ArchiveFile) {
    super();
    this.#archive = archive;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: ReadCallback,
  ): void {
    this.#bytesAt(position, length).then((bytes) => {
      bytes.copy(buffer, offset);
      callback(bytes.length < length ? new RangeError('The archive was cut') : null);
    }, callback);
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const known = this.#windows.find(
      ({ start, bytes }) => start <= position && position + length <= start + bytes.length,
    );
    if (known) return known.bytes.subarray(position - known.start, position - known.start + length);
    const bytes = await readAt(this.#archive, position, Math.max(length, WINDOW_BYTES));
    this.#windows = [{ start: position, bytes }, ...this.#windows.slice(0, 1)];
    return bytes.subarray(0, length);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(chunksOf(this.#archive, start, end), { objectMode: false });
  }
}
