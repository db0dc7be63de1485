import * as v from 'valibot';

/** Schema of the replies' writer: no model (quotes), a model of VS Code, or an OpenAI-compatible endpoint. */
export const writerSchema = v.variant('kind', [
  v.object({ kind: v.literal('quotes') }),
  v.object({
    kind: v.literal('vscode'),
    /** Name to show, such as `GPT-5 mini`. */
    label: v.string(),
    /** Maximum number of tokens in a request to the model. */
    maxInputTokens: v.number(),
  }),
  v.object({
    kind: v.literal('endpoint'),
    /** Base URL up to and including the version, such as `http://127.0.0.1:11434/v1`. */
    baseUrl: v.string(),
    /** Name of the model that writes. Without one, replies are quotes. */
    model: v.optional(v.string()),
    /** Name of the model that finds sections by meaning, if the reader chose one. */
    embeddingModel: v.optional(v.string()),
    key: v.optional(v.string()),
    maxInputTokens: v.optional(v.number()),
  }),
]);

export type Writer = v.InferOutput<typeof writerSchema>;
