import { element } from './dom';
import { SizeIndex } from './sizeIndex';

/** What a {@link VirtualList} shows. */
export interface VirtualItems {
  /** Makes and draws the item. */
  build(key: string): HTMLElement;
  /** The item's element leaves the document and is not used again. */
  drop(key: string, built: HTMLElement): void;
  /** Whether an item that nobody sees stays built, such as one that holds the focus. */
  isKept(key: string, built: HTMLElement): boolean;
  /** Pixels that the item will be high in a column of that width. */
  estimate(key: string, width: number): number;
}

interface Slot {
  readonly key: string;
  index: number;
  built: HTMLElement | undefined;
  /** Stands in for the items between the built one before and this one. */
  spacer: HTMLElement | undefined;
  /** Pixels with the gap below, measured or estimated. */
  size: number;
  /** True height by estimated height when it was last built: what is learnt for other widths. */
  ratio: number;
}

/** Pixels between two items. */
const GAP = 16;
/** Heights of the view: so far around it items are built, and so far they stay. */
const NEAR_VIEWS = 1;
const FAR_VIEWS = 3;
/** So many items stay, however far: coming back to them costs nothing. */
const FREE_ITEMS = 16;
/** What a frame may spend on items that nobody sees yet. */
const SLICE_MS = 6;
const MAX_ROUNDS = 30;

/**
 * A column in which only the items near the view exist; empty boxes of about the right height
 * stand in for the others. What the reader looks at stays in place when heights turn out
 * otherwise: the browser's scroll anchoring sees to it, and {@link VirtualList.settle} where the
 * place is given.
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
  /** Where the browser keeps nothing in its place by itself: what the reader looks at, and where. */
  #anchor: { readonly built: HTMLElement; readonly top: number } | undefined;
  readonly #isAnchoring = !CSS.supports('overflow-anchor', 'auto');

  /** @param onResize items, the column or the view have other sizes now; layout is up to date. */
  constructor(scroller: HTMLElement, items: VirtualItems, onResize: () => void) {
    this.#scroller = scroller;
    this.#items = items;
    this.#onResize = onResize;
    this.element.style.setProperty('--item-gap', `${GAP}px`);
    if (this.#isAnchoring) scroller.style.setProperty('overflow-anchor', 'none');
    this.#resizes = new ResizeObserver((entries) => this.#onSizes(entries));
    // Not the column: what is done about sizes changes its height.
    this.#resizes.observe(scroller);
  }

  get count(): number {
    return this.#slots.length;
  }

  /** Built items, in no certain order. */
  get built(): readonly { readonly key: string; readonly element: HTMLElement }[] {
    return [...this.#built].flatMap(({ key, built }) => (built ? [{ key, element: built }] : []));
  }

  builtElement(key: string): HTMLElement | undefined {
    return this.#byKey.get(key)?.built;
  }

  /** Place of the item in the list; -1 for one that is not in it. */
  indexOf(key: string): number {
    return this.#byKey.get(key)?.index ?? -1;
  }

  keyAt(index: number): string | undefined {
    return this.#slots[index]?.key;
  }

  /** Shows these items in this order; {@link settle} builds them. */
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

  /** An item that is not built has other contents now. */
  reestimate(key: string): void {
    const slot = this.#byKey.get(key);
    if (!slot || slot.built) return;
    slot.ratio = 1;
    this.#setSize(slot, this.#estimate(slot));
    this.#arrange();
  }

  /** Builds an item wherever it is. */
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
   * Builds what is in view, lays it out and measures it, until nothing in view is missing.
   * @param place puts the view where it shall be; called again whenever heights have changed.
   */
  settle(place?: () => void): void {
    if (!place) this.#notePlace();
    for (let round = 0; round < MAX_ROUNDS; round++) {
      place?.();
      const missing = this.#missing(this.#range(0));
      if (missing.length === 0) break;
      for (const slot of missing) this.#build(slot);
      this.#arrange();
      for (const slot of missing) this.#measure(slot);
      if (!place) this.#keepPlace();
    }
    this.#notePlace();
    this.#requestSlice();
  }

  /** First and last item that can be seen. */
  get visible(): readonly [first: number, last: number] {
    return this.#range(0);
  }

  /** Items within so many heights of the view. */
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

  /** What is near the view, a little in each frame; what is far goes. */
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
    // What is not displayed has no height: that is nothing to remember.
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
    // Built ones are measured by the observer, as their width is another too.
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

  #topOf(built: HTMLElement): number {
    return built.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top;
  }

  /** The built items in their order, with boxes as high as what is missing between them. */
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

/** Never an anchor: it stands for nothing that the reader looks at. */
function createSpacer(): HTMLElement {
  return element('div', { class: 'unbuilt-messages', attributes: { 'aria-hidden': 'true' } });
}

/** Removes first: what stays is never moved, and keeps focus, selection and scroll anchoring. */
function placeChildren(parent: Element, children: readonly Element[]): void {
  const wanted = new Set(children);
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  children.forEach((child, index) => {
    const present = parent.children[index];
    if (present !== child) parent.insertBefore(child, present ?? null);
  });
}
