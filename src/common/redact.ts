/** Keeps secrets out of logs, errors and the view (faults.md F1, F2). */

const REDACTED = '[redacted]';

/** Shorter strings than this are not keys, and replacing them would garble texts. */
const SHORTEST_SECRET = 8;

const patterns: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\b(Bearer)\s+[^\s"',;<>]+/gi, `$1 ${REDACTED}`],
  [/(\bx-thread-key"?\s*[:=]\s*"?)[^\s"',;<>]+/gi, `$1${REDACTED}`],
  [/(\bthreadKey\\?"?\s*[:=]\s*\\?"?)[^\s"'\\,;<>]+/gi, `$1${REDACTED}`],
  [/\b[A-Za-z0-9-]{1,40}_(?:dsc|us)_[\w-]{4,}/g, REDACTED],
  // An admin key: a short prefix and a long body with a digit, unlike the words of a sentence.
  [/\b[A-Za-z][A-Za-z0-9-]{1,15}_(?=[\w-]{0,200}\d)[\w-]{16,}/g, REDACTED],
];

/**
 * Replaces what is a secret or looks like one: the given secrets (also percent-encoded), bearer
 * values, keys by their form, thread keys, and the queries and user names of links.
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let result = redactExactly(text, secrets);
  result = result.replace(link, withoutSecretsOfLink);
  for (const [pattern, replacement] of patterns) result = result.replace(pattern, replacement);
  return result;
}

/** Takes a link whole, whatever is in it, so that no character is looked at twice. */
const link = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]*/gi;

/** A query may be a presigned one, and a user name comes with a password. */
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
 * True for a text that holds the secret, even percent-encoded or in another case: what a service
 * would have us keep or pass on is refused then.
 */
export function holdsSecret(text: string, secret: string): boolean {
  if (secret.length < SHORTEST_SECRET) return false;
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
  const wanted = secret.toLowerCase();
  return [text, decoded].some((form) => form.toLowerCase().includes(wanted));
}

/** With their percent-encoded forms; longest first, so that what holds another goes as a whole. */
function usableSecrets(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(wellFormed(secret))]);
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
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length--) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}

/** Control characters, and the bidi controls that can make a text look like another one. */
const invisible = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\uFEFF]+/gu;

/**
 * A foreign text as one harmless line: redacted, without control and bidi characters, cut.
 * @param maxLength characters (code points) of the result.
 */
export function plainSentence(
  text: string,
  secrets: readonly string[] = [],
  maxLength = 500,
): string {
  // Cut before the patterns run, so that a hostile text cannot make them slow.
  const line = withoutCutSecret(text.slice(0, 20 * maxLength), secrets)
    .replace(invisible, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(wellFormed(redact(line, secrets)));
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Without the start of a secret at its end, which a cut, here or before, may have left of one. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
  const cut = Math.max(0, ...usableSecrets(secrets).map((secret) => overlap(text, secret)));
  return cut < SHORTEST_SECRET ? text : `${text.slice(0, -cut)}${REDACTED}`;
}

/** Lone surrogates become U+FFFD, so that the text survives UTF-8 and strict JSON readers. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
