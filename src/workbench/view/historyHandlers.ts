import { MAX_HISTORY_ENTRIES } from '../../shared/protocol';
import type { ViewHandlers, ViewPorts } from './viewPorts';

type HistoryHandlers = Pick<
  ViewHandlers,
  | 'history-list'
  | 'thread-open'
  | 'thread-rename'
  | 'thread-delete'
  | 'thread-restore'
  | 'thread-export'
>;

/** The conversations of before. */
export function historyHandlers({ conversation }: ViewPorts): HistoryHandlers {
  return {
    'history-list': async ({ query }) => {
      const threads = await conversation.findThreads(query);
      const shown = conversation.thread.id;
      return {
        entries: threads
          .slice(0, MAX_HISTORY_ENTRIES)
          .map((thread) => ({ ...thread, isShown: thread.id === shown })),
        isCut: threads.length > MAX_HISTORY_ENTRIES,
      };
    },
    'thread-open': async ({ threadId }) => {
      await conversation.openThread(threadId);
      return null;
    },
    'thread-rename': async ({ threadId, title }) => {
      await conversation.renameThread(threadId, title);
      return null;
    },
    'thread-delete': async ({ threadId }) => {
      await conversation.deleteThread(threadId);
      return null;
    },
    'thread-restore': async ({ threadId }) => {
      await conversation.restoreThread(threadId);
      return null;
    },
    'thread-export': () => null,
  };
}
