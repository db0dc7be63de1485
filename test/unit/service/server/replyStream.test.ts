import assert from 'node:assert/strict';
import type { Clock } from '../../../../src/common/ports';
import type { EngineChange } from '../../../../src/docs/writers/replyChanges';
import { replyStream } from '../../../../src/service/server/replyStream';
import type { TextPart } from '../../../../src/shared/uiMessage';

/** Sends a reply with a part at a pace of 10 ms, and returns its text and its pauses, in milliseconds. */
async function sent(part: TextPart): Promise<{ text: string; pauses: readonly number[] }> {
  const pauses: number[] = [];
  const clock: Clock = {
    now: () => 0,
    delay: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
  };
  const changes: EngineChange[] = [
    { ops: [[0, { type: 'step-start' }]] },
    { ops: [[1, part]] },
    { end: { status: 'complete', isDegraded: false } },
  ];
  const stream = replyStream(
    { clock, newId: () => 'id' },
    {
      changes: (async function* () {
        await Promise.resolve();
        yield* changes;
      })(),
      paceMs: 10,
      signal: new AbortController().signal,
      onSent: () => Promise.resolve(undefined),
      onError: (error) => assert.fail(String(error)),
    },
  );
  let text = '';
  for await (const chunk of stream) if (chunk.type === 'text-delta') text += chunk.delta;
  return { text, pauses };
}

describe('replyStream', () => {
  it('sends a known text a few words at a time, with a pause after each', async () => {
    const text = 'Send a known text a few words at a time.';
    assert.deepEqual(await sent({ type: 'text', text }), { text, pauses: [10, 10, 10, 10] });
  });

  it('sends text that only adds to the reply without a pause, however long it is', async () => {
    const text = 'Send text that only adds to the reply. '.repeat(1_000);
    assert.deepEqual(await sent({ type: 'text', text, role: 'more' }), { text, pauses: [] });
  });
});
