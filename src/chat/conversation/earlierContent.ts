/** Selects the files and context items of earlier messages that are sent with a new question. */
import { isSameContextItem, type ContextItem } from '../context/contextItem';
import type { FilePart } from '../../shared/uiMessage';
import type { Attachment, Question, ThreadMessage } from './thread';

/**
 * Longest `data:` link of an earlier reply that is sent. Every follow-up would send a longer one
 * again.
 */
const MAX_DATA_URL_LENGTH = 100_000;

/**
 * Most characters of all `data:` links in a request before the files of earlier questions are left
 * out, oldest first. The new question's files are always sent, because they have limits of their
 * own.
 */
const MAX_EARLIER_FILES_LENGTH = 8_000_000;

/**
 * Most characters of the context items of earlier questions, newest first. They have about 50,000
 * tokens, which fit into the context of a model beside the thread.
 */
const MAX_EARLIER_CONTEXT_LENGTH = 200_000;

/** Errors of questions that the service refuses because of what they contain. */
const refusals: ReadonlySet<string | undefined> = new Set(['too-large', 'bad-request']);

/** Names of earlier content that isn't sent with a question. */
export interface LeftOut {
  /** Names of content that is too large for a request. */
  readonly tooLarge: readonly string[];
  /** Names of content of questions that the service refused. It would refuse the next one, too. */
  readonly refused: readonly string[];
  /** Names of files whose content is gone. It is stored apart from the thread. */
  readonly gone: readonly string[];
}

/**
 * Returns the files to send: all files of the last question, and as many of earlier questions as
 * fit. Files of a refused question are left out.
 */
export function sentFiles(messages: readonly ThreadMessage[]): ReadonlySet<Attachment> {
  const sent = new Set<Attachment>();
  let length = 0;
  for (const [age, { files = [] }] of acceptedIn(messages).reverse().entries()) {
    for (const file of files) {
      const isSent = age === 0 || length + file.url.length <= MAX_EARLIER_FILES_LENGTH;
      if (!isSent || file.url === '') continue;
      sent.add(file);
      length += file.url.length;
    }
  }
  return sent;
}

/** Returns whether a file of an earlier reply is sent. */
export function isSentFile({ url }: FilePart): boolean {
  return url.length <= MAX_DATA_URL_LENGTH;
}

/**
 * Returns the context items of a question with those of earlier questions, newest first, as many as
 * fit. Items of a refused question are left out.
 */
export function withEarlierContext(messages: readonly ThreadMessage[]): {
  readonly contextItems: readonly ContextItem[];
  readonly leftOut: readonly ContextItem[];
} {
  const [question, ...earlier] = acceptedIn(messages).reverse();
  const contextItems = [...(question?.contextItems ?? [])];
  const leftOut: ContextItem[] = [];
  let length = 0;
  for (const item of earlier.flatMap((other) => other.contextItems)) {
    if (contextItems.some((other) => isSameContextItem(other, item))) continue;
    const hasRoom = length + item.value.length <= MAX_EARLIER_CONTEXT_LENGTH;
    (hasRoom ? contextItems : leftOut).push(item);
    if (hasRoom) length += item.value.length;
  }
  return { contextItems, leftOut };
}

/**
 * Returns the names of files and context items that aren't sent, or undefined if everything is
 * sent.
 */
export function leftOutOf(
  messages: readonly ThreadMessage[],
  contextItems: readonly ContextItem[],
): LeftOut | undefined {
  const sent = sentFiles(messages);
  const accepted = new Set(acceptedIn(messages));
  const asked = messages.at(-1);
  const attached = new Set(asked?.role === 'user' ? namesIn(asked) : []);
  const tooLarge = contextItems.map(({ label }) => label);
  const refused: string[] = [];
  const gone: string[] = [];
  for (const message of messages) {
    if (message.role === 'user' && !accepted.has(message)) {
      refused.push(...namesIn(message).filter((name) => !attached.has(name)));
    } else if (message.role === 'user') {
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
  if (tooLarge.length + refused.length + gone.length === 0) return undefined;
  return {
    tooLarge: [...new Set(tooLarge)],
    refused: [...new Set(refused)],
    gone: [...new Set(gone)],
  };
}

/** Returns the questions without those that the service refused. */
function acceptedIn(messages: readonly ThreadMessage[]): Question[] {
  return messages.flatMap((message, index) => {
    const reply = messages[index + 1];
    const isRefused = reply?.role === 'assistant' && refusals.has(reply.error?.code);
    return message.role === 'user' && !isRefused ? [message] : [];
  });
}

function namesIn({ contextItems, files = [] }: Question): string[] {
  return [...contextItems.map(({ label }) => label), ...files.map(({ filename }) => filename)];
}
