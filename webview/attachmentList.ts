import { readableSize } from '../src/shared/readableSize';
import type { AttachmentView } from '../src/shared/uiMessage';
import { fill, type ViewStrings } from '../src/shared/viewStrings';
import { ChipList, createChip, type Chip } from './chipList';
import { element, icon, visibleText } from './dom';

interface AttachmentListSettings {
  readonly strings: ViewStrings;
  readonly onRemove: (attachmentId: string) => void;
  readonly onRemovePage: () => void;
  /** The last chip went while the focus was on it. */
  readonly onEmptied: () => void;
}

/** The files of the next question and the page that it is about, as chips. */
export class AttachmentList {
  readonly #settings: AttachmentListSettings;
  readonly #chips: ChipList;
  #files: readonly AttachmentView[] = [];
  #page: string | undefined;

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

  update(files: readonly AttachmentView[], page: string | undefined): void {
    if (files === this.#files && page === this.#page) return;
    this.#files = files;
    this.#page = page;
    this.#chips.update([
      ...(page === undefined ? [] : [this.#pageChip(page)]),
      ...files.map((file) => this.#fileChip(file)),
    ]);
  }

  #fileChip({ id, filename, mediaType, sizeBytes }: AttachmentView): Chip {
    const { strings, onRemove } = this.#settings;
    const name = visibleText(filename);
    const size = readableSize(sizeBytes);
    return this.#chip({
      icon: iconOf(mediaType),
      label: name,
      detail: size,
      title: `${name}\n${mediaType}, ${size}`,
      removeLabel: fill(strings.removeAttachment, name),
      remove: () => onRemove(id),
    });
  }

  #pageChip(page: string): Chip {
    const { strings, onRemovePage } = this.#settings;
    const name = visibleText(page);
    return this.#chip({
      icon: 'book',
      label: name,
      detail: '',
      title: fill(strings.page, name),
      removeLabel: fill(strings.removePage, name),
      remove: () => onRemovePage(),
    });
  }

  #chip(parts: {
    readonly icon: string;
    readonly label: string;
    readonly detail: string;
    readonly title: string;
    readonly removeLabel: string;
    readonly remove: () => void;
  }): Chip {
    const shown = element(
      'span',
      { class: 'chip-shown' },
      icon(parts.icon),
      element('bdi', { class: 'chip-label', text: parts.label }),
      element('span', { class: 'chip-lines', text: parts.detail }),
    );
    shown.title = parts.title;
    return createChip(shown, { label: parts.removeLabel, remove: parts.remove });
  }
}

function iconOf(mediaType: string): string {
  if (mediaType.startsWith('image/')) return 'file-media';
  return mediaType === 'application/pdf' ? 'file-pdf' : 'file-text';
}
