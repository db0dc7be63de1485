import { compareBundles } from '../../../../src/export/compare/compareBundles';
import type { BundleComparison } from '../../../../src/export/compare/comparison';
import { withSite, type SiteContents } from '../check/site';

/** Returns the comparison of two sites. */
export function compared(before: SiteContents, after: SiteContents): Promise<BundleComparison> {
  return withSite(before, (old) => withSite(after, (fresh) => comparedFolders(old, fresh)));
}

export function comparedFolders(before: string, after: string): Promise<BundleComparison> {
  return compareBundles({
    before: { root: before, name: 'docs-1.tar.gz' },
    after: { root: after, name: 'docs-2.tar.gz' },
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
}

/** Returns a page with navigation around its text, as generators write it. */
export function docsPage(
  title: string,
  text: string,
  { head = '', nav = '' }: { readonly head?: string; readonly nav?: string } = {},
): string {
  return `<!doctype html>\n<html lang="en"><head><title>${title}</title>${head}</head><body>\n<nav>${nav}</nav>\n<main><h1>${title}</h1>\n${text}\n</main>\n</body></html>\n`;
}

/** Returns a paragraph of some length that no other seed has a sentence of. */
export function prose(seed: string, sentences = 8): string {
  const lines = Array.from(
    { length: sentences },
    (_, at) => `The ${seed} of part ${at} keeps ${seed} number ${at * 7} behind gate ${seed}${at}.`,
  );
  return `<p>${lines.join(' ')}</p>`;
}
