/** A source as the service named it. `url` may be a bare path, or empty for a document. */
export interface NamedSource {
  readonly sourceId?: string | undefined;
  readonly url: string;
  readonly title?: string | undefined;
  /** What the service quoted of it. */
  readonly quote?: string | undefined;
  readonly providerMetadata?: unknown;
}

/**
 * Which sources a reply has already. A service may name a page twice: as a result of its search
 * tool and as a source of its own.
 */
export class SourceRegistry {
  readonly #urlsOfTools = new Set<string>();
  readonly #urlsOfSources = new Set<string>();
  readonly #urlsById = new Map<string, string>();
  /** The first source at each address. */
  readonly #idsByUrl = new Map<string, string>();
  /** How often an id was wanted for another source. */
  readonly #copies = new Map<string, number>();
  #undoStep: (() => void)[] = [];

  /**
   * Registers a source that the service cites. The same page under another id is another source,
   * since the text may number its citations.
   * @returns the id to use, or undefined if the source is there already.
   */
  addCited(url: string, wantedId: string): string | undefined {
    if (url !== '' && this.#urlsOfTools.has(url)) return undefined;
    if (this.#urlsById.get(wantedId) === url) return undefined;
    return this.#add(url, wantedId, this.#urlsOfSources);
  }

  /** Registers a page that a search found. @returns as {@link addCited}. */
  addFound(url: string, wantedId: string): string | undefined {
    if (this.#urlsOfTools.has(url) || this.#urlsOfSources.has(url)) return undefined;
    return this.#add(url, wantedId, this.#urlsOfTools);
  }

  /** The id of the first source at that address. */
  idAt(url: string): string | undefined {
    return this.#idsByUrl.get(url);
  }

  startStep(): void {
    this.#undoStep = [];
  }

  /** Forgets what was added since the step began. */
  resetStep(): void {
    for (const undo of this.#undoStep) undo();
    this.#undoStep = [];
  }

  #add(url: string, wantedId: string, urls: Set<string>): string {
    // A source is opened by its id, so two must not share one.
    const sourceId = this.#freeId(wantedId);
    const isFirst = !this.#idsByUrl.has(url);
    const isNewUrl = !urls.has(url);
    this.#urlsById.set(sourceId, url);
    if (isFirst) this.#idsByUrl.set(url, sourceId);
    urls.add(url);
    this.#undoStep.push(() => {
      this.#urlsById.delete(sourceId);
      if (isFirst) this.#idsByUrl.delete(url);
      if (isNewUrl) urls.delete(url);
    });
    return sourceId;
  }

  #freeId(wantedId: string): string {
    let sourceId = wantedId;
    let copy = this.#copies.get(wantedId) ?? 1;
    // What is tried once is not tried again, so that many of one id cost no more each than few.
    while (this.#urlsById.has(sourceId)) sourceId = `${wantedId}-${++copy}`;
    if (copy > 1) this.#copies.set(wantedId, copy);
    return sourceId;
  }
}
