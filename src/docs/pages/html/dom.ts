/** Parses a page's HTML into a tree, and answers questions about the elements of the tree. */
import { withoutBreakHints } from '../../../shared/characters';
import { DomHandler, Parser, type parseDocument } from 'htmlparser2';

export type HtmlDocument = ReturnType<typeof parseDocument>;
export type HtmlNode = HtmlDocument['children'][number];
type HtmlText = Extract<HtmlNode, { readonly data: string }>;
export type HtmlElement = Extract<HtmlNode, { readonly attribs: unknown }>;

/**
 * Maximum depth of elements in the tree. Real pages nest about 40 elements. A deeper tree would
 * exhaust the stack of the functions that walk it, so only the text of deeper elements is kept.
 */
const MAX_DEPTH = 200;
/**
 * Maximum number of open elements. Further elements become plain text. The parser's time grows
 * with the square of this number: 100,000 take seconds.
 */
const MAX_OPEN = 2000;
/** Elements that any page can have. Further elements become plain text. */
const BASE_ELEMENTS = 10_000;
/**
 * Further elements for each character. An element takes far more memory than its tags, and the time
 * to collect all of that grows faster than the page. Of 5,609 real pages, none had more than 0.058
 * elements for each character, and those over 100,000 characters mostly 0.036.
 */
const ELEMENTS_PER_CHARACTER = 0.08;

/** Elements whose text is not the page's. */
const silentNames = new Set(['script', 'style', 'template', 'noscript', 'svg', 'head']);

/**
 * Parses HTML. Broken HTML also gives a tree.
 *
 * The parser is htmlparser2 because the extension ships it anyway, and it reads 2 MB in a tenth of the
 * time of parse5. It doesn't repair misnested tables and formatting, but docs generators don't write
 * such HTML.
 */
export function parseHtmlDocument(html: string): HtmlDocument {
  const document = documentOf(html);
  // A fragment, such as a page of a hand-made site, gets a body around it.
  const hasRoot = document.children.some(
    (node) => isElement(node) && /^(?:html|body|frameset)$/.test(node.name),
  );
  return hasRoot || !html.includes('<') ? document : documentOf(`<body>${html}`);
}

function documentOf(html: string): HtmlDocument {
  const handler = new DomHandler();
  let openCount = 0;
  let left = BASE_ELEMENTS + ELEMENTS_PER_CHARACTER * html.length;
  /** Number of open elements that are too deep for the tree and have no text of the page. */
  let silentCount = 0;
  const parser = new Parser({
    onparserinit: (own) => handler.onparserinit(own),
    onopentag: (name, attributes) => {
      openCount++;
      left--;
      if (openCount > MAX_OPEN || left < 0) parser.pause();
      else if (openCount <= MAX_DEPTH) handler.onopentag(name, attributes);
      else if (silentNames.has(name)) silentCount++;
    },
    onclosetag: (name) => {
      if (openCount <= MAX_DEPTH) handler.onclosetag();
      else if (silentNames.has(name)) silentCount--;
      openCount--;
    },
    ontext: (text) => {
      if (silentCount === 0) handler.ontext(text);
    },
    onend: () => handler.onend(),
  });
  parser.write(html);
  const at = openCount > MAX_OPEN || left < 0 ? parser.startIndex : -1;
  if (at >= 0) {
    handler.ontext(html.slice(at).replace(/(?:<[^<>]*>\s*)+/g, ' '));
    handler.onend();
  } else parser.end();
  return handler.root;
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'attribs' in node;
}

/** `nodeType` of text nodes. Comments have `data` too, but another type. */
const TEXT_NODE = 3;

export function isText(node: HtmlNode | HtmlDocument): node is HtmlText {
  return 'data' in node && node.nodeType === TEXT_NODE;
}

/** Returns the child elements of an element or of the document. */
export function childElements(parent: HtmlDocument | HtmlElement): HtmlElement[] {
  return parent.children.filter(isElement);
}

export function parentOf(element: HtmlElement): HtmlElement | undefined {
  const { parent } = element;
  return parent !== null && 'attribs' in parent ? parent : undefined;
}

/**
 * Yields all elements below `parent`, in the order of the page.
 * @param isSkipped returns whether to leave out an element and everything in it.
 */
export function* descendants(
  parent: HtmlDocument | HtmlElement,
  isSkipped?: (element: HtmlElement) => boolean,
): Generator<HtmlElement> {
  // The loop avoids recursion, because nested generators pass each element through every level.
  let node: HtmlNode | null | undefined = parent.children[0];
  while (node) {
    let first: HtmlNode | undefined;
    if (isElement(node) && isSkipped?.(node) !== true) {
      yield node;
      first = node.children[0];
    }
    if (first) {
      node = first;
      continue;
    }
    while (node && !node.next) {
      const above: HtmlNode['parent'] = node.parent;
      node = above === null || above === parent || !('attribs' in above) ? undefined : above;
    }
    node = node?.next;
  }
}

/** Returns the first element below `parent` for which `fits` returns true. */
export function findElement(
  parent: HtmlDocument | HtmlElement,
  fits: (element: HtmlElement) => boolean,
): HtmlElement | undefined {
  for (const element of descendants(parent)) if (fits(element)) return element;
  return undefined;
}

export function attribute(element: HtmlElement, name: string): string | undefined {
  return Object.hasOwn(element.attribs, name) ? element.attribs[name] : undefined;
}

const noClasses: readonly string[] = [];
const classLists = new WeakMap<HtmlElement, readonly string[]>();

/**
 * Returns the classes of an element in lower case. A class of a CSS module is also returned without
 * its hash: `tabs_x1Yz` gives `tabs` too.
 */
export function classesOf(element: HtmlElement): readonly string[] {
  const known = classLists.get(element);
  if (known) return known;
  const written = attribute(element, 'class');
  if (written === undefined) return noClasses;
  const names = written.split(/\s+/).filter((name) => name !== '');
  const plain = names.map((name) => name.replace(/_[\w+-]{4,6}$/, ''));
  const classes = [...new Set([...names, ...plain].map((name) => name.toLowerCase()))];
  classLists.set(element, classes);
  return classes;
}

export function hasClass(element: HtmlElement, ...names: readonly string[]): boolean {
  return classesOf(element).some((name) => names.includes(name));
}

/** Returns whether `outer` is `inner` or contains it. */
export function contains(outer: HtmlElement, inner: HtmlElement): boolean {
  for (let at: HtmlElement | undefined = inner; at; at = parentOf(at))
    if (at === outer) return true;
  return false;
}

/** Returns the text of an element as written, without scripts and styles. */
export function textContent(element: HtmlNode | HtmlDocument): string {
  if ('data' in element) return isText(element) ? element.data : '';
  if (!('children' in element)) return '';
  if ('name' in element && silentNames.has(element.name)) return '';
  return element.children.map(textContent).join('');
}

/** Returns the text of an element on one line. */
export function collapsedText(element: HtmlElement): string {
  return withoutBreakHints(textContent(element)).replace(/\s+/g, ' ').trim();
}

/** Number of characters of an element's text, without scripts and white space. */
export interface TextSize {
  readonly all: number;
  /** Characters within links. */
  readonly links: number;
}

/** Measures the text of all elements in one pass. */
export function measureText(document: HtmlDocument): ReadonlyMap<HtmlElement, TextSize> {
  const sizes = new Map<HtmlElement, TextSize>();
  const measure = (node: HtmlNode): TextSize => {
    if (!isElement(node)) {
      const length = isText(node) ? node.data.replace(/\s+/g, '').length : 0;
      return { all: length, links: 0 };
    }
    let all = 0;
    let links = 0;
    if (!silentNames.has(node.name)) {
      for (const child of node.children) {
        const size = measure(child);
        all += size.all;
        links += size.links;
      }
    }
    const own = { all, links: node.name === 'a' ? all : links };
    sizes.set(node, own);
    return own;
  };
  for (const child of document.children) measure(child);
  return sizes;
}
