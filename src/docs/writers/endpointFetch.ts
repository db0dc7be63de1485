import type { Fetch } from '../../common/ports';
import { ModelError } from './model';

/**
 * Maximum size of a response in bytes. A reply has a few kilobytes of text, but each token comes in an event
 * of a few hundred bytes.
 */
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024;
/** Maximum size of an error's body in bytes. An error is a sentence in JSON. */
const MAX_ERROR_BYTES = 64 * 1024;

/**
 * Returns a `fetch` for one endpoint. It only sends requests to the endpoint's own origin, rejects redirects
 * (which would send the key elsewhere) and web pages, and limits the size of responses.
 * @param onConnect called when the endpoint has sent its headers.
 * @param maxBytes maximum size of a response that is no error.
 */
export function endpointFetch(
  fetch: Fetch,
  baseUrl: string,
  onConnect?: (response: Response) => void,
  maxBytes = MAX_RESPONSE_BYTES,
): typeof globalThis.fetch {
  const { origin } = new URL(baseUrl);
  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (new URL(url).origin !== origin) throw new ModelError('redirected');
    const response = await fetch(url, { ...init, redirect: 'manual' });
    onConnect?.(response);
    const { status } = response;
    const discard = (): void => void response.body?.cancel().catch(() => undefined);
    if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
      discard();
      throw new ModelError('redirected', { status });
    }
    const type = response.headers.get('content-type') ?? '';
    if (response.ok && /\b(?:html|xml)\b/i.test(type)) {
      discard();
      throw new ModelError('not-an-api', { status });
    }
    if (!response.body) return response;
    const limit = response.ok ? maxBytes : MAX_ERROR_BYTES;
    return new Response(response.body.pipeThrough(byteLimit(limit, response.ok)), {
      status,
      statusText: response.statusText,
      headers: response.headers,
    });
  };
}

/** Passes on bytes up to a limit. After the limit, the stream fails if `mustFail` is true, or else ends. */
function byteLimit(limit: number, mustFail: boolean): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      count += bytes.byteLength;
      if (count <= limit) controller.enqueue(bytes);
      else if (mustFail) controller.error(new ModelError('too-long'));
      else controller.terminate();
    },
  });
}
