/** Searches, lists and reads docs: the answers of src/common/localDocsApi.ts, without HTTP. */
import {
  type ClaimsRequest,
  type ClaimsResponse,
  type FiltersResponse,
  type ListRequest,
  type ListResponse,
  MAX_FILTER_VALUES,
  MAX_LISTED_PAGES,
  MAX_SEARCH_SECTIONS,
  type PageRequest,
  type PageResponse,
  type ProofRequest,
  type ProofResponse,
  type SearchRequest,
  type SearchResponse,
  type UnknownPage,
} from '../common/localDocsApi';
import { slugAliases } from '../common/text/headingSlugs';
import { compareText, cutText } from '../common/text/strings';
import { percentDecoded } from '../shared/links';
import { excerpt } from './answers/excerpt';
import { checkClaims } from './answers/proof/checkClaims';
import { docsNamesOf } from './answers/proof/docsNames';
import { proveReply } from './answers/proof/proveReply';
import type { AskedDocs } from './askedDocs';
import { findPage, type FoundPage, similarPages } from './pageAddress';
import { absoluteLinks, type PageAddresses, sectionFragment, sourceUrl } from './pages/links';
import type { DocsPage } from './pages/page';
import { compareVersions, isSameVersion } from './pages/pageFilter';
import type { Section, SectionBlock } from './pages/sections';
import type { DocsIndex } from './search/docsIndex';
import { termWeights } from './search/query';
import { type Retrieval, retrieve } from './search/retrieval';
import { withNeighbors } from './writers/neighbors';
import { joinSimilar } from './writers/rankFusion';
import type { SimilarSections } from './writers/similarSections';

export interface ReadingPorts {
  /** The sets that the request asks. */
  readonly docs: AskedDocs;
  readonly addresses: PageAddresses;
  /** Finds sections by meaning, if the reader chose an embedding model. */
  readonly similar?: Pick<SimilarSections, 'find'>;
}

/** Maximum characters of Markdown per section. Callers shorten it to their own limits. */
const EXCERPT_BUDGET = 2000;
/** Share of the query's topic below which the sections hardly answer it. */
const MIN_RELEVANCE = 0.5;
/** Maximum characters of a section's Markdown if one of its blocks alone is longer than the excerpt. */
const MAX_EXCERPT = 20_000;
/** Maximum characters of a page. JSON takes up to six bytes for each, and clients read 16 MB. */
const MAX_PAGE = 2_500_000;
/** Maximum characters of a description in the list of pages. */
const MAX_DESCRIPTION = 1000;

/** Returns the sections that fit a query best. */
export async function searchDocs(
  { docs, similar, addresses }: ReadingPorts,
  { query, filter, limit, isWhole = false, code }: SearchRequest,
  signal: AbortSignal,
): Promise<SearchResponse> {
  const { index, isIndexed } = docs;
  const contextItems = code === undefined ? [] : [{ type: 'code' as const, value: code }];
  const question = { text: query, earlier: [], contextItems };
  const retrieval = await joinSimilar(query, retrieve(index, question, filter, limit), {
    similar,
    filter,
    count: limit,
    signal,
  });
  const { sections, further } = retrieval;
  const read = isWhole
    ? withNeighbors(sections, [{ sections: [...sections, ...further], weight: 1 }])
    : sections;
  return {
    sections: read.map(({ page, section }) => ({
      ...factsOf(page, section, index, addresses),
      heading: section.heading === page.title ? undefined : section.heading,
      excerpt: cutText(
        (isWhole ? section.blocks : bestBlocks(section, retrieval, index))
          .map((block) => linked(block, page, index, addresses))
          .join('\n\n'),
        MAX_EXCERPT,
      ),
    })),
    isWeak: retrieval.relevance < MIN_RELEVANCE,
    isIndexed,
    pages: index.pageCount,
  };
}

/** Returns a page as Markdown, or the paths of similar pages. */
export async function readPage(
  { docs, addresses }: ReadingPorts,
  { page: address }: PageRequest,
): Promise<PageResponse | UnknownPage> {
  const { index, isIndexed } = docs;
  const found = await findAmong(docs, addresses, address);
  if (!found) {
    const suggestions = similarPages(index, address).map((page) => pathOf(page, index));
    return { error: 'The docs have no such page.', suggestions, isIndexed };
  }
  const { page, fragment } = found;
  const { markdown, starts } = pageText(page, index, addresses);
  const slug = sectionFragment(page, fragment).slice(1);
  const section = page.sections.find((one) => encodeURIComponent(one.slug) === slug);
  // The title has no section of its own if another heading follows it at once.
  const isOfTitle = slugAliases([{ text: page.title }]).has(percentDecoded(slug).toLowerCase());
  return {
    ...factsOf(page, undefined, index, addresses),
    markdown: cutText(markdown, MAX_PAGE),
    start: (section && slug !== '' ? starts.get(section) : undefined) ?? 0,
    unknownFragment: slug === '' || section || isOfTitle ? undefined : fragment,
  };
}

/** Sections to compare a statement with. A statement that none of them supports is not in the docs. */
const SECTIONS_OF_CLAIM = 3;

/** Returns the statements of a text, each with whether the docs support it. */
export function checkTextClaims(
  { docs, addresses }: ReadingPorts,
  { text, filter }: ClaimsRequest,
  signal: AbortSignal,
): ClaimsResponse {
  const { index, isIndexed } = docs;
  const found = checkClaims({
    text,
    find: (statement) => {
      signal.throwIfAborted();
      const question = { text: statement, earlier: [], contextItems: [] };
      return retrieve(index, question, filter, SECTIONS_OF_CLAIM).sections;
    },
    docsNames: docsNamesOf(index),
  });
  const claims = found.map(({ source, ...claim }) => {
    if (!source) return claim;
    const { page, section } = source;
    const heading = section.heading === page.title ? undefined : section.heading;
    return { ...claim, source: { ...factsOf(page, section, index, addresses), heading } };
  });
  return { claims, isIndexed };
}

/**
 * Returns the statements of another service's reply that the pages which it cites support. Returns no proof
 * if the docs lack one of these pages, because it may say what the others don't.
 */
export async function proveFromPages(
  { docs, addresses }: ReadingPorts,
  { text, cited, readersTexts }: ProofRequest,
): Promise<ProofResponse> {
  const { index, isIndexed } = docs;
  const found = await Promise.all(cited.map((address) => findAmong(docs, addresses, address)));
  const pages = found.flatMap((one) => one?.page ?? []);
  if (!isIndexed || pages.length < cited.length) return {};
  const sections = [...new Set(pages)].flatMap((page) =>
    page.sections.slice(0, 1).map((section) => ({ page, section })),
  );
  const docsNames = docsNamesOf(index);
  const proof = proveReply({ text, sections, docsNames, readersTexts, citesAll: true });
  const nearest = (quote: string): number | undefined => {
    if (sections.length === 1) return 0;
    const question = { text: quote, earlier: [], contextItems: [] };
    const near = retrieve(index, question, undefined, MAX_SEARCH_SECTIONS).sections;
    return near.map(({ page }) => pages.indexOf(page)).find((place) => place >= 0);
  };
  return {
    proof: {
      ...proof,
      unproven: proof.unproven.map((one) => ({
        ...one,
        missing: [...one.missing],
        cited: one.reason === 'code-name' ? undefined : nearest(one.quote),
      })),
    },
  };
}

/** Returns a part of the list of all pages. */
export function listPages(
  { docs, addresses }: ReadingPorts,
  { after, afterSet = '' }: ListRequest,
): ListResponse {
  const { index } = docs;
  const listed = [...index.pages()]
    .map((page) => ({ page, set: page.set?.id ?? '', path: pathOf(page, index) }))
    .filter(
      ({ set, path }) =>
        after === undefined || set > afterSet || (set === afterSet && path > after),
    )
    // Compares code units, as the filter does. With a language's own order, `after` would skip pages.
    .sort((one, other) =>
      one.set < other.set || (one.set === other.set && one.path < other.path) ? -1 : 1,
    );
  return {
    pages: listed.slice(0, MAX_LISTED_PAGES).map(({ page }) => ({
      ...factsOf(page, undefined, index, addresses),
      description: cutText(page.description, MAX_DESCRIPTION) || undefined,
    })),
    hasMore: listed.length > MAX_LISTED_PAGES,
  };
}

/** Returns the versions, languages and groups that pages have. Names of the same version are listed once. */
export function listFilters({ docs }: ReadingPorts): FiltersResponse {
  const pages = [...docs.index.pages()];
  const valuesOf = (read: (page: DocsPage) => readonly string[]): string[] =>
    [...new Set(pages.flatMap(read))].sort(compareText);
  const versions = valuesOf(({ version = '' }) => (version === '' ? [] : [version]));
  return {
    versions: versions
      .filter((one, place) => versions.findIndex((other) => isSameVersion(one, other)) === place)
      .sort(compareVersions)
      .slice(0, MAX_FILTER_VALUES),
    languages: valuesOf(({ language = '' }) => (language === '' ? [] : [language])).slice(
      0,
      MAX_FILTER_VALUES,
    ),
    groups: valuesOf(({ groups }) => groups).slice(0, MAX_FILTER_VALUES),
  };
}

function factsOf(
  page: DocsPage,
  section: Section | undefined,
  index: DocsIndex,
  addresses: PageAddresses,
): Pick<PageResponse, 'title' | 'url' | 'path' | 'set' | 'version' | 'language'> {
  const { title, set, version, language } = page;
  const slug = section === undefined || section.heading === title ? '' : section.slug;
  return {
    title,
    url: sourceUrl(page, section, addresses),
    path: `${pathOf(page, index)}${slug === '' ? '' : `#${slug}`}`,
    set,
    version,
    language,
  };
}

/** Returns a path that identifies the page in its set: its route, or its file's path if another page has the route. */
function pathOf(page: DocsPage, index: DocsIndex): string {
  const { route, path } = page;
  return route !== '' && index.setOf(page).pageAtRoute(route) === page ? route : path;
}

/** Returns the page for an address in the first set that has it. */
async function findAmong(
  { libraries }: AskedDocs,
  addresses: PageAddresses,
  address: string,
): Promise<FoundPage | undefined> {
  const set = addresses.read(address.trim())?.set;
  for (const library of libraries) {
    if (set !== undefined && library.index.set?.id !== set) continue;
    const found = await findPage(library, addresses, address);
    if (found) return found;
  }
  return undefined;
}

function bestBlocks(
  section: Section,
  { query, codeLanguage }: Retrieval,
  index: DocsIndex,
): SectionBlock[] {
  return excerpt(
    section.blocks,
    { weightOf: termWeights(query, index), codeLanguage },
    EXCERPT_BUDGET,
  );
}

function linked(
  { kind, markdown }: SectionBlock,
  page: DocsPage,
  index: DocsIndex,
  addresses: PageAddresses,
): string {
  if (kind === 'code') return markdown;
  return absoluteLinks(markdown, index.setOf(page), page, addresses);
}

/** Returns a page as one Markdown text, with the offset of each section in UTF-16 code units. */
function pageText(
  page: DocsPage,
  index: DocsIndex,
  addresses: PageAddresses,
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
    for (const block of section.blocks) markdown += `\n\n${linked(block, page, index, addresses)}`;
  }
  return { markdown, starts };
}
