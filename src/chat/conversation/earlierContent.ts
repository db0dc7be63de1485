/** Files and context items of earlier messages that are sent along with a new question. */
import { isSameContextItem, type ContextItem } from '../context/contextItem';
import type { FilePart } from '../../shared/uiMessage';
import type { Attachment, Question, ThreadMessage } from './thread';

/** Longer `data:` links of earlier replies are left out, or every follow-up would carry them. */
const MAX_DATA_URL_LENGTH = 100_000;

/**
 * Characters of `data:` links that earlier questions' files may bring a body to, the newest first.
 * The new question's files go along whatever they are: they have limits of their own.
 */
const MAX_EARLIER_FILES_LENGTH = 8_000_000;

/**
 * Characters of earlier questions' context items, the newest first. The context of a model holds
 * some 50,000 tokens of them beside the conversation.
 */
const MAX_EARLIER_CONTEXT_LENGTH = 200_000;

/** Names of earlier content that isn't sent with a question. */
export interface LeftOut {
  /** Names of content that is too large for a request. */
  readonly tooLarge: readonly string[];
  /** Names of files whose content, which is stored apart from the thread, is gone. */
  readonly gone: readonly string[];
}

/**
 * Returns those files of questions that go along: all of the last question, and of earlier ones as
 * many as there is room for.
 */
export function sentFiles(messages: readonly ThreadMessage[]): ReadonlySet<Attachment> {
  const sent = new Set<Attachment>();
  let length = 0;
  for (const [age, { files = [] }] of questionsIn(messages).reverse().entries()) {
    for (const file of files) {
      const isSent = age === 0 || length + file.url.length <= MAX_EARLIER_FILES_LENGTH;
      if (!isSent || file.url === '') continue;
      sent.add(file);
      length += file.url.length;
    }
  }
  return sent;
}

/** Returns whether a file of an earlier reply is sent along. */
export function isSentFile({ url }: FilePart): boolean {
  return url.length <= MAX_DATA_URL_LENGTH;
}

/**
 * Returns the context items of a question with those of the questions before it, the newest first,
 * as many as there is room for. A service that has no thread of a conversation knows none of them.
 */
export function withEarlierContext(messages: readonly ThreadMessage[]): {
  readonly contextItems: readonly ContextItem[];
  readonly leftOut: readonly ContextItem[];
} {
  const [question, ...earlier] = questionsIn(messages).reverse();
  const contextItems = [...(question?.contextItems ?? [])];
  const leftOut: ContextItem[] = [];
  let length = 0;
  for (const item of earlier.flatMap((other) => other.contextItems)) {
    if ([...contextItems, ...leftOut].some((other) => isSameContextItem(other, item))) continue;
    const hasRoom = length + item.value.length <= MAX_EARLIER_CONTEXT_LENGTH;
    (hasRoom ? contextItems : leftOut).push(item);
    if (hasRoom) length += item.value.length;
  }
  return { contextItems, leftOut };
}

/** Names the files, and the given context items, that a question goes without; undefined for none. */
export function leftOutOf(
  messages: readonly ThreadMessage[],
  contextItems: readonly ContextItem[],
): LeftOut | undefined {
  const sent = sentFiles(messages);
  const tooLarge = contextItems.map(({ label }) => label);
  const gone: string[] = [];
  for (const message of messages) {
    if (message.role === 'user') {
      for (const file of message.files ?? []) {
        if (file.url === '') gone.push(file.filename);
        else if (!sent.has(file)) tooLarge.push(file.filename);
      }
    } else {
      for (const part of message.parts) {
        if (part.type !== 'file' || isSentFile(part)) continue;
        tooLarge.push(part.filename ?? part.mediaType);
      }
    }
  }
  if (tooLarge.length + gone.length === 0) return undefined;
  return { tooLarge: [...new Set(tooLarge)], gone: [...new Set(gone)] };
}

function questionsIn(messages: readonly ThreadMessage[]): Question[] {
  return messages.filter((message) => message.role === 'user');
}
