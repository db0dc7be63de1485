/** The API of a package: the names that its modules export, each with its declarations. */
import { type Declaration, type Scope } from './declarations';
import type { SectionPlace } from '../sections';
import { type DocComment, readDocComment } from './docComment';
import type { PackageFiles } from './entryPoints';
import type { Member } from './members';
import {
  type Declared,
  type Exported,
  type Module,
  newReading,
  PackageReader,
  type SourceFile,
} from './moduleNames';

/** An exported name. */
export interface ApiSymbol {
  /** Name as it is imported. Names in a namespace begin with that of the namespace: `JSX.Element`. */
  readonly name: string;
  /** Other names of the same module for it. */
  readonly aliases: string[];
  readonly declarations: readonly ApiDeclaration[];
  readonly place: SectionPlace;
  /** Doc comment of the `export { name }` itself. */
  readonly exportDoc: DocComment;
  /** Way in which code gets it. Most are plain exports. */
  readonly access: 'export' | 'export=' | 'global' | 'augmentation' | 'internal';
  /** Module that it is added to, if the access is `augmentation`. */
  readonly target?: string;
}

export interface ApiDeclaration extends Declaration {
  readonly docComment: DocComment;
  readonly place: SectionPlace;
}

/** A name that another page or package describes. */
export interface ApiReference {
  readonly name: string;
  /** Module that describes it. */
  readonly module: string;
  /** Name in that module, or `*` for the module itself. */
  readonly as: string;
  readonly exportDoc: DocComment;
  readonly place: SectionPlace;
}

export interface ApiModule {
  /** Name that is imported, such as `effect/Array`. */
  readonly name: string;
  /** Path of its file, or of the first of its files. That of the file that exports it, if it is another package's. */
  readonly file: string;
  /** Place of the module itself. */
  readonly place: SectionPlace;
  readonly doc: DocComment;
  readonly symbols: readonly ApiSymbol[];
  readonly references: readonly ApiReference[];
  /** Packages that can't be read, of which the module exports everything. */
  readonly wholePackages: readonly string[];
}

export interface PackageApi {
  readonly name: string;
  readonly modules: readonly ApiModule[];
  /** Problems of the package and its files, each in one sentence. */
  readonly problems: readonly string[];
}

/** Maximum number of modules. Each is a page. */
const MAX_MODULES = 3000;
/** Maximum number of names of one package. `typescript` has 4,000 and `effect` 12,000. */
const MAX_SYMBOLS = 100_000;
/** Maximum number of namespaces in one another. */
const MAX_NESTING = 8;
/** Maximum number of problems that are told. */
const MAX_PROBLEMS = 20;

/**
 * Reads the API of a package from its declaration files. Files that can't be read are left out and told.
 * @param pause gives other work a turn, if it is time. It is called often.
 */
export async function readPackageApi(
  files: PackageFiles,
  pause: () => Promise<void>,
): Promise<PackageApi> {
  const reading = newReading(pause);
  const reader = await PackageReader.open(files, reading);
  const builder = new ApiBuilder(reader, pause);
  const modules = await builder.build();
  const { problems } = reading;
  if (reading.stepsLeft < 0) problems.push(`${reader.name} has too many exports of exports.`);
  if (builder.isCut)
    problems.push(`${reader.name} exports too much, so the last names and modules are left out.`);
  const more = problems.length - MAX_PROBLEMS;
  return {
    name: reader.name,
    modules,
    problems:
      more > 0
        ? [...problems.slice(0, MAX_PROBLEMS), `${more} more files have problems.`]
        : problems,
  };
}

interface QueuedModule {
  readonly name: string;
  readonly module: Module;
  /** Path of the file of this package that exports it. Absent for an entry point. */
  readonly exporter?: string;
}

class ApiBuilder {
  readonly #reader: PackageReader;
  readonly #pause: () => Promise<void>;
  readonly #queue: QueuedModule[] = [];
  /** Name of each module that has a page, by its key. */
  readonly #names = new Map<string, string>();
  /** Page and name that describe a declaration. */
  readonly #owners = new Map<
    Declaration,
    { readonly module: string; readonly symbol: ApiSymbol }
  >();
  #symbolsLeft = MAX_SYMBOLS;
  /** Whether names or modules were left out because of a limit. */
  isCut = false;

  constructor(reader: PackageReader, pause: () => Promise<void>) {
    this.#reader = reader;
    this.#pause = pause;
  }

  async build(): Promise<ApiModule[]> {
    const reader = this.#reader;
    for (const { name, file } of reader.entries) {
      const module = await reader.module(file);
      const source = module?.parts[0]?.file;
      if (!module || !source) continue;
      if (source.content.isModule || source.content.modules.size === 0) this.#add(name, module);
    }
    const isIndex = (name: string): number => Number(/\/index(?:\.[cm]?js)?$/.test(name));
    // The index of a folder is another name for the folder, as in `date-fns` 2 with its 3,500 modules.
    const ambient = reader.ambientNames.toSorted((one, other) => isIndex(one) - isIndex(other));
    for (const name of ambient) {
      const module = reader.ambientModule(name);
      // A pattern such as `*.svg` is no module that is imported by name.
      if (module && !name.includes('*')) this.#add(name, module);
    }
    const pages: ModulePage[] = [];
    for (let next = this.#queue.shift(); next; next = this.#queue.shift())
      pages.push(await this.#module(next));
    // Types that a page doesn't export can be exported by a later one.
    for (const page of pages) await this.#addInternal(page);
    return pages
      .filter(
        ({ symbols, references, wholePackages }) =>
          symbols.length + references.length + wholePackages.length > 0,
      )
      .map(({ name, file, place, doc, symbols, references, wholePackages }) => ({
        name,
        file,
        place,
        doc,
        symbols,
        references,
        wholePackages,
      }));
  }

  #add(name: string, module: Module, exporter?: string): void {
    if (this.#names.has(module.key)) return;
    if (this.#names.size >= MAX_MODULES) {
      this.isCut = true;
      return;
    }
    this.#names.set(module.key, name);
    this.#queue.push({ name, module, exporter });
  }

  async #module(queued: QueuedModule): Promise<ModulePage> {
    const { module } = queued;
    const { exported, wholePackages } = await this.#reader.exportsOf(module);
    const page = new ModulePage(queued, wholePackages);
    const equals = await this.#reader.equalsOf(module);
    if (equals?.kind === 'declarations') {
      const declared = equals.declared.filter(
        ({ declaration }) => declaration.kind !== 'namespace',
      );
      const own = declared[0]?.declaration.name ?? '';
      if (declared.length > 0) this.#symbol(page, own, declared, noDoc, 'export=');
    }
    await this.#exported(page, exported, '', module, 0);
    for (const { file, scopes } of module.parts) {
      const { global, modules } = scopes[0];
      if (global) this.#added(page, file, global, [...scopes], 'global');
      if (!file.content.isModule || scopes[0] !== file.content) continue;
      for (const [target, scope] of modules) {
        const added = await file.reader.resolve(file, target);
        const known = (added && this.#names.get(added.key)) ?? target;
        this.#added(page, file, scope, [...scopes], 'augmentation', known);
      }
    }
    return page;
  }

  async #exported(
    page: ModulePage,
    exported: readonly Exported[],
    prefix: string,
    module: Module | undefined,
    depth: number,
  ): Promise<void> {
    for (const { name: own, target, doc, file, line } of exported) {
      const name = prefix + own;
      const exportDoc = readDocComment(doc);
      const place = placeOf(file, line);
      if (target.kind === 'external') {
        page.references.push({ name, module: target.package, as: target.name, exportDoc, place });
      } else if (target.kind === 'module') {
        const key = target.module.key;
        const other = key === module?.key ? page.name : this.#names.get(key);
        if (other === undefined) this.#add(`${page.name}.${name}`, target.module, page.file);
        const described = other ?? this.#names.get(key) ?? page.name;
        page.references.push({ name, module: described, as: '*', exportDoc, place });
      } else {
        await this.#declared(page, name, target.declared, exportDoc, depth, {
          module,
          place,
        });
      }
      await this.#pause();
    }
  }

  async #declared(
    page: ModulePage,
    name: string,
    declared: readonly Declared[],
    exportDoc: DocComment,
    depth: number,
    { module, place }: { readonly module: Module | undefined; readonly place: SectionPlace },
  ): Promise<void> {
    const [first] = declared;
    if (!first) return;
    const owner = this.#owners.get(first.declaration);
    if (owner) {
      // A second name for the same thing in one page is told where the thing is described.
      const isAlias = owner.module === page.name && exportDoc.deprecated === undefined;
      if (isAlias && owner.symbol.name !== name) owner.symbol.aliases.push(name);
      if (isAlias) return;
      const { symbol } = owner;
      page.references.push({ name, module: owner.module, as: symbol.name, exportDoc, place });
      return;
    }
    this.#symbol(page, name, declared, exportDoc, 'export');
    if (depth >= MAX_NESTING) return;
    const inner = await this.#reader.namespaceExports(declared);
    await this.#exported(page, inner, `${name}.`, module, depth + 1);
  }

  #symbol(
    page: ModulePage,
    name: string,
    declared: readonly Declared[],
    exportDoc: DocComment,
    access: ApiSymbol['access'],
    target?: string,
  ): void {
    if (--this.#symbolsLeft < 0) {
      this.isCut = true;
      return;
    }
    const declarations = declared.map(({ file, declaration }) => ({
      ...declaration,
      docComment: readDocComment(declaration.doc),
      place: placeOf(file, declaration.line),
    }));
    const [first] = declarations;
    if (!first) return;
    const symbol: ApiSymbol = {
      name,
      aliases: [],
      declarations,
      place: first.place,
      exportDoc,
      access,
      target,
    };
    page.symbols.push(symbol);
    page.declared.push(...declared);
    for (const { declaration } of declared)
      this.#owners.set(declaration, { module: page.name, symbol });
  }

  /** Adds what `declare global` or `declare module 'x'` adds to other names. */
  #added(
    page: ModulePage,
    file: SourceFile,
    scope: Scope,
    outer: readonly Scope[],
    access: 'global' | 'augmentation',
    target?: string,
  ): void {
    const scopes = [scope, ...outer];
    for (const [name, declarations] of scope.declarations) {
      const declared = declarations
        .filter((each) => !this.#owners.has(each))
        .map((declaration) => ({ file, declaration, scopes }));
      this.#symbol(page, name, declared, noDoc, access, target);
    }
  }

  /** Adds types that are not exported but have documented fields and appear in exported signatures. */
  async #addInternal(page: ModulePage): Promise<void> {
    const asked = new Set<string>();
    for (const { file, declaration, scopes } of page.declared) {
      for (const word of wordsOf(declaration)) {
        const key = `${file.path}\n${word}`;
        if (asked.has(key)) continue;
        asked.add(key);
        const target = await this.#reader.lookUp(file, scopes, word);
        if (target?.kind !== 'declarations') continue;
        const own = target.declared.filter(
          (each) => each.file.reader === this.#reader && !this.#owners.has(each.declaration),
        );
        if (own.some((each) => hasDocumentedMembers(each.declaration)))
          this.#symbol(page, word, own, noDoc, 'internal');
      }
      await this.#pause();
    }
  }
}

const noDoc = readDocComment('');

/** A module while its names are collected. */
class ModulePage {
  readonly symbols: ApiSymbol[] = [];
  readonly references: ApiReference[] = [];
  /** Declarations of the symbols, which grow while types that they name are added. */
  readonly declared: Declared[] = [];
  readonly name: string;
  readonly file: string;
  readonly place: SectionPlace;
  readonly doc: DocComment;
  readonly wholePackages: readonly string[];

  constructor({ name, module, exporter }: QueuedModule, wholePackages: readonly string[]) {
    const [part] = module.parts;
    const place: SectionPlace = part ? placeOf(part.file, 1) : { file: '', line: 1 };
    this.name = name;
    this.file = place.package === undefined ? place.file : (exporter ?? '');
    this.place = place;
    const isFile = part?.scopes.length === 1;
    this.doc = readDocComment(isFile ? part.file.content.doc : '');
    this.wholePackages = wholePackages;
  }
}

function placeOf({ reader, path: file }: SourceFile, line: number): SectionPlace {
  const owner = reader.trail.at(-1);
  return reader.trail.length < 2
    ? { file, line, package: owner }
    : { file, line, package: owner, through: reader.trail.slice(0, -1) };
}

/** Returns the names in a declaration that can be types. */
function wordsOf({ signature, members }: Declaration): Set<string> {
  const words = new Set<string>();
  const add = (text: string): void => {
    for (const [word] of text.matchAll(/(?<![\w$.])[A-Z][\w$]*/g)) words.add(word);
  };
  add(signature);
  const queue: Member[] = [...members];
  for (let next = queue.pop(); next; next = queue.pop()) add(next.signature);
  return words;
}

function hasDocumentedMembers({ kind, members }: Declaration): boolean {
  return kind !== 'namespace' && members.some(({ doc }) => doc !== '');
}
