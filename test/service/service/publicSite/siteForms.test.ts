import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../../../src/common/clock';
import type { ReadingProgress } from '../../../../src/docs/sources/pageSource';
import { DocsError } from '../../../../src/docs/docsError';
import { FakeClock } from '../../../fakes/fakeClock';
import { htmlPage, type SiteAnswer, sitemapOf } from '../docsSite';
import { ask, until } from '../localServiceAsking';
import { errorOf, start as startExport } from '../localServiceExporting';
import { fullText, useFetchedSite } from './fetchedSite';

describe('public site of the local docs service', () => {
  const world = useFetchedSite();
  const { open, fetchSite, sourcesOf, failureOf, pageSite } = world;

  describe('in each of its forms', () => {
    it('is read from its llms-full.txt, with the pages at their own URLs', async () => {
      const running = await fetchSite({
        '/llms-full.txt': fullText(world.site.url),
        '/llms.txt': '[A](/never.md)',
      });
      assert.deepEqual(await sourcesOf(running, 'What do pelicans eat?'), ['site:/birds']);
      assert.deepEqual(await sourcesOf(running, 'wide wings'), ['site:/birds#wings']);
      assert.deepEqual(world.site.requests, ['/robots.txt', '/llms-full.txt', '/llms.txt']);
      assert.match(world.site.headers[1]?.['user-agent'] ?? '', /^DocsAssistant\//);
      await until(() => world.refreshed.length === 1);
      const [docs] = world.refreshed;
      assert.equal(docs?.pages, 2);
      assert.equal(docs.sections, 3);
      assert.deepEqual(docs.notes, []);
      assert.ok(docs.sizeBytes > 80 && docs.sizeBytes < 200, String(docs.sizeBytes));
      assert.ok(Math.abs(docs.fetchedAt - Date.now()) < 60_000);
    });

    it('is read from its llms.txt and the Markdown that it lists', async () => {
      const running = await fetchSite({
        '/llms.txt': `# Docs\n\n- [Birds](${world.site.url}/birds.md)\n- [Fish](/guide/fish.html.md)\n- [Gone](/gone.md)\n- [Other](https://other.example.com/x.md)\n- [More](/api/llms.txt)\n`,
        '/api/llms.txt': '- [Frogs](/api/frogs.md)',
        '/birds.md':
          '> ## Documentation Index\n> Fetch the index at: https://x.dev/llms.txt\n\n# Birds\n\nPelicans eat fish.\n',
        '/guide/fish.html.md': '# Fish\n\nFish swim.\n\n## Fins\n\nSmall fins.\n',
        '/api/frogs.md': htmlPage('Frogs', '<p>Frogs jump.</p>'),
      });
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/birds']);
      assert.deepEqual(await sourcesOf(running, 'small fins'), ['site:/guide/fish.html#fins']);
      assert.deepEqual(await sourcesOf(running, 'frogs'), ['site:/api/frogs']);
      assert.doesNotMatch((await ask(running, 'pelicans')).text, /Documentation Index/);
      await until(() => world.refreshed.length === 1);
      assert.deepEqual(world.refreshed[0]?.notes, [
        '1 page is on another site and was left out.',
        '1 listed page doesn’t exist.',
      ]);
    });

    it('is read from its sitemaps and HTML, also compressed ones, four pages at once', async () => {
      const urls = Array.from({ length: 30 }, (_none, at) => `${world.site.url}/p${at}.html`);
      const held: (() => void)[] = [];
      /** Answers no page before four have been asked for, and then leaves time for a fifth to come. */
      const amongFour =
        (html: string): SiteAnswer =>
        (_request, response) => {
          held.push(() => response.end(html));
          if (world.site.mostAtOnce >= 4)
            setTimeout(() => held.splice(0).forEach((answer) => answer()), 5);
        };
      const running = await fetchSite({
        '/robots.txt': `User-agent: *\nSitemap: ${world.site.url}/maps/index.xml\n`,
        '/maps/index.xml': `<sitemapindex><sitemap><loc>${world.site.url}/maps/a.xml.gz</loc></sitemap></sitemapindex>`,
        '/maps/a.xml.gz': {
          headers: { 'content-type': 'application/gzip' },
          body: gzipSync(
            sitemapOf([...urls, `${world.site.url}/logo.png`, 'http://10.0.0.1/secret']),
          ),
        },
        ...Object.fromEntries(
          urls.map((url, at) => [
            new URL(url).pathname,
            amongFour(
              htmlPage(`Page ${at}`, `<h2 id="s">Section</h2><p>All about topic${at}.</p>`),
            ),
          ]),
        ),
      });
      assert.deepEqual(await sourcesOf(running, 'topic17'), ['site:/p17.html#s']);
      assert.deepEqual(await sourcesOf(running, 'unicorn'), []);
      assert.equal(world.site.mostAtOnce, 4);
      assert.equal(new Set(world.site.requests).size, world.site.requests.length);
      await until(() => world.refreshed.length === 1);
      assert.equal(world.refreshed[0]?.pages, 30);
    });

    it('is read from all sitemaps that its robots.txt names', async () => {
      await fetchSite(
        pageSite(2, {
          '/robots.txt': `Sitemap: ${world.site.url}/docs.xml\nSitemap: ${world.site.url}/api.xml\n`,
          '/docs.xml': sitemapOf([`${world.site.url}/p0`]),
          '/api.xml': sitemapOf([`${world.site.url}/p1`]),
          '/sitemap.xml': { status: 404 },
        }),
      );
      await until(() => world.refreshed.length === 1);
      assert.equal(world.refreshed[0]?.pages, 2);
    });

    it('is read from the part below the URL, with lists at the URL and at the root', async () => {
      const answers = {
        '/sitemap.xml': sitemapOf(
          ['/blog/a', '/docs/', '/docs/a', '/docs/b'].map((at) => world.site.url + at),
        ),
        '/blog/a': htmlPage('Blog', '<p>Pelicans are news.</p>'),
        '/docs/': htmlPage('Home', '<p>Start with pelicans.</p>'),
        '/docs/a': htmlPage('A', '<p>Storks eat frogs.</p>'),
        '/docs/b': htmlPage('B', '<p>Penguins swim.</p>'),
      };
      const running = await fetchSite(answers, `${world.site.url}/docs`);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/docs/']);
      assert.ok(!world.site.requests.includes('/blog/a'));
      assert.ok(world.site.requests.includes('/docs/llms-full.txt'));
      assert.ok(world.site.requests.includes('/llms-full.txt'));
    });

    it('gets the titles of its llms.txt if the pages of its llms-full.txt name no URLs', async () => {
      const running = await fetchSite({
        '/llms-full.txt': '# Birds\n\nPelicans eat fish.\n\n# Fish\n\nFish swim.\n',
        '/llms.txt': '- [Birds](/guide/birds.md)',
      });
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/guide/birds']);
      assert.match((await sourcesOf(running, 'swim'))[0] ?? '', /\/docs\/fish#fish$/);
    });
  });

  describe('with rules for requests', () => {
    it('is asked again after the time that it names', async () => {
      let tries = 0;
      world.site.answers = {
        '/llms-full.txt': (_request, response) => {
          if (tries++ === 0) response.writeHead(429, { 'retry-after': '20' }).end();
          else response.end(fullText(world.site.url));
        },
      };
      const clock = new FakeClock();
      const running = await open(world.site.url, { clock });
      await until(() =>
        world.log.text('info').includes('/llms-full.txt: HTTP 429, next try in 20 s'),
      );
      await clock.advance(19_999);
      assert.equal(tries, 1);
      await clock.advance(1);
      await running.whenIndexed();
      assert.equal(tries, 2);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/birds']);
    });

    // Shows faults.md K10.
    it('is not read if it asks to wait for long', async () => {
      assert.match(
        await failureOf({ '/llms-full.txt': { status: 503, headers: { 'retry-after': '3600' } } }),
        /asks to wait 3600 s/,
      );
    });

    it('is read without the pages that its robots.txt excludes', async () => {
      await fetchSite(
        pageSite(4, {
          '/robots.txt':
            'User-agent: *\nDisallow: /p1\nDisallow: /p2$\n\nUser-agent: Other\nDisallow: /\n',
        }),
      );
      assert.deepEqual(world.site.requests.filter((at) => at.startsWith('/p')).sort(), [
        '/p0',
        '/p3',
      ]);
      await until(() => world.refreshed.length === 1);
      assert.deepEqual(world.refreshed[0]?.notes, [
        '2 pages were left out because robots.txt excludes them.',
      ]);
    });

    // Shows faults.md K9.
    it('is not read if its robots.txt forbids it, with no request but that one', async () => {
      const answers = pageSite(2, { '/robots.txt': 'User-agent: DocsAssistant\nDisallow: /\n' });
      assert.match(await failureOf(answers), /does not allow programs to read its pages/);
      assert.deepEqual(world.site.requests, ['/robots.txt']);
    });

    it('is not read while its robots.txt fails', async () => {
      assert.match(
        await failureOf(pageSite(2, { '/robots.txt': { status: 500 } })),
        /can’t send its robots\.txt \(HTTP 500\)/,
      );
    });
  });

  it('is not exported', async () => {
    const running = await fetchSite({ '/llms-full.txt': fullText(world.site.url) });
    assert.match(
      await errorOf(await startExport(running, { domain: running.domain }), 409),
      /published site/,
    );
  });

  for (const address of [
    'docs.example.com',
    'ftp://docs.example.com',
    'https://me:pw@docs.example.com',
  ]) {
    it(`is refused by the URL ${address}`, async () => {
      await assert.rejects(
        open(address),
        (error) => error instanceof DocsError && /https:\/\//.test(error.message),
      );
    });
  }

  it('reports its progress, at the first fetch and at later ones', async () => {
    let ahead = 0;
    const progress: ReadingProgress[] = [];
    const running = await fetchSite(pageSite(20), undefined, {
      onProgress: (report) => progress.push(report),
      // Enough time passes between any two pages.
      clock: { ...systemClock, now: () => systemClock.now() + (ahead += 300) },
    });
    assert.ok(progress.length >= 10, String(progress.length));
    assert.ok(progress.every(({ total }) => total === 20));
    const sizes = progress.map(({ pages, sizeBytes = 0 }) => [pages, sizeBytes] as const);
    const [first = [0, 0], last = [0, 0]] = [sizes[0], sizes.at(-1)];
    assert.ok(last[0] > first[0] && last[1] > first[1], JSON.stringify(sizes));
    progress.length = 0;
    await running.refresh();
    assert.ok(progress.length >= 10, String(progress.length));
  });

  it('answers from the pages that have come so far', async () => {
    let release = (): void => undefined;
    world.site.answers = pageSite(3, {
      '/p2': (_request, response) => {
        release = () => void response.end(htmlPage('Page 2', '<p>Text of topic2 here.</p>'));
      },
    });
    const running = await open(undefined, { patienceMs: 0 });
    await until(async () => (await sourcesOf(running, 'topic0')).length === 1);
    assert.match((await ask(running, 'topic2')).reasoning, /still being indexed/);
    release();
    await running.whenIndexed();
    assert.deepEqual(await sourcesOf(running, 'topic2'), ['site:/p2']);
  });
});
