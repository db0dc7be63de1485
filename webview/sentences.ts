/**
 * What of a growing reply can be read aloud: whole sentences in plain words, as soon as they can
 * no longer change. Pure; `replySpeaker.ts` says when.
 */
import { fill, type ViewStrings } from '../src/shared/viewStrings';

type SpokenStrings = Pick<
  ViewStrings,
  'plainText' | 'spokenCitation' | 'spokenCode' | 'spokenCodeLine' | 'spokenFormula' | 'spokenTable'
>;

interface SentenceReaderSettings {
  readonly strings: SpokenStrings;
  /** BCP 47, for where sentences end. */
  readonly language: string;
  /** The name of a language by the word after a code fence. */
  languageName(word: string): string;
}

/** A piece of Markdown that is read as one: the lines of a paragraph, a code block, a table. */
interface Unit {
  /** Where the next one begins in the text. */
  readonly end: number;
  readonly isComplete: boolean;
  readonly spoken: { readonly sentence: string } | { readonly markdown: string };
}

const fenceStart = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}|~{3,})[ \t]*([^\s`]*)[^`]*$/;
const blockStart = /^\s*(?:(?:[-*+]|\d{1,9}[.)])\s|#{1,6}\s|`{3,}|~{3,}|\$\$)/;
const heading = /^\s{0,3}#{1,6}\s/;
const quote = /^\s*>/;
const tableRule = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/;
const letterOrDigit = /[\p{L}\p{N}]/u;

/** Reads one text of a reply, from its beginning on. */
export class SentenceReader {
  readonly #settings: SentenceReaderSettings;
  readonly #segmenter: Intl.Segmenter;
  #text = '';
  /** Where the unit begins that is being read, and how much of its plain text has been read. */
  #unitStart = 0;
  #readLength = 0;

  constructor(settings: SentenceReaderSettings) {
    this.#settings = settings;
    this.#segmenter = new Intl.Segmenter(settings.language, { granularity: 'sentence' });
  }

  /**
   * The sentences that are finished since the last call.
   * @param text the whole text so far.
   * @param isFinished no more will come: what is there is a sentence, whole or not.
   */
  read(text: string, isFinished: boolean): string[] {
    // A text that does not go on was asked for again.
    if (text.length < this.#text.length) this.#unitStart = this.#readLength = 0;
    this.#text = text;
    const sentences: string[] = [];
    for (;;) {
      const unit = this.#nextUnit(isFinished);
      if (!unit) return sentences;
      if ('sentence' in unit.spoken) sentences.push(unit.spoken.sentence);
      else sentences.push(...this.#finishedSentences(unit.spoken.markdown, unit.isComplete));
      if (!unit.isComplete) return sentences;
      this.#unitStart = unit.end;
      this.#readLength = 0;
    }
  }

  /** @returns undefined where there is nothing, or what there is cannot be told yet. */
  #nextUnit(isFinished: boolean): Unit | undefined {
    const blank = /^(?:[ \t\r]*\n)+/.exec(this.#text.slice(this.#unitStart));
    if (blank) this.#unitStart += blank[0].length;
    const rest = this.#text.slice(this.#unitStart);
    if (rest.trim() === '') return undefined;
    const lines = rest.split('\n');
    const completeLines = isFinished ? lines.length : lines.length - 1;
    const [first = '', second = ''] = lines;
    if (
      /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:`{1,2}|~{1,2})?$/.test(first) &&
      completeLines < 1
    ) {
      return undefined;
    }
    const fence = fenceStart.exec(first);
    if (fence) return completeLines < 1 ? undefined : this.#code(lines, fence, isFinished);
    if (first.trimStart().startsWith('$$')) return this.#formula(lines, isFinished);
    if (first.includes('|')) {
      const isRow = first.trimStart().startsWith('|');
      if (isRow && completeLines < 2 && !isFinished) return undefined;
      if (completeLines >= 2 && second.includes('-') && tableRule.test(second)) {
        return this.#table(lines, completeLines, isFinished);
      }
    }
    return this.#paragraph(lines, completeLines, isFinished);
  }

  #code(lines: readonly string[], fence: RegExpExecArray, isFinished: boolean): Unit | undefined {
    const [, marker = '', word = ''] = fence;
    const closing = new RegExp(`^[\\s>]*${marker.charAt(0)}{${marker.length},}[ \\t\\r]*$`);
    // The last line is not complete: more may come after what looks like an end.
    const isEnd = (line: string, index: number): boolean =>
      index > 0 && (isFinished || index < lines.length - 1) && closing.test(line);
    const end = lines.findIndex(isEnd);
    if (end < 0 && !isFinished) return undefined;
    const code = lines.slice(1, end < 0 ? undefined : end);
    while (code.at(-1)?.trim() === '') code.pop();
    const { strings } = this.#settings;
    const name = word === '' ? strings.plainText : this.#settings.languageName(word);
    const sentence =
      code.length === 1
        ? fill(strings.spokenCodeLine, name)
        : fill(strings.spokenCode, name, code.length);
    return this.#unit(lines, end < 0 ? lines.length : end + 1, true, { sentence });
  }

  #formula(lines: readonly string[], isFinished: boolean): Unit | undefined {
    const isEnd = (line: string, index: number): boolean =>
      /\$\$\s*$/.test(index === 0 ? line.trimStart().slice(2) : line);
    const end = lines.findIndex(isEnd);
    if (end < 0 && !isFinished) return undefined;
    const sentence = this.#settings.strings.spokenFormula;
    return this.#unit(lines, end < 0 ? lines.length : end + 1, true, { sentence });
  }

  #table(lines: readonly string[], completeLines: number, isFinished: boolean): Unit | undefined {
    const isOver = (line: string, index: number): boolean =>
      index > 1 && index < completeLines && !line.includes('|');
    const end = lines.findIndex(isOver);
    if (end < 0 && !isFinished) return undefined;
    const count = end < 0 ? lines.length : end;
    const rows = lines.slice(2, count).filter((line) => line.trim() !== '');
    const head = (lines[0] ?? '').trim().replace(/^\||\|$/g, '');
    const names = head.split('|').map((cell) => this.#plain(cell));
    const sentence = fill(this.#settings.strings.spokenTable, names.join(', '), rows.length);
    return this.#unit(lines, count, true, { sentence });
  }

  #paragraph(lines: readonly string[], completeLines: number, isFinished: boolean): Unit {
    const [first = ''] = lines;
    const isOver = (line: string, index: number): boolean => {
      if (index === 0) return false;
      if (line.trim() === '') return index < completeLines;
      if (heading.test(first)) return true;
      return blockStart.test(line) || quote.test(line) !== quote.test(first);
    };
    const end = lines.findIndex(isOver);
    const count = end < 0 ? lines.length : end;
    const markdown = lines.slice(0, count).join('\n');
    return this.#unit(lines, count, end >= 0 || isFinished, { markdown });
  }

  #unit(
    lines: readonly string[],
    count: number,
    isComplete: boolean,
    spoken: Unit['spoken'],
  ): Unit {
    const length = lines.slice(0, count).reduce((sum, line) => sum + line.length + 1, 0);
    const end = Math.min(this.#text.length, this.#unitStart + length);
    return { end, isComplete, spoken };
  }

  #finishedSentences(markdown: string, isComplete: boolean): string[] {
    const plain = this.#plain(isComplete ? markdown : withoutOpenEnd(markdown));
    const segments = [...this.#segmenter.segment(plain)];
    // The last one goes on, for all we know.
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

/** Without what may yet become a link, code or an address at the end. */
function withoutOpenEnd(markdown: string): string {
  const withoutCode = markdown.replace(/(`+)[^`]+\1/g, (code) => 'x'.repeat(code.length));
  const open = /(?:`+[^`]*|!?\[[^\]]*|!?\[[^\]]*\](?:\([^)]*)?|<[^>\s]*|https?:\S*|[*_~\\&!]+)$/;
  const found = open.exec(withoutCode);
  return found ? markdown.slice(0, found.index) : markdown;
}

/** Markdown of one block as it is said: without marks, links by their text, addresses by host. */
export function plainWords(markdown: string, citation: (number: string) => string): string {
  // What is said as it is written, kept out of the way of the marks.
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
  // Rules, underlines of headings, and definitions of links say nothing.
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
