/**
 * Defines the messages between the local docs service and the process that started it, over the
 * channel of `child_process.fork`. The key of a model endpoint is sent over this channel only, never in
 * an argument, an environment variable or a URL.
 */
import * as v from 'valibot';
import { packageNameSchema } from '../../common/localDocsApi';
import { modelFailures } from '../../docs/writers/model';
import { writerSchema } from '../../docs/writers/writer';

/** Most packages that are read first. */
export const MAX_FIRST_PACKAGES = 50;

const text = v.string();
const id = v.pipe(v.number(), v.integer());

/** Messages from the host to the service. */
export const toServiceSchema = v.variant('type', [
  v.object({ type: v.literal('answer-with'), writer: writerSchema }),
  /** Fetches a public site again. */
  v.object({ type: v.literal('docs-refresh') }),
  /** Ends that fetch. */
  v.object({ type: v.literal('docs-refresh-cancel') }),
  /** Reads the docs of installed packages first that the code in the editor imports. */
  v.object({
    type: v.literal('packages-first'),
    names: v.pipe(v.array(packageNameSchema), v.maxLength(MAX_FIRST_PACKAGES)),
  }),
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
