/**
 * Compares a written reply with the sections of the docs that it cites. The rules are plain code. A
 * number or a name that the cited sections don't have is certain. The words of a sentence are compared
 * only roughly, because people say the same in other words.
 */
import type { Proof } from '../../../shared/proof';
import type { FoundSection } from '../../pages/page';
import { unknownCodeNames } from './codeNames';
import { compareStatement } from './compareStatement';
import type { DocsNames } from './docsNames';
import { evidenceOf } from './evidence';
import { replyParts, type Statement } from './statements';

export interface WrittenReply {
  /** Markdown of the reply. It cites section n as `[n]` or `[n](url)`, from 1. */
  readonly text: string;
  /** Sections that the reply was written from, in the order of their numbers. */
  readonly sections: readonly FoundSection[];
  readonly docsNames: DocsNames;
  /** The question and its attached code. Their names are the reader's own. */
  readonly readersTexts: readonly string[];
}

/** Characters of a reply that are compared. It is more than anyone reads. */
const MAX_LENGTH = 100_000;
const MAX_STATEMENTS = 600;
/** Statements and names that are reported. */
const MAX_UNPROVEN = 100;

type Unproven = Proof['unproven'][number];

/**
 * Compares each statement of a written reply with the sections that it cites. A reply without
 * sections has nothing to compare, and no statements.
 */
export function proveReply({ text, sections, docsNames, readersTexts }: WrittenReply): Proof {
  if (sections.length === 0) return { statements: 0, found: 0, unproven: [] };
  const { statements, codeBlocks } = replyParts(text.slice(0, MAX_LENGTH));
  const compared = statements.slice(0, MAX_STATEMENTS);
  const unproven: Unproven[] = [];
  for (const statement of compared) {
    const problem = problemOf(statement, sections);
    if (problem) unproven.push({ quote: statement.text, ...problem });
  }
  const found = compared.length - unproven.length;
  for (const name of unknownCodeNames(codeBlocks, docsNames, readersTexts)) {
    unproven.push({ quote: name, reason: 'code-name', missing: [name] });
  }
  return { statements: compared.length, found, unproven: unproven.slice(0, MAX_UNPROVEN) };
}

function problemOf(
  statement: Statement,
  sections: readonly FoundSection[],
): Omit<Unproven, 'quote'> | undefined {
  const cited = [...new Set(statement.cited)].flatMap((number) => sections[number - 1] ?? []);
  if (cited.length === 0) return { reason: 'uncited', missing: [] };
  return compareStatement(statement, cited.map(evidenceOf));
}
