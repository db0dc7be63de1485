import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import sinon from 'sinon';
import { installedAt, packageAt, pathsOf, pnpFile, Workspace } from './layouts';

describe('Packages installed with Plug’n’Play', () => {
  let workspace: Workspace;
  afterEach(() => workspace.remove());

  const archive = '.yarn/cache/next-npm-16.0.0-abc.zip';
  const inArchive = 'node_modules/next';

  beforeEach(async () => {
    workspace = await Workspace.create({
      'package.json': { dependencies: { next: '16', b: 'workspace:*', native: '*', lost: '*' } },
      ...packageAt('packages/b', 'b', '0.1.0'),
      'packages/b/package.json': { name: 'b', version: '0.1.0', dependencies: { zod: '4' } },
      ...installedAt('.yarn/unplugged/native-npm-1.0.0-abc', 'native', '1.0.0'),
      ...installedAt('ignored', 'zod', '3.0.0'),
      'ignored/package.json': { dependencies: { zod: '3' } },
      '.pnp.cjs': pnpFile({
        '': {
          next: `.yarn/__virtual__/next-virtual-abc/0/cache/next-npm-16.0.0-abc.zip/${inArchive}`,
          b: 'packages/b',
          native: '.yarn/unplugged/native-npm-1.0.0-abc/node_modules/native',
        },
        'packages/b': { zod: '.yarn/cache/zod-npm-4.0.0-abc.zip/node_modules/zod' },
      }),
    });
    await workspace.zip(archive, {
      ...packageAt(inArchive, 'next', '16.0.0', {
        'dist/docs/a.md': '# A\n\nPages are fast.\n',
        'dist/docs/image.png': new Uint8Array([1, 2, 3]),
        'CHANGELOG.md': '# Changes',
      }),
      'node_modules/other/docs/secret.md': '# Secret',
    });
    await workspace.zip('.yarn/cache/zod-npm-4.0.0-abc.zip', installedAt('', 'zod', '4.0.0'));
  });

  it('are in its archives, its folders and the workspace, as the project asks', async () => {
    assert.deepEqual(await workspace.list(), {
      next: 'next@16.0.0',
      b: 'b@0.1.0',
      native: 'native@1.0.0',
    });
    assert.deepEqual(await workspace.list('packages/b/src/b.ts'), { zod: 'zod@4.0.0' });
    assert.deepEqual(await workspace.problems(), ['not-installed lost']);
  });

  it('are the same for all virtual paths, and shared with other workspaces', async () => {
    const next = await workspace.open().find('next', workspace.root);
    assert.equal(next?.folder, workspace.at(archive, inArchive));
    assert.equal(next.isLinked, false);
    assert.equal(next.keptKey, 'next@16.0.0');
  });

  it('have their pages in the archive', async () => {
    const installed = workspace.open();
    const next = await installed.find('next', workspace.root);
    assert.ok(next);
    const source = await installed.open(next);
    const paths = await pathsOf(source);
    assert.deepEqual(paths, ['README.md', 'dist/docs/a.md', 'CHANGELOG.md']);
    assert.equal((await source.read('dist/docs/a.md'))?.source, '# A\n\nPages are fast.\n');
    assert.deepEqual([...((await source.readFile('dist/docs/image.png', 10)) ?? [])], [1, 2, 3]);
    assert.equal(await source.readFile('dist/docs/image.png', 2), undefined);
    assert.equal(await source.readFile('../other/docs/secret.md', 100), undefined);
    assert.equal(await source.read('../other/docs/secret.md'), undefined);
  });

  it('own the files in archives and behind virtual paths', async () => {
    const installed = workspace.open();
    for (const file of [
      workspace.at(archive, inArchive, 'dist', 'a.d.ts'),
      workspace.at(`.yarn/__virtual__/x/0/cache/next-npm-16.0.0-abc.zip/${inArchive}/a.d.ts`),
    ]) {
      assert.equal((await installed.ownerOf(file, workspace.root))?.id, 'next@16.0.0');
    }
  });

  it('are found in node_modules where Yarn is not responsible', async () => {
    assert.deepEqual(await workspace.list('ignored/a.ts'), { zod: 'zod@3.0.0' });
  });

  it('wait for trust, as finding them runs code of the workspace', async () => {
    await workspace.write({ '.pnp.cjs': `throw new Error('ran')` });
    workspace.isTrusted = false;
    assert.deepEqual(await workspace.problems(), [`needs-trust ${workspace.at('.pnp.cjs')}`]);
    assert.equal(await workspace.open().find('next', workspace.root), undefined);
    assert.ok(!workspace.log.text().includes('ran'));
  });

  it('are not found by code above the workspace folder', async () => {
    await workspace.write({ '.pnp.cjs': `throw new Error('ran')` });
    const installed = workspace.open(workspace.at('packages', 'b'));
    assert.deepEqual(await workspace.problems('packages/b', installed), [
      `outside-workspace ${workspace.at('.pnp.cjs')}`,
    ]);
  });

  const broken: readonly (readonly [string, string])[] = [
    ['throws', `throw new Error('broken')`],
    ['is not JavaScript', '<<<<<<< HEAD'],
    ['is other code', 'module.exports = { setup() {} }'],
    ['exports nothing', 'module.exports = null'],
    ['ends the process', 'process.exit(0)'],
  ];
  for (const [what, code] of broken) {
    it(`are told as missing if the lookup ${what}`, async () => {
      await workspace.write({ '.pnp.cjs': code });
      assert.deepEqual(await workspace.problems(), [`broken-lookup ${workspace.at('.pnp.cjs')}`]);
    });
  }

  it('are found by code that gets no environment', async () => {
    const found = pnpFile({ '': { next: `${archive}/${inArchive}` } });
    await workspace.write({
      '.pnp.cjs': `if (Object.keys(process.env).length > 0) throw new Error('leak');${found}`,
    });
    assert.deepEqual(await workspace.list(), { next: 'next@16.0.0' });
  });

  it('are found by code that can not print', async () => {
    const found = pnpFile({ '': { next: `${archive}/${inArchive}` } });
    await workspace.write({
      '.pnp.cjs': `console.log('printed'); console.error('printed');${found}`,
    });
    const writes = [process.stdout, process.stderr].map((stream) => sinon.spy(stream, 'write'));
    try {
      assert.deepEqual(await workspace.list(), { next: 'next@16.0.0' });
      // The output of a thread arrives after its answers.
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(
        writes.flatMap(({ args }) => args),
        [],
      );
    } finally {
      for (const write of writes) write.restore();
    }
  });

  it('are looked up again after Yarn installed others', async () => {
    const installed = workspace.open();
    await workspace.list('', installed);
    await workspace.write({
      '.pnp.cjs': pnpFile({
        '': { next: '.yarn/cache/next-npm-17.0.0-abc.zip/node_modules/next' },
      }),
    });
    await workspace.zip('.yarn/cache/next-npm-17.0.0-abc.zip', installedAt('', 'next', '17.0.0'));
    assert.deepEqual(await workspace.list('', installed), { next: 'next@17.0.0' });
  });

  const archives: readonly (readonly [string, (bytes: Buffer) => Uint8Array])[] = [
    ['is none', () => new Uint8Array([1, 2, 3])],
    ['is empty', () => new Uint8Array()],
    ['was cut', (bytes) => bytes.subarray(0, bytes.length - 40)],
    ['has a name that leads out of it', (bytes) => replaced(bytes, 'node_modules', '../////////x')],
    ['has other content than it says', (bytes) => replaced(bytes, '{"name', '\0'.repeat(6))],
  ];
  for (const [what, spoil] of archives) {
    it(`are left out and told if their archive ${what}`, async () => {
      await writeFile(workspace.at(archive), spoil(await readFile(workspace.at(archive))));
      assert.match((await workspace.problems()).join(), /^(?:unreadable|broken-manifest) next,/);
      assert.deepEqual(await workspace.list(), { b: 'b@0.1.0', native: 'native@1.0.0' });
    });
  }
});

/** Returns the bytes with a text in place of another one of the same length, everywhere. */
function replaced(bytes: Buffer, from: string, to: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1');
}
