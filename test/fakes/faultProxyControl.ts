/**
 * Drives a {@link FaultProxy} over HTTP with JSON, for tests that run in another process
 * (faultProxyProcess.ts).
 *
 * | Request | Does |
 * | --- | --- |
 * | `GET /exchanges` | returns every `Exchange` so far |
 * | `POST /faults` with `Fault[]` | queues the faults |
 * | `DELETE /faults` | removes the faults that no request has taken |
 * | `POST /gates/<name>` | opens the gate |
 * | `GET /gates/<name>` | answers when a response waits at the gate |
 * | `GET /exchanges/ended?count=n` | returns the exchanges when n of them have ended |
 * | `POST /down`, `POST /up` | closes and opens the port |
 */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FaultProxy } from './faultProxy';
import type { Fault } from './faults';

export interface FaultProxyControl {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startFaultProxyControl(proxy: FaultProxy): Promise<FaultProxyControl> {
  const server = createServer((incoming, response) => {
    answer(proxy, incoming).then(
      (result) => {
        response.statusCode = result === undefined ? 404 : 200;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(result ?? { error: 'No such control.' }));
      },
      (error: unknown) => {
        response.statusCode = 400;
        response.end(JSON.stringify({ error: String(error) }));
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(proxy: FaultProxy, incoming: IncomingMessage): Promise<unknown> {
  const url = new URL(incoming.url ?? '/', 'http://control');
  const gate = /^\/gates\/(.+)$/.exec(url.pathname)?.[1];
  const isPost = incoming.method === 'POST';
  if (gate !== undefined) {
    if (isPost) proxy.openGate(decodeURIComponent(gate));
    else await proxy.whenHeld(decodeURIComponent(gate));
    return {};
  }
  switch (`${incoming.method ?? ''} ${url.pathname}`) {
    case 'GET /exchanges':
      return proxy.exchanges;
    case 'GET /exchanges/ended': {
      const count = Number(url.searchParams.get('count') ?? 1);
      await proxy.until(() => proxy.exchanges.filter((e) => e.state !== 'open').length >= count);
      return proxy.exchanges;
    }
    case 'POST /faults': {
      let text = '';
      for await (const piece of incoming) text += String(piece);
      // The tests of this repository are the only caller.
      proxy.queue(...(JSON.parse(text) as Fault[]));
      return {};
    }
    case 'DELETE /faults':
      proxy.clearFaults();
      return {};
    case 'POST /down':
      await proxy.goDown();
      return {};
    case 'POST /up':
      await proxy.comeBack();
      return {};
    default:
      return undefined;
  }
}
