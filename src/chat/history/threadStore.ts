import * as v from 'valibot';
import type { TextRange } from '../../shared/protocol';
import { type Thread, parseStoredThread } from '../conversation/thread';
import type { Log } from '../../common/ports';
import type { ThreadSite } from '../../site/activeSite';

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

/**
 * The workspace's state, in which version 0.1 kept its threads. VS Code's `Memento` implements it.
 */
export interface WorkspaceState {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const RECORD_PREFIX = 'thread:';

/**
 * Moves the threads that version 0.1 kept in a workspace's state into the store. A thread is
 * removed from the state once the store returns it. An unreadable one stays there.
 * @param siteOf returns the site under which a thread is stored.
 */
export async function importThreads(
  state: WorkspaceState,
  store: Pick<ThreadStore, 'read' | 'write'>,
  log: Log,
  siteOf: (thread: Thread) => ThreadSite | undefined = () => undefined,
): Promise<void> {
  const keys = state.keys().filter((key) => key.startsWith(RECORD_PREFIX));
  let unreadable = 0;
  for (const key of keys) {
    const thread = parseStoredThread(state.get(key));
    if (!thread || RECORD_PREFIX + thread.id !== key) {
      unreadable++;
      continue;
    }
    try {
      const site = thread.site ?? siteOf(thread);
      // If an earlier import was interrupted, the thread is already stored and may have continued
      // since.
      if (!(await store.read(thread.id))) await store.write({ ...thread, ...(site && { site }) });
      if (await store.read(thread.id)) await state.update(key, undefined);
    } catch (error) {
      log.error('A thread of an earlier version could not be imported', error);
    }
  }
  if (unreadable > 0) log.warn(`Threads of an earlier version: ${unreadable} unreadable`);
}

/** Key that version 0.1 used. It must not change, so that workspaces continue with their thread. */
const CURRENT_THREAD = 'currentThread';

/** Returns access to the ID of the thread that this workspace showed last. */
export function lastThread(state: Pick<WorkspaceState, 'get' | 'update'>): {
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

/** The last shown thread of each site in a workspace, by `ThreadSite.id`. */
export interface SiteThreads {
  read(siteId: string): string | undefined;
  write(siteId: string, threadId: string): void;
}

const SITE_THREADS = 'siteThreads';

/** Number of sites whose last thread a workspace remembers. */
const MAX_SITE_THREADS = 50;

const siteThreadsSchema = v.fallback(v.record(v.string(), v.string()), {});

/** Returns access to the {@link SiteThreads} of this workspace. */
export function siteThreads(state: Pick<WorkspaceState, 'get' | 'update'>): SiteThreads {
  const all = (): [string, string][] =>
    Object.entries(v.parse(siteThreadsSchema, state.get(SITE_THREADS)));
  return {
    read: (siteId) => all().find(([id]) => id === siteId)?.[1],
    write: (siteId, threadId) => {
      const others = all().filter(([id]) => id !== siteId);
      const kept = [...others, [siteId, threadId] as const].slice(-MAX_SITE_THREADS);
      void state.update(SITE_THREADS, Object.fromEntries(kept));
    },
  };
}
