/** A public docs site that a test serves on loopback. */
import { createServer } from 'node:http';

/** Content of each path of the site. */
export type SiteFiles = Readonly<Record<string, { readonly type: string; readonly body: string }>>;

export interface DocsSite {
  /** URL without a slash at its end. */
  readonly url: string;
  /** Paths that were requested so far. */
  readonly requested: readonly string[];
  /** Publishes a new version of some pages. */
  publish(files: SiteFiles): void;
  stop(): Promise<void>;
}

/** @param files given the URL of the site, because a sitemap holds whole URLs. */
export async function serveDocsSite(files: (url: string) => SiteFiles): Promise<DocsSite> {
  const requested: string[] = [];
  let served: SiteFiles = {};
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    requested.push(path);
    const file = served[path];
    response.writeHead(file ? 200 : 404, { 'content-type': file?.type ?? 'text/plain' });
    response.end(file?.body ?? 'Not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;
  served = files(url);
  return {
    url,
    requested,
    publish: (changed) => {
      served = { ...served, ...changed };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
