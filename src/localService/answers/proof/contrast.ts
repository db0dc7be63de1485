import { foldWord } from '../../search/terms';

/**
 * Pairs of words that say the opposite, as beginnings of folded words. A statement that has one where
 * the docs have only the other says the opposite of the docs.
 */
const opposites: readonly (readonly [RegExp, RegExp])[] = [
  pair('enabl|aktivier', 'disabl|deaktivier'),
  pair('true$', 'false$'),
  pair('on$', 'off$'),
  pair('increas|rais|grow|erhoh|steig', 'decreas|reduc|lower|shrink|senk|verringer'),
  pair('before$|vor$|bevor$|vorher', 'after$|afterwards$|nach$|nachdem$|nachher'),
  pair('maxim|hochst|most$', 'minim|mindest|least$'),
  pair('allow|permit|erlaub|zulass', 'forbid|forbidden|prohibit|den(?:y|ie)|refus|verbiet|verbot'),
  pair('accept|akzeptier', 'reject|refus|ablehn|abgelehnt'),
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
  /^(?:not|no|never|cannot|can't|don't|doesn't|isn't|aren't|won't|mustn't|shouldn't|didn't|wasn't|weren't|hasn't|haven't|neither|nor|none|nothing|without|nicht|kein\w*|nie|niemals|ohne|weder|nichts)$/i;
/** Words that can say the same as a negation in other words. */
const nearNegations =
  /^(?:unless|fail\w*|reject\w*|refus\w*|only|optional\w*|error\w*|missing|ignor\w*|except|instead|stop\w*|avoid\w*|prevent\w*|too|lack\w*|unknown|invalid|un\w+|in(?:valid|secure|active)|skip\w*|omit\w*|exclud\w*|forbid\w*|disabl\w*|off|free|before|until|rather|other|den(?:y|ie[ds])|lost|loses?|empty|null|nur|erst|sondern|statt|außer|verweigert|abgelehnt|fehl\w*|leer|remov\w*|delet\w*|less|few|hardly|rarely|than|also|either|but|even)$/i;

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? [];
}

/**
 * Returns the word by which a statement says the opposite of the docs, or undefined.
 * @param near text of the docs that says nearly the same.
 * @param around the same text with its neighbors.
 */
export function contradiction(statement: string, near: string, around: string): string | undefined {
  const said = wordsIn(statement);
  const known = wordsIn(near);
  return oppositeWord(said, known, wordsIn(around)) ?? flippedNegation(said, known);
}

function oppositeWord(
  said: readonly string[],
  known: readonly string[],
  around: readonly string[],
): string | undefined {
  const folded = known.map(foldWord);
  const foldedAround = around.map(foldWord);
  for (const word of said) {
    const plain = foldWord(word);
    for (const [one, other] of opposites) {
      for (const [mine, theirs] of [
        [one, other],
        [other, one],
      ] as const) {
        if (!mine.test(plain) || theirs.test(plain)) continue;
        const hasOpposite = folded.some((item) => theirs.test(item) && !mine.test(item));
        const saysBoth = said.some((item) => theirs.test(foldWord(item)));
        if (hasOpposite && !saysBoth && !foldedAround.some((item) => mine.test(item))) return word;
      }
    }
  }
  return undefined;
}

function flippedNegation(said: readonly string[], known: readonly string[]): string | undefined {
  const isSoft = (word: string): boolean => nearNegations.test(word);
  const mine = said.filter((word) => negations.test(word));
  const theirs = known.filter((word) => negations.test(word));
  if (mine.length > 0 === theirs.length > 0) return undefined;
  if (said.some(isSoft) || known.some(isSoft)) return undefined;
  return mine[0] ?? theirs[0];
}
