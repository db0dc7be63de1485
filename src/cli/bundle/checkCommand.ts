/** `docs-assistant bundle check`: *Check Bundle* on the command line. */
import path from 'node:path';
import type { Translate } from '../../common/errors';
import { checkInWorker } from '../../export/check/checkInWorker';
import { findingsByFile } from '../../export/check/findingsByFile';
import { reportJson, reportMarkdown, verdict } from '../../export/check/report';
import type { BundleReport } from '../../export/check/reportTypes';
import { type CommandReporter, MAX_IN_EVENT, runReported } from '../commandReporter';
import type { CliContext } from '../context';
import { ReportFiles } from '../reportFile';
import { openBundleFolder } from './bundleFolder';
import { type FailureKind, type FailureOptions, failuresOf, parseFailOn } from './failOn';

/** Options of the command, as the parser of arguments returns them. */
export interface CheckCommandOptions extends FailureOptions {
  /** Files for the report, as JSON and as Markdown. */
  readonly report?: string;
  readonly markdown?: string;
  readonly json?: boolean;
}

/** Checks a bundle. @returns the exit code. Failures have been reported then. */
export async function runCheck(
  named: string,
  options: CheckCommandOptions,
  context: CliContext,
): Promise<number> {
  return runReported(context, options, async (reporter, atEnd) => {
    const failOn = parseFailOn(options, context.t);
    const files = new ReportFiles(context);
    atEnd(() => files.release());
    const json = await files.reserve(options.report);
    const markdown = await files.reserve(options.markdown);
    const bundle = await openBundleFolder(named, reporter, context);
    atEnd(bundle.close);
    const report = await checkFolder(bundle.folder, bundle.label, reporter, {
      ...context,
      isAirGapped: options.airGapped === true,
    });
    await json?.write(reportJson(report));
    await markdown?.write(reportMarkdown(report, context.t));
    return tellReport(report, failOn, reporter, context.t);
  });
}

/** Checks a folder in a worker thread, and reports the progress. */
export async function checkFolder(
  folder: string,
  label: string,
  reporter: CommandReporter,
  {
    distFolder,
    signal,
    t,
    isAirGapped,
  }: Pick<CliContext, 'distFolder' | 'signal' | 't'> & { readonly isAirGapped: boolean },
): Promise<BundleReport> {
  const report = await checkInWorker({
    script: path.join(distFolder, 'checkBundle.js'),
    root: folder,
    signal,
    onProgress: ({ pages, totalPages }) =>
      reporter.progress(
        'check',
        { event: 'checking', pages, totalPages },
        t('Checking {0}: {1} of {2} pages…', label, pages, totalPages),
        { isBrief: true },
      ),
  });
  return isAirGapped ? { ...report, isAirGapped } : report;
}

/** Prints a report. @returns the exit code. */
export function tellReport(
  report: BundleReport,
  failOn: readonly FailureKind[],
  reporter: CommandReporter,
  t: Translate,
): number {
  return reporter.tellFindings(
    {
      event: 'checked',
      failed: failuresOf(report, failOn),
      report: {
        ...report,
        broken: report.broken.slice(0, MAX_IN_EVENT),
        outsideFetches: report.outsideFetches.slice(0, MAX_IN_EVENT),
      },
    },
    findingLines(report, t),
    verdict(report, t),
  );
}

/** Returns the findings in the form of compiler errors, which editors and CI turn into links. */
function findingLines(report: BundleReport, t: Translate): string[] {
  const severities = {
    error: t('error'),
    warning: t('warning'),
    information: t('note'),
  };
  return [...findingsByFile(report, t)].flatMap(([file, findings]) =>
    findings.map(
      ({ line, column, severity, message }) =>
        `${file}:${line}:${column}: ${severities[severity]}: ${message}`,
    ),
  );
}
