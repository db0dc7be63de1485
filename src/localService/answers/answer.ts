import { areAlternatives } from './alternatives';
import { codeLanguageName } from './codeLanguages';
import type { DocsIndex, FoundSection } from './docsIndex';
import { absoluteLinks, pageHref, sectionHref } from './links';
import type { RequestFilter } from './messageSchema';
import type { DocsPage } from './page';
import { compareVersions, passesFilter } from './pageVariants';
import { beginning, blockQuote, excerpt, firstSentence } from './excerpt';
import { replyTexts } from './replyTexts';
import type { RetrievedSection, Retrieval } from './retrieval';
import type { ReplyLanguage } from './terms';

/** A section that the reply cites. */
export interface AnswerSource {
  readonly sourceId: string;
  readonly url: string;
  /** `Page › Heading`. */
  readonly title: string;
  /** The start of the section's Markdown, for whoever points at a citation of it. */
  readonly quote: string;
}

export interface Answer {
  /** What was searched and found, in a sentence or two. */
  readonly reasoning: string;
  readonly sources: readonly AnswerSource[];
  /** Markdown. Cites source n as `[n](url)`. */
  readonly text: string;
}

export interface AnswerInput {
  readonly retrieval: Retrieval;
  readonly index: DocsIndex;
  readonly filter: RequestFilter | null | undefined;
  /** `http://127.0.0.1:4100`, without a slash at its end. */
  readonly origin: string;
  /** False while pages are still being indexed. */
  readonly isIndexed: boolean;
}

/** Sections that are quoted at length; the others are where to read on. */
const MAX_QUOTED = 3;
/** Share of the best section's strength from which another one is worth quoting. */
const MIN_QUOTED_STRENGTH = 0.5;
/** Characters of Markdown quoted of the best section, and of each further one. */
const FIRST_BUDGET = 1900;
const FURTHER_BUDGET = 900;
const MAX_EXAMPLE_TOPICS = 6;

/** Writes the reply: what the found sections say, quoted and cited; without any, that there is nothing. */
export function composeAnswer(input: AnswerInput): Answer {
  const { retrieval, index } = input;
  const { sections, query } = retrieval;
  const language: ReplyLanguage =
    sections.length > 0 ? pageLanguage(sections) : (query.language ?? 'en');
  const texts = replyTexts[language];
  const sources = sections.map((found, position) => ({
    sourceId: `source-${position + 1}`,
    url: input.origin + sectionHref(found),
    title: titleOf(found),
    quote: beginning(found.section.blocks),
  }));
  const reasoning = [
    texts.searched(index.pageCount, index.sectionCount, query.words, input.isIndexed),
    filterText(input.filter, language),
    sections.length === 0
      ? texts.foundNothing
      : texts.found(sections.length, pagesOf(sections).length),
  ].filter((sentence) => sentence !== '');
  return {
    reasoning: reasoning.join('\n\n'),
    sources,
    text: sections.length === 0 ? nothingFound(input, language) : quoted(input, sources, language),
  };
}

function pageLanguage(sections: readonly FoundSection[]): ReplyLanguage {
  return sections[0]?.page.language?.toLowerCase().startsWith('de') === true ? 'de' : 'en';
}

function pagesOf(sections: readonly FoundSection[]): DocsPage[] {
  return [...new Set(sections.map(({ page }) => page))];
}

function titleOf({ page, section }: FoundSection): string {
  return section.heading === page.title ? page.title : `${page.title} › ${section.heading}`;
}

function filterText(filter: RequestFilter | null | undefined, language: ReplyLanguage): string {
  const parts = [filter?.version, filter?.language, filter?.groups?.join(', ')];
  const named = parts.filter((part) => part !== undefined && part !== '');
  return named.length === 0 ? '' : replyTexts[language].filtered(named.join(' · '));
}

interface Citation {
  readonly found: RetrievedSection;
  readonly source: AnswerSource;
  readonly number: number;
}

function quoted(
  input: AnswerInput,
  sources: readonly AnswerSource[],
  language: ReplyLanguage,
): string {
  const texts = replyTexts[language];
  const { sections, query } = input.retrieval;
  const citations: Citation[] = [];
  sections.forEach((found, position) => {
    const source = sources[position];
    if (source) citations.push({ found, source, number: position + 1 });
  });
  const inFull = chooseQuoted(citations);
  const rest = citations.filter((citation) => !inFull.includes(citation));
  const first = inFull[0];
  if (!first) return '';

  const paragraphs: string[] = [];
  const asked = query.askedCodeLanguage;
  const hasAsked =
    asked === undefined ||
    sections.some(({ section }) => section.blocks.some((block) => block.codeLanguage === asked));
  if (!hasAsked) paragraphs.push(texts.noCode(codeLanguageName(asked)));
  paragraphs.push(texts.leadIn(escapeText(first.found.page.title), inFull.length > 1));

  const pages = pagesOf(inFull.map(({ found }) => found));
  for (const page of pages) {
    if (pages.length > 1) paragraphs.push(`### ${escapeText(page.title)}`);
    for (const citation of inFull.filter(({ found }) => found.page === page)) {
      paragraphs.push(
        ...quotation(input, citation, citation === first ? FIRST_BUDGET : FURTHER_BUDGET),
      );
    }
  }
  paragraphs.push(`**${texts.readOn}**`, readingList(input, rest, pages).join('\n'));
  return paragraphs.join('\n\n');
}

/** The best sections, without a second example of the same in another programming language. */
function chooseQuoted(citations: readonly Citation[]): Citation[] {
  const chosen: Citation[] = [];
  for (const citation of citations) {
    if (chosen.length >= MAX_QUOTED) break;
    const { found } = citation;
    if (chosen.length > 0 && found.strength < MIN_QUOTED_STRENGTH) break;
    if (!chosen.some((other) => areAlternatives(found, other.found))) chosen.push(citation);
  }
  return chosen;
}

function quotation(input: AnswerInput, citation: Citation, budget: number): string[] {
  const { page, section } = citation.found;
  const { query } = input.retrieval;
  const weightOf = (term: string): number => {
    const weight = query.terms.get(term) ?? 0;
    return weight === 0 ? 0 : weight * input.index.rarity(term);
  };
  const blocks = excerpt(section.blocks, {
    weightOf,
    budget,
    codeLanguage: input.retrieval.codeLanguage,
  });
  const toUrl = (href: string): string => (href.startsWith('/') ? input.origin + href : href);
  const paragraphs = [`**${escapeText(section.heading)}** ${cite(citation)}`];
  let quote: string[] = [];
  const endQuote = (): void => {
    if (quote.length > 0) paragraphs.push(blockQuote(quote.join('\n\n')));
    quote = [];
  };
  for (const { kind, markdown } of blocks) {
    const linked = kind === 'code' ? markdown : absoluteLinks(markdown, input.index, page, toUrl);
    if (kind === 'prose') {
      quote.push(linked);
      continue;
    }
    endQuote();
    paragraphs.push(linked);
  }
  endQuote();
  return paragraphs;
}

function cite({ number, source }: Citation): string {
  return `[${number}](${source.url})`;
}

function readingList(
  input: AnswerInput,
  rest: readonly Citation[],
  pages: readonly DocsPage[],
): string[] {
  if (rest.length === 0) {
    return pages.map((page) => `- [${escapeText(page.title)}](${input.origin}${pageHref(page)})`);
  }
  return rest.map((citation) => {
    const gist = firstSentence(citation.found.section.blocks);
    return `- ${escapeText(citation.source.title)} ${cite(citation)}${gist === '' ? '' : `: ${gist}`}`;
  });
}

function nothingFound(input: AnswerInput, language: ReplyLanguage): string {
  const texts = replyTexts[language];
  const topics = exampleTopics(input, language).map((title) => `*${escapeText(title)}*`);
  return [
    input.isIndexed ? texts.nothing : texts.nothingYet(input.index.pageCount),
    filterText(input.filter, language),
    topics.length === 0 ? '' : texts.topics(topics.join(', ')),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/** Titles of pages that the asker could have meant, those nearest to the root first. */
function exampleTopics({ index, filter }: AnswerInput, language: ReplyLanguage): string[] {
  const pages = [...index.pages()].filter((page) => passesFilter(page, filter));
  const newest = pages.flatMap((page) => page.version ?? []).sort(compareVersions)[0];
  const fitting = pages.filter(
    (page) =>
      (page.version === undefined || page.version === newest) &&
      (page.language?.toLowerCase().startsWith(language) ?? true),
  );
  const depth = (page: DocsPage): number => page.route.split('/').length;
  const titles = (fitting.length > 0 ? fitting : pages)
    .sort((one, other) => depth(one) - depth(other) || (one.route < other.route ? -1 : 1))
    .map((page) => page.title);
  return [...new Set(titles)].slice(0, MAX_EXAMPLE_TOPICS);
}

/** A title as Markdown that shows it as it is. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}
