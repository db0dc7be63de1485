/** Shows hosts so that nobody takes one for another. Uses Node's own decoder of international host names. */
import { domainToUnicode } from 'node:url';
import type { Translate } from '../common/errors';
import { parseUrl } from '../shared/links';

/** Longest host and longest path that a dialog shows. More would push the rest out of sight. */
const MAX_SHOWN_HOST = 80;
const MAX_SHOWN_PATH = 100;

/**
 * Returns a host for a dialog. A long one loses its start, because its end says whose it is.
 */
export function shownHost(host: string): string {
  return host.length > MAX_SHOWN_HOST ? `…${host.slice(1 - MAX_SHOWN_HOST)}` : host;
}

/** Returns a URL for a dialog, with its host as {@link shownHost} and the start of a long path. */
export function shownUrl(text: string): string {
  const url = parseUrl(text);
  if (!url) return text.slice(0, MAX_SHOWN_PATH);
  const { protocol, host, pathname, search } = url;
  const path = pathname === '/' && search === '' ? '' : pathname + search;
  const isLong = path.length > MAX_SHOWN_PATH;
  return `${protocol}//${shownHost(host)}${isLong ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path}`;
}

/**
 * Returns a warning about a host that can be taken for another, or undefined.
 * @param host host name in ASCII, with its port, as `URL.host` gives it.
 * @param knownHosts hosts that the reader uses.
 */
export function lookAlikeWarning(
  host: string,
  knownHosts: readonly string[],
  t: Translate,
): string | undefined {
  if (knownHosts.includes(host)) return undefined;
  const known = knownHosts.find((each) => isLookAlike(host, each));
  if (known !== undefined) {
    return t('{0} looks like {1}, which you use, but it is another host.', host, known);
  }
  const name = domainToUnicode(nameOf(host));
  return name === '' || name === nameOf(host)
    ? undefined
    : t('{0} is shown as “{1}”. Its letters can make it look like another host.', host, name);
}

/** Returns whether a person could take the one host for the other. */
export function isLookAlike(host: string, known: string): boolean {
  const [name, knownName] = [nameOf(host), nameOf(known)];
  if (name === knownName || name.endsWith(`.${knownName}`) || knownName.endsWith(`.${name}`)) {
    return false;
  }
  // A name before the end of another belongs to the other: docs.example.com.evil.net.
  if (knownName.includes('.') && `${name}.`.includes(`${knownName}.`)) return true;
  const [shape, knownShape] = [shapeOf(name), shapeOf(knownName)];
  return shape === knownShape || (knownShape.length >= 6 && isOneEditApart(shape, knownShape));
}

const nameOf = (host: string): string => host.replace(/:\d+$/, '');

/** Letters of other scripts that are drawn like Latin ones, each before the Latin one. */
const twins = 'аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwкkмmтtвbнhαaοoρpνvιiκkτtυuχxɡgıiɩi';

/** Groups of letters and digits that are drawn like others. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/[1i|]/g, 'l'],
  [/0/g, 'o'],
  [/5/g, 's'],
  [/[-.]/g, ''],
];

/** Returns the form that hosts have in common if they look alike. */
function shapeOf(name: string): string {
  const decoded = (domainToUnicode(name) || name).normalize('NFKD').replace(/\p{M}/gu, '');
  const latin = Array.from(decoded.toLowerCase(), (letter) => {
    const place = twins.indexOf(letter);
    return place >= 0 && place % 2 === 0 ? (twins[place + 1] ?? letter) : letter;
  }).join('');
  return shapes.reduce((text, [pattern, shape]) => text.replace(pattern, shape), latin);
}

/** Returns whether one letter was changed, added, left out, or swapped with its neighbor. */
function isOneEditApart(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right === `${left[1] ?? ''}${left[0] ?? ''}`;
}
