import { ExportError } from '../exportErrors';
import { noContent, type ArchiveEntry } from './archiveFile';
import { unsafeEntry, unsafeReasons, type UnpackBudget, type UnpackLimits } from './limits';
import {
  isZero,
  paxRecords,
  readTarHeader,
  TAR_BLOCK_BYTES,
  type PaxRecords,
  type TarHeader,
} from './tarHeaders';

/** Maximum size of a chunk of content. */
const PIECE_BYTES = 1_048_576;

export interface TarStream {
  readonly chunks: AsyncIterable<Buffer>;
  /**
   * Whether `chunks` throws if it was cut off, as gunzip does. Otherwise only the zeros at the end show
   * that an archive is complete.
   */
  readonly tellsItsEnd: boolean;
}

/**
 * Yields the entries of a tar stream in order, with ustar, GNU and pax names. It continues after the end
 * of an archive, like `tar --ignore-zeros`.
 *
 * @throws {ExportError} `unsafe-archive` for links, devices, sparse files and exceeded limits,
 * `broken-archive`, and the errors of the stream.
 */
export async function* tarEntries(
  { chunks, tellsItsEnd }: TarStream,
  limits: UnpackLimits,
  budget: UnpackBudget,
): AsyncGenerator<ArchiveEntry> {
  const reader = new BlockReader(chunks, (bytes) => {
    budget.add(bytes);
  });
  try {
    let hasEnd = false;
    /** Metadata of the next entry. */
    let before: PaxRecords | undefined;
    for (;;) {
      const block = await reader.takeUpTo(TAR_BLOCK_BYTES);
      if (block.length === 0) break;
      hasEnd = isZero(block) && (hasEnd || block.length === TAR_BLOCK_BYTES);
      if (hasEnd && before === undefined) continue;
      if (hasEnd || block.length < TAR_BLOCK_BYTES) throw new ExportError('broken-archive');
      const header = readTarHeader(block);
      if (describingTypes.has(header.type)) {
        before = { ...before, ...(await readDescription(header, reader, limits)) };
      } else if (standaloneTypes.has(header.type)) {
        await readStandalone(header, reader, limits);
      } else {
        const entry = readEntry(header, before ?? {});
        before = undefined;
        budget.startEntry(entry.name, entry.sizeBytes);
        const body = new EntryBody(reader, entry.sizeBytes);
        yield { ...entry, content: entry.kind === 'folder' ? noContent : body };
        await body.finish();
      }
    }
    // Without end blocks, the archive may have been cut off between two entries.
    const isWhole = hasEnd || tellsItsEnd;
    if (!isWhole || before !== undefined) throw new ExportError('broken-archive');
  } finally {
    await reader.close();
  }
}

/** Types of metadata for the next entry. */
const describingTypes: ReadonlySet<string> = new Set([
  'x', // pax
  'X', // pax of early Solaris
  'L', // GNU's long name
  'K', // GNU's long target of a link, which is refused anyway
  'A', // Solaris' access control list
]);

/** Types of metadata that describes no single entry. */
const standaloneTypes: ReadonlySet<string> = new Set([
  'g', // pax, for all that follows
  'V', // GNU's label of the archive
]);

async function readDescription(
  header: TarHeader,
  reader: BlockReader,
  limits: UnpackLimits,
): Promise<PaxRecords> {
  const body = await readMetadata(header, reader, limits);
  switch (header.type) {
    case 'x':
    case 'X':
      return paxRecords(body);
    case 'L':
      // The name ends with a NUL. The check of names refuses an earlier one.
      return { path: body.toString('utf8').replace(/\0+$/, '') };
    default:
      return {};
  }
}

/** Reads metadata of the archive, such as the comment of `git archive`. */
async function readStandalone(
  header: TarHeader,
  reader: BlockReader,
  limits: UnpackLimits,
): Promise<void> {
  const body = await readMetadata(header, reader, limits);
  if (header.type !== 'g') return;
  const { path, size, isSparse, restOf } = paxRecords(body);
  if (path !== undefined || size !== undefined) throw new ExportError('broken-archive');
  if (isSparse) throw unsafeEntry(header.name, unsafeReasons.sparse);
  if (restOf !== undefined) throw unsafeEntry(restOf, unsafeReasons.rest);
}

async function readMetadata(
  header: TarHeader,
  reader: BlockReader,
  limits: UnpackLimits,
): Promise<Buffer> {
  const sizeBytes = required(header.sizeBytes);
  if (sizeBytes > limits.metadataBytes) {
    throw unsafeEntry(header.name, unsafeReasons.metadataTooLarge);
  }
  const padded = await reader.take(paddedSize(sizeBytes));
  return padded.subarray(0, sizeBytes);
}

type PlainEntry = Pick<ArchiveEntry, 'name' | 'kind'> & { readonly sizeBytes: number };

/** Returns the entry of a header after its metadata has been applied. */
function readEntry(header: TarHeader, before: PaxRecords): PlainEntry {
  const name = before.path !== undefined && before.path !== '' ? before.path : header.name;
  const sizeBytes = before.size ?? header.sizeBytes;
  if (before.isSparse) throw unsafeEntry(name, unsafeReasons.sparse);
  switch (header.type) {
    case '0':
    case '7': // Contiguous on disk
      return readFile(name, required(sizeBytes));
    case '5':
      // Some writers give folders a size, but never a body.
      return { name: folderName(name), kind: 'folder', sizeBytes: 0 };
    case 'D':
      // In GNU's incremental backups, a folder's body lists its files.
      return { name: folderName(name), kind: 'folder', sizeBytes: required(sizeBytes) };
    case '1':
    case '2':
      throw unsafeEntry(name, unsafeReasons.link);
    case 'S':
      throw unsafeEntry(name, unsafeReasons.sparse);
    case 'M':
      throw unsafeEntry(name, unsafeReasons.rest);
    default:
      throw unsafeEntry(name, unsafeReasons.specialFile);
  }
}

/** Returns the entry of a file. Before POSIX, a slash at the end marked a folder. */
function readFile(name: string, sizeBytes: number): PlainEntry {
  if (!name.endsWith('/')) return { name, kind: 'file', sizeBytes };
  if (sizeBytes > 0) throw new ExportError('broken-archive');
  return { name, kind: 'folder', sizeBytes };
}

const folderName = (name: string): string => (/\/$|^$/.test(name) ? name : `${name}/`);

function required(sizeBytes: number | undefined): number {
  if (sizeBytes === undefined) throw new ExportError('broken-archive');
  return sizeBytes;
}

function paddedSize(sizeBytes: number): number {
  return TAR_BLOCK_BYTES * Math.ceil(sizeBytes / TAR_BLOCK_BYTES);
}

/** Content of one entry, followed by the padding of its last block. */
class EntryBody implements AsyncIterable<Buffer> {
  readonly #reader: BlockReader;
  #contentLeft: number;
  #paddedLeft: number;

  constructor(reader: BlockReader, sizeBytes: number) {
    this.#reader = reader;
    this.#contentLeft = sizeBytes;
    this.#paddedLeft = paddedSize(sizeBytes);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    while (this.#contentLeft > 0) {
      const piece = await this.#next(Math.min(this.#contentLeft, PIECE_BYTES));
      this.#contentLeft -= piece.length;
      yield piece;
    }
  }

  async finish(): Promise<void> {
    while (this.#paddedLeft > 0) await this.#next(Math.min(this.#paddedLeft, PIECE_BYTES));
  }

  async #next(atMost: number): Promise<Buffer> {
    const piece = await this.#reader.next(atMost);
    if (piece === undefined) throw new ExportError('broken-archive');
    this.#paddedLeft -= piece.length;
    return piece;
  }
}

/** Reads given lengths from a stream of chunks, and keeps at most one chunk in memory. */
class BlockReader {
  readonly #chunks: AsyncIterator<Buffer, unknown>;
  readonly #onRead: (bytes: number) => void;
  #rest: Buffer = Buffer.alloc(0);

  /** @param onRead is called before bytes are returned. Its errors end the reading. */
  constructor(chunks: AsyncIterable<Buffer>, onRead: (bytes: number) => void) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#onRead = onRead;
  }

  /**
   * Returns exactly the given number of bytes.
   * @throws {ExportError} `broken-archive` if the stream ends earlier.
   */
  async take(length: number): Promise<Buffer> {
    const bytes = await this.takeUpTo(length);
    if (bytes.length < length) throw new ExportError('broken-archive');
    return bytes;
  }

  /** Returns the given number of bytes, or fewer at the end. */
  async takeUpTo(length: number): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let taken = 0;
    while (taken < length) {
      const piece = await this.next(length - taken);
      if (piece === undefined) break;
      pieces.push(piece);
      taken += piece.length;
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
  }

  /** Returns the available bytes up to a maximum, or undefined at the end. */
  async next(atMost: number): Promise<Buffer | undefined> {
    while (this.#rest.length === 0) {
      const result = await this.#chunks.next();
      if (result.done === true) return undefined;
      this.#rest = result.value;
    }
    const piece = this.#rest.subarray(0, atMost);
    this.#rest = this.#rest.subarray(piece.length);
    this.#onRead(piece.length);
    return piece;
  }
}
