/** Finds the names of code in a question, and tells which sections define one of them. */
import type { Section } from '../pages/sections';
import { termsOf } from './terms';

/** Longest question text in which names are looked for. */
const MAX_TEXT = 20_000;

/** A name of code in a question. */
export interface CodeName {
  readonly name: string;
  /** Name behind its dot: `object` for `z.object`. */
  readonly member: string | undefined;
}

/** Names of code: with a dot behind them, in upper and lower case, called, or in backticks. */
const codeName =
  /(?<![\w$./@#-])(?:([A-Za-z_$][\w$]{0,80})\.([a-z_$][\w$]{1,80})|([_$]{0,2}(?:[a-z]{1,40}|[A-Z][a-z\d]{1,40})[A-Z][\w$]{0,80})(?![\w$/-])|([A-Za-z_$][\w$]{0,80})(?=\())|`([A-Za-z_$][\w$]{0,80})(?:\.([\w$]{1,80}))?(?:[.(<][^`]{0,200})?`/g;

/** Maximum number of code names that are looked up. */
const MAX_CODE_NAMES = 8;

/**
 * Returns the names in a question that look like those of functions, classes or values, each once. Globals of Node
 * are left out, because they are nobody's.
 */
export function codeNamesIn(question: string): readonly CodeName[] {
  const found = new Map<string, CodeName>();
  for (const match of question.slice(0, MAX_TEXT).matchAll(codeName)) {
    const [, before, after, mixed, called, code = '', ofCode] = match;
    const name = before ?? mixed ?? called ?? code;
    const member = after ?? ofCode;
    if (name in globalThis || found.size >= MAX_CODE_NAMES) continue;
    found.set(`${name}.${member ?? ''}`, { name, member });
  }
  return [...found.values()];
}

/** Words with no space in them. Those with a dot, a hyphen or an underscore within are names, and so are flags. */
const joinedWord = /(?<![\w$@./-])(?:--)?[A-Za-z_$][\w$]*(?:[.-][\w$]+)*/g;
const nameSign = /^--|\w[._-]\w/;

/** Marks around a name of code in a heading or a title, and what is behind it: `<Link>`, `after()`, `--save-dev, -D`. */
const aroundName = /[`<>]|[(,].*$/g;

/** Names in bold, as code or in italics at the start of a list's items and of a table's rows. */
const itemName = /^[ \t]*(?:[-*+]|\d+[.)]|\|)[ \t]+\[?[*_`]{1,5}(?:-\w,?[ \t]+)?([\w$.-]+)/gm;

/** The names of code in a question, as it writes them: functions, options, flags, constants. */
export class NamedCode {
  readonly #names: ReadonlySet<string>;
  /** Words that only these names have, as the index has them. */
  readonly terms: ReadonlySet<string>;

  constructor(question: string) {
    const text = question.slice(0, MAX_TEXT);
    const names = codeNamesIn(text).flatMap(({ name, member }) =>
      member === undefined ? [name] : [name, member, `${name}.${member}`],
    );
    const joined = Array.from(text.matchAll(joinedWord), ([word]) => word);
    this.#names = new Set([...names, ...joined.filter((word) => nameSign.test(word))]);
    this.terms = new Set([...this.#names].flatMap(termsOf).map((term) => term.text));
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Returns whether a title or a heading is one of the names. */
  isIn(heading: string): boolean {
    return this.#names.size > 0 && this.#names.has(heading.replace(aroundName, '').trim());
  }

  /** Returns whether a section explains one of the names: under its heading, or as an item of a list or a table. */
  isDefinedIn({ heading, blocks }: Section): boolean {
    if (this.#names.size === 0) return false;
    if (this.isIn(heading)) return true;
    return blocks.some(
      ({ kind, markdown }) =>
        (kind === 'list' || kind === 'table') &&
        [...markdown.matchAll(itemName)].some(([, name = '']) => this.#names.has(name)),
    );
  }
}
