/** Addresses that people type or paste: checked, with the reason where one is wrong. */
import { parseUrl } from './parseUrl';

/** Why an input was refused. `message` is English, with `{0}` for `detail`; translate it. */
export interface Refusal<Reason extends string = RefusalReason> {
  readonly ok: false;
  readonly reason: Reason;
  readonly message: string;
  /** What of the input is meant. Never a key. */
  readonly detail?: string;
}

export type RefusalReason = keyof typeof refusals;

/** Every sentence about a base address in one place, so that the workbench can translate them all. */
export const refusals = {
  empty: 'Nothing was entered.',
  'no-scheme': 'The base address must start with https://, such as https://{0}.',
  'not-an-address': '“{0}” is not an address.',
  'wrong-scheme': 'The base address must start with https://, not {0}//.',
  'not-loopback':
    'The base address must start with https://: only an address of this machine may use http://, as {0} would get the key unprotected.',
  'has-user': 'The base address must not hold a user name or a password.',
  'has-query': 'The base address must not hold a query (?…) or a fragment (#…).',
} as const;

function refuse(reason: RefusalReason, detail?: string): Refusal {
  return {
    ok: false,
    reason,
    message: refusals[reason],
    ...(detail === undefined ? {} : { detail }),
  };
}

/** Hosts that never leave this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/**
 * Checks a base address. A path is kept (platform-api.md only says `{base_url}`), a slash at its
 * end is not. `http:` is taken for this machine alone.
 * @returns `baseUrl` normalised by the URL parser, and the `origin` that its key is bound to.
 */
export function parseBaseUrl(
  text: string,
): { readonly ok: true; readonly baseUrl: string; readonly origin: string } | Refusal {
  const trimmed = text.trim();
  if (trimmed === '') return refuse('empty');
  if (!/^[a-z][a-z0-9+.-]*:/i.test(trimmed) || /^(localhost|[\w.-]+\.[\w-]+):\d/i.test(trimmed)) {
    return refuse('no-scheme', cut(trimmed));
  }
  const url = parseUrl(trimmed);
  if (!url) return refuse('not-an-address', cut(trimmed));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return refuse('wrong-scheme', url.protocol);
  }
  if (url.username !== '' || url.password !== '') return refuse('has-user');
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    return refuse('not-loopback', url.host);
  }
  // A lone "?" or "#" has no search or hash, but would swallow what is put behind it.
  if (/[?#]/.test(trimmed)) return refuse('has-query');
  return {
    ok: true,
    baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    origin: url.origin,
  };
}

/** The two APIs of the platform, each with a base address of its own. */
export type Api = 'assistant' | 'export';

/** Paths of our own requests behind a base address, which nobody's base address ends in. */
const endpointPath =
  /\/(?:v2\/assistant(?:\/(?<domain>[^/]+)(?:\/message)?)?|v1\/static-export(?:\/jobs(?:\/[^/]+(?:\/bundle)?)?)?)$/;

const versionPaths: Readonly<Record<Api, string>> = { assistant: '/v2', export: '/v1' };

/**
 * Checks the address of an API as people paste it: the base address, or one with the API's own
 * version or endpoint behind it, which is left out. Without this, requests would go to `/v1/v1/…`.
 * A base address that ends in such a path of its own is entered with the API's path behind it:
 * `https://host/v1/v1`.
 *
 * @returns as {@link parseBaseUrl}; `domain` where the address of a message endpoint names one.
 */
export function parseApiAddress(
  text: string,
  api: Api,
):
  | {
      readonly ok: true;
      readonly baseUrl: string;
      readonly origin: string;
      readonly domain?: string;
    }
  | Refusal {
  const parsed = parseBaseUrl(text);
  if (!parsed.ok) return parsed;
  const { origin } = parsed;
  // Of the path alone: a host may be called v1.
  const path = parsed.baseUrl.slice(origin.length);
  const endpoint = endpointPath.exec(path);
  const domain = endpoint?.groups?.['domain'];
  const base = endpoint ? path.slice(0, endpoint.index) : withoutEnd(path, versionPaths[api]);
  return {
    ok: true,
    baseUrl: `${origin}${base.replace(/\/+$/, '')}`,
    origin,
    ...(domain !== undefined && isDomain(domain) ? { domain } : {}),
  };
}

/** Returns the text that {@link parseApiAddress} reads as that base address, to be stored. */
export function apiAddressText(baseUrl: string, api: Api): string {
  const parsed = parseApiAddress(baseUrl, api);
  return parsed.ok && parsed.baseUrl !== baseUrl ? `${baseUrl}${versionPaths[api]}` : baseUrl;
}

function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/** Scheme, host and port that a key is bound to; undefined for what {@link parseBaseUrl} refuses. */
export function originOf(baseUrl: string): string | undefined {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? parsed.origin : undefined;
}

/** True for what can stand as the domain in the endpoint's path. */
export function isDomain(text: string): boolean {
  return text.length <= 253 && /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/.test(text);
}

/**
 * Where a site's questions go.
 *
 * @param baseUrl as {@link parseBaseUrl} gives it.
 * @see platform-api.md § Create an Assistant message
 */
export function messageEndpoint(baseUrl: string, domain: string): string {
  return `${baseUrl}/v2/assistant/${encodeURIComponent(domain)}/message`;
}

/** True for what can go into a header as it is: visible ASCII, so no header can be added to it. */
export function isHeaderSafe(key: string): boolean {
  return key.length <= 4096 && /^[\x21-\x7e]+$/.test(key);
}

/** For a refusal's `detail`. */
export function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
