import { withChangedText } from './codeSpans';
import { codeLines } from './lines';
import { linkTarget } from './markdownWriter';

/** Matches a link of a wiki, such as `[[Page#Part|Text]]`, and an embedded page or image, such as `![[owl.png|300]]`. */
const wikiLink =
  /(?<![\w[\]])(!?)\[\[(?![ \t])([^[\]|\n"'={}]{1,200}?)(?:\\?\|([^[\]\n]{0,200}))?\]\](?![([:])/g;
/** Matches a comment of Obsidian, but no placeholder such as `%%API_URL%%`. */
const comment = /(?<![%\w])%%(?![A-Z\d_.-]+%%)(?:[^%\n]|%(?!%)){1,500}%%(?![%\w])/g;
const highlight = /(?<![=\w!<>])==(?![=\s])([^=\n]{1,300})(?<!\s)==(?![=\w])/g;
/** Matches the name of a paragraph at its end, such as `^8f3a21`. */
const blockName = /(?:(?<=\S)[ \t]+|^)\^(?=[\d-]*[a-z])[A-Za-z\d-]{3,40}$/;
const imagePath = /\.(?:avif|bmp|gif|jpe?g|png|svg|webp)$/i;

/**
 * Writes the markup of Obsidian and of the wikis of GitHub and Azure DevOps as Markdown: links such as `[[Page|Text]]`,
 * highlights, and diagrams. Removes comments and names of paragraphs. A link has no
 * target, because only the wiki knows in which folder the page is.
 */
export function wikiMarkupAsMarkdown(source: string): string {
  if (!/\[\[|%%|==\S|(?:^|[ \t])\^[\w-]+$|^:::[ \t]*mermaid/m.test(source)) return source;
  const labels = new Set(
    [...source.matchAll(/^ {0,3}\[([^[\]\n]{1,200})\]:/gm)].map(([, label]) => label),
  );
  const plain = (text: string): string =>
    text
      .replace(comment, '')
      .replace(highlight, '$1')
      .replace(wikiLink, (link, sign: string, page: string, alias?: string) =>
        labels.has(page) ? link : (linkText(page, alias, sign !== '') ?? link),
      );
  const isCode = codeLines();
  let isDiagram = false;
  const lines = source.split('\n').map((line) => {
    if (isCode(line)) return line;
    if (/^:::[ \t]*mermaid[ \t]*$/.test(line) || (isDiagram && /^:::[ \t]*$/.test(line))) {
      isDiagram = !isDiagram;
      return isDiagram ? '```mermaid' : '```';
    }
    if (isDiagram) return line;
    return withChangedText(line, plain).replace(blockName, '');
  });
  return withoutComments(lines).join('\n');
}

/**
 * Returns what a link shows, or undefined if it may be something else, such as `[[bin]]` of a file of settings, or
 * `[[Prototype]]` of JavaScript.
 */
function linkText(
  page: string,
  alias: string | undefined,
  isEmbedded: boolean,
): string | undefined {
  if (imagePath.test(page)) {
    const named = alias === undefined ? undefined : /(?:^|\|)alt=([^|]*)/.exec(alias)?.[1];
    const text = named ?? (alias !== undefined && /^[\dx|]*$|=/.test(alias) ? '' : alias);
    return `![${text ?? ''}](${linkTarget(page)})`;
  }
  if (alias !== undefined && alias.trim() !== '') return alias.trim();
  const isName =
    isEmbedded || /^#|\p{Lu}[^ ]*-|\p{L}[ \t]+\p{L}|\p{L}[/#]|[^\P{L}\p{Script=Latin}]/u.test(page);
  if (!isName) return undefined;
  return page
    .replace(/#\^.*$/, '')
    .split('#')
    .filter((part) => part !== '')
    .join(' > ');
}

/** Removes the lines between two lines `%%`. */
function withoutComments(lines: readonly string[]): readonly string[] {
  const isMark = (line: string): boolean => /^%%[ \t]*$/.test(line);
  const last = lines.findLastIndex(isMark);
  const isCode = codeLines();
  let isOpen = false;
  return lines.filter((line, index) => {
    if (isCode(line) && !isOpen) return true;
    if (!isMark(line)) return !isOpen;
    if (!isOpen && index === last) return true;
    isOpen = !isOpen;
    return false;
  });
}
