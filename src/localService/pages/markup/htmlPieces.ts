import type { HtmlPiece } from './htmlPieces';

/**
 * What is not a line of a plain paragraph, heading or table: lists, quotes, code, rules, underlines
 * of headings, and what could define where a reference leads.
 */
const otherBlock =
  /^(?: {4}| {0,3}(?:[-+*](?: |$)|\d{1,9}[.)](?: |$)|>|`{3}|~{3}|=+ *$|-+ *$|([-*_])(?: *\1){2,} *$))|^ *$|\]:|<[!?]|[\t\0]/m;
const heading = /^ {0,3}#{1,6}(?: |$)/;
/** Names that never begin a block by themselves, whatever follows the tag. */
const inlineNames = 'a|abbr|b|br|code|del|em|i|img|ins|kbd|mark|s|small|span|strong|sub|sup|u';
const inlineStart = new RegExp(`^ {0,3}</?(?:${inlineNames})(?![A-Za-z0-9-])`, 'i');

const attribute =
  '[ \\n]+[A-Za-z_:][\\w.:-]*(?:[ \\n]*=[ \\n]*(?:[^ \\n"\'=<>`]+|\'[^\']*\'|"[^"]*"))?';
const tag = new RegExp(
  `<(?:[A-Za-z][A-Za-z0-9-]*(?:${attribute})*[ \\n]*/?|/[A-Za-z][A-Za-z0-9-]*[ \\n]*)>`,
  'y',
);
/** A tag alone in its line, which begins a block where no paragraph goes on. */
const aloneInLine = new RegExp(`^ {0,3}(?:${tag.source}) *$`);
const autolink = /<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^ \n<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+)>/y;
/** The target of a link, if it is one that hides nothing. */
const target = /\]\([^ \n<>()"'\\`]*\)/y;
/** What decides where HTML begins. */
const mark = /[\\`<]|\]\(/g;

/**
 * Finds the HTML of Markdown that is made of plain paragraphs, headings and tables, as most of it
 * is, in a small part of the time that a parser of all Markdown takes.
 * @returns what that parser finds; `undefined` if it has to be asked.
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

/** Adds the tags of one block. @returns whether it could be read. */
function readInline(source: string, start: number, end: number, pieces: HtmlPiece[]): boolean {
  if (start >= end) return true;
  const text = source.slice(start, end);
  for (let at = 0; at < text.length;) {
    mark.lastIndex = at;
    const found = mark.exec(text);
    if (!found) return true;
    at = found.index;
    if (found[0] === '\\') at += 2;
    else if (found[0] === '`') at = behindCode(text, at);
    else if (found[0] === '<') {
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

/** The place behind a code span, or behind the ticks that begin none. */
function behindCode(text: string, start: number): number {
  const ticks = /`+/g;
  ticks.lastIndex = start;
  const length = ticks.exec(text)?.[0].length ?? 1;
  for (let run = ticks.exec(text); run; run = ticks.exec(text)) {
    if (run[0].length === length) return run.index + length;
  }
  return start + length;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
