/** `search_docs`: sections of the local docs service, cut to the space of the caller. */
import type { SearchResponse } from '../common/localDocsApi';
import { plainLine } from '../shared/characters';
import { cutMarkdown } from './markdownCut';
import { fitResult } from './resultBudget';
import {
  linkText,
  notInstalledText,
  pathText,
  sectionName,
  siteText,
  textCleaner,
} from './resultText';
import type { DocsTarget, ToolCall, ToolResult } from './toolCall';
import type { SearchedSection, SearchInput, SearchResult } from './toolDefinitions';

/** Characters of a search result: about 5,000 tokens. */
const MAX_SEARCH_LENGTH = 20_000;
/** Characters of the shortest excerpt that still says something. */
const MIN_EXCERPT_LENGTH = 200;

interface Searched extends Pick<SearchInput, 'query' | 'package'> {
  /** Sentence about the filters of a search that found nothing. */
  readonly knownFilters: string | undefined;
}

/** Returns found sections as the result of the tool. */
export async function searchResult(
  found: SearchResponse,
  { query, package: named, knownFilters }: Searched,
  target: DocsTarget,
  { budget }: ToolCall,
): Promise<ToolResult<SearchResult>> {
  const clean = textCleaner(target);
  const site = siteText(clean(target.label));
  const sections = found.sections.map((section): SearchedSection => {
    const { heading, version, language } = section;
    return {
      title: plainLine(clean(section.title)),
      heading: heading === undefined ? undefined : plainLine(clean(heading)),
      url: clean(section.url),
      path: clean(section.path),
      version,
      language,
      excerpt: clean(section.excerpt).trim(),
    };
  });
  const about = plainLine(query);
  const make = (maxLength: number): ToolResult<SearchResult> => {
    const notes = notesOf(
      found,
      named === undefined ? site : plainLine(named),
      about,
      knownFilters,
    );
    const shown = fittingSections(sections, maxLength - notes.length - OMITTED_LENGTH);
    const omitted = sections.length - shown.length;
    const end =
      omitted === 0
        ? ''
        : `${omitted} more ${omitted === 1 ? 'section was' : 'sections were'} found and left out to fit. Search with narrower words or a smaller limit.`;
    return {
      text: [notes, ...shown.map(sectionText), end].filter((part) => part !== '').join('\n\n'),
      data: {
        site,
        sections: shown,
        omittedSections: omitted,
        isWeak: found.isWeak,
        isIndexing: !found.isIndexed,
      },
    };
  };
  return fitResult(make, MAX_SEARCH_LENGTH, budget);
}

/** Characters of the line about sections that are left out. */
const OMITTED_LENGTH = 120;

function notesOf(
  found: SearchResponse,
  site: string,
  query: string,
  knownFilters: string | undefined,
): string {
  const { isWeak, isIndexed, pages, sections } = found;
  const { length: count } = sections;
  const missing = notInstalledText(found);
  const indexing = isIndexed
    ? ''
    : ' Pages are still being read, so search again in 10 seconds for more.';
  if (count === 0) {
    const nothing =
      pages === 0 && isIndexed
        ? `${site} has no pages.`
        : `Nothing in ${site} matches “${shortened(query)}”.`;
    const filters = knownFilters === undefined ? '' : ` ${knownFilters}`;
    return `${missing}${nothing}${indexing}${isIndexed && pages > 0 ? ` Search with other words, remove filters, or call ask_docs.${filters}` : ''}`;
  }
  const amount = count === 1 ? '1 section' : `${count} sections`;
  const first = isWeak
    ? `No section of ${site} answers “${shortened(query)}”.${indexing} These come nearest:`
    : `${amount} of ${site} for “${shortened(query)}”, best first. Read a page with read_docs_page and its path.${indexing}`;
  return missing + first;
}

/** Returns the start of a query, to remind of it. */
function shortened(query: string): string {
  return query.length <= 100 ? query : `${query.slice(0, 99).toWellFormed()}…`;
}

/**
 * Returns sections that fit: with shorter excerpts first, then fewer of them. The space that short
 * ones leave goes to the others.
 */
function fittingSections(sections: readonly SearchedSection[], room: number): SearchedSection[] {
  for (let count = sections.length; count > 0; count--) {
    const candidates = sections.slice(0, count);
    const heads = candidates.reduce(
      (sum, section) => sum + sectionText({ ...section, excerpt: '' }).length + 4,
      0,
    );
    const excerpts = candidates.map(({ excerpt }) => excerpt.length);
    const share = fairShare(excerpts, room - heads);
    if (share < MIN_EXCERPT_LENGTH && excerpts.some((length) => length > share)) continue;
    return candidates.map((section) => ({ ...section, excerpt: shortExcerpt(section, share) }));
  }
  return [];
}

/** Returns the length to which texts must be cut to fit together. */
function fairShare(lengths: readonly number[], room: number): number {
  let rest = room;
  const sorted = lengths.toSorted((one, other) => one - other);
  for (const [index, length] of sorted.entries()) {
    const share = rest / (sorted.length - index);
    if (length > share) return Math.floor(share);
    rest -= length;
  }
  return sorted.at(-1) ?? 0;
}

function shortExcerpt({ excerpt }: SearchedSection, maxLength: number): string {
  if (excerpt.length <= maxLength) return excerpt;
  const { text } = cutMarkdown(excerpt, 0, Math.max(1, maxLength - 2));
  return `${text}${text.endsWith('```') ? '\n' : ' '}…`;
}

function sectionText(section: SearchedSection, index = 0): string {
  const { url, path, version, language, excerpt } = section;
  const facts = [version, language, `path: ${pathText(path)}`].filter((fact) => fact !== undefined);
  const head = `### ${index + 1}. ${linkText(sectionName(section), url)}\n${facts.join(' · ')}`;
  return excerpt === '' ? head : `${head}\n\n${excerpt}`;
}
