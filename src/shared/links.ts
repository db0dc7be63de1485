import { hasControls } from './characters';

/**
 * Returns the parsed URL, or undefined for text that isn't one.
 *
 * It doesn't use `URL.canParse`, because in Node 20 that returns false for letters such as “ü” once
 * V8 has optimized the calling code.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

const allowedProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** One or several mail addresses. Anything else behind `mailto:` could be a trick. */
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

/**
 * Returns the URL of a link from a reply or the webview if a browser may open it: an allowed URL
 * without a user name, which can look like the host. Returns undefined for anything else:
 * `javascript:`, `command:`, `vscode:`, `file:`, relative URLs.
 */
export function openableLink(href: string): string | undefined {
  // A browser drops these from within a scheme; an address that needs that is no honest one.
  if (hasControls(href)) return undefined;
  const url = allowedLink(href);
  return url?.username === '' && url.password === '' ? url.href : undefined;
}
