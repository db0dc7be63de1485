import assert from 'node:assert/strict';
import { wikiMarkupAsMarkdown } from '../../../../../src/docs/pages/markup/wikiMarkup';

const changed = [
  ['links', '[[Owl house]] and [[Setup#Keys|keys]], [[#Food]]', 'Owl house and keys, Food'],
  ['links of GitHub to pages', '[[Getting-Started]]', 'Getting-Started'],
  ['links in tables', '| [[Owls\\|the owls]] |', '| the owls |'],
  ['links to paragraphs', '[[Owl house#^8f3a21]]', 'Owl house'],
  ['links to parts', '[[Owls#Food]]', 'Owls > Food'],
  ['images', '![[a b.png|300]] ![[c.png|A cat]]', '![](<a b.png>) ![A cat](c.png)'],
  ['images of GitHub', '[[images/a.png|alt=An owl|width=9]]', '![An owl](images/a.png)'],
  ['embedded pages', '![[owls]]', 'owls'],
  ['highlights', 'A ==very big== owl', 'A very big owl'],
  ['comments', 'A %%not shown%% owl\n%%\nB\n%%\nC', 'A  owl\nC'],
  ['names of paragraphs', 'An owl ^8f3a21\n\n^owls', 'An owl\n\n'],
  ['diagrams', '::: mermaid\nA --> B\n:::\n\nC', '```mermaid\nA --> B\n```\n\nC'],
] as const;

const kept = [
  '[[_TOC_]]',
  'The [[Prototype]] of an object, its [[Get]]s, and %%API_URL%%',
  'The [[bin]] table and [[1, 2], [3]] and [[ -f a ]]',
  '[[Owls]](a.md) [[Owls]][b] a[[Owls]]',
  '[[Owls]]\n\n[Owls]: a.md',
  '`[[Owls]]` and `==a==`\n```\n[[Owls]] ==a==\n```',
  '%%time and %%timeit, a == b == c, x ^2',
  '%%\nA',
  '::: note\nA\n:::',
];

describe('Markup of wikis', () => {
  for (const [kind, source, markdown] of changed) {
    it(`has ${kind} as Markdown`, () => {
      assert.equal(wikiMarkupAsMarkdown(source), markdown);
    });
  }
  for (const source of kept) {
    it(`is told from other text: ${source.replaceAll('\n', '⏎')}`, () => {
      assert.equal(wikiMarkupAsMarkdown(source), source);
    });
  }
});
