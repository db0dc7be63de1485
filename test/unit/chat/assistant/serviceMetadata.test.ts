import assert from 'node:assert/strict';
import {
  keptMetadata,
  MAX_METADATA_LENGTH,
  MAX_REPLY_METADATA_LENGTH,
  ReplyMetadata,
} from '../../../../src/chat/assistant/serviceMetadata';
import type { ReplyChange } from '../../../../src/shared/reply';
import { outcomeOf } from '../../../builders/ask';
import { event, events } from '../../../builders/stream';

const secret = 'acme_dsc_CANARY01';

/** Returns the parts and the metadata of the message that the events make. */
async function replyOf(...chunks: readonly unknown[]) {
  const body = events({ type: 'text-delta', id: 't', delta: 'a' }, ...chunks, { type: 'finish' });
  const outcome = await outcomeOf([body], { key: secret });
  const metadata = outcome.updates.findLast((update: ReplyChange) => update.metadata)?.metadata;
  return { ...outcome, parts: outcome.parts.slice(1), metadata };
}

describe('metadata that a service attaches', () => {
  it('comes with the reasoning and the sources that it was sent with', async () => {
    const { parts } = await replyOf(
      { type: 'reasoning-start', id: 'r', providerMetadata: { acme: { at: 'start' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'source-url', sourceId: 's', url: '/a', providerMetadata: { acme: { score: 1 } } },
      { type: 'source-url', sourceId: 't', url: '/b', providerMetadata: 'odd' },
      { type: 'reasoning-end', id: 'r' },
    );
    assert.deepEqual(parts, [
      { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { at: 'start' } } },
      {
        type: 'source-url',
        sourceId: 's',
        url: '/a',
        providerMetadata: { acme: { score: 1 } },
      },
      { type: 'source-url', sourceId: 't', url: '/b' },
    ]);
  });

  it('comes from the last event of a reasoning part, which can be its end', async () => {
    const { parts } = await replyOf(
      { type: 'reasoning-start', id: 'r', providerMetadata: { acme: { at: 'start' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'H', providerMetadata: { acme: { at: 'delta' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'm.' },
      { type: 'reasoning-end', id: 'r', providerMetadata: { acme: { signature: 'c2ln' } } },
    );
    assert.deepEqual(parts, [
      { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { signature: 'c2ln' } } },
    ]);
  });

  it('is known even if it arrives in a separate read after the text', async () => {
    const { parts } = await outcomeOf([
      event({ type: 'reasoning-start', id: 'r' }),
      event({ type: 'reasoning-delta', id: 'r', delta: 'Hm.' }),
      event({ type: 'reasoning-end', id: 'r', providerMetadata: { acme: { id: 7 } } }),
    ]);
    assert.deepEqual(parts, [
      { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { id: 7 } } },
    ]);
  });

  it('of the message is merged from start, message-metadata and finish, without the thread', async () => {
    const { metadata, thread } = await replyOf(
      { type: 'start', messageMetadata: { model: 'm-1', usage: { in: 1 }, threadId: 't-1' } },
      { type: 'message-metadata', messageMetadata: { usage: { out: 2 }, list: [1, 2] } },
      { type: 'message-metadata', messageMetadata: ['odd'] },
      { type: 'finish', messageMetadata: { list: [3], threadKey: secret } },
    );
    assert.deepEqual(metadata, { model: 'm-1', usage: { in: 1, out: 2 }, list: [3] });
    assert.deepEqual(thread, { threadId: 't-1' });
  });

  it('holds no key that the service echoes, neither as a value nor as a name', async () => {
    const providerMetadata = { acme: { [`x ${secret}`]: [`Bearer ${secret}`] } };
    const { updates, parts, metadata } = await replyOf(
      { type: 'source-url', sourceId: 's', url: '/a', providerMetadata },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.', providerMetadata },
      { type: 'message-metadata', messageMetadata: providerMetadata },
    );
    assert.ok(parts.every((part) => 'providerMetadata' in part));
    assert.ok(metadata);
    assert.doesNotMatch(JSON.stringify(updates), /CANARY/);
  });

  it('is kept up to its limit, and not at all beyond it', () => {
    const overhead = JSON.stringify({ a: '' }).length;
    const fits = { a: 'x'.repeat(MAX_METADATA_LENGTH - overhead - 2) };
    assert.deepEqual(keptMetadata(fits), fits);
    assert.equal(keptMetadata({ a: 'x'.repeat(MAX_METADATA_LENGTH) }), undefined);
    assert.equal(
      keptMetadata({ a: Array.from({ length: MAX_METADATA_LENGTH }, () => 1) }),
      undefined,
    );
    assert.equal(keptMetadata({ ['x'.repeat(MAX_METADATA_LENGTH)]: 1 }), undefined);
  });

  it('of a message that would grow beyond the limit stays as it was', () => {
    const metadata = new ReplyMetadata([]);
    const half = 'x'.repeat(MAX_METADATA_LENGTH / 2);
    metadata.add({ a: half });
    metadata.add({ b: half });
    metadata.add({ c: 1 });
    assert.deepEqual(metadata.take(), { a: half, c: 1 });
    assert.equal(metadata.take(), undefined);
  });

  it('has a limit for all parts together, and parts beyond it have none', () => {
    const metadata = new ReplyMetadata([]);
    const large = { a: 'x'.repeat(MAX_METADATA_LENGTH - 100) };
    const kept = Array.from({ length: 20 }, () => metadata.ofPart(large)).filter(Boolean).length;
    assert.equal(kept, Math.floor(MAX_REPLY_METADATA_LENGTH / JSON.stringify(large).length));
    assert.deepEqual(metadata.ofPart({ a: 1 }), { a: 1 });
  });

  for (const [what, text] of [
    ['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(30) + '1' + '}'.repeat(30)],
  ] as const) {
    it(`is not kept where ${what} are deeper in each other than any JSON reader likes`, () => {
      assert.equal(keptMetadata({ deep: JSON.parse(text) as unknown }), undefined);
    });
  }

  it('changes no prototype, and is plain JSON that strict readers take', () => {
    const odd: unknown = JSON.parse(
      '{"__proto__":{"polluted":1},"a":{"constructor":{"prototype":1},"b":1e400,"c":"x\\u0000\\ud800"}}',
    );
    const kept = keptMetadata(odd);
    assert.deepEqual(kept, { a: { b: null, c: 'x\ufffd' } });
    assert.equal(Object.getPrototypeOf(kept), Object.prototype);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  for (const odd of [undefined, null, 7, 'x', [], {}]) {
    it(`is nothing where it is ${JSON.stringify(odd)}`, () => {
      assert.equal(keptMetadata(odd), undefined);
    });
  }
});
