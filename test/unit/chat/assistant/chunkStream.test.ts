import assert from 'node:assert/strict';
import { readUIMessageStream, uiMessageChunkSchema, type UIMessageChunk } from 'ai';
import { ChunkStream } from '../../../../src/chat/assistant/chunkStream';
import type { MessagePart } from '../../../../src/shared/uiMessage';
import { assertForAllCuts, outcomeOf } from '../../../builders/ask';
import { events } from '../../../builders/stream';

const textStart = (id: unknown = '0') => ({ type: 'text-start', id });
const textDelta = (delta: unknown, id: unknown = '0') => ({ type: 'text-delta', id, delta });
const textEnd = (id: unknown = '0') => ({ type: 'text-end', id });
const finish = { type: 'finish' };
const text = (value: string): MessagePart => ({ type: 'text', text: value });

describe('a reply stream', () => {
  describe('as chunks', () => {
    it('is complete at finish without [DONE], and at [DONE] without finish', async () => {
      for (const marker of [finish, '[DONE]']) {
        const { end, error } = await outcomeOf([events(textDelta('a'), marker)]);
        assert.equal(end?.status, 'complete');
        assert.equal(error, undefined);
      }
    });

    it('is incomplete, with its text, without either', async () => {
      const { end, text: read } = await outcomeOf([events(textStart(), textDelta('a'))]);
      assert.deepEqual(end, { status: 'incomplete', isDegraded: false });
      assert.equal(read, 'a');
    });

    it('reads on behind an event that is not JSON, says so, and logs none of it', async () => {
      const body = events(textDelta('a'), '{"secret": tru', textDelta('b'), finish);
      await assertForAllCuts(body, ({ text: read, end, log }) => {
        assert.equal(read, 'ab');
        assert.deepEqual(end, { status: 'complete', isDegraded: true });
        assert.match(log.text('warn'), /1 × event that is not JSON/);
        assert.doesNotMatch(log.text(), /secret/);
      });
    });

    it('ignores types, fields and values that it does not know, and logs how many', async () => {
      const body = events(
        { type: 'start', messageId: 7, novelty: {} },
        { type: 'steering-message', id: 's', parts: [] },
        { type: 'brand-new', id: 'x' },
        { type: 'data-progress', data: { percent: 5 } },
        { type: 'custom', kind: 'a.b' },
        { ...textStart(), providerMetadata: 'odd' },
        { ...textDelta('a'), extra: [1] },
        textEnd(),
        { type: 'finish', finishReason: 'unknown', usage: { tokens: 5 } },
      );
      await assertForAllCuts(body, ({ parts, end, log }) => {
        assert.deepEqual(parts, [text('a')]);
        assert.deepEqual(end, { status: 'complete', isDegraded: false });
        assert.match(log.text('debug'), /1 × unknown type brand-new/);
      });
    });

    for (const finishReason of ['length', 'content-filter', 'error', 'interrupted']) {
      it(`is incomplete if the service finishes with the reason ${finishReason}`, async () => {
        const body = events(textDelta('a'), { type: 'finish', finishReason });
        await assertForAllCuts(body, ({ text: read, end }) => {
          assert.equal(read, 'a');
          assert.deepEqual(end, { status: 'incomplete', isDegraded: false, isUnfinished: true });
        });
      });
    }

    for (const odd of [
      null,
      [],
      [textDelta('x')],
      7,
      'text',
      {},
      { type: 7 },
      { type: '__proto__' },
      { type: 'constructor', id: 'constructor' },
      { type: 'text-delta', id: '0' },
      textDelta(123),
      textDelta(null),
      textDelta({}),
      { type: 'source-url' },
      { type: 'source-url', url: 7 },
      { type: 'file', mediaType: 'image/png' },
      { type: 'tool-output-available', output: [] },
      { type: 'error-not-really' },
      { type: 'finish-step', id: {} },
      { type: 'message-metadata', messageMetadata: [] },
    ]) {
      it(`ignores ${JSON.stringify(odd)}`, async () => {
        const oddEvent = `data: ${JSON.stringify(odd)}\n\n`;
        const { parts, end } = await outcomeOf([
          events(textDelta('a')) + oddEvent + events(textDelta('b'), finish),
        ]);
        assert.equal(parts.map((part) => ('text' in part ? part.text : '?')).join(''), 'ab');
        assert.deepEqual(end, { status: 'complete', isDegraded: false });
      });
    }

    for (const id of ['__proto__', 'constructor', 'toString', '', 7, null, undefined]) {
      it(`takes ${JSON.stringify(id)} for the id of a part`, async () => {
        const { parts } = await outcomeOf([
          events(textStart(id), textDelta('a', id), textEnd(id), textDelta('b', id), finish),
        ]);
        assert.deepEqual(parts, [text('a'), text('b')]);
        assert.equal(({} as Record<string, unknown>)['text'], undefined);
      });
    }

    it('keeps interleaved parts apart and in the order of their starts', async () => {
      for (const [one, two] of [
        ['a', 'b'],
        [1, 2],
      ]) {
        const body = events(
          textStart(one),
          textStart(two),
          textDelta('1', one),
          textDelta('2', two),
          textDelta('3', one),
          { type: 'reasoning-start', id: one },
          { type: 'reasoning-delta', id: one, delta: 'r' },
          textDelta('4', one),
          textDelta('5', two),
          finish,
        );
        await assertForAllCuts(body, ({ parts }) =>
          assert.deepEqual(parts, [text('134'), text('25'), { type: 'reasoning', text: 'r' }]),
        );
      }
    });

    it('opens a new part for an id that comes again after its end or its step', async () => {
      const body = events(
        { type: 'start-step' },
        textStart(),
        textDelta('a'),
        { type: 'finish-step' },
        { type: 'start-step' },
        textDelta('b'),
        textEnd(),
        textStart(),
        textDelta('c'),
        textStart(),
        textDelta('d'),
        finish,
      );
      const step: MessagePart = { type: 'step-start' };
      await assertForAllCuts(body, ({ parts }) =>
        assert.deepEqual(parts, [step, text('a'), step, text('b'), text('c'), text('d')]),
      );
    });

    it('loses nothing that was held back as the possible start of a key', async () => {
      // The key in use begins with these letters.
      const body = events(textStart(), textDelta('q'), textStart(), textDelta('qe'), finish);
      await assertForAllCuts(body, ({ parts }) => assert.deepEqual(parts, [text('q'), text('qe')]));
    });

    it('opens a part at its first delta and ignores an end without a start', async () => {
      const body = events(
        textEnd('x'),
        { type: 'reasoning-end', id: 'x' },
        { type: 'reasoning-delta', id: 'r', delta: 'why' },
        textDelta('a'),
        finish,
      );
      await assertForAllCuts(body, ({ parts, log }) => {
        assert.deepEqual(parts, [{ type: 'reasoning', text: 'why' }, text('a')]);
        assert.match(log.text('debug'), /text-delta before text-start/);
      });
    });

    it('stays one message at a second start, and takes the thread but no text behind finish', async () => {
      const body = events(
        { type: 'start', messageId: 'm1' },
        textDelta('a'),
        { type: 'start', messageId: 'm2' },
        textDelta('b'),
        finish,
        textDelta('late'),
        textStart('late'),
        { type: 'message-metadata', messageMetadata: { threadId: 'late-thread' } },
        '[DONE]',
      );
      await assertForAllCuts(body, ({ parts, thread, end }) => {
        assert.deepEqual(parts, [text('ab')]);
        assert.equal(thread?.threadId, 'late-thread');
        assert.equal(end?.status, 'complete');
      });
    });

    it('reads the reasoning of early releases', async () => {
      const body = events(
        { type: 'reasoning', text: 'so ' },
        { type: 'reasoning', text: 'then' },
        { type: 'reasoning-part-finish' },
        textDelta('a'),
        finish,
      );
      const { parts } = await outcomeOf([body]);
      assert.deepEqual(parts, [{ type: 'reasoning', text: 'so then' }, text('a')]);
    });

    it('empties the step that the service starts anew, without moving other parts', async () => {
      const source = { type: 'source-url', sourceId: 's', url: 'https://docs.example.com/a' };
      const body = events(
        { type: 'start-step' },
        textDelta('kept'),
        { type: 'finish-step' },
        { type: 'start-step' },
        textDelta('wrong'),
        source,
        { type: 'reset-step' },
        textDelta('right'),
        source,
        finish,
      );
      await assertForAllCuts(body, ({ parts, text: read }) => {
        assert.equal(read, 'keptright');
        assert.equal(parts.filter((part) => part.type === 'source-url').length, 1);
        assert.deepEqual(parts[1], text('kept'));
      });
    });

    it('refuses more text than any reply has', () => {
      const chunks = new ChunkStream();
      const delta = JSON.stringify(textDelta('x'.repeat(1_000_000)));
      assert.throws(() => {
        for (let count = 0; count < 20; count++) chunks.push({ data: delta });
      }, /longer than any real one/);
    });

    it('keeps parts that did not change as the same objects', async () => {
      const { states } = await outcomeOf([
        events(textDelta('a', 'a'), { type: 'source-url', sourceId: 's', url: 'https://x.y/' }),
        events(textDelta('b', 'b')),
        events(textDelta('b', 'b'), finish),
      ]);
      const [first, second, third] = states;
      assert.equal(second?.[0], first?.[0]);
      assert.equal(second?.[1], first?.[1]);
      assert.equal(third?.[0], first?.[0]);
      assert.notEqual(third?.[2], second?.[2]);
    });
  });

  it('gives the same parts as the reducer of ai for a stream that is valid', async () => {
    const chunks: UIMessageChunk[] = [
      { type: 'start', messageId: 'm' },
      { type: 'start-step' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Let me ' },
      { type: 'reasoning-delta', id: 'r', delta: 'see.' },
      { type: 'reasoning-end', id: 'r' },
      { type: 'source-url', sourceId: 's1', url: 'https://docs.example.com/a', title: 'A' },
      { type: 'source-url', sourceId: 's2', url: 'https://docs.example.com/a' },
      { type: 'finish-step' },
      { type: 'start-step' },
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: 'One ' },
      { type: 'text-start', id: 'b' },
      { type: 'text-delta', id: 'b', delta: 'Two ' },
      { type: 'text-delta', id: 'a', delta: '世界 👩‍👩‍👧‍👦' },
      { type: 'file', url: 'data:image/png;base64,AAAA', mediaType: 'image/png' },
      { type: 'text-end', id: 'a' },
      { type: 'text-delta', id: 'b', delta: '.' },
      { type: 'text-end', id: 'b' },
      { type: 'text-start', id: 'empty' },
      { type: 'text-end', id: 'empty' },
      { type: 'finish-step' },
      { type: 'finish', finishReason: 'stop' },
    ];
    const expected = await partsByAi(chunks);
    assert.equal(expected.length, 9);
    await assertForAllCuts(events(...chunks, '[DONE]'), ({ parts }) =>
      assert.deepEqual(parts, expected),
    );
  });
});

/** Returns the parts that `ai` alone makes of chunks, after its own schema, in our words. */
async function partsByAi(chunks: readonly UIMessageChunk[]): Promise<unknown[]> {
  const schema = uiMessageChunkSchema();
  for (const chunk of chunks) assert.ok((await schema.validate?.(chunk))?.success);
  const stream = new ReadableStream<UIMessageChunk>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  let parts: unknown[] = [];
  for await (const message of readUIMessageStream({ stream })) parts = message.parts;
  return parts.map((part) => {
    const { type, text: words, sourceId, url, title, mediaType } = part as Record<string, unknown>;
    const fields = { type, text: words, sourceId, url, title, mediaType };
    return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  });
}
