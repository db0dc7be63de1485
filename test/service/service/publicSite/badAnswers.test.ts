import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { DocsSite, htmlPage, type SiteAnswer } from '../docsSite';
import { ask, until } from '../localServiceAsking';
import { fullText, useFetchedSite } from './fetchedSite';

describe('public site of the local docs service', () => {
  const world = useFetchedSite();
  const { fetchSite, sourcesOf, failureOf, pageSite } = world;

  describe('with bad answers', () => {
    const limits = { siteLimits: { maxFileBytes: 1024 * 1024, maxPageBytes: 100_000 } };

    it('is read from the next form if a file is a web page', async () => {
      world.site.fallback = {
        headers: { 'content-type': 'text/html' },
        body: htmlPage('App', '<p>An app</p>'),
      };
      const running = await fetchSite(pageSite(2));
      assert.deepEqual(await sourcesOf(running, 'topic1'), ['site:/p1']);
    });

    it('is not read if all of it is one web page', async () => {
      world.site.fallback = htmlPage('App', '<p>An app</p>');
      assert.match(await failureOf({}), /publishes no llms-full\.txt/);
    });

    for (const [what, answer] of [
      ['is too large by its own word', { headers: { 'content-length': '200000000' } }],
      [
        'grows forever',
        (_request, response) => {
          const line = `${'All about pelicans. '.repeat(1000)}\n`;
          const write = (): void => {
            while (!response.destroyed && response.write(line));
            if (!response.destroyed) response.once('drain', write);
          };
          write();
        },
      ],
      [
        'grows forever when it is unpacked',
        { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(20_000_000, 'a')) },
      ],
      ['is a compressed file that is too large', { body: gzipSync(Buffer.alloc(20_000_000, 'a')) }],
    ] as readonly (readonly [string, SiteAnswer])[]) {
      // Shows faults.md K4.
      it(`says so if llms-full.txt ${what}, and reads the next form`, async () => {
        assert.match(
          await failureOf({ '/llms-full.txt': answer }, undefined, limits),
          /^llms-full\.txt of 127\.0\.0\.1:\d+ is larger than 1 MB, and the site publishes its docs in no other form\.$/,
        );
        const running = await fetchSite(
          pageSite(2, { '/llms-full.txt': answer }),
          undefined,
          limits,
        );
        assert.deepEqual(await sourcesOf(running, 'topic1'), ['site:/p1']);
      });
    }

    for (const [what, answer] of [
      ['compressed without saying so', (text) => ({ body: gzipSync(text) })],
      [
        'compressed as it says',
        (text) => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(text) }),
      ],
      [
        'in Latin-1',
        (text) => ({
          headers: { 'content-type': 'text/plain; charset=iso-8859-1' },
          body: Buffer.from(text, 'latin1'),
        }),
      ],
      ['in Latin-1 without saying so', (text) => ({ body: Buffer.from(text, 'latin1') })],
      ['in UTF-16', (text) => ({ body: Buffer.from(`\uFEFF${text}`, 'utf16le') })],
    ] as readonly (readonly [string, (text: string) => SiteAnswer])[]) {
      // Shows faults.md K5.
      it(`is read if llms-full.txt is ${what}`, async () => {
        const text = fullText(world.site.url).replace('Pelicans eat', 'Größere Pelikane essen');
        const running = await fetchSite({ '/llms-full.txt': answer(text) });
        assert.match((await ask(running, 'Pelikane')).text, /Größere Pelikane/);
      });
    }

    // Shows faults.md K6.
    it('stops at sitemaps that list themselves and each other', async () => {
      const lists = (...names: string[]): string =>
        `<sitemapindex>${names.map((name) => `<sitemap><loc>${world.site.url}/${name}</loc></sitemap>`).join('')}</sitemapindex>`;
      assert.match(
        await failureOf({
          '/sitemap.xml': lists('sitemap.xml', 'b.xml'),
          '/b.xml': lists('sitemap.xml', 'b.xml', 'c.xml'),
          '/c.xml': lists('b.xml'),
        }),
        /publishes no llms-full\.txt/,
      );
      assert.equal(world.site.requests.filter((at) => at === '/sitemap.xml').length, 1);
      assert.equal(world.site.requests.filter((at) => at === '/b.xml').length, 1);
    });

    it('reads only as many pages as it may, and says so', async () => {
      await fetchSite(pageSite(40), undefined, { siteLimits: { maxPages: 10 } });
      assert.equal(world.site.requests.filter((at) => at.startsWith('/p')).length, 10);
      await until(() => world.refreshed.length === 1);
      assert.equal(world.refreshed[0]?.pages, 10);
      assert.deepEqual(world.refreshed[0].notes, [
        'The site has more than 10 pages. The first 10 were read.',
      ]);
    });

    it('reads only as many pages of a llms-full.txt as it may, and says so', async () => {
      const text = Array.from(
        { length: 40 },
        (_none, at) => `# T${at}\nSource: /t${at}\n\nText ${at}.\n`,
      ).join('\n');
      await fetchSite({ '/llms-full.txt': text }, undefined, { siteLimits: { maxPages: 10 } });
      await until(() => world.refreshed.length === 1);
      assert.equal(world.refreshed[0]?.pages, 10);
      assert.match(world.refreshed[0].notes.join(), /more than 10 pages/);
    });

    it('reads only as many bytes as it may, and says so', async () => {
      const body = htmlPage('Big', `<p>${'word '.repeat(40_000)}</p>`);
      await fetchSite(
        pageSite(
          40,
          Object.fromEntries(Array.from({ length: 40 }, (_none, at) => [`/p${at}`, body])),
        ),
        undefined,
        { siteLimits: { maxBytes: 1_000_000 } },
      );
      await until(() => world.refreshed.length === 1);
      assert.ok((world.refreshed[0]?.pages ?? 0) >= 5 && (world.refreshed[0]?.pages ?? 40) < 15);
      assert.deepEqual(world.refreshed[0]?.notes, [
        'The site has more than 1 MB. The rest of its pages was left out.',
      ]);
    });

    // Shows faults.md K7.
    it('follows no redirects to other sites and private addresses, and no endless redirects', async () => {
      const running = await fetchSite(
        pageSite(5, {
          '/p0': { status: 302, headers: { location: 'http://10.0.0.1/' } },
          '/p1': {
            status: 302,
            headers: { location: `http://localhost:${new URL(world.site.url).port}/p2` },
          },
          '/p2': { status: 301, headers: { location: '/p2' } },
          '/p3': { status: 301, headers: { location: '/p3/' } },
          '/p3/': htmlPage('Three', '<p>Text of topic3.</p>'),
        }),
      );
      assert.deepEqual(await sourcesOf(running, 'topic3'), ['site:/p3/']);
      await until(() => world.refreshed.length === 1);
      assert.deepEqual(world.refreshed[0]?.notes, [
        '2 pages lead to another site.',
        '1 page could not be read.',
      ]);
      assert.equal(world.site.requests.filter((at) => at === '/p2').length, 6);
    });

    it('takes no form for signing in as a page, and keeps the page that it had', async () => {
      const signIn = {
        status: 302,
        headers: { location: '/login?next=%2Fp1' },
      };
      const form = htmlPage('Sign in', '<form>Unicorns <input type="password" name="p"></form>');
      const running = await fetchSite(pageSite(3, { '/p2': signIn, '/login?next=%2Fp1': form }));
      assert.deepEqual(await sourcesOf(running, 'unicorns'), []);
      await until(() => world.refreshed.length === 1);
      assert.deepEqual(world.refreshed[0]?.notes, ['1 page could not be read.']);
      world.site.answers = { ...world.site.answers, '/p1': signIn };
      await running.refresh();
      assert.deepEqual(await sourcesOf(running, 'topic1'), ['site:/p1']);
    });

    it('names the site to which all of it is redirected', async () => {
      world.site.fallback = { status: 301, headers: { location: 'https://www.example.com/' } };
      assert.match(await failureOf({}), /redirects to www\.example\.com\. Choose that site/);
    });

    it('asks no other site for what a list names', async () => {
      const other = await DocsSite.start({});
      try {
        const text = `- [A](${other.url}/a.md)\n- [B](http://169.254.169.254/b.md)\n- [C](/c.md)\n- [D](file:///etc/passwd)`;
        await fetchSite({ '/llms.txt': text, '/c.md': '# C\n\nPelicans eat fish.' });
        assert.deepEqual(other.requests, []);
      } finally {
        await other.stop();
      }
    });

    it('says that nothing could be read if all pages fail', async () => {
      const missing = Object.fromEntries([0, 1, 2].map((at) => [`/p${at}`, { status: 403 }]));
      assert.match(await failureOf(pageSite(3, missing)), /Can’t read any of the pages/);
    });

    // Shows faults.md K12.
    it('keeps nothing if the site goes down in the middle', async () => {
      const answers = pageSite(60);
      const sentence = failureOf({
        ...answers,
        '/p20': (_request, response) => {
          response.destroy();
          void world.site.stop();
        },
      });
      assert.match(await sentence, /Can’t reach/);
      const { text } = await ask(world.service ?? assert.fail(), 'topic3');
      assert.match(text, /found nothing about that in these docs/);
    }).timeout(60_000);

    it('can be fetched by a refresh after a failure', async () => {
      await failureOf({});
      world.site.answers = { '/llms-full.txt': fullText(world.site.url) };
      await world.service?.refresh();
      await until(() => world.refreshed.length === 1);
      assert.equal(world.refreshed[0]?.pages, 2);
      assert.deepEqual(await sourcesOf(world.service ?? assert.fail(), 'pelicans'), [
        'site:/birds',
      ]);
    });

    it('shows text of a page as text, whatever it contains', async () => {
      const running = await fetchSite({
        '/llms-full.txt':
          '# A\nSource: /a\n\nPelicans <script>alert(1)</script> <img src=x onerror=alert(2)> [x](javascript:alert(3))\n\n# B\nSource: /b\n\nText\n',
      });
      const html = await (await fetch(`${running.url}/docs/a`)).text();
      assert.doesNotMatch(html, /<script|onerror|href="javascript/);
    });
  });
});
