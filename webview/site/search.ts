/** The box itself: a dialog with a field, what the search finds, and the answer. Loaded when somebody opens it. */
import { visibleLine, element, isComposing } from '../dom';
import { fill } from '../../src/shared/fill';
import type { AskFilter } from '../../src/shared/askFilter';
import { boxGlobals, type BoxFiles, type BoxPlaces, loadScript, opensBeside } from './boxScripts';
import { boxTexts } from './boxTexts';
import { buttonTexts } from './buttonTexts';
import boxStyles from './box.css';
import { findSections, type FoundSection, type TextPiece } from './foundSections';
import { SearchCount } from './searchCount';
import { answerGlobals, type Answers, choices, filterOf, SiteIndex } from './siteIndex';
import { styleSheetOf } from './styleSheet';

/** Words from which a text counts as a question. */
const QUESTION_WORDS = 5;

class SearchBox {
  readonly #texts = boxTexts();
  readonly #site: SiteIndex;
  readonly #places: BoxPlaces;
  readonly #files: BoxFiles;
  readonly #counts: SearchCount;
  readonly #dialog: HTMLDialogElement;
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #status: HTMLElement;
  readonly #answer: HTMLElement;
  readonly #filters: HTMLElement;
  readonly #foot = element('div');
  /** Keys of the search. */
  readonly #hint: HTMLElement;
  #version: HTMLSelectElement | undefined;
  #language: HTMLSelectElement | undefined;
  #options: HTMLAnchorElement[] = [];
  #active = -1;
  /** Text whose results are listed. Undefined while a search runs, and after one that failed. */
  #listed: string | undefined;
  /** Number of the search whose best result the reader has asked for before it came. */
  #entered = 0;
  #answers: Answers | undefined;
  /** Number of the search or answer that runs. What an earlier one finds is not shown. */
  #run = 0;

  constructor(root: ShadowRoot, places: BoxPlaces, files: BoxFiles) {
    const texts = this.#texts;
    this.#site = new SiteIndex(places);
    this.#places = places;
    this.#files = files;
    this.#counts = new SearchCount(places);
    this.#input = element('input', {
      class: 'field',
      attributes: {
        type: 'text',
        role: 'combobox',
        'aria-label': texts.label,
        'aria-autocomplete': 'list',
        'aria-expanded': 'false',
        'aria-controls': 'results',
        autocomplete: 'off',
        autocapitalize: 'off',
        spellcheck: 'false',
        enterkeyhint: 'search',
        maxlength: '1000',
        placeholder: texts.placeholder,
        dir: 'auto',
      },
    });
    this.#list = element('div', {
      class: 'results',
      attributes: { id: 'results', role: 'listbox', 'aria-label': texts.list },
    });
    this.#status = element('p', { class: 'status', attributes: { role: 'status' } });
    this.#answer = element('section', {
      class: 'answer',
      attributes: { 'aria-label': texts.answer, tabindex: '-1' },
    });
    this.#answer.hidden = true;
    this.#filters = element('div', { class: 'filters' });
    this.#hint = element('p', {
      class: 'hint',
      text: texts.hint,
      attributes: { 'aria-hidden': 'true' },
    });
    const close = element('button', {
      class: 'close',
      text: '✕',
      attributes: { type: 'button', 'aria-label': texts.close, title: texts.close },
    });
    close.addEventListener('click', () => this.#dialog.close());
    this.#dialog = element(
      'dialog',
      { class: 'box', attributes: { 'aria-label': texts.label } },
      element('div', { class: 'head' }, this.#input, close),
      this.#filters,
      this.#status,
      element('div', { class: 'body', attributes: { tabindex: '-1' } }, this.#list, this.#answer),
      this.#foot,
      this.#hint,
    );
    let isPressedAround = false;
    this.#dialog.addEventListener('pointerdown', ({ target }) => {
      // The dialog itself is only where its content isn't: around it.
      isPressedAround = target === this.#dialog;
    });
    this.#dialog.addEventListener('click', ({ target }) => {
      // Text that is selected up to around the dialog ends in a click there.
      if (isPressedAround && target === this.#dialog) this.#dialog.close();
    });
    this.#dialog.addEventListener('close', () => this.#answers?.stop());
    this.#input.addEventListener('input', () => this.#search());
    this.#dialog.addEventListener('keydown', (event) => this.#onKey(event));
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styleSheetOf(boxStyles)];
    root.append(this.#dialog);
    void this.#showFilters();
  }

  open(typed: string): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#input.focus();
    if (typed === '') this.#input.select();
    else {
      this.#input.value = typed;
      this.#search();
    }
  }

  async #showFilters(): Promise<void> {
    try {
      const { versions, languages } = await this.#site.run('', choices);
      const nameOf = (tag: string): string => {
        try {
          return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;
        } catch {
          return tag;
        }
      };
      this.#version = this.#select(this.#texts.version, versions, (version) => version);
      this.#language = this.#select(this.#texts.language, languages, nameOf);
    } catch {
      this.#status.textContent = buttonTexts().failed;
    }
  }

  #select(
    label: string,
    values: readonly string[],
    nameOf: (value: string) => string,
  ): HTMLSelectElement | undefined {
    if (values.length === 0) return undefined;
    const select = element(
      'select',
      {},
      element('option', { text: this.#texts.all, attributes: { value: '' } }),
      ...values.map((value) =>
        element('option', { text: visibleLine(nameOf(value)), attributes: { value } }),
      ),
    );
    select.addEventListener('change', () => this.#search());
    this.#filters.append(element('label', {}, element('span', { text: label }), select));
    return select;
  }

  get #filter(): AskFilter | undefined {
    return filterOf(this.#version?.value ?? '', this.#language?.value ?? '');
  }

  #search(): void {
    const run = ++this.#run;
    const text = this.#input.value;
    this.#listed = undefined;
    this.#hideAnswer();
    if (text.trim() === '') {
      this.#show([], '');
      this.#status.textContent = '';
      return;
    }
    if (this.#options.length === 0) this.#status.textContent = this.#texts.searching;
    this.#site
      .run(text, (index) => findSections(this.#site, index, text, this.#filter))
      .then(
        (found) => {
          if (run !== this.#run) return;
          this.#show(found, text);
          this.#counts.note(text, found.length > 0);
          if (run === this.#entered) this.#choose();
        },
        () => {
          if (run === this.#run) this.#status.textContent = buttonTexts().failed;
        },
      );
  }

  #show(found: readonly FoundSection[], text: string): void {
    const { ask, noResults, oneResult, results } = this.#texts;
    const question = visibleLine(text);
    this.#listed = text;
    this.#options = [];
    if (question !== '') {
      const option = this.#option('', [
        element('span', { class: 'ask', text: fill(ask, question) }),
      ]);
      option.removeAttribute('href');
      option.addEventListener('click', () => this.#ask());
    }
    for (const section of found) {
      const { title, headings, path, slug, version, snippet } = section;
      const place = [title, ...headings].map(visibleLine).join(' › ');
      const option = this.#option(this.#site.urlOf(path, slug), [
        element(
          'span',
          { class: 'place' },
          element('bdi', { class: 'title', text: place }),
          ...(version === undefined
            ? []
            : [element('bdi', { class: 'version', text: visibleLine(version) })]),
        ),
        element(
          'span',
          { class: 'snippet', attributes: { dir: 'auto' } },
          ...snippet.map(pieceNode),
        ),
      ]);
      option.addEventListener('click', (event) => {
        if (!opensBeside(event)) this.#dialog.close();
      });
    }
    this.#list.replaceChildren(...this.#options);
    this.#input.setAttribute('aria-expanded', String(this.#options.length > 0));
    const isQuestion = /[?？؟]\s*$/.test(text) || text.trim().split(/\s+/).length >= QUESTION_WORDS;
    this.#activate(found.length > 0 && !isQuestion ? 1 : this.#options.length > 0 ? 0 : -1);
    this.#status.textContent =
      found.length === 0
        ? question === ''
          ? ''
          : noResults
        : found.length === 1
          ? oneResult
          : fill(results, found.length);
  }

  #option(url: string, children: readonly Node[]): HTMLAnchorElement {
    const option = element(
      'a',
      {
        class: 'option',
        attributes: {
          role: 'option',
          id: `result-${this.#options.length}`,
          'aria-selected': 'false',
          tabindex: '-1',
          href: url,
        },
      },
      ...children,
    );
    this.#options.push(option);
    return option;
  }

  #activate(active: number): void {
    for (const option of this.#options) option.setAttribute('aria-selected', 'false');
    this.#active = active;
    const option = this.#options[active];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) this.#input.setAttribute('aria-activedescendant', option.id);
    else this.#input.removeAttribute('aria-activedescendant');
  }

  #onKey(event: KeyboardEvent): void {
    // Keys of the box are not those of the site.
    event.stopPropagation();
    if (event.target !== this.#input || isComposing(event)) return;
    const count = this.#options.length;
    const { key } = event;
    const isArrow = key === 'ArrowDown' || key === 'ArrowUp';
    // An answer hides the results. A key first brings them back, and Enter asks again.
    if (isArrow && !this.#answer.hidden) this.#hideAnswer();
    else if (key === 'Enter' && (event.ctrlKey || event.metaKey || !this.#answer.hidden))
      this.#ask();
    else if (key === 'Enter') this.#enter();
    else if (key === 'ArrowDown' && count > 0) this.#activate((this.#active + 1) % count);
    else if (key === 'ArrowUp' && count > 0) this.#activate((this.#active - 1 + count) % count);
    else return;
    event.preventDefault();
  }

  /** Chooses the marked result, also if it is still to come. What is listed then belongs to an earlier text. */
  #enter(): void {
    if (this.#listed === this.#input.value) this.#choose();
    else {
      this.#search();
      this.#entered = this.#run;
    }
  }

  #choose(): void {
    this.#options[this.#active]?.click();
  }

  #ask(): void {
    const question = this.#input.value.trim();
    if (question === '') return;
    const run = ++this.#run;
    this.#status.textContent = this.#texts.answering;
    this.#openAnswers().then(
      (answers) => {
        if (run !== this.#run) return;
        this.#showAnswers(answers);
        return answers.begin(question, this.#filter);
      },
      () => {
        if (run === this.#run) this.#status.textContent = buttonTexts().failed;
      },
    );
  }

  async #openAnswers(): Promise<Answers> {
    const { folder } = this.#places;
    const { answer, service } = this.#files;
    if (!answerGlobals().docsAssistantAnswers) await loadScript(folder + answer);
    this.#answers ??= answerGlobals().docsAssistantAnswers?.({
      site: this.#site,
      folder,
      service,
      onStatus: (text) => {
        if (!this.#answer.hidden) this.#status.textContent = text;
      },
      onLeave: () => this.#dialog.close(),
    });
    if (!this.#answers) throw new Error('The script that answers is damaged');
    return this.#answers;
  }

  #showAnswers(answers: Answers): void {
    const back = element('button', {
      class: 'back',
      text: this.#texts.back,
      attributes: { type: 'button' },
    });
    back.addEventListener('click', ({ detail }) => {
      // The second click of a double click on the question comes here.
      if (detail > 1) return;
      this.#hideAnswer();
      this.#input.focus();
    });
    this.#answer.replaceChildren(back, answers.element);
    this.#foot.replaceChildren(...(answers.followUp ? [answers.followUp] : []));
    this.#answer.hidden = false;
    this.#list.hidden = this.#hint.hidden = true;
    this.#input.setAttribute('aria-expanded', 'false');
    this.#input.removeAttribute('aria-activedescendant');
    this.#answer.focus();
  }

  #hideAnswer(): void {
    if (this.#answer.hidden) return;
    this.#answers?.stop();
    this.#status.textContent = '';
    this.#answer.hidden = true;
    this.#answer.replaceChildren();
    this.#foot.replaceChildren();
    this.#list.hidden = this.#hint.hidden = false;
    this.#input.setAttribute('aria-expanded', String(this.#options.length > 0));
    this.#activate(this.#active);
  }
}

function pieceNode({ text, isMarked }: TextPiece): Node {
  const shown = text.replace(/\s+/g, ' ');
  return isMarked ? element('mark', { text: shown }) : document.createTextNode(shown);
}

const boxes = new WeakMap<ShadowRoot, SearchBox>();

boxGlobals().docsAssistantSearch = (root, places, files, typed) => {
  let box = boxes.get(root);
  if (!box) {
    box = new SearchBox(root, places, files);
    boxes.set(root, box);
  }
  box.open(typed);
};
