import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

const read = (source: string): string => readPage('guide.md', source).text;

describe('Lists of definitions', () => {
  it('are items that begin with the term, and the lines keep their numbers', () => {
    const written =
      'read key\n:   Reads pages.\n    No more.\n\n`all` key\n:   Has full access.\n\nNext.';
    const plain =
      '- **read key**\\\n    Reads pages.\n    No more.\n\n- **`all` key**\\\n    Has full access.\n\nNext.';
    assert.equal(read(written), plain);
  });

  it('can have several terms, several definitions, and an empty line between them', () => {
    assert.equal(read('A\nB\n: one\n: two'), '- **A**\\\n  **B**\\\n    one\\\n    two');
    assert.equal(read('A\n\n:   one\n\n:   two'), '- **A**\n\n    one\n\n    two');
  });

  it('have terms in bold or italics, and options', () => {
    assert.equal(
      read('**Owl**\n: one\n\n*Kite*\n: two'),
      '- **Owl**\\\n    one\n\n- ***Kite***\\\n    two',
    );
    assert.equal(read('--retry &lt;num&gt;\n:   one'), '- **--retry &lt;num&gt;**\\\n    one');
  });

  it('keep what is within a definition', () => {
    const inner = '    * storks\n    * owls\n\n    ```js\n    : x\n    ```';
    assert.equal(read(`Birds\n:   These:\n\n${inner}`), `- **Birds**\\\n    These:\n\n${inner}`);
  });

  const kept = [
    'Four lines\nof a text\nthat goes on\nand on\n: and this',
    '- item\n: text',
    '| a |\n: text',
    '# Title\n\n: text',
    ': text',
    '```\nterm\n: text\n```',
    'A time\n:smile: and more',
  ];
  for (const text of kept) {
    it(`are told from other text: ${text.replaceAll('\n', '⏎')}`, () => {
      assert.equal(read(text), text);
    });
  }

  it('are text in MDX, which has none', () => {
    assert.equal(readPage('guide.mdx', 'term\n: text').text, 'term\n: text');
  });

  it('end with the next text', () => {
    assert.match(read('First\n: one\n\nLast.\n\n# Title\n\n: two'), /\n\n# Title\n\n: two$/);
  });
});
