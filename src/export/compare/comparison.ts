/**
 * Result of *Compare Bundles…*, as it is saved as JSON and described in docs/bundle-comparison.md.
 * `version` is raised when a field changes its meaning, but not when a field is added.
 */
import * as v from 'valibot';
import { addressKinds, brokenReasons } from '../check/reportTypes';
import { redirectSchema, type Redirect } from '../hosting/redirects';
import { count } from '../../shared/schemas';

/** Maximum length of each list. The counts include the entries that the lists leave out. */
export const MAX_LISTED = 50_000;

const position = v.pipe(v.number(), v.integer(), v.minValue(1));

/** One of the two bundles. */
const sideSchema = v.object({
  /** Name of the archive, the folder or the export, for people. Never a whole path. */
  name: v.string(),
  /** Host at which most pages say that they are published. Absent if they don't say. */
  host: v.optional(v.string()),
  /** Path that the site expects to be hosted at, such as `/docs`. Empty for the root of a host. */
  basePath: v.string(),
  pages: count,
  files: count,
  sizeBytes: count,
});

/** A page of one bundle. Paths are relative to the site's root, with `/`. */
const pageSchema = v.object({ path: v.string(), title: v.string() });

/** A page of both bundles. `before` and `after` are its paths, which can differ in their form. */
const pairFields = { before: v.string(), after: v.string(), title: v.string() };

/** The difference between the two readable texts of a page. */
const textChangeFields = {
  /**
   * - `text`: words or code differ, or headings, lists and other forms of the text.
   * - `links`: the text is the same, but links lead elsewhere or pictures are other files.
   * - `none`: the readable text is the same. Only for pages that moved.
   */
  change: v.picklist(['text', 'links', 'none']),
  /** Lines of readable Markdown that only the page of the new bundle has. */
  addedLines: count,
  /** Lines of readable Markdown that only the page of the old bundle has. */
  removedLines: count,
  /**
   * First lines of the difference. They start with `-`, `+` or a space, and `@@` names the heading above.
   * Only some pages have an excerpt.
   */
  excerpt: v.optional(v.string()),
};

const changedPageSchema = v.object({ ...pairFields, ...textChangeFields });

const movedPageSchema = v.object({
  ...pairFields,
  ...textChangeFields,
  /** Share of the text that both pages have, from 0 to 1. */
  similarity: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  /** Whether the new bundle has a page at the old address that leads to the new one. */
  isRedirected: v.boolean(),
});

const assetSchema = v.object({ path: v.string(), sizeBytes: count });

/** A file that differs. Its paths differ if its name has a hash of its contents. */
const changedAssetSchema = v.object({
  before: v.string(),
  after: v.string(),
  sizeBefore: count,
  sizeAfter: count,
});

/** A link that is broken in one bundle only. */
const linkSchema = v.object({
  /** Page or file with the link, in the bundle in which it is broken. */
  file: v.string(),
  line: position,
  column: position,
  kind: v.picklist(addressKinds),
  /** Address as written, at most 500 characters. */
  address: v.string(),
  reason: v.picklist(brokenReasons),
  suggestion: v.optional(v.string()),
  /** File of the other bundle that the link leads to there. */
  target: v.optional(v.string()),
});

/** An old address that something still leads to, but that the new bundle doesn't serve. */
const lostAddressSchema = v.object({
  /** Path of the page in the old bundle. */
  page: v.string(),
  title: v.string(),
  /** Address of the page, as in the `from` of a redirect. */
  address: v.string(),
  /** Number of links of the new bundle that lead to it. */
  links: count,
  /** Some pages of the new bundle with such a link. */
  linkedFrom: v.array(v.string()),
  /** Whether the sitemap of the old bundle lists it. */
  isInOldSitemap: v.boolean(),
  /** Redirect for the address. Absent if the new bundle has no good target. */
  redirect: v.optional(redirectSchema),
  /**
   * Reason for the choice of the target:
   * - `moved`: the page itself, at its new address.
   * - `redirect`: the page to which the old page led as a redirect.
   * - `similar`: the page with the most text in common.
   * - `parent`: the nearest page above it, other than the home page.
   */
  because: v.optional(v.picklist(['moved', 'redirect', 'similar', 'parent'])),
});

/**
 * Kind of a note:
 * - `different-hosts`: the pages are published at different hosts, `before` and `after`.
 * - `different-base-paths`: the sites expect to be hosted at `before` and `after`, so all addresses differ.
 * - `little-in-common`: only `count` in a hundred pages of the smaller bundle are in the other.
 * - `no-pages`: the bundle of `side` has no HTML page.
 * - `unreadable`: `count` files of `side` can't be read or are too large, `file` is the first. They count
 *   as unchanged if both bundles have them.
 * - `capped`: the lists leave `count` entries out.
 */
const noteSchema = v.object({
  code: v.picklist([
    'different-hosts',
    'different-base-paths',
    'little-in-common',
    'no-pages',
    'unreadable',
    'capped',
  ]),
  side: v.optional(v.picklist(['before', 'after'])),
  before: v.optional(v.string()),
  after: v.optional(v.string()),
  file: v.optional(v.string()),
  count: v.optional(count),
});

/** Schema of a saved comparison. It drops unknown fields. Lists are sorted by path. */
export const bundleComparisonSchema = v.object({
  version: v.literal(1),
  before: sideSchema,
  after: sideSchema,
  counts: v.object({
    addedPages: count,
    removedPages: count,
    movedPages: count,
    /** Pages whose readable text differs, at the same address. */
    changedPages: count,
    /** Pages that differ only in markup, navigation or other parts around the text. */
    restyledPages: count,
    unchangedPages: count,
    addedAssets: count,
    removedAssets: count,
    changedAssets: count,
    unchangedAssets: count,
    /** Links that are broken in the new bundle and were not in the old one. */
    brokenLinks: count,
    /**
     * Links that were broken in the old bundle and work in the new one, on pages that both have.
     */
    mendedLinks: count,
    lostAddresses: count,
  }),
  pages: v.object({
    added: v.array(pageSchema),
    removed: v.array(pageSchema),
    moved: v.array(movedPageSchema),
    changed: v.array(changedPageSchema),
    restyled: v.array(v.object(pairFields)),
  }),
  /** Files other than pages. */
  assets: v.object({
    added: v.array(assetSchema),
    removed: v.array(assetSchema),
    changed: v.array(changedAssetSchema),
  }),
  links: v.object({ broken: v.array(linkSchema), mended: v.array(linkSchema) }),
  lostAddresses: v.array(lostAddressSchema),
  notes: v.array(noteSchema),
  durationMs: v.optional(v.number()),
});

export type BundleComparison = v.InferOutput<typeof bundleComparisonSchema>;
export type ComparedSide = BundleComparison['before'];
export type PageEntry = BundleComparison['pages']['added'][number];
export type MovedPage = BundleComparison['pages']['moved'][number];
export type ChangedPage = BundleComparison['pages']['changed'][number];
export type RestyledPage = BundleComparison['pages']['restyled'][number];
export type AssetEntry = BundleComparison['assets']['added'][number];
export type ChangedAsset = BundleComparison['assets']['changed'][number];
export type ComparedLink = BundleComparison['links']['broken'][number];
export type LostAddress = BundleComparison['lostAddresses'][number];
export type ComparisonNote = BundleComparison['notes'][number];

/** Kinds of differences that `bundle diff --fail-on` accepts. */
export const differenceKinds = [
  'added-pages',
  'removed-pages',
  'moved-pages',
  'changed-pages',
  'restyled-pages',
  'added-assets',
  'removed-assets',
  'changed-assets',
  'broken-links',
  'lost-addresses',
  'different-sites',
] as const;

export type DifferenceKind = (typeof differenceKinds)[number];

/** Returns the number of differences of a kind. `different-sites` is one or none. */
export function differenceCount({ counts, notes }: BundleComparison, kind: DifferenceKind): number {
  switch (kind) {
    case 'added-pages':
      return counts.addedPages;
    case 'removed-pages':
      return counts.removedPages;
    case 'moved-pages':
      return counts.movedPages;
    case 'changed-pages':
      return counts.changedPages;
    case 'restyled-pages':
      return counts.restyledPages;
    case 'added-assets':
      return counts.addedAssets;
    case 'removed-assets':
      return counts.removedAssets;
    case 'changed-assets':
      return counts.changedAssets;
    case 'broken-links':
      return counts.brokenLinks;
    case 'lost-addresses':
      return counts.lostAddresses;
    case 'different-sites':
      return notes.some(({ code }) => code === 'different-hosts' || code === 'little-in-common')
        ? 1
        : 0;
  }
}

/** Returns the redirects for all lost addresses that have a target. */
export function redirectsOf({ lostAddresses }: BundleComparison): Redirect[] {
  return lostAddresses.flatMap(({ redirect }) => redirect ?? []);
}
