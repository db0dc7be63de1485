import { plainRoute } from '../pages/links';
import type { DocsPage } from '../pages/page';
import type { Section, SectionBlock } from '../pages/sections';
import { languageOfPath, languageOfText } from './languages';
import type { KeptPostings } from './keptPostings';
import { stopWordsOfName } from './namedCode';
import { stopWordsOf, termsOf } from './terms';
import type { Vocabulary } from './vocabulary';

/** A page with what the index has found out about it, which takes most of the time of indexing. */
export interface ReadPage {
  readonly page: DocsPage;
  /** The language that the page names, or the one that it is written in. */
  readonly language: string | undefined;
  readonly words: PageWords;
}

/** A page that an earlier process has read. Its sections are read when they are needed. */
export interface KeptPage {
  readonly page: DocsPage;
  readonly language: string | undefined;
  /** Number of words by field, as in {@link PageWords}. */
  readonly counts: readonly number[];
  readonly postings: KeptPostings;
  /** Number of the page's first section in the postings. The others follow it. */
  readonly firstSection: number;
}

/** The words of a page's fields, one field after the other, as the numbers of a vocabulary. */
export interface PageWords {
  /**
   * The title, the path, and of each section the headings above it, its heading, its text, its code, and the words of
   * its code that texts are searched without, such as `let`.
   */
  readonly numbers: Int32Array;
  /** Number of words in each of these fields. */
  readonly counts: readonly number[];
}

/** Number of fields that a page has in {@link PageWords}, before those of its sections. */
export const PAGE_FIELDS = 2;
/** Number of fields that each section has in {@link PageWords}. */
export const SECTION_FIELDS = 5;

/** Finds the words and the language of a page. New words get numbers of the vocabulary. */
export function readWords(page: DocsPage, vocabulary: Vocabulary): ReadPage {
  const steps = readingWords(page, vocabulary);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Number of sections after which other work can have a turn. A module of a large package has thousands. */
const SECTIONS_PER_TURN = 20;

/** Does what {@link readWords} does. Yields when other work can have a turn. */
export function* readingWords(
  page: DocsPage,
  vocabulary: Vocabulary,
): Generator<undefined, ReadPage> {
  const numbers: number[] = [];
  const counts: number[] = [];
  const addWords = (words: readonly string[]): void => {
    for (const word of words) numbers.push(vocabulary.add(word));
    counts.push(words.length);
  };
  const add = (texts: readonly string[], names: readonly string[] = []): void => {
    const words = texts.flatMap(termsOf).map((term) => term.text);
    addWords([...words, ...names.flatMap(stopWordsOfName)]);
  };
  add([page.title]);
  add([plainRoute(page.route).replace(/[-_/]+/g, ' ')]);
  for (const [position, section] of page.sections.entries()) {
    if (position % SECTIONS_PER_TURN === SECTIONS_PER_TURN - 1) yield;
    const { ancestors, heading, text, code } = fieldsOf(page, section);
    add([ancestors]);
    add([heading], [heading]);
    add(text, codeSpansOf(section));
    add([code]);
    addWords(stopWordsOf(code));
  }
  return {
    page,
    language: languageOfPage(page),
    words: { numbers: Int32Array.from(numbers), counts },
  };
}

interface SectionTexts {
  readonly ancestors: string;
  readonly heading: string;
  readonly text: readonly string[];
  readonly code: string;
}

function fieldsOf({ title, description }: DocsPage, section: Section): SectionTexts {
  const { heading, ancestors, blocks } = section;
  // The top section has the page's title as its heading, which is a field of its own.
  const isTop = heading === title;
  const text = textOf(blocks.filter((block) => !isCode(block)));
  return {
    ancestors: isTop ? '' : ancestors.join(' '),
    heading: isTop ? '' : heading,
    text: isTop ? [text, description] : [text],
    code: textOf(blocks.filter(isCode)),
  };
}

/** Code within the text of Markdown. */
const codeSpan = /(?<!`)`([^`\n]+)`(?!`)/g;

/** Returns the code within the text of a section. */
function codeSpansOf({ blocks }: Section): string[] {
  const texts = blocks.filter((block) => !isCode(block));
  return texts.flatMap(({ markdown }) =>
    Array.from(markdown.matchAll(codeSpan), ([, code = '']) => code),
  );
}

/** Returns the words of a section in order: its heading, its text, its code. */
export function sectionWords(page: DocsPage, section: Section): string[] {
  const { heading, text, code } = fieldsOf(page, section);
  return [heading, ...text, code].flatMap(termsOf).map((term) => term.text);
}

/** Minimum number of frequent words of a language that a page in this language has. */
const MIN_LANGUAGE_WORDS = 8;
/** Number of characters of a page that are enough to tell its language. */
const LANGUAGE_SAMPLE = 4000;

function languageOfPage(page: DocsPage): string | undefined {
  if (page.language !== undefined) return page.language.toLowerCase().split(/[-_]/)[0];
  let sample = '';
  for (const { blocks } of page.sections) {
    for (const block of blocks) if (!isCode(block)) sample += `${block.text}\n`;
    if (sample.length > LANGUAGE_SAMPLE) break;
  }
  return languageOfText(sample, MIN_LANGUAGE_WORDS) ?? languageOfPath(page.path);
}

function isCode(block: SectionBlock): boolean {
  return block.kind === 'code';
}

function textOf(blocks: readonly SectionBlock[]): string {
  return blocks.map((block) => block.text).join('\n');
}
