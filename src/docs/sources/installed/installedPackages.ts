/** Packages of npm that are installed for a workspace, as Node would find them. Uses `node:fs`. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../../../common/errorCode';
import type { Clock, Log } from '../../../common/ports';
import {
  CodePlaces,
  type CodePlace,
  installedFolders,
  isWithin,
  manifestIn,
  parentsOf,
  realFolderOf,
} from './codePlaces';
import {
  type InstalledDocs,
  type InstalledList,
  type InstalledPackage,
  type PackageProblem,
  type PackageProblemKind,
  problemLine,
} from './installedDocs';
import { FolderFiles, type PackageFiles } from './packageFiles';
import {
  type Dependency,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  type PackageManifest,
  readManifest,
} from './packageManifest';
import { isPackageName, nameOfPlace, packagesImportedIn, typesPackageOf } from './packageNames';
import { PackageSource } from './packageSource';
import { PNP_FILE } from './plugAndPlay';
import { stampOf } from '../docsFolder';
import { typesFiles } from './typesFiles';
import type { PackageFiles as TypesFiles } from '../../pages/types/entryPoints';
import { ZipArchives, zipPlaceOf } from './zipFiles';

interface InstalledPackagesPorts {
  /** Absolute path of the workspace folder. Projects above it aren't read. */
  readonly root: string;
  /** Whether the user trusts the workspace, so that its code may run. */
  readonly isTrusted: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** Maximum number of packages in a list. */
const MAX_PACKAGES = 5000;
/** Number of packages that are read at the same time. */
const PARALLEL = 16;
/** Maximum number of packages and sources that are remembered. */
const MAX_REMEMBERED = 10_000;

/** Files and folders that package managers change when they install, update or remove packages. */
const markers = [
  MANIFEST,
  'node_modules',
  'node_modules/.package-lock.json',
  'node_modules/.modules.yaml',
  'node_modules/.yarn-state.yml',
  PNP_FILE,
];

/** A package without what depends on the code that asks. */
type KnownPackage = Omit<InstalledPackage, 'importedAs'>;

/** A package, or why there is none. */
type Found =
  | { readonly known: KnownPackage; readonly problem?: undefined }
  | { readonly known?: undefined; readonly problem: PackageProblemKind };

/**
 * Finds the packages of JavaScript in a workspace: the folder that Node resolves has the truth, so no lockfile is
 * read. Knows `node_modules` of npm, pnpm, Yarn and Bun, and Yarn's Plug'n'Play.
 */
export class InstalledPackages implements InstalledDocs {
  readonly #ports: InstalledPackagesPorts;
  readonly #places: CodePlaces;
  readonly #archives = new ZipArchives();
  /** Packages by folder. Valid as long as their stamp is the same. */
  readonly #known = new Map<string, KnownPackage>();
  /** Sources by folder and stamp, so that an unchanged package isn't listed again. */
  readonly #sources = new Map<string, PackageSource>();
  readonly #logged = new Set<string>();

  constructor(ports: InstalledPackagesPorts) {
    this.#ports = ports;
    this.#places = new CodePlaces(ports);
  }

  async list(from: string, signal: AbortSignal): Promise<InstalledList> {
    const place = await this.#places.at(from);
    const wanted = new Map<string, { readonly dependency: Dependency; readonly isNear: boolean }>();
    place.projects.forEach(({ dependencies }, position) => {
      for (const [name, dependency] of dependencies) {
        if (!wanted.has(name)) wanted.set(name, { dependency, isNear: position === 0 });
      }
    });
    const names = [...wanted.keys()];
    const problems = [...place.problems];
    const [firstLeftOut] = names.slice(MAX_PACKAGES);
    if (firstLeftOut !== undefined)
      problems.push({ kind: 'too-many-packages', name: firstLeftOut });
    const found = await inParallel(names.slice(0, MAX_PACKAGES), async (name) => {
      signal.throwIfAborted();
      return this.#resolve(name, place);
    });
    // If the packages can't be looked up, nobody knows which are installed.
    const isLookedUp = !place.problems.some(({ kind }) => kind !== 'broken-manifest');
    const packages: InstalledPackage[] = [];
    found.forEach(({ known, problem }, position) => {
      const name = names[position] ?? '';
      if (known) packages.push({ ...known, importedAs: name });
      // A project above asks for tools of its own, and nobody has to install an optional package.
      else if (problem !== 'not-installed' || (isLookedUp && isRequired(wanted.get(name))))
        problems.push({ kind: problem, name });
    });
    this.#logProblems(problems);
    return { packages, problems };
  }

  async stampOf(from: string): Promise<string> {
    const root = await realpath(this.#ports.root).catch(() => this.#ports.root);
    const folder = await realFolderOf(from);
    const stamps: string[] = [];
    for (const parent of parentsOf(folder)) {
      for (const name of markers) {
        const stats = await stat(path.join(parent, name)).catch(() => undefined);
        if (stats) stamps.push(`${parent} ${name} ${stampOf(stats)}`);
      }
      if (parent === root) break;
    }
    return stamps.join('\n');
  }

  async find(importedAs: string, from: string): Promise<InstalledPackage | undefined> {
    const place = await this.#places.at(from);
    const { known, problem } = await this.#resolve(importedAs, place);
    if (known) return { ...known, importedAs };
    if (problem !== 'not-installed') this.#logProblems([{ kind: problem, name: importedAs }]);
    return undefined;
  }

  async ownerOf(file: string, from: string = file): Promise<InstalledPackage | undefined> {
    const place = await this.#places.at(from);
    const real = (await place.lookup?.realPath(file)) ?? file;
    const known = await this.#ownerOf(real);
    return known && { ...known, importedAs: known.name };
  }

  async typesFor(installed: InstalledPackage, from: string): Promise<InstalledPackage | undefined> {
    const { importedAs, types, folder } = installed;
    if (types !== undefined || importedAs.startsWith('@types/')) return undefined;
    const { files } = await this.#filesIn(folder);
    if ((await files.kindOf('index.d.ts')) === 'file') return undefined;
    return this.find(typesPackageOf(importedAs), from);
  }

  importsOf(source: string): readonly string[] {
    return packagesImportedIn(source);
  }

  async filesOf({ folder }: InstalledPackage): Promise<PackageFiles> {
    return (await this.#filesIn(folder)).files;
  }

  async open(installed: InstalledPackage): Promise<PackageSource> {
    const { folder, stamp, isLinked, id } = installed;
    const key = `${id} ${folder} ${stamp}`;
    const known = isLinked ? undefined : this.#sources.get(key);
    if (known) return known;
    const { files, isFolder } = await this.#filesIn(folder);
    const { clock, log } = this.#ports;
    const types = (): TypesFiles => typesFiles(this, installed, files);
    const source = new PackageSource({ installed, files, isFolder, types, clock, log });
    if (!isLinked) remember(this.#sources, key, source);
    return source;
  }

  async #resolve(name: string, place: CodePlace): Promise<Found> {
    if (!isPackageName(name)) return { problem: 'bad-name' };
    const looked = await place.lookup?.find(name, place.folder);
    if (looked !== undefined) return this.#read(looked, name);
    let problem: PackageProblemKind = 'not-installed';
    for await (const { folder, error } of installedFolders(name, place.folder)) {
      if (folder === undefined) {
        if (isRefusal(error)) problem = 'unreadable';
        continue;
      }
      const found = await this.#read(folder, name);
      // Package managers leave empty folders behind, which Node passes over.
      if (found.problem !== 'no-manifest') return found;
      problem = found.problem;
    }
    return { problem };
  }

  async #ownerOf(file: string): Promise<KnownPackage | undefined> {
    const [, placed] = packageInPath.exec(file) ?? [];
    const name = placed === undefined ? undefined : nameOfPlace(placed);
    if (placed !== undefined && name !== undefined) {
      const folder = await realpath(placed).catch(() => placed);
      return (await this.#read(folder, name)).known;
    }
    for (const parent of parentsOf(await realFolderOf(file))) {
      const manifest = await manifestIn(parent);
      // Packages have other manifests in their folders, which only set how modules are loaded.
      if (typeof manifest === 'object' && isPackageName(manifest.name)) {
        return (await this.#read(parent, manifest.name)).known;
      }
    }
    return undefined;
  }

  async #read(folder: string, importedAs: string): Promise<Found> {
    const isLinked = !/[\\/]node_modules[\\/]/.test(folder);
    if (isLinked && !this.#ports.isTrusted()) {
      const root = await realpath(this.#ports.root).catch(() => this.#ports.root);
      // A link of a workspace that anyone made could lead to any project of the user.
      if (!isWithin(folder, root)) return { problem: 'needs-trust' };
    }
    const { files } = await this.#filesIn(folder);
    const stamp = await files.stamp();
    if (stamp === undefined) {
      const isReadable = await files.entries('').then(
        () => true,
        (error: unknown) => !isRefusal(error),
      );
      return { problem: isReadable ? 'no-manifest' : 'unreadable' };
    }
    const remembered = this.#known.get(folder);
    if (remembered?.stamp === stamp) return { known: remembered };
    const bytes = await files.readBytes(MANIFEST, MAX_MANIFEST_BYTES);
    if (!bytes) return { problem: 'unreadable' };
    const manifest = readManifest(bytes);
    if (!manifest) return { problem: 'broken-manifest' };
    const name = await nameOf(folder, manifest, importedAs);
    const version = manifest.version === '' ? UNVERSIONED : manifest.version;
    const id = `${name}@${version}`;
    const { description, homepage, repository, webFolder, types, docs } = manifest;
    const known: KnownPackage = {
      id,
      name,
      version,
      folder,
      description,
      homepage,
      repository,
      webFolder,
      types,
      docs,
      isLinked,
      keptKey: isLinked ? `folder ${folder}` : id,
      stamp,
    };
    remember(this.#known, folder, known);
    return { known };
  }

  async #filesIn(
    folder: string,
  ): Promise<{ readonly files: PackageFiles; readonly isFolder: boolean }> {
    const zip = await zipPlaceOf(folder);
    return zip
      ? { files: this.#archives.files(zip), isFolder: false }
      : { files: new FolderFiles(folder), isFolder: true };
  }

  #logProblems(problems: readonly PackageProblem[]): void {
    const names = new Map<PackageProblemKind, string[]>();
    for (const { kind, name } of problems) {
      const others = names.get(kind);
      if (others) others.push(name);
      else names.set(kind, [name]);
    }
    for (const [kind, all] of names) this.#log(problemLine(kind, all));
  }

  /** Logs a line once, as packages are listed for each file that is opened. */
  #log(line: string): void {
    if (this.#logged.has(line)) return;
    if (this.#logged.size >= MAX_REMEMBERED) this.#logged.clear();
    this.#logged.add(line);
    this.#ports.log.warn(line);
  }
}

/** Version of a package whose manifest has none, as npm shows it. */
const UNVERSIONED = '0.0.0';

/** Matches a path up to the folder of the innermost package, as the place in `node_modules` shows it. */
const packageInPath = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)(?:[\\/]|$)/s;

/**
 * Returns the name under which a package was published. A manifest can claim any name, so the place counts, unless
 * the project there asks for the claimed name under another one: `"router": "npm:@acme/router@2"`.
 */
async function nameOf(
  folder: string,
  manifest: PackageManifest,
  importedAs: string,
): Promise<string> {
  const claimed = isPackageName(manifest.name) ? manifest.name : undefined;
  const placed = nameOfPlace(folder);
  if (placed === undefined) return claimed ?? importedAs;
  if (claimed === undefined || claimed === placed) return placed;
  const project = folder.slice(0, -placed.length - '/node_modules/'.length);
  const asking = await manifestIn(project);
  const wanted = typeof asking === 'object' ? asking.dependencies.get(placed)?.wanted : undefined;
  return wanted === `npm:${claimed}` || wanted?.startsWith(`npm:${claimed}@`) === true
    ? claimed
    : placed;
}

function isRequired(
  wanted: { readonly dependency: Dependency; readonly isNear: boolean } | undefined,
): boolean {
  return wanted !== undefined && wanted.isNear && !wanted.dependency.isOptional;
}

function isRefusal(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(systemErrorCode(error) ?? '');
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  const [oldest] = map.keys();
  if (map.size >= MAX_REMEMBERED && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

/** Runs work for all items, some at a time, and returns the results in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at];
      if (item !== undefined) results[at] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return results;
}
