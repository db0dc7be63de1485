/**
 * Stores jobs that a later command can continue in the user's state folder. Uses `node:fs`.
 * Commands that run at the same time share the folder, so each job has its own file, which is
 * written in one step. No file has a key or a presigned link.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { errorCodeOrName } from '../../common/errorCode';
import { makeFolder } from '../../common/onDisk';
import type { Clock } from '../../common/ports';
import { waitForLock } from '../../export/download/downloadLock';
import { type JobEvent, nextRecord } from '../../export/job/jobState';
import { type ExportRecord, parseExportRecord } from '../../export/job/record';

export interface KeptJob {
  readonly record: ExportRecord;
  /** State of an `export run` that has not finished. The same command continues it. */
  readonly run?: {
    /** Absolute path of the archive. */
    readonly output: string;
  };
}

const fileSchema = v.object({
  schemaVersion: v.literal(1),
  record: v.unknown(),
  run: v.fallback(v.optional(v.object({ output: v.pipe(v.string(), v.minLength(1)) })), undefined),
});

/** Most stored jobs. With more, the oldest jobs that have ended are removed. */
const MAX_JOBS = 100;
/** Age from which a file is removed that a killed command left behind. */
const STALE_MS = 24 * 60 * 60 * 1000;

interface KeptJobsPorts {
  /** Absolute path of the folder. It is made with the first job. */
  readonly folder: string;
  readonly clock: Clock;
  /** Called once if jobs can't be written, with the system's code. */
  readonly onUnwritable: (code: string) => void;
  /** Called with the name of a file that can't be read as a job. The file has been renamed. */
  readonly onUnreadable: (name: string) => void;
  /** Called with the host of another command while this one waits for it. */
  readonly onWaiting: (host: string) => void;
}

export class KeptJobs {
  readonly #ports: KeptJobsPorts;
  #isWritable = true;

  constructor(ports: KeptJobsPorts) {
    this.#ports = ports;
  }

  /** Returns the stored jobs, newest first. If the folder can't be read, there are none. */
  async list(): Promise<readonly KeptJob[]> {
    const names = await readdir(this.#ports.folder).catch(() => []);
    const jobs: KeptJob[] = [];
    for (const name of names) {
      if (!name.endsWith('.json')) await this.#removeStale(name);
      else {
        const job = await this.#read(name);
        if (job) jobs.push(job);
      }
    }
    return jobs.sort((a, b) => b.record.startedAt - a.record.startedAt);
  }

  /** Stores a job. A disk that can't be written is reported once, and the command goes on. */
  async save(job: KeptJob): Promise<void> {
    await this.#guarded(async () => {
      await this.#write(job);
      await this.#prune(job.record.id);
    });
  }

  /**
   * Applies an event to the job as it is stored now, or to `job` if it is not stored, and stores it.
   * @returns the job after the event.
   */
  apply(job: KeptJob, event: JobEvent): Promise<KeptJob> {
    return this.change(job, (kept) => {
      const record = nextRecord(kept.record, event);
      return record === kept.record ? kept : { ...kept, record };
    });
  }

  /** Does the same as {@link apply} for a change that is no event of the job. */
  async change(job: KeptJob, change: (job: KeptJob) => KeptJob): Promise<KeptJob> {
    const stored = (await this.#read(fileOf(job.record.id))) ?? job;
    const changed = change(stored);
    if (changed !== stored) await this.#guarded(() => this.#write(changed));
    return changed;
  }

  /**
   * Runs an action while no other command runs one with this name. If the disk can't be written,
   * the action runs without a lock.
   */
  async alone<T>(name: string, signal: AbortSignal, action: () => Promise<T>): Promise<T> {
    const release = await this.#lock(name, signal);
    try {
      return await action();
    } finally {
      await release?.().catch(() => undefined);
    }
  }

  /**
   * Writes a note that a start request is about to be sent. It stays if the command is killed before the answer.
   * @returns the time of the note that an earlier command has left, if any.
   */
  async beginStart(name: string): Promise<number | undefined> {
    const note = this.#startNote(name);
    const earlier = await stat(note).catch(() => undefined);
    await this.#guarded(async () => {
      await makeFolder(this.#ports.folder, 0o700);
      await writeFile(note, '', { mode: 0o600 });
    });
    return earlier?.mtimeMs;
  }

  /** Removes the note of {@link beginStart}, because it is known whether a job has started. */
  async endStart(name: string): Promise<void> {
    await rm(this.#startNote(name), { force: true }).catch(() => undefined);
  }

  #startNote(name: string): string {
    return path.join(this.#ports.folder, `.${name}.starting`);
  }

  async #lock(name: string, signal: AbortSignal): Promise<(() => Promise<void>) | undefined> {
    const { clock, folder, onWaiting } = this.#ports;
    try {
      await makeFolder(folder, 0o700);
      return await waitForLock(path.join(folder, `.${name}.lock`), { clock, signal }, onWaiting);
    } catch (error) {
      signal.throwIfAborted();
      this.#reportUnwritable(error);
      return undefined;
    }
  }

  async #write({ record, run }: KeptJob): Promise<void> {
    const { folder } = this.#ports;
    await makeFolder(folder, 0o700);
    const part = path.join(folder, `${record.id}.${randomUUID()}.part`);
    try {
      const content = { schemaVersion: 1, record, run };
      await writeFile(part, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' });
      await rename(part, path.join(folder, fileOf(record.id)));
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async #read(name: string): Promise<KeptJob | undefined> {
    const file = path.join(this.#ports.folder, name);
    let text;
    try {
      text = await readFile(file, 'utf8');
    } catch {
      // Another command may have removed it.
      return undefined;
    }
    try {
      const { record: stored, run } = v.parse(fileSchema, JSON.parse(text));
      const record = parseExportRecord(stored);
      if (record && fileOf(record.id) === name) return run ? { record, run } : { record };
    } catch {
      // The file is set aside below.
    }
    await rename(file, `${file}.unreadable`).catch(() => undefined);
    this.#ports.onUnreadable(name);
    return undefined;
  }

  async #prune(justSaved: string): Promise<void> {
    const names = await readdir(this.#ports.folder);
    if (names.length <= MAX_JOBS) return;
    const ended = (await this.list()).filter(
      ({ record }) => record.id !== justSaved && record.outcome !== 'running',
    );
    for (const { record } of ended.slice(MAX_JOBS - 1)) {
      await rm(path.join(this.#ports.folder, fileOf(record.id)), { force: true });
    }
  }

  async #removeStale(name: string): Promise<void> {
    if (!/\.(?:part|unreadable|starting)$/.test(name)) return;
    const file = path.join(this.#ports.folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (!stats || this.#ports.clock.now() - stats.mtimeMs < STALE_MS) return;
    await rm(file, { force: true }).catch(() => undefined);
  }

  async #guarded(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#reportUnwritable(error);
    }
  }

  #reportUnwritable(error: unknown): void {
    if (!this.#isWritable) return;
    this.#isWritable = false;
    this.#ports.onUnwritable(errorCodeOrName(error));
  }
}

function fileOf(id: string): string {
  return `${id}.json`;
}
