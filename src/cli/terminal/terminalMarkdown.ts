import MarkdownIt, { type MarkdownIt as MarkdownParser, type Token } from 'markdown-it';
import { layOut, type LayoutOptions, type OpenBlock } from './blockLayout';
import { stableLength } from './inlineStable';
import type { Style } from './style';

/** Length up to which each push lays out the whole block again. */
const ALWAYS_LENGTH = 2000;
/**
 * A longer block is laid out again only when it has grown by this fraction of its length (1/40),
 * and a huge block by 1/4. So the time grows with the length of a block and not with its square,
 * and real replies still appear line by line.
 */
const GROWTH = { long: 40, huge: 4 } as const;
const HUGE_LENGTH = 50_000;

/**
 * Most characters of a paragraph that are parsed as inline Markdown. Real text is far shorter, and
 * hostile text can take quadratic time.
 */
const MAX_INLINE_LENGTH = 20_000;

/** Markers of items and quotes at the beginning of a line. */
const containerMarks = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*/;
/** The beginning of a line that can still become a list, a rule, a heading, a fence or a table. */
const undecided = /^(?:[-+=*_#~`|:> \t]*|\d{1,9}[.)]?|(?:```|~~~|\|).*)$/;
/** The beginning of a line that can still become the delimiter row of a table. */
const maybeDelimiterRow = /^[\s>|:-]*$/;

/**
 * Lays out Markdown for a terminal while it arrives. Printed text can't be changed, so only certain
 * text is printed: words of a paragraph, lines of code, and complete headings and tables. The
 * output doesn't depend on how the text was split into pieces.
 *
 * It reads CommonMark with tables, but without HTML, link definitions and underlined headings,
 * because those change text that is already printed.
 */
export class TerminalMarkdown {
  readonly #options: LayoutOptions;
  readonly #blocks = blockParser();
  readonly #inline = new MarkdownIt('default', syntax);
  /** Source from the beginning of the last block that isn't completely printed. */
  #source = '';
  /** The part of that block's layout that was printed. */
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

  /**
   * Returns the text that can be printed now. The only control characters of `text` are tabs and
   * line feeds.
   */
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

  /** Returns the tokens of inline Markdown. Text after {@link MAX_INLINE_LENGTH} stays plain. */
  #inlineTokens(text: string): readonly Token[] {
    const end =
      text.length > MAX_INLINE_LENGTH
        ? stableLength(text.slice(0, MAX_INLINE_LENGTH))
        : text.length;
    const tokens = this.#inline.parseInline(text.slice(0, end), {})[0]?.children ?? [];
    if (end === text.length) return tokens;
    // The parser has no other way to make a text token.
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

  /** Returns the part of a block's layout that isn't printed yet. */
  #write(text: string): string {
    if (text === '' || text === this.#written) return '';
    const isNew = this.#written === '';
    // Only a bug in this class can change printed text. Then the whole block is printed again,
    // which is better than a gap.
    const isSame = text.startsWith(this.#written);
    const added = isSame ? text.slice(this.#written.length) : `\n\n${text}`;
    this.#written = text;
    const gap = isNew && this.#hasOutput ? '\n\n' : '';
    this.#hasOutput = true;
    return gap + added;
  }

  /**
   * Returns the source without the last lines that can still become a block of another kind. The
   * first characters of a line decide its kind. For a table, the next line decides.
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

/** Returns a parser that finds blocks and doesn't parse their text. */
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
      // Before the next line has arrived, a table head without a leading bar looks like text.
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

/** Returns the block that can still grow, or undefined if the last block is complete. */
function openBlock(tokens: readonly Token[], source: string): OpenBlock | undefined {
  const token = lastLeaf(tokens);
  if (!token?.map) return undefined;
  const lines = source.split('\n');
  const isPartial = lines.at(-1) !== '';
  // The number of lines, including a partial one. An empty last piece is only the end of the last
  // line.
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

/** Returns the length of the part of a paragraph that can be printed. */
function certainLength(text: string): number {
  if (text.length <= MAX_INLINE_LENGTH) return stableLength(text);
  return Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n'), text.lastIndexOf('\t'));
}

/** Returns whether a fenced block has its closing fence. */
function isClosed({ map, content }: Token): boolean {
  const contentLines = content.split('\n').length - 1;
  return map !== null && map[1] - map[0] === contentLines + 2;
}
