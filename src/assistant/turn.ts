import { cutText } from '../common/cutText';
import { describeError, DocsAssistantError, type Translate } from '../common/errors';
import type { Clock } from '../common/ports';
import type { ErrorInfo } from '../shared/errorInfo';
import { WaitingOps, type PartOp } from '../shared/replyOps';
import type { ReplyStatus } from '../shared/uiMessage';
import type { ReplyEnd } from './assistantClient';
import type { LeftOut } from './earlierContent';
import { runReply, type ReplyRunInput, type ReplyRunPorts, type ReplyRunUpdate } from './replyRun';
import type { Reply, ServiceThread, ThreadMessage } from './thread';

/** Shortest time between two changes of a running reply: a frame of the view. */
const SHOW_INTERVAL_MS = 16;

/** What was read of a reply so far, beside its parts. */
export type ReplyContent = Pick<Reply, 'quotes' | 'metadata'>;

export interface TurnPorts extends ReplyRunPorts {
  readonly clock: Clock;
  readonly translate: Translate;
}

/** What a turn tells. Nothing comes once it has ended, but for what concerns its thread. */
export interface TurnListener {
  /** There is more to show; called at most once per 16 ms. */
  readonly onContent: () => void;
  /** Called once, and not for a turn that was ended from outside. */
  readonly onEnd: (status: ReplyStatus, error?: ErrorInfo) => void;
  /** Of the thread that was asked in. Undefined: the service does not know it any more. */
  readonly onServiceThread: (thread: ServiceThread | undefined) => void;
}

/**
 * One reply that runs: what was read of it and not yet shown. Its thread holds the rest. What comes
 * for a turn that is over goes nowhere (faults.md A27).
 */
export class Turn {
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

  /** Returns what has changed in the reply's parts since the last call. */
  takeOps(): readonly PartOp[] {
    return this.#ops.take();
  }

  /** Sentences beside the reply, to be shown with its next change of status. */
  get notice(): string | undefined {
    return this.#notice;
  }

  /** Asks, and reads the reply to its end. Never throws. */
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
      if (end?.isDegraded) this.#notify(translate('A part of this reply could not be read.'));
      if (end?.isTooLong) {
        this.#notify(
          translate('It is longer than Docs Assistant can show. What came before is kept.'),
        );
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

  /** Closes its connection; it tells nothing more of its reply. */
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
    // A clock that was set back must not put it off.
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

/** What is said beside a reply after one that the service did not know the thread of. */
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

/** Sentences about what a question goes without; what the reply before said is not said again. */
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
        'There was no room to send these earlier attachments again: {0}. Attach them to a question to ask about them.',
        list(tooLarge),
      ),
    );
  }
  if (gone.length > 0) {
    sentences.push(
      translate(
        'These attachments are no longer stored and were not sent: {0}. Attach them again to ask about them.',
        list(gone),
      ),
    );
  }
  const said = before?.role === 'assistant' ? (before.notice ?? '') : '';
  return sentences.filter((sentence) => !said.includes(sentence));
}

function newThreadNotice(translate: Translate): string {
  return translate(
    'The docs service no longer knew this conversation, so this reply began a new one there.',
  );
}

/** Status and system code of a failure, for the log; its words may hold more than a log should. */
function causeOf(error: unknown): string {
  if (!(error instanceof DocsAssistantError)) return '';
  const { status, causeCode } = error.details;
  return [status, causeCode].map((detail) => (detail === undefined ? '' : ` ${detail}`)).join('');
}
