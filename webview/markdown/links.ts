/** Which addresses in a reply may become links, and what a person is told about them. */

const allowedProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address, if it is one that the view may offer to open: absolute, `http`, `https` or
 * `mailto`. The host checks it again before it opens it.
 */
export function allowedLink(href: string): URL | undefined {
  const url = parseUrl(href);
  if (!url || !allowedProtocols.has(url.protocol)) return undefined;
  if (url.protocol === 'mailto:') return url.pathname === '' ? undefined : url;
  return url;
}

/** True for an address without a scheme: it means a page of the docs, if a source is at it. */
export function isRelativeLink(href: string): boolean {
  // Browsers ignore tabs and line breaks within a scheme, and blanks before it.
  const bare = href.replace(/[\p{Cc}\s]/gu, '');
  return bare !== '' && !/^[^/?#\\]*:/.test(bare);
}

/** What a link leads to, as a tooltip: the real host first, then the whole address. */
export function linkTitle(url: URL): string {
  return url.protocol === 'mailto:' ? url.pathname : `${url.host}\n${url.href}`;
}

/**
 * The host to show beside a link whose text could pass for another address: a word of it looks like
 * a host or URL other than the target's, its letters stand in another order than they are written,
 * or the target's host is not plain ASCII or hides behind a user name (faults.md G5).
 */
export function hostToShow(url: URL, text: string): string | undefined {
  const isMail = url.protocol === 'mailto:';
  const real = isMail ? url.pathname : url.host;
  if (/[\u202a-\u202e\u2066-\u2069]/.test(text)) return real;
  const read = asRead(text);
  if (isMail && read.includes('@')) {
    return read.trim().replace(/^mailto:/i, '') === url.pathname ? undefined : real;
  }
  if (url.username !== '' || url.password !== '') return real;
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) return real;
  const words = read
    .split(/[\s()[\]<>{}"'“”‘’«»→]+/)
    .map((word) => word.replace(/[.,:;!?…]+$/, ''))
    .filter((word) => word !== '');
  const isOther = (word: string, index: number): boolean => {
    const claimed = claimedHost(word, index === 0);
    return claimed !== undefined && claimed !== url.host;
  };
  return words.some(isOther) ? real : undefined;
}

/** Without what nobody sees, and with what looks like the signs of an address in their place. */
function asRead(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/(?<=\w)[\u3002\u2024](?=\w)/g, '.');
}

/**
 * The host that a word claims to be or to lead to.
 * @param isFirst what a whole text begins with can be a host without saying so.
 */
function claimedHost(word: string, isFirst: boolean): string | undefined {
  const [, scheme, authority = ''] =
    /^([a-z][a-z\d+.-]*:\/*)?([^/?#]+\.[^/?#.]{2,})(?:[/?#]|$)/i.exec(word) ?? [];
  // A user name before the host reads like the host itself.
  const host = authority.includes('@') ? authority : parseUrl(`http://${authority}`)?.host;
  if (host === undefined) return undefined;
  const isSaid = scheme?.endsWith('//') === true || /^www\./i.test(authority);
  // File names and dotted identifiers (`config.json`, `fs.readFile`) are no claim to be a host.
  return isSaid || (isFirst ? hostLike : surelyHost).test(authority) ? host : undefined;
}

const hostLike = /\.(?:com|org|net|io|dev|app|ai|co|edu|gov|info|cloud|site|[a-z]{2})(?::\d+)?$/i;
const surelyHost = /\.(?:com|org|edu|gov)$/i;

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
