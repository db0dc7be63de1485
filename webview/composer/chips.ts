import { numberText, sizeText } from '../../src/shared/units';
import type { ContextItemView, AttachmentView } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element, icon, visibleLine } from '../dom';
import { createButton } from '../toolkit';

interface Chip {
  /** ID of what the chip stands for. No other chip of the list has it. */
  readonly id: string;
  readonly element: HTMLElement;
  /** Removes the item. Absent where a chip only shows something. */
  readonly remove?: () => void;
}

/** Returns a chip with that text. `removal` adds a button that removes it. */
function createChip(
  id: string,
  shown: HTMLElement,
  mark?: HTMLElement | false,
  removal?: { readonly label: string; readonly remove: () => void },
): Chip {
  const chip = element('li', { class: 'chip' }, shown);
  if (mark) chip.append(mark);
  if (!removal) return { id, element: chip };
  const { label, remove } = removal;
  const button = createButton({
    label,
    icon: 'close',
    appearance: 'icon',
    class: 'chip-remove',
    onClick: remove,
  });
  chip.append(button.element);
  return { id, element: chip, remove };
}

/**
 * A list of chips. A button or Delete removes one. Removing a chip by keyboard moves the focus to
 * its neighbor, not to the start of the page. A chip that stays keeps the focus.
 */
class ChipList {
  readonly element: HTMLElement;
  readonly #onEmptied: () => void;
  #chips: readonly Chip[] = [];

  /** @param onEmptied called when the last chip is removed while it has the focus. */
  constructor(settings: { class: string; label: string; onEmptied?: () => void }) {
    this.#onEmptied = settings.onEmptied ?? (() => undefined);
    this.element = element('ul', {
      class: settings.class,
      attributes: { 'aria-label': settings.label },
    });
    this.element.hidden = true;
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
  }

  update(chips: readonly Chip[]): void {
    const focused = this.#focusedIndex();
    const before = this.#chips[focused ?? -1];
    const isRevealFocused = document.activeElement?.matches('.chip-reveal') === true;
    this.#chips = chips;
    this.element.hidden = chips.length === 0;
    this.element.replaceChildren(...chips.map((chip) => chip.element));
    if (focused === undefined) return;
    const same = chips.find(({ id }) => id === before?.id);
    const next = same ?? chips[Math.min(focused, chips.length - 1)];
    const control = same && isRevealFocused ? '.chip-reveal' : '.chip-remove';
    if (next) next.element.querySelector<HTMLElement>(control)?.focus();
    else this.#onEmptied();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key !== 'Delete' && event.key !== 'Backspace') return;
    const chip = this.#chips[this.#focusedIndex() ?? -1];
    if (!chip?.remove) return;
    event.preventDefault();
    chip.remove();
  }

  #focusedIndex(): number | undefined {
    const { activeElement } = document;
    const index = this.#chips.findIndex((chip) => chip.element.contains(activeElement));
    return index < 0 ? undefined : index;
  }
}

interface ContextItemListSettings {
  readonly strings: ViewStrings;
  readonly onReveal: (itemId: string) => void;
  /** Removes an item. Absent where the chips only lead to their code. */
  readonly onRemove?: (itemId: string) => void;
  /** Called when the last chip is removed while it has the focus. */
  readonly onEmptied?: () => void;
}

/** Context items as chips, each with its path and lines. */
export class ContextItemList {
  readonly #settings: ContextItemListSettings;
  readonly #chips: ChipList;
  #items: readonly ContextItemView[] = [];

  constructor(settings: ContextItemListSettings) {
    this.#settings = settings;
    const { strings, onEmptied } = settings;
    this.#chips = new ChipList({
      class: 'context-items',
      label: strings.contextItems,
      ...(onEmptied ? { onEmptied } : {}),
    });
  }

  get element(): HTMLElement {
    return this.#chips.element;
  }

  update(items: readonly ContextItemView[]): void {
    if (items === this.#items) return;
    this.#items = items;
    this.#chips.update(items.map((item) => this.#chip(item)));
  }

  #chip(item: ContextItemView): Chip {
    const { strings, onReveal, onRemove } = this.#settings;
    const label = visibleLine(item.label);
    const path = visibleLine(item.path ?? label);
    // The path does not contain the name of a symbol.
    const name = path.includes(label) ? path : `${label}, ${path}`;
    const lines = linesOf(item, strings);
    const described = lines === undefined ? name : `${name}, ${lines}`;
    const reveal = createButton({
      label: fill(strings.revealContextItem, described),
      appearance: 'icon',
      class: 'chip-reveal',
      onClick: () => onReveal(item.id),
    });
    reveal.element.title = `${described}\n${fill(strings.characters, numberText(item.length))}`;
    reveal.element.replaceChildren(
      icon(item.type === 'code' ? 'code' : 'list-selection'),
      element('bdi', { class: 'chip-label', text: label }),
      element('span', { class: 'chip-lines', text: shortLines(item) }),
    );
    const removal = onRemove && {
      label: fill(strings.removeContextItem, described),
      remove: () => onRemove(item.id),
    };
    return createChip(item.id, reveal.element, secretMark(item, strings), removal);
  }
}

const markTexts = {
  found: 'secretFound',
  allowed: 'secretAllowed',
  redacted: 'secretRedacted',
} as const;

/** Returns what a chip says about secrets in its content, or false if there are none. */
function secretMark(
  { secrets }: ContextItemView | AttachmentView,
  strings: ViewStrings,
): HTMLElement | false {
  if (!secrets) return false;
  const kinds = secrets.kinds.map(visibleLine).join(', ');
  const mark = element(
    'span',
    { class: `chip-secret is-${secrets.state}` },
    icon(secrets.state === 'redacted' ? 'shield' : 'warning'),
    strings[markTexts[secrets.state]],
    element('span', { class: 'visually-hidden', text: kinds }),
  );
  mark.title = kinds;
  return mark;
}

function linesOf(item: ContextItemView, strings: ViewStrings): string | undefined {
  const { startLine, endLine } = item;
  if (startLine === undefined) return undefined;
  if (endLine === undefined || endLine === startLine) return fill(strings.line, startLine);
  return fill(strings.lines, startLine, endLine);
}

function shortLines({ startLine, endLine }: ContextItemView): string {
  if (startLine === undefined) return '';
  return endLine === undefined || endLine === startLine
    ? String(startLine)
    : `${startLine}–${endLine}`;
}

interface AttachmentListSettings {
  readonly strings: ViewStrings;
  readonly onRemove: (attachmentId: string) => void;
  readonly onRemovePage: () => void;
  readonly onRemovePackage: () => void;
  /** Called when the last chip is removed while it has the focus. */
  readonly onEmptied: () => void;
}

/** Files, page and package that go along with a question. */
interface Attached {
  readonly files: readonly AttachmentView[];
  /** Path of the docs page that it is about. */
  readonly page: string | undefined;
  /** Name of the installed package that it is narrowed to. */
  readonly package: string | undefined;
}

/** Shows the files of the next question, and the docs page and the package that it is about, as chips. */
export class AttachmentList {
  readonly #settings: AttachmentListSettings;
  readonly #chips: ChipList;
  #shown: Attached = { files: [], page: undefined, package: undefined };

  constructor(settings: AttachmentListSettings) {
    this.#settings = settings;
    this.#chips = new ChipList({
      class: 'context-items attachments',
      label: settings.strings.attachments,
      onEmptied: settings.onEmptied,
    });
  }

  get element(): HTMLElement {
    return this.#chips.element;
  }

  update({ files, page, package: narrowed }: Attached): void {
    const before = this.#shown;
    if (files === before.files && page === before.page && narrowed === before.package) return;
    this.#shown = { files, page, package: narrowed };
    this.#chips.update([
      ...(narrowed === undefined ? [] : [this.#packageChip(narrowed)]),
      ...(page === undefined ? [] : [this.#pageChip(page)]),
      ...files.map((file) => this.#fileChip(file)),
    ]);
  }

  #fileChip(file: AttachmentView): Chip {
    const { id, filename, mediaType, sizeBytes } = file;
    const { strings, onRemove } = this.#settings;
    const name = visibleLine(filename);
    const size = sizeText(sizeBytes);
    return this.#chip({
      id,
      icon: iconOf(mediaType),
      label: name,
      detail: size,
      title: `${name}\n${mediaType}, ${size}`,
      removeLabel: fill(strings.removeAttachment, name),
      remove: () => onRemove(id),
      mark: secretMark(file, strings),
    });
  }

  #packageChip(narrowed: string): Chip {
    const { strings, onRemovePackage } = this.#settings;
    const name = visibleLine(narrowed);
    return this.#chip({
      id: 'package',
      icon: 'package',
      label: name,
      detail: '',
      title: fill(strings.package, name),
      removeLabel: fill(strings.removePackage, name),
      remove: () => onRemovePackage(),
    });
  }

  #pageChip(page: string): Chip {
    const { strings, onRemovePage } = this.#settings;
    const name = visibleLine(page);
    return this.#chip({
      id: 'page',
      icon: 'book',
      label: name,
      detail: '',
      title: fill(strings.page, name),
      removeLabel: fill(strings.removePage, name),
      remove: () => onRemovePage(),
    });
  }

  #chip(parts: {
    readonly id: string;
    readonly icon: string;
    readonly label: string;
    readonly detail: string;
    readonly title: string;
    readonly removeLabel: string;
    readonly remove: () => void;
    readonly mark?: HTMLElement | false;
  }): Chip {
    const shown = element(
      'span',
      { class: 'chip-shown' },
      icon(parts.icon),
      element('bdi', { class: 'chip-label', text: parts.label }),
      element('span', { class: 'chip-lines', text: parts.detail }),
    );
    shown.title = parts.title;
    const removal = { label: parts.removeLabel, remove: parts.remove };
    return createChip(parts.id, shown, parts.mark, removal);
  }
}

function iconOf(mediaType: string): string {
  if (mediaType.startsWith('image/')) return 'file-media';
  return mediaType === 'application/pdf' ? 'file-pdf' : 'file-text';
}
