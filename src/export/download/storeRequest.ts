/** One request for a bundle to the object store that holds it (field-notes.md § Static export). */
import { GuardedRequest, type RequestTimeouts } from '../common/guardedRequest';
import { parseHttpDate } from '../common/httpDate';
import type { Clock, Fetch, Log } from '../common/ports';
import { isRedirect, retryAfterMs } from '../common/responseErrors';
import { parseUrl } from '../common/parseUrl';
import { bundleAddress, linkRefusals, parseBundleUrl } from './bundle';
import { ExportError } from './exportErrors';
import { withoutUndefined } from './withoutUndefined';

/** What tells one version of an archive from another. */
export interface Validators {
  /** Origin and path of the link: a date is comparable at the same address alone. */
  readonly address: string;
  /** A strong entity tag, with its quotes. */
  readonly etag?: string;
  /** An HTTP date, where it can stand for a version (RFC 9110 § 8.8.2.2). */
  readonly lastModified?: string;
  readonly totalBytes?: number;
}

/** How the store answered. Only `body` leaves a connection open. */
export type StoreReply =
  | {
      readonly name: 'body';
      readonly request: GuardedRequest;
      /** Where in the archive the body starts. */
      readonly from: number;
      readonly validators: Validators;
      /** True where the body was encoded for the way: then no length counts its decoded bytes. */
      readonly isEncoded: boolean;
    }
  /** The range that was asked for cannot be had: the archive is another one, or shorter. */
  | { readonly name: 'out-of-range' }
  /** The link is not, or no longer, good. */
  | {
      readonly name: 'refused';
      readonly status: number;
      readonly code?: string;
      readonly isExpired: boolean;
    }
  /** May be better soon. `waitMs` is the shortest wait, where the store told one. */
  | { readonly name: 'busy'; readonly status: number; readonly waitMs?: number };

export interface StoreRequestOptions {
  readonly url: string;
  /** The rest of the archive from that byte on; 0 for the whole. */
  readonly from: number;
  /** What the start came with; undefined only for the whole. */
  readonly ifRange?: string | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeouts: RequestTimeouts;
  readonly signal: AbortSignal;
}

const MAX_REDIRECTS = 5;

/** An error's XML body is a few hundred bytes. */
const MAX_ERROR_BYTES = 16 * 1024;

/** Statuses that another try may not meet. */
const passingStatuses = new Set([408, 425, 429]);

/**
 * Asks the store for the archive, or for its rest.
 *
 * The request carries nothing but the range: no `Authorization`, which stores reject beside a
 * presigned link and which is none of their business, and no cookies. Redirects are followed by
 * hand, each target checked as the link itself was (faults.md D10).
 *
 * @throws {ExportError} `link-refused`.
 * @throws {DocsAssistantError} `timed-out`, `offline`, `insecure-connection`, `proxy-refused`.
 */
export async function requestArchive(options: StoreRequestOptions): Promise<StoreReply> {
  let link = parseBundleUrl(options.url, options.url);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (!link.ok) throw refusedLink(link.reason, options.url);
    const { url } = link;
    const { request, response } = await send(url, options);
    let isOpen = false;
    try {
      if (!isRedirect(response)) {
        const reply = await read(response, request, options);
        isOpen = reply.name === 'body';
        return reply;
      }
    } finally {
      if (!isOpen) request.close();
    }
    const location = response.headers.get('location');
    if (location === null) throw refusedLink(linkRefusals['redirects-nowhere'], url);
    const target = parseUrl(location, url)?.href ?? location;
    link = parseBundleUrl(target, url);
  }
  throw refusedLink(linkRefusals['too-many-redirects'], options.url);
}

function refusedLink(reason: string, url: string): ExportError {
  return new ExportError('link-refused', { reason, host: new URL(url).host });
}

async function send(
  url: string,
  { from, ifRange, fetch, clock, log, timeouts, signal }: StoreRequestOptions,
): Promise<{ request: GuardedRequest; response: Response }> {
  const request = new GuardedRequest({ url, fetch, clock, signal, settings: timeouts });
  const startedAt = clock.now();
  try {
    const response = await request.send({
      // Ranges and lengths are those of the stored bytes only if nothing encodes them on the way. A
      // fetch asks for that by itself where there is a range.
      headers:
        from === 0
          ? { 'accept-encoding': 'identity' }
          : withoutUndefined({ range: `bytes=${from}-`, 'if-range': ifRange }),
      redirect: 'manual',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    const ms = Math.round(clock.now() - startedAt);
    const range = from === 0 ? '' : ` from byte ${from}`;
    log.debug(`GET ${bundleAddress(url)}${range}: ${response.status} after ${ms} ms`);
    return { request, response };
  } catch (error) {
    request.close();
    throw error;
  }
}

async function read(
  response: Response,
  request: GuardedRequest,
  { url, from, clock }: StoreRequestOptions,
): Promise<StoreReply> {
  const { status, headers } = response;
  const encoding = headers.get('content-encoding') ?? 'identity';
  const isEncoded = !/^\s*identity\s*$/i.test(encoding);
  if (status === 200) {
    const totalBytes = isEncoded ? undefined : wholeNumber(headers.get('content-length'));
    const validators = validatorsOf(headers, url, totalBytes, clock.now());
    return { name: 'body', request, from: 0, validators, isEncoded };
  }
  if (status === 206) {
    const range = contentRange(headers.get('content-range'));
    if (from === 0 || range?.from !== from || isEncoded) return { name: 'out-of-range' };
    const validators = validatorsOf(headers, url, range.totalBytes, clock.now());
    return { name: 'body', request, from, validators, isEncoded };
  }
  if (status === 412 || status === 416) return { name: 'out-of-range' };
  if (status >= 500 || passingStatuses.has(status)) {
    return withoutUndefined({
      name: 'busy' as const,
      status,
      waitMs: retryAfterMs(headers, clock),
    });
  }
  const text = await request.readText(MAX_ERROR_BYTES);
  const code = /<Code>\s*([A-Za-z][A-Za-z0-9.]{0,79})\s*<\/Code>/.exec(text)?.[1];
  const isExpired = code === 'ExpiredToken' || /\bexpired\b/i.test(text);
  return withoutUndefined({ name: 'refused' as const, status, code, isExpired });
}

function validatorsOf(
  headers: Headers,
  url: string,
  totalBytes: number | undefined,
  now: number,
): Validators {
  const etag = headers.get('etag') ?? undefined;
  return withoutUndefined({
    address: bundleAddress(url),
    // A weak tag says "as good as", which is not good enough to put two halves together.
    etag: etag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : undefined,
    lastModified: strongDate(headers, now),
    totalBytes,
  });
}

/** A date stands for one version only if the answer was made in a later second than the archive. */
function strongDate(headers: Headers, now: number): string | undefined {
  const lastModified = headers.get('last-modified');
  const changed = parseHttpDate(lastModified ?? '', now);
  const sent = parseHttpDate(headers.get('date') ?? '', now);
  if (lastModified === null || changed === undefined || sent === undefined) return undefined;
  return sent - changed >= 1000 ? lastModified : undefined;
}

function contentRange(
  value: string | null,
): { from: number; totalBytes: number | undefined } | undefined {
  const [, from, total] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/i.exec(value ?? '') ?? [];
  if (from === undefined || total === undefined) return undefined;
  return { from: Number(from), totalBytes: total === '*' ? undefined : Number(total) };
}

function wholeNumber(value: string | null): number | undefined {
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/**
 * What to send as `If-Range` to get the rest of that version from the address; undefined where
 * nothing tells versions apart.
 */
export function ifRangeFor(known: Validators, url: string): string | undefined {
  return known.etag ?? (known.address === bundleAddress(url) ? known.lastModified : undefined);
}

/** True if two answers are surely about the same bytes. */
export function isSameArchive(known: Validators, told: Validators): boolean {
  if (known.totalBytes !== undefined && told.totalBytes !== known.totalBytes) return false;
  if (known.etag !== undefined) return told.etag === known.etag;
  return (
    known.lastModified !== undefined &&
    known.address === told.address &&
    told.lastModified === known.lastModified
  );
}
