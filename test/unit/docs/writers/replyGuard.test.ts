import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { linksIn, ReplyGuard, type ReplyLinks } from '../../../../src/docs/writers/replyGuard';
import { timeOf } from '../../../builders/processorTime';
import { seededRandom } from '../../../builders/seededRandom';

const sectionUrls = ['http://127.0.0.1:1/docs/keys#rotate', 'http://127.0.0.1:1/docs/limits'];
const allowed = new Set([...sectionUrls, 'https://docs.example/a_(b)']);
const links: ReplyLinks = {
  urlOf: (number) => sectionUrls[number - 1],
  isAllowed: (url) => allowed.has(url),
};

/** Returns the guarded text when it comes all at once. */
function guarded(markdown: string): string {
  const guard = new ReplyGuard(links);
  return guard.push(markdown) + guard.end();
}

/** Returns the guarded text when it comes in pieces of a few characters, as models send it. */
function streamed(markdown: string, size: number): string {
  const guard = new ReplyGuard(links);
  let out = '';
  for (let at = 0; at < markdown.length; at += size)
    out += guard.push(markdown.slice(at, at + size));
  return out + guard.end();
}

const renderers = [
  new MarkdownIt({ html: false, linkify: true }),
  new MarkdownIt({ html: true, linkify: true }),
];

/** Returns what a renderer would make active: targets of links and images, and tags. */
function active(markdown: string): string[] {
  const found: string[] = [];
  for (const renderer of renderers) {
    for (const token of renderer.parse(markdown, {})) {
      if (token.type === 'html_block') found.push(token.content);
      for (const child of token.children ?? []) {
        if (child.type === 'link_open') found.push(String(child.attrGet('href')));
        if (child.type === 'image') found.push(String(child.attrGet('src')));
        if (child.type === 'html_inline') found.push(child.content);
      }
    }
  }
  return found;
}

const one = `[1](${sectionUrls[0] ?? ''})`;
const two = `[2](${sectionUrls[1] ?? ''})`;

describe('the guard of a reply', () => {
  const cases: readonly (readonly [name: string, from: string, to: string])[] = [
    ['links a citation', 'Rotate it [1].', `Rotate it ${one}.`],
    [
      'links several in one pair of brackets',
      'So [1, 2] and [1-2].',
      `So ${one}${two} and ${one}${two}.`,
    ],
    [
      'links other ways to write a citation',
      '[^1] 【2†source】 [Section 1]',
      `${one} ${two} ${one}`,
    ],
    ['removes a number that no section has, with its space', 'Rotate it [7].', 'Rotate it.'],
    ['keeps the known one beside an unknown one', 'It [2][7] is', `It ${two} is`],
    ['replaces the target of a numbered link', '[1](https://evil.example/x)', one],
    [
      'makes a foreign link plain text',
      'See [the **guide**](https://evil.example "t").',
      'See the **guide**.',
    ],
    [
      'keeps a link of a section',
      '[a](https://docs.example/a_(b))',
      '[a](<https://docs.example/a_(b)>)',
    ],
    [
      'keeps the label of a link with a link in it',
      `[a [b](${sectionUrls[1] ?? ''}) c](https://docs.example/a_(b))`,
      '[a b c](<https://docs.example/a_(b)>)',
    ],
    [
      'keeps the label of a link with brackets in it',
      '[a [b] \\[c [2]](https://docs.example/a_(b))',
      '[a \\[b\\] \\[c \\[2\\]](<https://docs.example/a_(b)>)',
    ],
    ['makes an image its description', '![chart](https://evil.example/b.png)!', 'chart!'],
    [
      'makes a foreign URL code',
      'Open https://evil.example/?q=1.',
      'Open `https://evil.example/?q=1.`',
    ],
    ['makes a foreign autolink code', '<https://evil.example>', '`https://evil.example`'],
    [
      'makes an email address code',
      'Write to a.b@evil.example now',
      'Write to `a.b@evil.example` now',
    ],
    [
      'keeps a URL of a section',
      `Open ${sectionUrls[1] ?? ''}.`,
      `Open <${sectionUrls[1] ?? ''}>.`,
    ],
    ['makes HTML text', '<img src=x> a < b', '&lt;img src=x> a < b'],
    ['leaves code spans alone', 'Use `a[1](x)` and ``[1] ` ``', 'Use `a[1](x)` and ``[1] ` ``'],
    ['escapes a code span without an end', 'a `b [x](https://evil.example)', 'a \\`b x'],
    [
      'leaves fenced code alone',
      '```js\nx[1] = "<b>";\n```\nso [1]',
      `\`\`\`js\nx[1] = "<b>";\n\`\`\`\nso ${one}`,
    ],
    [
      'leaves code in a list alone',
      '1. Do:\n\n   ```sh\n   a[1]\n   ```\n\n   [1]',
      `1. Do:\n\n   \`\`\`sh\n   a[1]\n   \`\`\`\n\n   ${one}`,
    ],
    [
      'puts a blank line before an indented fence, which would be part of the paragraph above',
      'Do:\n    ```\n    [x](https://evil.example)\n    ```',
      'Do:\n\n    ```\n    [x](https://evil.example)\n    ```',
    ],
    ['leaves task lists alone', '- [ ] a\n- [x] b', '- [ ] a\n- [x] b'],
    [
      'leaves emphasis, tables and math alone',
      '| *a* | $x_1$ |\n|---|---|',
      '| *a* | $x_1$ |\n|---|---|',
    ],
    [
      'takes a definition apart',
      '[ref]: https://evil.example\n[text][ref]',
      '\\[ref\\]: `https://evil.example`\n\\[text\\][ref]',
    ],
    [
      'lets no link go on in the next line',
      '[a\nb](https://evil.example)',
      '\\[a\nb\\](`https://evil.example`)',
    ],
  ];
  for (const [name, from, to] of cases) {
    it(name, () => {
      assert.equal(guarded(from), to);
      for (const size of [1, 2, 3, 7])
        assert.equal(streamed(from, size), to, `in pieces of ${size}`);
    });
  }

  for (const [name, text] of [
    ['images without an end', '![a '.repeat(4000)],
    ['words and links', 'Rotate it [1] as [here](https://evil.example/x) says. '.repeat(600)],
  ] as const) {
    it(`reads a long line of ${name} as if it came in pieces`, () => {
      assert.equal(guarded(text), streamed(text, 50));
    });
  }

  it('takes no longer for each character of a long piece than for one of a short piece', () => {
    const cost = (count: number, enoughMs?: number): number =>
      timeOf(() => void guarded('![a '.repeat(count)), enoughMs);
    // Work that grows with the square of its input takes 64 times as long.
    const limit = 24 * Math.max(cost(2000), 5);
    const long = cost(16_000, limit);
    assert.ok(long <= limit, `${Math.round(long)} ms, at most ${Math.round(limit)} ms`);
  });

  it('names the sections that the text cites, in the order of the text', () => {
    const guard = new ReplyGuard(links);
    guard.push('a [2] b [1] c [2] d [9]');
    guard.end();
    assert.deepEqual([...guard.cited], [2, 1]);
  });

  it('sends each word as soon as it is whole', () => {
    const guard = new ReplyGuard(links);
    assert.equal(guard.push('Keys last '), 'Keys last');
    assert.equal(guard.push('90 days '), ' 90 days');
    assert.equal(guard.push('[1'), '');
    assert.equal(guard.push('] and'), ` ${one}`);
  });

  it('lets no link through, however it is assembled', () => {
    const evil = 'https://evil.example/x';
    const fragments = [
      '[a](https://evil.example/x)',
      '![a](https://evil.example/x)',
      `<${evil}>`,
      evil,
      'www.evil.example',
      'a@evil.example',
      '[a]',
      '[1]',
      '(https://evil.example/x)',
      '[a]: https://evil.example/x',
      '[a][a]',
      `](${sectionUrls[1] ?? ''})`,
      '```',
      '```js',
      '~~~',
      '    ```',
      '   ```',
      '  ~~~~',
      '- ',
      '1. ',
      '2) ',
      '> ',
      '\n',
      '\n\n',
      '\n',
      ' ',
      '    ',
      '\t',
      '`',
      '``',
      '\\',
      '[',
      ']',
      '(',
      ')',
      '!',
      '<',
      '>',
      '<b>',
      '<a href="https://evil.example/x">',
      '*',
      '_',
      'word',
      '# ',
      '---',
      '===',
      '|',
      ':',
      '"',
      "'",
      '&#91;',
      'https',
      '://',
      '//evil.example',
      '<!--',
      '$',
      '\\[',
      '\\`',
    ];
    const random = seededRandom(7);
    let activeCount = 0;
    for (let round = 0; round < 8000; round++) {
      const count = 2 + random(14);
      let text = '';
      for (let at = 0; at < count; at++) text += fragments[random(fragments.length)] ?? '';
      const out = round % 2 === 0 ? guarded(text) : streamed(text, 1 + random(5));
      const found = active(out).filter((url) => !allowed.has(url) && !allowed.has(decodeURI(url)));
      activeCount += active(text).length;
      assert.deepEqual(found, [], `${JSON.stringify(text)} became ${JSON.stringify(out)}`);
    }
    assert.ok(activeCount > 4000, 'the texts hold links before');
  });

  it('holds back at most a paragraph, so that each character costs the same', () => {
    // Marks that never close, 20,000 times.
    for (const part of ['[', '`', '<a', '![', 'a(', '\\', '[a](', 'word', '```', '    ```']) {
      const guard = new ReplyGuard(links);
      for (let at = 0; at < 20; at++) guard.push(part.repeat(1000));
      assert.ok(guard.end().length < 15_000, part);
    }
  });
});

describe('the links of a section', () => {
  it('are the targets of links and the bare URLs', () => {
    assert.deepEqual(
      linksIn(
        '[a](https://a.example/b) and https://c.example/d. <https://e.example> `curl https://f.example/g`',
      ),
      ['https://a.example/b', 'https://c.example/d', 'https://e.example', 'https://f.example/g'],
    );
  });
});
