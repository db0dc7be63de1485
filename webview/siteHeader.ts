import type { SiteView } from '../src/shared/protocol';
import { fill, type ViewStrings } from '../src/shared/viewStrings';
import { element, icon, visibleText } from './dom';
import { createButton, type ButtonControl } from './toolkit';
import type { ViewContext } from './viewContext';

/** Which docs answer, how they are filtered, and the way to a new thread. */
export class SiteHeader {
  readonly element: HTMLElement;
  readonly #strings: ViewStrings;
  readonly #sign = element('span', { class: 'site-icon' });
  readonly #label = element('bdi', { class: 'site-label' });
  readonly #filter = element('bdi', { class: 'site-filter' });
  readonly #newThread: ButtonControl;

  constructor({ strings }: ViewContext, onNewThread: () => void) {
    this.#strings = strings;
    this.#newThread = createButton({
      label: strings.newThread,
      icon: 'add',
      appearance: 'icon',
      class: 'new-thread',
      onClick: onNewThread,
    });
    this.element = element(
      'header',
      { class: 'site-header' },
      this.#sign,
      element('span', { class: 'site-name' }, this.#label, this.#filter),
      this.#newThread.element,
    );
  }

  update(site: SiteView, isThreadEmpty: boolean): void {
    this.#newThread.setEnabled(!isThreadEmpty);
    const label = site.isConfigured ? visibleText(site.label) : this.#strings.notConfigured;
    if (this.#label.textContent !== label) this.#label.textContent = label;
    const filter = describeFilter(site, this.#strings);
    if (this.#filter.textContent !== filter) this.#filter.textContent = filter;
    this.#filter.hidden = filter === '';
    this.#label.title = label;
    this.#filter.title = filter;
    const sign = site.isLocal ? 'server-process' : site.isConfigured ? 'book' : 'plug';
    if (this.#sign.dataset['sign'] === sign) return;
    this.#sign.dataset['sign'] = sign;
    this.#sign.replaceChildren(icon(sign));
  }
}

function describeFilter({ filter }: SiteView, strings: ViewStrings): string {
  const values = [filter.version, filter.language, ...(filter.groups ?? [])]
    .map((value) => visibleText(value ?? ''))
    .filter((value) => value !== '');
  return values.length === 0 ? '' : fill(strings.filteredBy, values.join(', '));
}
