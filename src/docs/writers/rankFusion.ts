import type { FoundSection } from '../pages/page';

/** Constant of reciprocal rank fusion. The paper about this method recommends 60. */
const RANK_CONSTANT = 60;

/** Returns a key for a section, which is unique among all sets of docs. */
export function sectionKey({ page, section }: FoundSection): string {
  return `${page.set?.id ?? ''}\n${page.path}#${section.slug}`;
}

/** The result of one search. */
export interface RankedList<T extends FoundSection> {
  readonly sections: readonly T[];
  /** Weight of the list in the joined ranking. A list of one query has 1. */
  readonly weight: number;
}

/**
 * Joins the results of several searches by reciprocal rank. Scores of different searches can't be compared,
 * but ranks can.
 * @returns up to `count` sections, best first, each once.
 */
export function joinByRank<T extends FoundSection>(
  lists: readonly RankedList<T>[],
  count: number,
): (T & { readonly strength: number })[] {
  const joined = new Map<string, { readonly found: T; score: number }>();
  for (const { sections, weight } of lists) {
    sections.forEach((found, place) => {
      const key = sectionKey(found);
      const entry = joined.get(key) ?? { found, score: 0 };
      entry.score += weight / (RANK_CONSTANT + place + 1);
      joined.set(key, entry);
    });
  }
  const ordered = [...joined.values()].sort((one, other) => other.score - one.score);
  const best = ordered[0]?.score ?? 1;
  return ordered.slice(0, count).map(({ found, score }) => ({ ...found, strength: score / best }));
}
