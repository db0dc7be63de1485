/** Runs the built worker, `dist/comparePackages.js`, as a window does. */
import assert from 'node:assert/strict';
import path from 'node:path';
import {
  compareInWorker,
  findVersionsInWorker,
  NotAPackage,
} from '../../../../src/docs/packages/compareInWorker';
import { Workspace } from '../sources/installed/layouts';

const script = path.resolve('dist/comparePackages.js');

describe('the worker that finds and compares packages', () => {
  let workspace: Workspace;

  before(async () => {
    const manifest = (version: string): object => ({ name: 'parcels', version, types: 'a.d.ts' });
    workspace = await Workspace.create({
      'app.ts': "import { send } from 'parcels';\nsend();\n",
      'node_modules/parcels/package.json': manifest('1.0.0'),
      'node_modules/parcels/a.d.ts': 'export declare function send(): void;\n',
      'next/parcels/package.json': manifest('2.0.0'),
      'next/parcels/a.d.ts': 'export declare function post(): void;\n',
      'other/node_modules/parcels/package.json': manifest('3.0.0'),
      'other/app/node_modules/parcels/package.json': manifest('1.0.0'),
      'empty/readme.md': '# Empty\n',
    });
  });
  after(() => workspace.remove());

  const compare = (
    one: string,
    other: string,
    signal = new AbortController().signal,
    steps: string[] = [],
  ): ReturnType<typeof compareInWorker> => {
    const placeOf = (folder: string) => ({
      folder: workspace.at(folder),
      root: workspace.at(folder),
    });
    const code = workspace.root;
    return compareInWorker({
      script,
      places: { one: placeOf(one), other: placeOf(other), code, importedAs: 'parcels' },
      signal,
      onStep: (step) => steps.push(step),
    });
  };

  it('puts the older version first, and finds what the code names', async () => {
    const steps: string[] = [];
    const comparison = await compare(
      'next/parcels',
      'node_modules/parcels',
      new AbortController().signal,
      steps,
    );
    const { older, newer, names } = comparison;
    assert.deepEqual([older.version, newer.version], ['1.0.0', '2.0.0']);
    assert.deepEqual(
      names.removed.map(({ paths, uses }) => [paths[0]?.name, uses.map(({ line }) => line)]),
      [['send', [1, 2]]],
    );
    assert.deepEqual(steps, ['one', 'other', 'code']);
  });

  it('finds the version that a project gets, and the others below some folders', async () => {
    const find = (folder: string): ReturnType<typeof findVersionsInWorker> =>
      findVersionsInWorker({
        script,
        query: {
          name: 'parcels',
          project: { folder: workspace.at(folder), root: workspace.at(folder) },
          roots: [workspace.root, workspace.at('other')],
        },
        signal: new AbortController().signal,
      });
    const { own, others } = await find('.');
    const folder = workspace.at('node_modules', 'parcels');
    assert.deepEqual(own, { version: '1.0.0', place: { folder, root: workspace.root } });
    assert.deepEqual(
      others.map(({ version, place }) => [version, path.relative(workspace.root, place.folder)]),
      [['3.0.0', path.join('other', 'node_modules', 'parcels')]],
    );
    assert.equal((await find('other')).own?.version, '3.0.0');
  });

  it('names a folder that is no package, and ends with the signal', async () => {
    await assert.rejects(
      compare('empty', 'next/parcels'),
      (error) => error instanceof NotAPackage && error.message === workspace.at('empty'),
    );
    const stopping = new AbortController();
    const running = compare('node_modules/parcels', 'next/parcels', stopping.signal);
    stopping.abort(new Error('Stopped'));
    await assert.rejects(running, /Stopped/);
  });
});
