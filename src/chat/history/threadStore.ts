import type { TextRange } from '../../shared/protocol';
import type { Thread } from '../conversation/thread';
import type { Memento } from '../../common/ports';

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

/**
 * Storage of threads beyond the life of the window. A record that can't be read is set aside and
 * causes no error.
 */
export interface ThreadStore {
  /** Returns the threads of one site (`ThreadSite.id`), newest first. */
  list(siteId: string): Promise<readonly ThreadSummary[]>;
  /**
   * Returns the threads with every word of the query in their title or in any message of any
   * branch, newest first. Letter case and accents don't matter.
   */
  search(siteId: string, query: string, signal: AbortSignal): Promise<readonly ThreadMatch[]>;
  read(id: string): Promise<Thread | undefined>;
  /** Writes the thread whole or not at all, joined with what another window wrote of it. */
  write(thread: Thread): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  /** Marks the thread as deleted. {@link restore} brings it back. */
  delete(id: string): Promise<void>;
  /** @returns false if the thread no longer exists. */
  restore(id: string): Promise<boolean>;
  /** Returns the ID of the thread that the panel showed last in this workspace. */
  currentId(): Promise<string | undefined>;
  setCurrentId(id: string): Promise<void>;
}

/** Key of the ID of the thread that a workspace showed last. */
const CURRENT_THREAD = 'currentThread';

/** Returns access to the ID of the thread that this workspace showed last. */
export function lastThread(state: Pick<Memento, 'get' | 'update'>): {
  read(): string | undefined;
  write(id: string): Promise<void>;
} {
  return {
    read: () => {
      const id: unknown = state.get(CURRENT_THREAD);
      return typeof id === 'string' && id !== '' ? id : undefined;
    },
    write: async (id) => {
      await state.update(CURRENT_THREAD, id);
    },
  };
}
