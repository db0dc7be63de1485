import { pipeline } from 'node:stream';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import { systemErrorCode } from '../../common/errorCode';
import type { NewId } from '../../common/ports';
import { ExportError } from '../exportErrors';
import {
  CHUNK_BYTES,
  chunksOf,
  formatOf,
  openArchive,
  type ArchiveEntry,
  type ArchiveFile,
  type ArchiveFormat,
} from './archiveFile';
import { entryTreeOf, parseEntryName, type EntryTree } from './entryTree';
import { defaultUnpackLimits, UnpackBudget, type UnpackLimits } from './limits';
import { tarEntries, type TarStream } from './tarEntries';
import { isZero } from './tarHeaders';
import { UnpackTarget, type WriteFile } from './unpackTarget';
import { zipEntries } from './zipEntries';

/** Bytes between two reports of progress. */
const PROGRESS_BYTES = 1_048_576;
/** Files between two reports of progress. */
const PROGRESS_FILES = 50;

export interface UnpackProgress {
  readonly files: number;
  readonly totalFiles: number;
  readonly bytes: number;
}

export interface UnpackOptions {
  /** Absolute path of the archive. */
  readonly archive: string;
  /** Absolute path of the new folder, which must not exist yet. */
  readonly target: string;
  readonly newId: NewId;
  /** Cancels the work and removes everything. */
  readonly signal: AbortSignal;
  /** Reports progress from time to time, and at the end. */
  onProgress(progress: UnpackProgress): void;
  readonly limits?: UnpackLimits;
  /** Creates a file. */
  readonly writeFile?: WriteFile;
}

export interface UnpackedBundle {
  /** Absolute path of the site's root: the target, or its only folder. */
  readonly siteRoot: string;
  readonly files: number;
  /** Bytes of all files. */
  readonly bytes: number;
}

/**
 * Unpacks a tar, tar.gz or zip archive into a new folder, as a stream.
 *
 * The archive is read twice. The first pass checks all entries, so that an unsafe archive creates no
 * file, and finds the last entry of each file. The second pass writes the contents.
 *
 * It is all or nothing: an unsafe entry, any damage, a cancellation or a full disk removes everything.
 * Nothing is ever written outside the new folder. Modes, owners and times of entries are ignored.
 *
 * @throws {ExportError} `not-an-archive` (also for one without a file), `unsafe-archive`,
 * `broken-archive`, `already-exists`, `disk-full`, `not-writable`, `file-gone`.
 * @throws the signal's reason.
 */
export async function unpackBundle(options: UnpackOptions): Promise<UnpackedBundle> {
  try {
    options.signal.throwIfAborted();
    const archive = await openArchive(options.archive);
    try {
      return await unpackOpen(archive, options);
    } finally {
      await archive.handle.close();
    }
  } catch (error) {
    throw namingArchive(error, basename(options.archive));
  }
}

/**
 * Returns whether an archive can be read to its end. One that is refused for another reason than damage counts as
 * intact, because another download of it would be the same.
 *
 * @throws the signal's reason.
 */
export async function isIntactArchive(file: string, signal: AbortSignal): Promise<boolean> {
  try {
    const archive = await openArchive(file);
    try {
      const format = await formatOf(archive);
      if (format === undefined) return false;
      for await (const { content } of entriesOf(archive, format, signal, defaultUnpackLimits)()) {
        for await (const _ of content) signal.throwIfAborted();
      }
      return true;
    } finally {
      await archive.handle.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof ExportError && error.code === 'unsafe-archive';
  }
}

/** Returns the function that begins to read the entries of an archive. */
function entriesOf(
  archive: ArchiveFile,
  format: ArchiveFormat,
  signal: AbortSignal,
  limits: UnpackLimits,
): () => AsyncIterable<ArchiveEntry> {
  const newBudget = (): UnpackBudget => new UnpackBudget(limits, archive.sizeBytes);
  return format === 'zip'
    ? kept(zipEntries(archive, newBudget()))
    : () => tarEntries(tarStream(archive, format, signal), limits, newBudget());
}

async function unpackOpen(archive: ArchiveFile, options: UnpackOptions): Promise<UnpackedBundle> {
  const { target, newId, signal, limits = defaultUnpackLimits } = options;
  const format = await formatOf(archive);
  if (format === undefined) throw new ExportError('not-an-archive');
  const entries = entriesOf(archive, format, signal, limits);
  const unpackTarget = await UnpackTarget.create(target, newId(), options.writeFile);
  try {
    const tree = await entryTreeOf(entries(), limits, signal);
    if (tree.files === 0) throw new ExportError('not-an-archive');
    const { files, bytes } = await unpackEntries(entries(), tree, unpackTarget, options, limits);
    if (files !== tree.files) throw new ExportError('broken-archive');
    signal.throwIfAborted();
    const siteRoot = await unpackTarget.finish();
    return { siteRoot, files, bytes };
  } finally {
    await unpackTarget.discard();
  }
}

async function unpackEntries(
  entries: AsyncIterable<ArchiveEntry>,
  tree: EntryTree,
  unpackTarget: UnpackTarget,
  options: UnpackOptions,
  limits: UnpackLimits,
): Promise<UnpackProgress> {
  const { signal } = options;
  const totalFiles = tree.files;
  let files = 0;
  let bytes = 0;
  let reported: UnpackProgress = { files, totalFiles, bytes };
  const reportIf = (isDue: boolean): void => {
    if (!isDue) return;
    reported = { files, totalFiles, bytes };
    options.onProgress(reported);
  };
  const watched = async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      signal.throwIfAborted();
      bytes += chunk.length;
      reportIf(bytes - reported.bytes >= PROGRESS_BYTES);
      yield chunk;
    }
  };
  let place = 0;
  for await (const { name, kind, content } of entries) {
    signal.throwIfAborted();
    const segments = parseEntryName(name, kind, limits);
    if (kind === 'folder') {
      await unpackTarget.addFolder(name, segments);
    } else if (tree.isSource(segments, place)) {
      await unpackTarget.addFile(name, segments, watched(content));
      files += 1;
      reportIf(files - reported.files >= PROGRESS_FILES);
    }
    place += 1;
  }
  reportIf(true);
  return reported;
}

/** Keeps the entries of the first pass for the second, because a zip allows reads in any order. */
function kept(entries: AsyncIterable<ArchiveEntry>): () => AsyncIterable<ArchiveEntry> {
  let all: ArchiveEntry[] | undefined;
  return async function* () {
    if (all !== undefined) return yield* all;
    const read: ArchiveEntry[] = [];
    for await (const entry of entries) {
      read.push(entry);
      yield entry;
    }
    all = read;
  };
}

function tarStream(archive: ArchiveFile, format: 'tar' | 'tar.gz', signal: AbortSignal): TarStream {
  return format === 'tar'
    ? { chunks: until(signal, chunksOf(archive, 0, archive.sizeBytes)), tellsItsEnd: false }
    : { chunks: until(signal, gunzipped(archive)), tellsItsEnd: true };
}

/** Yields chunks until the signal aborts, also while an entry or the final zeros are skipped. */
async function* until(signal: AbortSignal, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** Yields the unpacked bytes. @throws {ExportError} `broken-archive` for damage or trailing data. */
async function* gunzipped(archive: ArchiveFile): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // The loop below gets errors of the pipeline from `gunzip`.
  pipeline(chunksOf(archive, 0, archive.sizeBytes), gunzip, () => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    if (systemErrorCode(error) !== undefined) throw error;
    throw new ExportError('broken-archive', { cause: error });
  } finally {
    gunzip.destroy();
  }
  await requireZeros(archive, gunzip.bytesWritten);
}

/** Checks the bytes after the archive, because Node ignores everything after zeros. */
async function requireZeros(archive: ArchiveFile, from: number): Promise<void> {
  for await (const chunk of chunksOf(archive, from, archive.sizeBytes)) {
    if (!isZero(chunk)) throw new ExportError('broken-archive');
  }
}

/** Adds the archive's name to an error of a reader. */
function namingArchive(error: unknown, path: string): unknown {
  if (!(error instanceof ExportError) || error.details.path !== undefined) return error;
  return new ExportError(error.code, { ...error.details, path });
}
