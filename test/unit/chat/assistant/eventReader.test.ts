import assert from 'node:assert/strict';
import { MAX_EVENT_LENGTH } from '../../../../src/chat/assistant/eventReader';
import type { MessagePart } from '../../../../src/shared/uiMessage';
import { assertForAllCuts, codeOf, outcomeOf } from '../../../builders/ask';
import { aReplyStream, event, events } from '../../../builders/stream';

const textStart = (id: unknown = '0') => ({ type: 'text-start', id });
const textDelta = (delta: unknown, id: unknown = '0') => ({ type: 'text-delta', id, delta });
const finish = { type: 'finish' };
const text = (value: string): MessagePart => ({ type: 'text', text: value });

describe('a reply stream', () => {
  describe('as bytes', () => {
    const words = 'Grüße, 世界 👩‍👩‍👧‍👦 and 🇺🇳 ';

    it('joins characters that the network cut anywhere', async () => {
      const bytes = new TextEncoder().encode(aReplyStream(words));
      for (let cut = 1; cut < bytes.length; cut++) {
        const { text: read } = await outcomeOf([bytes.slice(0, cut), bytes.slice(cut)]);
        assert.equal(read, words);
      }
    });

    for (const [name, lineEnd] of [
      ['CRLF', '\r\n'],
      ['lone CR', '\r'],
    ] as const) {
      it(`reads lines that end with ${name} as those that end with LF`, async () => {
        const body = aReplyStream(words).replaceAll('\n', lineEnd);
        await assertForAllCuts(body, ({ text: read, end, log }) => {
          assert.equal(read, words);
          assert.equal(end?.status, 'complete');
          assert.equal(log.text('warn'), '');
        });
      });
    }

    it('reads mixed line ends', async () => {
      const lineEnds = ['\r\n', '\n', '\r'];
      let line = 0;
      const body = aReplyStream(words).replace(/\n/g, () => lineEnds[line++ % 3] ?? '');
      await assertForAllCuts(body, ({ text: read }) => assert.equal(read, words));
    });

    it('joins the data lines of one event whatever their line ends are', async () => {
      const lines = JSON.stringify(textDelta('a'), null, 1).split('\n');
      const body = `${lines.map((line) => `data: ${line}\n`).join('')}\n${events(finish)}`;
      for (const lineEnd of ['\n', '\r\n', '\r']) {
        await assertForAllCuts(body.replaceAll('\n', lineEnd), ({ text: read, end }) => {
          assert.equal(read, 'a');
          assert.deepEqual(end, { status: 'complete', isDegraded: false });
        });
      }
    });

    it('delivers an event that ends with lone CRs without waiting for the next byte', async () => {
      const pieces = [events(textDelta('a')).replaceAll('\n', '\r'), ': ping\r', events(finish)];
      const { states } = await outcomeOf(pieces);
      assert.deepEqual(states[0], [text('a')]);
    });

    it('drops a BOM at the start and ignores the line of a later one', async () => {
      const body = `\uFEFF${event(textDelta('a'))}\uFEFF${event(textDelta('b'))}${events(textDelta('c'), finish)}`;
      await assertForAllCuts(body, ({ text: read }) => assert.equal(read, 'ac'));
    });

    it('reads past comments, in one read with events and inside of one', async () => {
      const inside = JSON.stringify(textDelta('b'));
      const body = `: ping\n${event(textDelta('a'))}: ping\n\n:\ndata: ${inside}\n: ping\n\n${event(finish)}`;
      await assertForAllCuts(body, ({ text: read, end }) => {
        assert.equal(read, 'ab');
        assert.equal(end?.status, 'complete');
      });
    });

    it('strips one space, joins data lines and ignores other fields', async () => {
      const lines = JSON.stringify(textDelta('a'), null, 1).split('\n');
      const body =
        `id: 7\nevent: x\nretry: 10\nfoo: bar\n${lines.map((line) => `data:${line}\n`).join('')}\n` +
        events(finish).replaceAll('data: ', 'data:');
      await assertForAllCuts(body, ({ text: read, end, requests }) => {
        assert.equal(read, 'a');
        assert.equal(end?.status, 'complete');
        assert.equal(requests.length, 1);
      });
    });

    it('accepts a whole last event without its blank line', async () => {
      await assertForAllCuts(events(textDelta('a'), finish).trimEnd(), ({ text: read, end }) => {
        assert.equal(read, 'a');
        assert.equal(end?.status, 'complete');
      });
      await assertForAllCuts(`${event(textDelta('a'))}data: [DONE]`, ({ end }) =>
        assert.equal(end?.status, 'complete'),
      );
    });

    it('drops a last event that was cut', async () => {
      const body = `${event(textDelta('a'))}data: {"type":"text-delta","id":"0","delta":"世`;
      await assertForAllCuts(new TextEncoder().encode(body).slice(0, -1), (outcome) => {
        assert.equal(outcome.text, 'a');
        assert.deepEqual(outcome.end, { status: 'incomplete', isDegraded: false });
      });
    });

    it('refuses an event without an end, keeping what came before', async () => {
      const long = 'x'.repeat(64 * 1024);
      const pieces = [event(textDelta('a')), 'data: ', ...Array<string>(20).fill(long), '\n\n'];
      const { text: read, error } = await outcomeOf(pieces);
      assert.equal(read, 'a');
      assert.equal(codeOf(error), 'bad-stream');
    });

    it('refuses an event that is too long in one read as in many', async () => {
      const body = events(textDelta('a'), textDelta('b'.repeat(MAX_EVENT_LENGTH)), finish);
      const { text: read, error } = await outcomeOf([body]);
      assert.equal(read, 'a');
      assert.equal(codeOf(error), 'bad-stream');
    });

    it('reads a hundred thousand small deltas in one update per read', async () => {
      const body = events(textStart(), ...Array<unknown>(100_000).fill(textDelta('word ')), finish);
      const { text: read, updates } = await outcomeOf([body.slice(0, 1000), body.slice(1000)]);
      assert.equal(read.length, 500_000);
      assert.ok(updates.length <= 3);
    });
  });
});
