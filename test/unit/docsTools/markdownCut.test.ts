import assert from 'node:assert/strict';
import { cutMarkdown } from '../../../src/docsTools/markdownCut';

/** Returns all pieces of a text, as a reader gets who reads on until the end. */
function piecesOf(markdown: string, maxLength: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < markdown.length;) {
    const { text, end } = cutMarkdown(markdown, from, maxLength);
    assert.ok(end > from, `reading stopped at character ${from}`);
    pieces.push(text);
    from = end;
  }
  return pieces;
}

/** Returns whether every fence of a text is closed. */
function isBalanced(markdown: string): boolean {
  let mark: string | undefined;
  for (const line of markdown.split('\n')) {
    const found = /^[\s>]*(?:[-*+] |\d+\. )*(`{3,}|~{3,})/.exec(line)?.[1];
    if (found === undefined) continue;
    if (mark === undefined) mark = found;
    else if (found.startsWith(mark)) mark = undefined;
  }
  return mark === undefined;
}

const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const page = `# Webhooks

Webhooks tell your server about events. See [the guide](https://docs.example.com/guides/webhooks(2)) and \`verify(signature, body)\` first.

- one
- two with a longer text that says something about retries

\`\`\`ts title="a.ts"
const first = 1;

// [not a link](
const second = 2;
const third = 3;
\`\`\`

## Retries

| Status | Meaning |
|---|---|
| 200 | taken |
| 500 | tried again |

> A quote with code:
>
> ~~~sh
> curl https://example.com/a
>
> curl https://example.com/b
> ~~~

1. Install it:

   \`\`\`sh
   npm install parcels

   npm test
   \`\`\`

2. Run it.
`;

describe('cutMarkdown', () => {
  it('returns a short text whole', () => {
    assert.deepEqual(cutMarkdown('One.\n\nTwo.', 0, 100), { text: 'One.\n\nTwo.', end: 10 });
  });

  it('cuts after a block and begins the next piece with the next block', () => {
    const text = 'First paragraph.\n\nSecond paragraph.\n\nThird.';
    assert.deepEqual(piecesOf(text, 40), ['First paragraph.\n\nSecond paragraph.', 'Third.']);
  });

  it('leaves a heading to the text below it', () => {
    const text = 'Some text.\n\n## Heading\n\nA paragraph that does not fit any more.';
    assert.equal(cutMarkdown(text, 0, 30).text, 'Some text.');
  });

  it('closes a fence that it has to cut, and opens it again in the next piece', () => {
    const text = '```ts title="a.ts"\nconst a = 1;\nconst b = 2;\nconst c = 3;\n```\n\nAfter.';
    const pieces = piecesOf(text, 50);
    assert.equal(pieces[0], '```ts title="a.ts"\nconst a = 1;\nconst b = 2;\n```');
    assert.equal(pieces[1], '```ts title="a.ts"\nconst c = 3;\n```\n\nAfter.');
  });

  it('keeps blank lines within a fence and a fence within a list in one block', () => {
    for (const max of [60, 90, 140, 200, 400]) {
      for (const piece of piecesOf(page, max)) {
        assert.ok(isBalanced(piece), `open fence with ${max}: ${piece}`);
      }
    }
  });

  // Shows faults.md T9.
  it('loses no word of a page, whatever the space', () => {
    const wanted = words(page);
    // A line of code can be cut within a word if not even one line fits.
    for (let max = 50; max < page.length + 10; max += 7) {
      const got = words(piecesOf(page, max).join('\n'));
      for (const word of wanted) assert.ok(got.includes(word), `${word} with ${max}`);
    }
  });

  it('never cuts a link or a code span', () => {
    const text =
      'Start here with [a link that has a long label](https://docs.example.com/a/b/c?d=1) and `some code with spaces` and <https://docs.example.com/autolink/that/is/long> at the end of it.';
    for (let max = 20; max < text.length; max++) {
      for (const piece of piecesOf(text, max)) {
        assert.equal(piece.split('[').length, piece.split('](').length, piece);
        assert.equal((piece.split('`').length - 1) % 2, 0, piece);
        assert.equal(piece.split('<').length, piece.split('>').length, piece);
      }
    }
  });

  it('keeps a link whole that is longer than the space', () => {
    const link = `[label](https://example.com/${'x'.repeat(200)})`;
    assert.equal(cutMarkdown(`${link} and more`, 0, 50).text, link);
  });

  it('cuts a long paragraph after a sentence', () => {
    const text = `${'Short sentence. '.repeat(20)}The end`;
    const { text: piece } = cutMarkdown(text, 0, 100);
    assert.ok(piece.endsWith('sentence.'), piece);
  });

  it('cuts one line of code that is longer than the space', () => {
    const pieces = piecesOf(`\`\`\`js\n${'x'.repeat(100)}\n\`\`\``, 40);
    assert.ok(pieces.length > 2);
    assert.ok(pieces.every(isBalanced));
    assert.equal(
      words(pieces.join(''))
        .filter((word) => word !== 'js')
        .join('').length,
      100,
    );
  });

  it('reads a fence without an end to the end of the text', () => {
    const text = `Before.\n\n\`\`\`js\n${'const a = 1;\n\n'.repeat(10)}`;
    assert.ok(piecesOf(text, 80).every(isBalanced));
  });

  it('begins within a block at a position that another text had', () => {
    const { text, end } = cutMarkdown(page, page.indexOf('const second'), 4000);
    assert.ok(text.startsWith('```ts title="a.ts"\nconst second = 2;'), text.slice(0, 80));
    assert.equal(end, page.length);
  });

  it('does not cut characters of two code units in half', () => {
    for (const piece of piecesOf('😀'.repeat(50), 7)) assert.ok(piece.isWellFormed(), piece);
  });

  it('takes no longer for text of nothing but marks', () => {
    // Time out is what a search that grows with the square of its input looks like.
    for (const mark of ['[', '`', '<', '![', '](', '[a](', '~', '> ', '- ']) {
      const text = mark.repeat(200_000 / mark.length);
      cutMarkdown(text, 0, 32_000);
      cutMarkdown(`${'[a]'.repeat(50_000)}[`, 0, 32_000);
    }
  });
});
