import type { Token } from 'markdown-it';
import { inlineWords, type InlineOptions } from './inlineWords';
import { type Word, widthOf, wrapped } from './wrappedLine';

export interface LayoutOptions extends InlineOptions {
  readonly columns: number;
  /** Returns the tokens of inline Markdown. */
  readonly parseInline: (text: string) => readonly Token[];
}

/** The last block of the source while it is incomplete. */
export interface OpenBlock {
  /** The innermost token, whose text can still grow. */
  readonly token: Token;
  /** Returns the beginning of a paragraph's source that no later text can change. */
  readonly stable: (content: string) => string;
}

/** A list item or a quote around a block. It adds a marker or an indentation to each line. */
interface Container {
  readonly first: string;
  readonly rest: string;
  isUsed: boolean;
}

const INDENT = '  ';

/**
 * Lays out one top-level block, without a final line end. Of an open block, only the certain part
 * is laid out, so the result for more text begins with this result.
 *
 * @param lines lines of the source, to find blank lines.
 */
export function layOut(
  tokens: readonly Token[],
  lines: readonly string[],
  options: LayoutOptions,
  open?: OpenBlock,
): string {
  return new BlockLayout(lines, options, open).text(tokens);
}

class BlockLayout {
  readonly #lines: readonly string[];
  readonly #options: LayoutOptions;
  readonly #open: OpenBlock | undefined;
  readonly #containers: Container[] = [];
  /** Number of the next item of each ordered list around a token. */
  readonly #numbers: (number | undefined)[] = [];
  #out = '';

  constructor(lines: readonly string[], options: LayoutOptions, open: OpenBlock | undefined) {
    this.#lines = lines;
    this.#options = options;
    this.#open = open;
  }

  text(tokens: readonly Token[]): string {
    for (let index = 0; index < tokens.length; index++) {
      const token = tokens[index];
      if (!token) break;
      switch (token.type) {
        case 'bullet_list_open':
          this.#numbers.push(undefined);
          break;
        case 'ordered_list_open':
          this.#numbers.push(Number(token.attrGet('start') ?? 1));
          break;
        case 'bullet_list_close':
        case 'ordered_list_close':
          this.#numbers.pop();
          break;
        case 'list_item_open':
          this.#openItem();
          break;
        case 'blockquote_open':
          this.#openQuote();
          break;
        case 'list_item_close':
        case 'blockquote_close':
          this.#containers.pop();
          break;
        case 'heading_open':
        case 'paragraph_open': {
          const inline = tokens[index + 1];
          if (inline) this.#paragraph(token, inline);
          index += 2;
          break;
        }
        case 'fence':
        case 'code_block':
          this.#code(token);
          break;
        case 'hr':
          if (this.#open?.token !== token) this.#rule(token);
          break;
        case 'table_open': {
          const end = tokens.findIndex((other, at) => at > index && other.type === 'table_close');
          if (this.#open?.token !== token) this.#table(token, tokens.slice(index, end));
          index = end;
          break;
        }
        default:
      }
    }
    return this.#out;
  }

  get #width(): number {
    const taken = this.#containers.reduce((sum, { rest }) => sum + widthOf(rest), 0);
    return Math.max(10, this.#options.columns - taken);
  }

  #openItem(): void {
    const number = this.#numbers.at(-1);
    const marker = number === undefined ? '- ' : `${number}. `;
    if (number !== undefined) this.#numbers[this.#numbers.length - 1] = number + 1;
    const { style } = this.#options;
    const shown = style.isColored && number === undefined ? '• ' : marker;
    this.#containers.push({ first: shown, rest: ' '.repeat(marker.length), isUsed: false });
  }

  #openQuote(): void {
    const { style } = this.#options;
    const bar = style.isColored ? `${style.dim('│')} ` : '> ';
    this.#containers.push({ first: bar, rest: bar, isUsed: false });
  }

  /**
   * Begins a block on a new line. A blank line comes first if the source has one or the block is at
   * the top level.
   */
  #begin({ map }: Token): void {
    if (this.#out !== '') {
      this.#out += '\n';
      if (this.#isAfterBlank(map?.[0] ?? 0)) {
        const before = this.#containers.filter(({ isUsed }) => isUsed);
        this.#out += `${before
          .map(({ rest }) => rest)
          .join('')
          .trimEnd()}\n`;
      }
    }
    this.#out += this.#prefix();
  }

  #isAfterBlank(line: number): boolean {
    return line > 0 && /^[\s>]*$/.test(this.#lines[line - 1] ?? '');
  }

  /**
   * Returns the beginning of a line: the marker on the first line of an item, otherwise its
   * indentation.
   */
  #prefix(): string {
    return this.#containers
      .map((container) => {
        const { first, rest, isUsed } = container;
        container.isUsed = true;
        return isUsed ? rest : first;
      })
      .join('');
  }

  #newLine(): string {
    return `\n${this.#prefix()}`;
  }

  #paragraph(token: Token, inline: Token): void {
    const open = this.#open;
    const content = open?.token === token ? open.stable(inline.content) : inline.content;
    if (content === '') return;
    const { style } = this.#options;
    const isHeading = token.type === 'heading_open';
    const base = isHeading ? style.heading : undefined;
    const words = inlineWords(this.#options.parseInline(content), this.#options, base);
    if (isHeading && !style.isColored) {
      words.unshift({ segments: [{ text: '#'.repeat(Number(token.tag.slice(1))) }] });
    }
    this.#words(token, words);
  }

  #words(token: Token, words: readonly Word[]): void {
    if (words.length === 0) return;
    this.#begin(token);
    this.#out += wrapped(words, { width: this.#width, newLine: () => this.#prefix() });
  }

  #code(token: Token): void {
    const { style } = this.#options;
    const isOpen = this.#open?.token === token;
    const language = /^[^\s{]*/.exec(token.info.trim())?.[0] ?? '';
    const lines = token.content.split('\n');
    // The last piece is empty, or a line that isn't whole yet.
    if (isOpen || lines.at(-1) === '') lines.pop();
    const last = lines.findLastIndex((line) => line.trim() !== '');
    const code = lines.slice(0, last + 1);
    if (!style.isColored) {
      // The length of an open block's fences isn't known before its end.
      if (!isOpen) this.#fencedCode(token, language, code);
      return;
    }
    if (language === '' && code.length === 0) return;
    this.#begin(token);
    if (language !== '') this.#out += INDENT + style.dim(language);
    code.forEach((line, index) => {
      if (index > 0 || language !== '') this.#out += this.#newLine();
      if (line.trim() !== '') this.#out += INDENT + line;
    });
  }

  /** Writes code between fences, for a terminal without colors. */
  #fencedCode(token: Token, language: string, code: readonly string[]): void {
    const runs = code.flatMap((line) => line.match(/`+/g) ?? []);
    const fence = '`'.repeat(Math.max(2, ...runs.map((run) => run.length)) + 1);
    this.#begin(token);
    this.#out += `${fence}${language}`;
    for (const line of code) this.#out += `${this.#newLine()}${line}`;
    this.#out += `${this.#newLine()}${fence}`;
  }

  #rule(token: Token): void {
    this.#begin(token);
    const { style } = this.#options;
    this.#out += style.isColored ? style.dim('─'.repeat(this.#width)) : '---';
  }

  #table(token: Token, tokens: readonly Token[]): void {
    const { style } = this.#options;
    const rows: Word[][][] = [];
    const aligns: string[] = [];
    tokens.forEach((cell, index) => {
      if (cell.type === 'tr_open') rows.push([]);
      if (cell.type !== 'th_open' && cell.type !== 'td_open') return;
      const isHead = cell.type === 'th_open';
      if (isHead)
        aligns.push(/(left|right|center)/.exec(String(cell.attrGet('style') ?? ''))?.[1] ?? '');
      const content = tokens[index + 1]?.content ?? '';
      const base = isHead ? style.bold : undefined;
      rows.at(-1)?.push(inlineWords(this.#options.parseInline(content), this.#options, base));
    });
    const cells = rows.map((row) =>
      row.map((words) => wrapped(words, { width: Infinity, newLine: () => '' })),
    );
    const widths = aligns.map((_, column) =>
      Math.max(...cells.map((row) => widthOf(row[column] ?? ''))),
    );
    const total = widths.reduce((sum, width) => sum + width, 0) + 3 * (widths.length - 1);
    this.#begin(token);
    if (total > this.#width) this.#records(rows, cells);
    else this.#grid(cells, widths, aligns);
  }

  #grid(cells: readonly string[][], widths: readonly number[], aligns: readonly string[]): void {
    const { style } = this.#options;
    cells.forEach((row, index) => {
      if (index > 0) this.#out += this.#newLine();
      const padded = widths.map((width, column) =>
        aligned(row[column] ?? '', width, aligns[column]),
      );
      this.#out += padded.join(style.isColored ? style.dim(' │ ') : ' | ').trimEnd();
      if (index === 0) {
        const rule = widths.map((width) => '─'.repeat(width)).join('─┼─');
        this.#out += `${this.#newLine()}${style.isColored ? style.dim(rule) : rule.replaceAll('─', '-').replaceAll('┼', '|')}`;
      }
    });
  }

  /**
   * Writes a table that is too wide row by row, each cell on a line after the heading of its
   * column.
   */
  #records([, ...rows]: readonly Word[][][], [head = []]: readonly string[][]): void {
    rows.forEach((row, index) => {
      if (index > 0) this.#out += `\n${this.#prefix().trimEnd()}${this.#newLine()}`;
      row.forEach((words, column) => {
        if (column > 0) this.#out += this.#newLine();
        const label: Word = { segments: [{ text: `${head[column] ?? ''}:` }] };
        this.#out += wrapped([label, ...words], {
          width: this.#width,
          newLine: () => this.#prefix() + INDENT,
        });
      });
    });
  }
}

function aligned(text: string, width: number, align: string | undefined): string {
  const space = Math.max(0, width - widthOf(text));
  if (align === 'right') return ' '.repeat(space) + text;
  const left = align === 'center' ? Math.floor(space / 2) : 0;
  return ' '.repeat(left) + text + ' '.repeat(space - left);
}
