/** `docs-assistant bundle check`: *Check Bundle* on the command line. Writes reports with `node:fs`. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../common/clock';
import type { Translate } from '../../common/errors';
import { checkInWorker } from '../../export/check/checkInWorker';
import { findingsByFile } from '../../export/check/findingsByFile';
import { reportJson, reportMarkdown, verdict } from '../../export/check/report';
import type { BundleReport } from '../../export/check/reportTypes';
import { writeError } from '../../export/exportErrors';
import { CommandReporter, MAX_IN_EVENT, MAX_PRINTED } from '../commandReporter';
import { type CliContext, exitCodes } from '../context';
import { stderrLog } from '../stderrLog';
import { openBundleFolder } from './bundleFolder';
import { type FailureKind, failuresOf, parseFailOn } from './failOn';

/** Options of the command, as the parser of arguments returns them. */
export interface CheckCommandOptions {
  readonly failOn?: string;
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
  const isJson = options.json === true;
  const reporter = new CommandReporter(context, { isJson, clock: systemClock });
  try {
    const failOn = parseFailOn(options.failOn, context.t);
    const bundle = await openBundleFolder(named, {
      ...{ ...context, log: stderrLog(undefined) },
      onProgress: (sentence) => reporter.note(sentence),
    });
    try {
      const report = await checkFolder(bundle.folder, bundle.label, reporter, context);
      await saveReport(report, options, context);
      return tellReport(report, failOn, reporter, context.t);
    } finally {
      await bundle.close();
    }
  } catch (error) {
    return await reporter.fail(error);
  }
}

/** Checks a folder in a worker thread, and reports the progress. */
export async function checkFolder(
  folder: string,
  label: string,
  reporter: CommandReporter,
  { distFolder, signal, t }: Pick<CliContext, 'distFolder' | 'signal' | 't'>,
): Promise<BundleReport> {
  return checkInWorker({
    ...{ script: path.join(distFolder, 'checkBundle.js'), root: folder, signal },
    onProgress: ({ pages, totalPages }) =>
      reporter.progress(
        'check',
        { event: 'checking', pages, totalPages },
        t('Checking {0}: {1} of {2} pages…', label, pages, totalPages),
        { isBrief: true },
      ),
  });
}

/** Prints a report. @returns the exit code. */
export function tellReport(
  report: BundleReport,
  failOn: readonly FailureKind[],
  reporter: CommandReporter,
  t: Translate,
): number {
  const failed = failuresOf(report, failOn);
  const lines = findingLines(report, t);
  const left = lines.length - MAX_PRINTED;
  reporter.tell(
    {
      ...{ event: 'checked', failed },
      report: {
        ...report,
        broken: report.broken.slice(0, MAX_IN_EVENT),
        outsideFetches: report.outsideFetches.slice(0, MAX_IN_EVENT),
      },
    },
    ...lines.slice(0, MAX_PRINTED),
    ...(left > 0 ? [t('… and {0} more. --report saves them all.', left)] : []),
    verdict(report, t),
    ...(failed.length > 0 ? [t('Failed because of --fail-on: {0}', failed.join(', '))] : []),
  );
  return failed.length > 0 ? exitCodes.checkFailed : exitCodes.ok;
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

async function saveReport(
  report: BundleReport,
  { report: json, markdown }: CheckCommandOptions,
  { cwd, t }: CliContext,
): Promise<void> {
  const save = async (file: string | undefined, text: () => string): Promise<void> => {
    if (file === undefined) return;
    const target = path.resolve(cwd, file);
    await writeFile(target, text()).catch((error: unknown) => {
      throw writeError(error, target);
    });
  };
  await save(json, () => reportJson(report));
  await save(markdown, () => reportMarkdown(report, t));
}
