import MiniSearch from 'minisearch';
import { type LinkRoots, type PageLookup, plainRoute } from '../pages/links';
import type { Block, DocsPage, FoundSection, Section } from '../pages/page';
import { indexText } from './terms';

export interface SectionHit extends FoundSection {
  /** Score of the hit. Only comparable within one search. */
  readonly score: number;
  /**
   * Quality of the match for each term of the query, from 0 to 1. An exact match is 1, the beginning of a
   * longer word or a misspelling less.
   */
  readonly matched: ReadonlyMap<string, number>;
}

interface IndexedSection {
  readonly id: string;
  readonly heading: string;
  readonly title: string;
  readonly ancestors: string;
  readonly description: string;
  readonly text: string;
  readonly code: string;
}

const fields = ['heading', 'title', 'ancestors', 'description', 'text', 'code'] as const;
const fieldBoosts = { heading: 3.5, title: 2, ancestors: 2, description: 1, text: 1.2, code: 0.8 };

const MISSPELT_CREDIT = 0.6;

/**
 * Full-text index of the sections of all pages. Its methods are synchronous. Adding a page takes
 * about a millisecond.
 */
export class DocsIndex implements PageLookup<DocsPage> {
  /** Targets of links from the site's root, absent until the site's configuration is read. */
  roots?: LinkRoots;
  readonly #search = new MiniSearch<IndexedSection>({
    fields: [...fields],
    // `indexText` has already made the terms.
    tokenize: (text) => (text === '' ? [] : text.split(' ')),
    processTerm: (term) => term,
  });
  readonly #pages = new Map<string, DocsPage>();
  readonly #paths = new Map<string, string>();
  /** Paths by plain route. If several pages share a route, the last one that was added wins. */
  readonly #plainPaths = new Map<string, string>();
  readonly #sections = new Map<string, FoundSection>();
  readonly #sectionCounts = new Map<string, number>();

  get pageCount(): number {
    return this.#pages.size;
  }

  get sectionCount(): number {
    return this.#sections.size;
  }

  pages(): Iterable<DocsPage> {
    return this.#pages.values();
  }

  pageAtRoute(route: string): DocsPage | undefined {
    return this.#pages.get(this.#paths.get(route) ?? '');
  }

  pageAtPlainRoute(route: string): DocsPage | undefined {
    return this.#pages.get(this.#plainPaths.get(route) ?? '');
  }

  pageAtPath(path: string): DocsPage | undefined {
    return this.#pages.get(path);
  }

  /** Adds a page, replacing one with the same path. */
  put(page: DocsPage): void {
    this.remove(page.path);
    this.#pages.set(page.path, page);
    this.#paths.set(page.route, page.path);
    this.#plainPaths.set(plainRoute(page.route), page.path);
    for (const section of page.sections) {
      const indexed = indexedSection(page, section);
      this.#sections.set(indexed.id, { page, section });
      this.#search.add(indexed);
      this.#count(indexed, 1);
    }
  }

  remove(path: string): void {
    const page = this.#pages.get(path);
    if (!page) return;
    this.#pages.delete(path);
    if (this.#paths.get(page.route) === path) this.#paths.delete(page.route);
    const plain = plainRoute(page.route);
    if (this.#plainPaths.get(plain) === path) this.#plainPaths.delete(plain);
    for (const section of page.sections) {
      const indexed = indexedSection(page, section);
      this.#sections.delete(indexed.id);
      this.#search.discard(indexed.id);
      this.#count(indexed, -1);
    }
  }

  /**
   * Returns how specific a term is. Rare terms have a high value, and terms that occur nowhere the
   * highest.
   */
  rarity(term: string): number {
    const count = this.#sectionCounts.get(term) ?? 0;
    return Math.log(1 + (this.#sections.size - count + 0.5) / (count + 0.5));
  }

  /** The {@link rarity} of a term that occurs nowhere. */
  get greatestRarity(): number {
    return this.rarity('');
  }

  /**
   * Returns whether any section has a word with this beginning. Looks at every word of the docs.
   */
  hasBeginning(beginning: string): boolean {
    if (this.has(beginning)) return true;
    for (const term of this.#sectionCounts.keys()) if (term.startsWith(beginning)) return true;
    return false;
  }

  /** Returns whether any section has exactly this term. */
  has(term: string): boolean {
    return this.#sectionCounts.has(term);
  }

  /**
   * Returns the sections with any of the terms, best first. Longer terms also match the beginnings
   * of words, and words that differ in one letter if the term occurs nowhere.
   * @param terms weights by term.
   */
  search(
    terms: ReadonlyMap<string, number>,
    accepts: (page: DocsPage) => boolean,
    limit: number,
  ): SectionHit[] {
    if (terms.size === 0) return [];
    const results = this.#search.search([...terms.keys()].join(' '), {
      boost: fieldBoosts,
      boostTerm: (term) => terms.get(term) ?? 1,
      prefix: (term) => term.length >= 4 && !/^\d+$/.test(term),
      fuzzy: (term) => (term.length >= 5 && !this.has(term) && !/\d/.test(term) ? 1 : false),
      weights: { prefix: 0.3, fuzzy: 0.3 },
      filter: ({ id }) => {
        const found = this.#sections.get(String(id));
        return found !== undefined && accepts(found.page);
      },
    });
    const hits: SectionHit[] = [];
    for (const { id, score, queryTerms, match } of results) {
      if (hits.length >= limit) break;
      const found = this.#sections.get(String(id));
      if (!found) continue;
      const matched = new Map(queryTerms.map((term) => [term, credit(term, match)]));
      // MiniSearch multiplies by the number of matched terms, which favors the noise of long
      // queries.
      hits.push({ ...found, score: score / Math.max(1, queryTerms.length), matched });
    }
    return hits.sort((one, other) => other.score - one.score);
  }

  #count(indexed: IndexedSection, change: 1 | -1): void {
    const terms = new Set(fields.flatMap((field) => indexed[field].split(' ')));
    terms.delete('');
    for (const term of terms) {
      const count = (this.#sectionCounts.get(term) ?? 0) + change;
      if (count > 0) this.#sectionCounts.set(term, count);
      else this.#sectionCounts.delete(term);
    }
  }
}

function credit(term: string, match: Readonly<Record<string, unknown>>): number {
  if (Object.hasOwn(match, term)) return 1;
  const begun = Object.keys(match).filter((word) => word.startsWith(term));
  if (begun.length === 0) return MISSPELT_CREDIT;
  const shortest = Math.min(...begun.map((word) => word.length));
  // "limit" and "limiter" are about the same, "life" and "lifecycle" are not.
  return (term.length / shortest) ** 2;
}

function indexedSection(page: DocsPage, section: Section): IndexedSection {
  const isCode = (block: Block): boolean => block.kind === 'code';
  const join = (blocks: readonly Block[]): string =>
    indexText(blocks.map((block) => block.text).join('\n'));
  const isTop = section.heading === page.title;
  const languages = section.blocks.map((block) => block.codeLanguage ?? '');
  return {
    id: `${page.path}#${section.slug}`,
    // The page's title counts less for the section at the top than a heading does for its own
    // section.
    heading: isTop ? '' : indexText(section.heading),
    title: indexText(page.title),
    ancestors: indexText(isTop ? page.title : section.ancestors.join(' ')),
    description: isTop ? indexText(page.description) : '',
    text: join(section.blocks.filter((block) => !isCode(block))),
    code: `${join(section.blocks.filter(isCode))} ${indexText([...new Set(languages)].join(' '))}`.trim(),
  };
}
