/**
 * Search, list and pages of the local docs service, which the hosted API doesn't have. The service
 * and the docs tools share these schemas.
 */
import * as v from 'valibot';
import { type AskFilter, askFilterSchema } from '../shared/askFilter';
import { proofReasons, proofSchema } from '../shared/proof';
import type { ReplyChange } from '../shared/reply';
import { count } from '../shared/schemas';

/** Longest search query in UTF-16 code units. */
export const MAX_SEARCH_QUERY_LENGTH = 2000;
/** Most sections of one search. */
export const MAX_SEARCH_SECTIONS = 50;
/** Longest URL or path of a page. */
export const MAX_PAGE_ADDRESS_LENGTH = 4096;
/** Most pages of one part of the list. */
export const MAX_LISTED_PAGES = 200;

/** Most values of each field of the filters. */
export const MAX_FILTER_VALUES = 500;

/** Longest text whose statements are checked. */
export const MAX_CLAIMS_TEXT = 20_000;

/** Longest reply that is compared with the pages that it cites, and most of these pages. */
export const MAX_PROOF_TEXT = 100_000;
export const MAX_PROOF_PAGES = 50;

export type LocalDocsRoute =
  | 'search'
  | 'page'
  | 'pages'
  | 'filters'
  | 'claims'
  | 'proof'
  | 'writer'
  | 'packages'
  | 'package'
  | 'place';

/** Returns the URL of a route of a local docs service. */
export function localDocsEndpoint(baseUrl: string, domain: string, route: LocalDocsRoute): string {
  return `${baseUrl}/local/v1/${encodeURIComponent(domain)}/${route}`;
}

const nonBlank = v.check((text: string) => text.trim() !== '', 'must not be empty');

/** Longest id or label of a set of docs. */
const MAX_SET_NAME = 1000;

/** One of several sets of docs that are asked together, such as those of an installed package. */
const docsSetSchema = v.object({
  /** Identifies the set among those of its engine. */
  id: v.pipe(v.string(), v.maxLength(MAX_SET_NAME)),
  /** Name for people, such as `next@15.5.0`. */
  label: v.pipe(v.string(), v.maxLength(MAX_SET_NAME)),
});
export type DocsSet = v.InferOutput<typeof docsSetSchema>;

/** Ids of the sets that a request asks. All sets if absent. An unknown one is as if it had no pages. */
const askedSets = v.optional(v.array(docsSetSchema.entries.id));

export const searchRequestSchema = v.object({
  query: v.pipe(
    v.string(),
    nonBlank,
    v.maxLength(MAX_SEARCH_QUERY_LENGTH, `must have at most ${MAX_SEARCH_QUERY_LENGTH} characters`),
  ),
  filter: v.nullish(askFilterSchema),
  limit: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(MAX_SEARCH_SECTIONS, `must be at most ${MAX_SEARCH_SECTIONS}`),
    ),
    10,
  ),
  /** Whether to return whole sections, each with the best other sections of its page, to answer from. */
  isWhole: v.optional(v.boolean()),
  /** Code that the query is about. */
  code: v.optional(v.string()),
  /** Path of the code's file, relative to the workspace. */
  codePath: v.optional(v.string()),
  sets: askedSets,
});

export const pageRequestSchema = v.object({
  /** URL or path of the page, with or without a fragment. */
  page: v.pipe(
    v.string(),
    nonBlank,
    v.maxLength(MAX_PAGE_ADDRESS_LENGTH, `must have at most ${MAX_PAGE_ADDRESS_LENGTH} characters`),
  ),
  /** Sets to look for the page in. The first that has it answers. */
  sets: askedSets,
});

export const listRequestSchema = v.object({
  /** Path of the page to list from, without it. The list begins at its start by default. */
  after: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(
        MAX_PAGE_ADDRESS_LENGTH,
        `must have at most ${MAX_PAGE_ADDRESS_LENGTH} characters`,
      ),
    ),
  ),
  /** Id of the set of the page to list from, if its facts name one. */
  afterSet: v.optional(docsSetSchema.entries.id),
  sets: askedSets,
});

export const claimsRequestSchema = v.object({
  /** Markdown whose statements are compared with the docs. */
  text: v.pipe(
    v.string(),
    nonBlank,
    v.maxLength(MAX_CLAIMS_TEXT, `must have at most ${MAX_CLAIMS_TEXT} characters`),
  ),
  filter: v.nullish(askFilterSchema),
  sets: askedSets,
});

export const proofRequestSchema = v.object({
  /** Markdown of a reply. */
  text: v.pipe(
    v.string(),
    nonBlank,
    v.maxLength(MAX_PROOF_TEXT, `must have at most ${MAX_PROOF_TEXT} characters`),
  ),
  /** URLs or paths of the pages that the reply cites. */
  cited: v.pipe(
    v.array(pageRequestSchema.entries.page),
    v.minLength(1, 'must name a page'),
    v.maxLength(MAX_PROOF_PAGES, `must name at most ${MAX_PROOF_PAGES} pages`),
  ),
  /** The question and its attached code, whose names belong to the reader. */
  readersTexts: v.array(v.string()),
  sets: askedSets,
});

const pageFacts = {
  /** Title of the page. */
  title: v.string(),
  /** URL at which a reader opens it: on the site that publishes it, or at this service. */
  url: v.string(),
  /** Path below the docs, with a fragment for a section. Unique within a set. */
  path: v.string(),
  /** Set of the page, if the docs have several. */
  set: v.optional(docsSetSchema),
  version: v.optional(v.string()),
  language: v.optional(v.string()),
};

/** A package that a text names, but that isn't installed, or not in the named version. */
const notInstalledSchema = v.object({
  /** Name, or name and version: `@acme/sdk@2`. */
  name: v.string(),
  /** Version that is installed instead. */
  otherVersion: v.optional(v.string()),
});

export const searchResponseSchema = v.object({
  sections: v.array(
    v.object({
      ...pageFacts,
      /** Heading of the section. Absent at the top of the page. */
      heading: v.optional(v.string()),
      /** The part of the section that fits the query best, or all of it, in Markdown. */
      excerpt: v.string(),
    }),
  ),
  /** Whether the sections share words with the query but hardly answer it. */
  isWeak: v.boolean(),
  /** Whether all pages are indexed. */
  isIndexed: v.boolean(),
  /** Pages that were searched, before any filter. */
  pages: count,
  /** Packages that the query names in vain. */
  notInstalled: v.optional(v.array(notInstalledSchema)),
});

export const pageResponseSchema = v.object({
  ...pageFacts,
  markdown: v.string(),
  /** Character of the Markdown at which the section of the requested fragment begins. */
  start: count,
  /** Requested fragment with its `#`, if no section of the page has it. */
  unknownFragment: v.optional(v.string()),
});

const checkedClaimSchema = v.object({
  /** Statement as a reader sees it, or a name of the text's code. */
  quote: v.string(),
  isSupported: v.boolean(),
  /** Kind of what the nearest section doesn't have. */
  reason: v.optional(v.picklist(proofReasons)),
  /** Numbers and names that it has nowhere. */
  missing: v.array(v.string()),
  /** Section that supports the statement, or that comes nearest. */
  source: v.optional(v.object({ ...pageFacts, heading: v.optional(v.string()) })),
});

export const claimsResponseSchema = v.object({
  claims: v.array(checkedClaimSchema),
  /** Whether all pages are indexed. */
  isIndexed: v.boolean(),
});

export const proofResponseSchema = v.object({
  /** The comparison. Absent if the docs lack one of the cited pages. */
  proof: v.optional(
    v.object({
      ...proofSchema.entries,
      unproven: v.array(
        v.object({
          ...proofSchema.entries.unproven.item.entries,
          /** Index of the cited page that comes nearest. */
          cited: v.optional(count),
        }),
      ),
    }),
  ),
});

export const listResponseSchema = v.object({
  /** Pages in the order of their sets' ids and their paths, which stays while pages come and go. */
  pages: v.array(v.object({ ...pageFacts, description: v.optional(v.string()) })),
  /** Whether more pages follow. */
  hasMore: v.boolean(),
});

const filterValues = v.pipe(v.array(v.string()), v.maxLength(MAX_FILTER_VALUES));

/** Values that pages have, which a filter can name. */
export const filtersResponseSchema = v.object({
  /** Newest version first. */
  versions: filterValues,
  languages: filterValues,
  groups: filterValues,
});

/** Longest name of a package with its version. npm allows names of 214 characters. */
export const MAX_PACKAGE_LENGTH = 300;

/** Name of an installed package, or name and version: `next`, `@acme/sdk@2`. */
export const packageNameSchema = v.pipe(
  v.string(),
  nonBlank,
  v.maxLength(MAX_PACKAGE_LENGTH, `must have at most ${MAX_PACKAGE_LENGTH} characters`),
);

export const packageRequestSchema = v.object({ package: packageNameSchema });

/** The sets of docs of a package, or why there are none. */
export const packageSetsSchema = v.variant('kind', [
  v.object({
    kind: v.literal('found'),
    sets: v.pipe(v.array(docsSetSchema.entries.id), v.readonly()),
  }),
  v.object({
    kind: v.literal('not-installed'),
    /** Version that is installed instead of the wanted one. */
    otherVersion: v.optional(v.string()),
  }),
]);

/** The packages that the project asks for, in the order of their names. */
export const packagesResponseSchema = v.object({
  packages: v.array(
    v.object({
      /** Name that the code imports. */
      name: v.string(),
      version: v.string(),
      /** One line of plain text, or empty. */
      description: v.string(),
    }),
  ),
});

export const placeRequestSchema = v.object({ page: pageRequestSchema.entries.page });

/** The file that a page or a section of an installed package comes from. */
const pagePlaceSchema = v.object({
  /** Package with its version, such as `next@16.4.0`. */
  package: v.string(),
  /** Path below the package, with forward slashes. */
  path: v.string(),
  /** Absolute path. In an archive, the path goes on below the archive's file. */
  file: v.string(),
  /** Line, from 1, of what the section describes. Absent if it is the heading of the fragment. */
  line: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  /** Content of the file, if it is in an archive, which editors can't open. */
  text: v.optional(v.string()),
  /** Whether somebody edits the package here, such as another one of the workspace. */
  isLinked: v.boolean(),
  /** URL of the published page, or else of the homepage that the package names. */
  homepage: v.optional(v.string()),
});
export type PagePlace = v.InferOutput<typeof pagePlaceSchema>;

/** The file of a page, unless the page isn't one of an installed package. */
export const placeResponseSchema = v.object({ place: v.optional(pagePlaceSchema) });

/** Body of a 404 for a page that isn't there. */
export const unknownPageSchema = v.object({
  error: v.string(),
  /** Paths of pages that may be meant. */
  suggestions: v.array(v.string()),
  isIndexed: v.boolean(),
});

export type CheckedClaim = v.InferOutput<typeof checkedClaimSchema>;
export type ClaimsRequest = v.InferOutput<typeof claimsRequestSchema>;
export type ClaimsResponse = v.InferOutput<typeof claimsResponseSchema>;
export type ProofRequest = v.InferOutput<typeof proofRequestSchema>;
export type ProofResponse = v.InferOutput<typeof proofResponseSchema>;
export type SearchRequest = v.InferOutput<typeof searchRequestSchema>;
export type SearchResponse = v.InferOutput<typeof searchResponseSchema>;
export type PageRequest = v.InferOutput<typeof pageRequestSchema>;
export type ListRequest = v.InferOutput<typeof listRequestSchema>;
export type ListResponse = v.InferOutput<typeof listResponseSchema>;
export type FiltersResponse = v.InferOutput<typeof filtersResponseSchema>;
export type PageResponse = v.InferOutput<typeof pageResponseSchema>;
export type UnknownPage = v.InferOutput<typeof unknownPageSchema>;

/** A question to docs that this program has opened, with everything that helps to answer it. */
export interface DocsQuestion {
  readonly text: string;
  /** Earlier turns of the thread, oldest first, as far as they are known. */
  readonly earlier: readonly {
    readonly question: string;
    readonly reply?: string;
    /** Routes of the pages that the reply cited, as the engine told them. */
    readonly citedRoutes?: readonly string[];
  }[];
  readonly contextItems: readonly {
    readonly type: 'code' | 'textSelection';
    readonly value: string;
    readonly path?: string;
    /** Names of packages that own what the item tells. They are asked instead of all. */
    readonly packages?: readonly string[];
    /** Names of packages that the item's code uses, by the imports of its file. */
    readonly imports?: readonly string[];
  }[];
  readonly currentPath?: string;
  readonly filter?: AskFilter | null;
  /** Number of sections to answer from. */
  readonly pageSize: number;
  /** Names of attached files that are not text. */
  readonly unread?: readonly string[];
  /** Ids of the sets to answer from. All sets if absent. */
  readonly sets?: readonly string[];
  /** Packages that the text names in vain. */
  readonly notInstalled?: readonly NotInstalled[];
}

/**
 * Docs that can be searched and read: those of an engine in this process, or of a local docs service.
 * Each function rejects with the signal's reason when stopped. Those of a service reject with a
 * `DocsAssistantError` if it can't be reached or refuses.
 */
export interface SearchableDocs {
  /** Returns the sections that fit a query best. */
  search(request: SearchRequest, signal: AbortSignal): Promise<SearchResponse>;
  /** Returns a page, or what is known about one that isn't there. */
  page(request: PageRequest, signal: AbortSignal): Promise<PageResponse | UnknownPage>;
  /** Returns a part of the list of all pages. */
  pages(request: ListRequest, signal: AbortSignal): Promise<ListResponse>;
  /** Returns the values that a filter can name. */
  filters(signal: AbortSignal): Promise<FiltersResponse>;
  /** Returns the statements of a text, each with whether the docs support it. */
  claims(request: ClaimsRequest, signal: AbortSignal): Promise<ClaimsResponse>;
  /** Compares another service's reply with the pages that it cites. */
  proof(request: ProofRequest, signal: AbortSignal): Promise<ProofResponse>;
  /** Returns the percent-encoded path below the docs in the address of a page, or undefined for another one. */
  pathOf(address: string): string | undefined;
}

/** Docs that this process has opened itself. They also answer questions. */
export interface OpenDocs extends SearchableDocs {
  ask(question: DocsQuestion, signal: AbortSignal): AsyncIterable<ReplyChange>;
}

export type NotInstalled = v.InferOutput<typeof notInstalledSchema>;
export type PackageSets = v.InferOutput<typeof packageSetsSchema>;
type PackagesResponse = v.InferOutput<typeof packagesResponseSchema>;
type PlaceResponse = v.InferOutput<typeof placeResponseSchema>;

/** Finds the docs of installed packages by the names of the packages. */
export interface DocsOfPackages {
  /**
   * Returns the docs of one package.
   * @param named name, or name and version: `next`, `@acme/sdk@2`. A version can be the start of the installed one.
   */
  setsOf(named: string): Promise<PackageSets>;
}

/** Installed packages that a window shows to its reader. */
export interface ShownPackages extends DocsOfPackages {
  /** Lists the packages that the project asks for. */
  packages(signal: AbortSignal): Promise<PackagesResponse>;
  /** Returns the file of a page or a section, which can have been cited by an earlier run. */
  place(request: { readonly page: string }, signal: AbortSignal): Promise<PlaceResponse>;
}
