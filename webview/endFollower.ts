/** Within so many pixels of its end, a reader who moves towards it is at the end. */
const END_SLACK_PX = 24;
/** Sizes are rounded, positions are not. */
const ROUNDING_PX = 1;

/**
 * Keeps a scroller at its end while the reader is there. Whatever moves the view upwards ends
 * that at once, even while text streams; coming back to the end resumes it.
 */
export class EndFollower {
  /** False while there is nothing to follow: the view stays where the reader has it. */
  isActive = true;
  readonly #scroller: HTMLElement;
  readonly #onChange: () => void;
  #isFollowing = true;
  #lastTop = 0;
  #lastTouch = 0;
  /** Where the end was when the reader set off downwards: text that streams moves it meanwhile. */
  #wantedEnd = Infinity;

  /** @param onChange the reader scrolled, or began or ended to follow. */
  constructor(scroller: HTMLElement, onChange: () => void) {
    this.#scroller = scroller;
    this.#onChange = onChange;
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

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Nothing worth a way to get there is below the view. */
  get isAtEnd(): boolean {
    return !this.isActive || this.#isFollowing || this.#fromEnd() <= END_SLACK_PX;
  }

  follow(): void {
    this.#isFollowing = true;
    this.toEnd();
  }

  release(): void {
    this.#wantedEnd = Infinity;
    if (!this.#isFollowing || !this.isActive) return;
    this.#isFollowing = false;
    this.#onChange();
  }

  toEnd(): void {
    if (!this.isActive) return;
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
    this.#lastTop = this.#scroller.scrollTop;
  }

  /** Reads where the reader is now. */
  noteScroll(): void {
    if (!this.isActive) return;
    const { scrollTop } = this.#scroller;
    const moved = scrollTop - this.#lastTop;
    const fromEnd = this.#fromEnd();
    // Text that grows moves the end away, and text that goes moves the view up to the end: only
    // the reader moves up and away from it.
    if (moved < 0 && fromEnd > ROUNDING_PX) this.#isFollowing = false;
    else if (moved > 0) {
      const wanted = Math.min(fromEnd, this.#wantedEnd - scrollTop);
      if (wanted <= END_SLACK_PX) this.#isFollowing = true;
    } else if (fromEnd <= ROUNDING_PX) this.#isFollowing = true;
    this.#lastTop = scrollTop;
    if (this.#isFollowing) this.#wantedEnd = Infinity;
    this.#onChange();
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

  #noteEnd(): void {
    if (this.#isFollowing) return;
    const { scrollHeight, clientHeight } = this.#scroller;
    this.#wantedEnd = scrollHeight - clientHeight;
  }

  /** Scrolling within something that can still scroll up itself does not move the conversation. */
  #releaseFrom(target: EventTarget | null): void {
    if (this.#scroller.scrollTop <= 0) return;
    let inner = target instanceof Element ? target : null;
    for (; inner && inner !== this.#scroller; inner = inner.parentElement) {
      if (inner.scrollTop > 0) return;
    }
    this.release();
  }
}
