/** Windows that export through real HTTP, with time that passes fast. */
import type { Clock } from '../../../src/common/ports';
import { systemClock } from '../../../src/common/clock';
import type { RequestTimeouts } from '../../../src/common/http/guardedRequest';
import type { ExportView } from '../../../src/export/job/exports';
import { StaticExports } from '../../../src/export/job/staticExports';
import { MemoryClaims } from '../../fakes/memoryClaims';
import { MemoryExportRecords } from '../../fakes/memoryExportRecords';
import { settled } from '../../fakes/fakeClock';
import { RecordingLog } from '../../fakes/recordingLog';
import { until } from '../service/localServiceAsking';

/** Looks like a real key, and is looked for in everything that comes out. */
export const adminKey = 'local_CANARY4f9a1c7e2b00d1';
export const never = new AbortController().signal;

const HURRY = 50;

/**
 * Returns a clock that runs fifty times as fast as real time, so that pauses of seconds pass in no
 * time.
 */
export function hurriedClock(): Clock {
  const start = systemClock.now();
  return {
    now: () => start + (systemClock.now() - start) * HURRY,
    delay: (ms, signal) => systemClock.delay(ms / HURRY, signal),
  };
}

/** State that the windows of one machine share. */
export class SharedState {
  readonly records = new MemoryExportRecords();
  readonly claims = new MemoryClaims();
  readonly clock = hurriedClock();
}

// Ten minutes of hurried time: no answer on loopback takes twelve seconds.
const patient: RequestTimeouts = { headersTimeoutMs: 600_000, idleTimeoutMs: 600_000 };

export class ServiceWindow {
  readonly log = new RecordingLog();
  readonly ends: ExportView[] = [];
  readonly exports: StaticExports;
  key = adminKey;
  timeouts = patient;
  #ids = 0;

  constructor(readonly shared: SharedState) {
    const { clock, records, claims } = shared;
    this.exports = new StaticExports({
      fetch: (url, init) => fetch(url, init),
      clock,
      newId: () => `e${++this.#ids}`,
      log: this.log,
      random: () => 0.5,
      records,
      claims,
      endpoints: { open: (url) => Promise.resolve({ url, adminKey: this.key }) },
      timeouts: () => this.timeouts,
      secrets: () => [],
    });
    this.exports.onDidEnd((view) => void this.ends.push(view));
  }

  get view(): ExportView {
    const [view] = this.exports.list;
    if (!view) throw new Error('There is no export');
    return view;
  }

  /** Starts a job of the sample site and watches it. */
  start(apiUrl: string, exportDomain = 'sample'): Promise<ExportView> {
    return this.exports.start({ apiUrl, exportDomain }, never);
  }

  /** Resolves with the newest export as soon as it is like this. */
  async until(isWanted: (view: ExportView) => boolean): Promise<ExportView> {
    if (isWanted(this.view)) return this.view;
    return new Promise((resolve) => {
      const listening = this.exports.onDidChange(() => {
        if (!this.exports.list[0] || !isWanted(this.view)) return;
        listening.dispose();
        resolve(this.view);
      });
    });
  }

  whenEnded(): Promise<ExportView> {
    return this.until(({ record }) => record.outcome !== 'running');
  }

  /** Resolves once the windows of this machine have claimed that many ends, and told what is theirs. */
  async whenClaimed(ends: number): Promise<void> {
    await until(() => this.shared.claims.attempts >= ends);
    // The claim is granted and told in the turn after it was made.
    await settled();
  }

  /** Waits until the job waits out an error, and returns that error. */
  async whenWaiting(): Promise<{ readonly code: string; readonly until: number }> {
    const { watch } = await this.until((view) => view.watch.name === 'waiting');
    if (watch.name !== 'waiting') throw new Error('It does not wait');
    return { code: watch.error.code, until: watch.until };
  }
}
