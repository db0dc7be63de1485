import type { Fetch } from '../../src/common/ports';

/** A request of the code under test. */
export interface RecordedRequest {
  readonly url: string;
  readonly init: RequestInit;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** The parsed JSON body. */
  readonly body: unknown;
}

export type Answer = (request: RecordedRequest) => Response | Promise<Response>;

/** Serves a scripted list of answers, one per request. A further request fails. */
export class FakeFetch {
  readonly requests: RecordedRequest[] = [];
  readonly #answers: Answer[];

  constructor(...answers: Answer[]) {
    this.#answers = answers;
  }

  readonly fetch: Fetch = async (url, init) => {
    const request: RecordedRequest = {
      url,
      init,
      headers: new Headers(init.headers),
      signal: init.signal ?? new AbortController().signal,
      body: typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body,
    };
    this.requests.push(request);
    const answer = this.#answers.shift();
    if (!answer) throw new Error(`Unexpected request number ${this.requests.length}: ${url}`);
    return answer(request);
  };

  /** Returns the request with that index. */
  request(index: number): RecordedRequest {
    const request = this.requests[index];
    if (!request) throw new Error(`There were only ${this.requests.length} requests`);
    return request;
  }
}

/** Returns an answer with status 200 whose body arrives in the given pieces and then ends. */
export function streamOf(
  pieces: readonly (string | Uint8Array)[],
  headers: Record<string, string> = { 'content-type': 'text/event-stream' },
): Response {
  const stream = new OpenStream(headers);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  return stream.response;
}

/** Answer with status 200 whose body a test writes step by step. */
export class OpenStream {
  readonly response: Response;
  /** Reason that the reader gave when it canceled the body. */
  canceledWith: unknown;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(headers: Record<string, string> = { 'content-type': 'text/event-stream' }) {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: (reason) => {
        this.canceledWith = reason ?? 'canceled';
      },
    });
    this.response = new Response(body, { headers });
  }

  write(piece: string | Uint8Array): void {
    this.#controller?.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
  }

  end(): void {
    this.#controller?.close();
  }

  /** Breaks the connection. */
  fail(error: Error): void {
    this.#controller?.error(error);
  }
}

/** Returns the error `fetch failed` as Node throws it, with a cause that has a system code. */
export function fetchFailure(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}
