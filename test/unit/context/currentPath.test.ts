import assert from 'node:assert/strict';
import { currentPath } from '../../../src/context/currentPath';

const folder = '/home/ann/site';

describe('currentPath', () => {
  for (const [path, docsRoot, expected] of [
    ['/home/ann/site/docs/guides/start.md', 'docs', 'guides/start'],
    ['/home/ann/site/docs/guides/start.mdx', './docs/', 'guides/start'],
    ['/home/ann/site/docs/guides/start.md', '/docs', 'guides/start'],
    ['/home/ann/site/docs/v2/en/start.md', 'docs\\v2', 'en/start'],
    ['/home/ann/site/start.md', '.', 'start'],
    ['/home/ann/site/docs/guides/index.md', 'docs', 'guides'],
    ['/home/ann/site/docs/index.md', 'docs', 'index'],
    ['/home/ann/site/docs/v1.2/notes.v3.md', 'docs', 'v1.2/notes.v3'],
  ] as const) {
    it(`is ${expected} for ${path} below ${docsRoot}`, () => {
      assert.equal(currentPath(path, folder, docsRoot), expected);
    });
  }

  for (const [what, path, docsRoot] of [
    ['no docs root is set', '/home/ann/site/docs/start.md', ''],
    ['the page is outside of the docs root', '/home/ann/site/README.md', 'docs'],
    ['the page is outside of the folder', '/home/ann/other/docs/start.md', 'docs'],
    ['the file is no page', '/home/ann/site/docs/pay.ts', 'docs'],
    ['the docs root climbs out of the folder', '/home/ann/other/start.md', '../other'],
  ] as const) {
    it(`is left out where ${what}`, () => {
      assert.equal(currentPath(path, folder, docsRoot), undefined);
    });
  }

  it('is left out without a workspace folder', () => {
    assert.equal(currentPath('/home/ann/site/docs/start.md', undefined, 'docs'), undefined);
  });
});
