import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares hashes, so that neither length nor content shows in the time it takes. */
export function isSameSecret(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
