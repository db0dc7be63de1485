import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Matches an admin key of this service (platform-api.md § Authentication). Other keys begin with
 * the same prefix, so `_dsc_` and `_us_` are excluded.
 */
export const localAdminKeyPattern = /^local_(?!dsc_|us_)[A-Za-z0-9_-]{8,}$/;

export function newAdminKey(): string {
  // Hex digits, so that the key never looks like a key of another kind.
  return `local_${randomBytes(24).toString('hex')}`;
}

/**
 * Returns why an `Authorization` header is not accepted by the export endpoints, or undefined if it
 * is. Recognizes other kinds of keys by their form.
 */
export function adminKeyProblem(header: string | undefined, adminKey: string): string | undefined {
  const given = /^Bearer +(\S+)\s*$/i.exec(header ?? '')?.[1];
  if (given === undefined) return 'Send the admin key as "Authorization: Bearer local_…".';
  if (isSameSecret(given, adminKey)) return undefined;
  if (given.includes('_dsc_')) {
    return 'This is an assistant key, which is public. Exports need the admin key, which looks like "local_…".';
  }
  if (given.includes('_us_')) {
    return 'This is a user key. Exports need the admin key, which looks like "local_…".';
  }
  if (/^[a-z][a-z0-9]*_/i.test(given)) return 'This is not the admin key of this service.';
  return 'This is not an admin key. Admin keys look like "local_…".';
}

/** Matches an assistant key of this service (platform-api.md § Authentication). */
export const localKeyPattern = /^local_dsc_[A-Za-z0-9_-]{8,}$/;

/**
 * Returns why an `Authorization` header is not accepted by the assistant, or undefined if it is.
 * Recognizes other kinds of keys by their form.
 */
export function keyProblem(header: string | undefined, key: string): string | undefined {
  const given = /^Bearer +(\S+)\s*$/i.exec(header ?? '')?.[1];
  if (given === undefined) {
    return 'Send the assistant key as "Authorization: Bearer local_dsc_…".';
  }
  if (isSameSecret(given, key)) return undefined;
  if (given.includes('_dsc_')) return 'This is not the assistant key of this service.';
  if (given.includes('_us_')) {
    return 'This is a user key. Questions need the assistant key, which looks like "local_dsc_…".';
  }
  if (/^[a-z][a-z0-9]*_/i.test(given)) {
    return 'This looks like an admin key, which must stay secret. Questions need the assistant key, which looks like "local_dsc_…".';
  }
  return 'This is not an assistant key. Assistant keys look like "local_dsc_…".';
}

/**
 * Compares two secrets by their hashes, so that the time it takes reveals neither length nor
 * content.
 */
export function isSameSecret(one: string, other: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
