/**
 * Finds the messages of errors in a question and in the output of programs that comes with it, and tells which sections
 * have one of them.
 */
import type { FoundSection } from '../pages/page';
import { languageOfText } from './languages';

/** The parts of a question. */
export interface PartedQuestion {
  /** The person's own words. */
  readonly own: string;
  /** Messages of errors in the text and in attached texts. */
  readonly messages: ErrorMessages;
  /** Output of programs in the text, with its messages. Often empty. */
  readonly output: string;
}

/** Returns what a person asks with a text: their own words, and the messages of errors that they don't have yet. */
export function askedWith({ own, messages }: PartedQuestion): string {
  return [own, ...messages.texts.filter((message) => !own.includes(message))].join('\n');
}

/** Maximum number of messages. Most errors in one output follow from the first. */
const MAX_MESSAGES = 3;
/** Longest message, in characters. What is behind is often a value. */
const MAX_MESSAGE_LENGTH = 300;
/** Minimum number of lines of a question that has output. In a shorter one, the message is a part of the sentence. */
const MIN_LINES = 3;
/** Minimum number of frequent words of a language that a person's line without a question mark has. */
const MIN_OWN_WORDS = 2;

/** Forms of lines with a message, each with what comes before it. */
const messageLines = [
  // `TypeError: …`, `a.ts:3:5 - error TS2322: …`, `Error [ERR_CODE]: …`
  /^(.{0,160}?)((?:\b[A-Z]\w{0,80}(?:Error|Exception|Warning)|(?<![\w-])(?:[Ee]rror|ERROR|[Ww]arning|WARNING|[Ff]atal|FATAL|[Pp]anic|Fehler))(?![\w-])[^:]{0,60}:\s+\S.*)/,
  // `django.http.Http404: …`
  /^(\s*(?:[a-z_]\w{0,40}\.){1,8})([A-Z]\w{1,80}:\s+\S.*)/,
  // `[ERROR] …`
  /^(.{0,160}?)(\[(?:error|fatal|warn|warning)\]\s+\S.*)/i,
  // `npm error …`, `3:5  error  …`
  /^(\s*(?:npm|\d+:\d+)\s+)((?:ERR!|error)\s+\S.*)/,
  // `ERR_PNPM_NO_LOCKFILE  …`
  /^(\s*)([A-Z]{1,40}(?:_[A-Z\d]{1,40})+\s+\S.*)/,
];

/** Returns the message of a line, without the place or the time before it. */
function messageOf(line: string): string | undefined {
  for (const form of messageLines) {
    const [, before = '', message] = form.exec(line) ?? [];
    if (message === undefined) continue;
    // Words before it can be a part of it, as in `Module not found: Error: …`. A place has digits or slashes.
    const whole = /[\d/\\]/.test(before) ? message : before + message;
    return whole.trim().slice(0, MAX_MESSAGE_LENGTH);
  }
  return undefined;
}

const messagesIn = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => messageOf(line) ?? []);

/**
 * Parts a question: the person's own words, and the output of programs among them, such as the frames of a stack.
 * @param attached texts that come with the question.
 */
export function partQuestion(text: string, attached: readonly string[]): PartedQuestion {
  const lines = text.split('\n');
  const inText = messagesIn(lines);
  const inAttached = attached.flatMap((one) => messagesIn(one.split('\n')));
  const messages = new ErrorMessages([...inText, ...inAttached]);
  if (inText.length === 0 || lines.length < MIN_LINES) return { own: text, messages, output: '' };
  const own = lines.filter(isOwn).join('\n');
  const output = lines.filter((line) => !isOwn(line)).join('\n');
  return { own, messages, output };
}

/** Returns whether a line of a question with output is the person's own. One that ends with a colon says what follows. */
function isOwn(line: string): boolean {
  if (/^(?:\s|$)|:\s*$/.test(line) || messageOf(line) !== undefined) return false;
  return /\?\s*$/.test(line) || languageOfText(line, MIN_OWN_WORDS) !== undefined;
}

/** Number of words in a row that a section must have as a message has them. */
const RUN = 3;
/** Share of the message's runs that a section must have. The others have names and numbers of the person's program. */
const MIN_RUNS = 1 / 3;

/** The messages of errors in a question. */
export class ErrorMessages {
  readonly texts: readonly string[];
  readonly #runs: readonly (readonly string[])[];

  constructor(messages: readonly string[]) {
    this.texts = [...new Set(messages)].slice(0, MAX_MESSAGES);
    this.#runs = this.texts.map(runsOf).filter((runs) => runs.length > 0);
  }

  /** Returns whether a section has one of the messages, if maybe with other values. */
  isIn({ section }: FoundSection): boolean {
    if (this.#runs.length === 0) return false;
    const text = spaced(section.blocks.map(({ markdown }) => markdown).join('\n'));
    return this.#runs.some(
      (runs) => runs.filter((run) => text.includes(run)).length >= MIN_RUNS * runs.length,
    );
  }
}

/** Returns the words of a text in lower case, each between spaces. */
function spaced(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(' ')} `;
}

/** Returns the runs of words of a message. */
function runsOf(message: string): string[] {
  const words = spaced(message).trim().split(' ');
  return words.slice(RUN - 1).map((_, at) => ` ${words.slice(at, at + RUN).join(' ')} `);
}
