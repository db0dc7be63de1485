/** Parts of a sentence that ask something, in English and German. */
const asks = new RegExp(
  [
    String.raw`\?\s*$`,
    String.raw`^\P{L}*(?:how|whats?|why|where|when|which|who|can|could|is|are|am|does|do|did|should|would|will|has|have|any)\b`,
    String.raw`^\P{L}*(?:wie|was|warum|wieso|wo|wann|welche[mnrs]?|wer|kann|können|gibt|ist|sind|muss|soll|darf)(?!\p{L})`,
    String.raw`\b(?:how|what|where|why) (?:am|are|can|could|did|do|does|happens|if|is|should|to|would)\b`,
    String.raw`\b(?:(?:is|are) there|can i|do i|wie (?:geht|ich|kann|mache|man))\b`,
  ].join('|'),
  'iu',
);

/**
 * Returns the sentences of a text that ask something. The others are a greeting, say, or what the person works with and
 * has tried.
 */
export function askingSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => asks.test(sentence));
}
