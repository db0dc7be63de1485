/**
 * Schemas of the conversation as the webview gets it. `uiMessage.ts` has their types, so that the
 * host can import those at its start without the schemas.
 */
import * as v from 'valibot';
import { errorInfoSchema } from './errorInfo';
import { proofSchema } from './proof';

const text = v.string();
const optionalText = v.exactOptional(text);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const textPartSchema = v.object({ type: v.literal('text'), text });

export const reasoningPartSchema = v.object({ type: v.literal('reasoning'), text });

export const sourcePartSchema = v.object({
  type: v.literal('source-url'),
  sourceId: text,
  url: text,
  title: optionalText,
});

export const filePartSchema = v.object({
  type: v.literal('file'),
  mediaType: text,
  url: text,
  filename: optionalText,
});

export const stepStartPartSchema = v.object({ type: v.literal('step-start') });

export const searchPartSchema = v.object({
  type: v.literal('search'),
  toolCallId: text,
  toolName: text,
  state: v.picklist(['running', 'done', 'failed']),
  query: optionalText,
  /** Number of pages that the search found. Absent if the service did not say. */
  resultCount: v.exactOptional(v.number()),
  /** Sources of the reply that the search found, by `sourceId`. Absent if there are none. */
  sourceIds: v.exactOptional(v.array(text)),
});

/** Schema of a reply's comparison with its sources. A reply has at most one such part. */
export const proofPartSchema = v.object({ type: v.literal('proof'), ...proofSchema.entries });

/**
 * Returns a schema that checks an object by the one schema that its `key` names. `v.variant` runs
 * the head of every schema, which doubles what opening a long thread costs.
 */
function chosenBy<Outputs extends object>(
  key: string,
  schemas: { readonly [Name in keyof Outputs]: v.GenericSchema<unknown, Outputs[Name]> },
): v.GenericSchema<unknown, Outputs[keyof Outputs]> {
  const byName = new Map<unknown, v.GenericSchema<unknown, Outputs[keyof Outputs]>>(
    Object.entries(schemas),
  );
  const none = v.never();
  return v.lazy((input) => {
    const isObject = typeof input === 'object' && input !== null;
    return (isObject ? byName.get(Reflect.get(input, key)) : undefined) ?? none;
  });
}

/** Schema of a part of a message, without what a service attached to it for itself. */
export const messagePartSchema = chosenBy('type', {
  text: textPartSchema,
  reasoning: reasoningPartSchema,
  'source-url': sourcePartSchema,
  file: filePartSchema,
  'step-start': stepStartPartSchema,
  search: searchPartSchema,
  proof: proofPartSchema,
});

export const replyStatusSchema = v.picklist([
  'waiting',
  'streaming',
  'complete',
  'stopped',
  'stopped-by-service',
  'incomplete',
  'interrupted',
  'failed',
]);

/**
 * Schema of what a scan for secrets says about a content: `found` waits for the reader's decision,
 * `allowed` is sent as it is.
 */
export const secretMarkSchema = v.object({
  state: v.picklist(['found', 'allowed', 'redacted']),
  /** Names of what was found, such as `GitHub token`. */
  kinds: v.array(text),
});

export const contextItemViewSchema = v.object({
  id: text,
  type: v.picklist(['code', 'textSelection']),
  /** File name, symbol or untitled name for the chip. */
  label: text,
  /** Path as it is sent, with forward slashes; absent for untitled documents. */
  path: optionalText,
  /** First and last line, counted from 1. */
  startLine: v.exactOptional(v.number()),
  endLine: v.exactOptional(v.number()),
  /** Characters (UTF-16 code units) of the value. */
  length: v.number(),
  secrets: v.exactOptional(secretMarkSchema),
});

export const attachmentViewSchema = v.object({
  id: text,
  filename: text,
  mediaType: text,
  sizeBytes: count,
  secrets: v.exactOptional(secretMarkSchema),
});

export const branchSchema = v.object({
  /** Index of the shown version, from 0. */
  index: count,
  /** Number of versions, at least 2. */
  count,
});

export const questionViewSchema = v.object({
  role: v.literal('user'),
  id: text,
  /** ISO 8601. */
  createdAt: text,
  text,
  contextItems: v.array(contextItemViewSchema),
  /** Attached files. Absent if there are none. */
  files: v.exactOptional(v.array(attachmentViewSchema)),
  /** Position among the versions of the question. Absent if there is only one. */
  branch: v.exactOptional(branchSchema),
});

export const replyViewSchema = v.object({
  role: v.literal('assistant'),
  id: text,
  /** ISO 8601. */
  createdAt: text,
  parts: v.array(messagePartSchema),
  status: replyStatusSchema,
  /** Shown once, below what was read of the reply. */
  error: v.exactOptional(errorInfoSchema),
  /** A sentence beside the reply that is not an error, such as a new thread having begun. */
  notice: optionalText,
  /** Position among the versions of the reply. Absent if there is only one. */
  branch: v.exactOptional(branchSchema),
});

export const messageViewSchema = chosenBy('role', {
  user: questionViewSchema,
  assistant: replyViewSchema,
});

export const threadViewSchema = v.object({
  id: text,
  title: text,
  messages: v.array(messageViewSchema),
});
