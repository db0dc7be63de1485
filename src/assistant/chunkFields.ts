/** What is read of a chunk, by its type. What a service may leave out or get wrong has a default. */
import * as v from 'valibot';

/** A chunk as it came. */
export type Fields = Readonly<Record<string, unknown>>;

const words = v.fallback(v.optional(v.string()), undefined);
const providerMetadata = v.optional(v.unknown());
export const sourceSchema = v.object({
  sourceId: words,
  url: v.string(),
  title: words,
  providerMetadata,
});
export const documentSchema = v.object({
  sourceId: words,
  url: words,
  title: words,
  filename: words,
  providerMetadata,
});
export const fileSchema = v.object({
  url: v.string(),
  mediaType: v.fallback(v.string(), 'application/octet-stream'),
  filename: words,
});
export const toolSchema = v.object({
  toolCallId: v.string(),
  toolName: v.fallback(v.string(), 'search'),
  input: v.optional(v.unknown()),
  output: v.optional(v.unknown()),
  preliminary: v.fallback(v.optional(v.boolean()), undefined),
});
export const threadIdSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(1000));
export const metadataSchema = v.object({ threadId: threadIdSchema });

export type SourceFields = v.InferOutput<typeof sourceSchema>;
export type FileFields = v.InferOutput<typeof fileSchema>;
export type ToolFields = v.InferOutput<typeof toolSchema>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
