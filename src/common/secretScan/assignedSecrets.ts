/**
 * Secrets that only their names give away: `DB_PASSWORD=…`, `"clientSecret": "…"`, `--token …`.
 *
 * The text is read by hand instead of by one regular expression, so that each character is looked
 * at a limited number of times and each form of value has rules of its own.
 */
import { finding, type Finding, type SecretKind } from './finding';
import { isPlaceholder, isRandom, wordsOf } from './placeholders';

/** Parts of names that can make a value a secret. {@link kindOfName} decides about the whole name. */
const nameSign = /passw|passphrase|passcode|pwd|pass|secret|token|key|credential|auth|\bpw\b/gi;

/** Characters that are read on each side of a sign, at most. Longer names are no names of settings. */
const MAX_NAME_LENGTH = 60;

/** Length of the longest value. Longer ones are files, not passwords. */
const MAX_VALUE_LENGTH = 4000;

/** Length of the longest value without quotes. Many names can stand in one such word. */
const MAX_WORD_LENGTH = 600;

/** Number of spaces between a name, its sign and its value, at most. */
const MAX_SPACES = 24;

/** Words before `key` that make it one for signing in or for encryption. */
const keyWords = new Set([
  ...['api', 'secret', 'private', 'access', 'auth', 'encryption', 'signing', 'signature', 'master'],
  ...[
    'admin',
    'service',
    'license',
    'account',
    'storage',
    'shared',
    'jwt',
    'hmac',
    'cipher',
    'aes',
  ],
  ...['session', 'cookie', 'app', 'application', 'client', 'consumer', 'webhook', 'subscription'],
  ...['deploy', 'write', 'server', 'crypt', 'crypto', 'token', 'security', 'integration', 'role'],
  ...['openai', 'stripe', 'sendgrid', 'aws', 'azure', 'gcp', 'datadog', 'algolia', 'sentry', 'rsa'],
]);

/** Words after which a name no longer means the secret itself, as in `tokenType`. */
const keptEndings = new Set([
  ...['prod', 'production', 'dev', 'development', 'staging', 'stage', 'live', 'local', 'test'],
  ...[
    'base64',
    'b64',
    'value',
    'hex',
    'plain',
    'text',
    'old',
    'new',
    'current',
    'previous',
    'next',
  ],
  ...['primary', 'secondary', 'default', 'backup', 'v'],
]);

/** Words before `token` that mean something else than a right of access. */
const otherTokens = new Set([
  ...['next', 'page', 'continuation', 'cancel', 'cancellation', 'csrf', 'xsrf', 'design', 'color'],
  ...[
    'start',
    'end',
    'eos',
    'bos',
    'pad',
    'unk',
    'sep',
    'cls',
    'mask',
    'stop',
    'max',
    'min',
    'sync',
  ],
  ...['verification', 'lexer', 'syntax', 'resume', 'pagination', 'idempotency', 'css', 'theme'],
]);

/** Words before `pass` that make it short for a password. */
const passWords = new Set([
  ...['db', 'database', 'smtp', 'mail', 'email', 'user', 'admin', 'ftp', 'sftp', 'redis', 'mysql'],
  ...['pg', 'postgres', 'root', 'login', 'auth', 'http', 'proxy', 'ssh', 'imap', 'ldap', 'mongo'],
  ...['rabbitmq', 'mqtt', 'keystore', 'key', 'basic', 'rpc', 'vnc', 'app', 'sudo', 'mariadb'],
]);

/** Returns what a name says about its value, or undefined if the value can be seen by everyone. */
export function kindOfName(name: string): SecretKind | undefined {
  const words = wordsOf(name);
  while (words.length > 1) {
    const last = words.at(-1) ?? '';
    if (!keptEndings.has(last) && !/^\d{1,2}$/.test(last)) break;
    words.pop();
  }
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  const joined = before + last;
  if (words.includes('public') || words.includes('publishable')) return undefined;
  if (/^(?:password|passwd|passphrase|passcode|pwd|pw)$/.test(last)) return 'password';
  if (/(?:password|passwd|passphrase|pwd)$/.test(last) && last.length <= 20) return 'password';
  if (last === 'pass') return passWords.has(before) ? 'password' : undefined;
  if (/^(?:dbpass|smtppass|userpass|rootpass|mysqlpass|pgpass)$/.test(last)) return 'password';
  if (last === 'secret' || /^(?:client|app|api|jwt|shared|consumer)secret$/.test(last))
    return 'secret';
  if (last === 'token') return otherTokens.has(before) ? undefined : 'token';
  if (/^(?:auth|access|api|refresh|id|bearer|session|bot|user|personal)token$/.test(last))
    return 'token';
  if (last === 'key') return keyWords.has(before) ? 'key' : undefined;
  if (/(?:api|secret|access|private|account|encryption|signing|master|auth)key$/.test(joined))
    return 'key';
  if (/^_?auth$/i.test(name) || name === '_authToken') return 'login';
  if (/^credentials?$/.test(last)) return 'secret';
  return undefined;
}

/** Form of a value, which decides how sure one must be that it is a secret. */
type ValueForm =
  /** A line of a `.env` file, or a setting of a shell: `DB_PASSWORD=…`. */
  | 'environment'
  /** A value in quotes, as in code and JSON. */
  | 'quoted'
  /** A line of YAML or properties: `password: …`. */
  | 'line'
  /** A part of something: of a query, a connection string, an argument. */
  | 'inline';

interface Value {
  readonly start: number;
  readonly end: number;
  readonly form: ValueForm;
}

/**
 * Returns the secrets that their names give away.
 * @param onWork called with the number of characters that were looked at, for tests.
 */
export function findAssignedSecrets(
  text: string,
  onWork: (characters: number) => void = () => undefined,
): Finding[] {
  const findings: Finding[] = [];
  let readTo = 0;
  const words = new WordEnds(text);
  for (const { index } of text.matchAll(nameSign)) {
    if (index < readTo) continue;
    const [nameStart, nameEnd] = nameAround(text, index);
    readTo = nameEnd;
    onWork(nameEnd - nameStart);
    const name = text.slice(nameStart, nameEnd);
    const kind = kindOfName(name);
    if (!kind) continue;
    const value = valueAfter(words, text, nameStart, nameEnd);
    if (!value) continue;
    onWork(value.end - nameEnd);
    if (!isSecret(text.slice(value.start, value.end), kind, value.form)) continue;
    findings.push(finding({ rule: `named-${kind}`, kind }, value.start, value.end));
    readTo = value.end;
  }
  return findings;
}

function nameAround(text: string, index: number): [start: number, end: number] {
  let start = index;
  while (start > 0 && index - start < MAX_NAME_LENGTH && isNameCharacter(text, start - 1)) start--;
  let end = index;
  while (end < text.length && end - index < MAX_NAME_LENGTH && isNameCharacter(text, end)) end++;
  return [start, end];
}

function isNameCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

/** Returns where the value of a name stands, or undefined if nothing is assigned to the name. */
function valueAfter(
  words: WordEnds,
  text: string,
  nameStart: number,
  nameEnd: number,
): Value | undefined {
  let at = nameEnd;
  const before = text.charAt(nameStart - 1);
  // `"password"`, `['password']`, `$env:TOKEN`, `<password>`
  const isTag = before === '<' && text.charAt(at) === '>';
  if (isTag) return tagValue(text, at + 1);
  const isQuotedName = /["'`]/.test(text.charAt(at)) && text.charAt(at) === before;
  if (isQuotedName) at++;
  if (text.charAt(at) === ']') at++;
  const gap = spacesAt(text, at);
  const [sign] =
    /^(?::=|=>|=(?!=)|:(?!:)|,(?= ?["']))/.exec(text.slice(at + gap, at + gap + 4)) ?? [];
  if (sign === undefined)
    return gap > 0 && !isQuotedName ? argument(words, text, nameStart, at, gap) : undefined;
  // `foo("password", "…")`: a name in quotes, followed by its value.
  if (sign === ',' && !isQuotedName) return undefined;
  at += gap + sign.length;
  const space = spacesAt(text, at);
  at += space;
  const prefix = /^[bfru@$]{1,2}(?=["'])/i.exec(text.slice(at, at + 3))?.[0] ?? '';
  const quote = text.charAt(at + prefix.length);
  if (/["'`]/.test(quote) && quote !== '') return quotedValue(text, at + prefix.length, quote);
  if (sign !== '=' && sign !== ':') return undefined;
  const isLineStart = startsLine(text, nameStart);
  const end = words.after(at);
  if (end === at) return undefined;
  const isAlone = endsLine(text, end);
  const name = text.slice(nameStart, nameEnd);
  if (sign === '=' && gap === 0 && space === 0 && /^[A-Z][A-Z0-9_]*$/.test(name)) {
    const valueEnd = isLineStart ? endOfLineValue(text, at, end) : endOfInline(text, at, end);
    return { start: at, end: valueEnd, form: 'environment' };
  }
  if (isLineStart && isAlone) return { start: at, end, form: 'line' };
  return sign === '=' && gap === 0 && space === 0
    ? { start: at, end: endOfInline(text, at, end), form: 'inline' }
    : undefined;
}

/** Returns the value of an argument or of a `.netrc` entry: `--password …`, `password …`. */
function argument(
  words: WordEnds,
  text: string,
  nameStart: number,
  nameEnd: number,
  gap: number,
): Value | undefined {
  const start = nameEnd + gap;
  const name = text.slice(nameStart, nameEnd);
  const isOption = name.startsWith('--');
  const isNetrc = name === 'password' && /\b(?:login|machine)\b/.test(lineBefore(text, nameStart));
  const isDockerEnv = /\b(?:ENV|ARG)[ \t]+$/.test(lineBefore(text, nameStart));
  if (!isOption && !isNetrc && !isDockerEnv) return undefined;
  const quote = text.charAt(start);
  if (quote === '"' || quote === "'") return quotedValue(text, start, quote);
  const end = words.after(start);
  return end === start ? undefined : { start, end, form: isDockerEnv ? 'environment' : 'inline' };
}

function tagValue(text: string, start: number): Value | undefined {
  const end = text.indexOf('<', start);
  const isClosed = end > start && end - start <= MAX_VALUE_LENGTH && text.charAt(end + 1) === '/';
  return isClosed ? { start, end, form: 'line' } : undefined;
}

function quotedValue(text: string, at: number, quote: string): Value | undefined {
  for (let end = at + 1; end < text.length && end - at <= MAX_VALUE_LENGTH; end++) {
    const character = text.charAt(end);
    if (character === '\\') end++;
    else if (character === '\n') return undefined;
    else if (character === quote) return { start: at + 1, end, form: 'quoted' };
  }
  return undefined;
}

function spacesAt(text: string, at: number): number {
  let count = 0;
  while (count < MAX_SPACES && /[ \t]/.test(text.charAt(at + count))) count++;
  return count;
}

/**
 * Finds the ends of words without quotes. It remembers the last one, because a word that repeats
 * `password=` would otherwise be read from each of its names to its end.
 */
class WordEnds {
  readonly #text: string;
  #from = 0;
  #end = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns where the word ends that begins at an offset, without punctuation behind it. */
  after(start: number): number {
    if (start < this.#from || start >= this.#end) {
      this.#from = start;
      this.#end = start;
      while (this.#end < this.#text.length && isInWord(this.#text.charCodeAt(this.#end)))
        this.#end++;
    }
    let end = Math.min(this.#end, start + MAX_WORD_LENGTH);
    while (end > start && /[,;)\]}]/.test(this.#text.charAt(end - 1))) end--;
    return end;
  }
}

/** Returns whether a character can stand in a value without quotes. */
function isInWord(code: number): boolean {
  const isQuoteOrBracket = code === 34 || code === 39 || code === 96 || code === 60 || code === 62;
  return code > 32 && !isQuoteOrBracket && code !== 0xa0;
}

/** Returns the end of an unquoted value of a `.env` file, which can have quotes inside. */
function endOfLineValue(text: string, start: number, wordEnd: number): number {
  let end = wordEnd;
  while (end < text.length && end - start < MAX_WORD_LENGTH && /\S/.test(text.charAt(end))) end++;
  return end;
}

/** Returns the end of a value in a query, a connection string or a list. */
function endOfInline(text: string, start: number, wordEnd: number): number {
  for (let end = start; end < wordEnd; end++) {
    // The padding of base64 is a part of the value, the next assignment isn't.
    if (/[&;,)\]}]/.test(text.charAt(end))) return end;
    if (text.charAt(end) === '=' && end + 1 < wordEnd && text.charAt(end + 1) !== '=') return end;
  }
  return wordEnd;
}

/** Longest indentation, comment sign or keyword before a name that begins a line. */
const MAX_LEAD = 40;

function lineBefore(text: string, index: number): string {
  const from = Math.max(0, index - MAX_LEAD - MAX_NAME_LENGTH);
  const lead = text.slice(from, index);
  return lead.slice(lead.lastIndexOf('\n') + 1);
}

function startsLine(text: string, nameStart: number): boolean {
  return /^[+-]?[ \t]*(?:(?:#|\/\/|;|-)[ \t]*)?(?:(?:export|set|setx|env|arg|declare -x)[ \t]+|\$env:|["'])?$/i.test(
    lineBefore(text, nameStart),
  );
}

function endsLine(text: string, end: number): boolean {
  return /^[;,"']?[ \t]*(?:[#;].*)?\r?$/.test(text.slice(end, end + 200).split('\n', 1)[0] ?? '');
}

/** Shortest password that is taken for one. */
const SHORTEST_PASSWORD = 6;

/** Names of types and functions, which stand where values do in code. */
const codeWords =
  /^(?:string|number|boolean|bool|str|int|integer|bytes?|char|any|unknown|object|void|never|null|none|nil|true|false|text|varchar|uuid|required|optional|hidden|secure|function|new|await|return|this|self)\b/i;

function isSecret(value: string, kind: SecretKind, form: ValueForm): boolean {
  const isPassword = kind === 'password';
  if (value.length < (isPassword ? SHORTEST_PASSWORD : 8)) return false;
  if (isPlaceholder(value) || isReferenceInCode(value)) return false;
  if (codeWords.test(value) || isPublicKey(value)) return false;
  if (!isPassword && form !== 'environment' && !/^[\w+/=.:~!@%-]+$/.test(value)) return false;
  if (isRandom(value)) return true;
  if (/\s/.test(value) || /^\d+$/.test(value)) return false;
  if (form === 'environment') return !isEnvironmentName(value);
  return isPassword ? isPasswordLike(value) : isTokenLike(value);
}

/** Returns whether a value is an assistant key of a docs site, which is made to be public. */
export function isPublicKey(value: string): boolean {
  return /^[A-Za-z0-9-]{1,40}_dsc_/.test(value);
}

/** Returns whether a value names where the secret is: a path, a URL, a variable, a call. */
function isReferenceInCode(value: string): boolean {
  return (
    /^\{|^[A-Za-z_$][\w$.]*\[/.test(value) ||
    /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(value) ||
    /^(?:\.{1,2}|~)?\/[A-Za-z][\w.-]*(?:\/[\w.-]+)+$/.test(value) ||
    /^[A-Za-z]:\\/.test(value) ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value) ||
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
