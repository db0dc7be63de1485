/** Finds tokens and keys by the form that their service gives them. */
import { finding, type Finding, type SecretType } from './finding';
import { isPlaceholder } from './placeholders';
import { tokenForms } from './tokenForms';

interface TokenRule extends SecretType {
  /** A text without one of these isn't searched any further. */
  readonly signs: readonly string[];
  readonly pattern: RegExp;
}

/** Returns a pattern that matches a token only if no letter or digit stands right beside it. */
export function alone(form: string): RegExp {
  return new RegExp(`(?<![A-Za-z0-9])(?:${form})(?![A-Za-z0-9])`, 'g');
}

export const tokenRules: readonly TokenRule[] = tokenForms.map(([kind, service, signs, form]) => {
  const name = service.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return { rule: `${name}-${kind}`, kind, service, signs: [signs].flat(), pattern: alone(form) };
});

/** Returns the tokens and keys in a text that a rule of {@link tokenRules} recognizes. */
export function findTokens(text: string): Finding[] {
  const pairs = pairsIn(text);
  return tokenRules.flatMap(({ signs, pattern, ...type }) => {
    if (!signs.some((sign) => hasPairs(pairs, sign) && text.includes(sign))) return [];
    return [...text.matchAll(pattern)].flatMap((match) =>
      isPlaceholder(match[0]) ? [] : [finding(type, match.index, match.index + match[0].length)],
    );
  });
}

/** Marks the pairs of ASCII characters in a text. Looking for each sign in it would take far longer. */
function pairsIn(text: string): Uint8Array {
  const pairs = new Uint8Array(1 << 14);
  let last = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at) & 127;
    pairs[(last << 7) | code] = 1;
    last = code;
  }
  return pairs;
}

function hasPairs(pairs: Uint8Array, sign: string): boolean {
  for (let at = 1; at < sign.length; at++) {
    if (pairs[(sign.charCodeAt(at - 1) << 7) | sign.charCodeAt(at)] === 0) return false;
  }
  return true;
}
