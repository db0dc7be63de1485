/** Sections that are examples of the same, each in its programming language. */
import { codeLanguageOf, isProgramming, type CodeLanguage } from './codeLanguages';
import type { FoundSection, SectionHit } from './docsIndex';
import type { Section } from './page';

/** The languages of a section's code. */
export function codeLanguagesOf(section: Section): CodeLanguage[] {
  return [...new Set(section.blocks.flatMap((block) => block.codeLanguage ?? []))];
}

/**
 * Whether two sections are the same example, once per language: side by side, with headings that
 * differ in the language's name alone.
 */
export function areAlternatives(one: FoundSection, other: FoundSection): boolean {
  const place = ({ page, section }: FoundSection): string =>
    [page.path, ...section.ancestors, withoutLanguages(section.heading)].join('\n');
  const [left, right] = [codeLanguagesOf(one.section), codeLanguagesOf(other.section)];
  return (
    one.section !== other.section &&
    place(one) === place(other) &&
    left.length > 0 &&
    right.length > 0 &&
    !left.some((language) => isProgramming(language) && right.includes(language))
  );
}

function withoutLanguages(heading: string): string {
  return heading.replace(/[^\s,()]+/g, (word) => (codeLanguageOf(word) === undefined ? word : ''));
}

/** Share of the best hit's score from which the section above it comes first. */
const PARENT_SHARE = 0.6;

/** Where the best hit is one of several examples, what they are examples of comes before it. */
export function parentFirst(hits: readonly SectionHit[]): readonly SectionHit[] {
  const [best] = hits;
  if (!best) return hits;
  const parent = hits.find(
    ({ page, section, score }) =>
      page === best.page &&
      section.heading === best.section.ancestors.at(-1) &&
      score >= best.score * PARENT_SHARE,
  );
  if (!parent) return hits;
  const rest = hits.filter((hit) => hit !== parent);
  return [{ ...parent, score: best.score }, ...rest];
}

/** Alternatives in the order of their page, where nobody prefers one: others follow the ranking. */
export function alternativesInPageOrder(hits: readonly SectionHit[]): SectionHit[] {
  const result = [...hits];
  result.forEach((hit, position) => {
    for (let later = position + 1; later < result.length; later++) {
      const other = result[later];
      const current = result[position] ?? hit;
      if (!other || !areAlternatives(current, other)) continue;
      const { sections } = current.page;
      if (sections.indexOf(other.section) < sections.indexOf(current.section)) {
        result[position] = { ...other, score: current.score };
        result[later] = { ...current, score: other.score };
      }
    }
  });
  return result;
}
