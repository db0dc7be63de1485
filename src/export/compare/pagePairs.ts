/** Decides which pages of two bundles are the same page. */
import type { SideFacts } from './bundleSide';
import { pageRoute } from './pageAddress';

/** A page that both bundles have at the same address, by its paths. */
export interface PagePair {
  readonly before: string;
  readonly after: string;
}

export interface PairedPages {
  readonly pairs: readonly PagePair[];
  /** Pages of the old bundle that the new one doesn't have at their address. */
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** Pages of the old bundle by path, in whose place the new bundle leads to the page named here. */
  readonly replaced: ReadonlyMap<string, string>;
  /** Pages of the old bundle that only led to the page named here, and are gone. */
  readonly goneRedirects: ReadonlyMap<string, string>;
}

type Pages = Pick<SideFacts, 'pages' | 'redirects'>;

/**
 * Pairs pages by path, then by route: `start.html` and `start/index.html` have the same address. A page
 * in whose place the new bundle only leads to another one is not the same page.
 */
export function pairPages(before: Pages, after: Pages): PairedPages {
  const left = new Set(after.pages.map(({ path }) => path));
  const matches = new Map<string, string>();
  for (const { path } of before.pages) if (left.delete(path)) matches.set(path, path);
  const byRoute = new Map([...left].map((path) => [pageRoute(path), path]));
  for (const { path } of before.pages) {
    const match = matches.has(path) ? undefined : byRoute.get(pageRoute(path));
    if (match !== undefined && left.delete(match)) matches.set(path, match);
  }

  const pairs: PagePair[] = [];
  const gone: string[] = [];
  const added: string[] = [];
  const replaced = new Map<string, string>();
  const goneRedirects = new Map<string, string>();
  for (const { path } of before.pages) {
    const match = matches.get(path);
    const oldTarget = before.redirects.get(path);
    const newTarget = match === undefined ? undefined : after.redirects.get(match);
    if (match === undefined && oldTarget !== undefined) goneRedirects.set(path, oldTarget);
    else if (match === undefined) gone.push(path);
    else if (oldTarget === undefined && newTarget !== undefined) replaced.set(path, newTarget);
    else if (oldTarget !== undefined && newTarget === undefined) added.push(match);
    else pairs.push({ before: path, after: match });
  }
  added.push(...left);
  return { pairs, gone, added, replaced, goneRedirects };
}
