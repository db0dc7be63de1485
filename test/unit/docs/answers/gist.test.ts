import assert from 'node:assert/strict';
import { gistOf } from '../../../../src/docs/answers/gist';
import { parsePage } from '../../../../src/docs/pages/page';

/** Returns the gist of a page of one section for a question about limits of tokens. */
function gist(
  markdown: string,
  weights: readonly [string, number][] = [
    ['limit', 3],
    ['token', 3],
  ],
): string | undefined {
  const page = parsePage('herons.md', markdown);
  const [section] = page.sections;
  assert.ok(section);
  return gistOf({ page, section }, new Map(weights))?.markdown;
}

describe('gistOf', () => {
  it('is the sentence that says most about the question', () => {
    assert.equal(
      gist(
        'Herons eat fish. A **limit** applies to [herons](/herons).\n\n' +
          'A **token. It** has a [limit of 5](/limit) for each [token]. Another limit is for a token.\n\n' +
          '[token]: /token',
      ),
      'It has a limit of 5 for each token.',
    );
  });

  it('is the whole item of a list without its mark, its code and its further paragraphs', () => {
    assert.equal(
      gist(
        [
          'Herons eat fish.',
          '',
          '* `herons`: Number of herons.',
          '* ![](limit.png) `limit`: Most herons',
          '  for a token. Default: 5.',
          '',
          '  ```',
          '  limit = 5',
          '  ```',
        ].join('\n'),
      ),
      '`limit`: Most herons for a token. Default: 5.',
    );
  });

  it('ends what it leads in, and is not a label', () => {
    assert.equal(
      gist('**The limit of tokens**\n\nToken limits of herons:'),
      'Token limits of herons …',
    );
  });

  it('says something', () => {
    assert.equal(gist('Token limit.\n\nEach heron has a token.'), 'Each heron has a token.');
  });

  it('has up to 160 characters, cut between words', () => {
    assert.equal(
      gist(`A token has a limit${' of herons that eat fish'.repeat(8)}.`),
      `A token has a limit${' of herons that eat fish'.repeat(5)} of herons that eat …`,
    );
  });

  it('has no code that was cut in the middle', () => {
    assert.equal(
      gist(
        `A token has a limit${' of herons that eat fish'.repeat(5)} and \`a heron of many words\`.`,
      ),
      `A token has a limit${' of herons that eat fish'.repeat(5)} and …`,
    );
  });

  it('has the beginning of code that is longer, if it begins with it', () => {
    const code = `limit <token>${' | herons'.repeat(20)}`;
    assert.equal(
      gist(`- \`${code}\`: Herons eat.`),
      `\`limit <token>${' | herons'.repeat(16)}\` …`,
    );
  });

  it('does not exist where too little of the question is said', () => {
    const sentence = 'Herons eat a token.';
    assert.equal(
      gist(sentence, [
        ['limit', 7],
        ['token', 3],
      ]),
      sentence,
    );
    assert.equal(
      gist(sentence, [
        ['limit', 8],
        ['token', 3],
      ]),
      undefined,
    );
    assert.equal(gist(sentence, []), undefined);
    assert.equal(gist('```\nlimit of token\n```'), undefined);
  });
});
