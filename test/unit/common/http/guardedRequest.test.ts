import assert from 'node:assert/strict';
import { systemClock } from '../../../../src/common/clock';
import { GuardedRequest } from '../../../../src/common/http/guardedRequest';
import { FakeClock } from '../../../fakes/fakeClock';
import { FakeFetch, OpenStream } from '../../../fakes/fakeFetch';
import { unheardFailures } from '../../../fakes/unheardFailures';

describe('GuardedRequest', () => {
  it('sends nothing once it is stopped, and leaves no failure that nobody hears of', async () => {
    const { fetch, requests } = new FakeFetch();
    const unheard = await unheardFailures(async () => {
      const signal = AbortSignal.abort(new Error('stopped'));
      const settings = { headersTimeoutMs: 1000, idleTimeoutMs: 1000 };
      const url = 'https://api.example.com/';
      const request = new GuardedRequest({ url, fetch, clock: systemClock, signal, settings });
      await assert.rejects(request.send({}), /stopped/);
    });
    assert.deepEqual(requests, []);
    assert.deepEqual(unheard, []);
  });

  it('ends a silence in time when the clock is set back meanwhile', async () => {
    const clock = new FakeClock();
    const silent = new OpenStream();
    const { fetch } = new FakeFetch(() => silent.response);
    const { signal } = new AbortController();
    const settings = { headersTimeoutMs: 1000, idleTimeoutMs: 1000 };
    const url = 'https://api.example.com/';
    const request = new GuardedRequest({ url, fetch, clock, signal, settings });
    await request.send({});
    const read = assert.rejects(request.read(), { code: 'timed-out' });
    await clock.advance(500);
    clock.sleep(-3_600_000);
    await clock.advance(2000);
    assert.equal(clock.pendingCount, 0, 'it still waits');
    await read;
  });
});
