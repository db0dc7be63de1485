/** Recognizes notes and warnings, and their titles. */
import { calloutKind, type CalloutKind } from '../markup/meanings';
import {
  attribute,
  childElements,
  classesOf,
  findElement,
  hasClass,
  type HtmlElement,
  parentOf,
} from './dom';

const calloutClass =
  /^(?:admonition|theme-admonition|custom-block|markdown-alert|starlight-aside|callout|nextra-callout|hint|admonitionblock|alert|gitbook-hint|rm-callout|docs-callout|confluence-information-macro)$/;
const calloutTitleClass =
  /^(?:admonition-?(?:title|heading)|custom-block-title|markdown-alert-title|starlight-aside__title|alert-heading|callout-?(?:title|heading|label)|hint-title)$/;

export function isCallout(element: HtmlElement): boolean {
  // Doxygen
  if (element.name === 'dl' && hasClass(element, 'section'))
    return classesOf(element).some((name) => calloutKind(name) !== undefined);
  if (!/^(?:div|aside|section|blockquote|figure)$/.test(element.name)) return false;
  if (attribute(element, 'data-callout-type') !== undefined) return true;
  const classes = classesOf(element);
  if (classes.some((name) => calloutClass.test(name))) return true;
  if (element.name === 'aside') return true;
  // A class such as `note` alone, as older generators write it.
  return (
    classes.length === 1 && calloutKind(classes[0] ?? '') !== undefined && classes[0] !== 'check'
  );
}

export function calloutTitle(element: HtmlElement): HtmlElement | undefined {
  const named = findElement(
    element,
    (inner) =>
      classesOf(inner).some((name) => calloutTitleClass.test(name)) ||
      (hasClass(inner, 'title') &&
        (parentOf(inner) === element || hasClass(parentOf(inner) ?? inner, 'icon'))),
  );
  if (named) return named;
  const [first] = childElements(element);
  if (!first) return undefined;
  if (first === tableIn(element)) return findElement(first, ({ name }) => name === 'th');
  const isTitle =
    (element.name === 'dl' && first.name === 'dt') ||
    (/^h[1-6]$/.test(first.name) && attribute(first, 'id') === undefined);
  return isTitle ? first : undefined;
}

/** Returns the element with the text of a callout. Antora and DocBook put its icon and its text into a table. */
export function calloutContent(element: HtmlElement): HtmlElement {
  const cell = findElement(element, (inner) => inner.name === 'td' && hasClass(inner, 'content'));
  if (cell) return cell;
  const table = tableIn(element);
  return (
    (table &&
      findElement(
        table,
        (inner) => inner.name === 'td' && attribute(inner, 'rowspan') === undefined,
      )) ??
    element
  );
}

/** Returns the table in which DocBook puts a callout. */
function tableIn(element: HtmlElement): HtmlElement | undefined {
  const [only, ...others] = childElements(element);
  const isFrame = only?.name === 'table' && attribute(only, 'summary') !== undefined;
  return isFrame && others.length === 0 ? only : undefined;
}

export function kindOf(element: HtmlElement): CalloutKind {
  const words = [
    attribute(element, 'data-callout-type') ?? '',
    ...(attribute(element, 'class') ?? '')
      .split(/\s+/)
      .flatMap((name) => [name, ...name.split(/[-_]+/)]),
  ];
  const plain = new Set(['admonition', 'alert', 'aside', 'callout']);
  for (const word of words) {
    const kind = plain.has(word.toLowerCase()) ? undefined : calloutKind(word);
    if (kind) return kind;
  }
  return 'note';
}
