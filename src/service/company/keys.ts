/** Keys of the service: their forms, their records and the commands about them. Uses `node:crypto`. */
import { createHash, randomBytes } from 'node:crypto';
import { KEY_PREFIX } from '../../common/http/companyApi';
import type { Clock } from '../../common/ports';
import { type KeyRecord, type KeyRecords, StoreDown } from './stores';

/** A reason not to create a key, for the operator. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/** Admin keys with the same name that can be valid at the same time: the old one while its users get the new one. */
const MAX_ADMIN_KEYS = 2;
/** Milliseconds for which a key that was found isn't looked up again. A revoked key works that much longer. */
const KNOWN_MS = 5000;
/** Milliseconds for which a key that was known goes on while the store is away. */
const AWAY_MS = 10 * 60 * 1000;
const MAX_KNOWN = 10_000;

/** Returns the hash under which a key is stored. A key is random, so its hash tells nothing of it. */
export function hashOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

interface NewKey extends Pick<KeyRecord, 'kind' | 'name' | 'sites' | 'requestsPerHour'> {
  /** Days until the key expires. Never if absent. */
  readonly days?: number;
}

/**
 * Creates a key. Its text is returned once and stored nowhere.
 * @throws {KeyError} for a third admin key with the same name.
 */
export async function createKey(
  keys: KeyRecords,
  { kind, name, sites, requestsPerHour, days }: NewKey,
  now: number,
): Promise<{ readonly key: string; readonly record: KeyRecord }> {
  const isValid = ({ expiresAt = Infinity }: KeyRecord): boolean => expiresAt > now;
  const same = (await keys.list()).filter(
    (key) => key.kind === 'admin' && key.name === name && isValid(key),
  );
  if (kind === 'admin' && same.length >= MAX_ADMIN_KEYS) {
    throw new KeyError(
      `Two admin keys named "${name}" are valid. Revoke the old one first: ${same.map(({ id }) => id).join(', ')}.`,
    );
  }
  // Hex digits, so that an admin key never looks like a key of another kind.
  const body = randomBytes(24).toString('hex');
  const key = `${KEY_PREFIX}_${kind === 'assistant' ? 'dsc_' : ''}${body}`;
  const record: KeyRecord = {
    id: randomBytes(5).toString('hex'),
    kind,
    name,
    sites,
    requestsPerHour,
    createdAt: now,
    expiresAt: days === undefined ? undefined : now + days * 24 * 60 * 60 * 1000,
  };
  await keys.add(hashOfKey(key), record);
  return { key, record };
}

/** Finds the keys of requests, and remembers for a moment which ones are valid. */
export class KnownKeys {
  readonly #records: KeyRecords;
  readonly #clock: Clock;
  readonly #known = new Map<string, { readonly record: KeyRecord; readonly until: number }>();

  constructor(records: KeyRecords, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  /** Returns the record of a key, or undefined for a key that doesn't exist, was revoked or has expired. */
  async find(key: string): Promise<KeyRecord | undefined> {
    const hash = hashOfKey(key);
    const now = this.#clock.now();
    const known = this.#known.get(hash);
    // A clock that was set back would keep a revoked key valid.
    const isKnown = known !== undefined && known.until > now && known.until <= now + KNOWN_MS;
    if (isKnown) return known.record;
    let record: KeyRecord | undefined;
    try {
      record = await this.#records.find(hash);
    } catch (error) {
      // Readers go on while the database is away, as long as it is away for minutes only.
      const isRecent = known !== undefined && now - known.until < AWAY_MS;
      if (!isRecent || !(error instanceof StoreDown)) throw error;
      return (known.record.expiresAt ?? Infinity) > now ? known.record : undefined;
    }
    this.#known.delete(hash);
    if (!record || (record.expiresAt ?? Infinity) <= now) return undefined;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(hash, {
      record,
      until: Math.min(now + KNOWN_MS, record.expiresAt ?? Infinity),
    });
    return record;
  }
}
