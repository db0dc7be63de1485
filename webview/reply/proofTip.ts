/** Explains why a statement is marked, while the pointer or the focus is on it. */
import { element } from '../dom';

/** Time in milliseconds that the pointer must rest on a statement before its tip opens. */
const INTENT_MS = 250;

/** Time in milliseconds for which the pointer may leave a statement on its way to the tip. */
const LEAVE_MS = 200;

/** Distance in pixels between the tip and its surroundings. */
const GAP = 4;
const MARGIN = 8;
const MAX_WIDTH = 320;

/** A statement that the tip can explain. */
export interface TipTarget {
  /** The pieces of the statement and the button after it. */
  readonly anchors: readonly Element[];
  readonly sentence: string;
}

/**
 * The tip of one reply. It opens on hover, on keyboard focus and on a click, stays while the pointer
 * is on it, and closes with Escape without moving anything (WCAG 1.4.13). Assistive technology
 * reads the button's name instead, which is the same sentence.
 */
export class ProofTip {
  readonly #element = element('div', {
    class: 'proof-tip',
    attributes: { role: 'tooltip', popover: 'manual', dir: 'auto', 'aria-hidden': 'true' },
  });
  readonly #root: HTMLElement;
  readonly #targetOf: (anchor: Element) => TipTarget | undefined;
  readonly #listeners = new AbortController();
  #open: TipTarget | undefined;
  /** Statement whose tip was closed by hand. It stays closed until the pointer has left. */
  #refused: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param root element in which statements are marked.
   * @param targetOf returns the marked statement that an element belongs to, or undefined.
   */
  constructor(root: HTMLElement, targetOf: (anchor: Element) => TipTarget | undefined) {
    this.#root = root;
    this.#targetOf = targetOf;
    const { signal } = this.#listeners;
    root.addEventListener('pointerover', (event) => this.#onPointer(event), {
      signal,
      passive: true,
    });
    root.addEventListener('pointerleave', () => this.#closeSoon(), { signal });
    root.addEventListener('focusin', (event) => this.#onFocus(event), { signal });
    root.addEventListener('focusout', () => this.close(), { signal });
    root.addEventListener('click', (event) => this.#onClick(event), { signal });
    this.#element.addEventListener('pointerenter', () => clearTimeout(this.#timer));
    this.#element.addEventListener('pointerleave', () => this.#closeSoon());
  }

  close(): void {
    clearTimeout(this.#timer);
    if (!this.#open) return;
    this.#open = undefined;
    this.#element.remove();
    document.removeEventListener('keydown', this.#onKey, { capture: true });
    document.removeEventListener('scroll', this.#onMove, { capture: true });
    window.removeEventListener('resize', this.#onMove);
  }

  dispose(): void {
    this.close();
    this.#listeners.abort();
  }

  #onPointer({ target, pointerType, clientX, clientY, buttons }: PointerEvent): void {
    // Touch has no hover. A tap opens the tip.
    if (pointerType === 'touch' || !(target instanceof Element)) return;
    const tip = this.#targetOf(target);
    if (tip?.sentence !== this.#refused) this.#refused = undefined;
    if (!tip) this.#closeSoon();
    else if (tip === this.#open) clearTimeout(this.#timer);
    else if (tip.sentence !== this.#refused && buttons === 0) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#show(tip, { x: clientX, y: clientY }), INTENT_MS);
    }
  }

  #onFocus({ target }: FocusEvent): void {
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return;
    const tip = this.#targetOf(target);
    if (tip) this.#show(tip, middleOf(target));
  }

  #onClick({ target }: MouseEvent): void {
    const button = target instanceof Element ? target.closest('button') : null;
    const tip = button ? this.#targetOf(button) : undefined;
    if (button && tip) this.#show(tip, middleOf(button));
    else this.close();
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    this.#refused = this.#open?.sentence;
    this.close();
    // While a tip is open, Escape closes only the tip.
    event.preventDefault();
    event.stopPropagation();
  };

  readonly #onMove = (): void => this.close();

  #show(tip: TipTarget, at: { readonly x: number; readonly y: number }): void {
    clearTimeout(this.#timer);
    if (!tip.anchors.some(({ isConnected }) => isConnected)) return;
    if (!this.#open) {
      document.addEventListener('keydown', this.#onKey, { capture: true });
      document.addEventListener('scroll', this.#onMove, { capture: true, passive: true });
      window.addEventListener('resize', this.#onMove);
    }
    this.#open = tip;
    this.#element.textContent = tip.sentence;
    this.#root.append(this.#element);
    this.#element.showPopover();
    this.#place(lineAt(tip.anchors, at), at.x);
  }

  /** Places the tip below the line, or above it if there is more room, within the window. */
  #place(line: DOMRect, x: number): void {
    const { style } = this.#element;
    style.maxWidth = `${Math.min(MAX_WIDTH, window.innerWidth - 2 * MARGIN)}px`;
    const { width, height } = this.#element.getBoundingClientRect();
    const isBelow = line.bottom + GAP + height + MARGIN <= window.innerHeight || line.top < height;
    style.top = `${isBelow ? line.bottom + GAP : line.top - GAP - height}px`;
    const furthest = window.innerWidth - MARGIN - width;
    style.left = `${Math.max(MARGIN, Math.min(x - width / 2, furthest))}px`;
  }

  #closeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // The pointer does not close a tip that the keyboard opened.
      const isFocused = this.#open?.anchors.some((anchor) => anchor.matches(':focus-visible'));
      if (isFocused !== true) this.close();
    }, LEAVE_MS);
  }
}

function middleOf(target: Element): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = target.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Returns the line of the anchors that is nearest to a point. */
function lineAt(
  anchors: readonly Element[],
  { x, y }: { readonly x: number; readonly y: number },
): DOMRect {
  const distance = ({ left, right, top, bottom }: DOMRect): number =>
    Math.max(left - x, x - right, 0) + Math.max(top - y, y - bottom, 0);
  const lines = anchors.flatMap((anchor) => [...anchor.getClientRects()]);
  return lines.reduce(
    (best, line) => (distance(line) < distance(best) ? line : best),
    lines[0] ?? new DOMRect(),
  );
}
