import assert from 'node:assert/strict';
import { findMoves, type UnpairedPage } from '../../../../src/export/compare/pageMoves';
import { digestOf } from '../../../../src/export/compare/readableText';
import { similarity, sketchOf } from '../../../../src/export/compare/textSketch';

const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `word${from + at}`).join(' ');

const pageOf = (path: string, text: string, title = path): UnpairedPage => ({
  path,
  title,
  words: digestOf(text),
  sketch: sketchOf(text),
});

const moves = (gone: readonly UnpairedPage[], added: readonly UnpairedPage[]): string[] =>
  findMoves(gone, added).map(
    ({ before, after, similarity: share }) => `${before} → ${after} ${share}`,
  );

describe('similarity', () => {
  it('is the share of the sequences of three words that both texts have', () => {
    assert.equal(similarity(sketchOf(words(0, 50)), sketchOf(words(0, 50))), 1);
    assert.equal(similarity(sketchOf(words(0, 50)), sketchOf(words(50, 99))), 0);
    // 50 words have 48 sequences, and 25 of them have 23.
    assert.equal(similarity(sketchOf(words(0, 50)), sketchOf(words(0, 25))), 0.65);
    assert.equal(similarity(sketchOf('A b, c!'), sketchOf('a B c')), 1);
    assert.equal(similarity(sketchOf(''), sketchOf('')), 0);
  });

  it('is close to the exact share for long texts', () => {
    for (const common of [500, 1000, 1500]) {
      const share = similarity(
        sketchOf(words(0, 2000)),
        sketchOf(words(2000 - common, 4000 - common)),
      );
      assert.ok(Math.abs(share - common / 2000) < 0.12, `${share} for ${common}`);
    }
  });

  it('reads scripts without spaces character by character', () => {
    const text = '配達の証明は署名と写真で行われます。再配達は三日以内に申し込めます。';
    const edited = text.replace('三日', '五日');
    const share = similarity(sketchOf(text), sketchOf(edited));
    assert.ok(share > 0.7 && share < 1, String(share));
  });
});

describe('findMoves', () => {
  it('finds a page with the same text, also a short one', () => {
    assert.deepEqual(moves([pageOf('a.html', 'Short.')], [pageOf('b/c.html', 'Short.')]), [
      'a.html → b/c.html 1',
    ]);
  });

  it('finds a page with at least half of the text, but not with less', () => {
    const gone = [pageOf('a.html', words(0, 100))];
    assert.deepEqual(moves(gone, [pageOf('b.html', words(40, 140))]), ['a.html → b.html 0.59']);
    assert.deepEqual(moves(gone, [pageOf('b.html', words(60, 160))]), []);
    assert.deepEqual(
      moves([pageOf('a.html', 'One two three')], [pageOf('b.html', 'One two four')]),
      [],
    );
  });

  it('moves each page once, to the page with the most in common', () => {
    const gone = [pageOf('a.html', words(0, 100)), pageOf('b.html', words(0, 80))];
    const added = [pageOf('x.html', words(0, 81)), pageOf('y.html', words(0, 120))];
    assert.deepEqual(moves(gone, added), ['a.html → y.html 0.91', 'b.html → x.html 0.99']);
    assert.equal(findMoves(gone, added.slice(0, 1)).length, 1);
  });

  it('matches pages with the same text by their names', () => {
    const gone = [pageOf('v1/b.html', 'Same.'), pageOf('v1/a/index.html', 'Same.')];
    const added = [pageOf('v2/a.html', 'Same.'), pageOf('v2/b.html', 'Same.')];
    assert.deepEqual(moves(gone, added), [
      'v1/a/index.html → v2/a.html 1',
      'v1/b.html → v2/b.html 1',
    ]);
  });

  it('ignores pages without text', () => {
    assert.deepEqual(moves([pageOf('a.html', '')], [pageOf('b.html', '')]), []);
  });

  // Shows faults.md R11.
  it('matches pages of one template by their names', () => {
    const template = words(0, 400);
    const pages = (folder: string, more: string): UnpairedPage[] =>
      Array.from({ length: 300 }, (_, at) =>
        pageOf(`${folder}/operation-${at}.html`, `Operation ${at} ${template}${more}`),
      );
    const found = findMoves(pages('api', ''), pages('reference', ' and one more sentence'));
    assert.equal(found.length, 300);
    for (const { before, after } of found) assert.equal(after, before.replace('api', 'reference'));
  });
});
