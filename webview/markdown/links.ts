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
 * The host to show beside a link whose text could pass for another address: it looks like a host
 * or URL other than the target's, or the target's host is not plain ASCII or hides behind a user
 * name (faults.md G5).
 */
export function hostToShow(url: URL, text: string): string | undefined {
  if (url.protocol === 'mailto:') {
    const isOtherAddress =
      text.includes('@') && text.trim().replace(/^mailto:/i, '') !== url.pathname;
    return isOtherAddress ? url.pathname : undefined;
  }
  if (url.username !== '' || url.password !== '') return url.host;
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) return url.host;
  const claimed = /^\s*(?:[a-z][a-z\d+.-]*:\/*)?([^\s/?#]+\.[^\s/?#.]{2,})(?:[/?#]|\s|$)/i.exec(
    text,
  )?.[1];
  if (claimed === undefined) return undefined;
  const claimedHost = parseUrl(`http://${claimed}`)?.host;
  if (claimedHost === undefined || claimedHost === url.host) return undefined;
  // File names and dotted identifiers (`config.ts`, `fs.readFile`) are no claim to be a host.
  return /^\s*(?:[a-z][a-z\d+.-]*:\/\/|www\.)/i.test(text) || isHostLike(claimed)
    ? url.host
    : undefined;
}

function isHostLike(text: string): boolean {
  return /\.(?:com|org|net|io|dev|app|ai|co|edu|gov|info|cloud|site|[a-z]{2})(?::\d+)?$/i.test(
    text,
  );
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
