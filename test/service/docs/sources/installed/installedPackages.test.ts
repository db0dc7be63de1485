import assert from 'node:assert/strict';
import { rm, utimes } from 'node:fs/promises';
import { installedAt, packageAt, Workspace } from './layouts';

const none = new AbortController().signal;

describe('Installed packages', () => {
  let workspace: Workspace;
  afterEach(() => workspace.remove());

  describe('of a project with npm', () => {
    beforeEach(async () => {
      workspace = await Workspace.create({
        'package.json': {
          dependencies: { next: '^16.0.0', '@acme/sdk': '*' },
          devDependencies: { zod: '4' },
          peerDependencies: { react: '*' },
          optionalDependencies: { fsevents: '*' },
        },
        ...installedAt('', 'next', '16.4.0'),
        ...installedAt('', '@acme/sdk', '1.2.3'),
        ...installedAt('', 'zod', '4.0.1'),
        ...installedAt('', 'transitive', '0.1.0'),
        'src/a.ts': '',
      });
    });

    it('are the versions on disk of what the project asks for', async () => {
      assert.deepEqual(await workspace.list(), {
        next: 'next@16.4.0',
        '@acme/sdk': '@acme/sdk@1.2.3',
        zod: 'zod@4.0.1',
      });
    });

    it('are the same for a file, and for one that does not exist yet', async () => {
      const all = await workspace.list();
      assert.deepEqual(await workspace.list('src/a.ts'), all);
      assert.deepEqual(await workspace.list('src/new/b.ts'), all);
    });

    it('have what their manifests say', async () => {
      await workspace.write({
        'node_modules/next/package.json': {
          name: 'next',
          version: '16.5.0',
          description: 'The framework',
          homepage: 'https://next.dev/docs',
          repository: { url: 'git+https://x.dev/a/next.git' },
          types: './index.d.ts',
          docs: 'dist/docs',
        },
      });
      const next = await workspace.open().find('next', workspace.root);
      assert.deepEqual(
        { ...next, stamp: '' },
        {
          id: 'next@16.5.0',
          name: 'next',
          importedAs: 'next',
          version: '16.5.0',
          folder: workspace.at('node_modules', 'next'),
          description: 'The framework',
          homepage: 'https://next.dev/docs',
          repository: 'https://x.dev/a/next',
          webFolder: undefined,
          types: 'index.d.ts',
          docs: ['dist/docs'],
          isLinked: false,
          keptKey: 'next@16.5.0',
          stamp: '',
        },
      );
    });

    it('are found by name, also if the project does not ask for them', async () => {
      const found = await workspace.open().find('transitive', workspace.at('src', 'a.ts'));
      assert.equal(found?.id, 'transitive@0.1.0');
      assert.equal(await workspace.open().find('absent', workspace.root), undefined);
    });

    it('tell which needed packages are missing, and no optional ones', async () => {
      await rm(workspace.at('node_modules', 'next'), { recursive: true });
      assert.deepEqual(await workspace.problems(), ['not-installed next']);
      assert.deepEqual(workspace.log.messages(), ['Packages that are not installed: "next"']);
    });

    it('are read again after another version was installed', async () => {
      const installed = workspace.open();
      await workspace.list('', installed);
      await rm(workspace.at('node_modules', 'next'), { recursive: true });
      await workspace.write(installedAt('', 'next', '16.5.0'));
      assert.equal((await workspace.list('', installed))['next'], 'next@16.5.0');
    });

    it('change their stamp when the same version is installed again', async () => {
      const installed = workspace.open();
      const before = await installed.find('next', workspace.root);
      await utimes(workspace.at('node_modules', 'next'), 1000, 1000);
      const after = await installed.find('next', workspace.root);
      assert.notEqual(after?.stamp, before?.stamp);
    });

    it('stop being listed when the caller stops', async () => {
      await assert.rejects(
        workspace.open().list(workspace.root, AbortSignal.abort(new Error('stop'))),
        {
          message: 'stop',
        },
      );
    });
  });

  it('are those of the nearest project in a monorepo, where two folders have two versions', async () => {
    workspace = await Workspace.create({
      'package.json': { devDependencies: { typescript: '6' } },
      ...installedAt('', 'typescript', '6.0.0'),
      ...installedAt('', 'zod', '3.25.0'),
      'packages/a/package.json': { name: 'a', dependencies: { zod: '3' } },
      'packages/b/package.json': { name: 'b', dependencies: { zod: '4' } },
      ...installedAt('packages/b', 'zod', '4.0.0'),
      'packages/b/src/package.json': { type: 'module' },
    });
    assert.deepEqual(await workspace.list('packages/a/a.ts'), {
      zod: 'zod@3.25.0',
      typescript: 'typescript@6.0.0',
    });
    assert.deepEqual(await workspace.list('packages/b/src/b.ts'), {
      zod: 'zod@4.0.0',
      typescript: 'typescript@6.0.0',
    });
  });

  it('are found above the workspace folder, whose projects end there', async () => {
    workspace = await Workspace.create({
      'package.json': { dependencies: { zod: '*' } },
      ...installedAt('', 'zod', '4.0.0'),
      ...installedAt('', 'next', '16.0.0'),
      'packages/a/package.json': { dependencies: { next: '*' } },
    });
    const installed = workspace.open(workspace.at('packages', 'a'));
    assert.deepEqual(await workspace.list('packages/a', installed), { next: 'next@16.0.0' });
  });

  describe('of a project with pnpm', () => {
    const store = 'node_modules/.pnpm';
    beforeEach(async () => {
      workspace = await Workspace.create({
        'package.json': { dependencies: { next: '*', router: 'npm:@acme/router@2' } },
        'packages/a/package.json': {
          dependencies: { next: '15', b: 'workspace:*' },
        },
        ...packageAt('packages/b', 'b', '0.1.0'),
        ...installedAt(`${store}/next@16.0.0`, 'next', '16.0.0'),
        ...installedAt(`${store}/next@15.0.0_react@18`, 'next', '15.0.0'),
        ...installedAt(`${store}/@acme+router@2.0.0`, '@acme/router', '2.0.0'),
        ...installedAt(`${store}/react@18.0.0`, 'react', '18.0.0'),
      });
      await workspace.link('node_modules/next', `${store}/next@16.0.0/node_modules/next`);
      await workspace.link(
        'node_modules/router',
        `${store}/@acme+router@2.0.0/node_modules/@acme/router`,
      );
      await workspace.link(
        'packages/a/node_modules/next',
        `${store}/next@15.0.0_react@18/node_modules/next`,
      );
      await workspace.link('packages/a/node_modules/b', 'packages/b');
      await workspace.link(
        `${store}/next@15.0.0_react@18/node_modules/react`,
        `${store}/react@18.0.0/node_modules/react`,
      );
    });

    it('are where the links lead', async () => {
      assert.deepEqual(await workspace.list(), {
        next: 'next@16.0.0',
        router: '@acme/router@2.0.0',
      });
      assert.deepEqual(await workspace.list('packages/a'), {
        next: 'next@15.0.0',
        b: 'b@0.1.0',
        router: '@acme/router@2.0.0',
      });
    });

    it('are found from the code of another package', async () => {
      const from = workspace.at(store, 'next@15.0.0_react@18', 'node_modules', 'next', 'index.js');
      assert.equal((await workspace.open().find('react', from))?.id, 'react@18.0.0');
      assert.equal(await workspace.open().find('react', workspace.root), undefined);
    });

    it('are kept by their folder if they are another folder of the workspace', async () => {
      const b = await workspace.open().find('b', workspace.at('packages', 'a'));
      assert.equal(b?.isLinked, true);
      assert.equal(b.keptKey, `folder ${workspace.at('packages', 'b')}`);
    });
  });

  it('have their published name if the project gave them another one', async () => {
    workspace = await Workspace.create({
      'package.json': { dependencies: { router: 'npm:@acme/router@2' } },
      ...packageAt('node_modules/router', '@acme/router', '2.0.0'),
    });
    const router = await workspace.open().find('router', workspace.root);
    assert.equal(router?.id, '@acme/router@2.0.0');
    assert.equal(router.importedAs, 'router');
  });

  it('do not get the name that their manifest claims', async () => {
    workspace = await Workspace.create({
      'package.json': { dependencies: { raect: '1' } },
      ...packageAt('node_modules/raect', 'react', '19.0.0'),
    });
    assert.deepEqual(await workspace.list(), { raect: 'raect@19.0.0' });
  });

  describe('with faults', () => {
    it('leave out names that are traps, without looking for them', async () => {
      workspace = await Workspace.create({
        'project/package.json': `{"dependencies": {
          "..": "1", "../outside": "1", "__proto__": "1", "node_modules/../x": "1", "@acme/../../outside": "1",
          "/etc": "1", "constructor": "1", "zod": "1"
        }}`,
        ...packageAt('outside', 'outside', '1.0.0'),
        ...packageAt('project/outside', 'outside', '1.0.0'),
        ...installedAt('project', 'zod', '4.0.0'),
        ...installedAt('project', 'constructor', '1.0.0'),
      });
      assert.deepEqual(await workspace.list('project'), {
        constructor: 'constructor@1.0.0',
        zod: 'zod@4.0.0',
      });
      assert.equal(workspace.log.messages().length, 1);
      assert.match(workspace.log.text(), /^Left out packages with names .*"\.\.".* and 1 more$/);
      for (const name of ['..', '../outside', '__proto__', 'node_modules/../x'])
        assert.equal(await workspace.open().find(name, workspace.at('project')), undefined);
    });

    it('tell about a manifest that is missing, broken or no file, and list the others', async () => {
      workspace = await Workspace.create({
        'package.json': { dependencies: { a: '1', b: '1', c: '1', d: '1', e: '1', zod: '1' } },
        'node_modules/a/index.js': '',
        'node_modules/b/package.json': '{ "name": "b", ',
        'node_modules/c/package.json/index.js': '',
        'node_modules/d/package.json': { version: '../..' },
        'node_modules/e': 'a file',
        ...installedAt('', 'zod', '4.0.0'),
      });
      assert.deepEqual(await workspace.list(), { d: 'd@0.0.0', zod: 'zod@4.0.0' });
      assert.deepEqual((await workspace.problems()).toSorted(), [
        'broken-manifest b',
        'no-manifest a',
        'no-manifest e',
        'unreadable c',
      ]);
    });

    it('pass over empty folders that a package manager left behind, as Node does', async () => {
      workspace = await Workspace.create({
        'packages/a/package.json': { dependencies: { zod: '1' } },
        'packages/a/node_modules/zod/node_modules/.keep': '',
        ...installedAt('', 'zod', '4.0.0'),
      });
      assert.deepEqual(await workspace.list('packages/a'), { zod: 'zod@4.0.0' });
      assert.deepEqual(await workspace.problems('packages/a'), []);
    });

    it('are the same below a project whose manifest is broken', async () => {
      workspace = await Workspace.create({
        'package.json': { dependencies: { zod: '1' } },
        'packages/a/package.json': '<<<<<<< HEAD',
        ...installedAt('', 'zod', '4.0.0'),
      });
      assert.deepEqual(await workspace.list('packages/a'), { zod: 'zod@4.0.0' });
      assert.deepEqual(await workspace.problems('packages/a'), [
        `broken-manifest ${workspace.at('packages', 'a', 'package.json')}`,
      ]);
    });

    it('do not follow a manifest that is a link out of the package', async () => {
      workspace = await Workspace.create({
        'project/package.json': { dependencies: { a: '1' } },
        'project/node_modules/a/index.js': '',
        'secret/package.json': { name: 'secret', version: '1.0.0' },
      });
      await workspace.link('project/node_modules/a/package.json', 'secret/package.json');
      assert.deepEqual(await workspace.problems('project'), ['unreadable a']);
    });

    it('leave out links to projects outside a workspace that nobody trusts', async () => {
      workspace = await Workspace.create({
        'project/package.json': { dependencies: { a: '1', b: '1', c: '1' } },
        ...packageAt('mine', 'a', '1.0.0'),
        ...packageAt('project/packages/b', 'b', '1.0.0'),
        ...installedAt('store', 'c', '1.0.0'),
      });
      await workspace.link('project/node_modules/a', 'mine');
      await workspace.link('project/node_modules/b', 'project/packages/b');
      await workspace.link('project/node_modules/c', 'store/node_modules/c');
      workspace.isTrusted = false;
      const installed = workspace.open(workspace.at('project'));
      assert.deepEqual(await workspace.list('project', installed), { b: 'b@1.0.0', c: 'c@1.0.0' });
      assert.deepEqual(await workspace.problems('project', installed), ['needs-trust a']);
      workspace.isTrusted = true;
      assert.equal((await workspace.list('project', installed))['a'], 'a@1.0.0');
    });

    it('are 5,000 at most, which one line of the log says', async () => {
      const names = Array.from({ length: 5010 }, (_, count) => `p${count}`);
      workspace = await Workspace.create({
        'package.json': {
          optionalDependencies: Object.fromEntries(names.map((name) => [name, '1'])),
        },
        ...installedAt('', 'p4999', '1.0.0'),
        ...installedAt('', 'p5000', '1.0.0'),
      });
      assert.deepEqual(await workspace.list(), { p4999: 'p4999@1.0.0' });
      assert.deepEqual(workspace.log.messages(), [
        'Left out packages above the limit, from: "p5000"',
      ]);
    });
  });

  describe('own the files', () => {
    it('in their folder, and none of the packages in it', async () => {
      workspace = await Workspace.create({
        'package.json': { name: 'app', version: '2.0.0', dependencies: { next: '1' } },
        ...installedAt('', 'next', '16.0.0', { 'dist/package.json': { type: 'module' } }),
        ...installedAt('node_modules/next', 'zod', '3.0.0'),
        ...installedAt('', '@types/react', '19.0.0'),
      });
      const installed = workspace.open();
      const ownerOf = async (...names: readonly string[]): Promise<string | undefined> =>
        (await installed.ownerOf(workspace.at(...names), workspace.root))?.id;
      assert.equal(await ownerOf('node_modules', 'next', 'dist', 'a', 'b.d.ts'), 'next@16.0.0');
      assert.equal(
        await ownerOf('node_modules', 'next', 'node_modules', 'zod', 'a.js'),
        'zod@3.0.0',
      );
      assert.equal(
        await ownerOf('node_modules', '@types', 'react', 'index.d.ts'),
        '@types/react@19.0.0',
      );
      assert.equal(await ownerOf('src', 'a.ts'), 'app@2.0.0');
      assert.equal(await ownerOf('node_modules', 'absent', 'a.js'), undefined);
    });

    it('of the store of Yarn that names its folders otherwise', async () => {
      workspace = await Workspace.create(
        packageAt('node_modules/.store/zod-npm-4.0.0-abc/package', 'zod', '4.0.0'),
      );
      const file = workspace.at('node_modules/.store/zod-npm-4.0.0-abc/package/index.d.ts');
      const owner = await workspace.open().ownerOf(file);
      assert.equal(owner?.id, 'zod@4.0.0');
      assert.equal(owner.isLinked, false);
    });
  });

  it('are read once for many lists', async () => {
    workspace = await Workspace.create({
      'package.json': { dependencies: { next: '1' } },
      ...installedAt('', 'next', '16.0.0'),
    });
    const installed = workspace.open();
    const [first] = (await installed.list(workspace.root, none)).packages;
    const [second] = (await installed.list(workspace.root, none)).packages;
    assert.ok(first && second);
    assert.equal(await installed.open(first), await installed.open(second));
  });
});
