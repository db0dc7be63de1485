import { Header } from 'tar/header';
import { ExportError } from '../exportErrors';

/** Tar goes by blocks: each header is one, and each body is filled up to a whole number of them. */
export const TAR_BLOCK_BYTES = 512;

/** @throws {ExportError} `broken-archive` for a wrong checksum or a number that is none. */
export function readTarHeader(block: Buffer): Header {
  let header: Header;
  try {
    header = new Header(block);
  } catch (error) {
    throw new ExportError('broken-archive', { cause: error });
  }
  if (!header.cksumValid) throw new ExportError('broken-archive');
  return header;
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
  if (bytes.toString('latin1', 257, 262) === 'ustar') return true;
  try {
    // Archives from before POSIX have no mark but their checksum.
    return readTarHeader(bytes).cksumValid;
  } catch {
    return false;
  }
}
