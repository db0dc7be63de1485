import assert from 'node:assert/strict';
import { InstalledVersions } from '../../../../../src/docs/sources/installed/installedVersions';
import { pnpFile, Workspace } from './layouts';

const manifest = (name: string, version: string): object => ({ name, version });

describe('InstalledVersions', () => {
  let workspace: Workspace;
  afterEach(() => workspace.remove());

  const versionsIn = ({ root, log }: Workspace): InstalledVersions =>
    new InstalledVersions({ root, isTrusted: () => true, log });

  it('finds the version that Node resolves from a file', async () => {
    workspace = await Workspace.create({
      'package.json': { dependencies: { next: '^15' } },
      'node_modules/next/package.json': manifest('next', '15.5.2'),
      'node_modules/broken/package.json': '{',
      'node_modules/plain/package.json': { name: 'plain' },
      'apps/old/package.json': { dependencies: { next: '^14' } },
      'apps/old/node_modules/next/package.json': manifest('next', '14.2.0'),
      'apps/old/node_modules/empty/.keep': '',
      'node_modules/empty/package.json': manifest('empty', '1.0.0'),
      'src/page.ts': '',
    });
    const versions = versionsIn(workspace);
    const find = (name: string, from: string) => versions.find(name, workspace.at(from));
    assert.equal(await find('next', 'src/page.ts'), '15.5.2');
    assert.equal(await find('next', 'src/new.ts'), '15.5.2');
    assert.equal(await find('next', 'apps/old/src/page.ts'), '14.2.0');
    assert.equal(await find('empty', 'apps/old'), '1.0.0');
    for (const none of ['ghost', 'broken', 'plain', '..', '../next', '__proto__', '']) {
      assert.equal(await find(none, ''), undefined, none);
    }
  });

  it('follows an update at once', async () => {
    workspace = await Workspace.create({
      'node_modules/next/package.json': manifest('next', '15.5.2'),
    });
    const versions = versionsIn(workspace);
    assert.equal(await versions.find('next', workspace.root), '15.5.2');
    await workspace.write({ 'node_modules/next/package.json': manifest('next', '16.0.0') });
    assert.equal(await versions.find('next', workspace.root), '16.0.0');
  });

  it('reads the version from an archive of Plug’n’Play', async () => {
    const inArchive = 'node_modules/next';
    workspace = await Workspace.create({
      'package.json': { dependencies: { next: '16' } },
      '.pnp.cjs': pnpFile({ '': { next: `.yarn/cache/next.zip/${inArchive}` } }),
    });
    await workspace.zip('.yarn/cache/next.zip', {
      [`${inArchive}/package.json`]: manifest('next', '16.0.0'),
    });
    assert.equal(await versionsIn(workspace).find('next', workspace.at('src/a.ts')), '16.0.0');
  });
});
