/**
 * OpenAI-compatible endpoint on loopback with scripted answers. It imitates the API of Ollama, vLLM
 * and others, and the ways in which these servers fail.
 */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';

export interface ModelRequest {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: {
    readonly model?: string;
    readonly stream?: boolean;
    readonly messages?: readonly { readonly role: string; readonly content: string }[];
    readonly input?: readonly string[];
    readonly tools?: unknown;
  };
  /** All texts of the messages. */
  readonly text: string;
  /** Whether the request asks for search queries. */
  readonly isForQueries: boolean;
}

export type ModelScript = (
  response: http.ServerResponse,
  request: ModelRequest,
) => void | Promise<void>;

export interface ModelEndpoint {
  readonly baseUrl: string;
  readonly host: string;
  readonly requests: ModelRequest[];
  /** Requests for replies, without those for search queries. */
  readonly replyRequests: ModelRequest[];
  /** Answers requests for replies. */
  reply: ModelScript;
  /** Answers requests for search queries. */
  queries: ModelScript;
  embeddings: ModelScript;
  /** Answers `GET /models`. */
  models: ModelScript;
  stop(): Promise<void>;
}

function event(content: string, finish: string | null = null): string {
  const delta = content === '' ? {} : { content };
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

/** Streams the pieces like a model, up to a normal end. */
export function says(...pieces: readonly string[]): ModelScript {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of pieces) response.write(event(piece));
    response.end(`${event('', 'stop')}data: [DONE]\n\n`);
  };
}

/** Streams the pieces, then ends abnormally. */
export function saysThen(
  pieces: readonly string[],
  then: (response: http.ServerResponse) => void,
): ModelScript {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) response.write(event(piece));
    // The client must read the pieces before the connection breaks. A client in this process needs some turns
    // of the event loop, however long they are. A client in another process needs time.
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 20));
    then(response);
  };
}

/** Returns the end of a stream with another reason than `stop`. */
export function finish(reason: string): (response: http.ServerResponse) => void {
  return (response) => void response.end(`${event('', reason)}data: [DONE]\n\n`);
}

/** Returns an answer with a status and JSON. */
export function fails(status: number, error: unknown, headers: object = {}): ModelScript {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error }));
  };
}

/** Answer to requests for search queries that a test ignores. The model writes none. */
const noQueries = says('{"queries": []}');

export async function startModelEndpoint(): Promise<ModelEndpoint> {
  const endpoint: Omit<ModelEndpoint, 'baseUrl' | 'host' | 'stop'> = {
    requests: [],
    replyRequests: [],
    reply: says('Nothing.'),
    queries: noQueries,
    embeddings: fails(404, { message: 'no embeddings' }),
    models: fails(404, { message: 'no list' }),
  };
  const server = http.createServer((request, response) => {
    void (async () => {
      let text = '';
      for await (const chunk of request) text += String(chunk);
      const body = (text === '' ? {} : JSON.parse(text)) as ModelRequest['body'];
      const all = (body.messages ?? []).map(({ content }) => content).join('\n');
      const seen: ModelRequest = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        text: all,
        isForQueries: all.includes('You prepare the search'),
      };
      endpoint.requests.push(seen);
      if (seen.path.endsWith('/models')) return endpoint.models(response, seen);
      if (seen.path.endsWith('/embeddings')) return endpoint.embeddings(response, seen);
      if (seen.isForQueries) return endpoint.queries(response, seen);
      endpoint.replyRequests.push(seen);
      return endpoint.reply(response, seen);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(endpoint, {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    host: `127.0.0.1:${port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  });
}

/** Starts a server that answers every connection with these bytes of raw HTTP and then closes it. */
export async function startRawServer(bytes: string): Promise<{
  readonly baseUrl: string;
  stop(): Promise<void>;
}> {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
