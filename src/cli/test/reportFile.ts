/** A report file that is reserved before the command's work begins. Uses `node:fs`. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeError } from '../../export/exportErrors';

/**
 * Reserves the path of a report before any question is asked, so a folder that can't be written
 * costs no credits. The file gets its name in one step.
 */
export class ReportFile {
  readonly #file: string;
  readonly #part: string;
  readonly #handle: FileHandle;

  private constructor(file: string, part: string, handle: FileHandle) {
    this.#file = file;
    this.#part = part;
    this.#handle = handle;
  }

  /** @throws {ExportError} `not-writable`, `disk-full`. */
  static async reserve(file: string): Promise<ReportFile> {
    const part = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.part`);
    try {
      return new ReportFile(file, part, await open(part, 'wx'));
    } catch (error) {
      throw writeError(error, file);
    }
  }

  /** @throws {ExportError} `not-writable`, `disk-full`. */
  async write(text: string): Promise<void> {
    try {
      await this.#handle.writeFile(text);
      await this.#handle.close();
      await rename(this.#part, this.#file);
    } catch (error) {
      throw writeError(error, this.#file);
    }
  }

  /** Removes the temporary file. After {@link write}, it does nothing. */
  async release(): Promise<void> {
    await this.#handle.close().catch(() => undefined);
    await rm(this.#part, { force: true }).catch(() => undefined);
  }
}
