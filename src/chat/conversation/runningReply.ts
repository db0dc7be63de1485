import type { ErrorInfo } from '../../shared/errorInfo';
import type { HostEvents } from '../../shared/protocol';
import { applyOps, postedOps, type ReplyOp, WaitingOps, type PartOp } from '../../shared/replyOps';
import type { ReplyStatus } from '../../shared/uiMessage';
import type { AskSettings } from '../../site/activeSite';
import type { ShownThread } from './shownThread';
import {
  interrupted,
  withoutForeignMetadata,
  type Question,
  type ServiceThread,
  type Thread,
  type Reply,
  type ThreadMessage,
} from './thread';
import type { ThreadSaver } from '../history/threadSaver';
import { cutText } from '../../common/text/strings';
import { describeError, DocsAssistantError, type Translate } from '../../common/errors';
import type { Clock, KeyStore, Log, ThreadKeyStore } from '../../common/ports';
import type { ReplyEnd, ReplyUpdate } from '../assistant/replyReader';
import { type LeftOut, leftOutOf, withEarlierContext } from './earlierContent';
import { originOf } from '../../common/http/address';
import type { AskRequest, AssistantClient } from '../assistant/assistantClient';

interface RunningReplyPorts extends TurnPorts {
  /** Returns the settings. Called once for each question. */
  readonly settings: () => AskSettings;
}

/** Event of a running reply for the view. `reply-ops` is sent at most once per 16 ms. */
export type ReplyEvent =
  | { readonly name: 'reply-ops'; readonly messageId: string; readonly ops: readonly ReplyOp[] }
  | { readonly name: 'reply-status'; readonly params: HostEvents['reply-status'] };

/**
 * The running reply, if there is one. Updates the shown thread, its stored record and the views
 * while the reply is read and when it ends.
 */
export class RunningReply {
  readonly #ports: RunningReplyPorts;
  readonly #shown: ShownThread;
  readonly #saver: Pick<ThreadSaver, 'saveNow' | 'saveSoon'>;
  readonly #onDidChange: (event: ReplyEvent) => void;
  #turn: ReplyTurn | undefined;

  constructor(
    ports: RunningReplyPorts,
    shown: ShownThread,
    saver: Pick<ThreadSaver, 'saveNow' | 'saveSoon'>,
    onDidChange: (event: ReplyEvent) => void,
  ) {
    this.#ports = ports;
    this.#shown = shown;
    this.#saver = saver;
    this.#onDidChange = onDidChange;
  }

  /** ID of the message being streamed, or undefined when idle. */
  get id(): string | undefined {
    return this.#turn?.replyId;
  }

  /**
   * Shows a thread and starts the reply that is its last message. No other reply may be running.
   * @param announce tells the views about the thread. The reply already runs when it is called.
   */
  start(
    given: {
      readonly thread: Thread;
      readonly question: Question;
      readonly currentPath: string | undefined;
    },
    announce: () => void,
  ): { messageId: string } {
    const { thread, question, currentPath } = given;
    const { log, settings } = this.#ports;
    const reply = thread.messages.at(-1);
    if (reply?.role !== 'assistant') throw new TypeError('A turn is that of a reply');
    const { text, contextItems, files = [] } = question;
    const { id: threadId } = thread;
    log.info(
      `Asked a question (${text.length} characters, ${contextItems.length} context items, ${files.length} files)`,
    );
    const turn: ReplyTurn = new ReplyTurn(reply, this.#ports, {
      onContent: () => this.#showContent(turn),
      onEnd: (status, error) => this.#finish(turn, status, error),
      onServiceThread: (serviceThread) => this.#setServiceThread(threadId, serviceThread),
    });
    this.#turn = turn;
    this.#shown.update(thread);
    announce();
    this.#saver.saveNow(this.#shown.current);
    const messages = thread.messages.slice(0, -1);
    const asked = runInput({ thread, messages, question, siteId: reply.siteId });
    void turn.run({ ...asked, settings: settings(), currentPath });
    return { messageId: reply.id };
  }

  /** Ends the reply at once and keeps its text. Does nothing if no reply runs. */
  end(status: ReplyStatus): void {
    if (this.#turn) this.#finish(this.#turn, status);
  }

  /** Applies the new changes to the thread's reply and posts the same changes to the views. */
  #showContent(turn: ReplyTurn): void {
    const reply = this.#turn === turn ? this.#shown.reply(turn.replyId) : undefined;
    if (!reply) return;
    const { content, notice } = turn;
    const ops = turn.takeOps();
    if (ops.length === 0) {
      const isUnchanged = content.quotes === reply.quotes && content.metadata === reply.metadata;
      if (!isUnchanged) this.#shown.updateReply(turn.replyId, content);
      return;
    }
    const parts = applyOps(reply.parts, ops);
    if (!parts) throw new TypeError('What has changed does not fit the reply');
    const isFirst = reply.status === 'waiting';
    // A view takes the first changes as the start of the stream, so a status is posted only if it
    // has a notice.
    if (isFirst && notice !== undefined) this.#setStatus(turn, 'streaming');
    this.#shown.updateReply(turn.replyId, { ...content, parts, status: 'streaming' });
    const posted = postedOps(ops, parts.length);
    if (posted.length > 0) {
      this.#onDidChange({ name: 'reply-ops', messageId: turn.replyId, ops: posted });
    }
    if (isFirst) this.#saver.saveNow(this.#shown.current);
    else this.#saver.saveSoon(this.#shown.current);
  }

  #finish(turn: ReplyTurn, status: ReplyStatus, error?: ErrorInfo): void {
    if (this.#turn !== turn) return;
    this.#showContent(turn);
    this.#turn = undefined;
    turn.end();
    this.#setStatus(turn, status, error);
    this.#saver.saveNow(this.#shown.current);
  }

  #setStatus({ replyId, notice }: ReplyTurn, status: ReplyStatus, error?: ErrorInfo): void {
    const change = {
      status,
      ...(error ? { error } : {}),
      ...(notice === undefined ? {} : { notice }),
    };
    this.#shown.updateReply(replyId, change);
    this.#onDidChange({ name: 'reply-status', params: { messageId: replyId, ...change } });
  }

  #setServiceThread(threadId: string, serviceThread: ServiceThread | undefined): void {
    const { current } = this.#shown;
    if (current.id !== threadId) return;
    this.#shown.setServiceThread(serviceThread);
    if (serviceThread || !current.serviceThread?.hasKey) return;
    this.#ports.threadKeys
      .forget(threadId)
      .catch(() => this.#ports.log.warn('The key of a forgotten thread could not be removed'));
  }
}

/**
 * Returns the input of a question's request: its messages and what the service knows of the thread.
 * @param messages the messages of the thread, up to and including the question.
 * @param siteId ID of the site that is asked.
 */
export function runInput({
  thread,
  messages,
  question,
  siteId,
}: {
  readonly thread: Thread;
  readonly messages: readonly ThreadMessage[];
  readonly question: Question;
  readonly siteId: string | undefined;
}): Pick<ReplyRunInput, 'thread' | 'messages' | 'question'> {
  const own = withoutForeignMetadata(interrupted(messages), siteId);
  // If a first question is asked again, the service must not read it as a follow-up to its own
  // reply.
  const { serviceThread, ...rest } = thread;
  const isFirst = own.length === 1;
  const threadToAsk = isFirst || !serviceThread ? rest : { ...rest, serviceThread };
  return { thread: threadToAsk, messages: own, question };
}

/** Shortest time between two changes of a running reply: a frame of the view. */
const SHOW_INTERVAL_MS = 16;

/** Quotes and metadata that were received for a reply so far. */
export type ReplyContent = Pick<Reply, 'quotes' | 'metadata'>;

export interface TurnPorts extends ReplyRunPorts {
  readonly clock: Clock;
  readonly translate: Translate;
}

/** Receiver of a turn's events. After the end of a turn, only `onServiceThread` is called. */
export interface TurnListener {
  /** Called when there is more to show, at most once per 16 ms. */
  readonly onContent: () => void;
  /** Called once, unless the turn was ended from outside. */
  readonly onEnd: (status: ReplyStatus, error?: ErrorInfo) => void;
  /** Called with the thread at the service, or undefined if the service no longer has it. */
  readonly onServiceThread: (thread: ServiceThread | undefined) => void;
}

/**
 * One running reply, with the changes that were read but aren't shown yet. The thread has all
 * others. Data that arrives after the end of the turn is dropped (faults.md A27).
 */
export class ReplyTurn {
  readonly replyId: string;
  readonly #ports: TurnPorts;
  readonly #listener: TurnListener;
  readonly #controller = new AbortController();
  readonly #ops = new WaitingOps();
  #content: ReplyContent = {};
  #notice: string | undefined;
  #shownAt = Number.NEGATIVE_INFINITY;
  #isShowScheduled = false;

  constructor(reply: Reply, ports: TurnPorts, listener: TurnListener) {
    this.replyId = reply.id;
    this.#notice = reply.notice;
    this.#ports = ports;
    this.#listener = listener;
  }

  get content(): ReplyContent {
    return this.#content;
  }

  /** Returns the changes of the reply's parts since the last call. */
  takeOps(): readonly PartOp[] {
    return this.#ops.take();
  }

  /** Sentences beside the reply, to be shown with its next change of status. */
  get notice(): string | undefined {
    return this.#notice;
  }

  /** Asks the question and reads the reply to its end. Never throws. */
  async run(input: ReplyRunInput): Promise<void> {
    const { log, translate } = this.#ports;
    const { signal } = this.#controller;
    const { onServiceThread, onEnd } = this.#listener;
    try {
      let end: ReplyEnd | undefined;
      for await (const update of runReply(this.#ports, input, signal)) {
        if (update.serviceThread) onServiceThread(update.serviceThread);
        if (signal.aborted) continue;
        if (update.isThreadLost) this.#notify(newThreadNotice(translate));
        if (update.leftOut) {
          const before = input.messages.findLast(({ role }) => role === 'assistant');
          for (const sentence of leftOutNotices(update.leftOut, before, translate)) {
            this.#notify(sentence);
          }
        }
        this.#take(update);
        end = update.end;
      }
      if (signal.aborted) return;
      if (end?.isDegraded) this.#notify(translate('Part of this reply couldn’t be read.'));
      if (end?.isTooLong) {
        this.#notify(translate('This reply is too long to show in full. Its beginning is kept.'));
      }
      onEnd(end?.status ?? 'incomplete');
    } catch (error) {
      if (signal.aborted) return;
      const code = error instanceof DocsAssistantError ? error.code : 'unexpected';
      if (code === 'unexpected') log.error('The question failed', error);
      else log.warn(`The question failed: ${code}${causeOf(error)}`);
      if (code === 'unknown-thread') onServiceThread(undefined);
      onEnd('failed', describeError(error, translate));
    }
  }

  /** Closes the connection. The listener hears nothing more about the reply. */
  end(): void {
    this.#controller.abort(new Error('The turn is over'));
  }

  #notify(sentence: string): void {
    if (this.#notice?.includes(sentence)) return;
    this.#notice = this.#notice === undefined ? sentence : `${this.#notice} ${sentence}`;
  }

  #take({ ops, quotes, metadata }: ReplyRunUpdate): void {
    if (!ops && !quotes && !metadata) return;
    if (ops) this.#ops.add(ops);
    this.#content = {
      ...this.#content,
      ...(quotes ? { quotes } : {}),
      ...(metadata ? { metadata } : {}),
    };
    this.#showSoon();
  }

  #showSoon(): void {
    if (this.#isShowScheduled) return;
    const { clock } = this.#ports;
    // A clock that was set back must not delay the update.
    const sinceMs = Math.max(0, clock.now() - this.#shownAt);
    const waitMs = SHOW_INTERVAL_MS - sinceMs;
    if (waitMs <= 0) {
      this.#showNow();
      return;
    }
    this.#isShowScheduled = true;
    clock.delay(waitMs, this.#controller.signal).then(
      () => {
        this.#isShowScheduled = false;
        this.#showNow();
      },
      () => undefined,
    );
  }

  #showNow(): void {
    if (this.#controller.signal.aborted) return;
    this.#shownAt = this.#ports.clock.now();
    this.#listener.onContent();
  }
}

/**
 * Returns the notice of a reply that starts a new thread because the service no longer had the old
 * one. Undefined for every other reply.
 */
export function noticeAfter(
  message: ThreadMessage | undefined,
  translate: Translate,
): string | undefined {
  const isForgotten = message?.role === 'assistant' && message.error?.code === 'unknown-thread';
  return isForgotten ? newThreadNotice(translate) : undefined;
}

/** Longest name of a file in a notice, and most names. */
const MAX_NAME_LENGTH = 80;
const MAX_NAMES = 10;

/**
 * Returns sentences about attachments that aren't sent. They leave out what the previous reply's
 * notice already said.
 */
function leftOutNotices(
  { tooLarge, gone }: LeftOut,
  before: ThreadMessage | undefined,
  translate: Translate,
): readonly string[] {
  const list = (names: readonly string[]): string => {
    const shown = names.slice(0, MAX_NAMES).map((name) => cutText(name, MAX_NAME_LENGTH));
    const rest = names.length - shown.length;
    const all = shown.join(', ');
    return rest > 0 ? translate('{0} and {1} more', all, rest) : all;
  };
  const sentences: string[] = [];
  if (tooLarge.length > 0) {
    sentences.push(
      translate(
        'These earlier attachments were too large to send again: {0}. Attach them to your question to ask about them.',
        list(tooLarge),
      ),
    );
  }
  if (gone.length > 0) {
    sentences.push(
      translate(
        'These attachments are no longer stored, so they weren’t sent: {0}. Attach them again to ask about them.',
        list(gone),
      ),
    );
  }
  const said = before?.role === 'assistant' ? (before.notice ?? '') : '';
  return sentences.filter((sentence) => !said.includes(sentence));
}

function newThreadNotice(translate: Translate): string {
  return translate('The docs service no longer had this thread, so this reply started a new one.');
}

/**
 * Returns the status and system code of a failure for the log. The error's own message could
 * contain a secret.
 */
function causeOf(error: unknown): string {
  if (!(error instanceof DocsAssistantError)) return '';
  const { status, causeCode } = error.details;
  return [status, causeCode].map((detail) => (detail === undefined ? '' : ` ${detail}`)).join('');
}

export interface ReplyRunPorts {
  readonly loadClient: () => Promise<Pick<AssistantClient, 'ask'>>;
  readonly threadKeys: ThreadKeyStore;
  readonly keys: KeyStore;
  readonly log: Log;
}

/** A question with everything that its request needs. Later changes of settings don't affect it. */
export interface ReplyRunInput {
  readonly settings: AskSettings;
  readonly currentPath: string | undefined;
  readonly thread: Thread;
  /** The messages of the thread, up to and including the question. */
  readonly messages: readonly ThreadMessage[];
  readonly question: Question;
}

export interface ReplyRunUpdate extends Omit<ReplyUpdate, 'serviceThread'> {
  /** Thread at the service, with the site. The thread's key is already stored. */
  readonly serviceThread?: ServiceThread;
  /** Set if the service had this thread, but the question had to be sent without it. */
  readonly isThreadLost?: true;
  /** Names of earlier content that isn't sent, known before the question is sent. */
  readonly leftOut?: LeftOut;
}

/**
 * Asks a question at the site of its settings, with the key of that origin. The service's thread is
 * continued if it belongs to the same site.
 * @throws {DocsAssistantError} also `not-configured`, `assistant-air-gapped`,
 * `assistant-switched-off`, `not-signed-in`, `secret-store-failed`.
 * @throws the signal's reason when stopped.
 */
export async function* runReply(
  ports: ReplyRunPorts,
  input: ReplyRunInput,
  signal: AbortSignal,
): AsyncGenerator<ReplyRunUpdate> {
  const { origin, domain } = siteOf(input.settings);
  const key = await assistantKey(ports.keys, origin);
  const client = await ports.loadClient();
  const { request, isThreadLost, leftOut } = await requestOf(ports, input);
  if (isThreadLost) yield { isThreadLost: true };
  if (leftOut) yield { leftOut };

  const { thread } = input;
  const { threadKey } = request;
  const known = thread.serviceThread;
  const updates = client.ask({ ...request, key }, signal);
  let keyedThreadId = threadKey === undefined ? undefined : known?.threadId;
  for await (const { serviceThread, ...update } of updates) {
    if (!serviceThread) {
      yield update;
      continue;
    }
    const { threadId } = serviceThread;
    if (serviceThread.threadKey !== undefined) {
      await saveThreadKey(ports, thread.id, serviceThread.threadKey);
      keyedThreadId = threadId;
    }
    const hasKey = keyedThreadId === threadId;
    yield { ...update, serviceThread: { origin, domain, threadId, hasKey } };
  }
}

/** @throws {DocsAssistantError} `not-configured`, or the reason why the site has no assistant. */
function siteOf({ baseUrl, assistantDomain: domain, unavailable }: AskSettings): {
  readonly origin: string;
  readonly domain: string;
} {
  if (unavailable) throw new DocsAssistantError(unavailable);
  const origin = baseUrl === undefined ? undefined : originOf(baseUrl);
  if (origin === undefined || !domain) throw new DocsAssistantError('not-configured');
  return { origin, domain };
}

/** A question's request without its key, and the content that it leaves out. */
interface QuestionRequest {
  readonly request: Omit<AskRequest, 'key'>;
  readonly isThreadLost: boolean;
  readonly leftOut: LeftOut | undefined;
}

/**
 * Returns the request that would send the question now. Nothing is sent.
 * @throws {DocsAssistantError} `not-configured`, or the reason why the site has no assistant.
 */
export async function requestOf(
  ports: Pick<ReplyRunPorts, 'threadKeys' | 'log'>,
  input: ReplyRunInput,
): Promise<QuestionRequest> {
  const { settings, thread, messages, question, currentPath } = input;
  const { origin, domain } = siteOf(settings);
  const known = thread.serviceThread;
  const isSameSite = known?.origin === origin && known.domain === domain;
  const threadKey = isSameSite && known.hasKey ? await readThreadKey(ports, thread.id) : undefined;
  // A service that gave a key for its thread answers 404 without that key (faults.md A22).
  const isThreadLost = isSameSite && known.hasKey && threadKey === undefined;
  const threadId = isSameSite && !isThreadLost ? known.threadId : undefined;
  const context =
    threadId === undefined
      ? withEarlierContext(messages)
      : { contextItems: question.contextItems, leftOut: [] };
  const request = {
    settings,
    messages,
    contextItems: context.contextItems,
    ...(currentPath === undefined ? {} : { currentPath }),
    ...(threadId === undefined ? {} : { threadId }),
    ...(threadKey === undefined ? {} : { threadKey }),
  };
  return { request, isThreadLost, leftOut: leftOutOf(messages, context.leftOut) };
}

async function assistantKey(keys: KeyStore, origin: string): Promise<string> {
  let key: string | undefined;
  try {
    key = await keys.read('assistant', origin);
  } catch (error) {
    throw error instanceof DocsAssistantError
      ? error
      : new DocsAssistantError('secret-store-failed', { cause: error });
  }
  if (!key) throw new DocsAssistantError('not-signed-in', { host: new URL(origin).host });
  return key;
}

/**
 * Returns the key of a thread at the service. If it can't be read, the question starts a new thread
 * there.
 */
async function readThreadKey(
  ports: Pick<ReplyRunPorts, 'threadKeys' | 'log'>,
  threadId: string,
): Promise<string | undefined> {
  try {
    return (await ports.threadKeys.read(threadId)) || undefined;
  } catch (error) {
    ports.log.warn(`The key of the service's thread could not be read: ${nameOf(error)}`);
    return undefined;
  }
}

async function saveThreadKey(
  ports: ReplyRunPorts,
  threadId: string,
  threadKey: string,
): Promise<void> {
  try {
    await ports.threadKeys.save(threadId, threadKey);
  } catch (error) {
    ports.log.warn(`The key of the service's thread could not be kept: ${nameOf(error)}`);
  }
}

/** Returns the name of an error, because a message of the secret storage could contain a secret. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
