/**
 * Brings words of questions, docs and code to a common form for the search: lower case, without
 * accents, lightly stemmed (English and German), with identifiers split into their words.
 */

/** A language that the service can recognize and answer in. */
export type ReplyLanguage = 'de' | 'en';

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

const englishStopWords = words(`
  a about after all also am an and any are as at be because been before being both but by can could
  did do does doing don for from had has have having he her here him his how i if in into is it its
  just let may me might more most my near no nor not now of off on once only or other our out over own please
  same she should so some such than that the their them then there these they this those through to
  too under until up us very was we were what when where which while who whom why will with would
  you your yours really actually vs
`);
const germanStopWords = words(`
  aber alle als also am an auch auf aus bei beim bin bis bist da dabei damit dann das dass daß dazu
  dein dem den denn der des dich die dies diese diesem diesen dieser dieses dir doch dort du durch
  ein eine einem einen einer eines er es etwas euch für gibt haben habe hat hatte hier hinter ich
  ihm ihn ihr ihre im in ins ist ja jede jeder jedes kann kannst kein keine man mehr mein meine
  meinem meinen meiner mich mir mit muss muß müssen nach nicht noch nun nur ob oder ohne pro sehr
  sein seine sich sie sind so soll sollte sondern sowie über um und uns unser unsere unter vom von
  vor wann warum was weil welche welchem welchen welcher welches wenn wer werden wie wieder will
  wird wo woher wohin wurde zu zum zur zwischen bitte
`);
/**
 * Words that are common in questions and say little about the topic. They can't make a section relevant.
 */
const weakWords = words(`
  able actual again ago almost along already alright although always another anymore anyone anything
  anyway apart apparently around aside ask asks asked away back basically best better between big bit bring
  brings brought bug call called came cannot case certain certainly chance choose code code's come
  comes coming command course currently deal decide despite difference different doc docs
  documentation done each easily easy either elaborate else enough entire especially etc even
  eventually ever every everyone everything everywhere exactly example examples explain fact fairly
  far feel few file files find fine fully function functions further gave generally get gets getting
  give given gives giving go goes going gone good got gotten great guess handle happen happened
  happening happens hard hardly help high hint hope however i'm idea ideas important instead keep
  keeping keeps kept kind kindly knew know known knows lately like likely line lines list little long
  look looking looks lot lots made mainly make makes making many matter maybe mean meaning means
  mention mine moment mostly much must myself necessary need needed needs neither never nice nobody
  none normally nothing notice number often okay ok one otherwise ought ourselves overall page pages
  part particular perhaps place please point possible possibly pretty previously probably problem
  properly put puts putting question quite rather read ready real reason regarding related right run
  running said say says see seem seems seen several shall show showing side simple simply since
  snippet somebody somehow someone something sometimes somewhere soon sort still straight struggling
  stuck such suggest summarise summarize supposed sure take taken takes taking tell tells thank thanks
  themselves therefore thing things think though thought through throughout thus today together took
  topic toward trouble truly try trying turn turned turns two typically understand upon use used
  useful uses using usual usually various version want wanted wants way ways went whatever whenever
  wherever whether whichever whole whose within without wonder wondering work working works worth
  write written wrong yes yet
  beispiel beispiele bedeutet brauche brauchen code datei eigentlich erkläre erklären funktion
  funktionieren funktioniert finde finden frage geht gehen genau groß hilfe hoch idee jemand lang lange
  machen mache macht möglich nutze nutzen oft seite seiten tun verstehe versuche verwende verwenden
  verwendet viel viele weg zeig zeige zeigen
`);
/** Words that are common in all source code. */
const codeStopWords = words(`
  abstract any args as assert async await bool boolean break case catch char class console const
  continue def default del dict double elif else end enum err error except export extends false
  final finally float fn fmt for foreach from func function go if impl implements import in include
  instanceof int interface is kwargs lambda len let list log main map match mod mut namespace new
  nil none not null num object of or package pass print printf println private process protected pub
  public raise range readonly require res result return self static str string struct super switch
  then this throw throws to true try type typeof undefined use using val value var void while with
  yield
`);

/** Returns a word in lower case, without accents, and with `ss` for `ß`. */
export function foldWord(word: string): string {
  return word.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');
}

const stopWords = new Set([...englishStopWords, ...germanStopWords].map(foldWord));

const irregular = new Map([
  ['apis', 'api'],
  ['ids', 'id'],
  ['uris', 'uri'],
]);

/** Endings as `[ending, replacement, minimum length of the rest]`. */
const endings: readonly (readonly [string, string, number])[] = [
  ['ifications', 'ify', 2],
  ['ification', 'ify', 2],
  ['izations', 'iz', 3],
  ['ization', 'iz', 3],
  ['isation', 'iz', 3],
  ['ations', '', 4],
  ['ation', '', 4],
  ['ating', '', 4],
  ['ated', '', 4],
  ['ates', '', 4],
  ['ate', '', 4],
  ['izing', 'iz', 3],
  ['izes', 'iz', 3],
  ['ized', 'iz', 3],
  ['ize', 'iz', 3],
  ['ions', '', 4],
  ['ion', '', 4],
  ['ungen', '', 3],
  ['ung', '', 3],
  ['ied', 'y', 2],
  ['ies', 'y', 2],
  ['ing', '', 4],
  ['sses', 'ss', 1],
  ['xes', 'x', 1],
  ['ches', 'ch', 1],
  ['shes', 'sh', 1],
  ['ed', '', 4],
  ['ern', 'er', 3],
  ['en', '', 4],
  ['em', '', 4],
  ['es', '', 4],
  ['e', '', 4],
];

/**
 * Returns the stem of a folded word, which is never longer than the word.
 *
 * One stemmer serves English and German because a question's language is not known word by word.
 * Snowball's English stemmer found the accepted page first 4 times less in the AI SDK's docs (33
 * instead of 37 of 60) and once more in Fastify's (35 instead of 34 of 50), and it changes letters
 * (`happy` to `happi`), which breaks the search for beginnings of words.
 */
export function stem(word: string): string {
  const known = irregular.get(word);
  if (known !== undefined) return known;
  // "404s" are responses with the status 404.
  if (/^\d+s$/.test(word)) return word.slice(0, -1);
  if (word.length < 4 || /\d/.test(word)) return word;
  for (const [ending, replacement, minimum] of endings) {
    if (word.endsWith(ending) && word.length - ending.length >= minimum) {
      return undouble(word.slice(0, -ending.length) + replacement);
    }
  }
  if (/[^siu]s$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Removes a doubled last letter: `plann` (from `planning`) becomes `plan`. */
function undouble(word: string): string {
  return word.length > 4 && /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}

const wordPattern = /[\p{L}\p{N}_$]+(?:-[\p{L}\p{N}_$]+)*(?:['’]\p{L}+)?/gu;
const hasPieces = /['’-]/;
const identifierSeams =
  /[_$]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?:$|[_$]))/u;

/** Maximum number of words with hyphens between them that count as one. More are a file name or a URL. */
const MAX_HYPHENATED = 4;

/** A term of a text. A compound is an identifier of several words (`verifySignature`). */
interface Term {
  readonly text: string;
  readonly isCompound: boolean;
  /** The word as written in the text. */
  readonly word: string;
  /** The identifier that the word is a part of, or is itself, as written in the text. */
  readonly compound?: string;
}

/**
 * Returns every term of the text in order, without stop words. A compound comes before its words.
 */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  for (const [match] of text.matchAll(wordPattern)) {
    // Most words are plain, and this is the most frequent work of all.
    if (!hasPieces.test(match)) {
      for (const term of termsOfWord(match)) terms.push(term);
      continue;
    }
    const whole = match.replace(/['’]\p{L}+$/u, '');
    const words = whole.split('-');
    const isJoined = words.length > 1 && words.length <= MAX_HYPHENATED;
    if (isJoined) {
      terms.push({ text: stem(words.map(foldWord).join('')), isCompound: true, word: whole });
    }
    for (const word of words) for (const term of termsOfWord(word)) terms.push(term);
  }
  return terms;
}

/**
 * Returns the stems of a text's words, without stop words and marks. Unlike in {@link termsOf}, `useState` is one word
 * however it is written.
 */
export function plainTerms(text: string): string {
  const words = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ([word]) => foldWord(word));
  const said = words.filter((word) => !stopWords.has(word));
  return said.map(stem).join(' ');
}

/** Returns the words of a text that {@link termsOf} leaves out. In code they have a meaning (`let`, `for`, `this`). */
export function stopWordsOf(text: string): string[] {
  return Array.from(text.matchAll(wordPattern), ([word]) => word.toLowerCase()).filter((word) =>
    stopWords.has(word),
  );
}

/** Terms by word. The cache helps because docs repeat words, and stemming takes most of the indexing time. */
const knownWords = new Map<string, readonly Term[]>();
/** Maximum size of the cache. A full cache is emptied, because it soon has the frequent words again. */
const MAX_KNOWN_WORDS = 20_000;

function termsOfWord(word: string): readonly Term[] {
  const known = knownWords.get(word);
  if (known) return known;
  if (knownWords.size >= MAX_KNOWN_WORDS) knownWords.clear();
  const terms = splitWord(word);
  knownWords.set(word, terms);
  return terms;
}

/** Letters of languages that do not separate words, as a class of a regular expression. */
export const UNSEPARATED_LETTERS =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}ー]';

const unseparated = new RegExp(`${UNSEPARATED_LETTERS}{2,}`, 'gu');

/** Returns the terms of a word without hyphens. */
function splitWord(word: string): Term[] {
  const terms: Term[] = [];
  for (const [run] of word.matchAll(unseparated)) {
    // The ends of words are unknown, so each pair of neighboring letters counts as a term.
    const letters = Array.from(run);
    for (const [position, letter] of letters.slice(1).entries()) {
      const pair = (letters[position] ?? '') + letter;
      terms.push({ text: foldWord(pair), isCompound: false, word: pair });
    }
  }
  if (terms.length > 0) {
    const rest = word.split(unseparated).filter(Boolean);
    return [...terms, ...rest.flatMap((piece) => splitWord(piece))];
  }
  const pieces = word.split(identifierSeams).filter(Boolean);
  const compound = pieces.length > 1 ? word : undefined;
  if (compound !== undefined)
    terms.push({ text: foldWord(pieces.join('')), isCompound: true, word, compound });
  for (const piece of pieces) {
    const folded = foldWord(piece);
    if (stopWords.has(folded) || (folded.length < 2 && !/\d/.test(folded))) continue;
    const term = { text: stem(folded), isCompound: false, word: piece };
    terms.push(compound === undefined ? term : { ...term, compound });
  }
  return terms;
}

/** Returns whether a term says little about the topic (`example`, `use`, `explain`). */
export function isWeakTerm(term: string): boolean {
  return weakTerms.has(term);
}

const weakTerms = new Set([...weakWords].map((word) => stem(foldWord(word))));
const codeStopTerms = new Set([...codeStopWords].map((word) => stem(foldWord(word))));

/**
 * Returns whether a term of source code says little about its topic (`const`, `return`, `string`).
 */
export function isCodeStopTerm(term: string): boolean {
  return codeStopTerms.has(term) || /^\d+$/.test(term);
}

/**
 * Returns the language of a question by its stop words, or undefined if there are too few, as in a
 * name or a word of code. Only English and German are recognized.
 */
export function detectLanguage(text: string): ReplyLanguage | undefined {
  let german = /[äöüß]/i.test(text) ? 1 : 0;
  let english = 0;
  // The pattern has `_` so that an identifier such as `UND_ERR` does not count as German.
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}_]+/gu)) {
    const isGerman = germanStopWords.has(word);
    const isEnglish = englishStopWords.has(word);
    if (isGerman && !isEnglish) german++;
    if (isEnglish && !isGerman) english++;
  }
  if (german === english) return undefined;
  return german > english ? 'de' : 'en';
}
