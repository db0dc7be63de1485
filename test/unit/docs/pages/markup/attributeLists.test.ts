import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

const read = (source: string): string => readPage('guide.md', source).text;

describe('Lists of attributes', () => {
  const headings: readonly (readonly [written: string, read: string])[] = [
    ['## Clean up {: #clean-up }', '## Clean up {#clean-up}'],
    ['## Clean up {: #clean-up .rule data-toc="Clean up" }', '## Clean up {#clean-up}'],
    ['## Clean up { .rule #clean-up }', '## Clean up {#clean-up}'],
    ['## Clean up {#clean-up}', '## Clean up {#clean-up}'],
    ['## Clean up {:.no_toc}', '## Clean up'],
    ['Clean up {: #clean-up }\n---', 'Clean up {#clean-up}\n---'],
    ['## [Clean](up.md){ .md-button } up {: #clean-up }', '## [Clean](up.md) up {#clean-up}'],
  ];
  for (const [written, plain] of headings) {
    it(`give a heading its ID, and are gone: ${written.replace('\n', '⏎')}`, () => {
      assert.equal(read(written), plain);
    });
  }

  const pieces: readonly (readonly [written: string, read: string])[] = [
    ['[Start](start.md){ .md-button .md-button--primary }', '[Start](start.md)'],
    ['[Start](https://example.com){:target="_blank"}', '[Start](https://example.com)'],
    ['See ![a stork](stork.png){ width="300" align=right }.', 'See ![a stork](stork.png).'],
    ['Run `npm`{.language-sh} and *wait*{: .slow}.', 'Run `npm` and *wait*.'],
    ['[Start][1]{: rel="nofollow" }', '[Start][1]'],
  ];
  for (const [written, plain] of pieces) {
    it(`are gone behind links, images, code and emphasis: ${written}`, () => {
      assert.equal(read(written), plain);
    });
  }

  it('are gone where they are a line of their own, also in a quote, and the lines keep their numbers', () => {
    const written =
      'Pelicans eat fish.\n{: .lead }\n\n> Storks too.\n> {: .note #n }\n\n{ .annotate }';
    assert.equal(read(written), 'Pelicans eat fish.\n\n\n> Storks too.\n>\n\n');
  });

  it('stand for a table of contents, whose item and heading are no text', () => {
    const source =
      '# A\n\n## Contents\n{: .no_toc }\n\n1. TOC\n{:toc}\n\nText.\n\n## B\n\n- b\n{: .c }\n\n```\n* x\n{:toc}\n```';
    const { text } = readPage('a.md', source);
    assert.equal(text.split('\n').length, source.split('\n').length);
    assert.equal(
      text.replace(/\n{2,}/g, '\n\n'),
      '# A\n\nText.\n\n## B\n\n- b\n\n```\n* x\n{:toc}\n```',
    );
  });

  it('give code its language', () => {
    assert.equal(
      read('``` { .py .annotate title="fly.py" }\nx = {: .no }\n```'),
      '```py title="fly.py"\nx = {: .no }\n```',
    );
  });

  it('are read in the snippets of a page', () => {
    const snippet = '## Install {: #install }\n';
    const page = 'import Install from "./_install.mdx"\n\n<Install />';
    const { text } = readPage('guide.mdx', page, new Map([['_install.mdx', snippet]]));
    assert.match(text, /^## Install \{#install\}$/m);
  });

  const kept = [
    'The path `/birds/{id}` and `{: .note }` in code',
    'A set {a, b} and an object { name: "x" } (see {this})',
    'Write `[Start](start.md){ .wide }` for a wide link',
    '(in brackets){ .no } without a link',
    '[Start](start.md) { .apart }',
    '[Start](start.md){ two words }',
    '## Objects such as {a: 1}',
    '```js\n{: .note }\n```',
  ];
  for (const text of kept) {
    it(`are told from other braces: ${text.replaceAll('\n', '⏎')}`, () => {
      assert.equal(read(text), text);
    });
  }
});
