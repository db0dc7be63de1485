/** faults.md A17: a reply beyond any limit keeps all that came before it. */
import assert from 'node:assert/strict';
import { MAX_EVENT_LENGTH } from '../../../../src/chat/assistant/eventReader';
import { MAX_REPLY_LENGTH, MAX_REPLY_PARTS } from '../../../../src/chat/assistant/replyParts';
import { codeOf, outcomeOf, sentenceOf } from '../../../builders/ask';
import { cuts, event, events } from '../../../builders/stream';

const delta = (text: string, id: unknown = '0') => ({ type: 'text-delta', id, delta: text });
const tooLong = { status: 'incomplete', isDegraded: false, isTooLong: true };

describe('a reply beyond its limits', () => {
  const kinds: readonly [name: string, chunkOf: (index: number) => unknown][] = [
    ['texts with an id of their own each', (index) => delta(`${index} `, String(index))],
    ['texts that only start', (index) => ({ type: 'text-start', id: String(index) })],
    [
      'reasoning with an id of its own each',
      (index) => ({ type: 'reasoning-delta', id: String(index), delta: 'so' }),
    ],
    ['steps', () => ({ type: 'start-step' })],
    [
      'sources',
      (index) => ({ type: 'source-url', sourceId: `s${index}`, url: `https://x.y/${index}` }),
    ],
    ['files', () => ({ type: 'file', mediaType: 'text/plain', url: 'data:,a' })],
    [
      'searches',
      (index) => ({ type: 'tool-input-start', toolCallId: `t${index}`, toolName: 'search' }),
    ],
  ];
  for (const [name, chunkOf] of kinds) {
    it(`ends as incomplete, with all that came, at too many ${name}`, async () => {
      const before = events(delta('kept'), { type: 'text-end', id: '0' });
      const chunks = Array.from({ length: MAX_REPLY_PARTS + 20 }, (_, index) => chunkOf(index + 1));
      const body = before + events(...chunks, { type: 'finish' });
      for (const pieces of [[body], body.match(/[^]{1,997}/g) ?? []]) {
        const { parts, text, end, error, log } = await outcomeOf(pieces);
        assert.equal(error, undefined);
        assert.deepEqual(end, tooLong);
        assert.equal(parts.length, MAX_REPLY_PARTS);
        assert.ok(text.startsWith('kept'));
        assert.match(log.text('warn'), /longer than any real one/);
      }
    });
  }

  it('keeps every text that came before one part too many', async () => {
    const chunks = Array.from({ length: 2 * MAX_REPLY_PARTS }, (_, index) =>
      delta(`${index} `, String(index)),
    );
    const { text } = await outcomeOf([events(...chunks)]);
    const expected = Array.from({ length: MAX_REPLY_PARTS }, (_, index) => `${index} `).join('');
    assert.equal(text, expected);
  });

  it('ends as incomplete at one character too many, with those before it', async () => {
    const piece = 'x'.repeat(MAX_EVENT_LENGTH / 2);
    const chunks = Array<unknown>(MAX_REPLY_LENGTH / piece.length).fill(delta(piece));
    const { text, end } = await outcomeOf([...chunks.map(event), event(delta('y'))]);
    assert.deepEqual(end, tooLong);
    assert.equal(text.length, MAX_REPLY_LENGTH);
  });

  it('is an error with our own sentence where nothing came before it', async () => {
    const outcome = await outcomeOf([`data: ${'x'.repeat(MAX_EVENT_LENGTH + 2000)}`]);
    assert.equal(codeOf(outcome.error), 'bad-stream');
    assert.match(sentenceOf(outcome), /isn’t a reply/);
  });

  it('keeps the text before an event that is too long, in whichever reads they come', async () => {
    const long = event(delta('y'.repeat(MAX_EVENT_LENGTH)));
    const body = events(delta('a', 'a'), delta('b', 'b')) + long + events({ type: 'finish' });
    for (const pieces of [[body], body.match(/[^]{1,60000}/g) ?? []]) {
      const { text, error } = await outcomeOf(pieces);
      assert.equal(text, 'ab');
      assert.equal(codeOf(error), 'bad-stream');
    }
  });

  it('counts no part twice that closes or starts anew', async () => {
    const chunks = Array.from({ length: MAX_REPLY_PARTS }, (_, index) => [
      { type: 'text-start', id: String(index % 3) },
      delta('a', String(index % 3)),
      { type: 'text-end', id: String(index % 3) },
    ]).flat();
    const { end, parts } = await outcomeOf([events(...chunks, { type: 'finish' })]);
    assert.deepEqual(end, { status: 'complete', isDegraded: false });
    assert.equal(parts.length, MAX_REPLY_PARTS);
  });

  it('is the same however the network cuts it', async () => {
    const chunks = Array.from({ length: MAX_REPLY_PARTS + 3 }, (_, index) =>
      delta('a', String(index)),
    );
    const head = events(...chunks.slice(0, -10));
    for (const { pieces } of cuts(events(...chunks.slice(-10)))) {
      const { text, end } = await outcomeOf([head, ...pieces]);
      assert.equal(text, 'a'.repeat(MAX_REPLY_PARTS));
      assert.deepEqual(end, tooLong);
    }
  });
});
