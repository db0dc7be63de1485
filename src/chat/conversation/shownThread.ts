import type { Clock, NewId } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import { contextItemView, type ContextItem } from '../context/contextItem';
import type { ModelOfferView } from '../../shared/protocol';
import {
  partView,
  type AttachmentView,
  type BranchView,
  type FilePart,
  type MessageView,
  type SourcePart,
  type ThreadView,
} from '../../shared/uiMessage';
import { branchViews, withWholeBranch } from './branches';
import {
  interrupted,
  type Attachment,
  type Question,
  type Reply,
  type ServiceThread,
  type Thread,
  type ThreadMessage,
} from './thread';

interface ShownThreadPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
}

/** A question with what goes along with it. */
export type AskedQuestion = Pick<Question, 'text' | 'contextItems' | 'files' | 'package'>;

/** A reply, its question, and the texts of the questions before that, oldest first. */
export interface Exchange {
  readonly question: Question;
  readonly earlier: readonly string[];
  readonly reply: Reply;
}

/**
 * Thread that the panel shows. A reply that runs according to the record, but not in this window,
 * belongs to another window, which may be closed. It is shown as interrupted. It isn't stored as
 * interrupted, because it may still be running.
 */
export class ShownThread {
  readonly #ports: ShownThreadPorts;
  #thread: Thread;
  /** ID of the next question, if the reader has seen what would be sent. */
  #nextId: string | undefined;

  constructor(ports: ShownThreadPorts) {
    this.#ports = ports;
    this.#thread = this.#empty();
  }

  get current(): Thread {
    return this.#thread;
  }

  /**
   * @param runningId ID of the reply that runs in this window.
   * @param offer offer of models that this reply waits for.
   */
  view(runningId: string | undefined, offer: ModelOfferView | undefined): ThreadView {
    const messages = interrupted(this.#thread.messages, runningId);
    const view = threadView({ ...this.#thread, messages });
    if (!offer) return view;
    const withOffer = (message: MessageView): MessageView =>
      message.role === 'assistant' && message.id === runningId ? { ...message, offer } : message;
    return { ...view, messages: view.messages.map(withOffer) };
  }

  /** Shows another thread, to the end of its branch. The default is an empty thread. */
  replace(thread: Thread = this.#empty()): void {
    this.#thread = withWholeBranch(thread);
  }

  /** Changes the thread and keeps its time of change. */
  set(thread: Thread): void {
    this.#thread = thread;
  }

  /** Changes the thread and sets its time of change to now. */
  update(thread: Thread): void {
    this.#thread = { ...thread, updatedAt: this.#now() };
  }

  updateReply(id: string, change: Partial<Reply>): void {
    const { messages } = this.#thread;
    const index = messages.findLastIndex((message) => message.id === id);
    const reply = messages[index];
    if (reply?.role !== 'assistant') return;
    this.update({ ...this.#thread, messages: messages.with(index, { ...reply, ...change }) });
  }

  setServiceThread(serviceThread: ServiceThread | undefined): void {
    const { serviceThread: _serviceThread, ...thread } = this.#thread;
    this.#thread = serviceThread ? { ...thread, serviceThread } : thread;
  }

  reply(id: string): Reply | undefined {
    const message = this.#thread.messages.findLast((other) => other.id === id);
    return message?.role === 'assistant' ? message : undefined;
  }

  messageView(id: string): MessageView | undefined {
    const message = this.#thread.messages.findLast((other) => other.id === id);
    return message && messageView(message, branchViews(this.#thread).get(id));
  }

  /** Returns a question, or the question that a reply answers. */
  questionOf(messageId: string): Question | undefined {
    const { messages } = this.#thread;
    const index = messages.findLastIndex(({ id }) => id === messageId);
    const question = messages.slice(0, index + 1).findLast(({ role }) => role === 'user');
    return question?.role === 'user' ? question : undefined;
  }

  /** Returns a reply with its question and the questions before that. */
  exchange(replyId: string): Exchange | undefined {
    const reply = this.reply(replyId);
    const question = this.questionOf(replyId);
    if (!reply || !question) return undefined;
    const { messages } = this.#thread;
    const earlier = messages
      .slice(0, messages.indexOf(question))
      .flatMap((message) => (message.role === 'user' ? [message.text] : []));
    return { question, earlier, reply };
  }

  contextItem(id: string): ContextItem | undefined {
    for (const message of this.#thread.messages) {
      const items = message.role === 'user' ? message.contextItems : [];
      const item = items.find((other) => other.id === id);
      if (item) return item;
    }
    return undefined;
  }

  source(messageId: string, sourceId: string): SourcePart | undefined {
    return this.reply(messageId)
      ?.parts.filter((part) => part.type === 'source-url')
      .find((part) => part.sourceId === sourceId);
  }

  file(messageId: string, partIndex: number): FilePart | undefined {
    const part = this.reply(messageId)?.parts[partIndex];
    return part?.type === 'file' ? part : undefined;
  }

  /** Returns the text that the service quoted from a source. */
  quote(messageId: string, sourceId: string): string | undefined {
    const quotes = this.reply(messageId)?.quotes;
    return quotes && Object.hasOwn(quotes, sourceId) ? quotes[sourceId] : undefined;
  }

  newQuestion(asked: AskedQuestion): Question {
    const question = this.nextQuestion(asked);
    this.#nextId = undefined;
    return question;
  }

  /** Returns the question that {@link newQuestion} would make now. Both have the same ID. */
  nextQuestion({ text, contextItems, files = [], package: narrowed }: AskedQuestion): Question {
    return withoutUndefined({
      role: 'user' as const,
      id: (this.#nextId ??= this.#ports.newId()),
      createdAt: this.#now(),
      text,
      contextItems,
      files: files.length > 0 ? files : undefined,
      package: narrowed,
    });
  }

  newReply(siteId: string, notice: string | undefined): Reply {
    return withoutUndefined({
      role: 'assistant' as const,
      id: this.#ports.newId(),
      createdAt: this.#now(),
      parts: [],
      status: 'waiting' as const,
      siteId,
      notice,
    });
  }

  /** Returns the current time in ISO 8601. */
  #now(): string {
    return new Date(this.#ports.clock.now()).toISOString();
  }

  #empty(): Thread {
    const createdAt = this.#now();
    return { id: this.#ports.newId(), title: '', createdAt, updatedAt: createdAt, messages: [] };
  }
}

/**
 * Returns the shown branch for the webview: without the values of context items, file contents,
 * quotes, and metadata of the service.
 */
export function threadView(thread: Thread): ThreadView {
  const { id, title, messages } = thread;
  const branches = branchViews(thread);
  return {
    id,
    title,
    messages: messages.map((message) => messageView(message, branches.get(message.id))),
  };
}

/** @param branch position among the versions of the message, if there are several. */
export function messageView(message: ThreadMessage, branch?: BranchView): MessageView {
  if (message.role === 'assistant') {
    const { role, id, createdAt, parts, status, error, notice, versionNote } = message;
    return withoutUndefined({
      role,
      id,
      createdAt,
      parts: parts.map(partView),
      status,
      error,
      notice,
      versionNote,
      branch,
    });
  }
  const { parentId: _parentId, files, ...view } = message;
  return withoutUndefined({
    ...view,
    contextItems: message.contextItems.map(contextItemView),
    files: files ? files.map(attachmentView) : undefined,
    branch,
  });
}

/** Returns the file without its content, for the webview. */
export function attachmentView({ url: _url, isRedacted, ...view }: Attachment): AttachmentView {
  return isRedacted ? { ...view, secrets: { state: 'redacted', kinds: [] } } : view;
}
