/** Searches the site, and finds the sentence of each section that has the words of the question. */
import { sentenceSpans } from '../../src/docs/answers/sentences';
import type { PartIndex } from '../../src/docs/parts/partIndex';
import { foldWord, termsOf, UNSEPARATED_LETTERS } from '../../src/docs/search/terms';
import type { Section } from '../../src/docs/pages/sections';
import type { AskFilter } from '../../src/shared/askFilter';
import type { SiteIndex } from './siteIndex';

/** A piece of a text. Marked pieces are words of the question. */
export interface TextPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

export interface FoundSection {
  readonly title: string;
  /** Headings above the section's text, outermost first. Empty for the top of a page. */
  readonly headings: readonly string[];
  readonly path: string;
  readonly slug: string;
  readonly version: string | undefined;
  readonly snippet: readonly TextPiece[];
}

/** Pages that a search shows at most, each with its best section, and other sections of these pages. */
const MAX_PAGES = 10;
const MAX_FURTHER = 4;
/** Strength, beside the best section's, from which another section of a page is shown. */
const MIN_FURTHER_STRENGTH = 0.5;
/** Characters of a snippet, and those before its first marked word. */
const SNIPPET = 160;
const BEFORE = 50;

/** Returns the sections that match what was typed, best first. */
export function findSections(
  site: SiteIndex,
  index: PartIndex,
  text: string,
  filter: AskFilter | undefined,
): FoundSection[] {
  const { query, sections, further } = site.retrieve(index, text, filter, {
    pages: MAX_PAGES,
    isOpen: true,
  });
  const words = new Set(
    query.concepts.flatMap(({ term, variants }) =>
      query.own.has(term) ? [...variants.keys()] : [],
    ),
  );
  const last = foldWord(termsOf(text).at(-1)?.word ?? '');
  const strong = further.filter(({ strength }) => strength > MIN_FURTHER_STRENGTH);
  return [...sections, ...strong.slice(0, MAX_FURTHER)]
    .toSorted((one, other) => other.strength - one.strength)
    .map(({ page, section }) => {
      const isTop = section.heading === page.title;
      return {
        title: page.title,
        headings: isTop ? [] : [...section.ancestors, section.heading],
        path: page.path,
        slug: isTop ? '' : section.slug,
        version: page.version,
        snippet: snippetOf(section, words, last),
      };
    });
}

/** Returns the sentence of a section with the most of the words, cut to a line or two. */
function snippetOf(
  { blocks }: Section,
  words: ReadonlySet<string>,
  beginning: string,
): TextPiece[] {
  let best: readonly TextPiece[] = [];
  let most = -1;
  for (const { kind, text } of blocks) {
    const sentences =
      kind === 'code'
        ? text.split('\n')
        : text
            .split('\n')
            .flatMap((line) => sentenceSpans(line).map(({ start, end }) => line.slice(start, end)));
    for (const sentence of sentences) {
      const pieces = markedPieces(sentence.trim(), words, beginning);
      const marked = new Set(
        pieces.flatMap(({ text: piece, isMarked }) => (isMarked ? [foldWord(piece)] : [])),
      ).size;
      if (marked <= most) continue;
      most = marked;
      best = pieces;
    }
  }
  return cutPieces(best);
}

/** Splits a text into words of the question and what stands between them. */
function markedPieces(text: string, words: ReadonlySet<string>, beginning: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let open = { text: '', isMarked: false };
  const add = (piece: string, isMarked: boolean): void => {
    if (isMarked !== open.isMarked) {
      if (open.text !== '') pieces.push(open);
      open = { text: '', isMarked };
    }
    open.text += piece;
  };
  const isMarkedWord = (word: string): boolean =>
    termsOf(word).some((term) => words.has(term.text)) ||
    (beginning.length > 2 && foldWord(word).startsWith(beginning));
  for (const piece of text.split(wordOrRun)) {
    if (isUnseparated.test(piece)) {
      // Each pair of letters is a term, so that a letter belongs to two of them.
      const letters = Array.from(piece);
      const isPair = (at: number): boolean =>
        words.has(foldWord((letters[at] ?? '') + (letters[at + 1] ?? '')));
      letters.forEach((letter, at) => add(letter, isPair(at - 1) || isPair(at)));
    } else add(piece, isWord.test(piece) && isMarkedWord(piece));
  }
  if (open.text !== '') pieces.push(open);
  return pieces;
}

const isWord = /^[\p{L}\p{N}_$]/u;
const isUnseparated = new RegExp(`^${UNSEPARATED_LETTERS}`, 'u');
const wordOrRun = new RegExp(
  `(${UNSEPARATED_LETTERS}+|(?:(?!${UNSEPARATED_LETTERS})[\\p{L}\\p{N}_$])+)`,
  'u',
);

/** Cuts a long sentence around its first marked word. */
function cutPieces(pieces: readonly TextPiece[]): TextPiece[] {
  const total = pieces.reduce((sum, { text }) => sum + text.length, 0);
  if (total <= SNIPPET) return [...pieces];
  const first = Math.max(
    0,
    pieces.findIndex(({ isMarked }) => isMarked),
  );
  const before = pieces.slice(0, first).reduce((sum, { text }) => sum + text.length, 0);
  const start = Math.max(0, Math.min(before - BEFORE, total - SNIPPET));
  const cut: TextPiece[] = start > 0 ? [{ text: '… ', isMarked: false }] : [];
  let at = 0;
  for (const { text, isMarked } of pieces) {
    const [from, to] = [Math.max(0, start - at), start + SNIPPET - at];
    at += text.length;
    const kept = text.slice(from, Math.max(from, to));
    if (kept !== '') cut.push({ text: kept, isMarked });
  }
  if (start + SNIPPET < total) cut.push({ text: ' …', isMarked: false });
  return cut;
}
