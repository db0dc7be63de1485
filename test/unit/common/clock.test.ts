import assert from 'node:assert/strict';
import sinon from 'sinon';
import { systemClock } from '../../../src/common/clock';

describe('systemClock', () => {
  let timers: sinon.SinonFakeTimers;
  beforeEach(() => (timers = sinon.useFakeTimers()));
  afterEach(() => timers.restore());

  it('ends a delay after its time', async () => {
    let isOver = false;
    const delay = systemClock.delay(100).then(() => (isOver = true));
    await timers.tickAsync(99);
    assert.equal(isOver, false);
    await timers.tickAsync(1);
    await delay;
    assert.equal(systemClock.now(), 100);
  });

  it('ends a delay with the reason of its signal, and leaves no timer', async () => {
    const controller = new AbortController();
    const delay = systemClock.delay(100, controller.signal);
    controller.abort(new Error('enough'));
    await assert.rejects(delay, /enough/);
    assert.equal(timers.countTimers(), 0);
    await assert.rejects(systemClock.delay(100, controller.signal), /enough/);
  });
});
