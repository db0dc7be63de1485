import {
  type MentionGroup,
  mentionGroups,
  type MentionKind,
  type MentionView,
} from '../../src/shared/protocol';
import { fill } from '../../src/shared/fill';
import { element, icon, setAttribute, visibleLine } from '../dom';
import type { ViewContext } from '../viewActions';
import { mentionAt, type MentionQuery } from './mentionQuery';

interface MentionMenuSettings {
  /** The text area's inner control, which keeps the focus. */
  readonly control: HTMLTextAreaElement;
  /** Attaches the chosen item. Its `#…` leaves the text. */
  onChoose(mention: MentionView, query: MentionQuery): void;
  /** Continues with a part of a path or name after `#file` or `#package` was chosen. */
  onChooseGroup(group: MentionGroup, query: MentionQuery): void;
  announce(text: string): void;
}

/** Pause in typing after which the search starts. */
const SEARCH_DELAY_MS = 120;
const ANNOUNCE_DELAY_MS = 400;
/** Height of the menu's frame plus a margin above the composer, in pixels. */
const FRAME_PX = 12;
let lastId = 0;

/**
 * The menu of what `#…` can attach, above the composer.
 *
 * The text area keeps the focus and stays a text box, because ARIA does not allow a multi-line
 * combobox. It points at the list and at the active option. Where the browser can't point from
 * within a shadow root, both are announced.
 */
export class MentionMenu {
  readonly element: HTMLElement;
  readonly #context: ViewContext;
  readonly #settings: MentionMenuSettings;
  readonly #list: HTMLElement;
  readonly #status = element('p', { class: 'mention-status' });
  #query: MentionQuery | undefined;
  #mentions: readonly MentionView[] = [];
  #options: HTMLElement[] = [];
  #active = 0;
  /** Results for a bare `#`. They are requested once while the menu is open. */
  #kinds: readonly MentionView[] | undefined;
  /** Number of the last request. Results of older requests are ignored. */
  #request = 0;
  /** Number of the request for all kinds. */
  #kindsRequest: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #announcing: ReturnType<typeof setTimeout> | undefined;
  /** Start of the mention whose menu was closed with Escape. */
  #dismissed: number | undefined;

  constructor(context: ViewContext, settings: MentionMenuSettings) {
    this.#context = context;
    this.#settings = settings;
    const { strings } = context;
    this.#list = element('ul', {
      class: 'mention-list',
      attributes: { role: 'listbox', 'aria-label': strings.mentions },
    });
    this.element = element('div', { class: 'mention-menu' }, this.#list, this.#status);
    this.element.hidden = true;
    // The focus stays in the text.
    this.element.addEventListener('pointerdown', (event) => event.preventDefault());
    this.#list.addEventListener('click', (event) => this.#onClick(event));
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  /** Updates the menu. Call it when the text or the cursor has moved. */
  refresh(): void {
    const { control } = this.#settings;
    const { selectionStart, selectionEnd, value } = control;
    // A draft can also change while the focus is elsewhere.
    const isWriting = selectionStart === selectionEnd && control.matches(':focus');
    const query = isWriting ? mentionAt(value, selectionEnd) : undefined;
    if (!query) {
      this.#dismissed = undefined;
      this.close();
      return;
    }
    const before = this.#query;
    if (query.start === this.#dismissed) return;
    if (before?.start === query.start && before.group === query.group) {
      this.#query = query;
      if (before.text !== query.text) this.#search(query);
      return;
    }
    this.#query = query;
    this.#mentions = [];
    this.#search(query);
  }

  close(): void {
    if (!this.#query && !this.isOpen) return;
    this.#query = undefined;
    this.#kinds = undefined;
    this.#mentions = [];
    this.#request++;
    clearTimeout(this.#timer);
    clearTimeout(this.#announcing);
    this.element.hidden = true;
    this.#point();
  }

  /** @returns whether the menu handled the key. */
  onKey(event: KeyboardEvent): boolean {
    if (!this.isOpen || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey)
      return false;
    if (event.key === 'Escape') {
      this.#dismissed = this.#query?.start;
      this.close();
    } else if (this.#options.length === 0) return false;
    else if (event.key === 'ArrowDown') this.#activate(this.#active + 1);
    else if (event.key === 'ArrowUp') this.#activate(this.#active - 1);
    else if (event.key === 'Enter' || event.key === 'Tab') this.#choose(this.#active);
    else return false;
    event.preventDefault();
    // Escape would also close other parts of the panel.
    event.stopPropagation();
    return true;
  }

  #search(query: MentionQuery): void {
    clearTimeout(this.#timer);
    const { group } = query;
    if (group === undefined) {
      if (this.#kinds) this.#showKinds(query);
      else if (this.#kindsRequest !== this.#request) void this.#load(undefined, '');
      return;
    }
    const isFirst = this.#mentions.length === 0;
    if (isFirst) this.#show([], this.#context.strings.mentionSearching);
    this.#timer = setTimeout(
      () => void this.#load(group, query.text),
      isFirst ? 0 : SEARCH_DELAY_MS,
    );
  }

  async #load(kind: MentionKind | undefined, text: string): Promise<void> {
    const request = ++this.#request;
    if (kind === undefined) this.#kindsRequest = request;
    const mentions = await this.#context.actions.listMentions(kind, text);
    const query = this.#query;
    if (request !== this.#request || !query) return;
    if (kind === undefined) {
      this.#kinds = mentions;
      if (query.group === undefined) this.#showKinds(query);
    } else {
      this.#show(mentions, this.#context.strings.mentionNone);
    }
  }

  #showKinds({ text }: MentionQuery): void {
    const wanted = `#${text.toLowerCase()}`;
    this.#show(this.#kinds?.filter(({ label }) => label.startsWith(wanted)) ?? []);
  }

  /** @param emptyText shown if there are no results. Without it, the menu closes. */
  #show(mentions: readonly MentionView[], emptyText?: string): void {
    const chosen = this.#mentions[this.#active];
    this.#mentions = mentions;
    this.#status.textContent = mentions.length === 0 ? (emptyText ?? '') : '';
    this.#status.hidden = mentions.length > 0;
    this.#list.hidden = mentions.length === 0;
    this.element.hidden = mentions.length === 0 && emptyText === undefined;
    this.#options = mentions.map((mention) => this.#option(mention));
    this.#list.replaceChildren(...this.#options);
    this.#fit();
    const same = mentions.findIndex(({ kind, label }) => {
      const isListed = chosen?.isGroup === false && mentionGroups.some((group) => group === kind);
      return chosen?.kind === kind && !isListed && chosen.label === label;
    });
    const first = mentions.findIndex(({ isUnavailable }) => isUnavailable !== true);
    this.#activate(same >= 0 ? same : Math.max(first, 0), false);
    if (this.isOpen) this.#announceSoon();
  }

  /** Limits the height to the room above the composer. */
  #fit(): void {
    const top = this.element.parentElement?.getBoundingClientRect().top ?? 0;
    this.#list.style.setProperty('--room', `${Math.floor(top) - FRAME_PX}px`);
  }

  #option(mention: MentionView): HTMLElement {
    const option = element(
      'li',
      {
        class: 'mention',
        attributes: {
          role: 'option',
          id: `mention-${++lastId}`,
          'aria-selected': 'false',
          ...(mention.isUnavailable === true ? { 'aria-disabled': 'true' } : {}),
        },
      },
      icon(icons[mention.isGroup ? 'group' : mention.kind]),
      element('bdi', { class: 'mention-label', text: visibleLine(mention.label) }),
      element('bdi', { class: 'mention-detail', text: visibleLine(mention.detail) }),
    );
    option.title = visibleLine(
      mention.detail === '' ? mention.label : `${mention.label} – ${mention.detail}`,
    );
    return option;
  }

  #activate(index: number, isMoved = true): void {
    const count = this.#options.length;
    this.#active = count === 0 ? 0 : (index + count) % count;
    for (const [at, option] of this.#options.entries()) {
      setAttribute(option, 'aria-selected', String(at === this.#active));
    }
    this.#options[this.#active]?.scrollIntoView({ block: 'nearest' });
    this.#point();
    if (isMoved && !canPoint) this.#settings.announce(this.#activeText());
  }

  #point(): void {
    if (!canPoint) return;
    const { control } = this.#settings;
    control.ariaControlsElements = this.isOpen ? [this.#list] : null;
    control.ariaActiveDescendantElement = this.isOpen
      ? (this.#options[this.#active] ?? null)
      : null;
  }

  /** Announces the number of results and the first one, after a pause in typing. */
  #announceSoon(): void {
    clearTimeout(this.#announcing);
    this.#announcing = setTimeout(() => {
      const { strings } = this.#context;
      const count = this.#mentions.length;
      const counted = count === 1 ? strings.mentionOne : fill(strings.mentionCount, count);
      this.#settings.announce(
        count === 0 ? this.#status.textContent : `${counted}. ${this.#activeText()}`,
      );
    }, ANNOUNCE_DELAY_MS);
  }

  #activeText(): string {
    const mention = this.#mentions[this.#active];
    if (!mention) return '';
    const { strings } = this.#context;
    const words = [mention.label, mention.detail];
    if (mention.isUnavailable === true) words.push(strings.mentionUnavailable);
    const name = visibleLine(words.filter((word) => word !== '').join(', '));
    return fill(strings.mentionPosition, name, this.#active + 1, this.#mentions.length);
  }

  #onClick(event: MouseEvent): void {
    const index = this.#options.findIndex(
      (option) => event.target instanceof Node && option.contains(event.target),
    );
    if (index >= 0) this.#choose(index);
  }

  #choose(index: number): void {
    const mention = this.#mentions[index];
    const query = this.#query;
    if (!mention || !query) return;
    if (mention.isUnavailable === true) {
      this.#activate(index, false);
      this.#settings.announce(this.#activeText());
    } else if (mention.isGroup) {
      const group = mentionGroups.find((known) => known === mention.kind);
      if (group) this.#settings.onChooseGroup(group, query);
    } else {
      this.close();
      this.#settings.onChoose(mention, query);
    }
  }
}

const icons: Readonly<Record<MentionKind | 'group', string>> = {
  selection: 'list-selection',
  file: 'file',
  problems: 'warning',
  terminal: 'terminal',
  package: 'package',
  group: 'file-submodule',
};

/**
 * Whether an element in a shadow root can point at an element outside (Chromium 135 and later). An
 * ID alone can't do it.
 */
const canPoint = 'ariaActiveDescendantElement' in Element.prototype;
