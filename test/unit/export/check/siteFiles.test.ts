import assert from 'node:assert/strict';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isSelfContained } from '../../../../src/export/check/reportTypes';
import { inOrder, MAX_TEXT_BYTES, readText } from '../../../../src/export/check/siteFiles';
import { ExportError } from '../../../../src/export/exportErrors';
import { unheardFailures } from '../../../fakes/unheardFailures';
import { brokenOf, checked, checkFolder, page, withSite } from './site';

describe('Check Bundle: the folder', () => {
  it('counts pages, files and bytes, and measures its duration by the given clock', async () => {
    let now = 100;
    const report = await checked(
      { 'index.html': page(''), 'b/c.htm': page(''), 'a.png': '12345' },
      { clock: { now: () => (now += 50) } },
    );
    assert.equal(report.pages, 2);
    assert.equal(report.files, 3);
    assert.equal(report.sizeBytes, 2 * page('').length + 5);
    assert.equal(report.durationMs, 50);
  });

  it('refuses a missing folder and a file', async () => {
    await withSite({ 'index.html': page('') }, async (root) => {
      for (const wrong of [path.join(root, 'gone'), path.join(root, 'index.html')]) {
        await assert.rejects(
          checkFolder(wrong),
          (error) => error instanceof ExportError && error.code === 'file-gone',
        );
      }
    });
  });

  it('says that a bundle has no pages and is not self-contained', async () => {
    const report = await checked({ 'a.txt': '' });
    assert.deepEqual(report.notes, [{ code: 'no-pages' }]);
    assert.equal(isSelfContained(report), false);
  });

  it('notes that the home page is missing', async () => {
    assert.deepEqual((await checked({ 'a.html': page('') })).notes, [{ code: 'no-home-page' }]);
  });

  it('does not follow symbolic links, and notes them', async function () {
    if (process.platform === 'win32') this.skip();
    await withSite({ 'index.html': page('<a href="b/x.html">x</a>') }, async (root) => {
      await mkdir(path.join(root, 'a'));
      await writeFile(path.join(root, 'a/x.html'), page(''));
      await symlink(path.join(root, 'a'), path.join(root, 'b'));
      await symlink(path.join(root, 'a/x.html'), path.join(root, 'c.html'));
      const report = await checkFolder(root);
      assert.deepEqual(brokenOf(report), ['index.html:3 b/x.html → missing-file']);
      assert.deepEqual(report.notes, [
        { code: 'not-followed', file: 'b' },
        { code: 'not-followed', file: 'c.html' },
      ]);
    });
  });

  it('notes a file that is gone by the time it is read', async () => {
    await withSite({ 'index.html': page('') }, async (root) => {
      const file = { path: 'gone.html', sizeBytes: 1 };
      const note = { code: 'unreadable-file', file: 'gone.html', detail: 'ENOENT' };
      assert.deepEqual(await readText(root, file), { file, note });
    });
  });

  it('does not read files that are too large, and reports nothing about their anchors', async () => {
    await withSite({ 'index.html': page('<a href="big.html#x">x</a>') }, async (root) => {
      const big = path.join(root, 'big.html');
      await writeFile(big, '');
      await truncate(big, MAX_TEXT_BYTES + 1);
      const report = await checkFolder(root);
      assert.deepEqual(report.broken, []);
      assert.deepEqual(report.notes, [
        { code: 'too-large', file: 'big.html', count: MAX_TEXT_BYTES + 1 },
      ]);
    });
  });

  it('reads UTF-8 with and without byte order mark, and UTF-16 with one', async () => {
    const text = '<p id="größe"></p><a href="#größe">x</a><a href="gone.html">x</a>';
    const report = await checked({
      'a.html': text,
      'b.html': `\ufeff${text}`,
      'c.html': Buffer.from(`\ufeff${text}`, 'utf16le'),
      'index.html': Buffer.from('<a href="gr\xf6\xdfe.html">x</a>', 'latin1'),
    });
    assert.deepEqual(
      report.broken.map(({ file, line, column }) => [file, line, column]),
      [
        ['a.html', 1, 50],
        ['b.html', 1, 50],
        ['c.html', 1, 50],
        ['index.html', 1, 10],
      ],
    );
    assert.deepEqual(report.notes, [{ code: 'not-utf8', file: 'index.html' }]);
  });

  it('counts lines with every kind of line break', async () => {
    const report = await checked({
      'index.html': 'a\r\nb\rc\n<a href="gone.html">x</a>\r\n\r\n <a\n href=gone2.html>x</a>',
    });
    assert.deepEqual(
      report.broken.map(({ line, column, endColumn }) => [line, column, endColumn]),
      [
        [4, 10, 19],
        [7, 7, 17],
      ],
    );
  });

  it('reports progress up to the last page', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 120 }, (_, number) => [`p${number}.html`, page('')]),
    );
    const told: string[] = [];
    await checked(pages, {
      onProgress: ({ pages: read, totalPages }) => told.push(`${read}/${totalPages}`),
    });
    assert.deepEqual(told, ['0/120', '50/120', '100/120', '120/120']);
  });

  it('stops with the signal’s reason', async () => {
    const controller = new AbortController();
    const reason = new Error('stopped');
    await assert.rejects(
      checked(
        { 'index.html': page(''), 'b.html': page('') },
        { signal: controller.signal, onProgress: () => controller.abort(reason) },
      ),
      reason,
    );
  });

  it('returns the same report each time', async () => {
    const contents = Object.fromEntries(
      Array.from({ length: 40 }, (_, number) => [
        `p${number}.html`,
        page(`<a href="gone${number}.html">x</a><a href="p${(number * 7) % 40}.html#no">x</a>`),
      ]),
    );
    await withSite(contents, async (root) => {
      assert.deepEqual(await checkFolder(root), await checkFolder(root));
    });
  });
});

describe('inOrder', () => {
  it('throws the first failure, and leaves none that nobody hears of', async () => {
    const { signal } = new AbortController();
    const results = inOrder([1, 2, 3], signal, (item) => Promise.reject(new Error(`no ${item}`)));
    const unheard = await unheardFailures(() => assert.rejects(results.next(), /no 1/));
    assert.deepEqual(unheard, []);
  });
});

describe('Check Bundle: sitemaps', () => {
  const sitemap = (...addresses: string[]): string =>
    `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses
      .map((address) => `<url><loc>${address}</loc></url>`)
      .join('\n')}\n</urlset>\n`;
  const site = { 'index.html': page(''), 'guides/start.html': page('') };

  it('finds their pages by path, whichever host they name', async () => {
    const report = await checked({
      ...site,
      'sitemap.xml': sitemap(
        'https://docs.example.com/',
        ' https://docs.example.com/guides/start ',
        'https://docs.example.com/guides/gone',
        'guides/start',
      ),
    });
    assert.deepEqual(brokenOf(report), [
      'sitemap.xml:5 https://docs.example.com/guides/gone → missing-file',
      'sitemap.xml:6 guides/start → not-an-address',
    ]);
    assert.deepEqual(report.outsideLinks.byHost, []);
  });

  it('finds them below the path that the site is hosted under', async () => {
    const report = await checked({
      ...site,
      'sitemap.xml': sitemap(
        'https://example.com/docs/',
        'https://example.com/docs/guides/start',
        'https://example.com/docs/guides/start.html',
        'https://example.com/docs/gone',
      ),
    });
    assert.deepEqual(brokenOf(report), [
      'sitemap.xml:6 https://example.com/docs/gone → missing-file',
    ]);
  });

  it('reads an index of sitemaps, and no other XML', async () => {
    const report = await checked({
      ...site,
      'sitemap.xml':
        '<sitemapindex><sitemap><loc>https://docs.example.com/sitemap-1.xml</loc></sitemap><sitemap><loc>https://docs.example.com/sitemap-2.xml</loc></sitemap></sitemapindex>',
      'sitemap-1.xml': '<rss><channel><loc>https://docs.example.com/gone</loc></channel></rss>',
    });
    assert.deepEqual(brokenOf(report), [
      'sitemap.xml:1 https://docs.example.com/sitemap-2.xml → missing-file',
    ]);
  });
});
