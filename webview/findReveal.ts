/** Brings a match into view, wherever in the thread it is. */
import type { FindMarks } from './findMarks';
import type { FoundPlace } from './findSearch';
import type { ThreadElement } from './threadView';

/** A match that is nearer to an edge of the view is brought to its middle. */
const EDGE_PX = 24;
/** What is skipped while it is out of sight has its true height only once it is in view. */
const MAX_CORRECTIONS = 6;

export class FindReveal {
  readonly #thread: ThreadElement;
  readonly #scroller: Element;
  readonly #marks: FindMarks;
  #frame: number | undefined;

  constructor(thread: ThreadElement, scroller: Element, marks: FindMarks) {
    this.#thread = thread;
    this.#scroller = scroller;
    this.#marks = marks;
  }

  /** Undefined for a message that is not built. */
  built(messageId: string): Element | undefined {
    const name = CSS.escape(messageId);
    return this.#scroller.querySelector(`.message[data-message-id="${name}"]`) ?? undefined;
  }

  /** @returns what of the match is marked: undefined where it cannot be told apart. */
  rangeOf({ messageId, ordinal }: FoundPlace): StaticRange | undefined {
    const message = this.built(messageId);
    return message && this.#marks.rangesOf(message)[ordinal];
  }

  /** Builds the message, and goes to the match in it. */
  show(place: FoundPlace): void {
    this.stop();
    const { messageId } = place;
    if (!this.built(messageId)) this.#hold(messageId, EDGE_PX);
    this.#correct(place, MAX_CORRECTIONS);
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  /** The first of these matches of a message that does not end above the view. */
  firstInView(messageId: string): number {
    const message = this.built(messageId);
    const ranges = message ? this.#marks.rangesOf(message) : [];
    const { top } = this.#scroller.getBoundingClientRect();
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = ranges[middle];
      if (range && boxOf(range).bottom <= top) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #correct(place: FoundPlace, left: number): void {
    this.#frame = undefined;
    const message = this.built(place.messageId);
    const range = this.rangeOf(place);
    this.#marks.showCurrent(range);
    if (!message) return;
    if (range) scrollWithin(range, message);
    const view = this.#scroller.getBoundingClientRect();
    const box = range ? boxOf(range) : message.getBoundingClientRect();
    const isInView = box.top >= view.top + EDGE_PX && box.bottom <= view.bottom - EDGE_PX;
    if (isInView && left < MAX_CORRECTIONS) return;
    const middle = Math.max(EDGE_PX, (view.height - box.height) / 2);
    const wanted = isInView ? box.top : view.top + middle;
    const { top } = message.getBoundingClientRect();
    this.#hold(place.messageId, top - view.top + wanted - box.top);
    if (left === 0) return;
    this.#frame = requestAnimationFrame(() => this.#correct(place, left - 1));
  }

  #hold(messageId: string, offset: number): void {
    const { threadId } = this.#thread.scrollState;
    this.#thread.restore({ threadId, messageId, offset, isFollowing: false });
  }
}

function boxOf({ startContainer, startOffset, endContainer, endOffset }: StaticRange): DOMRect {
  const range = new Range();
  range.setStart(startContainer, startOffset);
  range.setEnd(endContainer, endOffset);
  const box = range.getBoundingClientRect();
  if (box.height > 0) return box;
  return startContainer.parentElement?.getBoundingClientRect() ?? box;
}

/** Within what scrolls by itself, such as code that is wider than the view. */
function scrollWithin(range: StaticRange, message: Element): void {
  let around = range.startContainer.parentElement;
  for (; around && around !== message; around = around.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(around).overflow)) continue;
    const view = around.getBoundingClientRect();
    const box = boxOf(range);
    const way = (start: number, end: number, from: number, to: number): number =>
      end > to ? Math.min(end - to + EDGE_PX, start - from) : Math.min(0, start - from - EDGE_PX);
    if (box.left < view.left || box.right > view.right) {
      around.scrollLeft += way(box.left, box.right, view.left, view.right);
    }
    if (box.top < view.top || box.bottom > view.bottom) {
      around.scrollTop += way(box.top, box.bottom, view.top, view.bottom);
    }
  }
}
