import { plainSentence } from '../../common/text/safeText';
import { ExportError } from '../exportErrors';

/** Limits of an unpacked archive, far above any real site. */
export interface UnpackLimits {
  /** Maximum number of entries, and of files and folders. */
  readonly entries: number;
  /** Maximum bytes of all entries. For tar they include headers and padding. */
  readonly totalBytes: number;
  /** Maximum bytes of one file. */
  readonly fileBytes: number;
  /** Maximum unpacked bytes per byte of the archive. */
  readonly ratio: number;
  /** Unpacked bytes below which the ratio is not checked. */
  readonly ratioFromBytes: number;
  /** Maximum segments of a name. */
  readonly depth: number;
  /** Maximum bytes of a segment in UTF-8. File systems allow 255. */
  readonly segmentBytes: number;
  /** Maximum UTF-16 units of a whole name. */
  readonly nameLength: number;
  /** Maximum bytes of the metadata before an entry (pax, GNU long name). */
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
 * Counts the unpacked data of an archive, independent of its headers (faults.md D14, D15).
 *
 * @throws {ExportError} `unsafe-archive` from any method, with the entry that exceeds a limit.
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

  /** Checks the number of entries that the archive declares, before one is read. */
  announceEntries(count: number): void {
    if (count <= this.#limits.entries) return;
    throw new ExportError('unsafe-archive', { reason: (t) => t(unsafeReasons.tooManyInAll) });
  }

  /**
   * Counts the next entry.
   * @param declaredBytes size in its header, which is checked before anything is written.
   */
  startEntry(name: string, declaredBytes: number): void {
    this.#entryName = name;
    this.#entries += 1;
    if (this.#entries > this.#limits.entries) throw unsafeEntry(name, unsafeReasons.tooMany);
    if (declaredBytes > this.#limits.fileBytes) throw unsafeEntry(name, unsafeReasons.fileTooLarge);
    this.#declaredBytes += declaredBytes;
    this.#check(this.#declaredBytes);
  }

  /** Counts more unpacked bytes. */
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

/** Reasons to refuse an archive. Each follows the entry's name in a sentence. */
export const unsafeReasons = {
  climbsOut: 'leads out of the folder',
  absolute: 'has an absolute path',
  controlCharacter: 'has a control character in its name',
  notText: 'has a name that isn’t valid text',
  noName: 'is a file without a name',
  forbiddenCharacter: 'has a character in its name that some file systems don’t allow',
  reservedName: 'has a name that Windows reserves for a device',
  trailingDotOrSpace: 'has a name part that ends with a dot or a space',
  gitFolder: 'belongs to a Git repository',
  nameTooLong: 'has a name that is too long',
  tooDeep: 'is nested too deeply',
  link: 'is a link',
  specialFile: 'is neither a file nor a folder',
  sparse: 'is a sparse file',
  rest: 'is the second part of a file from another archive',
  encrypted: 'is encrypted',
  unknownCompression: 'uses an unsupported compression method',
  overlaps: 'overlaps with another entry',
  fileAndFolder: 'is both a file and a folder',
  collision: 'differs from another entry only by case or by the encoding of its letters',
  fileAsFolder: 'uses a file as a folder',
  tooMany: 'exceeds the maximum number of entries',
  tooManyInAll: 'contains too many files and folders',
  fileTooLarge: 'is too large',
  totalTooLarge: 'makes the unpacked site too large',
  ratioTooHigh: 'unpacks to far more data than its archive can contain',
  metadataTooLarge: 'has a header that is too large',
} as const;

export type UnsafeReason = (typeof unsafeReasons)[keyof typeof unsafeReasons];

const MAX_SHOWN = 200;

/** Returns the error about an entry, with its name sanitized and cut. */
export function unsafeEntry(name: string, reason: UnsafeReason): ExportError {
  return new ExportError('unsafe-archive', {
    entry: plainSentence(name, [], MAX_SHOWN),
    reason: (t) => t(reason),
  });
}
