/**
 * Checks that everything fits in the view and can be read whole. Each check returns what is wrong.
 */
import type { OpenView } from './harness';

/** Returns what scrolls sideways and is neither code, a table nor a formula. */
export async function scrollingSideways({ page }: OpenView): Promise<string[]> {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('body, body *')]
      .filter((found) => {
        if (found.matches('.code-text, .table-scroller, [data-math]')) return false;
        const { overflowX } = getComputedStyle(found);
        const isScroller = found === document.documentElement || /auto|scroll/.test(overflowX);
        return isScroller && found.scrollWidth > found.clientWidth + 1;
      })
      .map((found) => `${found.tagName}.${found.className}`),
  );
}

/**
 * Returns texts that end in an ellipsis without a tooltip that has them whole, and icons without a
 * tooltip.
 */
export async function untold({ page }: OpenView): Promise<string[]> {
  return page.evaluate(() => {
    const isShown = (found: Element): boolean => found.checkVisibility();
    const cut = [...document.querySelectorAll('body *')].filter(
      (found) =>
        getComputedStyle(found).textOverflow === 'ellipsis' &&
        !(found instanceof HTMLInputElement) &&
        found.scrollWidth > found.clientWidth,
    );
    const icons = [...document.querySelectorAll('button, vscode-button')].filter(
      // A sign in the text has a tip of its own.
      (found) => found.textContent.trim() === '' && !found.matches('.unproven-sign'),
    );
    return [...cut, ...icons]
      .filter((found) => isShown(found) && !found.closest('[title]'))
      .map((found) => `${found.className}: ${found.textContent}`);
  });
}

/**
 * Returns elements that reach beyond the view's sides and are not within something that scrolls.
 */
export async function cutOff({ page }: OpenView): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    return [...document.querySelectorAll('body *')]
      .filter((found) => {
        if (!found.checkVisibility()) return false;
        if (found.closest('.code-text, .table-scroller, .visually-hidden')) return false;
        // Text that ends in an ellipsis is cut on purpose. All of it is in its tooltip.
        for (let around = found.parentElement; around; around = around.parentElement) {
          if (getComputedStyle(around).textOverflow === 'ellipsis') return false;
        }
        const { left, right, width: own } = found.getBoundingClientRect();
        return own > 0 && (left < -1 || right > width + 1);
      })
      .map((found) => `${found.tagName}.${found.className}`);
  });
}
