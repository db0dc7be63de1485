/** Counts the work of opening a thread for each message that nobody sees yet. */
import assert from 'node:assert/strict';
import * as v from 'valibot';
import { messagePartSchema } from '../../../../src/shared/messageSchemas';
import type { MessageView } from '../../../../src/shared/uiMessage';
import { parseHostEnvelope } from '../../../../webview/hostSchemas';
import { estimatedHeight } from '../../../../webview/thread/messageHeight';

const aReply = (text: string): MessageView => ({
  role: 'assistant',
  id: 'r',
  createdAt: '2026-01-01T12:00:00.000Z',
  status: 'complete',
  parts: [{ type: 'text', text }],
});

describe('a message of a thread that is opened', () => {
  const parts = [
    { type: 'text', text: 'x' },
    { type: 'reasoning', text: 'x' },
    { type: 'source-url', sourceId: 'a', url: 'https://a.example/' },
    { type: 'file', mediaType: 'text/plain', url: 'data:,x' },
    { type: 'step-start' },
    { type: 'search', toolCallId: 'a', toolName: 'search', state: 'done', resultCount: 2 },
  ];

  it('is checked by the one schema that its part’s type names, whichever that is', () => {
    for (const part of parts) {
      let reads = 0;
      const counted = new Proxy(part, {
        get: (target, name): unknown => {
          if (name === 'type') reads++;
          return Reflect.get(target, name);
        },
      });
      assert.deepEqual(v.parse(messagePartSchema, counted), part);
      assert.ok(reads <= 2, `${part.type}: ${reads}`);
    }
  });

  it('is refused where its role or the type of a part is none of the protocol’s', () => {
    const added = (message: unknown) =>
      parseHostEnvelope({ kind: 'event', seq: 1, name: 'message-added', params: { message } });
    const reply = aReply('x');
    assert.equal(added(reply)?.kind, 'event');
    for (const role of ['system', '__proto__', 'constructor', 'toString', undefined, null, 1, {}]) {
      assert.equal(added({ ...reply, role })?.kind, 'unreadable', JSON.stringify(role));
    }
    for (const part of [{ type: 'html' }, { type: '__proto__' }, {}, null, 'text', []]) {
      assert.equal(added({ ...reply, parts: [part] })?.kind, 'unreadable', JSON.stringify(part));
    }
    for (const message of [null, undefined, 'user', []]) {
      assert.equal(added(message)?.kind, 'unreadable');
    }
  });

  it('has a height that its beginning and its length tell', () => {
    const head = 'A line of some length that says a little.\n\n'.repeat(20);
    const [one, other] = [head + 'x\n'.repeat(5_000), head + 'x '.repeat(5_000)].map((text) =>
      estimatedHeight(aReply(text), 400),
    );
    assert.equal(one, other);
  });

  it('is about ten times as high with ten times the text', () => {
    for (const piece of [
      'A line of some length.\n\n',
      'const answer = 42;\n',
      'words and words '.repeat(30),
    ]) {
      const [short, long] = [piece.repeat(20), piece.repeat(200)].map((text) =>
        estimatedHeight(aReply(text), 400),
      );
      assert.ok(short !== undefined && long !== undefined);
      assert.ok(long > short * 8 && long < short * 12, `${short}, ${long}`);
    }
  });
});
