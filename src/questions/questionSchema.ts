/**
 * The format of `docs-questions.yaml`. The types, the checks and the JSON schema for editors all
 * derive from it.
 */
import * as v from 'valibot';
import { MAX_QUESTION_LENGTH } from '../shared/limits';

/** Number of first sources if neither the file nor the question sets one. */
export const DEFAULT_FIRST = 5;
/** Maximum number of first sources. Services cite far fewer. */
export const MAX_FIRST = 50;
/** Maximum length of a name or ID. Reports show each in one line. */
const MAX_NAME_LENGTH = 200;
/** Maximum length of the path or URL of a page. Browsers accept this length too. */
const MAX_PAGE_LENGTH = 2000;
/** Maximum length of a word, phrase or pattern. */
const MAX_WORD_LENGTH = 500;
const MAX_FILTER_LENGTH = 100;
const MAX_GROUPS = 20;
/** Maximum number of pages or words of one question. */
const MAX_ITEMS = 100;
/** Maximum number of questions of one file: as many as one IP address can ask in a day. */
export const MAX_QUESTIONS = 10_000;

/** Returns a schema of text that is not only white space. */
function text<Description extends string>(maxLength: number, description: Description) {
  return v.pipe(v.string(), v.regex(/\S/), v.maxLength(maxLength), v.description(description));
}

/** Returns a schema of a list that also accepts a single item. */
function oneOrMore<Description extends string>(
  maxLength: number,
  maxItems: number,
  description: Description,
) {
  const item = v.pipe(v.string(), v.regex(/\S/), v.maxLength(maxLength));
  return v.pipe(
    v.union([item, v.pipe(v.array(item), v.maxLength(maxItems))]),
    v.description(description),
  );
}

const first = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(MAX_FIRST),
  v.description(
    `How many of the first sources the pages must be among. Default: ${DEFAULT_FIRST}.`,
  ),
);

const filters = v.pipe(
  v.object({
    version: v.optional(text(MAX_FILTER_LENGTH, 'Answer from this version of the docs only.')),
    language: v.optional(text(MAX_FILTER_LENGTH, 'Answer from pages in this language only.')),
    groups: v.optional(
      oneOrMore(MAX_FILTER_LENGTH, MAX_GROUPS, 'Answer from pages of these groups only.'),
    ),
  }),
  v.description('Limits the search to a part of the docs.'),
);

const base = text(
  MAX_PAGE_LENGTH,
  'Base URL or path of the docs, such as https://acme.com/handbook. Pages are compared without it.',
);

/** One question as it stands in a file. */
export const writtenQuestionSchema = v.object({
  question: text(MAX_QUESTION_LENGTH, 'The question, in the words of a reader of the docs.'),
  id: v.optional(
    text(
      MAX_NAME_LENGTH,
      'Identifies the question when two runs are compared, even if you reword it.',
    ),
  ),
  name: v.optional(text(MAX_NAME_LENGTH, 'Short name in reports. Default: the question.')),
  pages: v.optional(
    oneOrMore(
      MAX_PAGE_LENGTH,
      MAX_ITEMS,
      'Pages that must all be among the first sources. Enter paths as in the docs, or URLs. Extensions and slashes at the end don’t matter.',
    ),
  ),
  anyPage: v.optional(
    oneOrMore(
      MAX_PAGE_LENGTH,
      MAX_ITEMS,
      'At least one of these pages must be among the first sources.',
    ),
  ),
  first: v.optional(first),
  contains: v.optional(
    oneOrMore(
      MAX_WORD_LENGTH,
      MAX_ITEMS,
      'Words and phrases that the reply must contain. Case doesn’t matter. Put a pattern between slashes, such as /v[12]/.',
    ),
  ),
  excludes: v.optional(
    oneOrMore(
      MAX_WORD_LENGTH,
      MAX_ITEMS,
      'Words, phrases and patterns that the reply must not contain.',
    ),
  ),
  filters: v.optional(filters),
  refuses: v.optional(
    v.pipe(
      v.boolean(),
      v.description(
        'Set to true if the docs must refuse to answer, because they don’t cover the question.',
      ),
    ),
  ),
});

/** A question, or only its text if the docs just have to answer it. */
const itemSchema = v.union([
  writtenQuestionSchema,
  text(MAX_QUESTION_LENGTH, 'A question that the docs must answer.'),
]);

const listSchema = v.pipe(
  v.array(itemSchema),
  v.maxLength(MAX_QUESTIONS),
  v.description('The questions, asked in any order.'),
);

/** Settings for all questions of a file. A question can override them. */
export const fileSettingsSchema = v.object({
  base: v.optional(base),
  first: v.optional(first),
  filters: v.optional(filters),
});

/** A whole file: settings with a list of questions, or the list alone. */
export const writtenFileSchema = v.union([
  v.object({
    $schema: v.optional(v.string()),
    ...fileSettingsSchema.entries,
    questions: listSchema,
  }),
  listSchema,
]);

export type WrittenQuestion = v.InferOutput<typeof writtenQuestionSchema>;
export type FileSettings = v.InferOutput<typeof fileSettingsSchema>;
