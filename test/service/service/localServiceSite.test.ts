import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { systemClock } from '../../../src/common/clock';
import { plainTranslate } from '../../../src/common/errors';
import type { Clock } from '../../../src/common/ports';
import type { ReadingProgress } from '../../../src/docs/sources/pageSource';
import { DocsError } from '../../../src/docs/docsError';
import type { RefreshedDocs } from '../../../src/docs/engine';
import type { LocalService, LocalServiceOptions } from '../../../src/service/server/server';
import { SiteError, siteErrorText } from '../../../src/docs/sources/site/siteErrors';
import { FakeClock } from '../../fakes/fakeClock';
import { RecordingLog } from '../../fakes/recordingLog';
import { DocsSite, htmlPage, type SiteAnswer, sitemapOf } from './docsSite';
import { ask, startService, until } from './localServiceAsking';
import { adminKey, errorOf, start as startExport } from './localServiceExporting';

const DAY_MS = 24 * 60 * 60 * 1000;

const fullText = (site: string): string =>
  `# Birds\nSource: ${site}/birds\n\nPelicans eat fish.\n\n## Wings\n\nTheir wings are wide.\n\n# Fish\nSource: ${site}/guide/fish\n\nFish swim in water.\n`;

/** A clock that is some time ahead of the system's. */
const clockAhead = (ms: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ms });

describe('public site of the local docs service', () => {
  let site: DocsSite;
  let cache: string;
  let service: LocalService | undefined;
  let refreshed: RefreshedDocs[];
  let failures: string[];
  const log = new RecordingLog();

  beforeEach(async () => {
    site = await DocsSite.start({});
    cache = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-site-'));
    refreshed = [];
    failures = [];
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await site.stop();
    await rm(cache, { recursive: true, force: true, maxRetries: 5 });
    log.assertNoErrors();
  });

  const open = async (
    address = site.url,
    options: Partial<LocalServiceOptions> = {},
  ): Promise<LocalService> => {
    await service?.stop();
    service = await startService('', {
      docs: { kind: 'site', url: address, cache },
      adminKey,
      log,
      onRefreshed: (docs) => refreshed.push(docs),
      onRefreshFailed: (message) => failures.push(message),
      ...options,
    });
    return service;
  };

  /** Starts the service over a site with these answers, and waits for its pages. */
  const fetchSite = async (
    answers: Readonly<Record<string, SiteAnswer>>,
    address?: string,
    options?: Partial<LocalServiceOptions>,
  ): Promise<LocalService> => {
    site.answers = answers;
    const running = await open(address, options);
    await running.whenIndexed();
    return running;
  };

  const sourcesOf = async (running: LocalService, question: string): Promise<string[]> =>
    (await ask(running, question)).sources.map(({ url }) => url.replace(site.url, 'site:'));

  /** Returns the sentence about why no set could be fetched. */
  const failureOf = async (
    answers: Readonly<Record<string, SiteAnswer>>,
    address?: string,
    options?: Partial<LocalServiceOptions>,
  ): Promise<string> => {
    try {
      await fetchSite(answers, address, options);
    } catch (error) {
      assert.ok(error instanceof SiteError, String(error));
      // Nothing is half-kept: no list, no page.
      assert.deepEqual(await readdir(cache), ['pages']);
      const files = await readdir(path.join(cache, 'pages'), { recursive: true });
      assert.deepEqual(
        files.filter((name) => name.includes('.')),
        [],
      );
      return siteErrorText(error, plainTranslate);
    }
    throw new Error('The site was read');
  };

  const pageSite = (count: number, more: Readonly<Record<string, SiteAnswer>> = {}) => ({
    '/sitemap.xml': sitemapOf(Array.from({ length: count }, (_none, at) => `${site.url}/p${at}`)),
    ...Object.fromEntries(
      Array.from({ length: count }, (_none, at) => [
        `/p${at}`,
        htmlPage(`Page ${at}`, `<p>Text of topic${at} here.</p>`),
      ]),
    ),
    ...more,
  });

  describe('in each of its forms', () => {
    it('is read from its llms-full.txt, with the pages at their own URLs', async () => {
      const running = await fetchSite({
        '/llms-full.txt': fullText(site.url),
        '/llms.txt': '[A](/never.md)',
      });
      assert.deepEqual(await sourcesOf(running, 'What do pelicans eat?'), ['site:/birds']);
      assert.deepEqual(await sourcesOf(running, 'wide wings'), ['site:/birds#wings']);
      assert.deepEqual(site.requests, ['/robots.txt', '/llms-full.txt', '/llms.txt']);
      assert.match(site.headers[1]?.['user-agent'] ?? '', /^DocsAssistant\//);
      await until(() => refreshed.length === 1);
      const [docs] = refreshed;
      assert.equal(docs?.pages, 2);
      assert.equal(docs.sections, 3);
      assert.deepEqual(docs.notes, []);
      assert.ok(docs.sizeBytes > 80 && docs.sizeBytes < 200, String(docs.sizeBytes));
      assert.ok(Math.abs(docs.fetchedAt - Date.now()) < 60_000);
    });

    it('is read from its llms.txt and the Markdown that it lists', async () => {
      const running = await fetchSite({
        '/llms.txt': `# Docs\n\n- [Birds](${site.url}/birds.md)\n- [Fish](/guide/fish.html.md)\n- [Gone](/gone.md)\n- [Other](https://other.example.com/x.md)\n- [More](/api/llms.txt)\n`,
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
      await until(() => refreshed.length === 1);
      assert.deepEqual(refreshed[0]?.notes, [
        '1 page is on another site and was left out.',
        '1 listed page doesn’t exist.',
      ]);
    });

    it('is read from its sitemaps and HTML, also compressed ones, four pages at once', async () => {
      const urls = Array.from({ length: 30 }, (_none, at) => `${site.url}/p${at}.html`);
      const held: (() => void)[] = [];
      /** Answers no page before four have been asked for, and then leaves time for a fifth to come. */
      const amongFour =
        (html: string): SiteAnswer =>
        (_request, response) => {
          held.push(() => response.end(html));
          if (site.mostAtOnce >= 4)
            setTimeout(() => held.splice(0).forEach((answer) => answer()), 5);
        };
      const running = await fetchSite({
        '/robots.txt': `User-agent: *\nSitemap: ${site.url}/maps/index.xml\n`,
        '/maps/index.xml': `<sitemapindex><sitemap><loc>${site.url}/maps/a.xml.gz</loc></sitemap></sitemapindex>`,
        '/maps/a.xml.gz': {
          headers: { 'content-type': 'application/gzip' },
          body: gzipSync(sitemapOf([...urls, `${site.url}/logo.png`, 'http://10.0.0.1/secret'])),
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
      assert.equal(site.mostAtOnce, 4);
      assert.equal(new Set(site.requests).size, site.requests.length);
      await until(() => refreshed.length === 1);
      assert.equal(refreshed[0]?.pages, 30);
    });

    it('is read from the part below the URL, with lists at the URL and at the root', async () => {
      const answers = {
        '/sitemap.xml': sitemapOf(
          ['/blog/a', '/docs/', '/docs/a', '/docs/b'].map((at) => site.url + at),
        ),
        '/blog/a': htmlPage('Blog', '<p>Pelicans are news.</p>'),
        '/docs/': htmlPage('Home', '<p>Start with pelicans.</p>'),
        '/docs/a': htmlPage('A', '<p>Storks eat frogs.</p>'),
        '/docs/b': htmlPage('B', '<p>Penguins swim.</p>'),
      };
      const running = await fetchSite(answers, `${site.url}/docs`);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/docs/']);
      assert.ok(!site.requests.includes('/blog/a'));
      assert.ok(site.requests.includes('/docs/llms-full.txt'));
      assert.ok(site.requests.includes('/llms-full.txt'));
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

  describe('once it was read', () => {
    it('answers again without a request, and without the network', async () => {
      await fetchSite({ '/llms-full.txt': fullText(site.url) });
      const before = site.requests.length;
      const again = await open();
      await again.whenIndexed();
      assert.deepEqual(await sourcesOf(again, 'pelicans'), ['site:/birds']);
      assert.equal(site.requests.length, before);
      await until(() => refreshed.length === 2);
      assert.equal(refreshed[1]?.fetchedAt, refreshed[0]?.fetchedAt);

      await site.stop();
      const offline = await open(undefined, { clock: clockAhead(2 * DAY_MS) });
      await offline.whenIndexed();
      assert.deepEqual(await sourcesOf(offline, 'pelicans'), ['site:/birds']);
      await until(() => failures.length === 1);
      assert.match(failures[0] ?? '', /Can’t reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/);
      assert.deepEqual(await sourcesOf(offline, 'pelicans'), ['site:/birds']);
    }).timeout(20_000);

    it('is shown by the service itself without the network', async () => {
      const running = await fetchSite({ '/llms-full.txt': fullText(site.url) });
      await site.stop();
      const shown = await fetch(`${running.url}/docs/birds`);
      assert.equal(shown.status, 200);
      const html = await shown.text();
      assert.match(html, /Pelicans eat fish/);
      assert.match(html, /<h2 id="wings">Wings<\/h2>/);
    });

    // Shows faults.md I11.
    it('is kept for a day, then fetched again with the first question, while the old pages answer', async () => {
      await fetchSite({ '/llms-full.txt': fullText(site.url) });
      let release = (): void => undefined;
      site.answers = {
        '/llms-full.txt': (_request, response) => {
          release = () => void response.end(fullText(site.url).replaceAll('Pelicans', 'Storks'));
        },
      };
      const running = await open(undefined, { clock: clockAhead(DAY_MS + 1000) });
      await running.whenIndexed();
      const before = site.requests.length;
      assert.equal((await fetch(`${running.url}/docs/birds`)).status, 200);
      assert.equal(site.requests.length, before, 'a start alone requests nothing');
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/birds']);
      await until(() => site.requests.filter((at) => at === '/llms-full.txt').length === 2);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/birds']);
      release();
      await until(async () => (await sourcesOf(running, 'storks')).length === 1);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), []);
    });

    it('is requested again only as far as it changed', async () => {
      const pages = {
        '/sitemap.xml': sitemapOf([`${site.url}/a`, `${site.url}/b`, `${site.url}/c`]),
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
      site.answers = {
        '/sitemap.xml': sitemapOf([`${site.url}/a`, `${site.url}/b`]),
        '/a': pages['/a'],
        '/b': {
          headers: { etag: '"2"', 'content-type': 'text/html' },
          body: htmlPage('B', '<p>Storks eat frogs.</p>'),
        },
      };
      site.headers.length = 0;
      await running.refresh();
      await until(() => refreshed.length === 2);
      assert.equal(refreshed[1]?.pages, 2);
      assert.deepEqual(
        site.headers.map((headers) => headers['if-none-match']).filter((tag) => tag !== undefined),
        ['"1"', '"1"'],
      );
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/a']);
      assert.deepEqual(await sourcesOf(running, 'storks'), ['site:/b']);
      assert.deepEqual(await sourcesOf(running, 'penguins'), []);
      assert.deepEqual(await sourcesOf(running, 'gulls'), []);
    });

    it('stays as it was if a refresh fails', async () => {
      const running = await fetchSite({ '/llms-full.txt': fullText(site.url) });
      const manifest = await readFile(path.join(cache, 'site.json'), 'utf8');
      site.answers = {};
      await running.refresh();
      assert.match(failures[0] ?? '', /publishes no llms-full\.txt, llms\.txt or sitemap\.xml/);
      assert.equal(await readFile(path.join(cache, 'site.json'), 'utf8'), manifest);
      assert.deepEqual(await sourcesOf(running, 'pelicans'), ['site:/birds']);
      // A later refresh works again.
      site.answers = { '/llms-full.txt': fullText(site.url).replace('Pelicans', 'Storks') };
      await running.refresh();
      await until(async () => (await sourcesOf(running, 'storks')).length === 1);
    });

    it('stays as it was if a refresh is canceled while the site sends nothing', async () => {
      const running = await fetchSite({ '/llms-full.txt': fullText(site.url) });
      site.answers = {};
      let asked = 0;
      // Never answers.
      site.fallback = () => (asked += 1);
      const refreshing = running.refresh();
      await until(() => asked > 0);
      running.cancelRefresh();
      await refreshing;
      assert.deepEqual(failures, []);
      assert.ok((await ask(running, 'pelicans')).isDone);
    });

    it('keeps a page that fails for a while', async () => {
      const running = await fetchSite(pageSite(3));
      site.answers = pageSite(3, { '/p1': { status: 500 } });
      await running.refresh();
      await until(() => refreshed.length === 2);
      assert.equal(refreshed[1]?.pages, 3);
      assert.deepEqual(refreshed[1].notes, ['1 page could not be read.']);
      assert.deepEqual(await sourcesOf(running, 'topic1'), ['site:/p1']);
    });

    for (const [what, damage] of [
      ['is damaged', '{"version":1,"url":'],
      ['has another form', '{"version":9,"files":"none"}'],
    ] as const) {
      // Shows faults.md K13.
      it(`is fetched again if the list ${what}`, async () => {
        await fetchSite({ '/llms-full.txt': fullText(site.url) });
        await writeFile(path.join(cache, 'site.json'), damage);
        const again = await open();
        await again.whenIndexed();
        assert.deepEqual(await sourcesOf(again, 'pelicans'), ['site:/birds']);
      });
    }

    it('is fetched as a whole if a page is missing in the folder', async () => {
      const answer = { headers: { etag: '"1"' }, body: fullText(site.url) };
      await fetchSite({ '/llms-full.txt': answer });
      const pages = path.join(cache, 'pages');
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
        '/llms-full.txt': `# Birds\nSource: ${site.url}/guide/birds\n\nPelicans eat [fish](fish). See the ![map](../img/map.png) and the [form](/form.pdf).\n\n# Fish\nSource: ${site.url}/guide/fish\n\nFish swim.\n`,
      });
      const { text } = await ask(running, 'pelicans');
      assert.ok(text.includes(`[map](${site.url}/img/map.png)`), text);
      assert.ok(text.includes(`[form](${site.url}/form.pdf)`), text);
      assert.ok(text.includes(`[fish](${running.url}/docs/guide/fish)`), text);
    });

    it('is kept separately for each URL', async () => {
      await fetchSite({ '/llms-full.txt': fullText(site.url) });
      await fetchSite(
        { '/v2/llms-full.txt': fullText(site.url).replaceAll('Pelicans', 'Storks') },
        `${site.url}/v2/`,
      );
      assert.deepEqual(await sourcesOf(service ?? assert.fail(), 'pelicans'), []);
    });
  });

  describe('with rules for requests', () => {
    it('is asked again after the time that it names', async () => {
      let tries = 0;
      site.answers = {
        '/llms-full.txt': (_request, response) => {
          if (tries++ === 0) response.writeHead(429, { 'retry-after': '20' }).end();
          else response.end(fullText(site.url));
        },
      };
      const clock = new FakeClock();
      const running = await open(site.url, { clock });
      await until(() => log.text('info').includes('/llms-full.txt: HTTP 429, next try in 20 s'));
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
      assert.deepEqual(site.requests.filter((at) => at.startsWith('/p')).sort(), ['/p0', '/p3']);
      await until(() => refreshed.length === 1);
      assert.deepEqual(refreshed[0]?.notes, [
        '2 pages were left out because robots.txt excludes them.',
      ]);
    });

    // Shows faults.md K9.
    it('is not read if its robots.txt forbids it, with no request but that one', async () => {
      const answers = pageSite(2, { '/robots.txt': 'User-agent: DocsAssistant\nDisallow: /\n' });
      assert.match(await failureOf(answers), /does not allow programs to read its pages/);
      assert.deepEqual(site.requests, ['/robots.txt']);
    });

    it('is not read while its robots.txt fails', async () => {
      assert.match(
        await failureOf(pageSite(2, { '/robots.txt': { status: 500 } })),
        /can’t send its robots\.txt \(HTTP 500\)/,
      );
    });
  });

  describe('with bad answers', () => {
    const limits = { siteLimits: { maxFileBytes: 1024 * 1024, maxPageBytes: 100_000 } };

    it('is read from the next form if a file is a web page', async () => {
      site.fallback = {
        headers: { 'content-type': 'text/html' },
        body: htmlPage('App', '<p>An app</p>'),
      };
      const running = await fetchSite(pageSite(2));
      assert.deepEqual(await sourcesOf(running, 'topic1'), ['site:/p1']);
    });

    it('is not read if all of it is one web page', async () => {
      site.fallback = htmlPage('App', '<p>An app</p>');
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
        const text = fullText(site.url).replace('Pelicans eat', 'Größere Pelikane essen');
        const running = await fetchSite({ '/llms-full.txt': answer(text) });
        assert.match((await ask(running, 'Pelikane')).text, /Größere Pelikane/);
      });
    }

    // Shows faults.md K6.
    it('stops at sitemaps that list themselves and each other', async () => {
      const lists = (...names: string[]): string =>
        `<sitemapindex>${names.map((name) => `<sitemap><loc>${site.url}/${name}</loc></sitemap>`).join('')}</sitemapindex>`;
      assert.match(
        await failureOf({
          '/sitemap.xml': lists('sitemap.xml', 'b.xml'),
          '/b.xml': lists('sitemap.xml', 'b.xml', 'c.xml'),
          '/c.xml': lists('b.xml'),
        }),
        /publishes no llms-full\.txt/,
      );
      assert.equal(site.requests.filter((at) => at === '/sitemap.xml').length, 1);
      assert.equal(site.requests.filter((at) => at === '/b.xml').length, 1);
    });

    it('reads only as many pages as it may, and says so', async () => {
      await fetchSite(pageSite(40), undefined, { siteLimits: { maxPages: 10 } });
      assert.equal(site.requests.filter((at) => at.startsWith('/p')).length, 10);
      await until(() => refreshed.length === 1);
      assert.equal(refreshed[0]?.pages, 10);
      assert.deepEqual(refreshed[0].notes, [
        'The site has more than 10 pages. The first 10 were read.',
      ]);
    });

    it('reads only as many pages of a llms-full.txt as it may, and says so', async () => {
      const text = Array.from(
        { length: 40 },
        (_none, at) => `# T${at}\nSource: /t${at}\n\nText ${at}.\n`,
      ).join('\n');
      await fetchSite({ '/llms-full.txt': text }, undefined, { siteLimits: { maxPages: 10 } });
      await until(() => refreshed.length === 1);
      assert.equal(refreshed[0]?.pages, 10);
      assert.match(refreshed[0].notes.join(), /more than 10 pages/);
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
      await until(() => refreshed.length === 1);
      assert.ok((refreshed[0]?.pages ?? 0) >= 5 && (refreshed[0]?.pages ?? 40) < 15);
      assert.deepEqual(refreshed[0]?.notes, [
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
            headers: { location: `http://localhost:${new URL(site.url).port}/p2` },
          },
          '/p2': { status: 301, headers: { location: '/p2' } },
          '/p3': { status: 301, headers: { location: '/p3/' } },
          '/p3/': htmlPage('Three', '<p>Text of topic3.</p>'),
        }),
      );
      assert.deepEqual(await sourcesOf(running, 'topic3'), ['site:/p3/']);
      await until(() => refreshed.length === 1);
      assert.deepEqual(refreshed[0]?.notes, [
        '2 pages lead to another site.',
        '1 page could not be read.',
      ]);
      assert.equal(site.requests.filter((at) => at === '/p2').length, 6);
    });

    it('names the site to which all of it is redirected', async () => {
      site.fallback = { status: 301, headers: { location: 'https://www.example.com/' } };
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
          void site.stop();
        },
      });
      assert.match(await sentence, /Can’t reach/);
      const { text } = await ask(service ?? assert.fail(), 'topic3');
      assert.match(text, /found nothing about that in these docs/);
    }).timeout(60_000);

    it('can be fetched by a refresh after a failure', async () => {
      await failureOf({});
      site.answers = { '/llms-full.txt': fullText(site.url) };
      await service?.refresh();
      await until(() => refreshed.length === 1);
      assert.equal(refreshed[0]?.pages, 2);
      assert.deepEqual(await sourcesOf(service ?? assert.fail(), 'pelicans'), ['site:/birds']);
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

  it('is not exported', async () => {
    const running = await fetchSite({ '/llms-full.txt': fullText(site.url) });
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
    site.answers = pageSite(3, {
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
