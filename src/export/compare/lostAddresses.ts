/** Finds old addresses that the new bundle doesn't serve, and redirects for them. */
import { compareText } from '../../common/text/strings';
import type { SideFacts } from './bundleSide';
import type { LostAddress } from './comparison';
import { pageRoute, plainAddress, servedAddress } from './pageAddress';
import { SimilarPages, type UnpairedPage } from './pageMoves';
import { redirectEnd } from './pagePairs';

/** Pages in {@link LostAddress.linkedFrom}. */
const MAX_LINKED_FROM = 5;

/**
 * Share of the text that a page must have in common with the old page to be the target of its
 * redirect.
 */
const MIN_SIMILARITY = 0.25;

interface LostAddressInput {
  readonly before: Pick<
    SideFacts,
    'resolver' | 'pages' | 'basePath' | 'inSitemap' | 'redirects' | 'digests'
  >;
  readonly after: Pick<
    SideFacts,
    'resolver' | 'pages' | 'basePath' | 'broken' | 'isExtensionless' | 'redirects'
  >;
  /**
   * Returns the path in the new bundle of an old page, also if the page moved. Undefined for a page
   * that is gone.
   */
  readonly pathAfter: (path: string) => string | undefined;
  /**
   * Old pages whose addresses the new bundle doesn't serve, although it has the page at another
   * address, or has the page that they redirected to.
   */
  readonly unserved: readonly string[];
  /** Texts of old pages that are gone, by path. */
  readonly gone: ReadonlyMap<string, UnpairedPage>;
  /** Pages of the new bundle with a new or changed text. */
  readonly fresh: readonly UnpairedPage[];
  readonly titleOf: (path: string) => string;
}

interface Evidence {
  links: number;
  readonly linkedFrom: Set<string>;
  isInSitemap: boolean;
  /** A path that leads to the page and no longer works, as it is written. */
  readonly sitePath: string;
}

/**
 * Returns the old addresses that links of the new bundle or the old sitemap still lead to, and those of
 * pages that moved and of redirects that are gone, sorted by page.
 */
export function findLostAddresses(input: LostAddressInput): LostAddress[] {
  const evidence = collectEvidence(input);
  const targets = new RedirectTargets(input);
  const pages = new Set([...evidence.keys(), ...input.unserved]);
  return [...pages].sort(compareText).map((page) => {
    const found = evidence.get(page);
    const { basePath } = input.before;
    // A page at the same address, without `.html`, has lost only the form with it.
    const isOtherForm = isSameRoute(page, input.pathAfter(page));
    const address =
      isOtherForm && found ? `${basePath}${found.sitePath}` : plainAddress(page, basePath);
    const target = targets.of(page);
    return {
      page,
      title: input.titleOf(page),
      address,
      links: found?.links ?? 0,
      linkedFrom: [...(found?.linkedFrom ?? [])],
      isInOldSitemap: found?.isInSitemap ?? false,
      redirect: target && {
        from: address,
        to: servedAddress(target.path, input.after.basePath, input.after.isExtensionless),
        status: target.because === 'moved' || target.because === 'redirect' ? 301 : 302,
      },
      because: target?.because,
    };
  });
}

function collectEvidence({ before, after }: LostAddressInput): Map<string, Evidence> {
  const byPage = new Map<string, Evidence>();
  const isPage = new Set(before.pages.map(({ path }) => path));
  const evidenceOf = (sitePath: string): Evidence | undefined => {
    const old = before.resolver.find(sitePath, 'link');
    if (old.name !== 'file' || !isPage.has(old.path)) return undefined;
    const known = byPage.get(old.path);
    if (known) return known;
    const evidence = { links: 0, linkedFrom: new Set<string>(), isInSitemap: false, sitePath };
    byPage.set(old.path, evidence);
    return evidence;
  };
  for (const { link, sitePath } of after.broken) {
    if (sitePath === undefined || link.reason === 'missing-anchor') continue;
    const evidence = evidenceOf(sitePath);
    if (!evidence) continue;
    evidence.links++;
    if (evidence.linkedFrom.size < MAX_LINKED_FROM) evidence.linkedFrom.add(link.file);
  }
  for (const sitePath of before.inSitemap.values()) {
    if (after.resolver.find(sitePath, 'sitemap').name === 'file') continue;
    const evidence = evidenceOf(sitePath);
    if (evidence) evidence.isInSitemap = true;
  }
  return byPage;
}

type Target = { readonly path: string; readonly because: NonNullable<LostAddress['because']> };

class RedirectTargets {
  readonly #input: LostAddressInput;
  readonly #similar: SimilarPages;
  readonly #byRoute: ReadonlyMap<string, string>;

  constructor(input: LostAddressInput) {
    this.#input = input;
    this.#similar = new SimilarPages(input.fresh);
    this.#byRoute = new Map(
      input.after.pages
        .filter(({ path }) => !input.after.redirects.has(path))
        .map(({ path }) => [pageRoute(path), path]),
    );
  }

  /** Returns the best target for readers of an old page, or undefined if there is no good one. */
  of(page: string): Target | undefined {
    const { before, gone, pathAfter } = this.#input;
    const itself = pathAfter(page);
    if (itself !== undefined) return { path: itself, because: 'moved' };
    const end = redirectEnd(before.redirects, page);
    const redirected = end === undefined ? undefined : pathAfter(end);
    if (redirected !== undefined) return { path: redirected, because: 'redirect' };
    const text = end === undefined ? undefined : gone.get(end);
    const [similar] = text ? this.#similar.of(text, MIN_SIMILARITY) : [];
    if (similar) return { path: similar.other.path, because: 'similar' };
    const parent = this.#parentOf(page);
    return parent === undefined ? undefined : { path: parent, because: 'parent' };
  }

  /** Returns the nearest page above a page. The home page tells readers nothing about it. */
  #parentOf(page: string): string | undefined {
    let route = pageRoute(page);
    while (route.includes('/')) {
      route = route.slice(0, route.lastIndexOf('/'));
      const parent = this.#byRoute.get(route);
      if (parent !== undefined) return parent;
    }
    return undefined;
  }
}

function isSameRoute(page: string, other: string | undefined): boolean {
  return other !== undefined && pageRoute(page) === pageRoute(other);
}
