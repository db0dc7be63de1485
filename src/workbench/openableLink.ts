import { allowedLink } from '../shared/allowedLink';

/**
 * The address of a link from a reply or from the webview, if it is one that may be opened in a
 * browser: an allowed one, without a user name (which can pose as the host). Anything else is
 * undefined: `javascript:`, `command:`, `vscode:`, `file:`, relative addresses.
 */
export function openableLink(href: string): string | undefined {
  // A browser drops these from within a scheme; an address that needs that is no honest one.
  if (/\p{Cc}/u.test(href)) return undefined;
  const url = allowedLink(href);
  return url?.username === '' && url.password === '' ? url.href : undefined;
}

/** The bytes and the type of a `data:` address; undefined for what is none. */
export function dataOfUrl(url: string): { mediaType: string; bytes: Uint8Array } | undefined {
  const match = /^data:([^,;]*)((?:;[^,;]*)*),(.*)$/is.exec(url);
  if (!match) return undefined;
  const [, mediaType = '', parameters = '', body = ''] = match;
  try {
    const bytes = /;base64$/i.test(parameters)
      ? Buffer.from(decodeURIComponent(body), 'base64')
      : Buffer.from(decodeURIComponent(body), 'utf8');
    return { mediaType: mediaType === '' ? 'text/plain' : mediaType, bytes };
  } catch {
    return undefined;
  }
}

/** A file name from a service, as it may be proposed in a save dialog: one harmless segment. */
export function safeFileName(name: string | undefined, fallback: string): string {
  const segment = (name ?? '').split(/[\\/]/).at(-1) ?? '';
  const cleaned = segment
    .replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029<>:"|?*]/gu, '')
    .replace(/^\.+|[. ]+$/g, '')
    .slice(0, 120);
  return cleaned === '' ? fallback : cleaned;
}
