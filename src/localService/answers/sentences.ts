const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

const abbreviations =
  /\b(?:e\.g|i\.e|z\. ?B|d\. ?h|u\. ?a|bzw|ca|etc|vgl|vs|approx|Nr|No|Std|Min)\./g;

/** Splits Markdown into sentences. Code and links stay whole. */
export function sentences(markdown: string): string[] {
  const flat = markdown.replace(/\s*\n\s*/g, ' ');
  // Code and links are masked at the same length, so that a full stop inside ends no sentence.
  const masked = flat.replace(/(`+).*?\1|\[[^\]]*\]\([^)]*\)/g, (span) => 'x'.repeat(span.length));
  return sentenceSpans(masked).map(({ start, end }) => flat.slice(start, end));
}

/** The place of a sentence in a text, with the whitespace after it. */
export interface SentenceSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns the places of the sentences of a text whose code is masked. */
export function sentenceSpans(masked: string): SentenceSpan[] {
  const text = masked.replace(abbreviations, (abbreviation) => abbreviation.replaceAll('.', 'x'));
  return [...segmenter.segment(text)].map(({ segment, index }) => ({
    start: index,
    end: index + segment.length,
  }));
}

/** Returns Markdown without the targets of links and the marks of code, emphasis and tables. */
export function plainText(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/\\([|`*_])/g, '$1')
    .replace(/[`*|]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
