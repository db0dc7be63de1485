import type { DocsAssistantError } from '../../src/common/errors';
import type { ExportError } from '../../src/export/exportErrors';
import type { ExportView } from '../../src/export/job/exports';
import { StaticExports } from '../../src/export/job/staticExports';
import { FakeExportApi } from '../fakes/exportApi';
import { FakeClock } from '../fakes/fakeClock';
import { MemoryClaims } from '../fakes/memoryClaims';
import { MemoryExportRecords } from '../fakes/memoryExportRecords';
import { RecordingLog } from '../fakes/recordingLog';

export const adminKey = 'acme_CANARY4f9a1c7e2b00';
export const target = { apiUrl: 'https://api.example.com', exportDomain: 'docs.example.com' };
export const never = new AbortController().signal;

/** A machine with its windows: they share the API, the time, the records and the claims. */
export class ExportMachine {
  readonly api = new FakeExportApi();
  readonly clock = new FakeClock();
  readonly records = new MemoryExportRecords();
  readonly claims = new MemoryClaims();
  readonly windows: ExportWindow[] = [];
  #ids = 0;

  /** Opens a window that has read the records. */
  async open(): Promise<ExportWindow> {
    const window = new ExportWindow(this, () => `e${++this.#ids}`);
    this.windows.push(window);
    await window.exports.restore();
    return window;
  }

  /** Closes every window, and fails on an error that nobody planned for. */
  close(): void {
    for (const { exports, log } of this.windows) {
      exports.dispose();
      log.assertNoErrors();
    }
  }
}

/** One window: the exports, and all that they told. */
export class ExportWindow {
  readonly exports: StaticExports;
  readonly log = new RecordingLog();
  /** Ids, in the order of `onDidChange`. */
  readonly changes: string[] = [];
  readonly ends: ExportView[] = [];
  /** Error with which opening the API fails. */
  endpointFailure: ExportError | DocsAssistantError | undefined;

  constructor({ api, clock, records, claims }: ExportMachine, newId: () => string) {
    this.exports = new StaticExports({
      fetch: api.fetch,
      clock,
      newId,
      log: this.log,
      random: () => 0.5,
      records,
      claims,
      endpoints: {
        open: (url) =>
          this.endpointFailure
            ? Promise.reject(this.endpointFailure)
            : Promise.resolve({ url, adminKey }),
      },
      timeouts: () => ({ headersTimeoutMs: 30_000, idleTimeoutMs: 20_000 }),
      secrets: () => [],
    });
    this.exports.onDidChange((id) => void this.changes.push(id));
    this.exports.onDidEnd((view) => void this.ends.push(view));
  }

  /** The only export. */
  get view(): ExportView {
    const [view, ...others] = this.exports.list;
    if (!view || others.length > 0) throw new Error(`There are ${this.exports.list.length}`);
    return view;
  }
}
