/** The entry points of a package, and the declaration file of each. */
import * as v from 'valibot';
import path from 'node:path';
import { isJsonObject, parsedJson } from '../../../common/text/strings';
import { withoutByteOrderMark } from '../../../shared/characters';

/** The files of a package. Paths are relative to its folder, with forward slashes. */
export interface PackageFiles {
  /** Identifies the package among all others, also among those with the same name. */
  readonly id: string;
  /** Returns the text of a file, or undefined if it can't be read. */
  read(file: string): Promise<string | undefined>;
  exists(file: string): Promise<boolean>;
  /** Returns the paths of all files. */
  list(): Promise<readonly string[]>;
  /** Returns the files of another package, as Node would find it from this one, or undefined. */
  dependency?(name: string): Promise<PackageFiles | undefined>;
}

export interface EntryPoint {
  /** Name that is imported: that of the package, with a subpath unless it is `.`. */
  readonly name: string;
  /** Path of the declaration file. */
  readonly file: string;
}

export interface PackageEntries {
  readonly name: string;
  /** Entry points, the package itself first. No two have the same file. */
  readonly entries: readonly EntryPoint[];
  /** Further names of entry points, with the same files. */
  readonly aliases: readonly EntryPoint[];
  /** Returns the declaration file of an `#import`, or of a subpath such as `./client`. `.` is the package itself. */
  readonly resolve: (specifier: string) => Promise<string | undefined>;
  readonly problems: readonly string[];
}

const record = v.record(v.string(), v.unknown());

/** Fields that are wrong count as absent, because npm publishes packages with any content. */
const manifestSchema = v.object({
  name: v.fallback(v.optional(v.string(), ''), ''),
  types: v.fallback(v.optional(v.string()), undefined),
  typings: v.fallback(v.optional(v.string()), undefined),
  main: v.fallback(v.optional(v.string()), undefined),
  module: v.fallback(v.optional(v.string()), undefined),
  exports: v.optional(v.unknown()),
  imports: v.fallback(v.optional(record), undefined),
  typesVersions: v.fallback(v.optional(record), undefined),
});

type Manifest = v.InferOutput<typeof manifestSchema>;

/** Conditions in the order in which they are tried together. Types of `import` come before those of `require`. */
const conditionSets = [
  new Set(['types', 'import', 'module', 'node', 'default']),
  new Set(['types', 'require', 'node', 'default', 'import', 'module']),
];

/** Maximum number of entry points. The package with the most that we know, `effect`, has 300. */
const MAX_ENTRIES = 2000;
/** Maximum depth of conditions in one another. */
const MAX_DEPTH = 12;

const declarationEnding = /\.(?:d\.[cm]?ts|[cm]?tsx?)$/;

/** Finds the entry points of a package by its `package.json`, in the way that TypeScript does. */
export async function findEntryPoints(files: PackageFiles): Promise<PackageEntries> {
  const written = await files.read('package.json');
  const problems: string[] = [];
  let manifest: Manifest = v.parse(manifestSchema, {});
  if (written === undefined) problems.push('The package has no package.json.');
  else {
    const parsed = v.safeParse(manifestSchema, parsedJson(withoutByteOrderMark(written)));
    if (parsed.success) manifest = parsed.output;
    else problems.push('The package.json is not valid JSON.');
  }
  const finder = new EntryFinder(files, manifest);
  const all = await finder.all();
  const first = new Map<string, EntryPoint>();
  for (const entry of all) if (!first.has(entry.file)) first.set(entry.file, entry);
  return {
    name: manifest.name,
    entries: [...first.values()],
    // Nobody imports the index by its name, which packages without `exports` have by their files.
    aliases: all.filter((entry) => first.get(entry.file) !== entry && !/\/index$/.test(entry.name)),
    resolve: (specifier) => finder.resolve(specifier),
    problems,
  };
}

class EntryFinder {
  readonly #files: PackageFiles;
  readonly #manifest: Manifest;
  #listed: Promise<readonly string[]> | undefined;

  constructor(files: PackageFiles, manifest: Manifest) {
    this.#files = files;
    this.#manifest = manifest;
  }

  async all(): Promise<EntryPoint[]> {
    const name = importedName(this.#manifest.name);
    const found: EntryPoint[] = [];
    for (const subpath of await this.#subpaths()) {
      if (found.length >= MAX_ENTRIES) break;
      const file = await this.#typesOf(subpath);
      if (file !== undefined) found.push({ name: name + subpath.slice(1), file });
    }
    if (found.length > 0) return found;
    // A package of the workspace or of a git repository can be there without its build.
    const source = await existingDeclaration(this.#files, 'src/index');
    return source === undefined ? [] : [{ name, file: source }];
  }

  async resolve(specifier: string): Promise<string | undefined> {
    if (!specifier.startsWith('#')) return this.#typesOf(specifier);
    const { imports } = this.#manifest;
    return imports && this.#target(imports, specifier);
  }

  /** Returns the subpaths of all entry points, the package itself first. */
  async #subpaths(): Promise<string[]> {
    const { exports, typesVersions } = this.#manifest;
    if (exports === undefined || exports === null) {
      const files = (await this.#list()).filter((file) => /^[^/]+\.d\.[cm]?ts$/.test(file));
      // Without `exports`, any file can be imported. Files beside the package.json are meant to be.
      const names = new Set(files.map((file) => file.replace(/\.d\.[cm]?ts$/, '')));
      for (const key of Object.keys(typesVersions ? pathsOfVersions(typesVersions) : {}))
        if (!key.includes('*') && !declarationEnding.test(key)) names.add(key);
      return ['.', ...Array.from(names, (name) => `./${name}`).sort()];
    }
    const keys = isJsonObject(exports) ? Object.keys(exports) : [];
    if (!keys.some((key) => key.startsWith('.'))) return ['.'];
    const subpaths: string[] = [];
    for (const key of keys) {
      if (!key.startsWith('.') || key === './package.json') continue;
      if (key.includes('*')) subpaths.push(...(await this.#matching(key)));
      else subpaths.push(key.endsWith('/') && key !== './' ? key.slice(0, -1) : key);
    }
    return subpaths.sort((one, other) => Number(other === '.') - Number(one === '.'));
  }

  /** Returns the subpaths that a key with a `*` has, by the files that exist. */
  async #matching(key: string): Promise<string[]> {
    const { exports } = this.#manifest;
    const subpaths = new Set<string>();
    for (const target of targetsOf(isJsonObject(exports) ? exports[key] : undefined)) {
      const [before = '', after = ''] = normalized(target).split('*');
      const endings = declarationsOf(`x${after}`).map((file) => file.slice(1));
      for (const file of await this.#list()) {
        if (!file.startsWith(before) || !declarationEnding.test(file)) continue;
        const ending = endings.find((each) => file.endsWith(each));
        if (ending === undefined || file.length <= before.length + ending.length) continue;
        const middle = file.slice(before.length, file.length - ending.length);
        // An ending such as `*.d.ts` must not leave `index.d` of another ending.
        if (!/\.d$/.test(middle)) subpaths.add(key.replace('*', () => middle));
      }
    }
    return [...subpaths].sort();
  }

  /** Returns the declaration file of a subpath. */
  async #typesOf(subpath: string): Promise<string | undefined> {
    const { exports, types, typings, main, module, typesVersions } = this.#manifest;
    if (exports !== undefined && exports !== null) {
      const hasSubpaths =
        isJsonObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
      if (hasSubpaths) return this.#target(exports, subpath);
      return subpath === '.' ? this.#conditional(exports, '') : undefined;
    }
    const own = subpath === '.' ? (types ?? typings) : undefined;
    const wanted = own ?? (subpath === '.' ? undefined : subpath);
    const mapped = typesVersions && mappedPath(typesVersions, wanted ?? main ?? 'index');
    for (const candidate of [mapped, wanted, ...(subpath === '.' ? [main, module, 'index'] : [])]) {
      if (candidate === undefined) continue;
      const file = await existingDeclaration(this.#files, normalized(candidate));
      if (file !== undefined) return file;
    }
    return undefined;
  }

  /** Finds the entry of a map with wildcards, and its file. The longest key before the `*` wins, as in Node. */
  async #target(
    map: Readonly<Record<string, unknown>>,
    wanted: string,
  ): Promise<string | undefined> {
    if (Object.hasOwn(map, wanted) && !wanted.includes('*')) {
      return this.#conditional(map[wanted], '');
    }
    const keys = Object.keys(map)
      .filter((key) => key.includes('*') || key.endsWith('/'))
      .sort((one, other) => starAt(other) - starAt(one));
    for (const key of keys) {
      const [before = '', after = ''] = key.endsWith('/') ? [key] : key.split('*');
      const isMatch =
        wanted.startsWith(before) &&
        wanted.endsWith(after) &&
        wanted.length > before.length + after.length;
      if (!isMatch) continue;
      const middle = wanted.slice(before.length, wanted.length - after.length);
      const suffix = key.endsWith('/') ? middle : '';
      const file = await this.#conditional(map[key], middle, suffix);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  async #conditional(target: unknown, star: string, suffix = ''): Promise<string | undefined> {
    for (const conditions of conditionSets) {
      for (const each of targetsOf(target, conditions)) {
        const file = normalized(each.replaceAll('*', () => star) + suffix);
        const found = await existingDeclaration(this.#files, file);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  #list(): Promise<readonly string[]> {
    this.#listed ??= this.#files.list();
    return this.#listed;
  }
}

/** Returns the name that is imported to use the types of a package: `@types/a__b` is for `@a/b`. */
export function importedName(name: string): string {
  const plain = /^@types\/(.+)$/.exec(name)?.[1];
  return plain === undefined ? name : plain.replace(/^([^_]+)__(.+)$/, '@$1/$2');
}

/** Returns the number of characters before the star of a key. */
function starAt(key: string): number {
  const index = key.indexOf('*');
  return index < 0 ? key.length : index;
}

/** Returns the paths that a target of `exports` can mean, in order. */
function targetsOf(target: unknown, conditions?: ReadonlySet<string>, depth = MAX_DEPTH): string[] {
  if (typeof target === 'string') return [target];
  if (depth === 0) return [];
  if (Array.isArray(target)) {
    return target.flatMap((each: unknown) => targetsOf(each, conditions, depth - 1));
  }
  if (!isJsonObject(target)) return [];
  return Object.entries(target).flatMap(([condition, each]) => {
    // A condition such as `types@>=5.2` is for the versions of TypeScript that are used today.
    const name = condition.startsWith('types@') && !condition.includes('<') ? 'types' : condition;
    return conditions && !conditions.has(name) ? [] : targetsOf(each, conditions, depth - 1);
  });
}

/** Returns the paths that `typesVersions` has for the versions of TypeScript that are used today. */
function pathsOfVersions(versions: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const range = Object.keys(versions).find((each) => !each.includes('<'));
  const paths = range === undefined ? undefined : versions[range];
  return isJsonObject(paths) ? paths : {};
}

/** Returns the path that `typesVersions` gives for a path. */
function mappedPath(
  versions: Readonly<Record<string, unknown>>,
  wanted: string,
): string | undefined {
  const plain = normalized(wanted);
  for (const [key, targets] of Object.entries(pathsOfVersions(versions))) {
    const target: unknown = Array.isArray(targets) ? targets[0] : undefined;
    if (typeof target !== 'string') continue;
    if (key === plain) return target;
    const [before = '', after] = key.split('*');
    if (after !== undefined && plain.startsWith(before) && plain.endsWith(after))
      return target.replace('*', () => plain.slice(before.length, plain.length - after.length));
  }
  return undefined;
}

/** Path of no file, for paths that lead out of the package. */
const OUTSIDE = '\0';

/** Returns a path without `.` and `..`. */
export function normalized(file: string): string {
  const plain = path.posix.normalize(file.replaceAll('\\', '/')).replace(/^(?:\.?\/)+/, '');
  if (plain === '..' || plain.startsWith('../')) return OUTSIDE;
  return plain === '.' ? '' : plain.replace(/\/$/, '');
}

/** Returns the declaration files that belong to a path, as TypeScript tries them. */
function declarationsOf(file: string): string[] {
  if (/\.d\.[cm]?ts$/.test(file)) return [file];
  const script = /\.([cm]?)jsx?$/.exec(file);
  if (script) {
    const base = file.slice(0, script.index);
    const kind = script[1] ?? '';
    return [`${base}.d.${kind}ts`, `${base}.${kind}ts`, ...(kind === '' ? [`${base}.tsx`] : [])];
  }
  const source = /\.([cm]?)tsx?$/.exec(file);
  if (source) return [`${file.slice(0, source.index)}.d.${source[1] ?? ''}ts`, file];
  return [
    `${file}.d.ts`,
    `${file}.ts`,
    `${file}.tsx`,
    `${file}.d.mts`,
    `${file}.d.cts`,
    `${file}/index.d.ts`,
    `${file}/index.ts`,
    `${file}/index.d.mts`,
    `${file}/index.d.cts`,
  ];
}

/** Returns the declaration file that a path means, or undefined if there is none. */
export async function existingDeclaration(
  files: PackageFiles,
  file: string,
): Promise<string | undefined> {
  if (file === OUTSIDE) return undefined;
  const candidates = file === '' ? declarationsOf('index') : declarationsOf(file);
  for (const candidate of candidates) if (await files.exists(candidate)) return candidate;
  return undefined;
}
