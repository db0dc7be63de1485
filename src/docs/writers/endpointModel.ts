import {
  OpenAICompatibleChatLanguageModel as ChatModel,
  OpenAICompatibleEmbeddingModel as EmbeddingModel,
} from '@ai-sdk/openai-compatible';
import { APICallError, JSONParseError, TypeValidationError } from 'ai';
import * as v from 'valibot';
import { isLoopbackHost } from '../../common/http/address';
import type { Clock, Fetch, Log } from '../../common/ports';
import { plainSentence } from '../../common/text/safeText';
import { parsedJson } from '../../common/text/strings';
import { parsedAs } from '../../shared/schemas';
import type { Writer } from './writer';
import { endpointFetch } from './endpointFetch';
import type { Embedder } from './similarSections';
import { eventsUntilEnd } from './streamEnd';
import {
  ModelError,
  type Model,
  type ModelErrorCode,
  type ModelMessage,
  noExperience,
} from './model';

/**
 * Maximum tokens of a request if the endpoint doesn't tell its model's window. On this machine, Ollama's
 * default is a window of 4,096 tokens, and it cuts longer requests without an error. Gateways serve larger
 * models, and send an error if a request is too long.
 */
const DEFAULT_INPUT_TOKENS = { loopback: 3000, elsewhere: 12_000 } as const;
/** Maximum characters of an endpoint's own error message in the log. */
const MAX_SENTENCE = 200;

type Endpoint = Extract<Writer, { readonly kind: 'endpoint' }>;
/** An endpoint with a model that writes. */
type EndpointWriter = Endpoint & { readonly model: string };

export interface EndpointPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly log: Log;
}

/** A model of an OpenAI-compatible endpoint. Never repeats a request that failed. */
export class EndpointModel implements Model {
  readonly label: string;
  readonly maxInputTokens: number;
  readonly experience = noExperience();
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
    const { baseUrl, model } = this.#endpoint;
    const { fetch, clock } = this.#ports;
    let response: Response | undefined;
    const send = endpointFetch(fetch, baseUrl, (answered) => (response = answered));
    const chat = new ChatModel(model, {
      ...modelSettings(this.#endpoint),
      fetch: async (input, init) => untilEnd(await send(input, init), clock),
    });
    try {
      // The request has no options. Newer models reject `max_tokens`, and older ones its successor.
      const { stream } = await chat.doStream({
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

/** Returns a response whose stream ends with the completion. Errors stay as they are. */
function untilEnd(response: Response, clock: Clock): Response {
  if (!response.ok || !response.body) return response;
  const { status, statusText, headers } = response;
  const events = eventsUntilEnd(response.body, clock);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await events.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void events.return(),
  });
  return new Response(body, { status, statusText, headers });
}

/** Returns the embedding model of an endpoint, or undefined if the reader chose none. */
export function endpointEmbedder(
  endpoint: Endpoint,
  { fetch, log }: Pick<EndpointPorts, 'fetch' | 'log'>,
): Embedder | undefined {
  const { baseUrl, embeddingModel } = endpoint;
  if (embeddingModel === undefined) return undefined;
  return {
    id: `${baseUrl} ${embeddingModel}`,
    embed: async (texts, signal) => {
      let response: Response | undefined;
      const model = new EmbeddingModel(embeddingModel, {
        ...modelSettings(endpoint),
        fetch: endpointFetch(fetch, baseUrl, (answered) => (response = answered)),
      });
      try {
        const { embeddings } = await model.doEmbed({ values: [...texts], abortSignal: signal });
        return embeddings;
      } catch (error) {
        if (signal.aborted) throw new ModelError('timed-out');
        throw endpointError(error, response, endpoint, log);
      }
    },
  };
}

/** Returns the settings that each model of an endpoint has. The library's factory would bring models that nothing uses. */
function modelSettings({ baseUrl, key }: Endpoint) {
  return {
    provider: 'endpoint',
    url: ({ path }: { readonly path: string }) => baseUrl + path,
    headers: key === undefined || key === '' ? {} : { Authorization: `Bearer ${key}` },
  };
}

type PromptMessage = Parameters<ChatModel['doStream']>[0]['prompt'][number];

function promptMessage({ role, text }: ModelMessage): PromptMessage {
  return role === 'system' ? { role, content: text } : { role, content: [{ type: 'text', text }] };
}

/** Yields the parts of a stream, and cancels the stream if the consumer stops early. */
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
 * Returns the error for a failed request to an endpoint. Logs the endpoint's own error message without
 * anything that looks like a secret.
 * @param response response whose headers had arrived before the failure, if any.
 */
function endpointError(
  error: unknown,
  response: Response | undefined,
  { key, baseUrl }: Pick<Endpoint, 'key' | 'baseUrl'>,
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

/** Returns the `ModelError` that a library has wrapped as the cause of its own error, if any. */
function ownError(error: unknown): ModelError | undefined {
  let cause = error;
  for (let depth = 0; depth < 4 && cause instanceof Error; depth++) {
    if (cause instanceof ModelError) return cause;
    cause = cause.cause;
  }
  return undefined;
}

/** Returns the body of a failed response, or an error event of a stream in the form of such a body. */
function bodyOf(error: unknown): unknown {
  if (APICallError.isInstance(error)) return error.data ?? error.responseBody;
  return error instanceof Error ? undefined : { error };
}

function serverError(body: unknown): ServerError | undefined {
  return parsedAs(bodySchema, typeof body === 'string' ? parsedJson(body) : body)?.error;
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
      // The library reports a successful status if the body ends too early.
      return status < 300 ? 'cut-off' : 'other';
  }
  if (said !== undefined) return 'other';
  if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) {
    return 'not-an-api';
  }
  if (!response) return 'unreachable';
  // A stream of events never has the type JSON. Such a response is from something else than this API.
  return response.headers.get('content-type')?.includes('json') === true ? 'not-an-api' : 'cut-off';
}
