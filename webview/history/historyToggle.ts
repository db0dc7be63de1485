import type { ViewContext } from '../viewActions';
import type { HistoryPanel } from './historyPanel';

interface HistoryToggleSettings {
  /** The element that the history covers. It keeps its state and its scroll position. */
  readonly area: HTMLElement;
  /** Focuses the composer, after a thread was opened or if nothing else can take the focus. */
  readonly focusComposer: () => void;
}

/** Shows the history in place of the thread. The panel loads when somebody opens it. */
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

  /** Toggles the history on Ctrl+Alt+H, on every system. */
  onKey(event: KeyboardEvent): void {
    // On some keyboards AltGr reports both modifiers while it writes letters.
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
    // The history may have been closed while it was loading.
    if (this.#isCovering()) return;
    this.#settings.area.classList.add('is-covered');
    this.#panel.show();
  }

  /** Shows the thread again. The focus stays where it is. */
  hide(): void {
    this.#isWanted = false;
    if (!this.#panel?.isShown) return;
    this.#panel.hide();
    this.#settings.area.classList.remove('is-covered');
  }

  /** Refreshes a visible list when another thread is shown or the title changes. */
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
    // The browser takes the focus out of what is hidden with its next frame.
    const { activeElement } = document;
    const isLost =
      activeElement === document.body || this.#panel?.element.contains(activeElement) === true;
    if (isLost) this.#settings.focusComposer();
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
