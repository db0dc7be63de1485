import assert from 'node:assert/strict';
import { contextKeys } from '../../../../src/common/contributions';
import { exportContext, storedExports } from '../../../../src/export/commands/exportContext';
import { MemoryMemento } from '../../../fakes/memoryMemento';

describe('exportContext', () => {
  const all = [
    contextKeys.hasExports,
    contextKeys.hasCompletedExport,
    contextKeys.canStartAgain,
    contextKeys.canWatchExport,
    contextKeys.isWatchingExport,
  ];
  for (const [what, exports, expected] of [
    ['no export', [], []],
    [
      'a completed export',
      [{ outcome: 'completed' }],
      ['hasExports', 'hasCompletedExport', 'canStartAgain'],
    ],
    ['a failed export', [{ outcome: 'failed' }], ['hasExports', 'canStartAgain']],
    [
      'a job that the service no longer knows',
      [{ outcome: 'unwatchable', errorCode: 'unknown-job' }],
      ['hasExports', 'canStartAgain', 'canWatchExport'],
    ],
    ['a running job of another window', [{ outcome: 'running' }], ['hasExports', 'canWatchExport']],
    [
      'a job that this window watches',
      [{ outcome: 'running', isWatched: true }],
      ['hasExports', 'canWatchExport', 'isWatchingExport'],
    ],
  ] as const) {
    it(`shows the commands that fit ${what}`, () => {
      const context = exportContext(exports);
      assert.deepEqual(
        all.filter((key) => context[key]),
        expected.map((name) => contextKeys[name]),
      );
    });
  }
});

describe('storedExports', () => {
  it('returns the records of exports and no other stored values', () => {
    const state = new MemoryMemento();
    state.values.set('export:1', { outcome: 'completed' });
    state.values.set('export:2', 'damaged');
    state.values.set('openedSites', [{ outcome: 'failed' }]);
    assert.deepEqual(storedExports(state), [{ outcome: 'completed' }]);
  });
});
