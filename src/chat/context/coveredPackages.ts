/** Tells by names what the docs of a site cover: packages, and the problems of a file with them. */
import { importedNames, importedPackages } from './importedPackages';

/** Packages that a project uses to build and test itself: hardly what the docs are about. */
export const toolPackages: ReadonlySet<string> = new Set([
  ...['@playwright/test', '@jest/globals', 'chai', 'esbuild', 'eslint', 'jest', 'mocha', 'rollup'],
  ...['sinon', 'typescript', 'vite', 'vitest', 'webpack', 'pytest', 'mock', 'setuptools', 'rspec'],
  ...['org.junit', 'org.junit.jupiter', 'org.mockito', 'org.slf4j', 'NUnit.Framework', 'Xunit'],
  ...['react', 'react-dom', 'vue', 'svelte', 'lodash', 'tslib', 'numpy', 'pandas', 'serde'],
]);

/** Words that names share by accident: hosts and what sites and packages are commonly called. */
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

/** Returns the words of a name that tell it from others. Numbers, as in a host, don't. */
function nameParts(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part.length > 2 && /\p{L}/u.test(part) && !commonParts.has(part));
}

/** Returns whether two names have a word in common that tells them from others. */
export function isNamedLike(name: string, siteName: string): boolean {
  const wanted = nameParts(siteName);
  return nameParts(name).some((part) => wanted.includes(part));
}

/** Shortest imported name that is looked for. Shorter ones stand for something else too often. */
const MIN_SYMBOL_LENGTH = 3;
/** Most packages of a file that are looked up. */
const MAX_PACKAGES = 20;
/** Characters of a file that are read for its imports, which stand at its top. */
export const MAX_IMPORTS_TEXT = 20_000;

/** A package that a file uses, and the names in the file that stand for it. */
export interface UsedPackage {
  readonly name: string;
  /** Names of what the file imports from it. */
  readonly symbols: readonly string[];
}

/** Returns the packages that a file imports, without those that only build and test a project. */
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

/** The parts of a problem in which a package can be named. */
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

/** Characters of each text that are searched for names, as a message can be a build log. */
const MAX_SEARCHED = 5_000;

/**
 * Returns whether a problem concerns the docs: its source, its code or the code's link is named like
 * the site, or it names a package of the file that the docs cover.
 * @param covered packages of the file that the docs cover.
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

/** Returns whether a text has a name that is no part of a longer one. */
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
