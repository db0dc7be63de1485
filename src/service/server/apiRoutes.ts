/**
 * Routes of the platform's API, and those that search and read docs. The window's service and the service of a company
 * share them. Each decides who may ask which docs.
 */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { docsAnswers } from './docsApi';
import { answerMessage, type MessageRoutePorts } from './messageRoute';
import { limitBody, limitQuestion, type RequestLimiter, requireJson } from './requestChecks';
import type { AskedEngine } from './servedEngine';

/** The site of an admitted request. */
export interface AskedSite extends Pick<MessageRoutePorts, 'threads' | 'onAnswered'> {
  readonly engine: AskedEngine;
}

export interface ApiEnv {
  Bindings: HttpBindings;
  Variables: {
    /** Site that {@link admission} has found. */
    site: AskedSite;
  };
}
type ApiContext = Context<ApiEnv>;

/** Who sends a request, by its key. */
export interface KeyHolder {
  /** Names the organization whose requests are counted together. */
  readonly organization: string;
  /** Counts a request against the key's own limit, if it has one. Returns the seconds to wait. */
  countOwn?(): Promise<number>;
  /** Returns a site that the holder may ask, or undefined, which doesn't tell whether there is one. */
  siteOf(domain: string): AskedSite | undefined | Promise<AskedSite | undefined>;
}

interface AdmissionPorts {
  readonly limiter: Pick<RequestLimiter, 'countAddress' | 'countOrganization'>;
  /** Returns the address that a request is counted for. */
  readonly addressOf: (c: ApiContext) => string;
  /** Returns who sends a request, or the sentence that says what is wrong with the key. */
  readonly holderOf: (c: ApiContext) => Promise<KeyHolder | { readonly problem: string }>;
  /** Returns the sentence for a site that doesn't exist or that the key isn't for. Its domain is empty if none is named. */
  readonly unknownSite: (domain: string) => string;
}

/** Counts a request and checks its key and its site. */
export function admission(ports: AdmissionPorts): MiddlewareHandler<ApiEnv> {
  const { limiter, addressOf, holderOf, unknownSite } = ports;
  return async (c, next) => {
    const seconds = await limiter.countAddress(addressOf(c));
    if (seconds > 0) return tooMany(c, 'this address', seconds);
    const holder = await holderOf(c);
    if ('problem' in holder) return unauthorized(c, holder.problem);
    const wait = await limiter.countOrganization(holder.organization);
    if (wait > 0) return tooMany(c, 'this organization', wait);
    const own = (await holder.countOwn?.()) ?? 0;
    if (own > 0) return tooMany(c, 'this key', own);
    const domain = c.req.param('domain') ?? '';
    const site = await holder.siteOf(domain);
    if (!site) return c.json({ error: unknownSite(domain) }, 404);
    c.set('site', site);
    await next();
    return undefined;
  };
}

/** Returns the answer to a request whose key isn't valid. */
export function unauthorized(c: Context, problem: string): Response {
  return c.json({ error: problem }, 401, { 'WWW-Authenticate': 'Bearer' });
}

/** Returns the answer to a request beyond a limit. */
export function tooMany(c: Context, who: string, seconds: number): Response {
  return c.json({ error: `Too many requests from ${who}. Try again in ${seconds} s.` }, 429, {
    'Retry-After': String(seconds),
  });
}

interface ApiRoutesPorts extends Omit<MessageRoutePorts, 'engine' | 'threads' | 'onAnswered'> {
  readonly admit: MiddlewareHandler<ApiEnv>;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

const MESSAGE_PATH = '/v2/assistant/:domain/message';
/** Path of the routes that the hosted API doesn't have. */
export const LOCAL_PATH = '/local/v1/:domain';

/** Adds the routes that ask, search and read the docs of a site. Every error is JSON: `{"error": "a sentence"}`. */
export function addApiRoutes(app: Hono<ApiEnv>, ports: ApiRoutesPorts): void {
  const { admit, stopping } = ports;
  app.post(MESSAGE_PATH, admit, requireJson, limitQuestion, (c) =>
    answerMessage(c, { ...ports, ...c.get('site') }, untilClosed(c, stopping)),
  );
  app.all(MESSAGE_PATH, (c) =>
    c.json({ error: 'Use POST to ask a question.' }, 405, { Allow: 'POST' }),
  );
  for (const [route, answer] of Object.entries(docsAnswers)) {
    const path = `${LOCAL_PATH}/${route}`;
    app.post(path, admit, requireJson, limitBody, (c) =>
      answer(c, c.get('site').engine, untilClosed(c, stopping)),
    );
    app.all(path, (c) => c.json({ error: 'Use POST.' }, 405, { Allow: 'POST' }));
  }
}

/** Returns a signal that aborts when the connection closes or the service stops. */
function untilClosed(c: Context<ApiEnv>, stopping: AbortSignal): AbortSignal {
  const closed = new AbortController();
  c.env.outgoing.once('close', () => closed.abort());
  return AbortSignal.any([closed.signal, stopping]);
}
