import { REDACTED, SHORTEST_SECRET } from './redact';

/**
 * Redacts secrets in a text that arrives in pieces. A tail that could be the start of a secret is
 * held back until the next piece, or the end, decides.
 */
export class StreamRedactor {
  readonly #secrets: readonly string[];
  #held = '';

  /** @param secrets as `usableSecrets` gives them. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  /** Returns the part of the text that is decided by now. */
  push(piece: string): string {
    if (this.#secrets.length === 0) return piece;
    let text = this.#held + piece;
    for (const secret of this.#secrets) text = text.replaceAll(secret, REDACTED);
    const heldLength = Math.max(...this.#secrets.map((secret) => overlap(text, secret)));
    this.#held = text.slice(text.length - heldLength);
    return text.slice(0, text.length - heldLength);
  }

  /** Returns what is still held back, or what stands for it if it is long enough for a secret. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held.length < SHORTEST_SECRET ? held : REDACTED;
  }
}

/** Returns the length of the longest end of `text` that is a start of `secret`, but not all of it. */
export function overlap(text: string, secret: string): number {
  const first = secret.charAt(0);
  let start = Math.max(0, text.length - secret.length + 1);
  // Most texts end without the secret's first letter, so there is nothing to compare.
  for (start = text.indexOf(first, start); start >= 0; start = text.indexOf(first, start + 1)) {
    if (secret.startsWith(text.slice(start))) return text.length - start;
  }
  return 0;
}
