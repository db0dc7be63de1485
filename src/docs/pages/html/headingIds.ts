/** Finds the IDs at which headings are linked. */
import { attribute, childElements, descendants, hasClass, type HtmlElement, parentOf } from './dom';

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
  if (parent && around?.firstHeading === element) {
    const id = attribute(parent, 'id');
    const isSection = parent.name === 'section' || hasClass(parent, 'section');
    if (id !== undefined && isSection) return cleanId(id);
  }
  for (const inner of descendants(element)) {
    if (isFragmentLink(inner)) return cleanId((attribute(inner, 'href') ?? '').slice(1));
  }
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
    firstHeading: children.find(({ name }) => /^h[1-6]$/.test(name)),
    onlyLink: links.length === 1 ? links[0] : undefined,
  };
  factsByParent.set(parent, facts);
  return facts;
}

/** Returns whether a section's ID serves as the ID of its heading, which has none. */
export function givesIdToHeading(element: HtmlElement): boolean {
  if (element.name !== 'section' && !hasClass(element, 'section')) return false;
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
