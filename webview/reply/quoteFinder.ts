/**
 * Finds quoted statements in the shown text. A service quotes its own Markdown, in which spaces,
 * dashes, quotation marks and citations can differ from the drawn text, so only the words are
 * compared. This file needs no browser.
 */

/** A range of a text in UTF-16 code units. `end` is exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Maximum number of places that are compared for one statement. */
const MAX_PLACES = 50;

const word = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}]+/gu;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;
/** Numbers of sources, such as `[1]` or `[1, 2]`. Text and quote can differ in them. */
const citations = /[[【]\s*\^?\d{1,3}(?:\s*,\s*\^?\d{1,3})*\s*[\]】]/g;
const sentenceEnd = /[.!?:;…。！？：；\0]/;
/** Marks that can stand between a statement and the end of the sentence before or after it. */
const closing = /["'»«“”„‘’)\]}*_\s]/;

/** The words of a text, in which statements are found one after the other. */
export class QuoteFinder {
  readonly #text: string;
  readonly #spans: readonly TextSpan[];
  /** The words with one space around each. */
  readonly #words: string;
  /** Position of each word in {@link QuoteFinder.#words}. */
  readonly #starts: readonly number[];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    const found = wordsOf(text);
    this.#spans = found.map(({ span }) => span);
    const starts: number[] = [];
    let length = 1;
    for (const { key } of found) {
      starts.push(length);
      length += key.length + 1;
    }
    this.#starts = starts;
    this.#words = joined(found.map(({ key }) => key));
  }

  /**
   * Returns the range of the statement, from its first to its last word. If there are several, it
   * prefers a whole sentence over a part of one, then the first one after the previous statement.
   * @returns undefined if the text doesn't have the words in this order.
   */
  find(quote: string): TextSpan | undefined {
    const words = wordsOf(quote).map(({ key }) => key);
    // The last word of a cut quote can be incomplete.
    if (quote.endsWith('…')) words.pop();
    if (words.length === 0) return undefined;
    const needle = joined(words);
    const span =
      this.#from(needle, words.length, this.#next) ?? this.#from(needle, words.length, 0);
    if (!span) return undefined;
    this.#next = Math.max(0, this.#words.indexOf(' ', this.#starts[span.last] ?? 0));
    return { start: span.start, end: span.end };
  }

  #from(needle: string, count: number, from: number): (TextSpan & { last: number }) | undefined {
    let first: (TextSpan & { last: number }) | undefined;
    let at = this.#words.indexOf(needle, from);
    for (let tried = 0; at >= 0 && tried < MAX_PLACES; tried++) {
      const index = this.#wordAt(at + 1);
      const last = index + count - 1;
      const [start, end] = [this.#spans[index]?.start, this.#spans[last]?.end];
      if (start === undefined || end === undefined) return first;
      const span = { start, end, last };
      if (this.#isWhole(span)) return span;
      first ??= span;
      at = this.#words.indexOf(needle, at + 1);
    }
    return first;
  }

  /** Returns the index of the word that starts at that position of the words. */
  #wordAt(position: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isWhole({ start, end }: TextSpan): boolean {
    let before = start - 1;
    while (before >= 0 && closing.test(this.#text.charAt(before))) before--;
    let after = end;
    while (after < this.#text.length && closing.test(this.#text.charAt(after))) after++;
    return (
      (before < 0 || sentenceEnd.test(this.#text.charAt(before))) &&
      (after >= this.#text.length || sentenceEnd.test(this.#text.charAt(after)))
    );
  }
}

function wordsOf(text: string): { readonly key: string; readonly span: TextSpan }[] {
  const withoutCitations = text.replace(citations, (mark) => ' '.repeat(mark.length));
  return [...withoutCitations.matchAll(word)].flatMap(({ 0: found, index }) => {
    const key = found.replace(invisible, '').normalize('NFKC');
    return key === '' ? [] : [{ key, span: { start: index, end: index + found.length } }];
  });
}

function joined(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}
