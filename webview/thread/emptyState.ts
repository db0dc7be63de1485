import { fill } from '../../src/shared/fill';
import type { SiteView } from '../../src/shared/protocol';
import { numberText } from '../../src/shared/units';
import { element, icon, visibleLine } from '../dom';
import { createButton } from '../toolkit';
import type { ViewContext } from '../viewActions';

interface EmptyStateListeners {
  onSuggestion(text: string): void;
  /** Takes the focus when the focused button goes and none takes its place. */
  onFocusLost(): void;
}

/** Shows in an empty thread what can be asked, or how to set up a site. */
export class EmptyState {
  readonly element = element('section', { class: 'empty-state' });
  readonly #context: ViewContext;
  readonly #listeners: EmptyStateListeners;
  #shown: { site: SiteView; suggestions: readonly string[] } | undefined;

  constructor(context: ViewContext, listeners: EmptyStateListeners) {
    this.#context = context;
    this.#listeners = listeners;
  }

  update(site: SiteView, suggestions: readonly string[]): void {
    if (this.#shown?.site === site && this.#shown.suggestions === suggestions) return;
    this.#shown = { site, suggestions };
    const { strings } = this.#context;
    const { activeElement } = document;
    const focused = this.element.contains(activeElement) ? activeElement : undefined;
    this.element.replaceChildren(
      element('span', { class: 'empty-icon' }, icon('book')),
      element('h2', { class: 'empty-title', text: strings.emptyTitle }),
      element('p', {
        class: 'empty-text',
        text: site.isConfigured
          ? strings.emptyText
          : (site.unavailable?.message ?? this.#offer(site)),
      }),
      site.isConfigured ? this.#suggestions(suggestions) : this.#setUp(site),
      ...(site.isConfigured ? [this.#hints()] : []),
    );
    if (focused) this.#focus(focused.getAttribute('aria-label'));
  }

  /** Focuses the button with that label, which has taken the place of the focused one. */
  #focus(label: string | null): void {
    const buttons = this.element.querySelectorAll<HTMLElement>('vscode-button');
    const same = [...buttons].find((button) => button.getAttribute('aria-label') === label);
    if (same) same.focus();
    else this.#listeners.onFocusLost();
  }

  #offer({ packages = 0 }: SiteView): string {
    const { strings } = this.#context;
    return packages === 0
      ? strings.emptyNotConfigured
      : fill(strings.emptyInstalled, numberText(packages));
  }

  #setUp({ unavailable, packages = 0 }: SiteView): HTMLElement {
    const { strings, actions } = this.#context;
    const local = [strings.startLocalService, 'start-local-service'] as const;
    const docs = [strings.chooseDocs, 'choose-docs'] as const;
    const setUp = [strings.setUpSite, 'set-up-site'] as const;
    const installed = packages > 0 ? [[strings.askInstalled, 'ask-installed'] as const] : [];
    // Setting up the site again would not give it an assistant.
    const offers = unavailable
      ? [...installed, local, docs, [strings.showFeatures, 'show-features'] as const]
      : installed.length > 0
        ? [...installed, setUp, docs]
        : [setUp, docs, local];
    const buttons = offers.map(
      ([label, action], index) =>
        createButton({
          label,
          appearance: index === 0 ? 'primary' : 'secondary',
          onClick: () => actions.runAction(action),
        }).element,
    );
    return element('div', { class: 'actions' }, ...buttons);
  }

  #hints(): HTMLElement {
    const { strings } = this.#context;
    const hints = [strings.mentionHint, strings.composerHint];
    return element('ul', { class: 'empty-hints' }, ...hints.map((text) => element('li', { text })));
  }

  #suggestions(suggestions: readonly string[]): HTMLElement {
    const list = element('ul', {
      class: 'suggestions',
      attributes: { 'aria-label': this.#context.strings.suggestions },
    });
    for (const suggestion of suggestions) {
      const button = createButton({
        label: visibleLine(suggestion),
        appearance: 'secondary',
        class: 'suggestion',
        onClick: () => this.#listeners.onSuggestion(suggestion),
      });
      list.append(element('li', {}, button.element));
    }
    list.hidden = suggestions.length === 0;
    return list;
  }
}
