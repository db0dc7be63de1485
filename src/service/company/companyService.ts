/** Runs the service of a company over HTTP, on `node:http`. */
import { once } from 'node:events';
import { Server } from 'node:http';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { createAdaptorServer } from '@hono/node-server';
import { errorCodeOrName } from '../../common/errorCode';
import { endServer, KEEP_ALIVE_MS } from '../../common/http/balancedServer';
import type { Clock, Fetch, Log } from '../../common/ports';
import { PUBLISHED_ALREADY, unknownName } from '../export/exportRoutes';
import { openExports } from '../export/localExports';
import { documentedLimits } from '../server/requestChecks';
import { companyApp, type EndedRequest, SITES_PATH } from './companyApp';
import { Gate } from './gate';
import { HostedSites } from './sites/hostedSites';
import { KnownKeys } from './keys';
import type { Manifest } from './sites/manifestSchema';
import { manifestWarnings } from './sites/manifest';
import { openPart } from './sites/siteAudience';
import { SiteNotReady } from './sites/siteLoader';
import { ServiceMetrics } from './metrics';
import { MissNotes } from './misses';
import { SignIn } from './signIn';
import type { Backend } from './backend';
import type { Stores } from './stores';

export interface CompanyServiceOptions {
  readonly manifest: Manifest;
  /** Absolute path of the folder of the manifest. */
  readonly manifestFolder: string;
  /** Absolute path of the folder for copies of docs and for what was read of them. */
  readonly dataFolder: string;
  readonly backend: Backend;
  readonly host: string;
  /** Port to listen on. 0 takes any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly log: Log;
  readonly onEnded: (request: EndedRequest) => void;
  /** Environment with the secrets of webhooks. */
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
}

export interface CompanyService {
  /** URL that the service listens on, without a slash at its end. */
  readonly url: string;
  /** Takes over a changed manifest. */
  apply(manifest: Manifest): void;
  /** Resolves when all sites have been loaded or have failed to load. */
  whenStarted(): Promise<void>;
  /** Lets running replies end for a while, then stops. Safe to call twice. */
  stop(graceMs?: number): Promise<void>;
}

/** A reason why the service can't start, for the operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

const GRACE_MS = 20_000;
/** Longest headers of a request. A token has up to 1,000 groups that count, and Node's own limit is 16 KB. */
const MAX_HEADER_BYTES = 48 * 1024;
const ONLY_FOR_GROUPS =
  "Only some groups may see this site, so it can't be exported: an export is for everybody.";
const IN_DATABASE =
  "This service keeps the docs in a database, so it can't export them. Use one without a database.";
/** Milliseconds until a link to an exported bundle expires. */
const LINK_MS = 60 * 60 * 1000;

/**
 * Starts the service. It listens before the docs are read.
 * @throws {StartError} for a port that can't be used.
 */
export async function startCompanyService(options: CompanyServiceOptions): Promise<CompanyService> {
  const { manifestFolder, dataFolder, backend, clock, log } = options;
  const { stores } = backend;
  let { manifest } = options;
  let own = '';
  const stopping = new AbortController();
  const sites = new HostedSites({
    manifestFolder,
    folder: path.join(dataFolder, 'sites'),
    indexFolder: path.join(dataFolder, 'index'),
    origin: () => origin() + SITES_PATH,
    clock,
    fetch: options.fetch,
    isRead: (copy) => exports.isReading(copy),
    log,
    newId: randomUUID,
    sharedLoaderOf: backend.sharedLoaderOf,
  });
  const made = (): Made => ({
    counts: stores.countsWith({
      organization: manifest.limits?.organization ?? documentedLimits.organization,
      address: manifest.limits?.address ?? documentedLimits.address,
    }),
    signIn: manifest.signIn && new SignIn(manifest.signIn, options),
  });
  let current = made();
  const warn = (): void =>
    manifestWarnings(manifest, options.env).forEach((sentence) => log.warn(sentence));
  let isStarted = false;
  let isStopping = false;
  const gate = new Gate({
    keys: new KnownKeys(stores.keys, clock),
    counts: () => current.counts,
    signIn: () => current.signIn,
    sites: () => sites.all,
  });
  const misses = new MissNotes(stores.misses, clock, log);
  const origin = (): string => (manifest.url ?? own).replace(/\/$/, '');
  const exports = await openExports({
    adminProblem: (header) => gate.adminProblem(header),
    siteOf: (named) => {
      const site = sites.all.get(named.toLowerCase());
      if (!site) return unknownName(named.toLowerCase(), 'see GET /service/v1/sites');
      const { domain, groups, source } = site.entry;
      if (groups !== undefined) return { problem: ONLY_FOR_GROUPS, status: 409 };
      if (source.kind !== 'folder' && source.kind !== 'git') {
        return { problem: PUBLISHED_ALREADY, status: 409 };
      }
      try {
        const root = site.exportRoot;
        if (root === undefined) return { problem: IN_DATABASE, status: 409 };
        return { root, host: new URL(origin()).host, domain };
      } catch (error) {
        if (!(error instanceof SiteNotReady)) throw error;
        // With another status, clients would think that the job may have started.
        return { problem: error.message, status: 409 };
      }
    },
    // A job that goes on after a restart runs before the sites are read, so the manifest says who may see them.
    openPartOf: ({ domain }) => {
      const entry = manifest.sites.find((site) => site.domain === domain);
      return entry && openPart(entry);
    },
    domain: manifest.sites[0]?.domain ?? '',
    origin,
    stateFolder: path.join(dataFolder, 'exports'),
    linkLifetimeMs: LINK_MS,
    paceMs: 0,
    clock,
    newId: randomUUID,
    log,
  });
  const app = companyApp({
    ...options,
    stores,
    exports: exports.routes,
    gate,
    misses,
    metrics: new ServiceMetrics(() => [...sites.all.values()].map(({ state }) => state)),
    counts: () => current.counts,
    sites: () => sites.all,
    trustedProxies: () => manifest.trustedProxies,
    origin,
    resource: () =>
      manifest.signIn && {
        resource: origin(),
        authorization_servers: [manifest.signIn.issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: manifest.signIn.scopes,
      },
    isReady: () => isStarted && !isStopping,
    stopping: stopping.signal,
  });
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    // HTTP/1.0 has no host, and balancers check with it. For HTTP/1.1, Node demands one.
    hostname: 'localhost',
    serverOptions: { maxHeaderSize: MAX_HEADER_BYTES },
  });
  if (!(server instanceof Server)) throw new StartError("Can't start the HTTP server.");
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  own = await listen(server, options);
  warn();
  sites.apply(manifest);
  void sites.whenStarted().then(() => (isStarted = true));

  let stopped: Promise<void> | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    isStopping = true;
    await endServer(server, graceMs, clock);
    stopping.abort();
    await Promise.all([sites.close(), misses.whenIdle(), exports.stop()]);
    await backend.close();
  };
  return {
    url: own,
    apply: (changed) => {
      const before = manifest;
      manifest = changed;
      const isSame = (key: 'limits' | 'signIn'): boolean =>
        JSON.stringify(before[key]) === JSON.stringify(changed[key]);
      if (!isSame('limits') || !isSame('signIn')) current = made();
      sites.apply(changed);
      log.info(
        `The changed manifest was taken over: ${changed.sites.length === 1 ? '1 site' : `${changed.sites.length} sites`}`,
      );
      warn();
    },
    whenStarted: () => sites.whenStarted(),
    stop: (graceMs = GRACE_MS) => (stopped ??= stop(graceMs)),
  };
}

interface Made {
  readonly counts: ReturnType<Stores['countsWith']>;
  readonly signIn: SignIn | undefined;
}

async function listen(
  server: Server,
  { host, port }: Pick<CompanyServiceOptions, 'host' | 'port'>,
): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartError(`Can't listen on ${host}, port ${port} (${errorCodeOrName(error)}).`);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new StartError('There is no port.');
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${address.port}`;
}
