/** Fetches with `node:http` and `node:https`, and checks each address that it connects to. */
import { lookup as lookUp, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import ipaddr from 'ipaddr.js';
import { isLoopbackHost } from '../../../common/http/address';
import type { Fetch } from '../../../common/ports';

/** Kinds of networks of an address. `other` is for addresses that no site can have, such as 0.0.0.0. */
type Network = 'public' | 'private' | 'loopback' | 'other';

/** Returns the network of an IP address. */
export function networkOf(address: string): Network {
  if (!ipaddr.isValid(address)) return 'other';
  let parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress())
    parsed = parsed.toIPv4Address();
  switch (parsed.range()) {
    case 'unicast':
      return 'public';
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return 'private';
    case 'loopback':
      return 'loopback';
    default:
      return 'other';
  }
}

/** Code of the error for an address to which the policy allows no connection. */
export const PRIVATE_ADDRESS = 'EPRIVATEADDRESS';

/** The policy allows no connection to an address. */
class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
  readonly code = PRIVATE_ADDRESS;
}

/**
 * Decides to which addresses the host of a URL may resolve. A name of this machine may only resolve to this
 * machine. Any other name may only resolve to the kind of network that it resolved to at first. A public name
 * that later resolves to a private network, or to this machine, is an attack (DNS rebinding).
 */
export class AddressPolicy {
  readonly #isLoopback: boolean;
  #network: Network | undefined;

  constructor(hostname: string) {
    this.#isLoopback = isLoopbackHost(hostname);
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (ipaddr.isValid(literal)) this.#network = networkOf(literal);
  }

  /** Returns whether a request may connect to all of the addresses that a name resolves to. */
  allows(addresses: readonly string[]): boolean {
    const networks = addresses.map(networkOf);
    if (this.#isLoopback) return networks.every((network) => network === 'loopback');
    this.#network ??= networks[0];
    const known = this.#network;
    if (known !== 'public' && known !== 'private') return false;
    return networks.every((network) => network === known);
  }
}

/** Maximum number of connections. They stay open for the next request. */
const CONNECTIONS = 4;

/** A fetch that follows no redirects, and connects only to the addresses that its policy allows. */
export interface GuardedFetch {
  readonly fetch: Fetch;
  /** Closes the connections. */
  close(): void;
}

export function guardedFetch(policy: AddressPolicy): GuardedFetch {
  const lookup = guardedLookup(policy);
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, maxSockets: CONNECTIONS }),
    'https:': new HttpsAgent({ keepAlive: true, maxSockets: CONNECTIONS }),
  };
  const fetch: Fetch = (address, init) =>
    new Promise((resolve, reject) => {
      const url = new URL(address);
      const literal = url.hostname.replace(/^\[|\]$/g, '');
      // Node does not call `lookup` for IP addresses, so they are checked here.
      if (ipaddr.isValid(literal) && !policy.allows([literal])) {
        reject(new PrivateAddressError(literal));
        return;
      }
      const isSecure = url.protocol === 'https:';
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method: 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        lookup,
        agent: isSecure ? agents['https:'] : agents['http:'],
        signal: init.signal ?? undefined,
      });
      request.on('error', reject);
      request.on('response', (response) => {
        try {
          resolve(responseOf(response));
        } catch (error) {
          response.destroy();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      request.end();
    });
  return {
    fetch,
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

function guardedLookup(policy: AddressPolicy): LookupFunction {
  return (hostname, options, callback) => {
    const all: LookupAllOptions = { ...options, all: true };
    lookUp(hostname, all, (error, addresses: LookupAddress[]) => {
      if (error) {
        callback(error, []);
        return;
      }
      if (addresses.length === 0 || !policy.allows(addresses.map(({ address }) => address))) {
        callback(new PrivateAddressError(hostname), []);
        return;
      }
      const [first] = addresses;
      if (options.all === true) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}

function responseOf(incoming: IncomingMessage): Response {
  const status = incoming.statusCode ?? 0;
  if (status < 200 || status > 599) throw new Error(`HTTP status ${status}`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  if (status === 204 || status === 205 || status === 304) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  const decoder = decoderFor(headers.get('content-encoding'));
  // The callback ignores the error of a broken stream, because the reader of the body gets it.
  const body = decoder ? pipeline(incoming, decoder, () => undefined) : incoming;
  // The stream types of Node and of the web differ only in their names.
  return new Response(Readable.toWeb(body) as ReadableStream<Uint8Array>, { status, headers });
}

function decoderFor(encoding: string | null): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
