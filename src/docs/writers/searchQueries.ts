import * as v from 'valibot';
import type { Clock, Log, NewId } from '../../common/ports';
import { parsedJson } from '../../common/text/strings';
import { parsedAs } from '../../shared/schemas';
import { toModelError, type Model } from './model';
import { limitedText, TAKEN_BACK } from './limitedText';
import { queryMessages } from './prompt';
import { fitParts, type FittedParts, type PromptParts } from './promptBudget';

/** Maximum number of queries for one question. More would find the same sections again. */
const MAX_QUERIES = 3;
/** Maximum characters of one query. A longer text is a reply and not a query. */
const MAX_QUERY_LENGTH = 160;
/** Maximum characters of the model's text. */
const MAX_LENGTH = 4000;
/** Milliseconds after which the search begins without the model's queries. */
const PATIENCE_MS = 15_000;
/** Maximum tokens of a request for queries. The beginnings of the parts are enough to tell the topic. */
const MAX_TOKENS = 3000;

const query = v.pipe(
  v.string(),
  v.transform((text) => text.replace(/\s+/gu, ' ').trim()),
  v.minLength(2),
  v.maxLength(MAX_QUERY_LENGTH),
);
const queriesSchema = v.union([
  v.pipe(
    v.object({ queries: v.array(v.unknown()) }),
    v.transform(({ queries }) => queries),
  ),
  v.array(v.unknown()),
]);

/** Returns the search queries in a model's text, or none if it has no JSON with queries. */
export function parseQueries(reply: string): string[] {
  const json = /\{[\s\S]*\}|\[[\s\S]*\]/.exec(reply)?.[0];
  if (json === undefined) return [];
  const items = parsedAs(queriesSchema, parsedJson(json)) ?? [];
  const queries = items.flatMap((item) => parsedAs(query, item) ?? []);
  const byWords = new Map(queries.map((text) => [text.toLowerCase(), text]));
  return [...byWords.values()].slice(0, MAX_QUERIES);
}

/** Cuts the parts of a question so that they fit a request for queries. */
export function fitForQueries(
  { question, attachments, earlier }: Omit<PromptParts, 'sections'>,
  maxInputTokens: number,
): FittedParts {
  return fitParts(
    { question, attachments, earlier, sections: [] },
    {
      maxInputTokens: Math.min(maxInputTokens, MAX_TOKENS),
      fixedTokens: 300,
      wish: { weightOf: () => 0, codeLanguage: undefined },
    },
  );
}

interface SearchQueriesPorts {
  readonly model: Model;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/**
 * Asks the model for search queries for a question. Returns none if the model fails or takes too long. The
 * search then only has the service's own query.
 * @throws the signal's reason if it aborts.
 */
export async function writeQueries(
  { model, clock, newId, log }: SearchQueriesPorts,
  parts: Omit<PromptParts, 'sections'>,
  signal: AbortSignal,
): Promise<string[]> {
  const fitted = fitForQueries(parts, model.maxInputTokens);
  let reply = '';
  try {
    const pieces = limitedText(model, queryMessages(fitted, newId), {
      clock,
      signal,
      limits: {
        firstTextMs: PATIENCE_MS,
        idleMs: PATIENCE_MS,
        totalMs: PATIENCE_MS,
        maxCharacters: MAX_LENGTH,
      },
    });
    for await (const piece of pieces) reply = piece === TAKEN_BACK ? '' : reply + piece;
  } catch (error) {
    signal.throwIfAborted();
    log.warn(`The model wrote no search queries (${toModelError(error).code})`);
    return [];
  }
  const queries = parseQueries(reply);
  if (queries.length === 0) log.info('The model wrote no usable search queries');
  return queries;
}
