/**
 * The whole view: header, conversation and composer. It is drawn from the store, at most once a
 * frame.
 */
import type { ErrorInfo } from '../src/shared/errorInfo';
import type { Overlay, SiteView } from '../src/shared/protocol';
import type { MessageView, ThreadView } from '../src/shared/uiMessage';
import type { ViewStrings } from '../src/shared/viewStrings';
import { languageOf } from '../src/shared/codeLanguages';
import { Composer } from './composer/composer';
import { element, icon, isComposing, setHidden, visibleLine } from './dom';
import type { FindInThread } from './find/findInThread';
import { whenIdle } from './frames';
import { HistoryToggle } from './history/historyToggle';
import { warmUp } from './reply/partViews';
import { ReplySpeaker, Announcer } from './reply/replySpeaker';
import { EmptyState } from './thread/emptyState';
import { ThreadElement } from './thread/threadView';
import type { ViewActions, ViewContext } from './viewActions';
import { QuestionEdits, type ViewState } from './viewState';
import { runningReply, type ShownView } from './viewStore';

interface ChatPanelSettings {
  readonly view: ShownView;
  readonly actions: ViewActions;
  /** State that the view stored before the last reload. */
  readonly stored: ViewState;
  hostNow(): number;
  reportFailure(error: unknown): void;
  onStateChange(): void;
}

export class ChatPanel {
  readonly #settings: ChatPanelSettings;
  readonly #context: ViewContext;
  readonly #root = element('div', { class: 'chat-panel' });
  readonly #announcer = new Announcer();
  readonly #edits: QuestionEdits;
  readonly #header: SiteHeader;
  readonly #empty: EmptyState;
  readonly #thread: ThreadElement;
  readonly #composer: Composer;
  readonly #history: HistoryToggle;
  readonly #speaker: ReplySpeaker;
  #spokenThread: string | undefined;
  #shown: ThreadView;
  #grown: ShownView['grown'] = new Map();
  #find: FindInThread | undefined;

  constructor(settings: ChatPanelSettings) {
    this.#settings = settings;
    this.#shown = settings.view.thread;
    this.#edits = new QuestionEdits(settings.stored.edits ?? [], () => settings.onStateChange());
    const context: ViewContext = (this.#context = {
      strings: settings.view.strings,
      actions: settings.actions,
      edits: this.#edits,
      hostNow: () => settings.hostNow(),
      hasAskedCode: (replyId) => hasAskedCode(this.#shown.messages, replyId),
      addedTo: (part, before) => {
        const growth = this.#grown.get(part);
        return growth?.from === before ? growth?.added : undefined;
      },
      reportFailure: (error) => settings.reportFailure(error),
    });
    this.#header = new SiteHeader(context);
    this.#empty = new EmptyState(context, {
      onSuggestion: (text) => {
        void this.#composer.submit(text);
        // The suggestions leave with the empty thread.
        this.#composer.focus();
      },
      onFocusLost: () => this.#composer.focus(),
    });
    this.#thread = new ThreadElement(context, this.#empty.element, {
      onAnnounce: (text) => this.#announcer.say(text),
      onScroll: () => settings.onStateChange(),
      onLeave: () => this.#composer.focus(),
    });
    this.#history = new HistoryToggle(context, {
      area: this.#thread.element,
      focusComposer: () => this.#composer.focus(),
    });
    this.#speaker = new ReplySpeaker({
      strings: context.strings,
      speak: (sentences) => this.#announcer.read(sentences),
      languageName: (word) => languageOf(word)?.name ?? visibleLine(word),
      reportFailure: (error) => settings.reportFailure(error),
    });
    this.#root.append(this.#header.element, this.#thread.element);
    document.body.replaceChildren(this.#root, this.#announcer.element);
    this.#composer = new Composer(context, this.#root, {
      onDraftChange: () => settings.onStateChange(),
      onSubmit: () => this.#history.hide(),
    });
    if (settings.stored.draft !== '') this.#composer.offer(settings.stored.draft);
    loadSourceCard(context, this.#root);
    warmUp(context);
    // Keys that are typed after Ctrl+F would go elsewhere while the find bar loads. Ctrl+F reports a failure.
    whenIdle(() => void loadFind().catch(() => undefined));
    this.#root.addEventListener('keydown', (event) => this.#history.onKey(event));
    document.addEventListener('keydown', (event) => this.#onKey(event));
    this.#root.addEventListener('click', (event) => this.#onClick(event));
    // A middle click would open a browser window without the checks of the host.
    this.#root.addEventListener('auxclick', (event) => this.#onClick(event));
    this.#root.addEventListener('dragstart', (event) => event.preventDefault());
    this.render(settings.view);
    if (settings.stored.scroll) this.#thread.restore(settings.stored.scroll);
  }

  get state(): ViewState {
    const edits = this.#edits.all;
    return { draft: this.#composer.unsent, edits, scroll: this.#thread.scrollState };
  }

  render(view: ShownView): void {
    const { site, thread, suggestions, contextItems, files, page, queued, questions, grown } = view;
    // A package that was chosen for other docs waits until they are asked again.
    const narrowed = site.hasPackages === true ? view.package : undefined;
    const runningReplyId = runningReply(view)?.id;
    this.#shown = thread;
    this.#grown = grown;
    this.#header.update(site, thread, narrowed);
    this.#history.update(thread);
    setHidden(this.#empty.element, thread.messages.length > 0);
    this.#empty.update(site, suggestions);
    // The last sentences of a reply must be announced before its end is.
    this.#speak(view);
    this.#thread.update(thread, runningReplyId !== undefined);
    this.#find?.update(thread);
    this.#composer.update({
      contextItems,
      files,
      page,
      package: narrowed,
      queued,
      questions,
      runningReplyId,
    });
  }

  focusComposer(text: string | undefined): void {
    this.#history.hide();
    if (text !== undefined) this.#composer.offer(text);
    this.#composer.focus();
  }

  showOverlay(overlay: Overlay): void {
    if (overlay === 'shortcuts') this.#showShortcuts();
    else if (overlay === 'request') this.#context.actions.showRequest(this.#composer.draft);
    else void this.#history.show();
  }

  showFailure(error: ErrorInfo | undefined): void {
    this.#composer.showNotice(error?.message ?? this.#settings.view.strings.actionFailed);
  }

  #speak(view: ShownView): void {
    const { thread } = view;
    const isOld = thread.id !== this.#spokenThread;
    this.#spokenThread = thread.id;
    const { replyId } = this.#speaker;
    const reply =
      runningReply(view) ??
      (replyId === undefined
        ? undefined
        : thread.messages.findLast((message) => message.id === replyId));
    if (reply?.role !== 'assistant') {
      this.#speaker.stop();
      return;
    }
    if (reply.id !== replyId) this.#announcer.clear();
    this.#speaker.update(reply, isOld);
  }

  #showShortcuts(): void {
    void this.#load(
      () => import('./shortcuts'),
      ({ showShortcuts }) => showShortcuts(this.#context.strings),
    );
  }

  #showFind(step: 1 | -1 | 0): void {
    void this.#load(loadFind, ({ FindInThread: Find }) => {
      this.#find ??= new Find(this.#context, this.#thread, () => this.#composer.focus());
      this.#find.show(step, this.#shown);
    });
  }

  /** Loads and shows something, unless a dialog is open in front of the panel. */
  async #load<Loaded>(load: () => Promise<Loaded>, show: (loaded: Loaded) => void): Promise<void> {
    const isCovered = (): boolean => document.querySelector('dialog[open]') !== null;
    if (isCovered()) return;
    try {
      const loaded = await load();
      if (!isCovered()) show(loaded);
    } catch (error: unknown) {
      this.#settings.reportFailure(error);
    }
  }

  #onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented || isComposing(event) || event.altKey) return;
    const step = findStep(event);
    if (step !== undefined) {
      event.preventDefault();
      // VS Code would open its own find widget at these keys.
      event.stopPropagation();
      if (this.#history.isShown) void this.#history.show();
      else this.#showFind(step);
      return;
    }
    const hasModifier = event.ctrlKey || event.metaKey;
    const [typedInto] = event.composedPath();
    const isText =
      typedInto instanceof HTMLTextAreaElement || typedInto instanceof HTMLInputElement;
    const isAsked = hasModifier ? event.key === '/' : event.key === '?' && !isText;
    if (!isAsked) return;
    event.preventDefault();
    this.#showShortcuts();
  }

  /** Handles clicks on links. The page never navigates: the host checks links and opens them. */
  #onClick(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!target || event.button > 1) return;
    event.preventDefault();
    // VS Code's own listener would open the link a second time, without asking the host.
    event.stopPropagation();
    const { actions } = this.#settings;
    const messageId = target.closest<HTMLElement>('[data-message-id]')?.dataset['messageId'];
    const sourceId = target.getAttribute('data-source-id');
    if (messageId !== undefined && sourceId !== null) actions.openSource(messageId, sourceId);
    else actions.openLink(target.getAttribute('href') ?? '');
  }
}

function hasAskedCode(messages: readonly MessageView[], replyId: string): boolean {
  const reply = messages.findIndex(({ id }) => id === replyId);
  const question = messages.slice(0, Math.max(0, reply)).findLast(({ role }) => role === 'user');
  return question?.role === 'user' && question.contextItems.some(({ type }) => type === 'code');
}

const loadFind = () => import('./find/findInThread');

type Telling = PointerEvent | FocusEvent;

/**
 * Loads the source card, which the first paint doesn't need: when the page is idle, or when the
 * pointer or the focus reaches a citation. The card then opens at once.
 */
function loadSourceCard(context: ViewContext, root: HTMLElement): void {
  const listeners = new AbortController();
  const { signal } = listeners;
  let last: Telling | undefined;
  let isLoading = false;
  const load = async (): Promise<void> => {
    if (isLoading) return;
    isLoading = true;
    try {
      const { SourceCard } = await import('./reply/sourceCard');
      listeners.abort();
      const card = new SourceCard(context, root);
      // The pointer may have moved elsewhere while the card was loading.
      if (last) card.catchUp(last);
    } catch (error: unknown) {
      isLoading = false;
      context.reportFailure(error);
    }
  };
  const note = (event: Telling): void => {
    last = event;
    const { target } = event;
    if (target instanceof Element && target.closest('[data-source-id]')) void load();
  };
  const forget = (): void => {
    last = undefined;
  };
  root.addEventListener('pointerover', note, { signal, passive: true });
  root.addEventListener('pointermove', note, { signal, passive: true });
  root.addEventListener('focusin', note, { signal });
  root.addEventListener('pointerleave', forget, { signal });
  root.addEventListener('focusout', forget, { signal });
  whenIdle(() => void load());
}

const answerIcons = { quotes: 'quote', vscode: 'sparkle', endpoint: 'server' } as const;

/**
 * Shows which docs answer, what writes the replies, how the docs are filtered, and the title of the
 * thread. The site can be switched here, and the writer of a local service changed.
 */
class SiteHeader {
  readonly element: HTMLElement;
  readonly #strings: ViewStrings;
  readonly #sign = element('span', { class: 'site-icon' });
  readonly #label = element('bdi', { class: 'site-label' });
  readonly #docs: HTMLButtonElement;
  readonly #answers: HTMLButtonElement;
  readonly #filter: HTMLButtonElement;
  readonly #title = element('bdi', { class: 'thread-title' });
  #shownTitle: string | undefined;
  #shownSite: SiteView | undefined;
  #shownPackage: string | undefined;

  constructor({ strings, actions }: ViewContext) {
    this.#strings = strings;
    const button = (action: 'switch-site' | 'answer-with' | 'filter-docs'): HTMLButtonElement => {
      const created = element('button', { class: `site-button ${action}` });
      created.addEventListener('click', () => actions.runAction(action));
      return created;
    };
    this.#docs = button('switch-site');
    this.#answers = button('answer-with');
    this.#filter = button('filter-docs');
    const name = element(
      'span',
      { class: 'site-name' },
      this.#docs,
      this.#answers,
      this.#filter,
      this.#title,
    );
    this.element = element(
      'header',
      { class: 'site-header' },
      element('h1', { class: 'visually-hidden', text: strings.assistant }),
      this.#sign,
      name,
    );
  }

  /** @param narrowed name of the installed package that the next question is narrowed to. */
  update(site: SiteView, thread: ThreadView, narrowed: string | undefined): void {
    if (thread.title !== this.#shownTitle) {
      this.#shownTitle = thread.title;
      const title = visibleLine(thread.title);
      setText(this.#title, title);
      this.#title.hidden = title === '';
    }
    if (site === this.#shownSite && narrowed === this.#shownPackage) return;
    this.#shownSite = site;
    this.#shownPackage = narrowed;
    const { isLocal, answersWith } = site;
    const strings = this.#strings;
    const label = narrowed === undefined ? site.label : `${site.label} › ${narrowed}`;
    setText(this.#label, label === '' ? strings.notConfigured : visibleLine(label));
    setButton(this.#docs, strings.switchSite, this.#label, icon('chevron-down'));
    this.#answers.hidden = !answersWith;
    if (answersWith) {
      const writer = element('bdi', { class: 'site-answers' });
      setText(writer, visibleLine(answersWith.label));
      setButton(this.#answers, strings.answerWith, icon(answerIcons[answersWith.kind]), writer);
    }
    this.#filter.hidden = !site.isConfigured;
    const filter = element('bdi', { class: 'site-filter', text: describeFilter(site) });
    setButton(this.#filter, strings.filterDocs, icon('filter'), filter);
    const sign = isLocal
      ? 'server-process'
      : site.isConfigured
        ? 'book'
        : site.unavailable
          ? 'circle-slash'
          : 'plug';
    this.#sign.replaceChildren(icon(sign));
  }
}

/** Shows a value in a button that changes it. Its name says what it does and what is chosen. */
function setButton(button: HTMLElement, action: string, ...children: readonly HTMLElement[]): void {
  button.replaceChildren(...children);
  const title = `${action} ${button.textContent}`.trim();
  button.title = title;
  button.setAttribute('aria-label', title);
  for (const child of children) child.removeAttribute('title');
}

/** Sets the text, and the tooltip that holds all of it where the row is too narrow. */
function setText(target: HTMLElement, text: string): void {
  target.textContent = text;
  target.title = text;
}

function describeFilter({ filter }: SiteView): string {
  return [filter.version, filter.language, ...(filter.groups ?? [])]
    .map((value) => visibleLine(value ?? ''))
    .filter((value) => value !== '')
    .join(', ');
}

/**
 * Returns what a key does to the search: 0 opens it (Ctrl+F, on a Mac Cmd+F), and 1 or -1 goes to
 * the next or previous match (F3, Shift+F3). Returns undefined for every other key.
 */
function findStep(event: KeyboardEvent): 1 | -1 | 0 | undefined {
  const { key, shiftKey, ctrlKey, metaKey } = event;
  if (key === 'F3') return shiftKey ? -1 : 1;
  // On a keyboard without Latin letters, the position of the key identifies it.
  const code = key > '~' ? event.code : `Key${key.toUpperCase()}`;
  const isMac = /^Mac/.test(navigator.platform);
  return code === 'KeyF' && !shiftKey && ctrlKey !== isMac && metaKey === isMac ? 0 : undefined;
}
