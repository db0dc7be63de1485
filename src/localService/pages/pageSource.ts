import type { Log } from '../../common/ports';
import { noSiteConfig, readSiteConfig, type SiteConfig } from '../siteConfig/siteConfig';
import { type PageFile, pagePaths, readDocsFile, readIncludes, readPageFile } from './docsFolder';
import { type FolderChanges, FolderWatch, type FolderWatchPorts } from './folderWatch';
import type { IncludedFiles } from './markup/lines';
import { isPagePath } from './page';

/** Progress of a library that reads its pages. */
export interface ReadingProgress {
  readonly pages: number;
  /** Number of all pages, once it is known. */
  readonly total?: number;
  /** Bytes of all pages so far. */
  readonly sizeBytes?: number;
}

/** Source of a library's pages: a folder, a bundle, or a public site with its cache. */
export interface PageSource {
  /**
   * Yields the paths of all pages. The pages of a public site are fetched meanwhile.
   * @throws if there is no whole set of pages. None of those yielded before is kept then.
   */
  paths(signal: AbortSignal): AsyncIterable<string>;
  /** Whether the source has no images and other files. */
  readonly hasPagesOnly?: boolean;
  /** Whether pages come one by one, so that each is indexed before the next one is waited for. */
  readonly isSlow?: boolean;
  /** Number of all pages, and their size in bytes, as far as they are known. */
  readonly size?: { readonly total?: number; readonly sizeBytes?: number };
  /** Reads a page. Returns undefined for one that is gone or is no page. */
  read(path: string): Promise<PageFile | undefined>;
  /** Reads the files that a page includes. */
  readIncludes(path: string, source: string): Promise<IncludedFiles>;
  /** Reads an image. Returns undefined if there is none. */
  readFile(path: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Reads the configuration of the site that the pages are written for. */
  readConfig(log: Log): Promise<SiteConfig>;
  /** Begins to fetch a public site again if its set is too old. Called with each question. */
  use?(): void;
  /** Reports later changes until stopped. */
  watch(changes: FolderChanges): PageWatch;
}

export interface PageWatch {
  start(): void;
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

/** Returns the configuration of pages that come without one. */
export function noConfig(): Promise<SiteConfig> {
  return Promise.resolve({ ...noSiteConfig, publicFolders: [] });
}
