/**
 * The steps of an export: start or continue a job, watch it, get its link, and download its bundle.
 */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ReportedError, Translate } from '../../common/errors';
import { hostOf } from '../../common/http/responseErrors';
import { downloadText, joined, progressLine } from '../../export/commands/texts';
import { downloadBundle } from '../../export/download/bundleDownload';
import type { BundleLink } from '../../export/download/bundleLink';
import { ExportError } from '../../export/exportErrors';
import type { JobAnswer } from '../../export/job/answers';
import { requestBundle } from '../../export/job/client';
import type { ExportTarget } from '../../export/job/exports';
import { JobPace } from '../../export/job/jobPace';
import { type JobEvent, newRecord, nextPhase, phaseOf, withPhase } from '../../export/job/jobState';
import { watchJob } from '../../export/job/jobWatcher';
import { type DownloadedArchive, type ExportRecord, withLink } from '../../export/job/record';
import { durationText, numberText, sizeText } from '../../shared/units';
import { CliError, exitCodes, Interrupted } from '../context';
import { shownPath } from '../places';
import { type ExportSession, patiently, tellWaiting } from './exportSession';
import type { KeptJob } from './keptJobs';

/**
 * Age up to which an unfinished `export run` continues a job that has completed. The site may have
 * changed since an older job.
 */
const GOES_ON_MS = 2 * 60 * 60 * 1000;

export interface StartChoice {
  /** Whether to start a new job even if the same one is running. */
  readonly isNew: boolean;
  /**
   * Returns the path of the archive, from the path that an earlier run chose. Only `export run`
   * sets it.
   */
  readonly outputFor?: (earlier: string | undefined) => string;
}

/**
 * Continues the job that the same command started before, or starts a job. If two commands run at
 * the same time, the second continues the job of the first.
 * @throws {ExportError} the errors of `ExportClient.startJob`.
 */
export async function startOrTakeUp(
  session: ExportSession,
  target: ExportTarget,
  choice: StartChoice,
): Promise<KeptJob> {
  const { jobs, signal } = session;
  const name = createHash('sha256').update(targetKey(target)).digest('hex').slice(0, 24);
  return jobs.alone(name, signal, async () => {
    const found = choice.isNew ? undefined : await findUnfinished(session, target, choice);
    return found ? takeUp(session, found, choice) : startNew(session, target, choice);
  });
}

function targetKey({ apiUrl, exportDomain, label, paths = [] }: ExportTarget): string {
  return JSON.stringify([apiUrl, exportDomain, label, paths]);
}

/**
 * Returns a job of the same command that can still be continued, after asking the service for its
 * state.
 */
async function findUnfinished(
  session: ExportSession,
  target: ExportTarget,
  { outputFor }: StartChoice,
): Promise<KeptJob | undefined> {
  const { clock, jobs } = session;
  const same = (await jobs.list()).filter(({ record }) => targetKey(record) === targetKey(target));
  for (const job of same) {
    const current = isOpen(job.record) ? await refreshed(session, job) : job;
    const { outcome, endedAt = 0 } = current.record;
    const isUnfinishedRun = outputFor !== undefined && current.run !== undefined;
    // A clock that was set back makes the end of an old job one of the future.
    const isFresh = Math.abs(clock.now() - endedAt) < GOES_ON_MS;
    if (isOpen(current.record)) return current;
    if (outcome === 'completed' && isUnfinishedRun && isFresh) return current;
  }
  return undefined;
}

/** Returns whether the job may still be running, judging by its record. */
function isOpen({ outcome, errorCode }: ExportRecord): boolean {
  return outcome === 'running' || (outcome === 'unwatchable' && errorCode !== 'unknown-job');
}

/** Asks the service once for a job's state. A temporary failure leaves the job unchanged. */
async function refreshed(session: ExportSession, job: KeptJob): Promise<KeptJob> {
  const { client, clock, endpoint, jobs, signal } = session;
  const { jobId } = job.record;
  try {
    const answer = await client.jobStatus(endpoint, jobId, signal);
    return await jobs.change(job, after({ name: 'answered', answer, at: clock.now() }));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ExportError)) return job;
    if (error.code === 'export-rate-limited' || error.code === 'bad-answer') return job;
    if (error.code !== 'unknown-job') throw error;
    return jobs.change(job, after(refusal(error, clock.now())));
  }
}

/** Returns a change that moves a job to its next phase. */
function after(event: JobEvent): (job: KeptJob) => KeptJob {
  return (job) => {
    const before = phaseOf(job.record);
    const open =
      before.name === 'unwatchable' ? nextPhase(before, { name: 'watched-again' }) : before;
    return { ...job, record: withPhase(job.record, nextPhase(open, event)) };
  };
}

function refusal({ code, details }: ReportedError, at: number): JobEvent {
  const { serviceMessage } = details;
  return {
    ...{ name: 'refused', errorCode: code, at },
    ...(serviceMessage === undefined ? {} : { errorMessage: serviceMessage }),
  };
}

async function takeUp(
  { context: { t }, clock, jobs, reporter }: ExportSession,
  found: KeptJob,
  { outputFor }: StartChoice,
): Promise<KeptJob> {
  const job = await jobs.change(found, (kept) => withRun(kept, outputFor?.(kept.run?.output)));
  const { apiUrl, startedAt } = job.record;
  reporter.tell(
    { event: 'taken-up', ...named(job), apiUrl, startedAt: new Date(startedAt) },
    t(
      'Continuing the export of {0} that started {1} ago (job {2}). Add --new to start another one.',
      job.record.exportDomain,
      durationText(clock.now() - startedAt, t),
      job.record.jobId,
    ),
  );
  tellLeftOut(job, t, reporter);
  return job;
}

async function startNew(
  session: ExportSession,
  target: ExportTarget,
  { outputFor }: StartChoice,
): Promise<KeptJob> {
  const { client, clock, context, endpoint, jobs, reporter, signal } = session;
  const { t } = context;
  const { apiUrl, exportDomain, label, paths } = target;
  const started = await patiently(session, () =>
    client.startJob(endpoint, exportDomain, target, signal),
  );
  const record = newRecord(randomUUID(), target, started, clock.now());
  const job = withRun({ record }, outputFor?.(undefined));
  await jobs.save(job);
  const { leftOut } = record;
  reporter.tell(
    { event: 'started', ...named(job), apiUrl, label, paths, leftOut },
    t('Started the export of {0} (job {1}).', exportDomain, record.jobId),
  );
  tellLeftOut(job, t, reporter);
  return job;
}

function withRun(job: KeptJob, output: string | undefined): KeptJob {
  return output === undefined ? job : { ...job, run: { output } };
}

function tellLeftOut(
  { record: { apiUrl, leftOut = [] } }: KeptJob,
  t: Translate,
  reporter: ExportSession['reporter'],
): void {
  if (leftOut.length === 0) return;
  const host = hostOf(apiUrl) ?? apiUrl;
  const options = leftOut.map((name) => (name === 'label' ? '--label' : '--path')).join(', ');
  const sentence = leftOut.includes('paths')
    ? t('{0} doesn’t accept {1}, so the whole site is exported.', host, options)
    : t('{0} doesn’t accept {1}, so the option has no effect.', host, options);
  reporter.warn(undefined, sentence);
}

/** Returns the fields that identify a job in events. */
export function named({ record }: KeptJob): { readonly job: string; readonly domain: string } {
  return { job: record.jobId, domain: record.exportDomain };
}

/**
 * Watches a job until it completes. If the watch ends earlier, the job keeps running, and the user
 * is told how to continue it.
 * @throws {ExportError} `job-failed`, and failures that only the user can fix.
 * @throws {CliError} if the command times out.
 */
export async function watchToEnd(session: ExportSession, watched: KeptJob): Promise<KeptJob> {
  let job = watched;
  /** Failure of the last request. Undefined if the request succeeded. */
  let waitingFor: unknown;
  try {
    const { client, clock, endpoint, jobs, random, reporter, signal, deadline } = session;
    const { jobId } = job.record;
    const ask = (): Promise<JobAnswer> => client.jobStatus(endpoint, jobId, signal);
    const pace = new JobPace();
    let isStalled = false;
    for await (const report of watchJob({ ask, clock, random, signal })) {
      const at = clock.now();
      switch (report.name) {
        case 'answered': {
          waitingFor = undefined;
          const { answer, quietSince } = report;
          job = await jobs.change(job, after({ name: 'answered', answer, at }));
          if (answer.outcome === 'completed') return tellCompleted(session, job);
          if (answer.outcome === 'failed') throw failureOfJob(session, job, answer);
          tellProgress(session, job, answer, pace);
          if (quietSince !== undefined && !isStalled) {
            const sentence = session.context.t('The job hasn’t changed for a long time.');
            const since = new Date(quietSince);
            reporter.warn({ event: 'stalled', ...named(job), since }, sentence);
          }
          isStalled = quietSince !== undefined;
          break;
        }
        case 'waiting':
          waitingFor = report.error;
          // The service asks for a wait beyond the deadline of the command.
          if (report.until > deadline) throw report.error;
          await tellWaiting(session, report.error, report.until);
          break;
        case 'refused':
          job = await jobs.change(job, after(refusal(report.error, at)));
          throw report.error;
        default:
          report satisfies never;
      }
    }
    throw new Error('The watch ended without a result');
  } catch (error) {
    if (!isEndOfJob(error)) tellDetached(session, job);
    throw watchError(session, job, error, waitingFor);
  }
}

/** Returns whether an error means that the job has ended or no longer exists. */
function isEndOfJob(error: unknown): boolean {
  return error instanceof ExportError && ['job-failed', 'unknown-job'].includes(error.code);
}

/**
 * Returns the error that ends the command. After a timeout, that is the failure it was waiting out.
 */
function watchError(
  { context: { signal, t } }: ExportSession,
  { record }: KeptJob,
  error: unknown,
  waitingFor: unknown,
): unknown {
  const isOver = error instanceof CliError && error.exitCode === exitCodes.timedOut;
  if (signal.aborted || !isOver) return error;
  if (waitingFor !== undefined) return waitingFor;
  const message = t(
    'The command timed out while the export of {0} was still running.',
    record.exportDomain,
  );
  return new CliError(exitCodes.timedOut, message);
}

function failureOfJob(
  { endpoint }: ExportSession,
  { record: { exportDomain } }: KeptJob,
  { serviceMessage }: JobAnswer,
): ExportError {
  return new ExportError('job-failed', {
    exportDomain,
    serviceMessage,
    host: hostOf(endpoint.url),
  });
}

/** Prints a line about the end of a job. @returns the job. */
export function tellCompleted(
  { clock, context: { t }, reporter }: ExportSession,
  job: KeptJob,
): KeptJob {
  const { exportDomain, pages, startedAt, endedAt = clock.now() } = job.record;
  const time = durationText(endedAt - startedAt, t);
  reporter.tell(
    { event: 'completed', ...named(job), pages },
    pages === undefined
      ? t('The export of {0} completed after {1}.', exportDomain, time)
      : pages === 1
        ? t('The export of {0} completed after {1}: 1 page.', exportDomain, time)
        : t('The export of {0} completed after {1}: {2} pages.', exportDomain, time, pages),
  );
  return job;
}

function tellProgress(
  { clock, context: { t }, reporter }: ExportSession,
  job: KeptJob,
  answer: JobAnswer,
  measured: JobPace,
): void {
  const { record } = job;
  const phase = phaseOf(record);
  const { totalPages } = answer;
  const { pages, status, peakPercent: percent } = record;
  measured.add({ at: clock.now(), pages, totalPages, percent });
  const { leftMs, pagesPerSecond } = measured.pace;
  const view = {
    ...{ record, watch: { name: 'watching' } as const },
    ...(totalPages === undefined ? {} : { totalPages }),
    ...(percent === undefined ? {} : { percent }),
  };
  const sentence = joined([
    `${record.exportDomain}: ${progressLine(view, clock.now(), t)}`,
    pagesPerSecond === undefined ? undefined : t('{0} pages/s', numberText(pagesPerSecond)),
    leftMs === undefined ? undefined : t('{0} left', durationText(leftMs + 999, t)),
  ]);
  reporter.progress(
    `job:${phase.status ?? ''}`,
    {
      ...{ event: 'progress', ...named(job), status, pages, totalPages, percent },
      ...(pagesPerSecond === undefined
        ? {}
        : { pagesPerSecond: Math.round(pagesPerSecond * 10) / 10 }),
      ...(leftMs === undefined ? {} : { secondsLeft: Math.ceil(leftMs / 1000) }),
    },
    sentence,
  );
}

/** Prints how to continue the job, which keeps running without this command. */
export function tellDetached(
  { context: { signal, t }, endpoint, reporter }: ExportSession,
  job: KeptJob,
): void {
  // The program that read the output has ended, so nobody would see the message.
  if (signal.reason instanceof Interrupted && signal.reason.exitCode === 0) return;
  const { jobId } = job.record;
  const id = /^[\w.-]+$/.test(jobId) ? jobId : `'${jobId.replaceAll("'", String.raw`'\''`)}'`;
  const command = `docs-assistant export watch ${id} --api-url ${endpoint.url}`;
  reporter.warn(
    { event: 'detached', ...named(job), command },
    job.run
      ? t(
          'The job keeps running at {0}. Run the same command again to continue.',
          hostOf(endpoint.url) ?? '',
        )
      : t('The job keeps running at {0}. To continue: {1}', hostOf(endpoint.url) ?? '', command),
  );
}

/** Generates a link to the bundle of a completed job. */
export async function makeLink(
  session: ExportSession,
  job: KeptJob,
  signal = session.signal,
): Promise<BundleLink> {
  const { endpoint, jobs } = session;
  const { jobId } = job.record;
  const link = await patiently(session, () => requestBundle(session, endpoint, jobId, signal));
  await jobs.change(job, (kept) => ({ ...kept, record: withLink(kept.record, link) }));
  return link;
}

/** A downloaded bundle. The link is absent if the file had been downloaded before. */
export interface Download {
  readonly archive: DownloadedArchive;
  readonly link?: BundleLink;
}

/**
 * Downloads the bundle of a completed job. A download that was interrupted or killed continues
 * where it stopped, and a complete one is not repeated.
 * @param output absolute path of the archive. An existing file is replaced when the download is
 * complete.
 */
export async function downloadTo(
  session: ExportSession,
  job: KeptJob,
  output: string,
): Promise<Download> {
  const { clock, context, fetch, jobs, log, random, reporter, signal, timeouts } = session;
  const { t } = context;
  const known = job.record.archive;
  if (known?.path === output && (await isUnchanged(known))) {
    tellDownloaded(session, known);
    return { archive: known };
  }
  let link = await makeLink(session, job);
  const archive = await patiently(session, () =>
    downloadBundle({
      ...{ target: output, overwrite: true, keepsPart: true },
      ...{ fetch, clock, log, random, timeouts, signal },
      hashScript: path.join(context.distFolder, 'hashArchive.js'),
      link: {
        get current() {
          return link;
        },
        renew: async (stop) => (link = await makeLink(session, job, stop)),
      },
      onProgress: (progress) => {
        const { message, percent } = downloadText(progress, t);
        const { bytesPerSecond, receivedBytes, state, totalBytes } = progress;
        const leftMs =
          totalBytes === undefined || bytesPerSecond <= 0
            ? undefined
            : ((totalBytes - receivedBytes) / bytesPerSecond) * 1000;
        reporter.progress(
          `download:${state}`,
          { event: 'downloading', ...progress },
          joined([
            t('Downloading: {0}', message),
            percent === undefined ? undefined : t('{0} %', Math.floor(percent)),
            leftMs === undefined ? undefined : t('{0} left', durationText(leftMs + 999, t)),
          ]),
          { isBrief: state !== 'waiting' },
        );
      },
    }),
  ).catch((error: unknown) => {
    if (signal.aborted) {
      const sentence = t('The downloaded part is kept. Run the same command again to continue.');
      reporter.warn(undefined, sentence);
    }
    throw error;
  });
  await jobs.change(job, (kept) => ({ ...kept, record: { ...kept.record, archive } }));
  tellDownloaded(session, archive);
  return { archive, link };
}

function tellDownloaded(
  { context: { cwd, t }, reporter }: ExportSession,
  { path, sizeBytes, sha256 }: DownloadedArchive,
): void {
  reporter.tell(
    { event: 'downloaded', file: path, sizeBytes, sha256 },
    t('Downloaded {0} ({1}, SHA-256 {2}).', shownPath(path, cwd), sizeText(sizeBytes), sha256),
  );
}

/** Returns whether the file is still the archive that was downloaded. */
async function isUnchanged({ path, sizeBytes, sha256 }: DownloadedArchive): Promise<boolean> {
  try {
    if ((await stat(path)).size !== sizeBytes) return false;
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    return hash.digest('hex') === sha256;
  } catch {
    return false;
  }
}
