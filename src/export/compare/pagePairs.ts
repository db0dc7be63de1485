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
  /**
   * Old pages that the new bundle replaced with a redirect, with the page that it leads to.
   * Undefined for redirects in a circle.
   */
  readonly replaced: ReadonlyMap<string, string | undefined>;
  /** Redirect pages of the old bundle that the new bundle doesn't have. */
  readonly goneRedirects: readonly string[];
}

type Pages = Pick<SideFacts, 'pages' | 'redirects'>;

/**
 * Pairs pages by path, then by route: `start.html` and `start/index.html` have the same address. An
 * old page is not paired with a redirect at its address.
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
  const replaced = new Map<string, string | undefined>();
  const goneRedirects: string[] = [];
  for (const { path } of before.pages) {
    const match = matches.get(path);
    const wasRedirect = before.redirects.has(path);
    const isRedirect = match !== undefined && after.redirects.has(match);
    if (match === undefined) (wasRedirect ? goneRedirects : gone).push(path);
    else if (wasRedirect === isRedirect) pairs.push({ before: path, after: match });
    else if (isRedirect) replaced.set(path, redirectEnd(after.redirects, match));
    else added.push(match);
  }
  for (const path of left) added.push(path);
  return { pairs, gone, added, replaced, goneRedirects };
}

/** A longer chain of redirects is a loop. */
const MAX_REDIRECTS = 10;

/**
 * Returns the page at the end of a chain of redirects. Returns a page itself if it isn't a
 * redirect. Undefined for redirects that lead in a circle.
 */
export function redirectEnd(
  redirects: ReadonlyMap<string, string>,
  page: string,
): string | undefined {
  let end = page;
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    const next = redirects.get(end);
    if (next === undefined) return end;
    end = next;
  }
  return undefined;
}
