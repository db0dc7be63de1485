import * as v from 'valibot';
import { joined } from '../../common/text/strings';
import type { Clock } from '../../common/ports';
import { parsedAs } from '../../shared/schemas';
import { type Exports, type ExportView, findExport } from '../job/exports';
import type { ExportRecord } from '../job/record';
import { exportLine } from './texts';
import type { WindowUi } from '../../common/windowUi';

const nodeSchema = v.variant('kind', [
  v.object({ kind: v.literal('export'), id: v.string() }),
  v.object({ kind: v.literal('detail'), id: v.string(), name: v.string() }),
  v.object({ kind: v.literal('group'), apiUrl: v.string(), exportDomain: v.string() }),
  v.object({ kind: v.literal('site'), folder: v.string() }),
  v.object({ kind: v.literal('preview'), id: v.string() }),
]);

/** A node of the *Exports* tree, as commands get it. `kind` is the first word of its `viewItem`. */
export type ExportNode = Readonly<v.InferOutput<typeof nodeSchema>>;

/** Returns a command's argument if it is a node of the tree. */
export function parseExportNode(argument: unknown): ExportNode | undefined {
  return parsedAs(nodeSchema, argument);
}

/** Returns the tree node of an export. */
export function nodeOf({ record }: ExportView): ExportNode {
  return { kind: 'export', id: record.id };
}

/** Returns whether an export is one of the site: of that domain, by that API. */
export function isOfSite(
  { record }: Pick<ExportView, 'record'>,
  { apiUrl, exportDomain }: Pick<ExportRecord, 'apiUrl' | 'exportDomain'>,
): boolean {
  return record.apiUrl === apiUrl && record.exportDomain === exportDomain;
}

export interface PickExportPorts {
  readonly exports: Pick<Exports, 'list'>;
  readonly ui: WindowUi;
  readonly clock: Pick<Clock, 'now'>;
}

/** Choice of the exports that a command can work on. */
interface ExportQuestion {
  readonly fits: (view: ExportView) => boolean;
  /** Message shown if no export fits. */
  readonly none: string;
  readonly title?: string;
}

/**
 * Returns the export that a command is about: the node's export, the only one that fits, or the
 * one that the user chooses.
 * @param node argument of the command.
 * @returns undefined if the user canceled or no export fits, which a message has said then.
 */
export async function pickExport(
  { exports, ui, clock }: PickExportPorts,
  node: unknown,
  { fits, none, title }: ExportQuestion,
): Promise<ExportView | undefined> {
  const known = parseExportNode(node);
  if (known?.kind === 'export' || known?.kind === 'detail') {
    const view = findExport(exports, known.id);
    // Menus may be out of date, so the export may no longer fit.
    if (!view || !fits(view)) void ui.inform(none);
    return view && fits(view) ? view : undefined;
  }
  const fitting = exports.list.filter(
    (view) => fits(view) && (known?.kind !== 'group' || isOfSite(view, known)),
  );
  if (fitting.length === 0) {
    void ui.inform(none);
    return undefined;
  }
  if (fitting.length === 1) return fitting[0];
  const id = await ui.choose(
    title ?? ui.translate('Choose an Export'),
    fitting.map((view) => ({
      label: joined([view.record.exportDomain, view.record.label]),
      description: exportLine(view, clock.now(), ui.translate),
      value: view.record.id,
    })),
  );
  return findExport(exports, id);
}

/** Picks a completed export, like {@link pickExport}. */
export function pickCompleted(
  ports: PickExportPorts,
  node: unknown,
): Promise<ExportView | undefined> {
  return pickExport(ports, node, {
    fits: ({ record }) => record.outcome === 'completed',
    none: ports.ui.translate('No export has completed yet, so there is no bundle.'),
  });
}

/**
 * Picks the export whose bundle a deployment gets: the node's export, or the newest completed one of the
 * site that the node is about or that the user chooses.
 */
export function pickNewest(ports: PickExportPorts, node: unknown): Promise<ExportView | undefined> {
  const kind = parseExportNode(node)?.kind;
  if (kind === 'export' || kind === 'detail') return pickCompleted(ports, node);
  const completed = ports.exports.list.filter(({ record }) => record.outcome === 'completed');
  const newest = completed.filter(
    (view, index) => completed.findIndex((other) => isOfSite(other, view.record)) === index,
  );
  return pickCompleted({ ...ports, exports: { list: newest } }, node);
}

/**
 * Returns the URLs, without queries, of the bundles that the bundle of an export replaces: its own and
 * those of earlier exports of its site. A deployment must get a new link after new content is published.
 * @see platform-api.md § What the service does, 7
 */
export function replacedAddresses(
  { list }: Pick<Exports, 'list'>,
  replacing: ExportRecord,
): ReadonlySet<string> {
  const replaced = list.filter(
    (view) =>
      view.record.id === replacing.id ||
      (isOfSite(view, replacing) && view.record.startedAt < replacing.startedAt),
  );
  return new Set(replaced.flatMap(({ record }) => record.bundleAddresses ?? []));
}
