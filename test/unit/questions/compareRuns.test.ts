import assert from 'node:assert/strict';
import { compareRuns } from '../../../src/questions/compareRuns';
import {
  countStatuses,
  parseRun,
  type QuestionResult,
  type QuestionRun,
  type QuestionStatus,
} from '../../../src/questions/questionRun';

const result = (id: string, status: QuestionStatus, file?: string): QuestionResult => ({
  id,
  name: id,
  question: id,
  status,
  reasons: [],
  sources: [],
  first: 5,
  durationMs: 1,
  file,
});

const run = (...results: QuestionResult[]): QuestionRun => ({
  version: 1,
  target: { label: 'docs', local: true },
  startedAt: '',
  durationMs: 1,
  results,
});

const ids = (results: readonly QuestionResult[]): readonly string[] => results.map(({ id }) => id);

describe('compareRuns', () => {
  it('reports which questions were lost and gained, and which have no verdict', () => {
    const before = run(
      ...[result('a', 'pass'), result('b', 'fail'), result('c', 'pass'), result('d', 'fail')],
      ...[result('e', 'pass'), result('f', 'error'), result('g', 'pass'), result('old', 'pass')],
    );
    const after = run(
      ...[result('a', 'fail'), result('b', 'pass'), result('c', 'pass'), result('d', 'fail')],
      ...[result('e', 'error'), result('f', 'fail'), result('g', 'skipped'), result('new', 'fail')],
    );
    const { lost, gained, unclear, added, removed } = compareRuns(before, after);
    assert.deepEqual(ids(lost), ['a']);
    assert.deepEqual(ids(gained), ['b']);
    assert.deepEqual(ids(unclear), ['e', 'f', 'g']);
    assert.deepEqual(
      added.map(({ id }) => id),
      ['new'],
    );
    assert.deepEqual(
      removed.map(({ id }) => id),
      ['old'],
    );
  });

  it('compares a question with that of the same file, or of a file that was renamed', () => {
    const before = run(
      ...[result('a', 'pass', 'x.yaml'), result('a', 'fail', 'y.yaml')],
      result('b', 'pass', 'old.yaml'),
    );
    const after = run(
      ...[result('b', 'fail', 'new.yaml'), result('a', 'pass', 'y.yaml')],
      result('a', 'fail', 'x.yaml'),
    );
    const { lost, gained, added, removed } = compareRuns(before, after);
    assert.deepEqual(
      lost.map(({ id, file }) => [id, file]),
      [
        ['b', 'new.yaml'],
        ['a', 'x.yaml'],
      ],
    );
    assert.deepEqual(
      gained.map(({ file }) => file),
      ['y.yaml'],
    );
    assert.deepEqual([added, removed], [[], []]);
  });

  it('doesn’t guess which of two files of the same ID was renamed', () => {
    const before = run(result('a', 'pass', 'x.yaml'), result('a', 'pass', 'y.yaml'));
    const after = run(result('a', 'fail', 'z.yaml'));
    const { lost, added, removed } = compareRuns(before, after);
    assert.deepEqual([lost.length, added.length, removed.length], [0, 1, 2]);
  });
});

describe('parseRun', () => {
  it('reads saved runs, also with unknown fields', () => {
    const written = run(result('a', 'pass', 'x.yaml'));
    const parsed = parseRun(JSON.parse(JSON.stringify({ ...written, later: true })));
    assert.deepEqual(parsed, written);
  });

  it('accepts runs without fields that a comparison doesn’t need', () => {
    const parsed = parseRun({
      version: 1,
      target: { label: 'docs' },
      results: [{ id: 'a', status: 'fail' }],
    });
    assert.deepEqual(parsed?.results[0], {
      id: 'a',
      name: '',
      question: '',
      status: 'fail',
      reasons: [],
      sources: [],
      first: 5,
      durationMs: 0,
    });
  });

  for (const value of [null, [], {}, { version: 2, target: { label: '' }, results: [] }, 'x']) {
    it(`refuses ${JSON.stringify(value)}`, () => assert.equal(parseRun(value), undefined));
  }
});

describe('countStatuses', () => {
  it('counts each status', () => {
    const counted = countStatuses([result('a', 'pass'), result('b', 'pass'), result('c', 'error')]);
    assert.deepEqual(counted, { pass: 2, fail: 0, error: 1, skipped: 0 });
  });
});
