import assert from 'node:assert/strict';
import {
  MAX_QUOTE_LENGTH,
  MAX_UNPROVEN,
  parseProof,
} from '../../../../src/chat/assistant/replyProof';
import { requestBody } from '../../../../src/chat/assistant/requestBody';
import { parseStoredThread, storedThread } from '../../../../src/chat/conversation/thread';
import type { ProofPart } from '../../../../src/shared/uiMessage';
import { assertForAllCuts, outcomeOf } from '../../../builders/ask';
import { aQuestion, aReply, aThread, someSettings } from '../../../builders/asking';
import { events } from '../../../builders/stream';

const unproven = [
  { quote: 'Uploads can have 512 MB.', reason: 'number', missing: ['512'] },
] as const;
const proof = { statements: 12, found: 11, unproven };
const part: ProofPart = { type: 'proof', ...proof };
const chunk = (data: unknown) => ({ type: 'data-proof', id: 'proof', data });
const text = { type: 'text-delta', id: '0', delta: 'Uploads can have 512 MB.' };
const finish = { type: 'finish' };

describe('the proof of a reply', () => {
  it('becomes a part of the reply, wherever the network splits it', async () => {
    await assertForAllCuts(events(text, chunk(proof), finish), ({ parts, end }) => {
      assert.deepEqual(parts, [{ type: 'text', text: text.delta }, part]);
      assert.deepEqual(end, { status: 'complete', isDegraded: false });
    });
  });

  it('is the last one that was sent', async () => {
    const { parts } = await outcomeOf([
      events(chunk({ ...proof, found: 3 }), text, chunk(proof), finish),
    ]);
    assert.deepEqual(
      parts.filter(({ type }) => type === 'proof'),
      [part],
    );
  });

  it('doesn’t count as content, so a reply with only a proof is still empty', async () => {
    const { error } = await outcomeOf([events(chunk(proof), finish)]);
    assert.match(String(error), /empty/i);
  });

  for (const data of [
    undefined,
    null,
    'all is true',
    [],
    { ...proof, statements: -1 },
    { ...proof, found: 1.5 },
    { ...proof, found: 13 },
    { ...proof, unproven: 'none' },
    { statements: 1, found: 1 },
  ]) {
    // Shows faults.md A28.
    it(`is left out and counted as ${JSON.stringify(data)}`, async () => {
      const { parts, end, log } = await outcomeOf([events(text, chunk(data), finish)]);
      assert.deepEqual(parts, [{ type: 'text', text: text.delta }]);
      assert.deepEqual(end, { status: 'complete', isDegraded: false });
      assert.match(log.text('debug'), /1 × data-proof without what it needs/);
    });
  }

  it('leaves out single statements that can\u2019t be read, and keeps the rest', () => {
    const read = parseProof({
      ...proof,
      novelty: 1,
      unproven: [
        null,
        7,
        { reason: 'words', missing: [] },
        { quote: '  ', reason: 'words', missing: [] },
        ...unproven,
        { quote: 'It is so.', reason: 'too-poetic', missing: ['a', 5, null, ''], score: 0.2 },
        { quote: 'It is.', reason: 'uncited' },
      ],
    });
    assert.deepEqual(read?.unproven, [
      ...unproven,
      { quote: 'It is so.', reason: 'words', missing: ['a'] },
      { quote: 'It is.', reason: 'uncited', missing: [] },
    ]);
  });

  it('is cut where it is longer than anybody reads', () => {
    const entry = {
      quote: 'x'.repeat(10_000),
      reason: 'name',
      missing: Array.from({ length: 500 }, () => 'y'.repeat(5_000)),
    };
    const read = parseProof({
      statements: 5_000,
      found: 0,
      unproven: Array.from({ length: 5_000 }, () => entry),
    });
    assert.equal(read?.statements, 5_000);
    assert.equal(read.unproven.length, MAX_UNPROVEN);
    assert.equal(read.unproven[0]?.quote.length, MAX_QUOTE_LENGTH);
    assert.ok(JSON.stringify(read).length < 600_000);
  });

  it('shows no secret that the service echoes, not even half of one', () => {
    const secret = 'qed_dsc_0123456789abcdef';
    const quote = `${'x'.repeat(MAX_QUOTE_LENGTH - 10)}${secret}`;
    const read = parseProof(
      { statements: 1, found: 0, unproven: [{ quote, reason: 'name', missing: [secret] }] },
      [secret],
    );
    assert.doesNotMatch(JSON.stringify(read), /qed_dsc/);
  });

  it('is stored with the thread', () => {
    const thread = aThread({
      messages: [
        aQuestion(),
        aReply({ parentId: 'q1', parts: [{ type: 'text', text: 'So.' }, part] }),
      ],
    });
    assert.deepEqual(parseStoredThread(JSON.parse(JSON.stringify(storedThread(thread)))), thread);
  });

  it('is not sent back to a service', () => {
    const { messages } = requestBody({
      settings: someSettings(),
      messages: [aQuestion(), aReply({ parts: [{ type: 'text', text: 'So.' }, part] })],
      contextItems: [],
    });
    assert.deepEqual(messages[1]?.parts, [{ type: 'text', text: 'So.' }]);
  });
});
