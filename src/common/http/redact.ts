/** Keeps secrets out of logs, errors and the view (faults.md F1, F2). */

export const REDACTED = '[redacted]';

/** Shorter strings than this are not keys, and replacing them would garble texts. */
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

/** With their percent-encoded forms; longest first, so that what holds another goes as a whole. */
export function usableSecrets(secrets: readonly string[]): string[] {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(wellFormed(secret))]);
  return [...new Set(forms)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
}

/** Lone surrogates become U+FFFD, so that the text survives UTF-8 and strict JSON readers. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
