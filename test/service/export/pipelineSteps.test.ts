import assert from 'node:assert/strict';
import { spawn, execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { exportWorkflow } from '../../../src/export/workflow/exportWorkflow';
import { workflowOptions } from '../../builders/workflows';
import { packCli } from '../../tooling/cliPackage.mjs';
import { docsFolder, startService } from '../service/localServiceAsking';
import { writeNpmOnce } from './npmOnce';

const adminKey = 'local_admin_Canary8Vb2Xw6Lq4Nd9Jc3';
const pushToken = 'glpat-Canary3Mz7Tq1Wd5';

interface Cache {
  readonly key: string;
  readonly paths: readonly string[];
  readonly when?: string;
  readonly policy?: string;
}
interface PipelineJob {
  readonly script: readonly string[];
  readonly cache: readonly Cache[];
}
interface Shared {
  readonly before_script: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

const run = promisify(execFile);

describe('the scripts of the pipeline for GitLab', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let work: Awaited<ReturnType<typeof docsFolder>>;
  let service: Awaited<ReturnType<typeof startService>>;
  let pipeline: Readonly<Record<string, PipelineJob>> & { readonly '.docs-release': Shared };

  before(async function () {
    this.timeout(120_000);
    docs = await docsFolder({
      'index.md': '# Birds\n\nRead about [pelicans](pelicans.md).\n',
      'pelicans.md': '# Pelicans\n\nPelicans eat fish.\n',
    });
    work = await docsFolder({ 'source/values.yaml': '# Docs\nreplicas: 2\n' });
    service = await startService(docs.root, { adminKey });
    const options = workflowOptions('gitlab', {
      exportDomain: 'sample',
      apiUrl: service.url,
      values: 'values.yaml',
    });
    pipeline = parse(exportWorkflow(options)) as typeof pipeline;
    const source = path.join(work.root, 'source');
    await mkdir(path.join(source, 'tools'));
    await packCli(path.join(source, 'tools/docs-assistant.tgz'), process.cwd());
    await writeNpmOnce(path.join(work.root, 'bin'), path.join(work.root, 'installed'));
    await git(work.root, 'init', '--quiet', '--initial-branch=main', 'source');
    await git(source, 'add', '.');
    await git(source, 'commit', '--quiet', '-m', 'Docs');
    await git(work.root, 'clone', '--quiet', '--bare', 'source', 'group/docs.git');
    const remote = path.join(work.root, 'group/docs.git');
    await git(remote, 'config', 'receive.advertisePushOptions', 'true');
    const hook = path.join(remote, 'hooks/pre-receive');
    await writeFile(
      hook,
      `#!/bin/sh\nenv | grep ^GIT_PUSH_OPTION_[0-9] >> '${work.root}/push-options'\n`,
    );
    await chmod(hook, 0o755);
  });
  after(async () => {
    await service.stop();
    await docs.remove();
    await work.remove();
  });

  async function git(folder: string, ...args: readonly string[]): Promise<string> {
    const identity = ['-c', 'user.name=Docs', '-c', 'user.email=docs@example.com'];
    const { stdout } = await run('git', ['-C', folder, ...identity, ...args], {
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    });
    return stdout;
  }

  /** Runs a job as a runner does: in a new clone with its caches, all scripts in one shell. */
  async function job(
    name: string,
    variables: Readonly<Record<string, string>> = { DOCS_ASSISTANT_ADMIN_KEY: adminKey },
  ): Promise<{ readonly code: number | null; readonly log: string }> {
    const { script, cache } = pipeline[name] ?? { script: [], cache: [] };
    const shared = pipeline['.docs-release'];
    const clone = path.join(work.root, 'clone');
    await rm(clone, { recursive: true, force: true });
    await git(work.root, 'clone', '--quiet', 'group/docs.git', 'clone');
    const kept = ({ key }: Cache): string => path.join(work.root, 'caches', key);
    for (const each of cache) {
      const [at = ''] = each.paths;
      if (await isThere(kept(each)))
        await cp(kept(each), path.join(clone, at), { recursive: true });
    }
    const file = path.join(work.root, 'script.sh');
    await writeFile(file, [...shared.before_script, ...script].join('\n'));
    const tools = path.join(work.root, 'npm-prefix');
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', file], {
      cwd: clone,
      env: {
        PATH: [path.join(work.root, 'bin'), path.join(tools, 'bin'), process.env['PATH']].join(':'),
        HOME: path.join(work.root, 'home'),
        CI: 'true',
        CI_COMMIT_REF_NAME: 'main',
        CI_PROJECT_PATH: 'group/docs',
        CI_SERVER_HOST: 'gitlab.example.com',
        CI_SERVER_URL: `file://${work.root}`,
        DOCS_ASSISTANT_LANGUAGE: 'en',
        GIT_CONFIG_NOSYSTEM: '1',
        npm_config_prefix: tools,
        npm_config_offline: 'true',
        npm_config_cache: path.join(work.root, 'npm'),
        npm_config_update_notifier: 'false',
        ...shared.variables,
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (log += text));
    }
    const [code] = (await once(child, 'close')) as [number | null];
    for (const each of cache) {
      const from = path.join(clone, each.paths[0] ?? '');
      const isKept = each.policy !== 'pull' && (code === 0 || each.when === 'always');
      if (isKept && (await isThere(from))) await cp(from, kept(each), { recursive: true });
    }
    return { code, log };
  }

  async function isThere(file: string): Promise<boolean> {
    return access(file).then(
      () => true,
      () => false,
    );
  }

  it('stop without a key, before anything is exported', async () => {
    const { code, log } = await job('docs-release', {});
    assert.equal(code, 4);
    assert.match(log, /The variable DOCS_ASSISTANT_ADMIN_KEY is missing\./);
    assert.equal(await isThere(path.join(work.root, 'caches')), false);
  });

  it('export and check, keep the release, and compare the next one with it', async function () {
    this.timeout(120_000);
    const first = await job('docs-release');
    assert.equal(first.code, 0, first.log);
    assert.match(first.log, /There is no earlier release to compare with\./);
    const second = await job('docs-release');
    assert.equal(second.code, 0, second.log);
    assert.doesNotMatch(second.log, /no earlier release/);
    assert.ok(await isThere(path.join(work.root, 'clone/docs-release/changes.md')));
    for (const { log } of [first, second]) assert.ok(!log.includes(adminKey));
  });

  it('propose the link in a merge request, with neither the link nor a key in the log', async function () {
    this.timeout(120_000);
    const variables = { DOCS_ASSISTANT_ADMIN_KEY: adminKey, DOCS_RELEASE_TOKEN: pushToken };
    const { code, log } = await job('docs-link', variables);
    assert.equal(code, 0, log);
    const remote = path.join(work.root, 'group/docs.git');
    const values = await git(remote, 'show', 'docs-assistant/bundle-link:values.yaml');
    const link = /bundleUrl: "(http:[^"]+)"/.exec(values)?.[1] ?? '';
    assert.equal((await fetch(link, { method: 'HEAD' })).status, 200);
    const options = await readFile(path.join(work.root, 'push-options'), 'utf8');
    assert.deepEqual(
      options
        .trim()
        .split('\n')
        .map((line) => line.replace(/^[^=]*=/, ''))
        .sort(),
      [
        'merge_request.create',
        'merge_request.remove_source_branch',
        'merge_request.target=main',
        'merge_request.title=Update the docs bundle link',
      ],
    );
    const caches = path.join(work.root, 'caches');
    const names = await readdir(caches, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      names
        .filter((entry) => entry.isFile())
        .map((entry) => readFile(path.join(entry.parentPath, entry.name), 'latin1')),
    );
    for (const text of [log, ...texts]) {
      assert.ok(!text.includes('X-Signature'), 'the link is in the log or a cache');
      assert.ok(!text.includes(adminKey) && !text.includes(pushToken));
    }
  });
});
