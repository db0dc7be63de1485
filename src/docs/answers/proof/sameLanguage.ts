/**
 * Tells whether a reply and the docs are in the same language, by their function words. A model answers in
 * the reader's language, which can differ from the docs' language.
 */

const functionWords = {
  en: `the of and to in is that for it you on with as are be this by or from can an not at if have
  your will which when has use each only`,
  de: `der die das und zu den mit von ist nicht ein eine im für auf dem des wird sich als auch nach bei
  einer oder an aus werden sie sind wenn kann nur`,
  fr: `le la les de des et un une est pour dans que qui pas sur par avec vous ce il du au être sont en
  plus ou`,
  es: `el la los las de y en que un una es para por con no se del al como su más si son o lo`,
  it: `il la di e che un una è per in non con si del della le da sono come i nel più o`,
  pt: `o a os as de e que um uma para em não com por se do da no na é como mais ou ao são`,
  nl: `de het een van en in is dat op te voor met niet zijn die aan er om als bij of ook naar kan`,
};

const languages = Object.entries(functionWords).map(
  ([language, words]) => [language, new Set(words.split(/\s+/))] as const,
);

/** Minimum number of words that a text needs to tell its language. */
const MIN_WORDS = 6;
/** Minimum share of a language's function words in a text of this language. */
const MIN_SHARE = 0.18;

/** Returns the language of a text, or undefined if the text has too few function words of any language. */
function languageOf(words: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = words.length * MIN_SHARE;
  for (const [language, known] of languages) {
    const count = words.filter((word) => known.has(word)).length;
    if (count > most) {
      best = language;
      most = count;
    }
  }
  return best;
}

/** Maximum characters of a text to read to tell its language. */
const MAX_LENGTH = 20_000;

/** Returns whether two texts are in the same language. Assumes that they are if one is too short to tell. */
export function isSameLanguage(one: string, other: string): boolean {
  if (unspaced.test(one) || unspaced.test(other)) return false;
  const left = wordsOf(one.slice(0, MAX_LENGTH));
  const right = wordsOf(other.slice(0, MAX_LENGTH));
  if (left.length < MIN_WORDS || right.length < MIN_WORDS) return true;
  const [mine, theirs] = [languageOf(left), languageOf(right)];
  if (mine !== undefined && theirs !== undefined) return mine === theirs;
  const known = new Set(right);
  return left.filter((word) => known.has(word)).length >= left.length * MIN_COMMON;
}

/** Minimum share of a text's words that another text in the same language about the same topic has. */
const MIN_COMMON = 0.4;

/** Matches text in scripts without spaces between words. Such texts can't be compared word by word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{8}/u;

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? [];
}
