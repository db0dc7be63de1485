/**
 * A job as a state machine over what its answers say (platform-api.md § States and transitions):
 * no clock and no network, so that every path is a row in a table of tests.
 */
import type { JobAnswer } from './exportAnswers';
import type { ExportRecord } from './exportRecord';
import { percentOf, scaleAfter, wholePercent, type ProgressScale } from './jobProgress';
import { withoutUndefined } from './withoutUndefined';

export type JobPhase =
  | {
      readonly name: 'running';
      /** Absent until the service told one. */
      readonly status?: string;
      /** 0 to 100, where the service told something that is surely a share of the whole. */
      readonly percent?: number;
      readonly pages?: number;
      readonly totalPages?: number;
      readonly scale: ProgressScale;
    }
  | {
      readonly name: 'completed';
      readonly status?: string;
      readonly pages?: number;
      readonly endedAt: number;
    }
  | {
      readonly name: 'failed';
      readonly status?: string;
      readonly pages?: number;
      readonly endedAt: number;
      readonly errorCode: string;
      readonly errorMessage?: string;
    }
  /** Nobody can tell how it goes on, until the cause is mended and it is watched again. */
  | {
      readonly name: 'unwatchable';
      readonly status?: string;
      readonly pages?: number;
      readonly endedAt: number;
      readonly errorCode: string;
      readonly errorMessage?: string;
    };

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

/** The phase before anything was told. */
export const newJob: JobPhase = { name: 'running', scale: 'unknown' };

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

function runningAgain({ status, pages }: Pick<JobPhase, 'status' | 'pages'>): JobPhase {
  return withoutUndefined({ name: 'running' as const, status, pages, scale: 'unknown' as const });
}

function afterAnswer(
  phase: Extract<JobPhase, { name: 'running' }>,
  answer: JobAnswer,
  at: number,
): JobPhase {
  const { status, progress, totalPages } = answer;
  switch (answer.outcome) {
    case 'completed':
      // Progress and pages are told while it runs, so the last told pages are the job's pages.
      return withoutUndefined({
        name: 'completed' as const,
        status,
        pages: answer.pages ?? phase.pages,
        endedAt: at,
      });
    case 'failed':
      return withoutUndefined({
        name: 'failed' as const,
        status,
        pages: answer.pages ?? phase.pages,
        endedAt: at,
        errorCode: 'job-failed',
        errorMessage: answer.serviceMessage,
      });
    case 'running': {
      const scale =
        progress?.kind === 'number' ? scaleAfter(phase.scale, progress.value, answer) : phase.scale;
      const pages = answer.pages ?? phase.pages;
      const ofPages =
        answer.pages === undefined || totalPages === undefined
          ? undefined
          : wholePercent(answer.pages / totalPages);
      const percent = progress ? percentOf(progress, scale) : ofPages;
      return withoutUndefined({
        name: 'running' as const,
        status,
        percent,
        pages,
        totalPages,
        scale,
      });
    }
    default:
      return answer.outcome satisfies never;
  }
}

/** The phase that a stored record was in. */
export function phaseOf(record: ExportRecord): JobPhase {
  const { outcome, status, pages, errorMessage } = record;
  const endedAt = record.endedAt ?? record.startedAt;
  switch (outcome) {
    case 'running':
      return withoutUndefined({ ...newJob, status, pages });
    case 'completed':
      return withoutUndefined({ name: outcome, status, pages, endedAt });
    case 'failed':
    case 'unwatchable': {
      const errorCode = record.errorCode ?? (outcome === 'failed' ? 'job-failed' : 'unexpected');
      return withoutUndefined({ name: outcome, status, pages, endedAt, errorCode, errorMessage });
    }
    default:
      return outcome satisfies never;
  }
}

/** The record after the phase: what the phase does not tell is gone from it. */
export function withPhase(record: ExportRecord, phase: JobPhase): ExportRecord {
  const ended = phase.name === 'running' ? undefined : phase;
  const error = phase.name === 'failed' || phase.name === 'unwatchable' ? phase : undefined;
  return withoutUndefined({
    ...record,
    outcome: phase.name,
    status: phase.status,
    pages: phase.pages,
    endedAt: ended?.endedAt,
    errorCode: error?.errorCode,
    errorMessage: error?.errorMessage,
  });
}
