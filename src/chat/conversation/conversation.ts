import type { Disposable } from '../../common/disposable';
import { DocsAssistantError } from '../../common/errors';
import { Emitter } from '../../common/event';
import type { NewId } from '../../common/ports';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { ContextItem } from '../context/contextItem';
import { mainHost } from '../sources/sourceAddress';
import { MAX_QUESTION_LENGTH } from '../../shared/limits';
import type { AskResult, HostEventName, HostEvents, SecretChoice } from '../../shared/protocol';
import type { ReplyStatus, ThreadView } from '../../shared/uiMessage';
import { NO_SITE_ID, type ThreadSite } from '../../site/activeSite';
import type { AskRequest } from '../assistant/assistantClient';
import { showVersion, withEditedQuestion, withQuestion, withReply } from './branches';
import type { ScanSecrets } from './secretGuard';
import { PendingQuestion, type DraftStore } from './pendingQuestion';
import { noticeAfter } from './replyNotices';
import { requestOf, runInput } from './replyRun';
import { RunningReply, type ReplyEvent, type RunningReplyPorts } from './runningReply';
import { type AskedQuestion, ShownThread, messageView } from './shownThread';
import {
  interrupted,
  titleOf,
  type Question,
  type Reply,
  type Thread,
  type ThreadMessage,
} from './thread';
import { givenTitle, ThreadLibrary } from './threadLibrary';
import { ThreadSaver } from '../history/threadSaver';
import type { ThreadStore } from '../history/threadStore';
import type { WorkspaceSites } from '../../site/workspaceSites';

export interface ConversationPorts extends RunningReplyPorts {
  readonly threads: ThreadStore;
  readonly draft: DraftStore;
  readonly scanSecrets: ScanSecrets;
  /** Memory of this workspace about its sites, such as their last shown threads. */
  readonly workspaceSites: WorkspaceSites;
  /**
   * Returns the site that questions go to now. A thread belongs to the site of its first question.
   */
  readonly site: () => ThreadSite;
  readonly currentPath: () => string | undefined;
  readonly newId: NewId;
  /**
   * Called when a thread can't be stored. The thread stays in memory and is stored with the next
   * one. Not called again until a thread could be stored.
   */
  readonly onDidFailToSave?: () => void;
}

/** Event that the view must receive. */
export type ConversationEvent =
  | {
      [Name in HostEventName]: { readonly name: Name; readonly params: HostEvents[Name] };
    }[HostEventName]
  | ReplyEvent;

/** Content for the next question, for commands and handlers that change it. */
type EditablePending = Omit<
  PendingQuestion,
  'restore' | 'take' | 'flush' | 'guard' | 'queue' | 'holdQueued' | 'waiting'
>;

/** The shown thread, for actions on its messages. */
type ReadableThread = Pick<ShownThread, 'exchange' | 'questionOf' | 'source' | 'file' | 'quote'>;

/**
 * State of the chat in the host: the shown thread, the content for the next question, and at most
 * one running reply. It continues while no view shows it.
 */
export class Conversation implements Disposable {
  readonly #ports: ConversationPorts;
  readonly #changed = new Emitter<ConversationEvent>();
  readonly #saver: ThreadSaver;
  readonly #library: ThreadLibrary;
  readonly #pending: PendingQuestion;
  readonly #shown: ShownThread;
  readonly #running: RunningReply;
  /** Number of requests to show a thread. The last request wins, whichever thread loads first. */
  #openings = 0;
  /** The shown thread that was deleted, and the empty thread in its place. */
  #deletedShown: { readonly id: string; readonly placeholderId: string } | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
    const { threads, draft, clock, log, translate, scanSecrets } = ports;
    this.#saver = new ThreadSaver(threads, clock, log, () => ports.onDidFailToSave?.());
    this.#library = new ThreadLibrary({
      threads,
      saver: this.#saver,
      siteId: () => ports.site().id,
    });
    this.#pending = new PendingQuestion({ store: draft, translate, log, scanSecrets }, (params) =>
      this.#fire({ name: 'context-items', params }),
    );
    this.#shown = new ShownThread(ports);
    this.#running = new RunningReply(ports, this.#shown, this.#saver, (event) => {
      if (event.name === 'reply-status') this.#notePages(event.params.messageId);
      this.#fire(event);
      if (event.name === 'reply-status') void this.#onReplyStatus(event.params.status);
    });
  }

  get thread(): ThreadView {
    return this.#shown.view(this.#running.id, this.#running.offer);
  }

  /** Content for the next question. */
  get pending(): EditablePending {
    return this.#pending;
  }

  /** The messages of the shown branch. */
  get shown(): ReadableThread {
    return this.#shown;
  }

  /** The stored threads, including those that couldn't be written. */
  get library(): Pick<ThreadLibrary, 'find'> {
    return this.#library;
  }

  get isReplyRunning(): boolean {
    return this.#running.id !== undefined;
  }

  /**
   * Shows the last thread of this workspace and the draft's attachments. A reply that ran when the
   * window closed is shown as interrupted. A question that was asked in the meantime stays.
   */
  async restore(): Promise<void> {
    await Promise.all([this.#restoreThread(), this.#pending.restore()]);
  }

  /**
   * Asks a question like {@link Conversation.submit}, unless a secret is found in its text or
   * attachments. Nothing is sent then. While a reply runs, one question is queued. It is sent when the
   * reply is complete, and kept if the reply fails or is stopped.
   * @param secrets the reader's decision about secrets in the text.
   * @throws {DocsAssistantError} as {@link Conversation.submit}; `reply-running` if a question is
   * queued already.
   */
  async ask(text: string, secrets?: SecretChoice): Promise<AskResult> {
    this.#assertAcceptable(text);
    for (;;) {
      const { guard, draft } = this.#pending;
      const held = await guard.held([...draft.contextItems, ...draft.files]);
      const question = await guard.question(text, secrets);
      // Something may have been attached during the scan.
      if (this.#pending.draft !== draft) continue;
      if ('text' in question && held.length === 0) return this.#submitOrQueue(question.text);
      return { held: 'held' in question ? [...held, question.held] : held };
    }
  }

  /** Asks a changed question as {@link Conversation.editQuestion} does, like {@link Conversation.ask}. */
  async askEdited(messageId: string, text: string, secrets?: SecretChoice): Promise<AskResult> {
    this.#assertAskable(text);
    const question = await this.#pending.guard.question(text, secrets);
    return 'held' in question
      ? { held: [question.held] }
      : this.editQuestion(messageId, question.text);
  }

  /**
   * Returns the request that would send a question with the current attachments, without its key.
   * Nothing is sent, stored or changed.
   * @throws {DocsAssistantError} `not-configured`, or the reason why the site has no assistant.
   */
  async requestFor(text: string): Promise<Omit<AskRequest, 'key'>> {
    const { currentPath, settings, site } = this.#ports;
    const { contextItems, files, page, package: narrowed } = this.#pending.draft;
    const isNew = this.#isOfOtherSite;
    const { serviceThread, ...rest } = this.#shown.current;
    const thread = withoutUndefined({
      ...rest,
      serviceThread: serviceThread && !isNew ? serviceThread : undefined,
      messages: isNew ? [] : rest.messages,
    });
    const asked = { text, contextItems, files, package: narrowed };
    const question = this.#shown.nextQuestion(asked);
    const { request } = await requestOf(this.#ports, {
      ...runInput({
        thread,
        messages: [...thread.messages, question],
        question,
        siteId: site().id,
      }),
      settings: settings(),
      currentPath: page ?? currentPath(),
    });
    return request;
  }

  /**
   * Asks a question with the attachments of the draft, and empties the draft. The caller must have
   * scanned for secrets.
   * @returns the id of the reply.
   * @throws {DocsAssistantError} `empty-question`, `question-too-long`, `reply-running`. The draft
   * stays then.
   */
  submit(text: string): { messageId: string } {
    this.#assertAskable(text);
    if (this.#isOfOtherSite) this.startThread();
    const { contextItems, files, package: narrowed, page } = this.#pending.draft;
    const asked = { text, contextItems, files, package: narrowed };
    const currentPath = page ?? this.#ports.currentPath();
    return this.#askNext(asked, currentPath, () => this.#pending.take());
  }

  /**
   * Asks an earlier question in a new thread, at the site that questions go to now, with the same
   * attachments. They were scanned for secrets when they were first sent. The draft stays.
   * @returns the id of the reply.
   * @throws {DocsAssistantError} `reply-running`.
   */
  askAnew(question: Question): { messageId: string } {
    this.#assertAskable(question.text);
    this.startThread();
    return this.#askNext(question, this.#ports.currentPath());
  }

  /** Asks a question after the last message of the shown thread. */
  #askNext(
    asked: AskedQuestion,
    currentPath: string | undefined,
    onAsked?: () => void,
  ): { messageId: string } {
    const question = this.#shown.newQuestion(asked);
    let thread = this.#shown.current;
    const reply = this.#newReplyAfter(thread.messages.at(-1));
    if (thread.messages.length === 0) {
      thread = { ...thread, title: thread.title || titleOf(question.text) };
      this.#shown.set(thread);
      this.#noteShown();
      this.#fireThread();
    }
    const withBoth = withReply(withQuestion(thread, question), question.id, reply);
    return this.#start(withBoth, question, currentPath, () => {
      this.#fire({ name: 'message-added', params: { message: messageView(question) } });
      this.#fire({ name: 'message-added', params: { message: messageView(reply) } });
      onAsked?.();
    });
  }

  /** Stops a running reply at once and keeps its text. Does nothing if that reply isn't running. */
  stop(messageId: string): void {
    if (this.#running.id !== messageId) return;
    this.#ports.log.info('Stopped the reply');
    this.#running.end('stopped');
  }

  /**
   * Asks the question of a reply again, however the reply ended. The old reply stays as another
   * branch unless it is empty. Does nothing if no such reply is shown.
   * @throws {DocsAssistantError} `reply-running`; `rate-limited` before the service's time;
   * `other-site` if the thread's site is no longer asked.
   */
  retry(messageId: string): void {
    this.#assertIdle();
    this.#assertOwnSite();
    const { messages } = this.#shown.current;
    const index = messages.findLastIndex(({ id }) => id === messageId);
    const old = messages[index];
    const question = messages[index - 1];
    if (old?.role !== 'assistant' || question?.role !== 'user') return;
    const retryAt = old.error?.retryAt;
    if (retryAt !== undefined && this.#ports.clock.now() < retryAt) {
      throw new DocsAssistantError('rate-limited', { retryAt });
    }
    const asked = withReply(this.#shown.current, question.id, this.#newReplyAfter(old));
    this.#start(asked, question, this.#ports.currentPath(), () => this.#fireThread());
  }

  /**
   * Asks a changed question in the place of an earlier one, with the same attachments. They were
   * scanned for secrets when they were first sent. The earlier question stays as another branch,
   * with everything below it.
   * @returns the id of the reply.
   * @throws {DocsAssistantError} as {@link Conversation.submit}; `thread-gone` if no such question
   * is shown; `other-site` as {@link Conversation.retry}.
   */
  editQuestion(messageId: string, text: string): { messageId: string } {
    this.#assertAskable(text);
    this.#assertOwnSite();
    const { messages, title } = this.#shown.current;
    const index = messages.findLastIndex(({ id }) => id === messageId);
    const old = messages[index];
    if (old?.role !== 'user') throw new DocsAssistantError('thread-gone');
    const question = this.#shown.newQuestion({ ...old, text });
    const reply = this.#newReplyAfter(messages[index - 1]);
    const edited = withEditedQuestion(this.#shown.current, messageId, question);
    const isTitled = index === 0 && title === titleOf(old.text);
    const titled = isTitled ? { ...edited, title: titleOf(text) } : edited;
    const asked = withReply(titled, question.id, reply);
    return this.#start(asked, question, this.#ports.currentPath(), () => this.#fireThread());
  }

  /**
   * Shows another version of a message, with the newest messages below it. Does nothing if there is
   * no such version.
   * @throws {DocsAssistantError} `reply-running`.
   */
  showBranch(messageId: string, index: number): void {
    this.#assertIdle();
    const thread = showVersion(this.#shown.current, messageId, index);
    if (thread === this.#shown.current) return;
    this.#shown.set(thread);
    this.#fireThread();
    this.#saver.saveNow(thread);
  }

  /** Returns a context item for the next question, or one of an earlier question. */
  contextItem(id: string): ContextItem | undefined {
    return (
      this.#pending.draft.contextItems.find((item) => item.id === id) ?? this.#shown.contextItem(id)
    );
  }

  /** Shows an empty thread. Stops a running reply and keeps the draft. */
  startThread(): void {
    this.#showInstead(undefined);
  }

  /**
   * Shows a thread of the site that questions go to now: the site's last shown thread, or an empty
   * one. A running reply goes on at its own site, and its thread stays until the next question,
   * which starts a new thread.
   * @param keepsEmpty whether an empty thread stays shown, as it does after a set-up.
   */
  async followSite({ keepsEmpty = false } = {}): Promise<void> {
    const { current } = this.#shown;
    const { workspaceSites, site } = this.#ports;
    const isEmpty = current.messages.length === 0;
    if (isEmpty ? keepsEmpty : !this.#isOfOtherSite) return;
    if (this.isReplyRunning) return;
    if (current.site && !isEmpty) this.#noteThread(current.site.id, current.id);
    const opening = ++this.#openings;
    const siteId = site().id;
    const id = workspaceSites.read(siteId).threadId;
    const thread = id === undefined ? undefined : await this.#library.read(id);
    if (opening !== this.#openings || site().id !== siteId) return;
    const isOfSite = thread?.site?.id === siteId;
    if (isOfSite || !isEmpty) this.#showInstead(isOfSite ? thread : undefined);
  }

  /**
   * Shows a stored thread. Stops a running reply.
   * @throws {DocsAssistantError} `thread-gone`.
   */
  async openThread(id: string): Promise<void> {
    if (id !== this.#shown.current.id) await this.#open(id);
    else this.#openings++;
  }

  /**
   * Shows a stored thread like {@link openThread}. A thread that is already shown is loaded again,
   * because it can have been continued elsewhere. A reply that runs in it goes on.
   * @throws {DocsAssistantError} `thread-gone`.
   */
  async showAnew(id: string): Promise<void> {
    if (id === this.#shown.current.id && this.isReplyRunning) this.#openings++;
    else await this.#open(id);
  }

  /** Stores a thread whose questions are asked elsewhere, as in VS Code's own chat. */
  keepThread(thread: Thread): void {
    this.#saver.saveNow(thread);
  }

  /**
   * Returns the stored thread with all its branches, for an export. A reply that runs in another
   * window is as this window would show it.
   */
  async storedThread(id: string): Promise<Thread | undefined> {
    const thread = await this.#library.read(id);
    if (!thread) return undefined;
    const { messages, others } = thread;
    const runningId = this.#running.id;
    return withoutUndefined({
      ...thread,
      messages: interrupted(messages, runningId),
      others: others ? interrupted(others, runningId) : undefined,
    });
  }

  /** Renames a thread. A blank title keeps the old one. */
  async renameThread(id: string, title: string): Promise<void> {
    const given = givenTitle(title);
    if (given === undefined) return;
    if (id === this.#shown.current.id) {
      this.#shown.set({ ...this.#shown.current, title: given });
      this.#fireThread();
      if (this.#shown.current.messages.length === 0) return;
    }
    await this.#library.rename(id, given);
  }

  /** Deletes a thread. If it is shown, an empty thread takes its place. */
  async deleteThread(id: string): Promise<void> {
    if (id === this.#shown.current.id) {
      this.startThread();
      this.#deletedShown = { id, placeholderId: this.#shown.current.id };
    }
    await this.#library.delete(id);
  }

  /**
   * Restores a deleted thread. If it was shown when it was deleted, it is shown again, unless
   * another thread is shown by now.
   * @throws {DocsAssistantError} `thread-gone`.
   */
  async restoreThread(id: string): Promise<void> {
    await this.#library.restore(id);
    const deleted = this.#deletedShown;
    const isPlaceFree =
      this.#shown.current.id === deleted?.placeholderId &&
      this.#shown.current.messages.length === 0;
    if (deleted?.id === id && isPlaceFree) await this.openThread(id);
  }

  /** Resolves when everything up to now is stored. */
  async flush(): Promise<void> {
    await Promise.all([this.#saver.flush(), this.#pending.flush()]);
  }

  /** Closes the connection of a running reply. The store keeps the text that was received. */
  dispose(): void {
    this.#changed.dispose();
    this.#running.end('interrupted');
    this.#library.dispose();
    void this.#saver.flush();
  }

  async #restoreThread(): Promise<void> {
    const { threads } = this.#ports;
    const before = this.#shown.current;
    const id = await threads.currentId();
    const thread = id === undefined ? undefined : await threads.read(id);
    if (!thread || this.#shown.current !== before || before.messages.length > 0) return;
    this.#shown.replace(thread);
    this.#fireThread();
  }

  async #open(id: string): Promise<void> {
    const opening = ++this.#openings;
    const thread = await this.#library.read(id);
    if (opening !== this.#openings) return;
    if (!thread) throw new DocsAssistantError('thread-gone');
    this.#showInstead(thread);
  }

  /** Starts the reply that is the thread's last message. @param announce tells the views. */
  #start(
    thread: Thread,
    question: Question,
    currentPath: string | undefined,
    announce: () => void,
  ): { messageId: string } {
    this.#openings++;
    const site = this.#ports.site();
    const sited = thread.site?.id === site.id ? thread : { ...thread, site };
    return this.#running.start({ thread: sited, question, currentPath }, announce);
  }

  /** Stops a running reply and shows another thread, or an empty one by default. */
  #showInstead(thread: Thread | undefined): void {
    this.#openings++;
    this.#running.end('stopped');
    this.#shown.replace(thread);
    this.#fireThread();
    this.#noteShown();
  }

  /** Stores the ID of the shown thread, for the next start of the window and for the thread's site. */
  #noteShown(): void {
    const { id } = this.#shown.current;
    this.#saver.setCurrentId(id);
    this.#noteThread(this.#ports.site().id, id);
  }

  #noteThread(siteId: string, threadId: string): void {
    this.#ports.workspaceSites.change(siteId, (site) => ({ ...site, threadId }));
  }

  /** Notes the host that a complete reply cites. Kept docs of the same site are recognized by it. */
  #notePages(replyId: string): void {
    const { workspaceSites } = this.#ports;
    const { status, siteId, parts = [] } = this.#shown.reply(replyId) ?? {};
    if (status !== 'complete' || siteId === undefined) return;
    const pagesHost = mainHost(
      parts.flatMap((part) => (part.type === 'source-url' ? [part.url] : [])),
    );
    if (pagesHost === undefined || workspaceSites.read(siteId).pagesHost === pagesHost) return;
    workspaceSites.change(siteId, (site) => ({ ...site, pagesHost }));
  }

  /**
   * Whether the shown thread belongs to another site than the one that questions go to now. The next
   * question starts a new thread then, because no site must see what was asked at another one.
   */
  get #isOfOtherSite(): boolean {
    const { current } = this.#shown;
    const siteId = this.#ports.site().id;
    return hasSite(current) && current.site?.id !== siteId && !isMisdirected(current, siteId);
  }

  #assertAskable(text: string): void {
    assertQuestion(text);
    this.#assertIdle();
  }

  /** Throws if a question can be neither asked nor queued. */
  #assertAcceptable(text: string): void {
    assertQuestion(text);
    if (this.#pending.draft.queued !== undefined) this.#assertIdle();
  }

  #submitOrQueue(text: string): AskResult {
    if (!this.isReplyRunning) return this.submit(text);
    this.#assertAcceptable(text);
    this.#pending.queue(text);
    return { isQueued: true };
  }

  /** Sends the queued question after a complete reply, and keeps it after any other end. */
  async #onReplyStatus(status: ReplyStatus): Promise<void> {
    if (status === 'waiting' || status === 'streaming') return;
    // The question was queued for the site of this thread.
    if (status !== 'complete' || this.#isOfOtherSite) this.#pending.holdQueued();
    const { waiting, draft, guard } = this.#pending;
    if (waiting === undefined) return;
    // Something may have been attached since the question was queued.
    const held = await guard.held([...draft.contextItems, ...draft.files]);
    if (this.#pending.waiting !== waiting || this.isReplyRunning) return;
    if (held.length > 0 || this.#pending.draft !== draft) this.#pending.holdQueued();
    else {
      this.#pending.unqueue();
      this.submit(waiting);
    }
  }

  #assertOwnSite(): void {
    if (!this.#isOfOtherSite) return;
    throw new DocsAssistantError('other-site', { domain: this.#shown.current.site?.label });
  }

  #assertIdle(): void {
    if (this.isReplyRunning) throw new DocsAssistantError('reply-running');
  }

  /** @param before the reply before it, or the reply that it replaces. */
  #newReplyAfter(before: ThreadMessage | undefined): Reply {
    const { site, translate } = this.#ports;
    return this.#shown.newReply(site().id, noticeAfter(before, translate));
  }

  #fireThread(): void {
    this.#fire({ name: 'thread-shown', params: { thread: this.thread } });
  }

  #fire(event: ConversationEvent): void {
    this.#changed.fire(event);
  }
}

/** Returns whether a thread belongs to a site. A question before the first set-up goes to none. */
function hasSite({ site }: Thread): boolean {
  return site !== undefined && site.id !== NO_SITE_ID;
}

/**
 * Returns whether all that a thread asked went to a site that its service doesn't know, and the other site is one of
 * the same service: the reader has corrected the domain.
 */
function isMisdirected({ site, messages, others = [] }: Thread, siteId: string): boolean {
  const [origin = ''] = site?.id.split(' ') ?? [];
  return (
    origin !== 'local' &&
    siteId.startsWith(`${origin} `) &&
    [...messages, ...others].every(
      (message) => message.role === 'user' || message.error?.code === 'unknown-site',
    )
  );
}

/** @throws {DocsAssistantError} `empty-question`, `question-too-long`. */
function assertQuestion(text: string): void {
  if (text.trim() === '') throw new DocsAssistantError('empty-question');
  if (text.length > MAX_QUESTION_LENGTH) throw new DocsAssistantError('question-too-long');
}
