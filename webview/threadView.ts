import {
  isReplyRunning,
  type MessageView,
  type ReplyStatus,
  type ReplyView,
  type ThreadView,
} from '../src/shared/uiMessage';
import { element, setChildren, visibleText } from './dom';
import { QuestionElement } from './questionView';
import { ReplyElement } from './replyView';
import { statusSentence } from './replyFooter';
import { createButton } from './toolkit';
import type { ViewContext } from './viewContext';
import type { ScrollState } from './viewState';

interface ShownMessage {
  message: MessageView;
  isLast: boolean;
  readonly view: QuestionElement | ReplyElement;
}

/** Within so many pixels of its end, a reader is at the end. */
const END_SLACK_PX = 24;

/**
 * The conversation. It follows its end while the reader is there, and stays where the reader is
 * otherwise.
 */
export class ThreadElement {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #scroller: HTMLElement;
  readonly #list = element('div', { class: 'messages' });
  readonly #jump: HTMLElement;
  readonly #shown = new Map<string, ShownMessage>();
  readonly #onAnnounce: (text: string) => void;
  #threadId = '';
  #isFollowing = true;
  #isReplyRunning = false;
  #lastTop = 0;

  /**
   * @param empty stands in for the messages while there are none.
   * @param onAnnounce gets single events for screen readers.
   */
  constructor(
    context: ViewContext,
    empty: HTMLElement,
    onAnnounce: (text: string) => void,
    onScroll: () => void,
  ) {
    this.#context = context;
    this.#onAnnounce = onAnnounce;
    const content = element('div', { class: 'thread-content' }, empty, this.#list);
    this.#scroller = element(
      'div',
      {
        class: 'thread-scroller',
        attributes: {
          role: 'log',
          // Replies arrive letter by letter; the announcer says when something happened.
          'aria-live': 'off',
          'aria-label': context.strings.messages,
          tabindex: '0',
        },
      },
      content,
    );
    this.#jump = createButton({
      label: context.strings.jumpToLatest,
      icon: 'arrow-down',
      appearance: 'secondary',
      class: 'jump-to-latest',
      onClick: () => {
        this.follow();
        this.#scroller.focus({ preventScroll: true });
      },
    }).element;
    this.#jump.hidden = true;
    this.element = element('main', { class: 'thread' }, this.#scroller, this.#jump);
    this.#scroller.addEventListener('scroll', () => {
      this.#onScrolled();
      onScroll();
    });
    const resizes = new ResizeObserver(() => this.#keepEnd());
    resizes.observe(content);
    resizes.observe(this.#scroller);
  }

  /** Where the reader is, for the next load of the view. */
  get scrollState(): ScrollState {
    return {
      threadId: this.#threadId,
      top: this.#scroller.scrollTop,
      isFollowing: this.#isFollowing,
    };
  }

  /** Goes to the end and stays there. */
  follow(): void {
    this.#isFollowing = true;
    this.#keepEnd();
  }

  /** Draws and lays out: when this returns, the whole cost of the frame has been paid. */
  update(thread: ThreadView): void {
    const isOtherThread = thread.id !== this.#threadId;
    this.#threadId = thread.id;
    const last = thread.messages.at(-1);
    const kept = new Set(thread.messages.map(({ id }) => id));
    for (const [id, { view }] of this.#shown) {
      if (kept.has(id)) continue;
      if (view instanceof ReplyElement) view.dispose();
      this.#shown.delete(id);
    }
    setChildren(
      this.#list,
      thread.messages.map((message) => this.#show(message, message === last, isOtherThread)),
    );
    const { messages } = thread;
    this.#setReplyRunning(
      messages.some((message) => message.role === 'assistant' && isReplyRunning(message.status)),
    );
    this.#list.hidden = thread.messages.length === 0;
    if (isOtherThread) this.follow();
    else this.#keepEnd();
  }

  /** After the first drawing of a thread: back to where the reader was. */
  restore(scroll: ScrollState): void {
    if (scroll.threadId !== this.#threadId || scroll.isFollowing) return;
    this.#isFollowing = false;
    this.#scroller.scrollTop = scroll.top;
    this.#onScrolled();
  }

  #setReplyRunning(isRunning: boolean): void {
    if (isRunning === this.#isReplyRunning) return;
    this.#isReplyRunning = isRunning;
    for (const { view } of this.#shown.values()) view.setReplyRunning(isRunning);
  }

  #show(message: MessageView, isLast: boolean, isSilent: boolean): HTMLElement {
    const shown = this.#shown.get(message.id) ?? this.#add(message);
    const isNew = shown.message === message && !shown.view.element.isConnected;
    if (isNew || shown.message !== message || shown.isLast !== isLast) {
      this.#announce(isNew ? undefined : shown.message, message, isSilent);
      shown.message = message;
      shown.isLast = isLast;
      try {
        drawMessage(shown.view, message, isLast);
      } catch (error: unknown) {
        // One message that cannot be drawn takes neither the others nor the composer with it.
        this.#context.reportFailure(error);
      }
    }
    return shown.view.element;
  }

  #add(message: MessageView): ShownMessage {
    const view =
      message.role === 'user'
        ? new QuestionElement(this.#context, message.id)
        : new ReplyElement(this.#context, message.id);
    view.setReplyRunning(this.#isReplyRunning);
    const shown = { message, isLast: false, view };
    this.#shown.set(message.id, shown);
    return shown;
  }

  #announce(before: MessageView | undefined, after: MessageView, isSilent: boolean): void {
    if (isSilent || after.role !== 'assistant') return;
    const old: ReplyStatus | undefined = before?.role === 'assistant' ? before.status : undefined;
    if (old === after.status) return;
    const sentence = announcement(after, this.#context);
    if (sentence !== undefined) this.#onAnnounce(sentence);
  }

  #onScrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= END_SLACK_PX;
    // Text that grows moves the end away without a scroll upwards: only the reader does that.
    if (isAtEnd) this.#isFollowing = true;
    else if (scrollTop < this.#lastTop) this.#isFollowing = false;
    this.#lastTop = scrollTop;
    this.#jump.hidden = this.#isFollowing || isAtEnd;
  }

  #keepEnd(): void {
    const scroller = this.#scroller;
    if (this.#isFollowing) {
      scroller.scrollTop = scroller.scrollHeight;
      this.#lastTop = scroller.scrollTop;
      this.#jump.hidden = true;
    } else {
      const left = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
      this.#jump.hidden = left <= END_SLACK_PX;
    }
  }
}

function drawMessage(
  view: QuestionElement | ReplyElement,
  message: MessageView,
  isLast: boolean,
): void {
  if (view instanceof ReplyElement && message.role === 'assistant') view.update(message, isLast);
  else if (view instanceof QuestionElement && message.role === 'user') view.update(message);
}

function announcement(reply: ReplyView, { strings }: ViewContext): string | undefined {
  if (reply.error) return visibleText(reply.error.message);
  if (reply.status === 'complete') return strings.complete;
  if (reply.status === 'streaming') return strings.replyStarted;
  if (reply.status === 'waiting') return undefined;
  return statusSentence(reply.status, strings);
}
