/** Shows the parts of a reply. Each kind of part has a view. */
import type { MessagePart, ReasoningPart, SearchPart, TextPart } from '../../src/shared/uiMessage';
import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { CodeBlock, type CodeActions } from '../code/codeBlock';
import { codeHighlighting } from '../code/codeHighlighting';
import { element, icon, setHidden, visibleLine } from '../dom';
import { whenIdle } from '../frames';
import type { CitationIndex } from '../markdown/citations';
import { MarkdownView } from '../markdown/markdownView';
import { createProgressRing } from '../toolkit';
import type { ViewContext } from '../viewActions';
import { sourceRows } from './sourceList';

interface PartState {
  /**
   * Text that was appended to the part since its last update, or undefined if the part is another
   * one.
   */
  readonly added: string | undefined;
  /** Whether this is the last part, to which the service may still add. */
  readonly isLast: boolean;
  readonly isReplyRunning: boolean;
}

/** Shows one part. `update` gets only parts of the type that the view was created for. */
export interface PartView {
  readonly element: HTMLElement;
  update(part: MessagePart, state: PartState): void;
  setCitations?(citations: CitationIndex): void;
}

/** Returns a view of the part, or undefined for a step and for what is listed below the reply. */
export function createPartView(part: MessagePart, context: ViewContext): PartView | undefined {
  switch (part.type) {
    case 'text':
      return new TextView(context, part.role === 'more');
    case 'reasoning':
      return new ReasoningView(context);
    case 'search':
      return new SearchView(context.strings);
    // The view shows what happened in a step, not the step itself.
    case 'step-start':
    case 'source-url':
    case 'file':
    case 'proof':
      return undefined;
  }
}

function createMarkdown(context: ViewContext): MarkdownView {
  const { actions, strings } = context;
  const codeActions: CodeActions = {
    copy: (code) => actions.copy(code),
    insert: (code) => actions.insertCode(code),
    open: (code, language) => actions.openCode(code, language),
    run: (code, language) => actions.runCode(code, language),
    save: (code, language) => actions.saveCode(code, language),
    canReplace: (block) => context.hasAskedCode(messageIdOf(block)),
    replace: (block, code) => actions.replaceSelection(messageIdOf(block), code),
    reportFailure: (error) => context.reportFailure(error),
    highlighting: codeHighlighting(actions),
  };
  return new MarkdownView({
    strings,
    createCode: () => new CodeBlock(strings, codeActions),
    drawMath: (formula) => {
      import('../markdown/math').then(
        (loaded) => loaded.drawFormula(formula, strings.formula),
        (error: unknown) => context.reportFailure(error),
      );
    },
  });
}

/**
 * Markdown that together contains every kind of block and inline markup. Each sample compiles
 * within a frame.
 */
const samples = [
  'Some **words** of `code`, [a link](https://example.com/).',
  '## Title\n\n1. One\n\n> Two',
  '| A | B |\n| - | - |\n| 1 | 2 |',
];

/**
 * Has the browser compile the code that draws text while the page is idle. Otherwise the first
 * words of a reply would wait for it.
 */
export function warmUp(context: ViewContext): void {
  for (const sample of samples)
    whenIdle(() => createMarkdown(context).update(sample, undefined, false));
}

/** Returns the ID of the message that holds the element. */
function messageIdOf(held: Element): string {
  return held.closest<HTMLElement>('[data-message-id]')?.dataset['messageId'] ?? '';
}

class TextView implements PartView {
  readonly #markdown: MarkdownView;
  readonly element: HTMLElement;

  /** @param isMore whether the text only adds to the reply before it. It is folded then. */
  constructor(context: ViewContext, isMore: boolean) {
    this.#markdown = createMarkdown(context);
    this.element = isMore
      ? folded(this.#markdown, context.strings.showMore)
      : this.#markdown.element;
  }

  update(part: TextPart, { added, isReplyRunning }: PartState): void {
    this.#markdown.update(part.text, added, !isReplyRunning);
  }

  setCitations(citations: CitationIndex): void {
    this.#markdown.setCitations(citations);
  }
}

function folded(markdown: MarkdownView, label: string): HTMLElement {
  const summary = element('summary', {}, icon('chevron-right'), element('span', { text: label }));
  return element('details', { class: 'more-text' }, summary, markdown.element);
}

/** Shows reasoning, folded. Its text is drawn only while it is unfolded. */
class ReasoningView implements PartView {
  readonly element: HTMLDetailsElement;
  readonly #markdown: MarkdownView;
  readonly #strings: ViewStrings;
  readonly #label = element('span');
  #part: ReasoningPart | undefined;
  /** Text to append to what is drawn, or undefined if all of it must be drawn. */
  #waiting: string | undefined;
  #isBlank = true;
  #isRunning = false;

  constructor(context: ViewContext) {
    this.#strings = context.strings;
    this.#markdown = createMarkdown(context);
    this.element = element(
      'details',
      { class: 'reasoning' },
      element('summary', {}, icon('chevron-right'), this.#label),
      this.#markdown.element,
    );
    this.element.addEventListener('toggle', () => this.#draw());
  }

  update(part: ReasoningPart, { added, isLast, isReplyRunning }: PartState): void {
    this.#part = part;
    if (added === undefined) this.#waiting = undefined;
    else if (this.#waiting !== undefined) this.#waiting += added;
    if (added === undefined) this.#isBlank = true;
    this.#isBlank &&= !/\S/.test(added ?? part.text);
    this.#isRunning = isReplyRunning;
    const isThinking = isLast && isReplyRunning;
    this.#label.textContent = isThinking ? this.#strings.reasoningRunning : this.#strings.reasoning;
    this.element.classList.toggle('is-running', isThinking);
    // Services send empty reasoning if they keep it to themselves.
    setHidden(this.element, this.#isBlank && !isThinking);
    this.#draw();
  }

  #draw(): void {
    if (!this.element.open || !this.#part) return;
    this.#markdown.update(this.#part.text, this.#waiting, !this.#isRunning);
    this.#waiting = '';
  }
}

/** Most characters of a query that are shown. */
const MAX_QUERY = 200;

function shortened(query: string): string {
  const characters = Array.from(query);
  return characters.length <= MAX_QUERY ? query : `${characters.slice(0, MAX_QUERY - 1).join('')}…`;
}

/** Shows a search in one line, which opens to the pages that it found. */
class SearchView implements PartView {
  readonly element = element('div', { class: 'searched' });
  readonly #strings: ViewStrings;
  readonly #results = element('ol', { class: 'source-list search-results' });
  #details: HTMLDetailsElement | undefined;
  #part: SearchPart | undefined;
  #citations: CitationIndex | undefined;

  constructor(strings: ViewStrings) {
    this.#strings = strings;
  }

  update(part: SearchPart, { isReplyRunning }: PartState): void {
    this.#part = part;
    const isRunning = part.state === 'running' && isReplyRunning;
    const text = element('span', {
      text: this.#sentence(part, isRunning),
      attributes: { dir: 'auto' },
    });
    if ((part.sourceIds?.length ?? 0) > 0) {
      this.#details ??= element('details', {}, element('summary'), this.#results);
      this.#details.firstElementChild?.replaceChildren(icon('search'), text, icon('chevron-right'));
      if (!this.#details.isConnected) this.element.replaceChildren(this.#details);
      this.#list();
      return;
    }
    this.#details = undefined;
    const sign =
      part.state === 'failed' ? icon('warning') : isRunning ? createProgressRing() : icon('search');
    this.element.replaceChildren(element('p', { class: 'search-line' }, sign, text));
  }

  setCitations(citations: CitationIndex): void {
    this.#citations = citations;
    this.#list();
  }

  #list(): void {
    const ids = this.#part?.sourceIds ?? [];
    const found = new Set(ids.flatMap((id) => this.#citations?.withId(id) ?? []));
    this.#results.replaceChildren(...sourceRows([...found]));
  }

  #sentence({ state, query, resultCount }: SearchPart, isRunning: boolean): string {
    const strings = this.#strings;
    const asked = shortened(visibleLine(query ?? ''));
    const named = (text: string, plain: string): string =>
      asked === '' ? plain : fill(text, asked);
    if (state === 'failed') return named(strings.searchFailed, strings.searchFailedPlain);
    if (isRunning) return named(strings.searching, strings.searchingPlain);
    const searched = named(strings.searched, strings.searchedPlain);
    if (resultCount === undefined) return searched;
    if (resultCount === 0) return fill(strings.searchNoResults, searched);
    if (resultCount === 1) return fill(strings.searchResult, searched);
    return fill(strings.searchResults, searched, resultCount);
  }
}
