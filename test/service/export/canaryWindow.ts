/** A window as it is put together in VS Code, with two canary keys, and all that comes out of it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Fetch } from '../../../src/common/ports';
import { downloadBundle, type DownloadOptions } from '../../../src/export/download/bundleDownload';
import { describeExportError } from '../../../src/export/exportErrors';
import type { DownloadedArchive } from '../../../src/export/job/record';
import type { ExportView } from '../../../src/export/job/exports';
import { StaticExports } from '../../../src/export/job/staticExports';
import { WorkbenchEndpoints } from '../../../src/export/job/endpoints';
import { SecretKeyStore, SeenSecrets } from '../../../src/site/keyStore';
import { filesBelow } from '../../builders/canary';
import { MemoryClaims } from '../../fakes/memoryClaims';
import { MemoryExportRecords } from '../../fakes/memoryExportRecords';
import { RecordingLog } from '../../fakes/recordingLog';
import { hurriedClock, never } from './exporting';

/** Keys of the right forms, which stand nowhere else. */
export const canaryKeys = {
  admin: 'local_CANARY7d41c09fe2b85a36',
  assistant: 'local_dsc_CANARYb36e0f7a5c19',
} as const;

// Ten minutes of hurried time: no answer on loopback takes twelve seconds.
const timeouts = { headersTimeoutMs: 600_000, idleTimeoutMs: 600_000 };

/** A request that did not go through a proxy which records it. */
export interface SentRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export class CanaryWindow {
  readonly log = new RecordingLog();
  readonly records = new MemoryExportRecords();
  readonly clock = hurriedClock();
  readonly folder = mkdtempSync(path.join(tmpdir(), 'docs-assistant-canary-'));
  readonly seen = new SeenSecrets();
  readonly #secrets = new Map<string, string>();
  readonly keys = new SecretKeyStore(
    {
      get: (name) => Promise.resolve(this.#secrets.get(name)),
      store: (name, secret) => Promise.resolve(void this.#secrets.set(name, secret)),
      delete: (name) => Promise.resolve(void this.#secrets.delete(name)),
    },
    this.seen,
  );
  readonly endpoints = new WorkbenchEndpoints({
    keys: this.keys,
    local: () => undefined,
    seen: this.seen,
  });
  readonly requests: SentRequest[] = [];
  /** Everything that the window reported: errors and ends. */
  readonly told: unknown[] = [];
  readonly exports: StaticExports;
  #ids = 0;

  constructor() {
    this.exports = new StaticExports({
      fetch: this.fetch,
      clock: this.clock,
      newId: () => `e${++this.#ids}`,
      log: this.log,
      random: () => 0.5,
      records: this.records,
      claims: new MemoryClaims(),
      endpoints: this.endpoints,
      timeouts: () => timeouts,
      secrets: () => this.seen.values,
    });
    this.exports.onDidEnd((view) => void this.told.push(view));
    this.exports.onDidChange(() => void this.told.push(this.exports.list));
  }

  readonly fetch: Fetch = (url, init) => {
    this.requests.push({ url, headers: Object.fromEntries(new Headers(init.headers)) });
    return fetch(url, init);
  };

  /** Saves both canaries for the origin. */
  async saveKeys(origin: string): Promise<void> {
    await this.keys.save('admin', origin, canaryKeys.admin);
    await this.keys.save('assistant', origin, canaryKeys.assistant);
  }

  /** Starts an export of the sample site and resolves with how it ended. */
  async export(apiUrl: string): Promise<ExportView> {
    const { record } = await this.exports.start({ apiUrl, exportDomain: 'sample' }, never);
    const viewOf = (): ExportView | undefined =>
      this.exports.list.find((view) => view.record.id === record.id);
    for (;;) {
      const view = viewOf();
      if (view && view.record.outcome !== 'running') return view;
      await new Promise<void>((resolve) => {
        const listening = this.exports.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
    }
  }

  download(id: string, options: Partial<DownloadOptions> = {}): Promise<DownloadedArchive> {
    return downloadBundle({
      link: this.exports.linkSource(id),
      target: path.join(this.folder, 'bundle.tar.gz'),
      overwrite: false,
      fetch: this.fetch,
      clock: this.clock,
      log: this.log,
      random: () => 0.5,
      timeouts,
      signal: never,
      onProgress: (progress) => void this.told.push(progress),
      ...options,
    });
  }

  /**
   * Returns the error that the promise ends with, and keeps it with what a person is told about it.
   */
  async failureOf(work: Promise<unknown>): Promise<unknown> {
    const error: unknown = await work.then(
      () => {
        throw new Error('It did not fail');
      },
      (failure: unknown) => failure,
    );
    const stack = error instanceof Error ? error.stack : undefined;
    this.told.push(error, stack, JSON.stringify(error), describeExportError(error));
    return error;
  }

  /** All that came out, apart from the requests. */
  get traces(): object {
    const { log, records, told, folder } = this;
    return {
      log: [log.lines, log.text()],
      records: [records.records, records.setAside],
      views: this.exports.list,
      told,
      disk: filesBelow(folder),
    };
  }

  stop(): void {
    this.exports.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
