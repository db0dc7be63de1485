import assert from 'node:assert/strict';
import {
  cleanAddress,
  relativeHref,
  safeName,
  SitePaths,
} from '../../../../../src/service/export/site/sitePaths';

describe('safeName', () => {
  const names: Record<string, string> = {
    'start.html': 'start.html',
    'Über uns.html': 'Über-uns.html',
    '日本語.html': '日本語.html',
    "what's new? 100% #1.html": 'what-s-new-100-1.html',
    'a:b<c>d|e*f"g.html': 'a-b-c-d-e-f-g.html',
    '???.html': 'page.html',
    '..html': 'page.html',
    'trailing. .html': 'trailing.html',
    'con.html': 'con_.html',
    'NUL.tar.gz': 'NUL_.tar.gz',
    'com1.html': 'com1_.html',
    'console.html': 'console.html',
    'v2.1': 'v2.1',
  };
  for (const [name, safe] of Object.entries(names)) {
    it(`makes ${safe} of ${JSON.stringify(name)}`, () => {
      assert.equal(safeName(name), safe);
    });
  }

  it('keeps names within the limits of file systems, without cutting a character', () => {
    const name = safeName(`${'語'.repeat(150)}.html`);
    assert.match(name, /^語+\.html$/);
    assert.ok(Buffer.byteLength(name) <= 200);
  });

  it('writes a decomposed letter as one character', () => {
    assert.equal(safeName('u\u0308ber.html'), 'über.html');
  });
});

describe('SitePaths', () => {
  it('gives each file a name that differs in more than its case', () => {
    const paths = new SitePaths();
    const names = ['A.html', 'a.html', 'Ａ.html', 'a-2.html', 'h.html', 'ℋ.html'];
    const given = names.map((name) => paths.file('', name));
    assert.deepEqual(given, [
      'A.html',
      'a-2.html',
      'Ａ-3.html',
      'a-2-2.html',
      'h.html',
      'ℋ-2.html',
    ]);
  });

  it('separates folders whose names differ only in case', () => {
    const paths = new SitePaths();
    assert.equal(paths.file('Guides', 'a.html'), 'Guides/a.html');
    assert.equal(paths.file('guides', 'b.html'), 'guides-2/b.html');
    assert.equal(paths.file('Guides', 'c.html'), 'Guides/c.html');
  });

  it('separates a folder from a file with the same name', () => {
    const paths = new SitePaths();
    assert.equal(paths.file('', 'guides.html'), 'guides.html');
    assert.equal(paths.file('guides.html', 'a.html'), 'guides-2.html/a.html');
  });

  it('creates safe folder names on the way', () => {
    assert.equal(new SitePaths().file('aux/b c', 'd.html'), 'aux_/b-c/d.html');
  });
});

describe('relativeHref', () => {
  const cases: [from: string, to: string, href: string][] = [
    ['index.html', 'guides/a.html', 'guides/a.html'],
    ['guides/a.html', 'index.html', '../index.html'],
    ['guides/a.html', 'guides/b.html', 'b.html'],
    ['guides/a.html', 'guides/deep/b.html', 'deep/b.html'],
    ['v2/en/a.html', 'v2/de/a.html', '../de/a.html'],
    ['a.html', 'a.html', 'a.html'],
    ['a.html', 'ü/b c.html', '%C3%BC/b%20c.html'],
  ];
  for (const [from, to, href] of cases) {
    it(`leads from ${from} to ${to} by ${href}`, () => {
      assert.equal(relativeHref(from, to), href);
    });
  }
});

describe('cleanAddress', () => {
  it('leaves out the extension and index', () => {
    const files = ['index.html', 'guides/index.html', 'guides/start.html', 'a/reindex.html'];
    assert.deepEqual(files.map(cleanAddress), ['', 'guides/', 'guides/start', 'a/reindex']);
  });
});
