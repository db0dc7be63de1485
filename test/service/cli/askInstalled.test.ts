import assert from 'node:assert/strict';
import path from 'node:path';
import { Workspace } from '../docs/sources/installed/layouts';
import { runHere } from './running';

const manifest = (name: string, version: string): object => ({ name, version });
const app = (dependencies: object): object => ({ name: 'app', version: '1.0.0', dependencies });

describe('docs-assistant ask, installed packages', () => {
  let workspace: Workspace;

  before(async () => {
    workspace = await Workspace.create({
      'package.json': app({ parcels: '^2.0.0', next: '^16.0.0', '@acme/birds': '^1.0.0' }),
      'node_modules/parcels/package.json': manifest('parcels', '2.1.0'),
      'node_modules/parcels/README.md':
        '# Parcels\n\n## Retry\n\nParcels are retried five times.\n',
      'node_modules/parcels/index.d.ts':
        'export interface SendOptions {\n  /** Milliseconds until a parcel is lost. @default 3000 */\n  lostAfter?: number;\n}\n' +
        '/** Sends a parcel by pigeon. */\nexport declare function sendParcel(options: SendOptions): void;\n' +
        "export { trackParcel } from 'deep';\n",
      'node_modules/next/package.json': manifest('next', '16.0.0'),
      'node_modules/next/readme.md': '# Next\n\n## Retry\n\nPages are retried seven times.\n',
      'node_modules/@acme/birds/package.json': manifest('@acme/birds', '1.0.0'),
      'node_modules/@acme/birds/docs/food.md': '# Food\n\nPelicans eat fish.\n',
      'node_modules/deep/package.json': manifest('deep', '3.0.0'),
      'node_modules/deep/index.d.ts':
        '/** Follows a parcel with a whale. */\nexport declare function trackParcel(): void;\n',
      'node_modules/deep/README.md': '# Deep\n\nWhales dive deep and eat krill.\n',
      'apps/old/package.json': app({ parcels: '^1.0.0' }),
      'apps/old/node_modules/parcels/package.json': manifest('parcels', '1.9.0'),
      'apps/old/node_modules/parcels/README.md':
        '# Parcels\n\n## Retry\n\nParcels are retried two times.\n',
      'apps/old/src/send.ts': "import { send } from 'parcels';\nsend();\n",
    });
  });
  after(() => workspace.remove());

  const ask = (question: string, ...args: string[]): ReturnType<typeof runHere> =>
    runHere(['ask', question, ...args], {
      env: { DOCS_ASSISTANT_CACHE: path.join(workspace.root, 'cache') },
      cwd: workspace.root,
    });

  it('answers from the package that the question names, with its version and its file', async () => {
    const { code, stdout, stderr } = await ask('How often is retried in parcels?', '--installed');
    assert.match(stdout, /five times/);
    assert.match(
      stdout,
      /\[parcels@2\.1\.0 › Retry\]\(<node_modules\/parcels\/README\.md#retry>\)/,
    );
    assert.doesNotMatch(stdout, /seven times/);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('answers from the types of a package, cited to the line, also when they are kept', async () => {
    for (const time of ['read', 'kept']) {
      const { stdout } = await ask('What does `sendParcel` of parcels do?', '--installed');
      assert.match(stdout, /by pigeon/, time);
      assert.match(stdout, /node_modules\/parcels\/index\.d\.ts#L6/, time);
    }
    const { stdout } = await ask('What does `trackParcel` of parcels do?', '--installed');
    assert.match(stdout, /with a whale/);
    assert.match(stdout, /node_modules\/parcels\/index\.d\.ts#trackParcel/);
  });

  it('answers from all direct packages if the question names none, and from no other', async () => {
    const birds = await ask('What do pelicans eat?', '--installed');
    assert.match(birds.stdout, /node_modules\/@acme\/birds\/docs\/food\.md/);
    const whales = await ask('What do whales eat?', '--installed');
    assert.doesNotMatch(whales.stdout, /krill/);
  });

  it('answers for the version that the folder or the attached file has', async () => {
    const folder = await ask('How often is retried in parcels?', '--installed', 'apps/old');
    assert.match(folder.stdout, /two times/);
    assert.match(folder.stdout, /apps\/old\/node_modules\/parcels\/README\.md/);
    const code = await ask(
      'How often is it retried?',
      '--installed',
      '--code',
      'apps/old/src/send.ts',
    );
    assert.match(code.stdout, /two times/);
    assert.doesNotMatch(code.stdout, /five times|seven times/);
  });

  it('answers from the package of --package alone, also from one that the project doesn’t ask for', async () => {
    const next = await ask('How often is retried in parcels?', '--package', 'next@16');
    assert.match(next.stdout, /seven times/);
    assert.doesNotMatch(next.stdout, /five times/);
    assert.match((await ask('What do whales eat?', '--package', 'deep')).stdout, /krill/);
  });

  it('refuses packages, versions and folders that are not there, and options that contradict', async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await ask('How?', ...args);
      assert.notEqual(code, 0);
      assert.equal(stdout, '');
      return stderr;
    };
    assert.match(await refused('--package', 'ghost'), /ghost is not installed for .* Install it/);
    assert.match(await refused('--package', 'next@2'), /has version 16\.0\.0/);
    assert.match(await refused('--installed', 'nowhere'), /nowhere doesn’t exist/);
    assert.match(await refused('--installed', '--docs', 'docs'), /Choose one/);
    assert.match(await refused('--package', '../x'), /is not installed/);
  });

  it('answers for the project that the folder belongs to', async () => {
    const env = { DOCS_ASSISTANT_CACHE: path.join(workspace.root, 'cache') };
    const cwd = path.join(workspace.root, 'apps/old/src');
    for (const args of [['--installed'], ['--package', 'parcels']]) {
      const { code, stdout } = await runHere(['ask', 'How often is retried in parcels?', ...args], {
        env,
        cwd,
      });
      assert.match(stdout, /two times/);
      assert.match(stdout, /parcels@1\.9\.0/);
      assert.equal(code, 0);
    }
  });

  it('says where the question goes if the option took it as its folder', async () => {
    const { code, stderr } = await runHere(['ask', '--installed', 'How?'], { cwd: workspace.root });
    assert.match(stderr, /Put the question before --installed/);
    assert.equal(code, 2);
  });
});
