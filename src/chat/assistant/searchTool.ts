/**
 * Reads tool chunks as the search that a service runs for its reply. Some services send their
 * sources only as the output of such a tool (field-notes.md § Assistant messages).
 */
import * as v from 'valibot';
import { parsedJson } from '../../common/text/strings';
import { withoutUndefined } from '../../common/withoutUndefined';

/** A page that a search found. `address` is a URL or a path, as the service sent it. */
interface FoundPage {
  readonly address: string;
  readonly title?: string;
  /** Text that the search quoted from the page: plain text or Markdown. */
  readonly quote?: string;
}

/** Limits of the search in a tool's output, which has no schema. */
const MAX_DEPTH = 6;
const MAX_NODES = 5000;
const MAX_PAGES = 200;

const text = v.fallback(v.optional(v.string()), undefined);
const pageSchema = v.object({ url: text, path: text, title: text, name: text });
const foundSchema = v.object({
  ...pageSchema.entries,
  metadata: v.fallback(v.optional(v.looseObject(pageSchema.entries)), undefined),
});
const listNames = new Set(['results', 'pages', 'documents', 'hits', 'items', 'sources']);
const querySchema = v.object({
  query: text,
  q: text,
  search: text,
  searchQuery: text,
  question: text,
});

/** Returns the search query, if the tool's input has it in one of the usual fields. */
export function searchQuery(input: unknown): string | undefined {
  const parsed = v.safeParse(querySchema, input);
  if (!parsed.success) return typeof input === 'string' && input !== '' ? input : undefined;
  const { query, q, search, searchQuery, question } = parsed.output;
  return [query, q, search, searchQuery, question].find(
    (value) => value !== undefined && value !== '',
  );
}

/**
 * Returns every object in the output that has a `url` or a `path`, itself or under `metadata`, in
 * order. The output can be an array, an object around one, or either as JSON text.
 * @returns undefined if the output has neither a page nor a list, so that the tool wasn't a search.
 */
export function foundPages(output: unknown): readonly FoundPage[] | undefined {
  const pages: FoundPage[] = [];
  const walk = { nodes: 0, hasList: false };

  const visit = (value: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || ++walk.nodes > MAX_NODES || pages.length >= MAX_PAGES) return;
    if (Array.isArray(value)) {
      walk.hasList = true;
      for (const item of value) visit(item, depth + 1);
    } else if (typeof value === 'string') {
      const nested = jsonIn(value);
      if (nested !== undefined) visit(nested, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      const list = listIn(value);
      const page = list === undefined ? pageOf(value) : undefined;
      if (list !== undefined) visit(list, depth + 1);
      else if (page) pages.push(page);
      else for (const field of Object.values(value)) visit(field, depth + 1);
    }
  };
  visit(output, 0);
  return pages.length > 0 || walk.hasList ? pages : undefined;
}

function pageOf(value: object): FoundPage | undefined {
  const { url, path, title, name, metadata } = v.parse(foundSchema, value);
  const address = [url, metadata?.url, path, metadata?.path].find(isFilled);
  if (address === undefined) return undefined;
  const found = [metadata?.title, title, metadata?.name, name].find(isFilled);
  const quote = quoteIn(value) ?? quoteIn(metadata);
  return withoutUndefined({ address, title: found, quote });
}

/**
 * Returns the list inside a wrapper object. The wrapper's own `url` or `path` isn't that of a page.
 */
function listIn(value: object): unknown {
  const fields: [string, unknown][] = Object.entries(value);
  return fields.find(([name, field]) => listNames.has(name) && Array.isArray(field))?.[1];
}

function isFilled(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

function jsonIn(value: string): unknown {
  return /^\s*[[{]/.test(value) ? parsedJson(value) : undefined;
}

/** Fields that can hold a quote, from the most specific to the most general. */
const quoteSchema = v.object({
  quote: text,
  excerpt: text,
  snippet: text,
  content: text,
  text,
  markdown: text,
  description: text,
});

/** Returns the quote in an object, if one of the usual fields has it. */
export function quoteIn(fields: unknown): string | undefined {
  const parsed = v.safeParse(quoteSchema, fields);
  if (!parsed.success) return undefined;
  const { quote, excerpt, snippet, content, text, markdown, description } = parsed.output;
  return [quote, excerpt, snippet, content, text, markdown, description]
    .map((field) => field?.trim())
    .find((field) => field !== undefined && field !== '');
}
