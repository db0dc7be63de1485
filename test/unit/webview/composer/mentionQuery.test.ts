import assert from 'node:assert/strict';
import { endOfMention, mentionAt } from '../../../../webview/composer/mentionQuery';

/** `|` is the cursor. */
const at = (marked: string) => mentionAt(marked.replace('|', ''), marked.indexOf('|'));

describe('mentionAt', () => {
  for (const [marked, text, group, start] of [
    ['#|', '', undefined, 0],
    ['Explain #sel|', 'sel', undefined, 8],
    ['Explain #SEL| please', 'SEL', undefined, 8],
    ['one\n#p|', 'p', undefined, 4],
    ['(#f|', 'f', undefined, 1],
    ['“#f|', 'f', undefined, 1],
    ['#file|', 'file', undefined, 0],
    ['#file:|', '', 'file', 0],
    ['#file |', '', 'file', 0],
    ['See #file:src/a.ts|', 'src/a.ts', 'file', 4],
    ['See #File sta|rt', 'sta', 'file', 4],
    ['#package|', 'package', undefined, 0],
    ['In #package:@acme/s|', '@acme/s', 'package', 3],
    ['#package |', '', 'package', 0],
  ] as const) {
    it(`finds what is asked for in ${JSON.stringify(marked)}`, () =>
      assert.deepEqual(at(marked), { start, end: marked.indexOf('|'), group, text }));
  }

  for (const marked of [
    '|',
    '|#file',
    '# |',
    '## |',
    '##|',
    '#1|',
    '#a1|',
    'a#b|',
    'page#file:x|',
    '#file start now|',
    '#files:x|',
    '#file:a#b|',
    'color: #fff0|',
    '#sel |',
  ]) {
    it(`finds nothing in ${JSON.stringify(marked)}`, () => assert.equal(at(marked), undefined));
  }

  it('looks at the end of a long text only', () => {
    const long = 'x '.repeat(50_000);
    assert.deepEqual(mentionAt(`${long}#fi`, long.length + 3)?.start, long.length);
    assert.equal(mentionAt(`#${'x'.repeat(300)}`, 301), undefined);
    assert.equal(mentionAt(`a#${'b'.repeat(199)}`, 201), undefined);
  });
});

describe('endOfMention', () => {
  it('is behind the word, and behind one of two spaces around it', () => {
    assert.equal(endOfMention('Explain #sel please', { start: 8, end: 12 }), 13);
    assert.equal(endOfMention('#sel please', { start: 0, end: 4 }), 5);
    assert.equal(endOfMention('(#sel) x', { start: 1, end: 5 }), 5);
  });
});
