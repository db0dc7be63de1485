import { parseUrl } from '../../shared/links';
import type { Redirect } from './redirects';
import {
  decodedPath,
  encodedPath,
  encodedUrl,
  plainPath,
  type SiteAddresses,
} from './siteAddresses';

/** A redirect that was checked against the site, as the configurations write it. */
export interface RedirectRule {
  /**
   * Decoded path with the base path. It has no `.html` and no `/` at its end, and stands for all
   * forms of the address. A path that ends in `.html` stands only for itself.
   */
  readonly from: string;
  /**
   * Decoded paths that the redirect answers, `from` first. No path is in two rules, because servers
   * refuse a configuration that names one twice.
   */
  readonly forms: readonly string[];
  /** Percent-encoded path of the target, with only harmless ASCII characters. */
  readonly to: string;
  readonly status: Redirect['status'];
}

/** Reason why a redirect is left out. */
type UnusableRedirect = 'bad-address' | 'page-exists' | 'no-target' | 'loop' | 'repeated';

export interface RedirectRules {
  readonly rules: readonly RedirectRule[];
  readonly unusable: readonly { readonly from: string; readonly reason: UnusableRedirect }[];
}

const origin = 'https://site.invalid';

/** Path of the 404 page. Hosts have separate rules for this page. */
const NOT_FOUND = '404';

/**
 * Returns the redirects that a host can apply to the site. A chain of redirects becomes one
 * redirect to the last target. A redirect is left out if it leads in a circle, starts at a page that
 * exists, or leads to a page that doesn't.
 */
export function redirectRules(
  redirects: readonly Redirect[],
  addresses: SiteAddresses,
  basePath: string,
): RedirectRules {
  const targets = new Map<string, Redirect>();
  const unusable: { from: string; reason: UnusableRedirect }[] = [];
  for (const redirect of redirects) {
    const path = sitePath(redirect.from, basePath);
    const from = path === undefined || path.endsWith('.html') ? path : plainPath(path);
    const reason =
      from === undefined || plainPath(from) === ''
        ? 'bad-address'
        : plainPath(from) === NOT_FOUND || isTaken(from, addresses)
          ? 'page-exists'
          : targets.has(from)
            ? 'repeated'
            : undefined;
    if (reason === undefined && from !== undefined) targets.set(from, redirect);
    else if (reason !== undefined) unusable.push({ from: redirect.from, reason });
  }
  const rules: RedirectRule[] = [];
  const answered = new Set(targets.keys());
  for (const [from, { from: written, to, status }] of targets) {
    const target = targetOf(to, targets, addresses, basePath);
    if (target.kind === 'address') {
      const others = otherForms(from).filter((form) => !answered.has(form));
      for (const form of others) answered.add(form);
      const forms = [from, ...others].map((form) => `${basePath}/${form}`);
      rules.push({ from: `${basePath}/${from}`, forms, to: target.address, status });
    } else {
      unusable.push({ from: written, reason: target.kind });
    }
  }
  return { rules, unusable };
}

/** Returns the other forms of an old address that readers may still use. */
function otherForms(from: string): string[] {
  return from.endsWith('.html') ? [] : [`${from}/`, `${from}.html`, `${from}/index.html`];
}

/** Returns whether the site answers at the address itself, so that a redirect would hide a page. */
function isTaken(from: string, addresses: SiteAddresses): boolean {
  const isExact = from.endsWith('.html');
  return isExact ? addresses.hasFile(from) : addresses.find(from) !== undefined;
}

type FoundTarget =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'bad-address' | 'no-target' | 'loop' };

function targetOf(
  written: string,
  targets: ReadonlyMap<string, Redirect>,
  addresses: SiteAddresses,
  basePath: string,
): FoundTarget {
  const visited = new Set<string>();
  for (let to = written; ;) {
    // After two slashes at the start, a browser expects a host.
    const url = /^\/(?![/\\])/.test(to) ? parseUrl(to, origin) : undefined;
    if (url?.origin !== origin || decodedPath(url.pathname) === undefined) {
      return { kind: 'bad-address' };
    }
    const tail = encodedUrl(url.search + url.hash);
    const path = sitePath(to, basePath);
    // If the site has a base path, the host can serve another site beside it.
    if (path === undefined) return { kind: 'address', address: encodedUrl(url.pathname) + tail };
    const found = addresses.find(path);
    if (found !== undefined) {
      return { kind: 'address', address: encodedPath(`${basePath}/${found}`) + tail };
    }
    const key = targets.has(path) ? path : plainPath(path);
    const next = targets.get(key);
    if (!next) return { kind: 'no-target' };
    if (visited.has(key)) return { kind: 'loop' };
    visited.add(key);
    to = next.to;
  }
}

/** Returns the decoded path below the base path, without `/` at the start. */
function sitePath(address: string, basePath: string): string | undefined {
  if (!/^\/(?![/\\])/.test(address)) return undefined;
  const url = parseUrl(address, origin);
  const path = url?.origin === origin ? decodedPath(url.pathname) : undefined;
  return path?.startsWith(`${basePath}/`) === true ? path.slice(basePath.length + 1) : undefined;
}
