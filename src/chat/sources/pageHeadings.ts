/** The headings of a page's Markdown, as its site would link to them. */
import { withoutByteOrderMark } from '../../shared/characters';
import { withoutIcons } from '../../common/text/headingIcons';
import { HeadingSlugs } from '../../common/text/headingSlugs';
import { inlineMarkdownToText } from '../../common/text/markdownText';
import { percentDecoded } from '../../shared/links';

interface PageHeading {
  /** Line, counted from 0. */
  readonly line: number;
  readonly level: number;
  /** Text without Markdown marks. */
  readonly text: string;
  /** Fragment as GitHub makes it, or as the heading itself gives it (`{#id}`). */
  readonly slug: string;
}

/** Structure of a page. */
export interface PageOutline {
  readonly headings: readonly PageHeading[];
  /** Lines of elements with an `id` or a `name`, by that ID. Fragments can refer to them, too. */
  readonly anchors: ReadonlyMap<string, number>;
  /** Title from the front matter, or else the first heading of level 1. */
  readonly title: string | undefined;
  /** Line at which the body begins, behind the front matter. */
  readonly bodyStart: number;
}

const atxHeading = /^(\s*)(#{1,6})(?:[ \t](.*))?$/;
const fence = /^\s*(`{3,}|~{3,})(.*)$/;
const explicitId = /\s*(?:\{#([^\s{}]+)\}|\{\/\*\s*#([^\s*]+)\s*\*\/\}|\[#([\w-]+)\])\s*$/;
/** Lines that can stand above a line of `---` without being a heading. */
const noParagraph = /^\s*(?:$|[>|#]|[-*+]\s|\d+[.)]\s|<)/;

/** @param isMdx whether indented lines can be inside a component. In Markdown, they are code. */
export function pageOutline(source: string, isMdx = false): PageOutline {
  const lines = withoutByteOrderMark(source).split(/\r\n|\r|\n/);
  const { bodyStart, title } = frontMatter(lines);
  const headings: PageHeading[] = [];
  const anchors = new Map<string, number>();
  const slugs = new HeadingSlugs();
  const add = (line: number, level: number, written: string): void => {
    const id = explicitId.exec(written);
    const text = inlineMarkdownToText(withoutIcons(id ? written.slice(0, id.index) : written));
    const given = id?.[1] ?? id?.[2] ?? id?.[3];
    headings.push({
      line,
      level,
      text,
      slug: slugs.next({ text, id: given }),
    });
  };
  let openFence: string | undefined;
  let isInComment = false;
  for (let index = bodyStart; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const [, marks = '', rest = ''] = fence.exec(line) ?? [];
    if (openFence !== undefined) {
      if (marks.startsWith(openFence) && rest.trim() === '') openFence = undefined;
      continue;
    }
    if (isInComment || line.trimStart().startsWith('<!--')) {
      isInComment = !line.includes('-->');
      continue;
    }
    if (marks !== '' && !(marks.startsWith('`') && rest.includes('`'))) {
      openFence = marks;
      continue;
    }
    for (const [, quoted, bare] of line.matchAll(
      /<[a-z][^<>]*?\s(?:id|name)\s*=\s*(?:["']([^"'<>]+)["']|\{["']([^"'<>]+)["']\})/gi,
    )) {
      const anchor = quoted ?? bare ?? '';
      if (!anchors.has(anchor)) anchors.set(anchor, index);
    }
    const [, indent = '', hashes, text = ''] = atxHeading.exec(line) ?? [];
    if (hashes !== undefined && (isMdx || indent.length <= 3)) {
      add(index, hashes.length, evenlySpaced(text).replace(/(?:^| )#+$/, ''));
      continue;
    }
    const above = lines[index - 1] ?? '';
    const isUnderline = index > bodyStart && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line);
    if (isUnderline && !noParagraph.test(above)) {
      add(index - 1, line.trim().startsWith('=') ? 1 : 2, evenlySpaced(above));
    }
  }
  return {
    headings,
    anchors,
    title: title ?? headings.find(({ level }) => level === 1)?.text,
    bodyStart,
  };
}

/**
 * Returns the line (from 0) of a page's fragment: its heading by GitHub's rules, an element with
 * that ID, or else a heading from which another generator could have made it.
 */
export function lineOfFragment(outline: PageOutline, fragment: string): number | undefined {
  const wanted = percentDecoded(fragment.replace(/^#/, '').replace(/:~:.*$/s, '')).replace(
    /^user-content-/,
    '',
  );
  if (wanted === '') return undefined;
  const exact = outline.headings.find(({ slug }) => slug === wanted);
  if (exact) return exact.line;
  const anchor = outline.anchors.get(wanted);
  if (anchor !== undefined) return anchor;
  return outline.headings.find(({ slug }) => looseSlug(slug) === looseSlug(wanted))?.line;
}

function evenlySpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/**
 * Returns a slug in a form that is equal for generators that treat marks, accents and rows of
 * dashes differently.
 */
function looseSlug(slug: string): string {
  return slug
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function frontMatter(lines: readonly string[]): { bodyStart: number; title: string | undefined } {
  const mark = /^(?:---|\+\+\+)[ \t]*$/.exec(lines[0] ?? '')?.[0].trim();
  if (mark === undefined) return { bodyStart: 0, title: undefined };
  const isEnd = mark === '---' ? /^(?:---|\.\.\.)[ \t]*$/ : /^\+\+\+[ \t]*$/;
  const end = lines.findIndex((line, index) => index > 0 && isEnd.test(line));
  if (end < 0) return { bodyStart: 0, title: undefined };
  const [, written = ''] =
    lines
      .slice(1, end)
      .map((line) => /^title\s*[:=]\s*(.+?)\s*$/.exec(line))
      .find((match) => match) ?? [];
  const title = written.replace(/^(["'])(.*)\1$/s, '$2').trim();
  return { bodyStart: end + 1, title: title === '' ? undefined : title };
}
