/** Recognizes notes and warnings, and their titles. */
import { calloutKind, type CalloutKind } from '../markup/meanings';
import { attribute, classesOf, findElement, hasClass, type HtmlElement, parentOf } from './dom';

const calloutClass =
  /^(?:admonition|theme-admonition|custom-block|markdown-alert|starlight-aside|callout|nextra-callout|hint|admonitionblock|alert|gitbook-hint|rm-callout|docs-callout)$/;
const calloutTitleClass =
  /^(?:admonition-?(?:title|heading)|custom-block-title|markdown-alert-title|starlight-aside__title|alert-heading|callout-?(?:title|heading|label)|hint-title)$/;

export function isCallout(element: HtmlElement): boolean {
  if (!/^(?:div|aside|section|blockquote)$/.test(element.name)) return false;
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
  return findElement(
    element,
    (inner) =>
      classesOf(inner).some((name) => calloutTitleClass.test(name)) ||
      (hasClass(inner, 'title') && hasClass(parentOf(inner) ?? inner, 'icon')),
  );
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
