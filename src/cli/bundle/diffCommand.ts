/** `docs-assistant bundle diff`: *Compare Bundles…* on the command line. */
import path from 'node:path';
import type { Translate } from '../../common/errors';
import { reasonText } from '../../export/check/report';
import { compareInWorker, comparePercent } from '../../export/compare/compareInWorker';
import {
  type BundleComparison,
  type ComparedLink,
  differenceCount,
  type DifferenceKind,
  differenceKinds,
  redirectsOf,
} from '../../export/compare/comparison';
import { comparisonDocument, comparisonJson } from '../../export/compare/comparisonDocument';
import { differencesText, comparisonNoteText } from '../../export/compare/comparisonTexts';
import { redirectsJson } from '../../export/hosting/redirects';
import { type CommandReporter, MAX_IN_EVENT, runReported } from '../commandReporter';
import type { CliContext } from '../context';
import { ReportFiles } from '../reportFile';
import { type BundleFolder, openBundleFolder } from './bundleFolder';
import { parseKinds } from './failOn';

/** Options of the command, as the parser of arguments returns them. */
export interface DiffOptions {
  readonly failOn?: string;
  /** Files for the comparison, as JSON and as Markdown, and for the redirects. */
  readonly report?: string;
  readonly markdown?: string;
  readonly redirects?: string;
  readonly json?: boolean;
}

/** Compares two bundles. @returns the exit code. Failures have been reported then. */
export async function runDiff(
  before: string,
  after: string,
  options: DiffOptions,
  context: CliContext,
): Promise<number> {
  return runReported(context, options, async (reporter, atEnd) => {
    const failOn = parseKinds(options.failOn, differenceKinds, [], context.t);
    const files = new ReportFiles(context);
    atEnd(() => files.release());
    const report = await files.reserve(options.report);
    const markdown = await files.reserve(options.markdown);
    const redirects = await files.reserve(options.redirects);
    const open = async (named: string): Promise<BundleFolder> => {
      const bundle = await openBundleFolder(named, reporter, context);
      atEnd(bundle.close);
      return bundle;
    };
    const comparison = await compareFolders(await open(before), await open(after), {
      reporter,
      context,
    });
    await report?.write(comparisonJson(comparison));
    await markdown?.write(comparisonDocument(comparison, context.t));
    await redirects?.write(redirectsJson(redirectsOf(comparison)));
    return tellComparison(comparison, failOn, reporter, context.t);
  });
}

/** Compares two folders in a worker thread, and reports the progress. */
async function compareFolders(
  before: Pick<BundleFolder, 'folder' | 'label'>,
  after: Pick<BundleFolder, 'folder' | 'label'>,
  {
    reporter,
    context: { distFolder, signal, t },
  }: {
    readonly reporter: CommandReporter;
    readonly context: Pick<CliContext, 'distFolder' | 'signal' | 't'>;
  },
): Promise<BundleComparison> {
  return compareInWorker({
    script: path.join(distFolder, 'compareBundles.js'),
    signal,
    before: { root: before.folder, name: before.label },
    after: { root: after.folder, name: after.label },
    onProgress: (progress) => {
      const percent = Math.floor(comparePercent(progress));
      const sentence = t('Comparing {0} with {1}: {2} %…', after.label, before.label, percent);
      reporter.progress('compare', { event: 'comparing', ...progress, percent }, sentence);
    },
  });
}

/** Prints a comparison. @returns the exit code. */
function tellComparison(
  comparison: BundleComparison,
  failOn: readonly DifferenceKind[],
  reporter: CommandReporter,
  t: Translate,
): number {
  const failed = failOn.filter((kind) => differenceCount(comparison, kind) > 0);
  return reporter.tellFindings(
    { event: 'compared', failed, comparison: shortened(comparison) },
    differenceLines(comparison, t),
    ...comparison.notes.map((note) => comparisonNoteText(note, comparison, t)),
    differencesText(comparison, t),
  );
}

/** Returns the differences, the most important first. The letters are those of `git status`. */
function differenceLines(comparison: BundleComparison, t: Translate): string[] {
  const { pages, assets, links, lostAddresses } = comparison;
  const quote = (text: string): string => `“${text}”`;
  const linkLine = (severity: string, link: ComparedLink): string =>
    `${link.file}:${link.line}:${link.column}: ${severity}: ${quote(link.address)}: ${reasonText(link, t, quote)}`;
  const changeOf = ({ change, addedLines, removedLines }: (typeof pages.changed)[number]) =>
    change === 'links' ? t('only links') : `+${addedLines} −${removedLines}`;
  return [
    ...links.broken.map((link) => linkLine(t('link broke'), link)),
    ...lostAddresses.map(({ address, redirect }) =>
      redirect
        ? `${t('lost URL')}: ${address} → ${redirect.to} (${redirect.status})`
        : `${t('lost URL')}: ${address}: ${t('no good target')}`,
    ),
    ...links.mended.map((link) => linkLine(t('link fixed'), link)),
    ...pages.changed.map((page) => `M ${page.after} (${changeOf(page)})`),
    ...pages.moved.map(
      ({ before, after, similarity }) => `R${Math.round(similarity * 100)} ${before} → ${after}`,
    ),
    ...pages.removed.map((page) => `D ${page.path}`),
    ...pages.added.map((page) => `A ${page.path}`),
    ...assets.changed.map((asset) => `M ${asset.after}`),
    ...assets.removed.map((asset) => `D ${asset.path}`),
    ...assets.added.map((asset) => `A ${asset.path}`),
  ];
}

/**
 * Returns a comparison with short lists and without excerpts, so that its event fits into a log.
 */
function shortened(comparison: BundleComparison): BundleComparison {
  const cut = <Item>(items: readonly Item[]): Item[] => items.slice(0, MAX_IN_EVENT);
  const { pages, assets, links, lostAddresses } = comparison;
  return {
    ...comparison,
    pages: {
      added: cut(pages.added),
      removed: cut(pages.removed),
      moved: cut(pages.moved).map(({ excerpt: _excerpt, ...page }) => page),
      changed: cut(pages.changed).map(({ excerpt: _excerpt, ...page }) => page),
      restyled: cut(pages.restyled),
    },
    assets: {
      added: cut(assets.added),
      removed: cut(assets.removed),
      changed: cut(assets.changed),
    },
    links: { broken: cut(links.broken), mended: cut(links.mended) },
    lostAddresses: cut(lostAddresses),
  };
}
