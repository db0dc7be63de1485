/** The whole view: header, conversation, composer; drawn from the store, at most once a frame. */
import type { ErrorInfo } from '../src/shared/errorInfo';
import type { MessageView, ThreadView } from '../src/shared/uiMessage';
import type { Overlay } from '../src/shared/protocol';
import { Announcer } from './announcer';
import { Composer } from './composer';
import { element, visibleText } from './dom';
import { EmptyState } from './emptyState';
import type { FindInThread } from './findInThread';
import { findStep, type FindStep } from './findKeys';
import { HistoryToggle } from './historyToggle';
import { IconButton } from './iconButton';
import { languageOf } from './markdown/codeLanguages';
import { warmUp } from './partViews';
import { ReplySpeaker } from './replySpeaker';
import { SiteHeader } from './siteHeader';
import { loadSourceCard } from './sourceCardLoader';
import { ThreadElement } from './threadView';
import type { ViewActions } from './viewActions';
import type { ViewContext } from './viewContext';
import { QuestionEdits, type ViewState } from './viewState';
import { runningReply, type ShownView } from './viewStore';

interface ChatPanelSettings {
  readonly view: ShownView;
  readonly actions: ViewActions;
  /** What the view kept over the last reload. */
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
      reportFailure: (error) => settings.reportFailure(error),
    });
    this.#header = new SiteHeader(context, {
      onHistory: () => this.#history.toggle(),
      onNewThread: () => {
        this.#history.hide();
        settings.actions.startThread();
        this.#composer.focus();
      },
    });
    this.#empty = new EmptyState(context, (text) => void this.#composer.submit(text));
    this.#thread = new ThreadElement(context, this.#empty.element, {
      onAnnounce: (text) => this.#announcer.say(text),
      onScroll: () => settings.onStateChange(),
      onLeave: () => this.#composer.focus(),
    });
    this.#history = new HistoryToggle(context, {
      area: this.#thread.element,
      onToggle: (isShown) => this.#header.setHistoryShown(isShown),
      focusComposer: () => this.#composer.focus(),
    });
    this.#speaker = new ReplySpeaker({
      strings: context.strings,
      speak: (sentences) => this.#announcer.read(sentences),
      languageName: (word) => languageOf(word)?.name ?? visibleText(word),
      reportFailure: (error) => settings.reportFailure(error),
    });
    this.#header.element.append(
      new IconButton({
        label: context.strings.shortcuts,
        icon: 'keyboard',
        class: 'show-shortcuts',
        onClick: () => this.#showShortcuts(),
      }).element,
    );
    const title = element('h1', { class: 'visually-hidden', text: context.strings.assistant });
    this.#header.element.prepend(title);
    this.#root.append(this.#header.element, this.#thread.element);
    document.body.replaceChildren(this.#root, this.#announcer.element);
    this.#composer = new Composer(context, this.#root, {
      onDraftChange: () => settings.onStateChange(),
      onSubmit: () => {
        this.#history.hide();
        this.#thread.follow();
      },
    });
    if (settings.stored.draft !== '') this.#composer.offer(settings.stored.draft);
    loadSourceCard(context, this.#root);
    warmUp(context);
    this.#root.addEventListener('keydown', (event) => this.#history.onKey(event));
    document.addEventListener('keydown', (event) => this.#onKey(event));
    this.#root.addEventListener('click', (event) => this.#onClick(event));
    // A middle click would open a browser window that knows nothing of the checks at the host.
    this.#root.addEventListener('auxclick', (event) => this.#onClick(event));
    this.#root.addEventListener('dragstart', (event) => event.preventDefault());
    this.render(settings.view);
    if (settings.stored.scroll) this.#thread.restore(settings.stored.scroll);
  }

  get state(): ViewState {
    const edits = this.#edits.all;
    return { draft: this.#composer.draft, edits, scroll: this.#thread.scrollState };
  }

  render(view: ShownView): void {
    const { site, thread, suggestions, contextItems, files, page, questions } = view;
    const runningReplyId = runningReply(view)?.id;
    this.#shown = thread;
    this.#header.update(site, thread);
    this.#history.update(thread);
    this.#empty.element.hidden = thread.messages.length > 0;
    this.#empty.update(site, suggestions);
    // The last sentences of a reply are said before its end is.
    this.#speak(view);
    this.#thread.update(thread, runningReplyId !== undefined);
    this.#find?.update(thread);
    this.#composer.update({ contextItems, files, page, questions, runningReplyId });
  }

  focusComposer(text: string | undefined): void {
    this.#history.hide();
    if (text !== undefined) this.#composer.offer(text);
    this.#composer.focus();
  }

  showOverlay(overlay: Overlay): void {
    if (overlay === 'shortcuts') this.#showShortcuts();
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

  #showFind(step: FindStep): void {
    void this.#load(
      () => import('./findInThread'),
      ({ FindInThread: Find }) => {
        this.#find ??= new Find(this.#context, this.#thread, () => this.#composer.focus());
        this.#find.show(step, this.#shown);
      },
    );
  }

  /** Shows what is loaded, unless something is in front of the panel. */
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
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const step = findStep(event);
    if (step !== undefined) {
      event.preventDefault();
      // VS Code would look for what it has at these keys itself.
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

  /** Links never navigate: the host opens them, after its own check. */
  #onClick(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!target || event.button > 1) return;
    event.preventDefault();
    // VS Code's own listener would open the address a second time, without asking the host.
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
