/** Decides by names whether the docs of a site cover a package or a problem in a file. */
import { importedNames, importedPackages } from './importedPackages';

/** Packages that projects use to build and test themselves. Docs are hardly ever about them. */
export const toolPackages: ReadonlySet<string> = new Set([
  ...['@playwright/test', '@jest/globals', 'chai', 'esbuild', 'eslint', 'jest', 'mocha', 'rollup'],
  ...['sinon', 'typescript', 'vite', 'vitest', 'webpack', 'pytest', 'mock', 'setuptools', 'rspec'],
  ...['org.junit', 'org.junit.jupiter', 'org.mockito', 'org.slf4j', 'NUnit.Framework', 'Xunit'],
  ...['react', 'react-dom', 'vue', 'svelte', 'lodash', 'tslib', 'numpy', 'pandas', 'serde'],
]);

/** Words that unrelated names share, such as parts of host names and common names of packages. */
const commonParts = new Set([
  'api',
  'app',
  'com',
  'dev',
  'docs',
  'example',
  'github',
  'help',
  'localhost',
  'www',
]);

/** Returns the words that distinguish a name from others. Numbers don't count. */
function nameParts(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length > 2 && /\p{L}/u.test(part) && !commonParts.has(part));
}

/** Returns whether two names share a word that distinguishes them from others. */
export function isNamedLike(name: string, siteName: string): boolean {
  const wanted = nameParts(siteName);
  return nameParts(name).some((part) => wanted.includes(part));
}

/** Shortest imported name that is searched for. Shorter names too often mean something else. */
const MIN_SYMBOL_LENGTH = 3;
/** Most packages of a file that are looked up. */
const MAX_PACKAGES = 20;
/** Characters that are read of a file. Imports are at its top. */
export const MAX_IMPORTS_TEXT = 20_000;

/** A package that a file uses, and the names in the file that stand for it. */
export interface UsedPackage {
  readonly name: string;
  /** Names that the file imports from the package. */
  readonly symbols: readonly string[];
}

/** Returns the packages that a file imports, without those in {@link toolPackages}. */
export function notablePackages(languageId: string, text: string): readonly UsedPackage[] {
  const start = text.slice(0, MAX_IMPORTS_TEXT);
  const names = importedNames(languageId, start);
  return importedPackages(languageId, start)
    .filter(({ name }) => !toolPackages.has(name))
    .slice(0, MAX_PACKAGES)
    .map(({ name }) => ({
      name,
      symbols: (names.get(name) ?? []).filter((symbol) => symbol.length >= MIN_SYMBOL_LENGTH),
    }));
}

/**
 * Returns the names of the packages whose imported names a piece of a file uses, or of all that the file imports if the
 * piece uses none of these names.
 * @param start the file, or its beginning, which has the imports.
 */
export function packagesUsedIn(languageId: string, start: string, piece: string): string[] {
  const words = new Set(piece.match(/[\p{L}\p{N}_$]+/gu));
  const imported = [...importedNames(languageId, start.slice(0, MAX_IMPORTS_TEXT))];
  const used = imported.filter(([, names]) => names.some((name) => words.has(name)));
  return (used.length > 0 ? used : imported).slice(0, MAX_PACKAGES).map(([name]) => name);
}

/** The parts of a problem that can name a package. */
export interface NamingProblem {
  readonly message: string;
  readonly source?: string;
  readonly code?: string;
  /** URL of the code's explanation. */
  readonly link?: string;
  /** Paths of files that related information names. */
  readonly relatedPaths?: readonly string[];
  /** Text of the marked lines. */
  readonly lines: string;
}

/** Characters of each text that are searched for names. A message can be a whole build log. */
const MAX_SEARCHED = 5_000;

/**
 * Returns whether a problem concerns the docs. It does if its source, its code or the code's link
 * is named like the site, or if it names a covered package.
 * @param covered packages that the file imports and the docs cover.
 */
export function concernsDocs(
  problem: NamingProblem,
  covered: readonly UsedPackage[],
  siteName: string,
): boolean {
  const { message, source = '', code = '', link = '', relatedPaths = [], lines } = problem;
  if ([source, code, link].some((name) => isNamedLike(name.slice(0, MAX_SEARCHED), siteName))) {
    return true;
  }
  const texts = [source, code, link, message, lines, ...relatedPaths];
  const names = covered.flatMap(({ name, symbols }) => [name, ...symbols]);
  return names.some((name) => texts.some((text) => hasWord(text.slice(0, MAX_SEARCHED), name)));
}

/** Returns whether a text contains the name as a whole word. */
function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + name.length);
    if (!isNameCharacter(before) && !isNameCharacter(after)) return true;
  }
  return false;
}

function isNameCharacter(character: string): boolean {
  return /[\p{L}\p{N}_$-]/u.test(character);
}

/** Returns the packages whose name contains a query. Those that begin with it, or whose own name does, come first. */
export function matchingPackages<Package extends { readonly name: string }>(
  packages: readonly Package[],
  query: string,
): readonly Package[] {
  const wanted = query.trim().toLowerCase();
  const rank = ({ name }: Package): number => {
    const lower = name.toLowerCase();
    // People look for `@acme/sdk` by `sdk`.
    const own = lower.slice(lower.indexOf('/') + 1);
    if (lower === wanted || own === wanted) return 0;
    if (lower.startsWith(wanted) || own.startsWith(wanted)) return 1;
    return lower.includes(wanted) ? 2 : 3;
  };
  return packages
    .map((one) => ({ one, place: rank(one) }))
    .filter(({ place }) => place < 3)
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}
