import { fill } from '../../src/shared/fill';
import type { SiteView } from '../../src/shared/protocol';
import { numberText } from '../../src/shared/units';
import { element, icon, visibleLine } from '../dom';
import { createButton } from '../toolkit';
import type { ViewContext } from '../viewActions';

/** Shows in an empty thread what can be asked, or how to set up a site. */
export class EmptyState {
  readonly element = element('section', { class: 'empty-state' });
  readonly #context: ViewContext;
  readonly #onSuggestion: (text: string) => void;
  #shown: { site: SiteView; suggestions: readonly string[] } | undefined;

  constructor(context: ViewContext, onSuggestion: (text: string) => void) {
    this.#context = context;
    this.#onSuggestion = onSuggestion;
  }

  update(site: SiteView, suggestions: readonly string[]): void {
    if (this.#shown?.site === site && this.#shown.suggestions === suggestions) return;
    this.#shown = { site, suggestions };
    const { strings } = this.#context;
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
        onClick: () => this.#onSuggestion(suggestion),
      });
      list.append(element('li', {}, button.element));
    }
    list.hidden = suggestions.length === 0;
    return list;
  }
}
