import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import {
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type Entry,
  type ZipFile,
} from 'yauzl';
import { ExportError } from '../exportErrors';
import { noContent, type ArchiveEntry } from './archiveEntry';
import { readAt, type ArchiveFile } from './archiveFile';
import type { UnpackBudget } from './limits';
import { unsafeEntry, unsafeReasons } from './unsafeEntry';
import { ZipReader } from './zipReader';

const STORED = 0;
const DEFLATED = 8;
const UTF8_NAME = 0x0800;
const SIZES_FOLLOW = 0x0008;
const UNICODE_PATH_FIELD = 0x7075;
const CENTRAL_HEADER = 0x02014b50;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

/**
 * The entries of a zip archive, in the order of its central directory. Uses `node:zlib`.
 *
 * @throws {ExportError} `unsafe-archive` for links, devices, encrypted and overlapping entries,
 * and what is beyond the limits; `broken-archive` where headers, sizes or checksums do not agree.
 */
export async function* zipEntries(
  archive: ArchiveFile,
  budget: UnpackBudget,
): AsyncGenerator<ArchiveEntry> {
  const zip = await orBroken(
    fromRandomAccessReaderPromise(new ZipReader(archive), archive.sizeBytes, {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: true,
    }),
  );
  const places = new EntryPlaces();
  const entries: AsyncIterator<Entry, unknown> = zip.eachEntry();
  for (;;) {
    const next = await orBroken(entries.next());
    if (next.done === true) break;
    yield await readEntry(zip, next.value, places, budget);
  }
  places.checkOverlaps();
  await checkNothingFollows(archive, centralPosition(zip));
}

/** Where the next header of the central directory is; declared as a boolean by mistake. */
function centralPosition(zip: ZipFile): number {
  return Number(zip.readEntryCursor);
}

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  places: EntryPlaces,
  budget: UnpackBudget,
): Promise<ArchiveEntry> {
  const name = nameOf(entry);
  budget.startEntry(name, entry.uncompressedSize);
  const kind = kindOf(entry, name);
  if (entry.isEncrypted()) throw unsafeEntry(name, unsafeReasons.encrypted);
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    throw unsafeEntry(name, unsafeReasons.unknownCompression);
  }
  const contentStart = await checkedContentStart(zip, entry);
  places.add(name, entry.relativeOffsetOfLocalHeader, contentStart + entry.compressedSize);
  if (kind === 'file') return { name, kind, content: contentOf(zip, entry, budget) };
  if (entry.uncompressedSize > 0) throw new ExportError('broken-archive');
  return { name, kind, content: noContent };
}

/** Many writers, that of macOS among them, write UTF-8 without saying so. */
function nameOf(entry: Entry): string {
  const hasOtherName = entry.extraFields.some(({ id }) => id === UNICODE_PATH_FIELD);
  const flags =
    !hasOtherName && isUtf8(entry.fileNameRaw)
      ? entry.generalPurposeBitFlag | UTF8_NAME
      : entry.generalPurposeBitFlag;
  return getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, true);
}

function kindOf(entry: Entry, name: string): ArchiveEntry['kind'] {
  const namedKind = name.endsWith('/') ? 'folder' : 'file';
  // Unix writers keep the mode there, others leave it 0.
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (type === 0o120000) throw unsafeEntry(name, unsafeReasons.link);
  if (type !== 0 && type !== (namedKind === 'folder' ? FOLDER : REGULAR)) {
    throw unsafeEntry(name, unsafeReasons.specialFile);
  }
  return namedKind;
}

/** The header before the content must tell the same as the central directory (faults.md D15). */
async function checkedContentStart(zip: ZipFile, entry: Entry): Promise<number> {
  const local = await orBroken(zip.readLocalFileHeaderPromise(entry));
  const isSame =
    local.fileName.equals(entry.fileNameRaw) &&
    local.compressionMethod === entry.compressionMethod &&
    ((local.generalPurposeBitFlag & SIZES_FOLLOW) !== 0 ||
      (local.crc32 === entry.crc32 &&
        isSameSize(local.compressedSize, entry.compressedSize) &&
        isSameSize(local.uncompressedSize, entry.uncompressedSize)));
  if (!isSame) throw new ExportError('broken-archive');
  return local.fileDataStart;
}

/** Zip64 keeps sizes elsewhere, and fills their old place with ones. */
function isSameSize(local: number, central: number): boolean {
  return local === central || local === 0xffffffff;
}

async function* contentOf(
  zip: ZipFile,
  entry: Entry,
  budget: UnpackBudget,
): AsyncGenerator<Buffer> {
  const stream = await orBroken(zip.openReadStreamPromise(entry));
  const chunks: AsyncIterator<Buffer, unknown> = stream[Symbol.asyncIterator]();
  let checksum = 0;
  try {
    for (;;) {
      const next = await orBroken(chunks.next());
      if (next.done === true) break;
      const chunk = next.value;
      checksum = crc32(chunk, checksum);
      budget.add(chunk.length);
      yield chunk;
    }
  } finally {
    stream.destroy();
  }
  // The size is checked by `yauzl`, which counts what comes out as well.
  if (checksum !== entry.crc32) throw new ExportError('broken-archive');
}

/** Where entries lie: bombs let many of them share the same bytes. */
class EntryPlaces {
  readonly #places: { readonly name: string; readonly start: number; readonly end: number }[] = [];

  /** @throws {ExportError} `unsafe-archive` if it is plain by now that it overlaps. */
  add(name: string, start: number, end: number): void {
    const last = this.#places.at(-1);
    if (last !== undefined && start < last.end && end > last.start) {
      throw unsafeEntry(name, unsafeReasons.overlaps);
    }
    this.#places.push({ name, start, end });
  }

  /** @throws {ExportError} `unsafe-archive`. */
  checkOverlaps(): void {
    this.#places.sort((a, b) => a.start - b.start);
    let previousEnd = 0;
    for (const { name, start, end } of this.#places) {
      if (start < previousEnd) throw unsafeEntry(name, unsafeReasons.overlaps);
      previousEnd = end;
    }
  }
}

/** Writers that count entries in 16 bits leave most of a large archive out of the count. */
async function checkNothingFollows(archive: ArchiveFile, position: number): Promise<void> {
  const signature = await readAt(archive, position, 4);
  if (signature.length < 4 || signature.readUInt32LE() === CENTRAL_HEADER) {
    throw new ExportError('broken-archive');
  }
}

/** What `yauzl` and `zlib` say of an archive is for its writer, not for the person. */
async function orBroken<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw new ExportError('broken-archive', { cause: error });
  }
}
