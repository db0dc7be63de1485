import { redact, REDACTED, SHORTEST_SECRET, usableSecrets, wellFormed } from './redact';
import { overlap } from './streamRedactor';

/** Control characters, and the bidi controls that can make a text look like another one. */
const invisible = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\u2028\u2029\uFEFF]+/gu;

/**
 * A foreign text as one harmless line: redacted, without control and bidi characters, cut.
 * @param maxLength characters (code points) of the result.
 */
export function plainSentence(
  text: string,
  secrets: readonly string[] = [],
  maxLength = 500,
): string {
  // Cut before the patterns run, so that a hostile text cannot make them slow.
  const line = withoutCutSecret(text.slice(0, 20 * maxLength), secrets)
    .replace(invisible, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(wellFormed(redact(line, secrets)));
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Without the start of a secret at its end, which a cut, here or before, may have left of one. */
function withoutCutSecret(text: string, secrets: readonly string[]): string {
  const cut = Math.max(0, ...usableSecrets(secrets).map((secret) => overlap(text, secret)));
  return cut < SHORTEST_SECRET ? text : `${text.slice(0, -cut)}${REDACTED}`;
}
