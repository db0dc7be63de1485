import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile, mkdir, cp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import type { LocalService } from '../../../src/service/server/server';
import { exportWorkflow } from '../../../src/export/workflow/exportWorkflow';
import type { WorkflowInput } from '../../../src/export/workflow/workflowOptions';
import { aTar } from '../../builders/archive';
import { workflowOptions } from '../../builders/workflows';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import { packCli } from '../../tooling/cliPackage.mjs';
import { docsFolder, startService } from '../service/localServiceAsking';
import { decodedMask, GithubRunner, type RunOptions, type WorkflowRun } from './githubRunner';

const adminKey = 'local_admin_Canary5Hn8Qd3Zs6Ty1Bv4';
const secrets = { DOCS_ASSISTANT_ADMIN_KEY: adminKey };
const pages = {
  'index.md':
    '# Birds\n\nStart with [pelicans](guides/pelicans.md) or [storks](guides/storks.md).\n',
  'guides/pelicans.md': '# Pelicans\n\nPelicans eat fish.\n',
  'guides/storks.md': '# Storks\n\nStorks eat frogs.\n',
};
const questions = `questions:
  - question: What do pelicans eat?
    pages: [guides/pelicans]
`;

const run = promisify(execFile);

describe('the steps of the workflow for GitHub Actions', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let work: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let tarball: string;
  let proxy: FaultProxy;
  let count = 0;

  before(async function () {
    this.timeout(120_000);
    docs = await docsFolder(pages);
    work = await docsFolder({});
    service = await startService(docs.root, { adminKey });
    tarball = path.join(work.root, 'docs-assistant.tgz');
    await packCli(tarball, process.cwd());
  });
  after(async () => {
    await service.stop();
    await docs.remove();
    await work.remove();
  });
  beforeEach(async () => {
    proxy = await startFaultProxy({ target: service.url });
  });
  afterEach(() => proxy.stop());

  async function git(folder: string, ...args: readonly string[]): Promise<string> {
    const identity = ['-c', 'user.name=Docs', '-c', 'user.email=docs@example.com'];
    const { stdout } = await run('git', ['-C', folder, ...identity, ...args], {
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    });
    return stdout;
  }

  /** Makes a repository with a values file, questions and the package, and a runner for it. */
  async function repository(
    input: Partial<WorkflowInput> = {},
    files: Readonly<Record<string, string>> = {},
  ): Promise<{
    readonly root: string;
    readonly remote: string;
    run(options?: RunOptions): Promise<WorkflowRun>;
    readonly runner: GithubRunner;
  }> {
    const root = path.join(work.root, String(++count));
    const source = path.join(root, 'source');
    const remote = path.join(root, 'remote.git');
    const all = {
      'deploy/values.yaml': '# Docs\nreplicas: 2\n',
      'docs-questions.yaml': questions,
      ...files,
    };
    for (const [name, text] of Object.entries(all)) {
      await mkdir(path.dirname(path.join(source, name)), { recursive: true });
      await writeFile(path.join(source, name), text);
    }
    await mkdir(path.join(source, 'tools'));
    await cp(tarball, path.join(source, 'tools/docs-assistant.tgz'));
    await git(root, 'init', '--quiet', '--initial-branch=main', 'source');
    await git(source, 'add', '.');
    await git(source, 'commit', '--quiet', '-m', 'Docs');
    await git(root, 'clone', '--quiet', '--bare', 'source', 'remote.git');
    const text = exportWorkflow(
      workflowOptions('github', { exportDomain: 'sample', apiUrl: proxy.url, ...input }),
    );
    const runner = await GithubRunner.make(
      path.join(root, 'github'),
      remote,
      text,
      path.join(work.root, 'installed'),
    );
    return {
      root,
      remote,
      runner,
      run: (options) => runner.run({ secrets, ...options }),
    };
  }

  const starts = (): number =>
    proxy.exchanges.filter(({ method, path: at }) => method === 'POST' && at.endsWith('/jobs'))
      .length;

  /** Returns everything in some folders as one text, with archives of git unpacked. */
  async function contentsOf(...folders: readonly string[]): Promise<string> {
    const texts = await Promise.all(
      folders.map(async (folder) => {
        const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
          () => [],
        );
        const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.tgz'));
        return Promise.all(
          files.map((entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1')),
        );
      }),
    );
    return texts.flat().join('\n');
  }

  function assertNoKey(text: string): void {
    assert.ok(!text.includes(adminKey), 'the admin key is in a log or a file');
  }

  it('export, check and keep a bundle, and compare the next one with it', async function () {
    this.timeout(120_000);
    const repo = await repository();
    const first = await repo.run();
    assert.equal(first.outcome, 'success', first.log);
    assert.deepEqual(new Set(Object.values(first.steps)), new Set(['success']));
    assert.match(first.log, /No earlier run of this workflow succeeded on main\./);
    assert.match(first.log, /There is no earlier release to compare with\./);
    assert.deepEqual(await readdir(repo.runner.artifact(1, 'docs-bundle')), ['bundle.tar.gz']);

    const { 'guides/storks.md': _storks, ...fewer } = pages;
    const newDocs = await docsFolder({
      ...fewer,
      'index.md': '# Birds\n\nOnly [pelicans](guides/pelicans.md).\n',
    });
    const newService = await startService(newDocs.root, { adminKey });
    try {
      const second = await repo.run({ env: { DOCS_API_URL: newService.url } });
      assert.equal(second.outcome, 'success', second.log);
      const reports = repo.runner.artifact(2, 'docs-reports');
      const changes = await readFile(path.join(reports, 'changes.md'), 'utf8');
      assert.match(changes, /guides\/storks/);
      assert.ok(second.summary.includes(changes.slice(0, 200)));
      assertNoKey([first.log, second.log, await contentsOf(...repo.runner.kept)].join('\n'));
    } finally {
      await newService.stop();
      await newDocs.remove();
    }
  });

  it('fail when the check fails, compare all the same, and leave no release behind', async function () {
    this.timeout(120_000);
    const html = '<main><h1>Birds</h1><a href="nowhere.html">Nowhere</a></main>';
    const broken = gzipSync(aTar([{ name: 'index.html', content: html }]));
    const repo = await repository({ values: 'deploy/values.yaml' });
    const ran = await repo.run({
      beforeStep: async (name, workspace) => {
        if (name !== 'Check') return;
        await writeFile(path.join(workspace, 'docs-release/bundle.tar.gz'), broken);
      },
    });
    assert.equal(ran.outcome, 'failure');
    const { 'release: Check': check, 'release: Compare with the last release': compared } =
      ran.steps;
    assert.deepEqual([check, compared], ['failure', 'success'], ran.log);
    assert.match(ran.log, /nowhere/);
    assert.equal(ran.steps['release: Save the bundle'], 'skipped');
    assert.equal(ran.steps['link: Propose the link'], undefined, 'nothing broken is proposed');
    assert.ok((await readdir(repo.runner.artifact(1, 'docs-reports'))).includes('check.md'));
    const next = await repo.run();
    assert.match(next.log, /No earlier run of this workflow succeeded on main\./);
  });

  it('ask the questions of a file, and say what was lost since the last release', async function () {
    this.timeout(120_000);
    const repo = await repository({ questions: 'docs-questions.yaml' });
    const first = await repo.run();
    assert.equal(first.outcome, 'success', first.log);
    const reports = repo.runner.artifact(1, 'docs-reports');
    assert.match(await readFile(path.join(reports, 'questions.xml'), 'utf8'), /<testcase /);
    assert.deepEqual((await readdir(repo.runner.artifact(1, 'docs-bundle'))).sort(), [
      'bundle.tar.gz',
      'questions.json',
    ]);
    const html = '<main><h1>Birds</h1><p>Gulls eat crabs.</p></main>';
    const other = gzipSync(aTar([{ name: 'index.html', content: html }]));
    const second = await repo.run({
      beforeStep: async (name, workspace) => {
        if (name !== 'Ask the questions') return;
        await writeFile(path.join(workspace, 'docs-release/bundle.tar.gz'), other);
      },
    });
    assert.equal(second.steps['release: Ask the questions'], 'failure', second.log);
    assert.match(second.log, /^::error /m);
    assert.match(second.log, /^Lost: 1$/m);
    assert.equal(second.steps['release: Save the bundle'], 'skipped');
  });

  // Shows faults.md L27.
  it('propose the link in one pull request, with the link in no log, artifact or cache', async function () {
    this.timeout(120_000);
    const repo = await repository({ values: 'deploy/values.yaml' });
    const first = await repo.run();
    assert.equal(first.outcome, 'success', first.log);
    const branch = 'docs-assistant/bundle-link';
    const values = await git(repo.remote, 'show', `${branch}:deploy/values.yaml`);
    assert.match(values, /^# Docs\nreplicas: 2\n/);
    const link = /bundleUrl: "(http:[^"]+)"/.exec(values)?.[1] ?? '';
    assert.equal((await fetch(link, { method: 'HEAD' })).status, 200);
    const [, signature = ''] = link.split('?');
    assert.ok(signature.length > 20);

    const second = await repo.run();
    assert.equal(second.outcome, 'success', second.log);
    const newValues = await git(repo.remote, 'show', `${branch}:deploy/values.yaml`);
    assert.ok(!newValues.includes(signature), 'the branch has the newer link');
    assert.equal((await git(repo.remote, 'rev-list', '--count', `main..${branch}`)).trim(), '1');
    assert.equal(
      await git(repo.remote, 'show', 'main:deploy/values.yaml'),
      '# Docs\nreplicas: 2\n',
    );
    const pulls = repo.runner.kept.at(-1) ?? '';
    assert.equal((await readdir(pulls)).length, 1);

    const everything = await contentsOf(...repo.runner.kept);
    for (const text of [first.shownLog, second.shownLog, everything]) {
      assert.ok(!text.includes('X-Signature'), 'a link is in a log, an artifact or a cache');
    }
    assert.ok(first.log.includes(`::add-mask::${link.replaceAll('%', '%25')}\n`));
    assertNoKey([first.log, second.log, everything, await contentsOf(repo.remote)].join('\n'));
  });

  it('hand the link to a secret store on stdin, and put it nowhere else', async function () {
    this.timeout(120_000);
    const store = path.join(work.root, 'store.txt');
    const repo = await repository({
      storeCommand: `cat > '${store}'; ls "$HOME" | false; echo 'not here'`,
    });
    const failed = await repo.run();
    assert.equal(failed.outcome, 'failure', 'a command that fails in its middle fails the run');
    assert.ok(!failed.log.includes('not here'));
    const link = await readFile(store, 'utf8');
    assert.match(link, /^http:\S+$/, 'a line break would become a part of the secret');
    assert.equal((await fetch(link, { method: 'HEAD' })).status, 200);
    assert.ok(!failed.shownLog.includes('X-Signature'));
    const [, signature = ''] = link.split('?');
    assert.ok(!(await contentsOf(repo.root)).includes(signature), 'the link is in a file');
  });

  it('mask a link as GitHub reads the command, whatever is encoded in it', async () => {
    const { jobs } = parse(exportWorkflow(workflowOptions('github', { values: 'v.yaml' }))) as {
      readonly jobs: { readonly link: { readonly steps: readonly { run?: string }[] } };
    };
    const script = jobs.link.steps.at(-1)?.run ?? '';
    const [masking = ''] = /^link=[^]*?add-mask[^\n]*\n/m.exec(script) ?? [];
    const file = path.join(work.root, 'odd-link');
    const query = 'key=a%2Fb%250A%0A%25%&sig=x';
    await writeFile(file, `https://store.example.com/a%20b.tar.gz?${query}\n`);
    const { stdout } = await run('bash', ['-eo', 'pipefail', '-c', masking], {
      env: { ...process.env, link_file: file },
    });
    const masks = stdout
      .trim()
      .split('\n')
      .map((line) => decodedMask(line.replace('::add-mask::', '')));
    assert.deepEqual(masks, [`https://store.example.com/a%20b.tar.gz?${query}`, query]);
  });

  it('resume the job of a run that was killed halfway', async function () {
    this.timeout(120_000);
    const repo = await repository();
    proxy.queue({
      when: { method: 'GET', pathIncludes: '/jobs/' },
      cues: [{ at: 'headers', do: 'hold', gate: 'status' }],
    });
    const killed = await repo.run({
      onStep: (name, kill) => {
        if (name === 'Export') void proxy.whenHeld('status').then(kill);
      },
    });
    proxy.openGate('status');
    assert.equal(killed.steps['release: Export'], 'failure');
    assert.equal(killed.steps['release: Keep the job'], 'success');
    assert.equal(killed.steps['release: Check'], 'skipped');
    assert.equal(starts(), 1);
    const next = await repo.run();
    assert.equal(next.outcome, 'success', next.log);
    assert.equal(starts(), 1, 'no second export was started');
  });

  it('say that the key is missing before anything is installed or requested', async () => {
    const repo = await repository();
    const ran = await repo.run({ secrets: {} });
    assert.equal(ran.outcome, 'failure');
    assert.match(ran.log, /^::error::The secret DOCS_ASSISTANT_ADMIN_KEY is missing\./);
    assert.equal(ran.steps['release: Install docs-assistant'], 'skipped');
    assert.deepEqual(proxy.exchanges, []);
  });

  // Shows faults.md L26.
  it('fail with a reason if nothing can be written', async function () {
    this.timeout(120_000);
    // A file in the place of the folder stands for a disk that can't be written.
    const repo = await repository({}, { 'docs-release': 'in the way' });
    const ran = await repo.run();
    assert.equal(ran.outcome, 'failure');
    assert.equal(ran.steps['release: Export'], 'failure');
    assert.match(ran.log, /docs-release/);
    assert.deepEqual(proxy.exchanges, [], 'no export was started that nobody can take');
  });
});
