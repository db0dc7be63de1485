import { isTarStart } from './tarHeader';

/**
 * What a file is by its first bytes, whatever it is called (faults.md D7, D8).
 * @param bytes its first block of tar, or all there are.
 * @returns undefined for what is no archive, one with nothing in it included.
 */
export function archiveStart(bytes: Buffer): 'zip' | 'gzip' | 'tar' | undefined {
  const magic = bytes.toString('latin1', 0, 4);
  // The second is that of a zip that was meant for several disks and fits on one.
  if (magic === 'PK\x03\x04' || magic === 'PK\x07\x08') return 'zip';
  if (magic.startsWith('\x1F\x8B')) return 'gzip';
  return isTarStart(bytes) ? 'tar' : undefined;
}
