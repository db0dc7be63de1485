/**
 * Brings the docs of a site to this machine: a folder, a git checkout, the archive of a bundle, or a public site. Uses
 * `node:fs` for the folders of the copies and `node:child_process` for git and for commands of the manifest.
 */
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { errorCodeOrName } from '../../../common/errorCode';
import { fetchError } from '../../../common/http/responseErrors';
import { isFolder, readJson } from '../../../common/onDisk';
import type { Fetch } from '../../../common/ports';
import { plainSentence } from '../../../common/text/safeText';
import type { DocsSource } from '../../../docs/engine';
import { unpackBundle } from '../../../export/archive/unpack';
import { parseUrl } from '../../../shared/links';
import type { ManifestSite, ManifestSource } from './manifestSchema';
import { type LoadedDocs, type SiteLoader, SourceError } from './siteLoader';

/** Docs on this machine. */
type LocalDocs = LoadedDocs & { readonly docs: DocsSource };

export interface SourcePorts {
  /** Absolute path of the folder of the manifest, from which its paths start. */
  readonly manifestFolder: string;
  /** Absolute path of the site's own folder for copies. */
  readonly folder: string;
  readonly fetch: Fetch;
  /** Returns whether something other than the site reads a copy. By default, nothing does. */
  readonly isRead?: (copy: string) => boolean;
}

const run = promisify(execFile);
/** Longest run of a command of the manifest or of git. */
const COMMAND_MS = 30 * 60 * 1000;
const DOWNLOAD_MS = 60 * 60 * 1000;
/** Maximum bytes of an archive. */
const MAX_ARCHIVE_BYTES = 4 * 1024 * 1024 * 1024;
/** Maximum characters of a command's last line in an error. */
const MAX_LAST_LINE = 300;

/** The copy that the site uses, as its file tells the next process. */
const currentSchema = v.object({
  /** Hash of the source in the manifest. */
  of: v.string(),
  version: v.string(),
  /** Name of the copy's folder. */
  folder: v.string(),
  kind: v.picklist(['folder', 'bundle']),
  root: v.string(),
});
type Current = v.InferOutput<typeof currentSchema>;

/** Loads the docs of one site. Copies are made beside the one that is used, so a failure leaves it alone. */
export class SiteSources implements SiteLoader {
  readonly #site: Pick<ManifestSite, 'source' | 'refresh'>;
  readonly #ports: SourcePorts;
  readonly #of: string;

  constructor(site: Pick<ManifestSite, 'source' | 'refresh'>, ports: SourcePorts) {
    this.#site = site;
    this.#ports = ports;
    this.#of = createHash('sha256').update(JSON.stringify(site.source)).digest('hex');
  }

  async last(): Promise<LocalDocs | undefined> {
    const current = await this.#current();
    if (!current) return undefined;
    const root = path.join(this.#ports.folder, current.folder, current.root);
    if (!(await isFolder(root))) return undefined;
    return { docs: { kind: current.kind, folder: root }, version: current.version };
  }

  /** Runs the site's command and returns its newest docs. */
  async load(signal: AbortSignal): Promise<LocalDocs> {
    const { source, refresh } = this.#site;
    if (refresh?.command) await this.#runCommand(refresh.command, signal);
    switch (source.kind) {
      case 'folder': {
        const named = this.#resolve(source.path);
        // A link leads to another folder after each sync of a repository.
        const folder = await realpath(named).catch(() => named);
        return { docs: { kind: 'folder', folder }, version: '' };
      }
      case 'site': {
        const cache = path.join(this.#ports.folder, 'pages');
        await mkdir(cache, { recursive: true });
        return { docs: { kind: 'site', url: source.url, cache }, version: '' };
      }
      case 'git':
        return this.#checkOut(source, signal);
      case 'bundle':
        return this.#unpack(source.from, signal);
    }
  }

  async clean(): Promise<void> {
    const current = await this.#current();
    const names = await readdir(this.#ports.folder).catch(() => []);
    const old = names.filter((name) => /^(?:copy|part)-/.test(name) && name !== current?.folder);
    for (const name of old) {
      const copy = path.join(this.#ports.folder, name);
      if (this.#ports.isRead?.(copy) === true) continue;
      await rm(copy, { recursive: true, force: true });
    }
  }

  #resolve(written: string): string {
    return path.resolve(this.#ports.manifestFolder, written);
  }

  async #runCommand(command: readonly string[], signal: AbortSignal): Promise<void> {
    const [program = '', ...args] = command;
    await this.#run('The command of the manifest', program, args, signal);
  }

  async #checkOut(
    { url, branch, path: below }: Extract<ManifestSource, { kind: 'git' }>,
    signal: AbortSignal,
  ): Promise<LocalDocs> {
    const ref = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
    const listed = await this.#run('git ls-remote', 'git', ['ls-remote', '--', url, ref], signal);
    const version = /^[0-9a-f]{40,64}(?=\s)/.exec(listed)?.[0];
    if (version === undefined) throw new SourceError('The git repository has no such branch.');
    return this.#copy(version, async (copy) => {
      const from = branch === undefined ? [] : ['--branch', branch];
      const args = [
        'clone',
        '--quiet',
        '--depth',
        '1',
        '--single-branch',
        ...from,
        '--',
        url,
        copy,
      ];
      await this.#run('git clone', 'git', args, signal);
      const root = path.join(copy, below ?? '.');
      const isBelow = !path.relative(copy, root).startsWith('..');
      if (!isBelow || !(await isFolder(root))) {
        throw new SourceError(`The git repository has no folder "${below ?? ''}".`);
      }
      return { kind: 'folder', root };
    });
  }

  async #unpack(from: string, signal: AbortSignal): Promise<LocalDocs> {
    const url = parseUrl(from);
    const isLink = url !== undefined && /^https?:$/.test(url.protocol);
    const archive = isLink
      ? path.join(this.#ports.folder, `part-${randomUUID()}`)
      : this.#resolve(from);
    try {
      const version = isLink
        ? await download(
            this.#ports.fetch,
            from,
            archive,
            AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_MS)]),
          )
        : await stampOf(archive);
      return await this.#copy(version, async (copy) => {
        const { siteRoot } = await unpackBundle({
          archive,
          target: copy,
          newId: randomUUID,
          signal,
          onProgress: () => undefined,
        }).catch((error: unknown) => {
          throw new SourceError(`The archive can't be unpacked (${errorCodeOrName(error)}).`);
        });
        return { kind: 'bundle', root: siteRoot };
      });
    } finally {
      if (isLink) await rm(archive, { force: true });
    }
  }

  /** Returns the copy with this version, which is made if it isn't the one that is used. */
  async #copy(
    version: string,
    make: (copy: string) => Promise<{ readonly kind: Current['kind']; readonly root: string }>,
  ): Promise<LocalDocs> {
    const last = await this.last();
    if (last?.version === version) return last;
    const { folder } = this.#ports;
    await mkdir(folder, { recursive: true });
    const name = `copy-${randomUUID()}`;
    const copy = path.join(folder, name);
    try {
      const { kind, root } = await make(copy);
      const current: Current = {
        of: this.#of,
        version,
        folder: name,
        kind,
        root: path.relative(copy, root),
      };
      const part = path.join(folder, `part-${randomUUID()}`);
      await writeFile(part, JSON.stringify(current));
      await rename(part, this.#currentFile);
      return { docs: { kind, folder: root }, version };
    } catch (error) {
      await rm(copy, { recursive: true, force: true });
      throw error;
    }
  }

  get #currentFile(): string {
    return path.join(this.#ports.folder, 'current.json');
  }

  async #current(): Promise<Current | undefined> {
    const read = await readJson(this.#currentFile, currentSchema);
    return read?.of === this.#of ? read : undefined;
  }

  /** Runs a program without a shell and returns what it prints. The error has what it said last, without secrets. */
  async #run(
    what: string,
    program: string,
    args: readonly string[],
    signal: AbortSignal,
  ): Promise<string> {
    try {
      const { stdout } = await run(program, args, {
        cwd: this.#ports.manifestFolder,
        signal,
        timeout: COMMAND_MS,
        maxBuffer: 16 * 1024 * 1024,
        // A question for a password would wait for an answer that nobody gives.
        env: { ...process.env, GIT_TERMINAL_PROMPT: '0' },
      });
      return stdout;
    } catch (error) {
      signal.throwIfAborted();
      const last = plainSentence(lastLineOf(stderrOf(error)), [], MAX_LAST_LINE);
      throw new SourceError(`${what} failed: ${last === '' ? unsaidReason(program, error) : last}`);
    }
  }
}

/** Returns why a program failed that has said nothing. */
function unsaidReason(program: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (typeof code === 'number') return `It ended with exit code ${code}.`;
  const isStarted = !(error instanceof Error && 'syscall' in error);
  return isStarted
    ? errorCodeOrName(error)
    : `"${program}" can't be started (${errorCodeOrName(error)}).`;
}

/** Returns the last line of an output, without the hints that git adds for each remote that it can't read. */
function lastLineOf(output: string): string {
  const [reason = ''] = output.split('fatal: Could not read from remote repository.');
  const said = reason.trim() === '' ? output : reason;
  return said.trim().split('\n').at(-1) ?? '';
}

function stderrOf(error: unknown): string {
  return error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
}

/** Returns what changes when a file is replaced. */
async function stampOf(file: string): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file);
    return `${size} ${mtimeMs}`;
  } catch (error) {
    throw new SourceError(`The archive can't be read (${errorCodeOrName(error)}).`);
  }
}

/** Downloads an archive and returns the hash of its content. The link can be a secret, so no error repeats it. */
async function download(
  fetch: Fetch,
  link: string,
  target: string,
  signal: AbortSignal,
): Promise<string> {
  const hash = createHash('sha256');
  try {
    await mkdir(path.dirname(target), { recursive: true });
    const response = await fetch(link, { signal });
    if (!response.ok || !response.body) {
      throw new SourceError(`The link to the archive answers with status ${response.status}.`);
    }
    let bytes = 0;
    const { body } = response;
    const counted = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        bytes += chunk.byteLength;
        if (bytes > MAX_ARCHIVE_BYTES) throw new SourceError('The archive is larger than 4 GB.');
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(counted, createWriteStream(target), { signal });
    return hash.digest('hex');
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const reason = fetchError(error, link).details.causeCode ?? errorCodeOrName(error);
    throw new SourceError(`The archive can't be downloaded (${reason}).`);
  }
}
