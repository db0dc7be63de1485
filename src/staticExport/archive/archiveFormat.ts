import { constants, createGunzip } from 'node:zlib';
import { openArchive, readAt, type ArchiveFile } from './archiveFile';
import { archiveStart } from './archiveStart';
import { isTarStart, isZero, TAR_BLOCK_BYTES } from './tarHeader';

/** What a bundle can come as (platform-api.md says "a single archive", no more). */
export type ArchiveFormat = 'tar' | 'tar.gz' | 'zip';

/** Enough of a gzip file to see the first block of what is in it, even behind a long header. */
const GZIP_START_BYTES = 65_536;

/**
 * Recognises an archive by its content alone: names and content types lie (faults.md D7, D8).
 * Uses `node:zlib`.
 *
 * @returns undefined for anything else, an archive with nothing in it and an empty file included.
 * A damaged archive is still recognised; unpacking it tells.
 * @throws {ExportError} `file-gone`; `not-an-archive` for a folder.
 */
export async function archiveFormat(path: string): Promise<ArchiveFormat | undefined> {
  const archive = await openArchive(path);
  try {
    return await formatOf(archive);
  } finally {
    await archive.handle.close();
  }
}

/** As {@link archiveFormat}, for an archive that is open. */
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
    return true; // Damaged or cut off: unpacking says so.
  }
  const start = Buffer.concat(chunks).subarray(0, TAR_BLOCK_BYTES);
  if (start.length < TAR_BLOCK_BYTES) return !isWhole;
  return isTarStart(start) || isZero(start);
}
