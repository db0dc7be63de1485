/** Compares two versions of a package, and finds what of the differences a workspace's code names. */
import { type ApiPath, WHOLE_MODULE } from './apiPaths';
import {
  type ApiChange,
  type ApiChangeKind,
  apiChangeKinds,
  type ApiDiff,
  diffApi,
} from './diffApi';
import type { PackageDocs, PageOutline } from './packageDocs';
import type { WorkspaceName, WorkspaceNames } from './workspaceNames';

/** A place in the code of a workspace. */
export interface CodeUse {
  /** Path below the workspace, with forward slashes. */
  readonly file: string;
  /** Line and column, from 1. */
  readonly line: number;
  readonly column: number;
  /** Whether the place imports the name, so that it doesn't do anything with it yet. */
  readonly isImport: boolean;
}

export interface NameChange extends ApiChange {
  /** Places in the workspace's code that name it. */
  readonly uses: readonly CodeUse[];
}

/** A module that only one version has, such as `fastify/types`. */
export interface ModuleChange {
  readonly module: string;
  /** Number of names that it exports. */
  readonly names: number;
  readonly uses: readonly CodeUse[];
}

export type PageEntry = Pick<PageOutline, 'path' | 'title'>;

export interface SectionEntry {
  /** Path of the page in the version that has the section. */
  readonly path: string;
  /** Headings from the top of the page. */
  readonly section: string;
}

/** Entries that only one of two versions has. */
interface OneSided<Entry> {
  readonly removed: readonly Entry[];
  readonly added: readonly Entry[];
}

interface PackageSummary {
  readonly name: string;
  readonly version: string;
  readonly modules: number;
  readonly pages: number;
}

export type ComparisonNote =
  /** A version declares no types, so names can't be compared. */
  | { readonly code: 'no-types'; readonly version: string }
  /** A module exports everything from another package that isn't there, so nothing of it counts as missing. */
  | { readonly code: 'incomplete'; readonly version: string; readonly module: string }
  /** Files that mention the package and can't be parsed, so what they use isn't known. */
  | { readonly code: 'unread-code'; readonly files: readonly string[] }
  /** The workspace has more files or places than the limit. */
  | { readonly code: 'cut-workspace' }
  /** A problem of the package's own files, in English. */
  | { readonly code: 'problem'; readonly version: string; readonly problem: string };

export interface PackageComparison {
  readonly name: string;
  readonly older: PackageSummary;
  readonly newer: PackageSummary;
  /** Differences of the API. Names of modules that only one version has are among them. */
  readonly names: Readonly<Record<ApiChangeKind, readonly NameChange[]>>;
  readonly modules: OneSided<ModuleChange>;
  readonly pages: OneSided<PageEntry>;
  /** Sections of pages that both versions have. */
  readonly sections: OneSided<SectionEntry>;
  /** The code that was searched. Undefined if there was none to search. */
  readonly workspace: { readonly files: number } | undefined;
  readonly notes: readonly ComparisonNote[];
}

/**
 * Compares two versions of a package.
 * @param code what a workspace's code names of the package.
 * @param importedAs name under which that code imports the package.
 */
export function comparePackages(
  older: PackageDocs,
  newer: PackageDocs,
  code?: WorkspaceNames,
  importedAs: string = newer.name,
): PackageComparison {
  const hasTypes = older.modules.length > 0 && newer.modules.length > 0;
  const diff = hasTypes ? diffApi(older.api, newer.api) : noDiff;
  const uses = new UseFinder(diff, code?.names ?? [], { older, newer, importedAs });
  const modulesOnlyIn = (one: PackageDocs, other: PackageDocs): ModuleChange[] =>
    hasTypes
      ? one.modules
          .filter((module) => !other.modules.includes(module))
          .map((module) => ({
            module,
            names: namesIn(one, module),
            uses: uses.ofModule(module),
          }))
      : [];
  return {
    name: newer.name,
    older: summaryOf(older),
    newer: summaryOf(newer),
    names: {
      removed: uses.withUses(diff.removed),
      deprecated: uses.withUses(diff.deprecated),
      defaultChanged: uses.withUses(diff.defaultChanged),
      signatureChanged: uses.withUses(diff.signatureChanged),
      added: uses.withUses(diff.added),
    },
    modules: { removed: modulesOnlyIn(older, newer), added: modulesOnlyIn(newer, older) },
    pages: { removed: pagesOnlyIn(older, newer), added: pagesOnlyIn(newer, older) },
    sections: { removed: sectionsOnlyIn(older, newer), added: sectionsOnlyIn(newer, older) },
    workspace: code && { files: code.files },
    notes: [...notesOf(older, newer), ...notesOf(newer, older), ...codeNotes(code)],
  };
}

/** Returns whether the workspace's code names something that differs. */
export function isUsed({ uses }: Pick<NameChange, 'uses'>): boolean {
  return uses.length > 0;
}

const noDiff: ApiDiff = {
  removed: [],
  added: [],
  deprecated: [],
  defaultChanged: [],
  signatureChanged: [],
};

function summaryOf({ name, version, modules, pages }: PackageDocs): PackageSummary {
  return { name, version, modules: modules.length, pages: pages.length };
}

function namesIn({ api }: PackageDocs, module: string): number {
  let count = 0;
  for (const path of api.paths.values())
    if (path.module === module && !path.name.includes('.')) count++;
  return count;
}

function pagesOnlyIn(one: PackageDocs, other: PackageDocs): PageEntry[] {
  const routes = new Set(other.pages.map(({ route }) => route));
  return one.pages
    .filter(({ route }) => !routes.has(route))
    .map(({ path, title }) => ({ path, title }));
}

function sectionsOnlyIn(one: PackageDocs, other: PackageDocs): SectionEntry[] {
  const pages = new Map(other.pages.map((page) => [page.route, page]));
  return one.pages.flatMap(({ path, route, sections }) => {
    const page = pages.get(route);
    if (!page) return [];
    // A section that only has another one above it is the same.
    return [...sections]
      .filter(([heading]) => !page.sections.has(heading))
      .map(([, section]) => ({ path, section }));
  });
}

function notesOf(one: PackageDocs, other: PackageDocs): ComparisonNote[] {
  const { version, modules, api, problems } = one;
  const isAlone = modules.length === 0 && other.modules.length > 0;
  return [
    ...(isAlone ? [{ code: 'no-types' as const, version }] : []),
    ...Array.from(api.incomplete, (module) => ({ code: 'incomplete' as const, version, module })),
    ...problems.map((problem) => ({ code: 'problem' as const, version, problem })),
  ];
}

function codeNotes(code: WorkspaceNames | undefined): ComparisonNote[] {
  if (!code) return [];
  return [
    ...(code.unread.length > 0 ? [{ code: 'unread-code' as const, files: code.unread }] : []),
    ...(code.isCut ? [{ code: 'cut-workspace' as const }] : []),
  ];
}

/** Finds the places in code that name what differs. */
class UseFinder {
  readonly #byChange = new Map<ApiChange, Map<string, CodeUse>>();
  readonly #byModule = new Map<string, Map<string, CodeUse>>();

  constructor(
    diff: ApiDiff,
    names: readonly WorkspaceName[],
    {
      older,
      newer,
      importedAs,
    }: {
      readonly older: PackageDocs;
      readonly newer: PackageDocs;
      readonly importedAs: string;
    },
  ) {
    if (names.length === 0) return;
    const changes = changesByPath(diff);
    const wholeBefore = modulesWith(WHOLE_MODULE, older);
    const wholeAfter = modulesWith(WHOLE_MODULE, newer);
    const withDefault = modulesWith('default', older, newer);
    for (const name of names) {
      const module = newer.name + name.module.slice(importedAs.length);
      addUse(this.#byModule, module, name);
      const byName = changes.get(module);
      if (!byName) continue;
      const isWhole = wholeBefore.has(module) || wholeAfter.has(module);
      // Code that takes the module itself, by a default import or otherwise, goes on if both versions have it.
      const isKept = (each: string, { older: before, newer: after }: ApiChange): boolean =>
        each === WHOLE_MODULE
          ? name.isTaken || !before
          : each === 'default' &&
            ((!before && wholeBefore.has(module)) || (!after && wholeAfter.has(module)));
      for (const each of namedBy(name.names, isWhole, isWhole && !withDefault.has(module)))
        for (const change of byName.get(each) ?? [])
          if (!isKept(each, change)) addUse(this.#byChange, change, name);
    }
  }

  withUses(changes: readonly ApiChange[]): NameChange[] {
    return changes.map((change) => ({ ...change, uses: usesIn(this.#byChange.get(change)) }));
  }

  ofModule(module: string): readonly CodeUse[] {
    return usesIn(this.#byModule.get(module));
  }
}

function usesIn(found: ReadonlyMap<string, CodeUse> | undefined): readonly CodeUse[] {
  return [...(found?.values() ?? [])];
}

function addUse<Key>(
  map: Map<Key, Map<string, CodeUse>>,
  key: Key,
  { file, line, column, isImport }: WorkspaceName,
): void {
  const known = map.get(key) ?? new Map<string, CodeUse>();
  map.set(key, known);
  const place = `${file}:${line}:${column}`;
  if (!known.has(place)) known.set(place, { file, line, column, isImport });
}

function changesByPath(diff: ApiDiff): Map<string, Map<string, ApiChange[]>> {
  const found = new Map<string, Map<string, ApiChange[]>>();
  const add = ({ module, name }: ApiPath, change: ApiChange): void => {
    const names = found.get(module) ?? new Map<string, ApiChange[]>();
    found.set(module, names);
    const known = names.get(name);
    if (known) known.push(change);
    else names.set(name, [change]);
  };
  for (const kind of apiChangeKinds)
    for (const change of diff[kind]) for (const path of change.paths) add(path, change);
  return found;
}

/** Returns the modules that have a name in one of two versions. */
function modulesWith(wanted: string, ...versions: readonly PackageDocs[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { api } of versions)
    for (const { module, name } of api.paths.values()) if (name === wanted) found.add(module);
  return found;
}

/**
 * Returns the names that a place in code names: `z` and `z.string` for `z.string`.
 * @param isWhole whether the module has `export =`. Code that takes the module names its names.
 * @param isDefault whether code takes the module by a default import, because it has no default export.
 */
function namedBy(names: readonly string[], isWhole: boolean, isDefault: boolean): Set<string> {
  const chains = [names];
  const [first, ...rest] = names;
  if (isWhole && first !== 'default') chains.push([WHOLE_MODULE, ...names]);
  if (isDefault && first === 'default') chains.push([WHOLE_MODULE, ...rest], rest);
  const found = new Set<string>();
  for (const chain of chains)
    for (let end = 1; end <= chain.length; end++) found.add(chain.slice(0, end).join('.'));
  return found;
}
