import assert from 'node:assert/strict';
import { partOf } from '../../../../../src/docs/pages/markup/fileParts';
import { includesOf } from '../../../../../src/docs/pages/markup/lines';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

describe('A file that a page of Markdown includes', () => {
  const lines = [
    '<!--@include: ./part.md-->',
    '{{#include part.md}}',
    '{{% include "/guide/part.md" %}}',
    '{{< include "part.md" >}}',
    '{% include-markdown "part.md" %}',
    '{% include "./part.md" %}',
    '--8<-- "part.md"',
    '[!INCLUDE [Part](part.md)]',
  ];
  const files = new Map([['guide/part.md', '---\ntitle: Part\n---\n# Owls\n\nOwls *hunt*.\n']]);
  for (const line of lines) {
    it(`is shown in its place: ${line}`, () => {
      assert.equal(includesOf('guide/a.md', line).length, 1);
      const { text, problems } = readPage('guide/a.md', `A\n\n${line}\n\nB`, files);
      assert.deepEqual(problems, []);
      assert.equal(text.replace(/\n{2,}/g, '\n'), 'A\n# Owls\nOwls *hunt*.\nB');
    });
  }

  for (const line of lines) {
    it(`is shown in its place right below a text: ${line}`, () => {
      const { text, problems } = readPage('guide/a.md', `A\n${line}\nB`, files);
      assert.deepEqual(problems, []);
      assert.equal(text.replace(/\n{2,}/g, '\n'), 'A\n# Owls\nOwls *hunt*.\nB');
    });
  }

  it('is found from the folders above the page', () => {
    const below = new Map([['content/includes/a.md', 'Owls']]);
    const page = '{% include-markdown "includes/a.md" %}';
    assert.equal(readPage('content/start/page.md', page, below).text, 'Owls');
  });

  it('is named where the page shows how to include it', () => {
    const page = '```hbs\n\\{{#include guide/part.md}}\n```';
    const shown = '```hbs\n{{#include guide/part.md}}\n```';
    assert.equal(readPage('a.md', page, files).text, shown);
  });

  it('is a problem if it is missing or includes itself', () => {
    const { problems } = readPage('a.md', '{{#include no.md}}\n\nA');
    assert.deepEqual(problems, [{ line: 1, reason: 'no.md does not exist' }]);
    const itself = readPage('a.md', '{{#include b.md}}', new Map([['b.md', '{{#include b.md}}']]));
    assert.match(itself.problems[0]?.reason ?? '', /includes itself/);
  });

  it('is code within code, with the indentation of its line', () => {
    const code = new Map([['listings/main.rs', 'a\n  // ANCHOR: b\n  b\n\n  // ANCHOR_END: b\n']]);
    const page =
      '- x\n\n  ```rust\n  {{#rustdoc_include ../listings/main.rs:b}}\n  {{#include no.rs}}\n  ```';
    assert.equal(
      readPage('src/a.md', page, code).text,
      '- x\n\n  ```rust\n    b\n\n  {{#include no.rs}}\n  ```',
    );
  });

  it('can be some of its lines', () => {
    const content = 'a\n# [start:x]\nb\n# [end:x]\nc\n';
    assert.equal(partOf(content, ''), 'a\nb\nc');
    assert.equal(partOf(content, 'x'), 'b');
    assert.equal(partOf(content, '3'), 'b');
    assert.equal(partOf(content, '3:'), 'b\n# [end:x]\nc');
    assert.equal(partOf(content, '1:1'), 'a');
    assert.equal(partOf(content, ':1'), 'a');
    assert.equal(partOf(content, '1,5'), 'a\nc');
    assert.equal(partOf(content, 'no'), 'a\nb\nc');
  });

  for (const [part, text] of [
    ['{6,}', 'Two.'],
    ['{,5}', 'One.'],
    ['{4,4}', 'One.'],
    ['#owls', 'Two.'],
    ['#gone', 'One.\n\nTwo.'],
  ] as const) {
    it(`can be a part of a page of VitePress: ${part}`, () => {
      const line = `<!--@include: ./part.md${part}-->`;
      assert.deepEqual(includesOf('guide/a.md', line), ['./part.md']);
      const page =
        '---\ntitle: Part\n---\nOne.\n\n<!-- #region owls -->\nTwo.\n<!-- #endregion owls -->\n';
      const below = new Map([['guide/part.md', page]]);
      const shown = readPage('guide/a.md', line, below).text.trim();
      assert.equal(shown.replace(/\n{3,}/g, '\n\n'), text);
    });
  }

  for (const [anchor, text] of [
    ['base-part', 'One.\n\n### Sub\n\n```md\n## Code\n```'],
    ['own', 'Two.'],
    ['sub', '```md\n## Code\n```'],
    ['code', '## Base *part*\n\nOne.\n\n### Sub\n\n```md\n## Code\n```\n\n## Other {#own}\n\nTwo.'],
  ] as const) {
    it(`can be the section of a heading in a page of VitePress: ${anchor}`, () => {
      const page =
        '---\ntitle: Part\n---\n## Base *part*\n\nOne.\n\n### Sub\n\n```md\n## Code\n```\n\n## Other {#own}\n\nTwo.\n';
      const below = new Map([['guide/part.md', page]]);
      const line = `<!--@include: ./part.md#${anchor}-->`;
      assert.equal(readPage('guide/a.md', line, below).text.trim(), text);
    });
  }

  it('can be the section of a heading in any script', () => {
    const below = new Map([['part.md', '## 速率 限制\n\n一。\n\n## 密钥\n\n二。\n']]);
    for (const line of [
      '<!--@include: ./part.md#速率-限制-->',
      '<!-- @include: ./part.md#速率-限制 -->',
    ])
      assert.equal(readPage('a.md', line, below).text.trim(), '一。');
  });

  it('is code on a line of its own, as in the docs of FastAPI', () => {
    const line = '{* src/a.py ln[2:3] hl[3] *}';
    assert.deepEqual(includesOf('docs/a.md', line), ['src/a.py']);
    const code = new Map([['src/a.py', 'one\ntwo\nthree\nfour\n']]);
    assert.equal(readPage('docs/a.md', `A\n\n${line}`, code).text, 'A\n\n```py\ntwo\nthree\n```');
    assert.equal(readPage('docs/a.md', `A\n${line}`, code).text, 'A\n\n```py\ntwo\nthree\n```');
    const missing = readPage('docs/a.md', `A\n\n${line}`);
    assert.equal(missing.text, 'A\n\nsrc/a.py');
    assert.deepEqual(missing.problems, [{ line: 3, reason: 'src/a.py does not exist' }]);
  });

  for (const [line, shown] of [
    ['[!code-csharp[Main](../src/a.cs#L2-L3)]', 'one\n// </b>'],
    ['[!code-csharp[](../src/a.cs?range=2,4-5&highlight=1 "Title")]', 'one\n#region c\ntwo'],
    ['[!code-csharp[Main](../src/a.cs?name=b&highlight=1)]', 'one'],
    ['[!code-csharp[Main](../src/a.cs#c)]', 'two'],
    ['[!code-csharp[Main](../src/a.cs)]', '// <b>\none\n// </b>\n#region c\ntwo\n#endregion'],
  ] as const) {
    it(`is code of DocFX: ${line}`, () => {
      assert.deepEqual(includesOf('docs/a.md', line), ['../src/a.cs']);
      const code = new Map([['src/a.cs', '// <b>\none\n// </b>\n#region c\ntwo\n#endregion\n']]);
      assert.equal(
        readPage('docs/a.md', `A\n\n${line}\n\nB`, code).text.replace(/\n{3,}/g, '\n\n'),
        `A\n\n\`\`\`csharp\n${shown}\n\`\`\`\n\nB`,
      );
    });
  }

  it('can have no ending in MkDocs', () => {
    const page = '--8<-- "LICENSE"\n\n```\n--8<-- "legal/.notice"\n```';
    assert.deepEqual(includesOf('a.md', page), ['LICENSE', 'legal/.notice']);
    const legal = new Map([
      ['LICENSE', 'Free.\n'],
      ['legal/.notice', 'Thanks.\n'],
    ]);
    const { text } = readPage('a.md', page, legal);
    assert.equal(text.replace(/\n{3,}/g, '\n\n'), 'Free.\n\n```\nThanks.\n```');
    assert.deepEqual(includesOf('a.md', '--8<-- "https://docs.example/part.md"'), []);
  });

  it('without an ending is the file of this name before one with an ending', () => {
    const legal = new Map([
      ['docs/LICENSE.md', 'Page.\n'],
      ['LICENSE', 'Free.\n'],
    ]);
    assert.equal(readPage('docs/a.md', '--8<-- "LICENSE"', legal).text.trim(), 'Free.');
  });

  it('stands with others between two marks of MkDocs', () => {
    const page =
      'A\n\n--8<--\ndocs/one.md\n\n"two.md"\n--8<--\n\n```js\n--8<--\nthree.js:1:1\n--8<--\n```';
    assert.deepEqual(includesOf('a.md', page), ['docs/one.md', 'two.md', 'three.js']);
    const parts = new Map([
      ['docs/one.md', 'One.\n'],
      ['two.md', 'Two.\n'],
      ['three.js', 'three();\nfour();\n'],
    ]);
    assert.equal(
      readPage('a.md', page, parts).text.replace(/\n{3,}/g, '\n\n'),
      'A\n\nOne.\n\nTwo.\n\n```js\nthree();\n```',
    );
    const open = 'A\n\n--8<--\n\nB';
    assert.equal(readPage('a.md', open, parts).text, open);
  });

  it('is code of DocFX below a step of a list', () => {
    const code = new Map([['a.cs', 'one\n']]);
    const page = '1. First:\n\n   [!code-csharp[Main](a.cs)]\n\n2. Then.';
    assert.equal(
      readPage('a.md', page, code).text.replace(/\n{3,}/g, '\n\n'),
      '1. First:\n\n   ```csharp\n   one\n   ```\n\n2. Then.',
    );
  });

  it('is code of VitePress below a step of a list', () => {
    const code = new Map([['a.ts', 'one\n']]);
    const page = '1. First:\n\n   <<< ./a.ts\n\n2. Then.';
    assert.equal(
      readPage('a.md', page, code)
        .text.trim()
        .replace(/\n{3,}/g, '\n\n'),
      '1. First:\n\n   ```ts\n   one\n   ```\n\n2. Then.',
    );
  });

  it('is an example of mdBook', () => {
    const line = '{{#playground a.rs editable}}';
    assert.deepEqual(includesOf('src/a.md', line), ['a.rs']);
    const code = new Map([['src/a.rs', '# use b;\nfn main() {}\n']]);
    assert.equal(
      readPage('src/a.md', `{{#title Owls}}\n# A\n\n${line}`, code).text.trim(),
      '# A\n\n```rs\nfn main() {}\n```',
    );
  });

  it('is no page of MDX', () => {
    assert.deepEqual(includesOf('a.mdx', '{{#include part.md}}'), []);
  });
});
