// @ts-check
import http from 'node:http';

/** @typedef {import('./pageProtocol').SuiteEvent} SuiteEvent */
/** @typedef {import('./pageProtocol').SuiteEventReply} SuiteEventReply */
/** @typedef {import('./pageProtocol').SuiteRun} SuiteRun */
/** @typedef {import('./pageProtocol').PageCommand} PageCommand */

/**
 * Work that the driver does for a suite.
 *
 * @typedef {object} SuiteHandlers
 * @property {() => SuiteRun} onRun the suite is up and asks what to run
 * @property {(event: SuiteEvent) => Promise<SuiteEventReply>} onEvent
 * @property {(command: PageCommand) => Promise<unknown>} onPage
 */

/** @param {http.IncomingMessage} incoming */
async function bodyOf(incoming) {
  let text = '';
  for await (const piece of incoming) text += String(piece);
  return JSON.parse(text);
}

/** @param {http.IncomingMessage} incoming @param {SuiteHandlers} handlers @returns {Promise<unknown>} */
async function answer(incoming, handlers) {
  switch (`${incoming.method} ${incoming.url}`) {
    case 'GET /run':
      return handlers.onRun();
    case 'POST /run/event':
      return handlers.onEvent(await bodyOf(incoming));
    case 'POST /page':
      return handlers.onPage(await bodyOf(incoming)).then(
        (value) => ({ ok: true, value: value ?? null }),
        (error) => ({ ok: false, error: error instanceof Error ? error.message : String(error) }),
      );
    default:
      throw new Error(`no such request: ${incoming.method} ${incoming.url}`);
  }
}

/**
 * Listens on loopback to the suite in the extension host (pageProtocol.ts).
 *
 * @param {SuiteHandlers} handlers
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startSuiteServer(handlers) {
  const server = http.createServer((incoming, response) => {
    answer(incoming, handlers).then(
      (reply) => response.setHeader('content-type', 'application/json').end(JSON.stringify(reply)),
      (error) => response.writeHead(400).end(String(error)),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not a TCP port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
