import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { KEPT_JOBS } from '../../../src/service/export/exportJobs';
import type { LocalService, LocalServiceOptions } from '../../../src/service/server/server';
import { FakeClock } from '../../fakes/fakeClock';
import { RecordingLog } from '../../fakes/recordingLog';
import { docsFolder, startService } from './localServiceAsking';
import {
  adminKey,
  askForBundle,
  bundleOf,
  bytesOf,
  call,
  errorOf,
  exportSite,
  filesOf,
  JOBS,
  startJob,
  statusOf,
  whenJob,
} from './localServiceExporting';

const PACE_MS = 1000;
const pages = { 'a.md': '# A\n\nOne.\n', 'b.md': '# B\n\nTwo.\n', 'c.md': '# C\n\nThree.\n' };

describe('static exports over a restart of the local docs service', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let state: Awaited<ReturnType<typeof docsFolder>>;
  let services: LocalService[];
  let log: RecordingLog;

  beforeEach(async () => {
    docs = await docsFolder(pages);
    state = await docsFolder({});
    services = [];
    log = new RecordingLog();
  });
  afterEach(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await docs.remove();
    await state.remove();
    log.assertNoErrors();
  });

  const serve = async (
    options: Partial<LocalServiceOptions> = {},
    stateFolder = state.root,
  ): Promise<LocalService> => {
    const service = await startService(docs.root, {
      adminKey,
      log,
      ...options,
      stateFolder: stateFolder === '' ? undefined : stateFolder,
    });
    services.push(service);
    return service;
  };
  /** Names below the state folder, those of the pages left out. */
  const namesInState = async (): Promise<string[]> => {
    const names = await readdir(state.root, { recursive: true });
    return names.filter((name) => !name.includes(`${path.sep}site${path.sep}`)).sort();
  };

  it('keeps completed jobs, their bundles and their links', async () => {
    const port = Number(new URL((await serve()).url).port);
    const jobId = await exportSite(services[0]!);
    const { bundleUrl } = await bundleOf(services[0]!, jobId);
    const archive = await bytesOf(bundleUrl);
    await services[0]!.stop();

    const again = await serve({ port });
    assert.equal((await statusOf(again, jobId))['status'], 'completed');
    assert.ok((await bytesOf(bundleUrl)).equals(archive));
    assert.ok((await bytesOf((await bundleOf(again, jobId)).bundleUrl)).equals(archive));
  });

  it('restarts the job that was running when the service stopped, and the jobs behind it', async () => {
    const clock = new FakeClock();
    const first = await serve({ clock, exportPaceMs: PACE_MS });
    const jobs = [await startJob(first), await startJob(first)] as const;
    await whenJob(first, jobs[0], { status: 'running' });
    await first.stop();

    const again = await serve();
    for (const jobId of jobs) {
      const { pageCount } = await whenJob(again, jobId, { status: 'completed' });
      assert.equal(pageCount, 3);
      const { bundleUrl } = await bundleOf(again, jobId);
      assert.ok((await filesOf(await bytesOf(bundleUrl))).has('c.html'));
    }
  });

  it('leaves nothing running or half made when it stops in the middle of a job', async () => {
    const clock = new FakeClock();
    const service = await serve({ clock, exportPaceMs: PACE_MS });
    const jobId = await startJob(service);
    await whenJob(service, jobId, { status: 'running' });
    await clock.whenDelayed();
    await service.stop();
    assert.equal(clock.pendingCount, 0);
    const names = await namesInState();
    // The pages that were read stay, too, in files that are complete.
    const kept = names.filter((name) => name.startsWith('index'));
    assert.match(kept.join(' '), /^index index[\\/]\w+ index[\\/]\w+[\\/][\w-]+\.pages$/);
    assert.deepEqual(
      names.filter((name) => !kept.includes(name)),
      ['jobs', path.join('jobs', jobId), path.join('jobs', jobId, 'job.json'), 'link-secret'],
    );
  });

  it('takes over a job whose service was killed, and removes its unfinished files', async () => {
    const jobId = '11111111-1111-4111-8111-111111111111';
    // No process has this number: the largest that Linux gives is 4194304.
    const owner = '99999999-22222222-2222-4222-8222-222222222222';
    const folder = `jobs/${jobId}`;
    await state.write(`${folder}/site.part-${owner}/a.html`, 'half');
    await state.write(
      `${folder}/job.json`,
      JSON.stringify({
        schemaVersion: 1,
        jobId,
        docs: docs.root,
        siteHost: 'sample.localhost',
        status: 'running',
        progress: 33,
        pageCount: 1,
        createdAt: 1,
        updatedAt: 2,
        owner,
      }),
    );
    const service = await serve();
    const fields = await whenJob(service, jobId, { status: 'completed' });
    assert.equal(fields['createdAt'], new Date(1).toISOString());
    await service.stop();
    assert.deepEqual((await readdir(path.join(state.root, folder))).sort(), ['job.json', 'site']);
  });

  it('answers for the jobs of another service on the same folder, and does not run them', async () => {
    const clock = new FakeClock();
    const one = await serve({ clock, exportPaceMs: PACE_MS });
    const jobId = await startJob(one);
    await whenJob(one, jobId, { status: 'running' });
    const other = await serve();
    assert.equal((await statusOf(other, jobId))['status'], 'running');
    assert.match(await errorOf(await askForBundle(other, jobId), 409), /running/);
    assert.ok(!log.messages().some((line) => line.includes('starts over')));

    while ((await statusOf(one, jobId))['status'] !== 'completed') await clock.advance(PACE_MS);
    await whenJob(other, jobId, { status: 'completed' });
    assert.ok((await bytesOf((await bundleOf(other, jobId)).bundleUrl)).length > 0);
  });

  it('takes over the jobs of another service on the same folder once that service has ended', async () => {
    const one = await serve({ clock: new FakeClock(), exportPaceMs: PACE_MS });
    const other = await serve();
    const jobId = await startJob(one);
    await whenJob(one, jobId, { status: 'running' });
    await one.stop();
    await whenJob(other, jobId, { status: 'completed' });
  });

  it('sets aside a job that cannot be read back, and goes on', async () => {
    const kept = await exportSite(await serve());
    await services[0]!.stop();
    await state.write('jobs/22222222-broken/job.json', '{"schemaVersion": 1, "jobId":');
    const again = await serve();
    assert.equal((await statusOf(again, kept))['status'], 'completed');
    await errorOf(await call(again, `${JOBS}/22222222-broken`), 404);
    assert.deepEqual(await readdir(path.join(state.root, 'jobs')), [kept]);
    const aside = path.join(state.root, 'set-aside', '22222222-broken.json');
    assert.match(await readFile(aside, 'utf8'), /"jobId":$/);
    assert.equal(log.messages('warn').length, 1);
  });

  it(`keeps the newest ${KEPT_JOBS} completed jobs`, async () => {
    const clock = new FakeClock();
    const service = await serve({ clock });
    const jobs: string[] = [];
    for (let count = 0; count < KEPT_JOBS + 2; count++) {
      jobs.push(await exportSite(service));
      await clock.advance(1);
    }
    const kept = jobs.slice(2).sort();
    await service.stop();
    assert.deepEqual((await readdir(path.join(state.root, 'jobs'))).sort(), kept);
  });

  it('keeps its state readable only by the user', async () => {
    const folder = path.join(state.root, 'new', 'state');
    const service = await serve({}, folder);
    await exportSite(service);
    if (process.platform === 'win32') return;
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.equal((await stat(path.join(folder, 'jobs'))).mode & 0o777, 0o700);
    assert.equal((await stat(path.join(folder, 'link-secret'))).mode & 0o777, 0o600);
  });

  it('removes the folder that it made for itself', async () => {
    const { TMPDIR, TEMP } = process.env;
    process.env['TMPDIR'] = process.env['TEMP'] = state.root;
    let service;
    try {
      service = await serve({}, '');
    } finally {
      for (const [name, value] of Object.entries({ TMPDIR, TEMP })) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
    assert.deepEqual(await readdir(state.root), [], 'made before it is needed');
    await bundleOf(service, await exportSite(service));
    const [made, ...others] = await readdir(state.root);
    assert.match(made ?? '', /^docs-assistant-exports-/);
    assert.deepEqual(others, []);
    if (process.platform !== 'win32')
      assert.equal((await stat(path.join(state.root, made ?? ''))).mode & 0o777, 0o700);
    await service.stop();
    assert.deepEqual(await readdir(state.root), []);
  });

  it('says why it cannot start if the state folder is not a folder', async () => {
    const file = path.join(state.root, 'file');
    await writeFile(file, '');
    await assert.rejects(serve({}, file), /Can't use the state folder .* \(E\w+\)/);
  });
});
