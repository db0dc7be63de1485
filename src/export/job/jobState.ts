/**
 * A job as a state machine over what its answers say (platform-api.md § States and transitions):
 * no clock and no network, so that every path is a row in a table of tests.
 */
import type { JobAnswer } from './exportAnswers';
import type { ExportRecord } from './exportRecord';
import { progressAfter, progressAtEnd, type JobProgress, type ProgressScale } from './jobProgress';
import { withoutUndefined } from './withoutUndefined';

/** What every phase keeps of what the job's answers told. */
interface Told {
  /** Absent until the service told one. */
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
      /** 0 to 100, where the service told something that is surely a share of the whole. */
      readonly percent?: number;
      readonly totalPages?: number;
    })
  | (Ended & { readonly name: 'completed' })
  | (EndedInError & { readonly name: 'failed' })
  /** Nobody can tell how it goes on, until the cause is mended and it is watched again. */
  | (EndedInError & { readonly name: 'unwatchable' });

/** `at` is in milliseconds since the epoch. */
export type JobEvent =
  | { readonly name: 'answered'; readonly answer: JobAnswer; readonly at: number }
  /** The service, or we, cannot go on asking: a code, and the service's own sentence. */
  | {
      readonly name: 'refused';
      readonly errorCode: string;
      readonly errorMessage?: string;
      readonly at: number;
    }
  | { readonly name: 'watched-again' }
  /** Generate export bundle said that the job is not completed (faults.md B5). */
  | { readonly name: 'bundle-refused' };

/**
 * Returns the phase before anything was told.
 * @param scale of the API's numbers, where an earlier job proved one.
 */
export function newJob(scale: ProgressScale = 'unknown'): JobPhase {
  return { name: 'running', progress: { scale } };
}

/**
 * The phase after an event. Completed and failed are final for what answers say: a late answer of
 * another request does not undo them.
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
      // Progress and pages are told while it runs, so the last told pages are the job's pages.
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

/** The phase that a stored record was in. */
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

/** The record after the phase: what the phase does not tell is gone from it. */
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
    // Windows ask by themselves, and the one that has heard less may be the last to write.
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
