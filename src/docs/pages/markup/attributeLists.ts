import { CodeSpans } from './codeSpans';
import { fenceOf } from './lines';

const name = String.raw`[.#][\w-][^\s{}="']*`;
const quotedPair = String.raw`[\w-]+=(?:"[^"]*"|'[^']*')`;
const any = String.raw`(?:${name}|${quotedPair}|[\w-]+(?:=[^\s{}"']*)?)`;
/**
 * Matches what stands in the braces of a list of attributes: `.wide #usage`, `width="300"`, and behind a colon also
 * plain words, as in `{:toc}`.
 */
const attributes = new RegExp(`^(?::[ \\t]*${any}|${name}|${quotedPair})(?:[ \\t]+${any})*$`);

/** Maximum number of characters of a list of attributes. */
const MAX_LIST = 300;

/** Returns the text in braces if it is a list of attributes. */
function listIn(braces: string): string | undefined {
  if (braces.length > MAX_LIST) return undefined;
  const list = braces.slice(1, -1).trim();
  return attributes.test(list) ? list : undefined;
}

/**
 * Removes the lists of attributes that Python-Markdown (MkDocs), kramdown (Jekyll) and Pandoc read behind a heading, a
 * block, a link, an image, code or emphasis, as in `[Start](start.md){ .md-button }` and `{: .note }`. Writes the ID of
 * a heading as `{#id}`, and the language of code as `py` for `{ .py .annotate }`. Keeps the number of lines.
 */
export function withoutAttributeLists(source: string): string {
  if (!/\{:?[ \t]*[.#\w]/.test(source)) return source;
  let isFenceEnd: ((line: string) => boolean) | undefined;
  const lines = source.split('\n');
  return lines
    .map((line, index) => {
      if (isFenceEnd) {
        if (isFenceEnd(line)) isFenceEnd = undefined;
        return line;
      }
      isFenceEnd = fenceOf(line)?.isEnd;
      if (isOfContents(lines, index)) return '';
      if (!line.includes('{')) return line;
      if (isFenceEnd) return withPlainInfo(line);
      if (isHeading(line, lines[index + 1] ?? '')) return headingWithId(line);
      return withoutBlockList(line) ?? withoutInlineLists(line);
    })
    .join('\n');
}

/** Maximum number of lines between the heading of a table of contents and its item. */
const MAX_HEAD = 5;

/** Returns whether a line is an item that kramdown replaces with a table of contents (`{:toc}`), or its heading. */
function isOfContents(lines: readonly string[], index: number): boolean {
  const isItem = (at: number): boolean =>
    /^[ \t]*(?:[-+*]|\d+[.)])[ \t]/.test(lines[at] ?? '') &&
    /^[ \t]*\{:[ \t]*toc\b[^{}]*\}[ \t]*$/.test(lines[at + 1] ?? '');
  if (!/^ {0,3}#{2,6}[ \t]/.test(lines[index] ?? '')) return isItem(index);
  const below = lines.slice(index + 1, index + MAX_HEAD);
  const next = below.findIndex((line) => !/^[ \t]*(?:\{:[^{}]*\}[ \t]*)?$/.test(line));
  return next >= 0 && isItem(index + 1 + next);
}

/** Matches the first line of code with a list of attributes that begins with its language. */
const fenceWithList = /^([^`~]*(?:`{3,}|~{3,}))[ \t]*\{:?[ \t]*\.([\w+#-]+)([^{}]*)\}[ \t]*$/;

function withPlainInfo(line: string): string {
  return line.replace(fenceWithList, (_, fence: string, language: string, rest: string) => {
    const others = rest.split(/[ \t]+/).filter((part) => !/^[.#]|^$/.test(part));
    return [fence + language, ...others].join(' ');
  });
}

function isHeading(line: string, next: string): boolean {
  return /^ {0,3}#{1,6}[ \t]/.test(line) || /^ {0,3}(?:=+|-+)[ \t]*$/.test(next);
}

function headingWithId(line: string): string {
  const heading = line.trimEnd();
  const start = heading.lastIndexOf('{');
  const list = heading.endsWith('}') ? listIn(heading.slice(start)) : undefined;
  if (list === undefined || start === 0) return withoutInlineLists(line);
  const id = /(?:^|[:\s])#([\w-][^\s{}]*)/.exec(list)?.[1];
  const text = withoutInlineLists(heading.slice(0, start).trimEnd());
  return id === undefined ? text : `${text} {#${id}}`;
}

/** Returns what is left of a line that only has a list of attributes, or undefined if it has something else. */
function withoutBlockList(line: string): string | undefined {
  const [, before = '', braces = ''] = /^([ \t>]*)(\{[ \t]*[:.#][^{}]*\})[ \t]*$/.exec(line) ?? [];
  return braces !== '' && listIn(braces) !== undefined ? before.trimEnd() : undefined;
}

/** Removes the lists behind links, images, code and emphasis. */
function withoutInlineLists(line: string): string {
  const spans = new CodeSpans(line);
  const firstLink = line.indexOf('](');
  let spanEnd = 0;
  let at = 0;
  let rest = '';
  for (const { 0: match, index } of line.matchAll(/`+|\{[^{}]*\}/g)) {
    if (index < spanEnd) continue;
    if (match.startsWith('`')) {
      spanEnd = spans.endOf(index, match.length) ?? spanEnd;
      continue;
    }
    const before = line.charAt(index - 1);
    const isBehindLink = before === ')' && firstLink >= 0 && firstLink < index;
    const isBehindCode = spanEnd > 0 && index === spanEnd;
    if (!isBehindLink && !isBehindCode && !/[\]*_]/.test(before)) continue;
    if (listIn(match) === undefined) continue;
    rest += line.slice(at, index);
    at = index + match.length;
  }
  return rest + line.slice(at);
}
