import { codeLines } from './lines';

/**
 * Matches the ID of a heading in the forms of MDX, `{/*usage*\/}` and `\{#usage}`, of Nextra and Fumadocs, `[#usage]`, of
 * Docsify, `:id=usage`, and of Markdoc, `{% #usage .wide %}`. A number such as `[#12]` is a link to an issue.
 */
const idMark =
  /(?:\{\/\*([\w-]+)\*\/\}|\\\{#([\w-]+)\}|[ \t]\[#([A-Za-z][\w-]*)\]|[ \t]:id=([\w-]+)|\{%[ \t]*([#.][^{}%]*|[\w-]+=[^{}%]*)%\})$/;
/** Matches the marks with which Docsify and Fumadocs keep a heading out of their tables of contents. */
const contentsMark = /(?<![ \t])[ \t]+(?:\{docsify-ignore(?:-all)?\}|\[!?toc\])$/;
const anyMark = /\{\/\*|\\\{#|\[#|:id=|\{%|docsify-ignore|\[!?toc\]/;

/** Writes the IDs of headings as `{#id}`, whatever form they have. Removes marks for the table of contents. */
export function withHeadingIds(source: string): string {
  if (!anyMark.test(source)) return source;
  const isCode = codeLines();
  return source
    .split('\n')
    .map((line) => (!isCode(line) && /^#{1,6}[ \t]/.test(line) ? withPlainId(line) : line))
    .join('\n');
}

function withPlainId(heading: string): string {
  const line = heading.trimEnd().replace(contentsMark, '');
  const [mark, ...forms] = idMark.exec(line) ?? [];
  if (mark === undefined) return line;
  const list = forms.pop();
  const id =
    list === undefined ? forms.find(Boolean) : /(?:^|[ \t])(?:#|id=["']?)([\w-]+)/.exec(list)?.[1];
  const text = line.slice(0, -mark.length).trimEnd();
  return id === undefined ? text : `${text} {#${id}}`;
}
