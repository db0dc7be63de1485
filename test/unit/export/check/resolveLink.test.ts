import assert from 'node:assert/strict';
import { brokenOf, checked, checkedPage, page } from './site';

const guides = { 'guides/start.html': page(''), 'guides/index.html': page('') };

describe('Check Bundle: link resolution on a static host', () => {
  const good: Record<string, string> = {
    'a relative page': 'guides/start.html',
    'a page from the root': '/guides/start.html',
    'a page without its ending': 'guides/start',
    'a folder with its slash': 'guides/',
    'a folder without': '/guides',
    'the root': '/',
    'this folder': './',
    'a page with a query': 'guides/start?tab=2',
    'a page up and down again': 'guides/../guides/start.html',
    'a percent-encoded name': '%67uides/st%61rt.html',
    'backslashes, which browsers turn': 'guides\\start.html',
    'spaces and line ends around it': ' \n guides/start.html\t',
  };
  for (const [what, address] of Object.entries(good)) {
    it(`finds ${what}`, async () => {
      const report = await checkedPage(`<a href="${address}">x</a>`, guides);
      assert.deepEqual(brokenOf(report), []);
      assert.equal(report.checkedLinks, 1);
    });
  }

  it('finds names with spaces, percent signs and letters of any language', async () => {
    const report = await checkedPage(
      '<a href="a b.html">x</a><a href="a%20b.html">x</a><a href="100%25.html">x</a><a href="größe.html">x</a><a href="gr%C3%B6%C3%9Fe">x</a>',
      { 'a b.html': page(''), '100%.html': page(''), 'größe.html': page('') },
    );
    assert.deepEqual(brokenOf(report), []);
  });

  it('finds a page that ends in .htm by its whole name only, as the preview and the hosting files do', async () => {
    const report = await checkedPage(
      '<a href="old/start.htm">x</a><a href="old/start">x</a><a href="old/">x</a>',
      { 'old/start.htm': page(''), 'old/index.htm': page('') },
    );
    assert.deepEqual(brokenOf(report), [
      'index.html:3 old/start → missing-file',
      'index.html:3 old/ → folder-without-index',
    ]);
  });

  const bad: Record<string, readonly [address: string, reason: string]> = {
    'a page that is not there': ['guides/gone.html', 'missing-file'],
    'a slash behind a page': ['guides/start/', 'missing-file (guides/start.html)'],
    'another case': ['Guides/Start.html', 'wrong-case (guides/start.html)'],
    'another case without the ending': ['guides/START', 'wrong-case (guides/start.html)'],
    'a folder without index': ['images/', 'folder-without-index'],
    'a climb out of the root': ['../guides/start.html', 'outside-site'],
    'a file of a disk': ['file:///guides/start.html', 'local-file'],
    'a drive': ['C:\\guides\\start.html', 'local-file'],
    'what is no address': ['https://[guides', 'not-an-address'],
    'an encoded way up, as a name': ['guides%2F..%2F..%2Fx', 'missing-file'],
  };
  for (const [what, [address, reason]] of Object.entries(bad)) {
    it(`reports ${what}`, async () => {
      const report = await checkedPage(`<a href="${address}">x</a>`, {
        ...guides,
        'images/a.png': '',
      });
      assert.deepEqual(brokenOf(report), [`index.html:3 ${address} → ${reason}`]);
    });
  }

  it('does not try index files and extensions for images and scripts, as no host does', async () => {
    const report = await checkedPage(
      '<img src="guides/" alt="">\n<script src="guides/start"></script>',
      guides,
    );
    assert.deepEqual(brokenOf(report), [
      'index.html:3 guides/ → missing-file',
      'index.html:4 guides/start → missing-file',
    ]);
  });

  it('prefers a page to a folder with the same name', async () => {
    const report = await checked({
      'index.html': page('<a href="guides#of-page">x</a>'),
      'guides.html': page('<p id="of-page"></p>'),
      ...guides,
    });
    assert.deepEqual(brokenOf(report), []);
  });

  it('counts links that need a host that adds the extension', async () => {
    const report = await checkedPage(
      '<a href="guides/start">x</a><a href="guides/">x</a><a href="guides/start.html">x</a>',
      guides,
    );
    assert.deepEqual(report.notes, [{ code: 'extensionless-links', count: 1 }]);
  });

  it('matches an accent in another encoding only as a suggestion', async () => {
    const report = await checkedPage('<a href="caf\u00e9.html">x</a>', {
      'cafe\u0301.html': page(''),
    });
    assert.deepEqual(brokenOf(report), [
      'index.html:3 caf\u00e9.html → wrong-case (cafe\u0301.html)',
    ]);
  });
});

describe('Check Bundle: base paths', () => {
  const below = (links: readonly string[]): string =>
    page(links.map((link) => `<a href="${link}">x</a>`).join('\n'));

  it('detects a missing folder with which all root-absolute links start', async () => {
    const report = await checked({
      'index.html': below(['/docs/', '/docs', '/docs/a.html', 'a.html']),
      'a.html': below(['/docs/gone.html', '/docs/b/c#x', '../docs/a.html']),
      'b/c.html': page('<p id="x"></p>'),
    });
    assert.equal(report.basePath, '/docs');
    assert.deepEqual(brokenOf(report), ['a.html:3 /docs/gone.html → missing-file']);
  });

  it('detects a base path of several levels', async () => {
    const report = await checked({
      'index.html': below(['/acme/docs/a.html', '/acme/docs/index.html']),
      'a.html': below(['/acme/docs/', '/acme/docs/a']),
    });
    assert.equal(report.basePath, '/acme/docs');
    assert.deepEqual(brokenOf(report), []);
  });

  it('ignores one broken link among many', async () => {
    const good = Array.from({ length: 12 }, (_, at) => `${at}.html`);
    const report = await checked({
      'index.html': below(['/other/x.html', ...good.map((name) => `/docs/${name}`)]),
      ...Object.fromEntries(good.map((name) => [name, page('')])),
    });
    assert.equal(report.basePath, '/docs');
    assert.deepEqual(brokenOf(report), ['index.html:3 /other/x.html → outside-site']);
  });

  it('finds none if the folder is in the bundle, or if links work from the root', async () => {
    const report = await checked({
      'index.html': below(['/docs/a.html', '/docs/gone.html', '/docs/gone.html']),
      'docs/a.html': page(''),
      'a.html': page(''),
    });
    assert.equal(report.basePath, '');
    assert.equal(report.brokenCount, 2);
  });

  it('finds none if links do not work below it either', async () => {
    const report = await checked({ 'index.html': below(['/docs/a.html', '/docs/b.html']) });
    assert.equal(report.basePath, '');
    assert.equal(report.brokenCount, 2);
  });

  for (const missing of [
    ['/imprint.html'],
    ['/imprint/'],
    ['/imprint', '/imprint/', '/imprint/index.html', '/imprint?lang=de#x'],
  ]) {
    it(`is none if all pages link to one missing page: ${missing.join(', ')}`, async () => {
      const linking = page(missing.map((link) => `<a href="${link}">x</a>`).join(' '));
      const report = await checked({
        'index.html': linking,
        'a.html': linking,
        'guides/b.html': linking,
        'sitemap.xml': `<urlset><url><loc>https://docs.example.com/imprint.html</loc></url></urlset>`,
      });
      assert.equal(report.basePath, '');
      assert.equal(report.brokenCount, missing.length * 3 + 1);
    });
  }

  it('resolves links by a page’s base element, even if it is not first in the page', async () => {
    const report = await checked({
      'index.html': page('<a href="start.html">x</a>', '<base href="/guides/"><base href="/no/">'),
      'a/b.html': page('<a href="start.html">x</a>', '<base href="../guides/">'),
      'a/c.html': page('<a href="start.html">x</a><base href="../guides/x.html">'),
      'a/d.html': page('<a href="start.html">x</a>', '<base href="https://[">'),
      'guides/start.html': page(''),
    });
    assert.deepEqual(brokenOf(report), ['a/d.html:3 start.html → missing-file']);
  });

  it('finds no base path in relative links of pages with a relative base element', async () => {
    const report = await checked({
      'index.html': page('<a href="a.html">x</a><a href="b.html">x</a>', '<base href="./">'),
      'a.html': page('<a href="b.html">x</a>', '<base href="./">'),
      'b.html': page('<a href="a.html">x</a>', '<base href="./">'),
    });
    assert.equal(report.basePath, '');
    assert.deepEqual(brokenOf(report), []);
  });

  it('treats the folder of a base element as a base path', async () => {
    const report = await checked({
      'index.html': page('<a href="a.html">x</a>', '<base href="/docs/">'),
      'a.html': page('<a href="index.html">x</a>', '<base href="/docs/">'),
    });
    assert.equal(report.basePath, '/docs');
    assert.deepEqual(brokenOf(report), []);
  });

  it('lists assets that a base element moves to another host', async () => {
    const report = await checked({
      'index.html': page(
        '<img src="a.png" alt=""><a href="a.html">x</a>',
        '<base href="https://docs.example.com/x/">',
      ),
    });
    assert.deepEqual(report.outsideFetches, [
      {
        kind: 'image',
        host: 'docs.example.com',
        address: 'https://docs.example.com/x/a.png',
        file: 'index.html',
        line: 3,
        column: 11,
        endColumn: 16,
      },
    ]);
    assert.deepEqual(report.outsideLinks.byHost, [{ host: 'docs.example.com', count: 1 }]);
  });
});
