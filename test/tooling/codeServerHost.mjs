// @ts-check
/**
 * Serves VS Code in its own process: code-server's VS Code server, behind the one endpoint that code-server
 * itself adds (`/mint-key`). Without that endpoint, the page can't keep secrets over a reload.
 *
 * Takes its options as JSON in the first argument, prints `{"port": …}` when it listens, and ends when its
 * standard input closes, so that it never outlives the process that started it.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {object} HostOptions
 * @property {string} server folder of the VS Code server
 * @property {string} dataFolder everything that it writes
 * @property {number} port 0 picks a free one
 * @property {string} token 0-9, a-z, A-Z, `_`, `-`; asked of every page and connection
 * @property {boolean} isForTests whether tests run in it
 * @property {boolean} isRestricted whether windows are in Restricted Mode
 */

/** @type {HostOptions} */
const options = JSON.parse(process.argv[2] ?? '{}');

// server-main.js listens by itself unless this variable says that code-server loads it.
process.env.CODE_SERVER_PARENT_PID = String(process.pid);
const serverMain = await import(
  pathToFileURL(path.join(options.server, 'out', 'server-main.js')).href
);
const serverModule = await serverMain.loadCodeWithNls();
const userData = path.join(options.dataFolder, 'data');
await mkdir(userData, { recursive: true });
const vscodeServer = await serverModule.createServer(null, {
  _: [],
  'accept-server-license-terms': true,
  'connection-token': options.token,
  'server-data-dir': options.dataFolder,
  'user-data-dir': userData,
  'extensions-dir': path.join(options.dataFolder, 'extensions'),
  'telemetry-level': 'off',
  'disable-telemetry': true,
  'disable-workspace-trust': !options.isRestricted,
  // Newer versions load tests only with this. With it, VS Code refuses to show modal dialogs.
  'enable-smoke-test-driver': options.isForTests,
});

/** @returns {Promise<Buffer>} the server's half (256 bits) of the key that seals the page's secrets */
async function secretKeyHalf() {
  const file = path.join(userData, 'serve-web-key-half');
  return readFile(file).catch(async () => {
    const key = randomBytes(32);
    await writeFile(file, key, { mode: 0o600 });
    return key;
  });
}
const keyHalf = await secretKeyHalf();

/**
 * Forwards a request to a port of this machine, as code-server does for the URLs of forwarded ports.
 *
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 * @param {number} port
 * @param {string} url
 */
function forward(request, response, port, url) {
  const headers = { ...request.headers, host: `127.0.0.1:${port}` };
  const asked = http.request({
    host: '127.0.0.1',
    port,
    path: url,
    method: request.method,
    headers,
  });
  asked.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  asked.on('error', () => response.writeHead(502).end());
  request.pipe(asked);
}

const server = http.createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/mint-key') {
    const hasToken = (request.headers.cookie ?? '').includes(`vscode-tkn=${options.token}`);
    response.writeHead(hasToken ? 200 : 403).end(hasToken ? keyHalf : undefined);
    return;
  }
  const forwarded = /^\/proxy\/(\d{1,5})(\/.*)?$/.exec(request.url ?? '');
  if (forwarded) forward(request, response, Number(forwarded[1]), forwarded[2] ?? '/');
  else void vscodeServer.handleRequest(request, response);
});
server.on('upgrade', (request, socket) => void vscodeServer.handleUpgrade(request, socket));
server.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
server.listen(options.port, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') {
    process.stdout.write(`${JSON.stringify({ port: address.port })}\n`);
  }
});

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
