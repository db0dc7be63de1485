import assert from 'node:assert/strict';
import { renderDocs, type RenderedSite } from '../renderedSite';

const page = (title: string, front = ''): string => `---\ntitle: ${title}\n${front}---\n\nText.\n`;

function sideOf(site: RenderedSite, name: string): string {
  return site.part(name, '<nav class="side"', '</nav>');
}

function pagerOf(site: RenderedSite, name: string): string[] {
  const pager = site.part(name, '<nav class="pager"', '</nav>');
  return [...pager.matchAll(/href="([^"]*)" class="(\w+)"/g)].map(
    ([, href, side]) => `${side} ${href}`,
  );
}

describe('the navigation of a site', function () {
  // Some render hundreds of pages.
  this.timeout(60_000);

  it('has pages by their order, then by name, and folders after them', async () => {
    const site = await renderDocs({
      'index.md': page('Home'),
      'step-10.md': page('Ten'),
      'step-9.md': page('Nine'),
      'a-second.md': page('Last', 'order: 2\n'),
      'z-first.md': page('First', 'sidebar_position: "1"\n'),
      'api/b.md': page('B'),
      'api/a.md': page('A', 'order: many\n'),
    });
    assert.deepEqual(site.addresses('', sideOf(site, 'z-first.html')), [
      'index.html',
      'z-first.html',
      'a-second.html',
      'step-9.html',
      'step-10.html',
      'api/index.html',
      'api/a.html',
      'api/b.html',
    ]);
    assert.match(sideOf(site, 'z-first.html'), />API<\/a>/);
    assert.match(
      sideOf(site, 'z-first.html'),
      /<a href="z-first\.html" aria-current="page">First<\/a>/,
    );
  });

  it('leads from each page to the one before and the one after, across folders', async () => {
    const site = await renderDocs({
      'a.md': page('A'),
      'b.md': page('B'),
      'c/d.md': page('D'),
      'c/index.md': page('C'),
    });
    assert.deepEqual(pagerOf(site, 'a.html'), ['next b.html']);
    assert.deepEqual(pagerOf(site, 'b.html'), ['prev a.html', 'next c/index.html']);
    assert.deepEqual(pagerOf(site, 'c/index.html'), ['prev ../b.html', 'next d.html']);
    assert.deepEqual(pagerOf(site, 'c/d.html'), ['prev index.html']);
  });

  it('shows the position of a page', async () => {
    const site = await renderDocs({ 'a/b/c.md': page('C'), 'a/index.md': page('About A') });
    const crumbs = site.part('a/b/c.html', '<nav class="breadcrumbs"', '</nav>');
    assert.deepEqual(site.addresses('', crumbs), [
      '../../index.html',
      '../index.html',
      'index.html',
    ]);
    assert.match(crumbs, />About A<\/a>.*>B<\/a>.*<span aria-current="page">C<\/span>/);
  });

  it('uses a page as the page of the folder with the same name', async () => {
    const site = await renderDocs({ 'guides.md': page('All guides'), 'guides/a.md': page('A') });
    assert.ok(!site.names.includes('guides/index.html'));
    assert.match(
      site.part('guides/a.html', '<nav class="breadcrumbs"', '</nav>'),
      /href="\.\.\/guides\.html">All guides</,
    );
  });

  const versions = {
    'v1/en/a.md': page('A one'),
    'v1/en/old.md': page('Old'),
    'v2/en/a.md': page('A two'),
    'v2/en/new.md': page('New'),
    'v2/de/a.md': page('A zwei'),
    'v2/de/neu.md': page('Neu'),
  };

  it('has the pages of one version and language at a time, the newest in English first', async () => {
    const site = await renderDocs(versions);
    assert.deepEqual(site.addresses('', sideOf(site, 'index.html')), [
      'v2/en/a.html',
      'v2/en/new.html',
    ]);
    assert.deepEqual(site.addresses('', sideOf(site, 'v1/en/old.html')), ['a.html', 'old.html']);
  });

  it('links to the same page in other versions and languages, or to their first page', async () => {
    const site = await renderDocs(versions);
    const menus = (name: string): string[] => {
      const [, ...menu] = site.text(name).split('<details class="menu">');
      return menu.flatMap((html) => site.addresses('', html.slice(0, html.indexOf('</details>'))));
    };
    assert.deepEqual(menus('v2/en/a.html'), [
      'a.html',
      '../../v1/en/a.html',
      'a.html',
      '../de/a.html',
    ]);
    assert.deepEqual(menus('v2/en/new.html'), [
      'new.html',
      '../../v1/en/index.html',
      'new.html',
      '../de/index.html',
    ]);
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('marks the language of each name in the menu of languages, but of no version', async () => {
    const site = await renderDocs({ ...versions, 'v2/a.md': page('A'), 'v2/b.md': page('B') });
    const [, ...menus] = site.text('v2/en/a.html').split('<details class="menu">');
    const languages = menus.map((menu) =>
      [
        ...menu.slice(0, menu.indexOf('</details>')).matchAll(/<a [^>]*?(?:lang="(\w+)"[^>]*)?>/g),
      ].map(([, language]) => language),
    );
    assert.deepEqual(languages, [
      [undefined, undefined],
      [undefined, 'de', 'en'],
    ]);
  });

  it('is in the language of the page', async () => {
    const site = await renderDocs({ ...versions, 'v2/ar/a.md': page('ا') });
    assert.match(site.text('v2/de/a.html'), /<html lang="de">/);
    assert.match(site.text('v2/de/a.html'), /Zum Inhalt/);
    assert.match(site.text('v2/en/a.html'), /Skip to content/);
  });

  it('mirrors the page for a right-to-left language', async () => {
    const site = await renderDocs({ 'a.md': page('ا', 'language: ar\n') });
    assert.match(site.text('a.html'), /<html lang="ar" dir="rtl">/);
  });

  it('distinguishes versions that only front matter names', async () => {
    const site = await renderDocs({
      'a.md': page('A', 'version: 2.0\n'),
      'b.md': page('B', 'version: 2.0\n'),
      'c.md': page('C', 'version: "1.0"\n'),
      'd.md': page('D', 'version: "1.0"\n'),
    });
    assert.deepEqual(site.addresses('', sideOf(site, 'c.html')), ['c.html', 'd.html']);
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('has a list with a title for pages of no version beside versions', async () => {
    const site = await renderDocs({ ...versions, 'a.md': page('General'), 'b.md': page('Terms') });
    assert.match(site.article('pages.html'), /<h1>More pages<\/h1>/);
    assert.match(site.article('index.html'), /<a href="pages\.html">More pages<\/a>/);
    assert.deepEqual(site.addresses('', sideOf(site, 'a.html')), ['a.html', 'b.html']);
    assert.deepEqual(site.brokenLinks(), []);
  });

  it('has cards on the page of a folder, and a list once there are 60 pages', async () => {
    for (const [pages, list] of [
      [59, 'cards'],
      [60, 'columns'],
    ] as const) {
      const names = Array.from({ length: pages }, (_, number) => `p${number}`);
      const site = await renderDocs(
        Object.fromEntries(names.map((name) => [`${name}.md`, page(name)])),
      );
      const home = site.article('index.html');
      assert.deepEqual(
        [...home.matchAll(/<ul class="(\w+)">/g)].map(([, name]) => name),
        [list],
      );
      assert.equal(site.addresses('', home).length, pages);
    }
  });

  it('folds the folders that a page is not in, once there are more than 60 pages', async () => {
    const files = ['api', 'guides', 'tools'].flatMap((folder) =>
      Array.from(
        { length: 21 },
        (_, number) => [`${folder}/p${number}.md`, page(`P${number}`)] as const,
      ),
    );
    const side = sideOf(await renderDocs(Object.fromEntries(files)), 'guides/p3.html');
    const folders = [...side.matchAll(/<details( open)?><summary>(\w+)/g)];
    assert.deepEqual(
      folders.map(([, open, title]) => [title, open !== undefined]),
      [
        ['API', false],
        ['Guides', true],
        ['Tools', false],
      ],
    );
    assert.equal([...side.matchAll(/<a /g)].length >= 63, true, 'a folded page can be reached');
  });

  it('grows with the pages around one, not with all of them', async () => {
    const folder = (pages: number): Promise<RenderedSite> =>
      renderDocs(
        Object.fromEntries(
          Array.from({ length: pages }, (_, index) => [
            `p-${String(index)}.md`,
            page(`P ${index}`),
          ]),
        ),
      );
    const size = (site: RenderedSite): number => site.text('p-100.html').length;
    const [small, large] = [await folder(160), await folder(320)];
    assert.ok(size(large) < size(small) * 1.05, `${size(small)} and ${size(large)}`);
    assert.match(sideOf(large, 'p-100.html'), /aria-current="page">P 100</);
    assert.match(sideOf(large, 'p-100.html'), /href="index\.html" class="more">All 320 pages</);
    assert.equal(large.addresses('', large.article('index.html')).length, 320);
    assert.deepEqual(large.brokenLinks(), []);
  });

  it('adds a list of all pages to a long folder that has a page of its own', async () => {
    const names = Array.from({ length: 160 }, (_, index) => `g/p-${index}.md`);
    const site = await renderDocs({
      ...Object.fromEntries(names.map((name) => [name, page(name)])),
      'g/index.md': page('Group'),
    });
    assert.match(sideOf(site, 'g/p-3.html'), /href="all-pages\.html" class="more"/);
    assert.ok(site.addresses('', site.article('g/all-pages.html')).includes('p-159.html'));
    assert.deepEqual(site.brokenLinks(), []);
  });
});
