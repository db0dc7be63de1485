import assert from 'node:assert/strict';
import { styleAddresses } from '../../../../src/export/check/styleLinks';
import { brokenOf, checked, fetchesOf, page } from './site';

const read = (css: string): string[] =>
  styleAddresses(css).map(({ kind, address }) => `${kind} ${address}`);

describe('styleAddresses', () => {
  const cases: Record<string, readonly string[]> = {
    'a { background: url(a.png) }': ['image a.png'],
    'a { background: URL( "a b.png" ) }': ['image a b.png'],
    'a { background: \\75rl(a.png) }': ['image a.png'],
    'a { background: url(a\\(1\\).png) }': ['image a(1).png'],
    "a { background: url('a.png'), url(b.png) }": ['image a.png', 'image b.png'],
    'a { background: src("a.png") }': ['image a.png'],
    'a { background: image-set("a.png" type("image/png") 1x, url(b.png) 2x) }': [
      'image a.png',
      'image b.png',
    ],
    'a { background: -webkit-image-set(url(a.png) 1x) }': ['image a.png'],
    'a { --image: url(a.png) }': ['image a.png'],
    '@import "a.css";': ['style a.css'],
    "@import url('a.css') layer(x) supports(display: grid) screen;": ['style a.css'],
    '@import url(a.css);@import "b.css" print;': ['style a.css', 'style b.css'],
    '@IMPORT "a.css"': ['style a.css'],
    '@font-face { font-family: "A b"; src: local("A"), url(a.woff2) format("woff2"), url(a.woff) }':
      ['font a.woff2', 'font a.woff'],
    '@media print { @font-face { src: url(a.woff2) } a { cursor: url(a.cur), auto } }': [
      'font a.woff2',
      'image a.cur',
    ],
    '@media (min-width: 1px) { a { mask: url(a.svg#m) } }': ['image a.svg#m'],
    'a { fill: url(#gradient) }': [],
    'a { background: url() }': [],
    'a { content: "url(a.png)" }': [],
    '/* url(a.png) @import "a.css" */ a {}': [],
    '@namespace svg url(http://www.w3.org/2000/svg);': [],
    '@charset "utf-8"; a { color: red }': [],
    'a::after { content: "src" attr(data-url) }': [],
    'a { background: url(a.png': ['image a.png'],
    'a { background: url("a.png\n") }': [],
    '} url(a.png) { ]': ['image a.png'],
  };
  for (const [css, expected] of Object.entries(cases)) {
    it(`reads ${css}`, () => {
      assert.deepEqual(read(css), expected);
    });
  }
});

describe('Check Bundle on style sheets', () => {
  it('resolves their URLs relative to the style sheet', async () => {
    const report = await checked({
      'index.html': page('', '<link rel="stylesheet" href="assets/a.css">'),
      'assets/a.css':
        '\ufeff@import "more/b.css";\n\na { background: url(../images/a.png) }\nb { background: url(images/a.png) }\n',
      'assets/more/b.css': '@font-face {\n  src: url(gone.woff2) }',
      'images/a.png': '',
    });
    assert.deepEqual(brokenOf(report), [
      'assets/a.css:4 images/a.png → missing-file',
      'assets/more/b.css:2 gone.woff2 → missing-file',
    ]);
    assert.deepEqual(report.broken[0], {
      kind: 'image',
      address: 'images/a.png',
      reason: 'missing-file',
      file: 'assets/a.css',
      line: 4,
      column: 21,
      endColumn: 33,
      suggestion: undefined,
    });
  });

  it('lists what they load from other hosts', async () => {
    const report = await checked({
      'index.html': page(''),
      'a.css':
        '@import url(//fonts.example.com/css2?family=A);\n@font-face { src: url("https://f.example.com/a.woff2") }',
    });
    assert.deepEqual(fetchesOf(report), [
      'style //fonts.example.com/css2',
      'font https://f.example.com/a.woff2',
    ]);
  });

  it('does not read a style sheet that is only offered for download, unless something loads it', async () => {
    const offered = { 'theme.css': '@import "gone.css";' };
    const link = '<a href="theme.css">x</a>';
    assert.equal((await checked({ 'index.html': page(link), ...offered })).brokenCount, 0);
    const loaded = { 'a.css': '@import "theme.css";', ...offered };
    assert.equal((await checked({ 'index.html': page(link), ...loaded })).brokenCount, 1);
  });
});
