/** Finds the main content of a page, and the elements in it that belong to the frame of the site. */
import {
  attribute,
  childElements,
  classesOf,
  collapsedText,
  contains,
  descendants,
  findElement,
  hasClass,
  type HtmlDocument,
  type HtmlElement,
  measureText,
  parentOf,
  type TextSize,
} from './dom';

export interface MainContent {
  readonly element: HtmlElement;
  /** Returns whether an element in the main content is navigation or another part of the frame. */
  isNoise(element: HtmlElement): boolean;
}

type Test = (element: HtmlElement) => boolean;

/**
 * Classes of the containers that generators write around a page's content, the most specific first.
 * Such a container has little or nothing besides the content.
 */
const containerClasses = [
  ['theme-doc-markdown'], // Docusaurus
  ['vp-doc'], // VitePress
  ['md-content__inner'], // MkDocs Material
  ['sl-markdown-content'], // Starlight
  ['bd-article'], // PyData Sphinx
  ['td-content'], // Docsy
  ['mdx-content'], // Mintlify
  ['nextra-content'], // Nextra
  ['markdown-section'], // docsify, GitBook before 2018
  ['rm-markdown'], // ReadMe
  ['theme-default-content', 'theme-hope-content'], // VuePress
];
const classRanks = new Map(
  containerClasses.flatMap((names, rank) => names.map((name) => [name, rank])),
);
const looseClasses = new Set(['markdown-body', 'prose', 'article-body']);

const isMain: Test = (element) => element.name === 'main' || attribute(element, 'role') === 'main';

/** Returns the rank of an element as a container of the content. The lowest rank wins. */
function containerRank(element: HtmlElement): number | undefined {
  let rank: number | undefined;
  for (const name of classesOf(element)) {
    const known = classRanks.get(name);
    if (known !== undefined && (rank === undefined || known < rank)) rank = known;
  }
  if (rank !== undefined) return rank;
  const next = containerClasses.length;
  // Sphinx and Read the Docs
  if (attribute(element, 'itemprop') === 'articleBody') return next;
  if (element.name === 'article' && hasClass(element, 'doc')) return next + 1; // Antora
  if (attribute(element, 'id') === 'main-content') return next + 2; // Just the Docs
  if (isHaddockContent(element)) return next + 2;
  if (isMain(element)) return next + 3;
  if (element.name === 'article') return next + 4;
  return classesOf(element).some((name) => looseClasses.has(name)) ? next + 5 : undefined;
}

/** Returns whether an element has the content of a page of Haddock, most of whose text can be links. */
function isHaddockContent(element: HtmlElement): boolean {
  return (
    attribute(element, 'id') === 'content' &&
    childElements(element).some((child) => attribute(child, 'id') === 'module-header')
  );
}

/** Minimum number of characters in a container, so that an empty one doesn't win over the page's text. */
const MIN_TEXT = 40;

/** Returns the main content of a page, or undefined for a page without a body. */
export function findMainContent(document: HtmlDocument): MainContent | undefined {
  const sizes = measureText(document);
  const root = bodyOf(document);
  if (!root) return undefined;
  const element = knownContainer(root, sizes) ?? densest(root, sizes);
  return { element, isNoise: noiseTest(element, sizes) };
}

function bodyOf(document: HtmlDocument): HtmlElement | undefined {
  return (
    findElement(document, ({ name }) => name === 'body') ??
    findElement(document, ({ name }) => name === 'html')
  );
}

function knownContainer(
  root: HtmlElement,
  sizes: ReadonlyMap<HtmlElement, TextSize>,
): HtmlElement | undefined {
  const byRank: (HtmlElement[] | undefined)[] = [];
  for (const element of descendants(root, isOuterFrame)) {
    const rank = containerRank(element);
    if (rank === undefined) continue;
    const found = (byRank[rank] ??= []);
    const last = found.at(-1);
    // Nested matches, such as an article in the main element, count once.
    if (!last || !contains(last, element)) found.push(element);
  }
  for (const found of byRank) {
    const first = found?.[0];
    if (!found || !first) continue;
    const element = found.length === 1 ? first : commonAncestor(found, root);
    if ((sizes.get(element)?.all ?? 0) >= MIN_TEXT || isMain(element)) return element;
  }
  return undefined;
}

/** Returns whether an element is the page's own navigation or footer. */
function isOuterFrame({ name }: HtmlElement): boolean {
  return name === 'nav' || name === 'footer';
}

function commonAncestor(elements: readonly HtmlElement[], root: HtmlElement): HtmlElement {
  for (let at = elements[0]; at; at = parentOf(at)) {
    const ancestor = at;
    if (elements.every((element) => contains(ancestor, element))) return ancestor;
  }
  return root;
}

/** Elements whose text is a sign that the element around them is the content. */
const textNames = new Set(['p', 'pre', 'li', 'td', 'dd', 'blockquote', 'h1', 'h2', 'h3', 'h4']);

/** Share of the text of the densest element by which one above it has more, if it has other parts of the content. */
const MORE_CONTENT = 0.1;

/**
 * Returns the element with the most text outside of links. The text of a paragraph counts for its
 * parent, and half for the element above that.
 */
function densest(root: HtmlElement, sizes: ReadonlyMap<HtmlElement, TextSize>): HtmlElement {
  const scores = new Map<HtmlElement, number>();
  const add = (element: HtmlElement | undefined, score: number): void => {
    if (element && contains(root, element)) scores.set(element, (scores.get(element) ?? 0) + score);
  };
  for (const element of descendants(root)) {
    if (!textNames.has(element.name)) continue;
    const { all, links } = sizes.get(element) ?? { all: 0, links: 0 };
    const score = all - 2 * links;
    const parent = parentOf(element);
    add(parent, score);
    if (parent) add(parentOf(parent), score / 2);
  }
  let best = root;
  let most = 0;
  for (const [element, score] of scores) if (score > most) [best, most] = [element, score];
  // An element above it with clearly more text outside of links has other parts of the content, such as sections.
  const textOf = (element: HtmlElement): number => {
    const { all, links } = sizes.get(element) ?? { all: 0, links: 0 };
    return all - 2 * links;
  };
  for (let at = best; at !== root;) {
    const above = parentOf(at);
    if (!above) break;
    at = above;
    if (textOf(at) > textOf(best) * (1 + MORE_CONTENT)) best = at;
  }
  return best;
}

const noiseNames = new Set(
  'nav footer script style template noscript svg form dialog button select textarea input object canvas audio video'.split(
    ' ',
  ),
);
const noiseRoles = new Set('navigation search banner contentinfo complementary dialog'.split(' '));

/** Classes and IDs of parts of the frame, each as a whole name in lower case. */
const noiseClass = new RegExp(
  '^(?:' +
    [
      '(?:[a-z-]+[-_])?breadcrumbs?(?:[-_].*)?|breadcrumbscontainer',
      '(?:table-of-contents|toc|page-toc|local-toc|on-this-page|tableofcontents.*|theme-doc-toc.*|toc-wrapper|td-toc|right-toc|nextra-toc|vpdocaside.*)',
      '(?:contents local|topic-contents)',
      '(?:pagination-nav.*|theme-doc-footer.*|pager|prev-?next|prev-next-.*|page-nav(?:igation)?|pagination(?:[-_].*)?|related-pages|article-nav|nav-links|bottom-nav|vpdocfooter|rst-footer-buttons|prev-next-footer)',
      '(?:theme-edit-this-page|edit-(?:this-)?page(?:-link)?|edit-link|tocedit.*|md-content__button|md-source-file|last-updated|td-page-meta.*|page-meta|theme-last-updated|page-edit|view-source|edit-on-github|sl-edit-link)',
      '(?:cookie(?:s|-?banner|-?consent|-?notice)?|consent(?:-banner)?|onetrust.*|gdpr)',
      '(?:docsearch.*|algolia-.*|search-?box|search-?form|search-?bar|md-search.*)',
      '(?:feedback(?:[-_].*)?|page-feedback|was-this-helpful|rating-widget|d-print-none|noprint|no-print)',
      '(?:skip-?link|skip-?to-?content|skip-nav(?:-link)?|skiptocontent|sr-only|visually-hidden|screen-reader-text)',
      '(?:sidebar|side-?bar|left-nav|right-sidebar|md-sidebar|sphinxsidebar|navbar|theme-doc-sidebar.*|menu__list)',
      '(?:header-?anchor|headerlink|anchor-?link|hash-link|heading-anchor|sl-anchor-link|subheading-anchor|td-heading-self-link|doc-anchor)',
      '(?:copy-?button|copybtn|copy-?code.*|clipboard.*|btn-clipboard|code-?copy.*|buttongroup)',
      '(?:hideme|rightside|theme-doc-version-badge|theme-doc-version-banner|version-warning|announcement-bar)',
      '(?:page-header-icon|summary_toggle|inheritancetree|nav-panel|navheader|navfooter|copy-popup-wrapper|toc-macro|page-metadata(?:-container)?|doc-outline|msotoc\\d|jp-inputprompt|input_prompt)',
      '(?:article-(?:author|votes|relatives|comments|subscribe)|related-articles)',
      '(?:ad|ads|advert|advertisement|ethical-.*|newsletter|social-share|share-buttons)',
    ].join('|') +
    ')$',
);

/** Share of the main content's text above which an element is content, whatever its tag, role or class says. */
const MAX_NOISE_SHARE = 0.6;

function noiseTest(main: HtmlElement, sizes: ReadonlyMap<HtmlElement, TextSize>): Test {
  const whole = sizes.get(main)?.all ?? 0;
  return (element) => {
    const name = element.name.toLowerCase();
    const size = sizes.get(element) ?? { all: 0, links: 0 };
    if (!looksLikeNoise(element, name, size)) return false;
    return size.all <= whole * MAX_NOISE_SHARE;
  };
}

function looksLikeNoise(element: HtmlElement, name: string, size: TextSize): boolean {
  // Fields of a form in the text, such as an example, still have text.
  if (noiseNames.has(name)) return true;
  const classes = classesOf(element);
  const role = attribute(element, 'role') ?? '';
  if (noiseRoles.has(role) && !(role === 'complementary' && isCalloutLike(element))) return true;
  if (isHidden(element)) return true;
  if (name === 'aside') return !isCalloutLike(element);
  if (name === 'header') return !hasHeading(element);
  if (name === 'div' && isNamed(element, 'footer')) return true;
  // Texinfo, YARD
  if (name === 'div' && isNamed(element, 'header') && size.links * 2 > size.all)
    return !hasHeading(element);
  if (/breadcrumb/i.test(attribute(element, 'aria-label') ?? '')) return true;
  if (classes.some(isNoiseClass)) return true;
  if (classes.includes('contents') && classes.includes('topic')) return true;
  const id = (attribute(element, 'id') ?? '').toLowerCase();
  if (id !== '' && !/^h[1-6]$/.test(name) && name !== 'section' && noiseId.test(id)) return true;
  if (name === 'a') return size.all < MAX_FRAME_LINK && isFrameLink(element);
  return name === 'ul' && isContentsList(element);
}

/** Returns whether an element has a name as its ID or as a class. */
function isNamed(element: HtmlElement, name: string): boolean {
  return hasClass(element, name) || attribute(element, 'id') === name;
}

/** Maximum number of characters of a link that can belong to the frame, such as `Suggest edits`. */
const MAX_FRAME_LINK = 60;

const noiseByClass = new Map<string, boolean>();

/** Returns whether a class names a part of the frame. Pages repeat few classes many times. */
function isNoiseClass(name: string): boolean {
  const known = noiseByClass.get(name);
  if (known !== undefined) return known;
  if (noiseByClass.size > 10_000) noiseByClass.clear();
  const isNoise = noiseClass.test(name);
  noiseByClass.set(name, isNoise);
  return isNoise;
}

const noiseId =
  /^(?:toc|table-of-contents|breadcrumbs?|cookie-.*|onetrust.*|sidebar|feedback|search-(?:box|form)|docsearch|package-header)$/;

/** Returns whether an aside is part of the text: a note or a warning. */
function isCalloutLike(element: HtmlElement): boolean {
  const words = [...classesOf(element), attribute(element, 'role') ?? ''].join(' ');
  return /admonition|callout|alert|aside--|note|tip|warning|caution|danger|important|info|hint|custom-block/.test(
    words,
  );
}

export function hasHeading(element: HtmlElement): boolean {
  for (const { name } of descendants(element)) if (/^h[1-6]$/.test(name)) return true;
  return false;
}

/** Returns whether an element is never shown. Tabs hide their panels until a reader chooses them. */
function isHidden(element: HtmlElement): boolean {
  if (isPanel(element)) return false;
  if (attribute(element, 'aria-hidden') === 'true') return true;
  const hiddenValue = attribute(element, 'hidden');
  if (hiddenValue !== undefined && hiddenValue !== 'until-found') return true;
  return /(?:^|;)\s*display\s*:\s*none/i.test(attribute(element, 'style') ?? '');
}

/** Returns whether an element is a tab's content. */
export function isPanel(element: HtmlElement): boolean {
  return (
    attribute(element, 'role') === 'tabpanel' ||
    hasClass(element, 'tab-pane', 'tab-panel', 'tab-content', 'tabbed-block', 'sd-tab-content') ||
    attribute(element, 'data-tab') !== undefined
  );
}

/** Returns whether a link belongs to the frame: the next page, or a form to edit this one. */
function isFrameLink(element: HtmlElement): boolean {
  if (/^(?:prev|next)$/.test(attribute(element, 'rel') ?? '')) return true;
  return /^(?:improve this doc|edit (?:this page|on git\w+)|suggest (?:an )?edits?|view (?:page )?source|skip to (?:main )?content|back to top|copy page)\b/i.test(
    collapsedText(element),
  );
}

/** Returns whether a list only links to headings of its own page. */
function isContentsList(element: HtmlElement): boolean {
  let links = 0;
  for (const inner of descendants(element)) {
    if (inner.name !== 'a') continue;
    if (!(attribute(inner, 'href') ?? '').startsWith('#')) return false;
    links++;
  }
  if (links < 3) return false;
  const linked = [...descendants(element)].filter(({ name }) => name === 'a').map(collapsedText);
  return (
    collapsedText(element).replace(/\s+/g, '').length === linked.join('').replace(/\s+/g, '').length
  );
}
