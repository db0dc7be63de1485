/** The folder in which the host keeps versions of its site, across restarts. Uses `node:fs`. */
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { writeError } from '../export/exportErrors';
import { inOrder } from '../export/check/siteFiles';
import { versionIdPattern, versionRecordSchema, type VersionRecord } from './siteVersion';
import { writePrivateFile } from '../export/replaceFile';
import { makeFolder, readJson } from '../common/onDisk';

const keptSchema = v.object({
  id: v.pipe(v.string(), v.regex(versionIdPattern)),
  /** Link of the bundle without its query, which is the secret part. */
  address: v.string(),
  label: v.optional(v.string()),
  /** Whether search and answers were added to its pages. */
  isEnhanced: v.optional(v.boolean(), false),
});

/** A version that can be served again without a download. */
export type KeptVersion = v.InferOutput<typeof keptSchema>;

const stateSchema = v.object({
  schemaVersion: v.literal(1),
  /** Kept versions, the one that is served first. */
  versions: v.array(keptSchema),
});

/** Suffix of the folder of a version that isn't complete. */
const UNFINISHED = '.preparing';

/**
 * Layout: `state.json` names the kept versions, and `versions/<id>/` has the record and the files of each. A version is
 * prepared beside the others and gets its name in one step when it is complete, so a kill leaves the last good version.
 */
export class VersionFolder {
  readonly #root: string;
  #kept: readonly KeptVersion[] = [];

  constructor(root: string) {
    this.#root = root;
  }

  /** Kept versions, the newest first. */
  get kept(): readonly KeptVersion[] {
    return this.#kept;
  }

  /** Path of the lock that one host holds. */
  get lock(): string {
    return path.join(this.#root, 'host.lock');
  }

  /** Path of the archive while it is downloaded and unpacked. */
  get archive(): string {
    return path.join(this.#root, 'download', 'bundle');
  }

  /** Makes the folders. @throws {ExportError} `disk-full`, `not-writable` */
  async make(): Promise<void> {
    for (const folder of [this.#versions, path.dirname(this.archive)]) {
      try {
        await makeFolder(folder);
      } catch (error) {
        throw writeError(error, folder);
      }
    }
  }

  /** Finds the versions that are kept, and removes the rest that a killed host has left. */
  async open(): Promise<void> {
    const names = await readdir(this.#versions).catch(() => []);
    const complete = names.filter((name) => versionIdPattern.test(name));
    this.#kept = (await this.#readState(complete)).filter(({ id }) => complete.includes(id));
    const known = new Set(this.#kept.map(({ id }) => id));
    for (const name of names) if (!known.has(name)) await this.remove(name);
    for (const name of await readdir(this.#root).catch(() => [])) {
      if (!name.endsWith('.part')) continue;
      await rm(path.join(this.#root, name), { force: true }).catch(() => undefined);
    }
  }

  /** Names the kept versions, the one that is served first. @throws {ExportError} `disk-full`, `not-writable` */
  async keep(versions: readonly KeptVersion[]): Promise<void> {
    await writePrivateFile(
      path.join(this.#root, 'state.json'),
      `${JSON.stringify({ schemaVersion: 1, versions }, undefined, 2)}\n`,
    );
    this.#kept = versions;
  }

  /** Returns the folder in which a version is prepared. */
  unfinished(id: string): string {
    return path.join(this.#versions, id + UNFINISHED);
  }

  site(id: string, root: string): string {
    return path.join(this.#versions, id, 'site', root);
  }

  /** Saves the record of a prepared version, and gives the version its place. */
  async finish(id: string, record: VersionRecord): Promise<void> {
    const unfinished = this.unfinished(id);
    await writePrivateFile(path.join(unfinished, 'record.json'), JSON.stringify(record));
    await this.remove(id);
    try {
      await rename(unfinished, path.join(this.#versions, id));
    } catch (error) {
      throw writeError(error, unfinished);
    }
  }

  /**
   * Returns the record of a version whose files are all there with their sizes. A power failure can leave files
   * that are empty. Returns undefined for a version that is damaged or missing.
   */
  async load(id: string, signal: AbortSignal): Promise<VersionRecord | undefined> {
    const parsed = await readJson(
      path.join(this.#versions, id, 'record.json'),
      versionRecordSchema,
    );
    if (!parsed) return undefined;
    const root = this.site(id, parsed.root);
    const checks = inOrder(parsed.files, signal, async ([file, size]) => {
      const found = await stat(path.join(root, file)).catch(() => undefined);
      return found?.isFile() === true && found.size === size;
    });
    for await (const isWhole of checks) if (!isWhole) return undefined;
    return parsed;
  }

  /** Removes what an interrupted preparation has left. */
  async discard(id: string): Promise<void> {
    await this.remove(id + UNFINISHED);
  }

  get #versions(): string {
    return path.join(this.#root, 'versions');
  }

  /**
   * Removes a version by its identifier, or something else beside the versions by its name. What can't be removed now
   * is removed at the next start.
   */
  async remove(name: string): Promise<void> {
    const place = path.join(this.#versions, name);
    // The name is free at once, so a version that comes back meanwhile loses no file.
    const gone = path.join(this.#versions, `.${randomUUID()}.gone`);
    const isMoved = await rename(place, gone).then(
      () => true,
      () => false,
    );
    const removed = rm(isMoved ? gone : place, { recursive: true, force: true, maxRetries: 3 });
    await removed.catch(() => undefined);
  }

  /** Reads the state. If it is damaged, the complete versions count, the newest first. */
  async #readState(complete: readonly string[]): Promise<readonly KeptVersion[]> {
    const state = await readJson(path.join(this.#root, 'state.json'), stateSchema);
    if (state) return state.versions;
    const dated = await Promise.all(
      complete.map(async (id) => {
        const found = await stat(path.join(this.#versions, id)).catch(() => undefined);
        return { id, savedAt: found?.mtimeMs ?? 0 };
      }),
    );
    return dated
      .toSorted((a, b) => b.savedAt - a.savedAt)
      .map(({ id }) => ({ id, address: '', isEnhanced: false }));
  }
}
