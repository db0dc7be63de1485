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

/** Returns the text with its percent codes decoded, or as it is if one of them is not valid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Returns the URL with its percent codes decoded, except those of characters that separate its parts, or as it is if
 * one of them is not valid.
 */
export function readableUrl(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

/** Returns whether a link has an address of its own: a URL of the web, with or without a scheme, or mail. */
export function isElsewhere(href: string): boolean {
  return /^(?:https?:)?\/\//i.test(href) || /^mailto:/i.test(href);
}

const allowedProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** One or several mail addresses. Anything else behind `mailto:` could be a trick. */
const mailAddresses = /^[^\s:/@,<>]+@[^\s:/@,<>]+(?:,[^\s:/@,<>]+@[^\s:/@,<>]+)*$/;

/** Percent codes of control characters, such as a line break before another header of the mail. */
const codedControls = /%(?:[01][\da-f]|7f)/i;

/**
 * Returns the text with its percent codes of plain ASCII decoded, as mail programs read it. Other
 * letters stay codes, because some look like those of another address.
 */
function plainAscii(text: string): string {
  return text.replace(/%(?!7f)([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(parseInt(code, 16)),
  );
}

/** Returns everyone who gets the mail of a `mailto` link: also those in its `to`, `cc` and `bcc`. */
export function mailReceivers({ pathname, search }: URL): readonly string[] {
  const fields = search
    .slice(1)
    .split('&')
    .map((field) => /^(?:to|b?cc)=(.*)$/is.exec(plainAscii(field))?.[1] ?? '');
  return [plainAscii(pathname), ...fields]
    .flatMap((addresses) => addresses.split(','))
    .map((address) => address.trim())
    .filter((address) => address !== '');
}

/**
 * Returns the parsed address of a link if it may be offered and opened: absolute, `http`, `https`,
 * or `mailto` with somebody's address. The view asks before it shows a link, the host before it
 * opens one.
 */
export function allowedLink(href: string): URL | undefined {
  const url = parseUrl(href);
  if (!url || !allowedProtocols.has(url.protocol)) return undefined;
  if (url.protocol !== 'mailto:') return url;
  const { pathname } = url;
  const isMail = mailAddresses.test(plainAscii(pathname)) && !codedControls.test(pathname);
  return isMail ? url : undefined;
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
