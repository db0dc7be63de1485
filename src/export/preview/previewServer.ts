/**
 * Serves an unpacked site on this machine like a static host. Opens a port (`node:http`) and reads
 * files (`node:fs`).
 *
 * Who may read it (faults.md D20, D21): the port is bound to 127.0.0.1, requests must name a
 * loopback host or the one that VS Code forwards the port from, which a page that rebinds its own host name to this machine does not, and what
 * another site's page embeds or fetches is refused, by what browsers say about where a request
 * comes from, and by the headers that keep them from sharing an answer.
 *
 * There is no token in the address: a path of its own would break each link of the site that
 * begins at its top, a host name of its own is not forwarded in remote windows, and a cookie is not
 * sent in the Simple Browser, whose frame is another site's to the browser. So another account of
 * this machine can read the preview while it runs, as with every local web server.
 */
import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { systemErrorCode } from '../../common/errorCode';
import { encodePath } from '../../common/http/encodePath';
import type { Log } from '../../common/ports';
import { ExportError } from '../exportErrors';
import { sendFileOf, sendPlainPage } from './fileResponse';
import { decodedPath, findFile, findTarget, type PreviewTarget } from './previewFiles';

interface PreviewOptions {
  /** Absolute path of the site's folder. */
  readonly root: string;
  /** Path that the site is made for, such as `/docs`, also percent-encoded. The folder is served below it. */
  readonly basePath?: string;
  readonly log: Log;
}

export interface Preview {
  /** URL `http://127.0.0.1:<port>/`, followed by the base path. */
  readonly url: string;
  /**
   * Allows requests to another host, such as `code.example.com:8080`, from which VS Code forwards the
   * port to a browser elsewhere.
   */
  allowHost(host: string): void;
  /** Closes the port and all connections at once. Can be called twice. */
  stop(): Promise<void>;
  /** Resolves when the port is closed, by `stop` or because the server failed. */
  readonly whenStopped: Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/** Maximum size of all headers. It is large, so that a long address gets its own error. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * Starts a server on a free port.
 * @throws {ExportError} `file-gone` for a missing folder, `preview-failed` without a port.
 */
export async function startPreview(options: PreviewOptions): Promise<Preview> {
  const { log } = options;
  const basePath = `/${options.basePath ?? ''}`.replace(/\/+/g, '/').replace(/\/$/, '');
  const site: Site = {
    root: await realRoot(options.root),
    basePath: decodedPath(basePath) ?? basePath,
    forwardedHosts: new Set(),
    log,
  };
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, (request, response) => {
    answer(site, request, response).catch((error: unknown) => {
      log.error('The preview could not answer a request', error);
      refuse(response, 500);
    });
  });
  const port = await listen(server);
  const whenStopped = once(server, 'close').then(() => undefined);
  const stop = (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    return whenStopped;
  };
  server.on('error', (error) => {
    log.error('The preview’s server failed', error);
    void stop();
  });
  return {
    url: `http://${LOOPBACK}:${port}${encodePath(site.basePath)}/`,
    allowHost: (host) => site.forwardedHosts.add(host.toLowerCase()),
    stop,
    whenStopped,
  };
}

interface Site {
  readonly root: string;
  readonly basePath: string;
  readonly forwardedHosts: Set<string>;
  readonly log: Log;
}

async function realRoot(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch (error) {
    throw new ExportError('file-gone', { path: folder, cause: error });
  }
  throw new ExportError('file-gone', { path: folder });
}

async function listen(server: Server): Promise<number> {
  try {
    const listening = once(server, 'listening');
    server.listen(0, LOOPBACK);
    await listening;
  } catch (error) {
    throw new ExportError('preview-failed', { causeCode: systemErrorCode(error), cause: error });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new ExportError('preview-failed');
  return address.port;
}

async function answer(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = '', url = '' } = request;
  response.once('finish', () => {
    const shown = url.split('?', 1)[0]?.slice(0, 200) ?? '';
    site.log.debug(`Preview: ${method} ${shown} ${response.statusCode}`);
  });
  for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
  const target = await decide(site, request);
  switch (target.kind) {
    case 'file':
      sendFile(site, request, response, target.path);
      break;
    case 'redirect':
      response.setHeader('Location', target.location);
      refuse(response, 302);
      break;
    case 'refused':
      if (target.status === 404) await sendNotFound(site, request, response);
      else refuse(response, target.status);
  }
}

type Decision = PreviewTarget | { readonly kind: 'refused'; readonly status: number };

async function decide(site: Site, request: IncomingMessage): Promise<Decision> {
  const { method, url = '' } = request;
  if (!isOwnHost(request, site.forwardedHosts) || isForeign(request))
    return { kind: 'refused', status: 403 };
  if (method !== 'GET' && method !== 'HEAD') return { kind: 'refused', status: 405 };
  return findTarget(site.root, url, site.basePath);
}

/** Sends the site's 404 page, or a plain one. */
async function sendNotFound(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const page = await findFile(site.root, ['404.html']);
  if (page === undefined) {
    refuse(response, 404);
    return;
  }
  response.statusCode = 404;
  sendFile(site, request, response, page);
}

/**
 * Headers of every response. `Content-Security-Policy` and `X-Frame-Options` are missing, because the
 * site is shown unchanged and in a frame of VS Code.
 */
const commonHeaders = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/**
 * Returns whether a request has exactly one `Host` header, with a loopback name that DNS can't change or
 * a host that VS Code forwards from. A loopback host can have any port, as remote windows change it.
 */
function isOwnHost({ rawHeaders }: IncomingMessage, forwardedHosts: ReadonlySet<string>): boolean {
  const hosts = rawHeaders.filter(
    (_text, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  );
  const [host = '', ...more] = hosts;
  if (more.length > 0) return false;
  const isLoopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i.test(host);
  return isLoopback || forwardedHosts.has(host.toLowerCase());
}

const framesAndTabs = new Set(['document', 'iframe', 'frame']);

/**
 * Returns whether a page of another site sent the request, unless it shows a page of this site. Also
 * returns true for a service worker, which would outlive the preview and serve the next user of the
 * port.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
function isForeign({ headers }: IncomingMessage): boolean {
  if (headers['service-worker'] !== undefined) return true;
  const site = headers['sec-fetch-site'] ?? 'none';
  if (site === 'none' || site === 'same-origin') return false;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination } = headers;
  return mode !== 'navigate' || !framesAndTabs.has(String(destination));
}

/** Sends a file. `file` is a result of {@link findFile}. */
function sendFile(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  file: string,
): void {
  const isPageOf404 = response.statusCode === 404;
  sendFileOf(site.root, file.split(path.sep).join('/'), request, response, (status) =>
    refuse(response, isPageOf404 ? 404 : status),
  );
}

const texts: Readonly<Record<number, string>> = {
  302: 'The page has moved.',
  400: 'The URL is invalid.',
  403: 'The preview accepts requests only from its own pages on this machine.',
  404: 'The bundle has no such page.',
  405: 'The preview only supports GET and HEAD.',
  412: 'The file has changed.',
  414: 'The URL is too long.',
  416: 'The file has no such range.',
};

/** Sends a small page that reveals nothing about the request. */
function refuse(response: ServerResponse, status: number): void {
  if (status === 405) response.setHeader('Allow', 'GET, HEAD');
  sendPlainPage(response, status, texts[status] ?? 'The preview failed.');
}
