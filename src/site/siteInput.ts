/** Sites and keys that people type or paste: checked, with the reason where one is wrong. */
import {
  cut,
  isDomain,
  isHeaderSafe,
  isIpAddress,
  isLoopbackHost,
  parseApiAddress,
  refusals,
  type Refusal,
} from '../common/http/address';
import type { Translate } from '../common/errors';
import { parseUrl } from '../shared/links';

/** Every sentence in one place, so that the workbench can translate them all. */
const siteRefusals = {
  empty: refusals.empty,
  'not-an-address': refusals['not-an-address'],
  'domain-has-slash':
    '“{0}” is not a docs site. Enter the site’s domain, its URL, or the URL of its dashboard.',
  'not-a-domain':
    '“{0}” is not a valid domain. Use letters, digits, hyphens, dots, and underscores.',
  'no-domain-in-address':
    'The URL of {0} doesn’t name a docs site. Enter the site’s URL, the URL of its dashboard, or its domain.',
  'key-has-spaces': 'Keys can’t contain spaces or line breaks. Copy only the key.',
  'key-has-other-characters': 'Keys can contain only ASCII letters, digits, and symbols.',
  'key-form':
    'This is not an assistant key. Assistant keys look like <prefix>_dsc_<letters and digits>.',
} as const;

type SiteRefusal = Refusal<
  keyof typeof siteRefusals,
  (typeof siteRefusals)[keyof typeof siteRefusals]
>;

function refuse(reason: keyof typeof siteRefusals, detail?: string): SiteRefusal {
  return {
    ok: false,
    reason,
    message: siteRefusals[reason],
    detail,
  };
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
 * Finds the domain in a bare domain, a site's address `<domain>.<host>`, a dashboard's address
 * `<dashboard>/<organization>/<domain>`, or the message endpoint's own address (platform-api.md
 * § Create an Assistant message).
 *
 * @returns `domain`, the likelier reading; `alternative`, the other one, where an address with a
 * path could be either a page of a site or a dashboard; `baseUrl` where it is the endpoint's.
 */
export function parseSiteInput(text: string):
  | {
      readonly ok: true;
      readonly domain: string;
      readonly alternative?: string;
      readonly baseUrl?: string;
    }
  | SiteRefusal {
  const trimmed = text.trim();
  if (trimmed === '') return refuse('empty');
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const [head = ''] = trimmed.split('/');
  if (!hasScheme && !head.includes('.') && !head.includes(':')) {
    if (trimmed.includes('/')) return refuse('domain-has-slash', cut(trimmed));
    return isDomain(trimmed) ? { ok: true, domain: trimmed } : refuse('not-a-domain', cut(trimmed));
  }
  const address = hasScheme ? trimmed : `https://${trimmed}`;
  const url = parseUrl(address);
  if (!url || !/^https?:$/.test(url.protocol)) return refuse('not-an-address', cut(trimmed));
  const endpoint = parseApiAddress(address, 'assistant');
  if (endpoint.ok && endpoint.domain !== undefined) {
    return { ok: true, domain: endpoint.domain, baseUrl: endpoint.baseUrl };
  }
  return domainInAddress(url);
}

function domainInAddress(
  url: URL,
): { readonly ok: true; readonly domain: string; readonly alternative?: string } | SiteRefusal {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  const lastSegment = segments.at(-1);
  const labels = url.hostname.split('.');
  const isSiteHost =
    labels.length >= 3 && !isLoopbackHost(url.hostname) && !isIpAddress(url.hostname);
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
    alternative:
      domain === undefined || alternative === undefined || dashboardLabels.has(alternative)
        ? undefined
        : alternative,
  };
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
): { readonly ok: true; readonly kind: KeyKind; readonly key: string } | SiteRefusal {
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

/** Returns the sentence why a text is no assistant key, or undefined if it is one. */
export function assistantKeyProblem(text: string, t: Translate): string | undefined {
  const checked = keyKind(text);
  if (!checked.ok) return t(checked.message, checked.detail ?? '');
  switch (checked.kind) {
    case 'assistant':
      return undefined;
    case 'admin':
      return t(
        'This is an admin key, which is a secret. Enter an assistant key, which has “_dsc_” after its prefix.',
      );
    case 'user':
      return t(
        'This is a user key (“_us_”). Enter an assistant key, which has “_dsc_” after its prefix.',
      );
  }
}
