import { createHmac, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../../common/ports';
import { errorCode } from '../docsFolder';
import { isSameSecret } from '../sameSecret';

/** When the link expires, in milliseconds since the epoch. */
const EXPIRES = 'X-Expires';
/** HMAC-SHA256, in hex, of the path, a line feed and the value of `X-Expires`. */
const SIGNATURE = 'X-Signature';

const SECRET = 'link-secret';
const secretPattern = /^[0-9a-f]{64}$/;

export interface SignedLink {
  readonly url: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Presigned links: whoever has one may read what its path names until it expires. */
export class SignedLinks {
  readonly #secret: string;
  readonly #clock: Clock;
  readonly #lifetimeMs: number;

  constructor(
    secret: string,
    { clock, lifetimeMs }: { readonly clock: Clock; readonly lifetimeMs: number },
  ) {
    this.#secret = secret;
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  sign(origin: string, path: string): SignedLink {
    const expiresAt = this.#clock.now() + this.#lifetimeMs;
    const expires = String(expiresAt);
    const query = new URLSearchParams({
      [EXPIRES]: expires,
      [SIGNATURE]: this.#signature(path, expires),
    });
    return { url: `${origin}${path}?${query.toString()}`, expiresAt };
  }

  check(path: string, query: URLSearchParams): 'valid' | 'unsigned' | 'forged' | 'expired' {
    const expires = query.get(EXPIRES);
    const signature = query.get(SIGNATURE);
    if (expires === null || signature === null) return 'unsigned';
    if (!isSameSecret(signature, this.#signature(path, expires))) return 'forged';
    return this.#clock.now() < Number(expires) ? 'valid' : 'expired';
  }

  #signature(path: string, expires: string): string {
    return createHmac('sha256', this.#secret).update(`${path}\n${expires}`).digest('hex');
  }
}

export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

/** The secret of a state folder's links, made by the service that needs it first. */
export async function linkSecret(stateFolder: string, ownerId: string): Promise<string> {
  const file = path.join(stateFolder, SECRET);
  const kept = await readSecret(file);
  if (kept !== undefined) return kept;
  const part = `${file}.part-${ownerId}`;
  await writeFile(part, newSecret(), { mode: 0o600 });
  await rename(part, file);
  // Another service may have been as quick: the file holds.
  const made = await readSecret(file);
  if (made === undefined) throw new Error('The secret of links cannot be kept.');
  return made;
}

async function readSecret(file: string): Promise<string | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    return secretPattern.test(text) ? text : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
