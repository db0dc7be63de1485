/** Runs the checks of *Check Setup* side by side and gathers their results. */
import { untilAborted } from '../../common/clock';
import { describeError } from '../../common/describeError';
import { DocsAssistantError, type Translate } from '../../common/errors';
import { errorCodeOrName } from '../../common/errorCode';
import type { Clock, Log } from '../../common/ports';
import type { ErrorAction } from '../../shared/errorInfo';

/** Something that mends a failed check, offered as a button. */
export interface Remedy {
  readonly action: Exclude<ErrorAction, 'retry' | 'check-setup'> | 'set-admin-key';
  /** Name of a setting, for `open-settings`. */
  readonly setting?: string;
}

export interface SetupCheckResult {
  readonly state: 'passed' | 'failed' | 'skipped';
  /** One or two sentences about what was found. They can hold text of a service. */
  readonly text: string;
  /** Sentence that says how to mend it. */
  readonly advice?: string;
  readonly remedies?: readonly Remedy[];
}

/** One line of the report. */
export interface SetupCheck {
  /** Name in the reader's language, such as “Assistant key”. */
  readonly title: string;
  readonly limitMs: number;
  /** Checks one thing. Rejections become failed lines. */
  readonly run: (signal: AbortSignal) => Promise<SetupCheckResult>;
}

export interface CheckedLine extends SetupCheckResult {
  readonly title: string;
}

export const passed = (text: string): SetupCheckResult => ({ state: 'passed', text });
export const skipped = (text: string): SetupCheckResult => ({ state: 'skipped', text });
export const failed = (
  text: string,
  mending: Pick<SetupCheckResult, 'advice' | 'remedies'> = {},
): SetupCheckResult => ({ state: 'failed', text, ...mending });

/** Returns the line of an error: its sentence, and its actions as remedies. */
export function failedWith(error: DocsAssistantError, t: Translate): SetupCheckResult {
  const { message, actions } = describeError(error, t);
  return failed(message, {
    remedies: actions.flatMap((action) =>
      action === 'retry' || action === 'check-setup' ? [] : [{ action }],
    ),
  });
}

interface RunPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly translate: Translate;
  /** Called when a line is done, with the number of lines that are. */
  readonly onDidCheck?: (done: number, line: CheckedLine) => void;
}

/**
 * Runs all checks at once, each within its own time limit. Neither a failure nor a check that hangs
 * stops another.
 *
 * @param signal skips the checks that aren't done when it aborts.
 * @returns the lines in the order of the checks.
 */
export async function runSetupChecks(
  checks: readonly SetupCheck[],
  ports: RunPorts,
  signal: AbortSignal,
): Promise<readonly CheckedLine[]> {
  let done = 0;
  return Promise.all(
    checks.map(async (check) => {
      const line = { title: check.title, ...(await runLimited(check, ports, signal)) };
      ports.onDidCheck?.(++done, line);
      return line;
    }),
  );
}

async function runLimited(
  { title, limitMs, run }: SetupCheck,
  { clock, log, translate: t }: RunPorts,
  signal: AbortSignal,
): Promise<SetupCheckResult> {
  const timer = new AbortController();
  const limit = new AbortController();
  const either = AbortSignal.any([signal, limit.signal]);
  void clock.delay(limitMs, timer.signal).then(
    () => limit.abort(new Error('The check took too long')),
    () => undefined, // The check is done.
  );
  try {
    either.throwIfAborted();
    return await untilAborted(run(either), either);
  } catch (error) {
    if (signal.aborted) return skipped(t('Canceled.'));
    if (limit.signal.aborted) {
      return failed(t('No result within {0} s.', Math.round(limitMs / 1000)), {
        advice: t('Check your network, then check again.'),
      });
    }
    if (error instanceof DocsAssistantError) return failedWith(error, t);
    log.warn(`The setup check “${title}” failed: ${errorCodeOrName(error)}`);
    return failed(t('The check itself failed ({0}).', errorCodeOrName(error)), {
      advice: t('See the log for details.'),
      remedies: [{ action: 'open-log' }],
    });
  } finally {
    timer.abort();
  }
}
