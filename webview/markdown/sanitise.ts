/**
 * The second line of defence: what the Markdown renderer made passes a sanitiser with a short list
 * of what a reply may hold. HTML becomes DOM here and nowhere else.
 */
import createPurifier from 'dompurify';

/**
 * Fragments from one document: it tells each iterator that the sanitiser ever made in it of every
 * node that is taken out, until somebody collects the garbage.
 */
const FRAGMENTS_A_DOCUMENT = 50;

let inert: Document | undefined;
let fragmentsLeft = 0;

/** Gives a document where HTML is parsed: nothing in it is run or loaded. */
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
// Given with each call, it would be read anew each time, which takes as long as the cleaning.
htmlPurifier.setConfig({
  IN_PLACE: true,
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: ['href', 'class', 'start', 'data-language', 'data-math', 'data-footnote'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  // Relative links are looked up among the sources and never stay links by themselves.
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|[^:]*$|[^:]*[/?#])/i,
  SANITIZE_NAMED_PROPS: true,
});

/**
 * Parsed and cleaned. Its nodes belong to no document that is shown: taking over those that are
 * only looked at would cost as much as cleaning them.
 */
export function sanitisedFragment(html: string): DocumentFragment {
  const owner = inertDocument();
  const holder = owner.createElement('div');
  holder.innerHTML = html;
  htmlPurifier.sanitize(holder);
  const fragment = owner.createDocumentFragment();
  fragment.append(...holder.childNodes);
  return fragment;
}

/** What formulas are made of; nothing of it leads anywhere, loads anything or holds HTML. */
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

/** A formula as MathML, without the source that comes with it. */
export function sanitisedMath(markup: string): Element | null {
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
