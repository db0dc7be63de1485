/** Formulas as MathML. Loaded with the first formula that is whole. */
import { ParseError, renderToString } from 'katex';
import { element } from '../dom';
import { sanitisedMath } from './sanitise';

/** A longer formula stays as it was written. */
const MAX_SOURCE_LENGTH = 4_000;
/** Macros within macros: more is a trap and no formula. */
const MAX_EXPANSIONS = 200;
/** Width and height that a formula may ask for, in em. */
const MAX_SIZE_EM = 30;

/**
 * Draws the formula in the place of its source, which stays there for whoever copies it. What is
 * no formula stays as it was written.
 * @param holder its text is TeX; it is marked with `data-math`, `inline` or `display`
 */
export function drawFormula(holder: HTMLElement, label: string): void {
  const source = holder.textContent;
  const isDisplay = holder.dataset['math'] === 'display';
  const formula = formulaOf(source, isDisplay);
  if (!formula) return;
  const delimiter = isDisplay ? '$$' : '$';
  holder.replaceChildren(
    formula,
    element('span', {
      class: 'math-source',
      text: delimiter + source + delimiter,
      attributes: { 'aria-hidden': 'true' },
    }),
  );
  if (!isDisplay) return;
  // It may be wider than the view: the keyboard has to reach it to scroll it.
  holder.tabIndex = 0;
  holder.setAttribute('role', 'group');
  holder.setAttribute('aria-label', label);
}

function formulaOf(source: string, isDisplay: boolean): Element | null {
  if (source.length > MAX_SOURCE_LENGTH) return null;
  try {
    const markup = renderToString(source, {
      displayMode: isDisplay,
      maxExpand: MAX_EXPANSIONS,
      maxSize: MAX_SIZE_EM,
      output: 'mathml',
      strict: 'ignore',
      throwOnError: true,
      trust: false,
      // Definitions of one formula are not known in another.
      globalGroup: false,
    });
    const formula = sanitisedMath(markup);
    formula?.setAttribute('alttext', source);
    return formula;
  } catch (error: unknown) {
    if (error instanceof ParseError || error instanceof RangeError) return null;
    throw error;
  }
}
