/** faults.md F1, F6, F7: where the admin key and the presigned link go on a whole way, and where not. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AssistantClient } from '../../../src/chat/assistant/assistantClient';
import { systemClock } from '../../../src/common/clock';
import type { LocalService } from '../../../src/service/server/server';
import { unpackBundle } from '../../../src/export/archive/unpack';
import { deploymentText } from '../../../src/export/values/deploymentText';
import { setDeployment } from '../../../src/export/values/deploymentValues';
import { LocalServiceProcess } from '../../../src/service/server/localServiceProcess';
import { assertNoTrace, everythingIn, filesBelow } from '../../builders/canary';
import { startFaultProxy, type FaultProxy } from '../../fakes/faultProxy';
import type { Exchange } from '../../fakes/faults';
import { RecordingLog } from '../../fakes/recordingLog';
import { aQuestion, settingsFor } from '../chat/asking';
import { CanaryWindow, canaryKeys } from './canaryWindow';
import { never } from './exporting';
import { docsFolder, startService } from '../service/localServiceAsking';
import { JOBS } from '../service/localServiceExporting';

const pages = {
  'index.md': '# Birds\n\nStart with [pelicans](pelicans.md).\n',
  'pelicans.md': '# Pelicans\n\nPelicans eat fish.\n',
};

const isExport = ({ path: asked }: Exchange): boolean => asked.startsWith(JOBS);

/** Returns everything in a request except its key. */
function withoutKey(exchange: Exchange): unknown {
  const { authorization: _, ...headers } = exchange.headers;
  return [exchange.path, headers, exchange.bodyText];
}

describe('the keys, on the way from a job to its deployment', () => {
  const serviceLog = new RecordingLog();
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let state: string;
  let service: LocalService;
  let proxy: FaultProxy;
  let window: CanaryWindow;
  /** Signature in the bundle's link: a secret for as long as the link lives. */
  let linkQuery = '';
  /** The folder of the download, while a part of it was there. */
  let midway: ReadonlyMap<string, Buffer> = new Map();
  const deployed: string[] = [];

  before(async () => {
    docs = await docsFolder(pages);
    state = mkdtempSync(path.join(tmpdir(), 'docs-assistant-canary-state-'));
    const { admin: adminKey, assistant: key } = canaryKeys;
    service = await startService(docs.root, { adminKey, key, stateFolder: state, log: serviceLog });
    await service.whenIndexed();
    proxy = await startFaultProxy({ target: service.url });
    window = new CanaryWindow();
    await window.saveKeys(proxy.url);
  });
  after(async () => {
    window.stop();
    await proxy.stop();
    await service.stop();
    await docs.remove();
    rmSync(state, { recursive: true, force: true });
  });

  /** The real fetch, whose first body breaks off: then a part of the archive is on disk. */
  const breakingOnce = (): CanaryWindow['fetch'] => {
    let requests = 0;
    return async (url, init) => {
      requests += 1;
      if (requests === 2) midway = filesBelow(window.folder);
      const response = await window.fetch(url, init);
      if (requests > 1) return response;
      const bytes = Buffer.from(await response.arrayBuffer());
      const start = bytes.subarray(0, Math.floor(bytes.length / 2));
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(start),
        pull: (controller) => controller.error(new TypeError('terminated')),
      });
      return new Response(body, { status: response.status, headers: response.headers });
    };
  };

  before('export, download, unpack, deploy and ask', async () => {
    const { record } = await window.export(proxy.url);
    assert.equal(record.outcome, 'completed');
    const link = await window.exports.bundleLink(record.id, never);
    linkQuery = new URL(link.url).searchParams.get('X-Signature') ?? '';
    const archive = await window.download(record.id, { fetch: breakingOnce() });
    const unpacked = await unpackBundle({
      archive: archive.path,
      target: path.join(window.folder, 'site'),
      newId: () => 'unpacking',
      signal: never,
      onProgress: () => undefined,
    });
    await window.exports.noteFiles(record.id, { archive, siteFolder: unpacked.siteRoot });
    const deployment = { bundleUrl: link.url, version: 'v2' };
    for (const format of ['yaml', 'json', 'helm'] as const) {
      deployed.push(deploymentText(deployment, format));
    }
    deployed.push(setDeployment('# ours\nreplicas: 2\n', deployment).text);

    const client = new AssistantClient({
      fetch: window.fetch,
      clock: systemClock,
      log: window.log,
    });
    const request = {
      settings: settingsFor(proxy.url),
      key: (await window.keys.read('assistant', proxy.url)) ?? '',
      messages: [aQuestion('What do pelicans eat?')],
      contextItems: [],
    };
    for await (const update of client.ask(request, never)) window.told.push(update);
  });

  it('cover the whole way from start to deployment, with a part of the archive on disk halfway', () => {
    assert.ok(linkQuery.length > 20);
    const names = [...midway.keys()];
    assert.ok(names.length >= 2, `a part file and what is noted of it: ${names.join(', ')}`);
    assert.ok(filesBelow(window.folder).has(path.join('site', 'pelicans.html')));
    assert.equal(deployed.length, 4);
    assert.ok(everythingIn(window.told).includes('Pelicans eat fish'));
    for (const level of ['debug', 'info'] as const) {
      assert.notEqual(window.log.messages(level).length, 0, `nothing is logged as ${level}`);
    }
  });

  it('sends the admin key in the header of each request to the export API', () => {
    const exchanges = proxy.exchanges.filter(isExport);
    assert.ok(exchanges.length >= 3);
    for (const exchange of exchanges) {
      assert.equal(exchange.headers['authorization'], `Bearer ${canaryKeys.admin}`);
      assertNoTrace(canaryKeys.admin, withoutKey(exchange));
      assertNoTrace(canaryKeys.assistant, exchange);
    }
  });

  it('sends the assistant key alone with a question', () => {
    const questions = proxy.exchanges.filter((exchange) => !isExport(exchange));
    assert.equal(questions.length, 1);
    for (const exchange of questions) {
      assert.equal(exchange.headers['authorization'], `Bearer ${canaryKeys.assistant}`);
      assertNoTrace(canaryKeys.admin, exchange);
    }
  });

  it('sends no key to the presigned link', () => {
    const downloads = window.requests.filter(({ url }) => url.includes(linkQuery));
    assert.equal(downloads.length, 2);
    for (const { url, headers } of downloads) {
      assert.equal(headers['authorization'], undefined);
      for (const key of Object.values(canaryKeys)) assertNoTrace(key, [url, headers]);
    }
  });

  it('leaves no key in logs, records, files, messages or deployments', () => {
    for (const key of Object.values(canaryKeys)) {
      assertNoTrace(key, window.traces);
      assertNoTrace(key, midway);
      assertNoTrace(key, deployed);
    }
  });

  it('leaves the link’s query in no log, record or file', () => {
    const { log, records, disk } = window.traces as Readonly<Record<string, unknown>>;
    for (const trace of [log, records, disk, midway, serviceLog.text(), filesBelow(state)]) {
      assertNoTrace(linkQuery, trace);
    }
    assert.ok(
      deployed.every((text) => text.includes(linkQuery)),
      'it is for the deployment',
    );
  });

  it('leaves no key in the log and the state of the local docs service', () => {
    assert.notEqual(filesBelow(state).size, 0);
    for (const key of Object.values(canaryKeys)) {
      assertNoTrace(key, [serviceLog.lines, serviceLog.text(), filesBelow(state)]);
    }
  });

  it('leaves no key in the arguments and the environment of this process', () => {
    for (const key of Object.values(canaryKeys)) {
      assertNoTrace(key, [process.argv, process.execArgv, process.env]);
    }
  });

  it('opens the export API at the origin of the key, and at no other one', async () => {
    const { port } = new URL(proxy.url);
    const open = (url: string): Promise<unknown> => window.endpoints.open(url);
    assert.deepEqual(await open(`${proxy.url}/api`), {
      url: `${proxy.url}/api`,
      adminKey: canaryKeys.admin,
    });
    for (const other of [
      `http://localhost:${port}`,
      `https://127.0.0.1:${port}`,
      `http://127.0.0.1:${Number(port) - 1}`,
      `http://127.0.0.1:${port}@attacker.example.com`,
    ]) {
      const error = await window.failureOf(open(other));
      assert.match(String(error), /no-admin-key/, other);
    }
  });
});

describe('the keys of a local docs service that the extension started', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let state: string;
  let running: LocalServiceProcess;
  const log = new RecordingLog();

  before(async () => {
    docs = await docsFolder(pages);
    state = mkdtempSync(path.join(tmpdir(), 'docs-assistant-canary-state-'));
    running = new LocalServiceProcess({
      // The bundle that ships; tests run at the repository's top after a build.
      script: path.resolve('dist/localService.js'),
      stateFolder: state,
      log,
      onDidIndex: () => undefined,
      onDidCrash: (reason) => log.error(reason),
    });
  });
  after(async () => {
    running.dispose();
    await docs.remove();
    rmSync(state, { recursive: true, force: true });
    log.assertNoErrors();
  });

  it('are in neither its arguments nor its log nor its state, and the admin key not in its environment', async () => {
    process.env['DOCS_ASSISTANT_ADMIN_KEY'] = canaryKeys.admin;
    const starting = running
      .start({ kind: 'folder', folder: docs.root, label: 'birds' }, never)
      .finally(() => {
        delete process.env['DOCS_ASSISTANT_ADMIN_KEY'];
      });
    const { url, adminKey, key } = await starting;
    assert.match(adminKey, /^local_[0-9a-f]{48}$/);
    const window = new CanaryWindow();
    try {
      await window.keys.save('admin', url, adminKey);
      const { record } = await window.export(url);
      await window.download(record.id);
      await window.keys.save('admin', url, canaryKeys.admin);
      const refusal = await window.failureOf(window.exports.linkSource(record.id).renew(never));
      assert.match(String(refusal), /admin-key-rejected/, 'a key of this process is not its own');
    } finally {
      window.stop();
    }

    const secrets = [adminKey, key, canaryKeys.admin];
    for (const secret of secrets) assertNoTrace(secret, [log.text(), filesBelow(state)]);
    const child = processOf(docs.root);
    if (!child) return;
    for (const secret of secrets) assertNoTrace(secret, child.cmdline);
    for (const secret of [adminKey, canaryKeys.admin]) assertNoTrace(secret, child.environ);
  });
});

/**
 * Returns what the system shows of the process with that argument, or undefined where it has no
 * `/proc`.
 */
function processOf(argument: string): { cmdline: string; environ: string } | undefined {
  if (!existsSync('/proc/self/environ')) return undefined;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const read = (file: string): string => readFileSync(`/proc/${id}/${file}`, 'utf8');
    try {
      const cmdline = read('cmdline');
      if (cmdline.split('\0').includes(argument)) return { cmdline, environ: read('environ') };
    } catch {
      // It has ended meanwhile.
    }
  }
  return assert.fail('the process is not there');
}
