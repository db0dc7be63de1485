/** Results of a run of questions, as they are reported, stored and compared. */
import * as v from 'valibot';
import { parsedAs } from '../shared/schemas';
import { DEFAULT_FIRST } from './questionSchema';

/**
 * Outcome of a question. `pass` and `fail` are verdicts on the reply, `error` means that no
 * complete reply came, and `skipped` that the question wasn't asked.
 */
const statusSchema = v.picklist(['pass', 'fail', 'error', 'skipped']);
export type QuestionStatus = v.InferOutput<typeof statusSchema>;

/** A page that a reply cites, in the order in which the reply cites them. */
const sourceSchema = v.object({
  title: v.fallback(v.string(), ''),
  /** URL, or the name of a page of docs on this machine, such as `guides/keys.md#rotate`. */
  url: v.string(),
});
export type ResultSource = v.InferOutput<typeof sourceSchema>;

const questionResultSchema = v.object({
  /** Identifies the question within its file. */
  id: v.string(),
  name: v.fallback(v.string(), ''),
  /** The question as it was sent. */
  question: v.fallback(v.string(), ''),
  /** Path of the file as it was given to the run. */
  file: v.optional(v.string()),
  /** First and last line of the question in its file, counted from 1. */
  line: v.optional(v.number()),
  endLine: v.optional(v.number()),
  status: statusSchema,
  /** Whole sentences that say why the question didn't pass. Empty if it did. */
  reasons: v.fallback(v.array(v.string()), []),
  /** Stable name of the error, such as `rate-limited`. Only results with `error` or `skipped` have it. */
  errorCode: v.optional(v.string()),
  /** The part of the reply that arrived, as Markdown. Absent if the question wasn't answered. */
  reply: v.optional(v.string()),
  sources: v.fallback(v.array(sourceSchema), []),
  /** Number of first sources that had to include the pages. */
  first: v.fallback(v.number(), DEFAULT_FIRST),
  durationMs: v.fallback(v.number(), 0),
  /** English names of secrets that were replaced before the question was sent. */
  redacted: v.optional(v.array(v.string())),
});
export type QuestionResult = v.InferOutput<typeof questionResultSchema>;

/**
 * Version of the JSON form. It changes when a field changes its meaning or is removed, but not when
 * a field is added.
 */
export const RUN_VERSION = 1;

const questionRunSchema = v.object({
  version: v.literal(RUN_VERSION),
  target: v.object({
    /** Display name of the docs. */
    label: v.string(),
    /** Whether the docs are on this machine. */
    local: v.fallback(v.boolean(), false),
  }),
  /** ISO 8601 time. */
  startedAt: v.fallback(v.string(), ''),
  durationMs: v.fallback(v.number(), 0),
  results: v.array(questionResultSchema),
});

/** One run of questions at one site. */
export type QuestionRun = v.InferOutput<typeof questionRunSchema>;

/** Returns a run from its parsed JSON form, or undefined for anything else. */
export function parseRun(value: unknown): QuestionRun | undefined {
  return parsedAs(questionRunSchema, value);
}

/** Number of results by status. */
type StatusCounts = Readonly<Record<QuestionStatus, number>>;

/** Counts results by their status. */
export function countStatuses(results: readonly Pick<QuestionResult, 'status'>[]): StatusCounts {
  const counts = { pass: 0, fail: 0, error: 0, skipped: 0 };
  for (const { status } of results) counts[status] += 1;
  return counts;
}
