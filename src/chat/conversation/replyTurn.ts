import { describeError } from '../../common/describeError';
import { DocsAssistantError, type Translate } from '../../common/errors';
import type { Clock } from '../../common/ports';
import type { ErrorCode, ErrorInfo, KeptDocs } from '../../shared/errorInfo';
import type { ModelOfferView } from '../../shared/protocol';
import type { ReplyChange, ReplyEnd } from '../../shared/reply';
import { type PartOp, WaitingOps } from '../../shared/replyOps';
import type { ReplyStatus } from '../../shared/uiMessage';
import type { CitedPage, SiteVersion } from '../../site/siteVersion';
import { leftOutNotices, newThreadNotice, otherVersionNote } from './replyNotices';
import { runReply, type ReplyRunInput, type ReplyRunPorts, type ReplyRunUpdate } from './replyRun';
import type { Reply, ServiceThread } from './thread';

/** Errors with which the site doesn't answer this reader now, whatever is asked. */
const siteErrors: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'rate-limited',
  'offline',
  'timed-out',
  'service-down',
  'key-rejected',
  'forbidden',
]);

/** Shortest time between two changes of a running reply: a frame of the view. */
const SHOW_INTERVAL_MS = 16;

export interface TurnPorts extends ReplyRunPorts {
  /** Returns docs on this machine that are those of the site that is asked now. */
  readonly keptDocs?: () => KeptDocs | undefined;
  /**
   * Resolves when the question may be sent. Until then, the reader may be offered models.
   * @param show called with the offer, and with undefined at its end.
   */
  readonly offerModels?: (
    show: (offer: ModelOfferView | undefined) => void,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Returns the installed version of the package that the asked docs are about, if it is known. */
  readonly siteVersion?: () => SiteVersion | undefined;
  readonly clock: Clock;
  readonly translate: Translate;
}

/** Receiver of a turn's events. After the end of a turn, only `onServiceThread` is called. */
interface TurnListener {
  /** Called when there is more to show, at most once per 16 ms. */
  readonly onContent: () => void;
  /** Called when models are offered, and when that ends. */
  readonly onOffer?: () => void;
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
  #quotes: ReplyChange['quotes'];
  #metadata: ReplyChange['metadata'];
  #notice: string | undefined;
  #offer: ModelOfferView | undefined;
  #siteVersion: SiteVersion | undefined;
  #filterVersion: string | undefined;
  /** Pages that the reply cites so far. Kept only if the installed version is known. */
  readonly #cited: CitedPage[] = [];
  #shownAt = Number.NEGATIVE_INFINITY;
  #isShowScheduled = false;

  constructor(reply: Reply, ports: TurnPorts, listener: TurnListener) {
    this.replyId = reply.id;
    this.#notice = reply.notice;
    this.#ports = ports;
    this.#listener = listener;
  }

  /** Returns the changes of the reply since the last call, joined. */
  take(): ReplyChange {
    const change = { ops: this.#ops.take(), quotes: this.#quotes, metadata: this.#metadata };
    this.#quotes = this.#metadata = undefined;
    return change;
  }

  /** Sentences beside the reply, to be shown with its next change of status. */
  get notice(): string | undefined {
    return this.#notice;
  }

  /** Sentence above the reply, if it is for another version than the installed one. */
  get versionNote(): string | undefined {
    if (!this.#siteVersion) return undefined;
    const { translate } = this.#ports;
    const said = { pages: this.#cited, filterVersion: this.#filterVersion };
    return otherVersionNote(said, this.#siteVersion, translate);
  }

  /** Offer of models that the question waits for, if there is one. */
  get offer(): ModelOfferView | undefined {
    return this.#offer;
  }

  /** Asks the question and reads the reply to its end. Never throws. */
  async run(input: ReplyRunInput): Promise<void> {
    const { log, translate, offerModels, siteVersion } = this.#ports;
    const { signal } = this.#controller;
    this.#siteVersion = siteVersion?.();
    this.#filterVersion = input.settings.filter.version;
    const { onServiceThread, onEnd, onOffer } = this.#listener;
    try {
      if (offerModels) {
        await offerModels((offer) => {
          this.#offer = offer;
          if (!signal.aborted) onOffer?.();
        }, signal);
        signal.throwIfAborted();
      }
      let end: ReplyEnd | undefined;
      for await (const update of runReply(this.#ports, input, signal)) {
        if (update.serviceThread) onServiceThread(update.serviceThread);
        if (signal.aborted) continue;
        if (update.isThreadLost) this.#notify(newThreadNotice(translate));
        if (update.leftOut) {
          for (const sentence of leftOutNotices(update.leftOut, input.messages, translate)) {
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
      const isKnown = error instanceof DocsAssistantError && error.code !== 'unexpected';
      if (isKnown) log.warn(`The question failed: ${error.code}${causeOf(error)}`);
      else log.error('The question failed', error);
      if (isKnown && error.code === 'unknown-thread') onServiceThread(undefined);
      onEnd('failed', this.#withKeptDocs(describeError(error, translate)));
    }
  }

  /** Closes the connection. The listener hears nothing more about the reply. */
  end(): void {
    this.#offer = undefined;
    this.#controller.abort(new Error('The turn is over'));
  }

  /** Adds kept docs to an error that the site may give for a while. */
  #withKeptDocs(error: ErrorInfo): ErrorInfo {
    const keptDocs = siteErrors.has(error.code) ? this.#ports.keptDocs?.() : undefined;
    return keptDocs ? { ...error, keptDocs } : error;
  }

  #notify(sentence: string): void {
    if (this.#notice?.includes(sentence)) return;
    this.#notice = this.#notice === undefined ? sentence : `${this.#notice} ${sentence}`;
  }

  #take({ ops, quotes, metadata }: ReplyRunUpdate): void {
    if (!ops && !quotes && !metadata) return;
    if (ops) this.#ops.add(ops);
    if (ops && this.#siteVersion) this.#cited.push(...ops.flatMap(citedIn));
    this.#quotes = quotes ?? this.#quotes;
    this.#metadata = metadata ?? this.#metadata;
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

/** Returns the page that a change of a reply cites. */
function citedIn([, value]: PartOp): readonly CitedPage[] {
  return typeof value !== 'string' && value.type === 'source-url' ? [value] : [];
}

/**
 * Returns the status and system code of a failure for the log. The error's own message could
 * contain a secret.
 */
function causeOf({ details: { status, causeCode } }: DocsAssistantError): string {
  return [status, causeCode].map((detail) => (detail === undefined ? '' : ` ${detail}`)).join('');
}
