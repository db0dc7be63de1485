/** The commands of `docs-assistant export`. Each reports its failures and returns its exit code. */
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { hostOf } from '../../common/http/responseErrors';
import { newLinkText } from '../../export/commands/texts';
import { pathForDownload } from '../../export/download/bundleDownload';
import { isExpired, type BundleLink } from '../../export/download/bundleLink';
import { ExportError } from '../../export/exportErrors';
import { newRecord } from '../../export/job/jobState';
import { bundlesFolder, openBundleFolder } from '../bundle/bundleFolder';
import { checkFolder, tellReport } from '../bundle/checkCommand';
import { type FailureOptions, parseFailOn } from '../bundle/failOn';
import { CliError, type CliContext, exitCodes } from '../context';
import { shownPath } from '../places';
import { checkPlaceOfFile, writePrivateFile } from '../../export/replaceFile';
import { namedTwice, ReportFile } from '../reportFile';
import { type ExportSession, inSession } from './exportSession';
import { downloadTo, makeLink } from './exportDownload';
import { named, startOrTakeUp, tellCompleted, watchToEnd } from './exportSteps';
import {
  type ExportOptions,
  namedDomain,
  namedJob,
  namedExportTarget,
  type ExportStartOptions,
} from './exportTarget';
import type { KeptJob } from './keptJobs';

/** Options of `export link`. */
export interface LinkOptions extends ExportOptions {
  readonly output?: string;
  readonly print?: boolean;
}

/** Options of `export download`. */
export interface ExportDownloadOptions extends ExportOptions {
  readonly output?: string;
}

/** Options of `export run`. */
export interface ExportRunOptions extends ExportStartOptions, FailureOptions {
  readonly output?: string;
  readonly linkFile?: string;
}

/** Starts a job, or prints that the same one is already running. */
export function runStart(options: ExportStartOptions, context: CliContext): Promise<number> {
  return inSession(options, context, async (session) => {
    const target = namedExportTarget(options, session.endpoint, context);
    await startOrTakeUp(session, target, { isNew: options.new === true });
    return exitCodes.ok;
  });
}

/** Watches a job until it ends. */
export function runWatch(
  jobId: string | undefined,
  options: ExportOptions,
  context: CliContext,
): Promise<number> {
  return inSession(options, context, async (session) => {
    await watchToEnd(session, await namedOrNewest(session, jobId, options));
    return exitCodes.ok;
  });
}

/**
 * Makes a link to the bundle of a completed job, and writes it to a file or, with `--print`, to
 * stdout.
 */
export function runLink(
  jobId: string | undefined,
  options: LinkOptions,
  context: CliContext,
): Promise<number> {
  return inSession(options, context, async (session) => {
    const { output, print = false } = options;
    if (output === undefined && !print) {
      throw new CliError(
        exitCodes.usage,
        context.t(
          'Anyone with the link can read the bundle. Save the link to a file with --output, or print it with --print.',
        ),
      );
    }
    if (output !== undefined) await checkNewFile(path.resolve(context.cwd, output));
    const job = await namedOrNewest(session, jobId, options);
    const link = await makeLink(session, job);
    await handOver(session, job, link, { file: output, isPrinted: print });
    return exitCodes.ok;
  });
}

/** Downloads the bundle of a completed job. */
export function runDownload(
  jobId: string | undefined,
  { output, ...options }: ExportDownloadOptions,
  context: CliContext,
): Promise<number> {
  return inSession(options, context, async (session) => {
    const job = await namedOrNewest(session, jobId, options);
    const target = outputOf(output, job.record.exportDomain, context);
    await checkNewFile(target);
    await downloadTo(session, job, target);
    return exitCodes.ok;
  });
}

/** Starts a job, watches it, downloads its bundle and checks the bundle. */
export function runExport(options: ExportRunOptions, context: CliContext): Promise<number> {
  return inSession(options, context, async (session) => {
    const { jobs, reporter } = session;
    const failOn = parseFailOn(options, context.t);
    const target = namedExportTarget(options, session.endpoint, context);
    const { exportDomain } = target;
    const { linkFile } = options;
    const linkPlace = linkFile === undefined ? undefined : path.resolve(context.cwd, linkFile);
    if (linkPlace !== undefined) await checkNewFile(linkPlace);
    // The check unpacks the bundle there.
    await bundlesFolder(context.env, context.t);
    const begun = await startOrTakeUp(session, target, {
      isNew: options.new === true,
      outputFor: async (earlier) => {
        const isKept = options.output === undefined && earlier !== undefined;
        const output = isKept ? earlier : outputOf(options.output, exportDomain, context);
        if (output === linkPlace) throw namedTwice(shownPath(output, context.cwd), context.t);
        await checkNewFile(output);
        return output;
      },
    });
    const isComplete = begun.record.outcome === 'completed';
    const job = isComplete ? tellCompleted(session, begun) : await watchToEnd(session, begun);
    // Another command can have continued the same job with another path in the meantime.
    const output = begun.run?.output ?? outputOf(options.output, exportDomain, context);
    const { archive, link } = await downloadTo(session, job, output);
    if (options.linkFile !== undefined) {
      const isFresh = link !== undefined && !isExpired(link, session.clock.now());
      const current = isFresh ? link : await makeLink(session, job);
      await handOver(session, job, current, { file: options.linkFile, isPrinted: false });
    }
    const bundle = await openBundleFolder(
      archive.path,
      reporter,
      { ...context, signal: session.signal },
      session.log,
    );
    try {
      const report = await checkFolder(bundle.folder, bundle.label, reporter, {
        ...context,
        signal: session.signal,
        isAirGapped: options.airGapped === true,
      });
      const exitCode = tellReport(report, failOn, reporter, context.t);
      // The run is complete, so the same command starts a new one next time.
      await jobs.change(job, (kept) =>
        kept.run?.output === output ? { record: kept.record } : kept,
      );
      return exitCode;
    } finally {
      await bundle.close();
    }
  });
}

/**
 * Returns the job with this ID. Without an ID, returns the newest stored job at this API, of the
 * named site if there is one.
 * @throws {CliError} if no such job is stored.
 */
async function namedOrNewest(
  { clock, context, endpoint, jobs, newId }: ExportSession,
  text: string | undefined,
  options: ExportOptions,
): Promise<KeptJob> {
  const exportDomain = namedDomain(options, context);
  const kept = (await jobs.list()).filter(({ record }) => record.apiUrl === endpoint.url);
  if (text !== undefined) {
    const jobId = namedJob(text, context);
    const known = kept.find(({ record }) => record.jobId === jobId);
    // A job of another machine or of VS Code, of which only the ID is known, has it in place of the site.
    if (known) {
      return jobs.change(known, (job) =>
        exportDomain === undefined || job.record.exportDomain !== jobId
          ? job
          : { ...job, record: { ...job.record, exportDomain } },
      );
    }
    const target = { apiUrl: endpoint.url, exportDomain: exportDomain ?? jobId };
    return { record: newRecord(newId(), target, { jobId, leftOut: [] }, clock.now()) };
  }
  const newest = kept.find(({ record }) => {
    const isGone = record.errorCode === 'unknown-job';
    return !isGone && (exportDomain === undefined || record.exportDomain === exportDomain);
  });
  if (newest) return newest;
  const host = hostOf(endpoint.url) ?? endpoint.url;
  throw new CliError(
    exitCodes.notFound,
    context.t(
      'No job at {0} was started on this machine. Add the ID of the job to the command.',
      host,
    ),
  );
}

/** Writes a link to the file or the stream that the options name, and prints when it expires. */
async function handOver(
  { clock, context, reporter }: ExportSession,
  job: KeptJob,
  link: BundleLink,
  { file, isPrinted }: { readonly file: string | undefined; readonly isPrinted: boolean },
): Promise<void> {
  const { cwd, t } = context;
  const { url, expiresAt, sizeBytes } = link;
  const target = file === undefined ? undefined : path.resolve(cwd, file);
  if (target !== undefined) await writePrivateFile(target, `${url}\n`);
  const left = newLinkText(link, clock.now(), t);
  const event = {
    event: 'link' as const,
    ...named(job),
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
    sizeBytes,
    file: target,
  };
  // A script that asks for the link must get only the link.
  if (isPrinted) reporter.tell({ ...event, url }, url);
  else if (target === undefined) reporter.tell(event);
  else reporter.tell(event, t('Wrote the link to {0}. {1}', shownPath(target, cwd), left));
}

/**
 * Tries to create a file. Nothing stays behind.
 * @param file absolute path.
 * @throws {ExportError} `not-writable`, also for a device or a pipe: a file would take its place; `disk-full`.
 */
async function checkNewFile(file: string): Promise<void> {
  await checkPlaceOfFile(file);
  await ReportFile.check(file);
}

/** Returns the absolute path of the archive. @throws {ExportError} if it is a folder's name. */
function outputOf(output: string | undefined, exportDomain: string, { cwd }: CliContext): string {
  if (output === undefined) return pathForDownload(cwd, exportDomain, new Date(systemClock.now()));
  const target = path.resolve(cwd, output);
  if (/[/\\]$/.test(output))
    throw new ExportError('not-writable', { path: output, causeCode: 'EISDIR' });
  return target;
}
