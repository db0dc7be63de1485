import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import { chunksOf, type ArchiveFile } from './archiveFile';

type ReadCallback = (error: Error | null) => void;

/**
 * Reads an open archive for `yauzl`, which takes offsets from the archive itself: one that no
 * file can have is an error for its callback here, where `node:fs` would throw past every handler.
 */
export class ZipReader extends RandomAccessReader {
  readonly #archive: ArchiveFile;

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
    this.#archive.handle.read(buffer, offset, length, position).then(({ bytesRead }) => {
      callback(bytesRead < length ? new RangeError('The archive was cut') : null);
    }, callback);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(chunksOf(this.#archive, start, end), { objectMode: false });
  }
}
