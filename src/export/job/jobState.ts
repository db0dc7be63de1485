/**
 * A job as a state machine over its responses (platform-api.md § States and transitions). It has no
 * clock and no network, so that a table of tests can cover every path.
 */
import { withoutUndefined } from '../../common/withoutUndefined';
import type { JobAnswer } from './answers';
import type { StartedJob } from './client';
import type { ExportTarget } from './exports';
import { progressAfter, progressAtEnd, type JobProgress, type ProgressScale } from './jobProgress';
import type { ExportRecord } from './record';

/** Values from the job's responses that every phase keeps. */
interface Told {
  /** The service's word. Absent before the first response. */
  readonly status?: string;
  readonly pages?: number;
  readonly progress: JobProgress;
}

interface Ended extends Told {
  readonly endedAt: number;
}

interface EndedInError extends Ended {
  readonly errorCode: string;
  readonly errorMessage?: string;
}

export type JobPhase =
  | (Told & {
      readonly name: 'running';
      /** Percent, 0 to 100. Absent unless the service's number is certainly a share of the whole. */
      readonly percent?: number;
      readonly totalPages?: number;
    })
  | (Ended & { readonly name: 'completed' })
  | (EndedInError & { readonly name: 'failed' })
  /** The job can't be tracked until the user fixes the cause and watches it again. */
  | (EndedInError & { readonly name: 'unwatchable' });

/** Event of a job. `at` is in milliseconds since the epoch. */
export type JobEvent =
  | { readonly name: 'answered'; readonly answer: JobAnswer; readonly at: number }
  /** Requests can't continue. The event has a code and the service's own message. */
  | {
      readonly name: 'refused';
      readonly errorCode: string;
      readonly errorMessage?: string;
      readonly at: number;
    }
  | { readonly name: 'watched-again' }
  /** *Generate export bundle* reported that the job is not completed (faults.md B5). */
  | { readonly name: 'bundle-refused' };

/** Returns the record of a job that has just been started. */
export function newRecord(
  id: string,
  { apiUrl, exportDomain, label, paths }: ExportTarget,
  { jobId, leftOut }: StartedJob,
  startedAt: number,
): ExportRecord {
  return withoutUndefined({
    schemaVersion: 1 as const,
    ...{ id, apiUrl, exportDomain, jobId, label },
    paths: paths?.length === 0 ? undefined : paths,
    leftOut: leftOut.length === 0 ? undefined : leftOut,
    startedAt,
    outcome: 'running' as const,
  });
}

/**
 * Returns the phase before the first response.
 * @param scale the scale of the API's numbers, if an earlier job has proven it.
 */
export function newJob(scale: ProgressScale = 'unknown'): JobPhase {
  return { name: 'running', progress: { scale } };
}

/**
 * Returns the phase after an event. Responses can't change a completed or failed job, because a
 * response of an earlier request may arrive late.
 */
export function nextPhase(phase: JobPhase, event: JobEvent): JobPhase {
  switch (event.name) {
    case 'answered':
      return phase.name === 'running' ? afterAnswer(phase, event.answer, event.at) : phase;
    case 'refused':
      return phase.name === 'running'
        ? withoutUndefined({
            name: 'unwatchable' as const,
            status: phase.status,
            pages: phase.pages,
            progress: phase.progress,
            endedAt: event.at,
            errorCode: event.errorCode,
            errorMessage: event.errorMessage,
          })
        : phase;
    case 'watched-again':
      return phase.name === 'unwatchable' ? runningAgain(phase) : phase;
    case 'bundle-refused':
      return phase.name === 'completed' || phase.name === 'unwatchable'
        ? runningAgain(phase)
        : phase;
    default:
      return event satisfies never;
  }
}

function runningAgain({ status, pages, progress }: JobPhase): JobPhase {
  return withoutUndefined({ name: 'running' as const, status, pages, progress });
}

function afterAnswer(
  phase: Extract<JobPhase, { name: 'running' }>,
  answer: JobAnswer,
  at: number,
): JobPhase {
  const { status, totalPages } = answer;
  const pages = answer.pages ?? phase.pages;
  switch (answer.outcome) {
    case 'completed':
      // The service counts pages only while the job runs, so the last count is kept.
      return withoutUndefined({
        name: 'completed' as const,
        status,
        pages,
        progress: progressAtEnd(phase.progress, answer.progress),
        endedAt: at,
      });
    case 'failed':
      return withoutUndefined({
        name: 'failed' as const,
        status,
        pages,
        progress: phase.progress,
        endedAt: at,
        errorCode: 'job-failed',
        errorMessage: answer.serviceMessage,
      });
    case 'running':
      return withoutUndefined({
        name: 'running' as const,
        status,
        pages,
        totalPages,
        ...progressAfter(phase.progress, answer),
      });
    default:
      return answer.outcome satisfies never;
  }
}

/** Returns the phase of a stored record. */
export function phaseOf(record: ExportRecord): JobPhase {
  const { outcome, status, pages, errorMessage } = record;
  const endedAt = record.endedAt ?? record.startedAt;
  const { progressScale: scale = 'unknown', peakPercent } = record;
  const told = withoutUndefined({
    status,
    pages,
    progress: withoutUndefined({ scale, peakPercent }),
  });
  switch (outcome) {
    case 'running':
      return { name: outcome, ...told };
    case 'completed':
      return { name: outcome, ...told, endedAt };
    case 'failed':
    case 'unwatchable': {
      const errorCode = record.errorCode ?? (outcome === 'failed' ? 'job-failed' : 'unexpected');
      return withoutUndefined({ name: outcome, ...told, endedAt, errorCode, errorMessage });
    }
    default:
      return outcome satisfies never;
  }
}

/** Returns the record with the values of a phase. Values that the phase lacks are removed. */
export function withPhase(record: ExportRecord, phase: JobPhase): ExportRecord {
  const ended = phase.name === 'running' ? undefined : phase;
  const { scale, peakPercent } = phase.progress;
  const error = phase.name === 'failed' || phase.name === 'unwatchable' ? phase : undefined;
  return withoutUndefined({
    ...record,
    outcome: phase.name,
    status: phase.status,
    pages: phase.pages,
    progressScale: scale === 'unknown' ? undefined : scale,
    // Another window may have stored a higher percent.
    peakPercent: highest(record.peakPercent, peakPercent),
    endedAt: ended?.endedAt,
    errorCode: error?.errorCode,
    errorMessage: error?.errorMessage,
  });
}

function highest(...percents: readonly (number | undefined)[]): number | undefined {
  const told = percents.filter((percent) => percent !== undefined);
  return told.length === 0 ? undefined : Math.max(...told);
}
