/** The job of an export: start it or continue one, and watch it. */
import { createHash } from 'node:crypto';
import type { Translate } from '../../common/errors';
import { hostOf } from '../../common/http/responseErrors';
import { joined } from '../../common/text/strings';
import { progressLine } from '../../export/commands/texts';
import { ExportError } from '../../export/exportErrors';
import type { JobAnswer } from '../../export/job/answers';
import type { ExportTarget } from '../../export/job/exports';
import { type PagesAt, pagesPerSecond } from '../../export/job/jobProgress';
import { followJob, startJob } from '../../export/job/jobFlow';
import { shownPercent } from '../../export/job/jobState';
import type { ExportRecord } from '../../export/job/record';
import { durationText, numberText } from '../../shared/units';
import { CliError, exitCodes, Interrupted } from '../context';
import type { OfJob } from '../events';
import { type ExportSession, patiently, tellWaiting } from './exportSession';
import type { KeptJob } from './keptJobs';

/**
 * Age up to which an unfinished `export run` continues a job that has completed. The site may have
 * changed since an older job.
 */
const GOES_ON_MS = 2 * 60 * 60 * 1000;

interface StartChoice {
  /** Whether to start a new job even if the same one is running. */
  readonly isNew: boolean;
  /**
   * Returns the path of the archive, from the path that an earlier run chose, and checks that it can
   * be written. It is called before a job starts. Only `export run` sets it.
   */
  readonly outputFor?: (earlier: string | undefined) => Promise<string>;
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
    return found ? takeUp(session, found, choice) : startNew(session, target, choice, name);
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
  for await (const step of followJob(session, job.record, session.signal)) {
    if (step.name === 'waiting') return job;
    if (step.name === 'ended' && step.error && !isEndOfJob(step.error)) throw step.error;
    return session.jobs.apply(job, step.event);
  }
  return job;
}

async function takeUp(
  { context: { t }, clock, jobs, reporter }: ExportSession,
  found: KeptJob,
  { outputFor }: StartChoice,
): Promise<KeptJob> {
  const output = await outputFor?.(found.run?.output);
  const job = await jobs.change(found, (kept) => withRun(kept, output));
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
  name: string,
): Promise<KeptJob> {
  const { clock, context, jobs, reporter, signal } = session;
  const { t } = context;
  const { apiUrl, exportDomain, label, paths } = target;
  const output = await outputFor?.(undefined);
  const noteStart = async (): Promise<void> => {
    const unclearAt = await jobs.beginStart(name);
    if (unclearAt === undefined) return;
    const sentence = t(
      'An earlier command ended {0} ago, before the service confirmed the start. Its job may be running, too.',
      durationText(Math.max(0, clock.now() - unclearAt) + 999, t),
    );
    reporter.warn(undefined, sentence);
  };
  const record = await patiently(session, async () => {
    try {
      return await startJob(session, target, signal, noteStart);
    } catch (error) {
      const isUnclear = error instanceof ExportError && error.code === 'start-unclear';
      if (!signal.aborted && !isUnclear) await jobs.endStart(name);
      throw error;
    }
  });
  const job = withRun({ record }, output);
  await jobs.save(job);
  await jobs.endStart(name);
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
export function named({ record: { jobId, exportDomain } }: KeptJob): OfJob {
  return { job: jobId, domain: exportDomain === jobId ? undefined : exportDomain };
}

/**
 * Watches a job until it completes. If the watch ends earlier, the job keeps running, and the user
 * is told how to continue it.
 * @throws {ExportError} `job-failed`, and failures that only the user can fix.
 * @throws {CliError} if the command times out.
 */
export async function watchToEnd(session: ExportSession, watched: KeptJob): Promise<KeptJob> {
  const { clock, context, deadline, jobs, reporter, signal } = session;
  let job = watched;
  /** Failure of the last request. Undefined if the request succeeded. */
  let waitingFor: unknown;
  /** First pages that this command saw. The rate leaves out the time before, as in a queue. */
  let first: PagesAt | undefined;
  let wasStalled = false;
  try {
    for await (const step of followJob(session, job.record, signal)) {
      if (step.name === 'waiting') {
        waitingFor = step.error;
        // The service asks for a wait beyond the deadline of the command.
        if (step.until > deadline) throw step.error;
        await tellWaiting(session, step.error, step.until);
        continue;
      }
      waitingFor = undefined;
      job = await jobs.apply(job, step.event);
      if (step.name === 'ended') {
        if (step.error) throw step.error;
        return tellCompleted(session, job);
      }
      const at = clock.now();
      const { pages = 0 } = job.record;
      if (pages > 0) first ??= { at, pages };
      tellProgress(session, job, step.answer, first && pagesPerSecond(first, { at, pages }));
      const { stalledSince } = step;
      if (stalledSince !== undefined && !wasStalled) {
        const sentence = context.t('The job hasn’t changed for a long time.');
        reporter.warn({ event: 'stalled', ...named(job), since: new Date(stalledSince) }, sentence);
      }
      wasStalled = stalledSince !== undefined;
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
  rate: number | undefined,
): void {
  const { record } = job;
  const { totalPages } = answer;
  const { pages, status } = record;
  const percent = shownPercent(record, answer);
  const view = { record, watch: { name: 'watching' } as const, totalPages, percent };
  const sentence = joined([
    `${record.exportDomain}: ${progressLine(view, clock.now(), t)}`,
    rate === undefined ? undefined : t('{0} pages/s', numberText(rate)),
  ]);
  reporter.progress(
    `job:${status ?? ''}`,
    {
      event: 'progress',
      ...named(job),
      status,
      pages,
      totalPages,
      percent,
      pagesPerSecond: rate,
    },
    sentence,
  );
}

/** Prints how to continue the job, which keeps running without this command. */
function tellDetached(
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
