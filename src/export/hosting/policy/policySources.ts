import { parseUrl } from '../../../shared/links';
import type { FoundAddress } from '../../check/findings';
import type { AddressKind } from '../../check/reportTypes';

/** Directives of a content security policy that list where something may come from. */
export const sourceDirectives = [
  'script-src',
  'style-src',
  'img-src',
  'font-src',
  'media-src',
  'connect-src',
  'frame-src',
  'worker-src',
  'manifest-src',
  'object-src',
  'form-action',
  'base-uri',
] as const;

export type SourceDirective = (typeof sourceDirectives)[number];

/**
 * Source that a policy needs for an address: none, a source, or one that the policy can't contain
 * safely.
 */
type NeededSource =
  | { readonly kind: 'own' }
  | { readonly kind: 'source'; readonly source: string }
  | { readonly kind: 'odd' };

const directiveByKind: Partial<Record<AddressKind, SourceDirective>> = {
  script: 'script-src',
  import: 'script-src',
  style: 'style-src',
  image: 'img-src',
  font: 'font-src',
  media: 'media-src',
  frame: 'frame-src',
  object: 'object-src',
  manifest: 'manifest-src',
  worker: 'worker-src',
  fetch: 'connect-src',
  beacon: 'connect-src',
  form: 'form-action',
};

/** Returns the directive that controls a kind of address, or undefined if none does. */
export function directiveOf(kind: AddressKind): SourceDirective | undefined {
  return directiveByKind[kind];
}

/**
 * Hosts on which anyone can publish files. The policy names the file instead of the host, because
 * allowing the host would allow scripts from anyone.
 */
const publicHosts =
  /^(?:cdn\.jsdelivr\.net|(?:www\.)?unpkg\.com|cdnjs\.cloudflare\.com|esm\.sh|cdn\.skypack\.dev|esm\.run|jspm\.dev|ga\.jspm\.io|ajax\.googleapis\.com|raw\.githack\.com|rawcdn\.githack\.com|gitcdn\.xyz|cdn\.statically\.io|code\.jquery\.com)$/;

const schemes = new Set(['http:', 'https:', 'ws:', 'wss:']);

/** Placeholder for the origin of the page. */
const own = 'https://own.invalid';

/**
 * Returns the source expression of an address. The address comes from an untrusted page, so only
 * characters without a meaning in a policy are kept.
 */
export function sourceOf(
  { address, kind, role }: Pick<FoundAddress, 'address' | 'kind' | 'role'>,
  baseHref?: string,
): NeededSource {
  const trimmed = address.trim();
  const scheme = /^(data|blob):/i.exec(trimmed)?.[1]?.toLowerCase();
  // Allowing scripts from `data:` would allow every script.
  if (scheme !== undefined) {
    return kind === 'script' || kind === 'import'
      ? { kind: 'odd' }
      : { kind: 'source', source: `${scheme}:` };
  }
  const base = parseUrl(baseHref ?? '', own) ?? own;
  const url = parseUrl(trimmed, base);
  if (!url || (url.origin === own && url.protocol === 'https:')) return { kind: 'own' };
  if (!schemes.has(url.protocol)) return { kind: 'own' };
  if (!/^[a-z0-9.-]+(?::\d{1,5})?$/.test(url.host)) return { kind: 'odd' };
  const isBare = /^[/\\]{2}/.test(trimmed);
  const origin = isBare ? url.host : `${url.protocol}//${url.host}`;
  const namesFile =
    role !== 'outside-only' &&
    (kind === 'script' || kind === 'style' || kind === 'import') &&
    publicHosts.test(url.hostname) &&
    /^\/[\w./~@+%-]*[\w]$/.test(url.pathname);
  return { kind: 'source', source: namesFile ? origin + url.pathname : origin };
}

/** Hosts whose style sheets load files from another host that no page names. */
export const impliedSources: Readonly<Record<string, readonly [SourceDirective, string]>> = {
  'https://fonts.googleapis.com': ['font-src', 'https://fonts.gstatic.com'],
  'fonts.googleapis.com': ['font-src', 'https://fonts.gstatic.com'],
};
