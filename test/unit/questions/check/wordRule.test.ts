import assert from 'node:assert/strict';
import {
  linearPattern,
  PatternError,
  searchedText,
  wordSearch,
} from '../../../../src/questions/check/wordRule';
import { seededRandom } from '../../../builders/seededRandom';

const finds = (source: string, text: string, flags = ''): boolean =>
  linearPattern(source, flags).matcher(text).find();

/** Returns a random expression of the parts that are supported. */
function randomExpression(random: () => number, depth = 0): string {
  const pick = (choices: readonly string[]): string =>
    choices[Math.floor(random() * choices.length)] ?? '';
  const length = 1 + Math.floor(random() * (4 - depth));
  let expression = '';
  for (let index = 0; index < length; index++) {
    const atom =
      depth < 3 && random() < 0.3
        ? `${pick(['(', '(?:', '(?<n>'])}${randomExpression(random, depth + 1)})`.replace(
            '(?<n>',
            `(?<n${Math.floor(random() * 1e9)}>`,
          )
        : pick(['a', 'b', 'C', '.', '\\d', '\\w', '\\s', '[ab]', '[^a]', '\\.', 'é', '\\p{L}']);
    const assertion = random() < 0.15 ? pick(['^', '$', '\\b', '\\B']) : '';
    expression +=
      assertion + atom + pick(['', '', '', '*', '+', '?', '{2}', '{1,}', '{0,1}', '*?', '+?']);
  }
  return random() < 0.2 ? `${expression}|${randomExpression(random, depth + 1)}` : expression;
}

describe('linearPattern', () => {
  it('finds what JavaScript finds, for random expressions and texts', () => {
    const next = seededRandom(14);
    const random = (): number => next(1e9) / 1e9;
    const letters = ['a', 'b', 'C', 'c', '1', ' ', '\n', '.', 'é', 'É', '😀', '_'];
    let found = 0;
    for (let round = 0; round < 3000; round++) {
      const expression = randomExpression(random);
      // Loops within loops can become larger than is allowed.
      if (expression.length > 120) continue;
      const flags = ['', 'i', 'm', 's', 'ims'][Math.floor(random() * 5)] ?? '';
      const text = Array.from(
        { length: Math.floor(random() * 9) },
        () => letters[Math.floor(random() * letters.length)],
      ).join('');
      const expected = new RegExp(expression, `u${flags}`).test(text);
      assert.equal(
        finds(expression, text, flags),
        expected,
        `/${expression}/${flags} in ${JSON.stringify(text)}`,
      );
      if (expected) found += 1;
    }
    assert.ok(found > 500 && found < 2900, `${found} of 3000 found`);
  });

  // With JavaScript's own, each of these takes longer than anybody waits.
  for (const source of [
    '(a+)+$',
    '^(a|a)*$',
    '(a|aa)+$',
    '(.*a){20}$',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
  ]) {
    it(`doesn’t hang with /${source}/`, () => {
      assert.equal(finds(source, `${'a'.repeat(20_000)}!`), false);
    });
  }

  for (const [source, kind] of [
    ['(?=a)', 'unsupported'],
    ['(?!a)b', 'unsupported'],
    ['(?<=a)b', 'unsupported'],
    ['(?<!a)b', 'unsupported'],
    ['(a)\\1', 'unsupported'],
    ['(?<x>a)\\k<x>', 'unsupported'],
    ['a{501}', 'too-large'],
    ['(){1000000000}', 'too-large'],
    ['a{0,1000000000}', 'too-large'],
    [`${'('.repeat(2000)}${')'.repeat(2000)}`, 'too-large'],
    ['a'.repeat(10_000), 'too-large'],
    ['(a)(b)(c)(d)(e)(f)(g)(h)\\8', 'unsupported'],
    ['\\ud83d\\ude00', 'unsupported'],
    ['\\p{Script=Greek}', 'unsupported'],
    ['(', 'invalid'],
    ['[z-a]', 'invalid'],
    ['*', 'invalid'],
  ] as const) {
    it(`refuses ${source.slice(0, 20)} as ${kind}`, () => {
      assert.throws(
        () => linearPattern(source, ''),
        (error) => error instanceof PatternError && error.problem.kind === kind,
      );
    });
  }

  it('refuses unsupported flags, and accepts the others', () => {
    assert.throws(() => linearPattern('a', 'g'), PatternError);
    assert.throws(() => linearPattern('a', 'ii'), PatternError);
    assert.equal(finds('^b.$', 'a\nB\n', 'ims'), true);
    assert.equal(finds('^b.$', 'a\nB\n', 's'), false);
  });

  it('quotes the words around a match', () => {
    assert.equal(wordSearch('/v\\d/')(searchedText('use v2 now')), 'use v2 now');
  });
});
