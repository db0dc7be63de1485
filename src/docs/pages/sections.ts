/** Sections of a page: the blocks from one heading to the next. */
import type { Token } from 'markdown-it';
import { type ExampleLanguage, codeLanguageOf } from './codeLanguages';
import { longestRun } from '../../shared/codeSpan';
import { headingIds, headingText, inlineText } from './headings';
import { escapeMarkdown } from './markup/markdownWriter';
import { htmlText, dropHtml } from './visibleHtml';

type BlockKind = 'prose' | 'list' | 'code' | 'table' | 'quote';

/** A top-level block of a section. */
export interface SectionBlock {
  readonly kind: BlockKind;
  /** Markdown of the block as on the page, with the page's own links. */
  readonly markdown: string;
  /** Text without Markdown, for the search. */
  readonly text: string;
  readonly codeLanguage?: ExampleLanguage;
}

/** The blocks from one heading to the next. */
export interface Section {
  /** Heading of the section, or the page's title for blocks before the first heading. */
  readonly heading: string;
  /** Headings above this one, outermost first, without the page's title. */
  readonly ancestors: readonly string[];
  /** Fragment of the heading, by GitHub's rule. Empty for the top of the page if it has no heading. */
  readonly slug: string;
  readonly blocks: readonly SectionBlock[];
  /** Languages of the code in the blocks, if they are known without reading the blocks. */
  readonly codeLanguages?: readonly ExampleLanguage[];
  /** Position of what the section describes, if it isn't written in the page's own file. */
  readonly place?: SectionPlace;
}

/** First block of the section of a type that a package has in its API but doesn't export. */
export const NOT_EXPORTED = 'Not exported.';

export interface SectionPlace {
  /** Path in the package. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
  /** Package that has the file, if it isn't the package of the page. */
  readonly package?: string;
  /** Packages of which each imports the next and the last imports `package`, if the package of the page doesn't. */
  readonly through?: readonly string[];
}

interface OpenSection {
  heading: string;
  ancestors: string[];
  slug: string;
  blocks: SectionBlock[];
}

/** The heading of a release in a changelog: `2.1.0 (2026-01-31)`. */
const release = /^v?\d+\.\d+\b.*\d{4}-\d\d-\d\d/;

export function sectionsOf(
  tokens: readonly Token[],
  lines: readonly string[],
  title: string,
): Section[] {
  const ids = headingIds(tokens);
  const sections: OpenSection[] = [{ heading: title, ancestors: [], slug: '', blocks: [] }];
  /** Headings above the current one, with their levels. */
  let trail: { level: number; heading: string }[] = [];
  let current = sections[0];
  let tops = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (!token || !current) break;
    if (token.level !== 0 || token.nesting === -1) continue;
    if (token.type === 'heading_open') {
      const heading = headingText(tokens[index + 1] ?? token);
      const level = Number(token.tag.slice(1));
      const slug = ids.get(index) ?? '';
      if (level === 1) tops++;
      if (level === 1 && sections.length === 1 && current.blocks.length === 0) {
        // This heading is the page's own title. The blocks below it still belong to the top of the page.
        current.slug = slug;
        if (heading.text !== title && heading.text !== '')
          current.blocks.push(boldBlock(heading.text));
        continue;
      }
      // A tab's label right before a heading belongs to the section after it.
      const label = isLabel(current.blocks.at(-1)) ? current.blocks.pop() : undefined;
      const isRelease = release.test(heading.text);
      trail = trail.filter((entry) => {
        // Tools write `## 2.1.0` and `### 2.0.1`, which isn't a part of it, and then `### Bug Fixes`, which is.
        if (release.test(entry.heading))
          return !isRelease && (entry.level < level || (entry.level === 3 && level === 3));
        return entry.level < level;
      });
      current = {
        heading: heading.text,
        ancestors: trail.map((entry) => entry.heading),
        slug,
        blocks: label === undefined ? [] : [label],
      };
      // The first heading of the highest level is the page's title, also below other blocks.
      if (level > 1 || tops > 1) trail.push({ level, heading: heading.text });
      sections.push(current);
      continue;
    }
    const block = blockOf(tokens, index, lines);
    const caption = token.type === 'fence' ? codeTitle(token.info) : '';
    if (block && isContents(block)) {
      if (isLabel(current.blocks.at(-1))) current.blocks.pop();
      continue;
    }
    if (block && caption !== '') current.blocks.push(boldBlock(caption));
    if (block) current.blocks.push(block);
  }
  return sections.filter((section) => section.blocks.length > 0);
}

/** Returns whether a list links to headings of its own page, whose words it repeats, in four of five lines or more. */
function isContents({ kind, markdown }: SectionBlock): boolean {
  if (kind !== 'list') return false;
  const lines = markdown.split('\n').filter((line) => line.trim() !== '');
  const links = lines.filter((line) =>
    /^\s*(?:[-*+]|\d+[.)])\s+\[.*\]\(#[^()\s]*\)\s*$/.test(line),
  );
  return lines.length > 1 && links.length * 5 >= lines.length * 4;
}

/** Returns a line in bold: the title of code, or a heading that begins no section. */
export function boldBlock(text: string): SectionBlock {
  return { kind: 'prose', markdown: `**${escapeMarkdown(text.replace(/[*`]/g, ''))}**`, text };
}

/** An image in Markdown, inline or by reference. */
const image = /!\[[^\]]{0,300}\](?:\([^()]{0,2000}\)|\[[^\]]{0,200}\])?/g;
/** A link in Markdown, inline or by reference, around a text without brackets. */
const link = /\[([^[\]]{0,300})\](?:\([^()]{0,2000}\)|\[[^\]]{0,200}\])/g;
/** The text of an image that is a logo. */
const logo = /!\[[^\]]{0,300}\b(?:logo|banner)\b[^\]]{0,300}\]/i;
/** Matches the words before links to a page in other languages, and the text of such a link. */
const languagesLabel = /^[^[\]:\n]{0,80}\b(?:languages?|sprachen?|langues?|idiomas?)\s*:\s*(?=\[)/i;
const languageCode = /^\s*[a-z]{2}(?:[-_][a-z]{2,4})?\s*$/i;
/** Longest row of badges. */
const MAX_BADGES = 10_000;

/**
 * Returns whether a paragraph is a row of badges, as at the top of a readme: linked images, a logo, several links, or links
 * to the page in other languages, with nothing else between them than signs. Nobody can read an answer in it.
 */
export function isBadgeRow({ kind, markdown }: SectionBlock): boolean {
  if (kind !== 'prose' || markdown.length > MAX_BADGES) return false;
  const row = markdown.replace(languagesLabel, '');
  if (!/^\s*[[!]/.test(row)) return false;
  let links = 0;
  let linkedImages = 0;
  let areCodes = row !== markdown;
  const rest = row.replace(image, '\uFFFC').replace(link, (_link, text: string) => {
    links++;
    areCodes &&= languageCode.test(text);
    if (/^[\s\uFFFC]*$/.test(text) && text.includes('\uFFFC')) linkedImages++;
    return '';
  });
  const isRow =
    row === markdown
      ? linkedImages > 0 || logo.test(markdown) || (links > 1 && /[|·•]/.test(rest))
      : areCodes;
  return isRow && /^[\s\uFFFC|·•–—,/\\-]*$/.test(rest);
}

/** Returns whether a paragraph or a list has links and nothing else, as below “See also”. */
export function isOnlyLinks({ kind, markdown }: SectionBlock): boolean {
  if (kind !== 'prose' && kind !== 'list') return false;
  const rest = markdown.replace(link, '');
  return rest !== markdown && /^[\s\d*+.,;|·•–—-]*$/.test(rest);
}

/** Returns whether a block is only a few words in bold, such as the title of a tab. */
export function isLabel(block: SectionBlock | undefined): boolean {
  return block?.kind === 'prose' && /^\*\*[^*\n]{1,60}\*\*$/.test(block.markdown);
}

const kindOfToken: Partial<Record<string, BlockKind>> = {
  paragraph_open: 'prose',
  html_block: 'prose',
  bullet_list_open: 'list',
  ordered_list_open: 'list',
  fence: 'code',
  code_block: 'code',
  table_open: 'table',
  blockquote_open: 'quote',
};

function blockOf(
  tokens: readonly Token[],
  start: number,
  lines: readonly string[],
): SectionBlock | undefined {
  const token = tokens[start];
  const kind = token && kindOfToken[token.type];
  if (!kind || !token.map) return undefined;
  if (kind === 'code') {
    const name = /^[^\s{,:]+/.exec(token.info.trim())?.[0] ?? '';
    const codeLanguage = codeLanguageOf(name);
    const fence = '`'.repeat(Math.max(3, longestRun(token.content) + 1));
    return {
      kind,
      // The fence is written again because the source of the code can be indented below a component.
      markdown: `${fence}${name}\n${token.content.replace(/\n?$/, '\n')}${fence}`,
      text: token.content,
      codeLanguage,
    };
  }
  const source = lines.slice(token.map[0], token.map[1]).join('\n').trim();
  if (token.type === 'html_block') {
    const plain = htmlText(source);
    return plain === '' ? undefined : { kind, markdown: plain, text: plain };
  }
  const content = dropHtml(kind === 'table' ? itemsSideBySide(source) : source);
  return content === '' ? undefined : { kind, markdown: content, text: nestedText(tokens, start) };
}

/** Returns a table whose cells have the items of their lists with signs between them, because a cell has one line. */
function itemsSideBySide(table: string): string {
  return table.replace(/(\| )- (?=[^|\n]*<br>- )|<br>- /g, (_, start?: string) => start ?? ' · ');
}

/** Matches lines and words to mark: `{2,5}`, `[2]`, `{errors: {a: [4]}}` and `[[1, 8, "name"]]`, also if they are cut. */
const lineMarks =
  /\[[\d, -]+\]|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\[\[[^[\]]*(?:\][^[\]]*\[[^[\]]*)*\]\]|(?:\{|\[\[).*$/g;

/** Maximum number of characters of a fence's first line that are searched for a title. */
const MAX_INFO = 300;

/**
 * Returns the title that a code fence has after its language, or an empty string. It can have the forms
 * `ts title="client.ts"`, `sh [npm]` and `ts client.ts`.
 */
export function codeTitle(info: string): string {
  const whole = info.slice(0, MAX_INFO);
  const named = /\b(?:title|filename|label|tab)=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(whole);
  const short = whole.replace(lineMarks, '');
  const found = named ?? /^[^[]*\[([^\]]+)\]/.exec(short);
  const title = found?.slice(1).find(Boolean);
  if (title !== undefined) return title.trim();
  // The title is the words after the language, except settings such as `showLineNumbers` and `icon="x"`.
  const rest = short
    .trim()
    .replace(/^\S+/, '')
    .replace(/\S+=(?:"[^"]*"|'[^']*'|\S*)|snippet:\S+/g, '');
  const words = rest.split(/\s+/).filter((word) => word !== '' && !codeSettings.has(word));
  return words.join(' ');
}

const codeSettings = new Set(
  'copy expandable focus import.meta.vitest lines noLineNumbers nocopy nonumber npm2yarn numbers prettier-ignore showLineNumbers wrap wrapCode ts:line-numbers line-numbers twoslash live'.split(
    ' ',
  ),
);

/** Returns the text inside a container, with each inline content on its own line. */
function nestedText(tokens: readonly Token[], start: number): string {
  const texts: string[] = [];
  for (let index = start + 1; index < tokens.length; index++) {
    const token = tokens[index];
    if (!token || token.level === 0) break;
    if (token.type === 'inline') texts.push(inlineText(token));
    else if (token.type === 'fence' || token.type === 'code_block') texts.push(token.content);
  }
  return texts.join('\n');
}
