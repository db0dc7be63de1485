/** Values that stand for a secret without being one: placeholders, references and names. */

/** Words with which people write that a value is to be replaced, or that it isn't real. */
const placeholderWords =
  /(?:change[-_ ]?(?:me|this|it)|replace|example|placeholder|your|dummy|sample|insert|redacted|hidden|todo|fixme|foobar|fake|mock|notreal|xxxx|\.\.\.|…|\*\*\*|###|deadbeef|lorem)/i;

/** Words that are no secret if the value has no other words, and digits at most. */
const emptyWords = new Set([
  ...[
    'my',
    'the',
    'a',
    'an',
    'some',
    'any',
    'this',
    'new',
    'old',
    'super',
    'very',
    'here',
    'value',
  ],
  ...['password', 'passwd', 'passwort', 'pass', 'pwd', 'passphrase', 'secret', 'secrets', 'token'],
  ...['key', 'keys', 'api', 'apikey', 'auth', 'access', 'refresh', 'bearer', 'basic', 'client'],
  ...['admin', 'root', 'user', 'username', 'guest', 'test', 'tests', 'testing', 'demo', 'local'],
  ...['foo', 'bar', 'baz', 'qux', 'abc', 'string', 'number', 'boolean', 'text', 'hash', 'random'],
  ...[
    'default',
    'none',
    'null',
    'nil',
    'undefined',
    'true',
    'false',
    'yes',
    'no',
    'unset',
    'empty',
  ],
  ...['required', 'optional', 'private', 'public', 'shared', 'signing', 'encryption', 'session'],
  ...[
    'enter',
    'set',
    'get',
    'put',
    'add',
    'use',
    'in',
    'of',
    'for',
    'to',
    'and',
    'or',
    'is',
    'from',
  ],
  ...['service', 'account', 'postgres', 'mysql', 'redis', 'mongo', 'rabbitmq', 'db', 'database'],
  ...[
    'csrf',
    'xsrf',
    'id',
    'name',
    'field',
    'input',
    'label',
    'env',
    'var',
    'dev',
    'prod',
    'staging',
  ],
]);

/** Signs of a template, a variable or a reference to a secret that is kept elsewhere. */
const references: readonly RegExp[] = [
  /^(?:\$(?:[({]|[A-Za-z_])|%[A-Za-z_]|#\{|!(?:vault|ref|sub|getatt|secret|env|reference)\b)/i,
  /^(?:<.*>|\{.*\}|\[.*\]|@[A-Za-z_.]+@?|__[A-Za-z_]+__|%.*%)$/s,
  /^(?:op|vault|secret|secrets|ssm|kms|env|file|gcp|azurekeyvault|keyring|ref\+[a-z]+):/i,
  /^(?:arn:|projects\/|env\(|enc\[|AQICAH|process\.env|import\.meta|os\.|System\.|ENV\[|-----BEGIN)/i,
  /\$\{|\{\{|%[A-Za-z_]{1,40}%|<[A-Za-z][^<>]{0,80}>/,
];

/** Characters that follow each other in made-up examples. */
const sequences = [
  '0123456789abcdef',
  '1234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  '9876543210',
];

/** Length of a sequence that no random value is likely to contain. */
const SEQUENCE_LENGTH = 8;

/** Characters of a value that are searched for a sequence. */
const MAX_SEQUENCE_SEARCH = 200;

/** Smallest number of different characters in a secret of some length. */
const FEWEST_CHARACTERS = 5;

/** Returns whether a value only stands for a secret. */
export function isPlaceholder(value: string): boolean {
  if (value.length < 3 || placeholderWords.test(value)) return true;
  const lower = value.toLowerCase();
  if (new Set(lower).size < Math.min(FEWEST_CHARACTERS, value.length - 1)) return true;
  if (hasSequence(lower)) return true;
  if (isMixed(value)) return false;
  return references.some((pattern) => pattern.test(value)) || areEmptyWords(value);
}

/** Shortest value whose signs can tell whether it is random. */
const SHORTEST_MIXED = 12;

/** Different signs without which letters, capitals and digits must all be there. */
const MANY_SIGNS = 2;

/** Share of words in a value above which it isn't random. */
const MOST_WORDS = 0.6;

/**
 * Returns whether a value is a mix of signs, letters and digits without words, as a program makes
 * passwords. References and code have signs too, but between words.
 */
export function isMixed(value: string): boolean {
  if (value.length < SHORTEST_MIXED || /\s/.test(value)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/].filter((pattern) => pattern.test(value)).length;
  if (classes < 2) return false;
  const signs = new Set(value.match(/[^A-Za-z0-9]/g));
  if (signs.size < (classes < 3 ? MANY_SIGNS : 1)) return false;
  const runs = value.match(/[A-Za-z][a-z]{2,}|[A-Z]{3,}/g) ?? [];
  const words = runs.filter((run) => /[aeiou]/i.test(run));
  return words.join('').length <= value.length * MOST_WORDS;
}

function hasSequence(value: string): boolean {
  const last = Math.min(value.length, MAX_SEQUENCE_SEARCH) - SEQUENCE_LENGTH;
  for (let start = 0; start <= last; start++) {
    const piece = value.slice(start, start + SEQUENCE_LENGTH);
    if (sequences.some((sequence) => sequence.includes(piece))) return true;
  }
  return false;
}

function areEmptyWords(value: string): boolean {
  const words = wordsOf(value);
  return words.length > 0 && words.every((word) => /^\d{1,4}$/.test(word) || emptyWords.has(word));
}

/** Returns the words of a name or a value in lower case: `dbPassword_1` has three. */
export function wordsOf(name: string): string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.map((word) => word.toLowerCase()) ?? [];
}

/** Shortest value whose letters and digits can tell whether it is random. */
const SHORTEST_RANDOM = 16;

/** Bits for each character of a value below which it repeats itself too much to be random. */
const LOWEST_ENTROPY = 2.9;

/**
 * Returns whether a value looks as if a program had made it: long, of letters and digits that are
 * mixed, without the words that people write. UUIDs count as random.
 */
export function isRandom(value: string): boolean {
  if (value.length < SHORTEST_RANDOM || /\s/.test(value)) return false;
  if (!/\d/.test(value) || !/[a-z]/i.test(value)) return false;
  if (entropyOf(value) < LOWEST_ENTROPY) return false;
  // Words and numbers that are joined, such as `release-2024-01-build-7` and `sha256-of-file`.
  const parts = value.split(/[-_./:+=~]/).filter((part) => part !== '');
  const plain = parts.filter((part) =>
    /^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+|[a-z]+\d{1,4}|\d{1,4})$/.test(part),
  );
  return plain.length < parts.length;
}

function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
