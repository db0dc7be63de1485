import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/archive';
import { Interrupted } from '../../../src/cli/context';
import { parseRun } from '../../../src/questions/questionRun';
import { assertNoTrace } from '../../builders/canary';
import {
  finish,
  type ModelEndpoint,
  says,
  saysThen,
  startModelEndpoint,
} from '../../fakes/modelEndpoint';
import { DocsSite } from '../service/docsSite';
import { docsFolder, until } from '../service/localServiceAsking';
import {
  childrenOf,
  hasTerminal,
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

  // Shows faults.md L13.
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
        env,
        cwd: work.root,
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
        env,
        cwd: work.root,
        columns: 0,
      },
    );
    assert.match(seen(stdout), /^Pelicans eat fish\. \[1\]\n/);
    assert.equal(code, 0);
  });

  it('reads a question from stdin', async () => {
    const { stdout } = await run(['ask', '-', '--docs', 'docs'], {
      env,
      cwd: work.root,
      input: 'what do\npelicans eat?\n',
    });
    assert.match(stdout, /Pelicans eat/);
  });

  it('takes the docs from the environment', async () => {
    const { stdout } = await runHere(['ask', 'pelicans'], {
      env: { ...env, DOCS_ASSISTANT_DOCS: 'docs' },
      cwd: work.root,
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
        env: { ...env, DOCS_ASSISTANT_MODEL_KEY: modelKey },
        cwd: work.root,
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

  it('keeps the links of a model to files of its sections, and no others', async () => {
    const endpoint = await startModelEndpoint();
    endpoint.reply = says('Pelicans eat fish [1]. See [birds](docs/birds.md) and [x](docs/x.md).');
    try {
      const args = ['--model-endpoint', endpoint.baseUrl, '--model', 'tiny'];
      const { stdout } = await ask('what do pelicans eat', '--docs', 'docs', ...args);
      assert.match(stdout, /See \[birds\]\(<?docs\/birds\.md>?\) and x\./);
    } finally {
      await endpoint.stop();
    }
  });

  describe('with a model server on this machine', () => {
    let endpoint: ModelEndpoint;
    const question = ['ask', 'what do pelicans eat', '--docs', 'docs'];
    const askHere = (...args: readonly string[]) =>
      runHere([...question, ...args], {
        env: { ...env, DOCS_ASSISTANT_MODEL_PORTS: new URL(endpoint.baseUrl).port },
        cwd: work.root,
      });
    const lists = (...ids: readonly string[]): void => {
      endpoint.models = (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const data = ids.map((id) => ({ id, object: 'model' }));
        response.end(JSON.stringify({ object: 'list', data }));
      };
    };

    beforeEach(async () => (endpoint = await startModelEndpoint()));
    afterEach(() => endpoint.stop());

    it('quotes the docs, and names the model with the options that use it in one line on stderr', async () => {
      lists('nomic-embed-text', 'llama3.2:latest');
      const options = `--model-endpoint ${endpoint.baseUrl} --model llama3.2:latest`;
      const { code, stdout, stderr } = await askHere('--json');
      assert.equal(stderr, `llama3.2:latest on this machine can write the reply: ${options}\n`);
      assert.match((JSON.parse(stdout) as { answer: string }).answer, /Pelicans eat \*\*fish\*\*/);
      assert.equal(code, 0);
      assert.deepEqual(
        endpoint.requests.map(({ path }) => path),
        ['/v1/models'],
      );

      endpoint.reply = says('Pelicans eat fish [1].');
      const written = await askHere(...options.split(' '));
      assert.match(written.stdout, /^Pelicans eat fish \[1\]/);
      assert.equal(written.stderr, '');
    });

    it('names no model whose name a shell would take for something else', async () => {
      lists('--model', 'a; rm b', '$(c)', 'd`e`');
      assert.equal((await askHere()).stderr, '');
    });
  });

  it('finds quotes by meaning, with vectors that stay for the next command', async () => {
    const endpoint = await startModelEndpoint();
    const seen: string[] = [];
    endpoint.embeddings = (response, { body }) => {
      seen.push(...(body.input ?? []));
      const data = (body.input ?? []).map((_text, index) => ({ embedding: [1, 2], index }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data }));
    };
    try {
      const args = ['--model-endpoint', endpoint.baseUrl, '--embedding-model', 'e'];
      for (const texts of [
        ['Birds\n\nPelicans eat fish.', 'what do pelicans eat'],
        ['what do pelicans eat'],
      ]) {
        const { code, stdout } = await ask('what do pelicans eat', '--docs', 'docs', ...args);
        assert.match(stdout, /Pelicans eat \*\*fish\*\*\. \[1\]/);
        assert.equal(code, 0);
        assert.deepEqual(seen.splice(0), texts);
      }
    } finally {
      await endpoint.stop();
    }
  });

  it('says everywhere that a reply which the model broke off is incomplete', async () => {
    const endpoint = await startModelEndpoint();
    endpoint.reply = saysThen(['Pelicans eat fish [1]. ', 'Then they '], finish('length'));
    try {
      const model = ['--model-endpoint', endpoint.baseUrl, '--model', 'tiny'];
      const printed = await ask('what do pelicans eat', '--docs', 'docs', ...model);
      assert.match(printed.stdout, /^Pelicans eat fish \[1\][^]*The reply is cut off here/);
      assert.match(printed.stderr, /This reply is incomplete: its end is missing\./);
      assert.equal(printed.code, 8);
      const json = await ask('what do pelicans eat', '--docs', 'docs', '--json', ...model);
      assert.equal((JSON.parse(json.stdout) as { status: string }).status, 'incomplete');
      assert.equal(json.code, 8);
      await work.write('questions.yaml', 'questions:\n  - question: What do pelicans eat?\n');
      const tested = await runHere(
        ['test', 'questions.yaml', '--docs', 'docs', '--json', '-', ...model],
        { env, cwd: work.root },
      );
      assert.equal(parseRun(JSON.parse(tested.stdout))?.results[0]?.errorCode, 'incomplete');
      assert.equal(tested.code, 8);
    } finally {
      await endpoint.stop();
    }
  });

  // Shows faults.md L11.
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
      version: 1,
      status: 'complete',
      question: 'what do pelicans eat',
      sources: [{ number: 1, title: 'Birds', url: 'docs/birds.md#birds' }],
      target: { label: 'docs', local: true },
    });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  // Shows faults.md L8.
  it('says what is wrong with docs that can’t be read', async () => {
    await work.write('one/Page.MD', '# Birds\n');
    const site = await DocsSite.start({});
    try {
      for (const [docs, exitCode, sentence] of [
        ['gone', 5, /^gone doesn’t exist\.\n$/],
        ['notes.txt', 5, /notes\.txt/],
        ['one/Page.MD', 5, /^one\/Page\.MD is a single page\. Name its folder\.\n$/],
        [
          'empty',
          5,
          /^empty can’t be read: empty has no readable pages\. Choose a folder of Markdown, MDX or HTML, such as the site that is built from your docs\.\n$/,
        ],
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
      env: { DOCS_ASSISTANT_CACHE: cache },
      cwd: work.root,
    });
    assert.equal(
      stderr,
      `The cache folder ${cache} can’t be written. Set DOCS_ASSISTANT_CACHE to another folder.\n`,
    );
    assert.equal(code, 13);
  });

  it('ends quietly if its reader does', async () => {
    const { child, done } = start(['ask', 'what do pelicans eat', '--docs', 'docs'], {
      env,
      cwd: work.root,
    });
    child.stdout?.destroy();
    const { code, stderr } = await done;
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  // Shows faults.md L7.
  it('ends at once on Ctrl+C, also while it fetches a site', async () => {
    const stopping = new AbortController();
    const site = await DocsSite.start({});
    // Never answers.
    site.fallback = () => stopping.abort(new Interrupted(130));
    try {
      // A process would end after some seconds even if the command didn't.
      const ran = await runHere(['ask', 'birds', '--docs', `${site.url}/slow`], {
        env,
        cwd: work.root,
        signal: stopping.signal,
      });
      assert.deepEqual(ran, { code: 130, stdout: '', stderr: '' });
    } finally {
      await site.stop();
    }
  });

  it('starts no other process, so that nothing is left behind if it is killed', async function () {
    if (process.platform !== 'linux') this.skip();
    let asked = 0;
    const site = await DocsSite.start({});
    site.fallback = () => (asked += 1);
    try {
      const { child, done } = start(['ask', 'birds', '--docs', `${site.url}/killed`], {
        env,
        cwd: work.root,
      });
      await until(() => asked > 0);
      assert.deepEqual(childrenOf(child.pid ?? 0), []);
      child.kill('SIGKILL');
      await done;
    } finally {
      await site.stop();
    }
  });
});
