import { fill, type ViewStrings } from '../../src/shared/viewStrings';
import { element, visibleText } from '../dom';
import { createButton } from '../toolkit';

/** What can be done with a code block, each with its exact text. */
export interface CodeActions {
  copy(code: string): Promise<boolean>;
  insert(code: string): void;
  open(code: string, language: string): void;
}

/**
 * Lines and characters laid out together: when code grows, only the last piece is laid out again.
 * A longer line breaks at the end of its piece, for the eye only.
 */
const LINES_PER_PIECE = 100;
const CHARACTERS_PER_PIECE = 10_000;

/** Names that people write for languages after a fence, as they are read. */
const languageNames: Readonly<Record<string, string>> = {
  bash: 'Shell',
  c: 'C',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  curl: 'cURL',
  dockerfile: 'Dockerfile',
  go: 'Go',
  html: 'HTML',
  java: 'Java',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  jsonc: 'JSON',
  jsx: 'JSX',
  kotlin: 'Kotlin',
  markdown: 'Markdown',
  md: 'Markdown',
  mdx: 'MDX',
  php: 'PHP',
  powershell: 'PowerShell',
  py: 'Python',
  python: 'Python',
  rb: 'Ruby',
  ruby: 'Ruby',
  rs: 'Rust',
  rust: 'Rust',
  sh: 'Shell',
  shell: 'Shell',
  sql: 'SQL',
  swift: 'Swift',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
  zsh: 'Shell',
};

const blocksByElement = new WeakMap<Node, CodeBlock>();

/** Code with its language and its buttons. */
export class CodeBlock {
  readonly element: HTMLElement;
  readonly #strings: ViewStrings;
  readonly #name: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #content: HTMLElement;
  #code = '';
  #language: string | undefined;
  #lastPiece: Text | undefined;
  #linesInLastPiece = 0;
  #charactersInLastPiece = 0;

  constructor(strings: ViewStrings, actions: CodeActions) {
    this.#strings = strings;
    this.#name = element('span', { class: 'code-language' });
    this.#content = element('code');
    this.#scroller = element('pre', { class: 'code-text' }, this.#content);
    this.#scroller.tabIndex = 0;
    const copy = createButton({
      label: strings.copy,
      icon: 'copy',
      appearance: 'icon',
      onClick: () => {
        void actions.copy(this.#code).then((isCopied) => {
          if (!isCopied) return;
          copy.setLabel(strings.copied, 'check');
          setTimeout(() => copy.setLabel(strings.copy, 'copy'), 2_000);
        });
      },
    });
    const insert = createButton({
      label: strings.insertAtCursor,
      icon: 'insert',
      appearance: 'icon',
      onClick: () => actions.insert(this.#code),
    });
    const open = createButton({
      label: strings.newFile,
      icon: 'new-file',
      appearance: 'icon',
      onClick: () => actions.open(this.#code, this.#language ?? ''),
    });
    this.element = element(
      'div',
      { class: 'code-block' },
      element(
        'div',
        { class: 'code-header' },
        this.#name,
        element('span', { class: 'code-actions' }, copy.element, insert.element, open.element),
      ),
      this.#scroller,
    );
    blocksByElement.set(this.element, this);
  }

  /** The block that the element belongs to. */
  static of(node: Node): CodeBlock | undefined {
    return blocksByElement.get(node);
  }

  /** Fast where the code only got longer. */
  update(language: string, code: string): void {
    if (language !== this.#language) this.#setLanguage(language);
    if (code === this.#code) return;
    if (!code.startsWith(this.#code)) {
      this.#content.replaceChildren();
      this.#code = '';
      this.#lastPiece = undefined;
    }
    this.#append(code.slice(this.#code.length));
    this.#code = code;
  }

  #setLanguage(language: string): void {
    this.#language = language;
    const shown = visibleText(language);
    // A null prototype is not needed: only own names of the table are read.
    const name = Object.hasOwn(languageNames, shown.toLowerCase())
      ? languageNames[shown.toLowerCase()]
      : undefined;
    const label = name ?? (shown === '' ? this.#strings.plainText : shown);
    this.#name.textContent = label;
    this.#scroller.setAttribute('role', 'region');
    this.#scroller.setAttribute('aria-label', fill(this.#strings.codeIn, label));
  }

  #append(text: string): void {
    let rest = text;
    while (rest !== '') {
      const room = CHARACTERS_PER_PIECE - this.#charactersInLastPiece;
      if (!this.#lastPiece || room <= 0 || this.#linesInLastPiece >= LINES_PER_PIECE) {
        this.#lastPiece = document.createTextNode('');
        this.#content.append(element('span', { class: 'code-piece' }, this.#lastPiece));
        this.#linesInLastPiece = this.#charactersInLastPiece = 0;
        continue;
      }
      let end = 0;
      while (end < Math.min(room, rest.length) && this.#linesInLastPiece < LINES_PER_PIECE) {
        const lineBreak = rest.indexOf('\n', end);
        end = lineBreak < 0 ? rest.length : lineBreak + 1;
        if (lineBreak >= 0) this.#linesInLastPiece++;
      }
      // Never between the halves of a character outside the basic plane.
      if (end > room) end = /[\ud800-\udbff]/.test(rest.charAt(room - 1)) ? room + 1 : room;
      this.#lastPiece.appendData(rest.slice(0, end));
      this.#charactersInLastPiece += end;
      rest = rest.slice(end);
    }
  }
}
