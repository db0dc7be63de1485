import MarkdownIt, { type Token } from 'markdown-it';
import stringWidth from 'string-width';
import type { Style } from './style';
import { breakable, styledPieces, unwrapped, wrap } from './wrap';

/** Length up to which each new line lays out the last block again. */
const ALWAYS_LENGTH = 2000;
/** A longer block is laid out again when it has grown by this part of its length, so time stays linear. */
const GROWTH = 1 / 10;
/**
 * Most characters of a paragraph that are parsed as inline Markdown. Real text is far shorter, and
 * hostile text can take quadratic time.
 */
const MAX_INLINE_LENGTH = 20_000;
const MIN_WIDTH = 10;
const INDENT = '  ';

const parser = new MarkdownIt({ html: false });
/** Finds blocks without parsing their text. A link definition could follow the text that it changes. */
const blockParser = new MarkdownIt({ html: false });
blockParser.core.ruler.enableOnly(['normalize', 'block']);
blockParser.disable('reference');

interface TerminalLayout {
  readonly columns: number;
  readonly style: Style;
  /** Returns the number of a link's page in the list of sources. */
  readonly numberOf: (url: string, title: string) => number;
}

/**
 * Lays out Markdown for a terminal while it arrives. Printed text can't be changed, so a block is
 * printed when it is complete: a paragraph, an item of a list, a table, or a line of code. The
 * output doesn't depend on how the text was split into pieces.
 */
export class TerminalMarkdown {
  readonly #layout: TerminalLayout;
  /** Source from the beginning of the last block that isn't completely printed. */
  #source = '';
  /** Number of lines of that block's layout that were printed. */
  #printed = 0;
  #hasOutput = false;
  /** Length of the source when it was last laid out. */
  #laidOut = 0;

  constructor(layout: TerminalLayout) {
    this.#layout = layout;
  }

  /**
   * Returns the text that can be printed now. The only control characters of `text` are tabs and
   * line feeds.
   */
  push(text: string): string {
    this.#source += text;
    const { length } = this.#source;
    const isSoon = length > ALWAYS_LENGTH && length - this.#laidOut < length * GROWTH;
    if (!text.includes('\n') || isSoon) return '';
    // The kind of a line is only certain when the line is complete.
    const end = this.#source.lastIndexOf('\n') + 1;
    const source = this.#source.slice(0, end);
    const blocks = blocksOf(blockParser.parse(source, {}));
    const last = blocks.pop();
    const start = last?.[0]?.map?.[0];
    if (!last || start === undefined) return '';
    const lines = source.split('\n');
    const out = blocks.map((block) => this.#print(block, lines)).join('');
    this.#source = lines.slice(start).join('\n') + this.#source.slice(end);
    this.#laidOut = this.#source.length;
    return out + this.#print(certainPart(last), lines, true);
  }

  /** Returns the rest, with a line end. */
  end(): string {
    const lines = this.#source.split('\n');
    const blocks = blocksOf(blockParser.parse(this.#source, {}));
    this.#source = '';
    const rest = blocks.map((block) => this.#print(block, lines)).join('');
    return this.#hasOutput ? `${rest}\n` : '';
  }

  /**
   * Returns the lines of a block that aren't printed yet.
   *
   * @param isOpen whether more lines of the block can follow.
   */
  #print(block: readonly Token[], lines: readonly string[], isOpen = false): string {
    const isOpenFence = isOpen && block[0]?.type === 'fence';
    const layout = new BlockLayout(this.#layout, lines, isOpenFence);
    const text = layout.block(block, this.#layout.columns);
    const isNew = this.#printed === 0;
    const added = text.slice(this.#printed);
    this.#printed = isOpen ? Math.max(this.#printed, text.length) : 0;
    if (added.length === 0) return '';
    const gap = this.#hasOutput ? (isNew ? '\n\n' : '\n') : '';
    this.#hasOutput = true;
    return gap + added.join('\n');
  }
}

/** Returns the tokens of each block, without the blocks inside of it. */
function blocksOf(tokens: readonly Token[]): Token[][] {
  const blocks: Token[][] = [];
  let depth = 0;
  for (const token of tokens) {
    if (depth === 0) blocks.push([]);
    blocks.at(-1)?.push(token);
    depth += token.nesting;
  }
  return blocks;
}

/** Returns the tokens inside of a list, an item, a quote or a table. */
const inside = (block: readonly Token[]): readonly Token[] => block.slice(1, -1);

/** Returns the part of the last block that no later line can change. */
function certainPart(block: readonly Token[]): readonly Token[] {
  const [first, ...rest] = block;
  if (first?.type === 'fence') return block;
  const close = rest.at(-1);
  if (!close || !/^(?:bullet|ordered)_list_close$/.test(close.type)) return [];
  return [first, ...blocksOf(inside(block)).slice(0, -1).flat(), close].filter(isToken);
}

const isToken = (token: Token | undefined): token is Token => token !== undefined;

/** Matches the first line of an alert of GitHub. */
const alertMark = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/;

/** Lays out blocks as lines of a terminal. */
class BlockLayout {
  readonly #style: Style;
  readonly #layout: TerminalLayout;
  readonly #source: readonly string[];
  readonly #isOpenFence: boolean;

  /**
   * @param source lines of the source, to find blank lines.
   * @param isOpenFence whether the block is a fence, of which more lines can follow.
   */
  constructor(layout: TerminalLayout, source: readonly string[], isOpenFence: boolean) {
    this.#style = layout.style;
    this.#layout = layout;
    this.#source = source;
    this.#isOpenFence = isOpenFence;
  }

  /** Returns the lines of a block, or no lines for a block without text. */
  block(block: readonly Token[], space: number): string[] {
    const [token, inline] = block;
    const width = Math.max(MIN_WIDTH, space);
    switch (token?.type) {
      case 'paragraph_open':
        return wrap(this.#inline(inline), width);
      case 'heading_open':
        return wrap(this.#heading(token, inline), width);
      case 'fence':
      case 'code_block':
        return this.#code(token);
      case 'hr':
        return [this.#style.isColored ? this.#style.dim('─'.repeat(width)) : '---'];
      case 'bullet_list_open':
      case 'ordered_list_open': {
        const start = Number(token.attrGet('start') ?? 1);
        const isOrdered = token.type === 'ordered_list_open';
        return this.#stack(blocksOf(inside(block)), (item, index) => {
          const bullet = this.#style.isColored ? '• ' : '- ';
          const marker = isOrdered ? `${start + index}. ` : bullet;
          return this.#contained(item, width, marker, ' '.repeat(marker.length));
        });
      }
      case 'blockquote_open': {
        const text = block[2];
        if (text) text.content = text.content.replace(alertMark, (_, kind) => `**${kind}:** `);
        const bar = this.#style.isColored ? `${this.#style.dim('│')} ` : '> ';
        return this.#contained(block, width, bar, bar);
      }
      case 'table_open':
        return this.#table(block, width);
      default:
        return [];
    }
  }

  /** Returns the blocks of an item or a quote, with its marker before each line. */
  #contained(block: readonly Token[], width: number, first: string, rest: string): string[] {
    const space = width - stringWidth(rest);
    const lines = this.#stack(blocksOf(inside(block)), (inner) => this.block(inner, space));
    if (lines.length === 0) lines.push('');
    return lines.map((line, index) => `${index === 0 ? first : rest}${line}`.trimEnd());
  }

  /** Joins blocks, with an empty line where the source has one. */
  #stack(
    blocks: readonly Token[][],
    linesOf: (block: readonly Token[], index: number) => readonly string[],
  ): string[] {
    const all: string[] = [];
    blocks.forEach((block, index) => {
      const lines = linesOf(block, index);
      const before = this.#source[(block[0]?.map?.[0] ?? 0) - 1] ?? 'start';
      if (lines.length > 0 && all.length > 0 && /^[\s>]*$/.test(before)) all.push('');
      all.push(...lines);
    });
    return all;
  }

  #heading({ tag }: Token, inline: Token | undefined): string {
    const text = this.#inline(inline);
    if (this.#style.isColored) return styledPieces(text, this.#style.heading);
    return `${'#'.repeat(Number(tag.slice(1)))} ${text}`;
  }

  #code({ type, content, info, markup, map }: Token): string[] {
    const { dim, isColored } = this.#style;
    const all = content.split('\n');
    const code = all.slice(0, all.findLastIndex((line) => line.trim() !== '') + 1);
    const language = /^[^\s{]*/.exec(info.trim())?.[0] ?? '';
    const isFence = type === 'fence';
    const indent = isColored ? INDENT : isFence ? '' : '    ';
    const lines = code.map((line) => (line.trim() === '' ? '' : indent + line));
    if (isColored) return language === '' ? lines : [INDENT + dim(language), ...lines];
    if (!isFence) return lines;
    const isClosed = map !== null && map[1] - map[0] === all.length + 1;
    const end = this.#isOpenFence && !isClosed ? [] : [markup];
    return [markup + language, ...lines, ...end];
  }

  #table(block: readonly Token[], width: number): string[] {
    const { isColored, bold, dim } = this.#style;
    const aligns: string[] = [];
    const rows: string[][] = [];
    block.forEach((token, index) => {
      if (token.type === 'tr_open') rows.push([]);
      if (token.type !== 'th_open' && token.type !== 'td_open') return;
      const text = this.#inline(block[index + 1]);
      const isHead = token.type === 'th_open';
      if (isHead) aligns.push(String(token.attrGet('style') ?? '').replace('text-align:', ''));
      rows.at(-1)?.push(isHead ? styledPieces(text, bold) : text);
    });
    const cells = rows.map((row) => row.map(unwrapped));
    const widths = aligns.map((_, column) =>
      Math.max(...cells.map((row) => stringWidth(row[column] ?? ''))),
    );
    const total = widths.reduce((sum, each) => sum + each, 3 * (widths.length - 1));
    if (total > width) return recordLines(rows, width);
    const between = isColored ? dim(' │ ') : ' | ';
    const [head = '', ...rest] = cells.map((row) =>
      widths
        .map((each, column) => aligned(row[column] ?? '', each, aligns[column]))
        .join(between)
        .trimEnd(),
    );
    const rule = isColored
      ? dim(widths.map((each) => '─'.repeat(each)).join('─┼─'))
      : widths.map((each) => '-'.repeat(each)).join('-|-');
    return cells[0]?.some((cell) => cell !== '') === true ? [head, rule, ...rest] : rest;
  }

  /** Returns inline Markdown as text. Text after {@link MAX_INLINE_LENGTH} stays plain. */
  #inline(block: Token | undefined): string {
    const source = block?.content ?? '';
    const isLong = source.length > MAX_INLINE_LENGTH;
    const end = isLong ? Math.max(0, source.lastIndexOf(' ', MAX_INLINE_LENGTH)) : source.length;
    const [parsed] = parser.parseInline(source.slice(0, end), {});
    const plain = source.slice(end).replaceAll('\n', ' ');
    return this.#text(parsed?.children ?? []) + breakable(plain);
  }

  #text(tokens: readonly Token[]): string {
    return blocksOf(tokens)
      .map((group) => this.#piece(group))
      .join('');
  }

  /** Returns the text of one inline token, or of emphasis or a link with all that is inside. */
  #piece(group: readonly Token[]): string {
    const style = this.#style;
    const [token] = group;
    // Without escape sequences, only the marks of Markdown can show emphasis.
    const marked = (mark: string, apply: (piece: string) => string): string => {
      const text = this.#text(inside(group));
      return style.isColored ? styledPieces(text, apply) : `${mark}${text}${mark}`;
    };
    switch (token?.type) {
      case 'softbreak':
        return ' ';
      case 'hardbreak':
        return '\n';
      case 'strong_open':
        return marked('**', style.bold);
      case 'em_open':
        return marked('*', style.italic);
      case 's_open':
        return marked('~~', style.strike);
      case 'code_inline': {
        const code = breakable(token.content);
        return style.isColored ? styledPieces(code, style.code) : `\`${code}\``;
      }
      case 'image':
        return `${breakable(token.content)} ${this.#number(token, 'src', token.content)}`;
      case 'link_open':
        return this.#link(token, inside(group));
      default:
        return breakable(token?.content ?? '');
    }
  }

  /** Returns a link's text with the number of its page. A citation is its number alone. */
  #link(link: Token, tokens: readonly Token[]): string {
    const source = tokens.map(({ content }) => content).join('');
    const text = styledPieces(this.#text(tokens), this.#style.underline);
    if (link.markup === 'autolink') return text;
    if (/^\[?\d{1,3}\]?$/.test(source)) return this.#number(link, 'href', '');
    return `${text} ${this.#number(link, 'href', source)}`;
  }

  #number(token: Token, attribute: 'href' | 'src', title: string): string {
    const number = this.#layout.numberOf(String(token.attrGet(attribute) ?? ''), title);
    return this.#style.dim(`[${number}]`);
  }
}

/** Writes a table that is too wide row by row, each cell on a line after the heading of its column. */
function recordLines([head = [], ...rows]: readonly string[][], width: number): string[] {
  return rows.flatMap((row, index) => {
    const lines = row.flatMap((cell, column) => {
      const name = head[column] ?? '';
      return wrap(name === '' ? cell : `${name}: ${cell}`, width, INDENT);
    });
    return index > 0 ? ['', ...lines] : lines;
  });
}

function aligned(text: string, width: number, align: string | undefined): string {
  const space = Math.max(0, width - stringWidth(text));
  if (align === 'right') return ' '.repeat(space) + text;
  const left = align === 'center' ? Math.floor(space / 2) : 0;
  return ' '.repeat(left) + text + ' '.repeat(space - left);
}
