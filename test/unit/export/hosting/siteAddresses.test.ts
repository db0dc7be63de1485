import assert from 'node:assert/strict';
import { isServed, SiteAddresses } from '../../../../src/export/hosting/siteAddresses';

const addresses = new SiteAddresses([
  'index.html',
  '404.html',
  'guides.html',
  'guides/index.html',
  'guides/start.html',
  'only/index.html',
  'node.js.html',
  'notes.html.html',
  'app.js',
]);

describe('the answer of a host to an address', () => {
  const cases: [string, ReturnType<SiteAddresses['answer']>][] = [
    ['', { file: 'index.html', isPage: true }],
    ['index.html', { movedTo: '' }],
    ['guides', { file: 'guides.html', isPage: true }],
    ['guides/', { file: 'guides/index.html', isPage: true }],
    ['guides.html', { movedTo: 'guides' }],
    ['guides/index.html', { movedTo: 'guides/' }],
    ['guides/start', { file: 'guides/start.html', isPage: true }],
    ['guides/start/', { movedTo: 'guides/start' }],
    ['only', { movedTo: 'only/' }],
    ['only/', { file: 'only/index.html', isPage: true }],
    ['node.js', { file: 'node.js.html', isPage: true }],
    ['notes.html', { file: 'notes.html.html', isPage: true }],
    ['app.js', { file: 'app.js', isPage: false }],
    ['app.js/', undefined],
    ['404', undefined],
    ['404.html', undefined],
    ['none', undefined],
    ['none.html', undefined],
    ['guides/start/index.html', undefined],
    ['Guides', undefined],
  ];
  for (const [path, answer] of cases) {
    it(`for “${path}” is ${answer ? JSON.stringify(answer) : 'nothing'}`, () => {
      assert.deepEqual(addresses.answer(path), answer);
    });
  }
});

describe('a served file', () => {
  it('has no name with a leading dot, except for well-known files', () => {
    assert.deepEqual(
      ['a.js', '.env', 'a/.git/config', '.well-known/x', 'a/.well-known/x'].map(isServed),
      [true, false, false, true, true],
    );
  });
});
