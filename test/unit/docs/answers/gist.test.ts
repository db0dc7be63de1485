import { strict as assert } from 'node:assert';
import { gist } from '../../../../src/docs/answers/gist';
import type { SectionBlock } from '../../../../src/docs/pages/sections';

const prose = (markdown: string): SectionBlock => ({ kind: 'prose', markdown, text: markdown });
const list = (...items: string[]): SectionBlock => ({
  kind: 'list',
  markdown: items.join('\n'),
  text: items.join('\n'),
});

/** Returns the line for a question about limits of tokens. */
const asked = (...blocks: SectionBlock[]): string =>
  gist(
    blocks,
    new Map([
      ['limit', 3],
      ['token', 3],
    ]),
  );

describe('gist', () => {
  it('is the sentence that says most about the question', () => {
    assert.equal(
      asked(
        prose('Herons eat fish. A **limit** applies to [herons](/herons).'),
        prose('A token has a limit of 5 herons. Another limit is for each token.'),
      ),
      'A token has a limit of 5 herons.',
    );
  });

  it('is a list item without its mark, its code and its further paragraphs', () => {
    assert.equal(
      asked(
        prose('Herons eat fish.'),
        list(
          '* `herons`: Number of herons.',
          '* `limit`: Most herons\n  for a token:\n\n  ```\n  limit = 5\n  ```',
        ),
      ),
      '`limit`: Most herons for a token.',
    );
  });

  it('is longer if it is about the question, up to 160 characters', () => {
    const long = `A token has a limit${' of herons that eat fish'.repeat(8)}.`;
    const line = asked(prose(long));
    assert.ok(long.startsWith(line.slice(0, -2)) && line.endsWith(' …'), line);
    assert.ok(line.length > 130 && line.length <= 162, line);
  });

  it('is the first sentence if none has half of what is asked', () => {
    const blocks = [prose('Herons eat fish all day. Frogs eat a token.')];
    const topic = new Map([
      ['limit', 4],
      ['token', 3],
    ]);
    assert.equal(gist(blocks, topic), 'Herons eat fish all day.');
    assert.equal(gist(blocks, topic.set('token', 4)), 'Frogs eat a token.');
    assert.equal(gist(blocks, new Map()), 'Herons eat fish all day.');
  });
});

describe('gist without a word of the question', () => {
  for (const [what, markdown, expected] of [
    ['of a paragraph', 'Herons eat fish all day. They rest.', 'Herons eat fish all day.'],
    ['that says too little', 'See below. Herons eat.', ''],
    [
      'that is long, cut between words',
      'Herons that live at the shore of a large lake eat fish from early morning on.',
      'Herons that live at the shore of a large lake eat fish from …',
    ],
    [
      'whose code would be cut, without it',
      'Herons that live at the shore of a large lake eat `fish and many more`.',
      'Herons that live at the shore of a large lake eat …',
    ],
    [
      'that introduces something',
      'These are the herons of the lake:',
      'These are the herons of the lake.',
    ],
  ] as const) {
    it(`is the first sentence ${what}`, () =>
      assert.equal(gist([prose(markdown)], new Map()), expected));
  }

  it('is empty where a section has no text', () => {
    assert.equal(
      gist([{ kind: 'code', markdown: '```\nheron start\n```', text: 'heron start' }], new Map()),
      '',
    );
  });
});
