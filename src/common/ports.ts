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

/** `globalThis.fetch` in the extension host, which honors VS Code's proxy and CA settings. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A new identifier, unique for this installation. */
export type NewId = () => string;

/**
 * Log of the extension. Messages never contain keys, questions or replies, and an implementation
 * also redacts what looks like a secret.
 */
export interface Log {
  /** Logs what the user did. */
  info(message: string): void;
  /** Logs requests: method, URL without query, status, duration, sizes. */
  debug(message: string): void;
  /** Logs an unexpected condition that was handled. */
  warn(message: string): void;
  /** Logs a failure that the code doesn't expect. */
  error(message: string, cause?: unknown): void;
}

/** Returns a log that begins each message with what it is about. */
export function prefixedLog(prefix: string, log: Log): Log {
  return {
    info: (message) => log.info(`${prefix}: ${message}`),
    debug: (message) => log.debug(`${prefix}: ${message}`),
    warn: (message) => log.warn(`${prefix}: ${message}`),
    error: (message, cause) => log.error(`${prefix}: ${message}`, cause),
  };
}

/** VS Code's memento: JSON values by key, kept for this installation. */
export interface Memento {
  keys(): readonly string[];
  get(key: string): unknown;
  /** Resolves when the value is stored. `undefined` removes the key. */
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Purpose of a key. A key of one purpose is never used for another (faults.md F7). */
export type KeyPurpose = 'assistant' | 'admin' | 'model';

/** Sign-in at an authentication provider of the editor, in place of an assistant key. */
export interface SignIn {
  /** ID of the provider, such as `microsoft`. */
  readonly provider: string;
  readonly scopes: readonly string[];
}

/** Origins at which the reader signs in. Tokens are the editor's, and are never stored here. */
export interface SignIns {
  has(origin: string): boolean;
  /** Starts to sign in at an origin and remembers it. Resolves with undefined if the reader refused. */
  start(origin: string, signIn: SignIn): Promise<string | undefined>;
  /** Asks to sign in anew, after a token was refused. Resolves with undefined if there is no new token. */
  again(origin: string): Promise<string | undefined>;
}

/**
 * Secrets, each bound to the origin that it was saved for (`https://host:port`). Each function rejects with a
 * `DocsAssistantError` of the code `secret-store-failed` if the storage fails.
 */
export interface KeyStore {
  /** Sign-ins, whose token `read` resolves with. Undefined where only keys are known. */
  readonly signIns?: SignIns | undefined;
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

/** Returns a log that writes lines, with no more of an error than its name. */
export function lineLog(write: (line: string) => void): Log {
  return {
    info: write,
    debug: write,
    warn: (message) => write(`warning: ${message}`),
    error: (message, cause) =>
      write(`error: ${message}${cause instanceof Error ? ` (${cause.name})` : ''}`),
  };
}

/** Log that discards every message. */
export const silentLog: Log = {
  info: () => undefined,
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
