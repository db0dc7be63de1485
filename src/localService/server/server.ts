import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { systemClock } from '../common/clock';
import { silentLog, type Clock, type Log } from '../common/ports';
import { createApp } from './app';
import { errorCode } from './docsFolder';
import { DocsLibrary } from './docsLibrary';
import { localAdminKeyPattern, newAdminKey } from './export/exportKey';
import { openExports, type LocalExports, type LocalExportsOptions } from './export/localExports';
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
  /** Admin key, `local_…`, for static export; made if absent. */
  readonly adminKey?: string;
  /**
   * Folder in which export jobs and bundles survive a restart; several services may share it. A
   * temporary one, removed at the end, if absent.
   */
  readonly stateFolder?: string;
  /** Milliseconds for which a link to a bundle is good; an hour by default. */
  readonly linkLifetimeMs?: number;
  /** Milliseconds of rest after each page of an export; 0 by default. */
  readonly exportPaceMs?: number;
  readonly clock?: Clock;
}

export interface LocalService {
  /** Base address, without a slash at its end. */
  readonly url: string;
  readonly domain: string;
  readonly key: string;
  readonly adminKey: string;
  /** Resolves with what was indexed at the start. @throws when the folder cannot be read. */
  whenIndexed(): Promise<{ readonly pages: number; readonly sections: number }>;
  /**
   * Ends running replies and exports, closes the port and stops watching. Safe to call twice.
   */
  stop(): Promise<void>;
}

/** A reason not to start that the user can act on. */
export class LocalServiceError extends Error {
  override readonly name = 'LocalServiceError';
}

const DEFAULT_PACE_MS = 10;
const DEFAULT_PATIENCE_MS = 1000;
const DEFAULT_LINK_LIFETIME_MS = 60 * 60 * 1000;
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '::1']);
/**
 * Serves the assistant and the static export API of platform-api.md over a folder of docs, on
 * loopback. Listens before the docs are indexed.
 * @throws {LocalServiceError} for a folder, domain, key, host or port that cannot be used.
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { domain, key, host = '127.0.0.1', port = 0 } = options;
  const log = options.log ?? silentLog;
  const clock = options.clock ?? systemClock;
  const adminKey = options.adminKey ?? newAdminKey();
  checkOptions({ domain, key, adminKey, host });
  const root = await docsRoot(options.docs);
  const stopping = new AbortController();
  const library = new DocsLibrary({ root, clock, log });
  const newId = randomUUID;
  let url = '';
  const origin = (): string => url;
  const exports = await openState({
    adminKey,
    root,
    domain,
    origin,
    stateFolder: options.stateFolder,
    linkLifetimeMs: options.linkLifetimeMs ?? DEFAULT_LINK_LIFETIME_MS,
    paceMs: options.exportPaceMs ?? 0,
    clock,
    newId,
    log,
  });
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
    origin,
    exports: exports.routes,
    stopping: stopping.signal,
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) throw new LocalServiceError('The HTTP server cannot start.');
  try {
    await listen(server, port, host);
  } catch (error) {
    await exports.stop();
    throw error;
  }
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
    await Promise.all([closed, library.stop(), exports.stop()]);
  };
  return {
    url,
    domain,
    key,
    adminKey,
    whenIndexed: async () => {
      await library.whenIndexed();
      return { pages: library.index.pageCount, sections: library.index.sectionCount };
    },
    stop: () => (stopped ??= stop()),
  };
}

interface CheckedOptions {
  readonly domain: string;
  readonly key: string;
  readonly adminKey: string;
  readonly host: string;
}

function checkOptions({ domain, key, adminKey, host }: CheckedOptions): void {
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
  if (!localAdminKeyPattern.test(adminKey)) {
    throw new LocalServiceError(
      'The admin key must look like "local_…" with at least 8 letters or digits after it, and not like an assistant or a user key.',
    );
  }
  if (!loopbackHosts.has(host)) {
    throw new LocalServiceError('The host must be of this machine: 127.0.0.1, ::1 or localhost.');
  }
}

/** Resolves the docs folder. @throws {LocalServiceError} where there is none. */
export async function docsRoot(folder: string): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch {
    throw new LocalServiceError(`There is no folder ${folder}.`);
  }
  throw new LocalServiceError(`${folder} is not a folder.`);
}

async function openState(options: LocalExportsOptions): Promise<LocalExports> {
  try {
    return await openExports(options);
  } catch (error) {
    throw new LocalServiceError(
      `The state folder ${options.stateFolder ?? ''} cannot be used (${errorCode(error)}).`,
    );
  }
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
