// @ts-check
/**
 * Activates the built extension once, in this process, and prints what that took as one JSON line.
 * Argument `everything` imports every file of the host's bundle first, as if nothing were lazy.
 */
import net from 'node:net';
import { register } from 'node:module';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';

const isEverything = process.argv[2] === 'everything';
const dist = path.resolve('dist');

/** @type {Set<string>} */
const files = new Set();
const { port1, port2 } = new MessageChannel();
port1.on('message', (/** @type {string} */ address) => {
  if (address.startsWith('file:')) files.add(address);
});
port1.unref();
register('./vscodeStub.mjs', import.meta.url, { data: { port: port2 }, transferList: [port2] });

// Every connection of Node is a socket's, those of fetch included.
let connections = 0;
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = /** @type {typeof connect} */ (
  /** @this {net.Socket} @param {any[]} args */
  function (...args) {
    connections += 1;
    return Reflect.apply(connect, this, args);
  }
);

const noState = {
  get: (/** @type {unknown} */ _key, /** @type {unknown} */ otherwise) => otherwise,
  update: async () => {},
  keys: () => [],
  setKeysForSync: () => {},
};
/** @type {{ subscriptions: unknown[] } & Record<string, unknown>} */
const context = {
  subscriptions: [],
  extensionMode: 1,
  extension: { id: 'docs-assistant.docs-assistant', packageJSON: {} },
  extensionPath: path.resolve('.'),
  extensionUri: { scheme: 'file', path: path.resolve('.'), fsPath: path.resolve('.') },
  globalState: noState,
  workspaceState: noState,
  secrets: {
    get: async () => undefined,
    store: async () => {},
    delete: async () => {},
    onDidChange: () => ({ dispose() {} }),
  },
  asAbsolutePath: (/** @type {string} */ relative) => path.resolve(relative),
  storageUri: undefined,
  globalStorageUri: { scheme: 'file', path: dist, fsPath: dist },
  logUri: { scheme: 'file', path: dist, fsPath: dist },
};

const startedAt = performance.now();
if (isEverything) {
  for (const file of readdirSync(path.join(dist, 'chunks'))) {
    if (file.endsWith('.js')) await import(pathToFileURL(path.join(dist, 'chunks', file)).href);
  }
}
const { activate } = await import(pathToFileURL(path.join(dist, 'extension.js')).href);
await activate(context);
const ms = performance.now() - startedAt;
if (context.subscriptions.length === 0) throw new Error('Nothing was activated');

// Work that activation leaves for the same turns of the event loop counts as well.
await new Promise((resolve) => setTimeout(resolve, 50));
const loaded = [...files].map((file) => path.relative(dist, new URL(file).pathname));
process.stdout.write(`${JSON.stringify({ ms, connections, files: loaded })}\n`, () =>
  process.exit(0),
);
