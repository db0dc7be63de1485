import { pipeline } from 'node:stream';
import { basename } from 'node:path';
import { createGunzip } from 'node:zlib';
import type { NewId } from '../../common/ports';
import { ExportError } from '../exportErrors';
import { fileErrorCode } from '../fileErrors';
import type { ArchiveEntry } from './archiveEntry';
import { CHUNK_BYTES, chunksOf, openArchive, type ArchiveFile } from './archiveFile';
import { formatOf, type ArchiveFormat } from './archiveFormat';
import { parseEntryName } from './entryName';
import { entryTreeOf, type EntryTree } from './entryTree';
import { defaultUnpackLimits, UnpackBudget, type UnpackLimits } from './limits';
import { tarEntries, type TarStream } from './tarEntries';
import { isZero } from './tarHeader';
import { UnpackTarget, type WriteFile } from './unpackTarget';
import { zipEntries } from './zipEntries';

/** Bytes between two reports of progress. */
const PROGRESS_BYTES = 1_048_576;
/** Files between two reports of progress. */
const PROGRESS_FILES = 50;

/** What is unpacked so far. */
export interface UnpackProgress {
  readonly files: number;
  /** Files that there will be at the end. */
  readonly totalFiles: number;
  readonly bytes: number;
}

export interface UnpackOptions {
  /** Absolute path of the archive. */
  readonly archive: string;
  /** Absolute path of the folder that it becomes; nothing may be there yet. */
  readonly target: string;
  readonly newId: NewId;
  /** Ends it; nothing is left behind. */
  readonly signal: AbortSignal;
  /** Called every now and then, and at the end. */
  onProgress(progress: UnpackProgress): void;
  readonly limits?: UnpackLimits;
  /** Makes the files. */
  readonly writeFile?: WriteFile;
}

export interface UnpackedBundle {
  /** Absolute path of the folder that holds the site: the target, or the one folder in it. */
  readonly siteRoot: string;
  readonly files: number;
  /** Bytes of all files. */
  readonly bytes: number;
  readonly format: ArchiveFormat;
}

/**
 * Unpacks a tar, tar.gz or zip archive into a new folder, as a stream.
 *
 * The archive is read twice: first for all its entries, so that one that is refused is refused
 * before a file is made, and that of a file that is there twice only the last is made; then for
 * their contents.
 *
 * All or nothing: the first entry that is unsafe, any damage, a cancel or a full disk removes
 * what was unpacked, and nothing is ever written outside of the new folder. Modes, owners and
 * times of entries are left out. Uses `node:fs` and `node:zlib`.
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

async function unpackOpen(archive: ArchiveFile, options: UnpackOptions): Promise<UnpackedBundle> {
  const { target, newId, signal, limits = defaultUnpackLimits } = options;
  const format = await formatOf(archive);
  if (format === undefined) throw new ExportError('not-an-archive');
  const newBudget = (): UnpackBudget => new UnpackBudget(limits, archive.sizeBytes);
  const entries =
    format === 'zip'
      ? kept(zipEntries(archive, newBudget()))
      : () => tarEntries(tarStream(archive, format, signal), limits, newBudget());
  const unpackTarget = await UnpackTarget.create(target, newId(), options.writeFile);
  try {
    const tree = await entryTreeOf(entries(), limits, signal);
    if (tree.files === 0) throw new ExportError('not-an-archive');
    const { files, bytes } = await unpackEntries(entries(), tree, unpackTarget, options, limits);
    if (files !== tree.files) throw new ExportError('broken-archive');
    signal.throwIfAborted();
    const siteRoot = await unpackTarget.finish();
    return { siteRoot, files, bytes, format };
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

/** Keeps entries as they are read for the first time; what is in a zip can be read in any order. */
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

/** Ends also in the midst of a body that is passed over, or of zeros behind the last one. */
async function* until(signal: AbortSignal, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}

/** @throws {ExportError} `broken-archive` for a cut or damaged stream, and for what follows it. */
async function* gunzipped(archive: ArchiveFile): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  // Its errors come out of `gunzip`.
  pipeline(chunksOf(archive, 0, archive.sizeBytes), gunzip, () => undefined);
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    if (fileErrorCode(error) !== undefined) throw error;
    throw new ExportError('broken-archive', { cause: error });
  } finally {
    gunzip.destroy();
  }
  await requireZeros(archive, gunzip.bytesWritten);
}

/** Node stops at zeros behind a member, and does not look at what comes after them. */
async function requireZeros(archive: ArchiveFile, from: number): Promise<void> {
  for await (const chunk of chunksOf(archive, from, archive.sizeBytes)) {
    if (!isZero(chunk)) throw new ExportError('broken-archive');
  }
}

/** Errors of readers do not know the archive's name. */
function namingArchive(error: unknown, path: string): unknown {
  if (!(error instanceof ExportError) || error.details.path !== undefined) return error;
  return new ExportError(error.code, { ...error.details, path });
}
