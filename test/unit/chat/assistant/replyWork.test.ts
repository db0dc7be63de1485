/**
 * Counts the work of reading a reply: it grows with what changes, not with what is already there.
 */
import assert from 'node:assert/strict';
import { ChunkStream } from '../../../../src/chat/assistant/chunkStream';
import { SourceRegistry } from '../../../../src/chat/assistant/replySources';
import { StreamRedactor } from '../../../../src/common/http/redact';
import type { PartOp } from '../../../../src/shared/replyOps';
import { outcomeOf } from '../../../builders/ask';
import { aKey } from '../../../builders/asking';
import { event, events } from '../../../builders/stream';
import { openWindow, text } from '../conversation/conversationWindow';
import { applied } from '../../../builders/ops';

const start = (id: number) => ({ type: 'text-start', id: String(id) });
const delta = (id: number, words = 'word ') => ({
  type: 'text-delta',
  id: String(id),
  delta: words,
});

/** Counts the calls of a method while something runs. */
async function callsOf<Name extends string>(
  owner: Record<Name, (...args: never[]) => unknown>,
  name: Name,
  run: () => Promise<void> | void,
): Promise<number> {
  const original = owner[name];
  let calls = 0;
  owner[name] = function (this: unknown, ...args: never[]) {
    calls++;
    return original.apply(this, args);
  };
  try {
    await run();
  } finally {
    owner[name] = original;
  }
  return calls;
}

function lengthOf(ops: readonly PartOp[]): number {
  return ops.reduce((sum, [, value]) => {
    if (typeof value === 'string') return sum + value.length;
    return sum + ('text' in value ? value.text.length : 0);
  }, 0);
}

describe('the cost of a reply', () => {
  it('is one change for each text that grew in a read, however many are open', () => {
    for (const openCount of [1, 100, 1000]) {
      const stream = new ChunkStream([aKey]);
      for (let id = 0; id < openCount; id++) stream.push({ data: JSON.stringify(start(id)) });
      assert.equal(stream.take().length, openCount);
      for (let read = 0; read < 50; read++) {
        for (const id of [0, openCount - 1]) {
          for (let count = 0; count < 10; count++) {
            stream.push({ data: JSON.stringify(delta(id)) });
          }
        }
        const ops = stream.take();
        assert.equal(ops.length, Math.min(openCount, 2));
        assert.equal(lengthOf(ops), 100, 'what came before is told again');
      }
    }
  });

  it('visits the texts that grew and no others, also where they end', async () => {
    for (const openCount of [10, 1000]) {
      const stream = new ChunkStream([aKey]);
      for (let id = 0; id < openCount; id++) stream.push({ data: JSON.stringify(start(id)) });
      const visits = await callsOf(StreamRedactor.prototype, 'push', () => {
        for (let read = 0; read < 100; read++) {
          stream.push({ data: JSON.stringify(delta(read % openCount)) });
          stream.take();
        }
      });
      assert.equal(visits, 100);
      const ends = await callsOf(StreamRedactor.prototype, 'push', () => stream.end());
      assert.equal(ends, openCount);
    }
  });

  it('tells each character once, over texts, steps, sources and files', async () => {
    const chunks = Array.from({ length: 600 }, (_, index) => [
      ...(index % 50 === 0 ? [{ type: 'start-step' }] : []),
      delta(index % 7),
      ...(index % 9 === 0 ? [{ type: 'source-url', sourceId: `s${index}`, url: `/${index}` }] : []),
      ...(index % 60 === 0 ? [{ type: 'file', mediaType: 'a/b', url: 'data:,x' }] : []),
    ]).flat();
    const { updates, text: read } = await outcomeOf(chunks.map(event));
    const told = updates.reduce((sum, { ops = [] }) => sum + lengthOf(ops), 0);
    assert.equal(told, read.length);
    assert.equal(read.length, 600 * 'word '.length);
  });

  it('copies no part that is there already: not a file of a megabyte, not a text', async () => {
    const file = { type: 'file', mediaType: 'a/b', url: `data:,${'x'.repeat(500_000)}` };
    const pieces = [events(file, file, start(0)), ...Array<string>(40).fill(event(delta(0)))];
    let states: readonly (readonly unknown[])[] = [];
    const clones = await callsOf(globalThis, 'structuredClone', async () => {
      ({ states } = await outcomeOf(pieces));
    });
    assert.equal(clones, 0);
    for (const state of states) assert.equal(state[0], states[0]?.[0]);
  });

  it('empties the parts of a step only once, however often the step restarts', () => {
    const stream = new ChunkStream();
    stream.push({ data: JSON.stringify({ type: 'start-step' }) });
    for (let id = 0; id < 500; id++) stream.push({ data: JSON.stringify(delta(id)) });
    stream.take();
    let ops = 0;
    for (let count = 0; count < 100; count++) {
      stream.push({ data: JSON.stringify({ type: 'reset-step' }) });
      ops += stream.take().length;
    }
    assert.equal(ops, 500);
  });

  it('finds a free id for many sources of one id without trying all again', async () => {
    const registry = new SourceRegistry();
    const ids = new Set<string | undefined>();
    const looks = await callsOf(Map.prototype, 'has', () => {
      for (let index = 0; index < 2000; index++) ids.add(registry.addCited(`/${index}`, 's'));
    });
    assert.equal(ids.size, 2000);
    assert.ok(looks < 20_000, `${looks} looks`);
  });

  it('posts to the view what the client told, joined within a frame and no more', async () => {
    const { client, ask, events: posted, clock } = await openWindow();
    await ask();
    const parts = Array.from({ length: 300 }, (_, index) => text(`${index}`));
    await client.say({ parts });
    await clock.advance(16);
    posted.length = 0;
    for (const tail of ['a', 'ab', 'abc']) {
      await client.say({ parts: parts.with(7, text(`7${tail}`)) });
    }
    await clock.advance(16);
    const ops = posted.flatMap((event) => (event.name === 'reply-ops' ? [event.ops] : []));
    assert.deepEqual(ops.flat().length <= 2, true);
    const shown = applied(parts, ops.flat());
    assert.deepEqual(shown[7], text('7abc'));
    assert.equal(JSON.stringify(ops.flat()).includes('"8'), false);
  });
});
