import assert from 'node:assert/strict';
import { foundPages, searchQuery } from '../../../../src/chat/assistant/searchTool';
import type { MessagePart } from '../../../../src/shared/uiMessage';
import { outcomeOf } from '../../../builders/ask';
import { cuts, events } from '../../../builders/stream';
import { withoutUndefined } from '../../../../src/common/withoutUndefined';

const textDelta = (delta: string) => ({ type: 'text-delta', id: '0', delta });
const toolCallId = 'call';
const toolName = 'search';
const available = (output: unknown, id: unknown = toolCallId) => ({
  type: 'tool-output-available',
  toolCallId: id,
  output,
});
const source = (sourceId: string, url: string, title?: string): MessagePart =>
  withoutUndefined({
    type: 'source-url' as const,
    sourceId,
    url,
    title,
  });

async function partsOf(...chunks: readonly unknown[]): Promise<readonly MessagePart[]> {
  const body = events(...chunks, textDelta('So.'), { type: 'finish' });
  const expected = (await outcomeOf([body])).parts;
  for (const { pieces } of cuts(body)) {
    assert.deepEqual((await outcomeOf(pieces)).parts, expected);
  }
  return expected;
}

describe('a search in a reply', () => {
  it('is one part from its start to its end, with the query and how much was found', async () => {
    const chunks = [
      { type: 'tool-input-start', toolCallId, toolName },
      { type: 'tool-input-delta', toolCallId, inputTextDelta: '{"que' },
      { type: 'tool-input-available', toolCallId, toolName, input: { query: 'auth' } },
      available([{ url: 'https://d.e/a' }, { url: 'https://d.e/b', metadata: { title: 'B' } }]),
    ];
    const search = { type: 'search', toolCallId: 'search-0', toolName } as const;
    const outcome = await outcomeOf(chunks.map((chunk) => events(chunk)));
    const states = outcome.states.flatMap((parts) =>
      parts.filter((part) => part.type === 'search'),
    );
    assert.deepEqual(states[0], { ...search, state: 'running' });
    assert.ok(states.some((state) => state.query === 'auth' && state.state === 'running'));
    assert.deepEqual(await partsOf(...chunks), [
      {
        ...search,
        state: 'done',
        query: 'auth',
        resultCount: 2,
        sourceIds: ['source-1', 'source-2'],
      },
      source('source-1', 'https://d.e/a'),
      source('source-2', 'https://d.e/b', 'B'),
      { type: 'text', text: 'So.' },
    ]);
  });

  it('that fails or is denied is failed', async () => {
    for (const type of ['tool-input-error', 'tool-output-error', 'tool-output-denied']) {
      const [part] = await partsOf(
        { type: 'tool-input-start', toolCallId, toolName },
        { type, toolCallId },
      );
      assert.equal(part?.type === 'search' && part.state, 'failed');
    }
  });

  it('that is known by its output alone is shown as done', async () => {
    const [part] = await partsOf(available({ results: [] }));
    assert.equal(part?.type === 'search' && part.state, 'done');
    assert.equal(part?.type === 'search' && part.resultCount, 0);
  });

  it('still runs while its output is preliminary', async () => {
    const preliminary = { ...available([{ url: 'https://d.e/early' }]), preliminary: true };
    const [part, next] = await partsOf(preliminary);
    assert.equal(part?.type === 'search' && part.state, 'running');
    assert.equal(next?.type, 'text');
  });

  it('and the sources of its reply name each page once', async () => {
    const parts = await partsOf(
      { type: 'source-url', sourceId: 's1', url: 'https://d.e/a', title: 'Cited' },
      available([
        { url: 'https://d.e/a', title: 'Found' },
        { url: 'https://d.e/b' },
        { url: 'https://d.e/b' },
      ]),
      { type: 'source-url', sourceId: 's2', url: 'https://d.e/b' },
      { type: 'source-url', sourceId: 's1', url: 'https://d.e/a' },
    );
    assert.deepEqual(
      parts.filter((part) => part.type === 'source-url'),
      [source('s1', 'https://d.e/a', 'Cited'), source('source-2', 'https://d.e/b')],
    );
  });

  it('keeps sources apart that share an id', async () => {
    const parts = await partsOf(
      { type: 'source-url', sourceId: 's', url: 'https://d.e/a' },
      { type: 'source-url', sourceId: 's', url: 'https://d.e/b' },
    );
    assert.deepEqual(parts.slice(0, 2), [
      source('s', 'https://d.e/a'),
      source('s-2', 'https://d.e/b'),
    ]);
  });

  for (const id of ['__proto__', 'constructor']) {
    it(`may have the id ${id}`, async () => {
      const [part] = await partsOf(
        { type: 'tool-input-start', toolCallId: id, toolName },
        available([], id),
      );
      assert.equal(part?.type === 'search' && part.state, 'done');
    });
  }
});

describe('other parts', () => {
  it('show a document by its address, or by its title or file name', async () => {
    const document = { type: 'source-document', mediaType: 'application/pdf' };
    const parts = await partsOf(
      { ...document, sourceId: 'd1', title: 'Manual', url: 'https://d.e/m.pdf' },
      { ...document, sourceId: 'd2', title: 'Handbook' },
      { ...document, sourceId: 'd3', filename: 'notes.pdf' },
    );
    assert.deepEqual(parts.slice(0, 3), [
      source('d1', 'https://d.e/m.pdf', 'Manual'),
      source('d2', '', 'Handbook'),
      source('d3', '', 'notes.pdf'),
    ]);
  });

  it('keep the name of a file, which the reducer drops', async () => {
    const file = { mediaType: 'image/png', url: 'https://d.e/a.png' };
    const parts = await partsOf(
      { type: 'file', ...file, filename: 'a.png' },
      { type: 'reasoning-file', ...file },
    );
    assert.deepEqual(parts.slice(0, 2), [
      { type: 'file', ...file, filename: 'a.png' },
      { type: 'file', ...file },
    ]);
  });
});

describe('foundPages', () => {
  const a = { address: 'https://d.e/a', title: 'A' };
  for (const [name, output, pages] of [
    ['an array', [{ url: 'https://d.e/a', title: 'A' }], [a]],
    ['metadata', [{ url: 'https://d.e/a', metadata: { title: 'A' } }], [a]],
    [
      'all in metadata',
      [{ text: 'Said', metadata: { url: 'https://d.e/a', title: 'A' } }],
      [{ ...a, quote: 'Said' }],
    ],
    ['results', { results: [{ url: 'https://d.e/a', name: 'A' }] }, [a]],
    [
      'a list inside of an addressed object',
      { url: '/search', pages: [{ path: '/a' }] },
      [{ address: '/a' }],
    ],
    ['JSON text', JSON.stringify([{ url: 'https://d.e/a', title: 'A' }]), [a]],
    ['wrapped JSON', { type: 'json', value: [{ path: '/guides/a' }] }, [{ address: '/guides/a' }]],
    ['url before path', [{ path: '/a', url: 'https://d.e/a' }], [{ address: 'https://d.e/a' }]],
    ['an empty list', [], []],
    [
      'odd items',
      [null, 7, { url: 7, path: '' }, { url: 'https://d.e/a', title: {} }],
      [{ address: 'https://d.e/a' }],
    ],
    ['no list', { temperature: 21 }, undefined],
    ['plain text', 'no results', undefined],
    ['nothing', undefined, undefined],
  ] as const) {
    it(`reads ${name}`, () => {
      assert.deepEqual(foundPages(output), pages);
    });
  }

  it('stops at an endless output', () => {
    const deep: { inner?: unknown } = {};
    deep.inner = [deep, deep, deep];
    assert.deepEqual(foundPages(deep), []);
    assert.equal(foundPages(Array.from({ length: 9999 }, () => ({ path: '/a' })))?.length, 200);
  });
});

describe('searchQuery', () => {
  for (const [input, query] of [
    [{ query: 'auth' }, 'auth'],
    [{ query: '', q: 'auth' }, 'auth'],
    [{ search: 'auth', limit: 5 }, 'auth'],
    ['auth', 'auth'],
    [{ query: 7 }, undefined],
    ['', undefined],
    [null, undefined],
  ] as const) {
    it(`is ${String(query)} in ${JSON.stringify(input)}`, () => {
      assert.equal(searchQuery(input), query);
    });
  }
});
