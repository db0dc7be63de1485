import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  unpackBundle,
  type UnpackedBundle,
  type UnpackOptions,
} from '../../../../src/export/archive/unpack';
import { ExportError, type ExportErrorCode } from '../../../../src/export/exportErrors';

const ARCHIVE = 'bundle';
const TARGET = 'site';

/** A folder of its own for each test, with an archive in it and what it is unpacked to. */
export class UnpackingPlace {
  readonly #outer: string;

  private constructor(outer: string) {
    this.#outer = outer;
  }

  static async create(): Promise<UnpackingPlace> {
    return new UnpackingPlace(await mkdtemp(join(tmpdir(), 'docs-assistant-unpack-')));
  }

  /** Folder around the archive and the target; what climbs out would be seen beside them. */
  get folder(): string {
    return this.#outer;
  }

  get archive(): string {
    return join(this.#outer, ARCHIVE);
  }

  get target(): string {
    return join(this.#outer, TARGET);
  }

  async unpack(archive: Buffer, options: Partial<UnpackOptions> = {}): Promise<UnpackedBundle> {
    await writeFile(this.archive, archive);
    return unpackBundle({
      archive: this.archive,
      target: this.target,
      newId: randomUUID,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...options,
    });
  }

  /** Fails unless it is refused with that code, and nothing but the archive is there after. */
  async refuses(
    archive: Buffer,
    code: ExportErrorCode,
    options: Partial<UnpackOptions> = {},
  ): Promise<ExportError['details']> {
    const error: unknown = await this.unpack(archive, options).then(
      () => assert.fail('It was unpacked.'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ExportError, String(error));
    assert.equal(error.code, code, JSON.stringify(error.details));
    assert.deepEqual(await readdir(this.#outer), [ARCHIVE]);
    return error.details;
  }

  /**
   * Returns the content of all files in the target by name. The names of folders end with a slash.
   */
  async unpacked(): Promise<Record<string, string>> {
    return filesIn(this.target);
  }

  async remove(): Promise<void> {
    await rm(this.#outer, { recursive: true, force: true });
  }
}

async function filesIn(folder: string, before = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    if (!(await stat(path)).isDirectory()) {
      found[before + name] = await readFile(path, 'latin1');
      continue;
    }
    const inner = await filesIn(path, `${before}${name}/`);
    if (Object.keys(inner).length === 0) found[`${before}${name}/`] = '';
    Object.assign(found, inner);
  }
  return found;
}
