/** Opens, reads and recognizes archives. Uses `node:fs` and `node:zlib`. */
import { constants as fs } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { constants, createGunzip } from 'node:zlib';
import { systemErrorCode } from '../../common/errorCode';
import { ExportError } from '../exportErrors';
import { isTarStart, isZero, TAR_BLOCK_BYTES } from './tarHeaders';

/** Returns the name of an archive without its ending: `docs-2026.tar.gz` becomes `docs-2026`. */
export function siteNameOf(archive: string): string {
  return basename(archive).replace(/(\.tar)?\.(gz|tgz|tar|zip)$/i, '') || 'site';
}

/** An archive on disk, open for reading. */
export interface ArchiveFile {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
}

/**
 * Opens an archive. The caller closes it.
 * @throws {ExportError} `file-gone`, `not-readable`, or `not-an-archive` for a folder or a special file.
 */
export async function openArchive(path: string): Promise<ArchiveFile> {
  try {
    // Without the flag, opening a pipe waits for its writer. On Windows the flag is undefined, which adds nothing.
    const handle = await open(path, fs.O_RDONLY | fs.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw new ExportError('not-an-archive');
      return { handle, sizeBytes: stats.size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    const causeCode = systemErrorCode(error);
    if (causeCode === 'ENOENT' || causeCode === 'ENOTDIR') {
      throw new ExportError('file-gone', { causeCode, cause: error });
    }
    // Windows refuses to open folders.
    if (causeCode === 'EISDIR') throw new ExportError('not-an-archive', { cause: error });
    if (causeCode === undefined) throw error;
    throw new ExportError('not-readable', { causeCode, cause: error });
  }
}

/** Reads bytes at a position. Returns fewer bytes at the end of the file. */
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

export const CHUNK_BYTES = 262_144;

/**
 * Yields the bytes between two positions, or up to the end of the file. Unlike the handle's own stream,
 * it does not close the handle.
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

/** One entry of an archive. Its name is as archived and not checked yet. */
export interface ArchiveEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Content of the file. It can be read once, before the next entry. */
  readonly content: AsyncIterable<Buffer>;
}

export const noContent: AsyncIterable<Buffer> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** Format of a bundle. platform-api.md says only "a single archive". */
export type ArchiveFormat = 'tar' | 'tar.gz' | 'zip';

/** Bytes of a gzip file that contain the first block of its content, even after a long header. */
const GZIP_START_BYTES = 65_536;

/**
 * Recognizes an archive by its content, since names and content types can be wrong (faults.md D7, D8).
 *
 * @returns undefined for any other file, an empty file and an empty archive. A damaged archive is still
 * recognized, and unpacking it fails.
 */
export async function formatOf(archive: ArchiveFile): Promise<ArchiveFormat | undefined> {
  const start = archiveStart(await readAt(archive, 0, TAR_BLOCK_BYTES));
  if (start !== 'gzip') return start;
  return (await holdsTar(archive)) ? 'tar.gz' : undefined;
}

async function holdsTar(archive: ArchiveFile): Promise<boolean> {
  const packed = await readAt(archive, 0, GZIP_START_BYTES);
  const isWhole = packed.length === archive.sizeBytes;
  const gunzip = createGunzip(isWhole ? {} : { finishFlush: constants.Z_SYNC_FLUSH });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    gunzip.end(packed);
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= TAR_BLOCK_BYTES) break;
    }
  } catch {
    return true; // The archive is damaged or cut off, which unpacking reports.
  }
  const start = Buffer.concat(chunks).subarray(0, TAR_BLOCK_BYTES);
  if (start.length < TAR_BLOCK_BYTES) return !isWhole;
  return isTarStart(start) || isZero(start);
}

/**
 * Recognizes an archive by its first bytes (faults.md D7, D8).
 * @param bytes the first block of tar, or the whole file if it is shorter.
 * @returns undefined for any other file and an empty archive.
 */
export function archiveStart(bytes: Buffer): 'zip' | 'gzip' | 'tar' | undefined {
  const magic = bytes.toString('latin1', 0, 4);
  // The second mark is that of a zip for several disks that fits on one.
  if (magic === 'PK\x03\x04' || magic === 'PK\x07\x08') return 'zip';
  if (magic.startsWith('\x1F\x8B')) return 'gzip';
  return isTarStart(bytes) ? 'tar' : undefined;
}
