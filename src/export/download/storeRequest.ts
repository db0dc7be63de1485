/** One request for a bundle to its object store (field-notes.md § Static export). */
import { GuardedRequest, type RequestTimeouts } from '../../common/http/guardedRequest';
import { isRedirect, parseHttpDate, retryAfterMs } from '../../common/http/responseErrors';
import type { Clock, Fetch, Log } from '../../common/ports';
import { parseUrl } from '../../shared/links';
import { ExportError } from '../exportErrors';
import { mayPass } from '../job/refusals';
import { withoutUndefined } from '../../common/withoutUndefined';
import { bundleAddress, linkRefusals, parseBundleUrl, type LinkRefusal } from './bundleLink';

/** Values that distinguish versions of an archive. */
export interface ArchiveValidators {
  /** Origin and path of the link. Dates can be compared only for the same URL. */
  readonly address: string;
  /** Strong entity tag, with its quotes. */
  readonly etag?: string;
  /** HTTP date, if it identifies a version (RFC 9110 § 8.8.2.2). */
  readonly lastModified?: string;
  readonly totalBytes?: number;
}

/** Response of the store. Only `body` leaves a connection open. */
export type StoreReply =
  | {
      readonly name: 'body';
      readonly request: GuardedRequest;
      /** Offset of the body in the archive. */
      readonly from: number;
      readonly validators: ArchiveValidators;
      /** Whether the body was encoded for transfer. Then no length counts its decoded bytes. */
      readonly isEncoded: boolean;
    }
  /** The requested range is not available, because the archive has changed or is shorter. */
  | { readonly name: 'out-of-range' }
  /** The link is invalid or has expired. */
  | {
      readonly name: 'refused';
      readonly status: number;
      readonly code?: string;
      readonly isExpired: boolean;
    }
  /** The failure may be temporary. `waitMs` is the minimum wait, if the store gave one. */
  | { readonly name: 'busy'; readonly status: number; readonly waitMs?: number };

interface StoreRequestOptions {
  readonly url: string;
  /** Offset of the first byte to request. 0 requests the whole archive. */
  readonly from: number;
  /** Validator of the downloaded part. Undefined only for the whole archive. */
  readonly ifRange?: string | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
  readonly timeouts: RequestTimeouts;
  readonly signal: AbortSignal;
}

const MAX_REDIRECTS = 5;

/** Maximum size of an error's XML body, which usually has a few hundred bytes. */
const MAX_ERROR_BYTES = 16 * 1024;

/**
 * Requests the archive, or the rest of it, from the store.
 *
 * The request carries only the range. It has no `Authorization`, which stores reject together with a
 * presigned link, and no cookies. Each target of a redirect is checked like the link itself
 * (faults.md D10).
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

function refusedLink(reason: LinkRefusal, url: string): ExportError {
  return new ExportError('link-refused', { reason: (t) => t(reason), host: new URL(url).host });
}

async function send(
  url: string,
  { from, ifRange, fetch, clock, log, timeouts, signal }: StoreRequestOptions,
): Promise<{ request: GuardedRequest; response: Response }> {
  const request = new GuardedRequest({ url, fetch, clock, signal, settings: timeouts });
  const startedAt = clock.now();
  try {
    const response = await request.send({
      // Ranges and lengths count the stored bytes only without a transfer encoding. For a range,
      // fetch sends `identity` itself.
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
  if (mayPass(status)) {
    return { name: 'busy', status, waitMs: retryAfterMs(headers, clock) };
  }
  const text = await request.readText(MAX_ERROR_BYTES);
  const code = /<Code>\s*([A-Za-z][A-Za-z0-9.]{0,79})\s*<\/Code>/.exec(text)?.[1];
  const isExpired = code === 'ExpiredToken' || /\bexpired\b/i.test(text);
  return { name: 'refused', status, code, isExpired };
}

function validatorsOf(
  headers: Headers,
  url: string,
  totalBytes: number | undefined,
  now: number,
): ArchiveValidators {
  const etag = headers.get('etag') ?? undefined;
  return withoutUndefined({
    address: bundleAddress(url),
    // A weak tag means "equivalent", which is not enough to join two halves.
    etag: etag !== undefined && /^"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : undefined,
    lastModified: strongDate(headers, now),
    totalBytes,
  });
}

/** Returns a date that identifies a version: the response must be a full second newer than it. */
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
 * Returns the `If-Range` value for the rest of a known version, or undefined if nothing distinguishes
 * versions.
 */
export function ifRangeFor(known: ArchiveValidators, url: string): string | undefined {
  return known.etag ?? (known.address === bundleAddress(url) ? known.lastModified : undefined);
}

/** Returns whether two responses certainly belong to the same bytes. */
export function isSameArchive(known: ArchiveValidators, told: ArchiveValidators): boolean {
  if (known.totalBytes !== undefined && told.totalBytes !== known.totalBytes) return false;
  if (known.etag !== undefined) return told.etag === known.etag;
  return (
    known.lastModified !== undefined &&
    known.address === told.address &&
    told.lastModified === known.lastModified
  );
}
