const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });

const abbreviations =
  /\b(?:e\.g|i\.e|z\. ?B|d\. ?h|u\. ?a|bzw|ca|etc|vgl|vs|approx|Nr|No|Std|Min)\./g;

/** Splits Markdown into sentences. Code and links stay whole. */
export function sentences(markdown: string): string[] {
  const flat = markdown.replace(/\s*\n\s*/g, ' ');
  // Code and links are replaced by as many letters, so that a period inside does not end a sentence.
  const masked = flat.replace(/(`+).*?\1|\[[^\]]*\]\([^)]*\)/g, (span) => 'x'.repeat(span.length));
  return sentenceSpans(masked).map(({ start, end }) => flat.slice(start, end));
}

/** Offsets of a sentence in a text, in UTF-16 code units. The span includes the whitespace after it. */
interface SentenceSpan {
  readonly start: number;
  readonly end: number;
}

/** Returns the spans of the sentences of a text. Code in the text must be masked. */
export function sentenceSpans(masked: string): SentenceSpan[] {
  const text = masked.replace(abbreviations, (abbreviation) => abbreviation.replaceAll('.', 'x'));
  return [...segmenter.segment(text)].map(({ segment, index }) => ({
    start: index,
    end: index + segment.length,
  }));
}
