import { plainSentence } from '../common/plainSentence';
import { redactExactly } from '../common/redact';
import type { SearchPart } from '../shared/uiMessage';
import type { SourceFields, ToolFields } from './chunkFields';
import type { Oddities } from './oddities';
import type { ReplyParts } from './replyParts';
import { foundPages, searchQuery } from './searchTool';
import { quoteInMetadata, SourceQuotes } from './sourceQuotes';
import type { ReplyMetadata } from './serviceMetadata';
import { SourceRegistry, type NamedSource } from './sourceRegistry';

interface ShownSearch {
  /** Its place in the reply. */
  readonly index: number;
  readonly part: SearchPart;
}

/** The sources of one reply, cited by the service or found by its searches, and these searches. */
export class ReplySources {
  readonly #parts: ReplyParts;
  readonly #oddities: Oddities;
  readonly #metadata: ReplyMetadata;
  readonly #secrets: readonly string[];
  /** By the service's ids of their calls. */
  readonly #searches = new Map<string, ShownSearch>();
  readonly #registry = new SourceRegistry();
  readonly #quotes = new SourceQuotes();

  /** @param secrets which are kept out of every text. */
  constructor(
    parts: ReplyParts,
    oddities: Oddities,
    metadata: ReplyMetadata,
    secrets: readonly string[],
  ) {
    this.#parts = parts;
    this.#metadata = metadata;
    this.#oddities = oddities;
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

  /** A source that the service cites. */
  cite(source: SourceFields): void {
    this.#source({ ...source, quote: quoteInMetadata(source.providerMetadata) });
  }

  /** A chunk of a tool's call, as what it tells of a search. */
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
    const part: SearchPart = {
      ...before,
      state: searchState(type, tool.preliminary) ?? before.state,
      ...(query === undefined ? {} : { query: plainSentence(query, this.#secrets) }),
      ...(pages === undefined ? {} : { resultCount: pages.length }),
    };
    const index = shown?.index ?? this.#parts.add(part);
    if (shown) this.#parts.replace(index, part);
    this.#searches.set(tool.toolCallId, { index, part });
    if (part.state !== 'done') return;
    for (const { address, ...page } of pages ?? []) this.#source({ url: address, ...page }, true);
  }

  /** Quotes of all sources by their ids, if there are new ones since the last call. */
  takeQuotes(): Readonly<Record<string, string>> | undefined {
    return this.#quotes.take();
  }

  #source(source: NamedSource, isFound = false): void {
    const url = redactExactly(source.url, this.#secrets);
    const wantedId = redactExactly(source.sourceId ?? `source-${this.#parts.count}`, this.#secrets);
    const sourceId = isFound
      ? this.#registry.addFound(url, wantedId)
      : this.#registry.addCited(url, wantedId);
    const quote = source.quote && redactExactly(source.quote, this.#secrets);
    if (sourceId === undefined) {
      this.#oddities.note('source sent again');
      this.#quotes.add(this.#registry.idAt(url), quote);
      return;
    }
    this.#quotes.set(sourceId, quote);
    const title = source.title && redactExactly(source.title, this.#secrets);
    this.#parts.countCharacters(url.length + (title?.length ?? 0));
    const providerMetadata = this.#metadata.ofPart(source.providerMetadata);
    this.#parts.add({
      type: 'source-url',
      sourceId,
      url,
      ...(title ? { title } : {}),
      ...(providerMetadata ? { providerMetadata } : {}),
    });
  }
}

function searchState(type: string, preliminary = false): SearchPart['state'] | undefined {
  if (type === 'tool-output-available') return preliminary ? 'running' : 'done';
  return type.endsWith('-error') || type.endsWith('-denied') ? 'failed' : undefined;
}
