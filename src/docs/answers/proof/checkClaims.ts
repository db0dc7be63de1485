/** Checks the statements of a text that cites nothing: finds the sections for each one, and compares it with them. */
import type { CheckedClaim } from '../../../common/localDocsApi';
import type { FoundSection } from '../../pages/page';
import { unknownCodeNames } from './codeNames';
import type { DocsNames } from './docsNames';
import type { Problem } from './problem';
import { Comparison, proseOf } from './proveReply';
import { isSameLanguage } from './sameLanguage';
import { replyParts } from './statements';

interface ClaimsToCheck {
  readonly text: string;
  /** Returns the sections that fit a statement best, best first. */
  readonly find: (statement: string) => readonly FoundSection[];
  readonly docsNames: DocsNames;
}

/** A checked statement with the section that supports it, or that comes nearest. */
type FoundClaim = Omit<CheckedClaim, 'source'> & { readonly source?: FoundSection };

/** Maximum number of statements to check. Each one takes a search. */
const MAX_CLAIMS = 100;

/** Returns the statements of a text, each with whether the docs support it, and the names of its code that they don't have. */
export function checkClaims({ text, find, docsNames }: ClaimsToCheck): FoundClaim[] {
  const { statements, codeBlocks } = replyParts(text);
  const checked = statements.slice(0, MAX_CLAIMS).map((statement): FoundClaim => {
    const quote = statement.text;
    const sections = find(quote);
    const [nearest] = sections;
    if (!nearest) return { quote, isSupported: false, reason: 'words', missing: [] };
    let problem: Problem | undefined;
    for (const source of sections) {
      const comparison = new Comparison(isSameLanguage(quote, proseOf(source)));
      const found = comparison.problemOf(statement, [source]);
      if (!found && !comparison.isExhausted)
        return { quote, isSupported: true, missing: [], source };
      problem ??= found;
    }
    const { reason = 'words', missing = [] } = problem ?? {};
    return { quote, isSupported: false, reason, missing: [...missing], source: nearest };
  });
  const names = unknownCodeNames(codeBlocks, docsNames, []).slice(0, MAX_CLAIMS);
  return [
    ...checked,
    ...names.map((quote): FoundClaim => ({
      quote,
      isSupported: false,
      reason: 'code-name',
      missing: [quote],
    })),
  ];
}
