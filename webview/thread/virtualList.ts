import { element } from '../dom';

/** The items that a {@link VirtualList} shows. */
interface VirtualItems {
  /** Creates and draws the item. */
  build(key: string): HTMLElement;
  /** Releases an item whose element has left the document for good. */
  drop(key: string, built: HTMLElement): void;
  /** Returns whether an invisible item must stay built, for example because it holds the focus. */
  isKept(key: string, built: HTMLElement): boolean;
  /** Returns the estimated height of the item in pixels for a column of that width. */
  estimate(key: string, width: number): number;
}

interface Slot {
  readonly key: string;
  index: number;
  built: HTMLElement | undefined;
  /** Stands for the items between the previous built one and this one. */
  spacer: HTMLElement | undefined;
  /** Height in pixels including the gap below, measured or estimated. */
  size: number;
  /**
   * Ratio of the true height to the estimate when the item was last built. It corrects estimates
   * for other widths.
   */
  ratio: number;
}

/** Gap in pixels between two items. */
const GAP = 16;
/**
 * Distance from the view, in heights of the view, within which items are built, and beyond which
 * they are removed.
 */
const NEAR_VIEWS = 1;
const FAR_VIEWS = 3;
/** Number of items that stay built at any distance. Returning to them costs nothing. */
const FREE_ITEMS = 16;
/** Time in milliseconds that a frame may spend on items that are not visible yet. */
const SLICE_MS = 6;
const MAX_ROUNDS = 30;

/**
 * A column in which only the items near the view exist. Empty boxes of about the right height stand
 * for the others. The reader's position stays when heights turn out differently, through the
 * browser's scroll anchoring, and through {@link VirtualList.settle} if a place is given.
 *
 * `@tanstack/virtual-core` (MIT, 33 kB minified) does not replace this class: the start-up script
 * has no room for it. It also keeps the place by writing `scrollTop` after each measurement, where
 * items in the normal flow get the browser's scroll anchoring in the same layout.
 */
export class VirtualList {
  readonly element = element('div', { class: 'messages' });
  readonly #scroller: HTMLElement;
  readonly #items: VirtualItems;
  readonly #onResize: () => void;
  readonly #sizes = new SizeIndex();
  readonly #built = new Set<Slot>();
  readonly #endSpacer = createSpacer();
  readonly #resizes: ResizeObserver;
  readonly #slotOf = new WeakMap<Element, Slot>();
  #slots: Slot[] = [];
  #byKey = new Map<string, Slot>();
  #width = 0;
  #slice: number | undefined;
  /** First visible item and its position, for browsers without scroll anchoring. */
  #anchor: { readonly built: HTMLElement; readonly top: number } | undefined;
  readonly #isAnchoring = !CSS.supports('overflow-anchor', 'auto');

  /**
   * @param onResize called when items, the column or the view have new sizes. The layout is up to
   *   date then.
   */
  constructor(scroller: HTMLElement, items: VirtualItems, onResize: () => void) {
    this.#scroller = scroller;
    this.#items = items;
    this.#onResize = onResize;
    this.element.style.setProperty('--item-gap', `${GAP}px`);
    if (this.#isAnchoring) scroller.style.setProperty('overflow-anchor', 'none');
    this.#resizes = new ResizeObserver((entries) => this.#onSizes(entries));
    // The column is not observed, because reactions to sizes change its height.
    this.#resizes.observe(scroller);
  }

  get count(): number {
    return this.#slots.length;
  }

  /** Built items, in no particular order. */
  get built(): readonly { readonly key: string; readonly element: HTMLElement }[] {
    return [...this.#built].flatMap(({ key, built }) => (built ? [{ key, element: built }] : []));
  }

  builtElement(key: string): HTMLElement | undefined {
    return this.#byKey.get(key)?.built;
  }

  /** Returns the index of the item, or -1 if it is not in the list. */
  indexOf(key: string): number {
    return this.#byKey.get(key)?.index ?? -1;
  }

  keyAt(index: number): string | undefined {
    return this.#slots[index]?.key;
  }

  /** Sets the items and their order. {@link settle} builds them. */
  setKeys(keys: readonly string[]): void {
    const before = this.#byKey;
    this.#byKey = new Map();
    this.#width = this.element.clientWidth;
    this.#slots = keys.map((key, index) => {
      const slot = before.get(key) ?? this.#createSlot(key);
      slot.index = index;
      this.#byKey.set(key, slot);
      return slot;
    });
    for (const slot of [...this.#built]) if (this.#byKey.get(slot.key) !== slot) this.#drop(slot);
    this.#sizes.reset(this.#slots.map(({ size }) => size));
    this.#arrange();
  }

  /** Builds an item at any position. */
  build(key: string): HTMLElement | undefined {
    const slot = this.#byKey.get(key);
    if (!slot) return undefined;
    if (!slot.built) {
      this.#build(slot);
      this.#arrange();
    }
    return slot.built;
  }

  /**
   * Builds and measures the visible items until none is missing.
   * @param place scrolls to the wanted position. It is called again whenever heights have changed.
   */
  settle(place?: () => void): void {
    if (!place) this.#notePlace();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      place?.();
      const missing = this.#missing(this.#range(0));
      if (missing.length === 0) {
        if (round > 0) this.#renewAnchor();
        break;
      }
      for (const slot of missing) this.#build(slot);
      this.#arrange();
      for (const slot of missing) this.#measure(slot);
      if (!place) this.#keepPlace();
    }
    this.#notePlace();
    this.#requestSlice();
  }

  /** Index of the first and last visible item. */
  get visible(): readonly [first: number, last: number] {
    return this.#range(0);
  }

  /** Returns the items within a distance from the view, in heights of the view. */
  #range(views: number): readonly [first: number, last: number] {
    const { clientHeight } = this.#scroller;
    const top =
      this.#scroller.getBoundingClientRect().top - this.element.getBoundingClientRect().top;
    const margin = clientHeight * views;
    return [this.#sizes.indexAt(top - margin), this.#sizes.indexAt(top + clientHeight + margin)];
  }

  #missing([first, last]: readonly [number, number]): Slot[] {
    return this.#slots.slice(first, last + 1).filter(({ built }) => !built);
  }

  #requestSlice(): void {
    if (this.#slice !== undefined) return;
    this.#slice = requestAnimationFrame(() => {
      this.#slice = undefined;
      this.#buildNear();
    });
  }

  /** Builds items near the view, a few in each frame, and removes those far away. */
  #buildNear(): void {
    const end = performance.now() + SLICE_MS;
    const [first, last] = this.#range(NEAR_VIEWS);
    const missing = this.#missing([first, last]);
    let done = 0;
    while (done < missing.length && (done === 0 || performance.now() < end)) {
      const slot = missing[done++];
      if (slot) this.#build(slot);
    }
    const isChanged = this.#dropFar() || done > 0;
    if (isChanged) {
      this.#arrange();
      this.#keepPlace();
    }
    if (done < missing.length) this.#requestSlice();
  }

  #dropFar(): boolean {
    if (this.#built.size <= FREE_ITEMS) return false;
    const [first, last] = this.#range(FAR_VIEWS);
    const far = [...this.#built].filter(({ key, index, built }) => {
      if (!built || (index >= first && index <= last)) return false;
      return !this.#items.isKept(key, built);
    });
    const distance = ({ index }: Slot): number => Math.max(first - index, index - last);
    far.sort((one, other) => distance(other) - distance(one));
    const dropped = far.slice(0, this.#built.size - FREE_ITEMS);
    for (const slot of dropped) this.#drop(slot);
    return dropped.length > 0;
  }

  #build(slot: Slot): void {
    const built = this.#items.build(slot.key);
    slot.built = built;
    this.#built.add(slot);
    this.#slotOf.set(built, slot);
    this.#resizes.observe(built);
  }

  #drop(slot: Slot): void {
    const { built } = slot;
    if (!built) return;
    this.#resizes.unobserve(built);
    slot.ratio = (slot.size - GAP) / Math.max(1, this.#items.estimate(slot.key, this.#width));
    slot.built = undefined;
    this.#built.delete(slot);
    built.remove();
    slot.spacer?.remove();
    this.#items.drop(slot.key, built);
  }

  #createSlot(key: string): Slot {
    const slot = { key, index: 0, built: undefined, spacer: undefined, size: 0, ratio: 1 };
    slot.size = this.#estimate(slot);
    return slot;
  }

  #estimate({ key, ratio }: Slot): number {
    return this.#items.estimate(key, this.#width) * ratio + GAP;
  }

  #measure(slot: Slot): void {
    if (slot.built) this.#setHeight(slot, slot.built.getBoundingClientRect().height);
  }

  #setHeight(slot: Slot, height: number): void {
    // An element that is not displayed has no height to remember.
    if (height === 0 || this.#width === 0) return;
    this.#setSize(slot, height + GAP);
  }

  #setSize(slot: Slot, size: number): void {
    slot.size = size;
    this.#sizes.set(slot.index, size);
  }

  #setWidth(width: number): void {
    if (width === 0 || width === this.#width) return;
    this.#width = width;
    // Built items also change their width, so the observer measures them.
    for (const slot of this.#slots) if (!slot.built) slot.size = this.#estimate(slot);
    this.#sizes.reset(this.#slots.map(({ size }) => size));
    this.#arrange();
  }

  #onSizes(entries: readonly ResizeObserverEntry[]): void {
    this.#setWidth(this.element.clientWidth);
    for (const { target, borderBoxSize } of entries) {
      const slot = this.#slotOf.get(target);
      if (slot?.built === target) this.#setHeight(slot, borderBoxSize[0]?.blockSize ?? 0);
    }
    this.#keepPlace();
    this.#onResize();
    this.#notePlace();
    this.#requestSlice();
  }

  #notePlace(): void {
    if (!this.#isAnchoring) return;
    const [first, last] = this.#range(0);
    const slot = this.#slots.slice(first, last + 1).find(({ built }) => built);
    this.#anchor = slot?.built && { built: slot.built, top: this.#topOf(slot.built) };
  }

  #keepPlace(): void {
    if (!this.#isAnchoring || !this.#anchor?.built.isConnected) return;
    this.#scroller.scrollTop += this.#topOf(this.#anchor.built) - this.#anchor.top;
  }

  /**
   * Makes the browser choose its scroll anchor again. Where it found no built item, the anchor is the
   * whole list, which stays until the next scroll.
   */
  #renewAnchor(): void {
    const { style } = this.element;
    style.setProperty('overflow-anchor', 'none');
    this.element.getBoundingClientRect();
    style.removeProperty('overflow-anchor');
  }

  #topOf(built: HTMLElement): number {
    return built.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  /** Puts the built items in order, with boxes between them for the missing ones. */
  #arrange(): void {
    const nodes: HTMLElement[] = [];
    let next = 0;
    const addSpacer = (spacer: () => HTMLElement, end: number): void => {
      if (end <= next) return;
      const node = spacer();
      node.style.height = `${this.#sizes.before(end) - this.#sizes.before(next)}px`;
      nodes.push(node);
    };
    for (const slot of [...this.#built].sort((one, other) => one.index - other.index)) {
      addSpacer(() => (slot.spacer ??= createSpacer()), slot.index);
      if (slot.built) nodes.push(slot.built);
      next = slot.index + 1;
    }
    addSpacer(() => this.#endSpacer, this.count);
    placeChildren(this.element, nodes);
  }
}

/** Returns an empty box. It is never a scroll anchor, because readers don't look at it. */
function createSpacer(): HTMLElement {
  return element('div', { class: 'unbuilt-messages', attributes: { 'aria-hidden': 'true' } });
}

/**
 * Replaces the children. Removals come first, so that nodes that stay never move and keep focus,
 * selection and scroll anchoring.
 */
function placeChildren(parent: Element, children: readonly Element[]): void {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    const present = parent.children[index];
    if (present !== child) parent.insertBefore(child, present ?? null);
  });
}

/**
 * The sizes of a list's items and their sums. Changes, sums and searches take logarithmic time (a
 * Fenwick tree).
 */
class SizeIndex {
  #sizes: number[] = [];
  /** `#tree[i]` is the sum of the `i & -i` sizes that end with item `i - 1`. */
  #tree: number[] = [0];

  get count(): number {
    return this.#sizes.length;
  }

  /** Replaces all sizes. Their number may change. */
  reset(sizes: readonly number[]): void {
    this.#sizes = [...sizes];
    const tree = [0, ...sizes];
    for (let node = 1; node < tree.length; node++) {
      const parent = node + (node & -node);
      if (parent < tree.length) tree[parent] = (tree[parent] ?? 0) + (tree[node] ?? 0);
    }
    this.#tree = tree;
  }

  at(index: number): number {
    return this.#sizes[index] ?? 0;
  }

  set(index: number, size: number): void {
    const change = size - this.at(index);
    if (change === 0 || index >= this.count) return;
    this.#sizes[index] = size;
    for (let node = index + 1; node <= this.count; node += node & -node) {
      this.#tree[node] = (this.#tree[node] ?? 0) + change;
    }
  }

  /** Returns the sum of the sizes before the item, which is its position. */
  before(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.count); node > 0; node -= node & -node) {
      sum += this.#tree[node] ?? 0;
    }
    return sum;
  }

  /**
   * Returns the index of the item at a position: the first for positions before the list, the last
   * for positions after it.
   */
  indexAt(offset: number): number {
    let node = 0;
    let left = offset;
    let step = 1 << Math.floor(Math.log2(Math.max(1, this.count)));
    for (; step > 0; step >>= 1) {
      const next = node + step;
      const size = this.#tree[next];
      if (size === undefined || size > left) continue;
      node = next;
      left -= size;
    }
    return Math.max(0, Math.min(node, this.count - 1));
  }
}
