/**
 * Defines the messages between the local docs service and the process that started it, over the
 * channel of `child_process.fork`. The key of a model endpoint is sent over this channel only, never in
 * an argument, an environment variable or a URL.
 */
import * as v from 'valibot';

const text = v.string();
const id = v.pipe(v.number(), v.integer());

/** Schema of the replies' writer: no model (quotes), a model of VS Code, or an OpenAI-compatible endpoint. */
export const writerSchema = v.variant('kind', [
  v.object({ kind: v.literal('quotes') }),
  v.object({
    kind: v.literal('vscode'),
    /** Name to show, such as `GPT-5 mini`. */
    label: text,
    /** Maximum number of tokens in a request to the model. */
    maxInputTokens: v.number(),
  }),
  v.object({
    kind: v.literal('endpoint'),
    /** Base URL up to and including the version, such as `http://127.0.0.1:11434/v1`. */
    baseUrl: text,
    model: text,
    /** Name of the endpoint's embedding model, if the reader chose one. */
    embeddingModel: v.exactOptional(text),
    key: v.exactOptional(text),
    maxInputTokens: v.exactOptional(v.number()),
  }),
]);

export type Writer = v.InferOutput<typeof writerSchema>;

/** Reasons why a model gave no reply or only the beginning of one. */
export const modelFailures = [
  'no-consent',
  'no-quota',
  'refused',
  'not-found',
  'unreachable',
  'cut-off',
  'other',
] as const;

export type ModelFailure = (typeof modelFailures)[number];

/** Messages from the host to the service. */
export const toServiceSchema = v.variant('type', [
  v.object({ type: v.literal('answer-with'), writer: writerSchema }),
  /** Fetches a public site again. */
  v.object({ type: v.literal('docs-refresh') }),
  v.object({ type: v.literal('model-text'), id, text }),
  v.object({ type: v.literal('model-end'), id }),
  v.object({
    type: v.literal('model-failed'),
    id,
    code: v.picklist(modelFailures),
    message: text,
  }),
]);

export type ToService = v.InferOutput<typeof toServiceSchema>;

/** Messages from the service to the host. Only the host can use a model of VS Code. */
export const toHostSchema = v.variant('type', [
  v.object({
    type: v.literal('model-request'),
    id,
    messages: v.array(v.object({ role: v.picklist(['user', 'assistant']), text })),
  }),
  v.object({ type: v.literal('model-cancel'), id }),
]);

export type ToHost = v.InferOutput<typeof toHostSchema>;
