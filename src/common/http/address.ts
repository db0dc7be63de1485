/** Checks of URLs that people type or paste, with the reason for a refusal. */
import { parseUrl } from '../../shared/links';

/**
 * Reason why an input was refused. `message` is English, with `{0}` for `detail`, to be translated.
 */
export interface Refusal<
  Reason extends string = RefusalReason,
  Message extends string = (typeof refusals)[RefusalReason],
> {
  readonly ok: false;
  readonly reason: Reason;
  /** English, with `{0}` for `detail`, to be translated. */
  readonly message: Message;
  /** Part of the input that the message is about. Never a key. */
  readonly detail?: string;
}

type RefusalReason = keyof typeof refusals;

/** Sentences about base URLs, in one place so that all of them can be translated. */
export const refusals = {
  empty: 'Enter a value.',
  'no-scheme': 'The base URL must start with https://, such as https://{0}.',
  'not-an-address': '“{0}” is not a URL.',
  'wrong-scheme': 'The base URL must start with https://, not {0}//.',
  'not-loopback':
    'The base URL must start with https://. Over http://, the key would be sent to {0} unencrypted. Only this machine may use http://.',
  'has-user': 'The base URL must not contain a user name or password.',
  'has-query': 'The base URL must not contain a query (?…) or fragment (#…).',
} as const;

function refuse(reason: RefusalReason, detail?: string): Refusal {
  return {
    ok: false,
    reason,
    message: refusals[reason],
    detail,
  };
}

/** Returns whether a host is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}

/** Returns whether a host of a URL is an IP address. */
export function isIpAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
}

/**
 * Checks a base URL. A path is kept (platform-api.md only says `{base_url}`), but not a slash at
 * its end. `http:` is accepted for this machine only.
 * @returns `baseUrl` normalized by the URL parser, and the `origin` that its key is bound to.
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

/** APIs of the platform. Each has a base URL of its own. */
type Api = 'assistant' | 'export';

/** Paths of the APIs' endpoints, which no base URL ends in. */
const endpointPath =
  /\/(?:v2\/assistant(?:\/(?<domain>[^/]+)(?:\/message)?)?|v1\/static-export(?:\/jobs(?:\/[^/]+(?:\/bundle)?)?)?)$/;

const versionPaths: Readonly<Record<Api, string>> = { assistant: '/v2', export: '/v1' };

/**
 * Checks the URL of an API as people paste it: the base URL, or one with the API's version or
 * endpoint behind it, which is removed. Otherwise requests would go to `/v1/v1/…`. A base URL that
 * really ends in such a path is entered with the API's path behind it: `https://host/v1/v1`.
 *
 * @returns as {@link parseBaseUrl}, with `domain` if the URL is that of a message endpoint.
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
  // Only the path is checked, because a host can be named v1.
  const path = parsed.baseUrl.slice(origin.length);
  const endpoint = endpointPath.exec(path);
  const domain = endpoint?.groups?.['domain'];
  const base = endpoint ? path.slice(0, endpoint.index) : withoutEnd(path, versionPaths[api]);
  return {
    ok: true,
    baseUrl: `${origin}${base.replace(/\/+$/, '')}`,
    origin,
    domain: domain !== undefined && isDomain(domain) ? domain : undefined,
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

/**
 * Returns the scheme, host and port that a key is bound to, or undefined for a URL that {@link
 * parseBaseUrl} refuses.
 */
export function originOf(baseUrl: string): string | undefined {
  const parsed = parseBaseUrl(baseUrl);
  return parsed.ok ? parsed.origin : undefined;
}

/** Returns whether the text can be the domain in the endpoint's path. */
export function isDomain(text: string): boolean {
  return text.length <= 253 && /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/.test(text);
}

/**
 * Returns the URL that a site's questions are sent to.
 *
 * @param baseUrl as {@link parseBaseUrl} returns it.
 * @see platform-api.md § Create an Assistant message
 */
export function messageEndpoint(baseUrl: string, domain: string): string {
  return `${baseUrl}/v2/assistant/${encodeURIComponent(domain)}/message`;
}

/**
 * Returns whether the key can be a header's value: visible ASCII, so that it can't add another
 * header.
 */
export function isHeaderSafe(key: string): boolean {
  return key.length <= 4096 && /^[\x21-\x7e]+$/.test(key);
}

/** Returns the text cut to 80 characters, for the detail of a refusal. */
export function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}

/**
 * Returns whether a host has the form `<domain>.<host>` of a site's URL.
 *
 * @see platform-api.md § Create an Assistant message
 */
export function isHostOfDomain(host: string, domain: string): boolean {
  const [first, ...rest] = host.toLowerCase().split('.');
  return first === domain.toLowerCase() && rest.length > 1;
}
