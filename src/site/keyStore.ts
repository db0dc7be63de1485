import { DocsAssistantError } from '../common/errors';
import type { KeyPurpose, KeyStore, ThreadKeyStore } from '../common/ports';

/** Storage for secrets by name. VS Code's `SecretStorage` is one. */
export interface Secrets {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, secret: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
}

/**
 * Keys in secret storage. Each key is bound to its purpose and to the exact origin that it was saved
 * for. A failure of the storage is thrown: keys are kept nowhere else.
 */
export class SecretKeyStore implements KeyStore {
  readonly #secrets: Secrets;
  readonly #seen: SeenSecrets;

  constructor(secrets: Secrets, seen: SeenSecrets) {
    this.#secrets = secrets;
    this.#seen = seen;
  }

  async read(purpose: KeyPurpose, origin: string): Promise<string | undefined> {
    return this.#seen.add(await orThrow(() => this.#secrets.get(keyName(purpose, origin))));
  }

  async save(purpose: KeyPurpose, origin: string, key: string): Promise<void> {
    this.#seen.add(key);
    await orThrow(() => this.#secrets.store(keyName(purpose, origin), key));
  }

  async forget(purpose: KeyPurpose, origin: string): Promise<void> {
    await orThrow(() => this.#secrets.delete(keyName(purpose, origin)));
  }
}

/** Thread secrets (`X-Thread-Key`) that services hand out (field-notes.md § Assistant messages). */
export class SecretThreadKeyStore implements ThreadKeyStore {
  readonly #secrets: Secrets;
  readonly #seen: SeenSecrets;

  constructor(secrets: Secrets, seen: SeenSecrets) {
    this.#secrets = secrets;
    this.#seen = seen;
  }

  async read(threadId: string): Promise<string | undefined> {
    return this.#seen.add(await orThrow(() => this.#secrets.get(threadKeyName(threadId))));
  }

  async save(threadId: string, threadKey: string): Promise<void> {
    this.#seen.add(threadKey);
    await orThrow(() => this.#secrets.store(threadKeyName(threadId), threadKey));
  }

  async forget(threadId: string): Promise<void> {
    await orThrow(() => this.#secrets.delete(threadKeyName(threadId)));
  }
}

/** Secrets that passed through this window's memory. The log replaces them. */
export class SeenSecrets {
  readonly #values = new Set<string>();

  /** Remembers the secret and returns it. */
  add<T extends string | undefined>(secret: T): T {
    if (secret !== undefined) this.#values.add(secret);
    return secret;
  }

  get values(): readonly string[] {
    return [...this.#values];
  }
}

const keyName = (purpose: KeyPurpose, origin: string): string => `key:${purpose}:${origin}`;
const threadKeyName = (threadId: string): string => `threadKey:${threadId}`;

async function orThrow<T>(access: () => PromiseLike<T>): Promise<T> {
  try {
    return await access();
  } catch (cause) {
    throw new DocsAssistantError('secret-store-failed', { cause });
  }
}
