/**
 * Compares a written reply with the sections of the docs that it cites. The rules are plain code, without a
 * model. They find each number and name that the cited sections don't have. They compare the words of a
 * sentence only roughly, because people say the same thing in other words.
 */
import type { Proof } from '../../../shared/proof';
import type { FoundSection } from '../../pages/page';
import { unknownCodeNames } from './codeNames';
import { compareStatement } from './compareStatement';
import type { DocsNames } from './docsNames';
import { type Evidence, evidenceOf } from './evidence';
import type { Problem } from './problem';
import { readersNamesOf } from './readersNames';
import { isSameLanguage } from './sameLanguage';
import { replyParts, type Statement } from './statements';

interface WrittenReply {
  /** Markdown of the reply. It cites section n as `[n]` or `[n](url)`, from 1. */
  readonly text: string;
  /** Sections that the model had when it wrote the reply, in the order of their numbers. */
  readonly sections: readonly FoundSection[];
  readonly docsNames: DocsNames;
  /** The question and its attached code. Names in them belong to the reader. */
  readonly readersTexts: readonly string[];
  /** Whether each statement cites all sections, because the reply doesn't number them. */
  readonly citesAll?: boolean;
}

/** Maximum characters of a reply to compare. Nobody reads longer replies. */
const MAX_LENGTH = 100_000;
/** Maximum number of comparisons with passages for one reply, so that the check takes under a second. */
const MAX_WORK = 40_000;
/** Maximum number of statements and names to report. */
const MAX_UNPROVEN = 100;

type Unproven = Proof['unproven'][number];

/**
 * Compares each statement of a written reply with the sections that it cites. Counts no statements if the
 * reply was written without sections.
 */
export function proveReply(reply: WrittenReply): Proof {
  const { text, sections, docsNames, readersTexts, citesAll = false } = reply;
  if (sections.length === 0) return { statements: 0, found: 0, unproven: [] };
  const { statements, codeBlocks } = replyParts(text.slice(0, MAX_LENGTH));
  const hasSameLanguage = isSameLanguage(
    statements.map((statement) => statement.text).join(' '),
    sections.map(proseOf).join(' '),
  );
  const unproven: Unproven[] = [];
  const comparison = new Comparison(hasSameLanguage, readersNamesOf(readersTexts));
  let compared = 0;
  for (const statement of statements) {
    // Without a common language, a statement without numbers and names can't be compared.
    if (!hasSameLanguage && !hasFacts(statement)) continue;
    const cited = citesAll
      ? sections
      : [...new Set(statement.cited)].flatMap((number) => sections[number - 1] ?? []);
    const problem = comparison.problemOf(statement, cited);
    if (comparison.isExhausted) break;
    compared++;
    if (problem) unproven.push({ quote: statement.text, ...problem });
  }
  const found = compared - unproven.length;
  for (const name of unknownCodeNames(codeBlocks, docsNames, readersTexts)) {
    unproven.push({ quote: name, reason: 'code-name', missing: [name] });
  }
  return { statements: compared, found, unproven: unproven.slice(0, MAX_UNPROVEN) };
}

/** Compares statements with the docs, up to a limit of work. */
export class Comparison {
  #work = 0;

  /** @param readersNames keys of the names in the question, which the docs need not have. */
  constructor(
    private readonly hasSameLanguage: boolean,
    private readonly readersNames: ReadonlySet<string> = new Set(),
  ) {}

  /** Whether the limit was reached in the last comparison, whose result doesn't count. */
  get isExhausted(): boolean {
    return this.#work > MAX_WORK;
  }

  /**
   * Returns why neither the cited sections nor the rest of their pages support a statement, or undefined if
   * they do. The whole page counts because the reader sees it when opening the citation.
   */
  problemOf(statement: Statement, cited: readonly FoundSection[]): Problem | undefined {
    if (cited.length === 0) return { reason: 'uncited', missing: [] };
    if (!this.#compare(statement, cited)) return undefined;
    const pages = new Set(cited.map(({ page }) => page));
    const whole = [...pages].flatMap((page) => page.sections.map((section) => ({ page, section })));
    return this.#compare(statement, whole);
  }

  #compare(statement: Statement, sections: readonly FoundSection[]): Problem | undefined {
    const evidence: Evidence[] = [];
    for (const section of sections) {
      if (this.isExhausted) return undefined;
      const one = evidenceOf(section);
      this.#work += one.passages.length;
      evidence.push(one);
    }
    return compareStatement(statement, evidence, this.hasSameLanguage, this.readersNames);
  }
}

function hasFacts({ text, code }: Statement): boolean {
  return code.length > 0 || /\d/.test(text);
}

/** Returns the text of a section without its code. */
export function proseOf({ section }: FoundSection): string {
  return section.blocks
    .filter(({ kind }) => kind !== 'code')
    .map(({ text }) => text)
    .join(' ');
}
