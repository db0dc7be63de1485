import { fill, type ViewStrings } from '../../src/shared/viewStrings';
import { element, visibleText } from '../dom';
import { IconButton } from '../iconButton';
import { createCopyButton } from '../messageToolbar';
import type { CodeHighlighting } from './codeHighlighting';
import { languageOf, type CodeLanguage, type GrammarName } from './codeLanguages';
import { createCodeMenu, type CodeMenuItem } from './codeMenu';
import { CodeText } from './codeText';

/** What can be done with a code block, each with its exact text. */
export interface CodeActions {
  copy(code: string): Promise<boolean>;
  insert(code: string): void;
  open(code: string, language: string): void;
  run(code: string, language: string): void;
  save(code: string, language: string): void;
  /** Whether the question of the reply that holds the block had code of an editor with it. */
  canReplace(block: Element): boolean;
  /** Puts the code in the place of that code. */
  replace(block: Element, code: string): void;
  /** Gives code its colours; absent where it has none. */
  readonly highlighting?: CodeHighlighting;
}

const blocksByElement = new WeakMap<Node, CodeBlock>();

/** Code with its language and its buttons. */
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

  /** The block that the element belongs to. */
  static of(node: Node): CodeBlock | undefined {
    return blocksByElement.get(node);
  }

  /** As it was written after the fence. */
  get language(): string {
    return this.#written ?? '';
  }

  /** Undefined for a language whose code stays without colours. */
  get grammar(): GrammarName | undefined {
    return this.#language?.grammar;
  }

  /**
   * Fast where the code only got longer.
   * @param isFinished no more of it will come: its last line gets its colours too
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
    // What was read as another language is read anew.
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
    if (this.#language?.isShell === true) {
      items.push({ label: strings.runInTerminal, run: () => actions.run(text.code, language) });
    }
    items.push({ label: strings.saveAs, run: () => actions.save(text.code, language) });
    return items;
  }
}
