import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';
import { includesOf } from '../../../../../src/docs/pages/markup/lines';

function read(source: string, files?: ReadonlyMap<string, string>): string {
  return readPage('guide/a.md', source, files)
    .text.replace(/\n(?:[ \t]*\n)+/g, '\n\n')
    .trim();
}

const note = (text: string, kind = 'note'): string =>
  `<aside class="${kind}">\n\n${text}\n\n</aside>`;

describe('A page of MyST', () => {
  const cases: readonly [what: string, source: string, text: string][] = [
    [
      'has callouts between backticks and colons, without their options',
      '```{note}\nA **b**.\n```\n\n:::{admonition} Mind **this**\n:class: tip dropdown\n:name: x\n\nB\n:::\n\n```{seealso}\n---\nclass: y\n---\nC\n```',
      [note('A **b**.'), note('Mind **this**\n\nB', 'tip'), note('**See also**\n\nC')].join('\n\n'),
    ],
    [
      'tells the version of a change',
      ':::{versionadded} 2.1\nA\n:::\n\n```{deprecated} 3.0\n```',
      [
        note('**New in version 2.1**\n\nA'),
        '<aside class="note">\n\n**Deprecated since version 3.0**\n\n</aside>',
      ].join('\n\n'),
    ],
    [
      'has code with its language and its caption',
      '```{code-block} python3\n:caption: main.py\n:linenos:\n\na = 1\n```\n\n:::{code-block} sh\n# run\n:::\n\n```{mermaid}\na-->b\n```\n\n```{python}\nb = 2\n```',
      '```python title="main.py"\na = 1\n```\n\n```sh\n# run\n```\n\n```\na-->b\n```\n\n```python\nb = 2\n```',
    ],
    [
      'has directives within directives, also in lists',
      '::::{tab-set}\n:::{tab-item} Linux\n1. Run\n\n   ```{warning}\n   Slow.\n   ```\n:::\n::::',
      '<a id="linux">\n\n**Linux**\n\n1. Run\n\n   <aside class="warning">\n\n   Slow.\n\n   </aside>',
    ],
    [
      'has definitions and names of an API with their text',
      ':::{admonition} Terms\nOwl\n: hunts\n:::\n\n```{py:function} run(a)\nRuns.\n```',
      `${note('**Terms**\n\n- **Owl**\\\n    hunts')}\n\n**\`run(a)\`**\n\nRuns.`,
    ],
    [
      'has images',
      '```{figure} a b.png\n:alt: An owl\n\nThe owl\n```\n\n```{image} c.png\n:width: 2\n```',
      '![An owl](<a b.png>)\n\nThe owl\n\n![](c.png)',
    ],
    [
      'shows nothing that only its build reads',
      ':orphan:\n\n(start)=\n# Start\n\n% later\n\n```{toctree}\n:hidden:\na\n```\n\n+++ {"a": 1}\n\nText.',
      '# Start\n\nText.',
    ],
    [
      'shows the text of roles',
      'See {ref}`the guide <x-y>`, {ref}`install-linux`, {doc}`/a/first-steps`, {py:class}`~a.b.Owl`, {meth}`.Owl.fly`, {kbd}`Ctrl`, {octicon}`gear`{sup}`1` and {term}`nest\neggs`.',
      'See the guide, Install linux, First steps, `Owl`, `Owl.fly`, `Ctrl`, 1 and nest\neggs.',
    ],
    [
      'keeps backticks that stand alone, and reads on behind them',
      'Type `` first, {kbd}`Ctrl` and then ```a.',
      'Type `` first, `Ctrl` and then ```a.',
    ],
    [
      'names links without a text after where they lead',
      '(a)=\n[](first-steps.md), [](#set-up), [](Owl.max_age), [](inv:x#*.Owl.fly), <project:b.md#eggs> and <inv:x#fly_high>.',
      '[First steps](first-steps.md), Set up, `Owl.max_age`, `Owl.fly`, [Eggs](b.md#eggs) and `fly_high`.',
    ],
    [
      'has fields as a list',
      '(a)=\n:name: The owl\n:max-age: Its **age**',
      '- **name**: The owl\n- **max-age**: Its **age**',
    ],
    [
      'has the rows of a list as a table',
      '```{list-table} Owls\n:header-rows: 1\n:widths: 10 20\n\n* - Name\n  - What it {ref}`x` eats,\n    a | b\n\n* - **Barn**\n  -\n* - Long\n```',
      '**Owls**\n\n| Name | What it X eats, a \\| b |\n| --- | --- |\n| **Barn** |  |\n| Long |',
    ],
    [
      'has an empty head in a table whose rows are all alike',
      ':::{list-table}\n- * A\n  * B\n:::',
      '|  |  |\n| --- | --- |\n| A | B |',
    ],
    [
      'keeps a list whose items no table can have',
      ':::{list-table}\n* - A\n  - B\n\n    - C\n:::',
      '* - A\n  - B\n\n    - C',
    ],
    [
      'is not read within code',
      '(a)=\n`` {ref}`x` ``\n\n````md\n```{note}\n(b)=\n% c {ref}`x`\n```\n````',
      '`` {ref}`x` ``\n\n````md\n```{note}\n(b)=\n% c {ref}`x`\n```\n````',
    ],
  ];
  for (const [what, source, text] of cases) {
    it(what, () => {
      assert.equal(read(source), text);
    });
  }

  it('includes code and pages', () => {
    const source =
      '```{literalinclude} ../a.py\n:lines: 2-3\n:language: python\n```\n\n:::{include} part.md\n:::\n\n```{literalinclude} b.py\n```';
    assert.deepEqual(includesOf('guide/a.md', source), ['../a.py', 'b.py', 'part.md']);
    const files = new Map([
      ['a.py', 'one\ntwo\nthree\nfour\n'],
      ['guide/part.md', '---\ntitle: x\n---\n\nA part.\n'],
    ]);
    assert.equal(read(source, files), '```python\ntwo\nthree\n```\n\nA part.\n\nb.py');
  });

  const parts: readonly [options: string, code: string][] = [
    [':lines: 1,3-4', 'one\nthree\n# end'],
    [':lines: 4-', '# end\nfive'],
    [':start-after: one\n:end-before: "# end"', 'two\nthree'],
    [':start-at: two\n:end-at: three', 'two\nthree'],
    [':end-before: two', 'one'],
    [':start-after: no such line', 'one\ntwo\nthree\n# end\nfive'],
  ];
  for (const [options, code] of parts)
    it(`includes the code that its options name: ${options.replaceAll('\n', ' ')}`, () => {
      const files = new Map([['guide/a.py', 'one\ntwo\nthree\n# end\nfive\n']]);
      const source = `\`\`\`{literalinclude} a.py\n${options}\n\`\`\``;
      assert.equal(read(source, files), `\`\`\`py\n${code}\n\`\`\``);
    });

  for (const [options, text] of [
    [':start-after: "<!-- start -->"\n:end-before: <!-- end (1) -->', 'The text.'],
    [':start-line: 2\n:end-line: 3', 'The text.'],
    [':start-line: 4', 'More.'],
  ] as const)
    it(`includes the part of a page that its options name: ${options.replaceAll('\n', ' ')}`, () => {
      const readme = '# Wren\n<!-- start -->\nThe text.\n<!-- end (1) -->\nMore.\n';
      const source = `\`\`\`{include} ../README.md\n${options}\n\`\`\``;
      assert.equal(read(source, new Map([['README.md', readme]])), text);
    });

  it('has directives of any number and depth in linear time', () => {
    // Reading in quadratic time exceeds the limit of the test.
    for (const line of [':::{note}', '```{note}', '{ref}`a <', '(a)=', '[](a'])
      assert.ok(read(`(a)=\n${`${line}\n`.repeat(20_000)}`).length > 0 || line === '(a)=');
  });
});

describe('A page without MyST', () => {
  const source = 'A {name}`x` [](a).\n\n% b\n\n:c: d\n\n```{x}\n:e: f\n```';
  it('keeps what only looks like it', () => {
    assert.equal(read(source), source);
  });
});
