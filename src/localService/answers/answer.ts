import { codeLanguageName } from '../../pages/codeLanguages';
import { beginning, blockQuote, excerpt, firstSentence } from './excerpt';
import { findOpening, MAX_SECTIONS } from './opening';
import { absoluteLinks, sourceUrl } from '../pages/links';
import {
  type SectionBlock,
  compareVersions,
  type DocsPage,
  type FoundSection,
  passesFilter,
} from '../pages/page';
import type { DocsIndex } from '../search/docsIndex';
import { areAlternatives } from '../search/preferences';
import type { Retrieval, RetrievedSection } from '../search/retrieval';
import type { ReplyLanguage } from '../search/terms';
import type { AskFilter } from '../../shared/askFilter';

/** Sentences that the service writes around the excerpts from the docs. */
interface ReplyTexts {
  searched(pages: number, sections: number, words: readonly string[], isIndexed: boolean): string;
  filtered(filter: string): string;
  readonly foundNothing: string;
  found(sections: number, pages: number): string;
  noCode(language: string): string;
  leadIn(page: string, hasSeveral: boolean): string;
  /** Returns the line between the answer and the quotations of its page. */
  from(page: string): string;
  readonly readOn: string;
  readonly nothing: string;
  /** Returns the sentence that says that no page within a filter matches. */
  nothingFiltered(filter: string): string;
  nothingYet(pages: number): string;
  topics(titles: string): string;
  /** Returns the note about attached files that are not text. */
  unread(names: readonly string[]): string;
}

const english: ReplyTexts = {
  searched: (pages, sections, words, isIndexed) =>
    `Searched ${count(pages, 'page', 'pages')} (${count(sections, 'section', 'sections')})` +
    (words.length === 0 ? '.' : ` for: ${words.join(', ')}.`) +
    (isIndexed ? '' : ' More pages are still being indexed.'),
  filtered: (filter) => `Limited to pages with: ${filter}.`,
  foundNothing: 'No section matches the question.',
  found: (sections, pages) =>
    `Found ${count(sections, 'section', 'sections')} on ${count(pages, 'page', 'pages')}.`,
  noCode: (language) => `The docs have no ${language} example of this. Here is what they have.`,
  leadIn: (page, hasSeveral) =>
    hasSeveral ? `Here is what the docs say, mainly in *${page}*:` : `Here is what *${page}* says:`,
  from: (page) => `From *${page}*:`,
  readOn: 'Read more',
  nothing: 'I found nothing about that in these docs.',
  nothingFiltered: (filter) =>
    `I found nothing about that on pages with: ${filter}. Remove the filter to search all pages.`,
  nothingYet: (pages) =>
    `I found nothing about that in the ${count(pages, 'page', 'pages')} indexed so far. More pages are being indexed. Ask again in a moment.`,
  topics: (titles) =>
    `They cover, for example, ${titles}. Ask about one of these topics, or rephrase your question.`,
  unread: (names) =>
    `I can't read ${list(names, 'and')}, because this service reads text files only. This answer is based on your question alone.`,
};

const german: ReplyTexts = {
  searched: (pages, sections, words, isIndexed) =>
    `${count(pages, 'Seite', 'Seiten')} (${count(sections, 'Abschnitt', 'Abschnitte')}) durchsucht` +
    (words.length === 0 ? '.' : ` nach: ${words.join(', ')}.`) +
    (isIndexed ? '' : ' Weitere Seiten werden noch erfasst.'),
  filtered: (filter) => `Nur Seiten zu: ${filter}.`,
  foundNothing: 'Kein Abschnitt passt zur Frage.',
  found: (sections, pages) =>
    `${count(sections, 'Abschnitt', 'Abschnitte')} auf ${count(pages, 'Seite', 'Seiten')} gefunden.`,
  noCode: (language) =>
    `Die Dokumentation hat dazu kein Beispiel in ${language}. Das hier steht darin:`,
  leadIn: (page, hasSeveral) =>
    hasSeveral
      ? `Das sagt die Dokumentation dazu, vor allem unter *${page}*:`
      : `Das steht dazu unter *${page}*:`,
  from: (page) => `Aus *${page}*:`,
  readOn: 'Zum Weiterlesen',
  nothing: 'Dazu habe ich in dieser Dokumentation nichts gefunden.',
  nothingFiltered: (filter) =>
    `Dazu habe ich auf den Seiten zu ${filter} nichts gefunden. Entfernen Sie den Filter, um alle Seiten zu durchsuchen.`,
  nothingYet: (pages) =>
    `Dazu habe ich in den bisher erfassten Seiten (${pages}) nichts gefunden. Weitere Seiten werden noch erfasst. Bitte fragen Sie gleich noch einmal.`,
  topics: (titles) =>
    `Sie behandelt zum Beispiel ${titles}. Fragen Sie nach einem dieser Themen oder mit anderen Worten.`,
  unread: (names) =>
    `Ich kann ${list(names, 'und')} nicht lesen, weil dieser Dienst nur Textdateien liest. Diese Antwort beruht nur auf Ihrer Frage.`,
};

export const replyTexts: Readonly<Record<ReplyLanguage, ReplyTexts>> = { de: german, en: english };

/** Returns names as a list in a sentence, each as code so that it is not read as Markdown. */
function list(names: readonly string[], and: string): string {
  const quoted = names.map((name) => `\`${name.replace(/[`\s]+/gu, ' ')}\``);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${and} ${last}`;
}

function count(amount: number, one: string, several: string): string {
  return `${amount} ${amount === 1 ? one : several}`;
}

/** A section that the reply cites. */
export interface AnswerSource {
  readonly sourceId: string;
  readonly url: string;
  /** Title in the form `Page › Heading`. */
  readonly title: string;
  /** Beginning of the section's Markdown. The chat shows it when the reader points at a citation. */
  readonly quote: string;
}

export interface Answer {
  /** One or two sentences about what was searched and found. */
  readonly reasoning: string;
  readonly sources: readonly AnswerSource[];
  /** Markdown of the reply. It cites source n as `[n](url)`. */
  readonly text: string;
}

export interface AnswerInput {
  /** Text of the question. */
  readonly question: string;
  readonly retrieval: Retrieval;
  readonly index: DocsIndex;
  readonly filter: AskFilter | null | undefined;
  /** Base URL without a slash at its end, such as `http://127.0.0.1:4100`. */
  readonly origin: string;
  /** Whether the first indexing has ended. */
  readonly isIndexed: boolean;
}

/**
 * Maximum number of sections that are quoted at length. The others are listed as further reading.
 */
const MAX_QUOTED = 3;
/** Minimum strength of a quoted section, as a share of the best section's. */
const MIN_QUOTED_STRENGTH = 0.5;
/** Maximum characters of Markdown to quote from the best section, and from each further section. */
const FIRST_BUDGET = 1900;
const FURTHER_BUDGET = 900;
const MAX_EXAMPLE_TOPICS = 6;

/** Writes the reply. Quotes and cites the found sections, or says that nothing was found. */
export function composeAnswer(input: AnswerInput): Answer {
  const { retrieval, index } = input;
  const { sections, query } = retrieval;
  const language: ReplyLanguage =
    sections.length > 0 ? pageLanguage(sections) : (query.language ?? 'en');
  const texts = replyTexts[language];
  const sources = sections.map((found, position) => ({
    sourceId: `source-${position + 1}`,
    url: sourceUrl(found.page, found.section, input.origin),
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

/** Returns what the filter asks for, or an empty string without a filter. */
function filterNames(filter: AskFilter | null | undefined): string {
  const parts = [filter?.version, filter?.language, filter?.groups?.join(', ')];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}

function filterText(filter: AskFilter | null | undefined, language: ReplyLanguage): string {
  const names = filterNames(filter);
  return names === '' ? '' : replyTexts[language].filtered(names);
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
  const opening = findOpening({
    question: input.question,
    query,
    sections: sections.slice(0, MAX_SECTIONS),
    worthOf: (term) => (input.index.has(term) ? input.index.rarity(term) : 0),
  });
  const opened = citations.find(({ found }) => found === opening?.found);
  const others = citations.filter((citation) => citation !== opened);
  const inFull = chooseQuoted(opened ? [opened, ...others] : others);
  const rest = citations.filter((citation) => !inFull.includes(citation));
  const first = inFull[0];
  if (!first) return '';

  const paragraphs: string[] = [];
  if (opening && opened) {
    paragraphs.push(`${withLinks(input, opened.found.page, opening.markdown)} ${cite(opened)}`);
  }
  const asked = query.askedCodeLanguage;
  const hasAsked =
    asked === undefined ||
    sections.some(({ section }) => section.blocks.some((block) => block.codeLanguage === asked));
  if (!hasAsked) paragraphs.push(texts.noCode(codeLanguageName(asked)));
  if (!opened) {
    paragraphs.push(texts.leadIn(escapeText(first.found.page.title), inFull.length > 1));
  }

  const pages = pagesOf(inFull.map(({ found }) => found));
  for (const page of pages) {
    const quotations = inFull
      .filter(({ found }) => found.page === page)
      .flatMap((citation) => {
        const budget = citation === first ? FIRST_BUDGET : FURTHER_BUDGET;
        const said = citation === opened ? opening?.wholeBlock : undefined;
        return quotation(input, citation, budget, said);
      });
    const title = escapeText(page.title);
    if (quotations.length > 0 && pages.length > 1) paragraphs.push(`### ${title}`);
    else if (quotations.length > 0 && opened) paragraphs.push(texts.from(title));
    paragraphs.push(...quotations);
  }
  paragraphs.push(`**${texts.readOn}**`, readingList(input, rest, pages).join('\n'));
  return paragraphs.join('\n\n');
}

/** Returns the best sections, without repeating an example in another programming language. */
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

/**
 * Returns a section's heading and its blocks that answer best.
 * @param said block to leave out because the first paragraph of the reply already quotes it.
 */
function quotation(
  input: AnswerInput,
  citation: Citation,
  budget: number,
  said: SectionBlock | undefined,
): string[] {
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
  }).filter((block) => block !== said);
  if (blocks.length === 0) return [];
  const paragraphs = [`**${escapeText(section.heading)}** ${cite(citation)}`];
  let quote: string[] = [];
  const endQuote = (): void => {
    if (quote.length > 0) paragraphs.push(blockQuote(quote.join('\n\n')));
    quote = [];
  };
  for (const { kind, markdown } of blocks) {
    const linked = kind === 'code' ? markdown : withLinks(input, page, markdown);
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

/** Returns Markdown of a page with links that work in a reply. */
function withLinks({ index, origin }: AnswerInput, page: DocsPage, markdown: string): string {
  const toUrl = (href: string): string => (href.startsWith('/') ? origin + href : href);
  return absoluteLinks(markdown, index, page, toUrl);
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
    return pages.map(
      (page) => `- [${escapeText(page.title)}](${sourceUrl(page, undefined, input.origin)})`,
    );
  }
  return rest.map((citation) => {
    const gist = firstSentence(citation.found.section.blocks);
    return `- ${escapeText(citation.source.title)} ${cite(citation)}${gist === '' ? '' : `: ${gist}`}`;
  });
}

function nothingFound(input: AnswerInput, language: ReplyLanguage): string {
  const texts = replyTexts[language];
  const topics = exampleTopics(input, language).map((title) => `*${escapeText(title)}*`);
  const filter = filterNames(input.filter);
  const nothing = filter === '' ? texts.nothing : texts.nothingFiltered(escapeText(filter));
  return [
    ...(input.isIndexed
      ? [nothing]
      : [texts.nothingYet(input.index.pageCount), filterText(input.filter, language)]),
    topics.length === 0 ? '' : texts.topics(topics.join(', ')),
  ]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

/**
 * Puts a note after the first paragraph of a reply, which has the answer or says that nothing was found. If
 * the first paragraph introduces the next one, the note comes before it.
 */
export function withNote(text: string, note: string): string {
  const plain = note.trim();
  if (plain === '') return text;
  const [first = '', ...rest] = text.split('\n\n');
  const leads = first.endsWith(':') || first.startsWith('#') || first.startsWith('```');
  return (leads ? [plain, text] : [first, plain, ...rest]).join('\n\n');
}

/** Returns titles of pages that the reader could ask about. Pages nearest to the root come first. */
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

/** Escapes a title for Markdown. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}
