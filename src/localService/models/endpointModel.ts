import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, JSONParseError, TypeValidationError } from 'ai';
import * as v from 'valibot';
import { isLoopbackHost } from '../../common/http/address';
import type { Fetch, Log } from '../../common/ports';
import { plainSentence } from '../../common/text/safeText';
import type { Writer } from '../server/parentChannel';
import { endpointFetch } from './endpointFetch';
import type { Embedder } from './similarSections';
import { ModelError, type Model, type ModelErrorCode, type ModelMessage } from './model';

/**
 * Tokens that a request may hold if the endpoint doesn't tell its model's window. On this machine,
 * Ollama gives a model 4,096 tokens unless it is told otherwise, and cuts what is longer without a
 * word. Gateways serve larger models, and say so when a request is too long.
 */
const DEFAULT_INPUT_TOKENS = { loopback: 3000, elsewhere: 12_000 } as const;
/** Characters of an endpoint's own sentence that go to the log. */
const MAX_SENTENCE = 200;

export type EndpointWriter = Extract<Writer, { readonly kind: 'endpoint' }>;

export interface EndpointPorts {
  readonly fetch: Fetch;
  readonly log: Log;
}

/** A model behind an OpenAI-compatible endpoint. Each request is sent once. */
export class EndpointModel implements Model {
  readonly label: string;
  readonly maxInputTokens: number;
  readonly #endpoint: EndpointWriter;
  readonly #ports: EndpointPorts;

  constructor(endpoint: EndpointWriter, ports: EndpointPorts) {
    this.#endpoint = endpoint;
    this.#ports = ports;
    const { host, hostname } = new URL(endpoint.baseUrl);
    const place = isLoopbackHost(hostname) ? 'loopback' : 'elsewhere';
    this.label = `${endpoint.model} at ${host}`;
    this.maxInputTokens = endpoint.maxInputTokens ?? DEFAULT_INPUT_TOKENS[place];
  }

  async *stream(
    messages: readonly ModelMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<string, void, undefined> {
    const { baseUrl, model, key } = this.#endpoint;
    let response: Response | undefined;
    const provider = createOpenAICompatible({
      name: 'endpoint',
      baseURL: baseUrl,
      fetch: endpointFetch(this.#ports.fetch, baseUrl, (answered) => (response = answered)),
      ...(key === undefined ? {} : { apiKey: key }),
    });
    try {
      // No option is sent: newer models refuse `max_tokens`, older ones its successor.
      const { stream } = await provider.chatModel(model).doStream({
        prompt: messages.map(promptMessage),
        abortSignal: signal,
      });
      for await (const part of partsOf(stream)) {
        if (part.type === 'text-delta') yield part.delta;
        else if (part.type === 'reasoning-delta') yield '';
        else if (part.type === 'error') throw part.error;
        else if (part.type === 'finish') checkFinish(part.finishReason.unified);
      }
    } catch (error) {
      signal.throwIfAborted();
      throw endpointError(error, response, this.#endpoint, this.#ports.log);
    }
  }
}

/** Returns the embedding model of an endpoint, if the reader named one. */
export function endpointEmbedder(
  endpoint: EndpointWriter,
  { fetch, log }: EndpointPorts,
): Embedder | undefined {
  const { baseUrl, embeddingModel, key } = endpoint;
  if (embeddingModel === undefined) return undefined;
  return {
    id: `${baseUrl} ${embeddingModel}`,
    embed: async (texts, signal) => {
      let response: Response | undefined;
      const provider = createOpenAICompatible({
        name: 'endpoint',
        baseURL: baseUrl,
        fetch: endpointFetch(fetch, baseUrl, (answered) => (response = answered)),
        ...(key === undefined ? {} : { apiKey: key }),
      });
      try {
        const { embeddings } = await provider
          .embeddingModel(embeddingModel)
          .doEmbed({ values: [...texts], abortSignal: signal });
        return embeddings;
      } catch (error) {
        if (signal.aborted) throw new ModelError('timed-out');
        throw endpointError(error, response, endpoint, log);
      }
    },
  };
}

type Provider = ReturnType<typeof createOpenAICompatible>;
type ChatModel = ReturnType<Provider['chatModel']>;
type PromptMessage = Parameters<ChatModel['doStream']>[0]['prompt'][number];

function promptMessage({ role, text }: ModelMessage): PromptMessage {
  return role === 'system' ? { role, content: text } : { role, content: [{ type: 'text', text }] };
}

/** Reads a stream to its end, and cancels it when the reader leaves. */
async function* partsOf<T>(stream: ReadableStream<T>): AsyncGenerator<T, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function checkFinish(reason: string): void {
  if (reason === 'length') throw new ModelError('length-limit');
  if (reason === 'content-filter') throw new ModelError('refused');
  if (reason === 'error') throw new ModelError('cut-off');
}

const bodySchema = v.object({
  error: v.union([
    v.string(),
    v.object({
      message: v.optional(v.string()),
      type: v.nullish(v.string()),
      code: v.nullish(v.union([v.string(), v.number()])),
    }),
  ]),
});
type ServerError = v.InferOutput<typeof bodySchema>['error'];

/**
 * Returns what a failed request to an endpoint means. Logs the endpoint's own sentence without
 * anything that looks like a secret.
 * @param response what the endpoint had begun to answer, if it had.
 */
export function endpointError(
  error: unknown,
  response: Response | undefined,
  { key, baseUrl }: Pick<EndpointWriter, 'key' | 'baseUrl'>,
  log: Log,
): ModelError {
  if (error instanceof ModelError) return error;
  const own = ownError(error);
  if (own) return own;
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  const said = serverError(bodyOf(error));
  const sentence = typeof said === 'string' ? said : (said?.message ?? '');
  if (sentence !== '') {
    const secrets = key === undefined ? [] : [key];
    log.warn(`The model's endpoint said: ${plainSentence(sentence, secrets, MAX_SENTENCE)}`);
  }
  const code = errorCode(status, said, sentence, response, error);
  return new ModelError(code, { status, host: new URL(baseUrl).host });
}

/** Returns an error of ours that a library passed on as the cause of its own. */
function ownError(error: unknown): ModelError | undefined {
  let cause = error;
  for (let depth = 0; depth < 4 && cause instanceof Error; depth++) {
    if (cause instanceof ModelError) return cause;
    cause = cause.cause;
  }
  return undefined;
}

/** Returns the body of a failed response, or the error within a stream as such a body. */
function bodyOf(error: unknown): unknown {
  if (APICallError.isInstance(error)) return error.data ?? error.responseBody;
  return error instanceof Error ? undefined : { error };
}

function serverError(body: unknown): ServerError | undefined {
  let value = body;
  if (typeof body === 'string') {
    try {
      value = JSON.parse(body);
    } catch {
      return undefined;
    }
  }
  const parsed = v.safeParse(bodySchema, value);
  return parsed.success ? parsed.output.error : undefined;
}

function errorCode(
  status: number | undefined,
  said: ServerError | undefined,
  sentence: string,
  response: Response | undefined,
  error: unknown,
): ModelErrorCode {
  const words = typeof said === 'object' ? `${said.type ?? ''} ${said.code ?? ''}` : '';
  if (/context_length|context length|context window|too many tokens/i.test(`${words} ${sentence}`))
    return 'context-too-long';
  if (/quota|rate_?limit|billing/i.test(words)) return 'no-quota';
  switch (status) {
    case 401:
    case 403:
      return 'refused';
    case 404:
      return 'not-found';
    case 402:
    case 429:
      return 'no-quota';
    case 413:
      return 'context-too-long';
    case undefined:
      break;
    default:
      // A response of 200 is reported with its status when its body ends too early.
      return status < 300 ? 'cut-off' : 'other';
  }
  if (said !== undefined) return 'other';
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return 'not-an-api';
  }
  if (!response) return 'unreachable';
  // The events of a stream never come as one JSON document.
  return response.headers.get('content-type')?.includes('json') === true ? 'not-an-api' : 'cut-off';
}
