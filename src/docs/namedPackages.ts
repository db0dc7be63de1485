/** Finds the packages that a question names. */

/** A package that a question can name. */
interface NameablePackage {
  readonly name: string;
  /** Name that the code imports. */
  readonly importedAs: string;
  readonly version: string;
}

/**
 * Words that are also packages of npm. A question that has one of them seldom means the package, so they need a
 * sign that they are a name.
 */
const commonWords = new Set(
  (
    'after agenda ai alert app arc args array assert async auth axis base bootstrap bower browser buffer build ' +
    'bull cache call chain check child clean cli client clone color colors command commit config connect console ' +
    'cookie copy core cron cross crypto css csv cube data date debug deep del depend diff docs dom duplex effect ' +
    'error event events exit express extend fetch file filter find flat flow form forever format front fuse get ' +
    'glob got grant graph growl grunt gulp history hooks html http icons image immutable import index inherits ' +
    'ink install is join json key keystone level light link lint list locate log long loop mail map marked match ' +
    'math memory merge method mime mock model module moment ms name needle nest net next node nodes noble notes ' +
    'object once open optional options os page params parse passport path ping pipe plop point port process ' +
    'progress promise prompt prompts proxy pump punch query queue random range raw react ready recast redirect ' +
    'relay remark request require resolve rest retry router rollup safe schema script search seed send serve ' +
    'server session set sharp shell should signal slate slug sort source split stable state static step storage ' +
    'store stream string style styled sync table tape tar task temp template test text then three through time ' +
    'tiny token tool touch trash tree turbo type types underscore union unique update url use util utils ' +
    'validate validator values vary version view vm void wait walk watch web when which word words worker wrap ' +
    'write xml yarn zip zone zones'
  ).split(' '),
);

/** Longest question text in which names are looked for. */
const MAX_TEXT = 20_000;

/** Characters around a name that tell whether it is one. */
const AROUND = 40;
/** Words before a name, which say that it is one. */
const wordBefore = /\b(?:with|using|use|via|import|install|npm|package|library|module)\s+$/i;
/** Matches the end of the sentence, or of its part, behind a name. */
const endBehind = /^\s*(?:$|[?!,;:)]|\.(?!\w))/;
/** Words behind a name, which say that it is one. */
const wordBehind = /^\s+(?:package|library|module|npm)\b/i;

/**
 * Returns the names of the packages that a question names as words, in the order of the packages. A name that is
 * a common word, such as `next`, only counts as code, as `next@16`, as `Next.js`, capitalized within a sentence,
 * with the installed major version behind it, or where the words around it say that it is a package. The same holds for
 * a name with a hyphen that is written as two words, such as “React Query”. A scope can stand before a name as a word,
 * and `@types/…` counts by the name that it describes, such as `vscode`, unless that is a common word.
 */
export function packagesNamedIn<Package extends NameablePackage>(
  question: string,
  packages: readonly Package[],
): Package[] {
  const text = question.slice(0, MAX_TEXT);
  const lower = text.toLowerCase();
  const bare = new Map<string, number>();
  for (const { importedAs } of packages) {
    const own = bareName(importedAs);
    bare.set(own, (bare.get(own) ?? 0) + 1);
  }
  return packages.filter(({ importedAs, name, version }) => {
    const own = bareName(importedAs);
    const scope = importedAs.slice(1, -own.length - 1);
    const spaced = own.replaceAll('-', ' ');
    // Each with whether it is made of ordinary words, so that it needs a sign that it is a name.
    const names = new Map([importedAs, name].map((one) => [one, isWord(one)]));
    // `react-query` means `@tanstack/react-query`, unless another package has this name.
    if (own.includes('-') && bare.get(own) === 1) {
      names.set(own, false).set(spaced, spaced.split(' ').length === 2);
    }
    // “hono node server” means `@hono/node-server`.
    if (scope !== '') names.set(`${scope} ${spaced}`, isWord(scope));
    // `vscode` means `@types/vscode`. A word such as “node” means more than its types.
    if (scope === 'types' && !isWord(own)) names.set(own, false);
    return [...names].some(([one, needsSign]) => isNamed(one, needsSign, version, text, lower));
  });
}

function isWord(name: string): boolean {
  return name.length < 3 || commonWords.has(name.toLowerCase());
}

/** Names that look like those of packages in a question: `@acme/sdk`, `` `undici` `` and `undici@8`. */
const markedName =
  /(?<![\w/@.-])(@[a-z\d-][\w.~-]{0,100}\/[\w.~-]{1,100})(?:@[\^~v]?(\d[\w.-]{0,50}))?|`([a-z\d@][\w.~/-]{0,200})(?:@[\^~v]?([\w.-]{1,50}))?`|(?<![\w/@.-])([a-z\d][\w.~-]{0,100})@v?(\d[\w.-]{0,50})/gi;

/** A name that is marked as that of a package. */
interface MarkedName {
  readonly name: string;
  /** Version behind the name, which can be the start of one. Empty if there is none. */
  readonly version: string;
}

function marksIn(question: string): MarkedName[] {
  const found = question.slice(0, MAX_TEXT).matchAll(markedName);
  return Array.from(found, ([, scoped, ofScoped, code, ofCode, named = '', ofNamed]) => ({
    name: withoutDots(scoped ?? code ?? named),
    version: withoutDots(ofScoped ?? ofCode ?? ofNamed ?? '').replace(/(?:\.[x*])+$/i, ''),
  }));
}

/** Removes the end of a sentence. */
function withoutDots(text: string): string {
  return text.replace(/\.+$/, '');
}

/**
 * Returns the names in a question that are marked as those of packages, each once. They can be names of anything
 * else, so they have to be looked up.
 */
export function markedNamesIn(question: string): string[] {
  return [...new Set(marksIn(question).map(({ name }) => name))].slice(0, MAX_MARKED);
}

/** Returns the names in a question that can only be those of packages: `@acme/sdk` and `undici@8`. */
export function certainNamesIn(question: string): MarkedName[] {
  const certain = marksIn(question).filter(
    ({ name, version }) => /^@[^/]+\/[^/]+$/.test(name) || /^\d/.test(version),
  );
  const named = new Map(certain.map((one) => [`${one.name}@${one.version}`, one]));
  return [...named.values()].slice(0, MAX_MARKED);
}

/** Maximum number of marked names that are looked up for one question. */
const MAX_MARKED = 20;

/** A word that could be the name of a package. Shorter names are seldom told from words. */
const likeName = /[a-z\d][\w.-]{2,100}[a-z\d]/gi;
/** Maximum number of words that are looked up for one question. */
const MAX_WORDS = 40;

/** Returns the words of a question that could be names of packages, each once, in lower case. They have to be looked up. */
export function wordsLikeNames(question: string): string[] {
  const words = question.slice(0, MAX_TEXT).toLowerCase().match(likeName) ?? [];
  return [...new Set(words)].filter((word) => !commonWords.has(word)).slice(0, MAX_WORDS);
}

/** A folder of a package in a path, as in the frame of a stack. */
const packageFolder = /node_modules[\\/]((?:@[\w.~-]{1,100}[\\/])?[\w~-][\w.~-]{0,100})[\\/]/g;

/** Returns the names of the packages whose files the paths in a text are of, each once, in the order of the text. */
export function packagesInPaths(text: string): string[] {
  const found = text.slice(0, MAX_TEXT).matchAll(packageFolder);
  const names = Array.from(found, ([, name = '']) => name.replace('\\', '/'));
  return [...new Set(names)].slice(0, MAX_MARKED);
}

function bareName(name: string): string {
  return name.startsWith('@') ? name.slice(name.indexOf('/') + 1) : name;
}

function isNamed(
  name: string,
  needsSign: boolean,
  version: string,
  text: string,
  lower: string,
): boolean {
  const wanted = name.toLowerCase();
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1)) {
    const end = at + name.length;
    const [before, behind] = [
      text.slice(Math.max(0, at - AROUND), at),
      text.slice(end, end + AROUND),
    ];
    if (!isWholeName(before, behind)) continue;
    if (!needsSign || isMarked(before, behind)) return true;
    if (saysPackage(before, behind, version)) return true;
    const written = text.slice(at, end);
    if (isCapitalized(written) && !startsSentence(before)) return true;
  }
  return false;
}

/** Returns whether a name is not a part of another name, a path or an address. */
function isWholeName(before: string, behind: string): boolean {
  if (/[\w@/.$-]$/.test(before)) return false;
  // `Next.js` and `zod.` name the package. `next.config` doesn't, and `fastify/types` is an import of it.
  return /^(?:$|[^\w.$-]|\.js\b|\.(?!\w)|-(?!\w))/i.test(behind);
}

function isMarked(before: string, behind: string): boolean {
  if (/^@v?\d/.test(behind) || /^\.js\b/i.test(behind)) return true;
  return /[`'"]$/.test(before) && /^[`'"/@]/.test(behind);
}

function saysPackage(before: string, behind: string, version: string): boolean {
  if (wordBehind.test(behind)) return true;
  const [, major] = /^\s+v?(\d+)(?:\.\d+)*\b/.exec(behind) ?? [];
  if (major !== undefined && major === version.split('.')[0]) return true;
  return wordBefore.test(before) && endBehind.test(behind);
}

function isCapitalized(written: string): boolean {
  return /^[A-Z][a-z]/.test(written);
}

function startsSentence(before: string): boolean {
  return /(?:^|[.?!:\n])\s*$/.test(before);
}
