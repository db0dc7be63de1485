import { errorCodeOrName } from '../../../common/errorCode';
import { type Clock, type Log, prefixedLog } from '../../../common/ports';
import type { IncludedFiles } from '../../pages/markup/lines';
import type { WebPlaces } from '../../pages/links';
import { isIgnoredName, isPagePath } from '../../pages/pagePath';
import { noSiteConfig, type SiteConfig } from '../../siteConfig/siteConfig';
import { type PageFile, readIncludes } from '../docsFolder';
import { type FolderChanges, FolderWatch } from '../folderWatch';
import { readPackageApi } from '../../pages/types/apiModules';
import { apiPages } from '../../pages/types/apiPages';
import type { PackageFiles as TypesFiles } from '../../pages/types/entryPoints';
import type { MadePages, PageSource, PageWatch } from '../pageSource';
import type { InstalledPackage } from './installedDocs';
import type { PackageFiles } from './packageFiles';
import { siteOf } from './packageManifest';
import { hashOfTypes } from './typesFiles';
import { findPackagePages, isPlaceOfDocs, isPlaceOfPage, type PackagePages } from './packagePages';

interface PackageSourcePorts {
  readonly installed: InstalledPackage;
  readonly files: PackageFiles;
  /** Whether the files are in a folder on disk, not in an archive. */
  readonly isFolder: boolean;
  /** Returns the files that declare the package's API, with those of the packages that it exports from. */
  readonly types: () => TypesFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/** Number of times that a package is listed because it changed meanwhile. */
const MAX_LISTINGS = 3;

/**
 * The pages that an installed package has about itself. They are listed once, so a package that changes needs a new
 * source, except a linked package, whose changes are watched.
 */
export class PackageSource implements PageSource {
  readonly #ports: PackageSourcePorts;
  readonly #log: Log;
  #listing: Promise<PackagePages> | undefined;
  readonly #pages = new Set<string>();

  constructor(ports: PackageSourcePorts) {
    this.#ports = ports;
    this.#log = prefixedLog(ports.installed.id, ports.log);
  }

  /** The API of the package. That of a linked package can change at any time, so it is made at each start. */
  get made(): MadePages {
    const { installed, types } = this.#ports;
    return {
      stamp: installed.isLinked ? undefined : installed.stamp,
      content: (pause) => hashOfTypes(types(), pause),
      make: async (pause) => {
        const api = await readPackageApi(types(), pause);
        for (const problem of api.problems) this.#log.info(problem);
        return apiPages(api, pause);
      },
    };
  }

  get web(): WebPlaces {
    const { webFolder, homepage } = this.#ports.installed;
    return { folder: webFolder, site: siteOf(homepage) };
  }

  get size(): { readonly total?: number } {
    return this.#pages.size === 0 ? {} : { total: this.#pages.size };
  }

  async *paths(signal: AbortSignal): AsyncGenerator<string> {
    const { paths } = await this.#list(signal);
    for (const path of paths) {
      if (signal.aborted) return;
      yield path;
    }
  }

  async read(path: string): Promise<PageFile | undefined> {
    // Only listed pages are known not to be behind a link.
    return this.#pages.has(path) ? this.#ports.files.readPage(path, this.#log) : undefined;
  }

  readIncludes(path: string, source: string): Promise<IncludedFiles> {
    return this.#ports.isFolder
      ? readIncludes(this.#ports.installed.folder, path, source)
      : Promise.resolve(new Map());
  }

  async readFile(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    if (/[\0\\]/.test(path) || path.split('/').some(isIgnoredName)) return undefined;
    return this.#ports.files.readBytes(path, maxBytes);
  }

  /** Returns where the pages are, so that links from the root of the published docs lead to them. */
  async readConfig(_log: Log): Promise<SiteConfig> {
    const { folders } = await this.#list(new AbortController().signal);
    const [folder = ''] = folders.length === 1 ? folders : [];
    return {
      ...noSiteConfig,
      publicFolders: [],
      contentFolder: folder,
      basePaths: folder === '' ? [] : ['docs'],
    };
  }

  watch(changes: FolderChanges): PageWatch {
    const { installed, isFolder, clock } = this.#ports;
    if (!installed.isLinked || !isFolder) return noWatch;
    return new LinkedWatch(
      { root: installed.folder, clock, log: this.#log },
      () => this.#list(new AbortController().signal),
      {
        changed: (path, stamp) => {
          this.#pages.add(path);
          changes.changed(path, stamp);
        },
        removed: (path) => changes.removed(path),
      },
    );
  }

  #list(signal: AbortSignal): Promise<PackagePages> {
    this.#listing ??= this.#find(signal).catch((error: unknown) => {
      if (signal.aborted) this.#listing = undefined;
      else this.#log.warn(`Can't read the package: ${errorCodeOrName(error)}`);
      return { paths: [], folders: [] };
    });
    return this.#listing;
  }

  async #find(signal: AbortSignal): Promise<PackagePages> {
    const { installed, files } = this.#ports;
    for (let count = 1; ; count++) {
      const before = await files.stamp();
      const found = await findPackagePages(files, installed, this.#log, signal);
      const isSame = before === (await files.stamp());
      if (!isSame && count < MAX_LISTINGS) continue;
      if (!isSame) this.#log.warn('The package changed while it was listed');
      for (const path of found.paths) this.#pages.add(path);
      return found;
    }
  }
}

/** Watches the folders with docs of a linked package. */
class LinkedWatch implements PageWatch {
  readonly #ports: { readonly root: string; readonly clock: Clock; readonly log: Log };
  readonly #list: () => Promise<PackagePages>;
  readonly #changes: FolderChanges;
  #watch: FolderWatch | undefined;
  #isStopped = false;

  constructor(
    ports: { readonly root: string; readonly clock: Clock; readonly log: Log },
    list: () => Promise<PackagePages>,
    changes: FolderChanges,
  ) {
    this.#ports = ports;
    this.#list = list;
    this.#changes = changes;
  }

  start(): void {
    void this.#start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#watch?.stop();
  }

  async #start(): Promise<void> {
    const { paths, folders } = await this.#list();
    if (this.#isStopped) return;
    const known = new Set(paths);
    const isPage = (path: string): boolean => known.has(path) || isPlaceOfPage(path, folders);
    const changes: FolderChanges = {
      changed: (path, stamp) => {
        if (isPage(path)) this.#changes.changed(path, stamp);
      },
      removed: (path) => {
        if (isPage(path)) this.#changes.removed(path);
      },
    };
    this.#watch = new FolderWatch(
      this.#ports,
      changes,
      (name) => isPagePath(name) || isPlaceOfPage(name, folders),
      (folder) => isPlaceOfDocs(folder, folders) !== undefined,
    );
    this.#watch.start();
  }
}

/** Files of a package that a package manager installed don't change. Another version is another package. */
const noWatch: PageWatch = { start: () => undefined, stop: () => Promise.resolve() };
