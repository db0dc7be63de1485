/** `check_claims`: statements of a text, each with whether the local docs support it. */
import type { CheckedClaim, ClaimsResponse } from '../common/localDocsApi';
import { plainLine } from '../shared/characters';
import { fitResult } from './resultBudget';
import { linkText, pathText, sectionName, siteText, textCleaner } from './resultText';
import type { DocsTarget, ToolCall, ToolResult } from './toolCall';
import type { CheckedStatement, ClaimsResult } from './toolDefinitions';

/** Characters of a result: about 5,000 tokens. */
const MAX_LENGTH = 20_000;
/** Characters of the lines around the statements. */
const NOTES_LENGTH = 300;

/**
 * Returns checked statements as the result of the tool.
 * @param knownFilters sentence about the filters of a check that found no section at all.
 */
export async function claimsResult(
  { claims, isIndexed }: ClaimsResponse,
  knownFilters: string | undefined,
  target: DocsTarget,
  { budget }: ToolCall,
): Promise<ToolResult<ClaimsResult>> {
  const clean = textCleaner(target);
  const site = siteText(clean(target.label));
  const checked = claims.map((claim) => checkedStatement(claim, clean));
  const make = (maxLength: number): ToolResult<ClaimsResult> => {
    const shown: CheckedStatement[] = [];
    let length = NOTES_LENGTH;
    for (const statement of checked) {
      length += statementText(statement).length + 1;
      if (length > maxLength) break;
      shown.push(statement);
    }
    const omittedClaims = checked.length - shown.length;
    const end =
      omittedClaims === 0
        ? ''
        : `${omittedClaims} more were left out to fit. Call again with the rest of the text.`;
    return {
      text: [
        notesOf(checked, isIndexed, site, knownFilters),
        shown.map(statementText).join('\n'),
        end,
      ]
        .filter((part) => part !== '')
        .join('\n\n'),
      data: { site, claims: shown, omittedClaims, isIndexing: !isIndexed },
    };
  };
  return fitResult(make, MAX_LENGTH, budget);
}

function notesOf(
  checked: readonly CheckedStatement[],
  isIndexed: boolean,
  site: string,
  knownFilters: string | undefined,
): string {
  const indexing = isIndexed ? '' : ' Pages are still being read, so check again in 10 seconds.';
  if (checked.length === 0) return `The text has no statement to check.${indexing}`;
  const supported = checked.filter(({ verdict }) => verdict === 'supported').length;
  return `${site} supports ${supported} of ${checked.length} statements.${indexing}${knownFilters === undefined ? '' : ` ${knownFilters}`}`;
}

function checkedStatement(claim: CheckedClaim, clean: (text: string) => string): CheckedStatement {
  const { isSupported, source } = claim;
  const statement: CheckedStatement = {
    statement: plainLine(clean(claim.quote)),
    verdict: isSupported ? 'supported' : 'unsupported',
  };
  if (!isSupported) statement.reason = clean(reasonOf(claim));
  if (source) {
    const { title, heading, url, path } = source;
    statement.source = { title: plainLine(clean(title)), url: clean(url), path: clean(path) };
    if (heading !== undefined) statement.source.heading = plainLine(clean(heading));
  }
  return statement;
}

function reasonOf({ reason, missing, source }: CheckedClaim): string {
  if (!source && reason !== 'code-name') return 'No section is about this.';
  if (missing.length > 0) return `Not in the docs: ${missing.map(plainLine).join(', ')}.`;
  switch (reason) {
    case 'number':
      return 'The nearest section has the number for something else, or another number.';
    case 'name':
      return 'The nearest section has another name there.';
    default:
      return 'The nearest section does not say this, or says the opposite.';
  }
}

function statementText({ statement, verdict, reason, source }: CheckedStatement): string {
  const where = source
    ? ` ${linkText(sectionName(source), source.url)}, path: ${pathText(source.path)}`
    : '';
  const why = reason === undefined ? '' : ` ${reason}`;
  return `- **${verdict}**: ${statement}${why}${where}`;
}
