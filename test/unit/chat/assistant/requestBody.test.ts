import assert from 'node:assert/strict';
import { requestBody, type RequestBodyInput } from '../../../../src/chat/assistant/requestBody';
import { aContextItem, aFile, aQuestion, aReply, someSettings } from '../../../builders/asking';

function body(input: Partial<RequestBodyInput> = {}) {
  return requestBody({
    settings: someSettings(),
    messages: [aQuestion()],
    contextItems: [],
    ...input,
  });
}

describe('requestBody', () => {
  it('sends every documented field and no other', () => {
    const source = {
      type: 'source-url',
      sourceId: 's',
      url: 'https://d.e/',
      title: 'T',
      providerMetadata: { acme: { score: 0.5, tags: ['a', null] } },
    } as const;
    const reasoning = {
      type: 'reasoning',
      text: 'Hm.',
      providerMetadata: { acme: { signature: 'c2ln' } },
    } as const;
    const file = {
      type: 'file',
      mediaType: 'image/png',
      url: 'https://d.e/a.png',
      filename: 'a',
    } as const;
    const sent = body({
      settings: someSettings({
        fp: 'user-7',
        retrievalPageSize: 9,
        filter: { version: 'v2', language: 'de', groups: ['admins', 'staff'] },
      }),
      messages: [
        aQuestion({ id: 'q1', contextItems: [aContextItem()] }),
        aReply({
          parts: [
            { type: 'step-start' },
            reasoning,
            { type: 'search', toolCallId: 'c', toolName: 'search', state: 'done' },
            source,
            file,
            { type: 'text', text: 'So.' },
          ],
          notice: 'ours alone',
          quotes: { s: 'ours alone' },
          siteId: 'ours alone',
          metadata: { model: { name: 'm-1' }, tokens: 7 },
        }),
        aQuestion({ id: 'q2', text: 'And?' }),
      ],
      contextItems: [
        aContextItem({ startLine: 1, endLine: 2, elementId: 'cell-1' }),
        aContextItem({ id: 'c2', type: 'textSelection', value: 'Words.', path: 'docs/a.md' }),
      ],
      currentPath: 'guides/start',
      threadId: 'service-1',
      threadKey: 'thread-key-1',
    });
    const createdAt = '2025-01-02T03:04:05.000Z';
    assert.deepEqual(sent, {
      fp: 'user-7',
      messages: [
        { id: 'q1', role: 'user', createdAt, parts: [{ type: 'text', text: 'How?' }] },
        {
          id: 'r1',
          role: 'assistant',
          createdAt,
          parts: [{ type: 'step-start' }, reasoning, source, file, { type: 'text', text: 'So.' }],
          metadata: { status: 'complete', model: { name: 'm-1' }, tokens: 7 },
        },
        { id: 'q2', role: 'user', createdAt, parts: [{ type: 'text', text: 'And?' }] },
      ],
      threadId: 'service-1',
      threadKey: 'thread-key-1',
      retrievalPageSize: 9,
      filter: { version: 'v2', language: 'de', groups: ['admins', 'staff'] },
      context: [
        { type: 'code', value: 'let a = 1;', path: 'src/a.ts', elementId: 'cell-1' },
        { type: 'textSelection', value: 'Words.', path: 'docs/a.md' },
      ],
      currentPath: '/guides/start',
    });
  });

  it('names the packages that items are about to a service that knows packages, and to no other', () => {
    const item = { id: 'a', type: 'textSelection', value: 'error', label: 'Problems' } as const;
    const contextItems = [{ ...item, packages: ['zod'], imports: ['zod', 'hono'] }];
    assert.deepEqual(body({ contextItems }).context, [{ type: 'textSelection', value: 'error' }]);
    const settings = { ...someSettings(), hasPackages: true };
    assert.deepEqual(body({ contextItems, settings }).context, [
      { type: 'textSelection', value: 'error', packages: ['zod'], imports: ['zod', 'hono'] },
    ]);
  });

  it('leaves out what has no value', () => {
    const sent = body({
      settings: someSettings({ fp: ' ', filter: { version: ' ', groups: [''] } }),
      currentPath: '',
      threadId: '',
      threadKey: 'a key without a thread',
    });
    assert.deepEqual(Object.keys(sent), ['fp', 'messages', 'retrievalPageSize']);
    assert.equal(sent.fp, 'anonymous');
  });

  for (const [length, isSent] of [
    [199, true],
    [200, true],
    [201, false],
  ] as const) {
    it(`${isSent ? 'sends' : 'leaves out'} a current path of ${length} characters`, () => {
      const currentPath = `/${'p'.repeat(length - 1)}`;
      assert.equal(body({ currentPath }).currentPath, isSent ? currentPath : undefined);
    });
  }

  it('sends a current path in one form, with or without the slash that it came with', () => {
    for (const currentPath of ['guides/start', '/guides/start', 'guides/start/']) {
      assert.equal(body({ currentPath }).currentPath, '/guides/start');
    }
    assert.equal(body({ currentPath: 'p'.repeat(200) }).currentPath, undefined);
  });

  it('counts a current path in UTF-16 code units', () => {
    assert.equal(body({ currentPath: `/a${'😀'.repeat(99)}` }).currentPath?.length, 200);
    assert.equal(body({ currentPath: `/a${'😀'.repeat(100)}` }).currentPath, undefined);
  });

  it('makes texts well-formed and drops NUL, so that any JSON reader takes them', () => {
    const odd = 'a\0b\ud800c\udc00d😀';
    const clean = 'ab\ufffdc\ufffdd😀';
    const sent = body({
      settings: someSettings({ fp: odd, filter: { groups: [odd] } }),
      messages: [aQuestion({ text: odd }), aReply({ parts: [{ type: 'text', text: odd }] })],
      contextItems: [aContextItem({ value: odd, path: odd })],
      currentPath: odd,
    });
    assert.equal(sent.fp, clean);
    assert.equal(sent.currentPath, `/${clean}`);
    assert.deepEqual(sent.filter?.groups, [clean]);
    assert.deepEqual(sent.context, [{ type: 'code', value: clean, path: clean }]);
    assert.ok(!JSON.stringify(sent).includes('\\u'));
  });

  it('leaves out replies of which nothing can be sent, and keeps what stopped ones had', () => {
    const search = {
      type: 'search',
      toolCallId: 'c',
      toolName: 'search',
      state: 'failed',
    } as const;
    const sent = body({
      messages: [
        aQuestion({ id: 'q1' }),
        aReply({ id: 'failed', status: 'failed', parts: [] }),
        aReply({
          id: 'empty',
          parts: [{ type: 'step-start' }, search, { type: 'text', text: '' }],
        }),
        aReply({ id: 'running', status: 'streaming' }),
        aReply({ id: 'stopped', status: 'stopped' }),
        aReply({ id: 'lost', status: 'failed' }),
        aQuestion({ id: 'q2' }),
      ],
    });
    assert.deepEqual(
      sent.messages.map(({ id }) => id),
      ['q1', 'stopped', 'lost', 'q2'],
    );
    assert.deepEqual(sent.messages[1]?.metadata, { status: 'stopped' });
  });

  it('sends reasoning without words for the metadata that a service attached to it', () => {
    const part = {
      type: 'reasoning',
      text: '',
      providerMetadata: { acme: { id: 'r-7' } },
    } as const;
    const sent = body({ messages: [aReply({ parts: [part, { type: 'text', text: 'So.' }] })] });
    assert.deepEqual(sent.messages[0]?.parts, [part, { type: 'text', text: 'So.' }]);
  });

  it('lets the status that a service gave its reply stand in the place of ours', () => {
    const sent = body({ messages: [aReply({ metadata: { status: 'of theirs' } })] });
    assert.deepEqual(sent.messages[0]?.metadata, { status: 'of theirs' });
  });

  it('leaves out sources without an address and files of the size of a picture', () => {
    const sent = body({
      messages: [
        aReply({
          parts: [
            { type: 'source-url', sourceId: 's', url: '', title: 'A document' },
            { type: 'file', mediaType: 'image/png', url: `data:,${'x'.repeat(100_000)}` },
            { type: 'text', text: 'So.' },
          ],
        }),
      ],
    });
    assert.deepEqual(sent.messages[0]?.parts, [{ type: 'text', text: 'So.' }]);
  });

  it('sends a source without a title without one', () => {
    const source = { type: 'source-url', sourceId: 's', url: 'https://d.e/' } as const;
    const sent = body({ messages: [aReply({ parts: [source] })] });
    assert.deepEqual(sent.messages[0]?.parts, [source]);
  });

  it('sends a question’s files after its text, by their documented fields alone', () => {
    const sent = body({ messages: [aQuestion({ files: [aFile(), aFile({ id: 'f2' })] })] });
    const part = {
      type: 'file',
      mediaType: 'text/plain',
      url: 'data:text/plain;base64,aGVsbG8=',
      filename: 'notes.txt',
    };
    assert.deepEqual(sent.messages[0]?.parts, [{ type: 'text', text: 'How?' }, part, part]);
  });

  it('leaves out a file whose content is gone', () => {
    const sent = body({ messages: [aQuestion({ files: [aFile({ url: '' })] })] });
    assert.deepEqual(sent.messages[0]?.parts, [{ type: 'text', text: 'How?' }]);
  });

  const fileOf = (id: string, length: number) =>
    aFile({ id, filename: id, url: `data:,${'x'.repeat(length - 6)}` });
  const filesSent = (...questions: ReturnType<typeof aFile>[][]): string[] =>
    body({
      messages: questions.map((files, index) => aQuestion({ id: `q${index}`, files })),
    }).messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'file' ? [part.filename ?? ''] : [])),
    );

  it('sends earlier questions’ files again while all together fit, the newest first', () => {
    const old = fileOf('old', 3_000_000);
    const middle = fileOf('middle', 4_000_000);
    assert.deepEqual(filesSent([old], [middle], [fileOf('new', 1_000_000)]), [
      'old',
      'middle',
      'new',
    ]);
    assert.deepEqual(filesSent([old], [middle], [fileOf('new', 1_000_001)]), ['middle', 'new']);
  });

  it('sends a small file of long ago where a large one in between has no room', () => {
    const large = fileOf('large', 9_000_000);
    assert.deepEqual(filesSent([fileOf('old', 10)], [large], [fileOf('new', 10)]), ['old', 'new']);
  });

  it('sends the files of the new question whatever their size', () => {
    assert.deepEqual(filesSent([fileOf('old', 10)], [fileOf('new', 9_000_000)]), ['new']);
  });

  it('tells only a service of this machine that knows packages which one is asked', () => {
    const input = { package: '@acme/sdk' };
    assert.equal(body({ ...input, settings: someSettings() }).package, undefined);
    const settings = { ...someSettings(), hasPackages: true };
    assert.equal(body({ ...input, settings }).package, '@acme/sdk');
    assert.equal('package' in body({ settings }), false);
  });
});
