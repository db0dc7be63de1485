import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import * as tar from 'tar';
import * as v from 'valibot';
import { installedAt, Workspace } from '../docs/sources/installed/layouts';
import { type Ran, runHere } from './running';

const manifest = (version: string, name = 'parcels'): object => ({
  name,
  version,
  exports: { '.': './index.d.ts', './pigeons': './pigeons.d.ts' },
});

const older = {
  'README.md': '# Parcels\n\n## Sending\n\nSend.\n\n## Pigeons\n\nFly.\n',
  'docs/old.md': '# Old ways\n\nBy cart.\n',
  'index.d.ts': `export declare function sendParcel(to: string): void;
/** @deprecated Use \`trackAll\` instead. */
export declare function track(id: string): void;
export declare class Pigeon {
  static breed(): Pigeon;
  fly(): void;
  land(): void;
}
export interface SendOptions {
  /** @default 3000 */
  lostAfter?: number;
}
export declare function weigh(grams: number): void;
`,
  'pigeons.d.ts': 'export declare const coo: 1;\nexport declare const flock: 1;\n',
};

const newer = {
  'README.md': '# Parcels\n\n## Sending\n\nSend.\n\n## Drones\n\nHum.\n',
  'docs/new.md': '# New ways\n\nBy drone.\n',
  'index.d.ts': `/** @deprecated Use \`Drone\`. */
export declare function sendParcel(to: string): void;
export declare function trackAll(ids: string[]): void;
export declare class Pigeon {
  land(): void;
}
export interface SendOptions {
  /** @default 5000 */
  lostAfter?: number;
}
export declare function weigh(kilograms: bigint): void;
export declare class Drone {}
`,
  'pigeons.d.ts': 'export declare const coo: 1;\n',
};

function below(folder: string, files: Readonly<Record<string, string | object>>): object {
  return Object.fromEntries(
    Object.entries(files).map(([file, content]) => [`${folder}/${file}`, content]),
  );
}

const app = `import { sendParcel, track as follow, Pigeon } from 'parcels';
import * as pigeons from 'parcels/pigeons';
// track('a comment') and Pigeon.breed() too
const text = 'track(1)';
sendParcel(text);
follow('1');
Pigeon.breed();
pigeons.coo;
pigeons.flock;
function local(track: () => void) {
  track();
}
`;

describe('docs-assistant packages diff', () => {
  let workspace: Workspace;

  before(async () => {
    workspace = await Workspace.create({
      'package.json': { name: 'app', version: '1.0.0', dependencies: { parcels: '^1.0.0' } },
      'src/app.ts': app,
      'src/other.ts': "import { track } from 'parcel';\ntrack();\n",
      // Built, minified and linked files aren't searched.
      'dist/app.js': "import { track } from 'parcels';\n",
      'src/vendor.min.js': "import { track } from 'parcels';\n",
      'node_modules/linked/app.ts': "import { track } from 'parcels';\n",
      'src/broken.ts': "import { track } from 'parcels'; track((\n",
      'node_modules/parcels/package.json': manifest('1.9.0'),
      'node_modules/other/package.json': { name: 'other', version: '1.0.0' },
      'apps/new/package.json': { name: 'new', dependencies: { parcels: '^2.0.0' } },
      'apps/new/node_modules/parcels/package.json': manifest('2.1.0'),
      'node_modules/other/node_modules/parcels/package.json': manifest('2.0.3'),
      'packed/package/package.json': manifest('3.0.0'),
      'lofts-1/package.json': manifest('1.0.0', 'lofts'),
      'lofts-2/package.json': { name: 'lofts', version: '2.0.0', exports: './index.d.ts' },
      'lofts/app.ts': "import 'lofts/pigeons';\n",
      'silos-1/package.json': {
        name: 'silos',
        version: '1.0.0',
        exports: { '.': './index.d.ts', './register': './register.d.ts' },
      },
      'silos-1/index.d.ts': 'export declare function fill(): void;\n',
      'silos-1/register.d.ts': 'export {};\n',
      'silos-2/package.json': { name: 'silos', version: '2.0.0', exports: './index.d.ts' },
      'silos-2/index.d.ts': 'export declare function fill(): void;\n',
      ...below('node_modules/parcels', older),
      ...below('apps/new/node_modules/parcels', newer),
      ...below('node_modules/other/node_modules/parcels', newer),
      ...below('packed/package', newer),
      ...below('lofts-1', older),
      ...below('lofts-2', older),
    });
    await workspace.link('src/linked', 'node_modules/linked');
    await tar.create(
      { gzip: true, cwd: workspace.at('packed'), file: workspace.at('parcels-3.0.0.tgz') },
      ['package'],
    );
  });
  after(() => workspace.remove());

  const diff = (...args: string[]): Promise<Ran> =>
    runHere(['packages', 'diff', ...args], {
      env: { DOCS_ASSISTANT_CACHE: workspace.at('cache') },
      cwd: workspace.root,
    });

  const uses = [
    'src/app.ts:1:22: “track” of “parcels”: removed, use “trackAll”',
    'src/app.ts:6:1: “track” of “parcels”: removed, use “trackAll”',
    'src/app.ts:7:1: “Pigeon.breed” of “parcels”: removed',
    'src/app.ts:9:1: “flock” of “parcels/pigeons”: removed',
    'src/app.ts:1:10: “sendParcel” of “parcels”: newly deprecated: Use `Drone`.',
    'src/app.ts:5:1: “sendParcel” of “parcels”: newly deprecated: Use `Drone`.',
  ];

  it('lists what differs, with the places in the code that name it first', async () => {
    const { code, stdout, stderr } = await diff('parcels@1', 'parcels@2.1');
    assert.deepEqual(stdout.split('\n'), [
      ...uses,
      'D track of parcels (removed, use “trackAll”)',
      'D Pigeon.breed of parcels (removed)',
      'D Pigeon.fly of parcels (removed)',
      'D flock of parcels/pigeons (removed)',
      'M sendParcel of parcels (newly deprecated: Use `Drone`.)',
      'M SendOptions.lostAfter of parcels (default changed from “3000” to “5000”)',
      'M weigh of parcels (signature changed)',
      'D docs/old.md',
      'D README.md › Pigeons',
      'A trackAll of parcels (added)',
      'A Drone of parcels (added)',
      'A docs/new.md',
      'A README.md › Drones',
      '1 file of your code can’t be parsed: src/broken.ts',
      'parcels 1.9.0 → 2.1.0: 4 removed names, 1 newly deprecated name, 1 changed default, 1 changed signature, 2 added names, 1 removed page, 1 added page, 1 removed section, 1 added section',
      'Your code names 4 of the differences. Files that import parcels: 1',
      '',
    ]);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  });

  it('takes the version that the folder gets without a version, the newest of a range, and a tarball', async () => {
    for (const [one, other, told] of [
      ['parcels', 'parcels@2', /parcels 1\.9\.0 → 2\.1\.0: 4 removed/],
      ['parcels', 'parcels@2.0', /parcels 1\.9\.0 → 2\.0\.3: 4 removed/],
      ['parcels@1.9.0', 'parcels-3.0.0.tgz', /parcels 1\.9\.0 → 3\.0\.0: 4 removed/],
      ['./apps/new/node_modules/parcels', './packed/package', /2\.1\.0 → 3\.0\.0: The names,/],
    ] as const) {
      const { code, stdout, stderr } = await diff(one, other);
      assert.match(stdout, told);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    }
  });

  it('takes the newest version of a range, also if the folder itself gets an older one', async () => {
    const one = await Workspace.create({
      'package.json': { name: 'app', dependencies: { lofts: '^1.0.0', nests: '*' } },
      ...installedAt('', 'lofts', '1.0.0'),
      ...installedAt('', 'nests', '1.0.0'),
      ...installedAt('node_modules/nests', 'lofts', '1.2.0'),
    });
    try {
      const { stdout, stderr } = await runHere(['packages', 'diff', 'lofts@1.0.0', 'lofts@1'], {
        cwd: one.root,
      });
      assert.match(stdout, /^lofts 1\.0\.0 → 1\.2\.0: /m, stderr);
    } finally {
      await one.remove();
    }
  });

  it('takes the version of a project below the top of a monorepo, which has none', async () => {
    const one = await Workspace.create({
      'package.json': { name: 'top', workspaces: ['apps/*'] },
      'apps/shop/package.json': { name: 'shop', dependencies: { lofts: '^1.0.0' } },
      ...installedAt('apps/shop', 'lofts', '1.2.0'),
      'old/package.json': manifest('1.0.0', 'lofts'),
    });
    try {
      const { stdout, stderr } = await runHere(['packages', 'diff', './old', 'lofts'], {
        cwd: one.root,
      });
      assert.match(stdout, /^lofts 1\.0\.0 → 1\.2\.0: /m, stderr);
    } finally {
      await one.remove();
    }
  });

  it('searches for the name under which the code imports a package', async () => {
    const one = await Workspace.create({
      'package.json': { name: 'app', dependencies: { doves: 'npm:lofts@1' } },
      'app.ts': "import { coo } from 'doves';\n",
      'node_modules/doves/package.json': { name: 'lofts', version: '1.0.0' },
      'node_modules/doves/index.d.ts': 'export declare const coo: 1;\n',
      'lofts-2/package.json': { name: 'lofts', version: '2.0.0' },
      'lofts-2/index.d.ts': 'export declare const fly: 1;\n',
    });
    try {
      for (const [before, after] of [
        ['doves', './lofts-2'],
        ['./lofts-2', 'doves'],
      ] as const) {
        const { stdout, stderr } = await runHere(['packages', 'diff', before, after], {
          cwd: one.root,
        });
        assert.match(stdout, /Files that import lofts: 1\n/, stderr);
      }
    } finally {
      await one.remove();
    }
  });

  it('searches the code of the folder that --in names, and saves the comparison', async () => {
    const { stdout } = await diff(
      ...['./node_modules/parcels', 'parcels@2', '--in', 'apps/new'],
      ...['--report', 'diff.json', '--markdown', 'diff.md'],
    );
    assert.match(stdout, /No file of your code imports parcels/);
    const report: unknown = JSON.parse(await readFile(workspace.at('diff.json'), 'utf8'));
    const schema = v.object({ names: v.object({ removed: v.array(v.unknown()) }) });
    assert.equal(v.parse(schema, report).names.removed.length, 4);
    const document = await readFile(workspace.at('diff.md'), 'utf8');
    assert.match(document, /^# parcels 1\.9\.0 → 2\.1\.0\n/);
    assert.match(document, /\n- `track` of `parcels`: removed, use `trackAll`\n/);
  });

  it('fails on the kinds of --fail-on, and prints an event with --json', async () => {
    const failed = await diff(
      'parcels@1',
      'parcels@2',
      '--fail-on',
      'used-removed-names',
      '--json',
    );
    assert.equal(failed.code, 12);
    const event = v.parse(
      v.object({
        event: v.literal('packages-compared'),
        failed: v.array(v.string()),
        comparison: v.object({
          names: v.object({
            removed: v.array(
              v.object({ uses: v.array(v.object({ file: v.string(), line: v.number() })) }),
            ),
          }),
        }),
      }),
      JSON.parse(failed.stdout),
    );
    assert.deepEqual(event.failed, ['used-removed-names']);
    assert.deepEqual(
      event.comparison.names.removed.flatMap((each) => each.uses.map((use) => use.line)),
      [1, 6, 7, 9],
    );
    const passed = await diff('parcels@1', 'parcels@2', '--fail-on', 'used-changed-defaults');
    assert.equal(passed.code, 0);
  });

  it('fails on a removed module that the code imports without a name', async () => {
    const args = ['./lofts-1', './lofts-2', '--fail-on', 'used-removed-names'];
    assert.equal((await diff(...args, '--in', 'lofts')).code, 12);
    assert.equal((await diff(...args, '--in', 'src')).code, 0);
  });

  it('lists a removed module once, without each of its names', async () => {
    const { stdout } = await diff('./lofts-1', './lofts-2', '--in', 'src');
    assert.match(stdout, /^D lofts\/pigeons$/m);
    assert.doesNotMatch(stdout, /of lofts\/pigeons/);
  });

  it('fails on a removed module that exports no name', async () => {
    const args = ['--fail-on', 'removed-names', '--in', 'src'];
    const { code, stdout } = await diff('./silos-1', './silos-2', ...args);
    assert.equal(code, 12);
    assert.match(stdout, /^D silos\/register$.*^silos 1\.0\.0 → 2\.0\.0: 1 removed module$/ms);
    assert.equal((await diff('./silos-2', './silos-1', ...args)).code, 0);
  });

  it('says how to get a version that is not on this machine, and refuses what is no package', async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await diff(...args);
      assert.notEqual(code, 0);
      assert.equal(stdout, '');
      return stderr;
    };
    assert.match(
      await refused('parcels@1', 'parcels@4'),
      /parcels@4 is not on this machine\. Installed are: 1\.9\.0, 2\.1\.0, 2\.0\.3\. Get it with “npm pack parcels@4”/,
    );
    assert.match(
      await refused('ghost@1', 'ghost@2'),
      /ghost is not installed .* “npm pack ghost@1”/,
    );
    assert.equal(
      await refused('silos-1', './silos-2'),
      'silos-1 is not installed for this folder. To compare the folder, write ./silos-1.\n',
    );
    assert.match(await refused('parcels', 'other'), /parcels and other are different packages/);
    assert.match(await refused('parcels', './src'), /\.\/src is not a package/);
    assert.match(await refused('parcels', '../x y'), /doesn’t exist/);
    assert.match(await refused('parcels', 'src/app.ts'), /is not the name of a package/);
    assert.match(await refused('parcels', 'parcels@2', '--fail-on', 'x'), /doesn’t accept “x”/);
    assert.match(await refused('parcels', 'parcels@2', '--in', 'nowhere'), /nowhere doesn’t exist/);
  });

  it('says of a file that can’t be unpacked nothing about a bundle', async () => {
    const whole = await readFile(workspace.at('parcels-3.0.0.tgz'));
    await writeFile(workspace.at('cut.tgz'), whole.subarray(0, -20));
    for (const [file, sentence] of [
      ['cut.tgz', '“cut.tgz” is damaged or incomplete, so it was not unpacked. Download it again.'],
      [
        './src/app.ts',
        '“app.ts” can’t be unpacked. It must be a tar, tar.gz or zip archive that isn’t empty.',
      ],
    ] as const) {
      const { code, stderr } = await diff('parcels', file);
      assert.deepEqual({ code, stderr }, { code: 5, stderr: `${sentence}\n` });
    }
  });
});
