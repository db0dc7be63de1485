import assert from 'node:assert/strict';
import { parseAskLink } from '../../../../src/chat/context/askLink';
import { currentPath, pagePath } from '../../../../src/chat/context/documentPaths';

const folder = '/home/ann/site';

describe('currentPath', () => {
  for (const [path, docsRoot, expected] of [
    ['/home/ann/site/docs/guides/start.md', 'docs', '/guides/start'],
    ['/home/ann/site/docs/guides/start.mdx', './docs/', '/guides/start'],
    ['/home/ann/site/docs/guides/start.md', '/docs', '/guides/start'],
    ['/home/ann/site/docs/v2/en/start.md', 'docs\\v2', '/en/start'],
    ['/home/ann/site/start.md', '.', '/start'],
    ['/home/ann/site/docs/guides/index.md', 'docs', '/guides'],
    ['/home/ann/site/docs/index.md', 'docs', '/'],
    ['/home/ann/site/docs/v1.2/notes.v3.md', 'docs', '/v1.2/notes.v3'],
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

describe('pagePath', () => {
  for (const [path, expected] of [
    ['guides/start', '/guides/start'],
    ['/guides/start', '/guides/start'],
    ['/guides/start/', '/guides/start'],
    ['//guides//start', '/guides/start'],
    ['/', '/'],
    ['', '/'],
    ['/日本語/v1.2', '/日本語/v1.2'],
  ] as const) {
    it(`is ${expected} for ${JSON.stringify(path)}, and for itself`, () => {
      assert.equal(pagePath(path), expected);
      assert.equal(pagePath(expected), expected);
    });
  }

  it('is the same for the file of a page and for a link to it, with or without its slash', () => {
    const file = currentPath(`${folder}/docs/guides/start.md`, folder, 'docs');
    const links = ['/guides/start', 'guides/start', 'guides/start/'].map((path) => {
      const link = parseAskLink({ path: '/ask', query: `path=${path}` });
      return 'page' in link ? link.page : undefined;
    });
    assert.deepEqual(links, [file, file, file]);
  });
});
