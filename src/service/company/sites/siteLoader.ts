import type { DocsSource } from '../../../docs/engine';
import type { PageSource } from '../../../docs/sources/pageSource';

/** A reason why docs can't be loaded, in a sentence for the operator. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** Docs that a process can open: those on this machine, or those that processes share. */
export type SiteDocs =
  DocsSource | { readonly kind: 'stored'; readonly key: string; readonly open: () => PageSource };

/** Docs that are there. */
export interface LoadedDocs {
  readonly docs: SiteDocs;
  /** Names the state of the docs. Docs with the same version are the same. */
  readonly version: string;
}

/** Loads the docs of one site. */
export interface SiteLoader {
  /** Milliseconds between two loads, if the manifest names none. Nobody needs to load by the clock if absent. */
  readonly everyMs?: number;
  /** Returns the docs that an earlier process has loaded last, or undefined if it has loaded none. */
  last(): Promise<LoadedDocs | undefined>;
  /**
   * Returns the newest docs.
   * @param isAsked whether somebody asks for them now, rather than a clock.
   * @throws {SourceError} if they can't be had. The docs of the last call stay.
   */
  load(signal: AbortSignal, isAsked: boolean): Promise<LoadedDocs>;
  /** Removes what is no longer used. */
  clean(): Promise<void>;
  /** Returns what all processes know of the last refresh. Absent if each process refreshes for itself. */
  told?(): { readonly problem: string | undefined; readonly refreshedAt: number | undefined };
}
