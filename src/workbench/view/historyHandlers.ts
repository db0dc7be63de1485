import { DocsAssistantError } from '../../common/errors';
import { MAX_HISTORY_ENTRIES } from '../../shared/protocol';
import { showError } from '../notifications';
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
export function historyHandlers({ conversation, clock, log }: ViewPorts): HistoryHandlers {
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
    'thread-export': async ({ threadId }) => {
      const thread = await conversation.storedThread(threadId);
      if (!thread) throw new DocsAssistantError('thread-gone');
      const { exportThread } = await import('../exportThread');
      // Not awaited: a dialog that waits for its user must not keep the request open.
      exportThread(thread, { clock, log }).catch((error: unknown) => void showError(error, log));
      return null;
    },
  };
}
