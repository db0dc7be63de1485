/** Finds a text in the conversation. Loaded when somebody first looks for one. */
import type { ThreadView } from '../src/shared/uiMessage';
import { FindBar } from './findBar';
import type { FindStep } from './findKeys';
import { FindMarks } from './findMarks';
import { FindReveal } from './findReveal';
import { findPattern, ThreadSearch, type FoundPlace } from './findSearch';
import type { OpenParts } from './findText';
import { writeInFrame } from './frames';
import type { ThreadElement } from './threadView';
import type { ViewContext } from './viewContext';
import type { ScrollState } from './viewState';

/** A pause in typing after which the search runs. */
const TYPING_PAUSE_MS = 100;
/** What streams is searched so often at most. */
const STREAM_PAUSE_MS = 400;
/** What is found sooner needs no word about its being looked for. */
const SEARCHING_DELAY_MS = 400;
/** A count that has not changed for so long is said. */
const REST_MS = 1_500;
/** Characters that are said on either side of where a match begins. */
const EXCERPT_LENGTH = 60;

export class FindInThread {
  readonly #context: ViewContext;
  readonly #threadElement: ThreadElement;
  readonly #focusComposer: () => void;
  readonly #scroller: HTMLElement;
  readonly #bar: FindBar;
  readonly #marks: FindMarks;
  readonly #reveal: FindReveal;
  readonly #search: ThreadSearch;
  #thread: ThreadView = { id: '', title: '', messages: [] };
  #openParts = new Map<string, boolean[]>();
  #isOpen = false;
  #current: FoundPlace | undefined;
  #marked: StaticRange | undefined;
  /** Where the search begins: undefined for what is in view. */
  #from: FoundPlace | undefined;
  /** What the field says was not looked for yet. */
  #isTyping = false;
  /** It is being looked for, and the reader is to be shown what is found first. */
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
    this.#search = new ThreadSearch({
      openParts: (id): OpenParts => this.#openParts.get(id) ?? [],
      onProgress: (isDone) => this.#onProgress(isDone),
    });
    // It does not bubble.
    scroller.addEventListener('toggle', () => this.#onChange(), true);
  }

  /** The thread as it is now; costs next to nothing, however long it is. */
  update(thread: ThreadView): void {
    const before = this.#thread;
    this.#thread = thread;
    if (thread.id !== before.id) this.#current = this.#from = this.#marked = undefined;
    if (thread.messages !== before.messages) this.#onChange();
  }

  /** Opens the bar. Where it is open, 0 leads to it, and others from match to match. */
  show(by: FindStep, thread: ThreadView): void {
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
    // What is read stays where it is.
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
      // The message has gone since, as it is far from the view, and comes back for the focus.
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

  /** What is selected of the messages. */
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

  /** Messages came, went, grew or were unfolded. */
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

  /** What is nearest, below where the reader is or where the last match was. */
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
    // What is typed comes first.
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

  /** Text that came may have moved what is shown, or taken it away. */
  #keepCurrent(): void {
    if (this.#current && this.#search.indexOf(this.#current) < 0) {
      this.#current = this.#marked = undefined;
      this.#marks.showCurrent(undefined);
    }
  }

  /** The nodes that held it may be others by now. */
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

/** By message, which of its folded parts are open. */
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
