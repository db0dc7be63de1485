/** One view for each kind of part that stands in the flow of a reply. */
import type { MessagePart, ReasoningPart, SearchPart, TextPart } from '../src/shared/uiMessage';
import { fill, type ViewStrings } from '../src/shared/viewStrings';
import { element, icon, visibleText } from './dom';
import type { CitationIndex } from './markdown/citations';
import { codeHighlighting } from './markdown/codeHighlighting';
import { whenIdle } from './markdown/idle';
import { MarkdownView } from './markdown/markdownView';
import { createDivider, createProgressRing } from './toolkit';
import type { ViewContext } from './viewContext';

export interface PartState {
  /** The service may still add to this very part. */
  readonly isLast: boolean;
  readonly isReplyRunning: boolean;
}

/** Shows one part of one type; `update` gets parts of that type only. */
export interface PartView {
  readonly element: HTMLElement;
  update(part: MessagePart, state: PartState): void;
  setCitations?(citations: CitationIndex): void;
}

/** @returns undefined for parts that are listed below the reply: sources and files. */
export function createPartView(
  type: MessagePart['type'],
  context: ViewContext,
): PartView | undefined {
  switch (type) {
    case 'text':
      return new TextView(context);
    case 'reasoning':
      return new ReasoningView(context);
    case 'search':
      return new SearchView(context.strings);
    case 'step-start':
      return new StepView();
    case 'source-url':
    case 'file':
      return undefined;
  }
}

function createMarkdown(context: ViewContext): MarkdownView {
  const { actions, strings } = context;
  return new MarkdownView({
    strings,
    codeActions: {
      copy: (code) => actions.copy(code),
      insert: (code) => actions.insertCode(code),
      open: (code, language) => actions.openCode(code, language),
      run: (code, language) => actions.runCode(code, language),
      save: (code, language) => actions.saveCode(code, language),
      canReplace: (block) => context.hasAskedCode(messageIdOf(block)),
      replace: (block, code) => actions.replaceSelection(messageIdOf(block), code),
      highlighting: codeHighlighting(actions),
    },
    enrichers: {
      onMath: (formula) => {
        import('./markdown/math').then(
          (loaded) => loaded.drawFormula(formula, strings.formula),
          (error: unknown) => context.reportFailure(error),
        );
      },
    },
  });
}

/** Together of every kind of block and of text; each by itself is compiled within a frame. */
const samples = [
  'Some **words** of `code`, [a link](https://example.com/).',
  '## Title\n\n1. One\n\n> Two',
  '| A | B |\n| - | - |\n| 1 | 2 |',
];

/** Has the browser compile what draws text, while nobody waits: the first words of a reply would. */
export function warmUp(context: ViewContext): void {
  for (const sample of samples) whenIdle(() => createMarkdown(context).update(sample, false));
}

/** Of the message that holds the element. */
function messageIdOf(held: Element): string {
  return held.closest<HTMLElement>('[data-message-id]')?.dataset['messageId'] ?? '';
}

class TextView implements PartView {
  readonly #markdown: MarkdownView;
  readonly element: HTMLElement;

  constructor(context: ViewContext) {
    this.#markdown = createMarkdown(context);
    this.element = this.#markdown.element;
  }

  update(part: TextPart, { isReplyRunning }: PartState): void {
    this.#markdown.update(part.text, !isReplyRunning);
  }

  setCitations(citations: CitationIndex): void {
    this.#markdown.setCitations(citations);
  }
}

/** Folded; its text is drawn only while somebody looks at it. */
class ReasoningView implements PartView {
  readonly element: HTMLDetailsElement;
  readonly #markdown: MarkdownView;
  readonly #strings: ViewStrings;
  readonly #label = element('span');
  #part: ReasoningPart | undefined;
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

  update(part: ReasoningPart, { isLast, isReplyRunning }: PartState): void {
    this.#part = part;
    this.#isRunning = isReplyRunning;
    const isThinking = isLast && isReplyRunning;
    this.#label.textContent = isThinking ? this.#strings.reasoningRunning : this.#strings.reasoning;
    this.element.classList.toggle('is-running', isThinking);
    // Services send empty reasoning where they keep it to themselves.
    this.element.hidden = part.text.trim() === '' && !isThinking;
    this.#draw();
  }

  #draw(): void {
    if (this.element.open && this.#part) this.#markdown.update(this.#part.text, !this.#isRunning);
  }
}

class SearchView implements PartView {
  readonly element = element('p', { class: 'search-line' });
  readonly #strings: ViewStrings;

  constructor(strings: ViewStrings) {
    this.#strings = strings;
  }

  update(part: SearchPart, { isReplyRunning }: PartState): void {
    const isRunning = part.state === 'running' && isReplyRunning;
    const sign =
      part.state === 'failed' ? icon('warning') : isRunning ? createProgressRing() : icon('search');
    this.element.replaceChildren(
      sign,
      element('span', { text: this.#sentence(part), attributes: { dir: 'auto' } }),
    );
  }

  #sentence({ state, query, resultCount }: SearchPart): string {
    const strings = this.#strings;
    const asked = visibleText(query ?? '').slice(0, 200);
    if (state === 'failed') return strings.searchFailed;
    if (state === 'running' || resultCount === undefined) {
      return asked === '' ? strings.searchingPlain : fill(strings.searching, asked);
    }
    return asked === ''
      ? fill(strings.searchedPlain, resultCount)
      : fill(strings.searched, asked, resultCount);
  }
}

/** The label is set by the reply, which knows how many steps there are. */
export class StepView implements PartView {
  readonly #label = element('span', { class: 'step-label' });
  readonly element = element('div', { class: 'step' }, this.#label, createDivider());

  update(): void {
    // A step start has no content of its own.
  }

  setLabel(label: string): void {
    if (this.#label.textContent !== label) this.#label.textContent = label;
  }
}
