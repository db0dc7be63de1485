import type { Header } from 'tar/header';
import { ExportError } from '../exportErrors';
import { noContent, type ArchiveEntry } from './archiveEntry';
import { BlockReader } from './blockReader';
import type { UnpackBudget, UnpackLimits } from './limits';
import { paxRecords, type PaxRecords } from './paxRecords';
import { isZero, readTarHeader, TAR_BLOCK_BYTES } from './tarHeader';
import { unsafeEntry, unsafeReasons } from './unsafeEntry';

/** Longest piece that is handed on at once. */
const PIECE_BYTES = 1_048_576;

/**
 * The entries of a tar stream, in its order: ustar, GNU and pax names.
 *
 * Headers are read by the `tar` package. Its `Parser` is not used, as it gives an entry a wrong
 * name where a chunk ends within a letter of a long one, passes over pax records that it cannot
 * read, and holds everything that follows the archive's end in memory.
 *
 * @throws {ExportError} `unsafe-archive` for links, devices, sparse files and what is beyond the
 * limits; `broken-archive`; and what the stream throws.
 */
export async function* tarEntries(
  chunks: AsyncIterable<Buffer>,
  limits: UnpackLimits,
  budget: UnpackBudget,
): AsyncGenerator<ArchiveEntry> {
  const reader = new BlockReader(chunks, (bytes) => {
    budget.add(bytes);
  });
  try {
    yield* entriesOf(reader, limits, budget);
    await readPadding(reader);
  } finally {
    await reader.close();
  }
}

async function* entriesOf(
  reader: BlockReader,
  limits: UnpackLimits,
  budget: UnpackBudget,
): AsyncGenerator<ArchiveEntry> {
  /** What precedes an entry to describe it. */
  let before: PaxRecords | undefined;
  for (;;) {
    const block = await reader.take(TAR_BLOCK_BYTES);
    // Without its end an archive may have been cut off just between two entries.
    if (block === undefined) throw new ExportError('broken-archive');
    if (isZero(block)) break;
    const header = readTarHeader(block);
    if (isMetadata(header)) {
      before = { ...before, ...(await readMetadata(header, reader, limits)) };
      continue;
    }
    const entry = readEntry(header, before ?? {});
    budget.startEntry(entry.name, entry.sizeBytes);
    const body = new EntryBody(reader, entry.sizeBytes);
    yield { ...entry, content: entry.kind === 'folder' ? noContent : body };
    await body.finish();
    before = undefined;
  }
  if (before !== undefined) throw new ExportError('broken-archive');
}

function isMetadata({ type }: Header): boolean {
  return metadataTypes.has(type);
}

const metadataTypes: ReadonlySet<string> = new Set([
  'ExtendedHeader',
  'OldExtendedHeader',
  'GlobalExtendedHeader',
  'NextFileHasLongPath',
  'OldGnuLongPath',
  'NextFileHasLongLinkpath',
]);

async function readMetadata(
  header: Header,
  reader: BlockReader,
  limits: UnpackLimits,
): Promise<PaxRecords> {
  const sizeBytes = sizeOf(header);
  if (sizeBytes > limits.metadataBytes) {
    throw unsafeEntry(header.path ?? '', unsafeReasons.metadataTooLarge);
  }
  const padded = await reader.take(paddedSize(sizeBytes));
  if (padded === undefined) throw new ExportError('broken-archive');
  const body = padded.subarray(0, sizeBytes);
  switch (header.type) {
    case 'ExtendedHeader':
    case 'OldExtendedHeader':
      return paxRecords(body);
    case 'GlobalExtendedHeader': {
      // It describes all entries that follow; `git archive` leaves a comment that way.
      const { path, size, isSparse } = paxRecords(body);
      if (path !== undefined || size !== undefined) throw new ExportError('broken-archive');
      if (isSparse) throw unsafeEntry(header.path ?? '', unsafeReasons.sparse);
      return {};
    }
    case 'NextFileHasLongPath':
    case 'OldGnuLongPath':
      // Ends with a NUL; one that comes earlier is for the name's own check to refuse.
      return { path: body.toString('utf8').replace(/\0+$/, '') };
    default:
      return {};
  }
}

type PlainEntry = Pick<ArchiveEntry, 'name' | 'kind'> & { readonly sizeBytes: number };

function readEntry(header: Header, before: PaxRecords): PlainEntry {
  const name = before.path !== undefined && before.path !== '' ? before.path : (header.path ?? '');
  if (before.isSparse || header.type === 'SparseFile') {
    throw unsafeEntry(name, unsafeReasons.sparse);
  }
  switch (header.type) {
    case 'File':
    case 'OldFile':
    case 'ContiguousFile':
      return readFile(name, before.size ?? sizeOf(header));
    case 'Directory':
      // Some writers give folders a size, and none of them a body.
      return { name: /\/$|^$/.test(name) ? name : `${name}/`, kind: 'folder', sizeBytes: 0 };
    case 'Link':
    case 'SymbolicLink':
      throw unsafeEntry(name, unsafeReasons.link);
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

function sizeOf({ size }: Header): number {
  if (size === undefined || !Number.isSafeInteger(size)) throw new ExportError('broken-archive');
  return size;
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

/** Writers fill the last of their records with zeros. Anything else there is no site's. */
async function readPadding(reader: BlockReader): Promise<void> {
  for (;;) {
    const piece = await reader.next(PIECE_BYTES);
    if (piece === undefined) return;
    if (!isZero(piece)) throw new ExportError('broken-archive');
  }
}
