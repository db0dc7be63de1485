import assert from 'node:assert/strict';
import {
  interrupted,
  parseStoredThread,
  storedThread,
  threadView,
  titleOf,
} from '../../../src/assistant/thread';
import { aContextItem, aQuestion, aReply, aThread } from '../../builders/asking';

/** A stored thread as JSON that a test may change. */
function stored(thread = aThread()): Record<string, unknown> {
  return JSON.parse(JSON.stringify(storedThread(thread))) as Record<string, unknown>;
}

describe('parseStoredThread', () => {
  it('drops fields that it does not know', () => {
    assert.deepEqual(parseStoredThread({ ...stored(), novelty: 1 }), aThread());
  });

  it('drops parts that it does not know and keeps the rest of the reply', () => {
    const messages = [
      aQuestion(),
      { ...aReply(), parts: [{ type: 'hologram' }, null, { type: 'text', text: 'So.' }, 7] },
    ];
    assert.deepEqual(parseStoredThread({ ...stored(), messages }), aThread());
  });

  it('takes a status that it does not know for interrupted', () => {
    const messages = [aQuestion(), { ...aReply(), status: 'dreaming' }];
    const thread = parseStoredThread({ ...stored(), messages });
    assert.equal(
      thread?.messages[1]?.role === 'assistant' && thread.messages[1].status,
      'interrupted',
    );
  });

  it('takes an error code that it does not know for unexpected, with its sentence', () => {
    const error = { code: 'novel', message: 'Oh.', actions: ['dance'] };
    const messages = [aQuestion(), { ...aReply(), error }];
    const thread = parseStoredThread({ ...stored(), messages });
    assert.deepEqual(thread?.messages[1], {
      ...aReply(),
      error: { code: 'unexpected', message: 'Oh.', actions: ['retry'] },
    });
  });

  for (const [what, change] of [
    ['another version', { schemaVersion: 2 }],
    ['no id', { id: '' }],
    ['messages that are no list', { messages: {} }],
    ['a message of no known role', { messages: [{ ...aQuestion(), role: 'system' }] }],
    ['a context item without its value', { messages: [{ ...aQuestion(), contextItems: [{}] }] }],
  ] as const) {
    it(`refuses a record with ${what}`, () => {
      assert.equal(parseStoredThread({ ...stored(), ...change }), undefined);
    });
  }
});

describe('interrupted', () => {
  it('ends replies that ran, and no others', () => {
    const thread = aThread({
      messages: [
        aReply({ status: 'waiting' }),
        aReply({ status: 'streaming' }),
        aReply({ status: 'stopped' }),
      ],
    });
    const statuses = interrupted(thread).messages.map(
      (message) => 'status' in message && message.status,
    );
    assert.deepEqual(statuses, ['interrupted', 'interrupted', 'stopped']);
  });
});

describe('threadView', () => {
  it('holds no value of a context item and no service thread', () => {
    const thread = aThread({
      serviceThread: { origin: 'https://a.b', domain: 'acme', threadId: 'service-1', hasKey: true },
      messages: [aQuestion({ contextItems: [aContextItem({ value: 'secret code' })] }), aReply()],
    });
    const view = JSON.stringify(threadView(thread));
    assert.doesNotMatch(view, /secret code|service-1/);
    assert.match(view, /"length":11/);
  });
});

describe('titleOf', () => {
  for (const [question, title] of [
    ['How?', 'How?'],
    ['\n\n How? \nAnd why?', 'How?'],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
  ] as const) {
    it(`makes ${JSON.stringify(title)} of ${JSON.stringify(question)}`, () => {
      assert.equal(titleOf(question).trim(), title);
    });
  }
});
