/** Holds what is known of all pages of an index without their words and texts. All questions share it. */
import type { ExampleLanguage } from '../pages/codeLanguages';
import { type LinkRoots, plainRoute } from '../pages/links';
import { routeOf } from '../pages/pagePath';
import type { TextLengths } from '../search/sectionSearch';

export interface PageFacts {
  readonly path: string;
  readonly title: string;
  /** Description, or undefined if it comes with the texts. */
  readonly description?: string;
  readonly version?: string;
  /** Language that the page names. */
  readonly language?: string;
  /** Language that the page is written in. */
  readonly readLanguage?: string;
  readonly canonicalUrl?: string;
  readonly groups: readonly string[];
  /** Number of the first section. The others follow it. */
  readonly firstSection: number;
  /** Number of sections. */
  readonly count: number;
}

/** Versions and languages of the pages. */
interface IndexEditions {
  readonly versions: readonly string[];
  /** Languages that pages name. */
  readonly languages: readonly string[];
  readonly currentVersion: string | undefined;
  readonly mainLanguage: string | undefined;
}

/** A page is known by its place in the order in which it was added. */
export class IndexFacts {
  readonly pages: PageFacts[] = [];
  readonly readLanguages = new Set<string>();
  readonly byPath = new Map<string, number>();
  readonly byRoute = new Map<string, number>();
  readonly byPlainRoute = new Map<string, number>();
  /** Languages of the code of the sections that have some, by the section's number. */
  readonly codeLanguages = new Map<number, readonly ExampleLanguage[]>();
  readonly sectionLengths = { lengths: [] as number[], sum: 0, count: 0 };
  readonly pageLengths = { lengths: [] as number[], sum: 0, count: 0 };
  editions: IndexEditions = {
    versions: [],
    languages: [],
    currentVersion: undefined,
    mainLanguage: undefined,
  };
  /** Targets of links from the site's root. */
  roots?: LinkRoots;
  /** Place of the page of each section, or undefined for a number that no section has. */
  readonly #pageOf: number[] = [];

  /** Adds a page. The numbers of its sections must be greater than those of the pages before. */
  add(page: PageFacts, { page: length, sections }: TextLengths): void {
    const place = this.pages.push(page) - 1;
    const route = routeOf(page.path);
    this.byPath.set(page.path, place);
    this.byRoute.set(route, place);
    this.byPlainRoute.set(plainRoute(route), place);
    if (page.readLanguage !== undefined) this.readLanguages.add(page.readLanguage);
    count(this.pageLengths, place, length);
    sections.forEach((own, position) => {
      while (this.#pageOf.length < page.firstSection + position) this.#pageOf.push(-1);
      this.#pageOf.push(place);
      count(this.sectionLengths, page.firstSection + position, own);
    });
  }

  /** Number that is greater than those of all sections. */
  get sectionEnd(): number {
    return this.#pageOf.length;
  }

  /** Returns the place of the page of a section, or -1 for a number that no section has. */
  pageOf(section: number): number {
    return this.#pageOf[section] ?? -1;
  }
}

function count(
  lengths: { lengths: number[]; sum: number; count: number },
  number: number,
  length: number,
): void {
  while (lengths.lengths.length < number) lengths.lengths.push(0);
  lengths.lengths[number] = length;
  lengths.sum += length;
  lengths.count++;
}
