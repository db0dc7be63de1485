import assert from 'node:assert/strict';
import type { Task } from '../../../src/common/windowUi';
import { ScriptedUi } from '../../fakes/scriptedUi';

describe('runTask', () => {
  let ui: ScriptedUi;
  beforeEach(() => {
    ui = new ScriptedUi();
  });

  const run = <T>(task: Task<T>): Promise<T | undefined> => ui.progress('Working', task);
  /** A task that ends when it is told to. */
  const untilAborted = (_report: unknown, signal: AbortSignal): Promise<string> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });

  it('returns the result of the task, under a notification with the title', async () => {
    assert.equal(await run(() => Promise.resolve(42)), 42);
    assert.deepEqual(ui.texts(), ['Working']);
    assert.equal(ui.progresses[0]?.isOpen, false);
  });

  it('moves the bar by increments, never back, and not if the share is unknown', async () => {
    await run((report) => {
      for (const percent of [10, 5, undefined, 40]) report({ message: 'm', percent });
      return Promise.resolve();
    });
    assert.deepEqual(
      ui.progresses[0]?.reports.map(({ increment }) => increment),
      [10, undefined, undefined, 30],
    );
  });

  it('ends silently when the user cancels', async () => {
    const running = run(untilAborted);
    ui.progresses[0]?.cancel();
    assert.equal(await running, undefined);
  });

  it('ends silently when the window closes', async () => {
    const running = run(untilAborted);
    ui.lifetime.abort();
    assert.equal(await running, undefined);
  });

  it('passes on what the task throws', async () => {
    await assert.rejects(
      run(() => Promise.reject(new Error('no'))),
      /no/,
    );
  });
});
