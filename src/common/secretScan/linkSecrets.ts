/** Secrets in URLs: passwords before the host, and the signatures of presigned links. */
import { finding, type Finding } from './finding';
import { isPlaceholder, isRandom } from './placeholders';

/** Characters of a URL that are read, at most. Presigned links have some hundred. */
const MAX_URL_LENGTH = 8000;

/** Letters of the scheme that are read before `://`, at most. */
const MAX_SCHEME_LENGTH = 30;

/**
 * Returns the passwords and signatures in the URLs of a text.
 * @param onWork called with the number of characters that were looked at, for tests.
 */
export function findLinkSecrets(
  text: string,
  onWork: (characters: number) => void = () => undefined,
): Finding[] {
  const findings: Finding[] = [];
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at)) {
    const start = at + 3;
    if (!/[a-z0-9]/i.test(text.charAt(at - 1))) {
      at = start;
      continue;
    }
    const end = endOfUrl(text, start);
    onWork(Math.min(at, MAX_SCHEME_LENGTH) + end - start);
    const password = passwordIn(text, start, end);
    const signature = signedQueryIn(text, start, end);
    if (password) findings.push(password);
    if (signature) findings.push(signature);
    at = Math.max(start, end);
  }
  return findings;
}

function endOfUrl(text: string, start: number): number {
  let end = start;
  while (
    end < text.length &&
    end - start < MAX_URL_LENGTH &&
    /[^\s"'`<>\\|]/.test(text.charAt(end))
  ) {
    end++;
  }
  return end;
}

/** Passwords of databases that only run on the developer's machine, as every tutorial has them. */
const weakPasswords =
  /^(?:pass(?:word|wd)?\d{0,4}|pwd|pw|secret|admin|root|guest|test|user|postgres|mysql|redis|mongo|rabbitmq|example|token|x-oauth-basic|x-access-token|oauth2?|anonymous|\d{1,4})$/i;

function passwordIn(text: string, start: number, end: number): Finding | undefined {
  const rest = text.slice(start, end);
  const authority = rest.slice(0, /[/?#]/.exec(rest)?.index ?? rest.length);
  const at = authority.lastIndexOf('@');
  const colon = authority.indexOf(':');
  if (colon < 0 || at < colon) return undefined;
  const user = authority.slice(0, colon);
  const password = authority.slice(colon + 1, at);
  const isWeak = weakPasswords.test(password) || password === user;
  // `https://<token>:x-oauth-basic@…` has the secret in the place of the user.
  if (isWeak && isRandom(user)) return urlPassword(start, start + colon);
  if (isWeak || password.length < 4 || isPlaceholder(password) || /^:?\$/.test(password))
    return undefined;
  return urlPassword(start + colon + 1, start + at);
}

function urlPassword(start: number, end: number): Finding {
  return finding({ rule: 'url-password', kind: 'url-password' }, start, end);
}

/** Parameters that hold the signature of a presigned link, of the stores that we know. */
const signatures = new Set([
  'x-amz-signature',
  'x-goog-signature',
  'x-signature',
  'signature',
  'sig',
]);

/** Shortest signature. Shorter ones are made up. */
const SHORTEST_SIGNATURE = 16;

function signedQueryIn(text: string, start: number, end: number): Finding | undefined {
  const url = text.slice(start, end);
  const mark = url.indexOf('?');
  if (mark < 0) return undefined;
  const hash = url.indexOf('#', mark);
  const query = url.slice(mark + 1, hash < 0 ? undefined : hash);
  const names = new Map<string, string>();
  for (const parameter of query.split(/&(?:amp;)?/)) {
    const [name = '', value = ''] = parameter.split('=', 2);
    names.set(name.toLowerCase(), value);
  }
  for (const name of signatures) {
    const value = names.get(name);
    if (value === undefined || value.length < SHORTEST_SIGNATURE || isPlaceholder(value)) continue;
    const hasLimit = ['expires', 'se', 'sv', 'key-pair-id'].some((other) => names.has(other));
    if (/^sig/.test(name) && !hasLimit) continue;
    const from = start + mark + 1;
    const length = query.replace(/[).,;\]}]+$/, '').length;
    return finding({ rule: 'signed-link', kind: 'signed-link' }, from, from + length);
  }
  return undefined;
}
