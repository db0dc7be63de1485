import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { systemClock } from '../common/clock';
import type { Clock, Log } from '../common/ports';
import { createApp } from './app';
import { DocsLibrary } from './docsLibrary';
import { documentedLimits, RequestLimiter, type RequestLimits } from './limits';
import { localKeyPattern } from './messageRoute';
import { ServiceThreads } from './threads';

export interface LocalServiceOptions {
  /** Folder of Markdown or MDX. */
  readonly docs: string;
  /** Identifier of the site, as it stands in the address. */
  readonly domain: string;
  /** Assistant key, `local_dsc_…`. */
  readonly key: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** A loopback address; 127.0.0.1 by default. */
  readonly host?: string;
  readonly log?: Log;
  /** Those of the contract by default. */
  readonly limits?: RequestLimits;
  /** Milliseconds between two pieces of a reply's text. */
  readonly paceMs?: number;
  /** Milliseconds that a question waits for the first indexing at most. */
  readonly patienceMs?: number;
  readonly clock?: Clock;
}

export interface LocalService {
  /** Base address, without a slash at its end. */
  readonly url: string;
  readonly domain: string;
  readonly key: string;
  /** Resolves with what was indexed at the start. @throws when the folder cannot be read. */
  whenIndexed(): Promise<{ readonly pages: number; readonly sections: number }>;
  /** Ends running replies, closes the port and stops watching. Safe to call twice. */
  stop(): Promise<void>;
}

/** A reason not to start that the user can act on. */
export class LocalServiceError extends Error {
  override readonly name = 'LocalServiceError';
}

const DEFAULT_PACE_MS = 10;
const DEFAULT_PATIENCE_MS = 1000;
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '::1']);
const silentLog: Log = {
  info: () => undefined,
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Serves the assistant API of platform-api.md over a folder of docs, on loopback. Listens before
 * the docs are indexed.
 * @throws {LocalServiceError} for a folder, domain, key, host or port that cannot be used.
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { domain, key, host = '127.0.0.1', port = 0 } = options;
  const log = options.log ?? silentLog;
  const clock = options.clock ?? systemClock;
  checkOptions({ domain, key, host });
  const root = await docsRoot(options.docs);
  const stopping = new AbortController();
  const library = new DocsLibrary({ root, clock, log });
  const newId = randomUUID;
  let url = '';
  const app = createApp({
    root,
    domain,
    key,
    library,
    clock,
    newId,
    log,
    threads: new ServiceThreads(newId),
    limiter: new RequestLimiter(options.limits ?? documentedLimits),
    paceMs: options.paceMs ?? DEFAULT_PACE_MS,
    patienceMs: options.patienceMs ?? DEFAULT_PATIENCE_MS,
    origin: () => url,
    stopping: stopping.signal,
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) throw new LocalServiceError('The HTTP server cannot start.');
  await listen(server, port, host);
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new LocalServiceError('The HTTP server has no port.');
  }
  url = `http://${host === '::1' ? '[::1]' : host}:${address.port}`;
  library.start();

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await Promise.all([closed, library.stop()]);
  };
  return {
    url,
    domain,
    key,
    whenIndexed: async () => {
      await library.whenIndexed();
      return { pages: library.index.pageCount, sections: library.index.sectionCount };
    },
    stop: () => (stopped ??= stop()),
  };
}

function checkOptions({ domain, key, host }: { domain: string; key: string; host: string }): void {
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(domain)) {
    throw new LocalServiceError(
      'The domain must be letters, digits and hyphens, such as "sample".',
    );
  }
  if (!localKeyPattern.test(key)) {
    throw new LocalServiceError(
      'The key must look like "local_dsc_…" with at least 8 letters or digits after it.',
    );
  }
  if (!loopbackHosts.has(host)) {
    throw new LocalServiceError('The host must be of this machine: 127.0.0.1, ::1 or localhost.');
  }
}

async function docsRoot(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch {
    throw new LocalServiceError(`There is no folder ${folder}.`);
  }
  throw new LocalServiceError(`${folder} is not a folder.`);
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new LocalServiceError(
        `Port ${port} is in use. Choose another one, or 0 for any free port.`,
      );
    }
    throw new LocalServiceError(`Cannot listen on ${host}, port ${port} (${String(code)}).`);
  }
}
