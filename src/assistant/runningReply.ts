import type { ErrorInfo } from '../shared/errorInfo';
import type { HostEvents } from '../shared/protocol';
import { applyOps, postedOps, type ReplyOp } from '../shared/replyOps';
import type { ReplyStatus } from '../shared/uiMessage';
import type { AskSettings } from './askSettings';
import type { ShownThread } from './shownThread';
import {
  interrupted,
  withoutForeignMetadata,
  type Question,
  type ServiceThread,
  type Thread,
} from './thread';
import type { ThreadSaver } from './threadSaver';
import { Turn, type TurnPorts } from './turn';

interface RunningReplyPorts extends TurnPorts {
  /** Read once for each question. */
  readonly settings: () => AskSettings;
}

/** What the view must hear of a reply. `reply-ops` comes at most once per 16 ms. */
export type ReplyEvent =
  | { readonly name: 'reply-ops'; readonly messageId: string; readonly ops: readonly ReplyOp[] }
  | { readonly name: 'reply-status'; readonly params: HostEvents['reply-status'] };

/**
 * The reply that runs, if one does. Brings the thread that is shown, its record and every view to
 * what is read of it, and to how it ends.
 */
export class RunningReply {
  readonly #ports: RunningReplyPorts;
  readonly #shown: ShownThread;
  readonly #saver: Pick<ThreadSaver, 'saveNow' | 'saveSoon'>;
  readonly #onDidChange: (event: ReplyEvent) => void;
  #turn: Turn | undefined;

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

  /** Its message's. Undefined: none runs. */
  get id(): string | undefined {
    return this.#turn?.replyId;
  }

  /**
   * Shows a thread whose last message, a reply to the question, runs from now on. None may run yet.
   * @param announce tells the views of it; it runs already then.
   */
  start(
    asked: {
      readonly thread: Thread;
      readonly question: Question;
      readonly currentPath: string | undefined;
    },
    announce: () => void,
  ): { messageId: string } {
    const { thread, question, currentPath } = asked;
    const { log, settings } = this.#ports;
    const reply = thread.messages.at(-1);
    if (reply?.role !== 'assistant') throw new TypeError('A turn is that of a reply');
    const { text, contextItems, files = [] } = question;
    const { id: threadId } = thread;
    log.info(
      `Asked a question (${text.length} characters, ${contextItems.length} context items, ${files.length} files)`,
    );
    const turn: Turn = new Turn(reply, this.#ports, {
      onContent: () => this.#showContent(turn),
      onEnd: (status, error) => this.#finish(turn, status, error),
      onServiceThread: (serviceThread) => this.#setServiceThread(threadId, serviceThread),
    });
    this.#turn = turn;
    this.#shown.update(thread);
    announce();
    this.#saver.saveNow(this.#shown.current);
    const earlier = interrupted(thread.messages.slice(0, -1));
    const messages = withoutForeignMetadata(earlier, reply.siteId);
    // A first question that is asked again must not be read as following up on what came of it.
    const { serviceThread, ...rest } = thread;
    const isFirst = messages.length === 1;
    const threadToAsk = isFirst || !serviceThread ? rest : { ...rest, serviceThread };
    void turn.run({ settings: settings(), currentPath, thread: threadToAsk, messages, question });
    return { messageId: reply.id };
  }

  /** Ends it at once; what was read of it stays. Does nothing if none runs. */
  end(status: ReplyStatus): void {
    if (this.#turn) this.#finish(this.#turn, status);
  }

  /**
   * Brings the thread's reply, and with it every view, to what was read: the changes that the client
   * told are those that are posted.
   */
  #showContent(turn: Turn): void {
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
    // The changes themselves say that the reply streams; a status is posted only for its notice.
    if (isFirst && notice !== undefined) this.#setStatus(turn, 'streaming');
    this.#shown.updateReply(turn.replyId, { ...content, parts, status: 'streaming' });
    const posted = postedOps(ops, parts.length);
    if (posted.length > 0) {
      this.#onDidChange({ name: 'reply-ops', messageId: turn.replyId, ops: posted });
    }
    if (isFirst) this.#saver.saveNow(this.#shown.current);
    else this.#saver.saveSoon(this.#shown.current);
  }

  #finish(turn: Turn, status: ReplyStatus, error?: ErrorInfo): void {
    if (this.#turn !== turn) return;
    this.#showContent(turn);
    this.#turn = undefined;
    turn.end();
    this.#setStatus(turn, status, error);
    this.#saver.saveNow(this.#shown.current);
  }

  #setStatus({ replyId, notice }: Turn, status: ReplyStatus, error?: ErrorInfo): void {
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
