import { ExportError } from '../exportErrors';
import { unsafeEntry, unsafeReasons } from './unsafeEntry';

/** How much an archive may unpack to. Each is a bound that no real site comes near. */
export interface UnpackLimits {
  /** Entries, and files and folders that come of them, each. */
  readonly entries: number;
  /** Bytes of all entries together; for tar with its headers and padding. */
  readonly totalBytes: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Unpacked bytes for each byte of the archive. */
  readonly ratio: number;
  /** Unpacked bytes up to which the ratio does not matter. */
  readonly ratioFromBytes: number;
  /** Segments of one name. */
  readonly depth: number;
  /** Bytes of one segment in UTF-8; file systems end at 255. */
  readonly segmentBytes: number;
  /** Characters (UTF-16 units) of a whole name. */
  readonly nameLength: number;
  /** Bytes of what stands before an entry to describe it (pax, GNU long name). */
  readonly metadataBytes: number;
}

export const defaultUnpackLimits: UnpackLimits = {
  entries: 200_000,
  totalBytes: 20_000_000_000,
  fileBytes: 2_000_000_000,
  ratio: 200,
  ratioFromBytes: 64_000_000,
  depth: 64,
  segmentBytes: 255,
  nameLength: 1024,
  metadataBytes: 1_000_000,
};

/**
 * Counts what really comes out of an archive, whatever its headers say (faults.md D14, D15).
 *
 * @throws {ExportError} `unsafe-archive`, from any method, with the entry that goes beyond.
 */
export class UnpackBudget {
  readonly #limits: UnpackLimits;
  readonly #packedBytes: number;
  #entries = 0;
  #bytes = 0;
  #declaredBytes = 0;
  #entryName = '';

  /** @param packedBytes size of the archive. */
  constructor(limits: UnpackLimits, packedBytes: number) {
    this.#limits = limits;
    this.#packedBytes = packedBytes;
  }

  /** Refuses an archive by the number of entries that it tells itself, before one is read. */
  announceEntries(count: number): void {
    if (count <= this.#limits.entries) return;
    throw new ExportError('unsafe-archive', { reason: unsafeReasons.tooManyInAll });
  }

  /**
   * The next entry begins.
   * @param declaredBytes its size by its header, to stop before a byte of it is written.
   */
  startEntry(name: string, declaredBytes: number): void {
    this.#entryName = name;
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw unsafeEntry(name, unsafeReasons.tooMany);
    if (declaredBytes > this.#limits.fileBytes) throw unsafeEntry(name, unsafeReasons.fileTooLarge);
    this.#declaredBytes += declaredBytes;
    this.#check(this.#declaredBytes);
  }

  /** That many bytes more have come out. */
  add(bytes: number): void {
    this.#bytes += bytes;
    this.#check(this.#bytes);
  }

  #check(bytes: number): void {
    const { totalBytes, ratio, ratioFromBytes } = this.#limits;
    if (bytes > totalBytes) throw unsafeEntry(this.#entryName, unsafeReasons.totalTooLarge);
    if (bytes > ratioFromBytes && bytes > ratio * this.#packedBytes) {
      throw unsafeEntry(this.#entryName, unsafeReasons.ratioTooHigh);
    }
  }
}
