/** Sentences for a person who waits until docs are read or fetched. */
import type { Translate } from '../common/errors';
import type { Clock } from '../common/ports';
import { durationText, numberText, pageCountText } from '../shared/units';
import type { ReadingProgress } from './sources/pageSource';

export type Report = (progress: { message: string; percent?: number }) => void;

interface ReadingReportPorts {
  readonly clock: Clock;
  readonly translate: Translate;
  readonly report: Report;
}

/** Milliseconds without progress after which a person is told that the site sends nothing, and then again. */
const SILENCE_MS = 5000;

/** Reports the progress of reading, and how long a site has sent nothing. */
export class ReadingReport {
  readonly #ports: ReadingReportPorts;
  /** Time of the last progress, in milliseconds since the epoch. */
  #heardAt = 0;

  constructor(ports: ReadingReportPorts) {
    this.#ports = ports;
  }

  progress({ pages, total }: ReadingProgress): void {
    const { clock, report, translate: t } = this.#ports;
    this.#heardAt = clock.now();
    if (total === undefined || total < pages) report({ message: pageCountText(pages, t) });
    else {
      const percent = total === 0 ? 0 : (pages / total) * 100;
      report({ message: t('{0} of {1} pages', numberText(pages), numberText(total)), percent });
    }
  }

  /** Returns the result of a fetch, and reports how long the site has sent nothing until then. */
  async whileFetching<Result>(fetching: Promise<Result>): Promise<Result> {
    const waiting = new AbortController();
    void this.#reportSilence(waiting.signal);
    try {
      return await fetching;
    } finally {
      waiting.abort(new Error('The wait is over'));
    }
  }

  async #reportSilence(signal: AbortSignal): Promise<void> {
    const { clock, report, translate: t } = this.#ports;
    this.#heardAt = clock.now();
    try {
      for (;;) {
        await clock.delay(SILENCE_MS, signal);
        const silentMs = clock.now() - this.#heardAt;
        if (silentMs < SILENCE_MS) continue;
        report({ message: t('waiting for the site for {0}…', durationText(silentMs, t)) });
      }
    } catch {
      return; // The wait is over.
    }
  }
}
