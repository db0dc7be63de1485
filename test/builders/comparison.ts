import type { BundleComparison } from '../../src/export/compare/comparison';

const noPages = { basePath: '', pages: 0, files: 0, sizeBytes: 0 };

/** Returns a comparison without differences, so that a test writes only the fields that matter. */
export function aComparison({
  counts = {},
  pages = {},
  assets = {},
  links = {},
  ...fields
}: {
  readonly counts?: Partial<BundleComparison['counts']>;
  readonly pages?: Partial<BundleComparison['pages']>;
  readonly assets?: Partial<BundleComparison['assets']>;
  readonly links?: Partial<BundleComparison['links']>;
} & Partial<
  Omit<BundleComparison, 'counts' | 'pages' | 'assets' | 'links'>
> = {}): BundleComparison {
  const { lostAddresses = [] } = fields;
  return {
    version: 1,
    before: { name: 'old', ...noPages },
    after: { name: 'new', ...noPages },
    lostAddresses,
    notes: [],
    ...fields,
    counts: {
      addedPages: pages.added?.length ?? 0,
      removedPages: pages.removed?.length ?? 0,
      movedPages: pages.moved?.length ?? 0,
      changedPages: pages.changed?.length ?? 0,
      restyledPages: pages.restyled?.length ?? 0,
      unchangedPages: 0,
      addedAssets: assets.added?.length ?? 0,
      removedAssets: assets.removed?.length ?? 0,
      changedAssets: assets.changed?.length ?? 0,
      unchangedAssets: 0,
      brokenLinks: links.broken?.length ?? 0,
      mendedLinks: links.mended?.length ?? 0,
      lostAddresses: lostAddresses.length,
      ...counts,
    },
    pages: { added: [], removed: [], moved: [], changed: [], restyled: [], ...pages },
    assets: { added: [], removed: [], changed: [], ...assets },
    links: { broken: [], mended: [], ...links },
  };
}
