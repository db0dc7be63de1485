/** Answers from an index in PostgreSQL. Nothing of it but the facts of the pages stays in the process. */
import { untilAborted } from '../../../common/clock';
import { errorCodeOrName } from '../../../common/errorCode';
import type { Event } from '../../../common/event';
import type { DocsQuestion } from '../../../common/localDocsApi';
import type { Clock, Log } from '../../../common/ports';
import type { AskedDocs, ReadableSet } from '../../../docs/askedDocs';
import type { SiteEngine } from '../../../docs/engine';
import { PartIndex } from '../../../docs/parts/partIndex';
import {
  checkTextClaims,
  listFilters,
  listPages,
  proveFromPages,
  readPage,
  type ReadingPorts,
  searchDocs,
} from '../../../docs/reading';
import type { PageFile } from '../../../docs/sources/docsFolder';
import { type PreparedReply, preparedReply } from '../../../docs/writers/preparedReply';
import type { EngineChange } from '../../../docs/writers/replyChanges';
import type { SiteAudience } from '../sites/siteAudience';
import { SiteNotReady, type StoredDocsPorts } from '../sites/siteLoader';
import * as v from 'valibot';
import type { Database } from './database';
import { includesSchema } from './storedPages';
import { type IndexCaches, readIndex, type StoredIndex, StoredParts } from './storedParts';

interface StoredEnginePorts extends StoredDocsPorts {
  readonly database: Database;
  readonly caches: IndexCaches;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns the generation of the site's pages that this process knows of. */
  readonly generation: () => number;
  /** Fires when this process has looked at the generations of all sites. */
  readonly onLooked: Event<void>;
  /** Brings the index up to date, or makes it. */
  readonly writeIndex: (signal: AbortSignal) => Promise<void>;
}

/** Milliseconds between two looks for an index that a replica doesn't have yet. */
const WAIT_MS = 200;
/** Milliseconds that a question waits for an index that is being made. */
const PATIENCE_MS = 10_000;
/** Milliseconds after which an index is marked as asked again. */
const MARK_MS = 24 * 60 * 60 * 1000;

export class StoredEngine implements SiteEngine {
  readonly #domain: string;
  readonly #audience: SiteAudience;
  readonly #ports: StoredEnginePorts;
  readonly #closing = new AbortController();
  #index: StoredIndex | undefined;
  #updating: Promise<StoredIndex> | undefined;
  #listening: { dispose(): void } | undefined;
  #markedAt = -Infinity;
  #hasFailed = false;

  constructor(domain: string, audience: SiteAudience, ports: StoredEnginePorts) {
    this.#domain = domain;
    this.#audience = audience;
    this.#ports = ports;
  }

  start(): void {
    this.#listening = this.#ports.onLooked(() => this.#look());
    this.#look();
  }

  async whenIndexed(): Promise<{ readonly pages: number; readonly sections: number }> {
    if (!this.#index) await this.refresh();
    const { facts } = await this.#ready();
    return { pages: facts.pages.length, sections: facts.sectionLengths.count };
  }

  async refresh(): Promise<void> {
    await this.#newest();
  }

  close(): Promise<void> {
    this.#listening?.dispose();
    this.#closing.abort(new Error('The docs were closed.'));
    return Promise.resolve();
  }

  async reading<Result>(read: (docs: ReadableSet) => Promise<Result>): Promise<Result> {
    return this.#run((_docs, set) => read(set));
  }

  async *ask(question: DocsQuestion, signal: AbortSignal): AsyncGenerator<EngineChange> {
    yield* (await this.prepare(question, signal)).changes;
  }

  prepare(question: DocsQuestion, signal: AbortSignal): Promise<PreparedReply> {
    const { addresses, clock, log, newId } = this.#ports;
    const asked = [question.text, ...question.earlier.map((turn) => turn.question)];
    return this.#run(
      (docs) => preparedReply({ docs, addresses, clock, log, newId }, question, signal),
      asked.join('\n'),
    );
  }

  search(...[request, signal]: Parameters<SiteEngine['search']>) {
    return this.#read((ports) => searchDocs(ports, request, signal), request.query);
  }

  page(...[request]: Parameters<SiteEngine['page']>) {
    return this.#read((ports) => readPage(ports, request));
  }

  pages(...[request]: Parameters<SiteEngine['pages']>) {
    return this.#read((ports) => listPages(ports, request));
  }

  filters() {
    return this.#read(listFilters);
  }

  claims(...[request, signal]: Parameters<SiteEngine['claims']>) {
    return this.#read((ports) => checkTextClaims(ports, request, signal));
  }

  proof(...[request]: Parameters<SiteEngine['proof']>) {
    return this.#read((ports) => proveFromPages(ports, request));
  }

  pathOf(address: string): string | undefined {
    return this.#ports.addresses.read(address)?.path;
  }

  #read<Result>(
    read: (ports: ReadingPorts) => Result | Promise<Result>,
    text?: string,
  ): Promise<Result> {
    const { addresses } = this.#ports;
    return this.#run((docs) => read({ docs, addresses }), text);
  }

  /**
   * Reads the docs as they are now, until it has all that it asks for.
   * @param text that is searched for. A search without some of its words would be run for nothing.
   */
  async #run<Result>(
    read: (docs: AskedDocs, set: ReadableSet) => Result | Promise<Result>,
    text = '',
  ): Promise<Result> {
    const stored = await this.#ready();
    const { database, caches } = this.#ports;
    const parts = new StoredParts(database, stored, caches);
    const index = new PartIndex(stored.facts, parts);
    const set = { index, source: this.#sourceOf(stored), isIndexed: true };
    const docs = { libraries: [set], index, isIndexed: true };
    await parts.complete(() => index.lookUp(text));
    return parts.complete(() => read(docs, set));
  }

  /** Returns the files of the pages that the audience sees. Images aren't stored. */
  #sourceOf({ id, facts, numbers, config }: StoredIndex): ReadableSet['source'] {
    const rowOf = async (path: string) => {
      const number = numbers[facts.byPath.get(path) ?? -1];
      if (number === undefined) return undefined;
      // A page that has changed since may be one that the audience doesn't see.
      return this.#ports.database.read((db) =>
        db
          .selectFrom('index_pages as own')
          .innerJoin('pages', (join) =>
            join.onRef('pages.path', '=', 'own.path').onRef('pages.stamp', '=', 'own.stamp'),
          )
          .select(['pages.source', 'pages.stamp', 'pages.canonical_url', 'pages.includes'])
          .where('pages.domain', '=', this.#domain)
          .where('own.index_id', '=', id)
          .where('own.number', '=', number)
          .executeTakeFirst(),
      );
    };
    return {
      read: async (path): Promise<PageFile | undefined> => {
        const row = await rowOf(path);
        return (
          row && {
            source: row.source,
            stamp: row.stamp,
            canonicalUrl: row.canonical_url ?? undefined,
          }
        );
      },
      readIncludes: async (path) => {
        const row = await rowOf(path);
        return new Map(row ? Object.entries(v.parse(includesSchema, row.includes)) : []);
      },
      readFile: () => Promise.resolve(undefined),
      readConfig: () => Promise.resolve(config),
    };
  }

  /** Returns the index. @throws {SiteNotReady} if it takes long to be made. */
  async #ready(): Promise<StoredIndex> {
    if (this.#index) return this.#index;
    const given = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      return await untilAborted(this.#newest(), given);
    } catch (error) {
      if (given.aborted) throw new SiteNotReady();
      throw error;
    }
  }

  /** Takes the newest generation over in the background. */
  #look(): void {
    const { clock, generation, log } = this.#ports;
    const isOld = (this.#index?.generation ?? 0) < generation();
    if (!isOld && clock.now() - this.#markedAt < MARK_MS) return;
    (isOld ? this.refresh() : this.#mark()).then(
      () => (this.#hasFailed = false),
      (error: unknown) => {
        if (this.#closing.signal.aborted || this.#hasFailed) return;
        this.#hasFailed = true;
        log.warn(`The index of ${this.#domain} can't be read: ${errorCodeOrName(error)}`);
      },
    );
  }

  /** Takes the newest generation over, once for all who ask for it meanwhile. */
  #newest(): Promise<StoredIndex> {
    this.#updating ??= this.#update().finally(() => (this.#updating = undefined));
    return this.#updating;
  }

  async #update(): Promise<StoredIndex> {
    const { database, generation, clock, writeIndex, onChanged } = this.#ports;
    const { signal } = this.#closing;
    let isWritten = false;
    for (;;) {
      const wanted = generation();
      if (this.#index && this.#index.generation >= wanted) return this.#index;
      const read = await readIndex(database, this.#domain, this.#audience.rules);
      signal.throwIfAborted();
      if (read && read.generation >= wanted) {
        this.#index = read;
        onChanged({ pages: read.facts.pages.length });
        void this.#mark().catch(() => undefined);
        return read;
      }
      if (!isWritten) await writeIndex(signal);
      // A replica has it a moment later.
      else await clock.delay(WAIT_MS, signal);
      isWritten = true;
    }
  }

  /** Marks the index as asked, so that it is kept. */
  async #mark(): Promise<void> {
    const { clock, database } = this.#ports;
    if (!this.#index) return;
    const { id } = this.#index;
    await database.run((db) =>
      db
        .updateTable('site_indexes')
        .set({ asked_at: new Date(clock.now()) })
        .where('id', '=', id)
        .execute(),
    );
    this.#markedAt = clock.now();
  }
}
