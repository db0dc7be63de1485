import type { ErrorInfo } from '../../shared/errorInfo';
import type { HostEvents, ModelOfferView } from '../../shared/protocol';
import { ReplyFold } from '../../shared/reply';
import { postedOps, type ReplyOp } from '../../shared/replyOps';
import type { Proof } from '../../shared/proof';
import type { ReplyStatus } from '../../shared/uiMessage';
import type { AskSettings } from '../../site/activeSite';
import type { ShownThread } from './shownThread';
import { runInput } from './replyRun';
import { ReplyTurn, type TurnPorts } from './replyTurn';
import type { Question, Reply, ServiceThread, Thread } from './thread';
import type { ThreadSaver } from '../history/threadSaver';
import { withoutUndefined } from '../../common/withoutUndefined';

export interface RunningReplyPorts extends TurnPorts {
  /** Returns the settings. Called once for each question. */
  readonly settings: () => AskSettings;
  /** Compares a complete reply with docs on this machine, if they are those of its site. */
  readonly proveReply?: (reply: Reply, question: Question) => Promise<Proof | undefined>;
}

/**
 * Event of a running reply for the view. `reply-ops` is sent at most once per 16 ms. `message-added` has a reply
 * that ended earlier, with its proof.
 */
export type ReplyEvent =
  | { readonly name: 'reply-ops'; readonly messageId: string; readonly ops: readonly ReplyOp[] }
  | { readonly name: 'reply-status'; readonly params: HostEvents['reply-status'] }
  | { readonly name: 'message-added'; readonly params: HostEvents['message-added'] };

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
  #reply = new ReplyFold();

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

  /** Offer of models that the question waits for, if there is one. */
  get offer(): ModelOfferView | undefined {
    return this.#turn?.offer;
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
      onOffer: () => this.#turn === turn && this.#setStatus(turn, 'waiting'),
      onEnd: (status, error) => this.#finish(turn, status, error),
      onServiceThread: (serviceThread) => this.#setServiceThread(threadId, serviceThread),
    });
    this.#turn = turn;
    this.#reply = new ReplyFold();
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
    const change = turn.take();
    const { ops = [] } = change;
    this.#reply.take(change);
    const { parts, quotes, metadata } = this.#reply;
    if (ops.length === 0) {
      const isUnchanged = quotes === reply.quotes && metadata === reply.metadata;
      if (!isUnchanged) this.#shown.updateReply(turn.replyId, { quotes, metadata });
      return;
    }
    const isFirst = reply.status === 'waiting';
    // A view takes the first changes as the start of the stream, so a status is posted only if it
    // has a sentence beside the reply.
    const isNoted = turn.versionNote !== reply.versionNote;
    if (isNoted || (isFirst && turn.notice !== undefined)) this.#setStatus(turn, 'streaming');
    this.#shown.updateReply(turn.replyId, { parts, quotes, metadata, status: 'streaming' });
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
    if (status !== 'complete') return;
    this.#prove(turn.replyId).catch((error: unknown) => {
      this.#ports.log.error('A reply could not be compared with kept docs', error);
    });
  }

  /** Adds the proof to a reply that came without one. The reply is complete, so nobody waits for this. */
  async #prove(replyId: string): Promise<void> {
    const reply = this.#shown.reply(replyId);
    const question = this.#shown.questionOf(replyId);
    if (!reply || !question || reply.parts.some(({ type }) => type === 'proof')) return;
    const proof = await this.#ports.proveReply?.(reply, question);
    // Another thread can be shown by now.
    const { parts } = this.#shown.reply(replyId) ?? {};
    if (!proof || !parts) return;
    this.#shown.updateReply(replyId, { parts: [...parts, { type: 'proof', ...proof }] });
    const message = this.#shown.messageView(replyId);
    if (message) this.#onDidChange({ name: 'message-added', params: { message } });
    this.#saver.saveSoon(this.#shown.current);
  }

  #setStatus(turn: ReplyTurn, status: ReplyStatus, error?: ErrorInfo): void {
    const { replyId, notice, versionNote, offer } = turn;
    const change = withoutUndefined({ status, error, notice, versionNote });
    this.#shown.updateReply(replyId, change);
    // The offer ends with the window, so it is not stored with the reply.
    const params = withoutUndefined({ messageId: replyId, ...change, offer });
    this.#onDidChange({ name: 'reply-status', params });
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
