/** Computes minimal edits that set keys in a values file, in the file's own style. */
import { isAlias, isCollection, isMap, isScalar, Scalar } from 'yaml';
import { quoted } from './deploymentText';
import {
  colonEnd,
  columnOf,
  isFlow,
  lineEnd,
  lineStart,
  nodeRange,
  refuse,
  type ValuesMap,
  type ValuesPair,
  type ValuesSource,
} from './valuesSource';

/** Replacement of `[start, end)` in the original text. Offsets are UTF-16 units, as in VS Code. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
}

/** A key to write, with a value or with nested keys. */
export interface Entry {
  readonly key: string;
  readonly value: true | string | readonly Entry[];
}

/** Applies edits to a text. They must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let done = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(done, edit.start) + edit.newText;
    done = edit.end;
  }
  return result + text.slice(done);
}

/** Returns the edits that set the value of an existing key. */
export function setValue(
  source: ValuesSource,
  pair: ValuesPair,
  value: true | string,
  name: string,
  inFlow: boolean,
): readonly TextEdit[] {
  const node = pair.value;
  if (isCollection(node)) {
    throw refuse(source.fileName, (t) => t('“{0}” is a list or a map, not a single value.', name));
  }
  const range = nodeRange(node);
  if (!range || range[0] === range[1]) return [fillIn(pair, scalarText(value))];
  if (isScalar(node) && node.value === value) return [];
  const [start, end] = range;
  if (isAlias(node)) return [{ start, end, newText: scalarText(value) }];
  return isScalar(node) ? [replaceScalar(source.text, node, value, inFlow)] : [];
}

/** Returns the edit that gives a value to a key without one. In `{key}` even the colon is missing. */
function fillIn(pair: ValuesPair, text: string): TextEdit {
  const colon = colonEnd(pair);
  const at = colon ?? nodeRange(pair.key)?.[1] ?? 0;
  return { start: at, end: at, newText: colon === undefined ? `: ${text}` : ` ${text}` };
}

/** Returns the edit that replaces a scalar, in its own style if possible. */
export function replaceScalar(
  text: string,
  scalar: Scalar,
  value: true | string,
  inFlow: boolean,
): TextEdit {
  const [start, end] = scalarRange(text, scalar);
  if (scalar.type !== Scalar.BLOCK_FOLDED && scalar.type !== Scalar.BLOCK_LITERAL) {
    return { start, end, newText: scalarText(value, scalar, inFlow) };
  }
  // The comment of a block scalar follows its `|` or `>`, above its text.
  const comment = /^[^\n#]*?(\s#[^\r\n]*)/.exec(text.slice(start, end))?.[1] ?? '';
  return { start, end, newText: `${scalarText(value)}${comment}` };
}

/** Returns the range of a scalar with its quotes, without line breaks at the end of a block. */
export function scalarRange(text: string, scalar: Scalar): readonly [start: number, end: number] {
  const [start, end] = nodeRange(scalar) ?? [0, 0];
  return [start, start + text.slice(start, end).trimEnd().length];
}

function scalarText(value: true | string, old?: Scalar, inFlow = false): string {
  if (value === true) return 'true';
  if (old?.type === Scalar.QUOTE_SINGLE && !/[^\x20-\x7e]/.test(value)) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  const staysPlain =
    old?.type === Scalar.PLAIN && typeof old.value === 'string' && isPlain(value, inFlow);
  return staysPlain ? value : quoted(value);
}

/** Words that YAML 1.1 or 1.2 reads as a boolean or null. */
const reservedWords = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** Returns whether a value is a string without quotes in every version of YAML. */
function isPlain(value: string, inFlow: boolean): boolean {
  return isPlainWord(value) || isPlainUrl(value, inFlow);
}

function isPlainWord(value: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(value) && !reservedWords.test(value);
}

function isPlainUrl(value: string, inFlow: boolean): boolean {
  return /^https?:\/\/[!-~]*[^:]$/.test(value) && !(inFlow && /[,[\]{}]/.test(value));
}

/** Returns a key as YAML, in quotes if a version of YAML needs them. */
export function keyText(key: string): string {
  return isPlainWord(key) ? key : quoted(key);
}

export function addEntries(
  source: ValuesSource,
  map: ValuesMap,
  entries: readonly Entry[],
): readonly TextEdit[] {
  if (entries.length === 0) return [];
  return isFlow(map) ? addToFlow(source, map, entries) : [addToBlock(source, map, entries)];
}

/** Returns the edits that add keys below `key:`, `key: null` or `key: {}`. */
export function addBelow(
  source: ValuesSource,
  pair: ValuesPair,
  entries: readonly Entry[],
  inFlow: boolean,
): readonly TextEdit[] {
  const { text, eol, step } = source;
  const range = nodeRange(pair.value);
  const isThere = range !== undefined && range[0] < range[1];
  if (inFlow) {
    const flow = `{ ${flowEntries(entries, isJson(pair))} }`;
    return [isThere ? { start: range[0], end: range[1], newText: flow } : fillIn(pair, flow)];
  }
  const keyStart = nodeRange(pair.key)?.[0] ?? 0;
  const lines = blockLines(entries, columnOf(text, keyStart) + step, step);
  const at = lineEnd(text, range?.[1] ?? keyStart);
  const below = { start: at, end: at, newText: lines.map((line) => eol + line).join('') };
  if (!isThere) return [below];
  const spaces = /[ \t]*$/.exec(text.slice(0, range[0]))?.[0].length ?? 0;
  return [{ start: range[0] - spaces, end: range[1], newText: '' }, below];
}

/** Returns the edits that add the first keys of a file. */
export function addFirst(source: ValuesSource, entries: readonly Entry[]): readonly TextEdit[] {
  const { text, eol, step, document } = source;
  const lines = blockLines(entries, 0, step).join(eol);
  const range = nodeRange(document?.contents);
  if (!range || range[0] === range[1]) {
    const at = text.length;
    const isLineStart = lineStart(text, at) === at;
    return [{ start: at, end: at, newText: isLineStart ? lines + eol : eol + lines }];
  }
  const isLineStart = lineStart(text, range[0]) === range[0];
  return [{ start: range[0], end: range[1], newText: isLineStart ? lines : eol + lines }];
}

function addToBlock(source: ValuesSource, map: ValuesMap, entries: readonly Entry[]): TextEdit {
  const { text, eol, step, document } = source;
  const column = columnOf(text, nodeRange(map.items[0]?.key)?.[0] ?? 0);
  const lines = blockLines(entries, column, step);
  if (map === document?.contents && hasBlankLines(text, map)) lines.unshift('');
  const end = endOfContent(text, map);
  // Only a block scalar that keeps its line breaks ends at the start of a line.
  if (end === lineStart(text, end)) {
    return { start: end, end, newText: lines.map((line) => line + eol).join('') };
  }
  const at = endOfComments(text, lineEnd(text, end), column);
  return { start: at, end: at, newText: lines.map((line) => eol + line).join('') };
}

/** Returns the end of the comments below the last key that have at least its indentation. */
function endOfComments(text: string, from: number, column: number): number {
  let end = from;
  for (let at = from; at < text.length;) {
    const start = text.indexOf('\n', at) + 1;
    if (start === 0) break;
    at = lineEnd(text, start);
    const line = text.slice(start, at).trimEnd();
    if (line === '') continue;
    const indentation = /^ *(?=#)/.exec(line)?.[0].length ?? -1;
    if (indentation < column) break;
    end = at;
  }
  return end;
}

/** Returns the end of the text of the last leaf. */
function endOfContent(text: string, node: unknown, fallback = 0): number {
  const [start = fallback, end = fallback] = nodeRange(node) ?? [];
  if (isCollection(node) && node.srcToken?.type !== 'flow-collection') {
    const last: unknown = node.items.at(-1);
    if (!isMap(node)) return endOfContent(text, last, end);
    const { key, value } = last as ValuesPair;
    return endOfContent(text, value, nodeRange(key)?.[1] ?? end);
  }
  if (isScalar(node) && /^[|>]\S*\+/.test(text.slice(start, end))) return end;
  return start + text.slice(start, end).trimEnd().length;
}

function hasBlankLines(text: string, map: ValuesMap): boolean {
  return map.items.some((pair, index) => {
    const previous = map.items[index - 1];
    if (!previous) return false;
    const from = endOfContent(text, previous.value, nodeRange(previous.key)?.[1]);
    return /\n[ \t]*\r?\n/.test(text.slice(from, nodeRange(pair.key)?.[0]));
  });
}

function addToFlow(
  source: ValuesSource,
  map: ValuesMap,
  entries: readonly Entry[],
): readonly TextEdit[] {
  const { text, eol } = source;
  const [open = 0, end = 0] = nodeRange(map) ?? [];
  const last = map.items.at(-1);
  if (!last)
    return [{ start: open + 1, end: open + 1, newText: ` ${flowEntries(entries, false)}` }];
  const texts = entries.map((entry) => flowEntries([entry], isJson(last)));
  const keyStart = nodeRange(last.key)?.[0] ?? open;
  const lastEnd = nodeRange(last.value)?.[1] ?? colonEnd(last) ?? nodeRange(last.key)?.[1] ?? open;
  const comma = commaAfter(text, lastEnd, end - 1);
  const at = lineEnd(text, comma ?? lastEnd);
  const indentation = text.slice(lineStart(text, keyStart), keyStart);
  if (/\S/.test(indentation) || at >= end - 1) {
    return [{ start: lastEnd, end: lastEnd, newText: texts.map((item) => `, ${item}`).join('') }];
  }
  const items = texts.map((item) => eol + indentation + item).join(',');
  if (comma !== undefined) return [{ start: at, end: at, newText: `${items},` }];
  if (at === lastEnd) return [{ start: at, end: at, newText: `,${items}` }];
  return [
    { start: lastEnd, end: lastEnd, newText: ',' },
    { start: at, end: at, newText: items },
  ];
}

/** Returns the offset of the comma between two offsets with only comments and spaces otherwise. */
function commaAfter(text: string, start: number, end: number): number | undefined {
  const blanked = text
    .slice(start, end)
    .replace(/#[^\n]*/g, (comment) => ' '.repeat(comment.length));
  const index = blanked.indexOf(',');
  return index < 0 ? undefined : start + index;
}

function isJson({ key }: ValuesPair): boolean {
  return isScalar(key) && key.type === Scalar.QUOTE_DOUBLE;
}

function flowEntries(entries: readonly Entry[], quotesKeys: boolean): string {
  return entries
    .map(({ key, value }) => {
      const name = quotesKeys ? quoted(key) : keyText(key);
      return typeof value === 'object'
        ? `${name}: { ${flowEntries(value, quotesKeys)} }`
        : `${name}: ${scalarText(value)}`;
    })
    .join(', ');
}

function blockLines(entries: readonly Entry[], column: number, step: number): string[] {
  const indentation = ' '.repeat(column);
  return entries.flatMap(({ key, value }) =>
    typeof value === 'object'
      ? [`${indentation}${keyText(key)}:`, ...blockLines(value, column + step, step)]
      : [`${indentation}${keyText(key)}: ${scalarText(value)}`],
  );
}
