import type { DocsIndex } from './docsIndex';
import { isCodeStopTerm, isWeakTerm, termsOf, type Term } from './terms';

/** Code or prose that was selected for a question. */
export interface QuestionContextItem {
  readonly type: 'code' | 'textSelection';
  readonly value: string;
  readonly path?: string | undefined;
}

/** What the context items of a question are about, as far as the docs know it. */
export interface ContextTerms {
  /** Term to weight, most telling first: about 2 for a rare identifier, 0.3 for a common word. */
  readonly terms: ReadonlyMap<string, number>;
  /** Terms of what the code calls: `shipment` and `creat` of `client.shipments.create(…)`. */
  readonly called: ReadonlySet<string>;
  /** The terms as the items write them, in the same order. */
  readonly words: readonly string[];
}

const MAX_TERMS = 14;
/** An identifier all of whose words the question has is what the question is about. */
const ASKED_FACTOR = 2.5;
const COMPOUND_FACTOR = 1.7;
/** Rarer single words of code (`load`, `split`) are in the docs by accident. */
const MAX_WORD_RARITY = 0.45;
/** The words of an identifier that the docs have as a whole say little more than the whole does. */
const KNOWN_PIECE_FACTOR = 0.5;

/** How much a name's place in the code says about what the code is for. */
const roleFactors = {
  /** `shipments` and `create` in `client.shipments.create(…)`. */
  called: 1.6,
  /** `format` in `{ format: 'pdf' }` and `buy(format='pdf')`. */
  option: 1.6,
  plain: 1,
  /** Named by the code itself: a variable, a parameter, a function of one's own. */
  declared: 0.4,
} as const;
type Role = keyof typeof roleFactors;

/** One time that a term occurs. */
interface Occurrence {
  readonly term: Term;
  readonly factor: number;
  readonly isCalled: boolean;
  readonly isProse: boolean;
  /** The words of an identifier; none for a single word. */
  readonly pieces: readonly string[];
}

interface Entry extends Occurrence {
  readonly count: number;
}

/**
 * The terms of code and selections by how much they tell: rare in the docs, called or passed to
 * something rather than declared, whole identifiers. Terms that the docs do not have are left out.
 * `own` are the question's own terms.
 */
export function contextTermsOf(
  items: readonly QuestionContextItem[],
  index: DocsIndex,
  own: ReadonlySet<string>,
): ContextTerms {
  const entries = new Map<string, Entry>();
  for (const { type, value } of items) {
    for (const occurrence of type === 'code' ? inCode(value, index) : inProse(value)) {
      const { text } = occurrence.term;
      const { count = 0, factor = 0, isCalled = false } = entries.get(text) ?? {};
      entries.set(text, {
        ...occurrence,
        count: count + 1,
        factor: Math.max(factor, occurrence.factor),
        isCalled: isCalled || occurrence.isCalled,
      });
    }
  }
  const ranked = [...entries.values()]
    .filter(({ term: { text } }) => text.length >= 3 && index.has(text))
    .map((entry) => ({ ...entry, worth: worthOf(entry, index, own) }))
    .sort((one, other) => other.worth - one.worth)
    .slice(0, MAX_TERMS);
  return {
    terms: new Map(ranked.map(({ term, worth }) => [term.text, worth])),
    called: new Set(ranked.flatMap(({ term, isCalled }) => (isCalled ? [term.text] : []))),
    words: ranked.map(({ term }) => term.word),
  };
}

function worthOf(
  { term, count, factor, pieces, isProse }: Entry,
  index: DocsIndex,
  own: ReadonlySet<string>,
): number {
  // The search weighs by rarity once more: one rare identifier outweighs a handful of common ones.
  const rarity = index.rarity(term.text) / index.greatestRarity;
  const telling = term.isCompound || isProse ? rarity : Math.min(rarity, MAX_WORD_RARITY);
  const worth = telling * factor * (1 + Math.log(count) / 4);
  const isAsked = pieces.length > 1 && pieces.every((piece) => own.has(piece));
  return worth * (term.isCompound ? COMPOUND_FACTOR : 1) * (isAsked ? ASKED_FACTOR : 1);
}

function inProse(text: string): Occurrence[] {
  return termsOf(text)
    .filter((term) => !isWeakTerm(term.text))
    .map((term) => ({ term, factor: 1, isCalled: false, isProse: true, pieces: [] }));
}

function inCode(code: string, index: DocsIndex): Occurrence[] {
  const names = namesIn(code);
  const declared = new Set(names.flatMap(({ name, role }) => (role === 'declared' ? [name] : [])));
  // Code says the same names over and over.
  const occurrences = new Map<string, readonly Occurrence[]>();
  return names.flatMap(({ name, role: found }) => {
    const role = found === 'plain' && declared.has(name) ? 'declared' : found;
    const known = occurrences.get(`${role} ${name}`) ?? occurrencesOf(name, role, index);
    occurrences.set(`${role} ${name}`, known);
    return known;
  });
}

function occurrencesOf(name: string, role: Role, index: DocsIndex): Occurrence[] {
  const terms = termsOf(name);
  const words = terms.flatMap(({ text, isCompound }) => (isCompound ? [] : [text]));
  const isKnownWhole = terms.some(({ text, isCompound }) => isCompound && index.has(text));
  return terms
    .filter(({ text }) => !isCodeStopTerm(text))
    .map((term) => ({
      term,
      factor: roleFactors[role] * (isKnownWhole && !term.isCompound ? KNOWN_PIECE_FACTOR : 1),
      isCalled: role === 'called',
      isProse: false,
      pieces: term.isCompound ? words : [],
    }));
}

interface Name {
  readonly name: string;
  readonly role: Role;
}

const namePattern = /[\p{L}\p{N}_$]+/gu;
const declaringWord =
  /^(?:class|const|def|enum|fn|for|fun|func|function|interface|let|type|val|var)$/;
const destructuringWord = /^(?:const|let|val|var)$/;
const memberMark = /(?:\.|->|::)\s*$/;
const onlyMemberMark = /^\s*(?:\??\.|->|::)\s*$/;
const openingBrackets = /^\s*[[({]\s*$/;
const listSeparator = /^[\s*&]*[,([{][\s,*&[\](){}]*$/;

/** Every name in code, of whatever language, with what its neighbours tell of its role. */
function namesIn(code: string): Name[] {
  const matches = [...code.matchAll(namePattern)];
  const gapBefore = (position: number): string => {
    const previous = matches[position - 1];
    const start = previous === undefined ? 0 : previous.index + previous[0].length;
    return code.slice(start, matches[position]?.index);
  };
  const names: Name[] = [];
  let isDeclaration = false;
  for (const [position, [name]] of matches.entries()) {
    const before = gapBefore(position);
    const after = gapBefore(position + 1);
    const previous = matches[position - 1]?.[0] ?? '';
    isDeclaration =
      (declaringWord.test(previous) && /^\s+$/.test(before)) ||
      (destructuringWord.test(previous) && openingBrackets.test(before)) ||
      (isDeclaration && listSeparator.test(before)) ||
      isAssigned(before, after);
    names.push({
      name,
      role: isDeclaration ? 'declared' : isOption(before, after) ? 'option' : 'plain',
    });
  }
  // What leads to a called member is known only once the call is.
  let isCalled = false;
  for (let position = names.length - 1; position >= 0; position--) {
    const after = gapBefore(position + 1);
    const isMember = memberMark.test(gapBefore(position));
    isCalled = isMember && (/^\s*\(/.test(after) || (isCalled && onlyMemberMark.test(after)));
    const name = names[position];
    if (isCalled && name) names[position] = { ...name, role: 'called' };
  }
  return names;
}

/** `name = …` at the beginning of a line, or `name := …`. */
function isAssigned(before: string, after: string): boolean {
  return /^\s*:=/.test(after) || (/(?:^|\n)[ \t]*$/.test(before) && /^[ \t]*=(?![=>])/.test(after));
}

/** `{ name: …` and `(name=…`, with or without quotation marks. */
function isOption(before: string, after: string): boolean {
  return (
    (/[{,]\s*["'`]?$/.test(before) && /^["'`]?\s*:(?![:=])/.test(after)) ||
    (/[(,]\s*$/.test(before) && /^\s*=(?![=>])/.test(after))
  );
}
