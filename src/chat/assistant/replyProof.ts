/**
 * Reads the proof that a service sends with a reply. Unknown fields are ignored, and sizes are
 * limited.
 */
import * as v from 'valibot';
import { redactExactly } from '../../common/http/redact';
import { cutText } from '../../common/text/strings';
import { proofSchema, type Proof } from '../../shared/proof';

/** Most unproven statements that are kept. Nobody reads a longer list, and the view marks each. */
export const MAX_UNPROVEN = 200;

/** Longest quote of a statement, in characters. A longer one ends with `…`. */
export const MAX_QUOTE_LENGTH = 500;

/** Most missing numbers and names of one statement, and the longest one in characters. */
const MAX_MISSING = 20;
const MAX_NAME_LENGTH = 100;

const { statements, found, unproven } = proofSchema.entries;
const { quote, reason } = unproven.item.entries;

/** A statement as a service sends it. A newer service can send reasons that we don't know. */
const statementSchema = v.object({
  quote,
  reason: v.fallback(reason, 'words'),
  missing: v.fallback(v.array(v.unknown()), []),
});

const sentSchema = v.pipe(
  v.object({ statements, found, unproven: v.array(v.unknown()) }),
  v.check((proof) => proof.found <= proof.statements),
);

/**
 * Returns the proof in a chunk's data, or undefined if its numbers can't be read. Statements that
 * can't be read are left out, and long ones are cut.
 * @param secrets that a service could echo. They are removed from every text.
 */
export function parseProof(data: unknown, secrets: readonly string[] = []): Proof | undefined {
  const sent = v.safeParse(sentSchema, data);
  if (!sent.success) return undefined;
  const text = (given: string, maxLength: number): string => {
    // Redact before the text is cut, because a cut secret can no longer be recognized.
    const whole = redactExactly(given, secrets).trim();
    return whole.length <= maxLength ? whole : `${cutText(whole, maxLength - 1)}…`;
  };
  return {
    statements: sent.output.statements,
    found: sent.output.found,
    unproven: sent.output.unproven.slice(0, MAX_UNPROVEN).flatMap((entry) => {
      const statement = v.safeParse(statementSchema, entry);
      const quote = statement.success ? text(statement.output.quote, MAX_QUOTE_LENGTH) : '';
      if (!statement.success || quote === '') return [];
      const missing = statement.output.missing
        .filter((name) => typeof name === 'string')
        .slice(0, MAX_MISSING)
        .map((name) => text(name, MAX_NAME_LENGTH))
        .filter((name) => name !== '');
      return [{ quote, reason: statement.output.reason, missing }];
    }),
  };
}

/** Returns the number of characters in the proof's texts. */
export function proofLength({ unproven }: Proof): number {
  return unproven.reduce(
    (sum, { quote, missing }) => sum + quote.length + missing.join('').length,
    0,
  );
}
