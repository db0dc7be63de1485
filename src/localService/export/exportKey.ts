import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../sameSecret';

/**
 * An admin key of this service (platform-api.md § Authentication). Keys of the other kinds begin
 * the same: `_dsc_` and `_us_` are told apart first.
 */
export const localAdminKeyPattern = /^local_(?!dsc_|us_)[A-Za-z0-9_-]{8,}$/;

export function newAdminKey(): string {
  // Hex, so that it never looks like a key of another kind.
  return `local_${randomBytes(24).toString('hex')}`;
}

/**
 * Why an `Authorization` header does not open the export endpoints; `undefined` if it does. Tells a
 * key of another kind by its form.
 */
export function adminKeyProblem(header: string | undefined, adminKey: string): string | undefined {
  const given = /^Bearer +(\S+)\s*$/i.exec(header ?? '')?.[1];
  if (given === undefined) return 'Send the admin key as "Authorization: Bearer local_…".';
  if (isSameSecret(given, adminKey)) return undefined;
  if (given.includes('_dsc_')) {
    return 'This is an assistant key, which is public. Exporting takes the admin key, which looks like "local_…".';
  }
  if (given.includes('_us_')) {
    return 'This is a user key. Exporting takes the admin key, which looks like "local_…".';
  }
  if (/^[a-z][a-z0-9]*_/i.test(given)) return 'This is not the admin key of this service.';
  return 'This is not an admin key: it looks like "local_…".';
}
