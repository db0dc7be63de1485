import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import {
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  type Entry,
  type ZipFile,
} from 'yauzl';
import { ExportError } from '../exportErrors';
import { noContent, type ArchiveEntry } from './archiveEntry';
import { CHUNK_BYTES, readAt, type ArchiveFile } from './archiveFile';
import type { UnpackBudget } from './limits';
import { unsafeEntry, unsafeReasons } from './unsafeEntry';
import { ZipReader } from './zipReader';

const STORED = 0;
const DEFLATED = 8;
const UTF8_NAME = 0x0800;
const SIZES_FOLLOW = 0x0008;
const UNICODE_PATH_FIELD = 0x7075;
const CENTRAL_HEADER = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
/** With the longest comment. */
const LONGEST_END_BYTES = END_BYTES + 0xffff;
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
    fromRandomAccessReaderPromise(new ZipReader(archive), await endOfZip(archive), {
      autoClose: false,
      decodeStrings: false,
      validateEntrySizes: true,
    }),
  );
  budget.announceEntries(zip.entryCount);
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

/**
 * Returns where the archive ends if zeros behind it are taken for filling; `yauzl` takes nothing
 * behind the end.
 */
async function endOfZip(archive: ArchiveFile): Promise<number> {
  const filledTo = await endWithoutZeros(archive);
  const start = Math.max(0, filledTo - LONGEST_END_BYTES);
  const bytes = await readAt(archive, start, LONGEST_END_BYTES + END_BYTES);
  for (let index = bytes.length - END_BYTES; index >= 0; index--) {
    if (bytes.readUInt32LE(index) !== END_SIGNATURE) continue;
    const end = start + index + END_BYTES + bytes.readUInt16LE(index + END_BYTES - 2);
    if (end >= filledTo && end <= archive.sizeBytes) return end;
  }
  return archive.sizeBytes;
}

async function endWithoutZeros(archive: ArchiveFile): Promise<number> {
  for (let end = archive.sizeBytes; end > 0; end -= CHUNK_BYTES) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const bytes = await readAt(archive, start, end - start);
    const last = bytes.findLastIndex((byte) => byte !== 0);
    if (last !== -1) return start + last + 1;
  }
  return 0;
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
  if (kind === 'file')
    return { name, kind, content: new EntryContent(zip, entry, contentStart, budget) };
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

/** The bytes of one entry. Holds little, as there are as many of these as entries. */
class EntryContent implements AsyncIterable<Buffer> {
  readonly #zip: ZipFile;
  readonly #start: number;
  readonly #packedBytes: number;
  readonly #bytes: number;
  readonly #isDeflated: boolean;
  readonly #crc32: number;
  readonly #budget: UnpackBudget;

  constructor(zip: ZipFile, entry: Entry, start: number, budget: UnpackBudget) {
    this.#zip = zip;
    this.#start = start;
    this.#packedBytes = entry.compressedSize;
    this.#bytes = entry.uncompressedSize;
    this.#isDeflated = entry.compressionMethod === DEFLATED;
    this.#crc32 = entry.crc32;
    this.#budget = budget;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const stream = await orBroken(this.#open());
    const chunks: AsyncIterator<Buffer, unknown> = stream[Symbol.asyncIterator]();
    let checksum = 0;
    try {
      for (;;) {
        const next = await orBroken(chunks.next());
        if (next.done === true) break;
        const chunk = next.value;
        checksum = crc32(chunk, checksum);
        this.#budget.add(chunk.length);
        yield chunk;
      }
    } finally {
      stream.destroy();
    }
    // The size is checked by `yauzl`, which counts what comes out as well.
    if (checksum !== this.#crc32) throw new ExportError('broken-archive');
  }

  /** The variant that returns a promise calls another method by mistake (yauzl 3.4). */
  #open(): Promise<Readable> {
    return new Promise((resolve, reject) => {
      const end = this.#packedBytes;
      const opened = (error: Error | null, stream: Readable): void => {
        if (error) reject(error);
        else resolve(stream);
      };
      this.#zip.openReadStreamLowLevel(
        this.#start,
        end,
        0,
        end,
        this.#isDeflated,
        this.#bytes,
        opened,
      );
    });
  }
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
