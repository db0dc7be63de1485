/**
 * Sanitizes rendered Markdown, as a second line of defense: only a short list of elements and
 * attributes passes. This is the only place where HTML becomes DOM.
 */
import createPurifier from 'dompurify';

/**
 * Number of fragments made with one document. A document notifies each iterator that the sanitizer
 * ever made in it about every removed node, until the garbage is collected.
 */
const FRAGMENTS_A_DOCUMENT = 50;

let inert: Document | undefined;
let fragmentsLeft = 0;

/** Returns a document in which parsed HTML neither runs nor loads anything. */
function inertDocument(): Document {
  if (!inert || fragmentsLeft-- === 0) {
    inert = document.implementation.createHTMLDocument();
    fragmentsLeft = FRAGMENTS_A_DOCUMENT;
  }
  return inert;
}

const tags = [
  ...['p', 'br', 'hr', 'strong', 'em', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li', 'a'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ...['div', 'span', 'sup'],
];

const htmlPurifier = createPurifier(window);
// A configuration passed with each call would be parsed anew each time, which takes as long as the
// cleaning.
htmlPurifier.setConfig({
  IN_PLACE: true,
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: ['href', 'class', 'start', 'data-language', 'data-math', 'data-footnote'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  // Relative links are looked up among the sources and never stay plain links.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|[^:]*$|[^:]*[/?#])/i,
  SANITIZE_NAMED_PROPS: true,
});

/**
 * Returns parsed and sanitized HTML. Its nodes stay in their own document, because moving nodes
 * that are only compared would cost as much as cleaning them.
 */
export function sanitizedFragment(html: string): DocumentFragment {
  const owner = inertDocument();
  const holder = owner.createElement('div');
  holder.innerHTML = html;
  htmlPurifier.sanitize(holder);
  const fragment = owner.createDocumentFragment();
  fragment.append(...holder.childNodes);
  return fragment;
}

/** Elements of formulas. None of them links to, loads or contains anything else. */
const mathTags = [
  ...['math', 'mrow', 'mi', 'mn', 'mo', 'ms', 'mtext', 'mspace', 'mstyle', 'mpadded', 'mphantom'],
  ...['mfrac', 'msqrt', 'mroot', 'msub', 'msup', 'msubsup', 'munder', 'mover', 'munderover'],
  ...['mtable', 'mtr', 'mtd', 'menclose', 'mmultiscripts', 'mprescripts', 'semantics'],
];

const mathAttributes = [
  ...['display', 'displaystyle', 'scriptlevel', 'mathvariant', 'mathcolor', 'mathbackground'],
  ...['mathsize', 'fence', 'separator', 'stretchy', 'symmetric', 'largeop', 'movablelimits'],
  ...['accent', 'accentunder', 'form', 'lspace', 'rspace', 'minsize', 'maxsize', 'width'],
  ...['height', 'depth', 'voffset', 'linethickness', 'columnalign', 'rowalign', 'rowspacing'],
  ...['columnspacing', 'columnlines', 'rowlines', 'frame', 'notation'],
];

const mathPurifier = createPurifier(window);

/** Returns a formula as MathML, without its source. */
export function sanitizedMath(markup: string): Element | null {
  return mathPurifier
    .sanitize(markup, {
      RETURN_DOM_FRAGMENT: true,
      ALLOWED_TAGS: mathTags,
      ALLOWED_ATTR: mathAttributes,
      FORBID_CONTENTS: ['annotation'],
      ALLOW_ARIA_ATTR: false,
      ALLOW_DATA_ATTR: false,
    })
    .querySelector('math');
}
