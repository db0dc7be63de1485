import type { SourceDescription, SourceTarget, TextBlock } from '../../src/shared/protocol';
import type { SourcePart } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import { element, setAttribute, visibleLine, visiblePiece } from '../dom';
import { allowedLink, isRelativeLink } from '../markdown/links';
import { createButton, type ButtonControl } from '../toolkit';
import type { ViewContext, ViewActions } from '../viewActions';

/** Time in milliseconds that the pointer must rest on a citation before its card opens. */
const INTENT_MS = 300;

/** Time in milliseconds for which the pointer may leave a citation on its way to the card. */
const LEAVE_MS = 250;

/** Distance in pixels between the card and its surroundings. */
const GAP = 4;
const MARGIN = 8;

/** Maximum number of descriptions to keep. The oldest is dropped first. */
const MAX_KEPT = 200;

interface CitedSource {
  readonly messageId: string;
  readonly sourceId: string;
}

interface OpenCard extends CitedSource {
  readonly anchor: HTMLElement;
  /**
   * Tooltip of the citation. It is removed while the card is open, because it would cover the card.
   */
  readonly tooltip: string | null;
}

/**
 * The card beside a citation or a row of the source list. It shows the source's title, path and
 * quoted section, and where it can open. There is one card for the whole panel.
 *
 * It opens when the pointer rests on a citation and when the keyboard focus reaches one. It stays
 * while the pointer is on it, and Escape closes it without moving anything (WCAG 1.4.13). Arrow
 * Down or Alt+Arrow Down goes into the card, and Escape goes back.
 */
export class SourceCard {
  readonly #context: ViewContext;
  readonly #root: HTMLElement;
  readonly #element: HTMLElement;
  readonly #title = element('p', { class: 'source-card-title', attributes: { dir: 'auto' } });
  readonly #path = element('p', { class: 'source-card-path', attributes: { dir: 'ltr' } });
  readonly #quote = element('blockquote', {
    class: 'source-card-quote',
    attributes: { dir: 'auto' },
  });
  readonly #browser: ButtonControl;
  readonly #beside: ButtonControl;
  readonly #file: ButtonControl;
  readonly #known = new Map<string, SourceDescription>();
  #open: OpenCard | undefined;
  /** Timer that opens or closes the card. */
  #timer: number | undefined;
  #pending: HTMLElement | undefined;
  #isClosing = false;
  /** Last position of the pointer on the screen. */
  #pointer: { readonly x: number; readonly y: number } | undefined;
  /** Citation whose card was closed by hand. It stays closed until the pointer has left. */
  #refused: HTMLElement | undefined;

  /** @param root holds everything that cites, and gets the card and its listeners. */
  constructor(context: ViewContext, root: HTMLElement) {
    this.#context = context;
    this.#root = root;
    const { strings } = context;
    this.#browser = this.#button(strings.openInBrowser, 'link-external', 'browser');
    this.#beside = this.#button(strings.openInSimpleBrowser, 'split-horizontal', 'simple-browser');
    this.#file = this.#button('', 'go-to-file', 'file');
    this.#element = element(
      'div',
      { class: 'source-card', attributes: { role: 'dialog', id: 'source-card' } },
      this.#title,
      this.#path,
      this.#quote,
      element(
        'div',
        { class: 'source-card-actions' },
        this.#file.element,
        this.#browser.element,
        this.#beside.element,
      ),
    );
    this.#element.hidden = true;
    root.append(this.#element);
    this.#listen();
  }

  /** Handles the event that happened while this card was loading. */
  catchUp(event: PointerEvent | FocusEvent): void {
    if (event instanceof PointerEvent) this.#onPointer(event);
    else this.#onFocus(event);
  }

  #button(label: string, icon: string, target: SourceTarget): ButtonControl {
    const button = createButton({
      label,
      icon,
      appearance: 'secondary',
      class: `source-card-${target}`,
      onClick: () => {
        const open = this.#open;
        if (!open) return;
        const hadFocus = this.#element.contains(document.activeElement);
        this.#close();
        if (hadFocus) open.anchor.focus();
        this.#context.actions.openSource(open.messageId, open.sourceId, target);
      },
    });
    // A narrow card shows only the beginning of the label.
    button.element.title = label;
    return button;
  }

  #listen(): void {
    const root = this.#root;
    for (const name of ['pointerover', 'pointermove'] as const) {
      root.addEventListener(name, (event) => this.#onPointer(event), { passive: true });
    }
    root.addEventListener('pointerleave', () => this.#closeSoon());
    root.addEventListener('focusin', (event) => this.#onFocus(event));
    root.addEventListener('keydown', (event) => this.#onKey(event));
    // This listener must run first: while a card is open, Escape closes only the card.
    document.addEventListener('keydown', (event) => this.#onEscape(event), { capture: true });
    root.addEventListener('click', (event) => this.#onClick(event));
    root.addEventListener('scroll', (event) => this.#onScroll(event), {
      capture: true,
      passive: true,
    });
    window.addEventListener('resize', () => this.#place());
    window.addEventListener('blur', () => this.#closeSoon());
  }

  #onPointer(event: PointerEvent): void {
    // Touch has no hover. A tap opens the source.
    if (event.pointerType === 'touch' || !(event.target instanceof Element)) return;
    // Streaming text may move a citation under a resting pointer. That doesn't count as pointing at
    // it.
    const isMove = event.type === 'pointermove';
    const { x, y } = this.#pointer ?? {};
    const hasMoved = x === undefined ? isMove : x !== event.screenX || y !== event.screenY;
    if (isMove) this.#pointer = { x: event.screenX, y: event.screenY };
    if (this.#element.contains(event.target)) {
      this.#clearTimer();
      return;
    }
    const anchor = anchorOf(event.target);
    if (anchor !== this.#refused) this.#refused = undefined;
    if (!anchor) this.#closeSoon();
    else if (anchor === this.#open?.anchor) this.#clearTimer();
    else if (hasMoved && anchor !== this.#refused && event.buttons === 0) this.#openSoon(anchor);
  }

  #openSoon(anchor: HTMLElement): void {
    if (this.#pending === anchor) return;
    this.#clearTimer();
    this.#pending = anchor;
    this.#timer = window.setTimeout(() => {
      this.#clearTimer();
      this.#show(anchor);
    }, INTENT_MS);
  }

  #onFocus({ target }: FocusEvent): void {
    if (!(target instanceof Element) || this.#element.contains(target)) return;
    const anchor = anchorOf(target);
    if (anchor?.matches(':focus-visible') === true) this.#show(anchor);
    else this.#close();
  }

  #onKey(event: KeyboardEvent): void {
    // The keys of the conversation handle the event first.
    if (event.defaultPrevented || !(event.target instanceof Element)) return;
    if (this.#element.contains(event.target)) {
      this.#onKeyInside(event);
      return;
    }
    if (event.key !== 'ArrowDown' || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const anchor = anchorOf(event.target);
    if (!anchor) return;
    if (this.#open?.anchor !== anchor) this.#show(anchor);
    event.preventDefault();
    event.stopPropagation();
    this.#buttons[0]?.focus();
  }

  /**
   * Handles keys in the card. Arrow keys wrap around, and Tab leaves in the direction of the key.
   */
  #onKeyInside(event: KeyboardEvent): void {
    const buttons = this.#buttons;
    const index = buttons.findIndex((button) => button.contains(document.activeElement));
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      buttons.at((index + step) % buttons.length)?.focus();
    } else if (event.key === 'Tab') {
      const isLeaving = event.shiftKey ? index <= 0 : index === buttons.length - 1;
      if (!isLeaving) return;
      const anchor = this.#open?.anchor;
      this.#close();
      anchor?.focus();
      // Shift+Tab goes to the citation itself.
      if (event.shiftKey) event.preventDefault();
    }
  }

  #onEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !this.#open) return;
    const { anchor } = this.#open;
    const hadFocus = this.#element.contains(document.activeElement);
    this.#close();
    this.#refused = anchor;
    if (hadFocus) anchor.focus();
    // Moving the focus back has opened the card again.
    this.#close();
    event.preventDefault();
    event.stopPropagation();
  }

  #onClick({ target }: MouseEvent): void {
    if (!(target instanceof Element) || this.#element.contains(target)) return;
    const anchor = anchorOf(target);
    this.#close();
    this.#refused = anchor;
  }

  #onScroll({ target }: Event): void {
    if (!this.#open || (target instanceof Node && this.#element.contains(target))) return;
    this.#place();
  }

  #show(anchor: HTMLElement): void {
    const cited = citedBy(anchor);
    if (!cited || !anchor.isConnected) return;
    if (this.#open?.anchor === anchor) return;
    this.#close();
    const tooltip = anchor.getAttribute('title');
    anchor.removeAttribute('title');
    anchor.setAttribute('aria-haspopup', 'dialog');
    anchor.setAttribute('aria-expanded', 'true');
    this.#open = { anchor, tooltip, ...cited };
    const known = this.#known.get(keyOf(cited));
    this.#fill(known ?? whatIsShownOf(anchor, cited), known !== undefined);
    this.#element.hidden = false;
    this.#place();
    if (known === undefined) void this.#describe(cited);
  }

  async #describe(cited: CitedSource): Promise<void> {
    const description = await this.#context.actions.describeSource(cited.messageId, cited.sourceId);
    if (!description) return;
    // A running reply may bring the quote later.
    if (description.quote !== undefined) this.#keep(cited, description);
    const isShown =
      this.#open?.messageId === cited.messageId && this.#open.sourceId === cited.sourceId;
    if (!isShown) return;
    this.#fill(description, true);
    this.#place();
  }

  #keep(cited: CitedSource, description: SourceDescription): void {
    const key = keyOf(cited);
    this.#known.delete(key);
    this.#known.set(key, description);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEPT && oldest !== undefined) this.#known.delete(oldest);
  }

  #fill({ title, path, quote, file }: SourceDescription, isDescribed: boolean): void {
    const { strings } = this.#context;
    this.#title.textContent = visibleLine(title) || visibleLine(path);
    setAttribute(this.#element, 'aria-label', this.#title.textContent);
    this.#path.textContent = visibleLine(path);
    this.#path.hidden = this.#path.textContent === '';
    this.#quote.replaceChildren(...(quote ?? []).flatMap(quotedLines));
    this.#quote.hidden = this.#quote.childElementCount === 0;
    const name =
      visibleLine(file ?? '')
        .split('/')
        .at(-1) ?? '';
    this.#file.element.hidden = name === '';
    if (name !== '') {
      this.#file.setLabel(fill(strings.openOwnFile, name), 'go-to-file');
      this.#file.element.title = visibleLine(file ?? '');
    }
    const { anchor } = this.#open ?? {};
    const isWeb = /^https?:$/.test(allowedLink(anchor?.getAttribute('href') ?? '')?.protocol ?? '');
    this.#browser.element.hidden = !isWeb;
    this.#beside.element.hidden = !isWeb;
    this.#element.classList.toggle('is-described', isDescribed);
  }

  /** Places the card below the citation, or above it if there is more room, within the panel. */
  #place(): void {
    const anchor = this.#open?.anchor;
    if (!anchor) return;
    const bounds = this.#root.getBoundingClientRect();
    const line = anchor.getClientRects()[0];
    if (!anchor.isConnected || !line || line.bottom < bounds.top || line.top > bounds.bottom) {
      this.#close();
      return;
    }
    const { style } = this.#element;
    style.maxHeight = '';
    style.width = `${Math.min(380, bounds.width - 2 * MARGIN)}px`;
    const { width, height } = this.#element.getBoundingClientRect();
    const below = bounds.bottom - line.bottom - GAP - MARGIN;
    const above = line.top - bounds.top - GAP - MARGIN;
    const isBelow = height <= below || below >= above;
    const shown = Math.min(height, Math.max(isBelow ? below : above, 0));
    style.maxHeight = `${shown}px`;
    style.top = `${isBelow ? line.bottom + GAP : line.top - GAP - shown}px`;
    const start = getComputedStyle(anchor).direction === 'rtl' ? line.right - width : line.left;
    const furthest = bounds.right - MARGIN - width;
    style.left = `${Math.max(bounds.left + MARGIN, Math.min(start, furthest))}px`;
  }

  #closeSoon(): void {
    if (this.#isClosing) return;
    this.#clearTimer();
    if (!this.#open) return;
    this.#isClosing = true;
    this.#timer = window.setTimeout(() => {
      this.#clearTimer();
      const { activeElement } = document;
      const anchor = this.#open?.anchor;
      // The pointer does not close a card that the keyboard opened.
      const isInUse =
        this.#element.contains(activeElement) ||
        (anchor !== undefined && anchor === activeElement && anchor.matches(':focus-visible'));
      if (!isInUse) this.#close();
    }, LEAVE_MS);
  }

  #close(): void {
    this.#clearTimer();
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    this.#element.hidden = true;
    open.anchor.removeAttribute('aria-haspopup');
    open.anchor.removeAttribute('aria-expanded');
    if (open.tooltip !== null) setAttribute(open.anchor, 'title', open.tooltip);
  }

  #clearTimer(): void {
    window.clearTimeout(this.#timer);
    this.#pending = undefined;
    this.#isClosing = false;
  }

  get #buttons(): HTMLElement[] {
    return [this.#file, this.#browser, this.#beside]
      .map((button) => button.element)
      .filter((button) => !button.hidden);
  }
}

/** Returns a block of a quote: each line of prose as a paragraph, code with its lines and indents. */
function quotedLines({ text, isCode }: TextBlock): HTMLElement[] {
  const lines = text.split('\n').map(isCode ? visiblePiece : visibleLine);
  if (!isCode) return lines.flatMap((line) => (line === '' ? [] : element('p', { text: line })));
  return [element('pre', { text: lines.join('\n'), attributes: { dir: 'ltr' } })];
}

function anchorOf(target: Element): HTMLElement | undefined {
  return target.closest<HTMLElement>('[data-message-id] [data-source-id]') ?? undefined;
}

function citedBy(anchor: HTMLElement): CitedSource | undefined {
  const { sourceId } = anchor.dataset;
  const { messageId } = anchor.closest<HTMLElement>('[data-message-id]')?.dataset ?? {};
  return sourceId === undefined || messageId === undefined ? undefined : { messageId, sourceId };
}

function keyOf({ messageId, sourceId }: CitedSource): string {
  return JSON.stringify([messageId, sourceId]);
}

/** Returns what the view itself knows about a source until the host answers. */
function whatIsShownOf(anchor: HTMLElement, { sourceId }: CitedSource): SourceDescription {
  const row = anchor
    .closest('[data-message-id]')
    ?.querySelector(`.source[data-source-id="${CSS.escape(sourceId)}"] .source-title`);
  const url = allowedLink(anchor.getAttribute('href') ?? '');
  return {
    title: row?.textContent ?? anchor.textContent,
    path: url ? url.pathname + url.hash : '',
  };
}

/**
 * Looks up the sources of one reply that have only a path. Only the host knows which files and
 * sites there are.
 */
export class PathSources {
  readonly #pages = new Map<string, string>();
  readonly #actions: Pick<ViewActions, 'describeSource'>;
  readonly #messageId: string;
  #search = 0;
  #toldCount = 0;

  constructor(actions: Pick<ViewActions, 'describeSource'>, messageId: string) {
    this.#actions = actions;
    this.#messageId = messageId;
  }

  /**
   * Web addresses by `sourceId`. An empty text stands for a page that opens only as its own file.
   */
  get pages(): ReadonlyMap<string, string> {
    return this.#pages;
  }

  /**
   * Asks the host about unknown sources, one after the other, because a reply may have hundreds. A
   * later call, for example while more sources arrive, replaces an earlier one.
   * @returns whether `pages` has changed.
   */
  async find(sources: readonly SourcePart[]): Promise<boolean> {
    const search = ++this.#search;
    for (const { sourceId, url } of sources) {
      if (!isRelativeLink(url) || this.#pages.has(sourceId)) continue;
      const described = await this.#actions.describeSource(this.#messageId, sourceId);
      const page = described?.url ?? (described?.file === undefined ? undefined : '');
      if (page !== undefined) this.#pages.set(sourceId, page);
      if (search !== this.#search) return false;
    }
    const isNews = this.#pages.size > this.#toldCount;
    this.#toldCount = this.#pages.size;
    return isNews;
  }
}
