import { ExportError } from '../exportErrors';

/** Tar goes by blocks: each header is one, and each body is filled up to a whole number of them. */
export const TAR_BLOCK_BYTES = 512;

/**
 * The fields of one header block as they stand there. Records in front of it (pax, GNU long names)
 * may override name and size, so nothing is concluded from them here: a name that is cut at the
 * field's end can end with a slash and be no folder's.
 *
 * Owner, times and device numbers are not read, so whatever stands there does no harm.
 */
export interface TarHeader {
  /** Name with the prefix of ustar before it. */
  readonly name: string;
  /** Type flag; `0` also for the NUL that stood for a file before POSIX. */
  readonly type: string;
  /** Undefined if the field holds no size. */
  readonly sizeBytes: number | undefined;
}

/** @throws {ExportError} `broken-archive` for a wrong checksum. */
export function readTarHeader(block: Buffer): TarHeader {
  if (!hasChecksum(block)) throw new ExportError('broken-archive');
  const name = textIn(block.subarray(0, 100));
  // GNU's own format has other things in the place of the prefix, and another mark.
  const prefix = isPosix(block) ? textIn(block.subarray(345, 500)) : '';
  const type = block.toString('latin1', 156, 157);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: type === '\0' ? '0' : type,
    sizeBytes: numberIn(block.subarray(124, 136)),
  };
}

const isPosix = (block: Buffer): boolean => block.toString('latin1', 257, 263) === 'ustar\0';

/** Returns the text up to the first NUL, or all of it. */
function textIn(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}

/** Octal digits; an empty field counts as 0. GNU marks binary numbers by the first bit. */
const octalDigits = /^ *([0-7]*) *(?:\0.*)?$/s;

function numberIn(field: Buffer): number | undefined {
  const [first = 0, ...rest] = field;
  if ((first & 0x80) !== 0) {
    // The second bit is the sign.
    const value = rest.reduce((sum, byte) => sum * 256 + byte, first & 0x7f);
    return (first & 0x40) === 0 && Number.isSafeInteger(value) ? value : undefined;
  }
  const digits = octalDigits.exec(field.toString('latin1'))?.[1];
  return digits === undefined ? undefined : parseInt(`0${digits}`, 8);
}

const CHECKSUM_START = 148;
const CHECKSUM_END = 156;

/** True if the checksum is right; some old writers added up bytes as signed numbers. */
function hasChecksum(block: Buffer): boolean {
  const stored = numberIn(block.subarray(CHECKSUM_START, CHECKSUM_END));
  let sum = (CHECKSUM_END - CHECKSUM_START) * 0x20;
  let highBytes = 0;
  for (let index = 0; index < TAR_BLOCK_BYTES; index++) {
    if (index >= CHECKSUM_START && index < CHECKSUM_END) continue;
    const byte = block[index] ?? 0;
    sum += byte;
    if (byte > 0x7f) highBytes += 1;
  }
  return stored === sum || stored === sum - 256 * highBytes;
}

const zeros = Buffer.alloc(65_536);

/** True for the block that ends an archive, and for what may follow it. */
export function isZero(bytes: Buffer): boolean {
  for (let start = 0; start < bytes.length; start += zeros.length) {
    const piece = bytes.subarray(start, start + zeros.length);
    if (!piece.equals(zeros.subarray(0, piece.length))) return false;
  }
  return true;
}

/** True for the first bytes of a tar archive, a damaged one included. */
export function isTarStart(bytes: Buffer): boolean {
  if (bytes.length < TAR_BLOCK_BYTES) return false;
  // Archives from before POSIX have no mark but their checksum.
  return bytes.toString('latin1', 257, 262) === 'ustar' || hasChecksum(bytes);
}
