/** Finds sections by meaning. Uses `node:timers` so that other requests can run in between. */
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Log } from '../../common/ports';
import { cutText } from '../../common/text/strings';
import type { DocsPage, FoundSection } from '../pages/page';
import type { Section } from '../pages/sections';
import { toModelError } from './model';
import { sectionTitle } from './prompt';
import { contentHash, cosineSimilarity, toVector, type Vector, VectorStore } from './vectorStore';

/** A model that makes vectors of texts. */
export interface Embedder {
  /** Name that is unique for the model and its endpoint. */
  readonly id: string;
  /** @throws {ModelError} */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** Number of texts in one request. An endpoint on a laptop needs about a second for them. */
const BATCH_SIZE = 32;
/** Maximum characters of a section's text. Small embedding models only read 512 tokens. */
const MAX_SECTION_LENGTH = 1800;
/** Maximum milliseconds that a question waits for the vectors of its queries. */
const QUERY_PATIENCE_MS = 3000;
/** Maximum milliseconds for one batch. The endpoint may have to load the model first. */
const BATCH_PATIENCE_MS = 120_000;
/** Milliseconds after a failure until the next request to the endpoint. */
const REST_AFTER_FAILURE_MS = 60_000;
/** Share of the sections that need a vector. The nearest of a few sections can be far from the question. */
const MIN_SHARE = 0.9;
/** Number of sections to compare before other requests can run. They take a few milliseconds. */
const SECTIONS_PER_TURN = 1000;

interface SimilarSectionsPorts {
  /** Returns the pages of all sets. */
  readonly pages: () => Iterable<DocsPage>;
  /** Absolute path of the docs folder. Each folder has its own file of vectors. */
  readonly root: string;
  /** Folder for the files of vectors. If undefined, vectors are only in memory. */
  readonly folder: string | undefined;
  /** Returns the embedding model that the reader chose, if any. */
  readonly embedder: () => Embedder | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

/**
 * Finds sections by meaning, with the reader's own embedding model. Makes the vectors in the background, and
 * stores them by the content of their section. Returns nothing while that is not possible, so that the search
 * by words works alone.
 */
export class SimilarSections {
  readonly #ports: SimilarSectionsPorts;
  readonly #hashes = new WeakMap<Section, string>();
  #store: VectorStore | undefined;
  #storeId = '';
  /** Resolves when the kept vectors are read. */
  #loading: Promise<void> | undefined;
  #working: Promise<void> | undefined;
  /** The model that failed last, and when it is asked again. A reader's next choice is asked at once. */
  #failed: { readonly model: Embedder; readonly until: number } | undefined;

  constructor(ports: SimilarSectionsPorts) {
    this.#ports = ports;
  }

  /** Starts to make the missing vectors in the background, unless this is already running. */
  update(): void {
    const { log, stopping, embedder } = this.#ports;
    const model = embedder();
    if (!model || this.#working || stopping.aborted || this.#rests(model)) return;
    this.#working = this.#makeVectors(model)
      .catch((error: unknown) => {
        if (stopping.aborted) return;
        this.#letRest(model);
        log.warn(`Sections are found by words only: no vectors (${toModelError(error).code})`);
      })
      .finally(() => {
        this.#working = undefined;
        // The reader can have chosen another one in the meantime.
        if (embedder() !== model) this.update();
      });
  }

  #rests(model: Embedder): boolean {
    return this.#failed?.model === model && this.#ports.clock.now() < this.#failed.until;
  }

  #letRest(model: Embedder): void {
    this.#failed = { model, until: this.#ports.clock.now() + REST_AFTER_FAILURE_MS };
  }

  /** Resolves when no vectors are being made. */
  async whenIdle(): Promise<void> {
    await this.#working;
  }

  /**
   * Returns the sections nearest to any of the queries, best first.
   * @returns undefined while most sections have no vectors, or if the endpoint doesn't answer in time.
   */
  async find(
    queries: readonly string[],
    count: number,
    accepts: (page: DocsPage) => boolean,
    signal: AbortSignal,
  ): Promise<FoundSection[] | undefined> {
    const { embedder, pages, log } = this.#ports;
    this.update();
    const model = embedder();
    await this.#loading;
    const store = this.#store;
    if (model && store?.size === 0) await this.#firstVectors(signal);
    if (!model || !store || store.size === 0 || this.#storeId !== model.id) return undefined;
    if (this.#rests(model)) return undefined;
    let vectors: readonly Vector[];
    try {
      vectors = await this.#embed(model, queries, QUERY_PATIENCE_MS, signal);
    } catch (error) {
      signal.throwIfAborted();
      this.#letRest(model);
      log.warn(`Sections are found by words only (${toModelError(error).code})`);
      return undefined;
    }
    if (vectors[0]?.bytes.length !== store.dimensions) {
      log.info('The embedding model has changed. The vectors of the sections are made again.');
      store.clear();
      this.update();
      return undefined;
    }
    const scored: { readonly found: FoundSection; readonly score: number }[] = [];
    let compared = 0;
    let accepted = 0;
    for (const page of pages()) {
      if (!accepts(page)) continue;
      accepted += page.sections.length;
      for (const section of page.sections) {
        const vector = store.get(this.#hashOf(page, section));
        if (!vector) continue;
        const score = Math.max(...vectors.map((query) => cosineSimilarity(query, vector)));
        scored.push({ found: { page, section }, score });
        if (++compared % SECTIONS_PER_TURN === 0) await nextTurn();
      }
    }
    signal.throwIfAborted();
    if (scored.length < MIN_SHARE * accepted) return undefined;
    return scored
      .sort((one, other) => other.score - one.score)
      .slice(0, count)
      .map(({ found }) => found);
  }

  /** Waits a moment for the first vectors. Those of a few pages are made within it. */
  async #firstVectors(signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const either = AbortSignal.any([signal, ending.signal]);
    const pause = this.#ports.clock.delay(QUERY_PATIENCE_MS, either).catch(() => undefined);
    await Promise.race([this.#working, pause]);
    ending.abort();
  }

  async #makeVectors(model: Embedder): Promise<void> {
    const { pages, log, stopping } = this.#ports;
    if (this.#storeId !== model.id) {
      const store = new VectorStore(this.#fileOf(model), log);
      this.#store = store;
      this.#storeId = model.id;
      this.#loading = store.load();
      await this.#loading;
    }
    const store = this.#store;
    if (!store) return;
    const used = new Set<string>();
    let batch = new Map<string, string>();
    let made = 0;
    const finishBatch = async (): Promise<void> => {
      if (batch.size === 0) return;
      const hashes = [...batch.keys()];
      const vectors = await this.#embed(model, [...batch.values()], BATCH_PATIENCE_MS, stopping);
      const byHash = new Map(
        hashes.flatMap((hash, place) => {
          const vector = vectors[place];
          return vector ? [[hash, vector] as const] : [];
        }),
      );
      await store.add(byHash);
      made += batch.size;
      batch = new Map();
    };
    let seen = 0;
    for (const page of [...pages()]) {
      for (const section of page.sections) {
        const hash = this.#hashOf(page, section);
        used.add(hash);
        if (++seen % SECTIONS_PER_TURN === 0) await nextTurn();
        if (store.get(hash) || store.isFull) continue;
        batch.set(hash, sectionText(page, section));
        if (batch.size >= BATCH_SIZE) await finishBatch();
      }
      // If the reader has chosen another model in the meantime, these vectors are no longer needed.
      if (this.#ports.embedder()?.id !== model.id) return;
    }
    await finishBatch();
    if (store.isFull)
      log.warn('The docs have more sections than vectors fit. The rest is found by words only.');
    await store.keepOnly(used);
    if (made > 0) log.info(`Made vectors of ${made} sections. ${store.size} are kept.`);
  }

  /** @throws {ModelError} */
  async #embed(
    model: Embedder,
    texts: readonly string[],
    patienceMs: number,
    signal: AbortSignal,
  ): Promise<Vector[]> {
    const ending = new AbortController();
    const { clock, stopping } = this.#ports;
    const given = clock.delay(patienceMs, ending.signal).then(
      () => ending.abort(new Error('timed out')),
      () => undefined,
    );
    try {
      const either = AbortSignal.any([signal, stopping, ending.signal]);
      const numbers = await model.embed(texts, either);
      const vectors = numbers.map(toVector);
      const [first] = vectors;
      const isWhole =
        vectors.length === texts.length &&
        vectors.every((vector) => vector?.bytes.length === first?.bytes.length);
      if (!isWhole) throw new Error('The vectors differ in length or number');
      return vectors.filter((vector) => vector !== undefined);
    } finally {
      ending.abort();
      await given;
    }
  }

  #hashOf(page: DocsPage, section: Section): string {
    const known = this.#hashes.get(section);
    if (known !== undefined) return known;
    const hash = contentHash(sectionText(page, section));
    this.#hashes.set(section, hash);
    return hash;
  }

  #fileOf({ id }: Embedder): string | undefined {
    const { folder, root } = this.#ports;
    if (folder === undefined) return undefined;
    return path.join(folder, `${contentHash(`${id}\n${root}`)}.bin`);
  }
}

function sectionText(page: DocsPage, section: Section): string {
  const title = sectionTitle({ page, section });
  const text = section.blocks.map((block) => block.text).join('\n');
  return cutText(`${title}\n\n${text}`, MAX_SECTION_LENGTH);
}
