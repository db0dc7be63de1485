import { beginning, cutBetweenWords, excerpt } from './excerpt';
import { gistOf } from './gist';
import { findPassage, type Passage, type PassageWish } from './passage';
import { isAnswer } from './tone';
import { absoluteLinks, type PageAddresses, sourceUrl } from '../pages/links';
import type { SectionBlock } from '../pages/sections';
import { compareVersions, passesFilter } from '../pages/pageFilter';
import type { DocsPage, FoundSection } from '../pages/page';
import type { DocsIndex } from '../search/docsIndex';
import { areAlternatives } from '../search/preferences';
import type { Retrieval, RetrievedSection } from '../search/retrieval';
import type { ReplyLanguage } from '../search/terms';
import type { Topic } from '../search/topic';
import type { AskFilter } from '../../shared/askFilter';

/** Sentences that the service writes around the excerpts from the docs. */
interface ReplyTexts {
  searched(pages: number, sections: number, words: readonly string[], isIndexed: boolean): string;
  filtered(filter: string): string;
  readonly foundNothing: string;
  found(sections: number, pages: number): string;
  /** Sentence before sections that may not answer the question. */
  readonly closest: string;
  readonly readOn: string;
  readonly nothing: string;
  /** Returns the sentence that says that no page within a filter matches. */
  nothingFiltered(filter: string): string;
  nothingYet(pages: number): string;
  topics(titles: string): string;
  /** Returns the note about attached files that are not text. */
  unread(names: readonly string[]): string;
  /** Returns the note about a package that the question names in vain. */
  notInstalled(name: string, otherVersion: string | undefined): string;
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
  closest: 'This may help:',
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
  notInstalled: (name, otherVersion) =>
    `${list([name], '')} is not installed here${otherVersion === undefined ? '' : `, but version ${otherVersion} is`}.`,
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
  closest: 'Das hilft vielleicht:',
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
  notInstalled: (name, otherVersion) =>
    `${list([name], '')} ist hier nicht installiert${otherVersion === undefined ? '' : `, wohl aber Version ${otherVersion}`}.`,
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
  /** Title in the form `Page › Heading`, behind the label of the set if there are several. */
  readonly title: string;
  /** Beginning of the section's Markdown. The chat shows it when the reader points at a citation. */
  readonly quote: string;
}

/**
 * Certainty of the reply: `answer` quotes a passage that answers, `likely` says that the quoted passage only
 * comes close, and `nothing` says that the docs have no word about the question.
 */
export type ReplyTone = 'answer' | 'likely' | 'nothing';

export interface Answer {
  readonly tone: ReplyTone;
  /** One or two sentences about what was searched and found. */
  readonly reasoning: string;
  readonly sources: readonly AnswerSource[];
  /** Markdown of the reply. It cites source n as `[n](url)`. */
  readonly text: string;
  /** Markdown with more of the found sections, for readers who want it. Can be empty. */
  readonly more: string;
}

interface AnswerInput {
  /** Text of the question. */
  readonly question: string;
  readonly retrieval: Retrieval;
  readonly index: DocsIndex;
  readonly filter: AskFilter | null | undefined;
  readonly addresses: PageAddresses;
  /** Whether the first indexing has ended. */
  readonly isIndexed: boolean;
  /** Whether sources stay in the order of the found sections, because a model cites them by number. */
  readonly keepsOrder?: boolean;
}

/** Maximum number of links below the first passage. */
const MAX_LINKS = 4;
/** Maximum characters of Markdown to quote from the best section, and from each further section. */
const FIRST_BUDGET = 3000;
const FURTHER_BUDGET = 2000;
const MAX_EXAMPLE_TOPICS = 6;

/** Writes the reply. Quotes and cites the found sections, or says that nothing was found. */
export function composeAnswer(input: AnswerInput): Answer {
  const { index } = input;
  const { query } = input.retrieval;
  const wish = wishOf(input);
  const passage = passageOf(input, wish);
  const retrieval =
    passage && input.keepsOrder !== true ? leadBy(passage.found, input.retrieval) : input.retrieval;
  const { sections } = retrieval;
  const tone = toneOf(input, passage);
  const language: ReplyLanguage =
    sections.length > 0 ? pageLanguage(sections) : (query.language ?? 'en');
  const texts = replyTexts[language];
  const sources = sections.map((found, position) => ({
    sourceId: `source-${position + 1}`,
    url: sourceUrl(found.page, found.section, input.addresses),
    title: titleOf(found, sections),
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
    tone,
    ...(tone === 'nothing'
      ? { text: nothingFound(input, language), more: '' }
      : quoted({ ...input, retrieval }, { tone, passage, wish, sources, texts })),
  };
}

/** Returns the part of an earlier reply that stands before its links. */
function passageIn(reply: string): string {
  const ends = Object.values(replyTexts).map(({ readOn }) => reply.indexOf(`**${readOn}**`));
  return reply.slice(
    0,
    ends.find((end) => end >= 0),
  );
}

/** Returns what excerpts of the reply are to show. */
function wishOf(input: AnswerInput): PassageWish {
  const topic = topicOf(input);
  const { codeLanguage, query } = input.retrieval;
  return {
    topic,
    weightOf: (term: string) => topic.get(term) ?? 0,
    codeLanguage,
    names: query.isAboutNames ? query.names : undefined,
    isOnlyNames: query.isOnlyNames,
    subject: query.topic,
    said: passageIn(query.lastReply ?? ''),
  };
}

/**
 * Returns the passage of the found sections that answers best. It is of what has the question as its name, if anything
 * has. If nobody asked for a programming language, it isn't of a section that shows the example of another one in a
 * language.
 */
function passageOf(
  { retrieval: { sections, further, codeLanguage }, keepsOrder }: AnswerInput,
  wish: PassageWish,
): Passage | undefined {
  const all = keepsOrder === true ? sections : [...sections, ...further];
  const neutral = all.filter((one) => !all.some((other) => areAlternatives(one, other)));
  const candidates = codeLanguage === undefined && neutral.length > 0 ? neutral : all;
  const named = namedBy(wish.subject, all);
  return findPassage(named.length > 0 ? named : candidates, wish);
}

/** Returns the first sections of the pages of which the question is the title, or else the sections of which it is the heading. */
function namedBy(subject: Topic, all: readonly RetrievedSection[]): RetrievedSection[] {
  const tops = all.flatMap((one) => {
    const section = subject.isName(one.page.title) ? one.page.sections[0] : undefined;
    return section ? (all.find((found) => found.section === section) ?? { ...one, section }) : [];
  });
  return tops.length > 0 ? tops : all.filter(({ section }) => subject.isName(section.heading));
}

/** Moves a section to the front, in the place of the cited section of its page. */
function leadBy(found: RetrievedSection, retrieval: Retrieval): Retrieval {
  const all = [...retrieval.sections, ...retrieval.further];
  const replaced = retrieval.sections.includes(found)
    ? found
    : retrieval.sections.find(({ page }) => page === found.page);
  const sections = [found, ...retrieval.sections.filter((other) => other !== replaced)];
  return { ...retrieval, sections, further: all.filter((other) => !sections.includes(other)) };
}

function toneOf({ retrieval, index }: AnswerInput, passage: Passage | undefined): ReplyTone {
  if (retrieval.sections.length === 0) return 'nothing';
  return passage && isAnswer(passage, retrieval, index) ? 'answer' : 'likely';
}

function pageLanguage(sections: readonly FoundSection[]): ReplyLanguage {
  return sections[0]?.page.language?.toLowerCase().startsWith('de') === true ? 'de' : 'en';
}

function pagesOf(sections: readonly FoundSection[]): DocsPage[] {
  return [...new Set(sections.map(({ page }) => page))];
}

/**
 * Returns the names of the set, the page and the section. A page that is named like its package, or has only its file name,
 * adds nothing to these. A heading that its page has twice, or that is of a page with the title of another source, stands
 * below the heading above it.
 */
function titleOf({ page, section }: FoundSection, sources: readonly FoundSection[]): string {
  const { title, set, version } = page;
  const { heading } = section;
  const label = set === undefined ? [] : [set.label];
  if (lettersOf(heading) === lettersOf(title)) return [...label, heading].join(' › ');
  const isPackage =
    set !== undefined &&
    (/^readme(?:\.\w+)?$/i.test(title) ||
      set.label.toLowerCase().startsWith(`${title.toLowerCase()}@`));
  const isVague =
    page.sections.some((other) => other !== section && other.heading === heading) ||
    sources.some(({ page: other }) => {
      return other !== page && other.title === title && other.version === version;
    });
  const above = isVague
    ? section.ancestors.slice(-1).filter((name) => lettersOf(name) !== lettersOf(title))
    : [];
  return [...label, ...(isPackage ? [] : [title]), ...[...above, heading].map(shortName)].join(
    ' › ',
  );
}

/** Returns the letters and digits of a name in small letters, which `Serve static` and `Serve Static` share. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Maximum length of a heading in a title. */
const MAX_HEADING = 80;

/** Returns a heading without what a long signature has behind its name: `save(…)`, `defaults = …`. */
function shortName(heading: string): string {
  if (heading.length <= MAX_HEADING) return heading;
  const [, name = '', sign = ''] = /^([^(=]*[^(=\s])(\(| = )/.exec(heading) ?? [];
  if (name === '' || name.length > MAX_HEADING) return `${cutBetweenWords(heading, MAX_HEADING)} …`;
  return sign === '(' ? `${name}(…)` : `${name} = …`;
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

/** The parts of a reply that {@link quoted} puts together. */
interface QuotedParts {
  readonly tone: ReplyTone;
  readonly passage: Passage | undefined;
  readonly wish: PassageWish;
  readonly sources: readonly AnswerSource[];
  readonly texts: ReplyTexts;
}

function quoted(
  input: AnswerInput,
  { tone, passage, wish, sources, texts }: QuotedParts,
): Pick<Answer, 'text' | 'more'> {
  const { sections, further } = input.retrieval;
  const citations = sections.flatMap((found, position): Citation[] => {
    const source = sources[position];
    return source ? [{ found, source, number: position + 1 }] : [];
  });
  const titled = (found: FoundSection, mark = ''): string => {
    const citation = citations.find((one) => one.found === found);
    if (citation) return `${mark}${escapeText(citation.source.title)}${mark} ${cite(citation)}`;
    const url = sourceUrl(found.page, found.section, input.addresses);
    return `${mark}[${escapeText(titleOf(found, sections))}](${url})${mark}`;
  };
  const linkTo = (found: FoundSection): string => {
    const gist = gistOf(found, wish.topic);
    return gist ? `- ${titled(found)}: ${gist.markdown}` : `- ${titled(found)}`;
  };
  const quotedFirst = citations.find(({ found }) => found === passage?.found);
  if (!passage || !quotedFirst) {
    return { text: [texts.closest, sections.map(linkTo).join('\n')].join('\n\n'), more: '' };
  }
  const answers = answersBySet(passage, citations, wish);
  const answering = answers.map(({ found }) => found);
  const all = [...sections, ...further].filter((found) => !answering.includes(found));
  const ofPage = all.filter(({ page }) => page === passage.found.page);
  const elsewhere = mostAbout(ofPage, wish.topic);
  const links = [...new Set([...elsewhere, ...all.filter((found) => sections.includes(found))])];
  const paragraphs = tone === 'likely' ? [texts.closest] : [];
  for (const { found, blocks, needsTitle } of answers) {
    const citation = citations.find((one) => one.found === found) ?? quotedFirst;
    if (answers.length > 1) paragraphs.push(`### ${escapeText(found.page.set?.label ?? '')}`);
    paragraphs.push(...withCitation(markdownOf(input, found.page, blocks), citation, needsTitle));
  }
  if (links.length > 0) {
    paragraphs.push(`**${texts.readOn}**`, links.slice(0, MAX_LINKS).map(linkTo).join('\n'));
  }
  const said = new Set(answers.flatMap(({ blocks }) => blocks).map(({ markdown }) => markdown));
  const quote = (found: FoundSection, budget: number): string[] => {
    const { page, section } = found;
    const blocks = excerpt(section.blocks, wish, budget);
    const rest = blocks.filter(({ markdown }) => !said.has(markdown));
    return rest.length === 0 ? [] : [titled(found, '**'), ...markdownOf(input, page, rest)];
  };
  const more = [
    ...quote(passage.found, FIRST_BUDGET),
    ...[...sections, ...further]
      .filter((found) => found !== passage.found)
      .toSorted((one, other) => other.strength - one.strength)
      .flatMap((found) => quote(found, FURTHER_BUDGET)),
  ];
  return { text: paragraphs.join('\n\n'), more: more.join('\n\n') };
}

/** Returns the section whose gist says most about the question, if any section has one. */
function mostAbout(
  sections: readonly RetrievedSection[],
  topic: ReadonlyMap<string, number>,
): RetrievedSection[] {
  const shares = sections.map((found) => gistOf(found, topic)?.share ?? 0);
  const most = Math.max(...shares);
  const best = sections[shares.indexOf(most)];
  return best && most > 0 ? [best] : [];
}

/** Score of a set's best section, as a share of the best score, from which the question may be about this set, too. */
const LIKELY_SET = 0.8;
/** Maximum number of sets whose answers are quoted one below the other. */
const MAX_ANSWERS = 3;

/** Returns the passage that answers best, and one of each other set that the question is likely about. */
function answersBySet(
  first: Passage,
  citations: readonly Citation[],
  wish: PassageWish,
): readonly Passage[] {
  const setOf = ({ page }: FoundSection): string | undefined => page.set?.id;
  const likely = citations
    .map(({ found }) => found)
    .filter(({ strength }) => strength >= LIKELY_SET);
  const others = [...new Set(likely.map(setOf))].filter((set) => set !== setOf(first.found));
  const more = others.slice(0, MAX_ANSWERS - 1).flatMap((set) => {
    const ofSet = likely.filter((found) => setOf(found) === set);
    return findPassage(ofSet, wish) ?? [];
  });
  return [first, ...more];
}

/**
 * Returns the weights of the question's terms that the docs have. Terms of attached code count in the search
 * only, because a passage with many of them does not answer the question.
 */
function topicOf({ retrieval, index }: AnswerInput): Map<string, number> {
  const { terms, own, isAboutContext } = retrieval.query;
  const topic = new Map<string, number>();
  for (const [term, weight] of terms) {
    if (!index.has(term) || (!isAboutContext && own.size > 0 && !own.has(term) && weight >= 1))
      continue;
    topic.set(term, weight * index.rarity(term));
  }
  return topic;
}

/**
 * Puts the citation behind the first paragraph, or behind the section's title where the first paragraph can't
 * have one or doesn't say what it is about.
 */
function withCitation(
  paragraphs: readonly string[],
  citation: Citation,
  needsTitle: boolean,
): string[] {
  const at = paragraphs.findIndex(
    (paragraph) => !/^(?:```|~~~|\||[-*+] |\d+[.)] )/.test(paragraph),
  );
  if (at < 0 || needsTitle)
    return [`**${escapeText(citation.source.title)}** ${cite(citation)}`, ...paragraphs];
  return paragraphs.map((paragraph, position) =>
    position === at ? `${paragraph} ${cite(citation)}` : paragraph,
  );
}

/** Returns the Markdown of blocks, with links that work in a reply. */
function markdownOf(input: AnswerInput, page: DocsPage, blocks: readonly SectionBlock[]): string[] {
  return blocks.map(({ kind, markdown }) =>
    kind === 'code'
      ? markdown
      : absoluteLinks(markdown, input.index.setOf(page), page, input.addresses),
  );
}

function cite({ number, source }: Citation): string {
  return `[${number}](${source.url})`;
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

/** Escapes a title for Markdown, also at the beginning of an item, where `2.` and `-` would begin a list. */
function escapeText(text: string): string {
  return text.replace(/[\\`*_[\]<>#|~]|^[-+](?=\s|$)|(?<=^\d+)[.)](?=\s|$)/g, '\\$&');
}
