/** Marks what is found in the messages that are built, without a change to the document. */
import { isUnitShown, rangesIn, unitOf, unitSelector, unitsOf } from './findPlaces';
import { writeInFrame } from './frames';

const MATCH = 'find-match';
const CURRENT = 'find-current';
/** Text that streams is marked so often at most. */
const PAUSE_MS = 120;
/** What a frame may spend on marks, in ms. */
const FRAME_MS = 6;
/** More marks than a person can look at, and so many that painting them takes a frame. */
const MAX_MARKS = 5_000;

/** The browser's own marks; older ones have none. */
function highlights(): HighlightRegistry | undefined {
  return typeof Highlight === 'function' && 'highlights' in CSS ? CSS.highlights : undefined;
}

/** Follows what is built below an element, and marks each match in it. */
export class FindMarks {
  readonly #root: Element;
  readonly #onChange: () => void;
  readonly #observer = new MutationObserver((records) => this.#onMutations(records));
  readonly #ranges = new Map<Element, readonly StaticRange[]>();
  readonly #dirty = new Set<Element>();
  #pattern: RegExp | undefined;
  #all: Highlight | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param onChange messages were built or changed: other ranges may be of use. */
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

  /** Marks these from now on: nothing where the pattern is undefined. */
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

  /** The matches within a message, as they are now. */
  rangesOf(message: Element): readonly StaticRange[] {
    this.#onMutations(this.#observer.takeRecords());
    return unitsOf(message).flatMap((unit) => this.#rangesOf(unit));
  }

  /** Marks one of them apart from the others. */
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
      const unit = unitOf(target);
      if (unit) {
        this.#dirty.add(unit);
        continue;
      }
      isGone ||= removedNodes.length > 0;
      // What was folded, or was just built, is new as a whole.
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

  /** In a frame, with all else that changes then. */
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
