import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Interrupted } from '../../../src/cli/context';
import { aTar } from '../../builders/archive';
import { assertNoTrace } from '../../builders/canary';
import { ask as askService, docsFolder, until } from '../service/localServiceAsking';
import { installedAt, Workspace } from '../docs/sources/installed/layouts';
import { run, runHere, start } from './running';

describe('docs-assistant serve', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  before(async () => {
    docs = await docsFolder({ 'birds.md': '# Birds\n\nPelicans eat fish. [Gone](gone.md)\n' });
  });
  after(() => docs.remove());

  it('says where it serves and with which keys, answers, and ends on Ctrl+C', async () => {
    const { child, done, stdout } = start(['serve', '--docs', docs.root, '--quiet', '--pace', '0']);
    await until(() => stdout().includes('1 page, 1 section, '));
    const url = /at (http:\S+)/.exec(stdout())?.[1] ?? '';
    const key = /Assistant key: +(local_dsc_\S+)/.exec(stdout())?.[1] ?? '';
    const { text } = await askService({ url }, 'pelicans', {}, key);
    assert.match(text, /Pelicans eat fish/);
    child.kill('SIGINT');
    const { code, stderr } = await done;
    assert.deepEqual({ code, stderr }, { code: 130, stderr: '' });
  });

  it('serves the packages that are installed for a folder', async () => {
    const workspace = await Workspace.create({
      'package.json': { name: 'app', dependencies: { parcels: '*' } },
      ...installedAt('', 'parcels', '2.1.0', {
        'README.md': '# Parcels\n\nPelicans carry them.\n',
      }),
    });
    try {
      const { child, done, stdout } = start(['serve', '--installed', '--quiet', '--pace', '0'], {
        cwd: workspace.root,
      });
      await until(() => stdout().includes('1 page, 1 section, '));
      assert.match(stdout(), /Serving Packages of .* at http/);
      assert.match(stdout(), /Installed packages: 1/);
      const url = /at (http:\S+)/.exec(stdout())?.[1] ?? '';
      const key = /Assistant key: +(local_dsc_\S+)/.exec(stdout())?.[1] ?? '';
      const { text } = await askService({ url }, 'What carries parcels?', {}, key);
      assert.match(text, /Pelicans carry them/);
      child.kill('SIGINT');
      assert.equal((await done).stderr, '');
    } finally {
      await workspace.remove();
    }
  });

  it('serves the packages of --installed although a variable names other docs', async () => {
    const workspace = await Workspace.create({
      'package.json': { name: 'app', dependencies: { parcels: '*' } },
      ...installedAt('', 'parcels', '2.1.0', { 'README.md': '# Parcels\n' }),
    });
    try {
      const stopping = new AbortController();
      const { stdout, stderr } = await runHere(['serve', '--installed', '--quiet'], {
        cwd: workspace.root,
        env: { DOCS_ASSISTANT_DOCS: docs.root },
        signal: stopping.signal,
        onOutput: () => stopping.abort(new Interrupted(130)),
      });
      assert.equal(stderr, '');
      assert.match(stdout, /^Serving Packages of /);
    } finally {
      await workspace.remove();
    }
  });

  it('deletes the folder that it has unpacked a bundle into', async () => {
    const page = '<main><h1>Birds</h1><p>Pelicans eat fish.</p></main>';
    const site = gzipSync(aTar([{ name: 'index.html', content: page }]));
    const folder = await docsFolder({ 'site.tar.gz': site });
    try {
      const stopping = new AbortController();
      const { code } = await runHere(['serve', '--docs', 'site.tar.gz', '--quiet'], {
        cwd: folder.root,
        env: { DOCS_ASSISTANT_CACHE: path.join(folder.root, 'cache') },
        signal: stopping.signal,
        onOutput: () => stopping.abort(new Interrupted(130)),
      });
      assert.equal(code, 130);
      assert.deepEqual(await readdir(path.join(folder.root, 'cache', 'bundles')), []);
    } finally {
      await folder.remove();
    }
  });

  it('prints events with --json, without the keys that it was given', async () => {
    const key = 'local_dsc_Canary7Qx2mVb9Kt4';
    const { child, done, stdout } = start(['serve', '--docs', docs.root, '--json'], {
      env: { DOCS_ASSISTANT_KEY: key },
    });
    await until(() => stdout().includes('"indexed"'));
    child.kill('SIGTERM');
    const ran = await done;
    const events = ran.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    assert.deepEqual(
      // Where reading takes its time, there is progress.
      events.map(({ event }) => event).filter((event) => event !== 'progress'),
      ['listening', 'indexed'],
    );
    assert.deepEqual(Object.keys(events[0] ?? {}).toSorted(), [
      'adminKey',
      'domain',
      'event',
      'url',
    ]);
    assertNoTrace(key, ran);
    assert.equal(ran.code, 143);
  });

  it('makes new keys for variables that are empty, as of missing secrets in CI', async () => {
    const stopping = new AbortController();
    const { stdout, stderr } = await runHere(['serve', '--docs', docs.root, '--json', '--quiet'], {
      env: { DOCS_ASSISTANT_KEY: '', DOCS_ASSISTANT_ADMIN_KEY: ' ' },
      signal: stopping.signal,
      onOutput: () => stopping.abort(new Interrupted(130)),
    });
    assert.equal(stderr, '');
    const { key, adminKey } = JSON.parse(stdout) as Record<string, unknown>;
    assert.match(String(key), /^local_dsc_\w{8}/);
    assert.match(String(adminKey), /^local_\w{8}/);
  });

  it('doesn’t count the pages as all that there are if it ends while it reads them', async () => {
    const stopping = new AbortController();
    const { code, stdout } = await runHere(['serve', '--docs', docs.root, '--json', '--quiet'], {
      signal: stopping.signal,
      onOutput: () => stopping.abort(new Interrupted(130)),
    });
    const events = stdout.trim().split('\n');
    assert.match(events[0] ?? '', /"listening"/);
    assert.deepEqual({ code, more: events.slice(1) }, { code: 130, more: [] });
  });

  it('checks the links of the docs', async () => {
    const { code, stdout } = await run(['serve', '--docs', docs.root, '--check']);
    assert.match(stdout, /birds\.md.*gone\.md/);
    assert.equal(code, 1);
  });

  it('prints the checked links as one event with --json', async () => {
    const { code, stdout } = await run(['serve', '--docs', docs.root, '--check', '--json']);
    const { event, pages, broken, findings } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual([event, pages, broken], ['checked', 1, 1]);
    assert.deepEqual(findings, [
      { kind: 'broken', reason: 'no-page', file: 'birds.md', link: 'gone.md', line: 3 },
    ]);
    assert.equal(code, 1);
  });

  it('ends --check of docs that it can’t check with another code than for broken links', async () => {
    const { code, stdout, stderr } = await runHere(
      ['serve', '--docs', 'https://docs.test', '--check'],
      { env: { DOCS_ASSISTANT_CACHE: `${docs.root}/.cache` } },
    );
    assert.equal(stderr, 'Choose a folder of Markdown or MDX to check: --docs <folder>.\n');
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });

  it('refuses what can’t be served', async () => {
    for (const [args, exitCode, sentence] of [
      [[], 3, /--docs/],
      [['--docs', `${docs.root}/gone`], 5, /doesn’t exist/],
      [['--docs', docs.root, '--port', 'x'], 2, /--port must be/],
      [['--docs', docs.root, '--host', '0.0.0.0'], 2, /host must be/],
      [['--docs', docs.root, '--key', 'local_dsc_0123456789'], 2, /looks like a key/],
      [['--docs', docs.root, '--what'], 2, /Unknown option --what/],
    ] as const) {
      const { code, stdout, stderr } = await run(['serve', ...args]);
      assert.match(stderr, sentence);
      assert.deepEqual({ code, stdout }, { code: exitCode, stdout: '' });
    }
  });
});
