/** Choice of the two bundles for a comparison. Nothing is downloaded or unpacked here. */
import path from 'node:path';
import { joined } from '../../common/text/strings';
import { type Exports, type ExportView, findExport } from '../job/exports';
import { chooseArchiveFile, type ChosenArchive } from './bundleCommands';
import { isOfSite, parseExportNode, type ExportNode } from './pickExport';
import type { OpenedSite, OpenedSites } from './storedSites';
import { dateTimeText, pagesText } from './texts';
import type { Choice, WindowUi } from '../../common/windowUi';

/** A bundle that the user chose. It may not be on this machine yet. */
export type ChosenBundle =
  | { readonly kind: 'export'; readonly view: ExportView }
  | { readonly kind: 'site'; readonly site: OpenedSite }
  | { readonly kind: 'archive'; readonly source: ChosenArchive };

/** Two bundles in the order of time. */
export interface BundlePair {
  readonly before: ChosenBundle;
  readonly after: ChosenBundle;
}

interface BundleChoicePorts {
  readonly exports: Pick<Exports, 'list'>;
  readonly sites: Pick<OpenedSites, 'list'>;
  readonly ui: WindowUi;
}

/** Returns whether an export has a bundle, on this machine or at the service. */
function hasBundle({ record }: ExportView): boolean {
  const { outcome, archive, siteFolder } = record;
  return outcome === 'completed' || archive !== undefined || siteFolder !== undefined;
}

/**
 * Returns the completed export of the same site that was started last before this one.
 * @param exports in any order.
 */
export function exportBefore(
  { record }: ExportView,
  exports: readonly ExportView[],
): ExportView | undefined {
  return exports
    .filter(
      (other) =>
        hasBundle(other) &&
        other.record.id !== record.id &&
        isOfSite(other, record) &&
        other.record.startedAt <= record.startedAt,
    )
    .sort((a, b) => b.record.startedAt - a.record.startedAt)[0];
}

/**
 * Returns the two bundles that *Compare Bundles…* is about: those that are selected in the tree, or
 * the node's and another one, or two that the user chooses.
 * @param node argument of the command.
 * @param selection all selected nodes, as VS Code hands them to the command of a tree's menu.
 * @returns undefined if the user canceled or the nodes don't fit, which a message has said then.
 */
export async function chooseBundlePair(
  ports: BundleChoicePorts,
  node: unknown,
  selection: unknown,
): Promise<BundlePair | undefined> {
  const { ui } = ports;
  const { translate: t } = ui;
  const nodes =
    Array.isArray(selection) && selection.length > 1 ? (selection as unknown[]) : [node];
  const known = nodes.flatMap((each) => parseExportNode(each) ?? []);
  if (known.length === 0) {
    const first = await chooseBundle(ports, t('Compare Bundles: Choose the Later Bundle'), {});
    return first && chooseOther(ports, first);
  }
  const bundles = distinct(known.flatMap((each) => bundleOf(ports, each) ?? []));
  const [first, second, ...others] = bundles;
  if (!first || (nodes.length > 1 && !second)) {
    void ui.inform(t('There is no bundle to compare yet.'));
    return undefined;
  }
  if (others.length > 0) {
    void ui.inform(t('Select two bundles to compare them.'));
    return undefined;
  }
  return second ? inOrder(ports, first, second) : chooseOther(ports, first);
}

/** Returns the name of a bundle's site: the host name of an export, or the name of a folder. */
export function bundleSiteName(bundle: ChosenBundle): string {
  switch (bundle.kind) {
    case 'export':
      return bundle.view.record.exportDomain;
    case 'site':
      return bundle.site.label;
    case 'archive':
      return bundle.source.label;
  }
}

/**
 * Returns short names that tell the two bundles apart: the version labels or the dates of exports of
 * one site, or the names of the sites, or the ends of their paths.
 */
export function sideNames(
  { before, after }: BundlePair,
  language: string,
): { readonly before: string; readonly after: string } {
  const dateOf = (bundle: ChosenBundle): string =>
    bundle.kind === 'export'
      ? dateTimeText(bundle.view.record.startedAt, language)
      : bundleSiteName(bundle);
  const forms: readonly ((bundle: ChosenBundle) => string)[] = [
    (bundle) => (bundle.kind === 'export' && bundle.view.record.label) || dateOf(bundle),
    dateOf,
    bundleSiteName,
    (bundle) => pathOf(bundle).split(/[\\/]/).slice(-2).join('/'),
    pathOf,
  ];
  const isSameSite = bundleSiteName(before) === bundleSiteName(after);
  for (const form of isSameSite ? forms : forms.slice(2)) {
    const names = { before: form(before), after: form(after) };
    if (names.before !== names.after) return names;
  }
  return { before: `${bundleSiteName(before)} (1)`, after: `${bundleSiteName(after)} (2)` };
}

async function chooseOther(
  ports: BundleChoicePorts,
  later: ChosenBundle,
): Promise<BundlePair | undefined> {
  const { translate: t } = ports.ui;
  const title = t('Compare {0} With an Earlier Bundle', bundleSiteName(later));
  const earlier = await chooseBundle(ports, title, { other: later });
  if (!earlier) return undefined;
  // Which of two exports is the earlier one is known, so a slip of the user does no harm.
  return later.kind === 'export' && earlier.kind === 'export'
    ? byTime(later.view, earlier.view)
    : { before: earlier, after: later };
}

/** Returns two bundles in the order of time. Asks for it unless both are exports. */
async function inOrder(
  { ui }: BundleChoicePorts,
  one: ChosenBundle,
  other: ChosenBundle,
): Promise<BundlePair | undefined> {
  if (one.kind === 'export' && other.kind === 'export') return byTime(one.view, other.view);
  const { translate: t } = ui;
  const before = await ui.choose(
    t('Choose the Earlier of the Two Bundles'),
    [one, other].map((bundle) => ({
      label: bundleSiteName(bundle),
      description: pathOf(bundle),
      value: bundle,
    })),
  );
  return before && { before, after: before === one ? other : one };
}

function byTime(one: ExportView, other: ExportView): BundlePair {
  const [before, after] =
    one.record.startedAt <= other.record.startedAt ? [one, other] : [other, one];
  return { before: { kind: 'export', view: before }, after: { kind: 'export', view: after } };
}

/** Asks for a bundle: an export, an opened site, or an archive or a folder on this machine. */
export async function chooseBundle(
  ports: BundleChoicePorts,
  title: string,
  { other }: { readonly other?: ChosenBundle } = {},
): Promise<ChosenBundle | undefined> {
  const { exports, sites, ui } = ports;
  const { translate: t } = ui;
  const previous = other?.kind === 'export' ? exportBefore(other.view, exports.list) : undefined;
  const isFree = (bundle: ChosenBundle): boolean =>
    other === undefined || keyOf(bundle) !== keyOf(other);
  const known: ChosenBundle[] = [
    ...exports.list
      .filter((view) => hasBundle(view) && view !== previous)
      .map((view) => ({ kind: 'export', view }) as const),
    ...sites.list.map((site) => ({ kind: 'site', site }) as const),
  ];
  const choices: Choice<ChosenBundle | 'archive' | 'folder'>[] = [
    ...(previous
      ? [
          {
            icon: 'history',
            label: t('The export before it'),
            description: exportText(ports, previous),
            value: { kind: 'export', view: previous } as const,
          },
        ]
      : []),
    ...known.filter(isFree).map((bundle) => ({
      icon: bundle.kind === 'export' ? 'package' : 'folder-opened',
      label: bundleSiteName(bundle),
      description: bundle.kind === 'export' ? exportText(ports, bundle.view) : pathOf(bundle),
      value: bundle,
    })),
    { icon: 'file-zip', label: t('Another archive on this machine…'), value: 'archive' },
    { icon: 'folder', label: t('A folder with an unpacked bundle…'), value: 'folder' },
  ];
  const chosen = await ui.choose(title, choices);
  if (chosen === 'archive') {
    const source = await chooseArchiveFile(ui);
    return source && { kind: 'archive', source };
  }
  if (chosen !== 'folder') return chosen;
  const folder = await ui.chooseFolder({ title });
  return folder === undefined
    ? undefined
    : { kind: 'site', site: { folder, label: path.basename(folder) } };
}

function bundleOf(
  { exports, sites }: BundleChoicePorts,
  node: ExportNode,
): ChosenBundle | undefined {
  switch (node.kind) {
    case 'export':
    case 'detail': {
      const view = findExport(exports, node.id);
      return view && hasBundle(view) ? { kind: 'export', view } : undefined;
    }
    case 'site': {
      const { folder } = node;
      const label = sites.list.find((site) => site.folder === folder)?.label;
      return { kind: 'site', site: { folder, label: label ?? path.basename(folder) } };
    }
    case 'group':
    case 'preview':
      return undefined;
  }
}

function distinct(bundles: readonly ChosenBundle[]): ChosenBundle[] {
  return [...new Map(bundles.map((bundle) => [keyOf(bundle), bundle])).values()];
}

function keyOf(bundle: ChosenBundle): string {
  return bundle.kind === 'export' ? `export:${bundle.view.record.id}` : pathOf(bundle);
}

function pathOf(bundle: ChosenBundle): string {
  switch (bundle.kind) {
    case 'export': {
      const { siteFolder, archive, jobId } = bundle.view.record;
      return siteFolder ?? archive?.path ?? jobId;
    }
    case 'site':
      return bundle.site.folder;
    case 'archive':
      return bundle.source.archive;
  }
}

function exportText({ ui }: BundleChoicePorts, view: ExportView): string {
  const { translate: t } = ui;
  const { record } = view;
  const isHere = record.archive !== undefined || record.siteFolder !== undefined;
  return joined([
    record.label,
    dateTimeText(record.startedAt, ui.language),
    pagesText(view, t),
    isHere ? undefined : t('not downloaded yet'),
  ]);
}
