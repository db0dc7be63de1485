/** The HTTP server of the local docs service, on `node:http`. Uses `node:fs` to check the docs folder. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { realpath, stat } from 'node:fs/promises';
import { Server } from 'node:http';
import path from 'node:path';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { systemClock } from '../../common/clock';
import { errorCodeOrName, systemErrorCode } from '../../common/errorCode';
import { plainTranslate, type Translate } from '../../common/errors';
import { type Clock, type Log, silentLog } from '../../common/ports';
import { type LocalExports, type LocalExportsOptions, openExports } from '../export/localExports';
import { BundleSource } from '../pages/bundleSource';
import { DocsLibrary } from '../pages/docsLibrary';
import type { TextLimits } from '../models/limitedText';
import type { ReplyWriter } from '../models/replyWriter';
import { SimilarSections } from '../models/similarSections';
import { FolderSource, type PageSource, type ReadingProgress } from '../pages/pageSource';
import { SiteError, siteErrorText } from '../site/siteErrors';
import type { SiteLimits } from '../site/siteLimits';
import { SiteSource, type SiteState } from '../site/siteSource';
import { answerPage, answerPages, answerSearch } from './docsApi';
import { docsRoutes } from './docsRoutes';
import { keyProblem, localAdminKeyPattern, localKeyPattern, newAdminKey } from './keys';
import { answerMessage, type MessageRoutePorts, ServiceThreads } from './messageRoute';
import {
  documentedLimits,
  limitBody,
  limitQuestion,
  RequestLimiter,
  type RequestLimits,
  requireJson,
} from './requestChecks';
import { LocalServiceError } from './serviceError';

type Env = { Bindings: HttpBindings };
export type AppContext = Context<Env>;

export interface AppPorts extends MessageRoutePorts {
  readonly domain: string;
  readonly key: string;
  readonly limiter: RequestLimiter;
  /** Routes of static export. */
  readonly exports: Hono<Env>;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

const MESSAGE_PATH = '/v2/assistant/:domain/message';
const SEARCH_PATH = '/local/v1/:domain/search';
const PAGE_PATH = '/local/v1/:domain/page';
const PAGES_PATH = '/local/v1/:domain/pages';
const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Creates the service's routes. Every error is JSON: `{"error": "a sentence"}`. */
export function createApp(ports: AppPorts): Hono<Env> {
  const app = new Hono<Env>();

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

  /** Counts a request and checks its key and its site. */
  const authorize: MiddlewareHandler<Env> = async (c, next) => {
    const address = getConnInfo(c).remote.address ?? 'unknown';
    const seconds = await ports.limiter.countAddress(address);
    if (seconds > 0) return tooMany(c, 'this address', seconds);
    const problem = keyProblem(c.req.header('authorization'), ports.key);
    if (problem !== undefined) {
      return c.json({ error: problem }, 401, { 'WWW-Authenticate': 'Bearer' });
    }
    const wait = await ports.limiter.countOrganization(ports.key);
    if (wait > 0) return tooMany(c, 'this organization', wait);
    if (c.req.param('domain') !== ports.domain) {
      return c.json(
        { error: `This site doesn't exist at this service, which serves "${ports.domain}".` },
        404,
      );
    }
    await next();
    return undefined;
  };
  app.post(MESSAGE_PATH, authorize, requireJson, limitQuestion, (c) => {
    ports.library.source.use?.();
    return answerMessage(c, ports, untilClosed(c, ports.stopping));
  });
  app.all(MESSAGE_PATH, (c) =>
    c.json({ error: 'Use POST to ask a question.' }, 405, { Allow: 'POST' }),
  );
  for (const [path, answer] of [
    [SEARCH_PATH, answerSearch],
    [PAGE_PATH, answerPage],
    [PAGES_PATH, answerPages],
  ] as const) {
    app.post(path, authorize, requireJson, limitBody, (c) => {
      ports.library.source.use?.();
      return answer(c, ports, untilClosed(c, ports.stopping));
    });
    app.all(path, (c) => c.json({ error: 'Use POST.' }, 405, { Allow: 'POST' }));
  }

  app.route('/', ports.exports);
  app.route('/', docsRoutes(ports));

  app.notFound((c) => c.json({ error: "This URL doesn't exist at this service." }, 404));
  app.onError((error, c) => {
    ports.log.error(`${c.req.method} ${c.req.path} failed`, error);
    return c.json({ error: 'The service had an internal error. See its log for details.' }, 500);
  });
  return app;
}

function tooMany(c: AppContext, who: string, seconds: number): Response {
  return c.json({ error: `Too many requests from ${who}. Try again in ${seconds} s.` }, 429, {
    'Retry-After': String(seconds),
  });
}

/** Returns a signal that aborts when the connection closes or the service stops. */
function untilClosed(c: AppContext, stopping: AbortSignal): AbortSignal {
  const closed = new AbortController();
  c.env.outgoing.once('close', () => closed.abort());
  return AbortSignal.any([closed.signal, stopping]);
}

/** Docs that the service answers from. */
export type DocsSource =
  | { readonly kind: 'folder'; readonly folder: string }
  /** An unpacked bundle: a folder with an exported site. */
  | { readonly kind: 'bundle'; readonly folder: string }
  /** A public site, whose pages are kept in the folder `cache`. */
  | { readonly kind: 'site'; readonly url: string; readonly cache: string };

/** Counts of the pages and sections that were read, with the total size of the pages' files. */
export interface IndexedDocs {
  readonly pages: number;
  readonly sections: number;
  readonly sizeBytes: number;
}

/** A complete set of a public site's pages. */
export interface RefreshedDocs extends SiteState {
  readonly pages: number;
  readonly sections: number;
}

export interface LocalServiceOptions {
  /** Docs to answer from. A path alone is a folder of Markdown or MDX. */
  readonly docs: string | DocsSource;
  /** Identifier of the site in the URL. */
  readonly domain: string;
  /** Assistant key, which begins with `local_dsc_`. */
  readonly key: string;
  /** Port to listen on. 0, the default, takes any free port. */
  readonly port?: number;
  /** Loopback address to listen on, 127.0.0.1 by default. */
  readonly host?: string;
  readonly log?: Log;
  /** Request limits, those of the API document by default. */
  readonly limits?: RequestLimits;
  /** Milliseconds between two deltas of a reply. */
  readonly paceMs?: number;
  /** Maximum milliseconds that a question waits for the first indexing. */
  readonly patienceMs?: number;
  /** Admin key for static export, which begins with `local_`. Created if absent. */
  readonly adminKey?: string;
  /**
   * Folder for export jobs and bundles that survive a restart. Several services can share it. If
   * absent, a temporary folder is used and removed at the end.
   */
  readonly stateFolder?: string;
  /** Milliseconds until a link to a bundle expires, an hour by default. */
  readonly linkLifetimeMs?: number;
  /** Milliseconds of pause after each page of an export, 0 by default. */
  readonly exportPaceMs?: number;
  /** Called repeatedly while the pages are read for the first time or fetched again. */
  readonly onProgress?: (progress: ReadingProgress) => void;
  /** Called when pages that changed after the first reading are indexed. */
  readonly onChanged?: (docs: Pick<IndexedDocs, 'pages'>) => void;
  /** Called when the pages of a public site are indexed, and each time they were fetched again. */
  readonly onRefreshed?: (docs: RefreshedDocs) => void;
  /** Called with a sentence when a public site could not be fetched again. */
  readonly onRefreshFailed?: (message: string) => void;
  /** Limits for fetching a public site. */
  readonly siteLimits?: Partial<SiteLimits>;
  readonly clock?: Clock;
  /** Has the model that writes the replies. If absent, replies quote the docs. */
  readonly writer?: ReplyWriter;
  /** Translates errors and notes about the docs. English if it is absent. */
  readonly translate?: Translate;
  /** Limits of a reply that a model writes. */
  readonly replyLimits?: TextLimits;
}

export interface LocalService {
  /** Base URL, without a slash at its end. */
  readonly url: string;
  readonly domain: string;
  readonly key: string;
  readonly adminKey: string;
  /**
   * Resolves with the counts of the first indexing.
   * @throws if the folder can't be read or the site can't be fetched.
   */
  whenIndexed(): Promise<IndexedDocs>;
  /** Fetches a public site again. Resolves when the fetch has ended, even if it failed. */
  refresh(): Promise<void>;
  /**
   * Ends running replies and exports, closes the port and stops watching files. Safe to call twice.
   */
  stop(): Promise<void>;
}

const DEFAULT_PACE_MS = 10;
const DEFAULT_PATIENCE_MS = 1000;
const DEFAULT_LINK_LIFETIME_MS = 60 * 60 * 1000;
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '::1']);
/**
 * Serves the assistant and static export APIs of platform-api.md over a folder of docs, a bundle or
 * a public site, on loopback. Listens before the docs are indexed.
 * @throws {LocalServiceError} for a folder, domain, key, host or port that cannot be used.
 */
export async function startLocalService(options: LocalServiceOptions): Promise<LocalService> {
  const { domain, key, host = '127.0.0.1', port = 0 } = options;
  const log = options.log ?? silentLog;
  const clock = options.clock ?? systemClock;
  const adminKey = options.adminKey ?? newAdminKey();
  const t = options.translate ?? plainTranslate;
  checkOptions({ domain, key, adminKey, host }, t);
  const docs: DocsSource =
    typeof options.docs === 'string' ? { kind: 'folder', folder: options.docs } : options.docs;
  const stopping = new AbortController();
  const { onProgress } = options;
  /** Real path of the docs folder, or undefined for docs that can't be exported. */
  let root: string | undefined;
  /** Absolute path of the folder that has the pages. Identifies the docs where vectors are stored. */
  let place: string;
  let source: PageSource;
  let site: SiteSource | undefined;
  if (docs.kind === 'site') {
    place = path.resolve(docs.cache);
    source = site = openSite(docs, options, clock, () => void reportSite());
  } else {
    place = await docsRoot(docs.folder, t);
    if (docs.kind === 'folder') root = place;
    const ports = { root: place, clock, log };
    source = docs.kind === 'bundle' ? new BundleSource(ports) : new FolderSource(ports);
  }
  const library: DocsLibrary = new DocsLibrary({
    ...{ source, clock, log },
    ...(onProgress ? { onProgress } : {}),
    onChanged: () => options.onChanged?.({ pages: library.index.pageCount }),
  });
  const newId = randomUUID;
  let url = '';
  const origin = (): string => url;
  const exports = await openState(
    {
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
    },
    t,
  );
  const similar = new SimilarSections({
    index: library.index,
    root: place,
    stateFolder: options.stateFolder,
    embedder: () => options.writer?.embedder,
    ...{ clock, log },
    stopping: stopping.signal,
  });
  const app = createApp({
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
    ...(options.writer ? { writer: options.writer, similar } : {}),
    ...(options.replyLimits ? { limits: options.replyLimits } : {}),
    exports: exports.routes,
    stopping: stopping.signal,
  });
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false });
  if (!(server instanceof Server)) throw new LocalServiceError(t("Can't start the HTTP server."));
  try {
    await listen(server, port, host, t);
  } catch (error) {
    await exports.stop();
    throw error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new LocalServiceError(t('The HTTP server has no port.'));
  }
  url = `http://${host === '::1' ? '[::1]' : host}:${address.port}`;
  library.start();
  const updateVectors = (): void => {
    void library.whenIndexed().then(
      () => similar.update(),
      () => undefined,
    );
  };
  updateVectors();
  const following = options.writer?.onDidChange(updateVectors);
  const reportSite = async (): Promise<void> => {
    try {
      await library.whenIndexed();
    } catch {
      // The first fetch failed. A later one may have succeeded.
    }
    await library.whenUpToDate();
    updateVectors();
    const state = site?.state;
    const { pageCount: pages, sectionCount: sections } = library.index;
    if (state && !stopping.signal.aborted) options.onRefreshed?.({ ...state, pages, sections });
  };
  if (site) void reportSite();

  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    stopping.abort();
    following?.dispose();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await Promise.all([closed, library.stop(), exports.stop(), similar.whenIdle()]);
  };
  return {
    url,
    domain,
    key,
    adminKey,
    whenIndexed: async () => {
      await library.whenIndexed();
      const { sizeBytes } = library;
      const { pageCount: pages, sectionCount: sections } = library.index;
      return { pages, sections, sizeBytes };
    },
    refresh: async () => site?.refresh(),
    stop: () => (stopped ??= stop()),
  };
}

function openSite(
  { url, cache }: Extract<DocsSource, { readonly kind: 'site' }>,
  {
    log = silentLog,
    onProgress,
    onRefreshFailed,
    siteLimits,
    translate: t = plainTranslate,
  }: LocalServiceOptions,
  clock: Clock,
  onRefreshed: () => void,
): SiteSource {
  try {
    return new SiteSource({
      url,
      cache: path.resolve(cache),
      clock,
      log,
      onRefreshed,
      translate: t,
      ...(onProgress ? { onProgress } : {}),
      ...(onRefreshFailed ? { onRefreshFailed } : {}),
      ...(siteLimits ? { limits: siteLimits } : {}),
    });
  } catch (error) {
    if (error instanceof SiteError) throw new LocalServiceError(siteErrorText(error, t));
    throw error;
  }
}

interface CheckedOptions {
  readonly domain: string;
  readonly key: string;
  readonly adminKey: string;
  readonly host: string;
}

function checkOptions({ domain, key, adminKey, host }: CheckedOptions, t: Translate): void {
  if (!/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(domain)) {
    throw new LocalServiceError(
      t('The domain can only have letters, digits and hyphens, such as “sample”.'),
    );
  }
  if (!localKeyPattern.test(key)) {
    throw new LocalServiceError(
      t('The key must look like “local_dsc_…” with at least 8 letters or digits after it.'),
    );
  }
  if (!localAdminKeyPattern.test(adminKey)) {
    throw new LocalServiceError(
      t(
        'The admin key must look like “local_…” with at least 8 letters or digits after it. It can’t look like an assistant key or a user key.',
      ),
    );
  }
  if (!loopbackHosts.has(host)) {
    throw new LocalServiceError(t('The host must be 127.0.0.1, ::1 or localhost.'));
  }
}

/**
 * Returns the real path of the docs folder.
 * @throws {LocalServiceError} if it does not exist.
 */
export async function docsRoot(folder: string, t: Translate = plainTranslate): Promise<string> {
  try {
    const root = await realpath(folder);
    if ((await stat(root)).isDirectory()) return root;
  } catch {
    throw new LocalServiceError(t("The folder {0} doesn't exist.", folder));
  }
  throw new LocalServiceError(t('{0} is not a folder.', folder));
}

async function openState(options: LocalExportsOptions, t: Translate): Promise<LocalExports> {
  try {
    return await openExports(options);
  } catch (error) {
    throw new LocalServiceError(
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
      throw new LocalServiceError(
        t('Port {0} is in use. Choose another port, or 0 for any free port.', port),
      );
    }
    throw new LocalServiceError(
      t("Can't listen on {0}, port {1} ({2}).", host, port, errorCodeOrName(error)),
    );
  }
}
