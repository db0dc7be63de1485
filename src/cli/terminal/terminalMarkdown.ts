import MarkdownIt, { type MarkdownIt as MarkdownParser, type Token } from 'markdown-it';
import { layOut, type LayoutOptions, type OpenBlock } from './blockLayout';
import { stableLength } from './inlineStable';
import type { Style } from './style';

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
  readonly #parser: MarkdownParser;
  /** Source from the beginning of the last block that isn't written as a whole. */
  #source = '';
  /** Beginning of that block as it was written. */
  #written = '';
  #hasOutput = false;

  constructor(options: {
    readonly columns: number;
    readonly style: Style;
    readonly numberOf: (url: string, title: string) => number;
  }) {
    this.#parser = newParser();
    this.#options = {
      ...options,
      parseInline: (text) => this.#parser.parseInline(text, {})[0]?.children ?? [],
    };
  }

  /** Returns what can be written now. The text has no control characters but tabs and line feeds. */
  push(text: string): string {
    if (text === '') return '';
    this.#source += text;
    return this.#advance(this.#certainSource(), false);
  }

  /** Returns the rest, with a line end. */
  end(): string {
    const rest = this.#advance(this.#source, true);
    this.#source = '';
    return this.#hasOutput ? `${rest}\n` : '';
  }

  #advance(source: string, isEnd: boolean): string {
    const blocks = topLevelBlocks(this.#parser.parse(source, {}));
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
    const leaf = lastLeaf(this.#parser.parse(whole, {}));
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

function newParser(): MarkdownParser {
  const parser = new MarkdownIt('default', { html: false, linkify: false, typographer: false });
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
      return isParagraph ? known.slice(0, stableLength(known)) : '';
    },
  };
}

/** Returns whether a fence ends with a line of its own. */
function isClosed({ map, content }: Token): boolean {
  const contentLines = content.split('\n').length - 1;
  return map !== null && map[1] - map[0] === contentLines + 2;
}
