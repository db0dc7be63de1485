import path from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import * as v from 'valibot';
import { isElsewhere } from '../../shared/links';
import {
  type ConfigFiles,
  type ConfiguredEntry,
  type ConfiguredRedirect,
  fragmentOf,
  loose,
  looseText,
  pathBelow,
  type SiteGenerator,
  type ToolConfig,
  yamlValue,
} from './configFiles';

/**
 * Reads navigations that are Markdown lists: the `_sidebar.md` of docsify, and the `SUMMARY.md` of GitBook
 * and mdBook.
 */

const gitbookSchema = v.object({
  root: looseText,
  structure: loose(v.object({ summary: looseText }), { summary: '' }),
  redirects: loose(v.record(v.string(), looseText), {}),
});

const docsifyFiles = ['_sidebar.md', '_navbar.md', '_coverpage.md', '_404.md'];

export async function readMarkdownNav(files: ConfigFiles): Promise<ToolConfig | undefined> {
  const sidebar = await files.text('_sidebar.md');
  if (sidebar !== undefined) {
    return tool(files, 'docsify', '_sidebar.md', sidebar, '', docsifyFiles);
  }
  const gitbook = await files.text('.gitbook.yaml');
  const settings =
    gitbook === undefined
      ? undefined
      : files.parse('.gitbook.yaml', () => yamlValue(gitbook) ?? {}, gitbookSchema);
  const folder = pathBelow('', settings?.root ?? '');
  const file = pathBelow(folder, settings?.structure.summary || 'SUMMARY.md');
  const summary = await files.text(file);
  const found =
    summary === undefined ? undefined : tool(files, 'gitbook', file, summary, folder, [file]);
  if (settings === undefined) return found;
  // Without a summary, GitBook lists the pages by their folders.
  const own = { generator: 'gitbook', file: '.gitbook.yaml', navigation: [] } as const;
  const redirects = redirectsOf(settings.redirects);
  return { ...own, contentFolder: folder, ...found, redirects };
}

/** Returns the redirects of GitBook, which maps old paths to pages. Both are relative to the folder of the pages. */
function redirectsOf(redirects: Readonly<Record<string, string>>): ConfiguredRedirect[] {
  return Object.entries(redirects)
    .filter(([, to]) => to !== '')
    .map(([from, to]) => ({
      from: `/${from}`,
      to: isElsewhere(to) ? to : path.posix.join('/', to),
    }));
}

function tool(
  files: ConfigFiles,
  generator: SiteGenerator,
  file: string,
  text: string,
  contentFolder: string,
  noPages: readonly string[],
): ToolConfig | undefined {
  const folder = path.posix.dirname(file);
  const navigation = entriesOf(parser.parse(text, {}), folder === '.' ? '' : folder);
  // A file without links has no navigation, so it is a page.
  if (navigation.length === 0) {
    if (generator === 'docsify') files.refuse(file, 'it has no list of links');
    return undefined;
  }
  return { generator, file, navigation, contentFolder, noPages };
}

const parser = new MarkdownIt();

/** A group to which entries are still added. */
interface OpenGroup {
  readonly entries: ConfiguredEntry[];
}

/**
 * Returns the entries of a navigation in Markdown. A heading begins a group, a list item is an entry, and an
 * item with a nested list is a group.
 */
function entriesOf(tokens: readonly Token[], folder: string): ConfiguredEntry[] {
  const root: OpenGroup = { entries: [] };
  let target = root;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index];
    if (token?.type === 'heading_open') {
      const title = tokens[index + 1] ? entryTitle(tokens[index + 1]) : '';
      // This heading is the file's own title.
      if (token.tag === 'h1' && /^(?:summary|table of contents|contents)?$/i.test(title)) continue;
      const group: OpenGroup = { entries: [] };
      root.entries.push({ kind: 'group', title, entries: group.entries });
      target = group;
    } else if (isListStart(token)) {
      const end = endOf(tokens, index);
      target.entries.push(...listEntries(tokens.slice(index + 1, end), folder));
      index = end;
    } else if (token?.type === 'inline') {
      // In mdBook, links outside of lists are chapters before and after the numbered ones.
      target.entries.push(...linkEntry(token, folder));
    }
  }
  return root.entries.filter((entry) => entry.kind !== 'group' || entry.entries.length > 0);
}

/** Returns the entries of all lists in the tokens, without those of lists in their items. */
function listEntries(tokens: readonly Token[], folder: string): ConfiguredEntry[] {
  const entries: ConfiguredEntry[] = [];
  for (let index = 0; index < tokens.length; index++) {
    if (tokens[index]?.type !== 'list_item_open') continue;
    const end = endOf(tokens, index);
    entries.push(...itemEntries(tokens.slice(index + 1, end), folder));
    index = end;
  }
  return entries;
}

function itemEntries(tokens: readonly Token[], folder: string): ConfiguredEntry[] {
  const head = tokens.find(({ type }) => type === 'inline');
  const below = listEntries(tokens, folder);
  const [own] = head ? linkEntry(head, folder) : [];
  if (below.length === 0) return own ? [own] : [];
  const landing = own?.kind === 'page' && own.fragment === undefined ? own.path : undefined;
  const title = entryTitle(head);
  if (title === '') return below;
  return [{ kind: 'group', title, landing, entries: below }];
}

function linkEntry(inline: Token, folder: string): ConfiguredEntry[] {
  const open = inline.children?.find(({ type }) => type === 'link_open');
  const href = String(open?.attrGet('href') ?? '');
  const title = entryTitle(inline);
  if (href === '' || title === '') return [];
  if (isElsewhere(href)) return [{ kind: 'link', title, href }];
  const fragment = fragmentOf(href);
  // Docsify resolves both `/guide` and `guide` from the folder of the sidebar.
  return [
    {
      kind: 'page',
      path: pathBelow(href.startsWith('/') ? '' : folder, href),
      title,
      fragment: fragment === '' ? undefined : fragment,
    },
  ];
}

function entryTitle(inline: Token | undefined): string {
  return (inline?.children ?? [])
    .map(({ type, content }) => (type === 'softbreak' ? ' ' : type === 'image' ? '' : content))
    .join('')
    .trim();
}

function isListStart(token: Token | undefined): boolean {
  return token?.type === 'bullet_list_open' || token?.type === 'ordered_list_open';
}

/** Returns the index of the token that closes the one at `start`. */
function endOf(tokens: readonly Token[], start: number): number {
  const level = tokens[start]?.level;
  let end = start + 1;
  while (end < tokens.length && tokens[end]?.level !== level) end++;
  return end;
}
