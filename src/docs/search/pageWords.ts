import { plainRoute } from '../pages/links';
import type { DocsPage } from '../pages/page';
import type { SectionBlock } from '../pages/sections';
import { languageOfPath, languageOfText } from './languages';
import { termsOf } from './terms';
import type { Vocabulary } from './vocabulary';

/** A page with what the index has found out about it, which takes most of the time of indexing. */
export interface ReadPage {
  readonly page: DocsPage;
  /** The language that the page names, or the one that it is written in. */
  readonly language: string | undefined;
  readonly words: PageWords;
}

/** The words of a page's fields, one field after the other, as the numbers of a vocabulary. */
export interface PageWords {
  /** The title, the path, and of each section the headings above it, its heading, its text and its code. */
  readonly numbers: Int32Array;
  /** Number of words in each of these fields. */
  readonly counts: readonly number[];
}

/** Number of fields that a page has in {@link PageWords}, before those of its sections. */
export const PAGE_FIELDS = 2;
/** Number of fields that each section has in {@link PageWords}. */
export const SECTION_FIELDS = 4;

/** Finds the words and the language of a page. New words get numbers of the vocabulary. */
export function readWords(page: DocsPage, vocabulary: Vocabulary): ReadPage {
  const numbers: number[] = [];
  const counts: number[] = [];
  const add = (...texts: readonly string[]): void => {
    const start = numbers.length;
    for (const text of texts) {
      for (const term of termsOf(text)) numbers.push(vocabulary.add(term.text));
    }
    counts.push(numbers.length - start);
  };
  add(page.title);
  add(plainRoute(page.route).replace(/[-_/]+/g, ' '));
  for (const { heading, ancestors, blocks } of page.sections) {
    // The top section has the page's title as its heading, which is a field of its own.
    const isTop = heading === page.title;
    add(isTop ? '' : ancestors.join(' '));
    add(isTop ? '' : heading);
    const text = textOf(blocks.filter((block) => !isCode(block)));
    if (isTop) add(text, page.description);
    else add(text);
    add(textOf(blocks.filter(isCode)));
  }
  return {
    page,
    language: languageOfPage(page),
    words: { numbers: Int32Array.from(numbers), counts },
  };
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
