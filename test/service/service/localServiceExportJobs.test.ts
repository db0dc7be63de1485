import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { ExportJobFiles, type JobRecord } from '../../../src/service/export/exportFiles';
import { ExportJobs, type ExportJobsPorts } from '../../../src/service/export/exportJobs';
import { FakeClock } from '../../fakes/fakeClock';
import { RecordingLog } from '../../fakes/recordingLog';
import { docsFolder, until } from './localServiceAsking';

type Render = ExportJobsPorts['render'];

const noLinks = { broken: 0, unfollowed: 0, leftOut: 0, findings: [] };

const onePage: Render = async (options) => {
  options.onProgress(0, 1);
  await options.write({ path: 'index.html', content: 'one' });
  options.onProgress(1, 1);
  return { pages: 1, links: noLinks };
};

const someLinks: Awaited<ReturnType<Render>>['links'] = {
  broken: 1,
  unfollowed: 2,
  leftOut: 0,
  findings: [{ kind: 'broken', reason: 'no-page', file: 'a.md', line: 3, link: './gone' }],
};

describe('ExportJobs', () => {
  let folder: Awaited<ReturnType<typeof docsFolder>>;
  let log: RecordingLog;
  let opened: ExportJobs[];

  beforeEach(async () => {
    folder = await docsFolder({ 'docs/index.md': '# One\n' });
    log = new RecordingLog();
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((jobs) => jobs.stop()));
    await folder.remove();
  });

  const open = async (render: Render, clock = new FakeClock()) => {
    const ownerId = `${process.pid}-${randomUUID()}`;
    const files = new ExportJobFiles(folder.root, { log, ownerId });
    await files.prepare();
    const jobs = new ExportJobs({
      files,
      render,
      openPartOf: () => ({}),
      ownerId,
      clock,
      newId: randomUUID,
      log,
      paceMs: 0,
    });
    opened.push(jobs);
    const start = (): Promise<JobRecord> =>
      jobs.start(path.join(folder.root, 'docs'), 'sample.localhost');
    const whenEnded = async ({ jobId }: JobRecord): Promise<JobRecord> => {
      let job: JobRecord | undefined;
      await until(async () => {
        job = await jobs.find(jobId);
        return job?.status === 'completed' || job?.status === 'failed';
      });
      assert.ok(job);
      return job;
    };
    return { jobs, files, start, whenEnded };
  };

  it('writes the link findings beside the site, and logs where', async () => {
    const { jobs, files } = await open(async (options) => ({
      ...(await onePage(options)),
      links: someLinks,
    }));
    const { jobId } = await jobs.start(folder.root, 'sample.localhost');
    await until(async () => (await jobs.find(jobId))?.status === 'completed');
    const kept = files.pathOf(jobId, 'links.json');
    assert.deepEqual(JSON.parse(await readFile(kept, 'utf8')), someLinks);
    assert.match(
      log.text('info'),
      /1 link is broken, 2 links can't be followed in this export\. The list is in .*links\.json/,
    );
    assert.ok(log.text('info').includes(kept));
  });

  it('renders the docs folder for the host of the site', async () => {
    const given: unknown[] = [];
    const { start, whenEnded } = await open((options) => {
      given.push(options.root, options.siteHost);
      return onePage(options);
    });
    const { status, pageCount } = await whenEnded(await start());
    assert.deepEqual({ status, pageCount }, { status: 'completed', pageCount: 1 });
    assert.deepEqual(given, [path.join(folder.root, 'docs'), 'sample.localhost']);
  });

  it('fails if the docs folder goes while it is rendered, and names it as read until then', async () => {
    const docs = path.join(folder.root, 'docs');
    const { jobs, start, whenEnded } = await open(async (options) => {
      assert.ok(jobs.isReading(folder.root) && jobs.isReading(docs));
      assert.ok(!jobs.isReading(path.join(folder.root, 'do')));
      await rm(docs, { recursive: true });
      return onePage(options);
    });
    const { status, error } = await whenEnded(await start());
    assert.equal(status, 'failed');
    assert.match(error ?? '', /^The docs folder can't be read \(ENOENT\)\./);
    assert.ok(!jobs.isReading(docs));
  });

  it('writes files in folders, text and bytes alike', async () => {
    const { files, start, whenEnded } = await open(async (options) => {
      await options.write({ path: 'a/b/page.html', content: 'größer' });
      await options.write({ path: 'a/b/image.png', content: new Uint8Array([0, 255]) });
      return { pages: 1, links: noLinks };
    });
    const { jobId } = await whenEnded(await start());
    const site = files.pathOf(jobId, 'site');
    assert.equal(await readFile(path.join(site, 'a/b/page.html'), 'utf8'), 'größer');
    assert.deepEqual([...(await readFile(path.join(site, 'a/b/image.png')))], [0, 255]);
  });

  it('renders one at a time, in the order in which they were started', async () => {
    let openGate = (): void => undefined;
    const allStarted = new Promise<void>((resolve) => (openGate = resolve));
    const running: string[] = [];
    const { jobs, start, whenEnded } = await open(async (options) => {
      await allStarted;
      const now = await Promise.all(started.map(({ jobId }) => jobs.find(jobId)));
      for (const job of now) if (job?.status === 'running') running.push(job.jobId);
      return onePage(options);
    });
    const started = [await start(), await start(), await start()];
    openGate();
    await Promise.all(started.map(whenEnded));
    assert.deepEqual(
      running,
      started.map(({ jobId }) => jobId),
    );
    log.assertNoErrors();
  });

  it('reports a share of the pages that is whole only at the end', async () => {
    const seen: (number | undefined)[] = [];
    const { jobs, start, whenEnded } = await open(async (options) => {
      for (const [pages, total] of [
        [0, 0],
        [0, 3],
        [1, 3],
        [3, 3],
      ] as const) {
        options.onProgress(pages, total);
        seen.push((await jobs.find(job.jobId))?.progress);
      }
      await options.write({ path: 'index.html', content: '' });
      return { pages: 3, links: noLinks };
    });
    const job = await start();
    const { progress } = await whenEnded(job);
    assert.deepEqual([...seen, progress], [0, 0, 33, 99, 100]);
  });

  it('stores progress on disk occasionally', async () => {
    const clock = new FakeClock();
    const { files, start, whenEnded } = await open(async (options) => {
      options.onProgress(1, 10);
      await clock.advance(1000);
      options.onProgress(2, 10);
      await until(async () => (await files.read(job.jobId))?.pageCount === 2);
      await options.write({ path: 'index.html', content: '' });
      return { pages: 10, links: noLinks };
    }, clock);
    const job = await start();
    assert.equal((await whenEnded(job)).status, 'completed');
  });

  it('fails with a sentence if rendering throws, and continues with the next job', async () => {
    let count = 0;
    const { files, start, whenEnded } = await open((options) => {
      if (count++ > 0) return onePage(options);
      return options.write({ path: 'half.html', content: '' }).then(() => {
        throw new Error('secret/path');
      });
    });
    const [failed, next] = [await start(), await start()];
    const { status, error } = await whenEnded(failed);
    assert.equal(status, 'failed');
    assert.match(error ?? '', /couldn't be rendered.*log/);
    assert.equal((await whenEnded(next)).status, 'completed');
    assert.equal(log.errors.length, 1);
    assert.deepEqual(await readdir(path.dirname(files.pathOf(failed.jobId, 'x'))), ['job.json']);
  });

  it('fails if the site cannot be written, and says so', async () => {
    // A file in the place of a folder is refused on every system, even for an administrator.
    const { start, whenEnded } = await open(async (options) => {
      await options.write({ path: 'a', content: 'a file' });
      await options.write({ path: 'a/b.html', content: 'below a file' });
      return { pages: 1, links: noLinks };
    });
    const { error } = await whenEnded(await start());
    assert.match(error ?? '', /can't be written to the state folder \(E\w+\)/);
    log.assertNoErrors();
  });

  it('reports a job as failed even if the disk refuses to store that', async () => {
    const { files, start, whenEnded } = await open(async (options) => {
      await files.remove(job.jobId);
      await folder.write(`jobs/${job.jobId}`, 'a file in the place of the folder');
      return onePage(options);
    });
    const job = await start();
    assert.equal((await whenEnded(job)).status, 'failed');
    // The job has ended before the disk has refused to store it.
    await until(() => log.errors.length > 0);
  });

  for (const jobId of ['..', '../kept', '../../docs', '', '.', 'A', 'x'.repeat(65)]) {
    it(`finds no job “${jobId.slice(0, 12)}”, and changes nothing`, async () => {
      const { jobs } = await open(onePage);
      await folder.write('job.json', '{}');
      await folder.write('kept/job.json', '{}');
      assert.equal(await jobs.find(jobId), undefined);
      assert.equal(await readFile(path.join(folder.root, 'job.json'), 'utf8'), '{}');
      assert.equal(await readFile(path.join(folder.root, 'kept/job.json'), 'utf8'), '{}');
    });
  }

  it('is queued again after a stop in the middle of a job, without progress', async () => {
    const { jobs, files, start } = await open(async (options) => {
      options.onProgress(1, 2);
      await new Promise((_, reject) =>
        options.signal.addEventListener('abort', () => reject(new Error())),
      );
      return { pages: 2, links: noLinks };
    });
    const { jobId, createdAt, updatedAt } = await start();
    await until(async () => (await jobs.find(jobId))?.pageCount === 1);
    await jobs.stop();
    assert.deepEqual(await files.read(jobId), {
      schemaVersion: 1,
      jobId,
      docs: path.join(folder.root, 'docs'),
      siteHost: 'sample.localhost',
      status: 'queued',
      createdAt,
      updatedAt,
    });
    log.assertNoErrors();
  });
});
