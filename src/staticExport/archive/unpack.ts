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
  const unpackTarget = await UnpackTarget.create(target, newId(), limits, options.writeFile);
  try {
    const budget = new UnpackBudget(limits, archive.sizeBytes);
    const entries =
      format === 'zip'
        ? zipEntries(archive, budget)
        : tarEntries(tarStream(archive, format), limits, budget);
    const { files, bytes } = await unpackEntries(entries, unpackTarget, options, limits);
    if (files === 0) throw new ExportError('not-an-archive');
    signal.throwIfAborted();
    const siteRoot = await unpackTarget.finish();
    return { siteRoot, files, bytes, format };
  } finally {
    await unpackTarget.discard();
  }
}

async function unpackEntries(
  entries: AsyncIterable<ArchiveEntry>,
  unpackTarget: UnpackTarget,
  options: UnpackOptions,
  limits: UnpackLimits,
): Promise<UnpackProgress> {
  const { signal } = options;
  let files = 0;
  let bytes = 0;
  let reported: UnpackProgress = { files, bytes };
  const reportIf = (isDue: boolean): void => {
    if (!isDue) return;
    reported = { files, bytes };
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
  for await (const { name, kind, content } of entries) {
    signal.throwIfAborted();
    const { segments } = parseEntryName(name, limits);
    if (kind === 'folder') {
      await unpackTarget.addFolder(name, segments);
    } else {
      await unpackTarget.addFile(name, segments, watched(content));
      files += 1;
      reportIf(files - reported.files >= PROGRESS_FILES);
    }
  }
  reportIf(true);
  return { files, bytes };
}

function tarStream(archive: ArchiveFile, format: 'tar' | 'tar.gz'): TarStream {
  return format === 'tar'
    ? { chunks: chunksOf(archive, 0, archive.sizeBytes), tellsItsEnd: false }
    : { chunks: gunzipped(archive), tellsItsEnd: true };
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
