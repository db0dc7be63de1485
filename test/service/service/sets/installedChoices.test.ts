import assert from 'node:assert/strict';
import { installedChoices } from '../../../../src/service/sets/installedChoices';
import { installedAt, Workspace } from '../../docs/sources/installed/layouts';

const project = (...names: readonly string[]): object => ({
  name: 'app',
  dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
});

describe('installedChoices', () => {
  let workspace: Workspace;
  beforeEach(async () => {
    workspace = await Workspace.create();
  });
  afterEach(() => workspace.remove());

  const choices = async (activeFile?: string): Promise<readonly (readonly [string, number])[]> => {
    const found = await installedChoices({
      roots: [workspace.root],
      activeFile: activeFile === undefined ? undefined : workspace.at(activeFile),
      label: 'Installed Packages',
      log: workspace.log,
    });
    return found.map(({ docs, packages }) => {
      assert.ok(docs.kind === 'installed' && docs.root === workspace.root);
      return [docs.folder.slice(workspace.root.length), packages];
    });
  };

  it('counts the packages of package.json that are there, in any layout of node_modules', async () => {
    await workspace.write({
      'package.json': project('parcels', '@acme/birds', 'missing', '../trap'),
      ...installedAt('', 'parcels', '1.0.0'),
      ...installedAt('', 'deep', '1.0.0'),
      ...installedAt('node_modules/.pnpm/birds', '@acme/birds', '1.0.0'),
    });
    await workspace.link(
      'node_modules/@acme/birds',
      'node_modules/.pnpm/birds/node_modules/@acme/birds',
    );
    assert.deepEqual(await choices(), [['', 2]]);
  });

  it('adds the project of the file that is edited', async () => {
    await workspace.write({
      'package.json': project('parcels'),
      ...installedAt('', 'parcels', '1.0.0'),
      'apps/shop/package.json': project('whales'),
      ...installedAt('apps/shop', 'whales', '1.0.0'),
    });
    assert.deepEqual(await choices('apps/shop/src/a.ts'), [
      ['', 1],
      ['/apps/shop', 2],
    ]);
    assert.deepEqual(await choices('src/a.ts'), [['', 1]]);
    assert.deepEqual(await choices('node_modules/parcels/README.md'), [['', 1]]);
  });

  it('looks right below a top without packages, and finds none where none are installed', async () => {
    await workspace.write({
      'README.md': '# App',
      'frontend/package.json': project('parcels'),
      'docs/package.json': project('missing'),
      ...installedAt('frontend', 'parcels', '1.0.0'),
    });
    assert.deepEqual(await choices(), [['/frontend', 1]]);
    await workspace.write({ 'frontend/package.json': '{ broken' });
    assert.deepEqual(await choices(), []);
  });
});
