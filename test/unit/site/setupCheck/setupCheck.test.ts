import assert from 'node:assert/strict';
import { DocsAssistantError, plainTranslate } from '../../../../src/common/errors';
import {
  passed,
  runSetupChecks,
  type SetupCheckResult,
  type SetupCheck,
} from '../../../../src/site/setupCheck/setupCheck';
import { FakeClock } from '../../../fakes/fakeClock';
import { RecordingLog } from '../../../fakes/recordingLog';

const check = (
  title: string,
  run: (signal: AbortSignal) => Promise<SetupCheckResult>,
): SetupCheck => ({
  title,
  limitMs: 10_000,
  run,
});

const never = (): Promise<SetupCheckResult> => new Promise(() => undefined);

function start(checks: readonly SetupCheck[], signal = new AbortController().signal) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const done: string[] = [];
  const lines = runSetupChecks(
    checks,
    {
      clock,
      log,
      translate: plainTranslate,
      onDidCheck: (count, { title }) => done.push(`${count} ${title}`),
    },
    signal,
  );
  return { clock, log, lines, done };
}

describe('runSetupChecks', () => {
  it('returns the lines in the order of the checks, whichever check ends first', async () => {
    let endFirst = (): void => undefined;
    const first = new Promise<SetupCheckResult>((resolve) => {
      endFirst = () => resolve(passed('one'));
    });
    const { lines, done } = start([
      check('First', () => first),
      check('Second', () => Promise.resolve(passed('two'))),
    ]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(done, ['1 Second']);
    endFirst();
    assert.deepEqual(
      (await lines).map(({ title, text }) => [title, text]),
      [
        ['First', 'one'],
        ['Second', 'two'],
      ],
    );
    assert.deepEqual(done, ['1 Second', '2 First']);
  });

  // Shows faults.md S11.
  it('goes on after a failure of any kind', async () => {
    const { lines, log } = start([
      check('Reported', () => Promise.reject(new DocsAssistantError('secret-store-failed'))),
      check('Broken', () => Promise.reject(new TypeError('acme_dsc_0123456789'))),
      check('Thrown', () => {
        throw new TypeError('x');
      }),
      check('Fine', () => Promise.resolve(passed('ok'))),
    ]);
    const [reported, broken, thrown, fine] = await lines;
    assert.equal(reported?.state, 'failed');
    assert.match(reported.text, /secret storage/);
    assert.deepEqual(reported.remedies, [{ action: 'open-log' }]);
    assert.equal(broken?.text, 'The check itself failed (TypeError).');
    assert.equal(thrown?.state, 'failed');
    assert.equal(fine?.state, 'passed');
    assert.doesNotMatch(log.text(), /acme/);
  });

  it('ends a check that hangs, even if it ignores its signal', async () => {
    let isAborted = false;
    const { lines, clock } = start([
      check('Hangs', (signal) => {
        signal.addEventListener('abort', () => (isAborted = true));
        return never();
      }),
    ]);
    await clock.advance(10_000);
    const [line] = await lines;
    assert.deepEqual([line?.state, line?.text], ['failed', 'No result within 10 s.']);
    assert.equal(isAborted, true);
    assert.equal(clock.pendingCount, 0);
  });

  it('skips the remaining checks when the reader cancels', async () => {
    const controller = new AbortController();
    const { lines, clock } = start(
      [check('Fine', () => Promise.resolve(passed('ok'))), check('Hangs', never)],
      controller.signal,
    );
    await clock.whenDelayed();
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    assert.deepEqual(
      (await lines).map(({ state }) => state),
      ['passed', 'skipped'],
    );
    assert.equal(clock.pendingCount, 0, 'a timer is left');
  });
});
