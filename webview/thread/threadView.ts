import type { MessageView, ReplyView, ThreadView } from '../../src/shared/uiMessage';
import { element, setAttribute, visibleLine } from '../dom';
import { readFirst } from '../frames';
import { sourceSentence, statusSentence } from '../reply/replyFooter';
import { ReplyElement } from '../reply/replyView';
import { createButton } from '../toolkit';
import type { ViewContext } from '../viewActions';
import type { ScrollState } from '../viewState';
import { estimatedHeight } from './messageHeight';
import { MessageKeys, type MessageEdge } from './messageKeys';
import { QuestionElement } from './questionView';
import { ScrollKeeper } from './scrollKeeper';
import { VirtualList } from './virtualList';

type MessageElement = QuestionElement | ReplyElement;

interface ThreadListeners {
  /** Announces an event to screen readers. */
  onAnnounce(text: string): void;
  onScroll(): void;
  /** Moves the focus from the conversation to the question box. */
  onLeave(): void;
}

/** A message, and the distance in pixels from the view's upper edge to it. */
type ReadPlace = Pick<ScrollState, 'messageId' | 'offset'>;

/** Pixels between the view's edge and a message that is brought into view. */
const REVEAL_MARGIN_PX = 8;
/**
 * Distance in pixels from the view's upper edge to a question that was just asked. It equals
 * `--gap` in CSS, the space above the first message.
 */
const ASKED_MARGIN_PX = 12;
/** Elements of a message whose state would be lost if the message left the document. */
const unsaved = 'textarea, details[open]';

/**
 * Shows the conversation. A question that is asked moves to the top, and its reply grows below. The
 * view follows the end for a reader who scrolls there, and otherwise stays where the reader is.
 * Messages far from the view are not built.
 */
export class ThreadElement {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #listeners: ThreadListeners;
  readonly #scroller: HTMLElement;
  readonly #jump: HTMLElement;
  readonly #list: VirtualList;
  readonly #keeper: ScrollKeeper;
  readonly #keys: MessageKeys;
  readonly #views = new Map<string, MessageElement>();
  #thread: ThreadView = { id: '', title: '', messages: [] };
  #byId = new Map<string, MessageView>();
  #isReplyRunning = false;
  /** ID of the question with room below it, so that it can stand at the top of the view. */
  #askedId: string | undefined;

  /** @param empty shown while there are no messages. */
  constructor(context: ViewContext, empty: HTMLElement, listeners: ThreadListeners) {
    this.#context = context;
    this.#listeners = listeners;
    this.#scroller = element('div', {
      class: 'thread-scroller',
      attributes: {
        role: 'log',
        // Replies arrive letter by letter. The announcer announces finished sentences.
        'aria-live': 'off',
        'aria-label': context.strings.messages,
      },
    });
    this.#list = new VirtualList(
      this.#scroller,
      {
        build: (key) => this.#build(key),
        drop: (key) => this.#drop(key),
        isKept: (key, built) => this.#isKept(key, built),
        estimate: (key, width) => {
          const message = this.#byId.get(key);
          return message ? estimatedHeight(message, width) : 0;
        },
      },
      () => this.#keepPlace(),
    );
    const content = element('div', { class: 'thread-content' }, empty, this.#list.element);
    this.#scroller.append(content);
    this.#keeper = new ScrollKeeper({
      scroller: this.#scroller,
      content,
      questionOffset: () => {
        const asked = this.#list.builtElement(this.#askedId ?? '');
        return asked && this.#topOf(asked) - ASKED_MARGIN_PX;
      },
      onChange: () => this.#onScrolled(),
    });
    readFirst(() => this.#keeper.noteUnheardScroll());
    this.#keys = new MessageKeys(this.#sequence());
    this.#jump = this.#createJump();
    this.element = element(
      'main',
      { class: 'thread' },
      this.#keys.before,
      this.#scroller,
      this.#keys.after,
      this.#jump,
    );
  }

  /** The reader's position, stored for the next load of the view. */
  get scrollState(): ScrollState {
    // The browser announces a scroll in its next frame, and the state may be wanted before.
    this.#keeper.noteUnheardScroll();
    this.#list.settle();
    const first = this.#list.keyAt(this.#list.visible[0]) ?? '';
    // Only a gap is visible above a question that is kept at the top. The heights above may change
    // with a reload.
    const messageId = this.#keeper.isQuestionKept ? (this.#askedId ?? first) : first;
    const shown = this.#list.builtElement(messageId);
    return {
      threadId: this.#thread.id,
      messageId,
      offset: shown ? Math.round(this.#topOf(shown)) : 0,
      isFollowing: this.#keeper.isFollowing,
      ...(this.#askedId === undefined ? {} : { askedId: this.#askedId }),
    };
  }

  /** Scrolls to the end and follows it. */
  follow(): void {
    this.#keeper.follow();
    this.#settle();
  }

  /**
   * Draws the thread and lays it out. When this returns, the whole cost of the frame has been paid.
   */
  update(thread: ThreadView, isReplyRunning: boolean): void {
    const before = this.#thread;
    const wasReplyRunning = this.#isReplyRunning;
    this.#thread = thread;
    if (isReplyRunning !== this.#isReplyRunning) {
      this.#isReplyRunning = isReplyRunning;
      for (const view of this.#views.values()) view.setReplyRunning(isReplyRunning);
    }
    if (thread.messages === before.messages && thread.id === before.id) return;
    const isOtherThread = thread.id !== before.id;
    const changed = thread.messages.filter((message, index) => message !== before.messages[index]);
    const isSameList =
      thread.messages.length === before.messages.length &&
      changed.every(({ id }) => this.#byId.has(id));
    const isBegun = isReplyRunning && !wasReplyRunning;
    const askedId = askedNow(thread, isOtherThread ? undefined : this.#byId, isBegun);
    if (!isOtherThread && isSameList) {
      this.#updateMessages(changed);
      if (askedId === undefined) this.#keepPlace();
      else this.#ask(askedId);
      return;
    }
    const read = isOtherThread ? undefined : this.#whatIsRead(thread);
    this.#updateList(thread, isOtherThread);
    if (isOtherThread || !this.#byId.has(this.#askedId ?? '')) this.#setAsked(undefined);
    this.#keeper.isActive = thread.messages.length > 0;
    // The empty state is read from its beginning.
    if (!this.#keeper.isActive) this.#scroller.scrollTop = 0;
    if (isOtherThread) this.#keeper.follow();
    if (askedId !== undefined) this.#ask(askedId);
    else if (read && !this.#keeper.isFollowing) this.#hold(read);
    else this.#settle();
  }

  /** Goes to a place in the thread and stays there, unless the place follows the end. */
  restore({ threadId, messageId, offset, isFollowing, askedId }: ScrollState): void {
    if (threadId !== this.#thread.id) return;
    if (askedId !== undefined && this.#byId.has(askedId)) this.#setAsked(askedId);
    if (isFollowing || !this.#byId.has(messageId)) return;
    this.#keeper.release();
    this.#hold({ messageId, offset });
    // The place may be at the end, which streaming text will move away from it.
    this.#keeper.release();
  }

  /** Moves a question to the top of the view. Its reply has room to grow below it. */
  #ask(questionId: string): void {
    this.#setAsked(questionId);
    this.#keeper.keepQuestion();
    this.#settle();
  }

  #setAsked(questionId: string | undefined): void {
    const before = this.#askedId;
    this.#askedId = questionId;
    if (before !== questionId) this.#list.builtElement(before ?? '')?.classList.remove('is-asked');
    if (questionId !== undefined) this.#list.build(questionId)?.classList.add('is-asked');
  }

  /** Returns the first visible message that the thread still has, with its position. */
  #whatIsRead({ messages }: ThreadView): ReadPlace | undefined {
    const kept = new Set(messages.map(({ id }) => id));
    const [first, last] = this.#list.visible;
    for (let index = first; index <= last; index++) {
      const messageId = this.#list.keyAt(index) ?? '';
      const built = this.#list.builtElement(messageId);
      if (built && kept.has(messageId)) return { messageId, offset: this.#topOf(built) };
    }
    return undefined;
  }

  /** Scrolls until the message is at its position, however high the others turn out. */
  #hold({ messageId, offset }: ReadPlace): void {
    this.#list.settle(() => {
      const built = this.#list.build(messageId);
      if (built) this.#scroller.scrollTop += this.#topOf(built) - offset;
    });
    this.#keeper.noteScroll();
  }

  /** Updates the list after messages came, went or moved, for example with another branch. */
  #updateList(thread: ThreadView, isOtherThread: boolean): void {
    const before = this.#byId;
    const focused = this.#focusedIndex();
    this.#byId = new Map(thread.messages.map((message) => [message.id, message]));
    this.#list.element.hidden = thread.messages.length === 0;
    this.#list.setKeys(thread.messages.map(({ id }) => id));
    this.#keys.refresh();
    for (const message of thread.messages) {
      const known = before.get(message.id);
      if (!isOtherThread && known !== message) this.#announce(known, message);
      if (known !== undefined && known !== message) this.#redraw(message);
    }
    this.#markBuilt();
    // If the focused message is removed, another message gets the focus. That of another thread is
    // not the next one.
    if (focused === undefined || document.activeElement !== document.body) return;
    if (isOtherThread) this.#listeners.onLeave();
    else this.#keys.focus(Math.min(focused, this.#list.count - 1));
  }

  #updateMessages(changed: readonly MessageView[]): void {
    for (const message of changed) {
      this.#announce(this.#byId.get(message.id), message);
      this.#byId.set(message.id, message);
      this.#redraw(message);
    }
  }

  #redraw(message: MessageView): void {
    const view = this.#views.get(message.id);
    if (view) this.#draw(view, message);
  }

  #draw(view: MessageElement, message: MessageView): void {
    const isLast = message === this.#thread.messages.at(-1);
    try {
      if (view instanceof ReplyElement && message.role === 'assistant') {
        view.update(message, isLast);
      } else if (view instanceof QuestionElement && message.role === 'user') view.update(message);
    } catch (error: unknown) {
      // An error in one message must not affect the others or the composer.
      this.#context.reportFailure(error);
    }
  }

  #build(id: string): HTMLElement {
    const message = this.#byId.get(id);
    const view =
      message?.role === 'user'
        ? new QuestionElement(this.#context, id)
        : new ReplyElement(this.#context, id);
    this.#views.set(id, view);
    const { strings } = this.#context;
    view.element.tabIndex = 0;
    view.element.classList.toggle('is-asked', id === this.#askedId);
    view.element.setAttribute(
      'aria-label',
      message?.role === 'user' ? strings.you : strings.assistant,
    );
    this.#mark(id, view.element);
    view.setReplyRunning(this.#isReplyRunning);
    if (message) this.#draw(view, message);
    return view.element;
  }

  #drop(id: string): void {
    const view = this.#views.get(id);
    if (view instanceof ReplyElement) view.dispose();
    this.#views.delete(id);
  }

  /** Draws all built replies again, because new messages change which one is the last. */
  #markBuilt(): void {
    for (const { key, element: built } of this.#list.built) {
      this.#mark(key, built);
      const message = this.#byId.get(key);
      const view = this.#views.get(key);
      if (message && view instanceof ReplyElement) this.#draw(view, message);
    }
  }

  /**
   * Sets the position of a message in the whole conversation, including messages that are not
   * built.
   */
  #mark(id: string, built: HTMLElement): void {
    setAttribute(built, 'aria-posinset', String(this.#list.indexOf(id) + 1));
    setAttribute(built, 'aria-setsize', String(this.#list.count));
  }

  #isKept(id: string, built: HTMLElement): boolean {
    const index = this.#list.indexOf(id);
    const focused = this.#focusedIndex();
    // The neighbors stay too, because Tab goes to them.
    if (focused !== undefined && Math.abs(focused - index) <= 1) return true;
    if (index === this.#list.count - 1 || id === this.#askedId) return true;
    if (built.querySelector(unsaved)) return true;
    const selection = getSelection();
    return (
      selection !== null && !selection.isCollapsed && selection.getRangeAt(0).intersectsNode(built)
    );
  }

  #focusedIndex(): number | undefined {
    const message = document.activeElement?.closest<HTMLElement>('.message');
    const index = message ? this.#list.indexOf(message.dataset['messageId'] ?? '') : -1;
    return index < 0 ? undefined : index;
  }

  #announce(before: MessageView | undefined, after: MessageView): void {
    if (after.role !== 'assistant') return;
    const old = before?.role === 'assistant' ? before : undefined;
    if (old?.status === after.status && old.offer === after.offer) return;
    const sentence = announcement(after, this.#context);
    if (sentence !== undefined) this.#listeners.onAnnounce(sentence);
  }

  #onScrolled(): void {
    this.#list.settle();
    this.#updateJump();
    this.#listeners.onScroll();
  }

  #settle(): void {
    this.#list.settle(() => this.#keeper.keep());
    this.#updateJump();
  }

  #keepPlace(): void {
    this.#keeper.keep();
    this.#updateJump();
  }

  #updateJump(): void {
    const { isAtEnd } = this.#keeper;
    // Setting an unchanged attribute would make the browser check styles in every frame.
    if (this.#jump.hidden !== isAtEnd) this.#jump.hidden = isAtEnd;
  }

  #createJump(): HTMLElement {
    const jump = createButton({
      label: this.#context.strings.jumpToLatest,
      icon: 'arrow-down',
      appearance: 'secondary',
      class: 'jump-to-latest',
      onClick: () => {
        this.follow();
        this.#keys.focus(this.#list.count - 1, 'bottom');
      },
    }).element;
    jump.hidden = true;
    return jump;
  }

  #sequence(): ConstructorParameters<typeof MessageKeys>[0] {
    const list = this.#list;
    const byId = (message: HTMLElement): number => list.indexOf(message.dataset['messageId'] ?? '');
    return {
      scroller: this.#scroller,
      get count() {
        return list.count;
      },
      get visible() {
        return list.visible;
      },
      indexOf: byId,
      reveal: (index, edge) => this.#reveal(index, edge),
      leave: () => this.#listeners.onLeave(),
    };
  }

  #reveal(index: number, edge: MessageEdge): HTMLElement | undefined {
    const key = this.#list.keyAt(index);
    if (key === undefined) return undefined;
    for (const near of [index - 1, index + 1]) this.#list.build(this.#list.keyAt(near) ?? '');
    const message = this.#list.build(key);
    if (edge === 'bottom' && index === this.#list.count - 1) {
      this.follow();
      return message;
    }
    this.#list.settle(() => {
      if (message) this.#scroller.scrollTop += this.#wayTo(message, edge);
    });
    this.#keeper.noteScroll();
    return message;
  }

  /** Returns the smallest scroll distance in pixels that brings the message into view. */
  #wayTo(message: HTMLElement, edge: MessageEdge): number {
    const { clientHeight } = this.#scroller;
    const { height } = message.getBoundingClientRect();
    const toTop = this.#topOf(message) - REVEAL_MARGIN_PX;
    const toBottom = toTop + height + 2 * REVEAL_MARGIN_PX - clientHeight;
    if (toBottom > toTop) return edge === 'top' ? toTop : toBottom;
    return toTop < 0 ? toTop : Math.max(0, toBottom);
  }

  /** Returns the distance in pixels from the view's upper edge. */
  #topOf(message: HTMLElement): number {
    return message.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }
}

/**
 * Returns the ID of the question that was just asked, or asked again, if there is one.
 * @param before messages of the same thread by ID, or undefined if another thread was shown.
 * @param isBegun whether a reply runs now and none ran before.
 */
function askedNow(
  { messages }: ThreadView,
  before: ReadonlyMap<string, MessageView> | undefined,
  isBegun: boolean,
): string | undefined {
  const question = messages.findLast(({ role }) => role === 'user');
  const last = messages.at(-1);
  if (!question || !last) return undefined;
  // A view that opens in the middle of a reply begins at its end, like any other thread.
  if (!before)
    return last.role === 'assistant' && last.status === 'waiting' ? question.id : undefined;
  // A question with several versions may be new because the reader chose another version.
  const isLatest = question === last || question.branch === undefined;
  const isNew = isLatest && !before.has(question.id);
  return isNew || isBegun ? question.id : undefined;
}

function announcement(reply: ReplyView, { strings }: ViewContext): string | undefined {
  if (reply.error) return visibleLine(reply.error.message);
  if (reply.status === 'complete') {
    return `${strings.complete} ${sourceSentence(reply, strings)}`.trim();
  }
  if (reply.status === 'streaming') return strings.replyStarted;
  if (reply.status === 'waiting') {
    if (!reply.offer) return undefined;
    const { text, choices } = reply.offer;
    return [text, choices.map(({ label }) => label).join(', ')].map(visibleLine).join(' ');
  }
  return statusSentence(reply.status, strings);
}
