import { parseUrl } from './parseUrl';

const allowedProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** One address or several: whatever else stands behind `mailto:` is another scheme's, or a trick. */
const mailAddresses = /^[^\s:/@,<>]+@[^\s:/@,<>]+(?:,[^\s:/@,<>]+@[^\s:/@,<>]+)*$/;

/**
 * Returns the parsed address of a link if it may be offered and opened: absolute, `http`, `https`,
 * or `mailto` with somebody's address. The view asks before it shows a link, the host before it
 * opens one.
 */
export function allowedLink(href: string): URL | undefined {
  const url = parseUrl(href);
  if (!url || !allowedProtocols.has(url.protocol)) return undefined;
  return url.protocol !== 'mailto:' || mailAddresses.test(url.pathname) ? url : undefined;
}
