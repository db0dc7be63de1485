/** The HTTP server of a host: the site, and what the host itself has below `_docs-assistant/`. Uses `node:http`. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorCodeOrName } from '../common/errorCode';
import { endServer, KEEP_ALIVE_MS } from '../common/http/balancedServer';
import { COUNTS_MARK, SEARCHES_PATH } from '../common/http/hostApi';
import type { Clock } from '../common/ports';
import { ASSISTANT_FOLDER } from '../export/check/assistantFolder';
import { decodedPath } from '../export/hosting/siteAddresses';
import { sendPlainPage } from '../export/preview/fileResponse';
import { CompressedFiles } from './compressedFiles';
import { sendCounts } from './countsRoute';
import type { Deployment } from './deployment';
import type { HostEvent } from './hostEvents';
import type { ReaderCounts } from './readerCounts';
import { passToService } from './serviceProxy';
import { sendVersionFile, setCommonHeaders } from './siteResponse';
import type { SiteVersion } from './siteVersion';

/** Maximum characters of an address, which all browsers support (RFC 9110 § 4.1). */
const MAX_ADDRESS_LENGTH = 8000;

/** Maximum bytes of a search that the box reports. */
const MAX_REPORT_BYTES = 1024;

/** Time after which a connection without a byte is closed. */
const SILENCE_MS = 120_000;

export interface HostServerOptions {
  readonly deployment: Pick<Deployment, 'active' | 'earlier' | 'status'>;
  /** Counts of the readers, unless nothing is counted. */
  readonly counts: ReaderCounts | undefined;
  /** Absolute path of the file with the docs team's token. Without it, nobody can see the counts. */
  readonly tokenFile: string | undefined;
  /** URL of the docs service beside the host, without a slash at its end. */
  readonly service: string | undefined;
  readonly clock: Clock;
  readonly logsRequests: boolean;
  readonly tell: (event: HostEvent) => void;
}

/** A running server. */
interface HostServer {
  readonly url: string;
  /** Accepts no more connections, and resolves when the running requests have ended, or after some time without them. */
  stop(deadlineMs: number): Promise<void>;
}

/** Starts the server. @throws the system's error if it can't listen. */
export async function startHostServer(
  options: HostServerOptions,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<HostServer> {
  const contents = new CompressedFiles();
  let isStopping = false;
  const server = createServer((request, response) => {
    answer(options, contents, () => isStopping, request, response).catch((error: unknown) => {
      // A reader who leaves in the middle is no failure.
      if (response.destroyed) return;
      options.tell({ event: 'warning', message: `A request failed (${errorCodeOrName(error)})` });
      sendPlainPage(response, 500, 'The host failed.');
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.setTimeout(SILENCE_MS);
  // Half a request, or nothing, is no reason to say anything.
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });
  const listening = once(server, 'listening');
  server.listen(port, address);
  await listening;
  return {
    url: urlOf(server, address),
    stop: (deadlineMs) => {
      isStopping = true;
      return endServer(server, deadlineMs, options.clock);
    },
  };
}

function urlOf(server: Server, address: string): string {
  const bound = server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
}

async function answer(
  options: HostServerOptions,
  contents: CompressedFiles,
  isStopping: () => boolean,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { deployment, logsRequests, clock, tell } = options;
  const { method = '', url = '' } = request;
  const startedAt = clock.now();
  // The whole request is answered from one version, whatever is taken over meanwhile.
  const version = deployment.active;
  const earlier = deployment.earlier;
  const releases = [version, ...earlier].map((each) => each?.uses.hold());
  response.once('close', () => {
    for (const release of releases) release?.();
    if (!logsRequests) return;
    const path = url.split('?', 1)[0]?.slice(0, 500) ?? '';
    const { statusCode: status } = response;
    tell({ event: 'request', method, path, status, ms: clock.now() - startedAt });
  });
  setCommonHeaders(response);
  if (url.length > MAX_ADDRESS_LENGTH) {
    sendPlainPage(response, 414, 'The URL is too long.');
    return;
  }
  // A proxy can send the whole URL (RFC 9112 § 3.2.2).
  const [pathname = '', ...rest] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  const search = rest.length === 0 ? '' : `?${rest.join('?')}`;
  if (!pathname.startsWith('/')) {
    sendPlainPage(response, 400, 'The URL is invalid.');
    return;
  }
  const own = ownPath(pathname, version?.basePath ?? '');
  if (own !== undefined) {
    await answerOwn(options, isStopping(), own, search, request, response);
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    sendPlainPage(response, 405, 'The docs support only GET and HEAD.');
    return;
  }
  if (version)
    await answerSite(options, contents, { version, earlier }, request, response, pathname, search);
  else {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Retry-After', '10');
    sendPlainPage(response, 503, 'The docs are not available now. Try again later.');
  }
}

async function answerSite(
  { counts }: HostServerOptions,
  contents: CompressedFiles,
  { version, earlier }: { readonly version: SiteVersion; readonly earlier: readonly SiteVersion[] },
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  search: string,
): Promise<void> {
  const found = version.answer(pathname, search);
  switch (found.kind) {
    case 'redirect':
      response.setHeader('Location', found.location);
      sendPlainPage(response, found.status, 'The page has moved.');
      return;
    case 'file':
      if (found.file.isPage && counts) {
        response.setHeader('Server-Timing', COUNTS_MARK);
        countView(counts, request, response, decodedPath(pathname) ?? pathname);
      }
      await sendVersionFile(request, response, version, found.file, contents);
      return;
    case 'missing': {
      // A page that was opened before a swap may need a file that is gone. No page is ever taken from there, and no
      // page of the active version names such a file.
      for (const other of earlier) {
        const before = other.answer(pathname, search);
        if (before.kind !== 'file' || before.file.isPage) continue;
        await sendVersionFile(request, response, other, before.file, contents);
        return;
      }
      const page = version.notFoundPage;
      response.statusCode = 404;
      if (page) await sendVersionFile(request, response, version, page, contents);
      else sendPlainPage(response, 404, 'The docs have no such page.');
    }
  }
}

/** Counts a page when it was sent, unless the browser only fetched it in advance. */
function countView(
  counts: ReaderCounts,
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  page: string,
): void {
  const purpose = `${String(headers['sec-purpose'] ?? '')} ${String(headers['purpose'] ?? '')}`;
  if (method !== 'GET' || purpose.includes('prefetch')) return;
  response.once('finish', () => {
    if (response.statusCode === 200 || response.statusCode === 304) counts.countPage(page);
  });
}

/**
 * Returns the path below the folder of the assistant if it is the host's own: `/host/…` or `/service/…`. The files of an
 * enhanced site are beside these. Probes need not know the base path of the site.
 */
function ownPath(pathname: string, basePath: string): string | undefined {
  for (const base of new Set(['', encodeURI(basePath)])) {
    const folder = `${base}/${ASSISTANT_FOLDER}`;
    const rest = pathname.startsWith(folder) ? pathname.slice(folder.length) : '';
    if (/^\/(?:host|service)(?:\/|$)/.test(rest)) return rest;
  }
  return undefined;
}

async function answerOwn(
  { deployment, counts, tokenFile, service, tell }: HostServerOptions,
  isStopping: boolean,
  path: string,
  search: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  if (path.startsWith('/service/') && service !== undefined) {
    const rest = path.slice('/service'.length);
    passToService(request, response, service, rest, (message) =>
      tell({ event: 'warning', message }),
    );
    return;
  }
  if (path === `/${SEARCHES_PATH}` && counts) {
    await takeSearch(counts, request, response);
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    sendPlainPage(response, 405, 'This URL supports only GET and HEAD.');
    return;
  }
  const status = deployment.status;
  switch (path) {
    case '/host/health':
      sendJson(response, 200, status);
      return;
    case '/host/ready': {
      const isReady = deployment.active !== undefined && !isStopping;
      sendJson(response, isReady ? 200 : 503, { ready: isReady, status: status.status });
      return;
    }
    case '/host/counts':
    case '/host/counts.json':
      if (!counts || tokenFile === undefined) break;
      await sendCounts(request, response, {
        counts,
        tokenFile,
        isJson: path.endsWith('.json'),
        search,
      });
      return;
  }
  sendPlainPage(response, 404, 'The host has nothing at this URL.');
}

/** Counts a search without a result that the box of an enhanced site reports. */
async function takeSearch(
  counts: ReaderCounts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number): void => {
    // The rest of the request isn't read.
    response.writeHead(status, { Connection: 'close' }).end();
  };
  const { method, headers } = request;
  if (method !== 'POST') {
    response.setHeader('Allow', 'POST');
    refuse(405);
  } else if (headers['sec-fetch-site'] !== 'same-origin') {
    // Browsers that can report send this header. A page of another site can't forge it.
    refuse(403);
  } else if (!(Number(headers['content-length']) <= MAX_REPORT_BYTES)) refuse(413);
  else if (!counts.takeRoom()) refuse(429);
  else {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    await counts.countSearch(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(204).end();
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  const body = `${JSON.stringify(value, undefined, 2)}\n`;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
