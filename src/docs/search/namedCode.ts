/** Finds the names of code in a question, and tells which sections define one of them. */
import type { FoundSection } from '../pages/page';
import type { Section, SectionBlock } from '../pages/sections';
import { stopWordsOf, termsOf } from './terms';

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

/** A flag, or a word with its parts. */
const joinedWord = /(?<![\w$@./-])(?:--)?[A-Za-z_$][\w$]*(?:[.-][\w$]+)*/g;
/** Capitals and digits, such as the code of an error or a status: `404`, `42P01`, `EACCES`. */
const capitals = String.raw`(?=[A-Z]*\d)[A-Z\d]{3,}|[A-Z]{4,}`;
/** A code in a question, where people also write `ts2322`. */
const code = new RegExp(
  String.raw`(?<![\w.,$-])(?:${capitals}|(?=(?:[a-z]*\d){3})[a-z\d]{4,})(?=s?(?![\w-]|[.,]\d))`,
  'g',
);
/** A flag of one letter. */
const shortFlag = /(?<![\w.,$@/-])-[A-Za-z](?![\w-])/g;
/** Tells names from plain words: flags, words with a dot, a hyphen or an underscore within, and codes. */
const nameSign = new RegExp(String.raw`^-|\w[._-]\w|^(?:${capitals})$`);

/** Marks around a name of code in a heading or a title, and what is behind it: `<Link>`, `after()`, `--save-dev, -D`. */
const aroundName = /[`<>]|[(,].*$/g;
/** The words before the name of an entry of an API: `class django.db.models.F`. */
const kindOfEntry =
  /^(?:(?:async|attribute|class|classmethod|const|enum|exception|fn|function|interface|macro|method|property|static|staticmethod|struct|trait|type) )+/;

/** The start of a list's item or of a table's row, with its marks: those of a link, of bold text or of code. */
const itemStart =
  /^[ \t]*(?:[-*+]|\d+[.)]|\|)[ \t]+(\[?[*_`]{0,5})(?:(-\w),?[ \t]+)?([\w$.-]*[\w$])/gm;

/** The names of code in a question, as it writes them: functions, options, flags, constants. */
export class NamedCode {
  /** All names, also what is before and behind the dot of one. */
  readonly #names: ReadonlySet<string>;
  /** Names that need no other word to tell what they are of. */
  readonly #whole: ReadonlySet<string>;
  /** Names behind a dot, each with the one before it: `hostname` of `request`. */
  readonly #members: readonly { readonly name: string; readonly member: string }[];
  /** Words of the names that texts are searched without: `all` of `--all`. */
  readonly stopWords: ReadonlySet<string>;
  /** Words of the names, as the index has them. */
  readonly terms: ReadonlySet<string>;

  constructor(question: string) {
    const text = question.slice(0, MAX_TEXT);
    const joined = Array.from(text.matchAll(joinedWord), ([word]) => word);
    const whole = new Set(joined.filter((word) => nameSign.test(word)));
    const names = new Set<string>();
    for (const [word] of text.matchAll(code)) whole.add(word.toUpperCase());
    for (const [flag] of text.matchAll(shortFlag)) whole.add(flag);
    this.#members = codeNamesIn(text).flatMap(({ name, member }) => {
      names.add(name);
      if (member === undefined) whole.add(name);
      else names.add(member);
      whole.add(member === undefined ? name : `${name}.${member}`);
      return member === undefined ? [] : [{ name, member }];
    });
    this.#whole = whole;
    this.#names = new Set([...names, ...whole]);
    this.stopWords = new Set([...whole].flatMap(stopWordsOfName));
    const terms = [...this.#names].flatMap(termsOf).map((term) => term.text);
    this.terms = new Set([...terms, ...this.stopWords]);
  }

  /** Returns whether a section of an API is that of one of the names. */
  isOfApi(section: Section): boolean {
    return isApiOf(this.#names, section);
  }

  /** Returns whether a section of an API is surely that of one of the names: `hostname` isn't that of `request.hostname`. */
  isSurelyOfApi(section: Section): boolean {
    return isApiOf(this.#whole, section);
  }

  /** Returns whether a title is one of the names. */
  isTitle(title: string): boolean {
    return this.#names.size > 0 && this.#names.has(bareName(title));
  }

  /** Returns whether a section explains one of the names: under its heading, or as an item of a list or a table. */
  isDefinedIn(found: FoundSection): boolean {
    // An index in parts loads the blocks of a section.
    if (this.#names.size === 0) return false;
    return (
      this.isHeadingOf(found) || found.section.blocks.some((block) => this.isItemOf(block, found))
    );
  }

  /** Returns whether the heading of a section is one of the names. */
  isHeadingOf(found: FoundSection): boolean {
    if (this.#names.size === 0) return false;
    const { heading } = found.section;
    const flags = Array.from(heading.matchAll(shortFlag), ([flag]) => flag);
    return [bareName(heading), ...flags].some((name) => this.#isMeant(name, found));
  }

  /** Returns whether an item of a list or a row of a table begins with one of the names, which are no plain words there. */
  isItemOf({ kind, markdown }: SectionBlock, found: FoundSection): boolean {
    if (this.#names.size === 0 || (kind !== 'list' && kind !== 'table')) return false;
    return [...markdown.matchAll(itemStart)].some(
      ([, marks, flag = '', name = '']) =>
        this.#isMeant(flag, found) ||
        ((marks !== '' || nameSign.test(name)) && this.#isMeant(name, found)),
    );
  }

  /** Returns whether a name is that of the question: a member, such as `size`, only where its owner is named. */
  #isMeant(name: string, { page, section }: FoundSection): boolean {
    if (endsOf(name).some((end) => this.#whole.has(end))) return true;
    const owners = this.#members.filter(({ member }) => member === name);
    if (owners.length === 0) return false;
    const above = [page.title, ...section.ancestors, section.heading].join(' ').toLowerCase();
    const words = above.split(/[^\p{L}\p{N}_$]+/u);
    return owners.some((owner) => words.includes(owner.name.toLowerCase()));
  }
}

function isApiOf(names: ReadonlySet<string>, section: Section): boolean {
  // An index in parts loads the texts of a section with its heading, and has no place for any.
  if (names.size === 0 || section.place === undefined) return false;
  const { heading } = section;
  return names.has(heading) || names.has(heading.slice(heading.lastIndexOf('.') + 1));
}

function bareName(heading: string): string {
  // A heading such as `after()` in tests is a sentence about a name.
  if (/\w\([^()]*\)`?\s+\p{L}/u.test(heading)) return heading;
  return heading.replace(aroundName, '').replace(kindOfEntry, '').replace(/^\./, '').trim();
}

/** Number of dots of a name behind which another name can begin: `models.query.QuerySet.order_by` has three. */
const MAX_DOTS = 6;

/** Returns a name, and what is behind each of its last dots: `models.F` and `F`. Several words are no name. */
function endsOf(name: string): string[] {
  if (/\s/.test(name)) return [];
  const ends = [name];
  for (let dot = name.length; ends.length <= MAX_DOTS;) {
    dot = name.lastIndexOf('.', dot - 1);
    if (dot <= 0) break;
    ends.push(name.slice(dot + 1));
  }
  return ends;
}

/** A name of one word, with the names before its dots. */
const nameEnd = /^-{0,2}(?:[\w$]+\.)*([a-z]+)$/;

/**
 * Returns the word of a name of code that texts are searched without, if its last part is one: `all` of `--all`, `all()`
 * and `app.all`.
 */
export function stopWordsOfName(name: string): string[] {
  const [, word] = nameEnd.exec(bareName(name)) ?? [];
  return word === undefined ? [] : stopWordsOf(word);
}
