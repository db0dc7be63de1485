/** The HTTP server of the local docs service, on `node:http`. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Server } from 'node:http';
import path from 'node:path';
import { createAdaptorServer } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono, type MiddlewareHandler } from 'hono';
import { systemClock } from '../../common/clock';
import { errorCodeOrName, systemErrorCode } from '../../common/errorCode';
import { plainTranslate, type Translate } from '../../common/errors';
import { silentLog } from '../../common/ports';
import { type LocalExports, type LocalExportsOptions, openExports } from '../export/localExports';
import { onlySite } from '../export/exportRoutes';
import type { DocsEnginePorts } from '../../docs/engine';
import type { ReplyWriter } from '../../docs/writers/replyWriter';
import { addApiRoutes, admission, type ApiEnv, LOCAL_PATH } from './apiRoutes';
import { answerWriter } from './docsApi';
import { docsRoutes } from './docsRoutes';
import {
  adminKeyProblem,
  keyProblem,
  localAdminKeyPattern,
  localKeyPattern,
  newAdminKey,
} from './keys';
import type { MessageRoutePorts } from './messageRoute';
import { openServed, type ServedEngine, type ServedSource } from './servedEngine';
import { ServiceThreads } from './serviceThreads';
import {
  documentedLimits,
  limitBody,
  RequestLimiter,
  type RequestLimits,
  requireJson,
} from './requestChecks';
import { DocsError } from '../../docs/docsError';

interface AppPorts extends MessageRoutePorts {
  readonly engine: ServedEngine;
  readonly domain: string;
  readonly key: string;
  readonly adminKey: string;
  /** Has the model that writes the replies. Absent if replies always quote the docs. */
  readonly writer?: ReplyWriter;
  readonly limiter: RequestLimiter;
  /** Routes of static export. */
  readonly exports: LocalExports['routes'];
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Creates the service's routes. Every error is JSON: `{"error": "a sentence"}`. */
function createApp(ports: AppPorts): Hono<ApiEnv> {
  const app = new Hono<ApiEnv>();

  app.use(async (c, next) => {
    const start = ports.clock.now();
    await next();
    const { method, path } = c.req;
    const { outgoing } = c.env;
    const status = outgoing.headersSent ? outgoing.statusCode : c.res.status;
    ports.log.info(`${method} ${path} ${status} ${ports.clock.now() - start} ms`);
  });
  app.use(async (c, next) => {
    // DNS rebinding: a website whose name points to this machine still sends its own name.
    const host = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(c.req.header('host') ?? '')?.[1];
    if (host === undefined || !loopbackNames.has(host.toLowerCase())) {
      return c.json({ error: 'This service only answers requests to this machine.' }, 403);
    }
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    return undefined;
  });

  const { engine, writer, adminKey, domain } = ports;
  const site = { engine, threads: ports.threads };
  const admitBy = (
    problemOf: (header: string | undefined) => string | undefined,
  ): MiddlewareHandler<ApiEnv> =>
    admission({
      limiter: ports.limiter,
      addressOf: (c) => getConnInfo(c).remote.address ?? 'unknown',
      holderOf: (c) => {
        const problem = problemOf(c.req.header('authorization'));
        return Promise.resolve(
          problem === undefined
            ? {
                organization: ports.key,
                siteOf: (asked: string) => (asked === domain ? site : undefined),
              }
            : { problem },
        );
      },
      unknownSite: () => `This site doesn't exist at this service, which serves "${domain}".`,
    });
  if (writer) {
    const admitAdmin = admitBy((header) => adminKeyProblem(header, adminKey));
    app.post(`${LOCAL_PATH}/writer`, admitAdmin, requireJson, limitBody, (c) =>
      answerWriter(c, writer),
    );
  }
  addApiRoutes(app, { ...ports, admit: admitBy((header) => keyProblem(header, ports.key)) });

  app.route('/', ports.exports);
  app.route(
    '/',
    docsRoutes({
      engine,
      domain: ports.domain,
      reading: (set, read) => read(engine.libraryOf(set)),
    }),
  );

  app.notFound((c) => c.json({ error: "This URL doesn't exist at this service." }, 404));
  app.onError((error, c) => {
    ports.log.error(`${c.req.method} ${c.req.path} failed`, error);
    return c.json({ error: 'The service had an internal error. See its log for details.' }, 500);
  });
  return app;
}

export interface LocalServiceOptions extends Omit<
  DocsEnginePorts,
  'addresses' | 'newId' | 'isFollowed'
> {
  /** Docs to answer from. A path alone is a folder of Markdown or MDX. */
  readonly docs: string | ServedSource;
  /** Identifier of the site in the URL. */
  readonly domain: string;
  /** Assistant key, which begins with `local_dsc_`. */
  readonly key: string;
  /** Port to listen on. 0, the default, takes any free port. */
  readonly port?: number;
  /** Loopback address to listen on, 127.0.0.1 by default. */
  readonly host?: string;
  /** Request limits, those of the API document by default. */
  readonly limits?: RequestLimits;
  /** Milliseconds between two deltas of a reply. */
  readonly paceMs?: number;
  /** Admin key for static export, which begins with `local_`. Created if absent. */
  readonly adminKey?: string;
  /**
   * Folder for export jobs and bundles that survive a restart. Several services can share it. If
   * absent, a temporary folder is used and removed at the end.
   */
  readonly stateFolder?: string;
  /** Folder for the vectors of sections. By default, a folder in the state folder. */
  readonly vectorsFolder?: string;
  /** Folder for what was read of the pages. By default, a folder in the state folder. */
  readonly indexFolder?: string;
  /** Milliseconds until a link to a bundle expires, an hour by default. */
  readonly linkLifetimeMs?: number;
  /** Milliseconds of pause after each page of an export, 0 by default. */
  readonly exportPaceMs?: number;
}

export interface LocalService extends Pick<
  ServedEngine,
  'whenIndexed' | 'whenListed' | 'readPackagesFirst' | 'refresh' | 'cancelRefresh'
> {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  readonly domain: string;
  readonly key: string;
  readonly adminKey: string;
  /**
   * Ends running replies and exports, closes the port and stops watching files. Safe to call twice.
   */
  stop(): Promise<void>;
}

const DEFAULT_PACE_MS = 10;
const DEFAULT_LINK_LIFETIME_MS = 60 * 60 * 1000;
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '::1']);
/**
 * Serves the assistant and static export APIs of platform-api.md over a folder of docs, a bundle, a public
 * site or installed packages, on loopback. Listens before the docs are indexed.
 * @throws {DocsError} for a folder or URL of docs, a domain, a key, a host or a port that cannot be used.
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { domain, key, host = '127.0.0.1', port = 0 } = options;
  const log = options.log ?? silentLog;
  const clock = options.clock ?? systemClock;
  const adminKey = options.adminKey ?? newAdminKey();
  const t = options.translate ?? plainTranslate;
  checkOptions({ domain, key, adminKey, host }, t);
  const docs: ServedSource =
    typeof options.docs === 'string' ? { kind: 'folder', folder: options.docs } : options.docs;
  const stopping = new AbortController();
  const newId = randomUUID;
  let url = '';
  const origin = (): string => url;
  const { stateFolder } = options;
  const inState = (name: string): string | undefined =>
    stateFolder === undefined ? undefined : path.join(stateFolder, name);
  const engine = await openServed(docs, {
    ...options,
    origin,
    newId,
    vectorsFolder: options.vectorsFolder ?? inState('vectors'),
    indexFolder: options.indexFolder ?? inState('index'),
  });
  const exports = await openState(
    {
      adminProblem: (header) => Promise.resolve(adminKeyProblem(header, adminKey)),
      // Only a folder of Markdown can be exported.
      siteOf: (named) => onlySite(named, domain, docs.kind === 'folder' ? engine.place : undefined),
      openPartOf: () => ({}),
      domain,
      origin,
      stateFolder,
      linkLifetimeMs: options.linkLifetimeMs ?? DEFAULT_LINK_LIFETIME_MS,
      paceMs: options.exportPaceMs ?? 0,
      clock,
      newId,
      log,
    },
    t,
  );
  const app = createApp({
    domain,
    key,
    adminKey,
    engine,
    clock,
    newId,
    log,
    threads: new ServiceThreads(newId),
    limiter: new RequestLimiter(options.limits ?? documentedLimits),
    paceMs: options.paceMs ?? DEFAULT_PACE_MS,
    writer: options.writer,
    exports: exports.routes,
    stopping: stopping.signal,
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) throw new DocsError(t("Can't start the HTTP server."));
  try {
    await listen(server, port, host, t);
  } catch (error) {
    await exports.stop();
    throw error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new DocsError(t('The HTTP server has no port.'));
  }
  url = `http://${host === '::1' ? '[::1]' : host}:${address.port}`;
  engine.start();

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await Promise.all([closed, engine.close(), exports.stop()]);
  };
  return {
    url,
    domain,
    key,
    adminKey,
    whenIndexed: () => engine.whenIndexed(),
    whenListed: engine.whenListed,
    readPackagesFirst: engine.readPackagesFirst,
    refresh: () => engine.refresh(),
    cancelRefresh: () => engine.cancelRefresh(),
    stop: () => (stopped ??= stop()),
  };
}

interface CheckedOptions {
  readonly domain: string;
  readonly key: string;
  readonly adminKey: string;
  readonly host: string;
}

function checkOptions({ domain, key, adminKey, host }: CheckedOptions, t: Translate): void {
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(domain)) {
    throw new DocsError(
      t('The domain can only have letters, digits and hyphens, such as “sample”.'),
    );
  }
  if (!localKeyPattern.test(key)) {
    throw new DocsError(
      t('The key must look like “local_dsc_…” with at least 8 letters or digits after it.'),
    );
  }
  if (!localAdminKeyPattern.test(adminKey)) {
    throw new DocsError(
      t(
        'The admin key must look like “local_…” with at least 8 letters or digits after it. It can’t look like an assistant key or a user key.',
      ),
    );
  }
  if (!loopbackHosts.has(host)) {
    throw new DocsError(t('The host must be 127.0.0.1, ::1 or localhost.'));
  }
}

async function openState(options: LocalExportsOptions, t: Translate): Promise<LocalExports> {
  try {
    return await openExports(options);
  } catch (error) {
    throw new DocsError(
      t("Can't use the state folder {0} ({1}).", options.stateFolder ?? '', errorCodeOrName(error)),
    );
  }
}

async function listen(server: Server, port: number, host: string, t: Translate): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (systemErrorCode(error) === 'EADDRINUSE') {
      throw new DocsError(
        t('Port {0} is in use. Choose another port, or 0 for any free port.', port),
      );
    }
    throw new DocsError(
      t("Can't listen on {0}, port {1} ({2}).", host, port, errorCodeOrName(error)),
    );
  }
}
