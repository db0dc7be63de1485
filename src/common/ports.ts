/** Time, as domain code sees it. Faked in unit tests. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds.
   * @throws the signal's reason as soon as it aborts.
   */
  delay(ms: number, signal?: AbortSignal): Promise<void>;
}

/** `globalThis.fetch` in the extension host, which honours VS Code's proxy and CA settings. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A new identifier, unique for this installation. */
export type NewId = () => string;

/**
 * Where the extension says what it did. Texts never hold keys, questions or replies; an
 * implementation still redacts what looks like a secret.
 */
export interface Log {
  /** What the user did. */
  info(message: string): void;
  /** Requests: method, URL without query, status, duration, sizes. */
  debug(message: string): void;
  /** Something odd that was handled. */
  warn(message: string): void;
  /** Something that failed in a way nobody planned for. */
  error(message: string, cause?: unknown): void;
}

/** What a key is for. Keys of one purpose are never offered to the other (faults.md F7). */
export type KeyPurpose = 'assistant' | 'admin';

/** Secrets, each bound to the origin that it was saved for (`https://host:port`). */
export interface KeyStore {
  read(purpose: KeyPurpose, origin: string): Promise<string | undefined>;
  save(purpose: KeyPurpose, origin: string, key: string): Promise<void>;
  forget(purpose: KeyPurpose, origin: string): Promise<void>;
}

/** Secrets that a service hands out for one thread (`X-Thread-Key`), by our thread id. */
export interface ThreadKeyStore {
  read(threadId: string): Promise<string | undefined>;
  save(threadId: string, threadKey: string): Promise<void>;
  forget(threadId: string): Promise<void>;
}

/** Keeps nothing. */
export const silentLog: Log = {
  info: () => undefined,
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
