import assert from 'node:assert/strict';
import sinon from 'sinon';
import { drawWith, readFirst, requestFrame, writeInFrame } from '../../../webview/frames';

const FRAME_MS = 16;

describe('frames of the view', () => {
  let clock: sinon.SinonFakeTimers;
  let done: string[];
  /** Time that drawing takes, and the sum so far, while the clock stands still. */
  let costMs: number;
  let spentMs: number;
  let startMs = 0;
  const page = { hidden: false };

  beforeEach(() => {
    // Later than any rest that an earlier test left.
    startMs += 1_000_000;
    clock = sinon.useFakeTimers({ now: startMs, toFake: ['setTimeout', 'clearTimeout'] });
    page.hidden = false;
    done = [];
    costMs = spentMs = 0;
    performance.now = () => clock.now + spentMs;
    Object.assign(globalThis, {
      document: page,
      requestAnimationFrame: (callback: () => void) => setTimeout(callback, FRAME_MS),
      cancelAnimationFrame: (id: NodeJS.Timeout) => clearTimeout(id),
    });
    drawWith(() => {
      done.push('drawn');
      spentMs += costMs;
    });
  });

  afterEach(() => {
    clock.runAll();
    clock.restore();
    Reflect.deleteProperty(performance, 'now');
    for (const name of ['document', 'requestAnimationFrame', 'cancelAnimationFrame']) {
      Reflect.deleteProperty(globalThis, name);
    }
  });

  it('draw once for all that was asked for, after what was to be written', () => {
    requestFrame();
    const write = (): void => void done.push('written');
    writeInFrame(write);
    writeInFrame(write);
    requestFrame();
    assert.deepEqual(done, []);
    clock.tick(FRAME_MS);
    assert.deepEqual(done, ['written', 'drawn']);
    clock.tick(1_000);
    assert.equal(done.length, 2);
  });

  it('read the layout before anything is written', () => {
    readFirst(() => void done.push('read'));
    writeInFrame(() => void done.push('written'));
    clock.tick(FRAME_MS);
    readFirst(() => undefined);
    assert.deepEqual(done, ['read', 'written', 'drawn']);
  });

  it('leave three times as long as the last one took', () => {
    costMs = 20;
    requestFrame();
    clock.tick(FRAME_MS);
    costMs = 0;
    requestFrame();
    clock.tick(3 * 20 - 1);
    assert.deepEqual(done, ['drawn']);
    clock.tick(1 + FRAME_MS);
    assert.deepEqual(done, ['drawn', 'drawn']);
  });

  it('rest for a second at the most, however long one took', () => {
    costMs = 5_000;
    requestFrame();
    clock.tick(FRAME_MS);
    costMs = 0;
    requestFrame();
    clock.tick(1_000 + FRAME_MS);
    assert.deepEqual(done, ['drawn', 'drawn']);
  });

  it('are not waited for where nobody sees the page', () => {
    page.hidden = true;
    writeInFrame(() => void done.push('written'));
    assert.deepEqual(done, ['written', 'drawn']);
  });

  it('come late where the browser gives none', () => {
    Object.assign(globalThis, { requestAnimationFrame: () => 0 });
    requestFrame();
    clock.tick(249);
    assert.deepEqual(done, []);
    clock.tick(1);
    assert.deepEqual(done, ['drawn']);
  });
});
