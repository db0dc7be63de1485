import type { ErrorAction, ErrorInfo, KeptDocs } from '../../src/shared/errorInfo';
import type { ReplyStatus, ReplyView } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import { knownLocale } from '../../src/shared/units';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element, icon, visibleLine } from '../dom';
import { createButton, createProgressRing, type ButtonControl } from '../toolkit';
import type { ViewContext } from '../viewActions';

/** Time in milliseconds without new text after which an icon shows that the reply still runs. */
const QUIET_MS = 700;

/**
 * Returns the sentence for a status that is not an error, or undefined if there is nothing to say.
 */
export function statusSentence(status: ReplyStatus, strings: ViewStrings): string | undefined {
  switch (status) {
    case 'waiting':
      return strings.waiting;
    case 'streaming':
      return strings.streaming;
    case 'stopped':
      return strings.stopped;
    case 'stopped-by-service':
      return strings.stoppedByService;
    case 'incomplete':
      return strings.incomplete;
    case 'interrupted':
      return strings.interrupted;
    case 'complete':
    case 'failed':
      return undefined;
  }
}

/**
 * Returns the sentence about the reply's statements or its missing source. Empty if neither
 * applies.
 */
export function sourceSentence({ parts }: ReplyView, strings: ViewStrings): string {
  const proof = parts.find((part) => part.type === 'proof');
  if (proof?.statements) {
    const { found, statements } = proof;
    return fill(statements === 1 ? strings.proofCountOne : strings.proofCount, found, statements);
  }
  return parts.some(({ type }) => type === 'source-url') ? '' : strings.noSource;
}

/** Returns a sentence with the name of kept docs, and with their age if it is known. */
export function keptDocsSentence(
  { label, fetchedAt }: KeptDocs,
  { plain, dated }: { readonly plain: string; readonly dated: string },
  now: number,
): string {
  const name = visibleLine(label);
  return fetchedAt === undefined
    ? fill(plain, name)
    : fill(dated, name, relativeTime(fetchedAt - now));
}

/** Shows the status of a reply, its error, and the actions that help. */
export class ReplyFooter {
  readonly element = element('div', { class: 'reply-footer' });
  readonly #context: ViewContext;
  #reply: ReplyView | undefined;
  #isLast = false;
  #countdown: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #changedAt = 0;

  constructor(context: ViewContext) {
    this.#context = context;
  }

  /** @param isLast whether this is the last reply. Only that one can be asked for again. */
  update(reply: ReplyView, isLast: boolean): void {
    const before = this.#reply;
    this.#reply = reply;
    this.#watchQuiet();
    const isSame =
      before?.status === reply.status &&
      before.error === reply.error &&
      before.notice === reply.notice &&
      before.offer === reply.offer &&
      this.#isLast === isLast;
    if (isSame) return;
    this.#isLast = isLast;
    clearTimeout(this.#countdown);
    const rows = [
      this.#notice(reply),
      this.#offer(reply) ?? this.#status(reply),
      this.#keptDocs(reply),
      this.#actions(reply),
    ];
    this.element.replaceChildren(...rows.filter((row) => row !== undefined));
    this.element.hidden = !this.element.hasChildNodes();
  }

  dispose(): void {
    clearTimeout(this.#countdown);
    clearTimeout(this.#quiet);
  }

  /**
   * Watches for pauses in the stream. Text that arrives shows by itself that the reply runs, and an
   * animation would cost each frame a style update.
   */
  #watchQuiet(): void {
    this.#changedAt = performance.now();
    this.element.classList.remove('is-quiet');
    if (this.#reply?.status === 'streaming')
      this.#quiet ??= setTimeout(() => this.#onQuiet(), QUIET_MS);
  }

  #onQuiet(): void {
    this.#quiet = undefined;
    if (this.#reply?.status !== 'streaming') return;
    const leftMs = this.#changedAt + QUIET_MS - performance.now();
    if (leftMs > 0) this.#quiet = setTimeout(() => this.#onQuiet(), leftMs);
    else this.element.classList.add('is-quiet');
  }

  #notice({ notice }: ReplyView): HTMLElement | undefined {
    if (notice === undefined || notice === '') return undefined;
    return element(
      'p',
      { class: 'status-line' },
      icon('info'),
      element('span', { text: visibleLine(notice) }),
    );
  }

  /** Offers models before the question is sent. */
  #offer({ offer }: ReplyView): HTMLElement | undefined {
    if (!offer) return undefined;
    const text = visibleLine(offer.text);
    const buttons = offer.choices.map(({ writer, label }, index) =>
      createButton({
        label: visibleLine(label),
        appearance: index === 0 ? 'primary' : 'secondary',
        onClick: () => {
          // The buttons leave with the offer, and the focus must not be lost with them.
          this.element.closest<HTMLElement>('.message')?.focus();
          this.#context.actions.chooseWriter(writer);
        },
      }),
    );
    return element(
      'div',
      { class: 'model-offer', attributes: { role: 'group', 'aria-label': text } },
      element(
        'p',
        { class: 'status-line' },
        icon('question'),
        element('span', { text, attributes: { dir: 'auto' } }),
      ),
      element('div', { class: 'actions' }, ...buttons.map((button) => button.element)),
    );
  }

  #status(reply: ReplyView): HTMLElement | undefined {
    if (reply.error) {
      return element(
        'p',
        { class: 'status-line is-error' },
        icon(reply.error.code === 'rate-limited' ? 'watch' : 'error'),
        element('span', { text: visibleLine(reply.error.message), attributes: { dir: 'auto' } }),
      );
    }
    const sentence = statusSentence(reply.status, this.#context.strings);
    if (sentence === undefined) return undefined;
    const isRunning = reply.status === 'waiting' || reply.status === 'streaming';
    return element(
      'p',
      { class: isRunning ? 'status-line is-running' : 'status-line' },
      statusSign(reply.status),
      element('span', { text: sentence }),
    );
  }

  /** Names the docs on this machine that can answer instead, with their age. */
  #keptDocs({ error }: ReplyView): HTMLElement | undefined {
    if (!this.#isLast || !error?.keptDocs) return undefined;
    const { strings } = this.#context;
    const texts = { plain: strings.keptDocs, dated: strings.keptDocsSince };
    const sentence = keptDocsSentence(error.keptDocs, texts, this.#context.hostNow());
    return element(
      'p',
      { class: 'status-line' },
      icon('library'),
      element('span', { text: sentence, attributes: { dir: 'auto' } }),
    );
  }

  #actions(reply: ReplyView): HTMLElement | undefined {
    if (!this.#isLast) return undefined;
    const offered = offeredActions(reply);
    if (offered.length === 0) return undefined;
    const buttons = offered.map((action, index) =>
      action === 'retry'
        ? this.#retryButton(reply, index === 0 && reply.status !== 'stopped')
        : this.#actionButton(action, index === 0),
    );
    if (reply.error?.keptDocs) buttons.splice(1, 0, this.#keptDocsButton(reply.id));
    return element('div', { class: 'actions' }, ...buttons.map((button) => button.element));
  }

  #actionButton(action: Exclude<ErrorAction, 'retry'>, isFirst: boolean): ButtonControl {
    return createButton({
      label: actionLabel(action, this.#context.strings),
      appearance: isFirst ? 'primary' : 'secondary',
      onClick: () => this.#context.actions.runAction(action),
    });
  }

  #keptDocsButton(replyId: string): ButtonControl {
    return createButton({
      label: this.#context.strings.askKeptDocs,
      appearance: 'secondary',
      onClick: () => this.#context.actions.askKeptDocs(replyId),
    });
  }

  #retryButton({ id, error }: ReplyView, isFirst: boolean): ButtonControl {
    const button = createButton({
      label: this.#context.strings.retry,
      icon: 'refresh',
      appearance: isFirst ? 'primary' : 'secondary',
      class: 'retry',
      onClick: () => this.#context.actions.retry(id),
    });
    if (error?.retryAt !== undefined) this.#countDown(button, error);
    return button;
  }

  /**
   * Enables the retry button when the time is over. It does not retry, because a request costs
   * credits.
   */
  #countDown(button: ButtonControl, error: ErrorInfo): void {
    const { strings } = this.#context;
    const leftMs = (error.retryAt ?? 0) - this.#context.hostNow();
    const seconds = Math.ceil(leftMs / 1_000);
    button.setEnabled(seconds <= 0);
    button.setLabel(seconds > 0 ? retryInLabel(seconds, strings) : strings.retry, 'refresh');
    if (seconds <= 0) return;
    const untilNextSecond = leftMs - (seconds - 1) * 1_000;
    this.#countdown = setTimeout(() => this.#countDown(button, error), untilNextSecond + 5);
  }
}

/** Returns whether the footer has a button that asks for this reply again. */
export function offersRetry(reply: ReplyView, isLast: boolean): boolean {
  return isLast && offeredActions(reply).includes('retry');
}

function offeredActions({ error, status }: ReplyView): readonly ErrorAction[] {
  return error?.actions ?? (canRetry(status) ? ['retry'] : []);
}

function statusSign(status: ReplyStatus): HTMLElement {
  if (status === 'waiting') return createProgressRing();
  // The toolkit's ring always turns, but this sign must stand still while text streams.
  if (status === 'streaming') return icon('loading');
  return icon(status === 'stopped' ? 'stop-circle' : 'warning');
}

const timeUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns a time before or after now in one unit, such as `3 days ago`. */
function relativeTime(ms: number): string {
  const [unit, unitMs] = timeUnits.find(([, length]) => Math.abs(ms) >= length) ?? [
    'minute',
    60_000,
  ];
  const format = new Intl.RelativeTimeFormat(knownLocale(document.documentElement.lang), {
    numeric: 'auto',
  });
  return format.format(Math.trunc(ms / unitMs), unit);
}

function retryInLabel(seconds: number, strings: ViewStrings): string {
  if (seconds < 120) return fill(strings.retryIn, seconds);
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return fill(strings.retryInMinutes, minutes);
}

function canRetry(status: ReplyStatus): boolean {
  return status !== 'complete' && status !== 'waiting' && status !== 'streaming';
}

/** Returns the label of the button for an action. */
function actionLabel(action: ErrorAction, strings: ViewStrings): string {
  switch (action) {
    case 'retry':
      return strings.retry;
    case 'set-up-site':
      return strings.setUpSite;
    case 'check-setup':
      return strings.checkSetup;
    case 'set-assistant-key':
      return strings.setAssistantKey;
    case 'choose-docs':
      return strings.chooseDocs;
    case 'ask-installed':
      return strings.askInstalled;
    case 'switch-site':
      return strings.switchSite;
    case 'show-features':
      return strings.showFeatures;
    case 'filter-docs':
      return strings.filterDocs;
    case 'start-local-service':
      return strings.startLocalService;
    case 'answer-with':
      return strings.answerWith;
    case 'open-settings':
      return strings.openSettings;
    case 'open-log':
      return strings.openLog;
    case 'new-thread':
      return strings.newThread;
  }
}
