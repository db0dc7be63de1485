/** Reads and writes the files of export jobs and bundles in the state folder. Uses `node:fs`. */
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Pack } from 'tar/pack';
import * as v from 'valibot';
import { systemClock } from '../../common/clock';
import { errorCodeOrName } from '../../common/errorCode';
import { isProcessAlive } from '../../common/isProcessAlive';
import type { Log } from '../../common/ports';
import { filesBelow } from './fileTimes';

/** IDs of the services in this process. Tests run two services in one process. */
const owners = new Set<string>();

/** Owner of the unfinished work of a running service. Several services can share a state folder. */
interface ServiceOwner {
  /** ID that can be part of a file name. */
  readonly id: string;
  /** Allows other services to take over the unfinished work of this one. */
  release(): void;
}

export function claimOwner(): ServiceOwner {
  const id = `${process.pid}-${randomUUID()}`;
  owners.add(id);
  return { id, release: () => void owners.delete(id) };
}

/**
 * Returns whether the service with an ID still runs. Returns true if this is not certain, for example if
 * another process now has the same process ID.
 * @param signedAt time when the service wrote its ID to a file, in milliseconds since the epoch, by the
 * system's clock.
 */
export function isOwnerAlive(id: string, signedAt: number): boolean {
  if (owners.has(id)) return true;
  const pid = Number(id.split('-', 1)[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  // Process IDs start over when the machine restarts.
  if (signedAt < systemClock.now() - uptime() * 1000) return false;
  return isProcessAlive(pid);
}

/** Maximum bytes of one file in memory at a time. */
const READ_BYTES = 256 * 1024;
const FILE_MODE = 0o644;

/** Size and hash of a finished archive. */
interface PackedArchive {
  readonly sizeBytes: number;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
}

/**
 * Packs the files below a folder into one `.tar.gz`, as a stream. The same files with the same times
 * always give the same bytes, whatever their owners and permissions are.
 * @param target path of the archive, which is overwritten. The archive is incomplete if this function throws.
 */
export async function packFolder(
  folder: string,
  target: string,
  signal: AbortSignal,
): Promise<PackedArchive> {
  const files = await filesBelow(folder);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  await pipeline(
    tarOf(folder, files, signal),
    createGzip(),
    async function* (archive: AsyncIterable<Buffer>) {
      for await (const chunk of archive) {
        hash.update(chunk);
        sizeBytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(target, { mode: 0o600 }),
  );
  return { sizeBytes, sha256: hash.digest('hex') };
}

async function* tarOf(
  cwd: string,
  files: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let isWanted = true;
  const pack = new Pack({
    cwd,
    portable: true,
    maxReadSize: READ_BYTES,
    filter: () => isWanted,
    onWriteEntry: (entry) => {
      // The permissions of a file depend on the umask of the process that wrote it.
      if (entry.stat) entry.stat.mode = FILE_MODE;
    },
  });
  // Without a listener, an error between two chunks would end the process.
  pack.on('error', () => undefined);
  // Files are added one by one, because the library reads names in a list that begin with @ as archives.
  for (const file of files) pack.add(file);
  pack.end();
  try {
    for await (const chunk of pack) {
      signal.throwIfAborted();
      yield chunk;
    }
  } finally {
    // The library only closes an open file at its end, so the rest of the stream must be read.
    isWanted = false;
    pack.resume();
  }
}

/** Name of a job's bundle on disk and at the end of its link (field-notes.md § Static export). */
export const BUNDLE = 'bundle.tar.gz';

/** Name of the file with a bundle's size and hash, which is next to the bundle. */
const NOTE = 'bundle.json';
const noteSchema = v.object({
  schemaVersion: v.literal(1),
  sizeBytes: v.number(),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
});

/** Stores the bundles of completed jobs. Each bundle is packed once, when it is first requested. */
export class BundleStore {
  readonly #files: ExportJobFiles;
  readonly #log: Log;
  /** Packings in progress, by job ID. Requests for the same bundle wait for the same packing. */
  readonly #packing = new Map<string, Promise<PackedArchive>>();
  readonly #stopping = new AbortController();

  constructor(files: ExportJobFiles, log: Log) {
    this.#files = files;
    this.#log = log;
  }

  /**
   * Returns the bundle of a completed job. Packs it if needed.
   * @throws if the disk can't be read or written, or if the service stops.
   */
  async pack(jobId: string): Promise<PackedArchive> {
    const running = this.#packing.get(jobId);
    if (running) return running;
    const packing = this.#packOnce(jobId).finally(() => this.#packing.delete(jobId));
    this.#packing.set(jobId, packing);
    return packing;
  }

  /** Returns the bundle if it has been packed completely, or undefined. */
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
      // This file is written last because it marks the bundle as complete.
      await files.write(jobId, NOTE, JSON.stringify({ schemaVersion: 1, ...packed }));
      this.#log.info(`Packed ${packed.sizeBytes} bytes`);
      return packed;
    } finally {
      await rm(part, { force: true });
    }
  }
}

const recordSchema = v.object({
  schemaVersion: v.literal(1),
  jobId: v.string(),
  /** Real path of the docs folder. */
  docs: v.string(),
  siteHost: v.string(),
  /** Domain of the site, at a service of several sites. */
  domain: v.optional(v.string()),
  /** Label of the version that the client sent. */
  version: v.optional(v.string()),
  /** Paths at and below which pages are exported. If absent, all pages are exported. */
  paths: v.optional(v.array(v.string())),
  status: v.picklist(['queued', 'running', 'completed', 'failed']),
  /** Percent from 0 to 100, absent until the job runs. */
  progress: v.optional(v.number()),
  /** Pages exported so far, absent until the job runs. */
  pageCount: v.optional(v.number()),
  /** Milliseconds since the epoch. */
  createdAt: v.number(),
  updatedAt: v.number(),
  /** Message for people about why the job failed. */
  error: v.optional(v.string()),
  /** ID of the service that works on the job, from {@link claimOwner}. */
  owner: v.optional(v.string()),
});

/** A static export job as stored on disk. */
export type JobRecord = Readonly<v.InferOutput<typeof recordSchema>>;

/** Matches the IDs that `newId` returns. Never matches a name that leads out of the folder. */
const jobIdPattern = /^[0-9a-z][0-9a-z-]{0,63}$/;
const RECORD = 'job.json';
/** Name of the folder with a completed job's pages. */
export const SITE = 'site';
/** Name of the file with the findings about the links of a job's docs. */
export const LINKS = 'links.json';

export function isUnfinished({ status }: JobRecord): boolean {
  return status === 'queued' || status === 'running';
}

/**
 * Reads and writes jobs in a state folder. `jobs/<jobId>/` contains `job.json`, `site/`, `links.json` and the
 * bundle. Several services can share the folder, so each file is written with its service's ID in the name and
 * then renamed.
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

  /** Returns the absolute path of one of a job's files. */
  pathOf(jobId: string, name: string): string {
    return path.join(this.#folder, jobId, name);
  }

  /** Returns the path at which this service writes a file before it renames it. */
  partOf(jobId: string, name: string): string {
    return `${this.pathOf(jobId, name)}.part-${this.#ownerId}`;
  }

  /** Writes a text file. Readers see either the old file or the complete new one. */
  async write(jobId: string, name: string, text: string): Promise<void> {
    const part = this.partOf(jobId, name);
    await mkdir(path.dirname(part), { recursive: true, mode: 0o700 });
    await writeFile(part, text);
    await rename(part, this.pathOf(jobId, name));
  }

  async save(record: JobRecord): Promise<void> {
    await this.write(record.jobId, RECORD, `${JSON.stringify(record)}\n`);
  }

  /** Reads a job, or returns undefined if it is unknown. Moves a file that can't be parsed to `set-aside`. */
  async read(jobId: string): Promise<JobRecord | undefined> {
    if (!jobIdPattern.test(jobId)) return undefined;
    let text;
    try {
      text = await readFile(this.pathOf(jobId, RECORD), 'utf8');
    } catch (error) {
      if (errorCodeOrName(error) !== 'ENOENT') {
        this.#log.warn(`Can't read the job ${jobId}: ${errorCodeOrName(error)}`);
      }
      return undefined;
    }
    try {
      const record = v.parse(recordSchema, JSON.parse(text));
      if (record.jobId === jobId) return record;
    } catch {
      // The file is not valid, and is moved below.
    }
    this.#log.warn(`The job ${jobId} is not valid and was moved aside`);
    await mkdir(this.#setAside, { recursive: true, mode: 0o700 });
    await rename(this.pathOf(jobId, RECORD), path.join(this.#setAside, `${jobId}.json`));
    await this.remove(jobId);
    return undefined;
  }

  /** Returns all jobs, oldest first. */
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

  /** Returns whether the service that works on an unfinished job still runs. */
  async isOwned({ jobId, owner }: JobRecord): Promise<boolean> {
    if (owner === undefined) return false;
    const stats = await stat(this.pathOf(jobId, RECORD)).catch(() => undefined);
    return stats !== undefined && isOwnerAlive(owner, stats.mtimeMs);
  }

  /** Removes partly written files of services that no longer run. */
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
