import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LocalService } from '../../../src/service/server/server';
import { parseRun } from '../../../src/questions/questionRun';
import { aTar } from '../../builders/archive';
import { assertNoTrace } from '../../builders/canary';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import { docsFolder, startService } from '../service/localServiceAsking';
import { type Ran, run, runHere, start } from './running';

const key = 'local_dsc_Canary7Qx2mVb9Kt4';
const adminKey = 'local_AdminCanary7Qx2mVb9Kt4';

const questions = `questions:
  - question: What do pelicans eat?
    id: pelicans
    pages: birds
    contains: fish
  - question: What do maps show?
    id: maps
    pages: [maps.md]
  - question: How do I rotate an API key?
    refuses: true
`;

const birds = '# Birds\n\nPelicans eat **fish**.\n';
const maps = '# Maps\n\nMaps show streets and rivers.\n';
const page = (title: string, text: string): string =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;

describe('docs-assistant test', () => {
  let work: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let proxy: FaultProxy;
  let env: Readonly<Record<string, string>>;
  let site: Readonly<Record<string, string>>;

  before(async () => {
    work = await docsFolder({
      'docs/birds.md': birds,
      'docs/maps.md': maps,
      'docs-questions.yaml': questions,
      'lost.yaml': questions.replace('pages: [maps.md]', 'pages: [maps.md]\n    contains: oceans'),
      'bad.yaml': '- question: one?\n\tpages: a\n',
    });
    await writeFile(
      path.join(work.root, 'before.tar.gz'),
      gzipSync(
        aTar([
          { name: 'site/birds.html', content: page('Birds', 'Pelicans eat fish.') },
          { name: 'site/maps.html', content: page('Maps', 'Maps show streets and oceans.') },
        ]),
      ),
    );
    service = await startService(path.join(work.root, 'docs'), { key });
    proxy = await startFaultProxy({ target: service.url });
    env = { DOCS_ASSISTANT_CACHE: path.join(work.root, 'cache') };
    site = {
      ...env,
      DOCS_ASSISTANT_KEY: key,
      DOCS_ASSISTANT_ADMIN_KEY: adminKey,
      DOCS_ASSISTANT_BASE_URL: proxy.url,
      DOCS_ASSISTANT_SITE: 'sample',
    };
  });
  after(async () => {
    await proxy.stop();
    await service.stop();
    await work.remove();
  });
  afterEach(() => proxy.clearFaults());

  const test = (args: readonly string[], extra: Readonly<Record<string, string>> = env) =>
    runHere(['test', ...args], { env: extra, cwd: work.root });
  const read = (name: string): Promise<string> => readFile(path.join(work.root, name), 'utf8');

  it('asks the questions of docs-questions.yaml, and prints and saves the results', async () => {
    const args = ['--docs', 'docs', '--junit', 'results.xml', '--json', 'results.json'];
    const { code, stdout, stderr } = await run(['test', ...args, '--github'], {
      env,
      cwd: work.root,
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    assert.match(stdout, /^pass {2}What do pelicans eat\?/);
    assert.match(stdout, /3 passed, 0 failed, 0 had an error, 0 not asked/);
    assert.match(await read('results.xml'), /<testsuites name="docs" tests="3" failures="0"/);
    const saved = parseRun(JSON.parse(await read('results.json')));
    assert.deepEqual(
      saved?.results.map(({ id, status, line }) => [id, status, line]),
      [
        ['pelicans', 'pass', 2],
        ['maps', 'pass', 6],
        ['How do I rotate an API key?', 'pass', 9],
      ],
    );
    assert.equal(saved.results[0]?.sources[0]?.url, 'docs/birds.md#birds');
    assert.deepEqual(
      (await readdir(work.root)).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('fails for a question that fails, with the reply, and an annotation at its line', async () => {
    const { code, stdout } = await test(['lost.yaml', '--docs', 'docs', '--replies', '--github']);
    assert.equal(code, 12);
    assert.match(stdout, /FAIL {2}What do maps show\? {2}lost\.yaml:6\n/);
    assert.match(stdout, /- The reply doesn’t say “oceans”\.\n/);
    assert.match(stdout, /\| Maps show streets and rivers/);
    assert.match(
      stdout,
      /\n::error file=lost\.yaml,line=6,endLine=9,title=What do maps show\?::The/,
    );
  });

  it('names files in annotations from the top of the checkout, where GitHub looks for them', async () => {
    for (const [top, file] of [
      [path.dirname(work.root), `${path.basename(work.root)}/lost.yaml`],
      // A file outside of the checkout has no path there.
      [path.join(work.root, 'docs'), 'lost.yaml'],
    ] as const) {
      const args = ['lost.yaml', '--docs', 'docs', '--github'];
      const { stdout } = await test(args, { ...env, GITHUB_WORKSPACE: top });
      assert.equal(/^::error file=([^,]*),/m.exec(stdout)?.[1], file);
    }
  });

  it('reports what was lost since another bundle and since an earlier run, and leaves nothing behind', async () => {
    const bundles = await test([
      ...['lost.yaml', '--docs', 'docs', '--docs-before', 'before.tar.gz', '--fail-on', 'lost'],
      ...['--json', '-'],
    ]);
    assert.equal(bundles.code, 12);
    const { comparison } = JSON.parse(bundles.stdout) as { comparison: Record<string, unknown> };
    assert.deepEqual(comparison, {
      lost: [{ file: 'lost.yaml', id: 'maps' }],
      gained: [],
      unclear: [],
      added: [],
      removed: [],
    });
    assert.deepEqual(await readdir(path.join(work.root, 'cache', 'bundles')), []);
    await test(['lost.yaml', '--docs', 'docs', '--json', 'failed.json']);
    const same = await test([
      ...['lost.yaml', '--docs', 'docs', '--before', 'failed.json', '--fail-on', 'lost'],
    ]);
    assert.equal(same.code, 0);
    assert.match(same.stdout, /Lost: 0\nGained: 0\n/);
    const gained = await test(['lost.yaml', '--docs', 'before.tar.gz', '--before', 'failed.json']);
    assert.equal(gained.code, 0);
    assert.match(gained.stdout, /Lost: 0\nGained: 1\n {2}- What do maps show\?\n/);
  });

  it('asks the questions of a file once that is named twice', async () => {
    const { stdout } = await test(['lost.yaml', './lost.yaml', '--docs', 'docs']);
    assert.match(stdout, /2 passed, 1 failed/);
  });

  it('compares a site with docs on this machine', async () => {
    const args = ['--site', 'sample', '--base-url', proxy.url, '--docs-before', 'docs'];
    const { code, stdout, stderr } = await test(args, { ...env, DOCS_ASSISTANT_KEY: key });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /\nLost: 0\nGained: 0\n/);
  });

  it('prints the results of the docs before nowhere but in the comparison', async () => {
    const args = ['lost.yaml', '--docs', 'docs', '--docs-before', 'before.tar.gz'];
    const { stdout } = await test(args);
    assert.equal(stdout.match(/What do pelicans eat\?/g)?.length, 1, stdout);
  });

  it('keeps stdout to the results with --json -, also with annotations', async () => {
    const args = ['lost.yaml', '--docs', 'docs', '--json', '-', '--github'];
    const { stdout, stderr } = await test(args);
    assert.equal(parseRun(JSON.parse(stdout))?.results.length, 3);
    assert.match(stderr, /^::error file=lost\.yaml/m);
  });

  it('saves the results although the docs before can’t be asked', async () => {
    const { code, stdout, stderr } = await test([
      ...['lost.yaml', '--docs', 'docs', '--docs-before', 'bad.yaml', '--json', 'kept.json'],
    ]);
    assert.equal(code, 5, stderr);
    assert.match(stderr, /bad\.yaml/);
    assert.match(stdout, /2 passed, 1 failed/);
    assert.equal(parseRun(JSON.parse(await read('kept.json')))?.results.length, 3);
  });

  it('asks nothing while a file has an error, and says where', async () => {
    const asked = proxy.exchanges.length;
    const { code, stderr } = await test(['bad.yaml', 'docs-questions.yaml'], site);
    assert.equal(code, 2);
    assert.match(stderr, /^bad\.yaml:2:\d+: error: This line is indented with a tab/);
    assert.match(stderr, /The questions have errors\. Correct them, then try again\.\n$/);
    assert.equal(proxy.exchanges.length, asked);
  });

  for (const [named, exit, message] of [
    ['none.tar.gz', 5, 'none.tar.gz doesn’t exist.'],
    ['https://', 2, ''],
  ] as const) {
    it(`finds that the docs before can’t be ${named} before it asks`, async () => {
      const asked = proxy.exchanges.length;
      const { code, stdout, stderr } = await test(['--docs-before', named], site);
      assert.deepEqual([code, stdout], [exit, ''], stderr);
      assert.ok(stderr.includes(message), stderr);
      assert.equal(proxy.exchanges.length, asked);
    });
  }

  // Shows faults.md L23.
  it('finds a folder that can’t be written before it asks', async () => {
    const asked = proxy.exchanges.length;
    const { code } = await test(['--json', 'no/results.json'], site);
    assert.equal(code, 13);
    assert.equal(proxy.exchanges.length, asked);
  });

  for (const [name, args, code, message] of [
    ['a file that doesn’t exist', ['none.yaml', '--docs', 'docs'], 5, /none\.yaml doesn’t exist/],
    ['a folder', ['docs', '--docs', 'docs'], 5, /docs is not a file/],
    ['earlier results that are none', ['--docs', 'docs', '--before', 'bad.yaml'], 2, /no results/],
    ['two runs before', ['--before', 'a', '--docs-before', 'b'], 2, /Choose one: --before or/],
    ['lost without a run before', ['--fail-on', 'lost'], 2, /needs --before or --docs-before/],
    [
      'a folder that isn’t there',
      ['--docs', 'docs', '--junit', 'no/x.xml'],
      13,
      /no” can’t be written/,
    ],
    [
      'two results in one file',
      ['--docs', 'docs', '--junit', 'twice', '--json', './twice'],
      2,
      /Two options name the file \.\/twice\. Choose another name/,
    ],
    ['no key', ['--site', 'sample', '--base-url', 'http://127.0.0.1:9'], 4, /DOCS_ASSISTANT_KEY/],
  ] as const) {
    it(`explains ${name}`, async () => {
      const ran = await test(args);
      assert.equal(ran.code, code, ran.stderr);
      assert.match(ran.stderr, message);
    });
  }

  it('waits as long as a site asks, and asks on', async () => {
    proxy.queue({ respond: { status: 429, headers: { 'retry-after': '1' }, body: '{}' } });
    const { code, stderr } = await testWithCanaries(['--parallel', '1']);
    assert.equal(code, 0);
    assert.match(stderr, /Too many requests\. Waiting 1 s before the next question\./);
  });

  it('ends soon at a site that asks to wait an hour, and says which questions were not asked', async () => {
    proxy.queue({
      times: 10,
      respond: { status: 429, headers: { 'retry-after': '3600' }, body: '{}' },
    });
    const { code, stdout } = await testWithCanaries(['--parallel', '1', '--json', '-']);
    assert.equal(code, 6);
    const { results } = parseRun(JSON.parse(stdout)) ?? { results: [] };
    assert.deepEqual(
      results.map(({ status, errorCode }) => [status, errorCode]),
      [
        ['error', 'rate-limited'],
        ['skipped', 'rate-limited'],
        ['skipped', 'rate-limited'],
      ],
    );
  });

  it('asks a single question with a key that is rejected', async () => {
    proxy.queue({ times: 10, respond: { status: 401, body: '{"error":"No"}' } });
    const asked = proxy.exchanges.length;
    const { code, stdout } = await testWithCanaries(['--parallel', '1']);
    assert.equal(code, 4);
    assert.equal(proxy.exchanges.length, asked + 1);
    assert.match(stdout, /0 passed, 0 failed, 1 had an error, 2 not asked/);
  });

  it('asks nothing if the questions can cost more credits than --max-credits allows', async () => {
    const hosted = ['--site', 'acme', '--base-url', 'https://docs.invalid'];
    const { code, stdout, stderr } = await test([...hosted, '--max-credits', '2'], {
      ...env,
      DOCS_ASSISTANT_KEY: key,
    });
    assert.match(stderr, /The questions can cost 3 credits, but --max-credits allows 2\./);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });

  it('saves what it has when it is interrupted', async () => {
    proxy.queue({ times: 10, cues: [{ at: 'headers', do: 'hold', gate: 'held' }] });
    const { child, done } = start(['test', '--json', 'interrupted.json'], {
      env: site,
      cwd: work.root,
    });
    await proxy.whenHeld('held');
    child.kill('SIGINT');
    const { code, stdout } = await done;
    proxy.openGate('held');
    assert.equal(code, 130);
    assert.match(stdout, /0 passed, 0 failed, 0 had an error, 3 not asked/);
    const saved = parseRun(JSON.parse(await read('interrupted.json')));
    assert.deepEqual(saved?.results[2]?.reasons, ['Not asked. The run was interrupted.']);
  });

  /** Runs the questions at the site, and fails if a key gets out. */
  async function testWithCanaries(args: readonly string[]): Promise<Ran> {
    const ran = await test([...args, '--verbose', '--junit', 'canary.xml'], site);
    for (const secret of [key, adminKey]) {
      assertNoTrace(secret, ran);
      assertNoTrace(secret, await read('canary.xml'));
    }
    return ran;
  }
});
