/** Chooses the installed packages that a question is about. */
import { markedNamesIn, packagesInPaths, packagesNamedIn, wordsLikeNames } from './namedPackages';
import { type CodeName, codeNamesIn } from './search/namedCode';
import type { SetIndex } from './search/setIndex';
import { termsOf } from './search/terms';
import type { InstalledPackage } from './sources/installed/installedDocs';

/** Text and code of a request, which tell the packages that it is about. */
export interface AskedAbout {
  readonly text: string;
  readonly code: readonly { readonly text: string; readonly path?: string }[];
  /** Names of packages that own what the request is about, such as the rule of a problem. */
  readonly owners?: readonly string[];
  /** Names of packages that the code uses, by the imports of its files. */
  readonly imports?: readonly string[];
}

interface ChoicePorts {
  /** The packages that the project of the code asks for. */
  readonly direct: readonly InstalledPackage[];
  /** Finds the package that the code gets for a name. */
  readonly find: (name: string) => Promise<InstalledPackage | undefined>;
  readonly importsOf: (source: string) => readonly string[];
  /** Returns the indexes of packages that have been read, by the ids of the packages. Few are waited for. */
  readonly indexesOf: (
    packages: readonly InstalledPackage[],
  ) => Promise<ReadonlyMap<string, SetIndex>>;
}

/** Most packages that export a name which still tells them from the others. */
const FEW = 2;

/**
 * Returns the packages that own what the question is about, or else those that its text names, or else those in the stack
 * of its error, or else those that export the names of code in it, or else those that its code imports, or else all
 * direct ones. Beside named packages, those are asked that export the names of code which these don't have.
 * Packages that others brought along are asked, too, if a word of the text can only be their name.
 */
export async function choosePackages(
  { text, code, owners = [], imports = [] }: AskedAbout,
  ports: ChoicePorts,
): Promise<readonly InstalledPackage[]> {
  const { direct, importsOf } = ports;
  const owning = await foundOf(owners, ports);
  if (owning.length > 0) return owning;
  const named = [...packagesNamedIn(text, direct), ...(await foundOf(markedNamesIn(text), ports))];
  if (named.length > 0) return unique([...named, ...(await besideNamed(text, named, ports))]);
  const inStack = await foundOf(
    [text, ...code.map((one) => one.text)].flatMap(packagesInPaths),
    ports,
  );
  // The frames of a package's own dependencies are between those of the package.
  const directInStack = inStack.filter(({ id }) => direct.some((one) => one.id === id));
  if (inStack.length > 0) return directInStack.length > 0 ? directInStack : inStack;
  const mentioned = await mentionedIn(text, ports);
  const imported = await foundOf(
    [...code.flatMap((one) => importsOf(one.text)), ...imports],
    ports,
  );
  // A name in a file that imports packages is that of one of them.
  const pool = imported.length > 0 ? imported : direct;
  const names = exportableNamesIn(text);
  const exporting =
    names.length > 0 && pool.length > 1 ? await exportersOf(names, pool, ports) : [];
  return unique([...mentioned, ...(exporting.length > 0 ? exporting : pool)]);
}

async function foundOf(
  names: readonly string[],
  { find }: ChoicePorts,
): Promise<readonly InstalledPackage[]> {
  const found = await Promise.all([...new Set(names)].map((name) => find(name)));
  return unique(found.filter((one) => one !== undefined));
}

/**
 * Returns the packages that aren't direct ones and that a question names by a word which the docs of no direct one have.
 * Many ordinary words are names of small packages (`destroy`, `vary`), and docs have most of these words.
 */
async function mentionedIn(text: string, ports: ChoicePorts): Promise<readonly InstalledPackage[]> {
  const found = packagesNamedIn(text, await foundOf(wordsLikeNames(text), ports));
  if (found.length === 0) return [];
  const indexes = [...(await ports.indexesOf(ports.direct)).values()];
  return found.filter(({ importedAs }) =>
    termsOf(importedAs).every((term) => !indexes.some((index) => index.has(term.text))),
  );
}

/**
 * Returns the direct packages that export a name of code in the text which the docs of the named ones don't have:
 * the question may be about one together with the other.
 */
async function besideNamed(
  text: string,
  named: readonly InstalledPackage[],
  ports: ChoicePorts,
): Promise<readonly InstalledPackage[]> {
  const names = exportableNamesIn(text);
  if (names.length === 0) return [];
  const indexes = [...(await ports.indexesOf(named)).values()];
  const lacking = names.filter(({ name }) => {
    const [term] = termsOf(name);
    return term !== undefined && !indexes.some((index) => index.has(term.text));
  });
  return lacking.length > 0 ? exportersOf(lacking, ports.direct, ports) : [];
}

/** The ending of a file, as in `App.tsx`, or of a product's name, as in “Node.js”. */
const fileEnding = /^(?:[cm]?[jt]sx?|vue|svelte|astro)$/;

function exportableNamesIn(text: string): readonly CodeName[] {
  return codeNamesIn(text).filter(({ member = '' }) => !fileEnding.test(member));
}

/** Returns the packages that export names which only few of them do. */
async function exportersOf(
  names: readonly CodeName[],
  pool: readonly InstalledPackage[],
  { indexesOf }: ChoicePorts,
): Promise<readonly InstalledPackage[]> {
  const indexes = await indexesOf(pool);
  const found = names.flatMap((name) => {
    const exporting = pool.filter(({ id }) => {
      const index = indexes.get(id);
      return index !== undefined && exportsCode(index, name);
    });
    return exporting.length <= Math.min(FEW, pool.length - 1) ? exporting : [];
  });
  const chosen = unique(found);
  return chosen.length <= FEW ? chosen : [];
}

/** Returns whether a package exports a name. What is before a dot can be a variable, so its member tells more. */
function exportsCode(index: SetIndex, { name, member }: CodeName): boolean {
  if (!exportsName(index, name)) return false;
  // Names in lower case are those of variables, too: `request.hostname` isn't about a function `request`.
  if (member === undefined || /[A-Z]/.test(name)) return true;
  return exportsName(index, member) || exportsName(index, `${name}.${member}`);
}

/** Sections with the words of a name that are looked at. That of the name itself is among the best. */
const MAX_HITS = 50;

/** Returns whether the API of a package has a section of exactly this name. */
function exportsName(index: SetIndex, name: string): boolean {
  const [term] = termsOf(name);
  if (!term) {
    // The index has no words of one letter.
    return [...index.pages()].some(
      ({ route, sections }) =>
        route.startsWith('api/') &&
        sections.some(({ heading, place }) => place !== undefined && heading === name),
    );
  }
  const concept = { term: term.text, weight: 1, variants: new Map([[term.text, 1]]) };
  return index
    .search([concept], ({ route }) => route.startsWith('api/'), MAX_HITS)
    .some(({ section: { heading, place } }) => place !== undefined && heading === name);
}

export function unique(packages: readonly InstalledPackage[]): readonly InstalledPackage[] {
  return [...new Map(packages.map((one) => [one.id, one])).values()];
}
