import type { HistoryPanel } from './historyPanel';
import type { ViewContext } from './viewContext';

interface HistoryToggleSettings {
  /** What the history covers; it keeps its place and its scroll position meanwhile. */
  readonly area: HTMLElement;
  readonly onToggle: (isShown: boolean) => void;
  /** Where the focus goes once a thread was opened, or where nothing else can take it. */
  readonly focusComposer: () => void;
}

/** Shows the history in the place of the thread. It is loaded when somebody wants to see it. */
export class HistoryToggle {
  readonly #context: ViewContext;
  readonly #settings: HistoryToggleSettings;
  #panel: HistoryPanel | undefined;
  #loading: Promise<HistoryPanel> | undefined;
  #isWanted = false;
  #shownThread = '';
  #focusedBefore: Element | null = null;

  constructor(context: ViewContext, settings: HistoryToggleSettings) {
    this.#context = context;
    this.#settings = settings;
  }

  get isShown(): boolean {
    return this.#isWanted;
  }

  toggle(): void {
    if (this.#isWanted) this.#close();
    else void this.show();
  }

  /** Ctrl+Alt+H, on every system. */
  onKey(event: KeyboardEvent): void {
    // AltGr is both keys at once where it writes letters.
    const isShortcut =
      event.code === 'KeyH' && event.ctrlKey && event.altKey && !event.shiftKey && !event.metaKey;
    if (!isShortcut || event.getModifierState('AltGraph')) return;
    event.preventDefault();
    this.toggle();
  }

  async show(): Promise<void> {
    if (this.#isWanted) {
      this.#panel?.focus();
      return;
    }
    this.#isWanted = true;
    this.#focusedBefore = document.activeElement;
    try {
      this.#panel ??= await (this.#loading ??= this.#load());
    } catch (error: unknown) {
      this.#loading = undefined;
      this.#isWanted = false;
      this.#context.reportFailure(error);
      return;
    }
    // It may have been unwanted while it was loaded.
    if (this.#isCovering()) return;
    this.#settings.area.classList.add('is-covered');
    this.#settings.onToggle(true);
    this.#panel.show();
  }

  /** The thread is shown again; the focus stays where it is. */
  hide(): void {
    this.#isWanted = false;
    if (!this.#panel?.isShown) return;
    this.#panel.hide();
    this.#settings.area.classList.remove('is-covered');
    this.#settings.onToggle(false);
  }

  /** Another thread is shown, or it has grown: the list says so if it is in sight. */
  update(thread: { readonly id: string; readonly title: string }): void {
    const shown = `${thread.id} ${thread.title}`;
    if (shown === this.#shownThread) return;
    this.#shownThread = shown;
    if (this.#panel?.isShown) void this.#panel.refresh();
  }

  #isCovering(): boolean {
    return !this.#isWanted || this.#panel?.isShown === true;
  }

  #close(): void {
    const before = this.#focusedBefore;
    this.hide();
    if (before instanceof HTMLElement && before !== document.body && before.isConnected) {
      before.focus();
    }
    if (document.activeElement === document.body) this.#settings.focusComposer();
  }

  async #load(): Promise<HistoryPanel> {
    const { HistoryPanel: Panel } = await import('./historyPanel');
    const panel = new Panel(this.#context, {
      onClose: () => this.#close(),
      onOpened: () => {
        this.hide();
        this.#settings.focusComposer();
      },
    });
    this.#settings.area.append(panel.element);
    return panel;
  }
}
