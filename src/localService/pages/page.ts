import MarkdownIt, { type Env, type MarkdownIt as MarkdownParser, type Token } from 'markdown-it';
import { parse as parseYaml } from 'yaml';
import { HeadingSlugs, type SlugRule } from '../../common/text/headingSlugs';
import { type ExampleLanguage, codeLanguageOf } from '../../pages/codeLanguages';
import { type HtmlPage, readHtmlPage } from '../../pages/html/htmlPage';
import { withoutByteOrderMark } from '../../shared/characters';
import type { IncludedFiles } from './markup/lines';
import { escapeMarkdown, longestTicks } from '../../pages/markup/markdownWriter';
import { type MarkupProblem, type PlainMarkdown, readPage } from './markup/pageReader';
import type { AskFilter } from '../../shared/askFilter';

/**
 * Returns whether a page passes the filter. A page without a version, language or group does not pass a filter
 * for one.
 */
export function passesFilter(page: DocsPage, filter: AskFilter | null | undefined): boolean {
  if (!filter) return true;
  const { version, language, groups } = filter;
  if (version !== undefined && version !== '' && !isSameVersion(page.version, version))
    return false;
  if (language !== undefined && language !== '' && !isSameLanguageTag(page.language, language))
    return false;
  if (groups === undefined || groups.length === 0) return true;
  const wanted = new Set(groups.map((group) => group.toLowerCase()));
  return page.groups.some((group) => wanted.has(group.toLowerCase()));
}

export function isSameVersion(one: string | undefined, other: string): boolean {
  const plain = (version: string): string =>
    version
      .trim()
      .toLowerCase()
      .replace(/^v(?=\d)/, '');
  return one !== undefined && plain(one) === plain(other);
}

/** Returns whether two languages are the same for a reader, such as `en` and `en-US`. */
export function isSameLanguageTag(one: string | undefined, other: string): boolean {
  const base = (language: string): string => language.trim().toLowerCase().split(/[-_]/)[0] ?? '';
  return one !== undefined && base(one) === base(other);
}

/**
 * Compares versions by their numbers, newest first. Names without numbers (`latest`, `next`) count as the
 * newest.
 */
export function compareVersions(one: string, other: string): number {
  const numbers = (version: string): number[] => (version.match(/\d+/g) ?? []).map(Number);
  const [left, right] = [numbers(one), numbers(other)];
  if (left.length === 0 || right.length === 0) return left.length - right.length;
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const difference = (right[place] ?? 0) - (left[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

export type BlockKind = 'prose' | 'list' | 'code' | 'table' | 'quote';

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
}

export interface DocsPage {
  /** Path below the docs folder, with forward slashes and ending. */
  readonly path: string;
  /** Path in the page's URL, without ending, `index` or `README`. */
  readonly route: string;
  /** Absolute URL at which the page is published, if it is known. */
  readonly canonicalUrl?: string;
  readonly title: string;
  readonly description: string;
  readonly version?: string;
  readonly language?: string;
  readonly groups: readonly string[];
  readonly sections: readonly Section[];
  /** Link reference definitions of the page by normalized label. */
  readonly references: Readonly<Record<string, string>>;
  /**
   * Parts that are not valid MDX and were read as Markdown, or the reason why an HTML page has no sections.
   */
  readonly problems: readonly MarkupProblem[];
}

/** A section and its page. */
export interface FoundSection {
  readonly page: DocsPage;
  readonly section: Section;
}

/** Deepest level of headings that begin sections. Deeper headings stay in the text. */
const DEEPEST_SECTION = 4;

const markdown = new MarkdownIt({ html: true });
/** MDX has no indented code. Indented text is the content of a component. */
const mdxMarkdown = new MarkdownIt({ html: true }).disable('code');

const pageEnding = /\.(?:mdx|md|markdown)$/i;

const htmlEnding = /\.html?$/i;

/** Returns whether a file is a page of an exported site. */
export function isHtmlPath(path: string): boolean {
  return htmlEnding.test(path);
}

/** Returns whether a file is read as a page of Markdown or MDX. */
export function isPagePath(path: string): boolean {
  return pageEnding.test(path);
}

/**
 * Returns the route of a page: `guides` for `guides/index.md`, and `guides/start` for `guides/start.mdx`,
 * `guides/start.html` and `guides/start.html.md`. The route of the root page is empty.
 */
export function routeOf(path: string): string {
  return path
    .replace(pageEnding, '')
    .replace(htmlEnding, '')
    .replace(/(?:^|\/)(?:index|readme)$/i, '');
}

/**
 * Reads a page. Ignores front matter that is not valid. If the front matter has no version or language, takes
 * it from a folder in the path, such as `v2` or `en`.
 */
export function parsePage(path: string, source: string, files?: IncludedFiles): DocsPage {
  const { text: plain, attributes, problems, canonicalUrl } = pageMarkdown(path, source, files);
  const env: Env = {};
  const tokens = parserFor(path).parse(plain, env);
  const head = pageHead(path, attributes, tokens);
  return {
    path,
    route: routeOf(path),
    ...(canonicalUrl === undefined ? {} : { canonicalUrl }),
    ...head,
    sections: sectionsOf(tokens, plain.split('\n'), head.title),
    references: Object.fromEntries(
      Object.entries(env.references ?? {}).map(([label, { href }]) => [label, href]),
    ),
    problems,
  };
}

export interface PageMarkdown {
  /** Text without front matter, MDX and foreign HTML. */
  readonly text: string;
  /** Whether the text differs from the text of the file. */
  readonly isChanged: boolean;
  readonly problems: readonly MarkupProblem[];
  /** Title from the front matter. */
  readonly title?: string;
  /** Values of the front matter, or of the head of an HTML page. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Absolute URL that an HTML page names as its own. */
  readonly canonicalUrl?: string;
}

/**
 * Returns a page's Markdown and front matter. Converts the main content of an HTML page to Markdown.
 * @param files included files that have been read.
 */
export function pageMarkdown(path: string, source: string, files?: IncludedFiles): PageMarkdown {
  if (isHtmlPath(path)) return htmlMarkdown(readHtmlPage(path, source));
  const { attributes, body, line } = splitFrontMatter(source);
  const title = text(attributes['title']);
  const plain = plainMarkdown(path, body, files);
  return {
    text: plain.text,
    isChanged: plain.text !== body,
    problems: plain.problems.map((problem) => ({ ...problem, line: problem.line + line })),
    attributes,
    ...(title === undefined ? {} : { title }),
  };
}

const emptyReasons: Readonly<Record<NonNullable<HtmlPage['emptyBecause']>, string>> = {
  redirect: 'it only leads to another page',
  frames: 'it only has frames, and their pages are read separately',
  'no-text': 'it has no text',
};

function htmlMarkdown({
  markdown,
  description,
  language,
  canonicalUrl,
  emptyBecause,
}: HtmlPage): PageMarkdown {
  return {
    text: markdown,
    isChanged: true,
    problems: emptyBecause === undefined ? [] : [{ line: 1, reason: emptyReasons[emptyBecause] }],
    // The title is the first heading of the Markdown.
    attributes: { description, ...(language === undefined ? {} : { language }) },
    ...(canonicalUrl === undefined ? {} : { canonicalUrl }),
  };
}

function plainMarkdown(path: string, body: string, files?: IncludedFiles): PlainMarkdown {
  try {
    return readPage(path, body, files);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    return { text: body, problems: [{ line: 1, reason }] };
  }
}

/** Returns the title and other facts about a page, from its front matter, headings and path. */
export function pageHead(
  path: string,
  attributes: PageMarkdown['attributes'],
  tokens: readonly Token[],
): Pick<DocsPage, 'title' | 'description' | 'version' | 'language' | 'groups'> {
  const title = text(attributes['title']) ?? firstHeading(tokens) ?? titleFromPath(path);
  const version =
    text(attributes['version']) ?? path.split('/').find((folder) => /^v\d+(\.\d+)*$/.test(folder));
  const language = text(attributes['language']) ?? text(attributes['lang']) ?? languageFolder(path);
  return {
    title,
    description: text(attributes['description']) ?? '',
    ...(version === undefined ? {} : { version }),
    ...(language === undefined ? {} : { language }),
    groups: list(attributes['groups'] ?? attributes['group']),
  };
}

function parserFor(path: string): MarkdownParser {
  return /\.mdx$/i.test(path) ? mdxMarkdown : markdown;
}

function splitFrontMatter(source: string): {
  attributes: Record<string, unknown>;
  body: string;
  /** Number of lines before the body. */
  line: number;
} {
  const normalised = withoutByteOrderMark(source).replace(/\r\n?/g, '\n');
  const match = /^---[ \t]*\n([\s\S]*?)\n?---[ \t]*(?:\n|$)/.exec(normalised);
  if (!match) return { attributes: {}, body: normalised, line: 0 };
  const body = normalised.slice(match[0].length);
  const line = match[0].split('\n').length - 1;
  try {
    const attributes: unknown = parseYaml(match[1] ?? '');
    const isMap =
      typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes);
    return { attributes: isMap ? { ...attributes } : {}, body, line };
  } catch {
    return { attributes: {}, body, line };
  }
}

/** Returns a scalar as text. YAML reads `version: 2` and `version: 1.0` as numbers. */
function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  return value.trim() === '' ? undefined : value.trim();
}

function list(value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value)
    ? value
    : typeof value === 'string'
      ? value.split(',')
      : [];
  return items.map(text).filter((item) => item !== undefined);
}

function languageFolder(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  return folders.find((folder) =>
    /^(?:de|en|es|fr|it|ja|ko|nl|pl|pt|ru|zh)(?:-[A-Za-z]{2})?$/.test(folder),
  );
}

function firstHeading(tokens: readonly Token[]): string | undefined {
  const index = tokens.findIndex((token) => token.type === 'heading_open' && token.tag === 'h1');
  const inline = tokens[index + 1];
  return index < 0 || !inline ? undefined : headingText(inline).text;
}

function titleFromPath(path: string): string {
  const name = routeOf(path).split('/').at(-1) ?? '';
  const spaced = name.replace(/[-_]+/g, ' ').trim();
  return spaced === '' ? path : spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Returns a heading's text without Markdown, and the ID that `{#id}` at its end sets. */
export function headingText(inline: Token): { text: string; id?: string } {
  const full = inlineText(inline).trim();
  const custom = /\s*\{#([^\s{}]+)\}$/.exec(full);
  if (!custom?.[1]) return { text: full };
  return { text: full.slice(0, custom.index), id: custom[1] };
}

/**
 * Returns the fragment of each heading by the index of its opening token. Section headings get their fragments
 * first, so that an equal heading in a quote or list gets the number.
 */
export function headingIds(tokens: readonly Token[], rule?: SlugRule): Map<number, string> {
  const slugs = new HeadingSlugs(rule);
  const ids = new Map<number, string>();
  const indexes = [...tokens.keys()].filter((index) => tokens[index]?.type === 'heading_open');
  const isSection = (index: number): boolean => tokens[index]?.level === 0;
  for (const index of [
    ...indexes.filter(isSection),
    ...indexes.filter((index) => !isSection(index)),
  ]) {
    const inline = tokens[index + 1];
    if (inline) ids.set(index, slugs.next(headingText(inline)));
  }
  return ids;
}

const anchorMark = /^<a id="([^"<>]+)">(?:<\/a>)?\s*$/;

/** Returns the ID of an anchor that the page reader writes as HTML. */
export function anchorOf(html: string): string | undefined {
  const id = anchorMark.exec(html)?.[1];
  return id === undefined ? undefined : decodeId(id);
}

function decodeId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/**
 * Returns the IDs of a page that are not from headings, in order. They are from HTML, or from the titles of
 * tabs, steps and accordions. Returns equal IDs once, because links only lead to the first of them.
 */
export function anchorIds(tokens: readonly Token[]): string[] {
  const ids = new Set<string>();
  for (const { type, content } of tokens) {
    if (type === 'html_block') ids.add(anchorOf(content) ?? '');
    else if (type === 'inline' && content.includes('<a id="')) {
      const text = content.replace(/(`+)[^]*?\1/g, '');
      for (const [, id = ''] of text.matchAll(/<a id="([^"<>]+)">/g)) ids.add(decodeId(id));
    }
  }
  ids.delete('');
  return [...ids];
}

function inlineText(token: Token): string {
  if (!token.children) return token.content;
  return token.children
    .map((child) => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') return ' ';
      if (child.type === 'image') return inlineText(child);
      if (child.type === 'html_inline') return /^<br/i.test(child.content) ? ' ' : '';
      return child.content;
    })
    .join('');
}

interface OpenSection {
  heading: string;
  ancestors: string[];
  slug: string;
  blocks: SectionBlock[];
}

function sectionsOf(tokens: readonly Token[], lines: readonly string[], title: string): Section[] {
  const ids = headingIds(tokens);
  const sections: OpenSection[] = [{ heading: title, ancestors: [], slug: '', blocks: [] }];
  /** Headings above the current one, with their levels. */
  let trail: { level: number; heading: string }[] = [];
  let current = sections[0];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (!token || !current) break;
    if (token.level !== 0 || token.nesting === -1) continue;
    if (token.type === 'heading_open') {
      const heading = headingText(tokens[index + 1] ?? token);
      const level = Number(token.tag.slice(1));
      const slug = ids.get(index) ?? '';
      if (level > DEEPEST_SECTION) {
        current.blocks.push(boldBlock(heading.text));
        continue;
      }
      if (level === 1 && sections.length === 1 && current.blocks.length === 0) {
        // This heading is the page's own title. The blocks below it still belong to the top of the page.
        current.slug = slug;
        if (heading.text !== title && heading.text !== '')
          current.blocks.push(boldBlock(heading.text));
        continue;
      }
      // A tab's label right before a heading belongs to the section after it.
      const label = isLabel(current.blocks.at(-1)) ? current.blocks.pop() : undefined;
      trail = trail.filter((entry) => entry.level < level);
      current = {
        heading: heading.text,
        ancestors: trail.map((entry) => entry.heading),
        slug,
        blocks: label === undefined ? [] : [label],
      };
      if (level > 1) trail.push({ level, heading: heading.text });
      sections.push(current);
      continue;
    }
    const block = blockOf(tokens, index, lines);
    const caption = token.type === 'fence' ? codeTitle(token.info) : '';
    if (block && caption !== '') current.blocks.push(boldBlock(caption));
    if (block) current.blocks.push(block);
  }
  return sections.filter((section) => section.blocks.length > 0);
}

function boldBlock(text: string): SectionBlock {
  return { kind: 'prose', markdown: `**${escapeMarkdown(text.replace(/[*`]/g, ''))}**`, text };
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
    const fence = '`'.repeat(Math.max(3, longestTicks(token.content) + 1));
    return {
      kind,
      // The fence is written again because the source of the code can be indented below a component.
      markdown: `${fence}${name}\n${token.content.replace(/\n?$/, '\n')}${fence}`,
      text: token.content,
      ...(codeLanguage === undefined ? {} : { codeLanguage }),
    };
  }
  const source = lines.slice(token.map[0], token.map[1]).join('\n').trim();
  if (token.type === 'html_block') {
    const plain = htmlText(source);
    return plain === '' ? undefined : { kind, markdown: plain, text: plain };
  }
  const content = dropHtml(source);
  return content === '' ? undefined : { kind, markdown: content, text: nestedText(tokens, start) };
}

/**
 * Returns the title that a code fence has after its language, or an empty string. It can have the forms
 * `ts title="client.ts"`, `sh [npm]` and `ts client.ts`.
 */
export function codeTitle(info: string): string {
  const named = /\b(?:title|filename|label)=(?:"([^"]*)"|'([^']*)'|(\S+))/.exec(info);
  const found = named ?? /^[^[]*\[([^\]]+)\]/.exec(info);
  const title = found?.slice(1).find(Boolean);
  if (title !== undefined) return title.trim();
  // The title is the words after the language, except settings such as `{2,5}`, `showLineNumbers` and
  // `icon="x"`.
  const rest = info
    .trim()
    .replace(/^\S+/, '')
    .replace(/\{[^}]*\}|\S+=(?:"[^"]*"|'[^']*'|\S+)/g, '');
  const words = rest.split(/\s+/).filter((word) => word !== '' && !codeSettings.has(word));
  return words.join(' ');
}

const codeSettings = new Set(
  'copy expandable focus lines noLineNumbers nocopy numbers showLineNumbers wrap ts:line-numbers line-numbers twoslash live'.split(
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

/** Returns the visible text of HTML, without scripts, styles and comments. */
export function htmlText(html: string): string {
  return html
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<\/?[a-z][^>]*>/gi, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/ *\n */g, '\n')
    .trim();
}

function dropHtml(source: string): string {
  return source
    .replace(
      /(`+)[\s\S]*?\1|<br\s*\/?>|<!--[\s\S]*?-->|<\/?[a-z][a-z0-9-]*(?:\s[^<>]*)?\/?>/gi,
      (match, span) => {
        if (span !== undefined) return match;
        return /^<br/i.test(match) ? ' ' : '';
      },
    )
    .trim();
}
