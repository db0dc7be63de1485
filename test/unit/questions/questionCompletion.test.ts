import assert from 'node:assert/strict';
import { completionAt, type Completion } from '../../../src/questions/questionCompletion';

/** Completes at `|`. */
function complete(text: string): Completion | undefined {
  const [before = '', after = ''] = text.split('|');
  return completionAt(before.split('\n'), after.split('\n').slice(1));
}

function keys(text: string): string[] {
  const completion = complete(text);
  return completion?.kind === 'keys' ? completion.keys.map(({ name }) => name) : [];
}

const questionKeys = [
  ...['question', 'id', 'name', 'pages', 'anyPage', 'first', 'contains', 'excludes'],
  ...['filters', 'refuses'],
];

describe('completionAt', () => {
  it('offers the keys of a file at its start, without those that are there', () => {
    assert.deepEqual(keys('|'), ['questions', 'base', 'first', 'filters']);
    assert.deepEqual(keys('first: 3\n|\nquestions:\n  - question: One?\n'), ['base', 'filters']);
  });

  it('offers the keys of a question with what they mean', () => {
    assert.deepEqual(keys('questions:\n  - |'), questionKeys);
    assert.deepEqual(keys('- qu|'), questionKeys);
    const rest = questionKeys.filter((key) => key !== 'question' && key !== 'first');
    assert.deepEqual(keys('questions:\n  - question: One?\n    pa|\n    first: 3\n'), rest);
    const completion = complete('- |');
    assert.ok(completion?.kind === 'keys');
    assert.ok(completion.keys.every(({ description }) => description.length > 10));
  });

  it('begins a question with a dash if there is none', () => {
    const completion = complete('questions:\n  |');
    assert.ok(completion?.kind === 'keys' && completion.needsDash);
    assert.deepEqual(keys('questions:\n  |'), ['question']);
  });

  it('counts only the keys of the same question', () => {
    const text =
      'questions:\n  - question: One?\n    first: 3\n  - question: Two?\n    |\n  - id: c\n';
    assert.deepEqual(
      keys(text),
      questionKeys.filter((key) => key !== 'question'),
    );
  });

  it('offers the filters', () => {
    assert.deepEqual(keys('filters:\n  |'), ['version', 'language', 'groups']);
    assert.deepEqual(keys('- question: One?\n  filters:\n    version: v2\n    |'), [
      'language',
      'groups',
    ]);
  });

  it('offers pages in their lists and after their keys', () => {
    for (const [text, start] of [
      ['- question: One?\n  pages:\n    - gui|', 6],
      ['- question: One?\n  pages:\n  - gui|', 4],
      ['- question: One?\n  anyPage: gui|', 11],
    ] as const) {
      assert.deepEqual(complete(text), { kind: 'pages', start });
    }
  });

  it('offers true and false', () => {
    assert.deepEqual(complete('- refuses: |'), { kind: 'booleans', start: 11 });
  });

  it('offers nothing in values, comments and lists of words', () => {
    for (const text of ['- question: wh|', '# qu|', '- contains:\n    - wo|', 'first: |']) {
      assert.equal(complete(text), undefined, text);
    }
  });
});
