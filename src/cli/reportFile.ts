/** A file that a command reserves before its work begins. Uses `node:fs`. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { ExportError, writeError } from '../export/exportErrors';

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

  /** Removes the temporary file. After {@link write}, it does nothing. */
  async release(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    if (this.#part !== undefined) await rm(this.#part, { force: true }).catch(() => undefined);
  }
}

/** Report files of a command. Those that it doesn't write are released at its end. */
export class ReportFiles {
  readonly #folder: string;
  readonly #reserved: ReportFile[] = [];

  /** @param folder absolute path, against which names are resolved. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Returns the reserved file, or undefined if no name is given.
   * @throws {ExportError} `not-writable`, `disk-full`.
   */
  async reserve(name: string | undefined): Promise<ReportFile | undefined> {
    if (name === undefined) return undefined;
    const report = await ReportFile.reserve(path.resolve(this.#folder, name));
    this.#reserved.push(report);
    return report;
  }

  async release(): Promise<void> {
    for (const report of this.#reserved) await report.release();
  }
}
