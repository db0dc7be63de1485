import { codeLanguagesOf } from './alternatives';
import { codeLanguagesIn, isProgramming, isSameOrKin, type CodeLanguage } from './codeLanguages';
import { nearness, normaliseRoute } from './currentPage';
import type { DocsIndex, FoundSection, SectionHit } from './docsIndex';
import type { RequestFilter } from './messageSchema';
import type { DocsPage } from './page';
import { compareVersions, isSameLanguage, isSameVersion, passesFilter } from './pageVariants';
import type { Query, Question } from './query';
import { indexText } from './terms';

/** A section that may be answered from. */
export interface Candidate extends SectionHit {
  /** As `relevanceOf` gives it, 0 to 1. */
  readonly relevance: number;
}

/** Share of another version's relevance from which the preferred version speaks alone. */
const REPLACES_OLDER = 0.75;

/** The page, version and languages that a question implies. Sections that fit them come first. */
export class Preferences {
  readonly #route: string | undefined;
  readonly #version: string | undefined;
  readonly #isVersionNamed: boolean;
  #language: string | undefined;
  /** Asked for, that of the code that came along, or that of the page being viewed. */
  readonly codeLanguage: CodeLanguage | undefined;
  readonly #citedRoutes: ReadonlySet<string>;
  readonly #query: Query;

  constructor(
    index: DocsIndex,
    question: Question,
    query: Query,
    filter: RequestFilter | null | undefined,
    currentPage: DocsPage | undefined,
  ) {
    this.#query = query;
    this.#route =
      currentPage?.route ??
      (question.currentPath === undefined ? undefined : normaliseRoute(question.currentPath));
    const known = new Set<string>();
    for (const page of index.pages()) {
      if (page.version !== undefined && passesFilter(page, filter)) known.add(page.version);
    }
    const versions = [...known].sort(compareVersions);
    const named = versions.find((version) =>
      query.versions.some((asked) => isSameVersion(version, asked)),
    );
    this.#isVersionNamed = named !== undefined;
    this.#version = named ?? currentPage?.version ?? versions[0];
    this.#language = filter?.language ?? query.language ?? currentPage?.language;
    this.codeLanguage =
      query.codeLanguage ?? codeLanguagesIn(currentPage?.title ?? '').find(isProgramming);
    this.#citedRoutes = new Set(query.isFollowUp ? question.earlier.at(-1)?.citedRoutes : []);
  }

  /** By what its score is multiplied. */
  factor(found: FoundSection): number {
    const { page } = found;
    let factor = nearness(page.route, this.#route);
    if (!this.#isPreferredVersion(page)) factor *= 0.45;
    if (!this.#isPreferredLanguage(page)) factor *= 0.5;
    if (this.#citedRoutes.has(page.route)) factor *= 1.3;
    if (this.#hasPhrase(found)) factor *= 1.3;
    return factor * this.#codeFactor(found);
  }

  /** Leaves out other languages and versions where the preferred ones have as much to say. */
  keepPreferred(candidates: readonly Candidate[]): readonly Candidate[] {
    // Where nothing tells the asker's language, the best hit's is as good as any; a mix is not.
    this.#language ??= candidates[0]?.page.language;
    const inLanguage = candidates.filter(({ page }) => this.#isPreferredLanguage(page));
    const kept = inLanguage.length > 0 ? inLanguage : candidates;
    const inVersion = kept.filter(({ page }) => this.#isPreferredVersion(page));
    // What only an older version has is worth knowing; what a newer one replaces is not.
    const isEnough = this.#isVersionNamed
      ? inVersion.length > 0
      : mostRelevant(inVersion) >= mostRelevant(kept) * REPLACES_OLDER;
    return isEnough ? inVersion : kept;
  }

  /** "Rate limits" in a heading says more than "rate" in one and "limits" in another. */
  #hasPhrase({ page, section }: FoundSection): boolean {
    return [page.title, section.heading].some((heading) => {
      const terms = ` ${indexText(heading)} `;
      return this.#query.phrases.some((phrase) => terms.includes(` ${phrase} `));
    });
  }

  #isPreferredVersion(page: DocsPage): boolean {
    return (
      this.#version === undefined ||
      page.version === undefined ||
      isSameVersion(page.version, this.#version)
    );
  }

  #isPreferredLanguage(page: DocsPage): boolean {
    return (
      this.#language === undefined ||
      page.language === undefined ||
      isSameLanguage(page.language, this.#language)
    );
  }

  /** Examples in the language that somebody writes are worth more than others. */
  #codeFactor({ page, section }: FoundSection): number {
    const wanted = this.codeLanguage;
    if (wanted === undefined) return 1;
    const isAsked = this.#query.askedCodeLanguage !== undefined;
    const isOfWanted = (language: CodeLanguage): boolean => isSameOrKin(language, wanted);
    const languages = codeLanguagesOf(section);
    if (languages.some(isOfWanted) || codeLanguagesIn(page.title).some(isOfWanted)) {
      return isAsked ? 1.5 : 1.2;
    }
    return languages.some(isProgramming) && isAsked ? 0.7 : 1;
  }
}

function mostRelevant(candidates: readonly Candidate[]): number {
  return Math.max(0, ...candidates.map(({ relevance }) => relevance));
}
