/** Completes `docs-questions.yaml` by its indentation, because unfinished YAML doesn't parse. */
import * as v from 'valibot';
import { fileSettingsSchema, writtenQuestionSchema } from './questionSchema';

/** A key of the format. */
export interface QuestionKey {
  readonly name: string;
  readonly description: string;
  /** Form of the text after the colon: a value, or lines of its own. */
  readonly value: 'inline' | 'list' | 'keys';
}

/**
 * Completions for a position in the file. They replace the rest of the line from the column
 * `start`.
 */
export type Completion =
  | {
      readonly kind: 'keys';
      readonly start: number;
      readonly keys: readonly QuestionKey[];
      /** Whether the key begins an item of the list, so that a dash goes in front of it. */
      readonly needsDash: boolean;
    }
  /** Paths of pages. */
  | { readonly kind: 'pages'; readonly start: number }
  | { readonly kind: 'booleans'; readonly start: number };

/** A key or a dash, and the keys that were seen in the map below it. */
interface Frame {
  readonly column: number;
  /** Name of the key. Absent for a dash. */
  readonly key: string | undefined;
  readonly children: Set<string>;
}

interface Line {
  readonly dashes: readonly number[];
  /** Column of the first character after the dashes. */
  readonly column: number;
  readonly key: string | undefined;
  /** Text after the key and its colon, or after the dashes. */
  readonly rest: string;
}

const listKeys: ReadonlySet<string> = new Set([
  'pages',
  'anyPage',
  'contains',
  'excludes',
  'groups',
  'questions',
]);
const pageKeys: ReadonlySet<string> = new Set(['pages', 'anyPage']);

/**
 * Returns the completions at the cursor, or undefined if there are none.
 * @param before lines of the file up to the cursor, the last one cut there.
 * @param after lines of the file below the cursor's.
 */
export function completionAt(
  before: readonly string[],
  after: readonly string[],
): Completion | undefined {
  const typed = before.at(-1) ?? '';
  const line = lineOf(typed);
  if (/^\s*#/.test(typed)) return undefined;
  if (line.key !== undefined) return valueCompletion(line, typed);
  const root: Frame = { column: -1, key: undefined, children: new Set() };
  const stack = [root];
  for (const text of before.slice(0, -1)) enter(stack, lineOf(text));
  for (const dash of line.dashes) enterDash(stack, dash);
  leave(stack, line.column);
  const top = stack.at(-1) ?? root;
  const parent = stack.findLast(({ key }) => key !== undefined)?.key;
  const isItem = top !== root && top.key === undefined;
  if (parent !== undefined && pageKeys.has(parent)) {
    return isItem ? { kind: 'pages', start: line.column } : undefined;
  }
  if (!/^[\w$]*$/.test(line.rest)) return undefined;
  const needsDash = parent === 'questions' && !isItem;
  const taken = new Set([...top.children, ...keysBelow(after, line.column)]);
  const keys = keysFor(parent, isItem).filter(({ name }) => needsDash || !taken.has(name));
  return keys.length === 0
    ? undefined
    : { kind: 'keys', start: line.column, keys: needsDash ? keys.slice(0, 1) : keys, needsDash };
}

function valueCompletion({ key = '', rest }: Line, typed: string): Completion | undefined {
  if (!/^[^[{&*|>]*$/.test(rest) || !typed.includes(': ')) return undefined;
  const start = typed.length - rest.length;
  if (pageKeys.has(key)) return { kind: 'pages', start };
  return key === 'refuses' ? { kind: 'booleans', start } : undefined;
}

function lineOf(text: string): Line {
  const [lead = ''] = /^ *(?:- +|-$)*/.exec(text) ?? [];
  const dashes = [...lead.matchAll(/-/g)].map(({ index }) => index);
  const content = text.slice(lead.length);
  const [whole = '', key] = /^([\w$]+) *:(?: +|$)/.exec(content) ?? [];
  return { dashes, column: lead.length, key, rest: content.slice(whole.length) };
}

function enter(stack: Frame[], line: Line): void {
  for (const dash of line.dashes) enterDash(stack, dash);
  const { column, key } = line;
  if (key === undefined) return;
  leave(stack, column);
  stack.at(-1)?.children.add(key);
  stack.push({ column, key, children: new Set() });
}

function enterDash(stack: Frame[], column: number): void {
  leave(stack, column + 1);
  // A list can have the indentation of its key, but an item ends the item before it.
  const top = stack.at(-1);
  if (top?.column === column && top.key === undefined) stack.pop();
  stack.push({ column, key: undefined, children: new Set() });
}

/** Removes the frames that a line at that column doesn't belong to. */
function leave(stack: Frame[], column: number): void {
  while ((stack.at(-1)?.column ?? -1) >= column) stack.pop();
}

/** Returns the keys of the same map that follow. */
function keysBelow(after: readonly string[], column: number): string[] {
  const keys: string[] = [];
  for (const text of after) {
    if (text.trim() === '' || /^\s*#/.test(text)) continue;
    const line = lineOf(text);
    const start = line.dashes[0] ?? line.column;
    if (start < column) break;
    if (start === column && line.key !== undefined && line.dashes.length === 0) keys.push(line.key);
  }
  return keys;
}

function keysFor(parent: string | undefined, isItem: boolean): QuestionKey[] {
  if (parent === 'questions') return keysOf(writtenQuestionSchema.entries);
  if (parent === 'filters') {
    return keysOf(v.unwrap(fileSettingsSchema.entries.filters).entries);
  }
  if (parent !== undefined) return [];
  if (isItem) return keysOf(writtenQuestionSchema.entries);
  return [
    { name: 'questions', description: '', value: 'list' },
    ...keysOf(fileSettingsSchema.entries),
  ];
}

function keysOf(entries: Readonly<Record<string, v.GenericSchema>>): QuestionKey[] {
  return Object.entries(entries).map(([name, schema]) => ({
    name,
    description:
      v.getDescription('wrapped' in schema ? (schema.wrapped as typeof schema) : schema) ?? '',
    value: listKeys.has(name) ? 'list' : name === 'filters' ? 'keys' : 'inline',
  }));
}
