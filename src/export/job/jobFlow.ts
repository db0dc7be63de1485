/**
 * The way of a job: its start, its watch, and links to its bundle. A window and a command follow the
 * same one. Each keeps the job's record, and applies the events to it.
 */
import { errorCodeOrName } from '../../common/errorCode';
import type { ReportedError } from '../../common/errors';
import { hostOf } from '../../common/http/responseErrors';
import type { Clock, Log, NewId } from '../../common/ports';
import type { BundleLink } from '../download/bundleLink';
import { ExportError, isTransient } from '../exportErrors';
import type { JobAnswer } from './answers';
import type { ExportClient } from './client';
import type { ExportEndpoint, ExportEndpoints, ExportTarget } from './exports';
import { type JobEvent, newRecord } from './jobState';
import { backOffMs, toldWaitMs, watchJob } from './jobWatcher';
import type { ExportRecord } from './record';

/** Services that a job needs. */
export interface JobPorts {
  readonly client: ExportClient;
  readonly endpoints: ExportEndpoints;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Random number like `Math.random`, which spreads the requests of many windows. */
  readonly random: () => number;
  readonly log: Log;
  /** Time after which no request is repeated, in milliseconds since the epoch. Absent if there is none. */
  readonly deadline?: number;
}

/**
 * Starts a job.
 * @param beforeSending called right before the request. If it throws, nothing is sent.
 * @returns the record of the job.
 * @throws the errors of {@link ExportEndpoints.open} and {@link ExportClient.startJob}.
 */
export async function startJob(
  { client, clock, endpoints, log, newId }: JobPorts,
  target: ExportTarget,
  signal: AbortSignal,
  beforeSending: () => void | Promise<void>,
): Promise<ExportRecord> {
  const { apiUrl, exportDomain } = target;
  const endpoint = await endpoints.open(apiUrl);
  signal.throwIfAborted();
  await beforeSending();
  const started = await client.startJob(endpoint, exportDomain, target, signal);
  log.info(`Started the export of ${exportDomain}`);
  return newRecord(newId(), target, started, clock.now());
}

/** One step of a job that is watched. The caller keeps the record, and applies the event to it. */
type JobStep =
  /** The job runs. `stalledSince` (ms since the epoch) is set while it doesn't change. */
  | {
      readonly name: 'running';
      readonly event: JobEvent;
      readonly answer: JobAnswer;
      readonly stalledSince?: number;
    }
  /** A temporary failure. `until` (ms since the epoch) is the time of the next request. */
  | { readonly name: 'waiting'; readonly error: unknown; readonly until: number }
  /** The job has ended, or only the user can fix what prevents the watch. Without an error, it has completed. */
  | { readonly name: 'ended'; readonly event: JobEvent; readonly error?: ReportedError };

/**
 * Watches a job until it ends. See {@link watchJob} for the pauses.
 * @throws the signal's reason when stopped. The job keeps running at the service.
 */
export async function* followJob(
  { client, clock, endpoints, random }: JobPorts,
  { apiUrl, exportDomain, jobId }: ExportRecord,
  signal: AbortSignal,
): AsyncGenerator<JobStep, void> {
  const ask = async (): Promise<JobAnswer> =>
    client.jobStatus(await endpoints.open(apiUrl), jobId, signal);
  for await (const report of watchJob({ ask, clock, random, signal })) {
    const at = clock.now();
    switch (report.name) {
      case 'answered': {
        const { answer, quietSince } = report;
        const { outcome, serviceMessage } = answer;
        const event: JobEvent = { name: 'answered', answer, at };
        const failure = { exportDomain, serviceMessage, host: hostOf(apiUrl) };
        if (outcome === 'running') {
          yield { name: 'running', event, answer, stalledSince: quietSince };
        } else if (outcome === 'completed') yield { name: 'ended', event };
        else yield { name: 'ended', event, error: new ExportError('job-failed', failure) };
        break;
      }
      case 'waiting':
        yield report;
        break;
      case 'refused': {
        const { error } = report;
        const { code: errorCode, details } = error;
        const event = { errorCode, errorMessage: details.serviceMessage, at };
        yield { name: 'ended', event: { name: 'refused', ...event }, error };
        break;
      }
      default:
        report satisfies never;
    }
  }
}

/**
 * Generates a new link to the bundle of a job, and applies the event of it.
 * @throws the errors of {@link ExportClient.generateBundle}. After `job-not-completed`, the job counts
 * as running again.
 */
export async function newBundleLink(
  ports: JobPorts,
  { apiUrl, jobId }: ExportRecord,
  apply: (event: JobEvent) => Promise<unknown>,
  signal: AbortSignal,
): Promise<BundleLink> {
  const endpoint = await ports.endpoints.open(apiUrl);
  let link: BundleLink;
  try {
    link = await requestBundle(ports, endpoint, jobId, signal);
  } catch (error) {
    const isEarly = error instanceof ExportError && error.code === 'job-not-completed';
    if (isEarly) await apply({ name: 'bundle-refused' });
    throw error;
  }
  await apply({ name: 'bundle-linked', link });
  return link;
}

const RETRIES = 3;
/** A longer wait that the service asks for is reported to the user (faults.md B8). */
const LONGEST_WAIT_MS = 5 * 60 * 1000;

/** Generates a bundle's link. Tries up to 3 more times, with pauses, after temporary failures. */
async function requestBundle(
  { client, clock, random, log, deadline = Infinity }: JobPorts,
  endpoint: ExportEndpoint,
  jobId: string,
  signal: AbortSignal,
): Promise<BundleLink> {
  for (let failures = 1; ; failures++) {
    try {
      return await client.generateBundle(endpoint, jobId, signal);
    } catch (error) {
      if (failures > RETRIES || !isTransient(error)) throw error;
      const pauseMs = backOffMs(failures, toldWaitMs(error, clock), random);
      if (pauseMs > LONGEST_WAIT_MS || clock.now() + pauseMs > deadline) throw error;
      log.warn(
        `Asking for the bundle again in ${Math.round(pauseMs)} ms (${errorCodeOrName(error)})`,
      );
      await clock.delay(pauseMs, signal);
    }
  }
}
