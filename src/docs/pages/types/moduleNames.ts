/** Finds the exports of modules across the files of a package and across packages. */
import type {
  Declaration,
  DeclarationFile,
  EntityName,
  ExportedName,
  ModuleName,
  Scope,
} from './declarations';
import { inTurns } from '../../../common/clock';
import { readDeclarations } from './declarations';
import {
  type EntryPoint,
  existingDeclaration,
  findEntryPoints,
  importedName,
  normalized,
  type PackageEntries,
  type PackageFiles,
} from './entryPoints';
import path from 'node:path';

/** A declaration file that was read. */
export interface SourceFile {
  readonly reader: PackageReader;
  readonly path: string;
  readonly content: DeclarationFile;
}

/** A declaration and its place. */
export interface Declared {
  readonly file: SourceFile;
  readonly declaration: Declaration;
  /** Scopes in which its names are looked up, innermost first. */
  readonly scopes: readonly Scope[];
}

/** A module: a file, or what `declare module 'x'` in one or several files declares. */
export interface Module {
  readonly key: string;
  readonly parts: readonly ModulePart[];
}

interface ModulePart {
  readonly file: SourceFile;
  /** Scopes of the part, innermost first. */
  readonly scopes: readonly [Scope, ...Scope[]];
}

/** Meaning of an exported name. */
type Target =
  | { readonly kind: 'declarations'; readonly declared: readonly Declared[] }
  | { readonly kind: 'module'; readonly module: Module }
  /** A name of a package that can't be read. The name `*` stands for all that the package exports. */
  | { readonly kind: 'external'; readonly package: string; readonly name: string };

export interface Exported {
  readonly name: string;
  readonly target: Target;
  /** Doc comment of the `export` itself, with its marks. */
  readonly doc: string;
  /** Place of the `export`. */
  readonly file: SourceFile;
  readonly line: number;
}

interface ModuleExports {
  readonly exported: readonly Exported[];
  /** Packages that can't be read, of which the module exports everything. */
  readonly wholePackages: readonly string[];
}

/** An exported name before it is known what it stands for. */
interface Entry {
  readonly file: SourceFile;
  readonly scopes: readonly Scope[];
  readonly source:
    | { readonly kind: 'declared'; readonly declared: Declared[] }
    | { readonly kind: 'named'; readonly exported: ExportedName };
}

interface Table {
  readonly entries: ReadonlyMap<string, Entry>;
  readonly wholePackages: readonly string[];
}

/** Limits and findings that all packages of one reading share. */
interface Reading {
  /** Gives other work a turn, if it is time. */
  readonly pause: () => Promise<void>;
  readonly problems: string[];
  /** Packages by their IDs. */
  readonly readers: Map<string, Promise<PackageReader>>;
  filesLeft: number;
  charactersLeft: number;
  stepsLeft: number;
}

/** Maximum number of files of one reading. `effect`, the package with the most that we know, has 1,700. */
const MAX_FILES = 6000;
/** Maximum characters of all files of one reading. */
const MAX_CHARACTERS = 60_000_000;
/** Maximum number of names that one reading looks up. Files that all export each other would have no end. */
const MAX_STEPS = 3_000_000;

export function newReading(pause: () => Promise<void>): Reading {
  return {
    pause,
    problems: [],
    readers: new Map(),
    filesLeft: MAX_FILES,
    charactersLeft: MAX_CHARACTERS,
    stepsLeft: MAX_STEPS,
  };
}

const noTable: Table = { entries: new Map(), wholePackages: [] };

/** Reads the declaration files of one package and finds out what its modules export. */
export class PackageReader {
  readonly #files: PackageFiles;
  readonly #reading: Reading;
  readonly #entries: PackageEntries;
  readonly #sources = new Map<string, SourceFile | undefined>();
  readonly #tables = new Map<string, Table>();
  /** Modules that `declare module 'x'` declares in files that are no modules themselves. */
  readonly #ambient = new Map<string, ModulePart[]>();
  /** Contents of `declare global`, and of files that are no modules. */
  readonly #globals: Scope[] = [];
  /** Other packages by the names under which this one imports them. */
  readonly #dependencies = new Map<string, Promise<PackageReader | undefined>>();
  /** Files of the scopes that several files can share. */
  readonly #shared = new Map<Scope, SourceFile>();

  /** Packages that lead here from the one that is read, each as the one before imports it. */
  readonly trail: readonly string[];

  private constructor(
    files: PackageFiles,
    reading: Reading,
    entries: PackageEntries,
    trail: readonly string[],
  ) {
    this.#files = files;
    this.#reading = reading;
    this.#entries = entries;
    this.trail = trail;
  }

  static open(
    files: PackageFiles,
    reading: Reading,
    trail: readonly string[] = [],
  ): Promise<PackageReader> {
    const known = reading.readers.get(files.id);
    if (known) return known;
    const opened = findEntryPoints(files).then((entries) => {
      reading.problems.push(...entries.problems);
      return new PackageReader(files, reading, entries, trail);
    });
    reading.readers.set(files.id, opened);
    return opened;
  }

  get name(): string {
    return this.#entries.name;
  }

  get id(): string {
    return this.#files.id;
  }

  get entries(): readonly EntryPoint[] {
    return this.#entries.entries;
  }

  /** Names of the ambient modules of the files that were read so far. */
  get ambientNames(): readonly string[] {
    return [...this.#ambient.keys()];
  }

  /** Returns the module of a file, or undefined if it can't be read. */
  async module(file: string): Promise<Module | undefined> {
    const source = await this.source(file);
    return source && fileModule(source);
  }

  ambientModule(name: string): Module | undefined {
    const parts = this.#ambient.get(name);
    if (!parts) return undefined;
    const all = parts.map(({ scopes }) => scopes[0]);
    return {
      key: `${this.id}\n${name}`,
      parts: parts.map(({ file, scopes: [own, ...outer] }) => ({
        file,
        scopes: [own, ...all.filter((other) => other !== own), ...outer],
      })),
    };
  }

  /** Reads a file and what its `/// <reference path>` name. */
  async source(file: string): Promise<SourceFile | undefined> {
    if (this.#sources.has(file)) return this.#sources.get(file);
    const queue = [file];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (this.#sources.has(next)) continue;
      const source = await this.#read(next);
      this.#sources.set(next, source);
      const folder = path.posix.dirname(next);
      for (const reference of source?.content.references ?? [])
        queue.push(normalized(path.posix.join(folder, reference)));
    }
    return this.#sources.get(file);
  }

  async #read(file: string): Promise<SourceFile | undefined> {
    const reading = this.#reading;
    if (reading.filesLeft <= 0 || reading.charactersLeft <= 0) return undefined;
    const text = await this.#files.read(file);
    if (text === undefined) return undefined;
    reading.filesLeft--;
    reading.charactersLeft -= text.length;
    if (reading.filesLeft === 0 || reading.charactersLeft <= 0) {
      reading.problems.push(
        `${this.name} has too many declarations, so the last ones are left out.`,
      );
    }
    const content = await inTurns(readDeclarations(text.replaceAll('\r\n', '\n')), reading.pause);
    const source: SourceFile = { reader: this, path: file, content };
    const [line] = content.unread;
    if (line !== undefined && isDeclarationFile(file)) {
      const more = content.unread.length > 1 ? ` and ${content.unread.length - 1} more` : '';
      reading.problems.push(`${file}:${line}${more} can't be read as a declaration.`);
    }
    const globals = [content, ...content.modules.values()].map((scope) => scope.global);
    if (!content.isModule) globals.push(content);
    for (const scope of globals) {
      if (!scope) continue;
      this.#globals.push(scope);
      this.#shared.set(scope, source);
    }
    if (!content.isModule) {
      for (const [name, scope] of content.modules) {
        this.#shared.set(scope, source);
        const parts = this.#ambient.get(name) ?? [];
        parts.push({ file: source, scopes: [scope, content] });
        this.#ambient.set(name, parts);
      }
    }
    return source;
  }

  /** Returns what a module exports, in the order of its files. */
  async exportsOf(module: Module): Promise<ModuleExports> {
    const { entries, wholePackages } = await this.#table(module, new Set());
    const exported: Exported[] = [];
    for (const [name, entry] of entries) {
      const target = await this.#entryTarget(entry, new Set());
      await this.#reading.pause();
      if (!target) continue;
      const { source } = entry;
      exported.push({
        name,
        target,
        doc: source.kind === 'named' ? source.exported.doc : '',
        file: entry.file,
        line: lineOf(entry),
      });
    }
    return { exported, wholePackages };
  }

  /**
   * Returns what `export =` of a module stands for.
   * @param seen marks of what is being looked up already.
   */
  async equalsOf(module: Module, seen = new Set<string>()): Promise<Target | undefined> {
    const mark = `equals ${module.key}`;
    if (seen.has(mark)) return undefined;
    seen.add(mark);
    for (const { file, scopes } of module.parts) {
      const { equals } = scopes[0];
      if (equals) return this.#entity(file, scopes, equals, seen);
    }
    return undefined;
  }

  /** Returns the exported names of namespaces that are merged. */
  async namespaceExports(declared: readonly Declared[]): Promise<Exported[]> {
    const exported: Exported[] = [];
    for (const [name, entry] of namespaceEntries(declared)) {
      const target = await this.#entryTarget(entry, new Set());
      await this.#reading.pause();
      if (target) exported.push({ name, target, doc: '', file: entry.file, line: lineOf(entry) });
    }
    return exported;
  }

  /** Returns what a name in a file stands for, or undefined. */
  async lookUp(
    file: SourceFile,
    scopes: readonly Scope[],
    name: string,
  ): Promise<Target | undefined> {
    return this.#entity(file, scopes, { path: [name] }, new Set());
  }

  /** Finds the names that a module exports, with those of `export *`. The first of equal names counts. */
  async #table(module: Module, seen: Set<string>): Promise<Table> {
    const known = this.#tables.get(module.key);
    if (known) return known;
    const mark = `table ${module.key}`;
    if (seen.has(mark)) return noTable;
    seen.add(mark);
    const entries = new Map<string, Entry>();
    const wholePackages = new Set<string>();
    const queue: Module[] = [module];
    const visited = new Set([module.key]);
    for (let next = queue.shift(); next; next = queue.shift()) {
      const add = (found: Module): void => {
        if (visited.has(found.key)) return;
        visited.add(found.key);
        queue.push(found);
      };
      for (const part of next.parts) {
        const own = ownEntries(part);
        // `export *` leaves out the default export.
        if (next !== module) own.delete('default');
        addEntries(entries, own, next !== module);
        const { file, scopes } = part;
        for (const [target, scope] of file.content.isModule ? scopes[0].modules : []) {
          // A module can also declare its exports as additions to itself.
          if ((await file.reader.resolve(file, target))?.key !== next.key) continue;
          addEntries(entries, ownEntries({ file, scopes: [scope, ...scopes] }), next !== module);
        }
        if (scopes[0].equals) {
          const target = await this.#entity(file, scopes, scopes[0].equals, seen);
          if (target?.kind === 'module') add(target.module);
          else if (target?.kind === 'external') wholePackages.add(target.package);
          else if (target) addEntries(entries, namespaceEntries(target.declared), true);
        }
        for (const from of scopes[0].stars) {
          if (--this.#reading.stepsLeft < 0) break;
          const found = await file.reader.resolve(file, from);
          if (found) add(found);
          else if (isBare(from)) wholePackages.add(from);
        }
      }
      await this.#reading.pause();
    }
    const table: Table = { entries, wholePackages: [...wholePackages] };
    this.#tables.set(module.key, table);
    return table;
  }

  async #entryTarget(
    { file, scopes, source }: Entry,
    seen: Set<string>,
  ): Promise<Target | undefined> {
    if (source.kind === 'declared') return { kind: 'declarations', declared: source.declared };
    const { target } = source.exported;
    if (!('path' in target)) return this.#moduleName(file, target, seen);
    const found = await this.#entity(file, scopes, target, seen);
    const [name = ''] = target.path;
    // A module can export names of the runtime, which the compiler's own files declare.
    if (found || scopes.some(({ imports }) => imports.has(name))) return found;
    return { kind: 'external', package: 'globalThis', name };
  }

  /** Returns what `a.b.c` stands for in some scopes. */
  async #entity(
    file: SourceFile,
    scopes: readonly Scope[],
    { path: names }: EntityName,
    seen: Set<string>,
  ): Promise<Target | undefined> {
    if (--this.#reading.stepsLeft < 0) return undefined;
    const [first = '', ...rest] = names;
    let target: Target | undefined;
    for (const [index, scope] of [...scopes, ...this.#globals].entries()) {
      const inner = scopes.slice(index);
      const owner = this.#shared.get(scope) ?? file;
      const found = scope.declarations.get(first);
      if (found) {
        const declared = found.map((declaration) => ({ file: owner, declaration, scopes: inner }));
        target = { kind: 'declarations', declared };
        break;
      }
      const imported = scope.imports.get(first);
      if (!imported) continue;
      const mark = `${file.reader.id}\n${file.path}\n${index - scopes.length}\n${first}`;
      if (seen.has(mark)) return undefined;
      seen.add(mark);
      target =
        'path' in imported
          ? await this.#entity(owner, inner, imported, seen)
          : await this.#moduleName(owner, imported, seen);
      break;
    }
    for (const name of rest) target = target && (await this.#memberOf(target, name, seen));
    return target;
  }

  async #memberOf(target: Target, name: string, seen: Set<string>): Promise<Target | undefined> {
    if (target.kind === 'external') {
      return { kind: 'external', package: target.package, name };
    }
    if (target.kind === 'module') return this.#exportOf(target.module, name, seen);
    const entry = namespaceEntries(target.declared).get(name);
    return entry && this.#entryTarget(entry, seen);
  }

  async #exportOf(module: Module, name: string, seen: Set<string>): Promise<Target | undefined> {
    const mark = `export ${module.key}\n${name}`;
    if (seen.has(mark)) return undefined;
    seen.add(mark);
    const { entries, wholePackages } = await this.#table(module, seen);
    const entry = entries.get(name);
    if (entry) return this.#entryTarget(entry, seen);
    const [only] = wholePackages;
    return only !== undefined && wholePackages.length === 1 && name !== 'default'
      ? { kind: 'external', package: only, name }
      : undefined;
  }

  async #moduleName(
    file: SourceFile,
    { name, from }: ModuleName,
    seen: Set<string>,
  ): Promise<Target | undefined> {
    if (--this.#reading.stepsLeft < 0) return undefined;
    const module = await file.reader.resolve(file, from);
    if (!module) {
      return isBare(from)
        ? { kind: 'external', package: from, name: name === '=' ? '*' : name }
        : undefined;
    }
    if (name === '*') return { kind: 'module', module };
    const equals =
      name === '=' || name === 'default' ? await this.equalsOf(module, seen) : undefined;
    if (name === '=') return equals ?? { kind: 'module', module };
    return (await this.#exportOf(module, name, seen)) ?? equals;
  }

  /** Returns the module that a specifier in a file means, or undefined if it can't be found. */
  async resolve({ path: from }: SourceFile, specifier: string): Promise<Module | undefined> {
    if (/^\.{1,2}(?:\/|$)/.test(specifier)) {
      const joined = normalized(path.posix.join(path.posix.dirname(from), specifier));
      const found = await existingDeclaration(this.#files, joined);
      return found === undefined ? undefined : this.module(found);
    }
    const ambient = this.ambientModule(specifier);
    if (ambient) return ambient;
    const name = packageOf(specifier);
    const subpath = `.${specifier.slice(name.length)}`;
    if (specifier.startsWith('#') || name === this.name || name === importedName(this.name)) {
      const found = await this.#entries.resolve(specifier.startsWith('#') ? specifier : subpath);
      return found === undefined ? undefined : this.module(found);
    }
    const reader = await this.#dependency(name);
    if (!reader) return undefined;
    const found = await reader.#entries.resolve(subpath);
    if (found === undefined) return undefined;
    const module = await reader.module(found);
    const source = module?.parts[0]?.file;
    // The types of a package can be one ambient module with its name.
    return source?.content.isModule === false
      ? (reader.ambientModule(specifier) ?? module)
      : module;
  }

  #dependency(name: string): Promise<PackageReader | undefined> {
    const known = this.#dependencies.get(name);
    if (known) return known;
    const opened = (async () => {
      const files = await this.#files.dependency?.(name);
      return files && PackageReader.open(files, this.#reading, [...this.trail, name]);
    })();
    this.#dependencies.set(name, opened);
    return opened;
  }
}

/** Returns the name of the package that a specifier begins with. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isBare(specifier: string): boolean {
  return specifier !== '' && !/^[./#]/.test(specifier);
}

function isDeclarationFile(file: string): boolean {
  return /\.d\.[cm]?ts$/.test(file);
}

function fileModule(source: SourceFile): Module {
  const { reader, path: file, content } = source;
  return { key: `${reader.id}\n./${file}`, parts: [{ file: source, scopes: [content] }] };
}

/** Returns what namespaces that are merged export. */
function namespaceEntries(declared: readonly Declared[]): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (const { file, declaration, scopes } of declared) {
    const { scope } = declaration;
    if (scope) addEntries(entries, ownEntries({ file, scopes: [scope, ...scopes] }));
  }
  return entries;
}

/** Returns what one part of a module exports by itself. */
function ownEntries({ file, scopes }: ModulePart): Map<string, Entry> {
  const [scope] = scopes;
  const entries = new Map<string, Entry>();
  // TypeScript exports all names of an ambient module or namespace, unless it has an export list.
  const isAllExported = !scope.hasExportList && isDeclarationFile(file.path);
  for (const [name, declarations] of scope.declarations) {
    const declared = declarations
      .filter((each) => (each.isExported || isAllExported) && !each.isDefault)
      .map((declaration) => ({ file, declaration, scopes }));
    if (declared.length > 0)
      entries.set(name, { file, scopes, source: { kind: 'declared', declared } });
  }
  for (const exported of scope.exports) {
    entries.set(exported.name, { file, scopes, source: { kind: 'named', exported } });
  }
  return entries;
}

/** Returns the line that exports a name, or the first one that declares it. */
function lineOf({ source }: Entry): number {
  return source.kind === 'named'
    ? source.exported.line
    : (source.declared[0]?.declaration.line ?? 1);
}

/** Adds entries. Declarations of the same name are joined, unless they come from `export *`. */
function addEntries(
  entries: Map<string, Entry>,
  more: ReadonlyMap<string, Entry>,
  isStar = false,
): void {
  for (const [name, entry] of more) {
    const known = entries.get(name);
    if (!known) entries.set(name, entry);
    else if (!isStar && known.source.kind === 'declared' && entry.source.kind === 'declared') {
      const declared = [...known.source.declared, ...entry.source.declared];
      entries.set(name, { ...known, source: { kind: 'declared', declared } });
    }
  }
}
