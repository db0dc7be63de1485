/**
 * Answers programs that search, list and read the docs. src/common/localDocsApi.ts defines this API, which
 * platform-api.md doesn't have.
 */
import type { Context } from 'hono';
import * as v from 'valibot';
import {
  listRequestSchema,
  type ListResponse,
  MAX_LISTED_PAGES,
  pageRequestSchema,
  type PageResponse,
  searchRequestSchema,
  type SearchResponse,
  type UnknownPage,
} from '../../common/localDocsApi';
import { describeIssue } from '../../common/schemaIssues';
import { withAnsweringSection } from '../answers/answeringSection';
import { excerpt } from '../answers/excerpt';
import { joinByRank } from '../models/rankFusion';
import type { SimilarSections } from '../models/similarSections';
import type { DocsLibrary } from '../pages/docsLibrary';
import { absoluteLinks, sectionFragment, sourceUrl } from '../pages/links';
import {
  type SectionBlock,
  type DocsPage,
  type FoundSection,
  passesFilter,
  type Section,
} from '../pages/page';
import type { DocsIndex } from '../search/docsIndex';
import { type Retrieval, retrieve } from '../search/retrieval';
import { findPage, similarPages } from './pageAddress';

export interface DocsApiPorts {
  readonly library: DocsLibrary;
  /** Finds sections by meaning, if the reader chose an embedding model. */
  readonly similar?: Pick<SimilarSections, 'find'>;
  /** Milliseconds that a request waits for the first indexing. */
  readonly patienceMs: number;
  /** Returns the base URL of the pages, without a slash at its end. */
  readonly origin: () => string;
}

/** Maximum characters of Markdown per section. Callers shorten it to their own limits. */
const EXCERPT_BUDGET = 2000;
/** Maximum number of similar paths in the answer to a path that leads to no page. */
const MAX_SUGGESTIONS = 5;

/** Answers a search. The app has already checked the key, the site and the size of the request. */
export async function answerSearch(
  c: Context,
  { library, similar, patienceMs, origin }: DocsApiPorts,
  signal: AbortSignal,
): Promise<Response> {
  const parsed = await requestOf(c, searchRequestSchema);
  if (!parsed.ok) return c.json({ error: parsed.error }, 400);
  const { query, filter, limit } = parsed.request;
  await library.settle(patienceMs, signal);
  const { index, isIndexed } = library;
  const question = { text: query, earlier: [], contextItems: [] };
  const found = retrieve(index, question, filter, limit, { keepsWeak: true });
  const retrieval = found.isWeak ? found : withAnsweringSection(query, found, index, limit);
  const best = retrieval.sections[0]?.page;
  // Vectors don't tell versions and languages apart, so pages must have those of the best section.
  const accepts = (page: DocsPage): boolean =>
    passesFilter(page, filter) &&
    (best === undefined || (page.version === best.version && page.language === best.language));
  const meant = await similar?.find([query], limit, accepts, signal);
  const sections = meant
    ? joinByRank<FoundSection>(
        [
          { sections: retrieval.sections, weight: 1 },
          { sections: meant, weight: 1 },
        ],
        limit,
      )
    : retrieval.sections;
  const response: SearchResponse = {
    sections: sections.map(({ page, section }) => {
      const isTop = section.heading === page.title;
      return {
        ...factsOf(page, section, index, origin()),
        ...(isTop ? {} : { heading: section.heading }),
        excerpt: bestBlocks(section, retrieval, index)
          .map((block) => linked(block, page, index, origin()))
          .join('\n\n'),
      };
    }),
    isWeak: found.isWeak === true,
    isIndexed,
    pages: index.pageCount,
  };
  return c.json(response);
}

/** Answers with a page as Markdown, or with 404 and the paths of similar pages. */
export async function answerPage(
  c: Context,
  { library, patienceMs, origin }: DocsApiPorts,
  signal: AbortSignal,
): Promise<Response> {
  const parsed = await requestOf(c, pageRequestSchema);
  if (!parsed.ok) return c.json({ error: parsed.error }, 400);
  await library.settle(patienceMs, signal);
  const { index, isIndexed } = library;
  const found = await findPage(library, parsed.request.page);
  if (!found) {
    const suggestions = similarPages(index, parsed.request.page, MAX_SUGGESTIONS).map((page) =>
      pathOf(page, index),
    );
    const body: UnknownPage = { error: 'The docs have no such page.', suggestions, isIndexed };
    return c.json(body, 404);
  }
  const { page, fragment } = found;
  const { markdown, starts } = pageText(page, index, origin());
  const slug = sectionFragment(page, fragment).slice(1);
  const section = page.sections.find((one) => encodeURIComponent(one.slug) === slug);
  const response: PageResponse = {
    ...factsOf(page, undefined, index, origin()),
    markdown,
    start: (section && slug !== '' ? starts.get(section) : undefined) ?? 0,
  };
  return c.json(response);
}

/** Answers with a part of the list of all pages. */
export async function answerPages(
  c: Context,
  { library, patienceMs, origin }: DocsApiPorts,
  signal: AbortSignal,
): Promise<Response> {
  const parsed = await requestOf(c, listRequestSchema);
  if (!parsed.ok) return c.json({ error: parsed.error }, 400);
  await library.settle(patienceMs, signal);
  const { index } = library;
  const { after } = parsed.request;
  const listed = [...index.pages()]
    .map((page) => ({ page, path: pathOf(page, index) }))
    .filter(({ path }) => after === undefined || path > after)
    // Compares code units, as the filter does. With a language's own order, `after` would skip pages.
    .sort((one, other) => (one.path < other.path ? -1 : 1));
  const response: ListResponse = {
    pages: listed.slice(0, MAX_LISTED_PAGES).map(({ page }) => ({
      ...factsOf(page, undefined, index, origin()),
      ...(page.description === '' ? {} : { description: page.description }),
    })),
    hasMore: listed.length > MAX_LISTED_PAGES,
  };
  return c.json(response);
}

async function requestOf<Request>(
  c: Context,
  schema: v.GenericSchema<unknown, Request>,
): Promise<
  { readonly ok: true; readonly request: Request } | { readonly ok: false; readonly error: string }
> {
  let body: unknown;
  try {
    body = JSON.parse(await c.req.text());
  } catch {
    return { ok: false, error: 'The request body is not valid JSON.' };
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ok: false, error: 'The request body must be a JSON object.' };
  }
  const result = v.safeParse(schema, body, { abortEarly: true });
  return result.success
    ? { ok: true, request: result.output }
    : { ok: false, error: describeIssue(result.issues[0]) };
}

function factsOf(
  page: DocsPage,
  section: Section | undefined,
  index: DocsIndex,
  origin: string,
): Omit<PageResponse, 'markdown' | 'start'> {
  const { title, version, language } = page;
  const slug = section === undefined || section.heading === title ? '' : section.slug;
  return {
    title,
    url: sourceUrl(page, section, origin),
    path: `${pathOf(page, index)}${slug === '' ? '' : `#${slug}`}`,
    ...(version === undefined ? {} : { version }),
    ...(language === undefined ? {} : { language }),
  };
}

/** Returns a path that identifies the page: its route, or its file's path if another page has the route. */
function pathOf(page: DocsPage, index: DocsIndex): string {
  return page.route !== '' && index.pageAtRoute(page.route) === page ? page.route : page.path;
}

function bestBlocks(
  section: Section,
  { query, codeLanguage }: Retrieval,
  index: DocsIndex,
): SectionBlock[] {
  return excerpt(section.blocks, {
    weightOf: (term) => {
      const weight = query.terms.get(term) ?? 0;
      return weight === 0 ? 0 : weight * index.rarity(term);
    },
    budget: EXCERPT_BUDGET,
    codeLanguage,
  });
}

function linked(
  { kind, markdown }: SectionBlock,
  page: DocsPage,
  index: DocsIndex,
  origin: string,
): string {
  if (kind === 'code') return markdown;
  return absoluteLinks(markdown, index, page, (href) =>
    href.startsWith('/') ? origin + href : href,
  );
}

/** Returns a page as one Markdown text, with the offset of each section in UTF-16 code units. */
function pageText(
  page: DocsPage,
  index: DocsIndex,
  origin: string,
): { readonly markdown: string; readonly starts: ReadonlyMap<Section, number> } {
  let markdown = `# ${page.title}`;
  const starts = new Map<Section, number>();
  for (const [position, section] of page.sections.entries()) {
    const isTop = position === 0 && section.heading === page.title;
    if (isTop) starts.set(section, 0);
    else {
      markdown += '\n\n';
      starts.set(section, markdown.length);
      markdown += `${'#'.repeat(Math.min(6, section.ancestors.length + 2))} ${section.heading}`;
    }
    for (const block of section.blocks) markdown += `\n\n${linked(block, page, index, origin)}`;
  }
  return { markdown, starts };
}
