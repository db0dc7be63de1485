import { fill, type ViewStrings } from '../../src/shared/viewStrings';
import { element, visibleText } from '../dom';
import { IconButton, createCopyButton } from '../iconButton';
import type { CodeHighlighting } from './codeHighlighting';
import { languageOf, type CodeLanguage, type GrammarName } from '../../src/shared/codeLanguages';
import { CodeText } from './codeText';

/** Actions on a code block. Each gets the exact text of the code. */
export interface CodeActions {
  copy(code: string): Promise<boolean>;
  insert(code: string): void;
  open(code: string, language: string): void;
  run(code: string, language: string): void;
  save(code: string, language: string): void;
  /**
   * Returns whether the question of the reply that holds the block included code from an editor.
   */
  canReplace(block: Element): boolean;
  /** Replaces the editor's code that the question was about. */
  replace(block: Element, code: string): void;
  /** Highlighter of code. Absent where code has no colors. */
  readonly highlighting?: CodeHighlighting;
}

const blocksByElement = new WeakMap<Node, CodeBlock>();

/** A code block with its language and its buttons. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly text = new CodeText();
  readonly #strings: ViewStrings;
  readonly #actions: CodeActions;
  readonly #name: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #header: HTMLElement;
  #written: string | undefined;
  #language: CodeLanguage | undefined;
  #isFinished = false;

  constructor(strings: ViewStrings, actions: CodeActions) {
    this.#strings = strings;
    this.#actions = actions;
    this.#name = element('span', { class: 'code-language' });
    this.#scroller = element('pre', { class: 'code-text' }, this.text.element);
    this.#scroller.tabIndex = 0;
    const copy = createCopyButton({
      strings,
      label: strings.copy,
      class: 'code-copy',
      copy: () => actions.copy(this.text.code),
    });
    const insert = new IconButton({
      label: strings.insertAtCursor,
      icon: 'insert',
      onClick: () => actions.insert(this.text.code),
    });
    const open = new IconButton({
      label: strings.newFile,
      icon: 'new-file',
      onClick: () => actions.open(this.text.code, this.language),
    });
    this.#header = element(
      'div',
      { class: 'code-header' },
      this.#name,
      element(
        'span',
        { class: 'code-actions' },
        copy.element,
        insert.element,
        open.element,
        createCodeMenu(strings.moreActions, () => this.#menuItems()),
      ),
    );
    this.element = element('div', { class: 'code-block' }, this.#header, this.#scroller);
    blocksByElement.set(this.element, this);
  }

  /** Returns the code block of an element. */
  static of(node: Node): CodeBlock | undefined {
    return blocksByElement.get(node);
  }

  /** Language as written after the fence. */
  get language(): string {
    return this.#written ?? '';
  }

  /** Name of the grammar, or undefined if the language has none. */
  get grammar(): GrammarName | undefined {
    return this.#language?.grammar;
  }

  /**
   * Updates the code. Appending is fast.
   * @param isFinished whether no more code will come. The last line is then highlighted too.
   */
  update(language: string, code: string, isFinished = false): void {
    const isNewLanguage = language !== this.#written;
    if (!isNewLanguage && code === this.text.code && isFinished === this.#isFinished) return;
    this.#isFinished = isFinished;
    if (isNewLanguage) this.#setLanguage(language);
    this.text.update(code, isFinished);
    this.#actions.highlighting?.watch(this);
  }

  #setLanguage(written: string): void {
    this.#written = written;
    const shown = visibleText(written);
    this.#language = languageOf(shown);
    // The code has to be highlighted again in the new language.
    this.text.clear();
    const label = this.#language?.name ?? (shown === '' ? this.#strings.plainText : shown);
    this.#name.textContent = label;
    this.#name.title = label;
    this.#scroller.setAttribute('role', 'region');
    this.#scroller.setAttribute('aria-label', fill(this.#strings.codeIn, label));
  }

  #menuItems(): CodeMenuItem[] {
    const { text, language } = this;
    const actions = this.#actions;
    const strings = this.#strings;
    const items: CodeMenuItem[] = [];
    if (actions.canReplace(this.element)) {
      items.push({
        label: strings.replaceSelection,
        run: () => actions.replace(this.element, text.code),
      });
    }
    if (this.#language?.shell) {
      items.push({ label: strings.runInTerminal, run: () => actions.run(text.code, language) });
    }
    items.push({ label: strings.saveAs, run: () => actions.save(text.code, language) });
    return items;
  }
}

/** One action in the menu of a code block. */
export interface CodeMenuItem {
  readonly label: string;
  readonly run: () => void;
}

/** Returns a button that opens a menu. The items are asked for each time the menu opens. */
export function createCodeMenu(label: string, items: () => readonly CodeMenuItem[]): HTMLElement {
  let menu: HTMLElement | undefined;
  const button = new IconButton({
    label,
    icon: 'ellipsis',
    class: 'code-more',
    onClick: () => {
      if (menu) close();
      else open();
    },
  });
  button.element.setAttribute('aria-haspopup', 'menu');
  button.element.setAttribute('aria-expanded', 'false');
  // An open menu would stay in place while the page scrolls below it.
  const onScroll = (event: Event): void => {
    if (event.target !== menu) close();
  };

  function open(): void {
    const opened = element(
      'div',
      { class: 'code-menu', attributes: { role: 'menu', 'aria-label': label, popover: 'manual' } },
      ...items().map((item) => {
        const entry = element('button', {
          text: item.label,
          attributes: { type: 'button', role: 'menuitem', tabindex: '-1' },
        });
        entry.addEventListener('click', () => {
          close();
          button.element.focus();
          item.run();
        });
        return entry;
      }),
    );
    menu = opened;
    opened.addEventListener('keydown', onKey);
    opened.addEventListener('focusout', ({ relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && opened.contains(relatedTarget);
      // The click on the button closes the menu itself.
      if (!isInside && relatedTarget !== button.element) close();
    });
    button.element.after(opened);
    opened.showPopover();
    place(opened, button.element);
    button.element.setAttribute('aria-expanded', 'true');
    focusItem(opened, 0);
    document.addEventListener('scroll', onScroll, { capture: true, passive: true });
    window.addEventListener('resize', close);
  }

  function close(): void {
    const closed = menu;
    if (!closed) return;
    // The menu must be unset first: removing the focused item fires `focusout`, which closes the
    // menu.
    menu = undefined;
    closed.remove();
    button.element.setAttribute('aria-expanded', 'false');
    document.removeEventListener('scroll', onScroll, { capture: true });
    window.removeEventListener('resize', close);
  }

  function onKey(event: KeyboardEvent): void {
    if (!menu) return;
    const entries = [...menu.children];
    const at = entries.findIndex((entry) => entry === document.activeElement);
    switch (event.key) {
      case 'ArrowDown':
        focusItem(menu, at + 1);
        break;
      case 'ArrowUp':
        focusItem(menu, at - 1);
        break;
      case 'Home':
        focusItem(menu, 0);
        break;
      case 'End':
        focusItem(menu, -1);
        break;
      case 'Escape':
      case 'Tab':
        close();
        button.element.focus();
        break;
      default:
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return button.element;
}

/** @param index wraps around at both ends. */
function focusItem(menu: HTMLElement, index: number): void {
  const count = menu.children.length;
  const entry = menu.children[(index + count) % count];
  if (entry instanceof HTMLElement) entry.focus({ preventScroll: true });
}

/** Places the menu below its button, or above it if there is more room, within the view. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const own = menu.getBoundingClientRect();
  const anchor = button.getBoundingClientRect();
  const isAbove = anchor.bottom + own.height > window.innerHeight && anchor.top > own.height;
  const left = Math.min(anchor.right - own.width, window.innerWidth - own.width);
  menu.style.left = `${Math.max(0, left)}px`;
  menu.style.top = `${isAbove ? anchor.top - own.height : anchor.bottom}px`;
}
