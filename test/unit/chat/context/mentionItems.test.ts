import assert from 'node:assert/strict';
import {
  offeredFiles,
  problemsText,
  rankFiles,
  terminalText,
  textItem,
  type EditorProblem,
} from '../../../../src/chat/context/mentionItems';

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

const aProblem = (given: Partial<EditorProblem> = {}): EditorProblem => ({
  path: 'src/start.ts',
  line: 3,
  column: 7,
  severity: 'error',
  message: "Cannot find name 'x'.",
  source: 'ts',
  code: '2304',
  ...given,
});

describe('problemsText', () => {
  it('says where each is, how bad, what, and who says so', () => {
    assert.equal(
      problemsText([aProblem()], 10_000),
      "src/start.ts:3:7: error: Cannot find name 'x'. (ts 2304)",
    );
  });

  it('puts errors first, then goes by file and line', () => {
    const { source: _source, code: _code, ...plain } = aProblem({ message: 'm' });
    const text = problemsText(
      [
        { ...plain, severity: 'warning' },
        { ...plain, path: 'src/z.ts' },
        { ...plain, line: 9 },
        { ...plain, line: 2, column: 30 },
        { ...plain, line: 9, column: 1 },
      ],
      10_000,
    );
    assert.deepEqual(text.split('\n'), [
      'src/start.ts:2:30: error: m',
      'src/start.ts:9:1: error: m',
      'src/start.ts:9:7: error: m',
      'src/z.ts:3:7: error: m',
      'src/start.ts:3:7: warning: m',
    ]);
  });

  it('keeps to the limit and counts what is left out', () => {
    const problems = Array.from({ length: 500 }, (_, at) =>
      aProblem({ line: at + 1, message: 'ü' }),
    );
    const text = problemsText(problems, 1000);
    assert.ok(Buffer.byteLength(text) <= 1000);
    const lines = text.split('\n');
    assert.equal(lines.at(-1), `… and ${500 - lines.length + 1} more`);
    assert.ok(lines.length > 15);
  });

  it('cuts a message that is a whole log, and drops what JSON bodies cannot carry', () => {
    const text = problemsText([aProblem({ message: `a\0b${'x'.repeat(9000)}` })], 100_000);
    assert.ok(text.length < 2200);
    assert.ok(text.startsWith('src/start.ts:3:7: error: abxxx'));
    assert.ok(text.endsWith('x… (ts 2304)'));
  });

  it('names the page of the code and the places that explain the problem', () => {
    const related = [
      { path: 'src/b.ts', line: 9, message: 'The type comes from here.' },
      { path: 'index.d.ts', line: 1, message: 'x'.repeat(9000) },
    ];
    const text = problemsText([aProblem({ link: 'https://e.org/2304', related })], 100_000);
    const [first, second, third, ...more] = text.split('\n');
    assert.equal(
      first,
      "src/start.ts:3:7: error: Cannot find name 'x'. (ts 2304 https://e.org/2304)",
    );
    assert.equal(second, '  src/b.ts:9: The type comes from here.');
    assert.match(third ?? '', /^ {2}index\.d\.ts:1: x{2000}…$/);
    assert.deepEqual(more, []);
  });

  it('leaves out long links, the eleventh related place, and places that do not fit', () => {
    const related = Array.from({ length: 12 }, (_, at) => ({
      path: 'a.ts',
      line: at + 1,
      message: 'm',
    }));
    const problem = aProblem({ link: `https://e.org/${'x'.repeat(600)}`, related });
    const lines = problemsText([problem], 100_000).split('\n');
    assert.equal(lines.length, 11);
    assert.equal(lines[0], "src/start.ts:3:7: error: Cannot find name 'x'. (ts 2304)");
    assert.equal(problemsText([problem], 100), lines[0]);
  });

  it('is empty for no problems', () => assert.equal(problemsText([], 1000), ''));
});

describe('terminalText', () => {
  it('leaves out colors, titles, cursor moves, bells and space at the ends', () => {
    const raw =
      '\u001b]0;title\u0007\u001b[1;31mnpm ERR!\u001b[0m code\u001b[K   \r\n\r\n\u001b]8;;http://x\u001b\\link\u0007\r\n\u001b[?25h\n\n';
    assert.equal(terminalText(raw, 1000), 'npm ERR! code\n\nlink');
  });

  it('keeps the end of what is over the limit, in whole lines', () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n');
    assert.equal(terminalText(text, 15), 'line 98\nline 99');
    assert.equal(terminalText(text, 14), 'line 99');
  });

  it('gives nothing for nothing, and for one line that is over the limit', () => {
    assert.equal(terminalText(' \r\n\n', 100), '');
    assert.equal(terminalText('x'.repeat(200), 100), '');
  });

  it('reads hostile sequences in time that grows with their length', () => {
    // Reading in quadratic time exceeds the limit of the test.
    for (const part of ['\u001b]', '\u001b[', '\u001b[0', ' ', '\n', '\u001b]0;']) {
      terminalText(`x${part.repeat(200_000)}x`, 100_000);
    }
  });
});

describe('textItem', () => {
  it('is a text selection that leads nowhere', () => {
    assert.deepEqual(textItem('id', 'Problems', 'text'), {
      id: 'id',
      type: 'textSelection',
      label: 'Problems',
      value: 'text',
    });
  });
});
