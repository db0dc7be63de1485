import { MAX_HISTORY_ENTRIES } from '../../shared/limits';
import type { Conversation } from '../conversation/conversation';
import type { ViewHandlers } from './viewChannel';

/**
 * Returns the handlers that need only the conversation and its history.
 * @param resumeDocs serves the docs on this machine again that this workspace answered from last, if any. A question
 *   waits for them, because it would go to another site.
 */
export function conversationHandlers(conversation: Conversation, resumeDocs: () => Promise<void>) {
  return {
    'question-submit': async ({ text, secrets }) => {
      await resumeDocs();
      return conversation.ask(text, secrets);
    },
    'question-edit': async ({ messageId, text, secrets }) => {
      await resumeDocs();
      return conversation.askEdited(messageId, text, secrets);
    },
    'secret-choose': ({ itemId, choice }) =>
      conversation.pending.chooseAboutSecrets(itemId, choice),
    'reply-stop': ({ messageId }) => conversation.stop(messageId),
    'reply-retry': async ({ messageId }) => {
      await resumeDocs();
      conversation.retry(messageId);
    },
    'branch-show': ({ messageId, index }) => conversation.showBranch(messageId, index),
    'context-item-remove': ({ itemId }) => conversation.pending.removeContextItem(itemId),
    'page-remove': () => conversation.pending.setPage(undefined),
    'package-remove': () => conversation.pending.setPackage(undefined),
    'queued-remove': () => conversation.pending.unqueue(),
    'attachment-remove': ({ attachmentId }) => conversation.pending.removeFile(attachmentId),
    'history-list': async ({ query }) => {
      const threads = await conversation.library.find(query);
      const shown = conversation.thread.id;
      return {
        entries: threads
          .slice(0, MAX_HISTORY_ENTRIES)
          .map((thread) => ({ ...thread, isShown: thread.id === shown })),
        isCut: threads.length > MAX_HISTORY_ENTRIES,
      };
    },
    'thread-open': ({ threadId }) => conversation.openThread(threadId),
    'thread-rename': ({ threadId, title }) => conversation.renameThread(threadId, title),
    'thread-delete': ({ threadId }) => conversation.deleteThread(threadId),
    'thread-restore': ({ threadId }) => conversation.restoreThread(threadId),
  } satisfies Partial<ViewHandlers>;
}
