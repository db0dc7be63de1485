import type { KeyPurpose, KeyStore, ThreadKeyStore } from '../../src/common/ports';

export class MemoryKeyStore implements KeyStore {
  readonly #keys = new Map<string, string>();
  /** Set to make every call fail, as a system without a keyring does. */
  failure: Error | undefined;

  read(purpose: KeyPurpose, origin: string): Promise<string | undefined> {
    return this.#answer(() => this.#keys.get(`${purpose} ${origin}`));
  }

  save(purpose: KeyPurpose, origin: string, key: string): Promise<void> {
    return this.#answer(() => void this.#keys.set(`${purpose} ${origin}`, key));
  }

  forget(purpose: KeyPurpose, origin: string): Promise<void> {
    return this.#answer(() => void this.#keys.delete(`${purpose} ${origin}`));
  }

  #answer<T>(action: () => T): Promise<T> {
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(action());
  }
}

export class MemoryThreadKeyStore implements ThreadKeyStore {
  readonly keys = new Map<string, string>();
  /** Set to make every call fail, as a system without a keyring does. */
  failure: Error | undefined;

  read(threadId: string): Promise<string | undefined> {
    return this.#answer(() => this.keys.get(threadId));
  }

  save(threadId: string, threadKey: string): Promise<void> {
    return this.#answer(() => void this.keys.set(threadId, threadKey));
  }

  forget(threadId: string): Promise<void> {
    return this.#answer(() => void this.keys.delete(threadId));
  }

  #answer<T>(action: () => T): Promise<T> {
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(action());
  }
}
