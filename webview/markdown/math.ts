/** Draws formulas as MathML. Loaded with the first complete formula. */
import { ParseError, renderToString } from 'katex';
import { element } from '../dom';
import { sanitizedMath } from './sanitize';

/** Maximum length of a formula's source. A longer one stays as text. */
const MAX_SOURCE_LENGTH = 4_000;
/** Maximum number of macro expansions. More of them mean an attack, not a formula. */
const MAX_EXPANSIONS = 200;
/** Maximum width and height in em that a formula may ask for. */
const MAX_SIZE_EM = 30;

/**
 * Replaces the source of a formula by the drawn formula. The source stays in the document for
 * copying. Invalid source stays as text.
 * @param holder element whose text is TeX. Its `data-math` is `inline` or `display`.
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
  // A formula wider than the view must be scrollable by keyboard.
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
      // Definitions in one formula must not affect another.
      globalGroup: false,
    });
    const formula = sanitizedMath(markup);
    formula?.setAttribute('alttext', source);
    return formula;
  } catch (error: unknown) {
    if (error instanceof ParseError || error instanceof RangeError) return null;
    throw error;
  }
}
