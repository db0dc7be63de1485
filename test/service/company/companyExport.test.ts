import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { docsFolder, until } from '../service/localServiceAsking';
import { bytesOf, filesOf } from '../service/localServiceExporting';
import { type Company, startCompany, type WrittenManifest } from './company';

const JOBS = '/v1/static-export/jobs';
const png = 'an image of a plan';

describe('static export at the service of a company', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let realData: string;
  let data: string;
  let company: Company;
  let admin: string;

  const manifest: WrittenManifest = {
    sites: [
      {
        domain: 'app',
        source: { kind: 'folder', path: 'docs' },
        languages: ['en'],
        versions: [
          'v1',
          { name: 'v2', folder: 'main' },
          { name: 'v3', folder: 'next', groups: ['beta'] },
          { name: 'v4', groups: ['beta'] },
        ],
      },
      { domain: 'handbook', source: { kind: 'folder', path: 'docs' }, groups: ['staff'] },
      {
        domain: 'plans',
        source: { kind: 'folder', path: 'plans' },
        versions: [{ name: 'v9', groups: ['beta'] }],
      },
      { domain: 'archive', source: { kind: 'bundle', from: 'nothing.tar.gz' } },
      { domain: 'absent', source: { kind: 'git', url: 'nothing' } },
      { domain: 'gone', source: { kind: 'folder', path: 'gone' } },
      { domain: 'repository', source: { kind: 'git', url: 'repository' } },
    ],
  };
  const start = (domain: string, fields: object = {}): Promise<Response> =>
    company.post(JOBS, admin, { domain, ...fields });
  const ended = async (jobId: string): Promise<Record<string, unknown>> => {
    let job: Record<string, unknown> = {};
    await until(async () => {
      job = (await (await company.get(`${JOBS}/${jobId}`, admin)).json()) as typeof job;
      return job['status'] === 'completed' || job['status'] === 'failed';
    });
    return job;
  };
  const bundleOf = async (jobId: string): Promise<Map<string, string>> => {
    const made = await company.post(`${JOBS}/${jobId}/bundle`, admin, {});
    const { bundleUrl } = (await made.json()) as { bundleUrl: string };
    return filesOf(await bytesOf(bundleUrl));
  };
  const exported = async (domain: string, fields: object = {}): Promise<Map<string, string>> => {
    const response = await start(domain, fields);
    assert.equal(response.status, 202);
    const { jobId } = (await response.json()) as { jobId: string };
    assert.equal((await ended(jobId))['status'], 'completed');
    return bundleOf(jobId);
  };
  const problemOf = async (response: Response, status: number): Promise<string> => {
    const { error } = (await response.json()) as { error: string };
    assert.equal(response.status, status, error);
    return error;
  };
  const restart = async (changed = manifest): Promise<void> => {
    await company.stop(0);
    company = await startCompany(changed, { dataFolder: data });
  };
  /** Leaves a job as a process does that was killed while it ran. */
  const leaveJob = async (domain: string): Promise<string> => {
    const jobId = '11111111-1111-4111-8111-111111111111';
    const folder = path.join(data, 'exports', 'jobs', jobId);
    await mkdir(folder, { recursive: true });
    const { root } = docs;
    const job = { schemaVersion: 1, jobId, domain, siteHost: 'x.test', status: 'running' };
    const times = { createdAt: 1, updatedAt: 1 };
    await writeFile(
      path.join(folder, 'job.json'),
      JSON.stringify({ ...job, ...times, docs: path.join(root, 'docs') }),
    );
    return jobId;
  };

  before(async () => {
    docs = await docsFolder({
      'docs/index.md':
        '# App\n\nRead the [plan](next/plan.md), the [old plan](v4/plan) and [v1](v1/start.md).\n\n' +
        '![A plan](next/plan.png) ![Another](v4/plan.png) ![Start](v1/start.png)\n',
      'docs/v1/start.md': '# Start\n\nStart here.\n',
      'docs/v1/start.png': png,
      'docs/main/start.md': '# Start\n\nStart there.\n',
      'docs/next/plan.md': '# Zebra plan\n\n## Zebra stripes\n\nA zebra.\n',
      'docs/next/plan.png': png,
      'docs/v4/plan.md': '# Zebra\n\nA zebra.\n',
      'docs/v4/plan.png': png,
      'docs/named.md': '---\nversion: 4\n---\n# Zebra\n\nA zebra.\n',
      'docs/de/start.md': '# Zebra auf Deutsch\n\nEin Zebra.\n',
      'docs/v0/start.md': '# Zebra\n\nA zebra.\n',
      'docs/docs.json': JSON.stringify({
        name: 'App',
        navigation: {
          groups: [
            { group: 'Guides', pages: ['index', 'nothing', 'v1/start'] },
            { group: 'Zebras', pages: ['next/plan', 'v4/plan'] },
          ],
        },
      }),
      'plans/v9/plan.md': '# Zebra\n\nA zebra.\n',
      'repository/index.md': '# Walruses\n\n![A plan](plan.png)\n\n<!--@include: ./_part.md-->\n',
      'repository/_part.md': 'A walrus.\n',
      'repository/plan.png': png,
    });
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: path.join(docs.root, 'repository'),
        stdio: 'ignore',
      });
    git('init');
    git('add', '.');
    git('commit', '-m', 'one');
    realData = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-company-'));
    data = path.join(docs.root, 'data');
    await symlink(realData, data);
    company = await startCompany(manifest, { dataFolder: data, manifestFolder: docs.root });
    admin = await company.newKey({ kind: 'admin' });
  });
  after(async () => {
    await company.stop(0);
    await rm(realData, { recursive: true, force: true, maxRetries: 5 });
    await docs.remove();
  });

  it('has the pages that everybody may see, and no word of the others', async () => {
    const files = await exported('app');
    for (const name of ['index.html', 'main/start.html', 'v1/start.html', 'v1/start.png']) {
      assert.ok(files.has(name), name);
    }
    assert.doesNotMatch([...files.keys()].join('\n'), /^(?:next|v4|v0|de|named)\b/m);
    for (const [name, content] of files) assert.doesNotMatch(name + content, /zebra/i, name);
    assert.match(files.get('main/start.html') ?? '', /v2/);
  });

  it('has no image that stands with the pages of a restricted version', async () => {
    const files = await exported('app', { paths: ['index'] });
    const images = [...files.keys()].filter((name) => name.endsWith('.png'));
    assert.deepEqual(images, ['v1/start.png']);
  });

  it('tells the operator which links lead to pages that are left out', async () => {
    await exported('app');
    const log = company.log();
    for (const link of ['next/plan.md', 'v4/plan', 'next/plan.png']) {
      assert.ok(log.includes(`${link} can't be followed: it is not part of this export`), link);
    }
    assert.match(log, /docs\.json:?\d*: nothing is broken/);
    assert.doesNotMatch(log, /docs\.json:?\d*: v4\/plan/);
  });

  it('is refused for a site that only some groups may see', async () => {
    assert.equal(
      await problemOf(await start('handbook'), 409),
      "Only some groups may see this site, so it can't be exported: an export is for everybody.",
    );
  });

  it('is refused for a site that is published already, or whose docs could not be read', async () => {
    assert.match(await problemOf(await start('archive'), 409), /published site already/);
    assert.match(await problemOf(await start('absent'), 409), /can't be read from their source/);
    assert.match(await problemOf(await start('gone'), 409), /can't be read from their source/);
  });

  it('has the images and snippets of a repository if the data folder is behind a link', async () => {
    const files = await exported('repository');
    assert.ok(files.has('plan.png'));
    assert.match(files.get('index.html') ?? '', /A walrus\./);
    assert.ok(!files.has('_part.html'));
  });

  it('fails for a site without a page that everybody may see', async () => {
    const { jobId } = (await (await start('plans')).json()) as { jobId: string };
    const { status, error } = await ended(jobId);
    assert.equal(status, 'failed');
    assert.match(String(error), /no pages that everybody may see/);
  });

  it('leaves the same out after a restart in the middle', async () => {
    await company.stop(0);
    const jobId = await leaveJob('app');
    await restart();
    assert.equal((await ended(jobId))['status'], 'completed');
    const files = await bundleOf(jobId);
    assert.ok(files.has('v1/start.html'));
    for (const [name, content] of files) assert.doesNotMatch(name + content, /zebra/i, name);
  });

  it('fails for a site that only some groups may see since the job started', async () => {
    await company.stop(0);
    const jobId = await leaveJob('handbook');
    await restart();
    const { status, error } = await ended(jobId);
    assert.equal(status, 'failed');
    assert.match(String(error), /only for some groups by now/);
  });
});
