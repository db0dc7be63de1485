import assert from 'node:assert/strict';
import gfm from '../../../fixtures/gfm.json';
import { unfinished, whole, htmlOf, everyCut } from './renderedHtml';

/** The beginning of a text, and the HTML that is shown when only this much has come. */
const shown: readonly (readonly [text: string, html: string])[] = [
  // Links
  ['See [the', '<p>See the</p>\n'],
  ['See [the guide](', '<p>See the guide</p>\n'],
  ['See [the guide](https://a.exam', '<p>See the guide</p>\n'],
  ['See [the guide](https://a.example "Ti', '<p>See the guide</p>\n'],
  ['See [the guide][re', '<p>See the guide</p>\n'],
  ['See [the guide][ref] and', '<p>See [the guide][ref] and</p>\n'],
  ['See [`co', '<p>See <code>co</code></p>\n'],
  ['See ![a picture](https://a.exam', '<p>See a picture</p>\n'],
  ['See [x] of it', '<p>See [x] of it</p>\n'],
  ['See https://a.example/gui', '<p>See https://a.example/gui</p>\n'],
  ['See <https://a.exam', '<p>See https://a.exam</p>\n'],
  ['See www.a.exam', '<p>See www.a.exam</p>\n'],
  // Emphasis and code
  ['so **bol', '<p>so <strong>bol</strong></p>\n'],
  ['so **', '<p>so </p>\n'],
  ['so **bold*', '<p>so <strong>bold</strong></p>\n'],
  ['so ***both', '<p>so <em><strong>both</strong></em></p>\n'],
  ['so *one **two', '<p>so <em>one <strong>two</strong></em></p>\n'],
  ['so **done** and _mor', '<p>so <strong>done</strong> and <em>mor</em></p>\n'],
  ['so ~~gon', '<p>so <s>gon</s></p>\n'],
  ['so `cod', '<p>so <code>cod</code></p>\n'],
  ['so ``a`', '<p>so <code>a</code></p>\n'],
  ['so `', '<p>so </p>\n'],
  ['2 * 3', '<p>2 * 3</p>\n'],
  ['snake_case_na', '<p>snake_case_na</p>\n'],
  ['so \\', '<p>so </p>\n'],
  ['a &am', '<p>a </p>\n'],
  ['a<b', '<p>a</p>\n'],
  ['a<br', '<p>a</p>\n'],
  ['a <scr', '<p>a &lt;scr</p>\n'],
  // Marks that begin a block
  ['text\n-', '<p>text</p>\n'],
  ['text\n- ', '<p>text</p>\n'],
  ['text\n=', '<p>text</p>\n'],
  ['text\n\n#', '<p>text</p>\n'],
  ['text\n\n1', '<p>text</p>\n'],
  ['text\n\n1.', '<p>text</p>\n'],
  ['text\n``', '<p>text</p>\n'],
  ['text\n```ty', '<p>text</p>\n'],
  ['- a\n  -', '<ul>\n<li>a</li>\n</ul>\n'],
  ['- a\n- [', '<ul>\n<li>a</li>\n</ul>\n'],
  ['- a\n- [x', '<ul>\n<li>a</li>\n</ul>\n'],
  ['- a\n- [x]', '<ul>\n<li>a</li>\n</ul>\n'],
  ['> [!NO', ''],
  ['> a\n> -', '<blockquote>\n<p>a</p>\n</blockquote>\n'],
  ['text\n\n[a]:', '<p>text</p>\n'],
  // Tables
  ['| a', '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n</table>\n'],
  ['| a | b |\n', '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table>\n'],
  ['| a | b |\n|-', '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n</table>\n'],
  ['| a |\n| no', '<p>| a |\n| no</p>\n'],
  // Footnotes and formulas
  ['so[^', '<p>so</p>\n'],
  ['so[^1', '<p>so</p>\n'],
  ['so[^1]', '<p>so<sup class="footnote-ref" data-footnote="1">1</sup></p>\n'],
  ['so \\(a^2', '<p>so <span data-math="inline">a^2</span></p>\n'],
  ['so \\(wor', '<p>so (wor</p>\n'],
  ['it costs $5', '<p>it costs $5</p>\n'],
  ['it costs $$5 or $6 a year', '<p>it costs $$5 or $6 a year</p>\n'],
  ['text\n\n$$', '<p>text</p>\n'],
];

describe('the end of a growing text', () => {
  for (const [text, html] of shown) {
    it(`shows ${JSON.stringify(text)} as it will be`, () => {
      assert.equal(unfinished(text), html);
    });
  }

  it('is exact once the text has ended', () => {
    assert.equal(htmlOf(whole('so **bol')), '<p>so **bol</p>\n');
    assert.equal(htmlOf(whole('[the')), '<p>[the</p>\n');
    assert.equal(htmlOf(whole('text\n-')), '<h4>text</h4>\n');
    assert.equal(htmlOf(whole('| a | b |')), '<p>| a | b |</p>\n');
    assert.equal(htmlOf(whole('so[^1]')), '<p>so[^1]</p>\n');
  });

  it('is exact behind a paragraph that is complete', () => {
    assert.equal(unfinished('so **bol\n\n'), '<p>so **bol</p>\n');
  });

  it('never shows half a marker of what it becomes', () => {
    const markdown =
      'Here is **bold**, *it*, `code`, ~~gone~~, [a link](https://a.example/x "t") and ![i](y).\n' +
      '- one **two**\n- [x] three\n\n1. `four`\n2. five[^1]\n\n| a | b |\n|---|:-:|\n| **c** | d |\n\n' +
      '> [!NOTE]\n> text\n\n```ts\nlet a;\n```\n\n## Head *ing*\n\n[^1]: note\n';
    for (const cut of everyCut(markdown)) {
      const html = unfinished(markdown.slice(0, cut));
      const text = html.replace(/<pre[^]*?<\/pre>/g, '').replace(/<[^>]*>/g, '');
      // An exclamation mark is one far more often than it begins an image.
      const visible = text.replace(/!\s*$/, '');
      assert.doesNotMatch(visible, /[*`~[\]|#!]|---|\]\(|https:/, JSON.stringify(visible));
    }
  });

  it('makes no heading of a paragraph above a list that begins', () => {
    for (const text of ['Here:\n- item', 'Here:\n\n1. a\n   - item', '> Here:\n> - item']) {
      for (const cut of everyCut(text)) {
        assert.doesNotMatch(unfinished(text.slice(0, cut)), /<h\d/, text.slice(0, cut));
      }
    }
  });

  it('never links to half an address', () => {
    const text =
      'a https://docs.acme.com.evil.example/x [b](https://a.example/long "t") www.b.example/z ';
    const whenWhole = [
      'https://docs.acme.com.evil.example/x',
      'https://a.example/long',
      'http://www.b.example/z',
    ];
    for (const cut of everyCut(text)) {
      for (const [, href] of unfinished(text.slice(0, cut)).matchAll(/href="([^"]*)"/g)) {
        assert.ok(whenWhole.includes(href ?? ''), href);
      }
    }
  });

  it('keeps tags balanced at every cut of every example', () => {
    for (const { markdown } of gfm) {
      for (const cut of everyCut(markdown)) {
        const html = unfinished(markdown.slice(0, cut));
        const open: string[] = [];
        for (const [, slash, tag = ''] of html.matchAll(/<(\/?)([a-z]\w*)[^>]*>/g)) {
          if (slash === '/') assert.equal(open.pop(), tag, html);
          else if (!['br', 'hr'].includes(tag)) open.push(tag);
        }
        assert.deepEqual(open, [], html);
      }
    }
  });
});
