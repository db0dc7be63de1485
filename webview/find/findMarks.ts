/**
 * Marks matches in the messages that are built, without changing the document, and brings a match
 * into view.
 */
import { writeInFrame } from '../frames';
import type { ThreadElement } from '../thread/threadView';
import type { FoundPlace } from './findSearch';
import { isUnitShown, shownTextOf, shownUnitOf, unitSelector, unitsOf } from './shownUnits';

const MATCH = 'find-match';
const CURRENT = 'find-current';
/** Shortest time between two markings while text streams. */
const PAUSE_MS = 120;
/** Time in milliseconds that a frame may spend on marks. */
const FRAME_MS = 6;
/** Maximum number of marks. Nobody can look at more, and painting this many takes a whole frame. */
const MAX_MARKS = 5_000;

/** Returns the browser's highlights, or undefined in older browsers. */
function highlights(): HighlightRegistry | undefined {
  return typeof Highlight === 'function' && 'highlights' in CSS ? CSS.highlights : undefined;
}

/** Watches the messages and marks each match in them. */
export class FindMarks {
  readonly #root: Element;
  readonly #onChange: () => void;
  readonly #observer = new MutationObserver((records) => this.#onMutations(records));
  readonly #ranges = new Map<Element, readonly StaticRange[]>();
  readonly #dirty = new Set<Element>();
  #pattern: RegExp | undefined;
  #all: Highlight | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param onChange called when messages were built or changed, so that ranges may have changed.
   */
  constructor(root: Element, onChange: () => void) {
    this.#root = root;
    this.#onChange = onChange;
  }

  start(): void {
    this.#observer.observe(this.#root, {
      childList: true,
      characterData: true,
      subtree: true,
      attributeFilter: ['open'],
    });
  }

  stop(): void {
    this.#observer.disconnect();
    this.setPattern(undefined);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Marks the matches of this pattern from now on. Undefined removes all marks. */
  setPattern(pattern: RegExp | undefined): void {
    if (String(pattern) === String(this.#pattern)) return;
    this.#pattern = pattern;
    this.#ranges.clear();
    this.#dirty.clear();
    this.#all = undefined;
    highlights()?.delete(MATCH);
    highlights()?.delete(CURRENT);
    if (!pattern) return;
    for (const unit of this.#root.querySelectorAll(unitSelector)) this.#dirty.add(unit);
    writeInFrame(this.#work);
  }

  /** Returns the current matches in a message. */
  rangesOf(message: Element): readonly StaticRange[] {
    this.#onMutations(this.#observer.takeRecords());
    return unitsOf(message).flatMap((unit) => this.#rangesOf(unit));
  }

  /** Marks one match as the shown one. */
  showCurrent(range: StaticRange | undefined): void {
    const marks = highlights();
    if (!marks) return;
    marks.delete(CURRENT);
    if (!range) return;
    const current = new Highlight(range);
    current.priority = 1;
    marks.set(CURRENT, current);
  }

  #rangesOf(unit: Element): readonly StaticRange[] {
    const known = this.#dirty.has(unit) ? undefined : this.#ranges.get(unit);
    if (known) return known;
    this.#dirty.delete(unit);
    this.#unmark(unit);
    const ranges = this.#pattern && isUnitShown(unit) ? rangesIn(unit, this.#pattern) : [];
    this.#ranges.set(unit, ranges);
    const marks = highlights();
    if (marks && ranges.length > 0) {
      this.#all ??= new Highlight();
      for (const range of ranges) if (this.#all.size < MAX_MARKS) this.#all.add(range);
      marks.set(MATCH, this.#all);
    }
    return ranges;
  }

  #unmark(unit: Element): void {
    for (const range of this.#ranges.get(unit) ?? []) this.#all?.delete(range);
    this.#ranges.delete(unit);
  }

  #onMutations(records: readonly MutationRecord[]): void {
    if (!this.#pattern || records.length === 0) return;
    let isGone = false;
    for (const { type, target, addedNodes, removedNodes } of records) {
      const unit = shownUnitOf(target);
      if (unit) {
        this.#dirty.add(unit);
        continue;
      }
      isGone ||= removedNodes.length > 0;
      // Content that was just unfolded or built has no marks yet.
      for (const node of type === 'attributes' ? [target] : addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches(unitSelector)) this.#dirty.add(node);
        for (const inner of node.querySelectorAll(unitSelector)) this.#dirty.add(inner);
      }
    }
    if (isGone) {
      for (const known of [...this.#ranges.keys()]) {
        if (!known.isConnected) this.#unmark(known);
      }
    }
    if (this.#dirty.size > 0) this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      writeInFrame(this.#work);
    }, PAUSE_MS);
  }

  /** Marks changed content in a frame, together with all other changes. */
  readonly #work = (): void => {
    const end = performance.now() + FRAME_MS;
    for (const unit of this.#dirty) {
      if (performance.now() >= end) break;
      if (unit.isConnected) this.#rangesOf(unit);
      else this.#dirty.delete(unit);
    }
    this.#onChange();
    if (this.#dirty.size > 0) writeInFrame(this.#work);
  };
}

function rangesIn(unit: Element, pattern: RegExp): StaticRange[] {
  const shown = shownTextOf([unit]);
  const { places } = shown;
  const ranges: StaticRange[] = [];
  let next = 0;
  for (const match of shown.text.matchAll(pattern)) {
    const { index, 0: found } = match;
    while ((places[next + 1]?.at ?? Infinity) <= index) next++;
    const start = places[next];
    let last = next;
    // The last character decides about the node: text that begins after it does not belong to the
    // match.
    while ((places[last + 1]?.at ?? Infinity) < index + found.length) last++;
    const end = places[last];
    if (!start || !end) continue;
    const range = {
      startContainer: start.node,
      startOffset: start.offset + index - start.at,
      endContainer: end.node,
      endOffset: Math.min(end.node.length, end.offset + index + found.length - end.at),
    };
    if (range.startOffset <= start.node.length) ranges.push(new StaticRange(range));
  }
  return ranges;
}

/** A match nearer than this to an edge of the view is moved to its middle. */
const EDGE_PX = 24;
/**
 * Maximum number of corrections. Content that was skipped out of sight gets its true height only in
 * view.
 */
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

  /** Returns the element of a message, or undefined if it is not built. */
  built(messageId: string): Element | undefined {
    const name = CSS.escape(messageId);
    return this.#scroller.querySelector(`.message[data-message-id="${name}"]`) ?? undefined;
  }

  /** @returns the range of the match, or undefined if it can't be found. */
  rangeOf({ messageId, ordinal }: FoundPlace): StaticRange | undefined {
    const message = this.built(messageId);
    return message && this.#marks.rangesOf(message)[ordinal];
  }

  /** Builds the message and scrolls to the match in it. */
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

  /** Returns the index of the first match in a message that is not above the view. */
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

/** Scrolls inner elements, such as wide code, until the match is visible. */
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
