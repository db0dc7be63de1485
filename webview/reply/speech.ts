/**
 * Finds the sentences of a growing reply that can be read aloud, in plain words, as soon as they
 * can no longer change. This file needs no browser. `replySpeaker.ts` decides when to speak.
 */
import { fill } from '../../src/shared/fill';
import { knownLocale } from '../../src/shared/units';
import type { ViewStrings } from '../../src/shared/viewStrings';

type SpokenStrings = Pick<
  ViewStrings,
  'plainText' | 'spokenCitation' | 'spokenCode' | 'spokenCodeLine' | 'spokenFormula' | 'spokenTable'
>;

interface SentenceReaderSettings {
  readonly strings: SpokenStrings;
  /**
   * Language of the sentences as a BCP 47 tag. An invalid tag stands for the browser's own
   * language.
   */
  readonly language: string;
  /** Returns the name of a language by the word after a code fence. */
  languageName(word: string): string;
}

/**
 * A piece of Markdown that is read as a whole: the lines of a paragraph, a code block, or a table.
 */
interface Unit {
  /** Number of characters, including the line break at the end. */
  readonly length: number;
  /** Start of the next unit: a line, and the number of its characters that belong to this unit. */
  readonly nextLine: number;
  readonly within: number;
  readonly isComplete: boolean;
  readonly spoken: { readonly sentence: string } | { readonly markdown: string };
}

/** The lines that are still to be read. */
interface Lines {
  readonly all: string[];
  /** Number of lines that get no more text. */
  readonly completeCount: number;
  readonly isFinished: boolean;
}

/**
 * Maximum length of a paragraph that is read at once. Removing markup can take time that grows with
 * the square of the length.
 */
const MAX_PIECE = 2_000;

const fenceStart =
  /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?!`)|~{3,}(?!~))(?=[^`]*$)[ \t]*([^\s`]*)/;
const blockStart = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s|#{1,6}\s|`{3,}|~{3,}|\$\$)/;
const heading = /^\s{0,3}#{1,6}\s/;
const quote = /^\s*>/;
const tableRule = /^\s*(?:\|\s*)?:?-+:?\s*(?:\|\s*:?-+:?\s*)*(?:\|\s*)?$/;
const letterOrDigit = /[\p{L}\p{N}]/u;

/** Reads one text of a reply from its beginning on. */
export class SentenceReader {
  readonly #settings: SentenceReaderSettings;
  readonly #segmenter: Intl.Segmenter;
  #textLength = 0;
  /**
   * Start of the current unit, and the number of characters of its plain text that have been read.
   */
  #unitStart = 0;
  #readLength = 0;
  /** Whether the current unit begins within a line that is too long to be read at once. */
  #isWithinLine = false;

  constructor(settings: SentenceReaderSettings) {
    this.#settings = settings;
    const locale = knownLocale(settings.language);
    this.#segmenter = new Intl.Segmenter(locale, { granularity: 'sentence' });
  }

  /**
   * Returns the sentences that were finished since the last call.
   * @param text the whole text so far.
   * @param isFinished whether no more text will come. The rest then counts as a sentence.
   */
  read(text: string, isFinished: boolean): string[] {
    const sentences: string[] = [];
    for (const { spoken, isComplete } of this.#units(text, isFinished)) {
      if ('sentence' in spoken) sentences.push(spoken.sentence);
      else sentences.push(...this.#finishedSentences(spoken.markdown, isComplete));
    }
    return sentences;
  }

  /** Skips what {@link SentenceReader.read} would return, at a small part of its cost. */
  skip(text: string, isFinished: boolean): void {
    for (const { spoken, isComplete } of this.#units(text, isFinished)) {
      if (!isComplete && 'markdown' in spoken) this.#finishedSentences(spoken.markdown, false);
    }
  }

  /** Yields every unit from the current one on. Only the last one may be incomplete. */
  *#units(text: string, isFinished: boolean): Generator<Unit> {
    // A text that does not continue the last one belongs to a reply that was asked for again.
    if (text.length < this.#textLength) {
      this.#unitStart = this.#readLength = 0;
      this.#isWithinLine = false;
    }
    this.#textLength = text.length;
    const all = text.slice(this.#unitStart).split('\n');
    const lines = { all, completeCount: all.length - (isFinished ? 0 : 1), isFinished };
    for (let from = 0; ;) {
      for (; !this.#isWithinLine && from < all.length - 1 && all[from]?.trim() === ''; from++) {
        this.#unitStart += (all[from]?.length ?? 0) + 1;
      }
      // No block begins within a line, and looking for one would read the rest of the line for each piece.
      const unit = this.#isWithinLine ? this.#paragraph(from, lines) : this.#unitAt(from, lines);
      if (!unit) return;
      yield unit;
      if (!unit.isComplete) return;
      this.#unitStart = Math.min(text.length, this.#unitStart + unit.length);
      this.#readLength = 0;
      from = unit.nextLine;
      this.#isWithinLine = unit.within > 0 && unit.within < (all[from]?.length ?? 0);
      if (unit.within > 0) all[from] = all[from]?.slice(unit.within) ?? '';
    }
  }

  /** @returns undefined if there is nothing, or if the unit can't be told yet. */
  #unitAt(from: number, lines: Lines): Unit | undefined {
    const { all, isFinished } = lines;
    const completeCount = lines.completeCount - from;
    const [first = '', second = ''] = [all[from], all[from + 1]];
    if (first.trim() === '') return undefined;
    if (
      /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{1,2}|~{1,2})?$/.test(first) &&
      completeCount < 1
    ) {
      return undefined;
    }
    const fence = fenceStart.exec(first);
    if (fence) return completeCount < 1 ? undefined : this.#code(from, lines, fence);
    if (first.trimStart().startsWith('$$')) return this.#formula(from, lines);
    if (first.includes('|')) {
      const isRow = first.trimStart().startsWith('|');
      if (isRow && completeCount < 2 && !isFinished) return undefined;
      if (completeCount >= 2 && second.includes('-') && tableRule.test(second)) {
        return this.#table(from, lines);
      }
    }
    return this.#paragraph(from, lines);
  }

  #code(from: number, lines: Lines, fence: RegExpExecArray): Unit | undefined {
    const { all, completeCount, isFinished } = lines;
    const [, marker = '', word = ''] = fence;
    const closing = new RegExp(`^[\\s>]*${marker.charAt(0)}{${marker.length},}[ \\t\\r]*$`);
    // The last line is incomplete, so what looks like an end may not be one.
    const end = findLine(
      all,
      from + 1,
      (line, index) => index < completeCount && closing.test(line),
    );
    if (end === undefined && !isFinished) return undefined;
    const code = all.slice(from + 1, end);
    while (code.at(-1)?.trim() === '') code.pop();
    const { strings } = this.#settings;
    const name = word === '' ? strings.plainText : this.#settings.languageName(word);
    const sentence =
      code.length === 1
        ? fill(strings.spokenCodeLine, name)
        : fill(strings.spokenCode, name, code.length);
    return unit(all, from, end === undefined ? all.length : end + 1, true, { sentence });
  }

  #formula(from: number, { all, isFinished }: Lines): Unit | undefined {
    const isEnd = (line: string, index: number): boolean =>
      (index === from ? line.trimStart().slice(2) : line).trimEnd().endsWith('$$');
    const end = findLine(all, from, isEnd);
    if (end === undefined && !isFinished) return undefined;
    const sentence = this.#settings.strings.spokenFormula;
    return unit(all, from, end === undefined ? all.length : end + 1, true, { sentence });
  }

  #table(from: number, { all, completeCount, isFinished }: Lines): Unit | undefined {
    const isOver = (line: string, index: number): boolean =>
      index < completeCount && !line.includes('|');
    const end = findLine(all, from + 2, isOver);
    if (end === undefined && !isFinished) return undefined;
    const to = end ?? all.length;
    const rows = all.slice(from + 2, to).filter((line) => line.trim() !== '');
    const head = (all[from] ?? '').trim().replace(/^\||\|$/g, '');
    const names = head.split('|').map((cell) => this.#plain(cell.slice(0, MAX_PIECE)));
    const sentence = fill(this.#settings.strings.spokenTable, names.join(', '), rows.length);
    return unit(all, from, to, true, { sentence });
  }

  #paragraph(from: number, { all, completeCount, isFinished }: Lines): Unit {
    const first = all[from] ?? '';
    let length = first.length;
    const isOver = (line: string, index: number): boolean => {
      if (length > MAX_PIECE) return true;
      length += line.length + 1;
      if (line.trim() === '') return index < completeCount;
      if (heading.test(first)) return true;
      return blockStart.test(line) || quote.test(line) !== quote.test(first);
    };
    const end = findLine(all, from + 1, isOver);
    const to = end ?? all.length;
    const markdown = all.slice(from, to).join('\n');
    if (length > MAX_PIECE) return piece(all, from, markdown);
    return unit(all, from, to, end !== undefined || isFinished, { markdown });
  }

  #finishedSentences(markdown: string, isComplete: boolean): string[] {
    const plain = this.#plain(isComplete ? markdown : withoutOpenEnd(markdown));
    const segments = [...this.#segmenter.segment(plain)];
    // The last sentence may go on.
    const last = isComplete ? undefined : segments.pop();
    const end = last?.index ?? plain.length;
    const start = Math.min(this.#readLength, end);
    this.#readLength = Math.max(this.#readLength, end);
    return segments
      .map(({ index, segment }) => segment.slice(Math.max(0, start - index)).trim())
      .filter((sentence) => letterOrDigit.test(sentence));
  }

  #plain(markdown: string): string {
    return plainWords(markdown, (number) => fill(this.#settings.strings.spokenCitation, number));
  }
}

/** Returns the first line from an index on that meets the condition. */
function findLine(
  lines: readonly string[],
  from: number,
  isWanted: (line: string, index: number) => boolean,
): number | undefined {
  for (let index = from; index < lines.length; index++) {
    if (isWanted(lines[index] ?? '', index)) return index;
  }
  return undefined;
}

/** Returns the unit that consists of these lines. */
function unit(
  lines: readonly string[],
  from: number,
  nextLine: number,
  isComplete: boolean,
  spoken: Unit['spoken'],
): Unit {
  let length = 0;
  for (let index = from; index < nextLine; index++) length += (lines[index]?.length ?? 0) + 1;
  return { length, nextLine, within: 0, isComplete, spoken };
}

/** Returns the first piece of a paragraph that is too long to be read at once. */
function piece(lines: readonly string[], from: number, paragraph: string): Unit {
  const space = Math.max(...[' ', '\n'].map((sign) => paragraph.lastIndexOf(sign, MAX_PIECE)));
  const length = space > 0 ? space : MAX_PIECE;
  let nextLine = from;
  let within = length;
  for (let line = lines[from]; line !== undefined && within > line.length; line = lines[nextLine]) {
    within -= line.length + 1;
    nextLine++;
  }
  const spoken = { markdown: paragraph.slice(0, length) };
  return { length, nextLine, within, isComplete: true, spoken };
}

/** Returns the text without an end that may become a link, code or an address. */
function withoutOpenEnd(markdown: string): string {
  const withoutCode = markdown.replace(/(`+)[^`]+\1/g, (code) => 'x'.repeat(code.length));
  const open = /(?:`+[^`]*|!?\[[^\]]*|!?\[[^\]]*\](?:\([^)]*)?|<[^>\s]*|https?:\S*|[*_~\\&!]+)$/;
  const found = open.exec(withoutCode);
  return found ? markdown.slice(0, found.index) : markdown;
}

/**
 * Returns the Markdown of one block as it is spoken: without marks, links by their text, and
 * addresses by their host. It gets pieces of lines, which a Markdown parser would take for other
 * blocks, and nothing of it is shown.
 */
export function plainWords(markdown: string, citation: (number: string) => string): string {
  // Text that is spoken as it is written, protected from the removal of marks.
  const literals: string[] = [];
  const literal = (text: string): string => `\u{e000}${literals.push(text) - 1}\u{e001}`;
  const text = markdown
    .split('\n')
    .map(withoutBlockMarks)
    .filter((line) => line !== '')
    .join(' ')
    .replace(/(`+)([^`]+?)\1/g, (_, __, code: string) => literal(code.trim()))
    .replace(/\\([!-/:-@[-`{-~])/g, (_, mark: string) => literal(mark))
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[\^[^\]]+\]/g, '')
    .replace(/\[\[?(\d{1,3})\]?\]\([^)]*\)/g, (_, number: string) => `(${citation(number)})`)
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(
      /<(?:https?:\/\/|mailto:)?([^\s<>/@]+(?:@[^\s<>/]+)?)[^\s<>]*>/g,
      (whole, host: string) => (/[.@:]/.test(whole) ? host : ' '),
    )
    .replace(/https?:\/\/([^\s/?#)]+)[^\s)]*[^\s).,;:!?]/g, '$1')
    .replace(/\*+|~~|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: keyof typeof entities) => entities[name])
    .replace(/\u{e000}(\d+)\u{e001}/gu, (_, index: string) => literals[Number(index)] ?? '');
  return text.replace(/\s+/g, ' ').trim();
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

function withoutBlockMarks(line: string): string {
  const text = line.replace(/^(?:\s*>)+/, '').trim();
  // Rules, underlines of headings and link definitions are silent.
  if (/^(?:[-=*_]\s*){2,}$|^=+$|^-$|^\[[^\]^]+\]:\s/.test(text)) return '';
  return text
    .replace(/^#{1,6}\s+/, '')
    .replace(/\s+#+$/, '')
    .replace(/^(?:[-*+]|\d{1,9}[.)])\s+/, '')
    .replace(/^\[[ xX]\]\s+/, '')
    .replace(/^\[\^[^\]]+\]:\s*/, '')
    .replace(
      /^\[!(\w)(\w*)\]/,
      (_, first: string, rest: string) => `${first}${rest.toLowerCase()}.`,
    );
}
