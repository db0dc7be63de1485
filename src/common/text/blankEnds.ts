/**
 * Removes white space at the ends of lines and texts. A plain pattern such as `/\s+$/` tries each position of each
 * run of white space, so its time grows with the square of the longest run. These functions try each run once.
 */

/** Returns the text without spaces and tabs at the ends of its lines. */
export function withoutLineEndBlanks(text: string): string {
  return text.replace(/(?<![ \t])[ \t]+$/gm, '');
}

/** Returns code without empty lines above it and without white space after it. */
export function trimmedCode(code: string): string {
  return code.replace(/^\n+/, '').trimEnd();
}

/** Returns a heading without the `{#id}` at its end, and the ID. */
export function splitHeadingId(heading: string): { readonly text: string; readonly id?: string } {
  const custom = /(?<!\s)\s*\{#([^\s{}]+)\}$/.exec(heading);
  const id = custom?.[1];
  return id === undefined ? { text: heading } : { text: heading.slice(0, custom?.index), id };
}
