import assert from 'node:assert/strict';
import { BlockStream } from '../../../../webview/markdown/blockStream';
import { seededRandom } from './renderedHtml';

/** Characters parsed and rendered of a text that comes in pieces, or as one. */
function workFor(text: string, pieceLength = text.length): number {
  const stream = new BlockStream();
  let length = 0;
  for (; length + pieceLength < text.length; length += pieceLength) {
    stream.append(text.slice(length, length + pieceLength));
  }
  stream.finish(text.slice(length));
  return stream.work;
}

/** Characters parsed and rendered for each character of the text, which comes in small pieces. */
function workPerCharacter(text: string): number {
  const random = seededRandom(text.length);
  const stream = new BlockStream();
  let length = 0;
  for (let end = 1; end < text.length; end += 30 + random(40)) {
    stream.append(text.slice(length, end));
    length = end;
  }
  stream.finish(text.slice(length));
  return stream.work / text.length;
}

const ofLength = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

const sentence = 'Uploads are **limited** by `maxSize`, see [the guide](https://a.example/guide). ';

const section = [
  '## Uploads\n\n',
  `${sentence.repeat(4)}\n\n`,
  '```ts\nconst size = 1;\nawait upload({ size });\n```\n\n',
  `- ${sentence}\n- two[^1]\n  - nested **bold**\n  - more\n- [x] done\n\n`,
  '| Option | Default |\n|---|--:|\n| `maxSize` | 10 |\n| `retries` | 3 |\n\n',
  `> [!NOTE]\n> ${sentence}\n\n1. one\n\n   ${sentence}\n\n2. two\n\n`,
].join('');

/** Blocks that could grow without end, by their beginning and what is repeated. */
const blocks: Record<string, readonly [first: string, repeated: string]> = {
  'a list': ['', `- ${sentence}\n`],
  'a list of paragraphs': ['', `1. ${sentence}\n\n   ${sentence}\n\n`],
  'a nested list': ['', `- item\n  - ${sentence}\n  - two\n`],
  'a table': ['| a | b |\n|---|---|\n', '| **cell** | [x](https://a.example) |\n'],
  'a quote': ['', `> ${sentence}\n>\n`],
  'an alert': ['> [!TIP]\n', `> ${sentence}\n>\n`],
  'open code': ['```ts\n', 'const answer = 42;\n'],
  'a reply of everything': ['', section],
};

/** Many small things: what a text of so many of them is. */
const many: Record<string, (count: number) => string> = {
  paragraphs: (count) => 'a\n\n'.repeat(count),
  quotes: (count) => '> x\n\n'.repeat(count),
  'lists of one item': (count) => each(count, (n) => `${'-*+'.charAt(n % 3)} x\n`),
  items: (count) => '- a\n'.repeat(count),
  'items of items': (count) => `- a\n${'  - b\n'.repeat(count)}`,
  'paragraphs of one item': (count) => `- a\n\n${'  b\n\n'.repeat(count)}`,
  rows: (count) => `| a |\n|---|\n${'| x |\n'.repeat(count)}`,
  tables: (count) => '| a |\n|---|\n| b |\n\n'.repeat(count),
  'lines of a quote': (count) => '> some words\n'.repeat(count),
  formulas: (count) => '$$x^2$$\n\n'.repeat(count),
  'fences of code': (count) => '```\nx\n```\n'.repeat(count),
  'lines of code': (count) => `\`\`\`\n${'some code\n'.repeat(count)}`,
  definitions: (count) => each(count, (n) => `[l${n}]: /u\n\n`),
  'definitions below each other': (count) => each(count, (n) => `[l${n}]: /u\n`),
  'labels defined after all': (count) =>
    each(count / 2, (n) => `[l${n}] `) + '\n\n' + each(count / 2, (n) => `[l${n}]: /u\n\n`),
  'items defined after all': (count) =>
    each(count / 2, (n) => `- [l${n}]\n`) + '\n' + each(count / 2, (n) => `[l${n}]: /u\n\n`),
  'items with definitions': (count) => each(count / 2, (n) => `- [l${n}]\n- [l${n}]: /u\n`),
  'references to footnotes': (count) => each(count, (n) => `t[^${n}]\n\n`),
  footnotes: (count) => each(count / 2, (n) => `t[^${n}]\n\n[^${n}]: n\n\n`),
  links: (count) => '[a](https://a.b/c) '.repeat(count),
  brackets: (count) => '[a] [ '.repeat(count),
  emphasis: (count) => '*a* **b '.repeat(count),
  'code within a line': (count) => '`a` ``b '.repeat(count),
  addresses: (count) => 'https://a.b/c '.repeat(count),
  'formulas within a line': (count) => '$x$ \\(a'.repeat(count),
  'footnotes within a line': (count) => each(count, (n) => `[^${n}] `),
  'lines of a paragraph': (count) => '[a](https://a.b/c) and\n'.repeat(count),
};

function each(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join('');
}

describe('the work for a growing text', function () {
  this.timeout(60_000);

  it('is counted', () => {
    const stream = new BlockStream();
    stream.append('one\n\n');
    const first = stream.work;
    assert.ok(first >= 'one'.length);
    stream.append('two');
    assert.ok(stream.work > first);
  });

  for (const [name, [first, repeated]] of Object.entries(blocks)) {
    it(`stays the same for each character of ${name}, however long it becomes`, () => {
      const [short, long] = [4_000, 32_000].map((length) =>
        workPerCharacter(first + ofLength(repeated, length)),
      );
      assert.ok(short !== undefined && long !== undefined);
      assert.ok(long <= short * 1.2, `${short.toFixed(1)}, then ${long.toFixed(1)}`);
    });
  }

  for (const [name, make] of Object.entries(many)) {
    it(`is the same for each of many ${name}, in pieces of any length and as one`, () => {
      const [few, more] = [make(250), make(1_000)];
      for (const pieceLength of [20, 4_096, undefined]) {
        const before = workFor(few, pieceLength) / few.length;
        const after = workFor(more, pieceLength) / more.length;
        // The first step of a text that comes in large pieces is all of the few.
        const limit = 1.3 * Math.max(before, pieceLength === 4_096 ? 30 : 0);
        assert.ok(
          after <= limit,
          `${pieceLength ?? 'all'}: ${before.toFixed(1)}, then ${after.toFixed(1)}`,
        );
      }
    });
  }

  it('is at most 1.2 times as much for each character of 400 KB as of 10 KB', () => {
    const short = workPerCharacter(ofLength(section, 10_000));
    const long = workPerCharacter(ofLength(section, 400_000));
    assert.ok(long <= short * 1.2, `${short.toFixed(1)}, then ${long.toFixed(1)}`);
  });

  it('is done once for a text that is there from the beginning', () => {
    const text = ofLength(section, 100_000);
    const stream = new BlockStream();
    stream.finish(text);
    assert.ok(stream.work <= 2.1 * text.length, String(stream.work / text.length));
  });

  it('leaves the settled items of a growing list, table and quote alone', () => {
    for (const name of ['a list', 'a table', 'a quote']) {
      const [first, repeated] = blocks[name] ?? ['', ''];
      const stream = new BlockStream();
      stream.append(first + repeated.repeat(20));
      const [before] = stream.blocks;
      assert.ok(before?.kind === 'group' && before.settled.length >= 18, name);
      const settled = [...before.settled];
      stream.append(repeated.repeat(10));
      const [after] = stream.blocks;
      assert.ok(after?.kind === 'group');
      assert.equal(after.settled, before.settled);
      assert.deepEqual(after.settled.slice(0, settled.length), settled);
      stream.finish('\n\ntext\n\ntext\n');
      const [end] = stream.blocks;
      assert.ok(end?.kind === 'group' && end.live.length === 0);
      assert.equal(end.settled, before.settled);
    }
  });

  it('tells where the first change is', () => {
    const stream = new BlockStream();
    stream.append('one\n\ntwo\n\nthree\n\nfour\n\n');
    assert.equal(stream.takeFirstChanged(), 0);
    assert.equal(stream.takeFirstChanged(), 4);
    stream.append('five');
    assert.equal(stream.takeFirstChanged(), 4);
  });
});
