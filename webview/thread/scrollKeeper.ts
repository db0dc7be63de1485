/**
 * Distance in pixels from the end within which a reader who moves down counts as being at the end.
 */
const END_SLACK_PX = 24;
/** Tolerance in pixels. The browser rounds sizes but not positions. */
const ROUNDING_PX = 1;
/**
 * Milliseconds for which an earlier position of the end counts. The browser scrolls by a layout that
 * is some frames older than the one that scripts see.
 */
const EARLIER_END_MS = 250;

interface ScrollKeeperSettings {
  /** The element that scrolls. */
  readonly scroller: HTMLElement;
  /** Everything in the scroller, except the room below the asked question. */
  readonly content: HTMLElement;
  /**
   * Returns the distance in pixels of the asked question from its place at the top, or undefined if
   * no question was asked.
   */
  questionOffset(): number | undefined;
  /** Handles a scroll of the reader, and the begin and the end of following. */
  onChange(): void;
}

/**
 * Keeps the conversation in one of three places: at its end, with the question that was just asked
 * at the top, or where the reader scrolled to.
 *
 * Scrolling to the end makes the view follow it. Any move upwards ends that at once, even while text
 * streams. Below a question that was just asked there can be room, so that the question can stand
 * at the top: a reply that grows into the room moves nothing.
 */
export class ScrollKeeper {
  /** False while there are no messages. The view then stays where the reader has it. */
  isActive = true;
  readonly #settings: ScrollKeeperSettings;
  readonly #scroller: HTMLElement;
  #kept: 'end' | 'question' | 'reader' = 'end';
  #lastTop = 0;
  #lastTouch = 0;
  /** Position of the end when the reader began to scroll down. Streaming text moves the end on. */
  #wantedEnd = Infinity;
  #end = 0;
  /** Earlier positions of the end, with the time when text moved it on. */
  #earlierEnds: { readonly end: number; readonly movedAt: number }[] = [];

  constructor(settings: ScrollKeeperSettings) {
    this.#settings = settings;
    const { scroller } = settings;
    this.#scroller = scroller;
    scroller.addEventListener('scroll', () => this.noteScroll());
    scroller.addEventListener('wheel', (event) => this.#onWheel(event), { passive: true });
    scroller.addEventListener(
      'touchstart',
      ({ touches }) => {
        this.#lastTouch = touches[0]?.clientY ?? 0;
      },
      { passive: true },
    );
    scroller.addEventListener(
      'touchmove',
      ({ touches, target }) => {
        const y = touches[0]?.clientY ?? 0;
        if (y > this.#lastTouch) this.#releaseFrom(target);
        this.#lastTouch = y;
      },
      { passive: true },
    );
    scroller.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /** Whether the view follows the end of the conversation. */
  get isFollowing(): boolean {
    return this.#kept === 'end';
  }

  /** Whether the asked question stays at the top of the view. */
  get isQuestionKept(): boolean {
    return this.#kept === 'question';
  }

  /** Whether the end of the last message is in view, or will be as soon as the view is drawn. */
  get isAtEnd(): boolean {
    if (!this.isActive || this.isFollowing) return true;
    const { scrollTop, clientHeight } = this.#scroller;
    return this.#settings.content.offsetHeight - scrollTop - clientHeight <= END_SLACK_PX;
  }

  /** Scrolls to the end, and follows it unless all of the reply is in view below its question. */
  follow(): void {
    this.#kept = this.#hasRoom() ? 'question' : 'end';
    this.keep();
  }

  /** Moves the asked question to the top and keeps it there until the reader scrolls. */
  keepQuestion(): void {
    this.#kept = 'question';
    this.#wantedEnd = Infinity;
    this.keep();
  }

  /** Leaves the view where the reader has it. */
  release(): void {
    this.#wantedEnd = Infinity;
    const kept = this.#isQuestionInPlace() ? 'question' : 'reader';
    if (this.#kept === kept || !this.isActive) return;
    this.#kept = kept;
    this.#settings.onChange();
  }

  /** Scrolls to what is kept in its place. Call it after anything that changes heights. */
  keep(): void {
    if (!this.isActive) return;
    this.#rememberEnd();
    if (this.#kept === 'end') this.#scroller.scrollTop = this.#scroller.scrollHeight;
    else if (this.#kept === 'question' && !this.#isQuestionInPlace()) {
      this.#scroller.scrollTop += this.#settings.questionOffset() ?? 0;
    }
    this.#lastTop = this.#scroller.scrollTop;
  }

  /**
   * Takes a scroll of the reader into account whose event has not come yet. Call it before the document
   * changes: afterwards, {@link keep} would undo the scroll, and a change of heights would look like one.
   */
  noteUnheardScroll(): void {
    if (!this.isActive || this.#kept === 'reader') return;
    const moved = this.#scroller.scrollTop - this.#lastTop;
    if (moved >= -ROUNDING_PX) return;
    const offset = this.#settings.questionOffset() ?? 0;
    const isReader =
      this.#kept === 'end'
        ? this.#fromEnd() > ROUNDING_PX
        : Math.abs(offset + moved) <= ROUNDING_PX;
    if (isReader) this.noteScroll();
  }

  /** Finds out from the scroll position whether the reader left the kept place or came to the end. */
  noteScroll(): void {
    if (!this.isActive) return;
    const { scrollTop } = this.#scroller;
    const moved = scrollTop - this.#lastTop;
    this.#lastTop = scrollTop;
    // Scroll anchoring also changes the position when heights above the question change.
    const isKept = this.#kept === 'question' && this.#isQuestionInPlace();
    if (!isKept) this.#kept = this.#placeAfter(moved);
    if (this.isFollowing) this.#wantedEnd = Infinity;
    this.#settings.onChange();
  }

  #placeAfter(moved: number): 'end' | 'question' | 'reader' {
    const fromEnd = this.#fromEnd();
    // New text moves the end away, and removed text moves the view up to the end. Only the reader
    // moves up and away from the end.
    if (moved < 0 && fromEnd > ROUNDING_PX) return 'reader';
    const wanted = Math.min(fromEnd, this.#wantedEnd - this.#scroller.scrollTop);
    const isAtEnd = moved > 0 ? wanted <= END_SLACK_PX : fromEnd <= ROUNDING_PX;
    if (isAtEnd) return this.#hasRoom() ? 'question' : 'end';
    return this.#kept === 'question' ? 'reader' : this.#kept;
  }

  #isQuestionInPlace(): boolean {
    const offset = this.#settings.questionOffset();
    return offset !== undefined && Math.abs(offset) <= ROUNDING_PX;
  }

  /** Returns whether the reply does not yet fill the view below its question. */
  #hasRoom(): boolean {
    const offset = this.#settings.questionOffset();
    const { scrollTop, clientHeight } = this.#scroller;
    const roomEnd = scrollTop + (offset ?? -Infinity) + clientHeight;
    return roomEnd > this.#settings.content.offsetHeight + ROUNDING_PX;
  }

  #fromEnd(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller;
    return scrollHeight - scrollTop - clientHeight;
  }

  #onWheel({ deltaY, ctrlKey, target }: WheelEvent): void {
    if (ctrlKey) return;
    if (deltaY < 0) this.#releaseFrom(target);
    else if (deltaY > 0) this.#noteEnd();
  }

  #onKey({ key, shiftKey, target }: KeyboardEvent): void {
    if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) return;
    const isUpwards = ['ArrowUp', 'PageUp', 'Home'].includes(key) || (key === ' ' && shiftKey);
    if (isUpwards) this.#releaseFrom(target);
    else if (['ArrowDown', 'PageDown', 'End', ' '].includes(key)) this.#noteEnd();
  }

  #rememberEnd(): void {
    const { scrollHeight, clientHeight } = this.#scroller;
    const end = scrollHeight - clientHeight;
    if (end === this.#end) return;
    const now = performance.now();
    const recent = this.#earlierEnds.filter(({ movedAt }) => now - movedAt <= EARLIER_END_MS);
    // Streamed text moves the end a little. A larger move shows another thread.
    const isStreamed = Math.abs(end - this.#end) <= clientHeight;
    this.#earlierEnds = isStreamed ? [...recent, { end: this.#end, movedAt: now }] : [];
    this.#end = end;
  }

  /**
   * Remembers where the end is, for a reader who begins to scroll toward it while text streams.
   * The browser may have scrolled already, up to where the end was some frames ago.
   */
  #noteEnd(): void {
    if (this.isFollowing) return;
    this.#rememberEnd();
    const since = performance.now() - EARLIER_END_MS;
    const recent = this.#earlierEnds.filter(({ movedAt }) => movedAt >= since);
    this.#wantedEnd = Math.min(this.#end, ...recent.map(({ end }) => end));
  }

  /** Stops keeping the place, unless an inner element such as code can scroll up itself. */
  #releaseFrom(target: EventTarget | null): void {
    if (this.#scroller.scrollTop <= 0) return;
    let inner = target instanceof Element ? target : null;
    for (; inner && inner !== this.#scroller; inner = inner.parentElement) {
      if (inner.scrollTop > 0) return;
    }
    this.#wantedEnd = Infinity;
    if (!this.isActive || this.#kept === 'reader') return;
    this.#kept = 'reader';
    this.#settings.onChange();
  }
}
