// @ts-check
/**
 * An esbuild plugin: `import('grammar:typescript')` gives a TextMate grammar whose patterns were
 * translated to JavaScript's regular expressions here, at build time. Doing it in the view takes
 * hundreds of milliseconds for a grammar, single patterns alone more than a frame.
 *
 * A grammar comes by itself: others that it embeds are modules of their own (ruby alone would
 * bring twenty). In the place of a pattern stands a key, `<name>:<index>`, with what the
 * tokeniser looks for in patterns: the anchors `\A` and `\G`, and back references to the text
 * that began a range.
 */
import assert from 'node:assert';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { toRegExpDetails } from 'oniguruma-to-es';

const namespace = 'grammar';
const grammarsFolder = path.dirname(createRequire(import.meta.url).resolve('@shikijs/langs/json'));

/**
 * Grammars that are nearly another one under other names. Their modules take that one and add what differs, because each
 * of the three weighs 16 KB in the package.
 * @type {Readonly<Record<string, { from: string, endings: readonly [string, string] }>>}
 */
const variants = {
  javascript: { from: 'tsx', endings: ['.tsx', '.js'] },
  typescript: { from: 'tsx', endings: ['.tsx', '.ts'] },
};

/** Code units that no grammar and no code has, in the place of captured text. */
const captureMark = '\ue000';

/** @type {import('oniguruma-to-es').ToRegExpOptions} */
const translation = {
  global: true,
  hasIndices: true,
  target: 'ES2025',
  rules: {
    allowOrphanBackrefs: true,
    asciiWordBoundaries: true,
    captureGroup: true,
    recursionLimit: 5,
    singleline: true,
  },
};

/**
 * Classes of all of Unicode's letters are long lists to the browser's compiler: here everything
 * outside ASCII is a letter.
 * @type {readonly (readonly [string, string])[]}
 */
const shorterClasses = [
  ['\\p{L}\\p{M}\\p{N}\\p{Pc}', '\\w\\x80-\\u{10ffff}'],
  ['\\p{L}\\p{M}\\p{N}', 'a-zA-Z0-9\\x80-\\u{10ffff}'],
  ['\\p{space}', '\\s'],
  ['\\P{space}', '\\S'],
  ['\\p{Alpha}', '[a-zA-Z\\x80-\\u{10ffff}]'],
  ['\\p{AHex}', '[\\dA-Fa-f]'],
  ['\\p{Nd}', '\\d'],
];

/** @type {() => import('esbuild').Plugin} */
export const grammarPlugin = () => ({
  name: 'grammars',
  setup(build) {
    build.onResolve({ filter: /^grammar:[\w-]+$/ }, ({ path: name }) => ({
      path: name.slice('grammar:'.length),
      namespace,
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace }, async ({ path: name }) =>
      variants[name]
        ? { contents: await variantModule(name), loader: 'js' }
        : { contents: JSON.stringify(await translatedGrammar(name)), loader: 'json' },
    );
  },
});

/** @typedef {{ readonly [key: string]: unknown, readonly repository: Readonly<Record<string, unknown>> }} Grammar */

/** @param {string} name @returns {Promise<Grammar>} */
async function readGrammar(name) {
  const source = await readFile(path.join(grammarsFolder, `${name}.mjs`), 'utf8');
  const json = /^const lang = Object\.freeze\(JSON\.parse\((".*")\)\)$/m.exec(source)?.[1];
  if (json === undefined) throw new Error(`No grammar in ${name}`);
  return JSON.parse(JSON.parse(json));
}

/**
 * Returns a grammar with keys instead of patterns, and the patterns.
 * @param {string} name
 */
export async function translatedGrammar(name) {
  return translatorFor(name)(await readGrammar(name));
}

/**
 * Returns a module that makes a grammar from the one that it is a variant of.
 * @param {string} name of the variant
 */
export async function variantModule(name) {
  const { from, endings } = variants[name] ?? assert.fail();
  /** @type {readonly (readonly [string, string])[]} the beginning of keys, then the ending of scopes */
  const renames = [[`"${from}:`, `"${name}:`], endings];
  const renamed = (/** @type {object} */ value) =>
    JSON.parse(
      renames.reduce((text, [old, own]) => text.replaceAll(old, own), JSON.stringify(value)),
    );

  const translate = translatorFor(from);
  const base = translate(await readGrammar(from));
  // The same translator gives the same patterns the same keys, and new ones come after them.
  const { grammar, patterns } = translate(await readGrammar(name));
  const { repository, ...rest } = renamed(grammar);
  const baseRules = renamed(base.grammar.repository);
  const changed = Object.keys({ ...baseRules, ...repository }).filter(
    (rule) => JSON.stringify(baseRules[rule]) !== JSON.stringify(repository[rule]),
  );
  const rules = Object.fromEntries(changed.map((rule) => [rule, repository[rule] ?? null]));
  return `import base from 'grammar:${from}';
    const renamed = ${JSON.stringify(renames)}.reduce(
      (text, [old, own]) => text.replaceAll(old, own), JSON.stringify(base.grammar.repository));
    export default {
      grammar: {
        ...${JSON.stringify(rest)},
        repository: { ...JSON.parse(renamed), ...${JSON.stringify(rules)} },
      },
      patterns: [...base.patterns, ...${JSON.stringify(patterns.slice(base.patterns.length))}],
    };`;
}

/**
 * Returns a function that translates grammars, and gives a pattern the same key in each.
 * @param {string} name that is in the keys
 * @returns {(grammar: Grammar) => { grammar: Grammar, patterns: (ReturnType<typeof translatePattern> | null)[][] }}
 *   `patterns`: all so far
 */
function translatorFor(name) {
  /** @type {Map<string, number>} */
  const indexes = new Map();
  /** @type {(ReturnType<typeof translatePattern> | null)[][]} */
  const patterns = [];

  /**
   * @param {string} pattern
   * @param {boolean} mayRefer whether it ends what another one began
   * @param {ReadonlySet<number>} groups those whose text is asked for
   */
  const keyFor = (pattern, mayRefer, groups) => {
    const references = mayRefer ? [...pattern.matchAll(/\\(\d+)/g)].map(([found]) => found) : [];
    const anchors = ['A', 'G'].filter((anchor) => hasAnchor(pattern, anchor));
    const identity = `${mayRefer} ${[...groups].sort().join()} ${pattern}`;
    const known = indexes.get(identity);
    const index = known ?? patterns.length;
    if (known === undefined) {
      indexes.set(identity, index);
      patterns.push(variantsOf(pattern, anchors, references, groups));
    }
    const marks = [...anchors.map((anchor) => `\\${anchor}`), ...references];
    return [`${name}:${index}`, ...marks].join('\u0001');
  };

  /** @param {unknown} value @returns {unknown} */
  const replace = (value) => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const groups = groupsAskedFor(value);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const isPattern = typeof inner === 'string' && /^(?:match|begin|end|while)$/.test(key);
        if (!isPattern) return [key, replace(inner)];
        return [key, keyFor(inner, key === 'end' || key === 'while', groups)];
      }),
    );
  };
  return (grammar) => ({
    grammar: /** @type {Grammar} */ (replace(grammar)),
    patterns: [...patterns],
  });
}

/**
 * Returns the groups of a rule's patterns that the rule uses: by its captures, by `$1` in a name or
 * by a back reference from the end to the beginning.
 * @param {object} rule
 */
function groupsAskedFor(rule) {
  /** @type {Set<number>} */
  const groups = new Set();
  for (const [key, value] of Object.entries(rule)) {
    const numbers = /captures$/i.test(key)
      ? Object.keys(value)
      : key === 'end' || key === 'while'
        ? [...String(value).matchAll(/\\(\d+)/g)].map(([, number]) => number)
        : [];
    for (const number of numbers) groups.add(Number(number));
  }
  for (const [, number] of JSON.stringify(rule).matchAll(/\$\{?(\d+)/g)) groups.add(Number(number));
  return groups;
}

/** @param {string} pattern @param {string} anchor */
function hasAnchor(pattern, anchor) {
  return [...pattern.matchAll(/\\(.)/gs)].some(([, escaped]) => escaped === anchor);
}

/**
 * Returns one pattern for each combination of anchors that may match: with `\A` and `\G` both
 * there, in the order neither, G, A, both.
 * @param {string} pattern @param {string[]} anchors @param {string[]} references
 * @param {ReadonlySet<number>} groups
 */
function variantsOf(pattern, anchors, references, groups) {
  /** @type {string[][]} */
  const allowed = [[]];
  for (const anchor of [...anchors].reverse()) {
    allowed.push(...allowed.map((before) => [anchor, ...before]));
  }
  return allowed.map((names) => {
    const resolved = pattern.replace(/\\(.)/gs, (found, /** @type {string} */ escaped) => {
      if (escaped === 'z') return '$(?!\\n)(?<!\\n)';
      return anchors.includes(escaped) && !names.includes(escaped) ? '\\\uffff' : found;
    });
    return translatePattern(
      references.reduce(
        (text, reference, index) => text.replace(reference, `${captureMark}${index}${captureMark}`),
        resolved,
      ),
      groups,
    );
  });
}

/**
 * @param {string} pattern @param {ReadonlySet<number>} asked
 * @returns {import('./grammars').TranslatedPattern} a pattern, its flags, what emulates the rest and its groups, or null
 */
export function translatePattern(pattern, asked) {
  try {
    const details = toRegExpDetails(pattern, translation);
    const source = shorterClasses.reduce(
      (text, [long, short]) => text.replaceAll(long, short),
      details.pattern,
    );
    if (details.options !== undefined) return [source, details.flags, details.options];
    const { text, groups } = withGroups(source, asked);
    return groups ? [text, details.flags, null, groups] : [text, details.flags];
  } catch {
    // As with VS Code's own engine, a pattern that cannot be used never matches.
    return null;
  }
}

/**
 * Returns the same pattern with only the groups that are asked for, because unused groups make the
 * browser take ten times as long to compile a long pattern.
 * @param {string} source of a regular expression with the flag `v`
 * @param {ReadonlySet<number>} asked
 * @returns `groups`: the number that each group that is left had; absent where they are the same
 */
function withGroups(source, asked) {
  let count = 0;
  let depth = 0;
  let refersToGroups = false;
  /** @type {number[]} */
  const groups = [];
  const text = source.replace(/\\(?:k|[1-9])|\\.|[[\]]|\((?:\?(?:<(?![=!]))?)?/gs, (found) => {
    if (found === '[') depth++;
    else if (found === ']') depth--;
    else if (depth > 0) return found;
    else if (/^\\[k\d]$|^\(\?<$/.test(found)) refersToGroups = true;
    else if (found === '(') {
      if (!asked.has(++count)) return '(?:';
      groups.push(count);
    }
    return found;
  });
  if (refersToGroups || groups.length === count) return { text: source };
  return { text, groups };
}
