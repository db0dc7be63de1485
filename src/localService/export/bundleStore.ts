import { readFile, rename, rm, stat } from 'node:fs/promises';
import * as v from 'valibot';
import type { Log } from '../../common/ports';
import { packFolder, type PackedArchive } from './bundlePack';
import { SITE, type ExportJobFiles } from './exportJobFiles';

/** Name of a job's bundle, in its folder and at the end of its link (field-notes.md § Static export). */
export const BUNDLE = 'bundle.tar.gz';

/** What is known of a bundle, kept beside it. */
const NOTE = 'bundle.json';
const noteSchema = v.object({
  schemaVersion: v.literal(1),
  sizeBytes: v.number(),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

/** The bundles of completed jobs: each is packed once, when it is asked for first. */
export class BundleStore {
  readonly #files: ExportJobFiles;
  readonly #log: Log;
  /** One packing of each job serves all who ask meanwhile. */
  readonly #packing = new Map<string, Promise<PackedArchive>>();
  readonly #stopping = new AbortController();

  constructor(files: ExportJobFiles, log: Log) {
    this.#files = files;
    this.#log = log;
  }

  /**
   * The bundle of a completed job.
   * @throws when the disk refuses, and when the service stops.
   */
  async pack(jobId: string): Promise<PackedArchive> {
    const running = this.#packing.get(jobId);
    if (running) return running;
    const packing = this.#packOnce(jobId).finally(() => this.#packing.delete(jobId));
    this.#packing.set(jobId, packing);
    return packing;
  }

  /** The bundle if it was packed before and is whole. */
  async find(jobId: string): Promise<PackedArchive | undefined> {
    try {
      const text = await readFile(this.#files.pathOf(jobId, NOTE), 'utf8');
      const { sizeBytes, sha256 } = v.parse(noteSchema, JSON.parse(text));
      const { size } = await stat(this.#files.pathOf(jobId, BUNDLE));
      return size === sizeBytes ? { sizeBytes, sha256 } : undefined;
    } catch {
      return undefined;
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#packing.values());
  }

  async #packOnce(jobId: string): Promise<PackedArchive> {
    const files = this.#files;
    const found = await this.find(jobId);
    if (found) return found;
    await files.sweep(jobId);
    const part = files.partOf(jobId, BUNDLE);
    try {
      const packed = await packFolder(files.pathOf(jobId, SITE), part, this.#stopping.signal);
      await rename(part, files.pathOf(jobId, BUNDLE));
      // Last, as it says that the bundle is whole.
      await files.write(jobId, NOTE, JSON.stringify({ schemaVersion: 1, ...packed }));
      this.#log.info(`Packed ${packed.sizeBytes} bytes`);
      return packed;
    } finally {
      await rm(part, { force: true });
    }
  }
}
