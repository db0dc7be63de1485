import type { AskFilter } from '../shared/askFilter';

/** Lines of a file, counted from 1, both included. */
interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A question of a file, with the settings of the file where the question has none of its own. */
export interface DocsQuestion {
  /**
   * ID as written in the file, otherwise derived from the question and its filters. Unique in its
   * file.
   */
  readonly id: string;
  /** Display name, as written in the file, otherwise the question. */
  readonly name: string;
  readonly question: string;
  /** Pages that must all be among the first sources. */
  readonly pages: readonly string[];
  /** Pages of which at least one must be among the first sources. Empty if any source will do. */
  readonly anyPage: readonly string[];
  /** Number of cited pages that count as the first sources. */
  readonly first: number;
  /** Words, phrases and patterns that the reply must contain. */
  readonly contains: readonly string[];
  /** Words, phrases and patterns that the reply must not contain. */
  readonly excludes: readonly string[];
  /** Filters of the question. Each one replaces the same filter of the site. */
  readonly filters: AskFilter;
  /** Whether the docs must not answer. */
  readonly refuses: boolean;
  /** URL or path below which the docs are. */
  readonly base?: string;
  readonly lines: LineRange;
}

/** A problem in a questions file. */
export interface QuestionProblem {
  /** An error keeps the question, or all questions of the file, from being asked. A warning doesn't. */
  readonly severity: 'error' | 'warning';
  /** Two sentences: what is wrong, and what to do. */
  readonly message: string;
  /** Place in the file. Lines and columns count from 1, columns in UTF-16 code units. */
  readonly range: {
    readonly line: number;
    readonly column: number;
    readonly endLine: number;
    readonly endColumn: number;
  };
}

/** The valid questions of a file, and its problems. */
export interface QuestionFile {
  /** Questions without errors, in their order. */
  readonly questions: readonly DocsQuestion[];
  /** Problems, in the order of their lines. */
  readonly problems: readonly QuestionProblem[];
}
