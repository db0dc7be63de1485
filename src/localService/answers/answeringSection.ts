import { isProgramming, isSameOrKin } from '../../pages/codeLanguages';
import type { Section } from '../pages/page';
import type { DocsIndex } from '../search/docsIndex';
import { codeLanguagesOf } from '../search/preferences';
import type { Retrieval, RetrievedSection } from '../search/retrieval';
import { findOpening, MAX_SECTIONS } from './opening';

/** Number of the best pages whose other sections can be added. */
const MAX_PAGES = 2;
/** Minimum strength of a section, from 0 to 1, for other sections of its page to be added. */
const MIN_STRENGTH = 0.5;
/** Strength of such another section, as a share of the strength of the page's best section. */
const SAME_PAGE = 0.85;
/** Maximum number of sections of one page that can be added. */
const MAX_SECTIONS_OF_PAGE = 50;

/**
 * Adds the section with the answering sentence, if it is on one of the best pages but not in the
 * result. This happens because the search ranks other pages before more sections of the same page.
 * @param pageSize maximum number of sections to return. If there are more, the last one is removed.
 */
export function withAnsweringSection(
  question: string,
  retrieval: Retrieval,
  index: DocsIndex,
  pageSize: number,
): Retrieval {
  const { sections, query } = retrieval;
  const pool = poolOf(retrieval);
  const opening = findOpening({
    question,
    query,
    sections: pool,
    worthOf: (term) => (index.has(term) ? index.rarity(term) : 0),
  });
  const found = opening?.found;
  if (!found || sections.some(({ section }) => section === found.section)) return retrieval;
  const place = sections.findIndex(({ page }) => page === found.page);
  const added = [...sections.slice(0, place + 1), found, ...sections.slice(place + 1)];
  return { ...retrieval, sections: added.slice(0, pageSize) };
}

/** Returns the first sections of the result, and the other sections of the best pages. */
function poolOf({ sections, codeLanguage }: Retrieval): RetrievedSection[] {
  const pool: RetrievedSection[] = [];
  const pages = new Set<RetrievedSection['page']>();
  const isInOther = (section: Section): boolean => {
    const languages = codeLanguagesOf(section).filter(isProgramming);
    return (
      codeLanguage !== undefined &&
      languages.length > 0 &&
      !languages.some((language) => isSameOrKin(language, codeLanguage))
    );
  };
  for (const found of sections.slice(0, MAX_SECTIONS)) {
    pool.push(found);
    const { page, strength } = found;
    if (pages.has(page) || pages.size >= MAX_PAGES || strength < MIN_STRENGTH) continue;
    pages.add(page);
    for (const section of page.sections.slice(0, MAX_SECTIONS_OF_PAGE)) {
      if (sections.some((other) => other.section === section) || isInOther(section)) continue;
      pool.push({ page, section, strength: strength * SAME_PAGE });
    }
  }
  return pool;
}
