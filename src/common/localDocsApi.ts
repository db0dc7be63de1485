/**
 * Search, list and pages of the local docs service, which the hosted API doesn't have. The service
 * and the docs tools share these schemas.
 */
import * as v from 'valibot';
import { askFilterSchema } from '../shared/askFilter';

/** Longest search query in UTF-16 code units. */
export const MAX_SEARCH_QUERY_LENGTH = 2000;
/** Most sections of one search. */
export const MAX_SEARCH_SECTIONS = 50;
/** Longest URL or path of a page. */
export const MAX_PAGE_ADDRESS_LENGTH = 4096;
/** Most pages of one part of the list. */
export const MAX_LISTED_PAGES = 200;

export type LocalDocsRoute = 'search' | 'page' | 'pages';

/** Returns the URL of a route of a local docs service. */
export function localDocsEndpoint(baseUrl: string, domain: string, route: LocalDocsRoute): string {
  return `${baseUrl}/local/v1/${encodeURIComponent(domain)}/${route}`;
}

const nonBlank = v.check((text: string) => text.trim() !== '', 'must not be empty');

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
});

export const pageRequestSchema = v.object({
  /** URL or path of the page, with or without a fragment. */
  page: v.pipe(
    v.string(),
    nonBlank,
    v.maxLength(MAX_PAGE_ADDRESS_LENGTH, `must have at most ${MAX_PAGE_ADDRESS_LENGTH} characters`),
  ),
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
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const pageFacts = {
  /** Title of the page. */
  title: v.string(),
  /** URL at which a reader opens it: on the site that publishes it, or at this service. */
  url: v.string(),
  /** Path below the docs, with a fragment for a section. */
  path: v.string(),
  version: v.optional(v.string()),
  language: v.optional(v.string()),
};

export const searchResponseSchema = v.object({
  sections: v.array(
    v.object({
      ...pageFacts,
      /** Heading of the section. Absent at the top of the page. */
      heading: v.optional(v.string()),
      /** The part of the section that fits the query best, in Markdown. */
      excerpt: v.string(),
    }),
  ),
  /** Whether the sections share words with the query but hardly answer it. */
  isWeak: v.boolean(),
  /** Whether all pages are indexed. */
  isIndexed: v.boolean(),
  /** Pages that were searched, before any filter. */
  pages: count,
});

export const pageResponseSchema = v.object({
  ...pageFacts,
  markdown: v.string(),
  /** Character of the Markdown at which the section of the requested fragment begins. */
  start: count,
});

export const listResponseSchema = v.object({
  /** Pages in the order of their paths, which stays while pages come and go. */
  pages: v.array(v.object({ ...pageFacts, description: v.optional(v.string()) })),
  /** Whether more pages follow. */
  hasMore: v.boolean(),
});

/** Body of a 404 for a page that isn't there. */
export const unknownPageSchema = v.object({
  error: v.string(),
  /** Paths of pages that may be meant. */
  suggestions: v.array(v.string()),
  isIndexed: v.boolean(),
});

export type SearchRequest = v.InferOutput<typeof searchRequestSchema>;
export type SearchResponse = v.InferOutput<typeof searchResponseSchema>;
export type PageRequest = v.InferOutput<typeof pageRequestSchema>;
export type ListRequest = v.InferOutput<typeof listRequestSchema>;
export type ListResponse = v.InferOutput<typeof listResponseSchema>;
export type PageResponse = v.InferOutput<typeof pageResponseSchema>;
export type UnknownPage = v.InferOutput<typeof unknownPageSchema>;
