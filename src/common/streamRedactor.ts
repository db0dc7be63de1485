import { REDACTED, usableSecrets } from './redact';

/**
 * Redacts secrets in a text that arrives in pieces. A tail that could be the start of a secret is
 * held back until the next piece, or the end, decides.
 */
export class StreamRedactor {
  readonly #secrets: readonly string[];
  #held = '';

  constructor(secrets: readonly string[]) {
    this.#secrets = usableSecrets(secrets);
  }

  /** The part of the text that is decided by now. */
  push(piece: string): string {
    if (this.#secrets.length === 0) return piece;
    let text = this.#held + piece;
    for (const secret of this.#secrets) text = text.replaceAll(secret, REDACTED);
    const heldLength = Math.max(...this.#secrets.map((secret) => overlap(text, secret)));
    this.#held = text.slice(text.length - heldLength);
    return text.slice(0, text.length - heldLength);
  }

  /** What is still held back. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/** Length of the longest end of `text` that is a start of `secret`, but not all of it. */
export function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}
