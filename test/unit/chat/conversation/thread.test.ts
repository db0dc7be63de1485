import assert from 'node:assert/strict';
import {
  interrupted,
  parseStoredThread,
  storedThread,
  titleOf,
} from '../../../../src/chat/conversation/thread';
import { threadView } from '../../../../src/chat/conversation/shownThread';
import { MAX_METADATA_LENGTH } from '../../../../src/chat/assistant/serviceMetadata';
import { aContextItem, aFile, aQuestion, aReply, aThread } from '../../../builders/asking';

/** Returns a stored thread as JSON that a test may change. */
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

  it('reads an unknown status as interrupted', () => {
    const messages = [aQuestion(), { ...aReply(), status: 'dreaming' }];
    const thread = parseStoredThread({ ...stored(), messages });
    assert.equal(
      thread?.messages[1]?.role === 'assistant' && thread.messages[1].status,
      'interrupted',
    );
  });

  it('reads an unknown error code as unexpected, and keeps its sentence', () => {
    const error = { code: 'novel', message: 'Oh.', actions: ['dance'] };
    const messages = [aQuestion(), { ...aReply(), error }];
    const thread = parseStoredThread({ ...stored(), messages });
    assert.deepEqual(thread?.messages[1], {
      ...aReply({ parentId: 'q1' }),
      error: { code: 'unexpected', message: 'Oh.', actions: ['retry'] },
    });
  });

  it('lets a reply be retried if its retry time is not a number', () => {
    const error = { code: 'rate-limited', message: 'Oh.', actions: ['retry'] };
    for (const retryAt of [Infinity, 'soon', null]) {
      const messages = [aQuestion(), { ...aReply(), error: { ...error, retryAt } }];
      const [, reply] = parseStoredThread({ ...stored(), messages })?.messages ?? [];
      assert.equal(reply?.role === 'assistant' && reply.error?.retryAt, 0);
    }
  });

  it('reads everything that it stored: site, branches, files, quotes and metadata', () => {
    const thread = aThread({
      site: { id: 'https://api.example.com acme', label: 'acme · api.example.com' },
      serviceThread: { origin: 'https://a.b', domain: 'acme', threadId: 's1', hasKey: true },
      messages: [
        aQuestion({ contextItems: [aContextItem()], files: [aFile()] }),
        aReply({
          parentId: 'q1',
          quotes: { s1: 'Words.' },
          notice: 'Oh.',
          siteId: 'local',
          metadata: { model: 'm-1' },
          parts: [
            { type: 'reasoning', text: 'Hm.', providerMetadata: { acme: { signature: 's' } } },
            {
              type: 'source-url',
              sourceId: 's1',
              url: 'https://d.e/',
              providerMetadata: { acme: { score: 1 } },
            },
          ],
        }),
      ],
      others: [aQuestion({ id: 'q0' }), aReply({ id: 'r0', parentId: 'q0' })],
    });
    assert.deepEqual(parseStoredThread(stored(thread)), thread);
  });

  it('drops metadata that is too large or no object, and keeps its part and message', () => {
    const part = { type: 'source-url', sourceId: 's1', url: 'https://d.e/' } as const;
    for (const providerMetadata of [7, { acme: 'x'.repeat(MAX_METADATA_LENGTH) }]) {
      const reply = {
        ...aReply(),
        metadata: providerMetadata,
        parts: [{ ...part, providerMetadata }],
      };
      const [, read] =
        parseStoredThread({ ...stored(), messages: [aQuestion(), reply] })?.messages ?? [];
      assert.deepEqual(read, {
        ...aReply({ parentId: 'q1', metadata: {} }),
        parts: [{ ...part, providerMetadata: {} }],
      });
    }
  });

  it('sets the parents by the order of the shown branch, whatever the record says', () => {
    const messages = [aQuestion({ parentId: 'r1' }), aReply({ parentId: 'r1' })];
    assert.deepEqual(
      parseStoredThread({ ...stored(), messages })?.messages.map(({ parentId }) => parentId),
      [undefined, 'q1'],
    );
  });

  it('takes a message that is there twice once', () => {
    const messages = [aQuestion(), aReply(), aQuestion(), aReply({ id: 'r2' })];
    assert.deepEqual(
      parseStoredThread({ ...stored(), messages })?.messages.map(({ id, parentId }) => [
        id,
        parentId,
      ]),
      [
        ['q1', undefined],
        ['r1', 'q1'],
        ['r2', 'r1'],
      ],
    );
  });

  it('drops a message of another branch that it cannot read, and keeps the rest', () => {
    const others = [{ role: 'system' }, aReply({ id: 'r0', parentId: 'q1' }), 7];
    const thread = parseStoredThread({ ...stored(), others });
    assert.deepEqual(thread?.others, [aReply({ id: 'r0', parentId: 'q1' })]);
    assert.deepEqual(thread.messages, aThread().messages);
  });

  for (const [what, change] of [
    ['another version', { schemaVersion: 2 }],
    ['no id', { id: '' }],
    ['messages that are no list', { messages: {} }],
    ['a message of no known role', { messages: [{ ...aQuestion(), role: 'system' }] }],
    ['a file without its content', { messages: [{ ...aQuestion(), files: [{ id: 'f' }] }] }],
    ['a context item without its value', { messages: [{ ...aQuestion(), contextItems: [{}] }] }],
  ] as const) {
    it(`refuses a record with ${what}`, () => {
      assert.equal(parseStoredThread({ ...stored(), ...change }), undefined);
    });
  }
});

describe('interrupted', () => {
  it('ends replies that run elsewhere, and no others', () => {
    const messages = [
      aReply({ status: 'waiting' }),
      aReply({ status: 'streaming' }),
      aReply({ status: 'streaming', id: 'here' }),
      aReply({ status: 'stopped' }),
    ];
    const statuses = interrupted(messages, 'here').map(
      (message) => 'status' in message && message.status,
    );
    assert.deepEqual(statuses, ['interrupted', 'interrupted', 'streaming', 'stopped']);
  });
});

describe('threadView', () => {
  it('holds no value of a context item, content of a file, quote, metadata or service thread', () => {
    const thread = aThread({
      serviceThread: { origin: 'https://a.b', domain: 'acme', threadId: 'service-1', hasKey: true },
      messages: [
        aQuestion({ contextItems: [aContextItem({ value: 'secret code' })], files: [aFile()] }),
        aReply({
          quotes: { s1: 'A quote.' },
          siteId: 'service-1',
          metadata: { a: 'metadata' },
          parts: [
            { type: 'reasoning', text: 'Hm.', providerMetadata: { a: 'metadata' } },
            { type: 'source-url', sourceId: 's', url: '', providerMetadata: { a: 'metadata' } },
          ],
        }),
      ],
    });
    const view = JSON.stringify(threadView(thread));
    assert.doesNotMatch(view, /secret code|service-1|aGVsbG8|A quote|etadata/);
    assert.match(view, /"length":11/);
  });
});

describe('titleOf', () => {
  for (const [question, title] of [
    ['How?', 'How?'],
    ['\n\n How? \nAnd why?', 'How?'],
    ['x'.repeat(81), `${'x'.repeat(79)}…`],
    [`${'x'.repeat(78)}😀😀`, `${'x'.repeat(78)}…`],
  ] as const) {
    it(`makes ${JSON.stringify(title)} of ${JSON.stringify(question)}`, () => {
      assert.equal(titleOf(question).trim(), title);
    });
  }
});
