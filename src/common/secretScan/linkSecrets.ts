/** Secrets in URLs: passwords before the host, and the signatures of presigned links. */
import { finding, type Finding } from './finding';
import { isMixed, isPlaceholder, isRandom } from './placeholders';
import { ValueReader } from './valueReader';

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
  const reader = new ValueReader(text, onWork);
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at)) {
    const start = at + 3;
    if (!/[a-z0-9]/i.test(text.charAt(at - 1))) {
      at = start;
      continue;
    }
    const isWeb = /(?:http|ws)s?$/i.test(text.slice(Math.max(0, at - MAX_SCHEME_LENGTH), at));
    const end = endOfUrl(text, start);
    onWork(Math.min(at, MAX_SCHEME_LENGTH) + end - start);
    const password = passwordIn(text, start, reader.word(start).end, isWeb);
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

function passwordIn(text: string, start: number, end: number, isWeb: boolean): Finding | undefined {
  const rest = text.slice(start, end);
  const user = /^([^\s:/?#@[\]"'<>`\\]{0,200}):/.exec(rest)?.[1];
  const at = user === undefined ? -1 : endOfLogin(rest, user.length + 1, isWeb);
  if (user === undefined || at < 0) return undefined;
  const password = rest.slice(user.length + 1, at);
  const isWeak = weakPasswords.test(password) || password === user;
  // `https://<token>:x-oauth-basic@…` has the secret in the place of the user.
  if (isWeak && isRandom(user)) return urlPassword(start, start + user.length);
  if (isWeak || password.length < 4 || isPlaceholder(password)) return undefined;
  if (/^:?\$/.test(password) && !isMixed(password)) return undefined;
  return urlPassword(start + user.length + 1, start + at);
}

/** The text behind a login: a host, its port, and the rest of the URL. */
const hostAfter = /@(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])(?::\d{1,5})?(?=[/?#,;)\]]|$)/gi;

/**
 * Returns the offset of the `@` behind the password in a URL without its scheme, or -1. A password that
 * wasn't encoded can have slashes and further signs `@`, and so can the path of a web page.
 */
function endOfLogin(url: string, from: number, isWeb: boolean): number {
  const authority = url.slice(0, /[/?#]/.exec(url)?.index ?? url.length);
  const hosts = [...url.matchAll(hostAfter)].map(({ index }) => index).filter((at) => at >= from);
  const end = hosts.find((at, number) => {
    const next = hosts[number + 1];
    return next === undefined || (isWeb && isHostAndPath(url.slice(at + 1, next)));
  });
  const first = authority.lastIndexOf('@');
  if (end === undefined || end <= first) return first;
  const password = url.slice(from, end);
  // A port and a path can look like a password with a slash.
  const isPath = isWeb && /^\d{1,5}\//.test(password);
  return isMixed(password) && !isPath ? end : first;
}

function isHostAndPath(text: string): boolean {
  const [host = '', ...path] = text.split(/(?=[/?#])/);
  return (
    /^[a-z][a-z0-9.-]+(?::\d{1,5})?$/.test(host) &&
    /^[\w.~:/?#!$&'()*+,;=%-]*$/.test(path.join('')) &&
    !isMixed(path.join(''))
  );
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
