/** Says whether a value that stands behind the name of a secret is one. */
import type { SecretKind } from './finding';
import { isMixed, isPlaceholder, isRandom } from './placeholders';

/** Place of a value, which decides how sure one must be that it is a secret. */
export type ValueForm =
  /** A variable of the environment, in a `.env` file or a shell: `DB_PASSWORD=…`. */
  | 'environment'
  /** A string, an argument, a header, or a line of YAML or properties. */
  | 'data'
  /** A word in the middle of a line, which can also be code. */
  | 'code';

/** Characters that are looked at. The rest of a longer value is taken for the same. */
const MAX_JUDGED_LENGTH = 200;

/** Shortest password that is taken for one. */
const SHORTEST_PASSWORD = 6;

/** Names of types and functions, which stand where values do in code. */
const codeWords =
  /^(?:string|number|boolean|bool|str|int|integer|bytes?|char|any|unknown|object|void|never|null|none|nil|true|false|text|varchar|uuid|required|optional|hidden|secure|function|new|await|return|this|self)\b/i;

/**
 * Returns whether a value behind the name of a secret is one.
 * @param text the value, which can have several lines.
 */
export function isSecretValue(text: string, kind: SecretKind, form: ValueForm): boolean {
  const lines = text.slice(0, MAX_JUDGED_LENGTH).split('\n');
  const value = lines.map((line) => line.trim()).join('');
  const isPassword = kind === 'password';
  if (value.length < (isPassword ? SHORTEST_PASSWORD : 8)) return false;
  if (isPlaceholder(value) || isPublicKey(value) || isCall(value)) return false;
  if (isMixed(value) && !(form === 'code' && isCode(value))) return true;
  if (isReferenceInCode(value) || codeWords.test(value)) return false;
  if (!isPassword && form !== 'environment' && !/^[\w+/=.:~!@%-]+$/.test(value)) return false;
  if (isRandom(value)) return true;
  if (/\s/.test(value) || /^\d+$/.test(value)) return false;
  if (form === 'environment') return !isEnvironmentName(value);
  return isPassword ? isPasswordLike(value) : isTokenLike(value);
}

/** Returns whether a value is nothing but a call, as in `z.string().min(6)`. */
function isCall(value: string): boolean {
  return /^[A-Za-z_$][\w$.]*(?:[([][^()[\]]*[)\]][\w$.]*)+$/.test(value);
}

/** Returns whether a word is a piece of a program, as in files without blanks: `e(t),n=r[o]||s`. */
function isCode(value: string): boolean {
  return /[\w$]\(.*\)|[\w$]\[.*\]|=>|===|&&|\|\||\?\.|[{}]/.test(value);
}

/** Returns whether a value is an assistant key of a docs site, which is made to be public. */
export function isPublicKey(value: string): boolean {
  return /^[A-Za-z0-9-]{1,40}_dsc_/.test(value);
}

/** Returns whether a value names where the secret is: a path, a file such as `.htpasswd`, a URL, a variable, a call. */
function isReferenceInCode(value: string): boolean {
  return (
    /^\{|^[A-Za-z_$][\w$.]*\[/.test(value) ||
    /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(value) ||
    /^(?:\.{1,2}|~)?\/[A-Za-z][\w.-]*(?:\/[\w.-]+)+$/.test(value) ||
    /^[A-Za-z]:\\/.test(value) ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value) ||
    /^\.[A-Za-z][A-Za-z_-]*$/.test(value) ||
    /[A-Za-z_$][\w$.]*\(/.test(value) ||
    /\.(?:pem|key|crt|json|ya?ml|txt|env|js|ts|py)$/i.test(value)
  );
}

function isEnvironmentName(value: string): boolean {
  return /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value);
}

/** Returns whether people would choose a value as a password rather than as a word of a text. */
function isPasswordLike(value: string): boolean {
  if (isEnvironmentName(value)) return false;
  if (/^[a-z]+(?:[-_.:/][a-z]+)*$/i.test(value)) return false;
  const hasLetter = /[a-z]/i.test(value);
  const hasDigit = /\d/.test(value);
  const hasSymbol = /[^A-Za-z0-9]/.test(value);
  return hasLetter && (hasDigit || hasSymbol);
}

/** Returns whether a value is long and mixed enough for a token that a program made. */
function isTokenLike(value: string): boolean {
  const hasMix = /\d/.test(value) && /[a-z]/i.test(value);
  return (
    value.length >= 16 &&
    hasMix &&
    new Set(value).size >= 10 &&
    !/^[a-z]+(?:[-_.][a-z0-9]+)*$/.test(value)
  );
}
