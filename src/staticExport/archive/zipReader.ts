import { read } from 'node:fs';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import type { ArchiveFile } from './archiveFile';

type ReadCallback = (error: Error | null) => void;

/**
 * Reads an open archive for `yauzl`, which takes offsets from the archive itself: one that no
 * file can have is an error here, where Node would throw past every handler. Uses `node:fs`.
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
    if (!this.#isInside(position, position + length)) {
      setImmediate(callback, new RangeError('Outside of the archive'));
      return;
    }
    read(this.#archive.handle.fd, buffer, offset, length, position, (error, bytesRead) => {
      callback(error ?? (bytesRead < length ? new RangeError('The archive was cut') : null));
    });
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#archive.handle.createReadStream({
      start,
      end: end - 1,
      autoClose: false,
      highWaterMark: 262_144,
    });
  }

  #isInside(start: number, end: number): boolean {
    return Number.isSafeInteger(start) && start >= 0 && end <= this.#archive.sizeBytes;
  }
}
