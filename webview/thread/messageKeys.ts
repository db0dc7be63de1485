/**
 * Handles the keyboard in the conversation: one tab stop per message, and a way into each message
 * and out again.
 */
import { element, isComposing } from '../dom';

/** The messages as the keyboard goes through them. */
interface MessageSequence {
  readonly scroller: HTMLElement;
  readonly count: number;
  /** Index of the first and last visible message. */
  readonly visible: readonly [first: number, last: number];
  indexOf(message: HTMLElement): number;
  /** Builds the message if necessary, and brings it into view. */
  reveal(index: number, edge: MessageEdge): HTMLElement | undefined;
  /** Moves the focus to the question box. */
  leave(): void;
}

/** The edge to show of a message that is higher than the view. */
export type MessageEdge = 'top' | 'bottom';

/** Distance in pixels that an arrow key scrolls within a message that is higher than the view. */
const LINE_STEP_PX = 40;
const PAGE_SHARE = 0.85;

const controls = [
  'a[href]',
  'button:not([disabled])',
  'vscode-button:not([disabled])',
  'summary',
  'textarea',
  'input',
  'select',
  '[tabindex="0"]',
].join(',');

/**
 * Tab goes from message to message. Arrow and Page keys scroll within a message that is higher than
 * the view, and go to the next message at its edge. Enter or F2 leads to the controls of a message,
 * and Escape back to the message and then to the question box.
 */
export class MessageKeys {
  readonly #sequence: MessageSequence;
  /**
   * Tab stops before and after the messages. Tab from elsewhere leads through them to a visible
   * message.
   */
  readonly before: HTMLElement;
  readonly after: HTMLElement;
  #isPassing = false;

  constructor(sequence: MessageSequence) {
    this.#sequence = sequence;
    this.before = this.#createGate(() => sequence.visible[0], 'top');
    this.after = this.#createGate(() => sequence.visible[1], 'bottom');
    const { scroller } = sequence;
    scroller.addEventListener('keydown', (event) => this.#onKey(event));
    scroller.addEventListener('focusin', () => this.#setGates(false));
    scroller.addEventListener('focusout', ({ relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && scroller.contains(relatedTarget);
      this.#setGates(!isInside);
    });
    this.#setGates(true);
  }

  /** Updates the tab stops. Call it after messages came or went. */
  refresh(): void {
    this.#setGates(!this.#sequence.scroller.contains(document.activeElement));
  }

  focus(index: number, edge: MessageEdge = 'top'): boolean {
    const message = this.#sequence.reveal(index, edge);
    message?.focus({ preventScroll: true });
    return message !== undefined;
  }

  #createGate(index: () => number, edge: MessageEdge): HTMLElement {
    const gate = element('span', { class: 'message-gate' });
    gate.addEventListener('focus', () => {
      if (!this.#isPassing) this.focus(index(), edge);
    });
    return gate;
  }

  /** Opens or closes the gates. Within the conversation, Tab must pass them. */
  #setGates(areOpen: boolean): void {
    const tabIndex = areOpen && this.#sequence.count > 0 ? 0 : -1;
    this.before.tabIndex = this.after.tabIndex = tabIndex;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const { target } = event;
    const message = target instanceof Element ? target.closest<HTMLElement>('.message') : null;
    if (!message) return;
    if (target !== message) {
      if (event.key !== 'Escape' || isComposing(event)) return;
      event.preventDefault();
      message.focus({ preventScroll: true });
      return;
    }
    if (event.key === 'Tab') {
      this.#onTab(event, message);
      return;
    }
    if (!event.shiftKey && this.#act(event.key, message)) event.preventDefault();
  }

  #onTab(event: KeyboardEvent, message: HTMLElement): void {
    const next = this.#sequence.indexOf(message) + (event.shiftKey ? -1 : 1);
    if (next >= 0 && next < this.#sequence.count) {
      event.preventDefault();
      this.focus(next);
      return;
    }
    // The focus passes the controls of the message, and the browser continues from the gate.
    this.#isPassing = true;
    (event.shiftKey ? this.before : this.after).focus({ preventScroll: true });
    this.#isPassing = false;
  }

  /** @returns whether the key does something here. */
  #act(key: string, message: HTMLElement): boolean {
    const index = this.#sequence.indexOf(message);
    const page = this.#sequence.scroller.clientHeight * PAGE_SHARE;
    switch (key) {
      case 'Enter':
      case 'F2':
        return focusFirstControl(message);
      case 'Escape':
        this.#sequence.leave();
        return true;
      case 'ArrowDown':
        return this.#readOn(message, LINE_STEP_PX) || this.focus(index + 1);
      case 'ArrowUp':
        return this.#readOn(message, -LINE_STEP_PX) || this.focus(index - 1, 'bottom');
      case 'PageDown':
        return this.#readOn(message, page) || this.focus(index + 1);
      case 'PageUp':
        return this.#readOn(message, -page) || this.focus(index - 1, 'bottom');
      case 'Home':
        return this.focus(0);
      case 'End':
        return this.focus(this.#sequence.count - 1, 'bottom');
      default:
        return false;
    }
  }

  /** @returns false if the message has nothing more to show in that direction. */
  #readOn(message: HTMLElement, by: number): boolean {
    const { scroller } = this.#sequence;
    const view = scroller.getBoundingClientRect();
    const own = message.getBoundingClientRect();
    const left = by > 0 ? own.bottom - view.bottom : own.top - view.top;
    if (by > 0 ? left <= 1 : left >= -1) return false;
    scroller.scrollTop += by > 0 ? Math.min(by, left) : Math.max(by, left);
    return true;
  }
}

function focusFirstControl(message: HTMLElement): boolean {
  const found = [...message.querySelectorAll<HTMLElement>(controls)].find((control) =>
    control.checkVisibility({ visibilityProperty: true }),
  );
  found?.focus();
  return found !== undefined;
}
