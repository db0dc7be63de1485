/**
 * Removes marks from pieces of Markdown: a sentence, a list item, a table row. `markdownText.ts` reads
 * whole blocks. It would join the cells of a row differently, and a parser takes about seven times as long for
 * the hundreds of pieces that are compared before a reply begins.
 */

/** Returns Markdown with the text of links and images in their place. */
export function withoutLinkTargets(markdown: string): string {
  return markdown.replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1');
}

/**
 * Returns Markdown without the targets of links and without emphasis. The marks of code and cells
 * stay, because they separate a number from the word after it.
 */
export function unmarked(markdown: string): string {
  return withoutLinkTargets(markdown)
    .replace(/\\([|`*_])/g, '$1')
    .replaceAll('*', ' ')
    .trim();
}

/** Returns Markdown on one line, without the targets of links and the marks of code and tables. */
export function unmarkedLine(markdown: string): string {
  return unmarked(markdown).replace(/[`|]/g, ' ').replace(/\s+/g, ' ').trim();
}
