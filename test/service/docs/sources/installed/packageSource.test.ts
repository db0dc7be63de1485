import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { rm } from 'node:fs/promises';
import type { PageSource } from '../../../../../src/docs/sources/pageSource';
import { installedAt, packageAt, pathsOf, type Tree, Workspace } from './layouts';

const none = new AbortController().signal;

describe('The pages of an installed package', () => {
  let workspace: Workspace;
  afterEach(() => workspace.remove());

  /** Opens a package with these files. */
  async function open(files: Tree): Promise<PageSource> {
    workspace = await Workspace.create(installedAt('', 'next', '16.0.0', files));
    return openNamed('next');
  }

  async function openNamed(name: string, installed = workspace.open()): Promise<PageSource> {
    const found = await installed.find(name, workspace.root);
    assert.ok(found);
    return installed.open(found);
  }

  it('are its docs and its readme, with their text', async () => {
    const source = await open({ 'docs/guide/a.md': '# A\r\n\r\nText.' });
    assert.deepEqual(await pathsOf(source), ['README.md', 'docs/guide/a.md']);
    assert.deepEqual(source.size, { total: 2 });
    const page = await source.read('docs/guide/a.md');
    assert.equal(page?.source, '# A\r\n\r\nText.');
  });

  const encodings: readonly (readonly [string, Uint8Array])[] = [
    ['UTF-16', Buffer.from('\uFEFF# Größe', 'utf16le')],
    ['Windows-1252', Buffer.from('# Größe', 'latin1')],
    ['UTF-8 with a mark', Buffer.from('\uFEFF# Größe')],
  ];
  for (const [name, bytes] of encodings) {
    it(`are decoded from ${name}`, async () => {
      const source = await open({ 'readme.markdown': bytes, 'README.md': '' });
      await rm(workspace.at('node_modules', 'next', 'README.md'), { force: true });
      assert.deepEqual(await pathsOf(source), ['readme.markdown']);
      assert.equal((await source.read('readme.markdown'))?.source, '# Größe');
    });
  }

  it('are without a readme of 20 MB, which one line of the log says', async () => {
    const source = await open({
      'README.md': 'a '.repeat(10 * 1024 * 1024),
      'docs/a.md': '# A',
    });
    assert.deepEqual(await pathsOf(source), ['README.md', 'docs/a.md']);
    assert.equal(await source.read('README.md'), undefined);
    assert.ok(await source.read('docs/a.md'));
    assert.deepEqual(workspace.log.messages(), [
      'next@16.0.0: Skipped README.md: it has 20971520 bytes, and the limit is 2097152',
    ]);
  });

  it('are not behind links out of the package', async () => {
    const source = await open({
      'docs/a.md': '# A',
      'llms.txt': '[a](docs/linked/secret.md) [b](manual/secret.md) `manual/`',
    });
    await workspace.write({ 'secret/secret.md': '# Secret', 'secret/image.png': 'secret' });
    for (const place of ['docs/linked', 'guides', 'manual', 'docs/images'])
      await workspace.link(`node_modules/next/${place}`, 'secret');
    assert.deepEqual(await pathsOf(source), ['README.md', 'docs/a.md']);
    for (const path of ['docs/linked/secret.md', 'guides/secret.md', '../../secret/secret.md'])
      assert.equal(await source.read(path), undefined);
    for (const path of ['docs/images/image.png', '../../secret/image.png'])
      assert.equal(await source.readFile(path, 100), undefined);
  });

  it('of its API are made of the same if another copy has the same declarations', async () => {
    const contents: (string | undefined)[] = [];
    for (const types of ['export const a: 1;', 'export const a: 1;', 'export const a: 2;']) {
      const source = await open({ 'dist/index.d.ts': types, 'README.md': `# ${contents.length}` });
      contents.push(await source.made?.content(() => Promise.resolve()));
      await workspace.remove();
    }
    const [first, copy, other] = contents;
    assert.ok(first);
    assert.equal(copy, first);
    assert.notEqual(other, first);
  });

  it('of the API of a package that is not built are made of its source', async () => {
    const contents: (string | undefined)[] = [];
    for (const one of ['export const a: 1 = 1;', 'export const a: 2 = 2;']) {
      const source = await open({ 'src/index.ts': one });
      contents.push(await source.made?.content(() => Promise.resolve()));
      await workspace.remove();
    }
    assert.notEqual(contents[0], contents[1]);
  });

  it('include their snippets', async () => {
    const source = await open({ 'docs/a.md': '<<< ./code.ts', 'docs/code.ts': 'let a = 1;' });
    await pathsOf(source);
    assert.deepEqual(
      [...(await source.readIncludes('docs/a.md', '<<< ./code.ts'))],
      [['docs/code.ts', 'let a = 1;']],
    );
  });

  it('lead from links at the root of the published docs to the folder that has them', async () => {
    const source = await open({ 'dist/docs/a.md': '# A' });
    const { contentFolder, basePaths } = await source.readConfig(workspace.log);
    assert.deepEqual(
      { contentFolder, basePaths },
      { contentFolder: 'dist/docs', basePaths: ['docs'] },
    );
  });

  it('are none after the package was removed, which the log says', async () => {
    const source = await open({});
    await rm(workspace.at('node_modules', 'next'), { recursive: true });
    assert.deepEqual(await pathsOf(source), []);
    assert.deepEqual(workspace.log.messages(), [`next@16.0.0: Can't read the package: ENOENT`]);
  });

  it('are left out one by one if they disappear while they are read', async () => {
    const source = await open({ 'docs/a.md': '# A', 'docs/b.md': '# B' });
    const read: string[] = [];
    for await (const path of source.paths(none)) {
      await rm(workspace.at('node_modules', 'next', 'docs', 'a.md'), { force: true });
      if (await source.read(path)) read.push(path);
    }
    assert.deepEqual(read, ['README.md', 'docs/b.md']);
  });

  it('are listed once as long as the package is the same', async () => {
    await open({ 'docs/a.md': '# A' });
    const installed = workspace.open();
    const first = await openNamed('next', installed);
    await pathsOf(first);
    assert.equal(await openNamed('next', installed), first);
    await workspace.write(installedAt('', 'next', '16.0.1', { 'docs/b.md': '# B' }));
    const second = await openNamed('next', installed);
    assert.deepEqual(await pathsOf(second), ['README.md', 'docs/a.md', 'docs/b.md']);
  });

  it('of another folder of the workspace change with it', async () => {
    workspace = await Workspace.create({
      ...packageAt('packages/b', 'b', '0.1.0', {
        'docs/a.md': '# A',
        'src/notes.md': '# Notes',
      }),
    });
    await workspace.link('node_modules/b', 'packages/b');
    const source = await openNamed('b');
    await pathsOf(source);
    const changed = new Set<string>();
    const seen = new EventEmitter();
    const watch = source.watch({
      changed: (path) => {
        changed.add(path);
        seen.emit(path);
      },
      removed: () => undefined,
    });
    const isNew = once(seen, 'docs/new/c.md');
    watch.start();
    await workspace.write({
      'packages/b/docs/new/c.md': '# C',
      'packages/b/src/more.md': '# More',
    });
    await isNew;
    await watch.stop();
    assert.deepEqual([...changed].toSorted(), ['README.md', 'docs/a.md', 'docs/new/c.md']);
    assert.equal((await source.read('docs/new/c.md'))?.source, '# C');
  });
});
