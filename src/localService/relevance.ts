/** Whether a hit is about the question at all, however it ranks among the others. */
import type { DocsIndex, SectionHit } from './docsIndex';
import type { Query } from './query';

/** Words that occur nowhere else which together prove a section to be about the question. */
const PROOF_WORDS = 2;
/** A word that the docs do not know at all speaks against the question being about them. */
const FOREIGN_WEIGHT = 1.5;

/** From 0 to 1: how much of what the question is about the section mentions. */
export function relevanceOf(hit: SectionHit, query: Query, index: DocsIndex): number {
  const own = [...query.own];
  if (
    query.isFollowUp &&
    own.length > 0 &&
    !own.some((term) => hit.matched.has(term) || index.has(term))
  ) {
    // "And the weather?" is no question about the topic before.
    return 0;
  }
  const share = Math.max(shareOf(query, hit, index), proofOf(own, hit, index));
  if (!query.isAboutContext) return share;
  const contextMatches = [...query.terms.keys()].filter(
    (term) => !query.subject.has(term) && hit.matched.get(term) === 1,
  );
  const contextShare = Math.min(1, contextMatches.length / 4);
  return own.length === 0 ? contextShare : Math.max(share, (share + contextShare) / 2);
}

/** The first part of a split compound is only ever found as the beginning of another one. */
function creditOf(term: string, hit: SectionHit, query: Query): number {
  const credit = hit.matched.get(term) ?? 0;
  return credit > 0 && query.beginnings.has(term) ? Math.max(credit, 0.8) : credit;
}

function shareOf(query: Query, hit: SectionHit, index: DocsIndex): number {
  let all = 0;
  let found = 0;
  for (const [term, weight] of query.subject) {
    const worth = weight * index.rarity(term) * (index.has(term) ? 1 : FOREIGN_WEIGHT);
    all += worth;
    found += worth * creditOf(term, hit, query);
  }
  return all === 0 ? 0 : found / all;
}

/** Several telling words in one section are no accident, whatever else the question says. */
function proofOf(own: readonly string[], hit: SectionHit, index: DocsIndex): number {
  const matched = own.filter((term) => hit.matched.get(term) === 1);
  if (matched.length < 2) return 0;
  const proof = matched.reduce((sum, term) => sum + index.rarity(term), 0);
  return Math.min(1, proof / (PROOF_WORDS * index.greatestRarity));
}
