import { parse as parseYaml } from 'yaml';
import { withoutByteOrderMark } from '../../../shared/characters';
import { parseUrl } from '../../../shared/links';

/** A page of a file that has all pages of a site. */
export interface LlmsPage {
  readonly title: string;
  /** Absolute URL of the page, if the file names it. */
  readonly url?: string;
  readonly markdown: string;
}

/** Number of lines to read before other requests can run. */
const LINES_PER_TURN = 20_000;
/** Maximum number of lines of front matter. Longer text between two rules is part of a page. */
const MAX_FRONT_MATTER = 60;
/** Maximum number of characters of front matter. */
const MAX_FRONT_MATTER_LENGTH = 20_000;
/** Maximum number of unclosed code blocks after which the search for headings starts again. */
const MAX_UNCLOSED = 20;
/** Minimum number of characters before the first page for this text to count as a page. */
const MIN_PREFACE = 400;

/** Start of a page in the file. */
interface PageStart {
  readonly at: number;
  readonly title?: string;
  readonly url?: string;
  /** Start of the page's text, after its title, URL or front matter. */
  readonly textAt: number;
}

/** Forms in which tools join pages. */
type Form = 'wrapped' | 'front-matter' | 'titled' | 'linked' | 'heading';

/**
 * Splits an `llms-full.txt` into its pages. Tools join pages in different forms, and no standard exists. The
 * file has the form whose first page comes first:
 *
 * - `# Title` with `Source:`, `URL:` or `> https://…` below it (Mintlify and others),
 * - front matter with a title or URL before each page (Fern, VitePress, Vercel),
 * - `<page>` or `<doc title="…">` around each page (Cloudflare), or a mark before each (Firecrawl),
 * - `URL:` or `Source:` lines alone,
 * - headings of level 1, or of level 2 below a single one (GitBook, Starlight, Docusaurus).
 *
 * @param base URL of the file, against which relative URLs are resolved.
 * @param breathe called repeatedly, so that other requests can run in between.
 */
export async function* splitLlmsFull(
  text: string,
  base: string,
  breathe: () => Promise<void>,
): AsyncGenerator<LlmsPage> {
  const plain = withoutByteOrderMark(text)
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*<SYSTEM>[^<]*<\/SYSTEM>[ \t]*\n/, '');
  const { starts, form } = await findStarts(plain, base, breathe);
  const first = starts[0];
  if (!first) {
    if (plain.trim() !== '') yield { title: '', markdown: plain.trim() };
    return;
  }
  const preface = plain.slice(0, first.at).trim();
  if (preface.length >= MIN_PREFACE) yield { title: '', markdown: ownCopy(preface) };
  for (const [position, start] of starts.entries()) {
    if (position % 100 === 99) await breathe();
    const end = starts[position + 1]?.at ?? plain.length;
    const page = pageOf(plain.slice(start.textAt, end), start, base, form);
    if (page) yield page;
  }
}

/** Returns a copy of a text. A slice would keep the whole file in memory. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

function pageOf(written: string, start: PageStart, base: string, form: Form): LlmsPage | undefined {
  let markdown = written;
  let { title, url } = start;
  if (form === 'wrapped') {
    markdown = markdown.replace(/\n?<\/(?:page|document|doc|documentation|source)>\s*$/i, '');
    const front = frontMatterAt(markdown.trimStart(), 0);
    if (front) {
      const facts = factsOf(front.lines, base);
      title = facts.title ?? title;
      url = facts.url ?? url;
      markdown = markdown.trimStart().slice(front.end);
    } else {
      const sourced = titledAt(markdown, markdown.search(/\S/), base);
      if (sourced) ({ title, url } = { title: sourced.title, url: sourced.url });
    }
  }
  // A rule that separates two pages belongs to neither of them.
  const body = markdown
    .trimEnd()
    .replace(/\n(?:[-*_]{3,}|={3,})$/, '')
    .trim();
  if (body === '') return undefined;
  const hasTitle = /^#[ \t]/.test(body);
  const whole = hasTitle || title === undefined || title === '' ? body : `# ${title}\n\n${body}`;
  const own = /^#[ \t]+(.+)$/m.exec(whole.slice(0, 1000))?.[1];
  return {
    title: title ?? own?.replace(/[`*]/g, '').trim() ?? '',
    url,
    markdown: ownCopy(whole),
  };
}

async function findStarts(
  text: string,
  base: string,
  breathe: () => Promise<void>,
): Promise<{ readonly starts: readonly PageStart[]; readonly form: Form }> {
  const found: Record<Form, PageStart[]> = {
    wrapped: [],
    'front-matter': [],
    titled: [],
    linked: [],
    heading: [],
  };
  let count = 0;
  let skipTo = 0;
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    if (++count % LINES_PER_TURN === 0) await breathe();
    const mark = text.charCodeAt(at);
    if (!isMark(mark)) continue;
    const line = lineAt(text, at);
    const wrapper = wrapperIn(line);
    if (wrapper !== undefined) found.wrapped.push({ ...wrapper, at, textAt: nextLine(text, at) });
    else if (/^#{1,2}[ \t]/.test(line)) {
      const titled = titledAt(text, at, base);
      if (titled) found.titled.push(titled);
    } else if (at >= skipTo && /^(?:-{3,}|\*{3}|_{3})[ \t]*$/.test(line)) {
      const front = frontMatterAt(text, at);
      const facts = front && factsOf(front.lines, base);
      if (front && facts && (facts.title !== undefined || facts.url !== undefined)) {
        found['front-matter'].push({ ...facts, at, textAt: front.end });
        skipTo = front.end;
      }
    } else {
      const url = sourceIn(line, base);
      // A URL line below a title has already been read with the title.
      const title = found.titled.at(-1);
      if (url !== undefined && (!title || at >= title.textAt))
        found.linked.push({ at, url, textAt: nextLine(text, at) });
    }
  }
  const several = (['titled', 'front-matter', 'wrapped', 'linked'] as const)
    .filter((form) => found[form].length >= 2)
    .sort((one, other) => (found[one][0]?.at ?? 0) - (found[other][0]?.at ?? 0));
  const [form] = several;
  if (form !== undefined) return { starts: found[form], form };
  for (const only of ['titled', 'front-matter', 'wrapped'] as const) {
    if (found[only].length === 1 && (found[only][0]?.at ?? 0) < 200)
      return { starts: found[only], form: only };
  }
  return { starts: await headingStarts(text, breathe), form: 'heading' };
}

/** Returns whether a line that begins with this character can begin a page: `#`, `-`, `*`, `_`, `<`, `>`, letters. */
function isMark(code: number): boolean {
  return (
    code === 35 ||
    code === 45 ||
    code === 42 ||
    code === 60 ||
    code === 62 ||
    code === 95 ||
    // These are the first letters of the names in `sourceLine`, such as "Source" and "URL".
    'SULPOCsulpoc'.includes(String.fromCharCode(code))
  );
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, Math.min(end < 0 ? text.length : end, at + 2000));
}

function wrapperIn(line: string): { title?: string; url?: string } | undefined {
  if (/^<\|firecrawl-page-\d+-lllmstxt\|>/.test(line)) return {};
  const attributes = /^<(?:page|document|doc)\b([^<>]*)>[ \t]*$/i.exec(line)?.[1];
  if (attributes === undefined) return undefined;
  const value = (name: string): string | undefined =>
    new RegExp(`\\b(?:${name})\\s*=\\s*"([^"]*)"`, 'i').exec(attributes)?.[1];
  const title = value('title');
  const url = value('url|href|source');
  return {
    title,
    url: url === undefined || !parseUrl(url) ? undefined : url,
  };
}

const sourceLine =
  /^(?:>[ \t]*)?(?:\*\*)?(?:source(?:[ _]url)?|url|link|page(?:[ _]url)?|original(?:[ _]url)?|canonical(?:[ _]url)?|permalink)(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(?:\[[^\]]*\]\()?<?((?:https?:\/\/|\/)[^\s<>)]+)[>)]*[ \t]*$/i;
const plainLink = /^>[ \t]*<?(https?:\/\/[^\s<>]+)>?[ \t]*$/;

function sourceIn(line: string, base: string): string | undefined {
  const written = sourceLine.exec(line)?.[1];
  return written === undefined ? undefined : absolute(written, base);
}

/** Returns the level and the title of a heading of level 1 or 2. */
function headingIn(line: string): { readonly level: number; readonly title: string } | undefined {
  const [, marks = '', written = ''] = /^(#{1,2})[ \t]+(\S.*)$/.exec(line) ?? [];
  if (written === '') return undefined;
  let end = written.length;
  while (end > 1 && written[end - 1] === '#') end--;
  return { level: marks.length, title: written.slice(0, end).replace(/[`*]/g, '').trim() };
}

/** Returns the start of a page that begins with a heading and the page's URL below it. */
function titledAt(text: string, at: number, base: string): PageStart | undefined {
  if (at < 0) return undefined;
  const heading = headingIn(lineAt(text, at));
  if (!heading) return undefined;
  let below = nextLine(text, at);
  for (let looked = 0; looked < 3 && below < text.length; below = nextLine(text, below)) {
    const line = lineAt(text, below);
    if (line.trim() === '') continue;
    looked++;
    const written = sourceIn(line, base) ?? plainLink.exec(line)?.[1];
    const url = written === undefined ? undefined : absolute(written, base);
    if (url !== undefined) {
      return { at, title: heading.title, url, textAt: nextLine(text, below) };
    }
    // A description, written as a quote, can be between the heading and the URL.
    if (!line.startsWith('>')) return undefined;
  }
  return undefined;
}

/** Returns the lines between two rules, if they look like front matter. */
function frontMatterAt(
  text: string,
  at: number,
): { readonly lines: string; readonly end: number } | undefined {
  if (!/^(?:-{3,}|\*{3}|_{3})[ \t]*$/.test(lineAt(text, at))) return undefined;
  let start = nextLine(text, at);
  while (start < text.length && lineAt(text, start).trim() === '') start = nextLine(text, start);
  if (!/^[A-Za-z][\w-]*[ \t]*:/.test(lineAt(text, start))) return undefined;
  let line = start;
  for (let count = 0; count < MAX_FRONT_MATTER && line < text.length; count++) {
    if (/^-{3,}[ \t]*$/.test(lineAt(text, line)))
      return { lines: text.slice(start, line), end: nextLine(text, line) };
    if (line - start > MAX_FRONT_MATTER_LENGTH) return undefined;
    line = nextLine(text, line);
  }
  return undefined;
}

/** Returns the title and URL that front matter names. */
function factsOf(lines: string, base: string): { title?: string; url?: string } {
  let values: unknown;
  try {
    values = parseYaml(lines);
  } catch {
    // Some tools don't quote their values, so the YAML is invalid. Each line still has one value.
    values = Object.fromEntries(
      [...lines.matchAll(/^([A-Za-z][\w-]*)[ \t]*:[ \t]*(.*)$/gm)].map((match) => [
        match[1],
        match[2],
      ]),
    );
  }
  if (typeof values !== 'object' || values === null) return {};
  const textOf = (...names: readonly string[]): string | undefined => {
    const entries: readonly (readonly [string, unknown])[] = Object.entries(values);
    for (const [name, value] of entries) {
      if (!names.includes(name.toLowerCase())) continue;
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
      // Cloudflare gives a URL for each form of the page, such as HTML and Markdown.
      const forms: object = typeof value === 'object' && value !== null ? value : {};
      const html: unknown = 'html' in forms ? forms.html : undefined;
      if (typeof html === 'string') return html;
    }
    return undefined;
  };
  const title = textOf('title', 'sidebartitle', 'name');
  const link = textOf(
    'url',
    'source',
    'source_url',
    'canonical',
    'canonical_url',
    'permalink',
    'link',
  );
  const slug = textOf('slug');
  const url = link ?? (slug === undefined ? undefined : `/${slug.replace(/^\/+/, '')}`);
  const known = url === undefined ? undefined : absolute(url, base);
  return {
    title,
    url: known,
  };
}

function absolute(url: string, base: string): string | undefined {
  const found = parseUrl(url, base);
  return found && /^https?:$/.test(found.protocol) ? found.href : undefined;
}

/** Returns the headings that begin pages: those of level 1, or of level 2 if there is only one. */
async function headingStarts(text: string, breathe: () => Promise<void>): Promise<PageStart[]> {
  const headings: { readonly at: number; readonly level: number; readonly title: string }[] = [];
  let fence: { readonly mark: string; readonly length: number; readonly at: number } | undefined;
  let count = 0;
  let unclosed = 0;
  for (let at = 0; at <= text.length; at = nextLine(text, at)) {
    if (at >= text.length) {
      if (!fence || unclosed++ >= MAX_UNCLOSED) break;
      // An unclosed code block on one page must not hide all pages after it.
      at = fence.at;
      fence = undefined;
      continue;
    }
    if (++count % LINES_PER_TURN === 0) await breathe();
    const code = text.charCodeAt(at);
    // Only `#`, a space, a backtick and a tilde can begin a heading or a fence.
    if (code !== 35 && code !== 32 && code !== 96 && code !== 126) continue;
    const line = lineAt(text, at);
    const marks = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    const mark = marks?.[1];
    if (fence) {
      const isEnd =
        mark !== undefined &&
        mark.startsWith(fence.mark) &&
        mark.length >= fence.length &&
        marks?.[2]?.trim() === '';
      if (isEnd) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = { mark: mark.charAt(0), length: mark.length, at };
      continue;
    }
    const heading = headingIn(line);
    if (heading) headings.push({ at, ...heading });
  }
  const tops = headings.filter(({ level }) => level === 1);
  const chosen = tops.length >= 2 ? tops : headings.filter(({ level }) => level === 2);
  // A heading of level 2 becomes the title of its page.
  return chosen.map(({ at, level, title }) => ({
    at,
    title,
    textAt: level === 1 ? at : nextLine(text, at),
  }));
}
