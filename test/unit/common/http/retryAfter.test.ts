import assert from 'node:assert/strict';
import { retryAfterMs, retryWaitMs } from '../../../../src/common/http/responseErrors';
import { FakeClock } from '../../../fakes/fakeClock';

const DAY_MS = 24 * 60 * 60 * 1000;
const sent = 'Sun, 06 Nov 1994 08:49:30 GMT';

const waitOf = (retryAfter: string, date = sent): number | undefined =>
  retryAfterMs(new Headers({ 'retry-after': retryAfter, date }), new FakeClock(Date.parse(sent)));

/** Runs with the clock of a machine in that zone; Node reads the variable anew each time. */
function inZone<T>(zone: string, run: () => T): T {
  const before = process.env['TZ'];
  process.env['TZ'] = zone;
  try {
    return run();
  } finally {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  }
}

describe('Retry-After', () => {
  const forms = [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Sun, 06 Nov 1994 08:49:37 +0000',
    'Sun, 06 Nov 1994 09:49:37 +0100',
    'Sun, 06 Nov 1994 08:49:37',
  ];
  for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland']) {
    it(`is the same date in ${zone} as everywhere, in every form of an HTTP date`, () => {
      inZone(zone, () => {
        // A test of zones where the zone does not change would pass by itself.
        const offset = new Date(Date.parse(sent)).getTimezoneOffset();
        assert.equal(offset === 0, zone === 'UTC');
        for (const form of forms) {
          assert.equal(waitOf(form), 7000, form);
          assert.equal(waitOf(form, 'Sun Nov  6 08:49:30 1994'), 7000, `${form}, dated by asctime`);
        }
      });
    });
  }

  it('takes two digits of a year for the century that is at most 50 years ahead', () => {
    const clock = new FakeClock(Date.parse('2026-11-22T00:00:00Z'));
    const until = (date: string): number | undefined =>
      retryAfterMs(new Headers({ 'retry-after': date }), clock);
    assert.equal(until('Sunday, 22-Nov-26 00:00:09 GMT'), 9000);
    assert.equal(until('Sunday, 22-Nov-60 00:00:09 GMT'), DAY_MS);
    assert.equal(until('Sunday, 22-Nov-77 00:00:09 GMT'), 0);
  });

  it('counts from the Date of the response, else from the clock of this machine', () => {
    assert.equal(waitOf('Sun Nov  6 08:49:37 1994', 'Sun Nov  6 08:49:07 1994'), 30_000);
    assert.equal(waitOf('Sun Nov  6 08:49:37 1994', 'soon'), 7000);
    assert.equal(waitOf('Sun, 06 Nov 1994 08:49:37 GMT', 'Sun Nov  6 08:50:00 1994'), 0);
  });

  for (const [value, waitMs] of [
    ['0', 0],
    ['7', 7000],
    ['86400', DAY_MS],
    ['86401', DAY_MS],
    ['9999999', DAY_MS],
    ['10000000', DAY_MS],
    ['99999999', DAY_MS],
    ['9'.repeat(400), DAY_MS],
    ['Sun, 06 Nov 2094 08:49:37 GMT', DAY_MS],
  ] as const) {
    it(`of ${value.slice(0, 40)} is a wait of ${waitMs} ms`, () => {
      assert.equal(waitOf(value), waitMs);
    });
  }

  const unreadable = ['', 'abc', '-1', '1e9', '1.5', '7, 9', '0x10', 'Nov', '08:49:37'];
  for (const value of [...unreadable, 'Sun, 06 Nov 1994 25:61:61 GMT']) {
    it(`of ${JSON.stringify(value)} tells nothing, so that the wait is our own`, () => {
      assert.equal(waitOf(value), undefined);
      const headers = new Headers({ 'retry-after': value });
      assert.equal(retryWaitMs(headers, new FakeClock(), 1), 5000);
      assert.equal(retryWaitMs(headers, new FakeClock(), 3), 20_000);
    });
  }
});
