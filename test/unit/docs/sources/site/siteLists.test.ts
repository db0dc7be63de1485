import assert from 'node:assert/strict';
import { readLlmsIndex } from '../../../../../src/docs/sources/site/llmsIndex';
import { AddressPolicy, networkOf } from '../../../../../src/docs/sources/site/guardedFetch';
import { readSitemap } from '../../../../../src/docs/sources/site/sitemap';
import {
  listFolders,
  pagePathOf,
  parseSiteUrl,
  readersUrl,
  withinScope,
} from '../../../../../src/docs/sources/site/sitePaths';

const noBreath = (): Promise<void> => Promise.resolve();

describe('readLlmsIndex', () => {
  it('finds the pages of an llms.txt, each once', () => {
    const { pages, indexes } = readLlmsIndex(
      '# Docs\n\n> About\n\n- [Birds](https://x.dev/birds.md): feathers\n- [Fish](/fish.md#fins)\n- [Fish again](/fish.md)\n- ![Logo](/logo.png) [PDF](/a.pdf) [Spec](/openapi.json)\n- [Mail](mailto:a@x.dev)\n- [API](https://x.dev/api/llms.txt) [Full](https://x.dev/llms-full.txt)\n- [Odd](/a_(b).md)\n',
      'https://x.dev/llms.txt',
      100,
    );
    assert.deepEqual(pages, [
      { url: 'https://x.dev/birds.md', title: 'Birds' },
      { url: 'https://x.dev/fish.md', title: 'Fish' },
      { url: 'https://x.dev/a_(b).md', title: 'Odd' },
    ]);
    assert.deepEqual(indexes, ['https://x.dev/api/llms.txt']);
  });

  it('stops at the limit of pages', () => {
    const text = Array.from({ length: 50 }, (_none, at) => `[${at}](/p${at}.md)`).join('\n');
    assert.equal(readLlmsIndex(text, 'https://x.dev/llms.txt', 20).pages.length, 20);
  });
});

describe('readSitemap', () => {
  it('finds pages and further sitemaps, and no images', async () => {
    const xml =
      '<?xml version="1.0"?><urlset xmlns:image="x"><url><loc> https://x.dev/a?b=1&amp;c=2 </loc><lastmod>2024</lastmod><image:image><image:loc>https://x.dev/i.png</image:loc></image:image></url><url><loc><![CDATA[https://x.dev/b]]></loc></url></urlset>';
    assert.deepEqual(await readSitemap(xml, 10, noBreath), {
      pages: ['https://x.dev/a?b=1&c=2', 'https://x.dev/b'],
      sitemaps: [],
    });
    const index =
      '<sitemapindex><sitemap><loc>https://x.dev/sitemap-1.xml</loc></sitemap></sitemapindex>';
    assert.deepEqual(await readSitemap(index, 10, noBreath), {
      pages: [],
      sitemaps: ['https://x.dev/sitemap-1.xml'],
    });
  });

  it('reads a list of lines', async () => {
    assert.deepEqual(
      (await readSitemap('https://x.dev/a\r\nno url\nhttps://x.dev/b\n', 10, noBreath)).pages,
      ['https://x.dev/a', 'https://x.dev/b'],
    );
  });

  it('ignores entries beyond the limit, and reads a million URLs in turns', async () => {
    let turns = 0;
    const xml = `<urlset>${'<url><loc>https://x.dev/a</loc></url>'.repeat(1_000_000)}</urlset>`;
    const { pages } = await readSitemap(xml, 100_000, () => {
      turns++;
      return Promise.resolve();
    });
    assert.equal(pages.length, 100_000);
    assert.ok(turns > 5, String(turns));
  });

  for (const xml of [
    '<urlset><url><loc>https://x.dev/a',
    '<urlset></url></loc>',
    '<html><body>',
    '',
  ]) {
    it(`reads broken XML: ${xml}`, async () =>
      assert.deepEqual(await readSitemap(xml, 10, noBreath), { pages: [], sitemaps: [] }));
  }
});

describe('paths of a site', () => {
  for (const [url, path] of [
    ['https://x.dev/', 'index.md'],
    ['https://x.dev/guide/', 'guide/index.md'],
    ['https://x.dev/guide', 'guide.md'],
    ['https://x.dev/guide/start.html', 'guide/start.md'],
    ['https://x.dev/guide/start.html.md', 'guide/start.md'],
    ['https://x.dev/%C3%BCber/a%2Fb', 'über/a/b.md'],
    ['https://x.dev/..%2F..%2Fetc/passwd', '_/_/etc/passwd.md'],
    ['https://x.dev/.git/config', '_git/config.md'],
    ['https://x.dev/a%00b', 'a-b.md'],
    ['https://x.dev/a?page=2', 'a-page=2.md'],
    ['https://x.dev/v1.2/notes', 'v1.2/notes.md'],
  ] as const) {
    it(`puts ${url} at ${path}`, () => assert.equal(pagePathOf(new URL(url)), path));
  }

  for (const [url, shown] of [
    ['https://x.dev/a.md', 'https://x.dev/a'],
    ['https://x.dev/a.html.md', 'https://x.dev/a.html'],
    ['https://x.dev/a/index.md', 'https://x.dev/a/'],
    ['https://x.dev/a#b', 'https://x.dev/a'],
  ] as const) {
    it(`shows ${url} to people as ${shown}`, () => assert.equal(readersUrl(new URL(url)), shown));
  }

  for (const [url, folders] of [
    ['https://x.dev', ['/']],
    ['https://x.dev/docs', ['/docs/', '/']],
    ['https://x.dev/docs/', ['/docs/', '/']],
    ['https://x.dev/en/intro.html', ['/en/', '/']],
    ['https://x.dev/docs/llms.txt', ['/docs/', '/']],
  ] as const) {
    it(`looks for lists of ${url} in ${folders.join(' and ')}`, () =>
      assert.deepEqual(listFolders(new URL(url)), folders));
  }

  it('includes the pages below the URL, those next to it, or all', () => {
    const paths = [
      '/',
      '/blog/a',
      '/docs/',
      '/docs/a',
      '/docs/guide/b',
      '/docs/guide/c',
      '/docsearch',
    ];
    const within = (start: string): string[] =>
      withinScope(
        paths.map((path) => new URL(path, 'https://x.dev')),
        new URL(start, 'https://x.dev'),
      ).map(({ pathname }) => pathname);
    assert.deepEqual(within('/docs'), ['/docs/', '/docs/a', '/docs/guide/b', '/docs/guide/c']);
    assert.deepEqual(within('/docs/guide/'), ['/docs/guide/b', '/docs/guide/c']);
    assert.deepEqual(within('/docs/guide/b'), ['/docs/guide/b', '/docs/guide/c']);
    assert.deepEqual(within('/docs/api/x/y'), [
      '/docs/',
      '/docs/a',
      '/docs/guide/b',
      '/docs/guide/c',
    ]);
    assert.deepEqual(within('/none/at/all'), paths);
    assert.deepEqual(within('/'), paths);
  });

  for (const text of [
    '',
    'docs.example.com',
    'ftp://x.dev',
    'https://me:pw@x.dev',
    'javascript:1',
  ]) {
    it(`refuses the URL “${text}”`, () =>
      assert.throws(() => parseSiteUrl(text), { code: 'bad-url' }));
  }
});

describe('addresses of a site', () => {
  for (const [address, network] of [
    ['93.184.216.34', 'public'],
    ['2606:2800:220:1::1', 'public'],
    ['10.0.0.1', 'private'],
    ['192.168.1.1', 'private'],
    ['172.16.0.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['127.0.0.1', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['169.254.169.254', 'other'],
    ['fe80::1', 'other'],
    ['0.0.0.0', 'other'],
    ['224.0.0.1', 'other'],
    ['no address', 'other'],
  ] as const) {
    it(`${address} is ${network}`, () => assert.equal(networkOf(address), network));
  }

  it('stay public for a public name, and private for a name of a private network', () => {
    const open = new AddressPolicy('docs.example.com');
    assert.equal(open.allows(['93.184.216.34']), true);
    assert.equal(open.allows(['93.184.216.35', '2606:2800:220:1::1']), true);
    assert.equal(open.allows(['10.0.0.1']), false);
    assert.equal(open.allows(['93.184.216.34', '127.0.0.1']), false);
    const intranet = new AddressPolicy('docs.corp');
    assert.equal(intranet.allows(['10.1.2.3']), true);
    assert.equal(intranet.allows(['93.184.216.34']), false);
  });

  it('are those of this machine only if the URL says so', () => {
    assert.equal(new AddressPolicy('localhost').allows(['127.0.0.1', '::1']), true);
    assert.equal(new AddressPolicy('localhost').allows(['10.0.0.1']), false);
    assert.equal(new AddressPolicy('127.0.0.1').allows(['127.0.0.1']), true);
    assert.equal(new AddressPolicy('docs.example.com').allows(['127.0.0.1']), false);
    assert.equal(new AddressPolicy('docs.example.com').allows(['169.254.169.254']), false);
    assert.equal(new AddressPolicy('169.254.169.254').allows(['169.254.169.254']), false);
    assert.equal(new AddressPolicy('10.0.0.1').allows(['10.0.0.1']), true);
  });
});
