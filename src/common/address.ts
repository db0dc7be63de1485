/** What people type or paste when they set up a site: checked, with the reason where it is wrong. */

/** Why an input was refused. `message` is English, with `{0}` for `detail`; translate it. */
export interface Refusal {
  readonly ok: false;
  readonly reason: RefusalReason;
  readonly message: string;
  /** What of the input is meant. Never a key. */
  readonly detail?: string;
}

export type RefusalReason = keyof typeof refusals;

/** Every sentence in one place, so that the workbench can translate them all. */
export const refusals = {
  empty: 'Nothing was entered.',
  'no-scheme': 'The base address must start with https://, such as https://{0}.',
  'not-an-address': '“{0}” is not an address.',
  'wrong-scheme': 'The base address must start with https://, not {0}//.',
  'not-loopback':
    'The base address must start with https://: only an address of this machine may use http://, as {0} would get the key unprotected.',
  'has-user': 'The base address must not hold a user name or a password.',
  'has-query': 'The base address must not hold a query (?…) or a fragment (#…).',
  'domain-has-slash':
    '“{0}” is not a docs site. Enter its domain alone, its address, or the address of its dashboard.',
  'not-a-domain':
    '“{0}” is not a docs site’s domain: it has letters, digits, hyphens, dots and underscores.',
  'no-domain-in-address':
    'The address of {0} names no docs site. Enter the site’s own address, its dashboard’s address, or its domain.',
  'key-has-spaces':
    'A key has no spaces or line breaks in it. Copy the whole key and nothing else.',
  'key-has-other-characters': 'A key has only plain letters, digits and signs in it.',
  'key-form': 'This is not a key: an assistant key looks like <prefix>_dsc_<letters and digits>.',
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
  if (!URL.canParse(trimmed)) return refuse('not-an-address', cut(trimmed));
  const url = new URL(trimmed);
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

/** Words that dashboards, not docs sites, have as the first label of their host. */
const dashboardLabels = new Set([
  'admin',
  'app',
  'console',
  'dash',
  'dashboard',
  'manage',
  'my',
  'portal',
]);

/**
 * Finds the domain in a bare domain, a site's address `<domain>.<host>` or a dashboard's address
 * `<dashboard>/<organization>/<domain>` (platform-api.md § Create an Assistant message).
 *
 * @returns `domain`, the likelier reading; `alternative`, the other one, where an address with a
 * path could be either a page of a site or a dashboard. Neither tells the base address.
 */
export function parseSiteInput(
  text: string,
): { readonly ok: true; readonly domain: string; readonly alternative?: string } | Refusal {
  const trimmed = text.trim();
  if (trimmed === '') return refuse('empty');
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const [head = ''] = trimmed.split('/');
  if (!hasScheme && !head.includes('.') && !head.includes(':')) {
    if (trimmed.includes('/')) return refuse('domain-has-slash', cut(trimmed));
    return isDomain(trimmed) ? { ok: true, domain: trimmed } : refuse('not-a-domain', cut(trimmed));
  }
  const address = hasScheme ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(address)) return refuse('not-an-address', cut(trimmed));
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) return refuse('not-an-address', cut(trimmed));
  return domainInAddress(url);
}

function domainInAddress(
  url: URL,
): { readonly ok: true; readonly domain: string; readonly alternative?: string } | Refusal {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const lastSegment = segments.at(-1);
  const labels = url.hostname.split('.');
  const isSiteHost = labels.length >= 3 && !isLoopbackHost(url.hostname) && !isIpAddress(url);
  const ofSite = isSiteHost ? labels[0] : undefined;
  const ofDashboard = lastSegment !== undefined && isDomain(lastSegment) ? lastSegment : undefined;
  const isDashboard = segments.length === 2 || dashboardLabels.has(labels[0] ?? '');
  const [domain, alternative] =
    isDashboard && ofDashboard !== undefined ? [ofDashboard, ofSite] : [ofSite, ofDashboard];
  const found = domain ?? alternative;
  if (found === undefined) return refuse('no-domain-in-address', url.host);
  return {
    ok: true,
    domain: found,
    ...(domain === undefined || alternative === undefined || dashboardLabels.has(alternative)
      ? {}
      : { alternative }),
  };
}

function isIpAddress(url: URL): boolean {
  return url.hostname.startsWith('[') || /^[\d.]+$/.test(url.hostname);
}

/** The kinds of key by their form. A `user` key works with neither API (field-notes.md § Keys). */
export type KeyKind = 'assistant' | 'admin' | 'user';

/**
 * Tells a key's kind by its form and cleans what is pasted with it: spaces around it, quotes, and
 * a leading `Bearer`. An assistant key also begins like an admin key, so its mark is looked for
 * first (platform-api.md § Authentication).
 */
export function keyKind(
  text: string,
): { readonly ok: true; readonly kind: KeyKind; readonly key: string } | Refusal {
  const key = text
    .trim()
    .replace(/^Bearer\s+/i, '')
    .replace(/^(["'`])(.*)\1$/, '$2')
    .trim();
  if (key === '') return refuse('empty');
  if (/\s/.test(key)) return refuse('key-has-spaces');
  if (!isHeaderSafe(key)) return refuse('key-has-other-characters');
  if (/^[A-Za-z0-9-]+_dsc_[^_].*$/.test(key)) return { ok: true, kind: 'assistant', key };
  if (/^[A-Za-z0-9-]+_us_./.test(key)) return { ok: true, kind: 'user', key };
  if (/^[A-Za-z0-9-]+_(?!dsc_?$|us_?$)./.test(key)) return { ok: true, kind: 'admin', key };
  return refuse('key-form');
}

/** True for what can go into a header as it is: visible ASCII, so no header can be added to it. */
export function isHeaderSafe(key: string): boolean {
  return key.length <= 4096 && /^[\x21-\x7e]+$/.test(key);
}

function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 79)}…`;
}
