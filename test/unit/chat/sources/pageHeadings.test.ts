import assert from 'node:assert/strict';
import { lineOfFragment, pageOutline } from '../../../../src/chat/sources/pageHeadings';
import { inlineMarkdownToText, markdownToText } from '../../../../src/common/text/markdownText';

const slugs = (source: string, isMdx = false) =>
  pageOutline(source, isMdx).headings.map(({ slug, line }) => [slug, line]);

describe('a page’s headings', () => {
  it('have the fragments that GitHub gives them', () => {
    assert.deepEqual(
      slugs(
        [
          '# Hello, *world*!',
          '## `GET /v2/items`  ',
          '## Größe & Maß_1',
          '## What’s new? ##',
          '## [Link](https://x.y) and ![image](z.png)',
          '## a -- b',
        ].join('\n'),
      ),
      [
        ['hello-world', 0],
        ['get-v2items', 1],
        ['größe--maß_1', 2],
        ['whats-new', 3],
        ['link-and-image', 4],
        ['a----b', 5],
      ],
    );
  });

  it('are counted where they are the same', () => {
    assert.deepEqual(slugs('# A\n# A\n# A-1\n# A'), [
      ['a', 0],
      ['a-1', 1],
      ['a-1-1', 2],
      ['a-2', 3],
    ]);
  });

  it('may name their own fragment', () => {
    assert.deepEqual(slugs('## Set up {#setup}\n\n## End {/* #fin */}'), [
      ['setup', 0],
      ['fin', 2],
    ]);
  });

  it('may be underlined', () => {
    assert.deepEqual(slugs('Title\n=====\n\nPart\n---\n\n- item\n---\n\ntext\n\n---\n'), [
      ['title', 0],
      ['part', 3],
    ]);
  });

  it('are not in front matter, code, comments or indented code', () => {
    const source =
      '---\n# no\n---\n\n~~~sh\n# no\n```\n# no\n~~~\n\n<!--\n# no\n-->\n\n    # no\n\n````md\n```\n# no\n```\n````\n# yes\n';
    assert.deepEqual(slugs(source), [['yes', source.split('\n').indexOf('# yes')]]);
    assert.deepEqual(slugs('<Tab>\n    ## Within\n</Tab>', true), [['within', 1]]);
  });

  it('are not in front matter in TOML, which has the title', () => {
    const { headings, title } = pageOutline("+++\n# no\ntitle = 'Start'\n+++\n\n# yes\n");
    assert.deepEqual(
      headings.map(({ slug, line }) => [slug, line]),
      [['yes', 5]],
    );
    assert.equal(title, 'Start');
  });

  it('are read from lines of any spaces in linear time', () => {
    // Reading in quadratic time exceeds the limit of the test.
    for (const spaces of [' '.repeat(100_000), ' #'.repeat(50_000)]) {
      assert.equal(pageOutline(`# a${spaces}b\n\na${spaces}b\n===`).headings.length, 2);
    }
  });

  it('survive carriage returns and a byte order mark', () => {
    assert.deepEqual(slugs('\uFEFF---\r\ntitle: T\r\n---\r\n\r\n# A\r\n'), [['a', 4]]);
    assert.equal(pageOutline('---\ntitle: T\n---\n# A\n').title, 'T');
    assert.equal(pageOutline('# A\n').title, 'A');
  });
});

describe('the line that a fragment means', () => {
  const outline = pageOutline(
    '# Über uns\n\n## 3.2 Rate_limits & quotas\n\n<a id="old-name"></a>\n\n<Accordion title="x" id="faq">\n',
  );
  for (const [fragment, line] of [
    ['#über-uns', 0],
    ['#%C3%BCber-uns', 0],
    ['#uber-uns', 0],
    ['#32-rate_limits--quotas', 2],
    ['#rate-limits', undefined],
    ['#32-rate-limits-quotas', 2],
    ['#old-name', 4],
    ['#faq', 6],
    ['#user-content-faq', 6],
    ['#faq:~:text=x', 6],
    ['', undefined],
    ['#', undefined],
    ['#%zz', undefined],
    ['#gone', undefined],
  ] as const) {
    it(`is ${String(line)} for “${fragment}”`, () => {
      assert.equal(lineOfFragment(outline, fragment), line);
    });
  }
});

describe('A heading with an icon', () => {
  for (const heading of [
    ':material-owl:{ .lg } Find *owls*',
    '{octicon}`gear;1em` Find owls',
    '{% octicon "gear" height:24 %} Find owls',
    '{{< icon "owl" >}} Find owls',
    ':octicons-x-24: Find owls {#find-owls}',
  ])
    it(`has the fragment of its words: ${heading}`, () => {
      const { headings } = pageOutline(`# Owls\n\n## ${heading}\n`);
      assert.deepEqual(
        headings.slice(1).map(({ text, slug }) => [text, slug]),
        [['Find owls', 'find-owls']],
      );
    });
});

describe('Markdown as plain text', () => {
  for (const [markdown, text] of [
    ['**bold** _it_ *it* ~~no~~', 'bold it it no'],
    ['snake_case and 2 * 3 * 4', 'snake_case and 2 * 3 * 4'],
    ['**use `a*b` now**', 'use a*b now'],
    ['`a_b*c*` and `` ` ``', 'a_b*c* and `'],
    ['[a [b] c](x(y)z "t") <https://x.y/z>', 'a [b] c https://x.y/z'],
    ['a &amp; b &lt;c&gt; \\*d\\*', 'a & b <c> *d*'],
    ['<kbd>Ctrl</kbd> <br/> x', 'Ctrl x'],
  ] as const) {
    it(`reads “${markdown}” as “${text}”`, () =>
      assert.equal(inlineMarkdownToText(markdown), text));
  }

  it('has a line for each block', () => {
    assert.equal(
      markdownToText(
        '# Title\n\nOne\ntwo.\n\n> [!NOTE]\n> Mind *this*.\n\n1. a\n2. b\n- [x] done\n\n| A | B |\n|---|:-:|\n| 1 | `2` |\n\n***\n<!-- gone -->\n:::tip\nInside\n:::\n\n```js\nx  = 1\n```\n[r]: https://x.y\n',
      ),
      'Title\nOne two.\nMind this.\n1. a\n2. b\n• done\nA · B\n1 · 2\nInside\nx  = 1',
    );
  });
});
