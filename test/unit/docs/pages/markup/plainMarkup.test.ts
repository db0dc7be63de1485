import assert from 'node:assert/strict';
import { findPlainHtml, parseHtml } from '../../../../../src/docs/pages/markup/htmlPieces';
import { parseMdx, readPlainMdx } from '../../../../../src/docs/pages/markup/mdxPieces';

/** Returns a source of numbers that look random and are the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

function texts(parts: readonly string[], count: number, maxLength: number): string[] {
  const roll = dice(7);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + roll(maxLength) }, () => parts[roll(parts.length)] ?? '').join(''),
  );
}

const htmlParts = [
  ...['\n', '\n', '\n', ' ', '  ', '    ', '# ', '## Title', '| a | b |', 'text', 'é😀'],
  ...['<a id="x">', '</a>', '<b>', '</b >', '<br/>', '<br />', '<i x=1 y>', "<em t='`'>", '<b\nc>'],
  ...['<div>', '</div>', '<p>', '<X>', '<pre>', '<a', '>', '<', '</', '/>', '<!-- c -->', '<?p?>'],
  ...['<https://x.y/z>', '<a@b.c>', '<a@-b>', '<mailto:a`b>', '<a:>', '<ab:c d>', '<b:c>'],
  ...['`', '``', '`x`', '\\', '\\`', '\\<', '*', '**', '_', '- ', '1. ', '> ', '---', '==='],
  ...['[', ']', '(', ')', '](x)', '](<b>)', '[a](#b "<i>")', '[a]: <b>', '[a][<b>]', '![', '&lt;'],
];

const mdxParts = [
  ...['\n', '\n', '\n', '\n\n', ' ', '    ', '# ', 'text', '| a |', '- ', '1. ', '> ', '```', '`'],
  ...[
    '<Note>',
    '</Note>',
    '\n<Note>\n',
    '\n</Note>\n',
    '<A.B c />',
    '<A:b>',
    '<>',
    '</>',
    '</A b>',
  ],
  ...[
    '<Tab title="x">',
    "<T a='b\nc' d>",
    '<T a={1} b={"{"}>',
    '<T a={[{b: `c`}]} />',
    '<T {...p} />',
  ],
  ...[
    '\n<T\n  a={[\n    { b: 1 },\n\n    { c: "d" },\n  ]}\n/>\n',
    '<T a=',
    '{',
    '}',
    '{x}',
    '{/* c */}',
  ],
  ...[
    '"',
    "'",
    '/>',
    '>',
    '<',
    '</',
    '=',
    '\\',
    '<T a={}>',
    '<T a="&amp;" />',
    '<T a={x y}>',
    '---',
  ],
];

describe('Markup that is read without a parser', () => {
  it('has the HTML that the parser of Markdown finds', () => {
    let plain = 0;
    for (const text of texts(htmlParts, 6_000, 9)) {
      const found = findPlainHtml(text);
      if (!found) continue;
      plain++;
      assert.deepEqual(found, parseHtml(text), JSON.stringify(text));
    }
    assert.ok(plain > 500, `only ${plain} texts were plain`);
  });

  it('has the tags and values that the parser of MDX finds', () => {
    let plain = 0;
    const scope = new Map([['x', 'y']]);
    for (const text of texts(mdxParts, 6_000, 7)) {
      const found = readPlainMdx(text, scope);
      if (!found) continue;
      plain++;
      assert.deepEqual(found, parseMdx(text, scope), JSON.stringify(text));
    }
    assert.ok(plain > 500, `only ${plain} texts were plain`);
  });

  it('is what tables, headings with anchors, callouts and data of components are', () => {
    const row = '| <a id="err">ERR</a> | 404 | `<b>` | [#1](https://example.com/1) |';
    assert.equal(findPlainHtml(`| Code | Text |\n|---|---|\n${row}\n${row}`)?.length, 4);
    assert.equal(findPlainHtml('### Usage\n<a id="usage"></a>')?.length, 2);
    assert.equal(
      readPlainMdx('<Note type="warning">\n  Some *text*.\n</Note>', new Map())?.length,
      2,
    );
    const data =
      "<Properties\n  content={[\n    { name: 'a', type: 'b' },\n\n    { name: 'c' },\n  ]}\n/>";
    assert.equal(readPlainMdx(data, new Map())?.length, 1);
  });
});
