/** Presigned links to bundles: which are taken, what may be told of them, and when they are over. */
import ipaddr from 'ipaddr.js';
import { isLoopbackHost } from '../common/address';
import { parseUrl } from '../common/parseUrl';

/**
 * A presigned link to a bundle. Its query is a secret for as long as it lives: it is kept in
 * memory, never stored and never logged.
 *
 * @see platform-api.md § Generate export bundle
 */
export interface BundleLink {
  /** Checked by `parseBundleUrl`. */
  readonly url: string;
  /** Milliseconds since the epoch; absent where the service gave no date that can be read. */
  readonly expiresAt?: number;
  /** Size of the archive, where the service said so (field-notes.md § Static export). */
  readonly sizeBytes?: number;
}

/** The link of one export: the one at hand, and a fresh one. */
export interface LinkSource {
  readonly current: BundleLink | undefined;
  /** @throws {ExportError} as Generate export bundle fails. */
  renew(signal: AbortSignal): Promise<BundleLink>;
}

/** Why a link is not taken; each goes behind “The bundle’s link cannot be used: ”. */
export const linkRefusals = {
  'not-an-address': 'it is not an address.',
  'too-long': 'it is too long for an address.',
  'wrong-scheme': 'it does not start with https://.',
  'not-encrypted':
    'it starts with http://, which is taken only from one service of this machine to another.',
  'has-user': 'it holds a user name or a password.',
  'private-host':
    'it points into a private network or to this machine, which the export API is not in.',
  'holds-key': 'it holds the admin key, which must not get to a store.',
  'too-many-redirects': 'the store redirects too often.',
  'redirects-nowhere': 'the store redirects without saying where to.',
} as const;

export type LinkRefusal = (typeof linkRefusals)[keyof typeof linkRefusals];

/** Far above what object stores make: with a session token they stay below 4 KiB. */
const MAX_URL_CHARACTERS = 16_384;

/**
 * Checks a presigned link, or the address that one redirects to (faults.md D9, D10). `http:` is
 * taken only from this machine to this machine; names and addresses of private networks only from
 * an API that is in one itself.
 *
 * @param text as the service gave it.
 * @param apiUrl address of the service that gave it: the export API, or the store that redirects.
 * @returns the link as the URL parser writes it, without a fragment; or why it is refused.
 */
export function parseBundleUrl(
  text: string,
  apiUrl: string,
):
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: LinkRefusal } {
  const trimmed = text.trim();
  if (trimmed.length > MAX_URL_CHARACTERS) return refuse('too-long');
  const url = parseUrl(trimmed);
  if (!url) return refuse('not-an-address');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('wrong-scheme');
  if (url.username !== '' || url.password !== '') return refuse('has-user');
  // What is no address gets no favours: it counts as a public one.
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

/** Where all public IPv6 addresses are (RFC 4291 § 2.4); what is kept apart in it has its own class. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** The one prefix of RFC 6052 whose last 32 bits are always the IPv4 address; others vary. */
const wellKnownNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * True for an address of the public internet. One that carries an IPv4 address counts as that one
 * where it surely is its target; tunnels and other translations reach hosts that nothing tells.
 */
function isPublicAddress(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast';
  if (address.isIPv4MappedAddress()) return isPublicAddress(address.toIPv4Address());
  if (address.match(wellKnownNat64)) {
    return isPublicAddress(new ipaddr.IPv4(address.toByteArray().slice(12)));
  }
  return address.match(globalUnicast) && address.range() === 'unicast';
}

/** True for a host, as the URL parser writes it, that is not reachable from the public internet. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return !isPublicAddress(ipaddr.parse(host));
  // A name without a dot, and these endings, have no meaning outside a private network
  // (RFC 6761, RFC 6762, RFC 8375, and `.internal`, which ICANN keeps free for it).
  return (
    !host.includes('.') || /\.(?:localhost|local|internal|home\.arpa|lan|intranet)$/.test(host)
  );
}

/** All that may be told of a presigned link: origin and path, without the query. */
export function bundleAddress(url: string): string {
  const parsed = parseUrl(url);
  return parsed ? `${parsed.origin}${parsed.pathname}` : '';
}

/**
 * Milliseconds until the link expires, not below 0; undefined where no date was given.
 *
 * Goes by this machine's clock, which may be wrong: a link that has time left can still be refused
 * by the store, and that refusal is what counts; one that has none may still be good.
 */
export function timeLeftMs(link: BundleLink, now: number): number | undefined {
  return link.expiresAt === undefined ? undefined : Math.max(0, link.expiresAt - now);
}

/**
 * True for a link whose time is over, by this machine's clock, or will be within the margin.
 * False where no date was given. See {@link timeLeftMs} for what it cannot know.
 */
export function isExpired(link: BundleLink, now: number, marginMs = 0): boolean {
  const leftMs = timeLeftMs(link, now);
  return leftMs !== undefined && leftMs <= marginMs;
}
