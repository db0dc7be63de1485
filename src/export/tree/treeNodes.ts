import { DisposableStore, type Disposable } from '../../common/disposable';
import type { Translate } from '../../common/errors';
import { Emitter } from '../../common/event';
import type { Clock } from '../../common/ports';
import { isOfSite, type ExportNode } from '../commands/pickExport';
import type { CheckedSites } from '../commands/siteCommands';
import type { DeployedSites, ExportedSite, OpenedSites } from '../commands/storedSites';
import { nextChangeMs } from '../commands/texts';
import { type Exports, type ExportView, findExport } from '../job/exports';
import type { Previews } from '../preview/previews';
import {
  details,
  detailTreeLine,
  exportTreeLine,
  groupTreeLine,
  previewTreeLine,
  siteTreeLine,
  type LineContext,
  type TreeLine,
} from './treeModel';

type GroupNode = Extract<ExportNode, { kind: 'group' }>;

/** Changes within this time are shown together. */
const COALESCE_MS = 100;

interface ExportTreePorts {
  readonly exports: Pick<Exports, 'list' | 'onDidChange'>;
  readonly sites: Pick<OpenedSites, 'list' | 'onDidChange'>;
  readonly previews: Pick<Previews, 'list' | 'onDidChange'>;
  readonly reports: Pick<CheckedSites, 'has' | 'onDidChange'>;
  readonly deployed: Pick<DeployedSites, 'at' | 'onDidChange'>;
  readonly clock: Clock;
  readonly translate: Translate;
  readonly language: string;
}

/**
 * The nodes of the *Exports* tree: running previews, exports with their details, and opened
 * bundles. Exports are newest first, and below a node for each site as soon as there are two. While the tree is visible, texts that change with time are refreshed. Only nodes that
 * look different are reported as changed.
 */
export class ExportTreeNodes implements Disposable {
  readonly #ports: ExportTreePorts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<readonly ExportNode[] | undefined>());
  /** Nodes by key. VS Code compares nodes by identity, so each node keeps its object. */
  readonly #nodes = new Map<string, ExportNode>();
  /** Last drawn look of each node. */
  readonly #drawn = new Map<ExportNode, string>();
  /** Keys of all nodes but the details, at the last time the roots were asked for. */
  #drawnOutline = '';
  #isRefreshDue = false;
  #isVisible = false;
  #waiting = new AbortController();

  /** Fires with the nodes that look different, or with undefined for all nodes. */
  readonly onDidChange = this.#changed.event;

  constructor(ports: ExportTreePorts) {
    this.#ports = ports;
    const { exports, sites, previews, reports, deployed } = ports;
    const refreshSoon = (): void => this.#refreshSoon();
    this.#store.add(exports.onDidChange(refreshSoon));
    this.#store.add(sites.onDidChange(refreshSoon));
    this.#store.add(previews.onDidChange(refreshSoon));
    this.#store.add(reports.onDidChange(refreshSoon));
    this.#store.add(deployed.onDidChange(refreshSoon));
  }

  /** Returns the children of a node, or the roots for undefined. */
  children(node?: ExportNode): ExportNode[] {
    if (node === undefined) {
      this.#drawnOutline = this.#outline().join('\n');
      return this.#roots();
    }
    if (node.kind === 'group') return this.#ofSite(node).map((view) => this.#exportNode(view));
    const view = node.kind === 'export' ? findExport(this.#ports.exports, node.id) : undefined;
    if (!view) return [];
    const { id } = view.record;
    return details(view, this.#context()).map(({ name }) =>
      this.#node({ kind: 'detail', id, name }),
    );
  }

  parent(node: ExportNode): ExportNode | undefined {
    if (node.kind === 'detail') return this.#node({ kind: 'export', id: node.id });
    const view = node.kind === 'export' ? findExport(this.#ports.exports, node.id) : undefined;
    return view && this.#groups().find((group) => isOfSite(view, group));
  }

  /** Returns the current line of a node. For a removed node it returns undefined, and an event follows. */
  draw(node: ExportNode): TreeLine | undefined {
    const line = this.#line(node);
    this.#drawn.set(node, this.#looks(node, line));
    return line;
  }

  /** Starts or stops refreshing the texts that change with time. */
  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#refreshSoon();
  }

  dispose(): void {
    this.#store.dispose();
    this.#waiting.abort();
  }

  #roots(): ExportNode[] {
    const { exports, sites, previews } = this.#ports;
    const groups = this.#groups();
    return [
      ...previews.list.map(({ id }) => this.#node({ kind: 'preview', id })),
      ...(groups.length > 0 ? groups : exports.list.map((view) => this.#exportNode(view))),
      ...sites.list.map(({ folder }) => this.#node({ kind: 'site', folder })),
    ];
  }

  /** Returns the nodes of the exported sites. Empty for one site, whose exports need no node above. */
  #groups(): GroupNode[] {
    const groups = new Map<string, GroupNode>();
    for (const { record } of this.#ports.exports.list) {
      const { apiUrl, exportDomain } = record;
      const group = this.#node({ kind: 'group', apiUrl, exportDomain });
      groups.set(nodeKey(group), group);
    }
    return groups.size > 1 ? [...groups.values()] : [];
  }

  #ofSite(site: ExportedSite): readonly ExportView[] {
    return this.#ports.exports.list.filter((view) => isOfSite(view, site));
  }

  #exportNode({ record }: ExportView): ExportNode {
    return this.#node({ kind: 'export', id: record.id });
  }

  /** Returns the keys of all nodes but the details, in order. */
  #outline(): string[] {
    return this.#roots().flatMap((root) => [
      nodeKey(root),
      ...(root.kind === 'group' ? this.children(root).map(nodeKey) : []),
    ]);
  }

  #line(node: ExportNode): TreeLine | undefined {
    const { sites, previews } = this.#ports;
    const context = this.#context();
    switch (node.kind) {
      case 'export': {
        const view = findExport(this.#ports.exports, node.id);
        return view && exportTreeLine(view, context, this.parent(node) !== undefined);
      }
      case 'group': {
        const views = this.#ofSite(node);
        return views.length === 0 ? undefined : groupTreeLine(node, views, context);
      }
      case 'detail': {
        const view = findExport(this.#ports.exports, node.id);
        const detail = view && details(view, context).find(({ name }) => name === node.name);
        return detail && detailTreeLine(detail);
      }
      case 'site': {
        const site = sites.list.find(({ folder }) => folder === node.folder);
        return site && siteTreeLine(site, context);
      }
      case 'preview': {
        const preview = previews.list.find(({ id }) => id === node.id);
        return preview && previewTreeLine(preview, context);
      }
    }
  }

  /** Returns everything visible of a node, so that a node that looks the same is not drawn again. */
  #looks(node: ExportNode, line: TreeLine | undefined): string {
    const view = node.kind === 'export' ? findExport(this.#ports.exports, node.id) : undefined;
    // Drawing an export draws its details too, so the set of details is part of its look.
    const rows = view ? details(view, this.#context()).map(({ name }) => name) : [];
    return JSON.stringify([line, rows]);
  }

  #refreshSoon(): void {
    if (this.#isRefreshDue) return;
    this.#isRefreshDue = true;
    void this.#refreshAfter(COALESCE_MS);
  }

  #refresh(): void {
    const outline = this.#outline();
    if (outline.join('\n') !== this.#drawnOutline) {
      this.#forgetGone(new Set(outline));
      this.#changed.fire(undefined);
      return;
    }
    const changed: ExportNode[] = [];
    for (const [node, drawn] of this.#drawn) {
      const line = this.#line(node);
      const looks = this.#looks(node, line);
      if (!line) this.#drawn.delete(node);
      else if (looks !== drawn) {
        // VS Code does not draw below a closed node, so a change there is reported only once.
        this.#drawn.set(node, looks);
        changed.push(node);
      }
    }
    if (changed.length > 0) this.#changed.fire(changed);
  }

  /** Schedules the next refresh for the next text that changes with time, if the tree is visible. */
  #wait(): void {
    const { exports, clock } = this.#ports;
    const now = clock.now();
    const waits = exports.list.flatMap((view) => nextChangeMs(view, now) ?? []);
    if (this.#isVisible && waits.length > 0) void this.#refreshAfter(Math.min(...waits));
  }

  async #refreshAfter(ms: number): Promise<void> {
    const { signal } = this.#waiting;
    try {
      await this.#ports.clock.delay(ms, signal);
    } catch {
      return; // The tree was disposed, or another wait ended first and refreshed for both.
    }
    this.#waiting.abort();
    if (this.#store.isDisposed) return;
    this.#waiting = new AbortController();
    this.#isRefreshDue = false;
    this.#refresh();
    this.#wait();
  }

  #forgetGone(kept: ReadonlySet<string>): void {
    for (const [key, node] of this.#nodes) {
      const shown = node.kind === 'detail' ? nodeKey({ kind: 'export', id: node.id }) : key;
      if (kept.has(shown)) continue;
      this.#nodes.delete(key);
      this.#drawn.delete(node);
    }
  }

  #node<Node extends ExportNode>(node: Node): Node {
    const key = nodeKey(node);
    // A key begins with the kind, so the node of that key is of the same kind.
    const known = (this.#nodes.get(key) as Node | undefined) ?? node;
    this.#nodes.set(key, known);
    return known;
  }

  #context(): LineContext {
    const { clock, translate, language, reports, deployed } = this.#ports;
    return {
      now: clock.now(),
      translate,
      language,
      hasReport: (siteFolder) => reports.has(siteFolder),
      deployedAt: (site) => deployed.at(site),
    };
  }
}

/** Returns the key of a node, which stays the same while the node changes. */
export function nodeKey(node: ExportNode): string {
  switch (node.kind) {
    case 'detail':
      return `detail:${node.id}:${node.name}`;
    case 'site':
      return `site:${node.folder}`;
    case 'group':
      return `group:${node.apiUrl} ${node.exportDomain}`;
    case 'export':
    case 'preview':
      return `${node.kind}:${node.id}`;
  }
}
