/** The docs of the packages that are installed for a folder, as one engine. */
import path from 'node:path';
import { systemClock } from '../common/clock';
import { errorCodeOrName } from '../common/errorCode';
import type {
  ClaimsRequest,
  DocsOfPackages,
  DocsQuestion,
  DocsSet,
  ListRequest,
  NotInstalled,
  OpenDocs,
  PackageSets,
  PageRequest,
  ProofRequest,
  SearchRequest,
} from '../common/localDocsApi';
import { silentLog } from '../common/ports';
import { type DocsSets, type DocsSetsPorts, openSets, OWN_DOCS } from './docsSets';
import { InstalledLists } from './installedLists';
import { certainNamesIn, packagesNamedIn } from './namedPackages';
import { type AskedAbout, choosePackages, unique } from './packageChoice';
import type { PageAddresses } from './pages/links';
import type { SetIndex } from './search/setIndex';
import {
  type InstalledDocs,
  type InstalledPackage,
  type PackageProblem,
  problemLine,
} from './sources/installed/installedDocs';

interface InstalledEnginePorts extends Omit<DocsSetsPorts, 'addresses'> {
  readonly installed: InstalledDocs;
  /** Absolute path of the folder whose packages are asked. */
  readonly folder: string;
  /** Absolute path of the folder to which the paths of a question's code are relative. The asked folder if absent. */
  readonly codeFolder?: string;
  /** Returns the addresses of pages, by the packages of sets, which come and go. */
  readonly addresses: (packages: ReadonlyMap<string, InstalledPackage>) => PageAddresses;
  /** Whether the packages that the folder asks for are read in the background. One question needs only its own. */
  readonly readsAhead: boolean;
  /** Opens docs that are asked together with the packages, such as those of a product. */
  readonly beside?: (addresses: PageAddresses) => DocsSets;
}

/** Number of packages that a question waits for before it chooses among them. */
const FEW_PACKAGES = 8;

/**
 * Answers from the packages that are installed for a folder, in their installed versions. Each package is a set, whose
 * id is that of the package. A request that names no sets asks those that `choosePackages` finds, and the docs beside
 * them. Paths of pages begin with the id of their set, except those of the docs beside the packages.
 */
export class InstalledEngine implements OpenDocs, DocsOfPackages {
  readonly #ports: InstalledEnginePorts;
  readonly #sets: DocsSets;
  readonly #addresses: PageAddresses;
  readonly #lists: InstalledLists;
  /** Packages of the sets, by id. */
  readonly #packages = new Map<string, InstalledPackage>();
  /** Sets that are being opened, by id. */
  readonly #adding = new Map<string, Promise<void>>();
  /** Sets to which all questions go. */
  #only: readonly string[] | undefined;

  constructor(ports: InstalledEnginePorts) {
    this.#ports = ports;
    this.#addresses = ports.addresses(this.#packages);
    const addresses: PageAddresses = {
      write: (href, set) => this.#addresses.write(href, set),
      writeFile: this.#addresses.writeFile,
      read: (address) => this.#addressed(address),
    };
    this.#sets =
      ports.beside?.(addresses) ?? openSets(`installed ${ports.folder}`, { ...ports, addresses });
    this.#sets.start();
    const { clock = systemClock, log = silentLog, installed, folder } = ports;
    this.#lists = new InstalledLists({ installed, clock });
    if (!ports.readsAhead) return;
    void this.#lists.follow(folder, async () => {
      await this.#update().catch((error: unknown) => {
        log.warn(`The installed packages can’t be listed again: ${errorCodeOrName(error)}`);
      });
    });
  }

  /** Sets that have been added so far. */
  get sets(): DocsSets['sets'] {
    return this.#sets.sets;
  }

  /**
   * Lists the packages that the folder's project asks for, and adds them if they are read ahead.
   * @returns the packages, with a line of text for each kind of problem.
   */
  async list(signal: AbortSignal): Promise<{
    readonly packages: readonly InstalledPackage[];
    readonly problems: readonly string[];
  }> {
    const { packages, problems } = await this.#listed(this.#ports.folder, signal);
    return { packages, problems: linesOf(problems) };
  }

  /** Lets all questions ask one package alone. */
  async narrowTo(named: string): Promise<PackageSets> {
    const found = await this.setsOf(named);
    if (found.kind === 'found') this.#only = found.sets;
    return found;
  }

  async setsOf(named: string): Promise<PackageSets> {
    const { folder } = this.#ports;
    const { name, version } = parsedName(named);
    const found = await this.#find(name, folder);
    if (!found) return { kind: 'not-installed' };
    if (!isVersion(version, found)) return { kind: 'not-installed', otherVersion: found.version };
    return { kind: 'found', sets: await this.#addWithTypes([found], folder) };
  }

  /** Returns the pages of a set. Undefined for a set that has not been added. */
  libraryOf(id: string): ReturnType<DocsSets['libraryOf']> {
    return this.#sets.libraryOf(id);
  }

  /** Reads the docs of packages before those that wait, if they are installed. The first is read first. */
  async readFirst(names: readonly string[]): Promise<void> {
    const found = await Promise.all(names.map((name) => this.setsOf(name)));
    this.#sets.readFirst(found.flatMap((one) => (one.kind === 'found' ? one.sets : [])));
  }

  async *ask(question: DocsQuestion, signal: AbortSignal): ReturnType<DocsSets['ask']> {
    yield* this.#sets.ask(await this.#withSets(question, signal), signal);
  }

  /** Searches for a question. Its reply is written while its changes are read. */
  async prepare(question: DocsQuestion, signal: AbortSignal): ReturnType<DocsSets['prepare']> {
    return this.#sets.prepare(await this.#withSets(question, signal), signal);
  }

  async search(request: SearchRequest, signal: AbortSignal) {
    const { query: text, code, codePath } = request;
    const about = { text, code: code === undefined ? [] : [{ text: code, path: codePath }] };
    const sets = request.sets ?? [...(await this.#choose(about, signal))];
    const found = await this.#sets.search({ ...request, sets }, signal);
    const notInstalled = await this.#notInstalled(about);
    return { ...found, sections: found.sections.map(withSet), notInstalled };
  }

  async page(request: PageRequest, signal: AbortSignal) {
    const named = this.#addressed(request.page)?.set;
    const sets = request.sets ?? (named === undefined ? [...(await this.#all(signal))] : [named]);
    const found = await this.#sets.page({ ...request, sets }, signal);
    if (!('error' in found)) return withSet(found);
    const [only] = sets;
    // A suggestion doesn't tell its set, so it only helps where there is one.
    return sets.length > 1 || only === undefined
      ? { ...found, suggestions: [] }
      : { ...found, suggestions: found.suggestions.map((page) => `${only}/${page}`) };
  }

  async pages(request: ListRequest, signal: AbortSignal) {
    const sets = request.sets ?? [...(await this.#all(signal))];
    const after = request.after === undefined ? undefined : this.#setIn(request.after);
    const asked = after ? { after: after.path, afterSet: after.set, sets } : { ...request, sets };
    const found = await this.#sets.pages(asked, signal);
    return { ...found, pages: found.pages.map(withSet) };
  }

  filters(signal: AbortSignal) {
    return this.#sets.filters(signal);
  }

  async claims(request: ClaimsRequest, signal: AbortSignal) {
    const sets = request.sets ?? [...(await this.#all(signal))];
    const found = await this.#sets.claims({ ...request, sets }, signal);
    const claims = found.claims.map((claim) => ({
      ...claim,
      source: claim.source && withSet(claim.source),
    }));
    return { ...found, claims };
  }

  async proof(request: ProofRequest, signal: AbortSignal) {
    const sets = request.sets ?? [...(await this.#all(signal))];
    return this.#sets.proof({ ...request, sets }, signal);
  }

  pathOf(address: string): string | undefined {
    const found = this.#addressed(address);
    return found?.set === undefined ? found?.path : `${found.set}/${found.path}`;
  }

  close(): Promise<void> {
    this.#lists.close();
    return this.#sets.close();
  }

  async #withSets(question: DocsQuestion, signal: AbortSignal): Promise<DocsQuestion> {
    const code = question.contextItems.map(({ value, path: file }) => ({
      text: value,
      path: file,
    }));
    const owners = question.contextItems.flatMap(({ packages = [] }) => packages);
    const imports = question.contextItems.flatMap(({ imports: used = [] }) => used);
    const about = { text: question.text, code, owners, imports };
    const sets = question.sets ?? (await this.#choose(about, signal));
    return { ...question, sets, notInstalled: await this.#notInstalled(about) };
  }

  /** Returns the packages that a question names in vain: certain names, and those that the project asks for. */
  async #notInstalled({ text, code }: AskedAbout): Promise<NotInstalled[]> {
    const from = this.#placeOf(code);
    const certain = certainNamesIn(text);
    const named = certain.map(async ({ name, version }) => {
      const found = await this.#find(name, from);
      if (found && isVersion(version, found)) return [];
      const shown = version === '' ? name : `${name}@${version}`;
      return [{ name: shown, otherVersion: found?.version }];
    });
    const { problems } = await this.#lists.list(from, new AbortController().signal);
    const missing = problems
      .filter(
        ({ kind, name }) => kind === 'not-installed' && !certain.some((one) => one.name === name),
      )
      .map(({ name }) => ({ name, importedAs: name, version: '' }));
    const wanted = packagesNamedIn(text, missing).map(({ name }) => ({ name }));
    return [...(await Promise.all(named)).flat(), ...wanted];
  }

  /** Returns the sets that a question is about, after they have been added. */
  async #choose(about: AskedAbout, signal: AbortSignal): Promise<readonly string[]> {
    if (this.#only !== undefined) return this.#only;
    const { installed } = this.#ports;
    const from = this.#placeOf(about.code);
    const { packages: direct } = await this.#listed(from, signal);
    const chosen = await choosePackages(about, {
      direct,
      find: (name) => installed.find(name, from),
      importsOf: (source) => installed.importsOf(source),
      indexesOf: (packages) => this.#indexesOf(packages, signal),
    });
    return [...this.#beside, ...(await this.#addWithTypes(chosen, from))];
  }

  /**
   * Returns the indexes of packages, by their ids. Of many that are being read in the background, returns those that
   * have been read, because the question waits again for the ones that are chosen.
   */
  async #indexesOf(
    packages: readonly InstalledPackage[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, SetIndex>> {
    const ids = await this.#add(packages);
    const isWaiting = !this.#ports.readsAhead || packages.length <= FEW_PACKAGES;
    if (isWaiting) await this.#sets.ready(ids, signal);
    return new Map(
      ids.flatMap((id) => {
        const library = this.#sets.libraryOf(id);
        return library ? [[id, library.index] as const] : [];
      }),
    );
  }

  /** Returns the ids of all packages that the folder's project asks for, and of the docs beside them. */
  async #all(signal: AbortSignal): Promise<readonly string[]> {
    if (this.#only !== undefined) return this.#only;
    const { packages } = await this.#listed(this.#ports.folder, signal);
    return [...this.#beside, ...(await this.#add(packages))];
  }

  get #beside(): readonly string[] {
    return this.#ports.beside ? [OWN_DOCS] : [];
  }

  async #listed(from: string, signal: AbortSignal): ReturnType<InstalledDocs['list']> {
    const listed = await this.#lists.list(from, signal);
    if (this.#ports.readsAhead && this.#only === undefined) await this.#add(listed.packages);
    return listed;
  }

  /** Adds packages that were installed, and removes those that are gone. */
  async #update(): Promise<void> {
    const { installed, folder } = this.#ports;
    if (this.#only === undefined) await this.#listed(folder, new AbortController().signal);
    for (const [id, { folder: place }] of [...this.#packages]) {
      const owner = await installed.ownerOf(path.join(place, 'package.json'));
      if (owner?.id === id) continue;
      this.#packages.delete(id);
      await this.#sets.remove(id);
    }
  }

  /** Returns the file of the code, which decides the versions, or the asked folder if the file isn't below its own. */
  #placeOf(code: AskedAbout['code']): string {
    const { folder, codeFolder = folder } = this.#ports;
    const below = code.flatMap(({ path: file }) => {
      if (file === undefined || path.isAbsolute(file)) return [];
      const place = path.join(codeFolder, file);
      return path.relative(codeFolder, place).startsWith('..') ? [] : [place];
    });
    return below[0] ?? folder;
  }

  /** Finds a package by the name that code imports, or else by its own, if the project gave it another one. */
  async #find(name: string, from: string): Promise<InstalledPackage | undefined> {
    const imported = await this.#ports.installed.find(name, from);
    if (imported) return imported;
    const { packages } = await this.#lists.list(from, new AbortController().signal);
    return packages.find((one) => one.name === name);
  }

  /** Adds packages, each with the one that declares its types, if it has none. Returns their ids. */
  async #addWithTypes(
    packages: readonly InstalledPackage[],
    from: string,
  ): Promise<readonly string[]> {
    const { installed } = this.#ports;
    const types = await Promise.all(packages.map((one) => installed.typesFor(one, from)));
    return this.#add([...packages, ...types.filter((one) => one !== undefined)]);
  }

  /** Adds the packages whose sets are missing or were installed again. Returns their ids. */
  async #add(packages: readonly InstalledPackage[]): Promise<readonly string[]> {
    const ids = unique(packages);
    await Promise.all(
      ids.map(async (one) => {
        await this.#adding.get(one.id);
        const known = this.#packages.get(one.id);
        const isOther = known?.folder === one.folder && known.stamp !== one.stamp;
        if (known && (!isOther || one.isLinked)) return;
        const adding = this.#adding.get(one.id) ?? this.#addSet(one, known !== undefined);
        this.#adding.set(one.id, adding);
        await adding.finally(() => this.#adding.delete(one.id));
      }),
    );
    return ids.map(({ id }) => id);
  }

  async #addSet(one: InstalledPackage, isKnown: boolean): Promise<void> {
    const { id, keptKey, isLinked } = one;
    if (isKnown) await this.#sets.remove(id);
    const source = await this.#ports.installed.open(one);
    this.#packages.set(id, one);
    const key = `package ${keptKey}`;
    this.#sets.add({ id, label: id, source, key, isFollowed: isLinked && this.#ports.readsAhead });
  }

  #addressed(address: string): ReturnType<PageAddresses['read']> {
    return this.#setIn(address.trim()) ?? this.#addresses.read(address);
  }

  /** Reads a path that begins with the id of a set. Parts of it can be encoded. */
  #setIn(address: string): { readonly set: string; readonly path: string } | undefined {
    for (const set of this.#packages.keys()) {
      for (const start of [`${set}/`, `${encodedId(set)}/`]) {
        if (address.startsWith(start)) return { set, path: address.slice(start.length) };
      }
    }
    return undefined;
  }
}

/** Returns an id as it is in an address, whose parts are encoded one by one. */
function encodedId(id: string): string {
  return id.split('/').map(encodeURIComponent).join('/');
}

/** Returns the facts of a page whose path names its set. The title says the version, too. */
function withSet<
  Page extends { readonly set?: DocsSet; readonly path: string; readonly title: string },
>(page: Page): Page {
  const { set, path: file, title } = page;
  if (!set) return page;
  return { ...page, path: `${set.id}/${file}`, title: `${set.label} › ${title}` };
}

/** Returns whether a package has a version, or one that begins with it. Each package has the empty one. */
function isVersion(wanted: string, { version }: InstalledPackage): boolean {
  return wanted === '' || `${version}.`.startsWith(`${wanted}.`);
}

/** Splits `@acme/sdk@2.1` into its name and its version, which is empty if there is none. */
function parsedName(named: string): { readonly name: string; readonly version: string } {
  const plain = named.trim();
  const at = plain.indexOf('@', 1);
  if (at < 0) return { name: plain, version: '' };
  return { name: plain.slice(0, at), version: plain.slice(at + 1).replace(/^v(?=\d)/, '') };
}

function linesOf(problems: readonly PackageProblem[]): readonly string[] {
  const kinds = [...new Set(problems.map(({ kind }) => kind))];
  return kinds.map((kind) =>
    problemLine(
      kind,
      problems.filter((problem) => problem.kind === kind).map(({ name }) => name),
    ),
  );
}
