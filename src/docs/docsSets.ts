/** Several sets of docs in one engine: adds and removes them, and answers over all or some of them. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../common/clock';
import { errorCodeOrName } from '../common/errorCode';
import type { DocsQuestion, DocsSet, OpenDocs } from '../common/localDocsApi';
import { type Clock, type Log, type NewId, silentLog } from '../common/ports';
import { type AskedDocs, askedDocs } from './askedDocs';
import type { Cleaning } from './kept/keptPages';
import { DocsLibrary, type DocsLibraryPorts } from './docsLibrary';
import type { PageAddresses } from './pages/links';
import type { DocsPage } from './pages/page';
import {
  checkTextClaims,
  listFilters,
  listPages,
  proveFromPages,
  readPage,
  type ReadingPorts,
  searchDocs,
} from './reading';
import type { PageSource } from './sources/pageSource';
import type { TextLimits } from './writers/limitedText';
import { type PreparedReply, preparedReply, type ReplyPorts } from './writers/preparedReply';
import type { EngineChange } from './writers/replyChanges';
import type { ReplyWriter } from './writers/replyWriter';
import { SimilarSections } from './writers/similarSections';

export interface DocsSetsPorts {
  readonly addresses: PageAddresses;
  readonly clock?: Clock;
  readonly log?: Log;
  readonly newId?: NewId;
  /** Has the model that writes the replies. If absent, replies quote the docs. */
  readonly writer?: ReplyWriter;
  /** Limits of a reply that a model writes. */
  readonly replyLimits?: TextLimits;
  /** Folder for the vectors of sections. If absent, they stay in memory. */
  readonly vectorsFolder?: string;
  /** Folder that keeps what was read of the pages for the next process. If absent, nothing is kept. */
  readonly indexFolder?: string;
  /** Maximum milliseconds that a question waits for the first indexing. */
  readonly patienceMs?: number;
}

/** A set of docs to add to an engine, such as the docs of an installed package. */
interface NewDocsSet extends DocsSet {
  /** Yields and reads the pages. Their paths are relative to the set. */
  readonly source: PageSource;
  /**
   * Names what was read of the pages on disk. Sets with the same key share it, in all processes, so a key belongs to
   * one content, such as `package next@15.5.0` with the folder or the hash that it comes from.
   */
  readonly key: string;
  /** Whether later changes of the pages are indexed. Not by default. */
  readonly isFollowed?: boolean;
}

/** One of an engine's sets. */
interface DocsSetState extends DocsSet {
  /** Number of pages that have been read. */
  readonly pages: number;
  /** Whether reading has ended. */
  readonly isIndexed: boolean;
}

/**
 * Sets of docs that this process has opened. They can be added and removed at any time, up to hundreds. Requests name
 * the sets that they ask by their ids (`sets`), or ask all of them. Results and sources tell the set of each page.
 */
export interface DocsSets extends OpenDocs {
  /** The sets in the order in which they were added. */
  readonly sets: readonly DocsSetState[];
  /**
   * Adds a set. Its pages are read in the background, behind those of the sets that were added before it, or as soon
   * as a request names it.
   * @throws if the engine already has a set with this id.
   */
  add(set: NewDocsSet): void;
  /** Removes a set. Requests that already run still find its pages. Does nothing for an unknown id. */
  remove(id: string): Promise<void>;
  /** Returns the pages of a set, or those that the engine was opened with. Undefined for an unknown id. */
  libraryOf(id: string | undefined): DocsLibrary | undefined;
  /** Moves sets to the front of those that wait to be read, the first of them first. */
  readFirst(ids: readonly string[]): void;
  /** Resolves when sets have been read, or after the time that a question waits for them. */
  ready(ids: readonly string[], signal: AbortSignal): Promise<void>;
  /** Starts to read the docs. Call it once. */
  start(): void;
  ask(question: DocsQuestion, signal: AbortSignal): AsyncGenerator<EngineChange>;
  /** Searches for a question. Its reply is written while its changes are read. */
  prepare(question: DocsQuestion, signal: AbortSignal): Promise<PreparedReply>;
  /** Ends running replies and stops reading. Safe to call twice. */
  close(): Promise<void>;
}

/** Names the docs that an engine was opened with, where a request names the sets that it asks. */
export const OWN_DOCS = '';

const DEFAULT_PATIENCE_MS = 1000;
/** Number of added sets that are read at the same time, unless requests name more. */
const READ_AT_ONCE = 2;
/** Number of sets whose reading begins at once because a request names them. */
const READ_NAMED_AT_ONCE = 8;

/** A library to make, with the key of what is kept of its pages. */
type NewLibrary = Omit<DocsLibraryPorts, 'clock' | 'log' | 'kept'> & { readonly key: string };

/** The engine over its sets. */
export class SetsEngine implements DocsSets {
  readonly place: string;
  readonly #ports: DocsSetsPorts;
  readonly #stopping = new AbortController();
  readonly #similar: SimilarSections;
  readonly #replying: Omit<ReplyPorts, 'docs'>;
  /** Sets by their id, which is undefined for the docs that the engine was opened with. */
  readonly #libraries = new Map<string | undefined, DocsLibrary>();
  /** Ids of the added sets whose reading has not begun, in the order in which it will. */
  #waiting: string[] = [];
  #reading = 0;
  readonly #cleaning: Cleaning = { at: -Infinity };
  #isStarted = false;
  #following: { dispose: () => void } | undefined;
  #closed: Promise<void> | undefined;

  constructor(place: string, ports: DocsSetsPorts) {
    const { addresses, clock = systemClock, log = silentLog, newId = randomUUID, writer } = ports;
    this.#ports = ports;
    this.place = place;
    this.#similar = new SimilarSections({
      pages: () => this.#pages(),
      root: place,
      folder: ports.vectorsFolder,
      embedder: () => writer?.embedder,
      clock,
      log,
      stopping: this.#stopping.signal,
    });
    this.#replying = { addresses, clock, newId, log, writer, limits: ports.replyLimits };
  }

  *#pages(): Iterable<DocsPage> {
    for (const { index } of this.#libraries.values()) yield* index.pages();
  }

  get sets(): readonly DocsSetState[] {
    return [...this.#libraries.values()].flatMap(({ index, isIndexed }) => {
      const { set, pageCount: pages } = index;
      return set ? [{ ...set, pages, isIndexed }] : [];
    });
  }

  add({ id, label, source, key, isFollowed = false }: NewDocsSet): void {
    if (this.#libraries.has(id)) throw new Error(`The engine already has the set ${id}`);
    if (this.isClosed) return;
    this.makeLibrary({ set: { id, label }, source, key, isFollowed });
    this.#waiting.push(id);
    this.#readNext();
  }

  async remove(id: string): Promise<void> {
    const library = this.#libraries.get(id);
    this.#libraries.delete(id);
    await library?.stop();
  }

  libraryOf(id: string | undefined): DocsLibrary | undefined {
    return this.#libraries.get(id);
  }

  readFirst(ids: readonly string[]): void {
    const first = ids.filter((id) => this.#waiting.includes(id));
    this.#waiting = [...new Set([...first, ...this.#waiting])];
  }

  async ready(ids: readonly string[], signal: AbortSignal): Promise<void> {
    await this.#settle(signal, ids);
  }

  /** Makes the library of a set, which belongs to the engine from now on. */
  protected makeLibrary({ key, ...ports }: NewLibrary): DocsLibrary {
    const { clock = systemClock, log = silentLog, indexFolder } = this.#ports;
    const kept =
      indexFolder === undefined
        ? undefined
        : { folder: indexFolder, docs: key, cleaning: this.#cleaning };
    const library = new DocsLibrary({ ...ports, clock, log, kept });
    this.#libraries.set(ports.set?.id, library);
    return library;
  }

  protected get isClosed(): boolean {
    return this.#stopping.signal.aborted;
  }

  start(): void {
    this.#isStarted = true;
    this.#following = this.#ports.writer?.onDidChange(() => this.updateVectors());
    this.#readNext();
  }

  async *ask(question: DocsQuestion, signal: AbortSignal): AsyncGenerator<EngineChange> {
    const ending = this.#untilClosed(signal);
    const { changes } = await this.prepare(question, ending);
    for await (const change of changes) {
      ending.throwIfAborted();
      yield change;
    }
  }

  async prepare(question: DocsQuestion, signal: AbortSignal): Promise<PreparedReply> {
    const docs = await this.#settle(signal, question.sets);
    return preparedReply(
      { ...this.#replying, docs, similar: this.#similarIn(docs) },
      question,
      this.#untilClosed(signal),
    );
  }

  async search(...[request, signal]: Parameters<OpenDocs['search']>) {
    const docs = await this.#settle(signal, request.sets);
    return searchDocs(this.#readingOf(docs), request, signal);
  }

  async page(...[request, signal]: Parameters<OpenDocs['page']>) {
    return readPage(this.#readingOf(await this.#settle(signal, request.sets)), request);
  }

  async pages(...[request, signal]: Parameters<OpenDocs['pages']>) {
    return listPages(this.#readingOf(await this.#settle(signal, request.sets)), request);
  }

  async filters(signal: AbortSignal) {
    return listFilters(this.#readingOf(await this.#settle(signal, undefined)));
  }

  async claims(...[request, signal]: Parameters<OpenDocs['claims']>) {
    const docs = await this.#settle(signal, request.sets);
    return checkTextClaims(this.#readingOf(docs), request, signal);
  }

  async proof(...[request, signal]: Parameters<OpenDocs['proof']>) {
    // Nobody asked these docs, so a comparison doesn't fetch their site again.
    const docs = await this.#settle(signal, request.sets, false);
    return proveFromPages(this.#readingOf(docs), request);
  }

  pathOf(address: string): string | undefined {
    return this.#ports.addresses.read(address)?.path;
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /** Makes the vectors that are missing, once the sets that are being read have been read. */
  protected updateVectors(): void {
    const reading = [...this.#libraries.values()].map((library) => library.whenIndexed());
    void Promise.all(reading).then(
      () => this.#similar.update(),
      () => undefined,
    );
  }

  /**
   * Waits for the pages of the asked sets, at most for a moment: a question is answered from those read so far. Sets
   * that the request names begin to be read at once.
   */
  async #settle(
    signal: AbortSignal,
    ids: readonly string[] | undefined,
    isUse = true,
  ): Promise<AskedDocs> {
    const libraries = this.#librariesOf(ids);
    this.readFirst(ids ?? []);
    for (const id of (ids ?? []).slice(0, READ_NAMED_AT_ONCE)) this.#read(id);
    if (isUse) for (const { source } of libraries) source.use?.();
    const patienceMs = this.#ports.patienceMs ?? DEFAULT_PATIENCE_MS;
    const ending = this.#untilClosed(signal);
    await Promise.all(libraries.map((library) => library.settle(patienceMs, ending)));
    return askedDocs(libraries);
  }

  #librariesOf(ids: readonly string[] | undefined): DocsLibrary[] {
    if (!ids) return [...this.#libraries.values()];
    return [...new Set(ids)].flatMap(
      (id) => this.#libraries.get(id === OWN_DOCS ? undefined : id) ?? [],
    );
  }

  #readingOf(docs: AskedDocs): ReadingPorts {
    return { docs, addresses: this.#ports.addresses, similar: this.#similarIn(docs) };
  }

  /** Returns the search by meaning over some sets. */
  #similarIn({ index }: AskedDocs): ReplyPorts['similar'] {
    if (!this.#ports.writer) return undefined;
    const ids = new Set(index.sets.map(({ set }) => set?.id));
    return {
      find: (queries, count, accepts, signal) =>
        this.#similar.find(
          queries,
          count,
          (page) => ids.has(page.set?.id) && accepts(page),
          signal,
        ),
    };
  }

  /** Begins to read the sets that wait, as long as few are being read. */
  #readNext(): void {
    while (this.#isStarted && this.#reading < READ_AT_ONCE) {
      const [id] = this.#waiting;
      if (id === undefined) return;
      this.#read(id);
    }
  }

  /** Begins to read a set, if it waits and has not been removed. */
  #read(id: string): void {
    if (!this.#isStarted || !this.#waiting.includes(id)) return;
    this.#waiting = this.#waiting.filter((other) => other !== id);
    const library = this.#libraries.get(id);
    if (!library) return;
    this.#reading++;
    library.start();
    void library
      .whenIndexed()
      .then(() => this.#similar.update())
      .catch((error: unknown) => {
        this.#ports.log?.warn(`Can't read the docs ${id}: ${errorCodeOrName(error)}`);
      })
      .finally(() => {
        this.#reading--;
        this.#readNext();
      });
  }

  #untilClosed(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#stopping.signal]);
  }

  async #close(): Promise<void> {
    this.#stopping.abort(new Error('The docs were closed.'));
    this.#waiting = [];
    this.#following?.dispose();
    const libraries = [...this.#libraries.values()];
    await Promise.all([...libraries.map((library) => library.stop()), this.#similar.whenIdle()]);
  }
}

/**
 * Opens an engine that has no docs of its own, for sets that are added to it.
 * @param place names what is kept for all sets together, such as their vectors.
 */
export function openSets(place: string, ports: DocsSetsPorts): DocsSets {
  return new SetsEngine(place, ports);
}
