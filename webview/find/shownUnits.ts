/** Reads the text of messages from the document, as readers see it, with the nodes that hold it. */
import { FORMULA, isBlockTag, ShownText } from './findText';

/** Selects the units that are searched separately. A match never spans two of them. */
export const unitSelector = '.question-text, .markdown .block, .markdown > .footnotes > ol > li';

/**
 * Selects text that readers see but that is not part of a message: names and buttons of code, what
 * the view says about code, and numbers of sources.
 */
const skipped =
  '.code-header, .code-note, .alert-title, .citation, .footnote-ref, .footnote-back, .math-source';

/** Returns the visible units of a message in their order. */
export function unitsOf(message: Element): Element[] {
  return [...message.querySelectorAll(unitSelector)].filter(isUnitShown);
}

export function isUnitShown(unit: Element): boolean {
  return unit.closest('details:not([open])') === null;
}

/** Returns the unit that holds the node. */
export function shownUnitOf(node: Node): Element | null {
  const around = node instanceof Element ? node : node.parentElement;
  return around?.closest(unitSelector) ?? null;
}

/** Returns the text of units as readers see it, with the nodes that hold it. */
export function shownTextOf(units: readonly Element[]): ShownText {
  const shown = new ShownText();
  for (const unit of units) {
    shown.break();
    collect(unit, shown, unit.matches('.question-text'));
  }
  return shown;
}

function collect(parent: Element, shown: ShownText, isPre: boolean): void {
  for (const node of parent.childNodes) {
    if (node instanceof Text) shown.add(node.data, isPre, node);
    else if (node instanceof Element) collectElement(node, shown, isPre);
  }
}

function collectElement(found: Element, shown: ShownText, isPre: boolean): void {
  const { localName } = found;
  if (localName === 'br') {
    shown.add(' ', false);
    return;
  }
  const isBlock = isBlockTag(localName);
  if (isBlock) shown.break();
  if (found.hasAttribute('data-math')) shown.add(FORMULA, false);
  else if (!found.matches(skipped)) collect(found, shown, isPre || localName === 'pre');
  if (isBlock) shown.break();
}
