import type { MessageView, ReplyStatus, ReplyView, ThreadView } from '../src/shared/uiMessage';
import { element, setAttribute, visibleText } from './dom';
import { EndFollower } from './endFollower';
import { estimatedHeight } from './messageHeight';
import { MessageKeys, type MessageEdge } from './messageKeys';
import { QuestionElement } from './questionView';
import { statusSentence } from './replyFooter';
import { ReplyElement } from './replyView';
import { createButton } from './toolkit';
import type { ViewContext } from './viewContext';
import type { ScrollState } from './viewState';
import { VirtualList } from './virtualList';

type MessageElement = QuestionElement | ReplyElement;

interface ThreadListeners {
  /** A single event for screen readers. */
  onAnnounce(text: string): void;
  onScroll(): void;
  /** The keyboard leaves the conversation for the question box. */
  onLeave(): void;
}

/** A message, and the pixels from the view's upper edge to its own. */
type ReadPlace = Pick<ScrollState, 'messageId' | 'offset'>;

/** A message that is brought into view keeps so far from the view's edges. */
const REVEAL_MARGIN_PX = 8;
/** What a message holds that would be lost with its element. */
const unsaved = 'textarea, input, details[open]';

/**
 * The conversation. It follows its end while the reader is there, and stays where the reader is
 * otherwise; messages that are far from the view are not built.
 */
export class ThreadElement {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #listeners: ThreadListeners;
  readonly #scroller: HTMLElement;
  readonly #jump: HTMLElement;
  readonly #list: VirtualList;
  readonly #follower: EndFollower;
  readonly #keys: MessageKeys;
  readonly #views = new Map<string, MessageElement>();
  #thread: ThreadView = { id: '', title: '', messages: [] };
  #byId = new Map<string, MessageView>();
  #isReplyRunning = false;

  /** @param empty stands in for the messages while there are none. */
  constructor(context: ViewContext, empty: HTMLElement, listeners: ThreadListeners) {
    this.#context = context;
    this.#listeners = listeners;
    this.#scroller = element('div', {
      class: 'thread-scroller',
      attributes: {
        role: 'log',
        // Replies arrive letter by letter; the announcer says what is finished.
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
      () => this.#onResized(),
    );
    this.#scroller.append(element('div', { class: 'thread-content' }, empty, this.#list.element));
    this.#follower = new EndFollower(this.#scroller, () => this.#onScrolled());
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

  /** Where the reader is, for the next load of the view. */
  get scrollState(): ScrollState {
    const [first] = this.#list.visible;
    const messageId = this.#list.keyAt(first);
    const shown = messageId === undefined ? undefined : this.#list.builtElement(messageId);
    return {
      threadId: this.#thread.id,
      messageId: messageId ?? '',
      offset: shown ? Math.round(this.#topOf(shown)) : 0,
      isFollowing: this.#follower.isFollowing,
    };
  }

  /** Goes to the end and stays there. */
  follow(): void {
    this.#follower.follow();
    this.#settle();
  }

  /** @returns whether there is a message to have the focus. */
  focusLast(): boolean {
    return this.#keys.focus(this.#list.count - 1, 'bottom');
  }

  /** Draws and lays out: when this returns, the whole cost of the frame has been paid. */
  update(thread: ThreadView, isReplyRunning: boolean): void {
    const before = this.#thread;
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
    if (!isOtherThread && isSameList) {
      this.#updateMessages(changed, before);
      this.#keepEnd();
      return;
    }
    const read = isOtherThread ? undefined : this.#whatIsRead(thread);
    this.#updateList(thread, isOtherThread);
    this.#follower.isActive = thread.messages.length > 0;
    // What stands in for the messages is read from its beginning.
    if (!this.#follower.isActive) this.#scroller.scrollTop = 0;
    if (isOtherThread) this.#follower.follow();
    if (read && !this.#follower.isFollowing) this.#hold(read);
    else this.#settle();
  }

  /** Goes to a place in the thread and stays there, unless that was to follow its end. */
  restore({ threadId, messageId, offset, isFollowing }: ScrollState): void {
    if (threadId !== this.#thread.id || isFollowing || !this.#byId.has(messageId)) return;
    this.#follower.release();
    this.#hold({ messageId, offset });
    // The place may be at the end, which what streams moves away from it.
    this.#follower.release();
  }

  /** The first message in view that the thread still has, and where it is. */
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

  /** Scrolls to where the message is at its place, however high all others turn out. */
  #hold({ messageId, offset }: ReadPlace): void {
    this.#list.settle(() => {
      const built = this.#list.build(messageId);
      if (built) this.#scroller.scrollTop += this.#topOf(built) - offset;
    });
    this.#follower.noteScroll();
  }

  /** Messages came, went or changed places, as with another thread or another branch of it. */
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
    // The focus does not fall out of the conversation with a message that goes.
    if (focused !== undefined && document.activeElement === document.body && !isOtherThread) {
      this.#keys.focus(Math.min(focused, this.#list.count - 1));
    }
  }

  #updateMessages(changed: readonly MessageView[], before: ThreadView): void {
    for (const message of changed) {
      this.#announce(this.#byId.get(message.id), message);
      this.#byId.set(message.id, message);
      this.#redraw(message);
    }
    const last = this.#thread.messages.at(-1);
    if (before.messages.at(-1)?.id !== last?.id) this.#markBuilt();
  }

  #redraw(message: MessageView): void {
    const view = this.#views.get(message.id);
    if (view) this.#draw(view, message);
    else this.#list.reestimate(message.id);
  }

  #draw(view: MessageElement, message: MessageView): void {
    const isLast = message === this.#thread.messages.at(-1);
    try {
      if (view instanceof ReplyElement && message.role === 'assistant') {
        view.update(message, isLast);
      } else if (view instanceof QuestionElement && message.role === 'user') view.update(message);
    } catch (error: unknown) {
      // One message that cannot be drawn takes neither the others nor the composer with it.
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

  /** What came after a message may make it one that is no longer the last. */
  #markBuilt(): void {
    for (const { key, element: built } of this.#list.built) {
      this.#mark(key, built);
      const message = this.#byId.get(key);
      const view = this.#views.get(key);
      if (message && view instanceof ReplyElement) this.#draw(view, message);
    }
  }

  /** Of how many messages this is which: those that are not built are counted too. */
  #mark(id: string, built: HTMLElement): void {
    setAttribute(built, 'aria-posinset', String(this.#list.indexOf(id) + 1));
    setAttribute(built, 'aria-setsize', String(this.#list.count));
  }

  #isKept(id: string, built: HTMLElement): boolean {
    const index = this.#list.indexOf(id);
    const focused = this.#focusedIndex();
    // Its neighbours too: Tab goes on from it.
    if (focused !== undefined && Math.abs(focused - index) <= 1) return true;
    if (index === this.#list.count - 1 || built.querySelector(unsaved)) return true;
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
    const old: ReplyStatus | undefined = before?.role === 'assistant' ? before.status : undefined;
    if (old === after.status) return;
    const sentence = announcement(after, this.#context);
    if (sentence !== undefined) this.#listeners.onAnnounce(sentence);
  }

  #onScrolled(): void {
    this.#list.settle();
    this.#updateJump();
    this.#listeners.onScroll();
  }

  #onResized(): void {
    this.#keepEnd();
  }

  #settle(): void {
    this.#list.settle(() => {
      if (this.#follower.isFollowing) this.#follower.toEnd();
    });
    this.#updateJump();
  }

  #keepEnd(): void {
    if (this.#follower.isFollowing) this.#follower.toEnd();
    this.#updateJump();
  }

  #updateJump(): void {
    const { isAtEnd } = this.#follower;
    // Setting what is set already has the browser look at its style again, at every frame.
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
        this.focusLast();
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
    this.#follower.noteScroll();
    return message;
  }

  /** Pixels to scroll until the message is in view: the least, as it may be there already. */
  #wayTo(message: HTMLElement, edge: MessageEdge): number {
    const { clientHeight } = this.#scroller;
    const { height } = message.getBoundingClientRect();
    const toTop = this.#topOf(message) - REVEAL_MARGIN_PX;
    const toBottom = toTop + height + 2 * REVEAL_MARGIN_PX - clientHeight;
    if (toBottom > toTop) return edge === 'top' ? toTop : toBottom;
    return toTop < 0 ? toTop : Math.max(0, toBottom);
  }

  /** Pixels from the view's upper edge. */
  #topOf(message: HTMLElement): number {
    return message.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }
}

function announcement(reply: ReplyView, { strings }: ViewContext): string | undefined {
  if (reply.error) return visibleText(reply.error.message);
  if (reply.status === 'complete') return strings.complete;
  if (reply.status === 'streaming') return strings.replyStarted;
  if (reply.status === 'waiting') return undefined;
  return statusSentence(reply.status, strings);
}
