import type { TextRange } from '../shared/protocol';
import type { Thread } from './thread';

export interface ThreadSummary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  readonly messageCount: number;
}

/** A thread in which every word of a search occurs, and where. */
export interface ThreadMatch extends ThreadSummary {
  readonly excerpt?: { readonly text: string; readonly matches: readonly TextRange[] };
}

/** Where threads outlive the window. A record that cannot be read is set aside, never thrown. */
export interface ThreadStore {
  /** The threads of one site (`ThreadSite.id`), newest first. */
  list(siteId: string): Promise<readonly ThreadSummary[]>;
  /**
   * Those with every word of the query in their title or in any message of any branch, newest
   * first; letter case and accents do not matter.
   */
  search(siteId: string, query: string, signal: AbortSignal): Promise<readonly ThreadMatch[]>;
  read(id: string): Promise<Thread | undefined>;
  /** Writes the thread whole or not at all, joined with what another window wrote of it. */
  write(thread: Thread): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Puts the thread aside, from where {@link restore} brings it back. */
  delete(id: string): Promise<void>;
  /** @returns false if it is not there any more. */
  restore(id: string): Promise<boolean>;
  /** The thread that the panel showed last in this workspace. */
  currentId(): Promise<string | undefined>;
  setCurrentId(id: string): Promise<void>;
}
