/** Opens the docs that a service answers from: one set of docs, or the packages that are installed for a folder. */
import path from 'node:path';
import { systemClock } from '../../common/clock';
import { isLoopbackHost } from '../../common/http/address';
import type { OpenDocs, PagePlace, ShownPackages } from '../../common/localDocsApi';
import { silentLog } from '../../common/ports';
import { compareText } from '../../common/text/strings';
import type { DocsLibrary } from '../../docs/docsLibrary';
import {
  type DocsEngine,
  type DocsEnginePorts,
  docsRoot,
  type DocsSource,
  type IndexedDocs,
  openDocs,
} from '../../docs/engine';
import { InstalledEngine } from '../../docs/installedEngine';
import { type FoundPage, findPage } from '../../docs/pageAddress';
import { addressesAt, type PageAddresses, SETS_PATH } from '../../docs/pages/links';
import { decodeText } from '../../docs/pages/textEncoding';
import type { InstalledPackage } from '../../docs/sources/installed/installedDocs';
import { InstalledPackages } from '../../docs/sources/installed/installedPackages';
import { packageWithTypes } from '../../docs/sources/installed/typesFiles';
import { zipPlaceOf } from '../../docs/sources/installed/zipFiles';
import { parseUrl, percentDecoded } from '../../shared/links';

export type ServedSource = DocsSource | InstalledSource;

/** The packages that are installed for a folder of a workspace that the user trusts. */
interface InstalledSource {
  readonly kind: 'installed';
  readonly folder: string;
  /** Top of the workspace, above which nothing is read. The folder itself if absent. */
  readonly root?: string;
  /** Docs that are asked together with the packages. */
  readonly beside?: DocsSource;
}

/** The docs that a service answers from. */
export interface ServedEngine
  extends
    OpenDocs,
    Pick<
      DocsEngine,
      'prepare' | 'start' | 'close' | 'place' | 'whenIndexed' | 'refresh' | 'cancelRefresh'
    > {
  /** Returns the pages of a set, or those of the only docs if the id is undefined. */
  libraryOf(set: string | undefined): DocsLibrary | undefined;
  /** The packages. Absent if the docs aren't those of installed packages. */
  readonly packages?: ShownPackages;
  /** Reads the docs of packages before those of others, such as those that the code in the editor imports. */
  readonly readPackagesFirst?: (names: readonly string[]) => Promise<void>;
  /** Resolves with the number of packages whose docs will be read. Absent like `packages`. */
  readonly whenListed?: () => Promise<number>;
}

/** The part of an engine that the routes of the API need. */
export type AskedEngine = OpenDocs & Pick<ServedEngine, 'prepare' | 'packages'>;

interface ServedEnginePorts extends Omit<DocsEnginePorts, 'addresses'> {
  /** Returns the base URL of the service, without a slash at its end. */
  readonly origin: () => string;
}

/**
 * Longest wait of a question for packages that are read for the first time. The first answer should come while the
 * others are read.
 */
const PATIENCE_MS = 5000;
/** Largest file of an archive that is shown. */
const MAX_SHOWN_BYTES = 8 * 1024 * 1024;

/**
 * Opens docs, which are read after {@link ServedEngine.start}.
 * @throws {DocsError} for a folder that doesn't exist or a URL that can't be the URL of a site.
 */
export async function openServed(
  source: ServedSource,
  ports: ServedEnginePorts,
): Promise<ServedEngine> {
  if (source.kind !== 'installed') {
    return openDocs(source, { ...ports, addresses: addressesAt(ports.origin) });
  }
  const { translate } = ports;
  const folder = await docsRoot(source.folder, translate);
  const root = source.root === undefined ? folder : await docsRoot(source.root, translate);
  // The paths of packages' pages are known to the engine of the packages, which is made of these docs.
  const inPackages: { read?: PageAddresses['read'] } = {};
  const addresses = addressesAt(ports.origin);
  const beside =
    source.beside &&
    (await openDocs(source.beside, {
      ...ports,
      addresses: {
        write: addresses.write,
        read: (address) => (inPackages.read ?? addresses.read)(address),
      },
    }));
  return servedPackages({ folder, root, beside, inPackages }, ports);
}

interface PackagesToServe {
  readonly folder: string;
  readonly root: string;
  readonly beside: DocsEngine | undefined;
  /** Gets the reader of addresses that knows the packages. */
  readonly inPackages: { read?: PageAddresses['read'] };
}

function servedPackages(
  { folder, root, beside, inPackages }: PackagesToServe,
  ports: ServedEnginePorts,
): ServedEngine {
  const { origin, clock = systemClock, log = silentLog, patienceMs = PATIENCE_MS } = ports;
  const { newId, writer, replyLimits, vectorsFolder, indexFolder } = ports;
  const addresses = addressesAt(origin);
  // A window starts a service only after the user trusts the workspace. Who starts one by hand trusts the folder.
  const isTrusted = (): boolean => true;
  const installed = new InstalledPackages({ root, isTrusted, clock, log });
  let known: ReadonlyMap<string, InstalledPackage> = new Map();
  const engine = new InstalledEngine({
    installed,
    folder,
    codeFolder: root,
    addresses: (packages) => {
      known = packages;
      return addresses;
    },
    readsAhead: true,
    beside:
      beside &&
      ((known) => {
        inPackages.read = known.read;
        return beside;
      }),
    clock,
    log,
    newId,
    writer,
    replyLimits,
    vectorsFolder,
    indexFolder,
    patienceMs,
  });
  const closing = new AbortController();
  const list = async (signal: AbortSignal): Promise<readonly InstalledPackage[]> =>
    (await engine.list(AbortSignal.any([signal, closing.signal]))).packages;
  let listing: ReturnType<typeof list> | undefined;
  const listed = (): ReturnType<typeof list> => (listing ??= list(closing.signal));

  /** Returns a page that a reply cited, also if its package was not asked since this process started. */
  async function cited(
    address: string,
  ): Promise<(FoundPage & { one: InstalledPackage }) | undefined> {
    const own = addresses.read(atThisPort(address, origin()));
    if (own?.set !== undefined && !known.has(own.set)) await engine.setsOf(own.set);
    // An address of this service without a set is that of the docs beside the packages.
    if (own && own.set === undefined) return undefined;
    const sets = own?.set === undefined ? [...known.keys()] : [own.set];
    for (const id of sets) {
      const [one, library] = [known.get(id), engine.libraryOf(id)];
      if (!one || !library) continue;
      await library.settle(patienceMs, closing.signal);
      const found = await findPage(library, addresses, own?.path ?? address);
      // A URL of the web is only that of a page which says so itself.
      if (found && (own || isPublishedAt(found, address))) return { ...found, one };
    }
    return undefined;
  }

  async function placeOf(address: string): Promise<PagePlace | undefined> {
    const found = await cited(address);
    if (!found) return undefined;
    const { page, fragment, one } = found;
    const slug = percentDecoded(fragment.slice(1));
    const section = page.sections.find((other) => other.slug === slug) ?? page.sections[0];
    const { package: other, through = [], file = page.path, line } = section?.place ?? {};
    let owner: InstalledPackage | undefined = one;
    for (const name of other === undefined ? [] : [...through, other])
      owner = owner && (await packageWithTypes(installed, name, owner));
    const files = owner && (await installed.filesOf(owner));
    // A link could lead to any file of this machine, so only plain files are named.
    if (!owner || (await files?.kindOf(file)) !== 'file') return undefined;
    const isInArchive = (await zipPlaceOf(owner.folder)) !== undefined;
    const bytes = isInArchive ? await files?.readBytes(file, MAX_SHOWN_BYTES) : undefined;
    return {
      package: owner.id,
      path: file,
      file: path.join(owner.folder, ...file.split('/')),
      line,
      text: bytes && decodeText(bytes),
      isLinked: owner.isLinked,
      homepage: page.canonicalUrl ?? owner.homepage ?? owner.repository,
    };
  }

  async function whenIndexed(): Promise<IndexedDocs> {
    const ids = new Set((await listed()).map(({ id }) => id));
    const counts = (await beside?.whenIndexed()) ?? { pages: 0, sections: 0, sizeBytes: 0 };
    let { pages, sections, sizeBytes } = counts;
    for (const id of ids) {
      const library = engine.libraryOf(id);
      // A package that can't be read is logged. The others are there without it.
      await library?.whenIndexed().catch(() => undefined);
      pages += library?.index.pageCount ?? 0;
      sections += library?.index.sectionCount ?? 0;
      sizeBytes += library?.sizeBytes ?? 0;
    }
    return { pages, sections, sizeBytes };
  }

  return {
    place: folder,
    libraryOf: (set) => (set === undefined ? beside?.library : engine.libraryOf(set)),
    start: () => void listed().catch(() => undefined),
    close: () => {
      closing.abort(new Error('The docs were closed.'));
      return engine.close();
    },
    readPackagesFirst: (names) => engine.readFirst(names),
    whenListed: async () => (await listed()).length,
    whenIndexed,
    // The packages themselves say what changed: they are listed for each question.
    refresh: () => beside?.refresh() ?? Promise.resolve(),
    cancelRefresh: () => beside?.cancelRefresh(),
    prepare: (question, signal) => engine.prepare(question, signal),
    ask: (question, signal) => engine.ask(question, signal),
    search: (request, signal) => engine.search(request, signal),
    page: (request, signal) => engine.page(request, signal),
    pages: (request, signal) => engine.pages(request, signal),
    filters: (signal) => engine.filters(signal),
    claims: (request, signal) => engine.claims(request, signal),
    proof: (request, signal) => engine.proof(request, signal),
    pathOf: (address) => engine.pathOf(address),
    packages: {
      setsOf: (named) => engine.setsOf(named),
      packages: async (signal) => ({
        packages: (await list(signal))
          .map(({ importedAs: name, version, description }) => ({ name, version, description }))
          .sort((one, other) => compareText(one.name, other.name)),
      }),
      place: async ({ page }) => ({ place: await placeOf(page) }),
    },
  };
}

/** Returns the address of a page of this service with the port that it has now. Others stay as they are. */
function atThisPort(address: string, origin: string): string {
  const url = parseUrl(address);
  const isOwn =
    url !== undefined && isLoopbackHost(url.hostname) && url.pathname.startsWith(SETS_PATH);
  return isOwn ? `${origin}${url.pathname}${url.hash}` : address;
}

function isPublishedAt({ page }: FoundPage, address: string): boolean {
  const published = page.canonicalUrl === undefined ? undefined : parseUrl(page.canonicalUrl);
  return published !== undefined && published.host === parseUrl(address)?.host;
}
