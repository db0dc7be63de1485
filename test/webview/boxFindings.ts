import type { Page } from 'playwright-core';

/**
 * Returns what axe finds in the box of an enhanced site.
 * @param axe source of axe.
 */
export async function boxFindings(page: Page, axe: string): Promise<string[]> {
  // A policy allows no script that a test adds to the document, but one that the browser itself runs.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const box = document.querySelector('docs-assistant-box');
    if (!box) return ['no box'];
    const { violations } = await window.axe.run(box, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
}
