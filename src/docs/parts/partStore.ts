/** Returns the content of a part. @throws if it can't be loaded. */
type LoadPart = (name: string) => Promise<Uint8Array>;

/** Rounds in which a search asks for parts. Words, misspellings, pages and texts take five. */
const MAX_ROUNDS = 12;

/**
 * The parts of an index that are in memory. The search is synchronous, so it goes on without a part that it lacks, and
 * {@link PartStore.complete} runs it again when the part is there.
 */
export class PartStore {
  readonly #load: LoadPart;
  readonly #loaded = new Map<string, Uint8Array>();
  readonly #read = new Map<string, unknown>();
  readonly #missing = new Set<string>();
  readonly #loading = new Map<string, Promise<void>>();

  constructor(load: LoadPart) {
    this.#load = load;
  }

  /** Returns a part as `read` reads it, once. Undefined if it isn't in memory, which {@link complete} changes. */
  get<Part>(name: string, read: (bytes: Uint8Array) => Part): Part | undefined {
    if (this.#read.has(name)) {
      // A part has one kind, and so one way to read it.
      return this.#read.get(name) as Part;
    }
    const bytes = this.#loaded.get(name);
    if (!bytes) {
      this.#missing.add(name);
      return undefined;
    }
    this.#loaded.delete(name);
    const part = read(bytes);
    this.#read.set(name, part);
    return part;
  }

  /** Returns what `run` returns when all parts that it asks for are in memory. @throws as {@link LoadPart}. */
  async complete<Result>(run: () => Result): Promise<Result> {
    for (let round = 1; ; round++) {
      this.#missing.clear();
      const result = run();
      if (this.#missing.size === 0 || round === MAX_ROUNDS) return result;
      await Promise.all([...this.#missing].map((name) => this.#fetch(name)));
    }
  }

  #fetch(name: string): Promise<void> {
    const known = this.#loading.get(name);
    if (known) return known;
    const loading = this.#load(name)
      .then((bytes) => {
        this.#loaded.set(name, bytes);
      })
      // A part that failed is asked for again with the next search.
      .finally(() => this.#loading.delete(name));
    this.#loading.set(name, loading);
    return loading;
  }
}
