import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { systemClock } from '../../../../../src/common/clock';
import { InstalledPackages } from '../../../../../src/docs/sources/installed/installedPackages';
import type { PageSource } from '../../../../../src/docs/sources/pageSource';
import { RecordingLog } from '../../../../fakes/recordingLog';

/** Contents of files by path. An object is written as JSON. */
export type Tree = Readonly<Record<string, string | Uint8Array | object>>;

/** A workspace on disk, with packages that a test installs. */
export class Workspace {
  readonly log = new RecordingLog();
  isTrusted = true;

  private constructor(
    /** Real path of the folder. */
    readonly root: string,
  ) {}

  static async create(tree: Tree = {}): Promise<Workspace> {
    const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-installed-')));
    const workspace = new Workspace(root);
    await workspace.write(tree);
    return workspace;
  }

  at(...names: readonly string[]): string {
    return path.join(this.root, ...names);
  }

  async write(tree: Tree): Promise<void> {
    for (const [file, content] of Object.entries(tree)) {
      await mkdir(path.dirname(this.at(file)), { recursive: true });
      await writeFile(this.at(file), bytesOf(content));
    }
  }

  /** Makes a link to a folder below the workspace, or to an absolute path. */
  async link(from: string, to: string): Promise<void> {
    await mkdir(path.dirname(this.at(from)), { recursive: true });
    await symlink(path.resolve(this.root, to), this.at(from), 'junction');
  }

  async zip(archive: string, tree: Tree): Promise<void> {
    await mkdir(path.dirname(this.at(archive)), { recursive: true });
    const zip = new ZipFile();
    for (const [file, content] of Object.entries(tree)) {
      zip.addBuffer(Buffer.from(bytesOf(content)), file, { compress: file.endsWith('.md') });
    }
    zip.end();
    await pipeline(zip.outputStream, createWriteStream(this.at(archive)));
  }

  /** Opens what is installed, as one window does. */
  open(root: string = this.root): InstalledPackages {
    return new InstalledPackages({
      root,
      isTrusted: () => this.isTrusted,
      clock: systemClock,
      log: this.log,
    });
  }

  /** Lists `importedAs → id` of what is installed for a file or folder. */
  async list(from = '', installed = this.open()): Promise<Readonly<Record<string, string>>> {
    const { packages } = await installed.list(this.at(from), new AbortController().signal);
    return Object.fromEntries(packages.map(({ importedAs, id }) => [importedAs, id]));
  }

  async problems(from = '', installed = this.open()): Promise<readonly string[]> {
    const { problems } = await installed.list(this.at(from), new AbortController().signal);
    return problems.map(({ kind, name }) => `${kind} ${name}`);
  }

  async remove(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function bytesOf(content: string | Uint8Array | object): string | Uint8Array {
  return typeof content === 'string' || content instanceof Uint8Array
    ? content
    : JSON.stringify(content);
}

/** Returns the files of a package in a folder. */
export function packageAt(folder: string, name: string, version: string, more: Tree = {}): Tree {
  return {
    [`${folder}/package.json`]: { name, version },
    [`${folder}/README.md`]: `# ${name} ${version}\n\nText.\n`,
    ...Object.fromEntries(Object.entries(more).map(([file, text]) => [`${folder}/${file}`, text])),
  };
}

/** Returns the files of a package that npm installed. */
export function installedAt(folder: string, name: string, version: string, more?: Tree): Tree {
  return packageAt(path.posix.join(folder, 'node_modules', name), name, version, more);
}

export async function pathsOf(source: PageSource): Promise<string[]> {
  const paths: string[] = [];
  for await (const path of source.paths(new AbortController().signal)) paths.push(path);
  return paths;
}

/**
 * Returns a `.pnp.cjs` with the part of Yarn's interface that is documented.
 * @param places folder of each package, relative to the file, by the project that asks and the name.
 */
export function pnpFile(
  places: Readonly<Record<string, Readonly<Record<string, string>>>>,
): string {
  return `
    const path = require('node:path');
    const places = new Map(Object.entries(${JSON.stringify(places)}));
    const ownerOf = (location) => {
      const relative = path.relative(__dirname, location);
      return [...places.keys()]
        .filter((folder) => folder === '' || relative === folder || relative.startsWith(folder + path.sep))
        .sort((a, b) => b.length - a.length)[0];
    };
    module.exports = {
      VERSIONS: { std: 3, resolveVirtual: 1 },
      findPackageLocator(location) {
        if (!location.endsWith(path.sep)) throw new Error('A folder ends with a separator');
        if (location.includes('ignored')) return null;
        return { name: ownerOf(location), reference: 'workspace:.' };
      },
      resolveToUnqualified(request, issuer, { considerBuiltins }) {
        if (considerBuiltins !== false) throw new Error('Modules of Node are no packages');
        const place = new Map(Object.entries(places.get(ownerOf(issuer)) ?? {})).get(request);
        if (place === undefined) throw Object.assign(new Error('Not asked for'), { code: 'MODULE_NOT_FOUND' });
        return path.join(__dirname, place) + path.sep;
      },
      resolveVirtual(location) {
        const parts = /^(.*)[\\\\/]__virtual__[\\\\/][^\\\\/]+[\\\\/]0[\\\\/](.*)$/s.exec(location);
        return parts ? path.join(parts[1], parts[2]) + (location.endsWith(path.sep) ? path.sep : '') : null;
      },
    };
  `;
}
