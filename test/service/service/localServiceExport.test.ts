import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { LocalService } from '../../../src/service/server/server';
import { FakeClock } from '../../fakes/fakeClock';
import { RecordingLog } from '../../fakes/recordingLog';
import { ask, docsFolder, serviceKey, startService } from './localServiceAsking';
import {
  adminKey,
  askForBundle,
  bundleOf,
  bytesOf,
  call,
  errorOf,
  exportSite,
  fieldsOf,
  filesOf,
  JOBS,
  start,
  startJob,
  statusOf,
  timesOf,
  whenJob,
} from './localServiceExporting';

const PACE_MS = 1000;
const unknownJob = '00000000-0000-4000-8000-000000000000';

const pages = {
  'index.md': '# Birds\n\nStart with [pelicans](guides/pelicans.md).\n',
  'guides/pelicans.md': '# Pelicans\n\nPelicans eat fish.\n',
  'guides/storks.md': '# Storks\n\nStorks eat frogs.\n',
};

describe('static export of the local docs service', () => {
  const log = new RecordingLog();
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;

  before(async () => {
    docs = await docsFolder(pages);
    service = await startService(docs.root, { log, adminKey });
  });
  after(async () => {
    await service.stop();
    await docs.remove();
    log.assertNoErrors();
  });

  describe('Start static export job', () => {
    it('answers 202 with the id of the job', async () => {
      const fields = await fieldsOf(await start(service, { domain: 'sample' }), 202);
      assert.deepEqual(Object.keys(fields), ['jobId']);
      assert.match(String(fields['jobId']), /^[0-9a-f-]{36}$/);
    });

    for (const domain of ['sample.localhost', 'Sample']) {
      it(`accepts ${domain} as its site`, async () => {
        await startJob(service, domain);
      });
    }

    it('ignores unknown fields', async () => {
      await fieldsOf(await start(service, { domain: 'sample', format: 'zip' }), 202);
    });

    it('exports only the pages at and below the paths, and keeps the label', async () => {
      const body = { domain: 'sample', version: 'v2', paths: ['/guides/storks', '/guides/owls'] };
      const { jobId } = await fieldsOf(await start(service, body), 202);
      const { version, paths, pageCount } = await whenJob(service, String(jobId), {
        status: 'completed',
      });
      const told = { version, paths, pageCount };
      assert.deepEqual(told, { version: 'v2', paths: body.paths, pageCount: 1 });
      const { bundleUrl } = await bundleOf(service, String(jobId));
      const files = await filesOf(await bytesOf(bundleUrl));
      const exported = [...files.keys()].filter((file) => /^(?:guides\/|index)/.test(file));
      assert.deepEqual(exported, ['guides/index.html', 'guides/storks.html', 'index.html']);
      assert.doesNotMatch(files.get('index.html') ?? '', /pelicans/i);
    });

    for (const [paths, expected] of [
      [
        ['index', 'guides/storks'],
        ['guides/index.html', 'guides/storks.html', 'index.html'],
      ],
      [
        ['/', '/guides/storks'],
        ['guides/index.html', 'guides/storks.html', 'index.html'],
      ],
      [
        ['guides'],
        ['guides/index.html', 'guides/pelicans.html', 'guides/storks.html', 'index.html'],
      ],
      [['index'], ['index.html']],
    ] as const) {
      it(`takes paths with a slash and without: ${paths.join(', ')}`, async () => {
        const { jobId } = await fieldsOf(await start(service, { domain: 'sample', paths }), 202);
        await whenJob(service, String(jobId), { status: 'completed' });
        const { bundleUrl } = await bundleOf(service, String(jobId));
        const files = await filesOf(await bytesOf(bundleUrl));
        const exported = [...files.keys()].filter((file) => /^(?:guides\/|index)/.test(file));
        assert.deepEqual(exported, expected);
        assert.equal(/Start with/.test(files.get('index.html') ?? ''), paths[0] !== 'guides');
      });
    }

    it('gives pages the times at which they changed, and another second to a changed page', async () => {
      const times = async (): Promise<Map<string, number>> => {
        const { bundleUrl } = await bundleOf(service, await exportSite(service));
        return timesOf(await bytesOf(bundleUrl));
      };
      const { mtimeMs } = await stat(path.join(docs.root, 'index.md'));
      const first = await times();
      assert.ok([...first.values()].every((time) => time >= Math.floor(mtimeMs / 1000)));
      const text = pages['guides/storks.md'];
      await docs.write('guides/storks.md', text.replace('frogs', 'toads'));
      const second = await times();
      await docs.write('guides/storks.md', text);
      const third = await times();
      const page = 'guides/storks.html';
      const [one = 0, two = 0, three = 0] = [first, second, third].map((all) => all.get(page));
      assert.ok(one < two && two < three);
      // The search index doesn't have the sentence, so all other files are the same.
      for (const all of [first, second, third]) all.delete(page);
      assert.deepEqual([second, third], [first, first]);
    });

    it('fails a job whose paths have no pages', async () => {
      const body = { domain: 'sample', paths: ['/owls'] };
      const { jobId } = await fieldsOf(await start(service, body), 202);
      const { error } = await whenJob(service, String(jobId), { status: 'failed' });
      assert.match(String(error), /no pages at \/owls/);
    });

    for (const [problem, body, sentence] of [
      ['a label that is no string', { domain: 'sample', version: 2 }, /version must be a label/],
      ['a path that is empty', { domain: 'sample', paths: [''] }, /\["index", "guides\/start"\]/],
      ['no paths', { domain: 'sample', paths: [] }, /list of at most/],
      ['a scheme', { domain: 'https://sample' }, /without a scheme.*"sample"/],
      ['a slash', { domain: 'sample/' }, /without a path.*"sample"/],
      ['a path', { domain: 'sample/guides' }, /without a path.*"sample"/],
      ['another site', { domain: 'docs.example.com' }, /site doesn't exist.*"sample"/],
      ['an empty domain', { domain: ' ' }, /empty.*"sample"/],
      ['a domain that is no string', { domain: 7 }, /as a string/],
      ['no domain', {}, /name the site.*"sample"/],
      ['a body that is no object', '[]', /name the site/],
      ['a body that is no JSON', '{', /not valid JSON/],
      ['an empty body', '', /not valid JSON/],
    ] as const) {
      it(`answers 400 to ${problem} and says what to do`, async () => {
        assert.match(await errorOf(await start(service, body), 400), sentence);
      });
    }

    it('answers 415 to another content type', async () => {
      const response = await start(service, { domain: 'sample' }, { 'content-type': 'text/plain' });
      assert.match(await errorOf(response, 415), /application\/json/);
    });

    it('answers 413 to a body that is too large', async () => {
      const response = await start(service, { domain: 'x'.repeat(1024 * 1024) });
      assert.match(await errorOf(response, 413), /larger/);
    });
  });

  describe('Get static export job status', () => {
    it('shows the status with its times, and the count of pages of a completed job', async () => {
      const jobId = await startJob(service);
      const fields = await whenJob(service, jobId, { status: 'completed' });
      const { createdAt, updatedAt, ...others } = fields;
      assert.deepEqual(others, { jobId, status: 'completed', progress: 100, pageCount: 3 });
      for (const time of [createdAt, updatedAt])
        assert.equal(new Date(String(time)).toISOString(), time);
      assert.ok(String(createdAt) <= String(updatedAt));
    });

    it('answers 404 to an unknown job', async () => {
      for (const jobId of [unknownJob, '../link-secret', 'x'.repeat(2000)])
        assert.match(
          await errorOf(await call(service, `${JOBS}/${encodeURIComponent(jobId)}`), 404),
          /job doesn't exist/,
        );
    });
  });

  describe('Generate export bundle', () => {
    it('answers 200 with a link, its expiry, the job and the size of the archive', async () => {
      const jobId = await exportSite(service);
      const before = Date.now();
      const { bundleUrl, expiresAt, ...others } = await bundleOf(service, jobId);
      const link = new URL(bundleUrl);
      assert.equal(link.origin, service.url);
      assert.equal(link.pathname, `/v1/bundles/${jobId}/bundle.tar.gz`);
      assert.equal(new Date(expiresAt).toISOString(), expiresAt);
      const HOUR_MS = 60 * 60 * 1000;
      assert.ok(Date.parse(expiresAt) >= before + HOUR_MS);
      assert.ok(Date.parse(expiresAt) <= Date.now() + HOUR_MS);
      assert.deepEqual(others, { jobId, sizeBytes: (await bytesOf(bundleUrl)).length });
    });

    it('packs every page that was rendered', async () => {
      const { bundleUrl } = await bundleOf(service, await exportSite(service));
      const files = await filesOf(await bytesOf(bundleUrl));
      assert.match(files.get('guides/pelicans.html') ?? '', /Pelicans eat fish/);
      assert.match(files.get('guides/storks.html') ?? '', /Storks eat frogs/);
      assert.match(files.get('sitemap.xml') ?? '', /sample\.localhost/);
      assert.ok(files.has('index.html'));
      assert.ok(files.has('404.html'));
    });

    it('serves the same archive to all callers, at once or later', async () => {
      const jobId = await exportSite(service);
      const packings = (): number =>
        log.messages('info').filter((line) => line.startsWith('Packed ')).length;
      const before = packings();
      const bundles = await Promise.all([bundleOf(service, jobId), bundleOf(service, jobId)]);
      bundles.push(await bundleOf(service, jobId));
      const archives = await Promise.all(bundles.map(({ bundleUrl }) => bytesOf(bundleUrl)));
      assert.ok(archives.every((archive) => archive.equals(archives[0]!)));
      assert.equal(packings() - before, 1);
    });

    it('answers 404 to an unknown job', async () => {
      assert.match(
        await errorOf(await askForBundle(service, unknownJob), 404),
        /job doesn't exist/,
      );
    });
  });

  describe('every endpoint', () => {
    const endpoints = [
      ['start', 'POST', JOBS, 'POST'],
      ['status', 'GET', `${JOBS}/${unknownJob}`, 'GET, HEAD'],
      ['bundle', 'POST', `${JOBS}/${unknownJob}/bundle`, 'POST'],
    ] as const;
    const keys = [
      ['no key', undefined, /Send the admin key/],
      ['another scheme', `Basic ${adminKey}`, /Send the admin key/],
      ['the assistant key', `Bearer ${serviceKey}`, /assistant key, which is public/],
      ['a user key', 'Bearer local_us_0123456789', /user key/],
      ['another admin key', 'Bearer local_other_0123456789', /not the admin key of this/],
      ['something else', 'Bearer 0123', /not an admin key/],
    ] as const;

    for (const [name, method, path, allowed] of endpoints) {
      for (const [problem, authorization, sentence] of keys) {
        it(`answers 401 to ${problem} (${name})`, async () => {
          const headers = new Headers({ 'content-type': 'application/json' });
          if (authorization !== undefined) headers.set('authorization', authorization);
          const response = await fetch(`${service.url}${path}`, { method, headers });
          assert.equal(response.headers.get('www-authenticate'), 'Bearer');
          const error = await errorOf(response, 401);
          assert.match(error, sentence);
          assert.ok(!error.includes('0123'), 'a key in an error');
        });
      }

      it(`answers 405 with the methods that it accepts (${name})`, async () => {
        const response = await call(service, path, { method: 'DELETE' });
        assert.equal(response.headers.get('allow'), allowed);
        await errorOf(response, 405);
      });
    }

    it('keeps keys and the queries of links out of the log', async () => {
      const { bundleUrl } = await bundleOf(service, await exportSite(service));
      await bytesOf(bundleUrl);
      const text = log.text();
      assert.match(text, /GET \/v1\/bundles\/[\w-]+\/bundle\.tar\.gz 200 /);
      assert.doesNotMatch(text, /X-Signature|X-Expires|local_|\?/);
    });
  });
});

describe('a static export job of the local docs service', () => {
  const clock = new FakeClock();
  const log = new RecordingLog();
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;

  before(async () => {
    docs = await docsFolder(pages);
    service = await startService(docs.root, { log, adminKey, clock, exportPaceMs: PACE_MS });
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await docs.remove();
    log.assertNoErrors();
  });

  /** Lets time pass until the job ends. */
  const finish = async (jobId: string): Promise<void> => {
    while ((await statusOf(service, jobId))['status'] !== 'completed') await clock.advance(PACE_MS);
  };

  it('reports its progress and its pages while it runs', async () => {
    const jobId = await startJob(service);
    await whenJob(service, jobId, { status: 'running' });
    const seen: number[] = [];
    for (;;) {
      const { status, progress, pageCount } = await statusOf(service, jobId);
      if (status === 'completed') break;
      if (status === 'running') {
        assert.ok(typeof progress === 'number' && progress >= 0 && progress < 100);
        assert.ok(typeof pageCount === 'number' && pageCount <= 3);
        seen.push(pageCount);
      }
      await clock.advance(PACE_MS);
    }
    assert.deepEqual([...new Set(seen)], [0, 1, 2, 3]);
  });

  it('is queued while another one renders, without progress', async () => {
    const [first, second] = [await startJob(service), await startJob(service)];
    await whenJob(service, first, { status: 'running' });
    const { createdAt: _, updatedAt: __, ...fields } = await statusOf(service, second);
    assert.deepEqual(fields, { jobId: second, status: 'queued' });
    await finish(first);
    await whenJob(service, second, { status: 'running' });
    await finish(second);
  });

  it('has no bundle before it completed: 409 with its status', async () => {
    const [first, second] = [await startJob(service), await startJob(service)];
    await whenJob(service, first, { status: 'running' });
    assert.match(await errorOf(await askForBundle(service, first), 409), /is running/);
    assert.match(await errorOf(await askForBundle(service, second), 409), /is queued/);
    await finish(second);
    await bundleOf(service, first);
  });

  it('lets questions be answered while it renders', async () => {
    const jobId = await startJob(service);
    await whenJob(service, jobId, { status: 'running' });
    const reply = ask(service, 'What do pelicans eat?');
    assert.match((await reply).text, /Pelicans eat fish/);
    assert.equal((await statusOf(service, jobId))['status'], 'running');
    await finish(jobId);
  });

  it('fails if there are no pages, and then has no bundle', async () => {
    const empty = await docsFolder({ 'notes.txt': 'no Markdown' });
    const other = await startService(empty.root, { adminKey });
    try {
      const jobId = await startJob(other);
      const { error } = await whenJob(other, jobId, { status: 'failed' });
      assert.match(String(error), /no Markdown pages/);
      const refusal = await errorOf(await askForBundle(other, jobId), 409);
      assert.match(refusal, /failed.*no Markdown pages/);
    } finally {
      await other.stop();
      await empty.remove();
    }
  });

  it('fails if the docs folder no longer exists', async () => {
    const gone = await docsFolder(pages);
    const other = await startService(gone.root, { adminKey });
    try {
      await other.whenIndexed();
      await gone.remove();
      const jobId = await startJob(other);
      const { error } = await whenJob(other, jobId, { status: 'failed' });
      assert.match(String(error), /can't be read \(ENOENT\)/);
    } finally {
      await other.stop();
    }
  });
});
