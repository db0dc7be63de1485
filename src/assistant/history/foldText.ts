/** Comparing texts as people do who search: letter case, accents and forms of letters are one. */

const combiningMarks = /[\u0300-\u036f\u0591-\u05bd\u064b-\u065f]/g;
const notAscii = /[^\0-\x7f]/;

/** A text so that two that read the same to a searcher are equal. Keeps line ends as they are. */
export function foldText(text: string): string {
  if (!notAscii.test(text)) return text.toLowerCase();
  // Capitals first, as some small letters differ where their capitals do not.
  return text
    .normalize('NFKD')
    .replace(combiningMarks, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(combiningMarks, '')
    .normalize('NFC');
}

/** The words of a query, folded, each once; at most a dozen. */
export function wordsOf(query: string): readonly string[] {
  return [...new Set(foldText(query).split(/\s+/u))].filter((word) => word !== '').slice(0, 12);
}

/**
 * A folded line, and for each of its code units the place in the line that it came from (with one
 * more for its end).
 */
export function foldLine(line: string): { readonly folded: string; readonly places: number[] } {
  if (!notAscii.test(line)) {
    return {
      folded: line.toLowerCase(),
      places: Array.from({ length: line.length + 1 }, (_, i) => i),
    };
  }
  let folded = '';
  const places: number[] = [];
  // A letter and the marks upon it fold together, and so do the parts of a Hangul syllable.
  for (const { 0: letter, index } of line.matchAll(/[\s\S][\p{M}\u1160-\u11ff]*/gu)) {
    const part = foldText(letter);
    for (let unit = 0; unit < part.length; unit++) places.push(index);
    folded += part;
  }
  places.push(line.length);
  return { folded, places };
}
