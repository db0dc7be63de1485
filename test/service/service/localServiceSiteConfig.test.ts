import assert from 'node:assert/strict';
import type { LocalService } from '../../../src/service/server/server';
import { docsFolder, startService } from './localServiceAsking';

const png = new Uint8Array([137, 80, 78, 71]);
const files = {
  'docs.json': JSON.stringify({
    navigation: { groups: [{ group: 'All', pages: ['zebra', 'ape'] }] },
    redirects: [
      { source: '/old/:page', destination: '/:page' },
      { source: '/away', destination: 'https://example.com/' },
    ],
  }),
  'ape.md': '# Ape\n\n[target](/zebra#build-target) ![x](/x.png)\n',
  'zebra.md': '# Zebra\n\n## build.target\n\nText.\n',
  'unlisted.md': '# Unlisted\n',
  'public/x.png': png,
};

describe("pages of a docs folder with its site's configuration", () => {
  let folder: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;

  before(async () => {
    folder = await docsFolder(files);
    service = await startService(folder.root);
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await folder.remove();
  });

  const get = (path: string): Promise<Response> =>
    fetch(`${service.url}${path}`, { redirect: 'manual' });

  it('are listed in the order of its navigation, and others after them', async () => {
    const page = await (await get('/')).text();
    assert.deepEqual(
      [...page.matchAll(/href="\/docs\/([^"]*)"/g)].map(([, path]) => path),
      ['zebra', 'ape', 'unlisted'],
    );
  });

  it('are reached from the URLs of its redirects', async () => {
    const response = await get('/docs/old/zebra');
    assert.equal(response.status, 302);
    assert.equal(response.headers.get('location'), '/docs/zebra');
  });

  it('are not reached, nor is another site, if the redirects lead elsewhere', async () => {
    assert.equal((await get('/docs/away')).status, 404);
  });

  it('link to sections by the ids that these have here, and show files of the site', async () => {
    const page = await (await get('/docs/ape')).text();
    assert.match(page, /href="\/docs\/zebra#buildtarget"/);
    const image = await get('/docs/x.png');
    assert.equal(image.status, 200);
    assert.equal(image.headers.get('content-type'), 'image/png');
  });

  it('are used for answers without the files that only list them', async () => {
    const book = await docsFolder({
      'SUMMARY.md': '# Summary\n\n* [Pelicans](birds.md)\n',
      'birds.md': '# Birds\n\nPelicans eat fish.\n',
    });
    const other = await startService(book.root);
    try {
      assert.deepEqual(await other.whenIndexed(), { pages: 1, sections: 1, sizeBytes: 28 });
    } finally {
      await other.stop();
      await book.remove();
    }
  });
});
