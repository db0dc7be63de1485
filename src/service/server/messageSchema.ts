import * as v from 'valibot';
import { packageNameSchema } from '../../common/localDocsApi';
import { describeIssue } from '../../common/schemaIssues';
import { askFilterSchema } from '../../shared/askFilter';
import {
  filePartSchema,
  reasoningPartSchema,
  sourcePartSchema,
  stepStartPartSchema,
  textPartSchema,
} from '../../shared/messageSchemas';

/**
 * Maximum number of results that a question can request. The API document recommends 5 and names no
 * limit.
 */
const MAX_RETRIEVAL_PAGE_SIZE = 100;
/** Maximum length of `currentPath` in UTF-16 code units (platform-api.md § Limits). */
const MAX_CURRENT_PATH_LENGTH = 200;

/** Maximum length of a package's name. npm allows 214 characters. */
const MAX_PACKAGE_NAME = 300;

const providerMetadata = v.optional(v.record(v.string(), v.unknown()));

const rfc3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/;

const message = v.object({
  id: v.pipe(v.string(), v.nonEmpty('must not be empty')),
  role: v.picklist(['system', 'assistant', 'user']),
  createdAt: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => rfc3339.test(text) && !Number.isNaN(Date.parse(text)),
        'must be a date-time such as "2025-01-31T12:00:00Z"',
      ),
    ),
  ),
  parts: v.array(
    v.variant('type', [
      textPartSchema,
      v.object({ ...reasoningPartSchema.entries, providerMetadata }),
      v.object({ ...sourcePartSchema.entries, providerMetadata }),
      filePartSchema,
      stepStartPartSchema,
    ]),
  ),
  metadata: v.optional(v.record(v.string(), v.unknown())),
});

const packageNames = v.optional(v.array(v.pipe(v.string(), v.maxLength(MAX_PACKAGE_NAME))));

const contextItem = v.object({
  type: v.picklist(['code', 'textSelection']),
  value: v.string(),
  path: v.optional(v.string()),
  elementId: v.optional(v.string()),
  /** Packages that own what the item tells. The API document has no such field, and no other service gets it. */
  packages: packageNames,
  /** Packages that the item's code uses, by the imports of its file. */
  imports: packageNames,
});

/**
 * Schema of the request body with its defaults (platform-api.md § Assistant request body). Accepts
 * `null` where the document names it as the default. Ignores unknown fields.
 */
const messageRequestSchema = v.object({
  fp: v.pipe(v.string(), v.nonEmpty('must not be empty')),
  messages: v.pipe(
    v.array(message),
    v.check(
      (messages) =>
        messages.some(
          ({ role, parts }) =>
            role === 'user' &&
            parts.some((part) => part.type === 'text' && part.text.trim() !== ''),
        ),
      'must hold at least one user message with text',
    ),
  ),
  threadId: v.nullish(v.pipe(v.string(), v.nonEmpty('must not be empty'))),
  retrievalPageSize: v.optional(
    v.pipe(
      v.number(),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(MAX_RETRIEVAL_PAGE_SIZE, `must be at most ${MAX_RETRIEVAL_PAGE_SIZE}`),
    ),
    5,
  ),
  filter: v.nullish(askFilterSchema),
  context: v.optional(v.array(contextItem), []),
  currentPath: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(MAX_CURRENT_PATH_LENGTH, `must be at most ${MAX_CURRENT_PATH_LENGTH} characters`),
    ),
  ),
  /** Installed package to answer from. The API document has no such field, and no other service gets it. */
  package: v.optional(packageNameSchema),
});

export type MessageRequest = v.InferOutput<typeof messageRequestSchema>;
export type RequestMessage = MessageRequest['messages'][number];

type ParsedMessageRequest =
  | {
      readonly ok: true;
      readonly request: MessageRequest;
      readonly ignoredFields: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/**
 * Checks a request body. `error` is a sentence that begins with the path of the first invalid
 * field, such as `messages[0].parts[1].type`. It never contains the value that was sent.
 */
export function parseMessageRequest(body: unknown): ParsedMessageRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ok: false, error: 'The request body must be a JSON object.' };
  }
  const result = v.safeParse(messageRequestSchema, body, { abortEarly: true });
  if (!result.success) return { ok: false, error: describeIssue(result.issues[0]) };
  const ignoredFields = Object.keys(body).filter((name) => !(name in messageRequestSchema.entries));
  return { ok: true, request: result.output, ignoredFields };
}
