/** The commands about a comparison of two bundles: compare, show, copy, save. */
import path from 'node:path';
import { exportCommands } from '../../common/contributions';
import { numberText } from '../../shared/units';
import { compareInWorker, comparePercent } from '../compare/compareInWorker';
import { redirectsOf, type BundleComparison } from '../compare/comparison';
import { comparisonJson } from '../compare/comparisonDocument';
import { differencesText, isAboutOtherSite, comparisonNoteText } from '../compare/comparisonTexts';
import { redirectsJson } from '../hosting/redirects';
import { findExport } from '../job/exports';
import type { NewResult } from '../job/results';
import { chooseBundlePair, bundleSiteName, sideNames, type BundlePair } from './bundleChoice';
import type { BundlePorts, ExportHandlers } from './bundleCommands';
import { localSite } from './localSite';
import { parseExportNode } from './pickExport';
import type { OpenedSite } from './storedSites';
import { offer, type WindowUi } from '../../common/windowUi';

/** One side of a comparison. */
interface ComparedSite extends OpenedSite {
  /** Short name that tells it from the other side. */
  readonly name: string;
}

/** Two bundles on this machine and what differs between them. */
export interface ComparedBundles {
  readonly before: ComparedSite;
  readonly after: ComparedSite;
  readonly comparison: BundleComparison;
}

/** Comparisons of this window. */
export interface Comparisons {
  /** The comparison in the view, if there is one. */
  readonly shown: ComparedBundles | undefined;
  /** Shows a comparison in the view, and moves the focus there. */
  show(compared: ComparedBundles): Promise<void>;
  /** Returns the last comparison in which the folder was the later side. */
  of(siteFolder: string): ComparedBundles | undefined;
  /** Opens the comparison in the view as a document. */
  showReport(): Promise<void>;
  /** Opens the texts of all changed pages in one editor. */
  showAllChanges(): Promise<void>;
  /** Empties the view and hides it. */
  close(): Promise<void>;
}

/** Services that the commands about a comparison use. */
interface ComparePorts extends BundlePorts {
  readonly comparisons: Comparisons;
  /** Absolute path of the built `compareWorker.ts`. */
  readonly compareScript: string;
}

export function compareHandlers(ports: ComparePorts): ExportHandlers {
  const { comparisons, exports } = ports;
  return {
    [exportCommands.compareBundles]: async (node, selection) => {
      const pair = await chooseBundlePair(ports, node, selection);
      if (pair) await compare(ports, pair);
    },
    [exportCommands.showComparison]: async (node) => {
      const known = parseExportNode(node);
      const id = known?.kind === 'export' || known?.kind === 'detail' ? known.id : undefined;
      const folder = findExport(exports, id)?.record.siteFolder;
      const compared = folder === undefined ? undefined : comparisons.of(folder);
      if (compared) {
        await comparisons.show(compared);
        return;
      }
      // Another window made the comparison, or this one before it was loaded again.
      const pair = await chooseBundlePair(ports, node, undefined);
      if (pair) await compare(ports, pair);
    },
    [exportCommands.showAllChanges]: () => comparisons.showAllChanges(),
    [exportCommands.showComparisonReport]: () => comparisons.showReport(),
    [exportCommands.copyComparison]: () => copyJson(ports),
    [exportCommands.saveComparison]: () => saveJson(ports),
    [exportCommands.saveRedirects]: () => saveRedirects(ports),
    [exportCommands.closeComparison]: () => comparisons.close(),
  };
}

async function compare(ports: ComparePorts, pair: BundlePair): Promise<void> {
  const { exports, comparisons, compareScript, ui } = ports;
  const { translate: t } = ui;
  if (!(await isMeant(ports, pair))) return;
  const before = await localSite(ports, pair.before);
  const after = before && (await localSite(ports, pair.after));
  if (!before || !after) return;
  if (before.folder === after.folder) {
    void ui.inform(t('Both bundles are the same folder. Choose two different ones.'));
    return;
  }
  const names = sideNames(pair, ui.language);
  const comparison = await ui.progress(
    t('Comparing {0} with {1}', names.after, names.before),
    (report, signal) =>
      compareInWorker({
        script: compareScript,
        before: { root: before.folder, name: names.before },
        after: { root: after.folder, name: names.after },
        signal,
        onProgress: (progress) => {
          const pages = t(
            '{0} of {1} pages',
            numberText(progress.pages),
            numberText(progress.totalPages),
          );
          const message = {
            before: `${names.before}: ${pages}`,
            after: `${names.after}: ${pages}`,
            text: t('changed texts: {0}', pages),
          }[progress.step];
          report({ message, percent: comparePercent(progress) });
        },
      }),
  );
  if (!comparison) return;
  await exports.noteResult(after.folder, 'diff', resultOf(comparison));
  await comparisons.show({
    before: { ...before, name: names.before },
    after: { ...after, name: names.after },
    comparison,
  });
  tell(ports, comparison);
}

/** Asks before bundles of two sites are downloaded and compared. */
async function isMeant({ ui }: ComparePorts, { before, after }: BundlePair): Promise<boolean> {
  if (before.kind !== 'export' || after.kind !== 'export') return true;
  const [one, other] = [bundleSiteName(before), bundleSiteName(after)];
  if (one === other) return true;
  const { translate: t } = ui;
  const question = t(
    '{0} and {1} are different sites, so nearly all pages will differ. Compare them anyway?',
    one,
    other,
  );
  return ui.confirm(question, t('Compare'));
}

/** Says how a comparison ended, with the next steps. */
function tell({ ui }: ComparePorts, comparison: BundleComparison): void {
  const { translate: t } = ui;
  const steps: Record<string, () => Promise<void>> = {
    [t('Show as Document')]: () => ui.runCommand(exportCommands.showComparisonReport),
  };
  if (comparison.counts.changedPages > 0) {
    steps[t('Show All Changes')] = () => ui.runCommand(exportCommands.showAllChanges);
  }
  if (redirectsOf(comparison).length > 0) {
    steps[t('Save Redirects…')] = () => ui.runCommand(exportCommands.saveRedirects);
  }
  const otherSite = comparison.notes.find(isAboutOtherSite);
  if (otherSite) {
    void ui.warn(comparisonNoteText(otherSite, comparison, t));
    return;
  }
  offer(ui, differencesText(comparison, t), steps);
}

async function copyJson({ ui, comparisons }: ComparePorts): Promise<void> {
  const { shown } = comparisons;
  if (!shown) {
    sayNone(ui);
    return;
  }
  await ui.copy(comparisonJson(shown.comparison));
  void ui.inform(ui.translate('Copied the comparison as JSON.'));
}

async function saveJson({ ui, comparisons }: ComparePorts): Promise<void> {
  const { shown } = comparisons;
  if (!shown) {
    sayNone(ui);
    return;
  }
  const dialog = {
    title: ui.translate('Save Comparison as JSON'),
    defaultPath: besideOf(shown, 'comparison'),
    filters: { JSON: ['json'] },
  };
  await ui.saveText(dialog, comparisonJson(shown.comparison));
}

async function saveRedirects({ ui, comparisons }: ComparePorts): Promise<void> {
  const { translate: t } = ui;
  const { shown } = comparisons;
  if (!shown) {
    sayNone(ui);
    return;
  }
  const redirects = redirectsOf(shown.comparison);
  if (redirects.length === 0) {
    void ui.inform(t('This comparison needs no redirects.'));
    return;
  }
  const dialog = {
    title: t('Save Redirects'),
    defaultPath: besideOf(shown, 'redirects'),
    filters: { JSON: ['json'] },
  };
  await ui.saveText(dialog, redirectsJson(redirects));
}

function sayNone(ui: WindowUi): void {
  void ui.inform(ui.translate('Compare two bundles first.'));
}

/** Returns the path of a new file next to the folder of the later side. */
function besideOf({ after }: ComparedBundles, what: string): string {
  const { dir, base } = path.parse(after.folder);
  return path.join(dir, `${base}-${what}.json`);
}

function resultOf({ before, counts }: BundleComparison): NewResult<'diff'> {
  return {
    against: before.name,
    added: counts.addedPages,
    removed: counts.removedPages,
    moved: counts.movedPages,
    changed: counts.changedPages,
    brokenLinks: counts.brokenLinks,
    mendedLinks: counts.mendedLinks,
  };
}
