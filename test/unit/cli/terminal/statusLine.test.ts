import assert from 'node:assert/strict';
import { Output } from '../../../../src/cli/output';
import { StatusLine } from '../../../../src/cli/terminal/statusLine';

function shown(sentences: readonly string[], columns: number | undefined, isTTY = true): string {
  let text = '';
  const status = new StatusLine(
    new Output({ write: (piece) => (text += piece), isTTY, columns }),
    {},
  );
  for (const sentence of sentences) status.show(sentence);
  status.clear();
  return text;
}

describe('StatusLine', () => {
  it('replaces one sentence with the next, and clears itself', () => {
    const text = shown(['Reading…', 'Reading…', 'Searching…'], 80);
    assert.equal(text, '\r\u001b[KReading…\r\u001b[KSearching…\r\u001b[K');
  });

  it('cuts a sentence that would wrap, by its width in columns', () => {
    assert.equal(shown(['Searching the docs'], 10), '\r\u001b[KSearchin…\r\u001b[K');
    assert.equal(shown(['検索しています'], 8), '\r\u001b[K検索し…\r\u001b[K');
  });

  it('terminates for any terminal width', () => {
    for (const columns of [0, 1, 2, 3, undefined]) shown(['Searching the docs', '検索'], columns);
  });

  it('shows no control characters', () => {
    assert.equal(shown(['a\u001b[2Jb\nc'], 80), '\r\u001b[Ka [2Jb c\r\u001b[K');
  });

  it('is silent without a terminal', () => {
    assert.equal(shown(['Searching…'], 80, false), '');
  });
});
