import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../../../src/common/clock';
import type { Clock } from '../../../../src/common/ports';
import { htmlPage, sitemapOf } from '../docsSite';
import { ask, until } from '../localServiceAsking';
import { fullText, useFetchedSite } from './fetchedSite';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns a clock that is some time ahead of the system's. */
const clockAhead = (ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ms });

describe('public site of the local docs service', () => {
  const world = useFetchedSite();
  const { open, fetchSite, sourcesOf, pageSite } = world;

  describe('once it was read', () => {
    it('answers again without a request, and without the network', async () => {
      await fetchSite({ '/llms-full.txt': fullText(world.site.url) });
      const before = world.site.requests.length;
      const again = await open();
      await again.whenIndexed();
      assert.deepEqual(await sourcesOf(again, 'pelicans'), ['site:/birds']);
      assert.equal(world.site.requests.length, before);
      await until(() => world.refreshed.length === 2);
      assert.equal(world.refreshed[1]?.fetchedAt, world.refreshed[0]?.fetchedAt);

      await world.site.stop();
      const offline = await open(undefined, { clock: clockAhead(2 * DAY_MS) });
      await offline.whenIndexed();
      assert.deepEqual(await sourcesOf(offline, 'pelicans'), ['site:/birds']);
      await until(() => world.failures.length === 1);
      assert.match(world.failures[0] ?? '', /Can’t reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/);
      assert.deepEqual(await sourcesOf(offline, 'pelicans'), ['site:/birds']);
    }).timeout(20_000);

    it('is shown by the service itself without the network', async () => {
      const running = await fetchSite({ '/llms-full.txt': fullText(world.site.url) });
      await world.site.stop();
      const shown = await fetch(`${running.url}/docs/birds`);
      assert.equal(shown.status, 200);
      const html = await shown.text();
      assert.match(html, /Pelicans eat fish/);
      assert.match(html, /<h2 id="wings">Wings<\/h2>/);
    });

    // Shows faults.md I11.
    it('is kept for a day, then fetched again with the first question, while the old pages answer', async () => {
      await fetchSite({ '/llms-full.txt': fullText(world.site.url) });
      let release = (): void => undefined;
      world.site.answers = {
        '/llms-full.txt': (_request, response) => {
          release = () =>
            void response.end(fullText(world.site.url).replaceAll('Pelicans', 'Storks'));
        },
      };
      const running = await open(undefined, { clock: clockAhead(DAY_MS + 1000) });
      await running.whenIndexed();
      const before = world.site.requests.length;
      assert.equal((await fetch(`${running.url}/docs/birds`)).status, 200);
      assert.equal(world.site.requests.length, before, 'a start alone requests nothing');
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/birds']);
      await until(() => world.site.requests.filter((at) => at === '/llms-full.txt').length === 2);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/birds']);
      release();
      await until(async () => (await sourcesOf(running, 'storks')).length === 1);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), []);
    });

    it('is requested again only as far as it changed', async () => {
      const pages = {
        '/sitemap.xml': sitemapOf([
          `${world.site.url}/a`,
          `${world.site.url}/b`,
          `${world.site.url}/c`,
        ]),
        '/a': {
          headers: { etag: '"1"', 'content-type': 'text/html' },
          body: htmlPage('A', '<p>Pelicans eat fish.</p>'),
        },
        '/b': {
          headers: { etag: '"1"', 'content-type': 'text/html' },
          body: htmlPage('B', '<p>Penguins swim.</p>'),
        },
        '/c': htmlPage('C', '<p>Gulls shout.</p>'),
      };
      const running = await fetchSite(pages);
      world.site.answers = {
        '/sitemap.xml': sitemapOf([`${world.site.url}/a`, `${world.site.url}/b`]),
        '/a': pages['/a'],
        '/b': {
          headers: { etag: '"2"', 'content-type': 'text/html' },
          body: htmlPage('B', '<p>Storks eat frogs.</p>'),
        },
      };
      world.site.headers.length = 0;
      await running.refresh();
      await until(() => world.refreshed.length === 2);
      assert.equal(world.refreshed[1]?.pages, 2);
      assert.deepEqual(
        world.site.headers
          .map((headers) => headers['if-none-match'])
          .filter((tag) => tag !== undefined),
        ['"1"', '"1"'],
      );
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/a']);
      assert.deepEqual(await sourcesOf(running, 'storks'), ['site:/b']);
      assert.deepEqual(await sourcesOf(running, 'penguins'), []);
      assert.deepEqual(await sourcesOf(running, 'gulls'), []);
    });

    it('stays as it was if a refresh fails', async () => {
      const running = await fetchSite({ '/llms-full.txt': fullText(world.site.url) });
      const manifest = await readFile(path.join(world.cache, 'site.json'), 'utf8');
      world.site.answers = {};
      await running.refresh();
      assert.match(
        world.failures[0] ?? '',
        /publishes no llms-full\.txt, llms\.txt or sitemap\.xml/,
      );
      assert.equal(await readFile(path.join(world.cache, 'site.json'), 'utf8'), manifest);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/birds']);
      // A later refresh works again.
      world.site.answers = {
        '/llms-full.txt': fullText(world.site.url).replace('Pelicans', 'Storks'),
      };
      await running.refresh();
      await until(async () => (await sourcesOf(running, 'storks')).length === 1);
    });

    it('stays as it was if a refresh is canceled while the site sends nothing', async () => {
      const running = await fetchSite({ '/llms-full.txt': fullText(world.site.url) });
      world.site.answers = {};
      let asked = 0;
      // Never answers.
      world.site.fallback = () => (asked += 1);
      const refreshing = running.refresh();
      await until(() => asked > 0);
      running.cancelRefresh();
      await refreshing;
      assert.deepEqual(world.failures, []);
      assert.ok((await ask(running, 'pelicans')).isDone);
    });

    it('keeps a page that fails for a while', async () => {
      const running = await fetchSite(pageSite(3));
      world.site.answers = pageSite(3, { '/p1': { status: 500 } });
      await running.refresh();
      await until(() => world.refreshed.length === 2);
      assert.equal(world.refreshed[1]?.pages, 3);
      assert.deepEqual(world.refreshed[1].notes, ['1 page could not be read.']);
      assert.deepEqual(await sourcesOf(running, 'topic1'), ['site:/p1']);
    });

    // Shows faults.md K12.
    it('keeps the pages of a sitemap that the site fails to send for a while, and says so', async () => {
      const index = `<sitemapindex><sitemap><loc>${world.site.url}/more.xml</loc></sitemap><sitemap><loc>${world.site.url}/first.xml</loc></sitemap></sitemapindex>`;
      const answers = pageSite(3, {
        '/sitemap.xml': index,
        '/first.xml': sitemapOf([`${world.site.url}/p0`]),
        '/more.xml': sitemapOf([`${world.site.url}/p1`, `${world.site.url}/p2`]),
      });
      const running = await fetchSite(answers);
      // A page that the site no longer has isn't kept.
      world.site.answers = { ...answers, '/more.xml': { status: 500 }, '/p2': { status: 404 } };
      await running.refresh();
      await until(() => world.refreshed.length === 2);
      assert.deepEqual(world.refreshed[1]?.notes, [
        'The site couldn’t send all lists of its pages. Some pages can be missing.',
        '1 listed page doesn’t exist.',
      ]);
      assert.deepEqual(await sourcesOf(running, 'topic1'), ['site:/p1']);
      assert.deepEqual(await sourcesOf(running, 'topic2'), []);
    });

    for (const [file, form] of [
      ['llms-full.txt', (site: string) => fullText(site)],
      ['llms.txt', (site: string) => `# Docs\n\n- [Birds](${site}/birds.md)\n`],
    ] as const) {
      it(`is not read in another form while the site fails to send its ${file}`, async () => {
        const answers = {
          '/birds.md': '# Birds\n\nPelicans eat fish.\n',
          ...pageSite(1),
        };
        const running = await fetchSite({ ...answers, [`/${file}`]: form(world.site.url) });
        world.site.answers = { ...answers, [`/${file}`]: { status: 500 } };
        await running.refresh();
        await until(() => world.failures.length + world.refreshed.length === 2);
        assert.match(world.failures[0] ?? '', /^Can’t reach 127\.0\.0\.1:\d+ \(HTTP 500\)/);
        assert.equal((await sourcesOf(running, 'pelicans')).length, 1);
      });
    }

    for (const [what, damage] of [
      ['is damaged', '{"version":1,"url":'],
      ['has another form', '{"version":9,"files":"none"}'],
    ] as const) {
      // Shows faults.md K13.
      it(`is fetched again if the list ${what}`, async () => {
        await fetchSite({ '/llms-full.txt': fullText(world.site.url) });
        await writeFile(path.join(world.cache, 'site.json'), damage);
        const again = await open();
        await again.whenIndexed();
        assert.deepEqual(await sourcesOf(again, 'pelicans'), ['site:/birds']);
      });
    }

    it('is fetched as a whole if a page is missing in the folder', async () => {
      const answer = { headers: { etag: '"1"' }, body: fullText(world.site.url) };
      await fetchSite({ '/llms-full.txt': answer });
      const pages = path.join(world.cache, 'pages');
      for (const name of await readdir(pages, { recursive: true }))
        if (name.endsWith('.md')) await rm(path.join(pages, name));
      const again = await open();
      await again.whenIndexed();
      assert.deepEqual(await sourcesOf(again, 'pelicans'), []);
      await again.refresh();
      await until(async () => (await sourcesOf(again, 'pelicans')).length === 1);
    });

    it('keeps links to what only the site has', async () => {
      const running = await fetchSite({
        '/llms-full.txt': `# Birds\nSource: ${world.site.url}/guide/birds\n\nPelicans eat [fish](fish). See the ![map](../img/map.png) and the [form](/form.pdf).\n\n# Fish\nSource: ${world.site.url}/guide/fish\n\nFish swim.\n`,
      });
      const { text } = await ask(running, 'pelicans');
      assert.ok(text.includes(`[map](${world.site.url}/img/map.png)`), text);
      assert.ok(text.includes(`[form](${world.site.url}/form.pdf)`), text);
      assert.ok(text.includes(`[fish](${running.url}/docs/guide/fish)`), text);
    });

    it('is kept separately for each URL', async () => {
      await fetchSite({ '/llms-full.txt': fullText(world.site.url) });
      await fetchSite(
        { '/v2/llms-full.txt': fullText(world.site.url).replaceAll('Pelicans', 'Storks') },
        `${world.site.url}/v2/`,
      );
      assert.deepEqual(await sourcesOf(world.service ?? assert.fail(), 'pelicans'), []);
    });
  });
});
