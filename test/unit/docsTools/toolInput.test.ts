import assert from 'node:assert/strict';
import { toolDefinitions } from '../../../src/docsTools/toolDefinitions';
import { json } from '../../builders/ask';
import { aCall, hosted, local, toolsWith } from './asking';

const megabyte = 'x'.repeat(1024 * 1024);

describe('input of the docs tools', () => {
  const refused: readonly [
    method: 'ask' | 'search' | 'readPage',
    name: string,
    input: unknown,
    message: RegExp,
  ][] = [
    ['ask', 'nothing', undefined, /^The input must be a JSON object\./],
    ['ask', 'null', null, /^The input must be a JSON object\./],
    ['ask', 'a string', 'How?', /^The input must be a JSON object\./],
    ['ask', 'a list', ['How?'], /^The input must be a JSON object\./],
    ['ask', 'no question', {}, /^question is required\./],
    ['ask', 'a question that is null', { question: null }, /^question is required\./],
    ['ask', 'a question of blanks', { question: ' \n\t ' }, /^question must not be empty\./],
    [
      'ask',
      'a question that nobody sees',
      { question: '\u200b\u2060' },
      /^question must not be empty\./,
    ],
    ['ask', 'a number', { question: 7 }, /^question must be a string\./],
    [
      'ask',
      'an object as a question',
      { question: { text: 'How?' } },
      /^question must be a string\./,
    ],
    ['ask', '1 MB', { question: megabyte }, /^question can have up to 100000 characters\./],
    [
      'ask',
      '1 MB of code',
      { question: 'How?', code: megabyte },
      /^code can have up to 100000 characters\./,
    ],
    ['ask', 'code that is no text', { question: 'How?', code: [1] }, /^code must be a string\./],
    [
      'ask',
      'a long path',
      { question: 'How?', path: megabyte },
      /^path can have up to 4096 characters\./,
    ],
    ['search', 'no query', { question: 'How?' }, /^query is required\./],
    ['search', '1 MB', { query: megabyte }, /^query can have up to 2000 characters\./],
    ['search', 'no whole number', { query: 'x', limit: 1.5 }, /^limit must be a whole number\./],
    ['search', 'no section', { query: 'x', limit: 0 }, /^limit must be at least 1\./],
    ['search', 'too many sections', { query: 'x', limit: 1000 }, /^limit must be at most 20\./],
    ['search', 'a limit in words', { query: 'x', limit: 'ten' }, /^limit must be a number\./],
    [
      'search',
      'groups that are no list',
      { query: 'x', groups: 'a' },
      /^groups must be an array\./,
    ],
    [
      'search',
      'a group that is no text',
      { query: 'x', groups: ['a', 1] },
      /^groups\[1\] must be a string\./,
    ],
    [
      'search',
      'too many groups',
      { query: 'x', groups: Array(21).fill('a') },
      /^groups can have up to 20 names\./,
    ],
    ['readPage', 'no page', {}, /^page is required\./],
    ['readPage', '1 MB', { page: megabyte }, /^page can have up to 4096 characters\./],
    ['readPage', 'a negative offset', { page: 'x', offset: -1 }, /^offset must be at least 0\./],
    [
      'readPage',
      'an offset that is no number',
      { page: 'x', offset: Number.NaN },
      /^offset must be a number\./,
    ],
  ];
  for (const [method, name, input, message] of refused) {
    // Shows faults.md T1.
    it(`${method} refuses ${name} before it asks anybody`, async () => {
      const { tools, server } = toolsWith(method === 'ask' ? hosted : local);
      await assert.rejects(tools[method](input, aCall()), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'bad-input');
        assert.match(error.message, message);
        assert.match(error.message, / Change the input, then call again\.$/);
        assert.ok(error.message.length < 200);
        return true;
      });
      assert.equal(server.requests.length, 0);
    });
  }

  it('takes empty text for an option that is not used, and a number as text', async () => {
    const { tools, server } = toolsWith(local, [
      json(200, { sections: [], isWeak: true, isIndexed: true, pages: 3 }),
    ]);
    const unused = { version: '', language: '', package: '', groups: null };
    await tools.search({ query: '404', limit: '3', ...unused }, aCall());
    assert.deepEqual(server.request(0).body, { query: '404', limit: 3, filter: { groups: [] } });
  });

  it('has a schema for models that says the same as the code', () => {
    for (const { name, inputSchema, outputSchema, modelDescription } of toolDefinitions) {
      assert.equal(inputSchema.type, 'object', name);
      assert.equal(outputSchema.type, 'object', name);
      assert.ok(!('$schema' in inputSchema));
      assert.ok(modelDescription.length < 1024, `${name}: some models take no more`);
      for (const [field, schema] of Object.entries(inputSchema.properties)) {
        assert.ok(typeof schema === 'object' && schema !== null && 'description' in schema, field);
      }
    }
    const [ask, search, read] = toolDefinitions;
    assert.deepEqual(ask?.inputSchema.required, ['question']);
    assert.deepEqual(search?.inputSchema.required, ['query']);
    assert.deepEqual(read?.inputSchema.required, ['page']);
  });
});
