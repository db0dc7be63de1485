import { ExportError } from '../exportErrors';

/** Size of a tar block. A header is one block, and each body is padded to whole blocks. */
export const TAR_BLOCK_BYTES = 512;

/**
 * The raw fields of a header block. Earlier records (pax, GNU long names) may override name and size, so
 * they must not be interpreted yet. For example, a name cut at the field's end may end with a slash
 * although it belongs to a file.
 *
 * Owner, times and device numbers are not read, so invalid values there are harmless.
 */
export interface TarHeader {
  /** Name, after the prefix of ustar. */
  readonly name: string;
  /** Type flag. The NUL of a file before POSIX becomes `0`. */
  readonly type: string;
  /** Size, or undefined if the field has none. */
  readonly sizeBytes: number | undefined;
}

/** Reads a header block. @throws {ExportError} `broken-archive` for a wrong checksum. */
export function readTarHeader(block: Buffer): TarHeader {
  if (!hasChecksum(block)) throw new ExportError('broken-archive');
  const name = textIn(block.subarray(0, 100));
  // GNU's own format has another mark, and other fields instead of the prefix.
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

/** Octal digits. An empty field means 0. GNU marks binary numbers with the first bit. */
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

/** Returns whether the checksum is right. Some old writers add bytes as signed numbers. */
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

/** Returns whether all bytes are zero, as at the end of an archive. */
export function isZero(bytes: Buffer): boolean {
  for (let start = 0; start < bytes.length; start += zeros.length) {
    const piece = bytes.subarray(start, start + zeros.length);
    if (!piece.equals(zeros.subarray(0, piece.length))) return false;
  }
  return true;
}

/** Returns whether the bytes begin a tar archive, even a damaged one. */
export function isTarStart(bytes: Buffer): boolean {
  if (bytes.length < TAR_BLOCK_BYTES) return false;
  // Archives from before POSIX have only a checksum and no mark.
  return bytes.toString('latin1', 257, 262) === 'ustar' || hasChecksum(bytes);
}

/** Fields of a pax header that matter to a site (POSIX.1, pax interchange format). */
export interface PaxRecords {
  /** Name of the entry. An empty name cancels an earlier one. */
  path?: string;
  /** Bytes of the entry's body. */
  size?: number;
  /** Set for a GNU sparse file, whose body is not its content. */
  isSparse?: true;
  /** Name of a file whose beginning is in an earlier volume of the archive. */
  restOf?: string;
}

const SPACE = 0x20;
const LINE_FEED = 0x0a;

/**
 * Reads the records `<length> <key>=<value>\n`, whose length includes itself. It is strict, because a
 * reader that skips invalid records gives the entry another name.
 *
 * @throws {ExportError} `broken-archive`.
 */
export function paxRecords(body: Buffer): PaxRecords {
  const records: PaxRecords = {};
  let position = 0;
  while (position < body.length) {
    const space = body.indexOf(SPACE, position);
    const digits = body.toString('latin1', position, Math.max(space, position));
    const end = position + Number(digits);
    const equals = body.indexOf('=', space);
    if (
      !/^[1-9]\d{0,8}$/.test(digits) ||
      equals === -1 ||
      equals >= end ||
      body[end - 1] !== LINE_FEED
    ) {
      throw new ExportError('broken-archive');
    }
    const key = body.toString('utf8', space + 1, equals);
    keep(records, key, body.toString('utf8', equals + 1, end - 1));
    position = end;
  }
  return records;
}

function keep(records: PaxRecords, key: string, value: string): void {
  if (key === 'path') records.path = value;
  else if (key === 'size') records.size = sizeOf(value);
  else if (key.startsWith('GNU.sparse.')) records.isSparse = true;
  else if (key === 'GNU.volume.filename') records.restOf = value;
}

function sizeOf(value: string): number {
  const size = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(size)) throw new ExportError('broken-archive');
  return size;
}
