import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { compareBundles } from '../../../../src/export/compare/compareBundles';
import type { CompareProgress } from '../../../../src/export/compare/compareInWorker';
import {
  bundleComparisonSchema,
  differenceCount,
  redirectsOf,
} from '../../../../src/export/compare/comparison';
import { pairPages } from '../../../../src/export/compare/pagePairs';
import { ExportError } from '../../../../src/export/exportErrors';
import { withSite, type SiteContents } from '../check/site';
import { differencesOf } from '../../../builders/spoiledBundle';
import { compared, comparedFolders, docsPage, prose } from './comparing';

const canonical = (host: string): { head: string } => ({
  head: `<link rel="canonical" href="https://${host}/">`,
});

const site: SiteContents = {
  'index.html': docsPage('Home', `${prose('home')}<p><a href="guides/start.html">Start</a></p>`),
  'guides/index.html': docsPage('Guides', prose('guide')),
  'guides/start.html': docsPage('Start', prose('start')),
  'style.css': 'body { color: black }',
};

/** Returns a page that only leads to another one. */
const stub = (to: string): string => `<meta http-equiv="refresh" content="0; url=${to}">`;

/** Returns what differs, without the empty lists. */
async function differences(
  before: SiteContents,
  after: SiteContents,
): Promise<Record<string, readonly string[]>> {
  const all = differencesOf(await compared(before, after));
  return Object.fromEntries(Object.entries(all).filter(([, list]) => list.length > 0));
}

describe('compareBundles', () => {
  it('finds nothing between a bundle and its copy', async () => {
    const comparison = await compared(site, site);
    assert.deepEqual(differencesOf(comparison), differencesOf(await compared({}, {})));
    assert.equal(comparison.counts.unchangedPages, 3);
    assert.equal(comparison.counts.unchangedAssets, 1);
    assert.deepEqual(comparison.notes, []);
  });

  it('returns a comparison that its schema accepts', async () => {
    const comparison = await compared(site, {
      ...site,
      'guides/start.html': docsPage('Start', prose('other')),
      'new.html': docsPage('New', prose('new')),
    });
    assert.deepEqual(v.parse(bundleComparisonSchema, comparison), comparison);
  });

  describe('with a page that both bundles have', () => {
    it('distinguishes a changed text from a changed frame', async () => {
      assert.deepEqual(
        await differences(site, {
          ...site,
          'index.html': String(site['index.html']).replace('<nav>', '<nav>Other menu'),
          'guides/start.html': String(site['guides/start.html']).replace('gate', 'door'),
        }),
        { changed: ['guides/start.html (text)'], restyled: ['index.html'] },
      );
    });

    it('does not count other classes, spaces, IDs and entities as a change of the text', async () => {
      const before = docsPage('A', '<h2 id="x">One</h2><p>Fish &amp; chips, “here”.</p>');
      const after = docsPage(
        'A',
        '<h2 class="big" id="y">One</h2>\n\n<p data-x>Fish\n&#38;   chips, &ldquo;here&rdquo;.</p>',
      );
      assert.deepEqual(await differences({ 'a.html': before }, { 'a.html': after }), {
        restyled: ['a.html'],
      });
    });

    it('distinguishes links that lead elsewhere from a changed text', async () => {
      const withLink = (href: string): string =>
        docsPage('A', `<p>See <a href="${href}">B</a>.</p>`);
      const others = { 'b.html': docsPage('B', prose('b')), 'c.html': docsPage('C', prose('c')) };
      assert.deepEqual(
        await differences(
          { ...others, 'a.html': withLink('b.html') },
          { ...others, 'a.html': withLink('c.html') },
        ),
        { changed: ['a.html (links)'] },
      );
      assert.deepEqual(
        await differences(
          { ...others, 'a.html': withLink('b.html') },
          { ...others, 'a.html': withLink('/b') },
        ),
        { restyled: ['a.html'] },
      );
    });

    const base = prose('base');
    const seen: Record<string, readonly [before: string, after: string, change: string]> = {
      'the title': [
        docsPage('A', base).replace('<title>A', '<title>Old'),
        docsPage('A', base).replace('<title>A', '<title>New'),
        'text',
      ],
      'the description': [
        docsPage('A', base, { head: '<meta name="description" content="old">' }),
        docsPage('A', base, { head: '<meta name="description" content="new">' }),
        'text',
      ],
      ...Object.fromEntries(
        [
          ['the label of a link', '<a href="x.html" aria-label="Old">→</a>', 'Old', 'text'],
          ['the title of a picture', '<img src="a.png" alt="A" title="Old">', 'Old', 'text'],
          ['the label of a field', '<input placeholder="Old">', 'Old', 'text'],
          ['the text of a button', '<button type="button">Old</button>', 'Old', 'text'],
          ['the label of a drawing', '<svg><title>Old</title></svg>', 'Old', 'text'],
          ['the query of a link', '<a href="x.html?tab=Old#y">x</a>', 'Old', 'links'],
          ['the query of a link to itself', '<a href="?tab=Old">x</a>', 'Old', 'links'],
          ['a video', '<video controls src="Old.mp4"></video>', 'Old', 'links'],
          ['a source of a video', '<video><source src="Old.mp4"></video>', 'Old', 'links'],
          ['a recording', '<audio src="Old.mp3"></audio>', 'Old', 'links'],
        ].map(([what = '', html = '', old = '', change = '']) => [
          what,
          [docsPage('A', base + html), docsPage('A', base + html.replace(old, 'New')), change],
        ]),
      ),
    };
    for (const [what, [before, after, change]] of Object.entries(seen)) {
      it(`does not take another look for another text: ${what}`, async () => {
        assert.notEqual(before, after);
        const { pages } = await compared({ 'a.html': before }, { 'a.html': after });
        assert.deepEqual(pages.restyled, []);
        assert.deepEqual(
          pages.changed.map((page) => [page.change, page.addedLines, page.removedLines]),
          [[change, 1, 1]],
        );
      });
    }

    it('does not count another name of the site in all titles', async () => {
      const pages = (name: string): SiteContents =>
        Object.fromEntries(
          ['a', 'b', 'c'].map((page) => [
            `${page}.html`,
            docsPage(page, prose(page)).replace('</title>', ` &middot; ${name}</title>`),
          ]),
        );
      const after = pages('Docs 2.0');
      const renamed = {
        ...after,
        'c.html': String(after['c.html']).replace('<title>c', '<title>d'),
      };
      assert.deepEqual(await differences(pages('Docs 1.9'), renamed), {
        changed: ['c.html (text)'],
        restyled: ['a.html', 'b.html'],
      });
    });

    it('shows the lines that differ, below their heading', async () => {
      const text = (hours: string): string =>
        `<h2>Keys</h2><p>Kept ${hours} hours.</p><h2>Rest</h2><p>The same.</p>`;
      const { pages } = await compared(
        { 'a.html': docsPage('A', text('24')) },
        { 'a.html': docsPage('A', text('48')) },
      );
      assert.equal(pages.changed[0]?.excerpt, '@@ ## Keys\n-Kept 24 hours.\n+Kept 48 hours.');
      assert.equal(pages.changed[0].addedLines, 1);
      assert.equal(pages.changed[0].removedLines, 1);
    });

    it('cuts a long line around the first difference', async () => {
      const text = (word: string): string =>
        docsPage('A', `<p>${'before '.repeat(60)}${word}${' after'.repeat(60)}</p>`);
      const { pages } = await compared({ 'a.html': text('old') }, { 'a.html': text('new') });
      const lines = pages.changed[0]?.excerpt?.split('\n') ?? [];
      assert.match(lines[1] ?? '', /^-…[ before]{60}old[ after]+…$/);
      assert.match(lines[2] ?? '', /^\+…[ before]{60}new[ after]+…$/);
    });

    it('has the heading of each run of lines that differ once', async () => {
      const text = (word: string): string =>
        `<h2>Keys</h2><p>${word} 1.</p><p>${word} 2.</p><h2>Rest</h2><p>${word} 3.</p>`;
      const { pages } = await compared(
        { 'a.html': docsPage('A', text('Old')) },
        { 'a.html': docsPage('A', text('New')) },
      );
      const [keys, rest] = ['-Old 1.\n-Old 2.\n+New 1.\n+New 2.', '-Old 3.\n+New 3.'];
      assert.equal(pages.changed[0]?.excerpt, `@@ ## Keys\n${keys}\n@@ ## Rest\n${rest}`);
    });

    it('cuts a long line around the first difference above lines that are the same', async () => {
      const text = (word: string): string =>
        docsPage('A', `<p>${'before '.repeat(60)}${word}</p><p>The same.</p>`);
      const { pages } = await compared({ 'a.html': text('old') }, { 'a.html': text('new') });
      assert.match(pages.changed[0]?.excerpt ?? '', /^-…[ before]{60}old\n\+…[ before]{60}new$/m);
    });

    it('recognizes the same page in both forms of a URL', async () => {
      const page = docsPage('Start', prose('start'));
      const comparison = await compared(
        { 'guides/start.html': page },
        { 'guides/start/index.html': page.replace('gate', 'door') },
      );
      assert.deepEqual(differencesOf(comparison).changed, ['guides/start/index.html (text)']);
      assert.equal(comparison.counts.removedPages, 0);
    });
  });

  describe('with a page whose URL changed', () => {
    const page = docsPage('Start', prose('start', 20));
    const before = { 'index.html': site['index.html']!, 'guides/start.html': page };

    it('finds it by its text, with a redirect', async () => {
      const comparison = await compared(before, {
        'index.html': String(site['index.html']).replace('guides/', ''),
        'start.html': page,
      });
      assert.deepEqual(differencesOf(comparison).moved, ['guides/start.html → start.html (none)']);
      assert.deepEqual(redirectsOf(comparison), [
        { from: '/guides/start', to: '/start.html', status: 301 },
      ]);
    });

    it('finds it even if it was edited, and shows the edits', async () => {
      const { pages } = await compared(before, {
        ...before,
        'guides/start.html': docsPage('Other', prose('other', 20)),
        'start.html': page.replace('gate start3', 'a door'),
      });
      // The old address has another page now, so nothing moved from there.
      assert.deepEqual(pages.moved, []);
      const moved = await compared(before, {
        'index.html': before['index.html'],
        'start.html': page.replace('gate start3', 'a door'),
      });
      const [entry] = moved.pages.moved;
      assert.equal(entry?.change, 'text');
      assert.ok(entry.similarity > 0.9 && entry.similarity < 1);
      assert.match(entry.excerpt ?? '', /^-.*gate start3/m);
    });

    it('recognizes that the new bundle redirects there itself', async () => {
      const comparison = await compared(before, {
        ...before,
        'guides/start.html':
          '<meta http-equiv="refresh" content="0; url=../start.html"><a href="../start.html">Start</a>',
        'start.html': page,
      });
      assert.deepEqual(differencesOf(comparison).moved, [
        'guides/start.html → start.html (none, redirected)',
      ]);
      assert.deepEqual(comparison.lostAddresses, []);
    });

    it('follows redirects of the new bundle over several pages to the page itself', async () => {
      assert.deepEqual(
        await differences(before, {
          ...before,
          'guides/start.html': stub('../start.html'),
          'start.html': stub('new/start.html'),
          'new/start.html': page,
        }),
        {
          added: ['start.html'],
          moved: ['guides/start.html → new/start.html (none, redirected)'],
        },
      );
    });

    // Shows faults.md R12.
    it('reports a page as removed if its redirects form a loop', async () => {
      assert.deepEqual(
        await differences(before, {
          ...before,
          'guides/start.html': stub('../a.html'),
          'a.html': stub('b.html'),
          'b.html': stub('a.html'),
        }),
        { added: ['a.html', 'b.html'], removed: ['guides/start.html'] },
      );
    });

    it('uses the page with the most text if several lead to one new page', async () => {
      const old = { ...before, 'a.html': docsPage('A', prose('other', 20)) };
      const all = await differences(old, {
        ...before,
        'a.html': stub('all.html'),
        'guides/start.html': stub('../all.html'),
        'all.html': page,
      });
      assert.deepEqual(all, {
        moved: ['guides/start.html → all.html (none, redirected)'],
        removed: ['a.html'],
      });
    });
  });

  describe('with a page that only redirects to another one', () => {
    const pages = {
      ...site,
      'guides/other.html': docsPage('Other', prose('other')),
      'old.html': stub('guides/start.html'),
    };

    it('reports that it leads elsewhere', async () => {
      assert.deepEqual(await differences(pages, { ...pages, 'old.html': stub('guides/') }), {
        changed: ['old.html (links)'],
      });
      const { pages: listed } = await compared(pages, { ...pages, 'old.html': stub('guides/') });
      assert.equal(listed.changed[0]?.excerpt, '-[→](/guides/start)\n+[→](/guides)');
    });

    it('finds no change of its text if it leads to the same page, in any form of its URL', async () => {
      const { 'guides/other.html': other, ...rest } = pages;
      assert.deepEqual(
        await differences(pages, {
          ...rest,
          'other.html': other,
          'old.html': `<!-- now -->${stub('guides/start')}`,
        }),
        {
          restyled: ['old.html'],
          moved: ['guides/other.html → other.html (none)'],
          lost: ['/guides/other → /other (301, moved), 0 links'],
        },
      );
    });

    it('reports its URL as lost if it is gone, because readers can come from anywhere', async () => {
      const { 'old.html': _gone, ...rest } = pages;
      const { lostAddresses } = await compared(pages, rest);
      assert.deepEqual(
        lostAddresses.map(({ address, redirect, because }) => [address, redirect?.to, because]),
        [['/old', '/guides/start.html', 'redirect']],
      );
    });

    it('ignores a removed redirect to a page that is also removed', async () => {
      const before: SiteContents = { ...pages, 'index.html': docsPage('Home', prose('home')) };
      const { 'old.html': _gone, 'guides/start.html': _start, ...after } = before;
      const { lostAddresses } = await compared(before, after);
      assert.deepEqual(lostAddresses, []);
    });
  });

  describe('with lost URLs', () => {
    const sitemap = (...paths: string[]): string =>
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths
        .map((each) => `<url><loc>https://docs.example.com${each}</loc></url>`)
        .join('')}</urlset>`;

    it('names the pages that link there, and suggests the nearest page above', async () => {
      const { 'guides/start.html': _gone, ...rest } = site;
      const comparison = await compared(
        { ...site, 'sitemap.xml': sitemap('/', '/guides/start') },
        rest,
      );
      assert.deepEqual(comparison.lostAddresses, [
        {
          page: 'guides/start.html',
          title: 'Start',
          address: '/guides/start',
          links: 1,
          linkedFrom: ['index.html'],
          isInOldSitemap: true,
          redirect: { from: '/guides/start', to: '/guides/', status: 302 },
          because: 'parent',
        },
      ]);
    });

    it('suggests a page with much of the text', async () => {
      const text = prose('start', 20);
      const { 'guides/start.html': _gone, ...rest } = { ...site };
      const comparison = await compared(
        { ...site, 'guides/start.html': docsPage('Start', text) },
        { ...rest, 'all.html': docsPage('All', `${text}${prose('b', 30)}${prose('c', 40)}`) },
      );
      assert.deepEqual(
        comparison.lostAddresses.map(({ redirect, because }) => [redirect?.to, because]),
        [['/all.html', 'similar']],
      );
      assert.deepEqual(differencesOf(comparison).moved, []);
    });

    it('ignores a page that nothing leads to', async () => {
      const { lostAddresses } = await compared(
        { ...site, 'alone.html': docsPage('Alone', prose('alone')) },
        site,
      );
      assert.deepEqual(lostAddresses, []);
    });

    it('finds no good target for a page at the root', async () => {
      const withLink = String(site['index.html']).replace(
        '</main>',
        '<a href="alone.html">A</a></main>',
      );
      const { lostAddresses } = await compared(
        { ...site, 'index.html': withLink, 'alone.html': docsPage('Alone', prose('alone')) },
        { ...site, 'index.html': withLink },
      );
      assert.deepEqual(
        lostAddresses.map(({ address, redirect }) => [address, redirect]),
        [['/alone', undefined]],
      );
    });

    it('redirects the form with .html that hosts no longer serve', async () => {
      const before = { ...site, 'sitemap.xml': sitemap('/guides/start.html') };
      const { 'guides/start.html': start = '', ...rest } = site;
      const comparison = await compared(before, {
        ...rest,
        'index.html': String(site['index.html']).replace('start.html', 'start/'),
        'guides/start/index.html': start,
      });
      assert.deepEqual(redirectsOf(comparison), [
        { from: '/guides/start.html', to: '/guides/start/', status: 301 },
      ]);
    });

    it('keeps a redirect of the old bundle that the new bundle lacks', async () => {
      const comparison = await compared(
        { ...site, 'old.html': stub('guides/start.html'), 'sitemap.xml': sitemap('/old') },
        site,
      );
      assert.deepEqual(redirectsOf(comparison), [
        { from: '/old', to: '/guides/start.html', status: 301 },
      ]);
      assert.equal(comparison.lostAddresses[0]?.because, 'redirect');
      assert.deepEqual(comparison.pages.removed, []);
    });

    it('offers no redirect for old redirects that form a loop', async () => {
      const { lostAddresses } = await compared(
        {
          ...site,
          'a.html': stub('b.html'),
          'b.html': stub('a.html'),
          'sitemap.xml': sitemap('/a'),
        },
        site,
      );
      assert.deepEqual(
        lostAddresses.map(({ address, redirect }) => [address, redirect]),
        [['/a', undefined]],
      );
    });

    it('writes URLs below the base path, without .html if links have none', async () => {
      const link = (href: string): string =>
        docsPage('Home', `<a href="/docs/">Home</a><a href="/docs/${href}">A</a>`);
      const text = docsPage('Start', prose('start'));
      const comparison = await compared(
        { 'index.html': link('ä/start'), 'ä/start.html': text },
        { 'index.html': link('new/start'), 'new/start.html': text },
      );
      assert.deepEqual(redirectsOf(comparison), [
        { from: '/docs/%C3%A4/start', to: '/docs/new/start', status: 301 },
      ]);
    });
  });

  describe('with links', () => {
    const linking = (href: string): string => docsPage('A', `<p><a href="${href}">x</a></p>`);

    it('finds links that broke or were fixed, but not links that stay broken', async () => {
      const others = {
        'index.html': docsPage('Home', prose('home')),
        'c.html': linking('gone.html'),
      };
      assert.deepEqual(
        await differences(
          {
            ...others,
            'a.html': linking('b.html#x'),
            'b.html': docsPage('B', '<h2 id="x">X</h2>'),
          },
          {
            ...others,
            'a.html': linking('b.html#x'),
            'b.html': docsPage('B', '<h2 id="z">X</h2>'),
          },
        ),
        { restyled: ['b.html'], broken: ['a.html: b.html#x, missing-anchor'] },
      );
      assert.deepEqual(
        await differences(
          { ...others, 'a.html': linking('b.html') },
          { ...others, 'a.html': linking('b.html'), 'b.html': docsPage('B', prose('b')) },
        ),
        { added: ['b.html'], mended: ['a.html: b.html, missing-file'] },
      );
    });

    it('follows a page that moved with its broken links', async () => {
      const text = `${prose('start')}<p><a href="../gone.html">x</a></p>`;
      const all = await differences(
        { 'a/start.html': docsPage('Start', text) },
        { 'start.html': docsPage('Start', text.replace('../', '')) },
      );
      assert.equal(all['broken'], undefined);
      assert.equal(all['mended'], undefined);
    });

    it('does not report a link as fixed if its page is gone', async () => {
      assert.deepEqual(await differences({ ...site, 'a.html': linking('gone.html') }, site), {
        removed: ['a.html'],
      });
    });
  });

  describe('with other files', () => {
    it('finds added, removed and changed ones, also of the same size', async () => {
      assert.deepEqual(
        await differences(
          { ...site, 'a.bin': new Uint8Array([1, 2, 3]), 'old.txt': 'x' },
          { ...site, 'a.bin': new Uint8Array([1, 2, 4]), 'new.txt': 'x' },
        ),
        {
          addedAssets: ['new.txt'],
          removedAssets: ['old.txt'],
          changedAssets: ['a.bin → a.bin'],
        },
      );
    });

    it('recognizes a file whose name has a hash of its contents', async () => {
      const withAssets = (...names: string[]): SiteContents => ({
        ...site,
        ...Object.fromEntries(names.map((name) => [name, name])),
      });
      assert.deepEqual(
        await differences(
          withAssets(
            'app.3f2a9c1d.js',
            'a/main-BX3d9aKq.css',
            'chunk-1a2b3c4d.js',
            'chunk-2a2b3c4d.js',
          ),
          withAssets(
            'app.77aa9c1d.js',
            'a/main-Zu7d9aKq.css',
            'chunk-3a2b3c4d.js',
            'chunk-4a2b3c4d.js',
          ),
        ),
        {
          addedAssets: ['chunk-3a2b3c4d.js', 'chunk-4a2b3c4d.js'],
          removedAssets: ['chunk-1a2b3c4d.js', 'chunk-2a2b3c4d.js'],
          changedAssets: [
            'a/main-BX3d9aKq.css → a/main-Zu7d9aKq.css',
            'app.3f2a9c1d.js → app.77aa9c1d.js',
          ],
        },
      );
    });

    it('calls a page unchanged whose pictures only have a new hash', async () => {
      const withImage = (name: string): SiteContents => ({
        'a.html': docsPage('A', `<p>Text</p><img src="img/${name}" alt="Plan">`),
        [`img/${name}`]: name,
      });
      const all = await differences(withImage('plan.3f2a9c1d.png'), withImage('plan.4f2a9c1d.png'));
      assert.deepEqual(all['restyled'], ['a.html']);
    });
  });

  describe('with bad input', () => {
    it('warns about two bundles of different sites, and compares them', async () => {
      const comparison = await compared(
        { 'index.html': docsPage('One', prose('one'), canonical('docs.one.example')) },
        { 'index.html': docsPage('Two', prose('two'), canonical('docs.two.example')) },
      );
      assert.deepEqual(comparison.notes, [
        { code: 'different-hosts', before: 'docs.one.example', after: 'docs.two.example' },
      ]);
      assert.equal(comparison.counts.changedPages, 1);
      assert.equal(differenceCount(comparison, 'different-sites'), 1);
    });

    it('warns about bundles without a host that have hardly a page in common', async () => {
      const pagesOf = (name: string): SiteContents =>
        Object.fromEntries(
          Array.from({ length: 12 }, (_, at) => [
            `${name}${at}.html`,
            docsPage(`${name} ${at}`, prose(`${name}${at}x`)),
          ]),
        );
      const { notes } = await compared(pagesOf('one'), pagesOf('two'));
      assert.deepEqual(notes, [{ code: 'little-in-common', count: 0 }]);
    });

    // Shows faults.md R9.
    it('compares a bundle of one file and one without a page', async () => {
      const { notes, counts } = await compared(
        { 'index.html': docsPage('One', prose('one')) },
        { 'robots.txt': 'User-agent: *' },
      );
      assert.deepEqual(notes, [{ code: 'no-pages', side: 'after' }]);
      assert.deepEqual([counts.removedPages, counts.addedAssets], [1, 1]);
    });

    // Shows faults.md R10.
    it('takes more added pages than a function takes arguments', () => {
      const pages = Array.from({ length: 130_000 }, (_, at) => ({
        path: `${at}.html`,
        sizeBytes: 0,
      }));
      const none = { pages: [], redirects: new Map<string, string>() };
      assert.equal(pairPages(none, { ...none, pages }).added.length, 130_000);
    });

    it('says which folder does not exist', async () => {
      await withSite(site, async (root) => {
        const gone = path.join(root, 'none');
        await assert.rejects(comparedFolders(root, gone), (error) => {
          assert.ok(error instanceof ExportError);
          assert.deepEqual([error.code, error.details.path], ['file-gone', gone]);
          return true;
        });
      });
    });

    // Shows faults.md R14.
    it('follows no symbolic link', async () => {
      await withSite(site, (before) =>
        withSite(site, async (after) => {
          await symlink('/etc/hostname', path.join(after, 'host.txt'));
          await mkdir(path.join(after, 'deep'));
          await symlink(before, path.join(after, 'deep', 'other'));
          const { counts } = await comparedFolders(before, after);
          assert.deepEqual([counts.addedAssets, counts.addedPages], [0, 0]);
        }),
      );
    });

    it('counts a page that is too large to read as unchanged, and says so', async () => {
      await withSite(site, (before) =>
        withSite(site, async (after) => {
          const large = `<main>${'x'.repeat(17 * 1024 * 1024)}</main>`;
          for (const [root, more] of [
            [before, ''],
            [after, 'y'],
          ] as const)
            await writeFile(path.join(root, 'large.html'), large + more);
          const { counts, notes } = await comparedFolders(before, after);
          assert.equal(counts.unchangedPages, 4);
          assert.deepEqual(notes, [
            { code: 'unreadable', side: 'before', file: 'large.html', count: 1 },
            { code: 'unreadable', side: 'after', file: 'large.html', count: 1 },
          ]);
        }),
      );
    });
  });

  it('reports its progress in order and stops at the signal', async () => {
    await withSite(site, (before) =>
      withSite({ ...site, 'new.html': docsPage('New', prose('new')) }, async (after) => {
        const progress: CompareProgress[] = [];
        const sides = {
          before: { root: before, name: 'a' },
          after: { root: after, name: 'b' },
        };
        await compareBundles({
          ...sides,
          signal: new AbortController().signal,
          onProgress: (each) => progress.push(each),
        });
        assert.deepEqual(
          [...new Set(progress.map(({ step }) => step))],
          ['before', 'after', 'text'],
        );
        assert.deepEqual(progress.at(-1), { step: 'text', pages: 1, totalPages: 1 });

        const controller = new AbortController();
        await assert.rejects(
          compareBundles({
            ...sides,
            signal: controller.signal,
            onProgress: ({ step }) => {
              if (step === 'after') controller.abort(new Error('stopped'));
            },
          }),
          /stopped/,
        );
      }),
    );
  });
});
