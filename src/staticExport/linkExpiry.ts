/**
 * When a presigned link stops working, by its own query; undefined where it does not say so in a
 * form that is known. Never throws, whatever the text.
 *
 * Reads the forms of AWS (signature versions 4 and 2), Google Cloud Storage, Azure and the local
 * docs service. The service's `expiresAt` comes first where it is known: this is for links that
 * were found in a file.
 *
 * @returns milliseconds since the epoch.
 */
import { parseUrl } from '../common/parseUrl';
export function expiryInLink(url: string): number | undefined {
  const parsed = parseUrl(url);
  if (!parsed) return undefined;
  const query = new Map<string, string>();
  for (const [name, value] of parsed.searchParams) {
    const key = name.toLowerCase();
    if (!query.has(key)) query.set(key, value);
  }
  return (
    signedAt(query.get('x-amz-date'), query.get('x-amz-expires')) ??
    signedAt(query.get('x-goog-date'), query.get('x-goog-expires')) ??
    epoch(query.get('x-expires')) ??
    epoch(query.get('expires')) ??
    isoDate(query.get('se'))
  );
}

/** `20250131T120000Z` and a lifetime in seconds. */
function signedAt(date: string | undefined, lifetime: string | undefined): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date ?? '');
  if (!parts || !/^\d{1,9}$/.test(lifetime ?? '')) return undefined;
  const [, year, month, day, hours, minutes, seconds] = parts;
  const signed = isoDate(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return signed === undefined ? undefined : signed + Number(lifetime) * 1000;
}

/** Above this, a count since the epoch is of milliseconds: as seconds it is the year 5138. */
const MAX_SECONDS = 1e11;

function epoch(count: string | undefined): number | undefined {
  if (!/^\d{1,15}$/.test(count ?? '')) return undefined;
  const value = Number(count);
  return value > MAX_SECONDS ? value : value * 1000;
}

/** Azure's `se`: a day, or a day and a time in UTC with minutes, seconds or fractions of them. */
function isoDate(text: string | undefined): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,7})?)?Z)?$/.test(text ?? '')) return undefined;
  const time = Date.parse((text ?? '').replace(/(\.\d{3})\d+Z$/, '$1Z'));
  return Number.isNaN(time) ? undefined : time;
}
