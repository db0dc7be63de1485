import assert from 'node:assert/strict';
import { CallQueue, QueueFullError } from '../../../src/docsTools/callQueue';
import { settled } from '../../fakes/fakeClock';

const never = new AbortController().signal;

/** Calls that run until they are told to end. */
class OpenCalls {
  readonly started: number[] = [];
  readonly #ends = new Map<number, () => void>();

  run(queue: CallQueue, number: number, signal = never): Promise<number> {
    return queue.run(async () => {
      this.started.push(number);
      await new Promise<void>((resolve) => this.#ends.set(number, resolve));
      return number;
    }, signal);
  }

  async end(number: number): Promise<void> {
    this.#ends.get(number)?.();
    await settled();
  }
}

describe('CallQueue', () => {
  it('runs a few at once and the others in the order in which they came', async () => {
    const queue = new CallQueue({ atOnce: 2, maxWaiting: 10 });
    const calls = new OpenCalls();
    const all = [1, 2, 3, 4, 5].map((number) => calls.run(queue, number));
    await settled();
    assert.deepEqual(calls.started, [1, 2]);
    await calls.end(2);
    assert.deepEqual(calls.started, [1, 2, 3]);
    for (const number of [1, 3, 4, 5]) await calls.end(number);
    assert.deepEqual(calls.started, [1, 2, 3, 4, 5]);
    assert.deepEqual(await Promise.all(all), [1, 2, 3, 4, 5]);
  });

  it('gives a new call no place before one that waits', async () => {
    const queue = new CallQueue({ atOnce: 1, maxWaiting: 10 });
    const calls = new OpenCalls();
    void calls.run(queue, 1);
    void calls.run(queue, 2);
    await settled();
    const ended = calls.end(1);
    void calls.run(queue, 3);
    await ended;
    assert.deepEqual(calls.started, [1, 2]);
  });

  it('frees the place of a call that fails', async () => {
    const queue = new CallQueue({ atOnce: 1, maxWaiting: 10 });
    await assert.rejects(
      queue.run(() => Promise.reject(new Error('no')), never),
      /no/,
    );
    assert.equal(await queue.run(() => Promise.resolve(7), never), 7);
  });

  it('never starts a call that was canceled while it waited, and passes its place on', async () => {
    const queue = new CallQueue({ atOnce: 1, maxWaiting: 10 });
    const calls = new OpenCalls();
    const canceled = new AbortController();
    void calls.run(queue, 1);
    const second = calls.run(queue, 2, canceled.signal);
    void calls.run(queue, 3);
    await settled();
    canceled.abort(new Error('stop'));
    await assert.rejects(second, /stop/);
    await calls.end(1);
    assert.deepEqual(calls.started, [1, 3]);
  });

  it('refuses a call when too many wait, and takes one again when a place is free', async () => {
    const queue = new CallQueue({ atOnce: 1, maxWaiting: 1 });
    const calls = new OpenCalls();
    void calls.run(queue, 1);
    void calls.run(queue, 2);
    await assert.rejects(calls.run(queue, 3), QueueFullError);
    await calls.end(1);
    void calls.run(queue, 4);
    await calls.end(2);
    assert.deepEqual(calls.started, [1, 2, 4]);
  });

  it('throws at once for a signal that was aborted before', async () => {
    const queue = new CallQueue({ atOnce: 1, maxWaiting: 1 });
    const signal = AbortSignal.abort(new Error('stop'));
    await assert.rejects(
      queue.run(() => Promise.resolve(1), signal),
      /stop/,
    );
  });
});
