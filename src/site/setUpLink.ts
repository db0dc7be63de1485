/**
 * Links that set up a docs site, `/setup?base=…&site=…&key=…`. Anyone can make one, so they aren't
 * trusted.
 */
import { apiAddressText, isDomain, parseApiAddress } from '../common/http/address';
import type { Translate } from '../common/errors';
import { keyKind } from './siteInput';

/** A site, as a link names it. Nothing is set up until the reader confirms it. */
export interface SetUpLink {
  /** Base URL as `parseApiAddress` returns it: the host is in its ASCII form. */
  readonly baseUrl: string;
  /** Scheme, host and port that the key is bound to. */
  readonly origin: string;
  readonly domain: string;
  /** Assistant key, which the contract calls public. Absent if the link has none. */
  readonly key?: string;
}

/** Reason why a link sets up nothing. */
export type SetUpLinkProblem =
  | 'damaged'
  | 'too-long'
  | 'repeated'
  | 'incomplete'
  | 'hidden-characters'
  | 'not-https'
  | 'bad-base'
  | 'bad-site'
  | 'admin-key'
  | 'user-key'
  | 'key-too-long'
  | 'bad-key';

/** Most characters of a link's query that are read: all three values at their longest, encoded. */
const MAX_QUERY_LENGTH = 32_000;
/** Longest base URL, which is the limit of the setting too. */
const MAX_BASE_LENGTH = 1000;
/** Longest key. Keys of the platform have about 50 characters, and a token can have some hundred. */
const MAX_KEY_LENGTH = 2000;

const names = ['base', 'site', 'key'] as const;
type Name = (typeof names)[number];

/** Characters that nobody sees, and spaces: none belongs in an address, a site's name, or a key. */
const hidden = /[\s\p{Cc}\p{Cf}\p{Co}\p{Surrogate}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Reads the query of a set-up link. Parameters with other names are left out, as a newer version
 * may have more.
 *
 * @param query as `vscode.Uri.query`, which VS Code has decoded once.
 */
export function parseSetUpLink(query: string): SetUpLink | { readonly problem: SetUpLinkProblem } {
  if (query.length > MAX_QUERY_LENGTH) return { problem: 'too-long' };
  const values = parametersOf(query);
  if (typeof values === 'string') return { problem: values };
  const { base = '', site = '', key } = values;
  if (base === '' || site === '') return { problem: 'incomplete' };
  if ([base, site, key ?? ''].some((value) => hidden.test(value))) {
    return { problem: 'hidden-characters' };
  }
  const address = addressOf(base, site);
  if (typeof address === 'string') return { problem: address };
  if (key === undefined) return { ...address, domain: site };
  const kind = kindOf(key);
  return kind === 'assistant' ? { ...address, domain: site, key } : { problem: kind };
}

/** Returns the parameters by name, or why they can't be read. */
function parametersOf(query: string): Partial<Record<Name, string>> | SetUpLinkProblem {
  const values: Partial<Record<Name, string>> = {};
  for (const parameter of query.trim().split('&')) {
    const equals = parameter.indexOf('=');
    // A value with an "&" of its own would lose its end.
    if (equals < 1) return parameter === '' ? 'incomplete' : 'damaged';
    const name = names.find((known) => known === parameter.slice(0, equals));
    if (name === undefined) continue;
    if (values[name] !== undefined) return 'repeated';
    values[name] = parameter.slice(equals + 1);
  }
  // Links are encoded twice if a value needs it, and by some programs that hand links on.
  if (!/^https?%3a/i.test(values.base ?? '')) return values;
  try {
    for (const name of names) {
      const value = values[name];
      if (value !== undefined) values[name] = decodeURIComponent(value);
    }
    return values;
  } catch {
    return 'damaged';
  }
}

function addressOf(
  base: string,
  site: string,
): Pick<SetUpLink, 'baseUrl' | 'origin'> | SetUpLinkProblem {
  if (base.length > MAX_BASE_LENGTH || base.includes('\\')) return 'bad-base';
  const parsed = parseApiAddress(base, 'assistant');
  if (!parsed.ok) {
    const isScheme = ['no-scheme', 'wrong-scheme', 'not-loopback'].includes(parsed.reason);
    return isScheme ? 'not-https' : 'bad-base';
  }
  const { baseUrl, origin, domain } = parsed;
  const { hostname } = new URL(origin);
  // The URL parser takes "host&name=value" for a host.
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(hostname)) return 'bad-base';
  if (!isDomain(site) || (domain !== undefined && domain !== site)) return 'bad-site';
  return { baseUrl, origin };
}

function kindOf(key: string): 'assistant' | SetUpLinkProblem {
  if (key.length > MAX_KEY_LENGTH) return 'key-too-long';
  const parsed = keyKind(key);
  // People paste keys with quotes around them, but a link is made by a program.
  if (!parsed.ok || parsed.key !== key) return 'bad-key';
  switch (parsed.kind) {
    case 'assistant':
      return 'assistant';
    case 'admin':
      return 'admin-key';
    case 'user':
      return 'user-key';
  }
}

/** Returns the sentence for a problem. It repeats nothing of the link, as anyone can write one. */
export function setUpLinkProblemText(problem: SetUpLinkProblem, t: Translate): string {
  switch (problem) {
    case 'damaged':
      return t('The set-up link is damaged, so nothing was set up. Ask its sender for a new one.');
    case 'too-long':
      return t('The set-up link is too long, so nothing was set up.');
    case 'repeated':
      return t('The set-up link names a value twice, so nothing was set up.');
    case 'incomplete':
      return t('The set-up link names no base URL or no site, so nothing was set up.');
    case 'hidden-characters':
      return t('The set-up link contains spaces or hidden characters, so nothing was set up.');
    case 'not-https':
      return t(
        'The base URL in the set-up link doesn’t start with https://, so nothing was set up. Only this machine may use http://.',
      );
    case 'bad-base':
      return t('The base URL in the set-up link is not valid, so nothing was set up.');
    case 'bad-site':
      return t('The site in the set-up link is not a valid domain, so nothing was set up.');
    case 'admin-key':
      return t(
        'The set-up link contains an admin key, so nothing was set up. Admin keys are secret: tell the sender to revoke it. Links can only carry assistant keys, which have “_dsc_” after their prefix.',
      );
    case 'user-key':
      return t(
        'The set-up link contains a user key (“_us_”), so nothing was set up. Links can only carry assistant keys, which have “_dsc_” after their prefix.',
      );
    case 'key-too-long':
      return t('The key in the set-up link is too long, so nothing was set up.');
    case 'bad-key':
      return t(
        'The key in the set-up link is not an assistant key, so nothing was set up. Assistant keys have “_dsc_” after their prefix.',
      );
  }
}

/** Characters that no program and no decoding changes. */
const plain = /^[A-Za-z0-9._~:/-]*$/;

/**
 * Returns a set-up link that {@link parseSetUpLink} reads as the same site.
 *
 * @param extension scheme of links to VS Code and ID of the extension.
 * @param key an assistant key. Everybody with the link can read it.
 */
export function setUpLinkText(
  extension: { readonly scheme: string; readonly id: string },
  site: { readonly baseUrl: string; readonly domain: string; readonly key?: string | undefined },
): string {
  const values = Object.entries({
    base: apiAddressText(site.baseUrl, 'assistant'),
    site: site.domain,
    key: site.key,
  }).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  // VS Code decodes the query before the handler splits it.
  const isPlain = values.every(([, value]) => plain.test(value));
  const encode = isPlain
    ? encodeURIComponent
    : (value: string): string => encodeURIComponent(encodeURIComponent(value));
  const query = values.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return `${extension.scheme}://${extension.id}/setup?${query}`;
}
