/** Adds a question to the text of a `docs-questions.yaml`, and changes nothing else in it. */
import { isDeepStrictEqual } from 'node:util';
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Document,
  type YAMLSeq,
} from 'yaml';
import type { WrittenQuestion } from './questionSchema';

/** Name of the file that *Add as Docs Question* creates. */
export const QUESTIONS_FILE = 'docs-questions.yaml';

/** A file with the added question, or with the same question that it already had. */
interface AddedQuestion {
  /** The whole new text. It is unchanged if the file already had the question. */
  readonly text: string;
  /** Offset of the question in the text, in UTF-16 code units. */
  readonly offset: number;
}

/** Error for a file to which no question can be added without changing something else. */
export class UnreadableQuestions extends Error {
  /** Line of the first error, counted from 1. Undefined if the file is valid YAML but not a questions file. */
  readonly line: number | undefined;

  constructor(line?: number) {
    super('The questions file can’t be read');
    this.name = 'UnreadableQuestions';
    this.line = line;
  }
}

/**
 * Adds a question at the end of the list. Comments, order and style of the file stay.
 * @param text text of the file. Empty for a file that doesn't exist yet.
 * @param heading comment for a new file, without `#`.
 * @throws {UnreadableQuestions} for a file that isn't a list of questions. It is not changed.
 */
export function addQuestion(text: string, question: WrittenQuestion, heading = ''): AddedQuestion {
  const before = parsed(text);
  if (before.contents === null || (isScalar(before.contents) && before.contents.value === null)) {
    return addToEmpty(text, question, heading);
  }
  const list = listOf(before);
  const known = list ? offsetOf(list, question.question) : undefined;
  if (known !== undefined) return { text, offset: known };
  const candidates = [
    () => (list ? withLastItem(text, list, question) : withList(text, question)),
    // A list on one line and other rare forms get a new layout.
    () => rewritten(text, question),
  ];
  for (const candidate of candidates) {
    const added = candidate();
    if (added !== undefined && isMeant(before, added, question)) {
      const after = listOf(parsed(added));
      const offset = after && offsetOf(after, question.question);
      if (offset !== undefined) return { text: added, offset };
    }
  }
  throw new UnreadableQuestions();
}

function parsed(text: string): Document.Parsed {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new UnreadableQuestions(error.linePos?.[0].line);
  return document;
}

/** Returns the list of questions. Undefined if the file is a map that has none yet. */
function listOf({ contents }: Document.Parsed): YAMLSeq | undefined {
  if (isSeq(contents)) return contents;
  if (!isMap(contents)) throw new UnreadableQuestions(1);
  const list: unknown = contents.get('questions', true);
  if (list === undefined || (isScalar(list) && list.value === null)) return undefined;
  if (isSeq(list)) return list;
  throw new UnreadableQuestions();
}

/**
 * Returns the offset of the item with that question. An item can be just the text of the question.
 */
function offsetOf(list: YAMLSeq, question: string): number | undefined {
  for (const item of list.items) {
    if (!isMap(item) && !isScalar(item)) continue;
    const written: unknown = isMap(item) ? item.get('question') : item.value;
    if (typeof written === 'string' && written.trim() === question.trim()) return item.range?.[0];
  }
  return undefined;
}

function addToEmpty(text: string, question: WrittenQuestion, heading: string): AddedQuestion {
  const start = text.trim() === '' ? (heading === '' ? '' : `# ${heading}\n`) : withLineEnd(text);
  const added = `${start}questions:\n${itemText(question, '  ')}\n`;
  const list = listOf(parsed(added));
  return { text: added, offset: (list && offsetOf(list, question.question)) ?? 0 };
}

/** Adds the question after the last item of a list with an item on each line. */
function withLastItem(text: string, list: YAMLSeq, question: WrittenQuestion): string | undefined {
  const start = list.range?.[0];
  const end = lastOf(list);
  if (list.flow === true || start === undefined || end === undefined) return undefined;
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (indent.trim() !== '') return undefined;
  // The last character of the item, so that comments and blank lines after it stay where they are.
  const last = text.slice(0, end).trimEnd().length;
  const lineEnd = text.slice(last).search(/\r?\n|$/) + last;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const hasGaps = list.items.length > 1 && list.items.every(startsAfterGap);
  const item = itemText(question, indent).replaceAll('\n', eol);
  const added = `${text.slice(0, lineEnd)}${eol}${hasGaps ? eol : ''}${item}${text.slice(lineEnd)}`;
  return lineEnd === text.length ? `${added}${eol}` : added;
}

/** Returns whether an item follows a blank line, as all but the first do in a spaced-out list. */
function startsAfterGap(item: unknown, index: number): boolean {
  return index === 0 || ((isMap(item) || isScalar(item)) && item.spaceBefore === true);
}

function lastOf(list: YAMLSeq): number | undefined {
  const last = list.items.at(-1);
  return isMap(last) || isScalar(last) ? last.range?.[1] : undefined;
}

/** Adds a list to a file of settings. */
function withList(text: string, question: WrittenQuestion): string | undefined {
  if (/^questions\s*:/m.test(text)) return undefined;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return `${withLineEnd(text)}questions:\n${itemText(question, '  ')}\n`.replaceAll(/\r?\n/g, eol);
}

function rewritten(text: string, question: WrittenQuestion): string {
  const document = parsed(text);
  const item = document.createNode(question);
  const list = listOf(document);
  if (list) list.add(item);
  else document.set('questions', document.createNode([question]));
  return document.toString({ lineWidth: 0 });
}

/** Returns the item with its dash, each line indented. */
function itemText(question: WrittenQuestion, indent: string): string {
  const lines = stringify([question], { lineWidth: 0 }).trimEnd().split('\n');
  return lines.map((line) => (line === '' ? line : indent + line)).join('\n');
}

/**
 * Returns whether the new text has the values of the old text plus the question, and nothing else.
 */
function isMeant(before: Document.Parsed, text: string, question: WrittenQuestion): boolean {
  const after = parseDocument(text);
  if (after.errors.length > 0) return false;
  const old: unknown = before.toJS();
  const now: unknown = after.toJS();
  if (Array.isArray(old)) return isDeepStrictEqual(now, [...(old as unknown[]), question]);
  const questions = (old as { questions?: unknown }).questions;
  const list: unknown[] = Array.isArray(questions) ? questions : [];
  return isDeepStrictEqual(now, { ...(old as object), questions: [...list, question] });
}

const withLineEnd = (text: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}\n`;
