/**
 * Recorded exchanges of the client with the local docs service, field by field as
 * docs/platform-api.md lists them.
 */
import assert from 'node:assert/strict';
import type { ContextItem } from '../../../src/chat/context/contextItem';
import type { Reply } from '../../../src/chat/conversation/thread';
import type { FaultProxy } from '../../fakes/faultProxy';
import type { Exchange } from '../../fakes/faults';
import { aQuestion, ask, assistantKey, settingsFor, type Outcome } from './asking';
import { startSampleService, type SampleService } from '../service/sampleService';

const createdAt = '2025-03-01T10:00:00.000Z';
const later = '2025-03-01T10:01:00.000Z';

const codeItem: ContextItem = {
  id: 'item-1',
  type: 'code',
  value: 'client.shipments.create({ to });\n\tconst a = "ü👋";',
  path: 'shop/src/ship.ts',
  label: 'ship.ts',
  startLine: 3,
  endLine: 4,
  target: {
    uri: 'file:///projects/shop/src/ship.ts',
    startLine: 2,
    startCharacter: 0,
    endLine: 3,
    endCharacter: 0,
  },
};

const cellItem: ContextItem = {
  id: 'item-2',
  type: 'textSelection',
  value: 'Labels are printed at once.',
  path: 'shop/notes.ipynb',
  elementId: 'cell-7',
  label: 'notes.ipynb',
};

/** Holds a part of every type, and one that the endpoint does not list. */
const earlierReply: Reply = {
  role: 'assistant',
  id: 'reply-1',
  createdAt,
  status: 'complete',
  metadata: { model: 'm-1', usage: { tokens: 7 } },
  parts: [
    { type: 'step-start' },
    { type: 'search', toolCallId: 'search-0', toolName: 'search', state: 'done' },
    {
      type: 'reasoning',
      text: 'It is about labels.',
      providerMetadata: { acme: { signature: 'c2ln' } },
    },
    {
      type: 'source-url',
      sourceId: 'source-1',
      url: 'https://docs.example.com/labels',
      title: 'Labels',
      providerMetadata: { acme: { score: 0.5 } },
    },
    { type: 'source-url', sourceId: 'source-2', url: 'https://docs.example.com/untitled' },
    {
      type: 'file',
      mediaType: 'application/pdf',
      url: 'https://docs.example.com/label.pdf',
      filename: 'label.pdf',
    },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' },
    { type: 'text', text: 'Print the label.' },
  ],
};

describe('AssistantClient: recorded exchanges with the local docs service', () => {
  let service: SampleService;
  let proxy: FaultProxy;
  let first: { exchange: Exchange; outcome: Outcome };
  let followUp: { exchange: Exchange; outcome: Outcome };

  const exchangeAt = (index: number): Exchange => proxy.exchanges[index] ?? assert.fail();

  /** The value at a path such as `messages.0.parts.1.type` of a recorded body. */
  const fieldOf = ({ body }: Exchange, field: string): unknown =>
    field
      .split('.')
      .reduce<unknown>(
        (value, name) =>
          typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
        body,
      );

  before(async () => {
    service = await startSampleService();
    proxy = await service.startProxy();
    const question = aQuestion('How do I create a shipment?', {
      contextItems: [codeItem, cellItem],
    });
    const firstOutcome = await ask(proxy.url, {
      settings: {
        ...settingsFor(proxy.url),
        fp: 'user-17',
        retrievalPageSize: 3,
        filter: { version: 'v2', language: 'en', groups: ['guides', 'sdk'] },
      },
      messages: [question],
      contextItems: question.contextItems,
      currentPath: 'v2/en/quickstart',
    });
    const followUpOutcome = await ask(proxy.url, {
      settings: { ...settingsFor(proxy.url), fp: 'user-17' },
      messages: [
        question,
        earlierReply,
        aQuestion('and in Python?', { id: 'question-2', createdAt: later }),
      ],
      threadId: firstOutcome.threadId ?? assert.fail('The first reply named no thread'),
    });
    await proxy.until(() => proxy.exchanges.every(({ state }) => state !== 'open'));
    first = { exchange: exchangeAt(0), outcome: firstOutcome };
    followUp = { exchange: exchangeAt(1), outcome: followUpOutcome };
  });

  after(async () => {
    await proxy.stop();
    await service.stop();
  });

  it('posts to /v2/assistant/{domain}/message', () => {
    assert.equal(first.exchange.method, 'POST');
    assert.equal(first.exchange.path, '/v2/assistant/sample/message');
  });

  it('keeps the path of a base URL, with one slash between', async () => {
    for (const suffix of ['/some/prefix', '/some/prefix/']) {
      proxy.queue({ respond: { status: 400 } });
      await ask(proxy.url + suffix);
      const { path } = exchangeAt(proxy.exchanges.length - 1);
      assert.equal(path, '/some/prefix/v2/assistant/sample/message');
    }
  });

  it('sends the assistant key only as Authorization: Bearer', () => {
    const { headers, bodyText, path } = first.exchange;
    assert.equal(headers['authorization'], `Bearer ${assistantKey}`);
    const elsewhere = Object.entries(headers).filter(([name]) => name !== 'authorization');
    assert.ok(![JSON.stringify(elsewhere), bodyText, path].join().includes(assistantKey));
  });

  it('sends Content-Type: application/json', () => {
    assert.equal(first.exchange.headers['content-type'], 'application/json');
  });

  it('is accepted by the service, which checks every field', () => {
    assert.deepEqual([first.exchange.status, followUp.exchange.status], [200, 200]);
  });

  const firstFields: Readonly<Record<string, unknown>> = {
    fp: 'user-17',
    'messages.length': 1,
    'messages.0.id': 'question-1',
    'messages.0.role': 'user',
    'messages.0.createdAt': createdAt,
    'messages.0.parts': [{ type: 'text', text: 'How do I create a shipment?' }],
    threadId: undefined,
    retrievalPageSize: 3,
    'filter.version': 'v2',
    'filter.language': 'en',
    'filter.groups': ['guides', 'sdk'],
    'context.length': 2,
    'context.0.type': 'code',
    'context.0.value': codeItem.value,
    'context.0.path': 'shop/src/ship.ts',
    'context.0.elementId': undefined,
    'context.1.type': 'textSelection',
    'context.1.value': 'Labels are printed at once.',
    'context.1.path': 'shop/notes.ipynb',
    'context.1.elementId': 'cell-7',
    currentPath: '/v2/en/quickstart',
  };
  for (const [field, expected] of Object.entries(firstFields)) {
    it(`sends ${field}${expected === undefined ? ' not at all if there is none' : ''}`, () => {
      assert.deepEqual(fieldOf(first.exchange, field), expected);
    });
  }

  it('sends no field that is not in the contract', () => {
    const body: object = (first.exchange.body as object | null) ?? assert.fail();
    assert.deepEqual(Object.keys(body).sort(), [
      'context',
      'currentPath',
      'filter',
      'fp',
      'messages',
      'retrievalPageSize',
    ]);
    assert.deepEqual(Object.keys(fieldOf(first.exchange, 'context.1') as object).sort(), [
      'elementId',
      'path',
      'type',
      'value',
    ]);
    assert.deepEqual(Object.keys(fieldOf(first.exchange, 'messages.0') as object).sort(), [
      'createdAt',
      'id',
      'parts',
      'role',
    ]);
  });

  it('leaves out optional fields without a value, and sends anonymous', async () => {
    proxy.queue({ respond: { status: 400 } });
    await ask(proxy.url, { settings: { ...settingsFor(proxy.url), fp: '' } });
    assert.deepEqual(exchangeAt(proxy.exchanges.length - 1).body, {
      fp: 'anonymous',
      messages: [
        {
          id: 'question-1',
          role: 'user',
          createdAt,
          parts: [{ type: 'text', text: 'How do I create a shipment?' }],
        },
      ],
      retrievalPageSize: 5,
    });
  });

  for (const [length, isSent] of [
    [200, true],
    [201, false],
  ] as const) {
    it(`${isSent ? 'sends' : 'leaves out'} a currentPath of ${length} characters`, async () => {
      const currentPath = `/docs/${'p'.repeat(length - 6)}`;
      const { end } = await ask(proxy.url, { currentPath });
      assert.equal(end?.status, 'complete');
      const sent = fieldOf(exchangeAt(proxy.exchanges.length - 1), 'currentPath');
      assert.equal(sent, isSent ? currentPath : undefined);
    });
  }

  it('sends the threadId of the first reply with the follow-up', () => {
    assert.equal(fieldOf(followUp.exchange, 'threadId'), first.outcome.threadId);
    assert.equal(followUp.outcome.threadId, first.outcome.threadId);
  });

  it('sends the conversation in its order, each message with its role', () => {
    const messages = fieldOf(followUp.exchange, 'messages') as { id: string; role: string }[];
    assert.deepEqual(
      messages.map(({ id, role }) => [id, role]),
      [
        ['question-1', 'user'],
        ['reply-1', 'assistant'],
        ['question-2', 'user'],
      ],
    );
    assert.equal(fieldOf(followUp.exchange, 'messages.2.createdAt'), later);
  });

  it('sends metadata with a reply: how it ended, and what the service attached', () => {
    assert.deepEqual(fieldOf(followUp.exchange, 'messages.1.metadata'), {
      status: 'complete',
      model: 'm-1',
      usage: { tokens: 7 },
    });
  });

  const sentParts: readonly [string, object][] = [
    ['step-start', { type: 'step-start' }],
    [
      'reasoning with metadata',
      {
        type: 'reasoning',
        text: 'It is about labels.',
        providerMetadata: { acme: { signature: 'c2ln' } },
      },
    ],
    [
      'source-url with a title and metadata',
      {
        type: 'source-url',
        sourceId: 'source-1',
        url: 'https://docs.example.com/labels',
        title: 'Labels',
        providerMetadata: { acme: { score: 0.5 } },
      },
    ],
    [
      'source-url without a title',
      { type: 'source-url', sourceId: 'source-2', url: 'https://docs.example.com/untitled' },
    ],
    [
      'file with a name',
      {
        type: 'file',
        mediaType: 'application/pdf',
        url: 'https://docs.example.com/label.pdf',
        filename: 'label.pdf',
      },
    ],
    [
      'file without a name',
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBORw0KGgo=' },
    ],
    ['text', { type: 'text', text: 'Print the label.' }],
  ];
  for (const [index, [name, part]] of sentParts.entries()) {
    it(`sends a part of an earlier reply: ${name}`, () => {
      assert.deepEqual(fieldOf(followUp.exchange, `messages.1.parts.${index}`), part);
    });
  }

  it('sends no part that the endpoint does not list', () => {
    assert.equal(fieldOf(followUp.exchange, 'messages.1.parts.length'), sentParts.length);
  });

  it('does not send context items of earlier questions again', () => {
    assert.equal(fieldOf(followUp.exchange, 'context'), undefined);
  });

  it('reads every type of event that the service sends', () => {
    const events = eventsOf(first.exchange);
    const types = new Set(events.map((event) => (event === '[DONE]' ? event : event.type)));
    for (const type of ['start', 'start-step', 'reasoning-start', 'reasoning-delta']) {
      assert.ok(types.has(type), type);
    }
    for (const type of ['reasoning-end', 'finish-step', 'source-url', 'text-start', 'text-delta']) {
      assert.ok(types.has(type), type);
    }
    for (const type of ['text-end', 'finish', '[DONE]']) assert.ok(types.has(type), type);
  });

  it('takes the thread from the event whose type is finish', () => {
    const finish = eventsOf(first.exchange).find(
      (event) => event !== '[DONE]' && event.type === 'finish',
    );
    assert.ok(finish !== undefined && finish !== '[DONE]');
    assert.equal(typeof finish.threadId, 'string');
    assert.equal(first.outcome.threadId, finish.threadId);
  });

  it('gives the reply the text, reasoning, steps and sources of the events', () => {
    const { parts, text, end } = first.outcome;
    const chunks = eventsOf(first.exchange).filter((event) => event !== '[DONE]');
    const joined = (type: string): string =>
      chunks.map((chunk) => (chunk.type === type ? (chunk.delta ?? '') : '')).join('');
    assert.equal(end?.status, 'complete');
    assert.notEqual(text, '');
    assert.equal(text, joined('text-delta'));
    assert.equal(
      parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(''),
      joined('reasoning-delta'),
    );
    assert.equal(
      parts.filter(({ type }) => type === 'step-start').length,
      chunks.filter(({ type }) => type === 'start-step').length,
    );
    const sources = chunks
      .filter(({ type }) => type === 'source-url')
      .map(({ type, sourceId, url, title, providerMetadata }) => ({
        type,
        sourceId,
        url,
        title,
        providerMetadata,
      }));
    assert.ok(sources.length > 0);
    assert.deepEqual(
      parts.filter(({ type }) => type === 'source-url'),
      sources,
    );
  });

  it('gets an answer from as many results of the filtered version as retrievalPageSize says', () => {
    const sources = first.outcome.parts.filter((part) => part.type === 'source-url');
    assert.ok(sources.length <= 3, `${sources.length} sources`);
    for (const { url } of sources) assert.match(url, /\/v2\//);
  });

  it('sends the question once', () => {
    const sameQuestion = proxy.exchanges.filter(
      ({ bodyText }) => bodyText === first.exchange.bodyText,
    );
    assert.equal(sameQuestion.length, 1);
  });
});

interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly threadId?: string;
  readonly sourceId?: string;
  readonly url?: string;
  readonly title?: string;
  readonly providerMetadata?: object;
}

function eventsOf({ responseText }: Exchange): (Chunk | '[DONE]')[] {
  return responseText
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length))
    .map((value) => (value === '[DONE]' ? value : (JSON.parse(value) as Chunk)));
}
