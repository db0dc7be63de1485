import assert from 'node:assert/strict';
import {
  pageRoute,
  plainAddress,
  servedAddress,
  withoutHash,
} from '../../../../src/export/compare/pageAddress';

describe('URLs of pages', () => {
  it('have the same route in each form', () => {
    assert.equal(pageRoute('guides/start.html'), 'guides/start');
    assert.equal(pageRoute('guides/start/index.html'), 'guides/start');
    assert.equal(pageRoute('index.html'), '');
    assert.equal(pageRoute('guides/my-index.html'), 'guides/my-index');
    assert.equal(pageRoute('a.b.xhtml'), 'a.b');
  });

  it('are encoded, below the base path', () => {
    assert.equal(plainAddress('a b/ü?.html', '/docs'), '/docs/a%20b/%C3%BC%3F');
    assert.equal(plainAddress('index.html', '/docs'), '/docs/');
    assert.equal(plainAddress('index.html', ''), '/');
  });

  it('are served with .html unless the host adds it', () => {
    assert.equal(servedAddress('a/b.html', '', false), '/a/b.html');
    assert.equal(servedAddress('a/b.html', '/docs', true), '/docs/a/b');
    assert.equal(servedAddress('a/index.html', '/docs', false), '/docs/a/');
    assert.equal(servedAddress('index.html', '', true), '/');
  });
});

describe('withoutHash', () => {
  for (const [path, plain] of [
    ['app.3f2a9c1d.js', 'app.js'],
    ['a/app.3f2a9c1d.js.map', 'a/app.js.map'],
    ['assets/index-DiwrgTda.js', 'assets/index.js'],
    ['assets/main-BX3d9aKq.css', 'assets/main.css'],
    ['getting-started.png', 'getting-started.png'],
    ['release-20240131.pdf', 'release-20240131.pdf'],
    ['jquery-3.7.1.min.js', 'jquery-3.7.1.min.js'],
    ['a.3f2a9c1d/b.js', 'a.3f2a9c1d/b.js'],
    ['.3f2a9c1d.js', '.3f2a9c1d.js'],
    ['decade.defaced.js', 'decade.defaced.js'],
  ] as const) {
    it(`returns ${path} as ${plain}`, () => {
      assert.equal(withoutHash(path), plain);
    });
  }
});
