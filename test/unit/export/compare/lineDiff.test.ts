import assert from 'node:assert/strict';
import { diffLines, type DiffLine } from '../../../../src/export/compare/lineDiff';
import { seededRandom } from '../../../builders/seededRandom';

const signs = { both: ' ', before: '-', after: '+' } as const;

const diff = (before: string, after: string): string =>
  diffLines(before.split(''), after.split(''))
    .map(({ side, text }) => signs[side] + text)
    .join('');

const sideOf = (lines: readonly DiffLine[], other: DiffLine['side']): string =>
  lines
    .filter(({ side }) => side !== other)
    .map(({ text }) => text)
    .join('');

/** Returns the length of the longest common subsequence, computed in the plain way. */
function commonLength(before: string, after: string): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const one of before) {
    const next = [0];
    for (let at = 1; at <= after.length; at++) {
      const isSame = after[at - 1] === one;
      next.push(isSame ? row[at - 1]! + 1 : Math.max(row[at]!, next[at - 1]!));
    }
    row = next;
  }
  return row.at(-1)!;
}

describe('diffLines', () => {
  it('keeps what both texts have and puts removed lines first', () => {
    assert.equal(diff('abcd', 'abcd'), ' a b c d');
    assert.equal(diff('abcd', 'axcd'), ' a-b+x c d');
    assert.equal(diff('abcd', 'axyd'), ' a-b-c+x+y d');
    assert.equal(diff('', 'ab'), '+a+b');
    assert.equal(diff('ab', ''), '-a-b');
    assert.equal(diff('', ''), '');
  });

  it('finds a shortest difference of random texts', () => {
    const random = seededRandom(7);
    const textOf = (length: number): string =>
      Array.from({ length }, () => 'abcd'[random(4)]).join('');
    for (let round = 0; round < 500; round++) {
      const before = textOf(random(30));
      const after = textOf(random(30));
      const lines = diffLines(before.split(''), after.split(''));
      assert.equal(sideOf(lines, 'after'), before);
      assert.equal(sideOf(lines, 'before'), after);
      const kept = lines.filter(({ side }) => side === 'both').length;
      assert.equal(kept, commonLength(before, after), `${before} and ${after}`);
    }
  });

  it('counts all lines as replaced when two long texts have nothing in common', () => {
    const before = Array.from({ length: 3000 }, (_, at) => `old ${at}`);
    const after = Array.from({ length: 3000 }, (_, at) => `new ${at}`);
    const lines = diffLines(before, after);
    assert.equal(lines.length, 6000);
    assert.equal(lines.filter(({ side }) => side === 'both').length, 0);
  });
});
