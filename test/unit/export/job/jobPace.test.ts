import assert from 'node:assert/strict';
import { JobPace, type PaceSample } from '../../../../src/export/job/jobPace';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Pages that tell a share of the whole, and the percent that is shown for it. */
const told = (share: number | undefined): Omit<PaceSample, 'at'> =>
  share === undefined
    ? { pages: 7 }
    : { pages: share * 1000, totalPages: 1000, percent: Math.floor(100 * share) };

/** Returns a pace after responses with these shares, in steady intervals from 0 on. */
function paced(intervalMs: number, shares: readonly (number | undefined)[]): JobPace {
  const pace = new JobPace();
  shares.forEach((share, index) => pace.add({ at: index * intervalMs, ...told(share) }));
  return pace;
}

/** Shares from the first to the last, both included. */
const rising = (first: number, last: number, step: number): number[] =>
  Array.from({ length: Math.round((last - first) / step) + 1 }, (_, i) => first + i * step);

describe('JobPace', () => {
  it('estimates the end from the observed rate', () => {
    const pace = paced(10 * SECOND, rising(0, 0.5, 0.05));
    assert.equal(pace.pace.endsAt, 200 * SECOND);
  });

  it('ignores the time in the queue, before anything grew', () => {
    const waited = [...Array.from({ length: 100 }, () => 0), ...rising(0.01, 0.09, 0.01)];
    const now = (waited.length - 1) * 10 * SECOND;
    assert.equal((paced(10 * SECOND, waited).pace.endsAt ?? 0) - now, 910 * SECOND);
  });

  it('adapts to a job that slows down, by its last tenth', () => {
    const pace = new JobPace();
    let at = 0;
    for (const share of rising(0, 0.5, 0.01)) pace.add({ at: (at += SECOND), ...told(share) });
    for (const share of rising(0.51, 0.7, 0.01))
      pace.add({ at: (at += 10 * SECOND), ...told(share) });
    assert.equal(Math.round(((pace.pace.endsAt ?? 0) - at) / SECOND), 300);
  });

  it('estimates a later end while nothing grows', () => {
    const shares = rising(0, 0.5, 0.05);
    const before = paced(10 * SECOND, shares).pace.endsAt ?? 0;
    const after = paced(10 * SECOND, [...shares, 0.5, 0.5, 0.5]).pace.endsAt ?? 0;
    assert.ok(after - before > MINUTE, `${after - before}`);
  });

  it('follows 200,000 pages, which come in small steps', () => {
    const pace = new JobPace();
    for (let pages = 0; pages < 150_000; pages += 50) {
      pace.add({ at: pages * 10, pages, totalPages: 200_000, percent: Math.floor(pages / 2000) });
    }
    assert.ok(Math.abs((pace.pace.endsAt ?? 0) - 2_000_000) < MINUTE);
  });

  for (const [what, shares] of [
    ['no response', []],
    ['one response', [0.4]],
    ['two steps, as a job may report much at once', [0, 0.2, 0.4]],
    ['growth that could be rounding', [0.4, 0.401, 0.402, 0.403, 0.404]],
    ['shares that the service does not prove', [undefined, undefined, undefined, undefined]],
    ['a job that no longer proves its share', [0.1, 0.2, 0.3, 0.4, undefined]],
    ['a job that began again', [0.1, 0.2, 0.3, 0.4, 0.1]],
    ['a job that is done and not yet ended', [0.2, 0.4, 0.6, 0.8, 1]],
  ] as const) {
    it(`estimates no end after ${what}`, () => {
      assert.equal(paced(10 * SECOND, shares).pace.endsAt, undefined);
    });
  }

  it('estimates no end after a few seconds, however much has grown', () => {
    assert.equal(paced(SECOND, rising(0, 0.5, 0.1)).pace.endsAt, undefined);
  });

  it('estimates no end that is days away', () => {
    const shares = rising(0, 0.04, 0.01);
    assert.equal(paced(60 * MINUTE, shares).pace.endsAt, undefined);
    assert.notEqual(paced(20 * MINUTE, shares).pace.endsAt, undefined);
  });

  it('starts over after the clock was set back', () => {
    const pace = paced(10 * SECOND, rising(0, 0.5, 0.05));
    pace.add({ at: 5 * SECOND, ...told(0.6) });
    assert.equal(pace.pace.endsAt, undefined);
  });

  it('uses only the percentage if the page count contradicts it', () => {
    const pace = new JobPace();
    for (let step = 0; step <= 10; step++) {
      pace.add({ at: step * 10 * SECOND, pages: step, totalPages: 1000, percent: step * 5 });
    }
    assert.equal(pace.pace.endsAt, 200 * SECOND);
  });

  it('counts the time left from the last response', () => {
    const pace = paced(10 * SECOND, rising(0, 0.5, 0.05));
    assert.equal(pace.pace.leftMs, 100 * SECOND);
  });

  it('reports the page rate of the last minute for a job without a total', () => {
    const pace = new JobPace();
    for (let at = 0; at <= 2 * MINUTE; at += 10 * SECOND) {
      pace.add({ at, pages: at <= MINUTE ? 0 : (at - MINUTE) / 500 });
    }
    assert.deepEqual(pace.pace, { pagesPerSecond: 2 });
  });

  it('reports no page rate after a moment, without growth, or for a job that began again', () => {
    const rateOf = (...samples: readonly (readonly [at: number, pages: number])[]) => {
      const pace = new JobPace();
      for (const [at, pages] of samples) pace.add({ at, pages });
      return pace.pace.pagesPerSecond;
    };
    assert.equal(rateOf([0, 0], [SECOND, 10]), undefined);
    assert.equal(rateOf([0, 10], [10 * SECOND, 10]), undefined);
    assert.equal(rateOf([0, 10], [10 * SECOND, 20], [20 * SECOND, 1]), undefined);
  });
});
