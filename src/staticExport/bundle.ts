/**
 * Presigned links to bundles: which are taken, what may be told of them, and when they are over.
 * `node:net` only computes here; nothing is connected.
 */
import { BlockList, isIP } from 'node:net';
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

/** Addresses that no public store has: this machine, private, link-local, shared, multicast, reserved. */
const privateAddresses = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  privateAddresses.addSubnet(address, prefix, 'ipv4');
}
for (const [address, prefix] of [
  // Unspecified, loopback, and the old form of IPv4 in IPv6.
  ['::', 96],
  // Translated IPv4: what is behind it cannot be told from the address alone.
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  privateAddresses.addSubnet(address, prefix, 'ipv6');
}

/** The IPv4 address inside the well-known prefix 64:ff9b::/96 (RFC 6052), as the URL parser writes it. */
const translated = /^64:ff9b::(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/;

/** True for a host, as the URL parser writes it, that is not reachable from the public internet. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  if (family === 4) return privateAddresses.check(host, 'ipv4');
  if (family === 6) {
    // Mapped addresses (::ffff:127.0.0.1) are checked as the IPv4 address that they hold.
    const [, high = '0', low] = translated.exec(host) ?? [];
    if (low === undefined) return privateAddresses.check(host, 'ipv6');
    const [a, b] = [parseInt(high, 16), parseInt(low, 16)];
    return privateAddresses.check(`${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`, 'ipv4');
  }
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
