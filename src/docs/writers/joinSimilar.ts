import type { DocsPage } from '../pages/page';
import { passesFilter } from '../pages/pageFilter';
import type { Retrieval } from '../search/retrieval';
import { joinByRank } from './rankFusion';
import type { SimilarSections } from './similarSections';

/**
 * Returns a test for pages with the version and language of the best section. Vectors don't tell versions and
 * languages apart.
 */
export function likeBest(
  { sections }: Pick<Retrieval, 'sections'>,
  filter: Parameters<typeof passesFilter>[1],
): (page: DocsPage) => boolean {
  const best = sections[0]?.page;
  return (page) =>
    passesFilter(page, filter) &&
    (best === undefined || (page.version === best.version && page.language === best.language));
}

interface JoinOptions {
  readonly similar: Pick<SimilarSections, 'find'> | undefined;
  readonly filter: Parameters<typeof passesFilter>[1];
  /** Number of sections to return. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the sections that a search by words found, joined with those nearest in meaning. Without vectors, the
 * result stays as it is.
 */
export async function joinSimilar(
  text: string,
  retrieval: Retrieval,
  { similar, filter, count, signal }: JoinOptions,
): Promise<Retrieval> {
  const meant = await similar?.find([text], count, likeBest(retrieval, filter), signal);
  if (!meant) return retrieval;
  const lists = [retrieval.sections, meant].map((sections) => ({ sections, weight: 1 }));
  return { ...retrieval, sections: joinByRank(lists, count) };
}
