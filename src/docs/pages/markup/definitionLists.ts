import { codeLines } from './lines';

/** Matches the beginning of a definition: `:   Has full access`. */
const definition = /^ {0,3}:[ \t]+(?=\S)/;
/** Matches a line that is no term: a heading, an item, a quote, a row, an element, a container or an indented line. */
const noTerm = /^(?:[ \t]|#{1,6}[ \t]|[-+*][ \t]|[>|<:]|\d+[.)][ \t]|={3,}|-{3,})/;
/** Maximum number of terms of a definition. More lines above it are a paragraph. */
const MAX_TERMS = 3;

/**
 * Writes the definitions that Python-Markdown (MkDocs), kramdown (Jekyll), Goldmark (Hugo) and Pandoc read as a list, as
 * `:   Has full access` below `read-write key`, as items that begin with the term. Keeps the number of lines.
 */
export function definitionsAsLists(source: string): string {
  if (!/^ {0,3}:[ \t]+\S/m.test(source)) return source;
  const lines = source.split('\n');
  const isCode = codeLines();
  /** Whether the lines since the last term belong to its definitions. */
  let isDefined = false;
  for (const [index, line] of lines.entries()) {
    if (isCode(line)) continue;
    if (!definition.test(line)) {
      isDefined &&=
        line.trim() === '' || /^[ \t]/.test(line) || (lines[index - 1] ?? '').trim() !== '';
      continue;
    }
    const terms = termsAbove(lines, index);
    if (terms) markTerms(lines, terms);
    else if (!isDefined) continue;
    isDefined = true;
    breakLine(lines, index - 1);
    lines[index] = line.replace(definition, '    ');
  }
  return lines.join('\n');
}

/** Returns the first line of the terms of a definition and the line after the last, or undefined if it has none. */
function termsAbove(
  lines: readonly string[],
  at: number,
): { readonly from: number; readonly to: number } | undefined {
  const to = (lines[at - 1] ?? '').trim() === '' ? at - 1 : at;
  let from = to;
  while (from > 0 && to - from <= MAX_TERMS && (lines[from - 1] ?? '').trim() !== '') from--;
  const terms = lines.slice(Math.max(0, from), to);
  const areTerms = terms.length > 0 && terms.length <= MAX_TERMS;
  return areTerms && !terms.some((term) => noTerm.test(term)) ? { from, to } : undefined;
}

function markTerms(lines: string[], { from, to }: { from: number; to: number }): void {
  for (let index = from; index < to; index++) {
    const term = (lines[index] ?? '').trim();
    lines[index] = (index === from ? '- ' : '  ') + (term.includes('**') ? term : `**${term}**`);
    if (index > from) breakLine(lines, index - 1);
  }
}

/** Ends a line with a line break, unless it is empty. */
function breakLine(lines: string[], index: number): void {
  const line = (lines[index] ?? '').trimEnd();
  if (line !== '') lines[index] = `${line}\\`;
}
