/** All routes of the service of a company: the API of the platform, MCP, pages, and what operators need. */
import { createHmac, randomUUID } from 'node:crypto';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import {
  RESOURCE_METADATA,
  SERVICE_MCP,
  SERVICE_MISSES,
  SERVICE_REALM,
  SERVICE_SITES,
} from '../../common/http/companyApi';
import { isSameSecret } from '../../common/http/sameSecret';
import type { Clock, Log } from '../../common/ports';
import type { SiteEngine } from '../../docs/engine';
import {
  addApiRoutes,
  admission,
  type ApiEnv,
  type AskedSite,
  tooMany,
  unauthorized,
} from '../server/apiRoutes';
import type { LocalExports } from '../export/localExports';
import { docsAnswers } from '../server/docsApi';
import { docsRoutes } from '../server/docsRoutes';
import { bearerOf } from '../server/keys';
import { limitBody, limitQuestion, type RequestLimiter } from '../server/requestChecks';
import { type Caller, type Gate, groupsOf, nameOf, ownerOfThreads } from './gate';
import type { HostedSite } from './sites/hostedSite';
import { SiteNotReady } from './sites/siteLoader';
import { answerMcp } from './mcpRoute';
import type { ServiceMetrics } from './metrics';
import { answerMisses, type MissNotes } from './misses';
import { ProviderDown } from './signIn';
import { StoreDown, type Stores } from './stores';

/** A request that has ended, for the log. Nothing of its content is in it. */
export interface EndedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Site that was asked, if the caller may ask it. */
  readonly site?: string;
  /** Key or person that sent the request. */
  readonly by?: string;
}

interface CompanyAppPorts {
  readonly gate: Gate;
  readonly stores: Stores;
  readonly misses: MissNotes;
  readonly metrics: ServiceMetrics;
  readonly counts: () => RequestLimiter;
  readonly sites: () => ReadonlyMap<string, HostedSite>;
  readonly trustedProxies: () => number;
  /** Base URL at which readers reach the service. */
  readonly origin: () => string;
  /** Returns how people sign in, or undefined if only keys are valid. */
  readonly resource: () => ResourceMetadata | undefined;
  /** Whether requests should come to this process. */
  readonly isReady: () => boolean;
  /** Routes of static export. */
  readonly exports: LocalExports['routes'];
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly log: Log;
  readonly onEnded: (request: EndedRequest) => void;
  readonly stopping: AbortSignal;
  readonly version: string;
}

/** Facts for clients that sign in (RFC 9728 § 2). */
interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly scopes_supported: readonly string[];
}

interface CompanySite extends AskedSite {
  readonly domain: string;
  readonly by: string;
}

/** Path of the pages of a site, which comes behind it. */
export const SITES_PATH = '/sites/';
const UNKNOWN_SITE = "This site doesn't exist at this service, or this key is not for it.";
const UNNAMED_SITE =
  'Name the site in the URL, such as /mcp/payments. Only a key for a single site works without.';
const SECONDS_TO_WAIT = '5';
/** Milliseconds for which the stores may take to answer a check. */
const CHECK_MS = 3000;

export function companyApp(ports: CompanyAppPorts): Hono<ApiEnv> {
  const { gate, clock, log, stopping, metrics, stores } = ports;
  // People put a slash behind the URL of a service or of MCP.
  const app = new Hono<ApiEnv>({ strict: false });
  /** Facts for the log about requests that haven't ended. */
  const admitted = new WeakMap<Context, Pick<EndedRequest, 'site' | 'by'>>();

  app.use(async (c, next) => {
    const start = clock.now();
    c.env.outgoing.once('close', () => {
      const ms = clock.now() - start;
      const { statusCode: status } = c.env.outgoing;
      const route = routeOf(c);
      metrics.request(route, status, ms);
      ports.onEnded({ method: c.req.method, route, status, ms, ...admitted.get(c) });
    });
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    if (c.res.status === 401) c.header('WWW-Authenticate', challengeOf(ports));
  });
  // MCP clients also look behind the path of the resource (RFC 9728 § 3.1).
  for (const path of [
    RESOURCE_METADATA,
    `${RESOURCE_METADATA}/mcp`,
    `${RESOURCE_METADATA}/mcp/*`,
  ]) {
    app.get(path, (c) => {
      const metadata = ports.resource();
      return metadata ? c.json(metadata) : c.notFound();
    });
  }

  const siteFor = async (caller: Caller, site: HostedSite): Promise<CompanySite | undefined> => {
    const groups = groupsOf(caller);
    const engine = await site.docsFor(groups);
    if (!engine) return undefined;
    const { domain } = site.entry;
    const scope = JSON.stringify([domain, site.audienceOf(groups), ownerOfThreads(caller)]);
    return {
      domain,
      by: nameOf(caller),
      engine,
      threads: stores.threadsOf(scope),
      onAnswered: (question, hasSources) => {
        metrics.answered(domain, hasSources);
        if (!hasSources) ports.misses.note(domain, question);
      },
    };
  };
  const admit = admission({
    limiter: {
      countAddress: (address) => ports.counts().countAddress(address),
      countOrganization: (organization) => ports.counts().countOrganization(organization),
    },
    addressOf: (c) => addressOf(c, ports.trustedProxies()),
    holderOf: async (c) => {
      const caller = await gate.callerOf(c);
      if ('problem' in caller) return caller;
      admitted.set(c, { by: nameOf(caller) });
      return {
        ...gate.countingOf(caller),
        siteOf: async (domain) => {
          const site = gate.siteOf(caller, domain);
          const found = site && (await siteFor(caller, site));
          if (found) admitted.set(c, { by: found.by, site: found.domain });
          return found;
        },
      };
    },
    unknownSite: (domain) => (domain === '' ? UNNAMED_SITE : UNKNOWN_SITE),
  });
  addApiRoutes(app, { admit, clock, newId: randomUUID, log, paceMs: 0, stopping });

  for (const path of [SERVICE_MCP, `${SERVICE_MCP}/:domain`]) {
    app.all(path, admit, limitBody, (c) => {
      const domain = admitted.get(c)?.site ?? '';
      const name = ports.sites().get(domain)?.state.name ?? domain;
      return answerMcp(c, { ...c.get('site'), name }, ports);
    });
  }

  const admitAdmin: MiddlewareHandler<ApiEnv> = async (c, next) => {
    const address = addressOf(c, ports.trustedProxies());
    const wait = await ports.counts().countAddress(address);
    if (wait > 0) return tooMany(c, 'this address', wait);
    const problem = await gate.adminProblem(c.req.header('authorization'));
    if (problem !== undefined) return unauthorized(c, problem);
    admitted.set(c, { by: 'admin key' });
    await next();
    return undefined;
  };
  /** Sites that the caller may ask, so that a window can offer them. An admin key sees how they are. */
  app.get(SERVICE_SITES, async (c) => {
    if ((await gate.adminProblem(c.req.header('authorization'))) === undefined) {
      return c.json({ sites: [...ports.sites().values()].map(({ state }) => state) });
    }
    const caller = await gate.callerOf(c);
    if ('problem' in caller) return unauthorized(c, caller.problem);
    const sites = gate
      .sitesOf(caller)
      .map(({ state: { domain, name, pages } }) => ({ domain, name, pages }));
    return c.json({ sites });
  });
  app.post('/service/v1/sites/:domain/refresh', admitAdmin, (c) => {
    const site = ports.sites().get(c.req.param('domain'));
    if (!site) return c.json({ error: UNKNOWN_SITE }, 404);
    void site.refresh();
    return c.json({ domain: site.entry.domain }, 202);
  });
  // GitHub sends up to 25 MB, such as for a push with many commits.
  app.post('/service/v1/sites/:domain/webhook', limitQuestion, async (c) => {
    const site = ports.sites().get(c.req.param('domain'));
    const variable = site?.entry.refresh?.webhook?.secretVariable;
    // Everybody can sign with an empty secret.
    const secret = variable === undefined ? '' : (ports.env[variable] ?? '');
    // An unknown site, one without a webhook and a wrong signature look the same.
    if (!site || secret === '' || !(await hasSecret(c, secret))) {
      const error = 'This request has no signature or secret of a site of this service.';
      return c.json({ error }, 403);
    }
    void site.refresh();
    return c.json({ domain: site.entry.domain }, 202);
  });
  app.route('/', ports.exports);
  app.get(SERVICE_MISSES, admitAdmin, (c) => answerMisses(c, stores.misses));

  app.get('/metrics', admitAdmin, async (c) => {
    const { body, contentType } = await metrics.text();
    return c.body(body, 200, { 'Content-Type': contentType });
  });
  app.get('/healthz', (c) => c.json({ status: 'ok' }));
  app.get('/readyz', async (c) => {
    const isUsable = await Promise.race([
      stores.check().then(
        () => true,
        () => false,
      ),
      clock.delay(CHECK_MS).then(() => false),
    ]);
    const isReady = isUsable && ports.isReady();
    return c.json({ status: isReady ? 'ready' : 'not ready' }, isReady ? 200 : 503);
  });

  app.get(`${SITES_PATH}:domain/*`, async (c) => {
    const engine = await pagesFor(c, ports);
    if (!engine) return c.json({ error: UNKNOWN_SITE }, 404);
    if ('problem' in engine) return unauthorized(c, engine.problem);
    const domain = c.req.param('domain');
    const site = ports.sites().get(domain);
    const routes = docsRoutes({
      engine,
      reading: (set, read) =>
        set === undefined ? engine.reading((docs) => read(docs)) : read(undefined),
      domain,
      name: site?.state.name,
      base: `${SITES_PATH}${domain}`,
      proxyPath: new URL(ports.origin()).pathname.replace(/\/$/, ''),
      hasImages: site?.isOpen === true,
    });
    // The routes are an app of their own, which would answer in plain text for pages that don't exist and for errors.
    routes.notFound(() => c.notFound());
    routes.onError((error) => {
      throw error;
    });
    return routes.fetch(c.req.raw, c.env);
  });

  app.notFound((c) => c.json({ error: "This URL doesn't exist at this service." }, 404));
  app.onError((error, c) => {
    if (
      error instanceof StoreDown ||
      error instanceof ProviderDown ||
      error instanceof SiteNotReady
    ) {
      log.warn(`${c.req.method} ${routeOf(c)} can't be answered now: ${error.name}`);
      const told =
        error instanceof SiteNotReady
          ? error.message
          : 'The service is temporarily unavailable. Try again.';
      return c.json({ error: told }, 503, { 'Retry-After': SECONDS_TO_WAIT });
    }
    log.error(`${c.req.method} ${routeOf(c)} failed`, error);
    return c.json({ error: 'The service had an internal error. See its log for details.' }, 500);
  });
  return app;
}

/** Returns the header of a refusal. Its realm tells a window that this is such a service. */
function challengeOf({ origin, resource }: CompanyAppPorts): string {
  const realm = `Bearer realm="${SERVICE_REALM}"`;
  return resource() ? `${realm}, resource_metadata="${origin()}${RESOURCE_METADATA}"` : realm;
}

/**
 * Returns the docs whose pages a request may see, or the sentence that says what is wrong with its key. Open sites need
 * no key, so that a link opens in a browser. Its password for a proxy is none.
 */
async function pagesFor(
  c: Context<ApiEnv>,
  { gate, sites }: CompanyAppPorts,
): Promise<SiteEngine | { readonly problem: string } | undefined> {
  const site = sites().get(c.req.param('domain') ?? '');
  if (bearerOf(c.req.header('authorization')) === undefined) return site?.docsFor([]);
  const caller = await gate.callerOf(c);
  return 'problem' in caller ? caller : site?.docsFor(groupsOf(caller));
}

/** Returns the route of a request without what its sender chose, so that a log and metrics have few of them. */
function routeOf(c: Context): string {
  const [first = '', second = ''] = c.req.path.split('/').slice(1);
  if (first === 'v2') return 'message';
  if (first === 'v1') return 'export';
  if (first === 'local') {
    const asked = c.req.path.split('/').at(-1) ?? '';
    return Object.hasOwn(docsAnswers, asked) ? `docs ${asked}` : 'other';
  }
  if (first === 'service' && second === 'v1') return 'service';
  if (first === '.well-known') return 'well-known';
  return ['mcp', 'sites', 'healthz', 'readyz', 'metrics'].includes(first) ? first : 'other';
}

/** Returns the address of a reader, which the last trusted proxy tells. Others can claim any. */
function addressOf(c: Context<ApiEnv>, trustedProxies: number): string {
  const own = getConnInfo(c).remote.address ?? 'unknown';
  const told = (c.req.header('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  const address = trustedProxies === 0 ? undefined : told.at(-trustedProxies);
  return address === undefined || address === '' ? own : address.slice(0, 100);
}

/** Returns whether the sender of a webhook has its secret. GitLab sends it, and others sign the body with it. */
async function hasSecret({ req }: Context, secret: string): Promise<boolean> {
  const sent = req.header('x-gitlab-token');
  if (sent !== undefined) return isSameSecret(sent, secret);
  // GitHub's header without a number has another hash, and Bitbucket has only that header.
  const signature = req.header('x-hub-signature-256') ?? req.header('x-hub-signature') ?? '';
  const hash = createHmac('sha256', secret).update(await req.text());
  return isSameSecret(signature, `sha256=${hash.digest('hex')}`);
}
