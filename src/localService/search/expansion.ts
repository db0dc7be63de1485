import type { Concept, DocsIndex } from './docsIndex';
import { synonymsOf } from './synonyms';

/** Minimum length of a word that also matches longer words that begin with it. */
const MIN_BEGINNING = 4;
/** Minimum length of a word that is compared as a possible misspelling. */
const MIN_MISSPELT = 5;
const BEGINNING_CREDIT = 0.6;
const MISSPELT_CREDIT = 0.7;
const CONTAINED_CREDIT = 0.8;
/** Maximum number of longer words that a word stands for. Hundreds of words can begin with a short word. */
const MAX_BEGUN = 40;

/**
 * Returns a term with the words of the docs that can stand for it.
 * @param isExpanded whether to add synonyms, longer words and corrected spellings.
 * @param isCompound whether the term is an identifier of several words.
 */
export function conceptOf(
  term: string,
  weight: number,
  index: DocsIndex,
  isExpanded = true,
  isCompound = false,
): Concept {
  const variants = new Map<string, number>();
  const raise = (word: string, credit: number): void => {
    variants.set(word, Math.max(variants.get(word) ?? 0, credit));
  };
  if (isExpanded) {
    for (const [synonym, credit] of synonymsOf(term))
      if (index.has(synonym)) raise(synonym, credit);
  }
  if (isExpanded && !/^\d+$/.test(term)) {
    if (term.length >= MIN_BEGINNING) {
      const begun = index.beginningWith(term).filter((word) => word !== term);
      begun.sort((one, other) => one.length - other.length);
      for (const word of begun.slice(0, MAX_BEGUN)) {
        // "limit" and "limiter" are about the same, "life" and "lifecycle" are not.
        raise(word, BEGINNING_CREDIT * (term.length / word.length) ** 2);
      }
    }
    if (term.length >= MIN_MISSPELT && !index.has(term) && !/\d/.test(term)) {
      for (const word of index.misspeltFrom(term)) raise(word, MISSPELT_CREDIT);
    }
  }
  if (isCompound && !index.has(term)) {
    // A question can say `useRealtime` for `experimental_useRealtime` of the docs.
    for (const word of index.wordsContaining(term).slice(0, MAX_BEGUN))
      raise(word, CONTAINED_CREDIT);
  }
  variants.set(term, 1);
  return { term, weight, variants };
}
