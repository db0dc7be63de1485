import { open, type FileHandle } from 'node:fs/promises';
import { ExportError } from '../exportErrors';
import { fileErrorCode } from '../fileErrors';

/** An archive on disk, open for reading. Uses `node:fs`. */
export interface ArchiveFile {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

/**
 * @returns the archive, to be closed by the caller.
 * @throws {ExportError} `file-gone`, `not-readable`; `not-an-archive` for a folder or anything that is no file.
 */
export async function openArchive(path: string): Promise<ArchiveFile> {
  try {
    const handle = await open(path, 'r');
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new ExportError('not-an-archive');
      return { handle, sizeBytes: stats.size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    const causeCode = fileErrorCode(error);
    if (causeCode === 'ENOENT' || causeCode === 'ENOTDIR') {
      throw new ExportError('file-gone', { causeCode, cause: error });
    }
    // Windows does not open folders.
    if (causeCode === 'EISDIR') throw new ExportError('not-an-archive', { cause: error });
    if (causeCode === undefined) throw error;
    throw new ExportError('not-readable', { causeCode, cause: error });
  }
}

/** Up to that many bytes from that place; fewer at the end of the file. */
export async function readAt(
  { handle }: ArchiveFile,
  position: number,
  length: number,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Bytes that are read, and held, at once. */
export const CHUNK_BYTES = 262_144;

/**
 * The bytes from one place up to another, or to the end of the file. A stream of the handle's own
 * would close it when it is destroyed.
 */
export async function* chunksOf(
  archive: ArchiveFile,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  let position = start;
  while (position < end) {
    const chunk = await readAt(archive, position, Math.min(CHUNK_BYTES, end - position));
    if (chunk.length === 0) return;
    position += chunk.length;
    yield chunk;
  }
}
