/** Runs export jobs. Uses `node:fs` to write the rendered pages of a job. */
import { constants } from 'node:fs';
import { access, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCodeOrName } from '../../common/errorCode';
import { plainTranslate } from '../../common/errors';
import { type Clock, type Log, type NewId, prefixedLog } from '../../common/ports';
import { pageCountText } from '../../shared/units';
import { type ExportJobFiles, isUnfinished, type JobRecord, LINKS, SITE } from './exportFiles';
import { carryTimes } from './fileTimes';
import { type LinkReport, reportLine } from './site/linkFindings';
import type { renderSite, RenderedFile } from './site/siteRenderer';
import type { SiteScope } from './site/siteSurvey';

/** Maximum number of completed jobs to keep, and of failed jobs. Older ones are removed with their files. */
export const KEPT_JOBS = 20;

/** Milliseconds between two writes of a job's progress to disk. */
const NOTE_EVERY_MS = 1000;

/** The part of a site that everybody may see. */
export type OpenPart = Omit<SiteScope, 'paths'>;

const NOT_FOR_EVERYBODY =
  "This site was removed or is only for some groups by now, so it can't be exported.";

/** A failure with a message that clients of the API can see. */
class JobFailure extends Error {
  override readonly name = 'JobFailure';
}

export interface ExportJobsPorts {
  readonly files: ExportJobFiles;
  readonly render: typeof renderSite;
  /** Returns the part of a job's site that everybody may see now, or undefined if that is none. */
  readonly openPartOf: (job: Pick<JobRecord, 'domain'>) => OpenPart | undefined;
  readonly ownerId: string;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** Milliseconds of pause after each page. */
  readonly paceMs: number;
}

/**
 * Runs static export jobs one at a time and queues the others. The state of a job is in its file. Only the
 * progress of this service's own jobs is newer in memory. If a service dies, its jobs start over in the next
 * service that starts, or that gets a request for the job.
 */
export class ExportJobs {
  readonly #ports: ExportJobsPorts;
  /** Queued and running jobs of this service by ID, in the order in which they run. */
  readonly #active = new Map<string, JobRecord>();
  /** Last write of each active job, by ID. Each write waits for the one before it. */
  readonly #saving = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #working: Promise<void> | undefined;

  constructor(ports: ExportJobsPorts) {
    this.#ports = ports;
  }

  /** Takes over the unfinished jobs of services that no longer run. */
  async resume(): Promise<void> {
    for (const record of await this.#ports.files.list()) await this.#current(record);
  }

  /**
   * Queues a job.
   * @param docs real path of the docs folder.
   */
  async start(
    docs: string,
    siteHost: string,
    options: Pick<JobRecord, 'domain' | 'version' | 'paths'> = {},
  ): Promise<JobRecord> {
    const { newId, clock } = this.#ports;
    const now = clock.now();
    const record = this.#queued({
      schemaVersion: 1,
      jobId: newId(),
      docs,
      siteHost,
      ...options,
      createdAt: now,
      updatedAt: now,
    });
    await this.#save(record);
    this.#work(record);
    return record;
  }

  /** Returns the current state of a job, or undefined if it does not exist. */
  async find(jobId: string): Promise<JobRecord | undefined> {
    const active = this.#active.get(jobId);
    if (active) return active;
    const record = await this.#ports.files.read(jobId);
    return record && this.#current(record);
  }

  /** Returns whether an unfinished job of this service reads docs in a folder. */
  isReading(folder: string): boolean {
    return [...this.#active.values()].some(
      (job) => isUnfinished(job) && `${job.docs}${path.sep}`.startsWith(`${folder}${path.sep}`),
    );
  }

  /** Stops the running job. The job starts over when a service runs again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#working;
    const unfinished = [...this.#active.values()].filter(isUnfinished);
    for (const { owner: _, progress: __, pageCount: ___, ...record } of unfinished) {
      await this.#save({ ...record, status: 'queued' }).catch((error: unknown) => {
        this.#ports.log.warn(`Can't save the job ${record.jobId}: ${errorCodeOrName(error)}`);
      });
    }
    this.#active.clear();
  }

  async #current(record: JobRecord): Promise<JobRecord> {
    const { files, log } = this.#ports;
    if (!isUnfinished(record) || this.#stopping.signal.aborted) return record;
    if (await files.isOwned(record)) return record;
    // Another request may have taken over the job in the meantime.
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
      // A finished job is only in this map if its last write failed.
      if (!isUnfinished(record)) continue;
      try {
        const hasEnded = await this.#run(jobId);
        if (!hasEnded) break;
        this.#active.delete(jobId);
        await this.#prune();
      } catch (error) {
        this.#ports.log.error(`Can't save the job ${jobId}`, error);
      }
      this.#saving.delete(jobId);
    }
    // Nothing is awaited between the end of the loop and this line, so the next job starts a new loop.
    this.#working = undefined;
  }

  /**
   * Runs a job.
   * @returns whether the job ended, or false because the service stops.
   */
  async #run(jobId: string): Promise<boolean> {
    const { files, clock } = this.#ports;
    const log = this.#logOf(jobId);
    const { signal } = this.#stopping;
    const startedAt = clock.now();
    const part = files.partOf(jobId, SITE);
    try {
      await files.sweep(jobId);
      await this.#change(jobId, { status: 'running', progress: 0, pageCount: 0 });
      const { pages: pageCount, links } = await this.#render(jobId, part);
      await this.#carryTimes(jobId, part);
      await rm(files.pathOf(jobId, SITE), { recursive: true, force: true });
      await rename(part, files.pathOf(jobId, SITE));
      await this.#keepLinks(jobId, links);
      await this.#end(jobId, { status: 'completed', progress: 100, pageCount });
      log.info(
        `Exported ${pageCountText(pageCount, plainTranslate)} in ${clock.now() - startedAt} ms`,
      );
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof JobFailure)) log.error(`The job ${jobId} failed`, error);
      const sentence =
        error instanceof JobFailure
          ? error.message
          : "The site couldn't be rendered. See the service's log for details.";
      await this.#end(jobId, { status: 'failed', error: sentence });
      return true;
    } finally {
      await rm(part, { recursive: true, force: true });
    }
  }

  /** Gives pages that have not changed since the last export of the same docs the times that they had. */
  async #carryTimes(jobId: string, part: string): Promise<void> {
    const { files } = this.#ports;
    const { docs } = this.#record(jobId);
    try {
      const last = (await files.list()).findLast(
        (job) => job.status === 'completed' && job.docs === docs,
      );
      if (last) await carryTimes(part, files.pathOf(last.jobId, SITE));
    } catch (error) {
      this.#logOf(jobId).warn(
        `Can't read the times of the last export (${errorCodeOrName(error)})`,
      );
    }
  }

  /** Stores the findings about the links of the docs next to the job. */
  async #keepLinks(jobId: string, links: LinkReport): Promise<void> {
    const { files } = this.#ports;
    const log = this.#logOf(jobId);
    if (links.findings.length === 0) {
      log.info('All links in the docs work');
      return;
    }
    try {
      await files.write(jobId, LINKS, `${JSON.stringify(links, undefined, 2)}\n`);
      log.info(`${reportLine(links)}. The list is in ${files.pathOf(jobId, LINKS)}`);
    } catch (error) {
      log.warn(`${reportLine(links)}. The list can't be written (${errorCodeOrName(error)})`);
    }
  }

  async #render(jobId: string, folder: string): Promise<Awaited<ReturnType<typeof renderSite>>> {
    const { render, openPartOf, clock, paceMs } = this.#ports;
    const log = this.#logOf(jobId);
    const { signal } = this.#stopping;
    const { docs, siteHost, paths } = this.#record(jobId);
    const openPart = openPartOf(this.#record(jobId));
    if (!openPart) throw new JobFailure(NOT_FOR_EVERYBODY);
    const root = await readableFolder(docs);
    const write = siteWriter(folder);
    let notedAt = clock.now();
    const rendered = await render({
      root,
      siteHost,
      paths,
      ...openPart,
      signal,
      log,
      write: async (file) => {
        await write(file);
        if (paceMs > 0 && file.path.endsWith('.html')) await clock.delay(paceMs, signal);
        signal.throwIfAborted();
      },
      onProgress: (pageCount, totalPages) => {
        const share = totalPages > 0 ? Math.floor((100 * pageCount) / totalPages) : 0;
        // After the last page, other files and the final rename still take time.
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
          log.warn(`Can't save the progress of the job ${jobId}: ${errorCodeOrName(error)}`);
        });
      },
    });
    // A page that went meanwhile is missing in the site, or has nothing but its title.
    await readableFolder(docs);
    if (rendered.pages === 0) {
      throw new JobFailure(
        paths === undefined
          ? noPages(openPart)
          : `The docs folder has no pages at ${paths.join(', ')}. Name other paths, then start a new export.`,
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

  /** Returns a log whose messages name the site, if the service has several. */
  #logOf(jobId: string): Log {
    const { log } = this.#ports;
    const { domain } = this.#record(jobId);
    return domain === undefined ? log : prefixedLog(`The site ${domain}`, log);
  }

  #record(jobId: string): JobRecord {
    const record = this.#active.get(jobId);
    if (!record) throw new Error('This job is not running.');
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
      log.warn(`Can't remove old jobs: ${errorCodeOrName(error)}`);
    }
  }
}

/**
 * Returns the real path of a folder, because files behind a link are left out.
 * @throws {JobFailure} if the folder can't be read.
 */
async function readableFolder(folder: string): Promise<string> {
  try {
    await access(folder, constants.R_OK);
    return await realpath(folder);
  } catch (error) {
    throw new JobFailure(
      `The docs folder can't be read (${errorCodeOrName(error)}). Start a new export when it can be read again.`,
    );
  }
}

function noPages({ seen }: OpenPart): string {
  return seen === undefined
    ? 'The docs folder has no Markdown pages to export. Add a page, then start a new export.'
    : 'The docs folder has no pages that everybody may see. Add a page, then start a new export.';
}

/** Returns a function that writes a file below a folder and creates subfolders as needed. */
function siteWriter(folder: string): (file: RenderedFile) => Promise<void> {
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
        `The site can't be written to the state folder (${errorCodeOrName(error)}). Free up space or allow writing there, then start a new export.`,
      );
    }
  };
}
