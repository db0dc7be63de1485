import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Compares two secrets by their hashes, so that the time it takes reveals neither length nor
 * content.
 */
export function isSameSecret(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
