import assert from 'node:assert/strict';
import type { ReadableSet } from '../../../../src/docs/askedDocs';
import { SetIndex } from '../../../../src/docs/search/setIndex';
import { noSiteConfig } from '../../../../src/docs/siteConfig/siteConfig';
import { docsRoutes } from '../../../../src/service/server/docsRoutes';

function answer(isIndexed: boolean): Response | Promise<Response> {
  const library: ReadableSet = {
    index: new SetIndex(),
    source: {
      read: () => Promise.resolve(undefined),
      readIncludes: () => Promise.resolve(new Map<string, string>()),
      readConfig: () => Promise.resolve(noSiteConfig),
      readFile: () => Promise.resolve(undefined),
    },
    isIndexed,
  };
  const engine = { page: () => Promise.reject(new Error('No page is made.')) };
  const routes = docsRoutes({ engine, reading: (_set, read) => read(library), domain: 'docs' });
  return routes.request('/docs/guides/keys');
}

describe('docsRoutes', () => {
  it('asks for patience while a page may still be read', async () => {
    const response = await answer(false);
    assert.equal(response.status, 503);
    assert.equal(response.headers.get('retry-after'), '5');
    assert.deepEqual(await response.json(), {
      error: 'The docs are still being read. Try again.',
    });
  });

  it('says that a page does not exist once all pages are read', async () => {
    assert.equal((await answer(true)).status, 404);
  });
});
