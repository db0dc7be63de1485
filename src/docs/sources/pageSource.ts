import type { Log } from '../../common/ports';
import { noSiteConfig, readSiteConfig, type SiteConfig } from '../siteConfig/siteConfig';
import {
  type PageFile,
  pagePaths,
  readDocsFile,
  readIncludes,
  readPageFile,
  stampAt,
} from './docsFolder';
import { type FolderChanges, FolderWatch, type FolderWatchPorts } from './folderWatch';
import type { IncludedFiles } from '../pages/markup/lines';
import type { WebPlaces } from '../pages/links';
import type { DocsPage } from '../pages/page';
import { isPagePath } from '../pages/pagePath';

/** Progress of reading the pages. */
export interface ReadingProgress {
  readonly pages: number;
  /** Number of all pages, once it is known. */
  readonly total?: number;
  /** Size of all pages so far, in bytes. */
  readonly sizeBytes?: number;
}

/** Pages that no file has, such as the API of a package, which is made of its declaration files. */
export interface MadePages {
  /** Changes when other pages could be made. Undefined if nothing tells, so that they are made at each start. */
  readonly stamp: string | undefined;
  /**
   * Returns a hash of what the pages are made of, which is the same for each copy of it. Takes longer than the stamp.
   * @param pause gives other work a turn, if it is time.
   */
  content(pause: () => Promise<void>): Promise<string>;
  /**
   * Makes the pages.
   * @param pause gives other work a turn, if it is time.
   */
  make(pause: () => Promise<void>): Promise<readonly DocsPage[]>;
}

/** Source of a library's pages: a folder, a bundle, or a public site with its cache. */
export interface PageSource {
  /**
   * Yields the paths of all pages. Fetches the pages of a public site while yielding them.
   * @throws if not all pages can be read or fetched. The pages that were yielded before don't count then.
   */
  paths(signal: AbortSignal): AsyncIterable<string>;
  /** Whether the source has no images and other files. */
  readonly hasPagesOnly?: boolean;
  /** Places on the web that have what pages link to, but the source lacks. */
  readonly web?: WebPlaces;
  /** Whether `paths` waits for the network, so that each page is indexed before the next one is requested. */
  readonly isSlow?: boolean;
  /** Number of all pages, and their size in bytes, as far as they are known. */
  readonly size?: { readonly total?: number; readonly sizeBytes?: number };
  /** Reads a page. Returns undefined if it no longer exists or is no page. */
  read(path: string): Promise<PageFile | undefined>;
  /**
   * Returns the stamp that `read` would give a page, without reading it: if both are equal, so is the page. Undefined
   * if the page must be read. A source without this has all of its pages read at each start.
   */
  stamp?(path: string): Promise<string | undefined>;
  /** Pages that belong to the docs without a file of their own. They are read after the others. */
  readonly made?: MadePages;
  /** Reads the files that a page includes. */
  readIncludes(path: string, source: string): Promise<IncludedFiles>;
  /** Reads an image. Returns undefined if there is none. */
  readFile(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Reads the configuration of the site that the pages are written for. */
  readConfig(log: Log): Promise<SiteConfig>;
  /** Starts to fetch a public site again if its set is too old. Called for each request about the docs. */
  use?(): void;
  /** Reports later changes until stopped. */
  watch(changes: FolderChanges): PageWatch;
}

export interface PageWatch {
  /** @param read paths of the pages that have been read. Those that are gone by now are reported as removed. */
  start(read?: Iterable<string>): void;
  stop(): Promise<void>;
}

/** A folder of Markdown or MDX. */
export class FolderSource implements PageSource {
  readonly #ports: FolderWatchPorts;

  /** @param ports `root` is the real path of the folder. */
  constructor(ports: FolderWatchPorts) {
    this.#ports = ports;
  }

  paths(): AsyncIterable<string> {
    return pagePaths(this.#ports.root, this.#ports.log);
  }

  read(path: string): Promise<PageFile | undefined> {
    return readPageFile(this.#ports.root, path, this.#ports.log);
  }

  stamp(path: string): Promise<string | undefined> {
    return stampAt(this.#ports.root, path);
  }

  readIncludes(path: string, source: string): Promise<IncludedFiles> {
    return readIncludes(this.#ports.root, path, source);
  }

  readFile(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return readDocsFile(this.#ports.root, path, maxBytes);
  }

  readConfig(log: Log): Promise<SiteConfig> {
    return readSiteConfig(this.#ports.root, log);
  }

  watch(changes: FolderChanges): PageWatch {
    return new FolderWatch(this.#ports, changes, isPagePath);
  }
}

/** Returns the empty configuration, for sources without configuration files. */
export function noConfig(): Promise<SiteConfig> {
  return Promise.resolve({ ...noSiteConfig, publicFolders: [] });
}
