import assert from 'node:assert/strict';
import { viewStrings } from '../../../../src/shared/viewStrings';
import { plainWords, SentenceReader } from '../../../../webview/reply/speech';
import { processorMs, timeOf } from '../../../builders/processorTime';

const newReader = () =>
  new SentenceReader({
    strings: viewStrings,
    language: 'en',
    languageName: (word) => (word === 'ts' ? 'TypeScript' : word),
  });

/** Returns the sentences that are read when the text comes whole. */
const allAtOnce = (text: string): string[] => newReader().read(text, true);

/** Returns the sentences that are read when the text comes in pieces of that many characters. */
const inPieces = (text: string, size: number): string[] => {
  const reader = newReader();
  const read: string[] = [];
  for (let end = size; end < text.length; end += size)
    read.push(...reader.read(text.slice(0, end), false));
  return [...read, ...reader.read(text, true)];
};

const mixed = `## Send a file in parts

A request may carry **20 MB**. A *larger* one is refused with \`413. Too large\` [1](https://docs.acme.example/limits). Use version 2.5, e.g. in Node!

1. Create the upload.
2. Send each part with its [number](/parts#number).
   - all but the last have 5 MB
   - [x] any order

\`\`\`ts
const a = 1.5;

await send(a);
\`\`\`

> [!NOTE]
> Parts are deleted. After a day.

| Plan | Size |
|:-----|-----:|
| Free | 1 GB |
| Team | 5 GB |

See https://status.acme.example/now?x=1. Bye`;

const mixedRead = [
  'Send a file in parts',
  'A request may carry 20 MB.',
  'A larger one is refused with 413.',
  'Too large (source 1).',
  'Use version 2.5, e.g. in Node!',
  'Create the upload.',
  'Send each part with its number.',
  'all but the last have 5 MB',
  'any order',
  'Code: TypeScript, 3 lines.',
  'Note.',
  'Parts are deleted.',
  'After a day.',
  'Table: Plan, Size. Rows: 2.',
  'See status.acme.example.',
  'Bye',
];

describe('SentenceReader', () => {
  it('reads a whole text in plain words', () => {
    assert.deepEqual(allAtOnce(mixed), mixedRead);
  });

  for (const size of [1, 2, 3, 7, 50]) {
    it(`reads the same, each sentence once, when it comes ${size} characters at a time`, () => {
      assert.deepEqual(inPieces(mixed, size), mixedRead);
    });
  }

  it('waits for the end of a sentence', () => {
    const reader = newReader();
    assert.deepEqual(reader.read('Uploads are lim', false), []);
    assert.deepEqual(reader.read('Uploads are limited.', false), []);
    assert.deepEqual(reader.read('Uploads are limited. The', false), ['Uploads are limited.']);
    assert.deepEqual(reader.read('Uploads are limited. The', true), ['The']);
  });

  it('announces only the kind of a code block, once it is closed', () => {
    const reader = newReader();
    assert.deepEqual(reader.read('```py\nx = 1. Not a sentence.\n', false), []);
    assert.deepEqual(reader.read('```py\nx = 1. Not a sentence.\n```\n', false), [
      'Code: py, 1 line.',
    ]);
    assert.deepEqual(allAtOnce('~~~\na\nb'), ['Code: Text, 2 lines.']);
    assert.deepEqual(allAtOnce('````md\n```ts\nx\n```\n````'), ['Code: md, 3 lines.']);
  });

  it('begins again with a text that was asked for again', () => {
    const reader = newReader();
    reader.read('One. Two. Thr', false);
    assert.deepEqual(reader.read('', false), []);
    assert.deepEqual(reader.read('New. Te', false), ['New.']);
  });

  it('reads scripts that part sentences otherwise', () => {
    assert.deepEqual(allAtOnce('上传限制。请分段发送！'), ['上传限制。', '请分段发送！']);
  });

  it('reads a paragraph of any length, however it comes', () => {
    const sentences = Array.from({ length: 400 }, (_, index) => `This is sentence ${index}, once.`);
    for (const separator of [' ', '\n']) {
      const text = sentences.join(separator);
      for (const read of [allAtOnce(text), inPieces(text, 700), inPieces(text, 5_000)]) {
        // A sentence may be parted where a piece ends.
        assert.equal(read.join(' '), sentences.join(' '));
        assert.ok(read.length < sentences.length * 1.1, String(read.length));
      }
    }
  });

  it('passes over what was there before, and reads on within its last sentence', () => {
    for (let end = 0; end <= mixed.length; end += 5) {
      const [passing, reading] = [newReader(), newReader()];
      passing.skip(mixed.slice(0, end), false);
      reading.read(mixed.slice(0, end), false);
      assert.deepEqual(passing.read(mixed, true), reading.read(mixed, true), String(end));
    }
  });

  it('goes on with a language that is none', () => {
    for (const language of ['', 'no such language!']) {
      const reader = new SentenceReader({
        strings: viewStrings,
        language,
        languageName: (word) => word,
      });
      assert.deepEqual(reader.read('One. Two.', true), ['One.', 'Two.']);
    }
  });

  it('takes no longer for each line of a long text that comes at once', () => {
    const block = 'Some words of prose.\n\n- an item\n- another\n\n';
    for (const act of ['read', 'skip'] as const) {
      const cost = (count: number, enough = 0): number =>
        timeOf(() => void newReader()[act](block.repeat(count), false), enough * count) / count;
      const limit = Math.max(4 * cost(100), 0.1);
      assert.ok(cost(3_000, limit) <= limit, act);
    }
  });

  const slow: Record<string, (length: number) => string> = {
    'opening brackets': (length) => `${'['.repeat(length)}] end`,
    backticks: (length) => `a${'`'.repeat(length)} b`,
    'a fence that is none': (length) => `\`\`\`${'a'.repeat(length)}\`\n`,
    'tildes that fence nothing': (length) =>
      `${'~'.repeat(length / 2)}${'a'.repeat(length / 2)}\`\n`,
    'a rule that is none': (length) => `a|b\n-${' '.repeat(length)}x\nb|c\n`,
    'marks before spaces': (length) => `a${' '.repeat(length)}#b\n\n`,
    'opening angle brackets': (length) => `${'<'.repeat(length)}> end`,
    'at signs': (length) => `<${'a@'.repeat(length / 2)} `,
    underscores: (length) => `${'_'.repeat(length)}a`,
  };
  for (const [name, make] of Object.entries(slow)) {
    it(`takes no longer for each letter of a long line of ${name}`, () => {
      const cost = (length: number, enoughMs?: number): number =>
        timeOf(() => void newReader().read(make(length), false), enoughMs);
      const short = cost(20_000);
      // Work that grows with the square of its input takes 16 times as long.
      const limit = 8 * Math.max(short, 5);
      const long = cost(80_000, limit);
      assert.ok(long <= limit, `${Math.round(short)} ms, then ${Math.round(long)} ms`);
    });
  }

  it('takes the same time for each piece, however long the text is', () => {
    const paragraph = 'Some words of prose. '.repeat(20);
    const cost = (count: number): number => {
      const text = `${paragraph}\n\n`.repeat(count);
      const reader = newReader();
      const start = processorMs();
      for (let end = 400; end < text.length; end += 400) reader.read(text.slice(0, end), false);
      return (processorMs() - start) / count;
    };
    cost(50);
    const short = Math.min(cost(50), cost(50), cost(50));
    assert.ok(cost(800) <= Math.max(4 * short, 1), 'linear');
  });
});

describe('plainWords', () => {
  const cases: Record<string, string> = {
    'snake_case and a_b_c': 'snake_case and a_b_c',
    'an _emphasised_ **word**, ~~gone~~': 'an emphasised word, gone',
    '![the flow](https://x.example/f.png)': 'the flow',
    '<https://docs.acme.example/x>, <help@acme.example>': 'docs.acme.example, help@acme.example',
    'a < b &amp; c \\*d\\*': 'a < b & c *d*',
    'noted[^1]': 'noted',
    '[id]: https://x.example': '',
    'one<br>two': 'one two',
    '`**kept**`': '**kept**',
  };
  for (const [markdown, plain] of Object.entries(cases)) {
    it(`says “${plain}” for “${markdown}”`, () => {
      assert.equal(
        plainWords(markdown, (number) => number),
        plain,
      );
    });
  }
});
