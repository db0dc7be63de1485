import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BundleLink, LinkSource } from '../../../src/export/download/bundleLink';
import {
  downloadBundle,
  type DownloadOptions,
  type DownloadProgress,
} from '../../../src/export/download/bundleDownload';
import type { DownloadedArchive } from '../../../src/export/job/record';
import { FakeClock } from '../../fakes/fakeClock';
import { type ObjectStore, startObjectStore } from '../../fakes/objectStore';
import { RecordingLog } from '../../fakes/recordingLog';

/** Returns bytes that begin as a gzip file does. */
export function archiveOf(sizeBytes: number): Buffer {
  const archive = randomBytes(sizeBytes);
  archive.set([0x1f, 0x8b].slice(0, sizeBytes));
  return archive;
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Links of the store, each renewal a fresh one. */
export class StoreLinks implements LinkSource {
  current: BundleLink | undefined;
  renewals = 0;

  constructor(
    readonly makeLink: () => BundleLink | Promise<BundleLink>,
    current: BundleLink | undefined,
  ) {
    this.current = current;
  }

  async renew(signal: AbortSignal): Promise<BundleLink> {
    signal.throwIfAborted();
    this.renewals += 1;
    this.current = await this.makeLink();
    return this.current;
  }
}

/** End of a download, and what it reported on the way. */
export interface Downloaded {
  readonly archive?: DownloadedArchive;
  readonly error?: unknown;
  readonly progress: readonly DownloadProgress[];
  /** Length of each wait in milliseconds. */
  readonly waits: readonly number[];
}

/** A store, a folder to download into, and time that passes as fast as a download waits. */
export class Downloading {
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly folder = mkdtempSync(path.join(tmpdir(), 'docs-assistant-download-'));
  readonly target = path.join(this.folder, 'bundle.tar.gz');
  links: StoreLinks;

  private constructor(readonly store: ObjectStore) {
    this.links = new StoreLinks(() => store.presign(), store.presign());
  }

  static async start(content: Uint8Array): Promise<Downloading> {
    return new Downloading(await startObjectStore(content));
  }

  async stop(): Promise<void> {
    await this.store.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Names of the files in the folder, hidden ones included. */
  get files(): readonly string[] {
    return readdirSync(this.folder).toSorted();
  }

  /** Downloads the bundle. Waits between tries are skipped. */
  async run(options: Partial<DownloadOptions> = {}): Promise<Downloaded> {
    const progress: DownloadProgress[] = [];
    const waits: number[] = [];
    const clock = {
      now: () => this.clock.now(),
      delay: async (ms: number, signal?: AbortSignal): Promise<void> => {
        // Only a download that waits between two tries says so before it asks for time.
        if (progress.at(-1)?.state !== 'waiting' || waits.length >= waitsTold()) {
          return this.clock.delay(ms, signal);
        }
        signal?.throwIfAborted();
        waits.push(ms);
        return Promise.resolve();
      },
    };
    const waitsTold = (): number => progress.filter(({ state }) => state === 'waiting').length;
    try {
      const archive = await downloadBundle({
        link: this.links,
        target: this.target,
        overwrite: false,
        fetch: (url, init) => fetch(url, init),
        clock,
        log: this.log,
        timeouts: { headersTimeoutMs: 60_000, idleTimeoutMs: 60_000 },
        signal: new AbortController().signal,
        random: () => 1,
        ...options,
        onProgress: (now) => {
          progress.push(now);
          options.onProgress?.(now);
        },
      });
      return { archive, progress, waits };
    } catch (error) {
      return { error, progress, waits };
    }
  }
}
