import * as v from 'valibot';
import type { Clock, Fetch } from '../../common/ports';
import { endpointFetch } from './endpointFetch';
import { ModelError } from './model';

/** Milliseconds to wait for the list. After that, the reader has to enter the model's name. */
const PATIENCE_MS = 8000;
/** Maximum size of a list in bytes. A gateway's list of hundreds of models has one megabyte. */
const MAX_LIST_BYTES = 4 * 1024 * 1024;
/** Maximum number of models to list. Gateways offer hundreds, and the reader can filter the list. */
const MAX_MODELS = 1000;

const count = v.fallback(v.optional(v.pipe(v.number(), v.minValue(1))), undefined);
const entrySchema = v.object({
  id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(300)),
  // These are the fields for the window's size at vLLM, OpenRouter, LM Studio and Groq.
  max_model_len: count,
  context_length: count,
  max_context_length: count,
  context_window: count,
});
const listSchema = v.object({ data: v.array(v.unknown()), object: v.optional(v.unknown()) });
/** Schema of the fields that OpenAI's API gives each entry. Other APIs have lists with IDs, too. */
const openAiEntrySchema = v.object({ object: v.literal('model') });

/** A model of an endpoint. */
export interface EndpointModelEntry {
  readonly id: string;
  /** Size of the model's window in tokens, including the reply, if the endpoint tells it. */
  readonly windowTokens?: number;
}

/** An endpoint's models, or the reason why it listed none. */
type EndpointModels =
  | {
      readonly ok: true;
      readonly models: readonly EndpointModelEntry[];
      /** Whether the list has the very form of OpenAI's API, as those of all model servers have. */
      readonly isOpenAiList: boolean;
    }
  | { readonly ok: false; readonly reason: 'key' | 'redirect' | 'unreachable' | 'unknown' };

/** Requests the list of an endpoint's models. Some endpoints have no such list but work. */
export async function listEndpointModels(
  ports: { readonly fetch: Fetch; readonly clock: Clock },
  {
    baseUrl,
    key,
    patienceMs = PATIENCE_MS,
  }: {
    readonly baseUrl: string;
    readonly key?: string | undefined;
    /** Milliseconds to wait for the whole list. */
    readonly patienceMs?: number;
  },
): Promise<EndpointModels> {
  const ending = new AbortController();
  const patience = ports.clock.delay(patienceMs, ending.signal).then(
    () => ending.abort(new ModelError('timed-out')),
    () => undefined,
  );
  let isConnected = false as boolean;
  try {
    const onConnect = (): void => void (isConnected = true);
    const get = endpointFetch(ports.fetch, baseUrl, onConnect, MAX_LIST_BYTES);
    const response = await get(`${baseUrl}/models`, {
      headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
      signal: ending.signal,
    });
    if (!response.ok) {
      void response.body?.cancel().catch(() => undefined);
      const isKey = response.status === 401 || response.status === 403;
      return { ok: false, reason: isKey ? 'key' : 'unknown' };
    }
    const list = v.safeParse(listSchema, await response.json());
    if (!list.success) return { ok: false, reason: 'unknown' };
    const { data, object } = list.output;
    return {
      ok: true,
      models: data.slice(0, MAX_MODELS).flatMap(entryOf),
      isOpenAiList: object === 'list' && data.every((entry) => v.is(openAiEntrySchema, entry)),
    };
  } catch (error) {
    const isRedirect = error instanceof ModelError && error.code === 'redirected';
    if (isRedirect) return { ok: false, reason: 'redirect' };
    return { ok: false, reason: isConnected ? 'unknown' : 'unreachable' };
  } finally {
    ending.abort();
    await patience;
  }
}

/** Returns whether an endpoint has a model, according to its list. */
export function endpointState(
  listed: EndpointModels,
  model: string,
): 'ready' | 'lists-no-models' | 'model-missing' | 'key-rejected' | 'redirects' | 'unreachable' {
  if (listed.ok) {
    if (listed.models.length === 0) return 'lists-no-models';
    // Ollama lists the model "llama3.2" as "llama3.2:latest".
    const isListed = listed.models.some(({ id }) => id === model || id === `${model}:latest`);
    return isListed ? 'ready' : 'model-missing';
  }
  switch (listed.reason) {
    case 'key':
      return 'key-rejected';
    case 'redirect':
      return 'redirects';
    case 'unreachable':
      return 'unreachable';
    case 'unknown':
      return 'lists-no-models';
  }
}

function entryOf(value: unknown): EndpointModelEntry[] {
  const parsed = v.safeParse(entrySchema, value);
  if (!parsed.success) return [];
  const { id, max_model_len, context_length, max_context_length, context_window } = parsed.output;
  const windowTokens = max_model_len ?? context_length ?? max_context_length ?? context_window;
  return [{ id, windowTokens }];
}

/** Returns whether a model's name is that of an embedding model or a reranker, which can't write. */
export function isEmbedding(id: string): boolean {
  return /embed|bge|e5-|gte-|minilm|rerank/i.test(id);
}

/** Share of a model's window that a request can use. The reply needs the rest. */
const INPUT_SHARE = 0.75;

/** Returns the maximum tokens of a request to a model, if its endpoint tells the size of its window. */
export function maxInputTokensOf(entry: EndpointModelEntry | undefined): number | undefined {
  const windowTokens = entry?.windowTokens;
  return windowTokens === undefined
    ? undefined
    : Math.max(1, Math.floor(windowTokens * INPUT_SHARE));
}
