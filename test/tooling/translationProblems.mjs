// @ts-check

/**
 * A row in the glossary of a language.
 *
 * @typedef {object} Term
 * @property {string} english the term as a whole word, in lower case
 * @property {readonly string[]} forms beginnings of words, in lower case, one of which the translation has
 */

/**
 * @typedef {object} Translation
 * @property {Readonly<Record<string, string>>} source English texts by key
 * @property {Readonly<Record<string, string>>} translated by the same keys
 * @property {readonly Term[]} terms
 * @property {Readonly<Record<string, string>>} titles the translated title of each command, by the English one
 */

/** Matches parts that a translation must keep, in any order. */
const keptParts = [
  { what: 'placeholders', pattern: /\{\d+\}/g },
  { what: 'links', pattern: /\]\([^)]*\)/g },
  { what: 'code', pattern: /`[^`]*`/g },
  { what: 'icons', pattern: /\$\([\w~-]+\)/g },
  { what: 'line breaks', pattern: /\n/g },
  { what: 'URLs', pattern: /https?:\/\/[\w./:-]*\w/g },
];

/** @param {string} text @param {RegExp} pattern @returns {string} */
function partsOf(text, pattern) {
  return (text.match(pattern) ?? []).sort().join(' ');
}

/** @param {string} text @returns {string} the mark at its end that says what kind of text it is */
function endOf(text) {
  return /[.…?:]$/.exec(text.replace(/[”“"’)]+$/, ''))?.[0] ?? '';
}

/** @param {string} text @returns {boolean} whether it begins or ends with space, or has two in a row */
function hasLooseSpace(text) {
  return text !== text.trim() || text.includes('  ');
}

/** @param {string} text @param {string} word @returns {boolean} */
function hasWord(text, word) {
  return new RegExp(`(?<![\\p{L}_-])${word}(?![\\p{L}_-])`, 'iu').test(text);
}

/**
 * Returns a sentence about each problem of a translation.
 *
 * @param {string} name of the file, for the sentences
 * @param {Translation} translation
 * @returns {string[]}
 */
export function translationProblems(name, { source, translated, terms, titles }) {
  /** @type {string[]} */
  const problems = [];
  for (const key of Object.keys(translated)) {
    if (source[key] === undefined) problems.push(`${name}: “${key}” is in no source text`);
  }
  for (const [key, english] of Object.entries(source)) {
    const text = translated[key];
    const say = (/** @type {string} */ what) => problems.push(`${name}: “${key}”: ${what}`);
    if (text === undefined || text.trim() === '') {
      say('is not translated');
      continue;
    }
    for (const { what, pattern } of keptParts) {
      const [wanted, found] = [partsOf(english, pattern), partsOf(text, pattern)];
      if (wanted !== found)
        say(`${what} differ: ${found || 'none'} instead of ${wanted || 'none'}`);
    }
    if (endOf(english) !== endOf(text)) {
      say(`ends in “${endOf(text)}” instead of “${endOf(english)}”`);
    }
    if (hasLooseSpace(text) && !hasLooseSpace(english)) {
      say('has a space too many');
    }
    for (const [title, own] of Object.entries(titles)) {
      // In texts, a command's name stands in emphasis or quotation marks.
      const isNamed = [`*${title}*`, `“${title}”`].some((part) => english.includes(part));
      if (isNamed && !text.includes(own)) say(`names the command “${title}” other than “${own}”`);
    }
    const plain = text.toLowerCase();
    for (const { english: term, forms } of terms) {
      if (!hasWord(english, term)) continue;
      if (!forms.some((form) => plain.includes(form))) {
        say(`has none of “${forms.join('”, “')}” for “${term}”`);
      }
    }
  }
  return problems;
}

/**
 * Reads the glossary out of a Markdown page: each row of its first table.
 *
 * @param {string} markdown
 * @returns {Term[]}
 */
export function glossaryTerms(markdown) {
  const rows = markdown
    .split('\n')
    .filter((line) => /^\|.*\|$/.test(line))
    .slice(2);
  return rows.map((row) => {
    const [english = '', own = ''] = row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    return {
      english: english.toLowerCase(),
      forms: own.split(',').map((form) => form.trim().toLowerCase()),
    };
  });
}
