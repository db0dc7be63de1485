import { getConnInfo } from '@hono/node-server/conninfo';
import type { HttpBindings } from '@hono/node-server';
import { Hono, type Context } from 'hono';
import { docsRoutes } from './docsRoutes';
import { limitQuestion, requireJson } from './jsonBody';
import type { RequestLimiter } from './limits';
import { answerMessage, keyProblem, type MessageRoutePorts } from './messageRoute';

type Env = { Bindings: HttpBindings };
export type AppContext = Context<Env>;

export interface AppPorts extends MessageRoutePorts {
  readonly root: string;
  readonly domain: string;
  readonly key: string;
  readonly limiter: RequestLimiter;
  /** The routes of static export. */
  readonly exports: Hono<Env>;
  /** Aborts when the service stops. */
  readonly stopping: AbortSignal;
}

const MESSAGE_PATH = '/v2/assistant/:domain/message';
const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** The service's routes. Every error is JSON: `{"error": "a sentence"}`. */
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
    // A page of another site whose name was pointed at this machine still sends its own name.
    const host = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(c.req.header('host') ?? '')?.[1];
    if (host === undefined || !loopbackNames.has(host.toLowerCase())) {
      return c.json({ error: 'This service answers requests to this machine only.' }, 403);
    }
    await next();
    c.header('X-Content-Type-Options', 'nosniff');
    return undefined;
  });

  app.post(
    MESSAGE_PATH,
    async (c, next) => {
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
          { error: `This service has no such site: it serves "${ports.domain}".` },
          404,
        );
      }
      return next();
    },
    requireJson,
    limitQuestion,
    (c) => answerMessage(c, ports, untilClosed(c, ports.stopping)),
  );
  app.all(MESSAGE_PATH, (c) =>
    c.json({ error: 'Questions are asked with POST.' }, 405, { Allow: 'POST' }),
  );

  app.route('/', ports.exports);
  app.route('/', docsRoutes(ports));

  app.notFound((c) => c.json({ error: 'This service has no such address.' }, 404));
  app.onError((error, c) => {
    ports.log.error(`${c.req.method} ${c.req.path} failed`, error);
    return c.json({ error: 'The service failed to answer. Its log says why.' }, 500);
  });
  return app;
}

function tooMany(c: AppContext, who: string, seconds: number): Response {
  return c.json({ error: `Too many requests from ${who}: wait ${seconds} s.` }, 429, {
    'Retry-After': String(seconds),
  });
}

/** Aborts as soon as the connection ends, however it does, or the service stops. */
function untilClosed(c: AppContext, stopping: AbortSignal): AbortSignal {
  const closed = new AbortController();
  c.env.outgoing.once('close', () => closed.abort());
  return AbortSignal.any([closed.signal, stopping]);
}
