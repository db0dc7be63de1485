import type { AskFilter } from '../site/activeSite';

/** Lines of a file, counted from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A question of a file, with the settings of the file in place of what it doesn't say itself. */
export interface DocsQuestion {
  /** ID of the file, or else the question with its own filters. Unique in its file. */
  readonly id: string;
  /** Name for people: the name of the file, or else the question. */
  readonly name: string;
  readonly question: string;
  /** Pages that must all be among the first sources. */
  readonly pages: readonly string[];
  /** Pages of which at least one must be among the first sources. Empty if any source will do. */
  readonly anyPage: readonly string[];
  /** Number of pages, in the order of the sources, that count as the first. */
  readonly first: number;
  /** Words, phrases and patterns that the reply must hold. */
  readonly contains: readonly string[];
  /** Words, phrases and patterns that the reply must not hold. */
  readonly excludes: readonly string[];
  /** Filters that replace those of the site one by one. */
  readonly filters: AskFilter;
  /** Whether the docs must not answer. */
  readonly refuses: boolean;
  /** URL or path below which the docs are. */
  readonly base?: string;
  readonly lines: LineRange;
}

/** Something in a questions file that is to be corrected. */
export interface QuestionProblem {
  /** An error keeps a question, or the file, from being asked. A warning doesn't. */
  readonly severity: 'error' | 'warning';
  /** A sentence with what is wrong and one with what to do. */
  readonly message: string;
  /** Place in the file. Lines and columns count from 1, columns in UTF-16 code units. */
  readonly range: {
    readonly line: number;
    readonly column: number;
    readonly endLine: number;
    readonly endColumn: number;
  };
}

/** A questions file as far as it could be read. */
export interface QuestionFile {
  /** Questions without errors, in their order. */
  readonly questions: readonly DocsQuestion[];
  /** Problems, in the order of their lines. */
  readonly problems: readonly QuestionProblem[];
}
