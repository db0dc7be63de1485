import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element, setAttribute, visibleLine } from '../dom';
import { IconButton, createCopyButton } from '../iconButton';
import type { CodeHighlighting } from './codeHighlighting';
import { languageOf, type CodeLanguage, type GrammarName } from '../../src/shared/codeLanguages';
import type { CodeMenuItem } from './codeMenu';
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
  /** Shows an error of loading what an action needs. */
  reportFailure(error: unknown): void;
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
    const more: IconButton = new IconButton({
      label: strings.moreActions,
      icon: 'ellipsis',
      class: 'code-more',
      onClick: () => {
        import('./codeMenu').then(
          ({ toggleCodeMenu }) => toggleCodeMenu(more.element, this.#menuItems()),
          (error: unknown) => actions.reportFailure(error),
        );
      },
    });
    setAttribute(more.element, 'aria-haspopup', 'menu');
    setAttribute(more.element, 'aria-expanded', 'false');
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
        more.element,
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
  update(language: string, code: string, isFinished: boolean): void {
    const isNewLanguage = language !== this.#written;
    if (!isNewLanguage && code === this.text.code && isFinished === this.#isFinished) return;
    this.#isFinished = isFinished;
    if (isNewLanguage) this.#setLanguage(language);
    this.text.update(code, isFinished);
    this.#actions.highlighting?.watch(this);
  }

  #setLanguage(written: string): void {
    this.#written = written;
    const shown = visibleLine(written);
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
