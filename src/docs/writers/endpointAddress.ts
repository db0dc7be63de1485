import { isHeaderSafe, isLoopbackHost } from '../../common/http/address';
import { parseUrl } from '../../shared/links';
import { fill } from '../../shared/fill';

/** Messages for URLs and keys that can't be used. They are in English, and `{0}` stands for `detail`. */
const endpointRefusals = {
  empty: 'Enter the URL of the endpoint, such as http://localhost:11434/v1.',
  'not-an-address': '“{0}” is not a URL. Enter one such as http://localhost:11434/v1.',
  'wrong-scheme': 'The URL must start with http:// or https://.',
  'has-user': 'The URL must not contain a user name or password.',
  'has-query': 'The URL must not contain a query (?…) or fragment (#…).',
  'key-over-http':
    'Over http://, the key would be sent to {0} unencrypted. Use https://, or leave the key empty.',
  'key-has-other-characters': 'Keys can contain only ASCII letters, digits, and symbols.',
} as const;

export interface EndpointRefusal {
  readonly ok: false;
  readonly message: (typeof endpointRefusals)[keyof typeof endpointRefusals];
  /** Part of the input that the message is about. Never a key. */
  readonly detail?: string;
}

export interface EndpointAddress {
  readonly ok: true;
  /** URL without a slash at its end, such as `http://localhost:11434/v1`. */
  readonly baseUrl: string;
  /** Scheme, host and port that the key is bound to. */
  readonly origin: string;
  readonly host: string;
  /** Whether questions would be sent over a network unencrypted. */
  readonly isUnencrypted: boolean;
}

/** Returns the message of a refusal in English. */
export function endpointRefusalText({ message, detail = '' }: EndpointRefusal): string {
  return fill(message, detail);
}

function refuse(reason: keyof typeof endpointRefusals, detail?: string): EndpointRefusal {
  return {
    ok: false,
    message: endpointRefusals[reason],
    detail,
  };
}

/** Matches the end of a URL that a person copied from an example of a request. */
const requestPath = /\/(?:chat\/completions|completions|embeddings|models)$/;
/** Path for a URL without a path. Ollama, LM Studio, vLLM and llama.cpp have their API there. */
const DEFAULT_PATH = '/v1';
const MAX_SHOWN = 100;

/**
 * Parses the URL of an OpenAI-compatible endpoint that a person entered. Removes the path of a request, such
 * as `/chat/completions`, from its end. Accepts `http:`, because many models run in the reader's own network.
 */
export function parseEndpointAddress(text: string): EndpointAddress | EndpointRefusal {
  const trimmed = text.trim();
  if (trimmed === '') return refuse('empty');
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const isBareHost = /^(?:localhost|[\w.-]+|\[[\da-f:]+\])(?::\d+)?(?:\/|$)/i.test(trimmed);
  const url = parseUrl(hasScheme || !isBareHost ? trimmed : `http://${trimmed}`);
  if (!url || url.hostname === '') return refuse('not-an-address', trimmed.slice(0, MAX_SHOWN));
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return refuse('wrong-scheme');
  if (url.username !== '' || url.password !== '') return refuse('has-user');
  if (/[?#]/.test(trimmed)) return refuse('has-query');
  const path = url.pathname.replace(/\/+$/, '').replace(requestPath, '').replace(/\/+$/, '');
  return {
    ok: true,
    baseUrl: url.origin + (path === '' ? DEFAULT_PATH : path),
    origin: url.origin,
    host: url.host,
    isUnencrypted: url.protocol === 'http:' && !isLoopbackHost(url.hostname),
  };
}

/** Returns why a key can't be used for an endpoint, or undefined if it can. */
export function endpointKeyRefusal(
  { isUnencrypted, host }: EndpointAddress,
  key: string,
): EndpointRefusal | undefined {
  if (isUnencrypted) return refuse('key-over-http', host);
  return isHeaderSafe(key) ? undefined : refuse('key-has-other-characters');
}
