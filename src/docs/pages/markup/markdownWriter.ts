import { codeSpan as spanOf, longestRun } from '../../../shared/codeSpan';

/**
 * Writes Markdown piece by piece. Separates blocks by blank lines and keeps them in their list item
 * or quote, or in their row of a table.
 */
export class MarkdownWriter {
  readonly #buffers: Buffer[] = [newBuffer()];

  get #buffer(): Buffer {
    return this.#buffers.at(-1) ?? newBuffer();
  }

  /** Whether the line has only indentation and marks of lists and quotes. */
  get isAtLineStart(): boolean {
    return !this.isInRow && isPrefix(this.#buffer.line);
  }

  /** Whether the line is a row of a table of the page, which ends with the line. */
  get isInRow(): boolean {
    const { isCell, line } = this.#buffer;
    return isCell || line.isRow;
  }

  /** Adds Markdown of the page. */
  copy(markdown: string): void {
    this.raw(markdown);
    const { line } = this.#buffer;
    line.isRow ||= /^[\s>]*\|/.test(line.head);
  }

  /** Whether the line ends in white space. */
  get isAfterSpace(): boolean {
    const { line, isAfterBlock } = this.#buffer;
    return isAfterBlock || line.last === ' ' || line.last === '\t';
  }

  /** Whether the line has no characters yet. */
  get isOnEmptyLine(): boolean {
    return this.#buffer.line.last === '';
  }

  /** Adds Markdown without changes. */
  raw(markdown: string): void {
    if (markdown === '') return;
    const buffer = this.#buffer;
    let text = markdown;
    if (buffer.isAfterBlock && this.isInRow) {
      if (text.trim() === '' && !text.includes('\n')) return;
      buffer.isAfterBlock = false;
      if (!/^[ \t]*[|\n]/.test(text)) text = `<br>${text.trimStart()}`;
    } else if (buffer.isAfterBlock) {
      const rest = /^[ \t]*(?=\n)/.exec(text);
      if (!rest && text.trim() === '') return;
      buffer.isAfterBlock = false;
      const prefix = nextPrefix(buffer);
      this.#endLine(buffer);
      if (rest) {
        buffer.line = lineOf(prefix.trimEnd());
        text = text.slice(rest[0].length);
      } else {
        pushBlank(buffer, prefix);
        buffer.line = lineOf(prefix);
        text = text.trimStart();
      }
    }
    buffer.blockPrefix = undefined;
    const lines = text.split('\n');
    addTo(buffer.line, lines[0] ?? '');
    for (const line of lines.slice(1)) {
      this.#endLine(buffer);
      buffer.line = lineOf(line);
    }
  }

  /** Ends the paragraph, so that the next text is a block of its own. */
  break(): void {
    const buffer = this.#buffer;
    if (this.isInRow) {
      buffer.isAfterBlock ||= !['', '|'].includes(buffer.line.lastMark);
      return;
    }
    if (isPrefix(buffer.line)) {
      if (buffer.isAfterBlank || /[-+*.)\d]/.test(buffer.line.head)) return;
      pushBlank(buffer, prefixOf(buffer.line));
      return;
    }
    if (!buffer.isAfterBlock) buffer.isAfterBlock = true;
  }

  /** Adds a block of Markdown. */
  block(markdown: string): void {
    this.break();
    const buffer = this.#buffer;
    if (this.isInRow) {
      this.raw(cellText(markdown));
      buffer.isAfterBlock = true;
      return;
    }
    if (buffer.isAfterBlock) {
      buffer.isAfterBlock = false;
      const prefix = nextPrefix(buffer);
      this.#endLine(buffer);
      pushBlank(buffer, prefix);
      buffer.line = lineOf(prefix);
    }
    const prefix = prefixOf(buffer.line);
    this.raw(markdown.replaceAll('\n', `\n${prefix}`));
    buffer.isAfterBlock = true;
    buffer.blockPrefix = prefix;
  }

  /** Starts to collect the Markdown that is written before {@link end}. */
  begin(): void {
    this.#buffers.push(newBuffer(this.isInRow));
  }

  /** Returns what has been written since {@link begin}. */
  end(): string {
    if (this.#buffers.length === 1) return '';
    return textOf(this.#buffers.pop() ?? this.#buffer);
  }

  toString(): string {
    return textOf(this.#buffer);
  }

  #endLine(buffer: Buffer): void {
    const line = wholeOf(buffer.line);
    buffer.isAfterBlank = /^[\s>]*$/.test(line);
    buffer.lines.push(buffer.isAfterBlank ? line.trimEnd() : line);
  }
}

/**
 * The line that is being written. Its beginning is examined for each piece that is added, so it is kept apart from
 * the rest, which is only joined at the end of the line.
 */
interface Line {
  /** Up to {@link MAX_HEAD} characters, which have the line's prefix. */
  head: string;
  readonly rest: string[];
  /** Last character of the line, or an empty string. */
  last: string;
  /** Last character that is not white space, or an empty string. */
  lastMark: string;
  /** Whether the line is a row of a table of the page. */
  isRow: boolean;
}

/** Maximum number of characters of a prefix. It is repeated before each line of a block. */
const MAX_HEAD = 100;

function lineOf(text: string): Line {
  const line: Line = { head: '', rest: [], last: '', lastMark: '', isRow: false };
  addTo(line, text);
  return line;
}

function addTo(line: Line, text: string): void {
  if (text === '') return;
  const room = line.rest.length > 0 ? 0 : MAX_HEAD - line.head.length;
  if (room > 0) line.head += text.slice(0, room);
  if (text.length > room) line.rest.push(text.slice(room));
  line.last = text.charAt(text.length - 1);
  line.lastMark = text.trimEnd().slice(-1) || line.lastMark;
}

function wholeOf({ head, rest }: Line): string {
  return rest.length === 0 ? head : head + rest.join('');
}

interface Buffer {
  readonly lines: string[];
  line: Line;
  /** Whether the last of `lines` is blank, or there is none. */
  isAfterBlank: boolean;
  /** Whether a blank line must come next. */
  isAfterBlock: boolean;
  /** Prefix of the last block. If a list ends the block, the next block is not part of that list. */
  blockPrefix: string | undefined;
  /** Whether the buffer is for a part of a row of a table. */
  readonly isCell: boolean;
}

function newBuffer(isCell = false): Buffer {
  return {
    lines: [],
    line: lineOf(''),
    isAfterBlank: true,
    isAfterBlock: false,
    blockPrefix: undefined,
    isCell,
  };
}

function textOf({ lines, line }: Buffer): string {
  return [...lines, wholeOf(line)].join('\n');
}

/** Adds a blank line that keeps the quotes of a prefix open. */
function pushBlank(buffer: Buffer, prefix: string): void {
  buffer.lines.push(prefix.trimEnd());
  buffer.isAfterBlank = true;
}

/** Returns the prefix of the block after the current line. */
function nextPrefix({ line, blockPrefix }: Buffer): string {
  return blockPrefix ?? prefixOf(line);
}

const prefix = /^(?:[ \t]|>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))*/;

function isPrefix({ head, rest }: Line): boolean {
  return rest.length === 0 && prefix.exec(head)?.[0] === head;
}

/** Returns the prefix that keeps the next line in the same list item or quote. */
function prefixOf({ head }: Line): string {
  return (prefix.exec(head)?.[0] ?? '').replace(/[^>\s]/g, ' ');
}

/** Returns blocks on one line, as table cells in Markdown need them. */
export function cellText(content: string): string {
  return content
    .replace(/^[ \t]*<\/?(?:aside|a)\b[^>\n]*>[ \t]*$/gm, '')
    .trim()
    .split(/\n\s*\n/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter((part) => part !== '')
    .join('<br>')
    .replace(/(?<!\\)\|/g, '\\|');
}

/** Escapes plain text for Markdown, except code in backticks and HTML entities. */
export function escapeMarkdown(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const hasCode = (flat.split('`').length - 1) % 2 === 0;
  return flat
    .split(/(`[^`]*`)/)
    .map((part) =>
      hasCode && part.startsWith('`')
        ? part
        : part.replace(
            /[\\`*[\]<>]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|^[#+-](?=\s)/gu,
            '\\$&',
          ),
    )
    .join('');
}

/** Returns a URL as the target of a Markdown link. */
export function linkTarget(href: string): string {
  const plain = href.trim().replace(/[\n\r]+/g, '');
  return /[\s()<>]/.test(plain) ? `<${plain.replace(/[<>]/g, encodeURIComponent)}>` : plain;
}

/** Returns a name, a type or a value as a code span on one line, or an empty text for an empty one. */
export function codeSpan(code: string): string {
  const flat = code.replace(/\s+/g, ' ').trim();
  return flat === '' ? '' : spanOf(flat);
}

/** Returns code of a page, which is on one line, as a code span, with blanks around code that has backticks. */
export function inlineCode(code: string): string {
  const longest = longestRun(code);
  const ticks = '`'.repeat(longest + 1);
  const room = longest > 0 ? ' ' : '';
  return ticks + room + code + room + ticks;
}

/** Returns code as a fenced block. */
export function fenced(content: string, language: string, title?: string): string {
  const fence = '`'.repeat(Math.max(2, longestRun(content)) + 1);
  const name = title === undefined ? '' : ` title="${title.replaceAll('"', "'")}"`;
  return `${fence}${language}${name}\n${content}\n${fence}`;
}
