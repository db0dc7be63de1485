import type { Clock, NewId } from '../common/ports';
import type { ContextItem } from '../context/contextItem';
import type { FilePart, SourcePart, ThreadView } from '../shared/uiMessage';
import { withWholeBranch } from './branches';
import { interrupted, threadView } from './thread';
import type { Attachment, Question, Reply, ServiceThread, Thread } from './thread';

interface ShownThreadPorts {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
}

/**
 * The thread that the panel shows, and what can be found in it. A reply that runs in its record
 * but not here is another window's, or its window is gone: it is shown as interrupted and left as
 * it is, so that it is never stored as interrupted while it goes on.
 */
export class ShownThread {
  readonly #ports: ShownThreadPorts;
  #thread: Thread;

  constructor(ports: ShownThreadPorts) {
    this.#ports = ports;
    this.#thread = this.#empty();
  }

  get current(): Thread {
    return this.#thread;
  }

  /** @param runningId the reply that runs here. */
  view(runningId: string | undefined): ThreadView {
    return threadView({
      ...this.#thread,
      messages: interrupted(this.#thread.messages, runningId),
    });
  }

  /** Another one, down to where its branch ends; an empty one by default. */
  replace(thread: Thread = this.#empty()): void {
    this.#thread = withWholeBranch(thread);
  }

  /** The same one, of which something has changed that a person did not write or read. */
  set(thread: Thread): void {
    this.#thread = thread;
  }

  /** The same one with news in it, which makes it the newest. */
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

  /** A question, or the one that a reply is to. */
  questionOf(messageId: string): Question | undefined {
    const { messages } = this.#thread;
    const index = messages.findLastIndex(({ id }) => id === messageId);
    const question = messages.slice(0, index + 1).findLast(({ role }) => role === 'user');
    return question?.role === 'user' ? question : undefined;
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

  /** What the service quoted of a source, whose id is the service's own. */
  quote(messageId: string, sourceId: string): string | undefined {
    const quotes = this.reply(messageId)?.quotes;
    return quotes && Object.hasOwn(quotes, sourceId) ? quotes[sourceId] : undefined;
  }

  newQuestion(
    text: string,
    contextItems: readonly ContextItem[],
    files: readonly Attachment[],
  ): Question {
    const id = this.#ports.newId();
    const question = { role: 'user', id, createdAt: this.#now(), text, contextItems } as const;
    return files.length > 0 ? { ...question, files } : question;
  }

  newReply(siteId: string, notice: string | undefined): Reply {
    return {
      role: 'assistant',
      id: this.#ports.newId(),
      createdAt: this.#now(),
      parts: [],
      status: 'waiting',
      siteId,
      ...(notice === undefined ? {} : { notice }),
    };
  }

  /** ISO 8601. */
  #now(): string {
    return new Date(this.#ports.clock.now()).toISOString();
  }

  #empty(): Thread {
    const createdAt = this.#now();
    return { id: this.#ports.newId(), title: '', createdAt, updatedAt: createdAt, messages: [] };
  }
}
