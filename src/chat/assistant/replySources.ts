import { plainSentence } from '../../common/text/safeText';
import { redactExactly } from '../../common/http/redact';
import type { SearchPart } from '../../shared/uiMessage';
import type { Repairs, ReplyParts } from './replyParts';
import { foundPages, quoteIn, searchQuery } from './searchTool';
import type { ReplyMetadata } from './serviceMetadata';
import * as v from 'valibot';
import { cutText } from '../../common/text/strings';
import { withoutUndefined } from '../../common/withoutUndefined';

interface ShownSearch {
  /** Index of the part in the reply. */
  readonly index: number;
  readonly part: SearchPart;
}

/** The sources of one reply, cited by the service or found by its searches, and these searches. */
export class ReplySources {
  readonly #parts: ReplyParts;
  readonly #repairs: Repairs;
  readonly #metadata: ReplyMetadata;
  readonly #secrets: readonly string[];
  /** Searches by the service's IDs of their tool calls. */
  readonly #searches = new Map<string, ShownSearch>();
  readonly #registry = new SourceRegistry();
  readonly #quotes = new SourceQuotes();

  /** @param secrets that are removed from every text. */
  constructor(
    parts: ReplyParts,
    repairs: Repairs,
    metadata: ReplyMetadata,
    secrets: readonly string[],
  ) {
    this.#parts = parts;
    this.#metadata = metadata;
    this.#repairs = repairs;
    this.#secrets = secrets;
  }

  startStep(): void {
    this.#registry.startStep();
  }

  /** Forgets what was added since the step began. */
  resetStep(): void {
    this.#registry.resetStep();
    this.#searches.clear();
  }

  cite(source: SourceFields): void {
    this.#source({ ...source, quote: quoteInMetadata(source.providerMetadata) });
  }

  /** Updates a search from a chunk of its tool call. */
  search(type: string, tool: ToolFields): void {
    const shown = this.#searches.get(tool.toolCallId);
    const before = shown?.part ?? {
      type: 'search',
      toolCallId: `search-${this.#parts.count}`,
      toolName: plainSentence(tool.toolName, this.#secrets, 100),
      state: 'running',
    };
    const query = type === 'tool-input-available' ? searchQuery(tool.input) : undefined;
    const pages = type === 'tool-output-available' ? foundPages(tool.output) : undefined;
    const part: SearchPart = withoutUndefined({
      ...before,
      state: searchState(type, tool.preliminary) ?? before.state,
      query: query === undefined ? before.query : plainSentence(query, this.#secrets),
      resultCount: pages?.length ?? before.resultCount,
    });
    const index = shown?.index ?? this.#parts.add(part);
    if (shown) this.#parts.replace(index, part);
    this.#searches.set(tool.toolCallId, { index, part });
    if (part.state !== 'done' || pages === undefined || pages.length === 0) return;
    const sourceIds = pages.flatMap(({ address, ...page }) => {
      const sourceId = this.#source({ url: address, ...page }, true);
      return sourceId === undefined ? [] : [sourceId];
    });
    // The search is already in the reply here, so its sources come after it.
    const found = { ...part, sourceIds: [...new Set(sourceIds)] };
    this.#parts.replace(index, found);
    this.#searches.set(tool.toolCallId, { index, part: found });
  }

  /**
   * Returns the quotes of all sources by their IDs, or undefined if nothing is new since the last
   * call.
   */
  takeQuotes(): Readonly<Record<string, string>> | undefined {
    return this.#quotes.take();
  }

  /** Returns the ID of the source at that URL. Adds the source if the reply doesn't have it yet. */
  #source(source: NamedSource, isFound = false): string | undefined {
    const url = redactExactly(source.url, this.#secrets);
    const wantedId = redactExactly(source.sourceId ?? `source-${this.#parts.count}`, this.#secrets);
    const sourceId = isFound
      ? this.#registry.addFound(url, wantedId)
      : this.#registry.addCited(url, wantedId);
    const quote = source.quote && redactExactly(source.quote, this.#secrets);
    if (sourceId === undefined) {
      this.#repairs.note('source sent again');
      const knownId = this.#registry.idAt(url);
      this.#quotes.add(knownId, quote);
      return knownId;
    }
    this.#quotes.set(sourceId, quote);
    const title = source.title && redactExactly(source.title, this.#secrets);
    this.#parts.countCharacters(url.length + (title?.length ?? 0));
    const providerMetadata = this.#metadata.ofPart(source.providerMetadata);
    this.#parts.add(
      withoutUndefined({
        type: 'source-url' as const,
        sourceId,
        url,
        title: title || undefined,
        providerMetadata,
      }),
    );
    return sourceId;
  }
}

function searchState(type: string, preliminary = false): SearchPart['state'] | undefined {
  if (type === 'tool-output-available') return preliminary ? 'running' : 'done';
  return type.endsWith('-error') || type.endsWith('-denied') ? 'failed' : undefined;
}

/** A source as the service named it. `url` can be a bare path, and is empty for a document. */
interface NamedSource {
  readonly sourceId?: string | undefined;
  readonly url: string;
  readonly title?: string | undefined;
  /** Text that the service quoted from the page. */
  readonly quote?: string | undefined;
  readonly providerMetadata?: unknown;
}

/**
 * The sources that a reply already has. A service can name a page twice: as a search result and as
 * a source.
 */
export class SourceRegistry {
  readonly #urlsOfTools = new Set<string>();
  readonly #urlsOfSources = new Set<string>();
  readonly #urlsById = new Map<string, string>();
  /** The first source at each address. */
  readonly #idsByUrl = new Map<string, string>();
  /** Number of sources that were sent with the same ID. */
  readonly #copies = new Map<string, number>();
  #undoStep: (() => void)[] = [];

  /**
   * Registers a source that the service cites. The same page under another ID is another source,
   * because the text can cite sources by their number, and leaving one out would shift the others.
   * @returns the ID to use, or undefined if the source is already registered.
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

  /** Returns the ID of the first source with that URL. */
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
    // The view opens a source by its ID, so no two sources can share one.
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
    // The count continues where it stopped. Counting from 1 for each of many sources with the same
    // ID would take quadratic time.
    while (this.#urlsById.has(sourceId)) sourceId = `${wantedId}-${++copy}`;
    if (copy > 1) this.#copies.set(wantedId, copy);
    return sourceId;
  }
}

/** Characters (UTF-16 code units) of one quote that are kept. A card shows fewer. */
const MAX_QUOTE_LENGTH = 2000;

/** Most quotes of one reply that are kept. */
const MAX_QUOTES = 300;

/** Returns the quote in a part's `providerMetadata`, which has an object for each provider. */
export function quoteInMetadata(metadata: unknown): string | undefined {
  if (typeof metadata !== 'object' || metadata === null) return undefined;
  const providers: unknown[] = Object.values(metadata);
  for (const provider of providers) {
    const quote = quoteIn(provider);
    if (quote !== undefined) return quote;
  }
  return undefined;
}

/**
 * Keeps the start of each quote of one reply, by `sourceId`. Secrets must be removed first, because
 * a cut secret can no longer be recognized.
 */
export class SourceQuotes {
  readonly #quotes = new Map<string, string>();
  #isTaken = true;

  /**
   * Sets the quote of a new source. An earlier quote under the same ID belonged to another source.
   */
  set(sourceId: string, quote: string | undefined): void {
    if (quote === undefined) {
      if (this.#quotes.delete(sourceId)) this.#isTaken = false;
    } else if (this.#quotes.size < MAX_QUOTES || this.#quotes.has(sourceId)) {
      this.#quotes.set(sourceId, cutText(quote, MAX_QUOTE_LENGTH));
      this.#isTaken = false;
    }
  }

  /** Adds the quote of a source that was sent again. The first quote stays. */
  add(sourceId: string | undefined, quote: string | undefined): void {
    if (sourceId === undefined || quote === undefined || this.#quotes.has(sourceId)) return;
    this.set(sourceId, quote);
  }

  /** Returns all quotes, or undefined if nothing is new since the last call. */
  take(): Readonly<Record<string, string>> | undefined {
    if (this.#isTaken) return undefined;
    this.#isTaken = true;
    return Object.fromEntries(this.#quotes);
  }
}

const words = v.fallback(v.optional(v.string()), undefined);
const providerMetadata = v.optional(v.unknown());
export const sourceSchema = v.object({
  sourceId: words,
  url: v.string(),
  title: words,
  providerMetadata,
});
export const documentSchema = v.object({
  sourceId: words,
  url: words,
  title: words,
  filename: words,
  providerMetadata,
});

export const toolSchema = v.object({
  toolCallId: v.string(),
  toolName: v.fallback(v.string(), 'search'),
  input: v.optional(v.unknown()),
  output: v.optional(v.unknown()),
  preliminary: v.fallback(v.optional(v.boolean()), undefined),
});

type SourceFields = v.InferOutput<typeof sourceSchema>;
type ToolFields = v.InferOutput<typeof toolSchema>;
