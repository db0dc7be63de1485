/** Keeps secrets out of logs, errors and the view (faults.md F1, F2). */

export const REDACTED = '[redacted]';

/**
 * Length of the shortest secret. Shorter strings aren't keys, and replacing them would garble
 * texts.
 */
export const SHORTEST_SECRET = 8;

const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(Bearer)\s+[^\s"',;<>]+/gi, `$1 ${REDACTED}`],
  [/(\bx-thread-key"?\s*[:=]\s*"?)[^\s"',;<>]+/gi, `$1${REDACTED}`],
  [/(\bthreadKey\\?"?\s*[:=]\s*\\?"?)[^\s"'\\,;<>]+/gi, `$1${REDACTED}`],
  [/\b[A-Za-z0-9-]{1,40}_(?:dsc|us)_[\w-]{4,}/g, REDACTED],
  // An admin key: a short prefix and a long body with a digit, unlike the words of a sentence.
  [/\b[A-Za-z][A-Za-z0-9-]{1,15}_(?=[\w-]{0,200}\d)[\w-]{16,}/g, REDACTED],
];

/**
 * Replaces secrets and text that looks like one: the given secrets (also percent-encoded), bearer
 * values, keys by their form, thread keys, and the queries and user names of links.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let result = redactExactly(text, secrets);
  result = result.replace(link, withoutSecretsOfLink);
  for (const [pattern, replacement] of patterns) result = result.replace(pattern, replacement);
  return result;
}

/** Matches a link as a whole, so that no character is checked twice. */
const link = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]*/gi;

/** Removes a link's query, which can be presigned, and its user name and password. */
function withoutSecretsOfLink(text: string): string {
  const [, scheme = '', authority = '', rest = ''] =
    /^([^/]*:\/\/)([^/?#]*)(.*)$/s.exec(text) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const [path = '', ...query] = rest.split('?');
  return `${scheme}${host === authority ? host : `${REDACTED}@${host}`}${path}${
    query.length === 0 ? '' : `?${REDACTED}`
  }`;
}

/** Replaces the given secrets (also percent-encoded) and leaves everything else as it is. */
export function redactExactly(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of usableSecrets(secrets)) result = result.replaceAll(secret, REDACTED);
  return result;
}

/**
 * Returns the secrets with their percent-encoded forms, longest first, so that a secret that
 * contains another is replaced whole.
 */
export function usableSecrets(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())]);
  return [...new Set(forms)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

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

  /**
   * Returns the text that is still held back, or a placeholder if it is long enough for a secret.
   */
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
