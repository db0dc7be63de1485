/** Finds text in the conversation. Loaded when somebody first searches. */
import type { ThreadView } from '../../src/shared/uiMessage';
import { writeInFrame } from '../frames';
import type { ThreadElement } from '../thread/threadView';
import type { ViewContext } from '../viewActions';
import type { ScrollState } from '../viewState';
import { FindBar } from './findBar';
import { FindMarks, FindReveal } from './findMarks';
import { findPattern, FindSearch, type FoundPlace } from './findSearch';
import type { OpenParts } from './findText';

/** Pause in typing after which the search starts. */
const TYPING_PAUSE_MS = 100;
/** Shortest time between two searches while text streams. */
const STREAM_PAUSE_MS = 400;
/** Time after which the bar says that the search is running. */
const SEARCHING_DELAY_MS = 400;
/** Time without a change after which the count is announced. */
const REST_MS = 1_500;
/** Number of characters announced on each side of the start of a match. */
const EXCERPT_LENGTH = 60;

export class FindInThread {
  readonly #context: ViewContext;
  readonly #threadElement: ThreadElement;
  readonly #focusComposer: () => void;
  readonly #scroller: HTMLElement;
  readonly #bar: FindBar;
  readonly #marks: FindMarks;
  readonly #reveal: FindReveal;
  readonly #search: FindSearch;
  #thread: ThreadView = { id: '', title: '', messages: [] };
  #openParts = new Map<string, boolean[]>();
  #isOpen = false;
  #current: FoundPlace | undefined;
  #marked: StaticRange | undefined;
  /** Position at which the search starts, or undefined for the text in view. */
  #from: FoundPlace | undefined;
  /** Whether the text in the field has not been searched for yet. */
  #isTyping = false;
  /** Whether the search should show the first match when there is one. */
  #isAwaited = false;
  #isRunning = false;
  #before: { readonly focused: Element | null; readonly messageId: string | undefined } | undefined;
  #pause: ReturnType<typeof setTimeout> | undefined;
  #slow: ReturnType<typeof setTimeout> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;

  /** @param focusComposer takes the focus if nothing else can. */
  constructor(context: ViewContext, thread: ThreadElement, focusComposer: () => void) {
    this.#context = context;
    this.#threadElement = thread;
    this.#focusComposer = focusComposer;
    const { element } = thread;
    const scroller = element.querySelector<HTMLElement>('.thread-scroller') ?? element;
    this.#scroller = scroller;
    this.#bar = new FindBar({
      strings: context.strings,
      onQuery: () => this.#onQuery(),
      onStep: (by) => this.#step(by),
      onClose: () => this.#close(),
    });
    this.#marks = new FindMarks(scroller, () => this.#markCurrent());
    this.#reveal = new FindReveal(thread, scroller, this.#marks);
    this.#search = new FindSearch({
      openParts: (id): OpenParts => this.#openParts.get(id) ?? [],
      onProgress: (isDone) => this.#onProgress(isDone),
    });
    // The event doesn't bubble, so the listener must capture it.
    scroller.addEventListener('toggle', () => this.#onChange(), true);
  }

  /** Takes the current thread. It costs next to nothing, however long the thread is. */
  update(thread: ThreadView): void {
    const before = this.#thread;
    this.#thread = thread;
    if (thread.id !== before.id) this.#current = this.#from = this.#marked = undefined;
    if (thread.messages !== before.messages) this.#onChange();
  }

  /** Opens the bar. If it is open, 0 focuses it, and 1 and -1 go from match to match. */
  show(by: 1 | -1 | 0, thread: ThreadView): void {
    this.update(thread);
    if (!this.#isOpen) {
      this.#open();
      if (by !== 0) this.#onQuery();
    } else if (by === 0) this.#focus();
    else this.#step(by);
  }

  #open(): void {
    const thread = this.#threadElement;
    const { isFollowing } = thread.scrollState;
    const focused = document.activeElement;
    const message = focused?.closest<HTMLElement>('.message');
    this.#before = { focused, messageId: message?.dataset['messageId'] };
    this.#isOpen = true;
    this.#current = this.#from = undefined;
    const selected = this.#selected();
    thread.element.prepend(this.#bar.element);
    // The text that the reader looks at must not move.
    if (!isFollowing) this.#scroller.scrollTop += this.#bar.element.offsetHeight;
    this.#marks.start();
    this.#bar.focus(selected);
    this.#isTyping = selected !== '';
    this.#run();
  }

  #close(): void {
    const thread = this.#threadElement;
    const { isFollowing } = thread.scrollState;
    const { offsetHeight } = this.#bar.element;
    this.#isOpen = this.#isTyping = this.#isAwaited = this.#isRunning = false;
    for (const timer of [this.#pause, this.#slow, this.#rest]) clearTimeout(timer);
    this.#pause = undefined;
    this.#search.stop();
    this.#reveal.stop();
    this.#marks.stop();
    this.#marked = undefined;
    this.#bar.element.remove();
    if (!isFollowing) this.#scroller.scrollTop -= offsetHeight;
    this.#giveFocusBack(thread.scrollState);
  }

  #giveFocusBack(place: ScrollState): void {
    const { focused, messageId } = this.#before ?? {};
    this.#before = undefined;
    if (focused instanceof HTMLElement && focused !== document.body) {
      focused.focus({ preventScroll: true });
    }
    if (messageId !== undefined && document.activeElement === document.body) {
      const thread = this.#threadElement;
      // The message is too far from the view and was removed. It must come back to get the focus.
      thread.restore({ ...place, messageId, offset: 0, isFollowing: false });
      const message = this.#reveal.built(messageId);
      if (message instanceof HTMLElement) message.focus({ preventScroll: true });
      if (place.isFollowing) thread.follow();
      else thread.restore(place);
    }
    if (document.activeElement === document.body) this.#focusComposer();
  }

  #focus(): void {
    const before = this.#bar.query.text;
    this.#bar.focus(this.#selected());
    if (this.#bar.query.text !== before) this.#onQuery();
  }

  /** Returns the text that is selected in the messages. */
  #selected(): string {
    const selection = getSelection();
    if (!selection || selection.isCollapsed) return '';
    const isHere = this.#scroller.contains(selection.getRangeAt(0).commonAncestorContainer);
    return isHere ? selection.toString() : '';
  }

  #onQuery(): void {
    this.#isTyping = true;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#run(), TYPING_PAUSE_MS);
  }

  /** Searches again after messages came, went, changed or were unfolded. */
  #onChange(): void {
    if (!this.#isOpen || this.#bar.query.text === '') return;
    this.#pause ??= setTimeout(() => this.#run(), STREAM_PAUSE_MS);
  }

  #run(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#isAwaited ||= this.#isTyping;
    this.#isTyping = false;
    const { query } = this.#bar;
    this.#marks.setPattern(findPattern(query));
    if (query.text === '') {
      this.#search.stop();
      this.#current = this.#from = this.#marked = undefined;
      this.#isAwaited = this.#isRunning = false;
      this.#requestDraw();
      return;
    }
    this.#openParts = openParts(this.#scroller);
    const from = this.#from?.messageId ?? this.#threadElement.scrollState.messageId;
    if (!this.#isRunning) {
      clearTimeout(this.#slow);
      this.#slow = setTimeout(() => this.#requestDraw(), SEARCHING_DELAY_MS);
    }
    this.#isRunning = true;
    this.#search.run(this.#thread.messages, query, from);
  }

  #onProgress(isDone: boolean): void {
    if (!this.#isOpen) return;
    if (isDone) {
      this.#isRunning = false;
      clearTimeout(this.#slow);
    }
    if (isDone || this.#isAwaited) this.#requestDraw();
  }

  #requestDraw(): void {
    writeInFrame(this.#draw);
  }

  readonly #draw = (): void => {
    if (!this.#isOpen || this.#isTyping) return;
    if (this.#isAwaited) this.#showFirst();
    else if (this.#current && !this.#isRunning) this.#keepCurrent();
    if (this.#isRunning) this.#bar.showText(this.#context.strings.mentionSearching);
    else this.#showCount();
  };

  /** Shows the nearest match below the reader's position or the last match. */
  #showFirst(): void {
    const from = this.#from ?? this.#inView();
    const place = this.#search.firstFrom(from.messageId, from.start);
    const isBelow = place && this.#isBelow(place, from);
    if (!isBelow && this.#isRunning) return;
    this.#isAwaited = false;
    if (place) this.#goTo(place);
    else {
      this.#current = this.#marked = undefined;
      this.#marks.showCurrent(undefined);
      this.#say();
    }
  }

  #isBelow(place: FoundPlace, from: Omit<FoundPlace, 'ordinal'>): boolean {
    if (place.messageId === from.messageId) return place.start >= from.start;
    const order = this.#thread.messages.map(({ id }) => id);
    return order.indexOf(place.messageId) > order.indexOf(from.messageId);
  }

  #inView(): Omit<FoundPlace, 'ordinal'> {
    const { messageId } = this.#threadElement.scrollState;
    const starts = this.#search.startsIn(messageId);
    const first = starts.length === 0 ? 0 : this.#reveal.firstInView(messageId);
    return { messageId, start: starts[first] ?? Infinity };
  }

  #step(by: 1 | -1): void {
    // The text in the field has to be searched for first.
    if (this.#isTyping) this.#run();
    if (this.#isAwaited) return;
    const at = this.#current ? this.#search.indexOf(this.#current) : -1;
    if (at < 0) {
      this.#stepFromView(by);
      return;
    }
    const place = this.#search.at(at + by);
    if (place) this.#goTo(place);
    else this.#say();
    this.#showCount();
  }

  #stepFromView(by: 1 | -1): void {
    const { messageId, start } = this.#inView();
    const first = this.#search.firstFrom(messageId, start);
    const place = first && by < 0 ? this.#search.at(this.#search.indexOf(first) - 1) : first;
    if (place) this.#goTo(place);
    else this.#say();
    this.#showCount();
  }

  #goTo(place: FoundPlace): void {
    this.#current = this.#from = place;
    this.#reveal.show(place);
    this.#marked = this.#reveal.rangeOf(place);
    this.#showCount();
    this.#say();
  }

  /** Forgets the shown match if new text took it away. */
  #keepCurrent(): void {
    if (this.#current && this.#search.indexOf(this.#current) < 0) {
      this.#current = this.#marked = undefined;
      this.#marks.showCurrent(undefined);
    }
  }

  /** Marks the shown match again, because its nodes may have been replaced. */
  #markCurrent(): void {
    if (!this.#current) return;
    const range = this.#reveal.rangeOf(this.#current);
    if (range === this.#marked) return;
    this.#marked = range;
    this.#marks.showCurrent(range);
  }

  #showCount(): void {
    const index = this.#current ? this.#search.indexOf(this.#current) : -1;
    this.#bar.show({ index: index < 0 ? undefined : index, count: this.#search.count });
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.#say(), REST_MS);
  }

  #say(): void {
    const place = this.#current;
    this.#bar.say(place ? this.#search.excerpt(place, EXCERPT_LENGTH) : '');
  }
}

/** Returns by message ID which foldable parts are open. */
function openParts(scroller: Element): Map<string, boolean[]> {
  const open = new Map<string, boolean[]>();
  for (const { parentElement } of scroller.querySelectorAll('details.reasoning[open]')) {
    const id = parentElement?.closest<HTMLElement>('.message')?.dataset['messageId'] ?? '';
    const parts = parentElement?.querySelectorAll<HTMLDetailsElement>(':scope > .reasoning') ?? [];
    open.set(
      id,
      Array.from(parts, (part) => part.open),
    );
  }
  return open;
}
