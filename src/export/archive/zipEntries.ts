import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import {
  fromRandomAccessReaderPromise,
  getFileNameLowLevel,
  RandomAccessReader,
  type Entry,
  type ZipFile,
} from 'yauzl';
import { ExportError } from '../exportErrors';
import {
  CHUNK_BYTES,
  chunksOf,
  noContent,
  readAt,
  type ArchiveEntry,
  type ArchiveFile,
} from './archiveFile';
import { unsafeEntry, unsafeReasons, type UnpackBudget } from './limits';

const STORED = 0;
const DEFLATED = 8;
const UTF8_NAME = 0x0800;
const SIZES_FOLLOW = 0x0008;
const UNICODE_PATH_FIELD = 0x7075;
const CENTRAL_HEADER = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
/** Size of the end record with the longest comment. */
const LONGEST_END_BYTES = END_BYTES + 0xffff;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const FOLDER = 0o040000;

/**
 * Yields the entries of a zip archive in the order of its central directory.
 *
 * @throws {ExportError} `unsafe-archive` for links, devices, encrypted or overlapping entries and
 * exceeded limits, `broken-archive` for contradicting headers, sizes or checksums.
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
  const places: EntryPlace[] = [];
  const entries: AsyncIterator<Entry, unknown> = zip.eachEntry();
  for (;;) {
    const next = await orBroken(entries.next());
    if (next.done === true) break;
    yield await readEntry(zip, next.value, places, budget);
  }
  checkOverlaps(places);
  await checkNothingFollows(archive, centralPosition(zip));
}

/**
 * Returns the end of the archive without zeros after it, because `yauzl` allows nothing after the end.
 */
async function endOfZip(archive: ArchiveFile): Promise<number> {
  const filledTo = await endWithoutZeros(archive);
  const start = Math.max(0, filledTo - LONGEST_END_BYTES);
  const bytes = await readAt(archive, start, LONGEST_END_BYTES + END_BYTES);
  for (let index = bytes.length - END_BYTES; index >= 0; index--) {
    if (bytes.readUInt32LE(index) !== END_SIGNATURE) continue;
    const end = start + index + END_BYTES + bytes.readUInt16LE(index + END_BYTES - 2);
    if (end >= filledTo) return end;
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

/** Returns the position of the next central header, whose type in `yauzl` is boolean by mistake. */
function centralPosition(zip: ZipFile): number {
  return Number(zip.readEntryCursor);
}

async function readEntry(
  zip: ZipFile,
  entry: Entry,
  places: EntryPlace[],
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
  const start = entry.relativeOffsetOfLocalHeader;
  places.push({ name, start, end: contentStart + entry.compressedSize });
  if (kind === 'file')
    return { name, kind, content: new EntryContent(zip, entry, contentStart, budget) };
  if (entry.uncompressedSize > 0) throw new ExportError('broken-archive');
  return { name, kind, content: noContent };
}

/** Returns an entry's name. Many writers, such as that of macOS, write UTF-8 without its flag. */
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
  // Unix writers store the mode there. Others leave it 0.
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE;
  if (type === 0o120000) throw unsafeEntry(name, unsafeReasons.link);
  if (type !== 0 && type !== (namedKind === 'folder' ? FOLDER : REGULAR)) {
    throw unsafeEntry(name, unsafeReasons.specialFile);
  }
  return namedKind;
}

/** Compares the local header with the central directory and returns the content's offset (faults.md D15). */
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

/** Compares two sizes. Zip64 stores sizes elsewhere and sets all bits of the old field. */
function isSameSize(local: number, central: number): boolean {
  return local === central || local === 0xffffffff;
}

/** Content of one entry. It is small, because there is one object per entry. */
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
    // `yauzl` checks the size of the unpacked content.
    if (checksum !== this.#crc32) throw new ExportError('broken-archive');
  }

  /** Opens the content. The variant with a promise calls another method by mistake (yauzl 3.4). */
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

/** Bytes that belong to an entry. */
interface EntryPlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Makes sure no entries share bytes, as those of zip bombs do.
 * @throws {ExportError} `unsafe-archive` if two overlap.
 */
function checkOverlaps(places: readonly EntryPlace[]): void {
  let previousEnd = 0;
  for (const { name, start, end } of places.toSorted((a, b) => a.start - b.start)) {
    if (start < previousEnd) throw unsafeEntry(name, unsafeReasons.overlaps);
    previousEnd = end;
  }
}

/** Makes sure no entry is left, because a 16-bit count is too small for a large archive. */
async function checkNothingFollows(archive: ArchiveFile, position: number): Promise<void> {
  const signature = await readAt(archive, position, 4);
  if (signature.length < 4 || signature.readUInt32LE() === CENTRAL_HEADER) {
    throw new ExportError('broken-archive');
  }
}

/** Replaces errors of `yauzl` and `zlib`, which don't help users, with `broken-archive`. */
async function orBroken<T>(step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    throw new ExportError('broken-archive', { cause: error });
  }
}

/** Bytes read at a time, because `yauzl` reads each header in two small pieces. */
const WINDOW_BYTES = 65_536;

interface Window {
  readonly start: number;
  readonly bytes: Buffer;
}

type ReadCallback = (error: Error | null) => void;

/**
 * Reads an open archive for `yauzl`. Offsets come from the archive itself. An impossible one reaches the
 * callback as an error here, whereas `node:fs` would throw outside every handler.
 */
class ZipReader extends RandomAccessReader {
  readonly #archive: ArchiveFile;
  /** Last two windows, because reads alternate between the central directory and local headers. */
  #windows: readonly Window[] = [];

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
    this.#bytesAt(position, length).then((bytes) => {
      bytes.copy(buffer, offset);
      callback(bytes.length < length ? new RangeError('The archive was cut') : null);
    }, callback);
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const known = this.#windows.find(
      ({ start, bytes }) => start <= position && position + length <= start + bytes.length,
    );
    if (known) return known.bytes.subarray(position - known.start, position - known.start + length);
    const bytes = await readAt(this.#archive, position, Math.max(length, WINDOW_BYTES));
    this.#windows = [{ start: position, bytes }, ...this.#windows.slice(0, 1)];
    return bytes.subarray(0, length);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(chunksOf(this.#archive, start, end), { objectMode: false });
  }
}
