import { revealContextItem } from '../revealContextItem';
import type { ViewHandlers, ViewPorts } from './viewPorts';

type ConversationHandlers = Pick<
  ViewHandlers,
  | 'question-submit'
  | 'question-edit'
  | 'reply-stop'
  | 'reply-retry'
  | 'branch-show'
  | 'thread-start'
  | 'context-item-remove'
  | 'context-item-reveal'
  | 'page-remove'
  | 'attachment-remove'
>;

/** Asking, stopping, asking again, and what goes along. */
export function conversationHandlers({ conversation }: ViewPorts): ConversationHandlers {
  return {
    'question-submit': ({ text }) => conversation.submit(text),
    'question-edit': ({ messageId, text }) => conversation.editQuestion(messageId, text),
    'reply-stop': ({ messageId }) => {
      conversation.stop(messageId);
      return null;
    },
    'reply-retry': ({ messageId }) => {
      conversation.retry(messageId);
      return null;
    },
    'branch-show': ({ messageId, index }) => {
      conversation.showBranch(messageId, index);
      return null;
    },
    'thread-start': () => {
      conversation.startThread();
      return null;
    },
    'context-item-remove': ({ itemId }) => {
      conversation.removeContextItem(itemId);
      return null;
    },
    'context-item-reveal': async ({ itemId }) => {
      const item = conversation.contextItem(itemId);
      if (item) await revealContextItem(item);
      return null;
    },
    'page-remove': () => {
      conversation.setPage(undefined);
      return null;
    },
    'attachment-remove': ({ attachmentId }) => {
      conversation.removeFile(attachmentId);
      return null;
    },
  };
}
