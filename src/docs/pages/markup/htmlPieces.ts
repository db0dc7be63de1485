import { Parser } from 'htmlparser2';
import { parse, postprocess, preprocess } from 'micromark';
import { CodeSpans } from './codeSpans';
import type { ElementWriter } from './elementWriter';
import { type ReadingBudget, squareSteps } from './readingBudget';

/**
 * Matches Markdown other than paragraphs, headings and tables: lists, quotes, code, rules, underlines of
 * headings, and definitions of references.
 */
const otherBlock =
  /^(?: {4}| {0,3}(?:[-+*](?: |$)|\d{1,9}[.)](?: |$)|>|`{3}|~{3}|=+ *$|-+ *$|([-*_])(?: *\1){2,} *$))|^ *$|\]:|<[!?]|[\t\0]/m;
const heading = /^ {0,3}#{1,6}(?: |$)/;
/** Names of tags that only begin a block if they are alone on a line. */
const inlineNames = 'a|abbr|b|br|code|del|em|i|img|ins|kbd|mark|s|small|span|strong|sub|sup|u';
const inlineStart = new RegExp(`^ {0,3}</?(?:${inlineNames})(?![A-Za-z0-9-])`, 'i');

const attribute =
  '[ \\n]+[A-Za-z_:][\\w.:-]*(?:[ \\n]*=[ \\n]*(?:[^ \\n"\'=<>`]+|\'[^\']*\'|"[^"]*"))?';
const tag = new RegExp(
  `<(?:[A-Za-z][A-Za-z0-9-]*(?:${attribute})*[ \\n]*/?|/[A-Za-z][A-Za-z0-9-]*[ \\n]*)>`,
  'y',
);
/** Matches a tag alone on its line, which begins a block unless it continues a paragraph. */
const aloneInLine = new RegExp(`^ {0,3}(?:${tag.source}) *$`);
const autolink = /<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^ \n<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+)>/y;
/** Matches the target of a link without special characters. */
const target = /\]\([^ \n<>()"'\\`]*\)/y;
/** Matches the characters that decide where HTML begins. */
const mark = /[\\<]|`+|\]\(/g;

/**
 * Finds the HTML in Markdown that only has paragraphs, headings and tables. Most Markdown is of this kind. This
 * is much faster than {@link parseHtml}.
 * @returns the result of {@link parseHtml}, or undefined if only {@link parseHtml} can read the text.
 */
export function findPlainHtml(source: string): HtmlPiece[] | undefined {
  if (otherBlock.test(source)) return undefined;
  const pieces: HtmlPiece[] = [];
  let at = 0;
  let blockStart = 0;
  for (const line of source.split('\n')) {
    const end = at + line.length;
    if (heading.test(line)) {
      if (!readInline(source, blockStart, at, pieces) || !readInline(source, at, end, pieces))
        return undefined;
      blockStart = end;
    } else if (/^ {0,3}</.test(line) && (!inlineStart.test(line) || aloneInLine.test(line)))
      return undefined;
    at = end + 1;
  }
  return readInline(source, blockStart, source.length, pieces) ? pieces : undefined;
}

/**
 * Adds the tags of one block.
 * @returns whether the block could be read.
 */
function readInline(source: string, start: number, end: number, pieces: HtmlPiece[]): boolean {
  const text = source.slice(start, end);
  const spans = new CodeSpans(text);
  for (let at = 0; at < text.length;) {
    mark.lastIndex = at;
    const found = mark.exec(text);
    if (!found) return true;
    at = found.index;
    if (found[0] === '\\') at += 2;
    else if (found[0].startsWith('`')) {
      const { length } = found[0];
      at = spans.endOf(at, length) ?? at + length;
    } else if (found[0] === '<') {
      const html = matchAt(tag, text, at);
      if (html !== undefined) {
        pieces.push({ start: start + at, end: start + at + html.length, isFlow: false });
        at += html.length;
      } else if (text.startsWith('</', at)) at++;
      else at += matchAt(autolink, text, at)?.length ?? 1;
    } else {
      const whole = matchAt(target, text, at);
      if (whole === undefined) return false;
      at += whole.length;
    }
  }
  return true;
}

/** Returns the text with blanks in place of its code spans and escaped characters. */
export function withoutCode(text: string): string {
  const spans = new CodeSpans(text);
  const parts: string[] = [];
  let at = 0;
  const codeMark = /\\|`+/g;
  for (let found = codeMark.exec(text); found; found = codeMark.exec(text)) {
    const { index: start, 0: marks } = found;
    const behind = start + marks.length;
    const end =
      marks === '\\'
        ? Math.min(start + 2, text.length)
        : (spans.endOf(start, marks.length) ?? behind);
    parts.push(text.slice(at, start), ' '.repeat(end - start));
    at = end;
    codeMark.lastIndex = end;
  }
  return parts.join('') + text.slice(at);
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Position of HTML in a piece of Markdown. */
interface HtmlPiece {
  readonly start: number;
  readonly end: number;
  /** Whether the HTML is a block, whose text is not Markdown. */
  readonly isFlow: boolean;
}

/** Finds the HTML in a piece of Markdown. Ignores code. */
export function findHtml(source: string, budget: ReadingBudget): HtmlPiece[] {
  const plain = findPlainHtml(source);
  if (plain) return plain;
  budget.spend(squareSteps(source.length));
  return parseHtml(source);
}

/** Finds the HTML in any Markdown with a full parser. */
export function parseHtml(source: string): HtmlPiece[] {
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(source, 'utf8', true)),
  );
  return events.flatMap(([change, { type, start, end }]) =>
    change === 'exit' && (type === 'htmlFlow' || type === 'htmlText')
      ? [{ start: start.offset, end: end.offset, isFlow: type === 'htmlFlow' }]
      : [],
  );
}

/**
 * Reads the HTML of one page piece by piece. A tag in one piece can close an element of an earlier piece.
 */
export class HtmlReader {
  readonly #page: ElementWriter;
  #parser: Parser;
  #isFlow = false;
  /** Number of open elements of the parser. */
  #openCount = 0;

  constructor(page: ElementWriter) {
    this.#page = page;
    this.#parser = this.#newParser();
  }

  #newParser(): Parser {
    const page = this.#page;
    const parser: Parser = new Parser(
      {
        onopentag: (name, attributes) => {
          if (++this.#openCount > MAX_OPEN) parser.pause();
          const tag = {
            name: nameOf(name),
            attributes: new Map(Object.entries(attributes)),
            isFlow: false,
          };
          page.open(tag, false);
        },
        onclosetag: (name) => {
          this.#openCount--;
          page.close((open) => open === nameOf(name));
        },
        ontext: (text) => {
          if (this.#isFlow) page.plain(text);
        },
      },
      { lowerCaseTags: false, recognizeSelfClosing: true },
    );
    return parser;
  }

  read({ isFlow }: HtmlPiece, html: string): void {
    this.#isFlow = isFlow;
    let rest = html;
    let before = this.#writtenLength;
    for (;;) {
      this.#parser.write(rest);
      if (this.#openCount <= MAX_OPEN) break;
      // The page goes on with a new parser. The elements that are open stay open up to the end of the page.
      rest = rest.slice(this.#parser.endIndex + 1 - before);
      this.#parser = this.#newParser();
      this.#openCount = before = this.#writtenLength = 0;
    }
    this.#writtenLength += rest.length;
  }

  /** Number of characters that the parser has got. */
  #writtenLength = 0;
}

/** Maximum number of open elements. The parser's time grows with the square of this number. */
const MAX_OPEN = 500;

/** Returns the name of an element: `div` for `DIV`. The name of a component such as `Card` stays unchanged. */
function nameOf(name: string): string {
  return /^[A-Z][\w.]*[a-z]/.test(name) ? name : name.toLowerCase();
}
