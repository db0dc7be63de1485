/** The folder that the assistant has in a site. Reads and writes it with `node:fs`. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WrittenPart } from '../docs/parts/partWriter';
import { ExportError, writeError } from '../export/exportErrors';
import {
  ASSISTANT_FOLDER,
  ASSISTANT_MANIFEST,
  assistantManifest,
  type AskedService,
  readSiteAssistant,
} from '../export/check/assistantFolder';

/** Folder of the parts of the index, in the own folder. */
const PARTS = 'parts';
/** Digits of the hash in the name of a script. */
const HASH_DIGITS = 16;
/** Name of a file that is being written. */
const UNFINISHED = 'unfinished.tmp';

/** Matches the names of scripts and parts, also those of an interrupted run and of earlier versions. */
const scriptName = /^[a-z]+-[0-9a-f]{4,}\.js$/;
const partName = /^[0-9a-f]{4,}\.js$/;

/** Returns the content of a file that defines a part, as the script of the box reads it. */
function partFile({ name, content }: WrittenPart): string {
  return `docsAssistantPart("${name}","${content}");\n`;
}

/** The folder, with the files that belong to it after the current run. */
export class OwnFolder {
  readonly #root: string;
  /** Whether the site doesn't have the folder yet. */
  readonly isNew: boolean;
  readonly #files = new Set<string>();
  /** Bytes of the files of this run. */
  bytes = 0;

  private constructor(root: string, isNew: boolean) {
    this.#root = root;
    this.isNew = isNew;
  }

  /**
   * Opens the folder of a site. It needn't exist.
   * @throws {ExportError} `assistant-folder-taken` if something else has this name.
   */
  static async open(root: string): Promise<OwnFolder> {
    const folder = path.join(root, ASSISTANT_FOLDER);
    const entries = await readdir(folder).catch(async () => {
      const isFree = await stat(folder).then(
        () => false,
        () => true,
      );
      if (isFree) return [];
      throw new ExportError('assistant-folder-taken', { path: ASSISTANT_FOLDER });
    });
    if (entries.length === 0) return new OwnFolder(root, true);
    if (await readSiteAssistant(root)) return new OwnFolder(root, false);
    throw new ExportError('assistant-folder-taken', { path: ASSISTANT_FOLDER });
  }

  /**
   * Makes the folder and claims it, so that an interrupted run can be repeated or removed.
   * @param service that the box asks.
   */
  async begin(service: AskedService | undefined): Promise<void> {
    try {
      await mkdir(path.join(this.#root, ASSISTANT_FOLDER, PARTS), { recursive: true });
      await this.#put(ASSISTANT_MANIFEST, assistantManifest(service));
    } catch (error) {
      throw writeError(error, path.join(this.#root, ASSISTANT_FOLDER));
    }
  }

  /** Writes a script under a name with the hash of its content. @returns the name. */
  async addScript(name: string, content: string): Promise<string> {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, HASH_DIGITS);
    const file = `${name}-${hash}.js`;
    await this.#write(file, content);
    return file;
  }

  async addPart(part: WrittenPart): Promise<void> {
    await this.#write(`${PARTS}/${part.name}.js`, partFile(part));
  }

  /** Replaces a file of the site in one step. It keeps its permissions. */
  async replace(file: string, content: Uint8Array): Promise<void> {
    const target = path.join(this.#root, file);
    const unfinished = path.join(this.#root, ASSISTANT_FOLDER, UNFINISHED);
    try {
      const { mode } = await stat(target);
      await writeFile(unfinished, content, { mode });
      await rename(unfinished, target);
    } catch (error) {
      throw writeError(error, target);
    }
  }

  /** Removes the files of earlier runs that this one didn't write. @returns the number of files. */
  async finish(): Promise<number> {
    await this.#removeOthers(this.#files);
    return this.#files.size + 1;
  }

  /** Removes the folder. Files that others have put into it stay. */
  async remove(): Promise<void> {
    await this.#removeOthers(new Set());
    await this.#remove(UNFINISHED);
    await this.#remove(ASSISTANT_MANIFEST);
    for (const folder of [path.join(ASSISTANT_FOLDER, PARTS), ASSISTANT_FOLDER])
      await rmdir(path.join(this.#root, folder)).catch(() => undefined);
  }

  async #removeOthers(kept: ReadonlySet<string>): Promise<void> {
    const folder = path.join(this.#root, ASSISTANT_FOLDER);
    const scripts = (await readdir(folder)).filter((name) => scriptName.test(name));
    const parts = (await readdir(path.join(folder, PARTS)).catch(() => []))
      .filter((name) => partName.test(name))
      .map((name) => `${PARTS}/${name}`);
    for (const file of [...scripts, ...parts]) if (!kept.has(file)) await this.#remove(file);
  }

  async #write(file: string, content: string): Promise<void> {
    const isNew = !this.#files.has(file);
    this.#files.add(file);
    if (isNew) this.bytes += Buffer.byteLength(content);
    const target = path.join(this.#root, ASSISTANT_FOLDER, file);
    // The name has the hash of the content, so a whole file of this name is the same.
    const known = await stat(target).catch(() => undefined);
    if (known?.size !== Buffer.byteLength(content)) await this.#put(file, content);
  }

  async #put(file: string, content: string): Promise<void> {
    const target = path.join(this.#root, ASSISTANT_FOLDER, file);
    const unfinished = path.join(this.#root, ASSISTANT_FOLDER, UNFINISHED);
    try {
      await writeFile(unfinished, content);
      await rename(unfinished, target);
    } catch (error) {
      throw writeError(error, target);
    }
  }

  async #remove(file: string): Promise<void> {
    await rm(path.join(this.#root, ASSISTANT_FOLDER, file), { force: true });
  }
}
