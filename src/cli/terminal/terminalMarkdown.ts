import MarkdownIt, { type MarkdownIt as MarkdownParser, type Token } from 'markdown-it';
import { layOut, type LayoutOptions, type OpenBlock } from './blockLayout';
import { stableLength } from './inlineStable';
import type { Style } from './style';

/** Characters of a block up to which each push lays it out anew. */
const ALWAYS_LENGTH = 2000;
/**
 * A longer block is laid out when it has grown by this part of its length, and a huge one less often.
 * So the time grows with the length of a block, not with its square, and a reader of a real reply
 * still sees a line at a time.
 */
const GROWTH = { long: 40, huge: 4 } as const;
const HUGE_LENGTH = 50_000;

/**
 * Characters of a paragraph that are parsed for inline Markdown. Real text stays far below, and
 * hostile text can cost the square of its length.
 */
const MAX_INLINE_LENGTH = 20_000;

/** Markers of items and quotes at the beginning of a line. */
const containerMarks = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/;
/** A beginning of a line that can still become a list, a rule, a heading, a fence or a table. */
const undecided = /^(?:[-+=*_#~`|:> \t]*|\d{1,9}[.)]?|(?:```|~~~|\|).*)$/;
/** A beginning of the line below a table's head. */
const maybeDelimiterRow = /^[\s>|:-]*$/;

/**
 * Lays Markdown out for a terminal while it arrives. A terminal can't take text back, so only what is
 * certain is written: words of a paragraph, lines of code, and whole headings and tables. What is
 * written doesn't depend on how the text was cut.
 *
 * It reads CommonMark with tables, without HTML, link definitions and underlined headings, because
 * those change text that is already there.
 */
export class TerminalMarkdown {
  readonly #options: LayoutOptions;
  readonly #blocks = blockParser();
  readonly #inline = new MarkdownIt('default', syntax);
  /** Source from the beginning of the last block that isn't written as a whole. */
  #source = '';
  /** Beginning of that block as it was written. */
  #written = '';
  #hasOutput = false;
  /** Length of the source when it was last laid out. */
  #laidOut = 0;

  constructor(options: {
    readonly columns: number;
    readonly style: Style;
    readonly numberOf: (url: string, title: string) => number;
  }) {
    this.#options = {
      ...options,
      parseInline: (text) => this.#inlineTokens(text),
    };
  }

  /** Returns what can be written now. The text has no control characters but tabs and line feeds. */
  push(text: string): string {
    if (text === '') return '';
    this.#source += text;
    const { length } = this.#source;
    const growth = length > HUGE_LENGTH ? GROWTH.huge : GROWTH.long;
    if (length > ALWAYS_LENGTH && length - this.#laidOut < length / growth) return '';
    const out = this.#advance(this.#certainSource(), false);
    this.#laidOut = this.#source.length;
    return out;
  }

  /** Returns the rest, with a line end. */
  end(): string {
    const rest = this.#advance(this.#source, true);
    this.#source = '';
    return this.#hasOutput ? `${rest}\n` : '';
  }

  /** Returns the tokens of inline Markdown. Text behind {@link MAX_INLINE_LENGTH} is read as it is. */
  #inlineTokens(text: string): readonly Token[] {
    const end =
      text.length > MAX_INLINE_LENGTH
        ? stableLength(text.slice(0, MAX_INLINE_LENGTH))
        : text.length;
    const tokens = this.#inline.parseInline(text.slice(0, end), {})[0]?.children ?? [];
    if (end === text.length) return tokens;
    // The parser's own way to a token of text.
    const rest = this.#inline.parseInline('-', {})[0]?.children ?? [];
    for (const token of rest) token.content = text.slice(end);
    return [...tokens, ...rest];
  }

  #advance(source: string, isEnd: boolean): string {
    const blocks = topLevelBlocks(this.#blocks.parse(source, {}));
    const lines = source.split('\n');
    let out = '';
    for (const block of blocks.slice(0, -1)) {
      out += this.#write(layOut(block, lines, this.#options));
      this.#written = '';
    }
    const last = blocks.at(-1);
    if (!last) return out;
    const start = last[0]?.map?.[0] ?? 0;
    if (blocks.length > 1) {
      const consumed = lines.slice(0, start).join('\n').length + 1;
      this.#source = this.#source.slice(consumed);
    }
    // Parsed again because the lines of its tokens count from the beginning of the source.
    const open = isEnd ? undefined : openBlock(last, source);
    return out + this.#write(layOut(last, lines, this.#options, open));
  }

  /** Returns what of a block's layout isn't written yet. */
  #write(text: string): string {
    if (text === '' || text === this.#written) return '';
    const isNew = this.#written === '';
    // Only a mistake above can change text that was written. The whole block is better than a gap.
    const isSame = text.startsWith(this.#written);
    const added = isSame ? text.slice(this.#written.length) : `\n\n${text}`;
    this.#written = text;
    const gap = isNew && this.#hasOutput ? '\n\n' : '';
    this.#hasOutput = true;
    return gap + added;
  }

  /**
   * Returns the source without what at its end can still become a block of another kind. Which kind a
   * line is shows behind its first marks, or with the next line in case of a table.
   */
  #certainSource(): string {
    const end = this.#source.lastIndexOf('\n') + 1;
    const whole = this.#source.slice(0, end);
    const partial = this.#source.slice(end);
    const leaf = lastLeaf(this.#blocks.parse(whole, {}));
    const lineCount = whole.split('\n').length - 1;
    const isOpen = leaf?.map?.[1] === lineCount;
    if (leaf && isOpen) {
      if (leaf.type === 'table_open' || leaf.type === 'code_block') return whole;
      if (leaf.type === 'fence' && !isClosed(leaf)) return whole;
      const lastLine = whole.slice(whole.lastIndexOf('\n', end - 2) + 1, end);
      const isTableHead = withoutMarks(lastLine).startsWith('|');
      if (leaf.type === 'paragraph_open' && isTableHead && maybeDelimiterRow.test(partial)) {
        return whole.slice(0, -lastLine.length);
      }
    }
    return undecided.test(withoutMarks(partial)) ? whole : this.#source;
  }
}

const syntax = { html: false, linkify: false, typographer: false };

/** Returns a parser that finds blocks and leaves their text as it is. */
function blockParser(): MarkdownParser {
  const parser = new MarkdownIt('default', syntax);
  parser.core.ruler.enableOnly(['normalize', 'block']);
  parser.disable(['reference', 'lheading']);
  const { ruler } = parser.block;
  const rules = ruler.getRules('');
  parser.disable('table');
  const others = new Set(ruler.getRules(''));
  const table = rules.find((rule) => !others.has(rule));
  if (table) {
    ruler.at(
      'table',
      // A head without a leading bar can't be told from text before the next line has come.
      (state, startLine, endLine, isSilent) => {
        const start = (state.bMarks[startLine] ?? 0) + (state.tShift[startLine] ?? 0);
        return state.src.charAt(start) === '|' && table(state, startLine, endLine, isSilent);
      },
      { alt: ['paragraph', 'reference'] },
    );
  }
  parser.enable('table');
  return parser;
}

const withoutMarks = (line: string): string => line.replace(containerMarks, '');

/** Returns the tokens of each block at the top level. */
function topLevelBlocks(tokens: readonly Token[]): Token[][] {
  const blocks: Token[][] = [];
  let isNew = true;
  for (const token of tokens) {
    if (isNew) blocks.push([]);
    blocks.at(-1)?.push(token);
    isNew = token.level === 0 && token.nesting <= 0;
  }
  return blocks;
}

/** Returns the last token that has text of its own. */
function lastLeaf(tokens: readonly Token[]): Token | undefined {
  const last = tokens.findLastIndex(({ type }) =>
    /^(?:paragraph_open|heading_open|fence|code_block|hr|table_open)$/.test(type),
  );
  return tokens[last];
}

/** Returns the leaf that can still grow, or undefined if it is whole. */
function openBlock(tokens: readonly Token[], source: string): OpenBlock | undefined {
  const token = lastLeaf(tokens);
  if (!token?.map) return undefined;
  const lines = source.split('\n');
  const isPartial = lines.at(-1) !== '';
  // The number of lines, with a partial one. An empty last piece is the end of the last line.
  const lineCount = isPartial ? lines.length : lines.length - 1;
  if (token.map[1] < lineCount) return undefined;
  const isWholeLine = !isPartial && ['heading_open', 'hr'].includes(token.type);
  if (isWholeLine || (token.type === 'fence' && isClosed(token))) return undefined;
  const isParagraph = token.type === 'paragraph_open';
  const endsWord = /\s$/.test(source);
  return {
    token,
    stable: (content) => {
      const known = endsWord ? `${content} ` : content;
      return isParagraph ? known.slice(0, certainLength(known)) : '';
    },
  };
}

/** Returns the length of the beginning of a paragraph that can be written. */
function certainLength(text: string): number {
  if (text.length <= MAX_INLINE_LENGTH) return stableLength(text);
  return Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'), text.lastIndexOf('\t'));
}

/** Returns whether a fence ends with a line of its own. */
function isClosed({ map, content }: Token): boolean {
  const contentLines = content.split('\n').length - 1;
  return map !== null && map[1] - map[0] === contentLines + 2;
}
