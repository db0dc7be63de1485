import { DocsAssistantError } from '../common/errors';
import type { Clock } from '../common/ports';
import type { JobAnswer } from './exportAnswers';
import { ExportError } from './exportErrors';
import { backOffMs, pollIntervalMs, STALLED_AFTER_MS, toldWaitMs, waitAwake } from './pollSchedule';

/** What came of one question about a job. */
export type WatchReport =
  /** `quietSince` once nothing has changed for so long that the job counts as stalled. */
  | { readonly name: 'answered'; readonly answer: JobAnswer; readonly quietSince?: number }
  /** Trouble that passes; the next question is at `until`, ms since the epoch. */
  | { readonly name: 'waiting'; readonly error: unknown; readonly until: number }
  /** Trouble that a person has to mend: the last report. */
  | { readonly name: 'refused'; readonly error: ExportError | DocsAssistantError };

export interface JobWatchOptions {
  /** Asks once. */
  readonly ask: (signal: AbortSignal) => Promise<JobAnswer>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the watch; the job goes on at the service. */
  readonly signal: AbortSignal;
}

/**
 * Asks about a job until it ends, about every second at first and every 10 s later, and every 30 s
 * once nothing changed for 30 minutes. Trouble is waited out, with a back-off of up to a minute or
 * as long as the service says; no number of failures ends the watch, as the job goes on without us.
 * What ends it early is what only a person can mend: see {@link needsPerson}.
 *
 * @throws the signal's reason when stopped.
 * @see platform-api.md § Get static export job status
 */
export async function* watchJob(options: JobWatchOptions): AsyncGenerator<WatchReport, void> {
  const { ask, clock, random, signal } = options;
  let answers = 0;
  let failures = 0;
  let quietMs = 0;
  let last = '';
  for (;;) {
    signal.throwIfAborted();
    let pauseMs: number;
    try {
      const answer = await ask(signal);
      signal.throwIfAborted();
      answers++;
      failures = 0;
      const now = JSON.stringify(answer);
      if (now !== last) quietMs = 0;
      last = now;
      const isStalled = quietMs >= STALLED_AFTER_MS;
      yield {
        name: 'answered',
        answer,
        ...(isStalled ? { quietSince: clock.now() - quietMs } : {}),
      };
      if (answer.outcome !== 'running') return;
      pauseMs = pollIntervalMs(answers, isStalled, random);
    } catch (error) {
      signal.throwIfAborted();
      if (needsPerson(error)) {
        yield { name: 'refused', error };
        return;
      }
      failures++;
      pauseMs = backOffMs(failures, toldWaitMs(error, clock), random);
      yield { name: 'waiting', error, until: clock.now() + pauseMs };
    }
    const pausedMs = await waitAwake(pauseMs, clock, signal);
    // What happened at the service while nothing was heard of it is not known.
    if (failures === 0) quietMs += pausedMs;
  }
}

const codesForPerson: readonly string[] = [
  'no-admin-key',
  'admin-key-rejected',
  'export-forbidden',
  'export-redirected',
  'unknown-job',
  'workspace-not-trusted',
  'secret-store-failed',
];

/**
 * True for what no waiting mends: the key is missing, refused or cannot be read, the plan or the
 * address does not allow it, the API has moved, the job is gone, the workspace is not trusted.
 */
function needsPerson(error: unknown): error is ExportError | DocsAssistantError {
  return (
    (error instanceof ExportError || error instanceof DocsAssistantError) &&
    codesForPerson.includes(error.code)
  );
}
