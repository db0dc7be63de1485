import type { Token } from 'markdown-it';
import { parse as parseYaml, parseDocument } from 'yaml';
import { withoutByteOrderMark } from '../../shared/characters';
import { firstHeading } from './headings';
import { readHtmlPage, type HtmlPage } from './html/htmlPage';
import type { IncludedFiles } from './markup/lines';
import { withOwnValues } from './markup/ownValues';
import { type MarkupProblem, type PlainMarkdown, readPage } from './markup/pageReader';
import { isHtmlPath, titleFromPath, versionOfPath, languageFolder } from './pagePath';

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

/** The parser keeps a record of each line, and no page means anything by more lines without a word in a row. */
const MAX_BARE_LINES = 1000;

/** Returns a text with at most 1,000 empty lines and rules (`---`) in a row. */
function withoutBareLines(text: string): string {
  const lines = text.split('\n');
  if (lines.length <= MAX_BARE_LINES) return text;
  let run = 0;
  return lines
    .filter((line) => {
      run = /^[-*_ \t]*$/.test(line) ? run + 1 : 0;
      return run <= MAX_BARE_LINES;
    })
    .join('\n');
}

/**
 * Returns a page's Markdown and front matter. Converts the main content of an HTML page to Markdown.
 * @param files included files that have been read.
 */
export function pageMarkdown(path: string, source: string, files?: IncludedFiles): PageMarkdown {
  if (isHtmlPath(path)) return htmlMarkdown(readHtmlPage(path, source));
  const { attributes, body, line, isTooLong } = splitFrontMatter(source);
  const title = text(attributes['title']);
  const plain = plainMarkdown(path, withOwnValues(body, attributes), files);
  return {
    text: withoutBareLines(plain.text),
    isChanged: plain.text !== body,
    problems: [
      ...(isTooLong ? [{ line: 1, reason: 'the front matter is too long' }] : []),
      ...plain.problems.map((problem) => ({ ...problem, line: problem.line + line })),
    ],
    attributes,
    title,
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
    attributes: { description, language },
    canonicalUrl,
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

/** Facts about a page from its front matter, headings and path. */
export interface PageHead {
  readonly title: string;
  readonly description: string;
  readonly version?: string;
  readonly language?: string;
  readonly groups: readonly string[];
}

/** Returns the title and other facts about a page, from its front matter, headings and path. */
export function pageHead(
  path: string,
  attributes: PageMarkdown['attributes'],
  tokens: readonly Token[],
): PageHead {
  const title = text(attributes['title']) ?? firstHeading(tokens) ?? titleFromPath(path);
  const version = text(attributes['version']) ?? versionOfPath(path);
  const language = text(attributes['language']) ?? text(attributes['lang']) ?? languageFolder(path);
  return {
    title,
    description: text(attributes['description']) ?? '',
    version,
    language,
    groups: list(attributes['groups'] ?? attributes['group']),
  };
}

/** Maximum number of characters of front matter. The parser compares each key with all others. */
const MAX_FRONT_MATTER = 20_000;

function splitFrontMatter(source: string): {
  attributes: Record<string, unknown>;
  body: string;
  /** Number of lines before the body. */
  line: number;
  /** Whether the front matter was left out because it is too long. */
  isTooLong: boolean;
} {
  const normalised = withoutByteOrderMark(source).replace(/\r\n?/g, '\n');
  const match =
    /^(---|\+\+\+|;;;)(?:json)?[ \t]*\n([\s\S]*?)\n?\1[ \t]*(?:\n|$)/.exec(normalised) ??
    jsonFrontMatter(normalised);
  if (!match) return { attributes: {}, body: normalised, line: 0, isTooLong: false };
  const body = normalised.slice(match[0].length);
  const line = match[0].split('\n').length - 1;
  const written = match[2];
  const isTooLong = written.length > MAX_FRONT_MATTER;
  try {
    // YAML has JSON in it.
    const read = match[1] === '+++' ? parseToml : parseYaml;
    const attributes: unknown = read(isTooLong ? '' : written);
    const isMap =
      typeof attributes === 'object' && attributes !== null && !Array.isArray(attributes);
    return { attributes: isMap ? { ...attributes } : {}, body, line, isTooLong };
  } catch {
    return { attributes: {}, body, line, isTooLong };
  }
}

/** Returns the front matter of a page of Hugo that begins with JSON, as a match of its mark and its text. */
function jsonFrontMatter(
  source: string,
): readonly [whole: string, mark: string, written: string] | undefined {
  const [whole, written = ''] = /^(\{[ \t]*\n[^]*?\n\})[ \t]*(?:\n|$)/.exec(source) ?? [];
  if (whole === undefined) return undefined;
  try {
    JSON.parse(written);
  } catch {
    return undefined;
  }
  return [whole, '{', written];
}

/** Returns the values of TOML that stand on one line above its first table. YAML has the same scalars and lists. */
function parseToml(written: string): Record<string, unknown> {
  const [values = ''] = written.split(/^[ \t]*\[/m);
  const pairs = values.matchAll(/^[ \t]*([\w-]+)[ \t]*=[ \t]*(\S.*)$/gm);
  return Object.fromEntries(
    [...pairs].map(([, key = '', value = '']) => {
      const { errors, contents } = parseDocument(value);
      return [key, errors.length > 0 ? undefined : contents?.toJSON()];
    }),
  );
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
