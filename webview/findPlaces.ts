/** Where the text of {@link ShownText} is among the nodes that show it. */
import { FORMULA, isBlockTag, ShownText } from './findText';

/** What is searched by itself: no match reaches from one into another. */
export const unitSelector = '.question-text, .markdown .block, .markdown > .footnotes > ol > li';

/** What readers see and no text of a message has: names and buttons of code, numbers of sources. */
const skipped =
  '.code-header, .alert-title, .citation, .footnote-ref, .footnote-back, .math-source';

/** The units of a message that are shown, in their order. */
export function unitsOf(message: Element): Element[] {
  return [...message.querySelectorAll(unitSelector)].filter(isUnitShown);
}

export function isUnitShown(unit: Element): boolean {
  return unit.closest('details:not([open])') === null;
}

/** The unit that holds the node. */
export function unitOf(node: Node): Element | null {
  const around = node instanceof Element ? node : node.parentElement;
  return around?.closest(unitSelector) ?? null;
}

/** Where the pattern matches in the text of a unit. */
export function rangesIn(unit: Element, pattern: RegExp): StaticRange[] {
  const shown = new ShownText();
  collect(unit, shown, unit.matches('.question-text'));
  const { places } = shown;
  const ranges: StaticRange[] = [];
  let next = 0;
  for (const match of shown.text.matchAll(pattern)) {
    const { index, 0: found } = match;
    while ((places[next + 1]?.at ?? Infinity) <= index) next++;
    const start = places[next];
    let last = next;
    // The last letter tells the node: what begins behind it is not part of the match.
    while ((places[last + 1]?.at ?? Infinity) < index + found.length) last++;
    const end = places[last];
    if (!start || !end) continue;
    const range = {
      startContainer: start.node,
      startOffset: start.offset + index - start.at,
      endContainer: end.node,
      endOffset: Math.min(end.node.length, end.offset + index + found.length - end.at),
    };
    if (range.startOffset <= start.node.length) ranges.push(new StaticRange(range));
  }
  return ranges;
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
