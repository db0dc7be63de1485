import { foldWord, isWeakTerm } from '../../search/terms';
import type { Token } from './tokens';

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
  pair('accept|akzeptier', 'reject|refus|ignor|ablehn|abgelehnt'),
  pair('includ|enthalt', 'exclud|omit|ausgeschloss'),
  pair('required$|requires?$|mandatory|must$|erforderlich|pflicht', 'optional'),
  pair('ascend|aufsteigend', 'descend|absteigend'),
  pair('oldest|alteste', 'newest|latest|neueste'),
  pair('public|offentlich', 'privat'),
  pair('synchron', 'asynchron'),
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
  pair('higher|hoher', 'lower|niedriger'),
  pair('more$|mehr$', 'less$|fewer$|weniger$'),
  pair('faster|schneller', 'slower|langsamer'),
  pair('online', 'offline'),
  pair('live|production|produkti', 'test|sandbox|staging'),
  pair('creat|erstell|anleg', 'delet|losch'),
  pair('permanent|dauerhaft', 'temporar|vorubergehend'),
  pair('encrypt|verschlussel', 'decrypt|plain|unencrypt|unverschlussel|entschlussel'),
  pair('sensitive', 'insensitive'),
  pair('first$|erste[nrsm]?$', 'last$|letzte[nrsm]?$'),
  pair('same$|gleiche[nrsm]?$', 'different|other$|ander'),
  pair('request$|requests$|anfrage', 'response|antwort'),
  pair('client|clients$', 'server|servers$'),
  pair('read(?:s|ing)?$|lese', 'writ|schreib'),
  pair('open(?:s|ed|ing)?$|offne', 'clos|schliess'),
  pair('fixed$|fest$', 'variable$|variabel'),
  pair('random|zufallig', 'fixed$|constant$|fest$'),
  pair('valid$|gultig', 'invalid|ungultig|expired$|abgelaufen'),
  pair('free$|kostenlos', 'charged$|paid$|kostenpflichtig'),
];

function pair(one: string, other: string): readonly [RegExp, RegExp] {
  return [new RegExp(`^(?:${one})`), new RegExp(`^(?:${other})`)];
}

const negations =
  /^(?:not|no|never|cannot|can['’]t|\w+n['’]t|neither|nor|nothing|nobody|without|nicht|kein\w*|nie|niemals|ohne|weder|nichts|niemand)$/i;
/**
 * Words near which a missing or additional negation proves nothing: "not only" does not negate, and "avoid"
 * says the same as "do not".
 */
const softWords =
  /^(?:only|just|necessarily|unless|until|except|instead|rather|excluding|excluded?s?|omit\w*|skip\w*|avoid\w*|prevent\w*|longer|even|else|nur|erst|außer|sondern|statt|anstatt|solange|mehr)$/i;
/** Matches words at which the reach of a negation ends. */
const boundary =
  /^(?:and|but|because|which|while|although|so|if|when|und|aber|sondern|weil|wenn|während|obwohl)$/i;

/** The word by which a statement contradicts a passage. */
export interface Contradiction {
  readonly written: string;
  readonly at: number;
  /** Whether both have the same word and only one of them negates it. */
  readonly isNegation: boolean;
}

/** Returns the word by which a statement contradicts a passage, or undefined. */
export function contradiction(
  said: readonly Token[],
  known: readonly Token[],
): Contradiction | undefined {
  return oppositeWord(said, known) ?? flippedNegation(said, known);
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

function oppositeWord(said: readonly Token[], known: readonly Token[]): Contradiction | undefined {
  for (const [at, token] of said.entries()) {
    for (const side of sidesOf(token.written)) {
      const isPreposition = prepositions.test(token.written);
      const isBeside = (one: number, place: number): boolean =>
        isBesideSame(said, one, known, place, isPreposition);
      const isMine = (other: Token): boolean => sidesOf(other.written).includes(side);
      const isTheirs = (other: Token): boolean => sidesOf(other.written).includes(side ^ 1);
      const opposed = known.findIndex(
        (other, place) =>
          isTheirs(other) && isBeside(at, place) && isNegated(said, at) === isNegated(known, place),
      );
      if (opposed < 0) continue;
      // A text that has both sides contradicts neither: "before the scan and after the purchase".
      const saysBoth = said.some((other, place) => isTheirs(other) && isBeside(place, opposed));
      const knowsBoth = known.some((other, place) => isMine(other) && isBeside(at, place));
      if (!saysBoth && !knowsBoth) return { written: token.written, at, isNegation: false };
    }
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
  isOnlyAfter: boolean,
): boolean {
  const steps = isOnlyAfter ? ([1] as const) : ([1, -1] as const);
  return steps.some((step) => {
    const theirs = contentBeside(other, place, step);
    return contentBeside(one, at, step).some((term) => theirs.includes(term));
  });
}

const WORDS_BESIDE = 1;

function contentBeside(tokens: readonly Token[], at: number, step: 1 | -1): string[] {
  const found: string[] = [];
  let count = 0;
  for (let place = at + step; count < WORDS_BESIDE; place += step) {
    const token = tokens[place];
    if (!token) break;
    const terms = token.kind === 'word' ? token.terms : [foldWord(token.written)];
    if (terms.length === 0) continue;
    found.push(...terms);
    count++;
  }
  return found;
}

function flippedNegation(
  said: readonly Token[],
  known: readonly Token[],
): Contradiction | undefined {
  for (const [at, token] of said.entries()) {
    // A word such as "not-found" contains its negation.
    if (token.kind !== 'word' || token.written.includes('-')) continue;
    if (token.terms.every(isWeakTerm)) continue;
    const same = known.flatMap((other, place) =>
      other.kind === 'word' && other.terms.some((term) => token.terms.includes(term))
        ? [place]
        : [],
    );
    if (same.length === 0) continue;
    const isSaidNegated = isNegated(said, at);
    if (!same.every((place) => isNegated(known, place) !== isSaidNegated)) continue;
    if (isSoft(said, at) || same.some((place) => isSoft(known, place))) continue;
    return { written: token.written, at, isNegation: true };
  }
  return undefined;
}

/** Maximum number of words from a negation to the word that it negates. */
const NEGATION_REACH = 4;

/** Returns whether a negation before a word negates this word. */
function isNegated(tokens: readonly Token[], at: number): boolean {
  for (let place = at - 1; place >= Math.max(0, at - NEGATION_REACH); place--) {
    const token = tokens[place];
    if (!token || boundary.test(token.written)) return false;
    if (negations.test(token.written)) return !isAnswer(token, place);
    // An adverb can stand between, as in "not silently lowered".
    const isAdverb = /ly$/.test(token.written);
    if (!isAdverb && (token.kind !== 'word' || token.terms.length > 0)) return false;
  }
  return false;
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
