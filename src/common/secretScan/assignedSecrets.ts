/**
 * Secrets that only their names give away: `DB_PASSWORD=…`, `"clientSecret": "…"`, `--token …`.
 *
 * The text is read by hand instead of by one regular expression, so that each character is looked
 * at a limited number of times and each form of value has rules of its own.
 */
import { finding, type Finding } from './finding';
import { isMixed } from './placeholders';
import { kindOfName } from './secretNames';
import { isSecretValue, type ValueForm } from './secretValues';
import { ValueReader, type Span } from './valueReader';

/** Parts of names that can make a value a secret. {@link kindOfName} decides about the whole name. */
const nameSign = /passw|passphrase|passcode|pwd|pass|secret|token|key|credential|auth|\bpw\b/gi;

/** Characters that are read on each side of a sign, at most. Longer names are no names of settings. */
const MAX_NAME_LENGTH = 60;

/** Number of spaces between a name, its sign and its value, at most. */
const MAX_SPACES = 24;

/** Characters of a line that are read before a name, at most: its indentation or its keyword. */
const MAX_LEAD = 100;

interface Name extends Span {
  readonly text: string;
  /** Text of the same line before the name. */
  readonly lead: string;
}

interface Value extends Span {
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
  const reader = new ValueReader(text, onWork);
  for (const { index } of text.matchAll(nameSign)) {
    if (index < readTo) continue;
    const name = nameAround(text, index);
    readTo = name.end;
    onWork(name.end - name.start);
    const kind = kindOfName(name.text);
    if (!kind) continue;
    const value = [partlyQuotedWord(reader, text, name), valueOf(reader, text, name)].find(
      (each) => each && isSecretValue(text.slice(each.start, each.end), kind, each.form),
    );
    if (!value) continue;
    findings.push(finding({ rule: `named-${kind}`, kind }, value.start, value.end));
    readTo = value.end;
  }
  return findings;
}

function nameAround(text: string, index: number): Name {
  let start = index;
  while (start > 0 && index - start < MAX_NAME_LENGTH && isNameCharacter(text, start - 1)) start--;
  // The letter of `\n` in a string belongs to no name.
  if (start < index && text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start))) start++;
  let end = index;
  while (end < text.length && end - index < MAX_NAME_LENGTH && isNameCharacter(text, end)) end++;
  const before = text.slice(Math.max(0, start - MAX_LEAD), start);
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  return { start, end, text: text.slice(start, end), lead };
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
function valueOf(reader: ValueReader, text: string, name: Name): Value | undefined {
  return (
    valueOfPair(reader, text, name) ??
    valueOfElement(text, name) ??
    defaultInBraces(reader, text, name) ??
    quotedAfter(reader, text, name) ??
    blockAfter(text, name) ??
    wordAfter(reader, text, name) ??
    argument(reader, text, name)
  );
}

/**
 * Returns the word that is assigned to a name if it begins with a quote and goes on behind the end of the
 * quotes, as in `DB_PASSWORD="a"b`. Undefined if the quotes are around all of it, or if it can be code.
 */
function partlyQuotedWord(reader: ValueReader, text: string, name: Name): Value | undefined {
  const gap = spacesAt(text, name.end);
  const sign = text.charAt(name.end + gap);
  if (sign !== '=' && sign !== ':') return undefined;
  const start = name.end + gap + 1 + spacesAt(text, name.end + gap + 1);
  if (!/^[>=]?[bfru@$]{0,2}#{0,2}\\{0,7}["'`]/i.test(text.slice(start, start + 14)))
    return undefined;
  const isArgument =
    sign === '='
      ? start === name.end + 1 &&
        (isConstant(name.text) || isOption(name.text) || /[;?&]$/.test(name.lead))
      : isHeaderLead(name.lead);
  const value = reader.argument(start);
  if (!value || value.start > start) return undefined;
  const end = endInList(text, value, name.lead);
  if (isArgument) return { start, end, form: isConstant(name.text) ? 'environment' : 'data' };
  const isLine = startsLine(name.lead) && endsLine(text, end) && isMixed(text.slice(start, end));
  return isLine ? { start, end, form: 'data' } : undefined;
}

const pairLead = /(?:^|[^\w$])(?:name|key|id)\\?["']?[ \t]{0,9}[:=][ \t]{0,9}\\?["']?$/i;

const pairSign =
  /\\?["']?[ \t]{0,9},?(?:[ \t]{0,9}\r?\n)?[ \t]{0,60}\\?["']?value\\?["']?[ \t]{0,9}[:=][ \t]{0,9}/iy;

/** Returns the value of `name: DB_PASSWORD`, `value: …`, and of `<add key="ApiKey" value="…">`. */
function valueOfPair(reader: ValueReader, text: string, name: Name): Value | undefined {
  if (!pairLead.test(name.lead)) return undefined;
  const start = endOf(pairSign, text, name.end);
  if (start === undefined) return undefined;
  const quoted = reader.quoted(start);
  if (quoted) return { ...quoted, form: 'data' };
  return wordOf(reader, start, isConstant(name.text) ? 'environment' : 'data');
}

const elementEnd = /(?:[ \t][^<>\n]{0,200})?>\s{0,99}/y;

const elementPair = /<\/(?:name|key)>\s{0,99}<(?:value|string)>\s{0,99}/iy;

/** Returns the text of `<password>…</password>`, and of a `<key>` with the element behind it. */
function valueOfElement(text: string, name: Name): Value | undefined {
  const pattern = /<(?:name|key)>$/i.test(name.lead)
    ? elementPair
    : /<(?:[\w.-]{1,30}:)?$/.test(name.lead)
      ? elementEnd
      : undefined;
  const start = pattern && endOf(pattern, text, name.end);
  if (start === undefined) return undefined;
  const content = text.slice(start, start + MAX_ELEMENT_LENGTH);
  const length = content.search(/<\//);
  if (length <= 0) return undefined;
  return { start, end: start + content.slice(0, length).trimEnd().length, form: 'data' };
}

/** Length of the longest text of an element. */
const MAX_ELEMENT_LENGTH = 2000;

const defaultSign = /:[-=]?|-/y;

/** Returns the value of `${DB_PASSWORD:-…}`, as shells and Spring have it. */
function defaultInBraces(reader: ValueReader, text: string, name: Name): Value | undefined {
  if (!name.lead.endsWith('${')) return undefined;
  const start = endOf(defaultSign, text, name.end);
  if (start === undefined) return undefined;
  const rest = text.slice(start, reader.word(start).end + MAX_NAME_LENGTH);
  const [word = ''] = rest.split(/\s|\$\{/, 1);
  const length = word.lastIndexOf('}');
  return length < 0 ? undefined : { start, end: start + length, form: 'environment' };
}

/** A type between a name and its value, as TypeScript, Python, Kotlin, Swift, Rust and Go have them. */
const declaredType =
  /[?!]?(?:\[\d{0,6}\])?(?:[ \t]{0,24}:[ \t]{0,24}|[ \t]{1,24}(?=[\w*.[\]]{1,40}[ \t]{0,9}=))[\w.<>|[\]&*?' ]{1,60}=(?![=>])|[?!]?\[\d{0,6}\][ \t]{0,24}=(?![=>])|[ \t]\{ ?get;[^{}\n]{0,30}\}[ \t]{0,9}=/y;

/** Signs between a name and a value in quotes. */
const quotedSign =
  /:{1,3}=|=>|\?\?=?|\|\|=?|\?:|[?.+]=|=(?![=>])|:(?!:)|or(?=[ \t])|\.(?:unwrap_or|unwrap_or_else|orElse|getOrElse|get_or_insert)\((?:\|\w?\|)?/iy;

/** A value that is read elsewhere, before the value that is used without it: `process.env.X ?? "…"`. */
const readElsewhere = /[\w.$?!:[\]()"']{1,80}[ \t]{0,9}(?:\?\?|\|\||\?:|or(?=[ \t]))/iy;

/** Returns the value in quotes that is assigned to a name in any way. */
function quotedAfter(reader: ValueReader, text: string, name: Name): Value | undefined {
  const at = afterName(text, name);
  const typed = endOf(declaredType, text, name.end);
  if (typed !== undefined) {
    const quoted = reader.quoted(typed + spacesAt(text, typed));
    if (quoted) return { ...quoted, form: 'data' };
  }
  const sign = at + spacesAt(text, at);
  // `foo("password", "…")`: a name in quotes, followed by its value.
  const isArgument = at > name.end && text.charAt(sign) === ',';
  const from = isArgument ? sign + 1 : endOf(quotedSign, text, sign);
  // `ALTER USER shop PASSWORD '…'`
  const isStatement = /^(?:password|PASSWORD)$/.test(name.text) && sign > at && !isNetrc(name);
  if (from === undefined) {
    const quoted = isStatement ? reader.quoted(sign) : undefined;
    return quoted && { ...quoted, form: 'data' };
  }
  const start = from + spacesAt(text, from);
  const quoted = reader.quoted(start);
  if (quoted) return { ...quoted, form: 'data' };
  const second = isArgument ? undefined : endOf(readElsewhere, text, start);
  const other = second === undefined ? undefined : reader.quoted(second + spacesAt(text, second));
  return other && { ...other, form: 'data' };
}

const blockSign = /[ \t]{0,24}:[ \t]{1,24}[|>][+-]?\d?[+-]?[ \t]{0,24}(?:#[^\n]{0,200})?\r?\n/y;

/** Lines of a block that are read, at most. */
const MAX_BLOCK_LINES = 60;

/** Returns the indented lines behind `password: |`. */
function blockAfter(text: string, name: Name): Value | undefined {
  if (!/^[ \t]*(?:- )?["']?$/.test(name.lead)) return undefined;
  const from = endOf(blockSign, text, afterName(text, name));
  if (from === undefined) return undefined;
  const indent = name.lead.replace(/["']$/, '').length;
  const lines = text.slice(from, from + MAX_ELEMENT_LENGTH).split('\n', MAX_BLOCK_LINES);
  let at = from;
  let [start, end] = [-1, -1];
  for (const line of lines) {
    const content = line.trim();
    const depth = line.length - line.trimStart().length;
    if (content !== '') {
      if (depth <= indent - (name.lead.includes('- ') ? 2 : 0)) break;
      if (start < 0) start = at + depth;
      end = at + line.trimEnd().length;
    }
    at += line.length + 1;
  }
  return start < 0 ? undefined : { start, end, form: 'data' };
}

/** Returns the word that is assigned to a name. */
function wordAfter(reader: ValueReader, text: string, name: Name): Value | undefined {
  const at = afterName(text, name);
  const gap = spacesAt(text, at);
  const sign = text.charAt(at + gap);
  if (sign !== '=' && sign !== ':') return undefined;
  // A second sign makes it a comparison, or is the first one of a password.
  const isDouble = text.charAt(at + gap + 1) === sign;
  const space = spacesAt(text, at + gap + 1);
  const start = at + gap + 1 + space;
  const isAttached = sign === '=' && gap === 0 && space === 0;
  const isHeader = sign === ':' && gap === 0 && at === name.end && isHeaderLead(name.lead);
  const isLineStart = startsLine(name.lead);
  if (!isAttached && !isHeader && !isLineStart) return undefined;
  const word = reader.word(start);
  const value = { start, end: endInList(text, word, name.lead) };
  if (value.end === start) return undefined;
  const isShell = isConstant(name.text) || isOption(name.text) || isSetting(name) || isLineStart;
  if (isDouble && !(isShell && isMixed(text.slice(start, value.end)))) return undefined;
  if (isAttached && isConstant(name.text)) return { ...value, form: 'environment' };
  const isLine = isLineStart && endsLine(text, word.end);
  if ((isAttached && isOption(name.text)) || isHeader || isLine) return { ...value, form: 'data' };
  if (!isAttached) return undefined;
  return { ...value, form: isSetting(name) || reader.isInString(start) ? 'data' : 'code' };
}

/** Returns whether a name is the name of a header: `-H "X-Api-Key: …"`. */
function isHeaderLead(lead: string): boolean {
  return /(?:["']|[ \t](?:-H|--header)[ \t=]?)$/.test(lead);
}

/** Returns the value of an argument or of a `.netrc` entry: `--password …`, `password …`. */
function argument(reader: ValueReader, text: string, name: Name): Value | undefined {
  const gap = spacesAt(text, name.end);
  if (gap === 0) return undefined;
  const isVariable = /\b(?:ENV|ARG|setx|set -gx)[ \t]+$/.test(name.lead);
  if (!isOption(name.text) && !isNetrc(name) && !isVariable) return undefined;
  const value = reader.argument(name.end + gap);
  return value && { ...value, form: isVariable ? 'environment' : 'data' };
}

function wordOf(reader: ValueReader, start: number, form: ValueForm): Value | undefined {
  const word = reader.word(start);
  return word.end === start ? undefined : { ...word, form };
}

/** Returns the offset behind a name with its quotes and brackets: `"password"`, `['password']`. */
function afterName(text: string, { end, lead }: Name): number {
  const [closing = ''] = /^(?:\\{0,7}["'`])?\]?\)?/.exec(text.slice(end, end + 12)) ?? [];
  const mark = /["'`]/.exec(closing)?.[0];
  return mark === undefined || lead.endsWith(mark) ? end + closing.length : end;
}

function spacesAt(text: string, at: number): number {
  let count = 0;
  while (count < MAX_SPACES && /[ \t]/.test(text.charAt(at + count))) count++;
  return count;
}

/** Returns where the match of a sticky pattern at an offset ends. */
function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Returns the end of a word that is one of several settings in a query, a connection string or a list. */
function endInList(text: string, { start, end }: Span, lead: string): number {
  const word = text.slice(start, end);
  const separator = lead.endsWith('&amp;') ? '&' : lead.trimEnd().slice(-1);
  const next =
    separator === '?' || separator === '&'
      ? /&|#[\w!/.-]*$/
      : separator === ';'
        ? /;(?:[ \w.-]{3,40}=|$)/
        : separator === ','
          ? /,[\w.-]{1,40}[=:]/
          : undefined;
  const length = next ? word.search(next) : -1;
  return length < 0 ? end : start + length;
}

/** Returns whether a name is one of several in a connection string or a URL. */
function isSetting({ text, lead }: Name): boolean {
  return /[;?&]$/.test(lead) && (/^[A-Z]/.test(text) || lead.includes('://'));
}

function isNetrc({ text, lead }: Name): boolean {
  return text === 'password' && /\b(?:login|machine)\b/.test(lead);
}

function isConstant(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}

function isOption(name: string): boolean {
  return /^--?[A-Za-z]/.test(name);
}

function startsLine(lead: string): boolean {
  return /^[+-]?[ \t]*(?:(?:#|\/\/|;|-)[ \t]*)?(?:(?:export|set|setx|env|arg|declare -x)[ \t]+|\$env:|["'])?$/i.test(
    lead,
  );
}

function endsLine(text: string, end: number): boolean {
  return /^[;,"'`)\]}]{0,8}[ \t]*(?:[#;].*)?\r?$/.test(
    text.slice(end, end + 200).split('\n', 1)[0] ?? '',
  );
}
