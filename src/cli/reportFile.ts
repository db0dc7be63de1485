/** A file that a command reserves before its work begins. Uses `node:fs`. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ExportError, writeError } from '../export/exportErrors';
import { CliError, exitCodes, type CliContext } from './context';

/**
 * Reserves the path of a file before a command's work begins, so a folder that can't be written costs
 * no credits and no time. The file gets its name in one step. A device or a pipe is written directly.
 */
export class ReportFile {
  readonly #file: string;
  readonly #part: string | undefined;
  readonly #handle: FileHandle;

  private constructor(file: string, part: string | undefined, handle: FileHandle) {
    this.#file = file;
    this.#part = part;
    this.#handle = handle;
  }

  /** @throws {ExportError} `not-writable`, `disk-full`. */
  static async reserve(file: string): Promise<ReportFile> {
    try {
      const there = await stat(file).catch(() => undefined);
      if (there?.isDirectory()) {
        throw new ExportError('not-writable', { path: file, causeCode: 'EISDIR' });
      }
      if (there && !there.isFile()) return new ReportFile(file, undefined, await open(file, 'w'));
      const part = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.part`);
      return new ReportFile(file, part, await open(part, 'wx'));
    } catch (error) {
      throw writeError(error, file);
    }
  }

  /**
   * Tries to create files, before a command waits for what to write. Nothing stays behind.
   * @param files absolute paths.
   * @throws {ExportError} `not-writable`, `disk-full`.
   */
  static async check(...files: readonly string[]): Promise<void> {
    for (const file of files) await (await ReportFile.reserve(file)).release();
  }

  /** @throws {ExportError} `not-writable`, `disk-full`. */
  async write(text: string): Promise<void> {
    try {
      await this.#handle.writeFile(text);
      await this.#handle.close();
      if (this.#part !== undefined) await rename(this.#part, this.#file);
    } catch (error) {
      throw writeError(error, this.#file);
    }
  }

  isSameFile(other: ReportFile): boolean {
    return this.#part !== undefined && this.#file === other.#file;
  }

  /** Removes the temporary file. After {@link write}, it does nothing. */
  async release(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    if (this.#part !== undefined) await rm(this.#part, { force: true }).catch(() => undefined);
  }
}

/** Returns the error for a file that two options name. The second text would replace the first. */
export function namedTwice(name: string, t: CliContext['t']): CliError {
  return new CliError(
    exitCodes.usage,
    t('Two options name the file {0}. Choose another name for one of them.', name),
  );
}

/** Report files of a command. Those that it doesn't write are released at its end. */
export class ReportFiles {
  readonly #context: Pick<CliContext, 'cwd' | 't'>;
  readonly #reserved: ReportFile[] = [];

  constructor(context: Pick<CliContext, 'cwd' | 't'>) {
    this.#context = context;
  }

  /**
   * Returns the reserved file, or undefined if no name is given.
   * @throws {ExportError} `not-writable`, `disk-full`.
   * @throws {CliError} for a file that is reserved already. A device or a pipe can take several reports.
   */
  async reserve(name: string | undefined): Promise<ReportFile | undefined> {
    if (name === undefined) return undefined;
    const { cwd, t } = this.#context;
    const report = await ReportFile.reserve(path.resolve(cwd, name));
    const isTaken = this.#reserved.some((other) => other.isSameFile(report));
    this.#reserved.push(report);
    if (isTaken) throw namedTwice(name, t);
    return report;
  }

  async release(): Promise<void> {
    for (const report of this.#reserved) await report.release();
  }
}
