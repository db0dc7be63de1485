import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  LocalServiceProcess,
  type LocalServicePorts,
} from '../../../src/service/server/localServiceProcess';
import type { LocalDocs } from '../../../src/service/server/servedDocs';
import { RecordingLog } from '../../fakes/recordingLog';

const listening = JSON.stringify({
  event: 'listening',
  url: 'http://127.0.0.1:4000',
  domain: 'local',
  adminKey: 'admin',
});
const folder: LocalDocs = { kind: 'folder', folder: '/docs', label: 'docs' };
const idle = 'setInterval(() => undefined, 1000);';

describe('LocalServiceProcess', () => {
  let temporary: string;
  let service: LocalServiceProcess | undefined;
  let log: RecordingLog;
  /** Calls of the hooks, in their order. */
  let told: unknown[][];

  beforeEach(async () => {
    temporary = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-process-'));
    log = new RecordingLog();
    told = [];
  });
  afterEach(async () => {
    service?.dispose();
    await rm(temporary, { recursive: true });
  });

  /** Starts a script as the service. */
  async function start(script: string, docs = folder, ports: Partial<LocalServicePorts> = {}) {
    const file = path.join(temporary, 'service.mjs');
    await writeFile(file, script);
    const tell =
      (name: string) =>
      (value: unknown): void => {
        told.push([name, value]);
      };
    service = new LocalServiceProcess({
      script: file,
      stateFolder: temporary,
      log,
      onDidCrash: tell('crash'),
      onDidIndex: tell('index'),
      onDidProgress: tell('progress'),
      onDidRefresh: tell('refresh'),
      onDidChangePages: tell('change'),
      onDidFail: tell('fail'),
      ...ports,
    });
    return service.start(docs, new AbortController().signal);
  }

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  it('passes on the service’s messages about its pages, and ignores unknown messages', async () => {
    const lines = [
      listening,
      'not JSON',
      '{"event":"weather","sun":true}',
      '{"event":"progress","pages":"many"}',
      '{"event":"progress","pages":10}',
      '{"event":"progress","pages":20,"total":40,"sizeBytes":900,"color":"red"}',
      '{"event":"indexed","pages":40,"sections":90}',
      '{"event":"refreshed","pages":40,"sections":90,"sizeBytes":1800,"fetchedAt":5,"notes":["Cut."]}',
      '{"event":"refreshed","pages":41,"sizeBytes":1800,"fetchedAt":6,"notes":"odd"}',
      '{"event":"changed","pages":42}',
      '{"event":"error","message":"The site answers with HTTP 503."}',
    ];
    await start(`for (const line of ${JSON.stringify(lines)}) console.log(line);\n${idle}`);
    await until(() => told.length === 7);
    assert.deepEqual(
      told.map(([name]) => name),
      ['progress', 'progress', 'index', 'refresh', 'refresh', 'change', 'fail'],
    );
    assert.deepEqual(told[1]?.[1], { event: 'progress', pages: 20, total: 40, sizeBytes: 900 });
    assert.deepEqual(told[3]?.[1], {
      event: 'refreshed',
      pages: 40,
      sizeBytes: 1800,
      fetchedAt: 5,
      notes: ['Cut.'],
    });
    assert.deepEqual((told[4]?.[1] as { notes: unknown } | undefined)?.notes, []);
    assert.ok(log.messages('warn').some((line) => line.includes('Cut.')));
  });

  for (const [docs, args] of [
    [folder, ['--docs', '/docs']],
    [{ kind: 'bundle', folder: '/b', label: 'b' }, ['--bundle', '/b']],
    [
      { kind: 'site', url: 'https://docs.example.com/', folder: '/own/pages', label: 's' },
      ['--site', 'https://docs.example.com/', '--cache', '/own/pages'],
    ],
  ] as const) {
    it(`names a ${docs.kind} by ${args.filter((arg) => arg.startsWith('--')).join(' and ')}, and no key in an argument`, async () => {
      const script = `console.error(JSON.stringify(process.argv)); console.log(${JSON.stringify(listening)});\n${idle}`;
      const { key } = await start(script, docs);
      await until(() => log.text().includes('--port'));
      const line = log.messages().find((each) => each.includes('--port')) ?? '';
      const given = JSON.parse(line.slice(line.indexOf('['))) as string[];
      assert.deepEqual(given.slice(2, 2 + args.length), args);
      assert.ok(!line.includes(key));
    });
  }

  it('passes a message to the service, and drops it if no service runs', async () => {
    const script = `process.on('message', (message) => console.log(JSON.stringify({ event: 'error', message: message.type })));
console.log(${JSON.stringify(listening)});\n${idle}`;
    await start(script);
    service?.send({ type: 'docs-refresh' });
    await until(() => told.length > 0);
    assert.deepEqual(told, [['fail', 'docs-refresh']]);
    service?.stop();
    service?.send({ type: 'docs-refresh' });
  });

  it('reports a crash with the last error, but not a requested end', async () => {
    const crash = `console.log(${JSON.stringify(listening)});
console.log('{"event":"error","message":"The disk is full."}');
setTimeout(() => process.exit(3), 100);`;
    await start(crash);
    await until(() => told.some(([name]) => name === 'crash'));
    assert.deepEqual(told.at(-1), ['crash', 'The disk is full.']);
    told.length = 0;
    await start(`console.log(${JSON.stringify(listening)});\n${idle}`);
    service?.stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.deepEqual(told, []);
  });

  it('kills a service that is blocked when it is asked to end', async () => {
    const blocked = `console.log(JSON.stringify({ event: 'error', message: String(process.pid) }));
console.log(${JSON.stringify(listening)});
process.on('SIGTERM', () => undefined);
setTimeout(() => { for (;;); });`;
    await start(blocked);
    const pid = Number(told[0]?.[1]);
    service?.stop();
    const isAlive = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until(() => !isAlive());
  });

  it('says why it did not start', async () => {
    const script = `console.log('{"event":"error","message":"The folder is gone."}'); process.exit(1);`;
    await assert.rejects(start(script), /The folder is gone\./);
    assert.ok(told.every(([name]) => name !== 'crash'));
  });

  it('says why it did not start in words that arrive after its end', async () => {
    const late = `setTimeout(() => console.log('{"event":"error","message":"The folder is gone."}'), 100)`;
    const script = `import { spawn } from 'node:child_process';
spawn(process.execPath, ['--eval', ${JSON.stringify(late)}], { stdio: ['ignore', 'inherit', 'ignore'] });
process.exit(1);`;
    await assert.rejects(start(script), /The folder is gone\./);
  });
});
