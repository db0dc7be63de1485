import assert from 'node:assert/strict';
import { problemsText, type EditorProblem } from '../../../../src/chat/context/problemsText';

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

  // Shows faults.md N1.
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
