import type { ContextItem } from '../context/contextItem';
import { contextItemView, isSameContextItem } from '../context/contextItem';
import type { Disposable } from '../common/disposable';
import { describeError, DocsAssistantError, type Translate } from '../common/errors';
import { Emitter } from '../common/event';
import type { Clock, KeyStore, Log, NewId, ThreadKeyStore } from '../common/ports';
import type { ErrorInfo } from '../shared/errorInfo';
import { MAX_QUESTION_LENGTH, type HostEventName, type HostEvents } from '../shared/protocol';
import { diffParts, type ReplyOp } from '../shared/replyOps';
import {
  type FilePart,
  type MessagePart,
  type ReplyStatus,
  type SourcePart,
  type ThreadView,
} from '../shared/uiMessage';
import type { AskSettings } from './askSettings';
import type { AssistantClient, ReplyEnd } from './assistantClient';
import { runReply, type ReplyRunInput, type ReplyRunUpdate } from './replyRun';
import { interrupted, messageView, threadView, titleOf } from './thread';
import type { Attachment, Question, Reply, Thread, ThreadMessage } from './thread';
import { ThreadSaver } from './threadSaver';
import type { ThreadMatch, ThreadStore, ThreadSummary } from './threadStore';

/** Shortest time between two changes of a running reply: a frame of the view. */
const SHOW_INTERVAL_MS = 16;

export interface ConversationPorts {
  readonly loadClient: () => Promise<Pick<AssistantClient, 'ask'>>;
  readonly threads: ThreadStore;
  readonly threadKeys: ThreadKeyStore;
  readonly keys: KeyStore;
  /** Read once for each question. */
  readonly settings: () => AskSettings;
  readonly currentPath: () => string | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly translate: Translate;
}

/** What the view must hear. `reply-ops` comes at most once per 16 ms. */
export type ConversationEvent =
  | {
      [Name in HostEventName]: { readonly name: Name; readonly params: HostEvents[Name] };
    }[HostEventName]
  | { readonly name: 'reply-ops'; readonly messageId: string; readonly ops: readonly ReplyOp[] };

/** One reply that runs. What comes for a turn that is over goes nowhere (faults.md A27). */
interface Turn {
  readonly replyId: string;
  readonly controller: AbortController;
  /** What was read; the thread's reply holds what was shown of it. */
  parts: readonly MessagePart[];
  shownAt: number;
  isShowScheduled: boolean;
  notice: string | undefined;
}

/**
 * The host's side of the chat: the thread that is shown, the context items that wait for the next
 * question, and at most one running reply. It goes on while no view is there to show it.
 */
export class Conversation implements Disposable {
  readonly #ports: ConversationPorts;
  readonly #changed = new Emitter<ConversationEvent>();
  readonly #saver: ThreadSaver;
  #thread: Thread;
  #contextItems: readonly ContextItem[] = [];
  #turn: Turn | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
    this.#saver = new ThreadSaver(ports.threads, ports.clock, ports.log);
    this.#thread = this.#emptyThread();
  }

  get thread(): ThreadView {
    return threadView(this.#thread);
  }

  /** Those that the next question takes along. */
  get contextItems(): readonly ContextItem[] {
    return this.#contextItems;
  }

  get isReplyRunning(): boolean {
    return this.#turn !== undefined;
  }

  /**
   * Shows the last thread of this workspace. A reply that ran when the window closed is
   * interrupted now. Does nothing if a question was asked in the meantime.
   */
  async restore(): Promise<void> {
    const { threads } = this.#ports;
    const before = this.#thread;
    const id = await threads.currentId();
    const thread = id === undefined ? undefined : await threads.read(id);
    if (thread && this.#thread === before && before.messages.length === 0) this.#show(thread);
  }

  /**
   * Asks a question with the context items that wait, which are taken.
   * @returns the id of the reply.
   * @throws {DocsAssistantError} `empty-question`, `question-too-long`, `reply-running`; the
   * context items stay then.
   */
  submit(text: string): { messageId: string } {
    if (text.trim() === '') throw new DocsAssistantError('empty-question');
    if (text.length > MAX_QUESTION_LENGTH) throw new DocsAssistantError('question-too-long');
    this.#assertIdle();
    const { newId, log } = this.#ports;
    const contextItems = this.#contextItems;
    const createdAt = this.#time();
    const question: Question = { role: 'user', id: newId(), createdAt, text, contextItems };
    if (this.#thread.messages.length === 0) {
      this.#thread = { ...this.#thread, title: titleOf(text) };
      this.#saver.setCurrentId(this.#thread.id);
      this.#fire({ name: 'thread-shown', params: { thread: this.thread } });
    }
    const notice = this.#noticeAfter(this.#thread.messages.at(-1));
    const reply = this.#newReply(notice);
    log.info(`Asked a question (${text.length} characters, ${contextItems.length} context items)`);
    this.#setMessages([...this.#thread.messages, question, reply]);
    this.#fire({ name: 'message-added', params: { message: messageView(question) } });
    this.#fire({ name: 'message-added', params: { message: reply } });
    if (contextItems.length > 0) this.#setContextItems([]);
    this.#start(question, reply);
    return { messageId: reply.id };
  }

  /** Ends a running reply at once; what was read of it stays. Does nothing for any other. */
  stop(messageId: string): void {
    if (this.#turn?.replyId !== messageId) return;
    this.#ports.log.info('Stopped the reply');
    this.#finish(this.#turn, 'stopped');
  }

  /**
   * Asks the question of a reply again; a new reply takes the place of the old one.
   * @throws {DocsAssistantError} `reply-running`; `rate-limited` before the service's time.
   */
  retry(messageId: string): void {
    this.#assertIdle();
    const { messages } = this.#thread;
    const index = messages.findIndex(({ id }) => id === messageId);
    const old = messages[index];
    const question = messages[index - 1];
    if (old?.role !== 'assistant' || question?.role !== 'user') return;
    const retryAt = old.error?.retryAt;
    if (retryAt !== undefined && this.#ports.clock.now() < retryAt) {
      throw new DocsAssistantError('rate-limited', { retryAt });
    }
    this.#ports.log.info('Asked the question again');
    const reply = this.#newReply(this.#noticeAfter(old));
    this.#setMessages(messages.with(index, reply));
    this.#fire({ name: 'thread-shown', params: { thread: this.thread } });
    this.#start(question, reply);
  }

  /** Asks the question of a reply again; the old reply stays as another branch. */
  regenerate(messageId: string): void {
    this.retry(messageId);
  }

  /**
   * Asks a changed question in the place of an earlier one, which stays as another branch.
   * @returns the id of the reply.
   */
  editQuestion(_messageId: string, text: string): { messageId: string } {
    return this.submit(text);
  }

  /** Shows another version of a message, and what came after it. */
  showBranch(_messageId: string, _index: number): void {
    this.#assertIdle();
  }

  /** The page that the next question is about, which a link named. */
  setPage(_page: string | undefined): void {
    // Nothing shows it yet.
  }

  /**
   * Adds a file for the next question.
   * @throws {DocsAssistantError} `too-many-files`.
   */
  addFile(_file: Attachment): void {
    // Nothing sends it yet.
  }

  removeFile(_id: string): void {
    // None is kept yet.
  }

  /** What the service quoted of a source. */
  quote(messageId: string, sourceId: string): string | undefined {
    return this.#reply(messageId)?.quotes?.[sourceId];
  }

  /** The context items of the question that a message replies to. */
  contextItemsOf(messageId: string): readonly ContextItem[] {
    const index = this.#thread.messages.findIndex(({ id }) => id === messageId);
    const question = this.#thread.messages.slice(0, index).findLast(({ role }) => role === 'user');
    return question?.role === 'user' ? question.contextItems : [];
  }

  /** The stored thread with all its branches, for exporting it. */
  async storedThread(id: string): Promise<Thread | undefined> {
    await this.#saver.flush();
    return this.#ports.threads.read(id);
  }

  /** Newest first: all of the site that is shown, or those in which a query's words occur. */
  async findThreads(query: string): Promise<readonly ThreadMatch[]> {
    await this.#saver.flush();
    return query.trim() === ''
      ? this.#ports.threads.list('')
      : this.#ports.threads.search('', query, new AbortController().signal);
  }

  /** @throws {DocsAssistantError} `thread-gone`. */
  async renameThread(id: string, title: string): Promise<void> {
    await this.#ports.threads.rename(id, title);
  }

  /** Deletes a thread; if it is the one that is shown, an empty one takes its place. */
  async deleteThread(id: string): Promise<void> {
    await this.#ports.threads.delete(id);
  }

  /** @throws {DocsAssistantError} `thread-gone`. */
  async restoreThread(id: string): Promise<void> {
    await this.#ports.threads.restore(id);
  }

  /** Shows an empty thread. A running reply is stopped; context items stay for the next question. */
  startThread(): void {
    this.#leaveThread();
    this.#show(this.#emptyThread());
    this.#saver.setCurrentId(this.#thread.id);
  }

  /** Shows a stored thread; a running reply is stopped. Does nothing if the thread is gone. */
  async openThread(id: string): Promise<void> {
    if (id === this.#thread.id) return;
    const thread = await this.#ports.threads.read(id);
    if (!thread) {
      this.#ports.log.warn('A thread that was to be opened is not there any more');
      return;
    }
    this.#leaveThread();
    this.#show(thread);
    this.#saver.setCurrentId(id);
  }

  /** Newest first, with all that was asked up to now. */
  async listThreads(): Promise<readonly ThreadSummary[]> {
    await this.#saver.flush();
    return this.#ports.threads.list('');
  }

  /** Adds items for the next question; one that is there already is not added again. */
  addContextItems(items: readonly ContextItem[]): void {
    const all = [...this.#contextItems];
    for (const item of items) {
      if (!all.some((other) => isSameContextItem(other, item))) all.push(item);
    }
    if (all.length > this.#contextItems.length) this.#setContextItems(all);
  }

  removeContextItem(id: string): void {
    const rest = this.#contextItems.filter((item) => item.id !== id);
    if (rest.length < this.#contextItems.length) this.#setContextItems(rest);
  }

  /** An item that waits, or one of an earlier question. */
  contextItem(id: string): ContextItem | undefined {
    const asked = this.#thread.messages.flatMap((message) =>
      message.role === 'user' ? message.contextItems : [],
    );
    return [...this.#contextItems, ...asked].find((item) => item.id === id);
  }

  source(messageId: string, sourceId: string): SourcePart | undefined {
    return this.#reply(messageId)
      ?.parts.filter((part) => part.type === 'source-url')
      .find((part) => part.sourceId === sourceId);
  }

  file(messageId: string, partIndex: number): FilePart | undefined {
    const part = this.#reply(messageId)?.parts[partIndex];
    return part?.type === 'file' ? part : undefined;
  }

  /** Resolves when everything up to now is stored. */
  async flush(): Promise<void> {
    await this.#saver.flush();
  }

  /** Closes the connection of a running reply; the store has what was read of it. */
  dispose(): void {
    const turn = this.#turn;
    this.#changed.dispose();
    if (turn) this.#finish(turn, 'interrupted');
    void this.#saver.flush();
  }

  #start(question: Question, reply: Reply): void {
    const turn: Turn = {
      replyId: reply.id,
      controller: new AbortController(),
      parts: [],
      shownAt: Number.NEGATIVE_INFINITY,
      isShowScheduled: false,
      notice: reply.notice,
    };
    this.#turn = turn;
    this.#saver.saveNow(this.#thread);
    const { messages } = this.#thread;
    void this.#run(turn, {
      settings: this.#ports.settings(),
      currentPath: this.#ports.currentPath(),
      thread: this.#thread,
      messages: messages.slice(0, messages.indexOf(question) + 1),
      question,
    });
  }

  async #run(turn: Turn, input: ReplyRunInput): Promise<void> {
    const { log, translate } = this.#ports;
    const { signal } = turn.controller;
    try {
      let end: ReplyEnd | undefined;
      for await (const update of runReply(this.#ports, input, signal)) {
        this.#take(turn, input.thread.id, update);
        end = update.end;
      }
      if (end?.isDegraded) {
        this.#notify(turn, translate('A part of this reply could not be read.'));
      }
      this.#finish(turn, end?.status ?? 'incomplete');
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof DocsAssistantError ? error.code : 'unexpected';
      if (code === 'unexpected') log.error('The question failed', error);
      else log.warn(`The question failed: ${code}${causeOf(error)}`);
      if (code === 'unknown-thread') this.#forgetServiceThread();
      this.#finish(turn, 'failed', describeError(error, translate));
    }
  }

  #take(turn: Turn, threadId: string, update: ReplyRunUpdate): void {
    if (update.serviceThread && this.#thread.id === threadId) {
      this.#thread = { ...this.#thread, serviceThread: update.serviceThread };
    }
    if (this.#turn !== turn) return;
    if (update.isThreadLost) this.#notify(turn, this.#newThreadNotice());
    if (!update.parts) return;
    turn.parts = update.parts;
    this.#showSoon(turn);
  }

  #showSoon(turn: Turn): void {
    if (turn.isShowScheduled) return;
    const { clock } = this.#ports;
    const waitMs = turn.shownAt + SHOW_INTERVAL_MS - clock.now();
    if (waitMs <= 0) {
      this.#showParts(turn);
      return;
    }
    turn.isShowScheduled = true;
    clock.delay(waitMs, turn.controller.signal).then(
      () => {
        turn.isShowScheduled = false;
        if (this.#turn === turn) this.#showParts(turn);
      },
      () => undefined,
    );
  }

  /** Brings the thread's reply, and with it every view, to what was read. */
  #showParts(turn: Turn): void {
    const reply = this.#reply(turn.replyId);
    if (!reply) return;
    turn.shownAt = this.#ports.clock.now();
    const ops = diffParts(reply.parts, turn.parts);
    if (ops.length === 0) return;
    // The changes themselves say that the reply streams; a status is posted only for its notice.
    if (reply.status === 'waiting' && turn.notice !== undefined) this.#setStatus(turn, 'streaming');
    this.#changeReply(turn.replyId, { parts: turn.parts, status: 'streaming' });
    this.#fire({ name: 'reply-ops', messageId: turn.replyId, ops });
    this.#saver.saveSoon(this.#thread);
  }

  #finish(turn: Turn, status: ReplyStatus, error?: ErrorInfo): void {
    if (this.#turn !== turn) return;
    this.#showParts(turn);
    this.#turn = undefined;
    turn.controller.abort(new Error('The turn is over'));
    this.#setStatus(turn, status, error);
    this.#saver.saveNow(this.#thread);
  }

  #setStatus(turn: Turn, status: ReplyStatus, error?: ErrorInfo): void {
    const { replyId, notice } = turn;
    const change = {
      status,
      ...(error ? { error } : {}),
      ...(notice === undefined ? {} : { notice }),
    };
    this.#changeReply(replyId, change);
    this.#fire({ name: 'reply-status', params: { messageId: replyId, ...change } });
  }

  /** Adds a sentence to those beside the reply; it is shown with the next change of status. */
  #notify(turn: Turn, sentence: string): void {
    if (turn.notice?.includes(sentence)) return;
    turn.notice = turn.notice === undefined ? sentence : `${turn.notice} ${sentence}`;
  }

  #noticeAfter(message: ThreadMessage | undefined): string | undefined {
    const isForgotten = message?.role === 'assistant' && message.error?.code === 'unknown-thread';
    return isForgotten ? this.#newThreadNotice() : undefined;
  }

  #newThreadNotice(): string {
    return this.#ports.translate(
      'The docs service no longer knew this conversation, so this reply began a new one there.',
    );
  }

  #forgetServiceThread(): void {
    const { serviceThread, ...thread } = this.#thread;
    this.#thread = thread;
    if (!serviceThread?.hasKey) return;
    this.#ports.threadKeys
      .forget(thread.id)
      .catch(() => this.#ports.log.warn('The key of a forgotten thread could not be removed'));
  }

  #leaveThread(): void {
    if (this.#turn) this.#finish(this.#turn, 'stopped');
  }

  #show(thread: Thread): void {
    this.#thread = interrupted(thread);
    this.#fire({ name: 'thread-shown', params: { thread: this.thread } });
  }

  #assertIdle(): void {
    if (this.#turn) throw new DocsAssistantError('reply-running');
  }

  #emptyThread(): Thread {
    const createdAt = this.#time();
    return { id: this.#ports.newId(), title: '', createdAt, updatedAt: createdAt, messages: [] };
  }

  #newReply(notice: string | undefined): Reply {
    return {
      role: 'assistant',
      id: this.#ports.newId(),
      createdAt: this.#time(),
      parts: [],
      status: 'waiting',
      ...(notice === undefined ? {} : { notice }),
    };
  }

  #reply(id: string): Reply | undefined {
    const message = this.#thread.messages.findLast((other) => other.id === id);
    return message?.role === 'assistant' ? message : undefined;
  }

  #changeReply(id: string, change: Partial<Reply>): void {
    const { messages } = this.#thread;
    const index = messages.findLastIndex((message) => message.id === id);
    const reply = messages[index];
    if (reply?.role !== 'assistant') return;
    this.#setMessages(messages.with(index, { ...reply, ...change }));
  }

  #setMessages(messages: readonly ThreadMessage[]): void {
    this.#thread = { ...this.#thread, messages, updatedAt: this.#time() };
  }

  #setContextItems(items: readonly ContextItem[]): void {
    this.#contextItems = items;
    this.#fire({ name: 'context-items', params: { items: items.map(contextItemView) } });
  }

  #fire(event: ConversationEvent): void {
    this.#changed.fire(event);
  }

  #time(): string {
    return new Date(this.#ports.clock.now()).toISOString();
  }
}

/** Status and system code of a failure, for the log; its words may hold more than a log should. */
function causeOf(error: unknown): string {
  if (!(error instanceof DocsAssistantError)) return '';
  const { status, causeCode } = error.details;
  return [status, causeCode].map((detail) => (detail === undefined ? '' : ` ${detail}`)).join('');
}
