import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { runHere } from './running';

describe('docs-assistant host', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-host-'));
    await writeFile(path.join(folder, 'values.yaml'), 'staticExport:\n  enabled: false\n');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const own = ['host', '--values', 'values.yaml', '--data', 'data', '--port', '0'];

  it('refuses arguments that it can’t use, and says which', async () => {
    const cases: [readonly string[], RegExp][] = [
      [['host', '--data', 'data'], /--values/],
      [['host', '--values', 'values.yaml'], /--data/],
      [[...own, '--port', '80800'], /--port takes a number up to 65535/],
      [[...own, '--port', 'http'], /--port takes a number/],
      [[...own, '--keep', '-1'], /--keep takes a number up to 20/],
      [[...own, '--base-path', '/a/../b'], /--base-path takes a path/],
      [[...own, '--service', 'ftp://127.0.0.1'], /--service takes the URL/],
      [[...own, '--service', 'http://user:pass@127.0.0.1'], /--service takes the URL/],
      [[...own, '--service', 'http://127.0.0.1/?site=a'], /--service takes the URL/],
    ];
    for (const [args, sentence] of cases) {
      const { code, stderr } = await runHere(args, { cwd: folder });
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, sentence);
    }
  });

  it('says that a port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    try {
      await once(taken, 'listening');
      const address = taken.address();
      assert.ok(address !== null && typeof address === 'object');
      const args = [...own, '--port', String(address.port)];
      const { code, stderr } = await runHere(args, { cwd: folder });
      assert.equal(code, 7);
      assert.match(stderr, /Can't listen on 127\.0\.0\.1, port \d+ \(EADDRINUSE\)\./);
    } finally {
      taken.close();
    }
  });

  /** Starts a host, asks it for a path, and returns the status of its answer. */
  async function statusAt(
    asked: string,
    args: readonly string[],
    init: RequestInit = {},
  ): Promise<number | undefined> {
    const stopping = new AbortController();
    let answer: Promise<Response> | undefined;
    await runHere([...own, ...args], {
      cwd: folder,
      signal: stopping.signal,
      onOutput: (text) => {
        const url = /Listening at (http:\S+)\n/.exec(text)?.[1];
        if (url === undefined || answer) return;
        answer = fetch(url + asked, init);
        void answer.catch(() => undefined).finally(() => stopping.abort());
      },
    });
    return (await answer)?.status;
  }

  it('counts nothing with --no-counts', async () => {
    const token = 'pelican-stork-heron-'.repeat(3);
    await writeFile(path.join(folder, 'token'), token);
    const args = ['--team-token-file', 'token'];
    const init = { headers: { authorization: `Bearer ${token}` } };
    const counts = '_docs-assistant/host/counts.json';
    assert.equal(await statusAt(counts, args, init), 200);
    assert.equal(await statusAt(counts, [...args, '--no-counts'], init), 404);
  });

  it('asks the docs service of a URL that ends with a slash', async () => {
    let seen: string | undefined;
    const service = createHttpServer((request, response) => {
      seen = request.url;
      response.end();
    }).listen(0, '127.0.0.1');
    try {
      await once(service, 'listening');
      const { port } = service.address() as AddressInfo;
      await statusAt(
        '_docs-assistant/service/v2/assistant/birds/message',
        ['--service', `http://127.0.0.1:${port}/`],
        { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
      );
      assert.equal(seen, '/v2/assistant/birds/message');
    } finally {
      service.close();
    }
  });

  it('logs lines with their time for people, and ends with code 0 when it is interrupted', async () => {
    const stopping = new AbortController();
    const { code, stdout } = await runHere(own, {
      cwd: folder,
      signal: stopping.signal,
      onOutput: (text) => {
        if (text.includes('nothing is served')) stopping.abort();
      },
    });
    assert.equal(code, 0);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [A-Zs]/);
    assert.match(lines[0] ?? '', /Listening at http:\/\/127\.0\.0\.1:\d+\/$/);
    assert.match(lines.at(-1) ?? '', /Stopped$/);
  });
});
