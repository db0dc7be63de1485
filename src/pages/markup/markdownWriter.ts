/**
 * Writes Markdown piece by piece. Separates blocks by blank lines and keeps them in their list item
 * or quote.
 */
export class MarkdownWriter {
  readonly #buffers: Buffer[] = [newBuffer()];

  get #buffer(): Buffer {
    return this.#buffers.at(-1) ?? newBuffer();
  }

  /** Whether the line has only indentation and marks of lists and quotes. */
  get isAtLineStart(): boolean {
    return isPrefix(this.#buffer.line);
  }

  /** Whether the line ends in white space. */
  get isAfterSpace(): boolean {
    const { line, isAfterBlock } = this.#buffer;
    return isAfterBlock || line.endsWith(' ') || line.endsWith('\t');
  }

  /** Number of characters on the line. */
  get column(): number {
    return this.#buffer.line.length;
  }

  /** Adds Markdown without changes. */
  raw(markdown: string): void {
    if (markdown === '') return;
    const buffer = this.#buffer;
    let text = markdown;
    if (buffer.isAfterBlock) {
      const rest = /^[ \t]*(?=\n)/.exec(text);
      if (!rest && text.trim() === '') return;
      buffer.isAfterBlock = false;
      const prefix = nextPrefix(buffer);
      this.#endLine(buffer);
      if (rest) {
        buffer.line = prefix.trimEnd();
        text = text.slice(rest[0].length);
      } else {
        buffer.lines.push(prefix.trimEnd());
        buffer.line = prefix;
        text = text.trimStart();
      }
    }
    buffer.blockPrefix = undefined;
    const lines = text.split('\n');
    buffer.line += lines[0] ?? '';
    for (const line of lines.slice(1)) {
      this.#endLine(buffer);
      buffer.line = line;
    }
  }

  /** Ends the paragraph, so that the next text is a block of its own. */
  break(): void {
    const buffer = this.#buffer;
    if (isPrefix(buffer.line)) {
      const before = buffer.lines.at(-1) ?? '';
      if (isBlank(before) || /[-+*.)\d]/.test(buffer.line)) return;
      buffer.lines.push(prefixOf(buffer.line).trimEnd());
      return;
    }
    if (!buffer.isAfterBlock) buffer.isAfterBlock = true;
  }

  /** Adds a block of Markdown. */
  block(markdown: string): void {
    this.break();
    const buffer = this.#buffer;
    if (buffer.isAfterBlock) {
      buffer.isAfterBlock = false;
      const prefix = nextPrefix(buffer);
      this.#endLine(buffer);
      buffer.lines.push(prefix.trimEnd());
      buffer.line = prefix;
    }
    const prefix = prefixOf(buffer.line);
    this.raw(markdown.replaceAll('\n', `\n${prefix}`));
    buffer.isAfterBlock = true;
    buffer.blockPrefix = prefix;
  }

  /** Starts to collect the Markdown that is written before {@link end}. */
  begin(): void {
    this.#buffers.push(newBuffer());
  }

  /** Returns what has been written since {@link begin}. */
  end(): string {
    if (this.#buffers.length === 1) return '';
    const { lines, line } = this.#buffers.pop() ?? this.#buffer;
    return [...lines, line].join('\n');
  }

  toString(): string {
    const { lines, line } = this.#buffer;
    return [...lines, line].join('\n');
  }

  #endLine(buffer: Buffer): void {
    buffer.lines.push(isBlank(buffer.line) ? buffer.line.trimEnd() : buffer.line);
  }
}

interface Buffer {
  readonly lines: string[];
  line: string;
  /** Whether a blank line must come next. */
  isAfterBlock: boolean;
  /** Prefix of the last block. If a list ends the block, the next block is not part of that list. */
  blockPrefix: string | undefined;
}

function newBuffer(): Buffer {
  return { lines: [], line: '', isAfterBlock: false, blockPrefix: undefined };
}

/** Returns the prefix of the block after the current line. */
function nextPrefix({ line, blockPrefix }: Buffer): string {
  return blockPrefix ?? prefixOf(line);
}

const prefix = /^(?:[ \t]|>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))*/;

function isPrefix(line: string): boolean {
  return prefix.exec(line)?.[0] === line;
}

function isBlank(line: string): boolean {
  return /^[\s>]*$/.test(line);
}

/** Returns the prefix that keeps the next line in the same list item or quote. */
function prefixOf(line: string): string {
  return (prefix.exec(line)?.[0] ?? '').replace(/[^>\s]/g, ' ');
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

/** Returns the length of the longest run of backticks in a text. */
export function longestTicks(text: string): number {
  let longest = 0;
  // A page can have more runs than a function takes arguments.
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Returns code as a fenced block. */
export function fenced(content: string, language: string, title?: string): string {
  const fence = '`'.repeat(Math.max(2, longestTicks(content)) + 1);
  const name = title === undefined ? '' : ` title="${title.replaceAll('"', "'")}"`;
  return `${fence}${language}${name}\n${content}\n${fence}`;
}
