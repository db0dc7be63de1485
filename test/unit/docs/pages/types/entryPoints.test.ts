import assert from 'node:assert/strict';
import { findEntryPoints } from '../../../../../src/docs/pages/types/entryPoints';
import { memoryPackage } from '../../../../fakes/memoryPackage';

async function entriesOf(
  manifest: Readonly<Record<string, unknown>>,
  files: readonly string[],
): Promise<string[]> {
  const content = Object.fromEntries(files.map((file) => [file, '']));
  const { entries } = await findEntryPoints(memoryPackage({ name: 'pkg', ...manifest }, content));
  return entries.map(({ name, file }) => `${name} ${file}`);
}

describe('findEntryPoints', () => {
  for (const [what, manifest, files, expected] of [
    ['`types`', { types: './lib/a.d.ts' }, ['lib/a.d.ts'], ['pkg lib/a.d.ts']],
    ['`typings` without an ending', { typings: 'lib/a' }, ['lib/a.d.ts'], ['pkg lib/a.d.ts']],
    ['`types` that name a folder', { types: 'lib' }, ['lib/index.d.ts'], ['pkg lib/index.d.ts']],
    [
      'the declarations beside `main`',
      { main: './dist/a.cjs' },
      ['dist/a.d.cts'],
      ['pkg dist/a.d.cts'],
    ],
    ['an index without any field', {}, ['index.d.ts'], ['pkg index.d.ts']],
    [
      'files beside the package.json without `exports`',
      { types: 'index.d.ts' },
      ['index.d.ts', 'link.d.ts', 'dist/x.d.ts'],
      ['pkg index.d.ts', 'pkg/link link.d.ts'],
    ],
    ['`exports` as a path', { exports: './a.mjs' }, ['a.d.mts'], ['pkg a.d.mts']],
    [
      'the types of `import` before those of `require`',
      { exports: { '.': { require: { types: './a.d.cts' }, import: { types: './a.d.mts' } } } },
      ['a.d.cts', 'a.d.mts'],
      ['pkg a.d.mts'],
    ],
    [
      'the types of `require` if there are no others',
      { exports: { '.': { import: './a.mjs', require: './b.cjs' } } },
      ['b.d.cts'],
      ['pkg b.d.cts'],
    ],
    [
      'conditions in conditions, and lists',
      {
        exports: {
          '.': [{ node: { 'types@>=5': './n.d.ts' } }, './x.js'],
          './b': { browser: './no.js', default: ['./missing.js', './b.js'] },
        },
      },
      ['n.d.ts', 'b.d.ts', 'no.d.ts'],
      ['pkg n.d.ts', 'pkg/b b.d.ts'],
    ],
    [
      'subpaths with a star, except those set to null',
      {
        exports: {
          './*': './src/*.js',
          './deep/*/x': { types: './deep/*.d.ts' },
          './src/internal': null,
        },
      },
      ['src/a.d.ts', 'src/b/c.d.ts', 'deep/q.d.ts'],
      ['pkg/a src/a.d.ts', 'pkg/b/c src/b/c.d.ts', 'pkg/deep/q/x deep/q.d.ts'],
    ],
    [
      'one entry for two subpaths with the same file',
      { exports: { '.': './a.js', './a': './a.js' } },
      ['a.d.ts'],
      ['pkg a.d.ts'],
    ],
    [
      'the name without `@types`',
      { name: '@types/a__b', types: 'index.d.ts' },
      ['index.d.ts'],
      ['@a/b index.d.ts'],
    ],
    [
      '`typesVersions` for versions of today',
      {
        types: 'index.d.ts',
        typesVersions: { '<=4.0': { '*': ['old/*'] }, '>=4.1': { '*': ['ts4/*'] } },
      },
      ['index.d.ts', 'old/index.d.ts', 'ts4/index.d.ts'],
      ['pkg ts4/index.d.ts'],
    ],
    [
      'the subpaths of `typesVersions` that no file has by its name',
      {
        types: 'dist/index.d.ts',
        typesVersions: {
          '*': { client: ['dist/client.d.ts'], 'a/*': ['dist/*'], 'dist/old.d.ts': ['old.d.ts'] },
        },
      },
      ['dist/index.d.ts', 'dist/client.d.ts'],
      ['pkg dist/index.d.ts', 'pkg/client dist/client.d.ts'],
    ],
    [
      'the source of a package that is not built',
      { types: './dist/index.d.ts', exports: { '.': './dist/index.js', './a': './dist/a.js' } },
      ['src/index.ts', 'src/a.ts', 'README.md'],
      ['pkg src/index.ts'],
    ],
    [
      'no source of a package that is built',
      { exports: { './a': './dist/a.js' } },
      ['src/index.ts', 'dist/a.d.ts'],
      ['pkg/a dist/a.d.ts'],
    ],
    [
      'no file outside of the package',
      { types: '../../secret.d.ts', exports: { '.': './../x.js', './y': '../../y.d.ts' } },
      ['index.d.ts', '../x.d.ts', 'x.d.ts'],
      [],
    ],
  ] as const) {
    it(`takes ${what}`, async () => {
      assert.deepEqual(await entriesOf(manifest, files), expected);
    });
  }
});
