import assert from 'node:assert/strict';
import { compareRuns } from '../../../src/questions/compareRuns';
import {
  RUN_VERSION,
  type QuestionResult,
  type QuestionRun,
} from '../../../src/questions/questionRun';
import { RunHistory, type RunPlace } from '../../../src/questions/runHistory';

const folder: RunPlace = { kind: 'folder', id: '/docs' };
const bundle = (name: string): RunPlace => ({ kind: 'bundle', id: `/bundles/${name}` });

function aRun(label: string, statuses: Record<string, QuestionResult['status']>): QuestionRun {
  return {
    version: RUN_VERSION,
    target: { label, local: true },
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 5,
    results: Object.entries(statuses).map(([id, status]) => ({
      id,
      name: id,
      question: id,
      file: 'docs-questions.yaml',
      status,
      first: 5,
      reasons: ['Because.'],
      reply: 'A long reply',
      sources: [],
      durationMs: 3,
    })),
  };
}

/** Returns a memento that keeps JSON, as that of VS Code does. */
function memento(values: Record<string, unknown> = {}) {
  const stored = new Map(Object.entries(values));
  return {
    stored,
    get: (key: string) => stored.get(key),
    update: (key: string, value: unknown) => {
      stored.set(key, JSON.parse(JSON.stringify(value)));
      return Promise.resolve();
    },
  };
}

describe('RunHistory', () => {
  it('keeps the last run at each place, without replies', async () => {
    const kept = memento();
    await new RunHistory(kept).note(folder, aRun('docs', { one: 'pass', two: 'fail' }));
    const last = new RunHistory(kept).last(folder);
    assert.deepEqual(
      last?.results.map(({ id, status }) => [id, status]),
      [
        ['one', 'pass'],
        ['two', 'fail'],
      ],
    );
    assert.ok(!JSON.stringify([...kept.stored]).includes('A long reply'));
    assert.equal(new RunHistory(kept).last(bundle('v1')), undefined);
  });

  it('compares with the last bundle, and not with the bundle itself', async () => {
    const history = new RunHistory(memento());
    await history.note(bundle('v1'), aRun('v1', { one: 'pass' }));
    await history.note(folder, aRun('docs', { one: 'fail' }));
    assert.equal(history.lastBundle(folder)?.target.label, 'v1');
    assert.equal(history.lastBundle(bundle('v1')), undefined);
    await history.note(bundle('v2'), aRun('v2', { one: 'fail' }));
    assert.equal(history.lastBundle(folder)?.target.label, 'v2');
    assert.equal(history.lastBundle(bundle('v2'))?.target.label, 'v1');
    const before = history.lastBundle(bundle('v2'));
    assert.ok(before);
    assert.equal(compareRuns(before, aRun('v2', { one: 'fail' })).lost.length, 1);
  });

  // Shows faults.md V7.
  it('keeps the verdict of questions that a run did not ask, or that got none', async () => {
    const history = new RunHistory(memento());
    await history.note(folder, aRun('docs', { one: 'pass', two: 'pass', three: 'pass' }));
    await history.note(folder, aRun('docs', { two: 'fail', three: 'error' }));
    assert.deepEqual(
      Object.fromEntries(history.last(folder)?.results.map(({ id, status }) => [id, status]) ?? []),
      { one: 'pass', two: 'fail', three: 'pass' },
    );
  });

  // Shows faults.md V8.
  it('forgets the oldest runs, and ignores unknown values', async () => {
    const history = new RunHistory(memento());
    for (let version = 0; version < 20; version++) {
      await history.note(bundle(`v${version}`), aRun(`v${version}`, { one: 'pass' }));
    }
    assert.equal(history.last(bundle('v0')), undefined);
    assert.ok(history.last(bundle('v19')));
    for (const odd of ['text', [1, { place: folder }], [{ place: folder, run: { version: 9 } }]]) {
      const broken = new RunHistory(memento({ docsQuestionRuns: odd }));
      assert.equal(broken.last(folder), undefined);
      await broken.note(folder, aRun('docs', { one: 'pass' }));
      assert.ok(broken.last(folder));
    }
  });
});
