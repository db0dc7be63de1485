/**
 * Writes Markdown piece by piece. Blocks stand apart by blank lines and within the list item or
 * quote in which they are written.
 */
export class MarkdownWriter {
  readonly #buffers: Buffer[] = [{ lines: [], line: '', isAfterBlock: false }];

  get #buffer(): Buffer {
    return this.#buffers.at(-1) ?? { lines: [], line: '', isAfterBlock: false };
  }

  /** Whether nothing stands on the line but indentation and marks of lists and quotes. */
  get isAtLineStart(): boolean {
    return isPrefix(this.#buffer.line);
  }

  /** How far the line is written. */
  get column(): number {
    return this.#buffer.line.length;
  }

  /** Adds Markdown as it is. */
  raw(markdown: string): void {
    if (markdown === '') return;
    const buffer = this.#buffer;
    let text = markdown;
    if (buffer.isAfterBlock) {
      const rest = /^[ \t]*(?=\n)/.exec(text);
      if (!rest && text.trim() === '') return;
      buffer.isAfterBlock = false;
      const prefix = prefixOf(buffer.line);
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
    const lines = text.split('\n');
    buffer.line += lines[0] ?? '';
    for (const line of lines.slice(1)) {
      this.#endLine(buffer);
      buffer.line = line;
    }
  }

  /** Ends the paragraph, so that what follows is a block of its own. */
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
      const prefix = prefixOf(buffer.line);
      this.#endLine(buffer);
      buffer.lines.push(prefix.trimEnd());
      buffer.line = prefix;
    }
    const prefix = prefixOf(buffer.line);
    this.raw(markdown.replaceAll('\n', `\n${prefix}`));
    this.#buffer.isAfterBlock = true;
  }

  /** What is written from now on is kept apart until {@link end}. */
  begin(): void {
    this.#buffers.push({ lines: [], line: '', isAfterBlock: false });
  }

  /** What has been written since {@link begin}. */
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
  /** Whether a blank line has to follow before anything else does. */
  isAfterBlock: boolean;
}

const prefix = /^(?:[ \t]|>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))*/;

function isPrefix(line: string): boolean {
  return prefix.exec(line)?.[0] === line;
}

function isBlank(line: string): boolean {
  return /^[\s>]*$/.test(line);
}

/** What the next line has to begin with to stand in the same list item or quote. */
function prefixOf(line: string): string {
  return (prefix.exec(line)?.[0] ?? '').replace(/[^>\s]/g, ' ');
}

/** Plain text as Markdown that shows it as it is, but for code in ticks and HTML's entities. */
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

/** A link's address for the brackets of Markdown. */
export function linkTarget(href: string): string {
  const plain = href.trim().replace(/[\n\r]+/g, '');
  return /[\s()<>]/.test(plain) ? `<${plain.replace(/[<>]/g, encodeURIComponent)}>` : plain;
}

/** Code as a block. */
export function fenced(content: string, language: string, title?: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const name = title === undefined ? '' : ` title="${title.replaceAll('"', "'")}"`;
  return `${fence}${language}${name}\n${content}\n${fence}`;
}
