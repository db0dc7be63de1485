import assert from 'node:assert/strict';
import {
  ProgressMeter,
  type DownloadProgress,
} from '../../../../src/export/download/bundleDownload';
import { FakeClock } from '../../../fakes/fakeClock';

describe('ProgressMeter', () => {
  let clock: FakeClock;
  let told: DownloadProgress[];
  let meter: ProgressMeter;

  beforeEach(() => {
    clock = new FakeClock();
    told = [];
    meter = new ProgressMeter(clock, (progress) => told.push(progress));
  });

  /** Bytes arrive evenly, every 10 ms. */
  const receive = async (
    from: number,
    bytesPerSecond: number,
    seconds: number,
  ): Promise<number> => {
    let bytes = from;
    for (let step = 0; step < seconds * 100; step++) {
      await clock.advance(10);
      bytes += bytesPerSecond / 100;
      meter.received(bytes);
    }
    return bytes;
  };

  it('reports about ten times a second, however many chunks arrive', async () => {
    meter.start(0, 1_000_000);
    await receive(0, 100_000, 2);
    assert.equal(told.length, 21);
    assert.deepEqual(told.at(-1), {
      receivedBytes: 200_000,
      totalBytes: 1_000_000,
      bytesPerSecond: 100_000,
      state: 'receiving',
    });
  });

  it('does not count bytes of an earlier download in the rate', async () => {
    meter.start(5_000_000, undefined);
    await receive(5_000_000, 1000, 1);
    assert.equal(told.at(-1)?.bytesPerSecond, 1000);
    assert.equal(told.at(-1)?.totalBytes, undefined);
  });

  it('follows a new rate within seconds, without a jump', async () => {
    meter.start(0, undefined);
    const bytes = await receive(0, 1000, 10);
    await receive(bytes, 9000, 1);
    const soon = told.at(-1)?.bytesPerSecond ?? 0;
    assert.ok(soon > 2000 && soon < 3500, String(soon));
    await receive(bytes + 9000, 9000, 6);
    assert.equal(told.at(-1)?.bytesPerSecond, 9000);
  });

  it('reports each change of state immediately, with no rate while nothing arrives', async () => {
    meter.start(0, 1000);
    await receive(0, 100, 1);
    meter.pause(100, 'waiting');
    meter.pause(100, 'renewing');
    meter.start(100, 1000);
    assert.deepEqual(
      told.slice(-3).map(({ state, bytesPerSecond }) => [state, bytesPerSecond]),
      [
        ['waiting', 0],
        ['renewing', 0],
        ['receiving', 0],
      ],
    );
  });

  it('reports the size at the end', () => {
    meter.start(0, undefined);
    meter.finish(300);
    assert.deepEqual(told.at(-1), {
      receivedBytes: 300,
      totalBytes: 300,
      bytesPerSecond: 0,
      state: 'receiving',
    });
  });
});
