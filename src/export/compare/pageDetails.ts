/** Reads what a page shows besides its text: the title of its tab, labels, and media. */
import {
  attribute,
  collapsedText,
  descendants,
  findElement,
  type HtmlDocument,
  type HtmlElement,
  parentOf,
} from '../../docs/pages/html/dom';
import { findMainContent } from '../../docs/pages/html/mainContent';
import { linkTarget } from '../../docs/pages/markup/markdownWriter';

interface PageDetails {
  /** Title in the head of the page, or empty. */
  readonly title: string;
  /** Description in the head of the page, or empty. */
  readonly description: string;
  /** Labels of the main content, each once, and links to its media, as lines of Markdown. */
  readonly lines: readonly string[];
}

/**
 * Returns the details of a page.
 *
 * @param rewrite returns the form in which an address is written.
 */
export function pageDetails(
  document: HtmlDocument,
  rewrite: (href: string) => string,
): PageDetails {
  const title = findElement(
    document,
    (element) => element.name === 'title' && parentOf(element)?.name !== 'svg',
  );
  const description = findElement(
    document,
    (element) => element.name === 'meta' && /^description$/i.test(attribute(element, 'name') ?? ''),
  );
  const main = findMainContent(document);
  const lines = new Set<string>();
  const isSkipped = (element: HtmlElement): boolean =>
    unreadNames.has(element.name) ||
    (shownNames.has(element.name) ? isCopyButton(element) : main?.isNoise(element) === true) ||
    isAnchor(element);
  for (const element of main ? descendants(main.element, isSkipped) : []) {
    for (const label of labelsOf(element)) lines.add(`label: ${label}`);
    for (const href of mediaOf(element)) {
      lines.add(`[${mediaName(element)}](${linkTarget(rewrite(href))})`);
    }
  }
  return {
    title: title ? collapsedText(title) : '',
    description: oneLine(description && attribute(description, 'content')),
    lines: [...lines],
  };
}

/** Elements without labels for readers. */
const unreadNames = new Set(['script', 'style', 'template', 'noscript', 'pre']);

/** Elements that have no text for the main content, but labels and media. */
const shownNames = new Set(
  'form svg dialog button select textarea input object canvas audio video'.split(' '),
);

/** Returns whether a button belongs to a code block, and so to the look of the site. */
function isCopyButton(element: HtmlElement): boolean {
  if (element.name !== 'button') return false;
  const names = ['class', 'aria-label', 'title'].map((each) => attribute(element, each) ?? '');
  return /copy|clipboard/i.test([...names, collapsedText(element)].join(' '));
}

/** Returns whether an element is the permalink of a heading, whose label is made from the heading. */
function isAnchor(element: HtmlElement): boolean {
  return element.name === 'a' && attribute(element, 'href')?.startsWith('#') === true;
}

const labelAttributes = ['aria-label', 'title', 'placeholder', 'label'];
const textNames = new Set(['button', 'option', 'text', 'desc']);
const valueTypes = new Set(['submit', 'button', 'reset']);

function labelsOf(element: HtmlElement): string[] {
  const { name } = element;
  const type = attribute(element, 'type')?.toLowerCase() ?? '';
  const isInput = name === 'input';
  return [
    ...labelAttributes.map((each) => oneLine(attribute(element, each))),
    isInput || name === 'area' ? oneLine(attribute(element, 'alt')) : '',
    isInput && valueTypes.has(type) ? oneLine(attribute(element, 'value')) : '',
    textNames.has(name) || (name === 'title' && parentOf(element)?.name === 'svg')
      ? collapsedText(element)
      : '',
  ].filter((label) => label !== '');
}

const mediaNames = new Set(['video', 'audio']);

function mediaOf(element: HtmlElement): string[] {
  if (!mediaNames.has(mediaName(element))) return [];
  return ['src', 'poster'].map((each) => oneLine(attribute(element, each))).filter(Boolean);
}

/** Returns `video` or `audio`, also for a source or a track of one. */
function mediaName(element: HtmlElement): string {
  const isPart = element.name === 'source' || element.name === 'track';
  return isPart ? (parentOf(element)?.name ?? '') : element.name;
}

function oneLine(text = ''): string {
  return text.replace(/\s+/g, ' ').trim();
}
