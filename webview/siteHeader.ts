import type { SiteView } from '../src/shared/protocol';
import type { ThreadView } from '../src/shared/uiMessage';
import { fill, type ViewStrings } from '../src/shared/viewStrings';
import { element, icon, visibleText } from './dom';
import { IconButton } from './iconButton';
import { createButton, type ButtonControl } from './toolkit';
import type { ViewContext } from './viewContext';

interface SiteHeaderListeners {
  onNewThread(): void;
  onHistory(): void;
}

/** Which docs answer, how they are filtered, and the ways to earlier threads and to a new one. */
export class SiteHeader {
  readonly element: HTMLElement;
  readonly #strings: ViewStrings;
  readonly #sign = element('span', { class: 'site-icon' });
  readonly #label = element('bdi', { class: 'site-label' });
  readonly #filter = element('bdi', { class: 'site-filter' });
  readonly #title = element('bdi', { class: 'thread-title' });
  readonly #history: IconButton;
  readonly #newThread: ButtonControl;
  #shownTitle: string | undefined;
  #shownSite: SiteView | undefined;

  constructor({ strings }: ViewContext, listeners: SiteHeaderListeners) {
    this.#strings = strings;
    this.#history = new IconButton({
      label: strings.history,
      icon: 'history',
      class: 'show-history',
      onClick: () => listeners.onHistory(),
    });
    this.#newThread = createButton({
      label: strings.newThread,
      icon: 'add',
      appearance: 'icon',
      class: 'new-thread',
      onClick: () => listeners.onNewThread(),
    });
    this.setHistoryShown(false);
    this.element = element(
      'header',
      { class: 'site-header' },
      this.#sign,
      element('span', { class: 'site-name' }, this.#label, this.#filter, this.#title),
      this.#history.element,
      this.#newThread.element,
    );
  }

  update(site: SiteView, thread: ThreadView): void {
    this.#newThread.setEnabled(thread.messages.length > 0);
    if (thread.title !== this.#shownTitle) {
      this.#shownTitle = thread.title;
      const title = visibleText(thread.title);
      setText(this.#title, title);
      this.#title.hidden = title === '';
    }
    if (site === this.#shownSite) return;
    this.#shownSite = site;
    setText(this.#label, site.isConfigured ? visibleText(site.label) : this.#strings.notConfigured);
    const filter = describeFilter(site, this.#strings);
    setText(this.#filter, filter);
    this.#filter.hidden = filter === '';
    const sign = site.isLocal ? 'server-process' : site.isConfigured ? 'book' : 'plug';
    this.#sign.replaceChildren(icon(sign));
  }

  setHistoryShown(isShown: boolean): void {
    this.#history.element.setAttribute('aria-expanded', String(isShown));
  }
}

/** The whole of it is in the tooltip too, as there may not be room for it. */
function setText(target: HTMLElement, text: string): void {
  target.textContent = text;
  target.title = text;
}

function describeFilter({ filter }: SiteView, strings: ViewStrings): string {
  const values = [filter.version, filter.language, ...(filter.groups ?? [])]
    .map((value) => visibleText(value ?? ''))
    .filter((value) => value !== '');
  return values.length === 0 ? '' : fill(strings.filteredBy, values.join(', '));
}
