import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileAddresses, pageFile } from '../../../src/cli/localDocs';

describe('pageFile', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-pages-'));
    await mkdir(path.join(folder, 'docs', 'guide'), { recursive: true });
    for (const file of ['README.md', 'a b.mdx', 'guide/index.html', 'c.html']) {
      await writeFile(path.join(folder, 'docs', file), '');
    }
    await writeFile(path.join(folder, 'secret.md'), '');
  });
  after(() => rm(folder, { recursive: true }));

  it('finds the file of a page as readers can open it', () => {
    const file = (page: string): string | undefined =>
      pageFile(page, path.join(folder, 'docs'), folder);
    assert.equal(file('a%20b#usage'), 'docs/a%20b.mdx#usage');
    assert.equal(file(''), 'docs/README.md');
    assert.equal(file('guide/#_top'), 'docs/guide/index.html');
    assert.equal(file('c'), 'docs/c.html');
    assert.equal(file('gone'), undefined);
    assert.equal(file('%2e%2e/secret'), undefined);
    assert.equal(
      pageFile('c', path.join(folder, 'docs'), path.join(folder, 'other')),
      encodeURI(path.join(folder, 'docs/c.html')),
    );
  });

  for (const [page, written] of [
    ['', 'ReadMe.MD'],
    ['', 'README'],
    ['readme.txt', 'readme.txt'],
    ['start', 'start.html.md'],
  ] as const) {
    it(`finds ${written}, whatever the case and the ending of its name`, async () => {
      const own = await mkdtemp(path.join(folder, 'own-'));
      await writeFile(path.join(own, written), '');
      assert.equal(pageFile(`${page}#usage`, own, own), `${written}#usage`);
    });
  }
});

describe('fileAddresses', () => {
  it('names a page by its file, and finds the page again', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-names-'));
    try {
      await writeFile(path.join(folder, 'a b.md'), '');
      const root = folder;
      for (const [cwd, file] of [
        [folder, 'a%20b.md#usage'],
        [path.join(folder, 'other'), `${encodeURI(path.join(folder, 'a b.md'))}#usage`],
      ] as const) {
        const addresses = fileAddresses({ label: 'notes', root, cwd });
        assert.equal(addresses.write('/docs/a%20b#usage'), file);
        assert.equal(addresses.read(file)?.path, 'a%20b.md#usage');
        assert.equal(addresses.write('/docs/gone.png'), 'notes/gone.png');
        assert.equal(addresses.read('https://docs.test/a'), undefined);
        assert.equal(addresses.read('../../secret.md'), undefined);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('names pages of a site or an archive by its name', () => {
    const addresses = fileAddresses({ label: 'docs.test' });
    assert.equal(addresses.write('/docs/a/#b'), 'docs.test/a/#b');
    assert.equal(addresses.read('docs.test/a/#b')?.path, 'a/#b');
    assert.equal(addresses.read('a/#b'), undefined);
  });
});
