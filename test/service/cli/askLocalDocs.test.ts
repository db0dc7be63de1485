import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/archive';
import { assertNoTrace } from '../../builders/canary';
import { says, startModelEndpoint } from '../../fakes/modelEndpoint';
import { DocsSite } from '../localService/docsSite';
import { docsFolder, until } from '../localService/localServiceAsking';
import {
  childrenOf,
  hasTerminal,
  isAlive,
  run,
  runHere,
  runOnTerminal,
  seen,
  skipLoudly,
  start,
} from './running';

const page = '# Birds\n\nPelicans eat **fish**.\n';
const html = '<main><h1>Birds</h1><p>Storks eat frogs.</p></main>';
const fullText =
  '# Birds\nSource: /birds\n\nGulls eat crabs.\n\n# Maps\nSource: /maps\n\nMaps show streets.\n';

describe('docs-assistant ask, docs on this machine', () => {
  let work: Awaited<ReturnType<typeof docsFolder>>;
  let env: Readonly<Record<string, string>>;

  before(async () => {
    work = await docsFolder({
      'docs/birds.md': page,
      'site/birds.html': html,
      'site/birds.md': '# Birds\n\nStorks eat frogs.\n',
      'notes.txt': 'No archive.',
      'empty/.keep': '',
    });
    await writeFile(
      path.join(work.root, 'site.tar.gz'),
      gzipSync(aTar([{ name: 'site/birds.html', content: html }])),
    );
    env = { DOCS_ASSISTANT_CACHE: path.join(work.root, 'cache') };
  });
  after(() => work.remove());

  const ask = (question: string, ...args: string[]): ReturnType<typeof runHere> =>
    runHere(['ask', question, ...args], { env, cwd: work.root });

  it('answers from a folder, as plain Markdown with the file as source', async () => {
    const args = ['ask', 'what do pelicans eat', '--docs', 'docs'];
    const { code, stdout, stderr } = await run(args, { env, cwd: work.root });
    assert.match(stdout, /Pelicans eat \*\*fish\*\*\. \[1\]\(docs\/birds\.md#birds\)/);
    assert.match(stdout, /\n## Sources\n\n1\. \[Birds\]\(<docs\/birds\.md#birds>\)\n$/);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('answers from a bundle, as a folder and as an archive, and leaves nothing unpacked', async () => {
    const folder = await ask('what do storks eat', '--docs', 'site');
    assert.match(folder.stdout, /Storks eat frogs/);
    assert.match(folder.stdout, /site\/birds\.(?:md|html)/);
    const archive = await ask('what do storks eat', '--docs', 'site.tar.gz');
    assert.match(archive.stdout, /Storks eat frogs/);
    assert.match(archive.stdout, /site\.tar\.gz\/birds/);
    assert.deepEqual([folder.code, archive.code], [0, 0]);
    assert.deepEqual(await readdir(path.join(work.root, 'cache', 'bundles')), []);
  });

  it('answers from a public site, and from its kept pages without a request', async () => {
    const site = await DocsSite.start({ '/llms-full.txt': fullText });
    try {
      const first = await ask('what do gulls eat', '--docs', site.url);
      assert.match(first.stdout, /Gulls eat crabs/);
      assert.equal(first.code, 0);
      const requests = site.requests.length;
      const second = await ask('what do gulls eat', '--docs', site.url);
      assert.equal(second.stdout, first.stdout);
      assert.equal(site.requests.length, requests);
    } finally {
      await site.stop();
    }
  });

  it('fetches a site again whose pages are old, and says so if it can’t', async () => {
    const site = await DocsSite.start({ '/llms-full.txt': fullText });
    const cache = path.join(work.root, 'cache', 'sites');
    const grow = async (): Promise<void> => {
      for (const name of await readdir(cache)) {
        const file = path.join(cache, name, 'site.json');
        const set = JSON.parse(await readFile(file, 'utf8')) as object;
        const fetchedAt = Date.parse('2020-02-03T12:00:00Z');
        await writeFile(file, JSON.stringify({ ...set, fetchedAt }));
      }
    };
    try {
      await ask('what do gulls eat', '--docs', site.url);
      await grow();
      site.answers = { '/llms-full.txt': fullText.replace('crabs', 'clams') };
      const fresh = await ask('what do gulls eat', '--docs', site.url);
      assert.match(fresh.stdout, /Gulls eat clams/);
      assert.deepEqual([fresh.code, fresh.stderr], [0, '']);
      await grow();
      site.answers = {};
      const old = await ask('what do gulls eat', '--docs', site.url);
      assert.match(old.stdout, /Gulls eat clams/);
      assert.match(old.stderr, /couldn’t be fetched again: .*\n.*pages fetched on 2020-02-03\.\n$/);
      assert.equal(old.code, 0);
    } finally {
      await site.stop();
    }
  });

  it('lays the reply out on a terminal, and shows its progress on the same line', async function () {
    if (!hasTerminal) skipLoudly(this);
    const { code, stdout } = await runOnTerminal(
      ['ask', 'what do pelicans eat', '--docs', 'docs'],
      {
        ...{ env, cwd: work.root },
      },
    );
    assert.ok(stdout.includes('\r\u001b[KSearching the docs…'));
    assert.ok(stdout.includes('\u001b[1mfish\u001b[22m'));
    assert.match(
      seen(stdout),
      /^Pelicans eat fish\. \[1\]\n[^]*\nSources\n\[1\] Birds\n {4}docs\/birds\.md#birds\n/,
    );
    assert.equal(code, 0);
  });

  it('answers on a terminal whose size nobody has set', async function () {
    if (!hasTerminal) skipLoudly(this);
    const { code, stdout } = await runOnTerminal(
      ['ask', 'what do pelicans eat', '--docs', 'docs'],
      {
        ...{ env, cwd: work.root, columns: 0 },
      },
    );
    assert.match(seen(stdout), /^Pelicans eat fish\. \[1\]\n/);
    assert.equal(code, 0);
  });

  it('reads a question from stdin', async () => {
    const { stdout } = await run(['ask', '-', '--docs', 'docs'], {
      ...{ env, cwd: work.root, input: 'what do\npelicans eat?\n' },
    });
    assert.match(stdout, /Pelicans eat/);
  });

  it('takes the docs from the environment', async () => {
    const { stdout } = await runHere(['ask', 'pelicans'], {
      ...{ env: { ...env, DOCS_ASSISTANT_DOCS: 'docs' }, cwd: work.root },
    });
    assert.match(stdout, /Pelicans eat/);
  });

  it('lets a model write the reply, with its key only where it belongs', async () => {
    const modelKey = 'sk-Canary8Wn3Lp5Rz6Hd7Fg1';
    const endpoint = await startModelEndpoint();
    endpoint.reply = says('Pelicans eat fish [1]. ', 'They weigh 90 kg [1].');
    try {
      const args = ['--model-endpoint', endpoint.baseUrl, '--model', 'tiny', '--verbose'];
      const ran = await run(['ask', 'what do pelicans eat', '--docs', 'docs', ...args], {
        ...{ env: { ...env, DOCS_ASSISTANT_MODEL_KEY: modelKey }, cwd: work.root },
      });
      assert.match(ran.stdout, /^Pelicans eat fish \[1\]\(docs\/birds\.md#birds\)/);
      assert.match(ran.stdout, /don’t say this[^]*- “They weigh 90 kg/);
      assert.equal(ran.code, 0);
      const [request] = endpoint.replyRequests;
      assert.equal(request?.headers.authorization, `Bearer ${modelKey}`);
      assertNoTrace(modelKey, [ran, request.body]);
    } finally {
      await endpoint.stop();
    }
  });

  it('says in its exit code that the docs don’t answer', async () => {
    const { code, stdout } = await ask('who was the horse of Napoleon', '--docs', 'docs');
    assert.match(stdout, /found nothing about that/);
    assert.equal(code, 9);
    const json = await ask('who was the horse of Napoleon', '--docs', 'docs', '--json');
    assert.equal((JSON.parse(json.stdout) as { status: string }).status, 'no-answer');
    assert.equal(json.code, 9);
  });

  it('prints one object with --json', async () => {
    const { code, stdout, stderr } = await ask('what do pelicans eat', '--docs', 'docs', '--json');
    const { answer, ...rest } = JSON.parse(stdout) as Readonly<Record<string, unknown>>;
    assert.match(String(answer), /Pelicans eat/);
    assert.deepEqual(rest, {
      ...{ version: 1, status: 'complete', question: 'what do pelicans eat' },
      sources: [{ number: 1, title: 'Birds', url: 'docs/birds.md#birds' }],
      target: { label: 'docs', local: true },
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('says what is wrong with docs that can’t be read', async () => {
    const site = await DocsSite.start({});
    try {
      for (const [docs, exitCode, sentence] of [
        ['gone', 5, /^gone doesn’t exist\.\n$/],
        ['notes.txt', 5, /notes\.txt/],
        [site.url, 7, /can’t be read: .*publishes no llms-full\.txt/],
        ['https://user:pass@docs.test', 2, /user name or password/],
      ] as const) {
        const { code, stdout, stderr } = await ask('birds', '--docs', docs);
        assert.match(stderr, sentence);
        assert.deepEqual({ code, stdout }, { code: exitCode, stdout: '' }, docs);
      }
    } finally {
      await site.stop();
    }
  });

  it('names the cache folder that can’t be written, and how to choose another', async () => {
    const cache = path.join(work.root, 'notes.txt', 'cache');
    const { code, stderr } = await runHere(['ask', 'birds', '--docs', 'https://docs.test'], {
      ...{ env: { DOCS_ASSISTANT_CACHE: cache }, cwd: work.root },
    });
    assert.equal(
      stderr,
      `The cache folder ${cache} can’t be written. Set DOCS_ASSISTANT_CACHE to another folder.\n`,
    );
    assert.equal(code, 1);
  });

  it('ends quietly if its reader does', async () => {
    const { child, done } = start(['ask', 'what do pelicans eat', '--docs', 'docs'], {
      ...{ env, cwd: work.root },
    });
    child.stdout?.destroy();
    const { code, stderr } = await done;
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('ends at once with its service on Ctrl+C, also while it fetches a site', async function () {
    if (process.platform !== 'linux') this.skip();
    let asked = 0;
    const site = await DocsSite.start({});
    // Never answers.
    site.fallback = () => (asked += 1);
    try {
      const { child, done } = start(['ask', 'birds', '--docs', `${site.url}/slow`], {
        ...{ env, cwd: work.root },
      });
      await until(() => asked > 0);
      const [service] = childrenOf(child.pid ?? 0);
      assert.ok(service !== undefined && isAlive(service));
      child.kill('SIGINT');
      assert.deepEqual(await done, { code: 130, stdout: '', stderr: '' });
      await until(() => !isAlive(service));
    } finally {
      await site.stop();
    }
  });

  it('leaves no service behind if it is killed', async function () {
    if (process.platform !== 'linux') this.skip();
    let asked = 0;
    const site = await DocsSite.start({});
    site.fallback = () => (asked += 1);
    try {
      const { child, done } = start(['ask', 'birds', '--docs', `${site.url}/killed`], {
        ...{ env, cwd: work.root },
      });
      await until(() => asked > 0);
      const [service] = childrenOf(child.pid ?? 0);
      assert.ok(service !== undefined);
      child.kill('SIGKILL');
      await done;
      await until(() => !isAlive(service));
    } finally {
      await site.stop();
    }
  });
});
