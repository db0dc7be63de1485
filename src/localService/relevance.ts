import type { DocsIndex, SectionHit } from './docsIndex';
import type { DocsPage } from './page';
import type { Query } from './query';

/** Hits that are looked at more closely, for the question and for its context. */
const CANDIDATES = 200;
/** What the context's best hit counts where the question points at it, and where it does not. */
const POINTED_AT_INFLUENCE = 0.8;
const BESIDE_INFLUENCE = 0.2;

/**
 * Sections that the question or its context find, with one score for both. They are searched for
 * apart, so that many words of code never drown the few of a question.
 */
export function findHits(
  index: DocsIndex,
  query: Query,
  accepts: (page: DocsPage) => boolean,
): SectionHit[] {
  // A question of words that say little has little to say in the matter.
  const strength = Math.max(0, ...query.terms.values());
  const hits = normalised(index.search(query.terms, accepts, CANDIDATES), strength);
  if (query.context.terms.size === 0) return hits;
  const byContext = index.search(query.context.terms, accepts, CANDIDATES);
  const influence = query.isAboutContext ? POINTED_AT_INFLUENCE : BESIDE_INFLUENCE;
  const merged = new Map(hits.map((hit) => [hit.section, hit]));
  for (const hit of normalised(byContext, influence)) {
    const other = merged.get(hit.section);
    merged.set(hit.section, {
      ...hit,
      score: (other?.score ?? 0) + hit.score,
      matched: new Map([...hit.matched, ...(other?.matched ?? [])]),
    });
  }
  return [...merged.values()];
}

/** With `best` as the best hit's score. */
function normalised(hits: readonly SectionHit[], best: number): SectionHit[] {
  const most = Math.max(0, ...hits.map(({ score }) => score));
  return hits.map((hit) => ({ ...hit, score: most === 0 ? 0 : (hit.score / most) * best }));
}

/** Words that occur nowhere else which together prove a section to be about the question. */
const PROOF_WORDS = 2;
/** A word that the docs do not know at all speaks against the question being about them. */
const FOREIGN_WEIGHT = 1.5;
/** Share of the question's own words, by how telling they are, that may be foreign to the docs. */
const MAX_FOREIGN_SHARE = 0.5;
/** What "this" is worth among a question's words, as a share of the most telling word's worth. */
const POINTER_WORTH = 0.65;
/** Weight of the context terms that a section has from which it is all about the context. */
const FULL_CONTEXT_WEIGHT = 3;

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
  const contextShare = contextShareOf(hit, query);
  if (own.length === 0) return contextShare;
  // "Can this be paid with PayPal?" points at code, yet asks for what the docs do not know.
  if (foreignShareOf(own, index) >= MAX_FOREIGN_SHARE) return share;
  return Math.max(share, shareOf(query, hit, index, contextShare));
}

/** How much of what the context is about the section mentions in the very words. */
function contextShareOf(hit: SectionHit, { context }: Query): number {
  let found = 0;
  for (const [term, weight] of context.terms) {
    if (hit.matched.get(term) === 1) found += weight;
  }
  return Math.min(1, found / FULL_CONTEXT_WEIGHT);
}

function foreignShareOf(own: readonly string[], index: DocsIndex): number {
  const worth = (terms: readonly string[]): number =>
    terms.reduce((sum, term) => sum + index.rarity(term), 0);
  return worth(own.filter((term) => !index.has(term))) / worth(own);
}

/** The first part of a split compound is only ever found as the beginning of another one. */
function creditOf(term: string, hit: SectionHit, query: Query): number {
  const credit = hit.matched.get(term) ?? 0;
  return credit > 0 && query.beginnings.has(term) ? Math.max(credit, 0.8) : credit;
}

/** `pointerCredit`: how far the section has what the question's "this" stands for, if anything. */
function shareOf(query: Query, hit: SectionHit, index: DocsIndex, pointerCredit?: number): number {
  const pointerWorth = pointerCredit === undefined ? 0 : POINTER_WORTH * index.greatestRarity;
  let all = pointerWorth;
  let found = pointerWorth * (pointerCredit ?? 0);
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
