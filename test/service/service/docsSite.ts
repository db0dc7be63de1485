/** A docs site on loopback, whose answers a test changes. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** The site's answer at a path: a text, a response, or what a handler does. */
export type SiteAnswer =
  | string
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | ((request: IncomingMessage, response: ServerResponse) => void);

export class DocsSite {
  /** Paths of the requests so far, in their order. */
  readonly requests: string[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** Answer for paths without one of their own. */
  fallback: SiteAnswer = { status: 404, body: 'Not found' };
  /** Most requests that waited for an answer at the same time. */
  mostAtOnce = 0;
  /** Address of the site, without a slash at its end. */
  url = '';
  #atOnce = 0;
  readonly #server: Server;

  private constructor(public answers: Readonly<Record<string, SiteAnswer>>) {
    this.#server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(answers: Readonly<Record<string, SiteAnswer>>): Promise<DocsSite> {
    const site = new DocsSite(answers);
    site.#server.listen(0, '127.0.0.1');
    await once(site.#server, 'listening');
    const address = site.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The site has no port');
    site.url = `http://127.0.0.1:${address.port}`;
    return site;
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.requests.push(path);
    this.headers.push(request.headers);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.#atOnce);
    response.on('close', () => this.#atOnce--);
    const answer = this.answers[path] ?? this.fallback;
    if (typeof answer === 'function') {
      answer(request, response);
      return;
    }
    const {
      status = 200,
      headers = {},
      body = '',
    } = typeof answer === 'string' ? { body: answer } : answer;
    const etag = headers['etag'];
    if (etag !== undefined && request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(status, headers).end(body);
  }
}

export function htmlPage(title: string, text: string): string {
  return `<!doctype html><html lang="en"><head><title>${title} | Docs</title><meta name="description" content="About ${title}"></head><body><nav>Menu unicorn</nav><main><h1>${title}</h1>${text}</main></body></html>`;
}

export function sitemapOf(urls: readonly string[]): string {
  return `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
}
