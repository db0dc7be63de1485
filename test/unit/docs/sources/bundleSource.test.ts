import assert from 'node:assert/strict';
import { chooseBundlePages, siteUrlOf } from '../../../../src/docs/sources/bundleSource';

describe('pages of a bundle', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['are its HTML files', ['index.html', 'guide/a.html'], ['index.html', 'guide/a.html']],
    [
      'count once in both forms of their address',
      ['guide.html', 'guide/index.html', 'guide/a.html'],
      ['guide.html', 'guide/a.html'],
    ],
    [
      'are read from the Markdown beside them',
      [
        'a.html',
        'a.md',
        'b.html',
        'b.html.md',
        'c/index.html',
        'c/index.html.md',
        'd/index.html',
        'd.md',
      ],
      ['a.md', 'b.html.md', 'c/index.html.md', 'd.md'],
    ],
    ['prefer the Markdown that names its HTML', ['a.html', 'a.html.md', 'a.md'], ['a.html.md']],
    [
      'are no error pages and no lists of pages',
      [
        'index.html',
        '404.html',
        'de/404.html',
        '404/index.html',
        'search.html',
        'search/index.html',
        'genindex.html',
        'print.html',
        'google0123456789abcdef.html',
      ],
      ['index.html'],
    ],
    [
      'can be about search',
      ['guide/search.html', 'api/tags.html'],
      ['guide/search.html', 'api/tags.html'],
    ],
    [
      'are no sources or parts of the site',
      [
        'index.html',
        '_modules/x.html',
        '_sources/x.md',
        'assets/demo.html',
        'README.md',
        'LICENSE.md',
      ],
      ['index.html'],
    ],
    ['can all be Markdown', ['README.md', 'guide/a.md'], ['README.md', 'guide/a.md']],
  ];
  for (const [what, paths, pages] of cases) {
    it(what, () => assert.deepEqual(chooseBundlePages(paths).pages, pages));
  }

  it('remember the HTML of the Markdown that is read', () => {
    const { companions } = chooseBundlePages(['a/index.html', 'a.md', 'b.html']);
    assert.deepEqual([...companions], [['a.md', 'a/index.html']]);
  });
});

describe('siteUrlOf', () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['https://x.dev/guide/start', 'guide/start', 'https://x.dev/'],
    ['https://x.dev/docs/guide/start/', 'guide/start', 'https://x.dev/docs/'],
    ['https://x.dev/docs/guide/start.html', 'guide/start', 'https://x.dev/docs/'],
    ['https://x.dev/docs/guide/index.html', 'guide', 'https://x.dev/docs/'],
    ['https://x.dev/docs/', '', 'https://x.dev/docs/'],
    ['https://x.dev/', '', 'https://x.dev/'],
    ['https://x.dev/%C3%BCber%20uns', 'über uns', 'https://x.dev/'],
    // The page of the newest version is another page.
    ['https://x.dev/guide/start', 'v1/guide/start', undefined],
    ['https://x.dev/', 'guide/start', undefined],
    ['https://x.dev/restart', 'start', undefined],
    ['http://localhost:3000/start', 'start', undefined],
    ['http://sample.localhost/start', 'start', undefined],
    ['file:///start', 'start', undefined],
    ['https://x.dev/%ZZ/start', 'start', undefined],
  ];
  for (const [url, route, site] of cases) {
    it(`returns ${String(site)} for ${url} of ${route === '' ? 'the home page' : route}`, () =>
      assert.equal(siteUrlOf(url, route), site));
  }
});
