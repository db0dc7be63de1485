import type { FoundSection } from '../pages/page';

/** Constant of reciprocal rank fusion. 60 is the value of its paper, and robust in practice. */
const RANK_CONSTANT = 60;

/** Returns the name of a section that is unique within the docs. */
export function sectionKey({ page, section }: FoundSection): string {
  return `${page.path}#${section.slug}`;
}

/** Sections that one search found, best first. */
export interface RankedList<T extends FoundSection> {
  readonly sections: readonly T[];
  /** Weight of the list, 1 for a list of its own query. */
  readonly weight: number;
}

/**
 * Joins the results of several searches by reciprocal rank: scores of different searches can't be
 * compared, but places can.
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
