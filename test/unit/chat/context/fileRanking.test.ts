import assert from 'node:assert/strict';
import { offeredFiles, rankFiles } from '../../../../src/chat/context/fileRanking';

const found = (query: string, paths: readonly string[], limit = 50): string[] =>
  rankFiles(
    query,
    paths.map((path) => ({ path })),
    limit,
  ).map(({ path }) => path);

describe('offeredFiles', () => {
  const files = ['.env', '.env.example', 'src/env.ts', 'certs/server.pem', 'src/server.ts'].map(
    (path) => ({ path }),
  );
  const lists = (query: string): string[][] => {
    const { offered, withheld } = offeredFiles(query, files, 50);
    return [offered, withheld].map((list) => list.map(({ path }) => path));
  };

  // Shows faults.md P11.
  it('leaves out files that usually hold secrets', () => {
    assert.deepEqual(lists(''), [
      ['src/env.ts', '.env.example', 'src/server.ts'].toSorted(byLength),
      [],
    ]);
    assert.deepEqual(lists('server.p')[0], []);
  });

  it('names those that the query names, so that the list can say why', () => {
    assert.deepEqual(lists('.env'), [['.env.example'], ['.env']]);
    assert.deepEqual(lists('server.pem'), [[], ['certs/server.pem']]);
    assert.deepEqual(lists('en')[1], []);
  });
});

const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);

describe('rankFiles', () => {
  it('puts names before paths, beginnings before middles, and words before letters', () => {
    const paths = [
      'start/other.ts',
      'src/restart.ts',
      'src/s/t/a/r/t.ts',
      'src/cold-start.ts',
      'src/startUp.ts',
      'src/start',
      'src/none.ts',
    ];
    assert.deepEqual(found('start', paths), [
      'src/start',
      'src/startUp.ts',
      'src/cold-start.ts',
      'src/restart.ts',
      'start/other.ts',
      'src/s/t/a/r/t.ts',
    ]);
  });

  it('looks at letters in any case, at folders too, and at scattered letters that are near', () => {
    assert.deepEqual(found('UPLOADCLIENT', ['src/uploadClient.ts']), ['src/uploadClient.ts']);
    assert.deepEqual(found('src/up', ['src/uploadClient.ts', 'up/src.ts']), [
      'src/uploadClient.ts',
    ]);
    assert.deepEqual(found('src\\up', ['src/uploadClient.ts']), ['src/uploadClient.ts']);
    assert.deepEqual(found('upcl', ['src/uploadClient.ts', 'src/unpack.ts']), [
      'src/uploadClient.ts',
    ]);
    assert.deepEqual(found('abc', [`a${'x'.repeat(40)}b${'x'.repeat(40)}c`]), []);
  });

  it('puts open files first among equals, then short paths', () => {
    const files = [
      { path: 'a/long/way/index.ts' },
      { path: 'b/index.ts' },
      { path: 'c/far/index.ts', recency: 1 },
      { path: 'd/deep/down/index.ts', recency: 0 },
    ];
    assert.deepEqual(
      rankFiles('index', files, 50).map(({ path }) => path[0]),
      ['d', 'c', 'b', 'a'],
    );
    assert.deepEqual(
      rankFiles('', files, 3).map(({ path }) => path[0]),
      ['d', 'c', 'b'],
    );
  });

  it('gives no more than the limit', () => assert.equal(found('', ['a', 'b', 'c'], 2).length, 2));

  it('ranks 20,000 files', () => {
    const paths = Array.from(
      { length: 20_000 },
      (_, at) => `packages/part-${at}/src/module${at}.ts`,
    );
    assert.equal(found('mdl19999', paths)[0], 'packages/part-19999/src/module19999.ts');
  });
});
