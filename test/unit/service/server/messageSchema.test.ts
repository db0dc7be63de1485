import assert from 'node:assert/strict';
import { parseMessageRequest } from '../../../../src/service/server/messageSchema';

const text = (value: string): object => ({ type: 'text', text: value });
const question = { id: 'm1', role: 'user', parts: [text('How?')] };
const body = (fields: object): object => ({ fp: 'anonymous', messages: [question], ...fields });
const withPart = (part: unknown): object =>
  body({ messages: [{ ...question, parts: [text('How?'), part] }] });

function errorOf(value: unknown): string {
  const parsed = parseMessageRequest(value);
  assert.ok(!parsed.ok, 'the body was accepted');
  return parsed.error;
}

describe('parseMessageRequest', () => {
  it('accepts a body with every documented field unchanged', () => {
    const whole = {
      fp: 'user-1',
      messages: [
        { id: 's', role: 'system', parts: [text('Be brief.')] },
        {
          id: 'a',
          role: 'assistant',
          createdAt: '2025-01-31T12:00:00.123Z',
          parts: [
            { type: 'step-start' },
            { type: 'reasoning', text: 'Hm.', providerMetadata: { x: { y: 1 } } },
            {
              type: 'source-url',
              sourceId: 's1',
              url: 'https://x',
              title: 'X',
              providerMetadata: {},
            },
            { type: 'file', mediaType: 'image/png', url: 'data:,', filename: 'x.png' },
            text('So.'),
          ],
          metadata: { anything: [1, null] },
        },
        { ...question, createdAt: '2025-01-31T12:00:00+02:00' },
      ],
      threadId: 't1',
      retrievalPageSize: 7,
      filter: { version: 'v2', language: 'en', groups: ['api'] },
      context: [
        { type: 'code', value: 'x()', path: 'src/x.ts', elementId: 'cell-1' },
        { type: 'textSelection', value: 'words' },
      ],
      currentPath: 'x'.repeat(200),
    };
    assert.deepEqual(parseMessageRequest(whole), { ok: true, request: whole, ignoredFields: [] });
  });

  it('takes the packages that own a context item, which have names', () => {
    const item = { type: 'textSelection', value: 'error' };
    const context = [{ ...item, packages: ['zod', '@acme/sdk'] }];
    const parsed = parseMessageRequest(body({ context }));
    assert.deepEqual(parsed.ok && parsed.request.context, context);
    assert.match(errorOf(body({ context: [{ ...item, packages: 'zod' }] })), /^context\[0\]/);
    const long = { ...item, packages: ['x'.repeat(301)] };
    assert.match(errorOf(body({ context: [long] })), /^context\[0\]/);
  });

  it('fills in the documented defaults', () => {
    const parsed = parseMessageRequest(body({}));
    assert.ok(parsed.ok);
    assert.equal(parsed.request.retrievalPageSize, 5);
    assert.deepEqual(parsed.request.context, []);
    assert.equal(parsed.request.threadId, undefined);
  });

  it('accepts null if the contract names it as the default', () => {
    assert.ok(parseMessageRequest(body({ threadId: null, filter: null })).ok);
  });

  it('names unknown fields without refusing them', () => {
    const parsed = parseMessageRequest(body({ threadKey: 'x', trigger: 'y' }));
    assert.ok(parsed.ok);
    assert.deepEqual(parsed.ignoredFields, ['threadKey', 'trigger']);
  });

  const wrong: readonly (readonly [string, unknown])[] = [
    ['fp', { messages: [question] }],
    ['fp', body({ fp: '' })],
    ['fp', body({ fp: 1 })],
    ['messages', { fp: 'x' }],
    ['messages', body({ messages: {} })],
    ['messages', body({ messages: [] })],
    ['messages', body({ messages: [{ ...question, parts: [text('  ')] }] })],
    ['messages[0]', body({ messages: ['hi'] })],
    ['messages[0].id', body({ messages: [{ role: 'user', parts: [] }] })],
    ['messages[0].id', body({ messages: [{ ...question, id: '' }] })],
    ['messages[0].role', body({ messages: [{ ...question, role: 'tool' }] })],
    ['messages[1].role', body({ messages: [question, { id: 'x', parts: [] }] })],
    ['messages[0].createdAt', body({ messages: [{ ...question, createdAt: 'yesterday' }] })],
    [
      'messages[0].createdAt',
      body({ messages: [{ ...question, createdAt: '2025-13-41T25:00:00Z' }] }),
    ],
    ['messages[0].createdAt', body({ messages: [{ ...question, createdAt: 5 }] })],
    ['messages[0].parts', body({ messages: [{ id: 'x', role: 'user' }] })],
    ['messages[0].metadata', body({ messages: [{ ...question, metadata: 'x' }] })],
    ['messages[0].parts[1]', withPart(null)],
    ['messages[0].parts[1].type', withPart({})],
    ['messages[0].parts[1].type', withPart({ type: 'tool-search' })],
    ['messages[0].parts[1].type', withPart({ type: '__proto__' })],
    ['messages[0].parts[1].text', withPart({ type: 'text' })],
    ['messages[0].parts[1].text', withPart({ type: 'reasoning' })],
    [
      'messages[0].parts[1].providerMetadata',
      withPart({ type: 'reasoning', text: 'x', providerMetadata: 1 }),
    ],
    ['messages[0].parts[1].sourceId', withPart({ type: 'source-url', url: 'x' })],
    ['messages[0].parts[1].url', withPart({ type: 'source-url', sourceId: 'x' })],
    [
      'messages[0].parts[1].title',
      withPart({ type: 'source-url', sourceId: 'x', url: 'x', title: 1 }),
    ],
    ['messages[0].parts[1].mediaType', withPart({ type: 'file', url: 'x' })],
    ['messages[0].parts[1].url', withPart({ type: 'file', mediaType: 'x' })],
    [
      'messages[0].parts[1].filename',
      withPart({ type: 'file', mediaType: 'x', url: 'x', filename: 1 }),
    ],
    ['threadId', body({ threadId: 1 })],
    ['threadId', body({ threadId: '' })],
    ['retrievalPageSize', body({ retrievalPageSize: '5' })],
    ['retrievalPageSize', body({ retrievalPageSize: 0 })],
    ['retrievalPageSize', body({ retrievalPageSize: 1.5 })],
    ['retrievalPageSize', body({ retrievalPageSize: 101 })],
    ['filter', body({ filter: 'v2' })],
    ['filter.version', body({ filter: { version: 2 } })],
    ['filter.language', body({ filter: { language: null } })],
    ['filter.groups', body({ filter: { groups: 'api' } })],
    ['filter.groups[1]', body({ filter: { groups: ['api', 2] } })],
    ['context', body({ context: {} })],
    ['context[0].type', body({ context: [{ type: 'file', value: 'x' }] })],
    ['context[0].type', body({ context: [{ value: 'x' }] })],
    ['context[0].value', body({ context: [{ type: 'code' }] })],
    ['context[0].path', body({ context: [{ type: 'code', value: 'x', path: 1 }] })],
    ['context[0].elementId', body({ context: [{ type: 'code', value: 'x', elementId: 1 }] })],
    ['currentPath', body({ currentPath: 'x'.repeat(201) })],
    ['currentPath', body({ currentPath: 5 })],
  ];
  for (const [position, [path, value]] of wrong.entries()) {
    it(`names ${path} as the wrong field (case ${position + 1})`, () => {
      const error = errorOf(value);
      assert.ok(error.startsWith(`${path} `), error);
      assert.match(error, / (?:is required|must .+)\.$/);
    });
  }

  for (const value of [null, undefined, [], 'text', 5]) {
    it(`asks for an object instead of ${JSON.stringify(value)}`, () => {
      assert.match(errorOf(value), /must be a JSON object/);
    });
  }

  it('does not repeat what was sent', () => {
    assert.doesNotMatch(errorOf(body({ messages: [{ ...question, role: 'CANARY' }] })), /CANARY/);
  });

  it('lists the types of a part', () => {
    assert.match(
      errorOf(withPart({ type: 'x' })),
      /one of "text", "reasoning", "source-url", "file", "step-start"/,
    );
  });
});
