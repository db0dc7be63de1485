import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element, isolatedText, visibleLine } from '../dom';
import { sourceTooltip, type CitationIndex, type NumberedSource } from '../markdown/citations';
import { allowedLink } from '../markdown/links';

/** Number of sources that are shown before the rest is folded. */
const SHOWN_SOURCES = 6;

/** The list of a reply's cited pages, numbered as the text cites them. */
export class SourceList {
  readonly element: HTMLElement;
  readonly #strings: ViewStrings;

  constructor(strings: ViewStrings) {
    this.#strings = strings;
    this.element = element('section', {
      class: 'sources',
      attributes: { 'aria-label': strings.sources },
    });
    this.element.hidden = true;
  }

  update({ sources }: CitationIndex): void {
    this.element.hidden = sources.length === 0;
    // A single remaining row is shown instead of being folded.
    const shown = sources.length <= SHOWN_SOURCES + 1 ? sources.length : SHOWN_SOURCES;
    const wasOpen = this.element.querySelector('details')?.open ?? false;
    const rest = sources.slice(shown);
    const hosts = new Set(sources.map(({ href }) => allowedLink(href)?.host ?? ''));
    const [host = ''] = hosts;
    // A host that all sources share is shown once, beside the heading.
    const common = hosts.size === 1 ? host : '';
    this.element.classList.toggle('has-common-host', common !== '');
    this.element.replaceChildren(
      element(
        'h3',
        { class: 'section-title' },
        this.#strings.sources,
        element('bdi', { class: 'common-host', text: common }),
      ),
      list(sources.slice(0, shown)),
    );
    if (rest.length === 0) return;
    const more = element(
      'details',
      { class: 'more-sources' },
      element('summary', { text: fill(this.#strings.moreSources, rest.length) }),
      list(rest),
    );
    more.open = wasOpen;
    this.element.append(more);
  }
}

function list(sources: readonly NumberedSource[]): HTMLElement {
  return element('ol', { class: 'source-list' }, ...sourceRows(sources));
}

/** Returns one list item per source, with its number, title and host. */
export function sourceRows(sources: readonly NumberedSource[]): HTMLElement[] {
  return sources.map(row);
}

function row({ number, source, href }: NumberedSource): HTMLElement {
  const title = visibleLine(source.title ?? '') || visibleLine(source.url);
  const name = element('span', { class: 'source-title' }, isolatedText(title));
  const badge = element('span', {
    class: 'badge',
    text: String(number),
    attributes: { 'aria-hidden': 'true' },
  });
  const item = element('li', { attributes: { value: String(number) } });
  if (href === '') {
    // A source that can't be opened is still named.
    item.append(element('span', { class: 'source' }, badge, name));
    return item;
  }
  const url = allowedLink(href);
  const link = element(
    'a',
    { class: 'source', attributes: { href, 'data-source-id': source.sourceId } },
    badge,
    name,
    element('span', { class: 'source-host', text: url?.host ?? '' }),
  );
  link.title = sourceTooltip(title, source, url);
  item.append(link);
  return item;
}
