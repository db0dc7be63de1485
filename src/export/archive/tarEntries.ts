import { ExportError } from '../exportErrors';
import { noContent, type ArchiveEntry } from './archiveEntry';
import { BlockReader } from './blockReader';
import type { UnpackBudget, UnpackLimits } from './limits';
import { paxRecords, type PaxRecords } from './paxRecords';
import { isZero, readTarHeader, TAR_BLOCK_BYTES, type TarHeader } from './tarHeader';
import { unsafeEntry, unsafeReasons } from './unsafeEntry';

/** Longest piece that is handed on at once. */
const PIECE_BYTES = 1_048_576;

export interface TarStream {
  readonly chunks: AsyncIterable<Buffer>;
  /**
   * True if `chunks` throws where it was cut off, as gunzip does. Otherwise only the zeros at an
   * archive's end tell that it is whole.
   */
  readonly tellsItsEnd: boolean;
}

/**
 * The entries of a tar stream, in its order: ustar, GNU and pax names. One archive behind the end
 * of another is read on, as by `tar --ignore-zeros`.
 *
 * @throws {ExportError} `unsafe-archive` for links, devices, sparse files and what is beyond the
 * limits; `broken-archive`; and what the stream throws.
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
    /** What precedes an entry to describe it. */
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
    // Without its end an archive may have been cut off just between two entries.
    const isWhole = hasEnd || tellsItsEnd;
    if (!isWhole || before !== undefined) throw new ExportError('broken-archive');
  } finally {
    await reader.close();
  }
}

/** Types of what stands before an entry to describe it. */
const describingTypes: ReadonlySet<string> = new Set([
  'x', // pax
  'X', // pax as Solaris had it first
  'L', // GNU's long name
  'K', // GNU's long name of what a link leads to: links are refused, wherever they lead
  'A', // Solaris' access control list
]);

/** Types of what describes no single entry. */
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
      // Ends with a NUL; one that comes earlier is for the name's own check to refuse.
      return { path: body.toString('utf8').replace(/\0+$/, '') };
    default:
      return {};
  }
}

/** Reads what `git archive` keeps a comment in, and others a label of the archive. */
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

/** Applies what precedes an entry to its header, before anything is concluded from a field. */
function readEntry(header: TarHeader, before: PaxRecords): PlainEntry {
  const name = before.path !== undefined && before.path !== '' ? before.path : header.name;
  const sizeBytes = before.size ?? header.sizeBytes;
  if (before.isSparse) throw unsafeEntry(name, unsafeReasons.sparse);
  switch (header.type) {
    case '0':
    case '7': // Contiguous on disk
      return readFile(name, required(sizeBytes));
    case '5':
      // Some writers give folders a size, and none of them a body.
      return { name: folderName(name), kind: 'folder', sizeBytes: 0 };
    case 'D':
      // The names in it are the body of a folder in GNU's incremental backups.
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

/** Before POSIX a slash was all that made a folder of a file. */
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

/** The bytes of one entry, then the zeros that fill its last block. */
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
