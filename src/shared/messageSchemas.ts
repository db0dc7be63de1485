/**
 * Schemas of the conversation as the webview gets it. `uiMessage.ts` has their types, so that the
 * host can import those at its start without the schemas.
 */
import * as v from 'valibot';
import { errorInfoSchema } from './errorInfo';
import { proofSchema } from './proof';
import { count } from './schemas';

const text = v.string();
const optionalText = v.optional(text);

export const textPartSchema = v.object({
  type: v.literal('text'),
  text,
  /**
   * Part of the text in a reply of quotes: `closest` may not answer the question, and `more` only adds to the
   * text before it, so that the panel shows it when the reader asks for more.
   */
  role: v.optional(v.picklist(['closest', 'more'])),
});

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
  resultCount: v.optional(v.number()),
  /** Sources of the reply that the search found, by `sourceId`. Absent if there are none. */
  sourceIds: v.optional(v.array(text)),
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
  startLine: v.optional(v.number()),
  endLine: v.optional(v.number()),
  /** Characters (UTF-16 code units) of the value. */
  length: v.number(),
  secrets: v.optional(secretMarkSchema),
});

export const attachmentViewSchema = v.object({
  id: text,
  filename: text,
  mediaType: text,
  sizeBytes: count,
  secrets: v.optional(secretMarkSchema),
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
  files: v.optional(v.array(attachmentViewSchema)),
  /** Name of the installed package that the question was narrowed to. */
  package: v.optional(text),
  /** Position among the versions of the question. Absent if there is only one. */
  branch: v.optional(branchSchema),
});

/**
 * Schema of the writers in an offer: a model of VS Code, a model of this machine, another model that the
 * reader chooses from a list, or none.
 */
export const offeredWriterSchema = v.picklist(['vscode', 'endpoint', 'other', 'quotes']);

/** Schema of an offer of models, which a question waits for. Its texts are in the reader's language. */
export const modelOfferSchema = v.object({
  /** Sentence that says which models can write the reply, and what they would get. */
  text,
  /** The choices in their order, with the labels of their buttons. */
  choices: v.array(v.object({ writer: offeredWriterSchema, label: text })),
});

export const replyViewSchema = v.object({
  role: v.literal('assistant'),
  id: text,
  /** ISO 8601. */
  createdAt: text,
  parts: v.array(messagePartSchema),
  status: replyStatusSchema,
  /** Shown once, below what was read of the reply. */
  error: v.optional(errorInfoSchema),
  /** A sentence beside the reply that is not an error, such as a new thread having begun. */
  notice: optionalText,
  /** A sentence above the reply, which says that it is for another version than the installed one. */
  versionNote: optionalText,
  /** Offer of models that the question waits for, before it is sent. */
  offer: v.optional(modelOfferSchema),
  /** Position among the versions of the reply. Absent if there is only one. */
  branch: v.optional(branchSchema),
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
