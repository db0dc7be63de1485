/** Presigned links to bundles: which ones are allowed, what can be logged, when they expire. */
import ipaddr from 'ipaddr.js';
import { isLoopbackHost } from '../../common/http/address';
import { parseUrl } from '../../shared/links';

/**
 * A presigned link to a bundle. Its query is a secret until it expires, so the link stays in memory
 * and is never stored or logged.
 *
 * @see platform-api.md § Generate export bundle
 */
export interface BundleLink {
  /** URL, checked by `parseBundleUrl`. */
  readonly url: string;
  /** Milliseconds since the epoch. Absent if the service gave no readable date. */
  readonly expiresAt?: number;
  /** Size of the archive, if the service gave it (field-notes.md § Static export). */
  readonly sizeBytes?: number;
}

/** Source of an export's links: the current one, and new ones. */
export interface LinkSource {
  readonly current: BundleLink | undefined;
  /** Gets a new link. @throws {ExportError} the errors of *Generate export bundle*. */
  renew(signal: AbortSignal): Promise<BundleLink>;
}

/** Reasons to refuse a link. Each follows “The bundle link can’t be used: ”. */
export const linkRefusals = {
  'not-an-address': 'it isn’t a URL.',
  'not-one-link': 'it isn’t a single link on one line.',
  'too-long': 'it is too long.',
  'wrong-scheme': 'it doesn’t start with https://.',
  'not-encrypted':
    'it starts with http://, which is allowed only between services on this machine.',
  'has-user': 'it contains a user name or a password.',
  'private-host': 'it points to a private network or this machine, but the export API is public.',
  'holds-key': 'it contains the admin key, which must not be sent to a file server.',
  'too-many-redirects': 'the file server redirects too often.',
  'redirects-nowhere': 'the file server redirects without a target.',
} as const;

export type LinkRefusal = (typeof linkRefusals)[keyof typeof linkRefusals];

/** Maximum length of a link. Links of object stores stay below 4 KiB, even with a session token. */
const MAX_URL_CHARACTERS = 16_384;

/**
 * Line breaks, tabs and other controls, and the start of a second link. The URL parser drops or encodes
 * them, which makes one wrong URL of two links.
 */
const severalLinks = /[\p{Cc}\u2028\u2029]|\s[a-z][a-z\d+.-]*:\/\//iu;

/**
 * Checks a presigned link or the target of its redirect (faults.md D9, D10). `http:` is allowed only
 * within this machine, and private hosts only from an API on a private host.
 *
 * @param text the link of the service, unchanged.
 * @param apiUrl URL of the service that sent it: the export API, or the file server that redirects.
 * @returns the link as the URL parser writes it, without a fragment, or the reason to refuse it.
 */
export function parseBundleUrl(
  text: string,
  apiUrl: string,
):
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: LinkRefusal } {
  const trimmed = text.trim();
  if (trimmed.length > MAX_URL_CHARACTERS) return refuse('too-long');
  if (severalLinks.test(trimmed)) return refuse('not-one-link');
  const url = parseUrl(trimmed);
  if (!url) return refuse('not-an-address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('wrong-scheme');
  if (url.username !== '' || url.password !== '') return refuse('has-user');
  // An invalid API URL counts as public, which is the strictest case.
  const api = parseUrl(apiUrl)?.hostname ?? 'api.invalid';
  if (url.protocol === 'http:' && !(isLoopbackHost(url.hostname) && isLoopbackHost(api))) {
    return refuse('not-encrypted');
  }
  if (isPrivateHost(url.hostname) && !isPrivateHost(api)) return refuse('private-host');
  url.hash = '';
  return { ok: true, url: url.href };
}

function refuse(reason: keyof typeof linkRefusals): { ok: false; reason: LinkRefusal } {
  return { ok: false, reason: linkRefusals[reason] };
}

/** Range of all public IPv6 addresses (RFC 4291 § 2.4). Reserved parts have classes of their own. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Prefix of RFC 6052 whose last 32 bits are always an IPv4 address. Other prefixes vary. */
const wellKnownNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Returns whether an IP address is on the public internet. An IPv6 address counts as the IPv4 address
 * it contains if that is certainly its target. Tunnels and other translations are not decoded.
 */
function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  if (address.isIPv4MappedAddress()) return isPublicAddress(address.toIPv4Address());
  if (address.match(wellKnownNat64)) {
    return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  return address.match(globalUnicast) && address.range() === 'unicast';
}

/** Returns whether a host, as the URL parser writes it, is unreachable from the public internet. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return !isPublicAddress(ipaddr.parse(host));
  // Names without a dot and names with these endings exist only in private networks
  // (RFC 6761, RFC 6762, RFC 8375, and `.internal`, which ICANN reserves for them).
  return (
    !host.includes('.') || /\.(?:localhost|local|internal|home\.arpa|lan|intranet)$/.test(host)
  );
}

/** Returns the part of a presigned link that can be logged: origin and path, without the query. */
export function bundleAddress(url: string): string {
  const parsed = parseUrl(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : '';
}

/**
 * Returns whether a link has expired by this machine's clock, or will expire within the margin. A link
 * without a date counts as valid.
 *
 * This machine's clock may be wrong, so a server may refuse a link with time left or accept an expired
 * one. The server decides.
 */
export function isExpired({ expiresAt }: BundleLink, now: number, marginMs = 0): boolean {
  return expiresAt !== undefined && expiresAt - now <= marginMs;
}

/**
 * Returns when a presigned link from a file expires, in milliseconds since the epoch, or undefined if
 * its query has no known form. Never throws. The service's `expiresAt`, if known, is more reliable.
 *
 * Reads the queries of AWS (signature versions 4 and 2), Google Cloud Storage, Azure and the local docs
 * service.
 */
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

/** Returns the expiry for a date such as `20250131T120000Z` and a lifetime in seconds. */
function signedAt(date: string | undefined, lifetime: string | undefined): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date ?? '');
  if (!parts || !/^\d{1,9}$/.test(lifetime ?? '')) return undefined;
  const [, year, month, day, hours, minutes, seconds] = parts;
  const signed = isoDate(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return signed === undefined ? undefined : signed + Number(lifetime) * 1000;
}

/** Largest count of seconds since the epoch (year 5138). A larger count is in milliseconds. */
const MAX_SECONDS = 1e11;

function epoch(count: string | undefined): number | undefined {
  if (!/^\d{1,15}$/.test(count ?? '')) return undefined;
  const value = Number(count);
  return value > MAX_SECONDS ? value : value * 1000;
}

/** Reads Azure's `se`: a day, or a day with a time in UTC that may have seconds and fractions. */
function isoDate(text: string | undefined): number | undefined {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,7})?)?Z)?$/.test(text ?? '')) return undefined;
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? undefined : time;
}
