import type { SecretStorage } from 'vscode';
import { DocsAssistantError } from '../common/errors';
import type { KeyPurpose, KeyStore, ThreadKeyStore } from '../common/ports';

/** What we use of VS Code's secret storage. */
export type Secrets = Pick<SecretStorage, 'get' | 'store' | 'delete'>;

/**
 * Keys in VS Code's secret storage, and nowhere else: where it fails, the failure is said. Each
 * is bound to its purpose and to the origin that it was saved for, compared exactly.
 */
export class SecretKeyStore implements KeyStore {
  readonly #secrets: Secrets;
  readonly #seen: SeenSecrets;

  constructor(secrets: Secrets, seen: SeenSecrets) {
    this.#secrets = secrets;
    this.#seen = seen;
  }

  async read(purpose: KeyPurpose, origin: string): Promise<string | undefined> {
    return this.#seen.add(await orSay(() => this.#secrets.get(keyName(purpose, origin))));
  }

  async save(purpose: KeyPurpose, origin: string, key: string): Promise<void> {
    this.#seen.add(key);
    await orSay(() => this.#secrets.store(keyName(purpose, origin), key));
  }

  async forget(purpose: KeyPurpose, origin: string): Promise<void> {
    await orSay(() => this.#secrets.delete(keyName(purpose, origin)));
  }
}

/** The secrets that services hand out for their threads (field-notes.md § Assistant messages). */
export class SecretThreadKeyStore implements ThreadKeyStore {
  readonly #secrets: Secrets;
  readonly #seen: SeenSecrets;

  constructor(secrets: Secrets, seen: SeenSecrets) {
    this.#secrets = secrets;
    this.#seen = seen;
  }

  async read(threadId: string): Promise<string | undefined> {
    return this.#seen.add(await orSay(() => this.#secrets.get(threadKeyName(threadId))));
  }

  async save(threadId: string, threadKey: string): Promise<void> {
    this.#seen.add(threadKey);
    await orSay(() => this.#secrets.store(threadKeyName(threadId), threadKey));
  }

  async forget(threadId: string): Promise<void> {
    await orSay(() => this.#secrets.delete(threadKeyName(threadId)));
  }
}

/** The secrets that passed through this window's memory, so that the log can keep them out. */
export class SeenSecrets {
  readonly #values = new Set<string>();

  /** Returns its argument. */
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

async function orSay<T>(access: () => PromiseLike<T>): Promise<T> {
  try {
    return await access();
  } catch (cause) {
    throw new DocsAssistantError('secret-store-failed', { cause });
  }
}
