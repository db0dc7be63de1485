import type { Log } from '../../common/ports';
import { parseStoredThread, type Thread, type ThreadSite } from '../thread';
import type { ThreadStore } from '../threadStore';

/** The workspace's state, in which version 0.1 kept its threads; VS Code's `Memento` is one. */
export interface WorkspaceState {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const RECORD = 'thread:';

/**
 * Brings the threads that version 0.1 kept in a workspace's state into the store. A record leaves
 * the state once the store gives it back; one that cannot be read stays where it is.
 * @param siteOf the site under which a thread is kept from now on.
 */
export async function importThreads(
  state: WorkspaceState,
  store: Pick<ThreadStore, 'read' | 'write'>,
  log: Log,
  siteOf: (thread: Thread) => ThreadSite | undefined = () => undefined,
): Promise<void> {
  const keys = state.keys().filter((key) => key.startsWith(RECORD));
  let unreadable = 0;
  for (const key of keys) {
    const thread = parseStoredThread(state.get(key));
    if (!thread || RECORD + thread.id !== key) {
      unreadable++;
      continue;
    }
    try {
      const site = thread.site ?? siteOf(thread);
      // Written already where the import of before was cut short: then theirs may have gone on.
      if (!(await store.read(thread.id))) await store.write({ ...thread, ...(site && { site }) });
      if (await store.read(thread.id)) await state.update(key, undefined);
    } catch (error) {
      log.error('A conversation of an earlier version could not be taken over', error);
    }
  }
  if (unreadable > 0) log.warn(`Conversations of an earlier version: ${unreadable} unreadable`);
}
