import { foldWord, isWeakTerm } from '../../search/terms';
import { nameKey, termWeight, type Token } from './tokens';

/**
 * Pairs of words with opposite meanings, as beginnings of folded words. If a statement has one word of a
 * pair where the docs only have the other, the statement contradicts the docs.
 */
const opposites: readonly (readonly [RegExp, RegExp])[] = [
  pair('enabl|aktivier', 'disabl|deaktivier'),
  pair('true$', 'false$'),
  pair('on$', 'off$'),
  pair('increas|rais|grow|erhoh|steig', 'decreas|reduc|lower|shrink|senk|verringer'),
  pair('before$|vor$|bevor$|vorher', 'after$|afterwards$|nach$|nachdem$|nachher'),
  pair('maxim|hochst|most$', 'minim|mindest|least$'),
  pair('allow|permit|erlaub|zulass', 'forbid|forbidden|prohibit|den(?:y|ie)|refus|verbiet|verbot'),
  pair('appl(?:y|ies|ied)', 'ignor'),
  pair('continu|keeps?$|weiterlauf', 'stop|cancel|abort|abbrech'),
  pair('perform', 'skip|omit'),
  pair('both$|beide$', 'either$|entweder$'),
  pair('exceed|rise|ubersteig|uberschreit', 'falls?$|drops?$|unterschreit'),
  pair('inside$|innerhalb', 'outside$|ausserhalb'),
  pair('accept|akzeptier', 'reject|refus|ignor|ablehn|abgelehnt'),
  pair('includ|enthalt', 'exclud|omit|ausgeschloss'),
  pair('required$|requires?$|mandatory|must$|erforderlich|pflicht', 'optional'),
  pair('ascend|aufsteigend', 'descend|absteigend'),
  pair('oldest|alteste', 'newest|latest|neueste'),
  pair('public|offentlich', 'privat'),
  pair('add(?:s|ed|ing)?$|hinzu', 'remov|entfern'),
  pair('start(?:s|ed|ing)?$|begin', 'stop|end(?:s|ed|ing)?$'),
  pair('always$|immer$', 'never$|nie$|niemals$'),
  pair('success|succeed|erfolg', 'fail|fehlschl'),
  pair('upload|hochlad', 'download|herunterlad'),
  pair('input|eingabe', 'output|ausgabe'),
  pair('incoming|inbound|eingehend', 'outgoing|outbound|ausgehend'),
  pair('with$|mit$', 'without$|ohne$'),
  pair('inclusive', 'exclusive'),
  pair('automatic|automatisch', 'manual|manuell'),
  pair('sender|absender', 'recipient|receiver|empfanger'),
  pair('above|over$|uber$', 'below|under$|unter$'),
  pair('highe(?:r|st)$|hoher|hochste', 'lowe(?:r|st)$|niedrig'),
  pair('more$|mehr$', 'less$|fewer$|weniger$'),
  pair('faster|schneller', 'slower|langsamer'),
  pair('online', 'offline'),
  pair('live|production|produkti', 'test|sandbox|staging|development|entwickl'),
  pair('creat|erstell|anleg', 'delet|losch'),
  pair('permanent|dauerhaft', 'temporar|vorubergehend'),
  pair('encrypt|verschlussel', 'decrypt|plain|entschlussel'),
  pair('first$|erste[nrsm]?$', 'last$|letzte[nrsm]?$'),
  pair('same$|gleiche[nrsm]?$', 'different|other$|ander'),
  pair('request$|requests$|anfrage', 'response|antwort'),
  pair('client|clients$', 'server|servers$'),
  pair('read(?:s|ing)?$|lese', 'writ|schreib'),
  pair('open(?:s|ed|ing)?$|offne', 'clos|schliess'),
  pair('fixed$|fest$', 'variable$|variabel'),
  pair('random|zufallig', 'fixed$|constant$|fest$'),
  pair('valid$|gultig', 'expired$|abgelaufen'),
  pair('free$|kostenlos', 'charged$|paid$|kostenpflichtig'),
];

function pair(one: string, other: string): readonly [RegExp, RegExp] {
  return [new RegExp(`^(?:${one})`), new RegExp(`^(?:${other})`)];
}

const negations =
  /^(?:not|no|never|cannot|can['’]t|\w+n['’]t|neither|nor|nothing|nobody|without|prevent\w*|avoid\w*|nicht|kein\w*|nie|niemals|ohne|weder|nichts|niemand)$/i;
/**
 * Words near which a missing or additional negation proves nothing: "unless" turns a sentence around, and
 * "avoid" says the same as "do not".
 */
const softWords =
  /^(?:just|necessarily|unless|until|except|instead|rather|excluding|excluded?s?|omit\w*|skip\w*|avoid\w*|prevent\w*|even|else|erst|außer|sondern|statt|anstatt|solange)$/i;
/** Matches words at which the reach of a negation ends. */
const boundary =
  /^(?:and|but|because|which|while|although|so|if|when|und|aber|sondern|weil|wenn|während|obwohl)$/i;

/** The word by which a statement contradicts a passage. */
export interface Contradiction {
  readonly written: string;
  readonly at: number;
}

/** Numbers of the sides that a word is on: twice the index of the pair, plus one for its second side. */
const sidesByWord = new Map<string, readonly number[]>();
/** Maximum number of words in the cache, which helps because replies and docs repeat their words. */
const MAX_WORDS = 20_000;

function sidesOf(written: string): readonly number[] {
  const known = sidesByWord.get(written);
  if (known) return known;
  const plain = foldWord(written);
  const sides = opposites.flatMap(([one, other], place) => {
    const [isOne, isOther] = [one.test(plain), other.test(plain)];
    if (isOne === isOther) return [];
    return [2 * place + (isOne ? 0 : 1)];
  });
  if (sidesByWord.size >= MAX_WORDS) sidesByWord.clear();
  sidesByWord.set(written, sides);
  return sides;
}

function isSameSide(one: string, other: string): boolean {
  const sides = sidesOf(other);
  return sidesOf(one).some((side) => sides.includes(side));
}

/** Returns whether two words have opposite meanings. */
export function isOpposite(one: string, other: string): boolean {
  const sides = sidesOf(other);
  return sidesOf(one).some((side) => sides.includes(side ^ 1)) || isNegatedForm(one, other);
}

/** Returns whether one word is the other with a negating prefix, as in "compatible" and "incompatible". */
function isNegatedForm(one: string, other: string): boolean {
  const [short, long] =
    one.length < other.length ? [foldWord(one), foldWord(other)] : [foldWord(other), foldWord(one)];
  if (short.length < 5 || !long.endsWith(short)) return false;
  return /^(?:un|in|im|a|non-?)$/.test(long.slice(0, -short.length));
}

/**
 * Returns the word of a statement whose opposite a passage has in the same place, or undefined.
 * @param isCopy whether the two have nearly all other words in common, so that any place is the same.
 */
export function oppositeWord(
  said: readonly Token[],
  known: readonly Token[],
  isCopy: boolean,
): Contradiction | undefined {
  for (const [at, { kind, written }] of said.entries()) {
    if (kind !== 'word' || isSoft(said, at)) continue;
    const isOnlyAfter = prepositions.test(written);
    // A copy can have the preposition elsewhere: "without a license" and "packed with the package".
    const isBeside = (one: number, place: number): boolean =>
      (isCopy && !isOnlyAfter) || isBesideSame(said, one, known, place, isOnlyAfter);
    const opposed = known.findIndex(
      (other, place) =>
        isOpposite(written, other.written) &&
        isBeside(at, place) &&
        isNegated(said, at) === isNegated(known, place),
    );
    const theirs = known[opposed];
    if (!theirs) continue;
    // A text that has both sides contradicts neither: "before the scan and after the purchase".
    const saysBoth = said.some((other) => isSameSide(other.written, theirs.written));
    const knowsBoth = known.some(
      (other, place) => isSameSide(other.written, written) && isBeside(at, place),
    );
    if (!saysBoth && !knowsBoth) return { written, at };
  }
  return undefined;
}

/** Matches words that only belong to the words after them. */
const prepositions =
  /^(?:with|without|before|after|above|below|over|under|mit|ohne|vor|nach|über|unter)$/i;

/**
 * Returns whether the next content words after two tokens, or those before them, are the same.
 * @param isOnlyAfter whether only the words after the tokens count.
 */
function isBesideSame(
  one: readonly Token[],
  at: number,
  other: readonly Token[],
  place: number,
  isOnlyAfter = false,
): boolean {
  const steps = isOnlyAfter ? ([1] as const) : ([1, -1] as const);
  return steps.some((step) => {
    const theirs = contentBeside(other, place, step);
    return contentBeside(one, at, step).some((term) => theirs.includes(term));
  });
}

function contentBeside(tokens: readonly Token[], at: number, step: 1 | -1): readonly string[] {
  for (let place = at + step; ; place += step) {
    const token = tokens[place];
    if (!token) return [];
    const terms = token.kind === 'word' ? token.terms : [foldWord(token.written)];
    if (terms.some((term) => termWeight(term) === 1)) return terms;
  }
}

/** Returns the word that a statement negates and a passage does not, or the other way round. */
export function flippedNegation(
  said: readonly Token[],
  known: readonly Token[],
  isCopy: boolean,
): Contradiction | undefined {
  // In other words, people negate another word to say the same: "don't use it" is "it is for others".
  const isDenial = denies(said);
  if (!isDenial && !denies(known)) return undefined;
  for (const [at, token] of said.entries()) {
    // A word such as "not-found" contains its negation.
    if (token.kind === 'word' && token.written.includes('-')) continue;
    if (token.kind === 'word' && token.terms.every(isWeakTerm)) continue;
    const same = known.flatMap((other, place) => (isSameWord(token, other) ? [place] : []));
    if (same.length === 0) continue;
    const isSaidNegated = isNegated(said, at);
    if (!same.every((place) => isNegated(known, place) !== isSaidNegated)) continue;
    // Other words of the same clause can carry the negation: "not all kinds of files" is "not every file".
    // A passage is one sentence, but a statement can join two.
    const isDeniedToo = isSaidNegated
      ? same.some((place) => isInDenial(known, place, CLAUSE))
      : isInDenial(said, at, NEGATION_REACH);
    if (isDeniedToo) continue;
    if (isSoft(said, at) || same.some((place) => isSoft(known, place))) continue;
    const isInPlace = isCopy || same.every((place) => isBesideSame(said, at, known, place));
    if (isDenial && !isInPlace) continue;
    return { written: token.written, at };
  }
  return undefined;
}

/** Returns whether a text denies anything. */
export function denies(tokens: readonly Token[]): boolean {
  return tokens.some(({ written }, place) => isNegation(tokens, place) || denials.test(written));
}

/** Matches words that deny something without a negation. */
const denials =
  /^(?:none|ignor\w+|fails?|failed|reject\w*|refus\w+|forb\w+|den(?:y|ies|ied)|lacks?|un\w{5,}|in(?:valid|compatible|correct)|ignorier\w*|abgelehnt)$/i;
function isSameWord(one: Token, other: Token): boolean {
  if (one.kind !== 'word') return nameKey(one.written) === nameKey(other.written);
  if (other.kind !== 'word') return false;
  return other.terms.some((term) => one.terms.includes(term));
}

/** Maximum number of words from a negation to the word that it negates. */
const NEGATION_REACH = 5;

/** Returns whether a negation before a word negates this word. */
function isNegated(tokens: readonly Token[], at: number): boolean {
  for (let place = at - 1; place >= Math.max(0, at - NEGATION_REACH); place--) {
    const token = tokens[place];
    if (!token || boundary.test(token.written)) return false;
    if (isNegation(tokens, place)) return true;
    // An adverb can stand between, as in "not silently lowered" and "no longer".
    const isAdverb = /ly$|^longer$/.test(token.written);
    const isWeak = token.kind === 'word' && token.terms.every(isWeakTerm);
    if (!isAdverb && !isWeak) return false;
  }
  return false;
}

/** Maximum number of words before a word that can belong to its clause. Tokens have no punctuation. */
const CLAUSE = 12;

/** Matches words that say the same as a negation: "turns the penalty off" is "no penalty". */
const switchesOff = /^(?:off|disable[sd]?|disabling|aus|deaktivier\w*)$/i;

/**
 * Returns whether the clause of a word has a negation: "files are not kept" is "no file is kept".
 * @param after maximum number of words after the word to look at.
 */
function isInDenial(tokens: readonly Token[], at: number, after: number): boolean {
  const isInClause = (step: 1 | -1, reach: number): boolean => {
    for (let place = at + step; Math.abs(place - at) <= reach; place += step) {
      const token = tokens[place];
      if (!token || boundary.test(token.written)) return false;
      if (isNegation(tokens, place) || switchesOff.test(token.written)) return true;
    }
    return false;
  };
  return isInClause(-1, CLAUSE) || isInClause(1, after);
}

function isNegation(tokens: readonly Token[], place: number): boolean {
  const token = tokens[place];
  if (!token || !negations.test(token.written) || isAnswer(token, place)) return false;
  if (/^(?:or|oder)$/i.test(tokens[place - 1]?.written ?? '')) return false;
  // "If you don't want it" says when, not what.
  if (/^(?:if|when|wenn|falls)$/i.test(tokens[place - 2]?.written ?? '')) return false;
  // "Not only" doesn't negate, and "no more than" limits.
  return !/^(?:only|nur|more|mehr|later|less)$/i.test(tokens[place + 1]?.written ?? '');
}

/** Returns whether a negation answers the question, as in "No, it is free." */
function isAnswer({ written }: Token, place: number): boolean {
  return place === 0 && /^(?:no|nein)$/i.test(written);
}

const SOFT_REACH = 6;

function isSoft(tokens: readonly Token[], at: number): boolean {
  return tokens
    .slice(Math.max(0, at - SOFT_REACH), at + SOFT_REACH)
    .some(({ written }) => softWords.test(written));
}
