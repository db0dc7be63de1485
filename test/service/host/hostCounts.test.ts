import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { ReaderCounts } from '../../../src/host/readerCounts';
import { siteBelow, type HostedSite } from '../../builders/hostedSite';
import { FakeClock } from '../../fakes/fakeClock';
import { startSiteHost } from '../../fakes/siteHost';
import type { RunningHost } from '../../fakes/webServers';

const token = '0123456789abcdef-team';

describe('the counts of a host', () => {
  let hosted: HostedSite;
  let folder: string;
  let clock: FakeClock;
  let counts: ReaderCounts;
  let host: RunningHost;
  beforeEach(async () => {
    hosted = await siteBelow('/docs');
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-counts-'));
    clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
    counts = new ReaderCounts({ folder: path.join(folder, 'counts'), clock });
    await writeFile(path.join(folder, 'token'), `${token}\n`);
    host = await startSiteHost(hosted, { counts, tokenFile: path.join(folder, 'token'), clock });
  });
  afterEach(async () => {
    await host.stop();
    await hosted.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const own = (name: string): string => `${host.origin}/docs/_docs-assistant/host/${name}`;
  const report = (search: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(own('searches'), {
      method: 'POST',
      body: search,
      headers: { 'sec-fetch-site': 'same-origin', ...headers },
    });
  const shown = async (days = 30): Promise<Awaited<ReturnType<ReaderCounts['report']>>> => {
    const answer = await fetch(own(`counts.json?days=${days}`), {
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(answer.status, 200);
    return (await answer.json()) as Awaited<ReturnType<ReaderCounts['report']>>;
  };

  it('have the pages that readers opened, and neither files, redirects nor what was fetched in advance', async () => {
    const open = async (
      address: string,
      headers: Record<string, string> = {},
    ): Promise<Response> => {
      const answer = await fetch(`${host.origin}${address}`, { headers, redirect: 'manual' });
      await answer.text();
      return answer;
    };
    const first = await open('/docs/start');
    // A browser asks again for a page that it has.
    await open('/docs/start', { 'if-none-match': String(first.headers.get('etag')) });
    await open('/docs/guides/');
    for (const address of ['/docs/start.html', '/docs/app.4f2a9c1b.js', '/docs/none', '/'])
      await open(address);
    await open('/docs/', { 'sec-purpose': 'prefetch' });
    const { pages, views } = await shown();
    assert.deepEqual(pages, [
      { path: '/docs/start', views: 2 },
      { path: '/docs/guides/', views: 1 },
    ]);
    assert.equal(views, 3);
  });

  // Shows faults.md X8.
  it('have searches without a result, alike in one form, but no text that looks private', async () => {
    for (const search of [
      'Rate  limits',
      'rate limits ',
      'webhooks',
      'mail jane.doe@example.com',
      'call +49 151 23456789',
      'password=hunter2Zk8vQx1w',
      'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      'x'.repeat(300),
      '\u0000\n',
    ]) {
      assert.equal((await report(search)).status, 204, search);
    }
    const { searches, searchesWithoutResult } = await shown();
    assert.deepEqual(searches, [
      { text: 'rate limits', count: 2 },
      { text: 'webhooks', count: 1 },
    ]);
    assert.equal(searchesWithoutResult, 8);
    await counts.save();
    const saved = await readFile(path.join(folder, 'counts/2026-11-26.json'), 'utf8');
    assert.doesNotMatch(saved, /jane|23456789|hunter2|ghp_|127\.0\.0\.1/);
  });

  // Shows faults.md X8.
  it('take no search of another site, none that is too long, and no flood of them', async () => {
    assert.equal((await report('x', { 'sec-fetch-site': 'cross-site' })).status, 403);
    assert.equal((await report('x'.repeat(2000))).status, 413);
    assert.equal((await fetch(own('searches'))).status, 405);
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, index) => report(`search ${index}`)),
    );
    const refused = answers.filter(({ status }) => status === 429).length;
    assert.equal(refused, 50);
    assert.equal((await shown()).searchesWithoutResult, 100);
    await clock.advance(1000);
    assert.equal((await report('later')).status, 204);
  });

  it('take five searches in each second after a flood', async () => {
    const taken = (): number =>
      Array.from({ length: 120 }, () => counts.takeRoom()).filter(Boolean).length;
    assert.equal(taken(), 100);
    for (let second = 0; second < 3; second++) {
      await clock.advance(1000);
      assert.equal(taken(), 5);
    }
  });

  it('keep a limited number of texts, and count the others', async () => {
    for (let index = 0; index < 1200; index++)
      await counts.countSearch(`topic ${index.toString(36)}`);
    const { searches, searchesWithoutResult } = await counts.report(1);
    assert.equal(searches.length, 1000);
    assert.equal(searchesWithoutResult, 1200);
  }).timeout(60_000);

  it('continue after a restart, day by day, and forget old days', async () => {
    counts.countPage('/docs/start');
    await counts.save();
    const again = new ReaderCounts({ folder: path.join(folder, 'counts'), clock });
    await again.open();
    again.countPage('/docs/start');
    await clock.advance(24 * 60 * 60 * 1000);
    again.countPage('/docs/start');
    await again.save();
    const { pages, days } = await again.report(2);
    assert.deepEqual(pages, [{ path: '/docs/start', views: 3 }]);
    assert.deepEqual(
      days.map(({ day, views }) => [day, views]),
      [
        ['2026-11-26', 2],
        ['2026-11-27', 1],
      ],
    );
    await clock.advance(401 * 24 * 60 * 60 * 1000);
    const much = new ReaderCounts({ folder: path.join(folder, 'counts'), clock });
    await much.open();
    assert.deepEqual(await readdir(path.join(folder, 'counts')), []);
    await writeFile(path.join(folder, 'counts/2028-01-03.json'), '{"schemaVersion":9');
    assert.equal((await much.report(400)).views, 0);
  });

  it('are saved later if they could not be saved, also when nobody reads meanwhile', async () => {
    const place = path.join(folder, 'counts');
    await writeFile(place, 'a file where the folder belongs');
    counts.countPage('/docs/start');
    await assert.rejects(counts.save());
    await rm(place);
    await counts.save();
    const again = new ReaderCounts({ folder: place, clock });
    await again.open();
    assert.equal((await again.report(1)).views, 1);
  });

  it('are shown only to the docs team', async () => {
    const statusWith = async (authorization?: string): Promise<number> => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      return (await fetch(own('counts'), { headers })).status;
    };
    const basic = (password: string): string =>
      `Basic ${Buffer.from(`team:${password}`).toString('base64')}`;
    assert.equal(await statusWith(), 401);
    assert.equal(await statusWith(basic(`${token}x`)), 401);
    assert.equal(await statusWith('Bearer '), 401);
    assert.equal(await statusWith(basic(token)), 200);
    // A renewed token counts at once, and a file without one lets nobody in.
    await writeFile(path.join(folder, 'token'), 'another-token-of-the-team');
    assert.equal(await statusWith(basic(token)), 401);
    await writeFile(path.join(folder, 'token'), '');
    assert.equal(await statusWith(basic('')), 503);
    const open = await startSiteHost(hosted, { counts });
    try {
      const answer = await fetch(`${open.origin}/_docs-assistant/host/counts.json`);
      assert.equal(answer.status, 404);
    } finally {
      await open.stop();
    }
  });

  // Shows faults.md X8.
  it('show hostile texts as text', async () => {
    await report('<img src=x onerror=alert(1)>');
    const answer = await fetch(own('counts'), { headers: { authorization: `Bearer ${token}` } });
    const page = await answer.text();
    assert.match(page, /&lt;img src=x onerror=alert\(1\)&gt;/);
    assert.doesNotMatch(page, /<img/);
    const policy = String(answer.headers.get('content-security-policy'));
    assert.match(policy, /default-src 'none'/);
    const style = /<style>(.*)<\/style>/.exec(page)?.[1] ?? '';
    assert.ok(policy.includes(createHash('sha256').update(style).digest('base64')), style);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
  });

  it('tell the box of a page that searches are counted, without a cookie', async () => {
    const page = await fetch(`${host.origin}/docs/start`);
    assert.equal(page.headers.get('server-timing'), 'docs-assistant-counts');
    assert.equal(page.headers.get('set-cookie'), null);
    const silent = await startSiteHost(hosted);
    try {
      const other = await fetch(`${silent.origin}/docs/start`);
      assert.equal(other.headers.get('server-timing'), null);
      const sent = await fetch(`${silent.origin}/docs/_docs-assistant/host/searches`, {
        method: 'POST',
        body: 'x',
      });
      assert.equal(sent.status, 405);
    } finally {
      await silent.stop();
    }
  });
});
