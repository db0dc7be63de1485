/** HTTP servers behind a load balancer, which sends request after request over a connection. Uses `node:http`. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Clock } from '../ports';

/** Time for which an idle connection stays open: longer than a load balancer keeps it, which is a minute at most clouds. */
export const KEEP_ALIVE_MS = 75_000;

/** Pause between two looks for idle connections while a server ends. */
const CLOSING_MS = 100;

/** Accepts no more connections, and resolves when the running requests have ended, or after some time without them. */
export async function endServer(
  server: Server,
  deadlineMs: number,
  clock: Pick<Clock, 'delay'>,
): Promise<void> {
  const waiting = new AbortController();
  const closed = once(server, 'close').finally(() => waiting.abort());
  // Without this, a connection in use would go on until the deadline cuts a reply.
  server.prependListener('request', (_request, response) =>
    response.setHeader('Connection', 'close'),
  );
  server.close();
  clock.delay(deadlineMs, waiting.signal).then(
    () => server.closeAllConnections(),
    () => undefined,
  );
  // A connection becomes idle when its last request has ended.
  while (!waiting.signal.aborted) {
    server.closeIdleConnections();
    await clock.delay(CLOSING_MS, waiting.signal).catch(() => undefined);
  }
  await closed;
}
