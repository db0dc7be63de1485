/** Finds the IDs at which headings are linked. */
import {
  attribute,
  childElements,
  collapsedText,
  descendants,
  hasClass,
  type HtmlElement,
  isElement,
  isText,
  parentOf,
} from './dom';

export function isFragmentLink(element: HtmlElement): boolean {
  return element.name === 'a' && (attribute(element, 'href') ?? '').startsWith('#');
}

/** Returns the ID at which a heading is linked: its own, or that of the section it begins. */
export function headingId(element: HtmlElement): string | undefined {
  const own = attribute(element, 'id');
  if (own !== undefined && own !== '') return cleanId(own);
  for (const inner of descendants(element)) {
    if (inner.name === 'button') continue;
    const id =
      attribute(inner, 'id') ?? (inner.name === 'a' ? attribute(inner, 'name') : undefined);
    if (id !== undefined && id !== '') return cleanId(id);
  }
  const parent = parentOf(element);
  const around = parent && childFacts(parent);
  const section = parent && isHeader(parent) ? parentOf(parent) : parent;
  if (section && isSection(section) && childFacts(section).firstHeading === element) {
    const id = attribute(section, 'id');
    if (id !== undefined) return cleanId(id);
  }
  const linked = parent?.name === 'a' ? attribute(parent, 'id') : undefined;
  if (linked !== undefined && linked !== '') return cleanId(linked);
  for (const inner of descendants(element)) {
    if (isFragmentLink(inner)) return cleanId((attribute(inner, 'href') ?? '').slice(1));
  }
  const anchor = anchorBefore(element);
  if (anchor) return cleanId(anchorId(anchor) ?? '');
  // GitHub puts the link next to the heading.
  const link = around?.onlyLink;
  return link && cleanId((attribute(link, 'href') ?? '').slice(1));
}

/** Facts about the child elements of an element, for the IDs of all headings among them. */
interface ChildFacts {
  readonly firstHeading: HtmlElement | undefined;
  /** The only link to a fragment, if it has exactly one other element beside it. */
  readonly onlyLink: HtmlElement | undefined;
}

const factsByParent = new WeakMap<HtmlElement, ChildFacts>();

function childFacts(parent: HtmlElement): ChildFacts {
  const known = factsByParent.get(parent);
  if (known) return known;
  const children = childElements(parent);
  const links = children.length === 2 ? children.filter(isFragmentLink) : [];
  const facts: ChildFacts = {
    firstHeading: children
      .flatMap((child) => (isHeader(child) ? childElements(child) : [child]))
      .find(isHeading),
    onlyLink: links.length === 1 ? links[0] : undefined,
  };
  factsByParent.set(parent, facts);
  return facts;
}

/** Returns whether a section's ID serves as the ID of its heading, which has none. */
export function givesIdToHeading(element: HtmlElement): boolean {
  if (!isSection(element)) return false;
  const heading = childFacts(element).firstHeading;
  return heading !== undefined && headingId(heading) === attribute(element, 'id');
}

function cleanId(id: string): string | undefined {
  let plain = id;
  try {
    plain = decodeURIComponent(id);
  } catch {
    // An ID may have a percent sign.
  }
  plain = plain.trim();
  return plain === '' || /[\s{}]/.test(plain) ? undefined : plain;
}

function isHeading({ name }: HtmlElement): boolean {
  return /^h[1-6]$/.test(name);
}

function isSection(element: HtmlElement): boolean {
  return element.name === 'section' || hasClass(element, 'section');
}

/** Returns whether an element holds the heading of the section around it, with links next to it. */
function isHeader(element: HtmlElement): boolean {
  return element.name === 'header' || hasClass(element, 'detail-header');
}

/** Elements whose first heading can take the ID of an anchor before them. */
const blockNames = new Set(['div', 'section', 'article', 'header', 'ul', 'ol', 'li']);

/**
 * Returns the empty anchor right before a heading, or before the elements that begin with the
 * heading. Generators wrote these before headings had IDs.
 */
function anchorBefore(heading: HtmlElement): HtmlElement | undefined {
  for (let at: HtmlElement | undefined = heading; at; at = parentOf(at)) {
    if (at !== heading && !blockNames.has(at.name)) return undefined;
    let before = at.prev;
    while (before && !isElement(before) && !(isText(before) && before.data.trim() !== ''))
      before = before.prev;
    if (!before) continue;
    return isElement(before) && anchorId(before) !== undefined ? before : undefined;
  }
  return undefined;
}

function anchorId(element: HtmlElement): string | undefined {
  if (element.name !== 'a' || attribute(element, 'href') !== undefined) return undefined;
  if (collapsedText(element) !== '') return undefined;
  return attribute(element, 'id') ?? attribute(element, 'name');
}

/** Yields the anchors whose IDs headings take. */
export function* headingAnchors(element: HtmlElement): Generator<HtmlElement> {
  for (const heading of descendants(element)) {
    if (!isHeading(heading)) continue;
    const anchor = anchorBefore(heading);
    if (anchor && headingId(heading) === anchorId(anchor)) yield anchor;
  }
}
