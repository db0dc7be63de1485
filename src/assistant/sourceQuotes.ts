/** What services quote of the pages that they cite, under whichever name they send it. */
import * as v from 'valibot';
import { cutText } from '../common/cutText';

/** Characters (UTF-16 code units) of one quote that are kept: a card shows less than that. */
const MAX_QUOTE_LENGTH = 2000;

/** Quotes of one reply that are kept. */
const MAX_QUOTES = 300;

const text = v.fallback(v.optional(v.string()), undefined);

/** From what is surely meant as a quote to what is at least about the page. */
const quoteSchema = v.object({
  quote: text,
  excerpt: text,
  snippet: text,
  content: text,
  text,
  markdown: text,
  description: text,
});

/** What an object quotes of its page, if one of the usual fields holds it. */
export function quoteIn(fields: unknown): string | undefined {
  const parsed = v.safeParse(quoteSchema, fields);
  if (!parsed.success) return undefined;
  const { quote, excerpt, snippet, content, text, markdown, description } = parsed.output;
  return [quote, excerpt, snippet, content, text, markdown, description]
    .map((field) => field?.trim())
    .find((field) => field !== undefined && field !== '');
}

/** As {@link quoteIn}, of a part's `providerMetadata`: an object for each provider. */
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
 * The start of each quote of one reply, by `sourceId`. Secrets must be out of them before: one that
 * is cut cannot be told any more.
 */
export class SourceQuotes {
  readonly #quotes = new Map<string, string>();
  #isTaken = true;

  /** The source of that id is a new one: what was quoted under the id before is not its quote. */
  set(sourceId: string, quote: string | undefined): void {
    if (quote === undefined) {
      if (this.#quotes.delete(sourceId)) this.#isTaken = false;
    } else if (this.#quotes.size < MAX_QUOTES || this.#quotes.has(sourceId)) {
      this.#quotes.set(sourceId, cutText(quote, MAX_QUOTE_LENGTH));
      this.#isTaken = false;
    }
  }

  /** The source came again, this time with a quote. The first one stays. */
  add(sourceId: string | undefined, quote: string | undefined): void {
    if (sourceId === undefined || quote === undefined || this.#quotes.has(sourceId)) return;
    this.set(sourceId, quote);
  }

  /** All of them, if there is something new since the last call. */
  take(): Readonly<Record<string, string>> | undefined {
    if (this.#isTaken) return undefined;
    this.#isTaken = true;
    return Object.fromEntries(this.#quotes);
  }
}
