import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../../common/http/sameSecret';

/**
 * Matches an admin key of this service (platform-api.md § Authentication). Other keys begin with
 * the same prefix, so `_dsc_` and `_us_` are excluded.
 */
export const localAdminKeyPattern = /^local_(?!dsc_|us_)[A-Za-z0-9_-]{8,}$/;

// Keys have hex digits, so that none looks like a key of another kind.
export function newAdminKey(): string {
  return `local_${randomBytes(24).toString('hex')}`;
}

export function newAssistantKey(): string {
  return `local_dsc_${randomBytes(24).toString('hex')}`;
}

/** Returns the bearer value of an `Authorization` header, or undefined if it has none. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)\s*$/i.exec(header ?? '')?.[1];
}

/**
 * Returns why an `Authorization` header is not accepted by the export endpoints, or undefined if it
 * is. Recognizes other kinds of keys by their form.
 */
export function adminKeyProblem(header: string | undefined, adminKey: string): string | undefined {
  const given = bearerOf(header);
  return given !== undefined && isSameSecret(given, adminKey)
    ? undefined
    : notAdmin(given, 'local');
}

/** Returns why a bearer value is no admin key. @param prefix of the keys of this service. */
export function notAdmin(given: string | undefined, prefix: string): string {
  if (given === undefined) return `Send the admin key as "Authorization: Bearer ${prefix}_…".`;
  const looks = `This needs the admin key, which looks like "${prefix}_…".`;
  if (given.includes('_dsc_')) return `This is an assistant key, which is public. ${looks}`;
  if (given.includes('_us_')) return `This is a user key. ${looks}`;
  if (/^[a-z][a-z0-9]*_/i.test(given)) return 'This is not the admin key of this service.';
  return `This is not an admin key. Admin keys look like "${prefix}_…".`;
}

/** Matches an assistant key of this service (platform-api.md § Authentication). */
export const localKeyPattern = /^local_dsc_[A-Za-z0-9_-]{8,}$/;

/**
 * Returns why an `Authorization` header is not accepted by the assistant, or undefined if it is.
 * Recognizes other kinds of keys by their form.
 */
export function keyProblem(header: string | undefined, key: string): string | undefined {
  const given = bearerOf(header);
  return given !== undefined && isSameSecret(given, key) ? undefined : notAssistant(given, 'local');
}

/** Returns why a bearer value is no assistant key. @param prefix of the keys of this service. */
export function notAssistant(given: string | undefined, prefix: string): string {
  if (given === undefined) {
    return `Send the assistant key as "Authorization: Bearer ${prefix}_dsc_…".`;
  }
  const looks = `Questions need the assistant key, which looks like "${prefix}_dsc_…".`;
  if (given.includes('_dsc_')) return 'This is not the assistant key of this service.';
  if (given.includes('_us_')) return `This is a user key. ${looks}`;
  if (/^[a-z][a-z0-9]*_/i.test(given)) {
    return `This looks like an admin key, which must stay secret. ${looks}`;
  }
  return `This is not an assistant key. Assistant keys look like "${prefix}_dsc_…".`;
}
