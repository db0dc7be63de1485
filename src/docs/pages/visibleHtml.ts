import { CodeSpans } from './markup/codeSpans';

/** Returns the visible text of HTML, without scripts, styles and comments. */
export function htmlText(html: string): string {
  let text = html;
  for (const name of ['script', 'style'] as const) {
    const end = lastEnd(text, new RegExp(`</${name}\\s*>`, 'gi'));
    text = replacedUntil(end, text, new RegExp(`<${name}\\b[^]*?</${name}\\s*>`, 'gi'), '');
  }
  text = replacedUntil(text.lastIndexOf('-->') + 3, text, /<!--[^]*?-->/g, '');
  return replacedUntil(text.lastIndexOf('>') + 1, text, /<\/?[a-z][^>]*>/gi, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .trim();
}

/** Returns the end of the last match, or 0. */
function lastEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/**
 * Replaces matches up to the last end mark. A pattern that looks for an end mark would otherwise search the rest
 * of the text for each beginning without an end.
 */
function replacedUntil(end: number, text: string, pattern: RegExp, replacement: string): string {
  return text.slice(0, end).replace(pattern, replacement) + text.slice(end);
}

const codeOrHtml = /`+|<br\s*\/?>|<!--|<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/gi;

/** Returns whether what looks like a tag is the target of a link whose path has a space: `[a](<my docs/a.md>)`. */
function isLinkTarget(source: string, start: number, end: number): boolean {
  return source.slice(start - 2, start) === '](' && /[)\s]/.test(source.charAt(end));
}

/** Removes tags and comments outside of code. */
export function dropHtml(source: string): string {
  const spans = new CodeSpans(source);
  const lastCommentEnd = source.lastIndexOf('-->');
  let text = '';
  let at = 0;
  codeOrHtml.lastIndex = 0;
  for (let found = codeOrHtml.exec(source); found; found = codeOrHtml.exec(source)) {
    const { 0: mark, index } = found;
    if (mark.startsWith('`')) {
      codeOrHtml.lastIndex = spans.endOf(index, mark.length) ?? codeOrHtml.lastIndex;
      continue;
    }
    if (mark === '<!--') {
      if (index > lastCommentEnd) continue;
      codeOrHtml.lastIndex = source.indexOf('-->', index) + 3;
    } else if (isLinkTarget(source, index, codeOrHtml.lastIndex)) continue;
    text += source.slice(at, index) + (/^<br/i.test(mark) ? ' ' : '');
    at = codeOrHtml.lastIndex;
  }
  return (text + source.slice(at)).trim();
}
