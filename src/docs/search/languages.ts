/**
 * Recognizes the language of a page or a question, so that a translated copy of a page does not
 * answer a question in another language.
 */

/** Letters by which a language is recognized. Languages that share a script count as its most frequent one. */
const scripts: readonly (readonly [language: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['uk', /[іїєґ]/giu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
];
/**
 * Minimum share of a text's letters that must be in a language's script. The share is small because
 * technical texts in these languages have many Latin names. Japanese needs even fewer kana, because it also
 * has Chinese characters, and Ukrainian fewer of its own letters, because it shares the others with Russian.
 */
const MIN_SCRIPT_SHARE = 0.15;
const MIN_KANA_SHARE = 0.05;

/** The most frequent words of languages in Latin script. */
const frequentWords: Readonly<Record<string, readonly string[]>> = {
  en: 'the and of is to this with you for that are can not when from how what which it do does'.split(
    ' ',
  ),
  de: 'der die das und ist nicht mit sie wird für auf ein eine einen werden wie wenn oder kann ich'.split(
    ' ',
  ),
  es: 'el los las una del que para con por es como esta este puede cuando cómo qué más también'.split(
    ' ',
  ),
  fr: 'le les des une du est pour dans vous avec sur que qui pas cette être votre comment sont'.split(
    ' ',
  ),
  pt: 'os uma para com não que você por como do da em são está ser pode seu mais também'.split(' '),
  it: 'il gli della che per con una sono questo può come di non nel alla anche più è'.split(' '),
  nl: 'het een van en niet zijn voor met wordt dat op deze kan als worden naar ook bij'.split(' '),
  pl: 'jest nie się na do że jak lub przez dla może oraz są tego jako ten aby od'.split(' '),
  tr: 'bir ve bu için ile olarak olan da daha gibi veya değil kullanarak nasıl ne'.split(' '),
  sv: 'och att det som är på för inte med kan den ett av till eller om när'.split(' '),
  vi: 'và của là các được cho không một trong bạn với này để có thể những'.split(' '),
  id: 'yang dan untuk dengan ini dari tidak akan dalam pada adalah anda atau dapat'.split(' '),
};
const languagesByWord = new Map<string, string[]>();
for (const [language, words] of Object.entries(frequentWords)) {
  for (const word of words) {
    languagesByWord.set(word, [...(languagesByWord.get(word) ?? []), language]);
  }
}

/** Maximum number of characters of a text to check. */
const MAX_LENGTH = 4000;

/**
 * Returns the code of a text's language (`en`, `pt`, `zh`), or undefined if it has too few words to
 * tell, as in a name or a line of code.
 * @param minimum number of frequent words of the language that a text in Latin script must have.
 */
export function languageOfText(text: string, minimum: number): string | undefined {
  const start = text.slice(0, MAX_LENGTH);
  const letterCount = start.match(/\p{L}/gu)?.length ?? 0;
  if (letterCount === 0) return undefined;
  if (/[^\p{Script=Latin}\P{L}]/u.test(start)) {
    for (const [language, letters] of scripts) {
      const share = (start.match(letters)?.length ?? 0) / letterCount;
      const isUkrainian = language === 'uk';
      if (share >= (language === 'ja' || isUkrainian ? MIN_KANA_SHARE : MIN_SCRIPT_SHARE)) {
        return language;
      }
    }
  }
  const counts = new Map<string, number>();
  for (const [word] of start.toLowerCase().matchAll(/\p{L}+/gu)) {
    for (const language of languagesByWord.get(word) ?? []) {
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  const [best, second] = [...counts].sort(([, one], [, other]) => other - one);
  if (best === undefined || best[1] < minimum || best[1] === second?.[1]) return undefined;
  return best[0];
}

/** Matches the code of a language in a file's name or a folder's name: `zh-CN`, `pt_BR`. */
const languageCode =
  /^(?:ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|ko|lt|lv|nb|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|vi|zh)(?:[-_](?:[a-z]{2}|hans|hant|latn|419))?$/i;

/** Returns the language that a path names: `zh-CN/start.md`, `README.pt_BR.md`. */
export function languageOfPath(path: string): string | undefined {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  const suffix = /\.([A-Za-z]{2}(?:[-_][A-Za-z0-9]{2,4})?)\.\w+$/.exec(name)?.[1];
  const found = [suffix, ...folders].find((part) => part !== undefined && languageCode.test(part));
  return found?.split(/[-_]/)[0]?.toLowerCase();
}
