import type { NewId } from '../../../common/ports';
import type { DocsSource, SiteEngine } from '../../../docs/engine';
import type { PageAddresses } from '../../../docs/pages/links';
import type { SiteAudience } from './siteAudience';

/** A reason why docs can't be loaded, in a sentence for the operator. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** A site that can't be answered from now. The message is for readers, so it tells nothing of the source. */
export class SiteNotReady extends Error {
  override readonly name = 'SiteNotReady';

  constructor(message = 'The docs of this site are still being read. Try again.') {
    super(message);
  }
}

/** Ports by which an engine over docs that processes share knows its site. */
export interface StoredDocsPorts {
  readonly addresses: PageAddresses;
  readonly newId: NewId;
  /** Called each time the engine has taken other pages over. */
  readonly onChanged: (docs: { readonly pages: number }) => void;
}

/** Docs that a process can open: those on this machine, or those that processes share. */
export type SiteDocs =
  | DocsSource
  | {
      readonly kind: 'stored';
      /** Opens what an audience sees. */
      readonly open: (audience: SiteAudience, ports: StoredDocsPorts) => SiteEngine;
    };

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
