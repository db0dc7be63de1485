/** Prepares the DOM of a freshly rendered block, and updates the DOM that is shown to match it. */
import { fill } from '../../src/shared/fill';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element, icon, setAttribute, visibleLine } from '../dom';
import { PAGE_HREF, sourceTooltip, type CitationIndex } from './citations';
import { allowedLink, hostToShow, linkTitle } from './links';

const alerts = {
  note: { icon: 'info', title: 'alertNote' },
  tip: { icon: 'light-bulb', title: 'alertTip' },
  important: { icon: 'report', title: 'alertImportant' },
  warning: { icon: 'warning', title: 'alertWarning' },
  caution: { icon: 'stop', title: 'alertCaution' },
} as const satisfies Record<string, { icon: string; title: keyof ViewStrings }>;

/** Texts that are added to a reply. */
export type DecorationStrings = Pick<
  ViewStrings,
  | (typeof alerts)[keyof typeof alerts]['title']
  | 'citation'
  | 'footnote'
  | 'table'
  | 'taskDone'
  | 'taskOpen'
>;

interface Decoration {
  readonly strings: DecorationStrings;
  readonly citations: CitationIndex;
  /** Prefix of every ID in the text, so that a reply can't use an ID of the view. */
  readonly idPrefix: string;
}

export function decorate(fragment: DocumentFragment, decoration: Decoration): void {
  const containers: Element[] = [];
  let around: string | undefined;
  // One query for all elements, because this runs for every change of a block.
  for (const found of fragment.querySelectorAll('*')) {
    switch (found.localName) {
      case 'a':
        around ??= fragment.textContent;
        if (found instanceof HTMLAnchorElement) decorateLink(found, decoration, around);
        break;
      case 'table':
        containers.push(decorateTable(found, decoration.strings));
        break;
      case 'ul':
      case 'ol':
      case 'blockquote':
        containers.push(found);
        break;
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
      case 'p':
      case 'th':
      case 'td':
        found.setAttribute('dir', 'auto');
        break;
      case 'li':
        // The browser passes over paragraphs with a direction of their own, and finds no letter.
        if (found.firstElementChild?.localName !== 'p') found.setAttribute('dir', 'auto');
    }
    if (found.hasAttribute('class')) decorateByClass(found, decoration);
    if (found.hasAttribute('data-math')) found.setAttribute('dir', 'ltr');
  }
  // The browser would evaluate `:has()` again for the whole text at each change.
  for (const container of containers) markDirection(container);
}

/** Marks a list, quote or table whose first letter is written from right to left. */
export function markDirection(container: Element): void {
  if (beginsRight(container)) container.classList.add('begins-right');
}

/** Puts a table into the element that scrolls it, and returns that element. */
function decorateTable(table: Element, strings: DecorationStrings): HTMLElement {
  const scroller = element('div', {
    class: 'table-scroller',
    attributes: { role: 'region', tabindex: '0', 'aria-label': strings.table },
  });
  table.replaceWith(scroller);
  scroller.append(table);
  return scroller;
}

function decorateByClass(found: Element, { strings, idPrefix }: Decoration): void {
  const { classList } = found;
  if (classList.contains('task-marker')) {
    const isDone = classList.contains('task-done');
    const box = element('input', { class: 'task-box', attributes: { type: 'checkbox' } });
    box.disabled = true;
    box.toggleAttribute('checked', isDone);
    box.setAttribute('aria-label', isDone ? strings.taskDone : strings.taskOpen);
    found.replaceWith(box);
  } else if (classList.contains('alert-title')) decorateAlert(found, strings);
  else if (classList.contains('footnote-ref')) {
    const number = found.getAttribute('data-footnote') ?? '';
    const attributes = {
      href: `#${idPrefix}${number}`,
      role: 'doc-noteref',
      'aria-label': fill(strings.footnote, number),
    };
    found.replaceChildren(element('a', { text: number, attributes }));
  }
}

/** Letters of scripts that are written from right to left. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns whether the first letter belongs to a script that is written from right to left. */
function beginsRight(container: Element): boolean {
  // A long list is not read to its end at each change.
  const texts = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const letter = /\p{L}/u.exec(text.textContent ?? '')?.[0];
    if (letter !== undefined) return rightToLeft.test(letter);
  }
  return false;
}

function decorateAlert(title: Element, strings: DecorationStrings): void {
  const kind = /\balert-([a-z]+)/.exec(title.parentElement?.className ?? '')?.[1] ?? '';
  const alert = Object.entries(alerts).find(([name]) => name === kind)?.[1];
  if (!alert) return;
  title.replaceChildren(icon(alert.icon), strings[alert.title]);
  title.parentElement?.setAttribute('role', 'note');
  title.parentElement?.setAttribute('aria-label', strings[alert.title]);
}

function decorateLink(
  link: HTMLAnchorElement,
  { strings, citations }: Decoration,
  around: string,
): void {
  const href = link.getAttribute('href') ?? '';
  const cited = citations.find(href);
  const url = allowedLink(cited ? cited.href : href);
  const isImage = link.classList.contains('image-link');
  const isPage = cited?.href === PAGE_HREF && !isImage;
  if (!url && !isPage) {
    const text = element('span', { class: 'dead-link' }, ...link.childNodes);
    if (href !== '') text.title = visibleLine(href);
    link.replaceWith(text);
    return;
  }
  link.href = url?.href ?? PAGE_HREF;
  if (url) link.title = linkTitle(url);
  link.className = isImage ? 'image-link' : '';
  if (link.className === '') link.removeAttribute('class');
  if (cited && !isImage) {
    const { number, source } = cited;
    const isNumberOnly = /^\s*\[?\d+\]?\s*$/.test(link.textContent);
    link.className = isNumberOnly ? 'citation' : 'cited-link';
    link.dataset['sourceId'] = source.sourceId;
    link.dataset['number'] = String(number);
    const name = visibleLine(source.title ?? '') || (url ? url.host : visibleLine(source.url));
    link.title = sourceTooltip(name, source, url);
    if (isNumberOnly) {
      link.textContent = String(number);
      setAttribute(link, 'aria-label', fill(strings.citation, number, name));
      return;
    }
  }
  const host = url && hostToShow(url, link.textContent, around);
  if (host !== undefined) link.dataset['host'] = host;
}

/**
 * Updates live DOM to match a fresh rendering. Nodes that stay are kept, so that a selection, a
 * scroll position or the focus survives while text streams.
 */

/** Nodes that the view enriched after rendering, such as a code block in place of a `pre`. */
export interface RichNodes {
  /**
   * Updates `live` from the plain `fresh` node. @returns false if `live` is not its enriched form.
   */
  patch(live: Node, fresh: Node): boolean;
  /** Enriches a fresh node that is about to be inserted. @returns the node to insert. */
  enrich(fresh: Node): Node;
}

/**
 * @param fresh loses the nodes that are taken over.
 * @param from children of `live` before this index stay as they are.
 * @param skipped number of children of `fresh` to leave out.
 */
export function patchChildren(
  live: Node,
  fresh: Node,
  rich: RichNodes,
  from = 0,
  skipped = 0,
): void {
  const wanted = [...fresh.childNodes].slice(skipped);
  let liveChild = live.childNodes[from] ?? null;
  for (const freshChild of wanted) {
    const next: ChildNode | null = liveChild?.nextSibling ?? null;
    if (!liveChild) live.appendChild(rich.enrich(freshChild));
    else if (!patchNode(liveChild, freshChild, rich)) {
      live.replaceChild(rich.enrich(freshChild), liveChild);
    }
    liveChild = next;
  }
  while (live.childNodes.length > from + wanted.length && live.lastChild) {
    live.removeChild(live.lastChild);
  }
}

function patchNode(live: Node, fresh: Node, rich: RichNodes): boolean {
  if (rich.patch(live, fresh)) return true;
  if (live.nodeName !== fresh.nodeName) return false;
  if (live instanceof Text && fresh instanceof Text) {
    if (live.data === fresh.data) return true;
    if (fresh.data.startsWith(live.data)) live.appendData(fresh.data.slice(live.data.length));
    else live.data = fresh.data;
    return true;
  }
  if (!(live instanceof Element) || !(fresh instanceof Element)) return false;
  for (const { name } of [...live.attributes]) {
    if (!fresh.hasAttribute(name)) live.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (live.getAttribute(name) !== value) live.setAttribute(name, value);
  }
  patchChildren(live, fresh, rich);
  return true;
}
