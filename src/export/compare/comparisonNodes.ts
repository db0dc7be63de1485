/** Lines of the *Comparison* tree, without VS Code's types. */
import { plain } from '../../common/text/safeText';
import { joined } from '../../common/text/strings';
import type { Translate } from '../../common/errors';
import { numberText, sizeText } from '../../shared/units';
import { grouped, oneLine, reasonText } from '../check/report';
import type { TreeLine } from '../tree/treeModel';
import type {
  BundleComparison,
  ComparedLink,
  ComparisonNote,
  LostAddress,
  MovedPage,
} from './comparison';
import { isAboutOtherSite, comparisonNoteText } from './comparisonTexts';
import { groupedByFolder, type FolderGroup, type PathEntry } from './folderGroups';

/**
 * Pages or files that a click on a node opens. Paths are relative to the root of their bundle, with
 * `/`.
 */
export type ComparedTarget =
  /** The readable texts of a page side by side, or one text if only one bundle has the page. */
  | { readonly kind: 'texts'; readonly before?: string; readonly after?: string }
  /** Files as they are, side by side, or that of the one side that has it. */
  | { readonly kind: 'files'; readonly before?: string; readonly after?: string }
  /** A place in a file. Line and column count from 1. */
  | {
      readonly kind: 'place';
      readonly side: 'before' | 'after';
      readonly file: string;
      readonly line: number;
      readonly column: number;
    };

export interface ComparisonNode {
  /** Unique in the tree of one comparison. */
  readonly id: string;
  readonly line: TreeLine;
  readonly target?: ComparedTarget;
  /** Number of nodes below it. A node without any is a leaf. */
  readonly count: number;
  /** Whether the node shows its children at first. */
  readonly isOpen: boolean;
  readonly children: () => readonly ComparisonNode[];
}

/** Most nodes below one node. VS Code draws longer lists slowly, and nobody reads them. */
const MAX_CHILDREN = 1000;
/** Most entries of a section that is a plain list. Longer sections are grouped by folder. */
const MAX_FLAT = 100;
/** Pages named in the tooltip of a lost URL. */
const MAX_NAMED = 5;

/** Kinds of changes of a page or a file. */
type Change = 'added' | 'removed' | 'moved' | 'changed' | 'restyled';

const looks = {
  added: { icon: 'diff-added', colour: 'gitDecoration.addedResourceForeground' },
  removed: { icon: 'diff-removed', colour: 'gitDecoration.deletedResourceForeground' },
  moved: { icon: 'diff-renamed', colour: 'gitDecoration.renamedResourceForeground' },
  changed: { icon: 'diff-modified', colour: 'gitDecoration.modifiedResourceForeground' },
  restyled: { icon: 'paintcan' },
  broken: { icon: 'error', colour: 'problemsErrorIcon.foreground' },
  mended: { icon: 'pass', colour: 'testing.iconPassed' },
  lost: { icon: 'warning', colour: 'problemsWarningIcon.foreground' },
  files: { icon: 'file-binary' },
  folder: { icon: 'folder' },
  note: { icon: 'info' },
} as const;

/**
 * Returns the top nodes of a comparison: its notes, then a section for each kind of difference, the
 * most important first.
 */
export function comparisonNodes(
  comparison: BundleComparison,
  t: Translate,
): readonly ComparisonNode[] {
  const { counts, pages, links, assets, lostAddresses, notes } = comparison;
  const tree = new NodeBuilder(t);
  const sections = [
    tree.linkSection('broken', t('Links that broke'), counts.brokenLinks, links.broken),
    tree.section('lost', t('Lost URLs'), counts.lostAddresses, lostAddresses, (lost) => ({
      path: lost.page,
      node: () => tree.lostAddress(lost),
    })),
    tree.section('changed', t('Changed pages'), counts.changedPages, pages.changed, (page) => ({
      path: pageName(page.after),
      node: (label) =>
        tree.page('changed', label, page.title, {
          amount: page,
          target: { kind: 'texts', before: page.before, after: page.after },
        }),
    })),
    tree.section('removed', t('Removed pages'), counts.removedPages, pages.removed, (page) => ({
      path: pageName(page.path),
      node: (label) =>
        tree.page('removed', label, page.title, { target: { kind: 'texts', before: page.path } }),
    })),
    tree.section('added', t('Added pages'), counts.addedPages, pages.added, (page) => ({
      path: pageName(page.path),
      node: (label) =>
        tree.page('added', label, page.title, { target: { kind: 'texts', after: page.path } }),
    })),
    tree.section('moved', t('Moved pages'), counts.movedPages, pages.moved, (page) => ({
      path: pageName(page.after),
      node: (label) => tree.movedPage(label, page),
    })),
    tree.linkSection('mended', t('Links that were mended'), counts.mendedLinks, links.mended),
    tree.section(
      'restyled',
      t('Pages that changed only around their text'),
      counts.restyledPages,
      pages.restyled,
      (page) => ({
        path: pageName(page.after),
        node: (label) =>
          tree.page('restyled', label, page.title, {
            target: { kind: 'files', before: page.before, after: page.after },
          }),
      }),
    ),
    tree.section(
      'files',
      t('Other files'),
      counts.changedAssets + counts.addedAssets + counts.removedAssets,
      [
        ...assets.changed.map((file) => ({ ...file, change: 'changed' }) as const),
        ...assets.added.map((file) => ({ ...file, change: 'added' }) as const),
        ...assets.removed.map((file) => ({ ...file, change: 'removed' }) as const),
      ],
      (file) => ({
        path: file.change === 'changed' ? file.after : file.path,
        node: (label) => {
          if (file.change === 'changed') {
            const sizes = `${sizeText(file.sizeBefore)} → ${sizeText(file.sizeAfter)}`;
            const { before, after } = file;
            return tree.file('changed', label, sizes, { kind: 'files', before, after });
          }
          const side = file.change === 'added' ? 'after' : 'before';
          const target = { kind: 'files', [side]: file.path } as const;
          return tree.file(file.change, label, sizeText(file.sizeBytes), target);
        },
      }),
    ),
  ];
  return [
    ...notes.map((note, index) => tree.note(note, comparison, index)),
    ...sections.filter(({ count }) => count > 0),
  ];
}

/** Returns a page's path as in its URL: without `.html` and `index.html`. */
export function pageName(path: string): string {
  return path.replace(/(^|\/)index\.html?$/i, '').replace(/\.html?$/i, '') || '/';
}

/** Makes nodes. An entry's node is made when its section is opened. */
class NodeBuilder {
  readonly #t: Translate;

  constructor(translate: Translate) {
    this.#t = translate;
  }

  /** Returns the section of a kind of difference, grouped by folder if it is long. */
  section<Item>(
    id: string,
    label: string,
    count: number,
    items: readonly Item[],
    entryOf: (item: Item) => SectionEntry,
  ): ComparisonNode {
    return {
      ...this.#group(id, label, count, looks[id as keyof typeof looks]),
      children: () => {
        const entries = items.map(entryOf);
        const unlisted = count - entries.length;
        if (entries.length > MAX_FLAT) return this.#folders(id, entries, '', unlisted);
        const nodeOf = ({ path, node }: SectionEntry): ComparisonNode =>
          withId(`${id}:${path}`, node(path));
        return this.#limited(id, entries, nodeOf, unlisted);
      },
    };
  }

  /** Returns the section of links, grouped by the file that they are in. */
  linkSection(
    id: 'broken' | 'mended',
    label: string,
    count: number,
    links: readonly ComparedLink[],
  ): ComparisonNode {
    return {
      ...this.#group(id, label, count, looks[id]),
      children: () => {
        const byFile = grouped(links, ({ file }) => file);
        const nodeOf = ([file, ofFile]: readonly [
          string,
          readonly ComparedLink[],
        ]): ComparisonNode => {
          const key = `${id}:${file}`;
          const group = this.#group(key, pageName(file), ofFile.length, { icon: 'file' });
          const linkOf = (link: ComparedLink, index: number): ComparisonNode =>
            withId(`${key}:${index}`, this.#link(id, link));
          return { ...group, isOpen: true, children: () => this.#limited(key, ofFile, linkOf) };
        };
        return this.#limited(id, [...byFile], nodeOf, count - links.length);
      },
    };
  }

  page(
    change: Change,
    name: string,
    title: string,
    {
      amount,
      target,
      description = '',
    }: {
      readonly amount?: { readonly addedLines: number; readonly removedLines: number };
      readonly target: ComparedTarget;
      readonly description?: string;
    },
  ): ComparisonNode {
    const lines = amount ? this.#lines(amount) : undefined;
    return leaf({
      line: {
        label: plain(oneLine(name)),
        description: plain(oneLine(joined([lines?.short, description, title]))),
        tooltip: [title, name, lines?.long].filter(Boolean).join('\n'),
        ...looks[change],
        contextValue: `page;${change}`,
        spoken: joined([this.#pageKind(change), title, name, description, lines?.long]),
      },
      target,
    });
  }

  movedPage(path: string, page: MovedPage): ComparisonNode {
    const t = this.#t;
    const { before, after, change } = page;
    const isSame = change === 'none';
    return this.page('moved', path, page.title, {
      amount: isSame ? undefined : page,
      description: t('from {0}', pageName(before)),
      // A diff of equal texts shows nothing.
      target: { kind: 'texts', before: isSame ? undefined : before, after },
    });
  }

  file(
    change: 'added' | 'removed' | 'changed',
    path: string,
    size: string,
    target: ComparedTarget,
  ): ComparisonNode {
    const t = this.#t;
    const kind = {
      added: t('Added file'),
      removed: t('Removed file'),
      changed: t('Changed file'),
    }[change];
    return leaf({
      line: {
        label: plain(oneLine(path)),
        description: size,
        tooltip: `${kind}\n${path}\n${size}`,
        ...looks[change],
        contextValue: `file;${change}`,
        spoken: joined([kind, path, size]),
      },
      target,
    });
  }

  lostAddress(lost: LostAddress): ComparisonNode {
    const t = this.#t;
    const { address, page, title, links, linkedFrom, isInOldSitemap, redirect } = lost;
    const saved = redirect
      ? t('redirect to {0} ({1})', redirect.to, redirect.status)
      : t('no target for a redirect');
    const reasons = [
      ...(links === 0
        ? []
        : [links === 1 ? t('1 link leads to it') : t('{0} links lead to it', numberText(links))]),
      ...(isInOldSitemap ? [t('the old sitemap lists it')] : []),
    ];
    const from = linkedFrom.slice(0, MAX_NAMED).map(pageName);
    return leaf({
      line: {
        label: plain(oneLine(address)),
        description: plain(oneLine(saved)),
        tooltip: [title, saved, ...reasons, ...from].join('\n'),
        ...looks.lost,
        contextValue: 'lost',
        spoken: joined([t('Lost URL {0}', address), title, saved, ...reasons]),
      },
      target: { kind: 'texts', before: page },
    });
  }

  note(note: ComparisonNote, comparison: BundleComparison, index: number): ComparisonNode {
    const text = plain(oneLine(comparisonNoteText(note, comparison, this.#t)));
    return {
      ...leaf({
        line: {
          label: text,
          description: '',
          tooltip: text,
          ...(isAboutOtherSite(note) ? looks.lost : looks.note),
          contextValue: 'note',
          spoken: text,
        },
      }),
      id: `note:${index}`,
    };
  }

  #link(id: 'broken' | 'mended', link: ComparedLink): ComparisonNode {
    const t = this.#t;
    const { file, line, column, address, target } = link;
    const reason =
      id === 'broken'
        ? reasonText(link, t, (text) => `“${text}”`)
        : target && t('leads to {0}', pageName(target));
    const place = t('line {0}', line);
    const kind = id === 'broken' ? t('Broken link') : t('Mended link');
    return leaf({
      line: {
        label: plain(oneLine(address)),
        description: plain(oneLine(joined([place, reason]))),
        tooltip: [`${kind}: ${address}`, reason, `${file}:${line}`].filter(Boolean).join('\n'),
        ...looks[id],
        contextValue: id,
        spoken: joined([`${kind} ${address}`, pageName(file), place, reason]),
      },
      target: { kind: 'place', side: id === 'broken' ? 'after' : 'before', file, line, column },
    });
  }

  #group(
    id: string,
    label: string,
    count: number,
    look: { readonly icon: string; readonly colour?: string },
  ): Omit<ComparisonNode, 'children'> {
    const shown = plain(oneLine(label));
    const number = numberText(count);
    return {
      id,
      line: {
        label: shown,
        description: number,
        tooltip: `${label}: ${number}`,
        ...look,
        contextValue: 'group',
        spoken: `${shown}: ${number}`,
      },
      count,
      isOpen: false,
    };
  }

  #folders(
    id: string,
    entries: readonly SectionEntry[],
    folder: string,
    unlisted = 0,
  ): readonly ComparisonNode[] {
    const nodeOf = (group: FolderGroup<SectionEntry>): ComparisonNode => {
      if (group.kind === 'entry') {
        const { entry, label } = group;
        return withId(`${id}:${entry.path}`, entry.node(label));
      }
      return {
        ...this.#group(`${id}:${group.folder}`, group.label, group.entries.length, looks.folder),
        children: () => this.#folders(id, group.entries, group.folder),
      };
    };
    return this.#limited(`${id}:${folder}`, groupedByFolder(entries, folder), nodeOf, unlisted);
  }

  /**
   * Makes the nodes of a list. The last node of a long list says how many are left out.
   * @param unlisted number of entries that the comparison itself left out.
   */
  #limited<Item>(
    id: string,
    items: readonly Item[],
    nodeOf: (item: Item, index: number) => ComparisonNode,
    unlisted = 0,
  ): readonly ComparisonNode[] {
    const nodes = withUniqueIds(items.slice(0, MAX_CHILDREN).map(nodeOf));
    const rest = items.length - nodes.length + unlisted;
    if (rest <= 0) return nodes;
    const t = this.#t;
    const text = t('{0} more. The comparison saved as JSON lists all.', numberText(rest));
    const more = leaf({
      line: { label: text, description: '', tooltip: text, contextValue: 'more', spoken: text },
    });
    return [...nodes, withId(`${id}:more`, more)];
  }

  #pageKind(change: Change): string {
    const t = this.#t;
    switch (change) {
      case 'added':
        return t('Added page');
      case 'removed':
        return t('Removed page');
      case 'moved':
        return t('Moved page');
      case 'changed':
        return t('Changed page');
      case 'restyled':
        return t('Page that changed only around its text');
    }
  }

  #lines({ addedLines, removedLines }: { addedLines: number; removedLines: number }): {
    readonly short: string;
    readonly long: string;
  } {
    const t = this.#t;
    const added = numberText(addedLines);
    const removed = numberText(removedLines);
    return {
      short: `+${added} −${removed}`,
      long: t('lines added: {0}, lines removed: {1}', added, removed),
    };
  }
}

/** An entry of a section. `node` gets the path to show, which is shorter within a folder. */
interface SectionEntry extends PathEntry {
  readonly node: (label: string) => ComparisonNode;
}

function leaf(node: Pick<ComparisonNode, 'line' | 'target'>): ComparisonNode {
  return { ...node, id: '', count: 0, isOpen: false, children: () => [] };
}

function withId(id: string, node: ComparisonNode): ComparisonNode {
  return { ...node, id };
}

/**
 * Makes IDs unique. `a.html` and `a/index.html` get the same ID, and VS Code shows no tree in which
 * an ID occurs twice.
 */
function withUniqueIds(nodes: readonly ComparisonNode[]): readonly ComparisonNode[] {
  const seen = new Map<string, number>();
  return nodes.map((node) => {
    const times = (seen.get(node.id) ?? 0) + 1;
    seen.set(node.id, times);
    return times === 1 ? node : { ...node, id: `${node.id}#${times}` };
  });
}
