import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import type { Log } from '../../common/ports';
import { errorCode } from '../docsFolder';
import { isOwnerAlive } from './serviceOwner';

const recordSchema = v.object({
  schemaVersion: v.literal(1),
  jobId: v.string(),
  /** Real path of the docs folder. */
  docs: v.string(),
  siteHost: v.string(),
  status: v.picklist(['queued', 'running', 'completed', 'failed']),
  /** 0 to 100; absent until the job runs. */
  progress: v.exactOptional(v.number()),
  /** Pages exported so far; absent until the job runs. */
  pageCount: v.exactOptional(v.number()),
  /** Milliseconds since the epoch. */
  createdAt: v.number(),
  updatedAt: v.number(),
  /** Why it failed, a sentence for people. */
  error: v.exactOptional(v.string()),
  /** The service that works on it, as {@link claimOwner} named it. */
  owner: v.exactOptional(v.string()),
});

/** A static export job, as it is kept on disk. */
export type JobRecord = Readonly<v.InferOutput<typeof recordSchema>>;

/** What `newId` gives, and nothing that could climb out of the folder. */
const jobIdPattern = /^[0-9a-z][0-9a-z-]{0,63}$/;
const RECORD = 'job.json';
/** Name of a completed job's folder of pages. */
export const SITE = 'site';
/** Name of the file that says what became of the links of a job's docs. */
export const LINKS = 'links.json';

export function isUnfinished({ status }: JobRecord): boolean {
  return status === 'queued' || status === 'running';
}

/**
 * Jobs in a state folder: `jobs/<jobId>/` holds `job.json`, `site/`, `links.json`
 * and the bundle. Several services
 * may share the folder: each file is put in place in one step, and what is being made is named
 * after its maker.
 */
export class ExportJobFiles {
  readonly #folder: string;
  readonly #setAside: string;
  readonly #log: Log;
  readonly #ownerId: string;

  constructor(stateFolder: string, ports: { readonly log: Log; readonly ownerId: string }) {
    this.#folder = path.join(stateFolder, 'jobs');
    this.#setAside = path.join(stateFolder, 'set-aside');
    this.#log = ports.log;
    this.#ownerId = ports.ownerId;
  }

  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
  }

  /** Absolute path of one of a job's files. */
  pathOf(jobId: string, name: string): string {
    return path.join(this.#folder, jobId, name);
  }

  /** Where it is made, to be renamed when it is whole. */
  partOf(jobId: string, name: string): string {
    return `${this.pathOf(jobId, name)}.part-${this.#ownerId}`;
  }

  /** Puts a text file in place in one step. */
  async write(jobId: string, name: string, text: string): Promise<void> {
    const part = this.partOf(jobId, name);
    await mkdir(path.dirname(part), { recursive: true, mode: 0o700 });
    await writeFile(part, text);
    await rename(part, this.pathOf(jobId, name));
  }

  async save(record: JobRecord): Promise<void> {
    await this.write(record.jobId, RECORD, `${JSON.stringify(record)}\n`);
  }

  /** `undefined` for a job that is unknown. One that cannot be read is set aside. */
  async read(jobId: string): Promise<JobRecord | undefined> {
    if (!jobIdPattern.test(jobId)) return undefined;
    let text;
    try {
      text = await readFile(this.pathOf(jobId, RECORD), 'utf8');
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') {
        this.#log.warn(`Cannot read the job ${jobId}: ${errorCode(error)}`);
      }
      return undefined;
    }
    try {
      const record = v.parse(recordSchema, JSON.parse(text));
      if (record.jobId === jobId) return record;
    } catch {
      // Set aside below.
    }
    this.#log.warn(`The job ${jobId} cannot be understood and is set aside`);
    await mkdir(this.#setAside, { recursive: true, mode: 0o700 });
    await rename(this.pathOf(jobId, RECORD), path.join(this.#setAside, `${jobId}.json`));
    await this.remove(jobId);
    return undefined;
  }

  /** Oldest first. */
  async list(): Promise<JobRecord[]> {
    const names = await readdir(this.#folder);
    const records = await Promise.all(names.map((name) => this.read(name)));
    return records
      .filter((record) => record !== undefined)
      .sort((one, other) => one.createdAt - other.createdAt);
  }

  async remove(jobId: string): Promise<void> {
    await rm(path.join(this.#folder, jobId), { recursive: true, force: true });
  }

  /** Whether the service that works on an unfinished job still runs. */
  async isOwned({ jobId, owner }: JobRecord): Promise<boolean> {
    if (owner === undefined) return false;
    const stats = await stat(this.pathOf(jobId, RECORD)).catch(() => undefined);
    return stats !== undefined && isOwnerAlive(owner, stats.mtimeMs);
  }

  /** Removes what services left half made that run no longer. */
  async sweep(jobId: string): Promise<void> {
    const folder = path.join(this.#folder, jobId);
    for (const name of await readdir(folder)) {
      const maker = /\.part-([\w-]+)$/.exec(name)?.[1];
      if (maker === undefined || maker === this.#ownerId) continue;
      const part = path.join(folder, name);
      const stats = await stat(part).catch(() => undefined);
      if (stats && isOwnerAlive(maker, stats.mtimeMs)) continue;
      await rm(part, { recursive: true, force: true });
    }
  }
}
