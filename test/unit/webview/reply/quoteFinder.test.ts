import assert from 'node:assert/strict';
import { QuoteFinder } from '../../../../webview/reply/quoteFinder';

/** Returns the text that is found for each quote, one after the other. */
function found(text: string, ...quotes: readonly string[]): (string | undefined)[] {
  const finder = new QuoteFinder(text);
  return quotes.map((quote) => {
    const span = finder.find(quote);
    return span && text.slice(span.start, span.end);
  });
}

describe('QuoteFinder', () => {
  const cases: [what: string, text: string, quote: string, shown: string | undefined][] = [
    [
      'a sentence',
      'One. Uploads can have 20 MB. Two.',
      'Uploads can have 20 MB.',
      'Uploads can have 20 MB',
    ],
    [
      'other spaces',
      'Uploads can\u00a0have 20 MB',
      'Uploads  can\nhave 20\tMB',
      'Uploads can\u00a0have 20 MB',
    ],
    [
      'other quotation marks and dashes',
      'It is “new” – or so',
      "It is 'new' - or so",
      'It is “new” – or so',
    ],
    [
      'citations that the view draws as links',
      'It is new, and old.',
      'It is new [1], and old [2, 3].',
      'It is new, and old',
    ],
    ['an index in code', 'Read args[1] first.', 'Read args[1] first.', 'Read args[1] first'],
    [
      'HTML and regular expressions',
      'Use <b>(.*)+$</b> [a-z] now',
      'Use <b>(.*)+$</b> [a-z] now',
      'Use <b>(.*)+$</b> [a-z] now',
    ],
    [
      'right-to-left text',
      'One. הגודל המרבי הוא 20. Two.',
      'הגודל המרבי הוא 20.',
      'הגודל המרבי הוא 20',
    ],
    [
      'text direction marks and soft hyphens',
      'Up\u00adload \u202elimit\u202c is 20',
      'Upload limit is 20',
      'Up\u00adload \u202elimit\u202c is 20',
    ],
    ['another Unicode form', 'Gro\u0308ße zählt', 'Größe zählt', 'Gro\u0308ße zählt'],
    [
      'a quote that was cut',
      'The limit of an upload is 20 MB',
      'The limit of an upl…',
      'The limit of an',
    ],
    ['no part of a word', 'Because items exist', 'use items', undefined],
    ['nothing for words in another order', 'can have uploads', 'uploads can have', undefined],
    ['nothing for marks alone', 'a … b', '…', undefined],
    ['nothing for an empty quote', 'a', '', undefined],
    ['nothing in an empty text', '', 'a', undefined],
  ];
  for (const [what, text, quote, shown] of cases) {
    it(`finds ${what}`, () => {
      assert.deepEqual(found(text, quote), [shown]);
    });
  }

  it('finds a statement that comes twice at its own place each time', () => {
    const finder = new QuoteFinder('It is new. Or not. It is new.');
    assert.deepEqual([finder.find('It is new.')?.start, finder.find('It is new.')?.start], [0, 19]);
  });

  it('finds a statement that occurs only before the previous one', () => {
    assert.deepEqual(found('First one. Last one.', 'Last one.', 'First one.'), [
      'Last one',
      'First one',
    ]);
  });

  it('prefers a whole sentence to a part of one', () => {
    const finder = new QuoteFinder('It is new, they say. It is new.');
    assert.equal(finder.find('It is new.')?.start, 21);
  });

  it('ends a sentence where a block ends', () => {
    const finder = new QuoteFinder('Set it to 5 at once\0Set it to 5\0Then go');
    assert.equal(finder.find('Set it to 5')?.start, 20);
  });

  it('looks through a long text with many repetitions quickly enough to be drawn', function () {
    this.timeout(5_000);
    const finder = new QuoteFinder('It is so and '.repeat(30_000));
    for (let index = 0; index < 200; index++) finder.find(`It is so and ${index}`);
    assert.equal(finder.find('It is so')?.start, 0);
  });
});
