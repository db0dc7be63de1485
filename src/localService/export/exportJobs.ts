import { constants } from 'node:fs';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock, Log, NewId } from '../../common/ports';
import { errorCode } from '../docsFolder';
import { isUnfinished, LINKS, SITE, type ExportJobFiles, type JobRecord } from './exportJobFiles';
import { reportLine, type LinkReport } from './linkFindings';
import type { renderSite, SiteFile } from './siteRenderer';

/** Jobs of each outcome that are kept; older ones go, with their files. */
export const KEPT_JOBS = 20;

/** Milliseconds between two notes of the same job's progress on disk. */
const NOTE_EVERY_MS = 1000;

/** A failure whose sentence may be told to whoever asks about the job. */
class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

export interface ExportJobsPorts {
  readonly files: ExportJobFiles;
  readonly render: typeof renderSite;
  readonly ownerId: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** Milliseconds of rest after each page. */
  readonly paceMs: number;
}

/**
 * Static export jobs: one renders at a time, the others are queued. What is on disk holds; only the
 * progress of the jobs that this service works on is newer in memory. A job whose service died
 * starts over, at whichever service is started next or asked about it.
 */
export class ExportJobs {
  readonly #ports: ExportJobsPorts;
  /** What this service has to do, in order. */
  readonly #active = new Map<string, JobRecord>();
  /** Writes of each active job, one after the other. */
  readonly #saving = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #working: Promise<void> | undefined;

  constructor(ports: ExportJobsPorts) {
    this.#ports = ports;
  }

  /** Takes over what died with the service that worked on it. */
  async resume(): Promise<void> {
    for (const record of await this.#ports.files.list()) await this.#current(record);
  }

  /**
   * Queues a job.
   * @param docs real path of the docs folder.
   */
  async start(docs: string, siteHost: string): Promise<JobRecord> {
    const { newId, clock } = this.#ports;
    const now = clock.now();
    const record = this.#queued({
      schemaVersion: 1,
      jobId: newId(),
      docs,
      siteHost,
      createdAt: now,
      updatedAt: now,
    });
    await this.#save(record);
    this.#work(record);
    return record;
  }

  /** The job as it is now; `undefined` if there is none. */
  async find(jobId: string): Promise<JobRecord | undefined> {
    const active = this.#active.get(jobId);
    if (active) return active;
    const record = await this.#ports.files.read(jobId);
    return record && this.#current(record);
  }

  /** Ends what runs; it starts over when a service is there again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
    const unfinished = [...this.#active.values()].filter(isUnfinished);
    for (const { owner: _, progress: __, pageCount: ___, ...record } of unfinished) {
      await this.#save({ ...record, status: 'queued' }).catch((error: unknown) => {
        this.#ports.log.warn(`Cannot keep the job ${record.jobId}: ${errorCode(error)}`);
      });
    }
    this.#active.clear();
  }

  async #current(record: JobRecord): Promise<JobRecord> {
    const { files, log } = this.#ports;
    if (!isUnfinished(record) || this.#stopping.signal.aborted) return record;
    if (await files.isOwned(record)) return record;
    // Somebody else may have asked about it meanwhile.
    const active = this.#active.get(record.jobId);
    if (active) return active;
    log.info(`The job ${record.jobId} starts over`);
    const { progress: _, pageCount: __, ...kept } = record;
    const queued = this.#queued({ ...kept, updatedAt: this.#ports.clock.now() });
    this.#work(queued);
    return queued;
  }

  #queued(record: Omit<JobRecord, 'status' | 'owner'>): JobRecord {
    return { ...record, status: 'queued', owner: this.#ports.ownerId };
  }

  #work(record: JobRecord): void {
    this.#active.set(record.jobId, record);
    this.#working ??= this.#workOff();
  }

  async #workOff(): Promise<void> {
    for (const [jobId, record] of this.#active) {
      // One that ended is still here where the disk refused to keep it.
      if (!isUnfinished(record)) continue;
      try {
        const hasEnded = await this.#run(jobId);
        if (!hasEnded) break;
        this.#active.delete(jobId);
        await this.#prune();
      } catch (error) {
        this.#ports.log.error(`The job ${jobId} cannot be kept`, error);
      }
      this.#saving.delete(jobId);
    }
    // At once with the end of the loop, so that a job that comes next begins a new one.
    this.#working = undefined;
  }

  /** @returns whether it ended; false where the service stops. */
  async #run(jobId: string): Promise<boolean> {
    const { files, log, clock } = this.#ports;
    const { signal } = this.#stopping;
    const startedAt = clock.now();
    const part = files.partOf(jobId, SITE);
    try {
      await files.sweep(jobId);
      await this.#change(jobId, { status: 'running', progress: 0, pageCount: 0 });
      const { pages: pageCount, links } = await this.#render(jobId, part);
      await rm(files.pathOf(jobId, SITE), { recursive: true, force: true });
      await rename(part, files.pathOf(jobId, SITE));
      await this.#keepLinks(jobId, links);
      await this.#end(jobId, { status: 'completed', progress: 100, pageCount });
      log.info(`Exported ${pageCount} pages in ${clock.now() - startedAt} ms`);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof JobFailure)) log.error(`The job ${jobId} failed`, error);
      const sentence =
        error instanceof JobFailure
          ? error.message
          : 'The site could not be rendered. The log of the service says why.';
      await this.#end(jobId, { status: 'failed', error: sentence });
      return true;
    } finally {
      await rm(part, { recursive: true, force: true });
    }
  }

  /** Keeps what became of the links of the docs, for whoever mends them. */
  async #keepLinks(jobId: string, links: LinkReport): Promise<void> {
    const { files, log } = this.#ports;
    if (links.findings.length === 0) {
      log.info('All links of the docs lead somewhere');
      return;
    }
    try {
      await files.write(jobId, LINKS, `${JSON.stringify(links, undefined, 2)}\n`);
      log.info(`${reportLine(links)}. The list is in ${files.pathOf(jobId, LINKS)}`);
    } catch (error) {
      log.warn(`${reportLine(links)}. The list cannot be written (${errorCode(error)})`);
    }
  }

  async #render(jobId: string, folder: string): Promise<Awaited<ReturnType<typeof renderSite>>> {
    const { render, clock, paceMs, log } = this.#ports;
    const { signal } = this.#stopping;
    const { docs, siteHost } = this.#record(jobId);
    await access(docs, constants.R_OK).catch((error: unknown) => {
      throw new JobFailure(
        `The docs folder cannot be read (${errorCode(error)}). Serve it again, then start a new export.`,
      );
    });
    const write = siteWriter(folder);
    let notedAt = clock.now();
    const rendered = await render({
      root: docs,
      siteHost,
      signal,
      log,
      write: async (file) => {
        await write(file);
        if (paceMs > 0 && file.path.endsWith('.html')) await clock.delay(paceMs, signal);
        signal.throwIfAborted();
      },
      onProgress: (pageCount, totalPages) => {
        const share = totalPages > 0 ? Math.floor((100 * pageCount) / totalPages) : 0;
        // What is no page, and putting all in place, is still to come.
        const progress = Math.min(share, 99);
        const now = clock.now();
        this.#active.set(jobId, {
          ...this.#record(jobId),
          progress,
          pageCount,
          updatedAt: now,
        });
        if (now - notedAt < NOTE_EVERY_MS) return;
        notedAt = now;
        this.#save(this.#record(jobId)).catch((error: unknown) => {
          log.warn(`Cannot note the progress of the job ${jobId}: ${errorCode(error)}`);
        });
      },
    });
    if (rendered.pages === 0) {
      throw new JobFailure(
        'There is nothing to export: the docs folder holds no Markdown. Add a page, then start a new export.',
      );
    }
    return rendered;
  }

  async #change(jobId: string, change: Partial<JobRecord>): Promise<void> {
    const record = { ...this.#record(jobId), ...change, updatedAt: this.#ports.clock.now() };
    this.#active.set(jobId, record);
    await this.#save(record);
  }

  async #end(jobId: string, change: Partial<JobRecord>): Promise<void> {
    const { owner: _, ...record } = this.#record(jobId);
    this.#active.set(jobId, record);
    await this.#change(jobId, change);
  }

  #record(jobId: string): JobRecord {
    const record = this.#active.get(jobId);
    if (!record) throw new Error('This job is not under way.');
    return record;
  }

  #save(record: JobRecord): Promise<void> {
    const before = this.#saving.get(record.jobId) ?? Promise.resolve();
    const saved = before.catch(() => undefined).then(() => this.#ports.files.save(record));
    this.#saving.set(record.jobId, saved);
    return saved;
  }

  async #prune(): Promise<void> {
    const { files, log } = this.#ports;
    try {
      const records = (await files.list()).reverse();
      for (const outcome of ['completed', 'failed'] as const) {
        const ended = records.filter(({ status }) => status === outcome);
        for (const { jobId } of ended.slice(KEPT_JOBS)) await files.remove(jobId);
      }
    } catch (error) {
      log.warn(`Cannot remove old jobs: ${errorCode(error)}`);
    }
  }
}

/** Writes files below a folder, whose folders are made as they are needed. */
function siteWriter(folder: string): (file: SiteFile) => Promise<void> {
  const made = new Set<string>();
  return async ({ path: relative, content }) => {
    const target = path.join(folder, relative);
    const parent = path.dirname(target);
    try {
      if (!made.has(parent)) {
        await mkdir(parent, { recursive: true, mode: 0o700 });
        made.add(parent);
      }
      await writeFile(target, content);
    } catch (error) {
      throw new JobFailure(
        `The site cannot be written to the state folder (${errorCode(error)}). Make room or allow writing there, then start a new export.`,
      );
    }
  };
}
