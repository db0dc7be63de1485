/** faults.md A4, A9, A12, A20, A25: events of a stream that are no chunks of a reply. */
import assert from 'node:assert/strict';
import { assertForAllCuts, codeOf, outcomeOf, sentenceOf } from '../../../builders/ask';
import { aKey } from '../../../builders/asking';
import { event, events } from '../../../builders/stream';

const start = { type: 'text-start', id: '0' };
const delta = (text: string) => ({ type: 'text-delta', id: '0', delta: text });
const finish = { type: 'finish' };

describe('a reply stream, between its chunks', () => {
  describe('an error that the service puts into the text', () => {
    const bodies: readonly unknown[] = [
      { type: 'error', errorText: 'Quota reached' },
      { type: 'error', error: { message: 'Quota reached' } },
      { type: 'error', error: 'Quota reached' },
      { type: 'error', message: 'Quota reached' },
      { type: 'error', detail: 'Quota reached' },
      { error: { message: 'Quota reached' } },
      { error: { message: 'Quota reached', code: 429 } },
      { error: 'Quota reached' },
      { message: 'Quota reached' },
      { detail: 'Quota reached' },
      { errorText: 'Quota reached' },
      { type: 'about:blank', title: 'Quota reached', status: 429 },
      { type: 'https://api.example.com/problems/quota', detail: 'Quota reached' },
    ];
    for (const body of bodies) {
      it(`is told by its sentence, with the text around it: ${JSON.stringify(body)}`, async () => {
        const stream = events(start, delta('a'), body, delta('b'), finish, '[DONE]');
        await assertForAllCuts(stream, (outcome) => {
          assert.equal(outcome.text, 'ab');
          assert.equal(codeOf(outcome.error), 'service-error');
          assert.match(sentenceOf(outcome), /Quota reached/);
          assert.equal(outcome.end, undefined);
        });
      });
    }

    for (const body of [
      { type: 'error' },
      { type: 'error', error: { code: 7 } },
      { error: { code: 7 } },
      { error: true },
    ]) {
      it(`is an error without a sentence: ${JSON.stringify(body)}`, async () => {
        await assertForAllCuts(events(delta('a'), body, finish), (outcome) => {
          assert.equal(outcome.text, 'a');
          assert.equal(codeOf(outcome.error), 'service-error');
        });
      });
    }

    for (const data of [
      '{"error":{"message":"Quota reached"}}',
      '"Quota reached"',
      'Quota reached',
    ]) {
      it(`is told of an event that is named so: ${data}`, async () => {
        const body = `${events(start, delta('a'))}event: error\ndata: ${data}\n\n${event(finish)}`;
        await assertForAllCuts(body, (outcome) => {
          assert.equal(outcome.text, 'a');
          assert.equal(codeOf(outcome.error), 'service-error');
          assert.match(sentenceOf(outcome), /Quota reached/);
          assert.doesNotMatch(sentenceOf(outcome), /[{}"]/);
        });
      });
    }

    it('holds no key, in none of its forms', async () => {
      for (const body of [{ error: { message: `No: ${aKey}` } }, { detail: `No: ${aKey}` }]) {
        await assertForAllCuts(events(delta('a'), body), (outcome) => {
          assert.match(sentenceOf(outcome), /No: \[redacted\]/);
          assert.ok(!sentenceOf(outcome).includes(aKey));
        });
      }
    });

    it('is none where an event says nothing of one', async () => {
      for (const body of [{}, { error: null }, { error: '' }, { error: false }, { ok: true }, []]) {
        await assertForAllCuts(events(delta('a'), body, finish), ({ error, end }) => {
          assert.equal(error, undefined);
          assert.deepEqual(end, { status: 'complete', isDegraded: false });
        });
      }
    });
  });

  describe('a keep-alive', () => {
    const keepAlives = [
      ': ping\n\n',
      ':\n',
      'data:\n\n',
      'data: \n\n',
      'data\n\n',
      'event: ping\n\n',
      'event: ping\ndata:\n\n',
      'event: ping\ndata: {}\n\n',
      'event: ping\ndata: 2025-01-02 03:04:05\n\n',
      'event: heartbeat\ndata: alive\n\n',
      'event: keep-alive\ndata: "x"\n\n',
      'data: {"type":"ping"}\n\n',
      'data: {"type":"heartbeat","at":5}\n\n',
      'id: 7\nretry: 500\n\n',
    ];
    for (const keepAlive of keepAlives) {
      const name = JSON.stringify(keepAlive);

      it(`marks no reply as damaged: ${name}`, async () => {
        const body = `${keepAlive}${events(start, delta('a'))}${keepAlive}${events(delta('b'))}${keepAlive}${event(finish)}${keepAlive}`;
        await assertForAllCuts(body, ({ text, end, error }) => {
          assert.equal(error, undefined);
          assert.equal(text, 'ab');
          assert.deepEqual(end, { status: 'complete', isDegraded: false });
        });
      });

      it(`is an empty reply, alone and then the end: ${name}`, async () => {
        await assertForAllCuts(keepAlive.repeat(3), ({ parts, error }) => {
          assert.equal(codeOf(error), 'empty-reply');
          assert.deepEqual(parts, []);
        });
      });
    }

    it('is none that has begun as a chunk: that one is damaged', async () => {
      const body = `${events(delta('a'))}event: message\ndata: {"type":"text-del\n\n${event(finish)}`;
      await assertForAllCuts(body, ({ end }) =>
        assert.deepEqual(end, { status: 'complete', isDegraded: true }),
      );
    });

    it('does not make a reply of a body that says something else', async () => {
      for (const body of [': hi\n\nIt does not work.\n', 'data: {"ok":true}\n\n', '\n\nNo.']) {
        await assertForAllCuts(body, ({ error }) => assert.equal(codeOf(error), 'bad-stream'));
      }
    });
  });

  describe('[DONE]', () => {
    const late: readonly (readonly [string, unknown])[] = [
      ['text', delta('late')],
      ['an error', { type: 'error', errorText: 'late' }],
      ['an error without a type', { error: 'late' }],
      ['a thread', { type: 'message-metadata', messageMetadata: { threadId: 'late' } }],
      ['finish with a thread', { type: 'finish', threadId: 'late' }],
      ['abort', { type: 'abort' }],
      ['what is not JSON', '{"type":"text-del'],
      ['a source', { type: 'source-url', sourceId: 's', url: 'https://x.y/' }],
    ];
    for (const [name, chunk] of late) {
      it(`is the last event: ${name} behind it does not count, however the network cuts it`, async () => {
        for (const head of [events(delta('a'), '[DONE]'), events(delta('a'), finish, '[DONE]')]) {
          await assertForAllCuts(head + events(chunk), ({ parts, thread, end, error }) => {
            assert.equal(error, undefined);
            assert.deepEqual(parts, [{ type: 'text', text: 'a' }]);
            assert.equal(thread, undefined);
            assert.deepEqual(end, { status: 'complete', isDegraded: false });
          });
        }
      });
    }

    it('lets what came between finish and it count, however the network cuts it', async () => {
      const thread = { type: 'message-metadata', messageMetadata: { threadId: 'late' } };
      await assertForAllCuts(events(delta('a'), finish, thread, '[DONE]'), (outcome) =>
        assert.equal(outcome.thread?.threadId, 'late'),
      );
    });
  });

  describe('an end inside of a key that the service echoes', () => {
    it('shows none of it, wherever the stream ends and however it is cut', async () => {
      for (let length = 8; length < aKey.length; length += 3) {
        const prefix = aKey.slice(0, length);
        for (const rest of ['', events({ type: 'text-end', id: '0' }, finish)]) {
          const body = events(start, delta('It is '), delta(prefix)) + rest;
          await assertForAllCuts(body, ({ text }) => assert.equal(text, 'It is [redacted]'));
        }
      }
    });

    it('shows none of it in reasoning, nor where another part begins', async () => {
      const prefix = aKey.slice(0, 12);
      const reasoning = { type: 'reasoning-delta', id: 'r', delta: `So ${prefix}` };
      const body = events(reasoning, { type: 'finish-step' }, delta(prefix), start, delta('b'));
      await assertForAllCuts(body, ({ parts }) => {
        assert.ok(!JSON.stringify(parts).includes(prefix));
        assert.deepEqual(parts.at(-1), { type: 'text', text: 'b' });
      });
    });

    it('keeps a short text that only begins as the key does', async () => {
      const { text } = await outcomeOf([events(start, delta(`a ${aKey.slice(0, 7)}`))]);
      assert.equal(text, `a ${aKey.slice(0, 7)}`);
    });
  });
});
