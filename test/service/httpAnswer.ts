/** Sends requests whose path and connection nothing tidies up, as `fetch` would. */
import { request, type Agent } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/**
 * Returns the whole answer to a request. It fails like a browser's if the connection breaks.
 * @param address path as it is sent.
 */
export function answerOf(
  origin: string,
  address: string,
  options: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly method?: string;
    /** Connections to use. Without one, the request has its own. */
    readonly agent?: Agent;
  } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const { headers, method, agent = false } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path: address, headers, method, agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
