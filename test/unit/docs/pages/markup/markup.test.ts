import assert from 'node:assert/strict';
import { pageMarkdown } from '../../../../../src/docs/pages/pageMarkdown';

/** Returns the page's Markdown, with one blank line in place of several. */
function plain(source: string, path = 'a.mdx'): string {
  return pageMarkdown(path, source)
    .text.replace(/\n(?:[ \t]*\n)+/g, '\n\n')
    .trim();
}

function cases(path: string, table: readonly [what: string, source: string, text: string][]): void {
  for (const [what, source, text] of table) {
    it(what, () => {
      assert.equal(plain(source, path), text);
    });
  }
}

describe('MDX as Markdown', () => {
  cases('a.mdx', [
    [
      'keeps a title with an apostrophe whole',
      `<Card title="Bob's first app" href="/start" />`,
      `<a id="bobs-first-app">\n\n[Bob's first app](/start)`,
    ],
    [
      'keeps quotes and entities of a title',
      `<Step title='Say "hi" &amp; go &lt;on&gt;'>\nText\n</Step>`,
      '<a id="say-hi--go-on">\n\n**Say "hi" & go \\<on\\>**\n\nText',
    ],
    [
      'keeps the underscores of a title in its anchor, as headings do',
      '<Step title="Set max_tokens">\nText\n</Step>',
      '<a id="set-max_tokens">\n\n**Set max_tokens**\n\nText',
    ],
    [
      'keeps name, type, place and need of a field',
      '<ParamField query="limit" type="number" required default="10">\n  How many.\n</ParamField>',
      '**`limit`** · `number` · query · required · default `10`\n\nHow many.',
    ],
    [
      'says nothing of a default that a field does not have',
      '<ParamField query="limit" type="string">\n  How many.\n</ParamField>',
      '**`limit`** · `string` · query\n\nHow many.',
    ],
    [
      'ends callouts within callouts where they begin, and not as code',
      '<Note>\n  <Note>\n    <Note>\n      Text\n    </Note>\n  </Note>\n</Note>',
      '<aside class="note">\n\n<aside class="note">\n\n<aside class="note">\n\nText\n\n</aside>\n\n</aside>\n\n</aside>',
    ],
    [
      'says nothing of a default that is empty',
      '<ParamField query="limit" type="string" default="">\n  How many.\n</ParamField>',
      '**`limit`** · `string` · query\n\nHow many.',
    ],
    [
      'leaves nothing of an expression of several lines behind',
      '<Card title="A" icon={<svg>\n\n  <path d="M0 0" />\n\n</svg>} onClick={() => {\n  go("x");\n}}>\nText\n</Card>',
      '<a id="a">\n\n**A**\n\nText',
    ],
    [
      'leaves nothing of exports with blank lines behind',
      "export const Box = ({ children }) => {\n  const a = 1;\n\n  return <div className='x'>{children}</div>;\n};\n\nText",
      'Text',
    ],
    [
      'leaves nothing of code behind that is TypeScript',
      'export const box = (a: string): Box => {\n  const b = a as Box;\n\n  return b;\n};\n\nText',
      'Text',
    ],
    [
      'writes constants where they are named',
      'export const limit = 100;\nexport const plan = { name: `Team` };\n\nUp to {limit} for {plan.name}.',
      'Up to 100 for Team.',
    ],
    ['writes braces that are text', "A {'{'}brace{'}'} {/* no */}end", 'A {brace} end'],
    [
      'keeps the text of elements in expressions',
      '<Card title="A" description={<>Read <b>all</b> of it</>} />\n\n{flag && <p>Beta only</p>}',
      '<a id="a">\n\n**A**\n\nRead all of it\n\nBeta only',
    ],
    [
      'keeps text and attributes of unknown components',
      '<Foo heading="Read me" note="Two words" icon="star" size={3}>\n  Text\n</Foo>\n\nA <Bar label="New" /> day',
      '**Read me**\n\nTwo words\n\nText\n\nA **New**  day',
    ],
    [
      'keeps data in attributes as a list',
      `<PropertiesTable content={[\n  { name: 'model', type: 'Model', isOptional: true, description: "What's used." },\n  { name: 'a', properties: [{ parameters: [{ name: 'b' }] }] },\n]} />`,
      "- **model** · `Model` · What's used.\n- **a**\n  - **b**",
    ],
    [
      'keeps links of unknown components',
      '<LinkCard title="Go" href="/go" />\n\nRead <Link href="/a b">this *page*</Link>.',
      '[Go](/go)\n\nRead [this *page*](</a b>).',
    ],
    [
      'keeps tabs, their labels as places',
      '<Tabs>\n  <Tab title="One">\n    ## Inner\n\n    - a\n      - b\n  </Tab>\n  <TabItem value="x" label="Two">\n    Text\n  </TabItem>\n</Tabs>',
      '<a id="one">\n\n**One**\n\n## Inner\n\n- a\n  - b\n\n<a id="two">\n\n**Two**\n\nText',
    ],
    [
      'keeps tips of words and captions of frames',
      'An <Tooltip tip="Application Programming Interface">API</Tooltip>.\n\n<Frame caption="The whole">\n  <img src="/a.png" alt="A map" />\n</Frame>',
      'An API (Application Programming Interface).\n\n![A map](/a.png)\n\nThe whole',
    ],
    [
      'keeps the link of a tip after it, with its words once',
      'An <Tooltip tip="Application Programming Interface" cta="Read more" href="/api">API</Tooltip>.',
      'An API (Application Programming Interface) [Read more](/api).',
    ],
    [
      'writes the values of expressions that it can know, and both texts of a condition',
      "export const api = { name: 'Wren', 'max-age': 5, old: [-1, 'a'] };\n\n{api.name + '!'} {api['max-age']} {api.old} {`v${2}`} {isNew ? 'new' : 'old'} {isNew && 'hot'} {unknown}",
      'Wren! 5 -1a v2 new old hot',
    ],
    [
      'keeps the text of elements that expressions make',
      '<ul>\n{[1].map(() => <li>Wrens <b>sing {"here"}</b></li>)}\n</ul>\n\n<Panel body={<p title="Tip">More <i>text</i></p>} />',
      'Wrens sing here\n\nTip More text',
    ],
    [
      'keeps the code of components for code',
      '<CodeBlock title="a.ts" language="ts">\n{`a()\nb()`}\n</CodeBlock>\n\n<CodeBlock lang="js" code="c()" />',
      '```ts title="a.ts"\na()\nb()\n```\n\n```js\nc()\n```',
    ],
    [
      'keeps a field in a line, captions of tables, and what abbreviations mean',
      'Send <ParamField query="page" type="integer" default="1">the page</ParamField>.\n\n<table>\n<caption>All</caption>\n<tr><th>A</th></tr>\n<tr><td><abbr title="Kilobyte">KB</abbr></td></tr>\n</table>',
      'Send **`page`** · `integer` · query · default `1` the page.\n\nAll\n\n| A |\n| --- |\n| KB (Kilobyte) |',
    ],
    [
      'keeps trees of files as lists',
      '<Tree>\n  <Tree.Folder name="src" defaultOpen>\n    <Tree.File name="_app.ts" />\n  </Tree.Folder>\n  <Tree.File name="README.md" />\n</Tree>',
      '- src\n  - \\_app.ts\n- README.md',
    ],
    [
      'keeps components in lists and quotes there',
      '1. One\n\n   <Note>\n     In it.\n   </Note>\n\n2. Two\n\n> <Tip>\n>   Quoted.\n> </Tip>',
      '1. One\n\n   <aside class="note">\n\n   In it.\n\n   </aside>\n\n2. Two\n\n> <aside class="tip">\n>\n>   Quoted.\n>\n> </aside>',
    ],
    [
      'keeps components in tables in their cells',
      '| a | b |\n|---|---|\n| <Badge text="New" /> | <Note>Be *quick*</Note> |',
      '| a | b |\n|---|---|\n| **New**  | Be *quick* |',
    ],
    [
      'keeps elements at the beginning of a row there',
      '| <div style={{minWidth: 1}}>a</div> | b |\n|---|---|\n| <Foo>c</Foo> | <Steps><Step title="One">d</Step></Steps> |',
      '| a | b |\n|---|---|\n| c | **One** d |',
    ],
    [
      'hides what is for agents only, and shows what is for people',
      'A\n\n<Visibility for="agents">\nSecret\n</Visibility>\n\n<Visibility for="humans">\nShown\n</Visibility>',
      'A\n\nShown',
    ],
    [
      'keeps ids of headings, in either notation',
      '## One {#first.one}\n\n## Two {/* #second */}',
      '## One {#first.one}\n\n## Two {#second}',
    ],
    [
      'leaves code alone',
      'Use `<Tag {...a}>` and\n\n```jsx\n<Tag {...a} />\n```',
      'Use `<Tag {...a}>` and\n\n```jsx\n<Tag {...a} />\n```',
    ],
    [
      'keeps a paragraph that begins as an import or an export',
      'import your keys first.\n\nexport them\nlater.\n\n{"End"}',
      'import your keys first.\n\nexport them\nlater.\n\nEnd',
    ],
    [
      'keeps the text right below an import',
      'import A from "./a";\nimport B from "./b";\nSome text.\nMore.\n\nEnd.',
      'Some text.\nMore.\n\nEnd.',
    ],
    [
      'keeps a component within a cell on the line of its row',
      '| a |\n| - |\n| <a href="/b"><Badge label="New" /> b</a> |',
      '| a |\n| - |\n| [**New**  b](/b) |',
    ],
    [
      'keeps text with marks that are no MDX',
      'a < b and {c\n\nMail <me@example.com> or <https://example.com/a>.\n\n<Foo and text.\n\n<!-- no -->Done',
      'a < b and {c\n\nMail <me@example.com> or <https://example.com/a>.\n\n\\<Foo and text.\n\nDone',
    ],
  ]);

  it('says where a page is not MDX', () => {
    const { problems } = pageMarkdown(
      'a.mdx',
      '---\ntitle: A\n---\n\nText\n\n<!-- no -->\n\n<Note>\nText\n</Tip>\n',
    );
    assert.deepEqual(
      problems.map(({ line }) => line),
      [7, 11, 13],
    );
    assert.match(problems[2]?.reason ?? '', /<Note> is never closed/);
  });

  it('leaves a page without elements byte for byte', () => {
    const text = '# A\n\n  - b  \n\n\n    code\n\n~~~\n{x}\n~~~\n\\* end';
    assert.equal(pageMarkdown('a.md', text).text, text);
    assert.equal(pageMarkdown('a.mdx', `<b>x</b>\n\n${text}`).text.slice(7), text);
  });
});

describe('HTML in Markdown as Markdown', () => {
  cases('a.md', [
    [
      'keeps all backticks of code',
      '<p>Use <code>a``b</code> or <code>c`d</code>.</p>',
      'Use ``` a``b ``` or `` c`d ``.',
    ],
    [
      'has the lines of Rust that readers see',
      '1. ```rust,ignore\n   # fn main() {\n   #[a]\n   b();\n   #\n   ## c\n   # }\n   ```\n\n```sh\n# d\n```',
      '1. ```rust,ignore\n   #[a]\n   b();\n   # c\n   ```\n\n```sh\n# d\n```',
    ],
    [
      'is no color of a terminal',
      '```console\n$ run\n<font color="#F92672"><b>Error</b></font> in &lt;a&gt;\n```\n\n```html\n<font color="red">a</font>\n```\n\n```sh\nrun <b>\n```',
      '```console\n$ run\nError in <a>\n```\n\n```html\n<font color="red">a</font>\n```\n\n```sh\nrun <b>\n```',
    ],
    [
      'keeps links and images',
      'Read <a href="/a" target="_blank">the **guide**</a>: <img src="x.png" alt="A map" width="3">.',
      'Read [the **guide**](/a): ![A map](x.png).',
    ],
    [
      'keeps a link around a mark of a footnote',
      'So it is.<a href="/notes">[1]</a>',
      'So it is.[[1]](/notes)',
    ],
    [
      'is read in the later paragraphs of an item',
      '- a\n\n    <b>b</b>\n\n    <b>c</b>',
      '- a\n\n    **b**\n\n    **c**',
    ],
    [
      'keeps images in links of a block',
      '<p align="center">\n  <a href="https://example.com"><img src="x.png" alt="A"></a>\n</p>',
      '[![A](x.png)](https://example.com)',
    ],
    [
      'keeps tables',
      '<table>\n<tr><th>A</th><th>B</th></tr>\n<tr><td>a | b</td><td><a href="/q">c</a><br>d</td></tr>\n</table>',
      '| A | B |\n| --- | --- |\n| a \\| b | [c](/q)<br>d |',
    ],
    [
      'keeps the blocks of a cell on the line of its row',
      '| a | b |\n| - | - |\n| <figure><img src="x.png"></figure> | 1 |\n| <ul><li>c</li><li>d</li></ul> e | <p>f</p>\n| <div id="g"><a href="/h"><p>h</p><p>i</p></a></div> | 2 |\n\nText',
      '| a | b |\n| - | - |\n| ![](x.png) | 1 |\n| - c<br>- d<br>e | f\n| <a id="g"></a>[h<br>i](/h) | 2 |\n\nText',
    ],
    [
      'ends what is open in a cell with the cell, and with the row',
      '| a | b |\n| - | - |\n| Has: <ul><li>c | d |\n| e | <div>f\n\n## Next\n\nText',
      '| a | b |\n| - | - |\n| Has: <br>- c| d |\n| e | f\n\n## Next\n\nText',
    ],
    [
      'is told from a row if its text begins as one',
      '<div><p>| One | Two</p><p>Text</p></div>\n\n<table><tr><td>a</td></tr></table><p>Below</p>',
      '| One | Two\n\nText\n\n|  |\n| --- |\n| a |\n\nBelow',
    ],
    [
      'keeps the rows of a table within a cell',
      '| a | b |\n| - | - |\n| 1 | Has: <table><tr><th>c</th><th>d</th></tr><tr><td>2</td><td>3</td></tr></table> |',
      '| a | b |\n| - | - |\n| 1 | Has: <br>c · d<br>2 · 3 |',
    ],
    [
      'keeps the link within a link, and the row that has both',
      '| a | b |\n| - | - |\n| <a id="c" href="#c">[C](c.md)</a> | 1 |',
      '| a | b |\n| - | - |\n| <a id="c"></a>[C](c.md) | 1 |',
    ],
    [
      'keeps what can be opened',
      '<details id="more">\n<summary>More *of* it</summary>\n\nSome **text**.\n\n</details>',
      '<a id="more">\n\n**More \\*of\\* it**\n\nSome **text**.',
    ],
    [
      'keeps the ids of places',
      '<a id="one"></a>\n\nText<a name="two"></a> here\n\n<h2 id="x.y">Three</h2>\n\n<div id="four">Four</div>',
      '<a id="one"></a>\n\nText<a id="two"></a> here\n\n## Three {#x.y}\n\n<a id="four">\n\nFour',
    ],
    [
      'drops scripts, styles and comments',
      'A<!-- no -->\n\n<script>\n\nx()\n</script>\n\n<style>a{}</style>\n\nB',
      'A\n\nB',
    ],
    [
      'leaves code and other marks alone',
      '`<b>` and a < b\n\n    <b>code</b>\n\n- x\n\n  <https://example.com>',
      '`<b>` and a < b\n\n    <b>code</b>\n\n- x\n\n  <https://example.com>',
    ],
  ]);
});

describe('HTML that never ends', () => {
  it('has its text, however many elements are open', () => {
    const text = plain('<div>Words\n\n'.repeat(600), 'a.md');
    assert.equal(text.match(/Words/g)?.length, 600);
  });
});

describe('containers as Markdown', () => {
  cases('a.md', [
    [
      'keep their titles, nested too',
      '::: tip Be *quick*\nA\n\n:::: details More\nB\n::::\n:::\n\nC',
      '<aside class="tip">\n\n**Be *quick***\n\nA\n\n<a id="more">\n\n**More**\n\nB\n\n</aside>\n\nC',
    ],
    ...['`<script>`', '`` `<style> `` and \\<script>'].map((named): [string, string, string] => [
      `are read between a tag that is only named and a real one: ${named}`,
      `Put ${named} here.\n::: tip\nA\n:::\n\n<style>a{}</style>\n\n<script>\nx()\n</script>\n\nB`,
      `Put ${named} here.\n\n<aside class="tip">\n\nA\n\n</aside>\n\nB`,
    ]),
    [
      'are read between comments, and comments with empty lines are dropped',
      'A <!-- one -->\n\n::: tip\nB\n:::\n\n<!-- two\n\nthree -->\n\nC',
      'A \n\n<aside class="tip">\n\nB\n\n</aside>\n\nC',
    ],
    [
      'are read behind a comment below a backtick that stands alone',
      'A ` b\n<!-- one\n\ntwo -->\n\n::: tip\nB\n:::',
      'A ` b\n\n<aside class="tip">\n\nB\n\n</aside>',
    ],
    [
      'know titles in brackets',
      ':::note[Read *me*]{.x}\nA\n:::',
      '<aside class="note">\n\n**Read *me***\n\nA\n\n</aside>',
    ],
    [
      'know names in braces, and end where they end',
      ':::{warning} Mind *this*\nA\n\n::: {.column width="50%"}\nB\n:::\n\n::: {.callout-tip}\nC\n:::\n\nD\n:::',
      '<aside class="warning">\n\n**Mind *this***\n\nA\n\nB\n\n<aside class="tip">\n\nC\n\n</aside>\n\nD\n\n</aside>',
    ],
    [
      'keep groups of code with their titles',
      '::: code-group\n```sh [npm]\nnpm i\n```\n```sh [pnpm]\npnpm i\n```\n:::',
      '```sh [npm]\nnpm i\n```\n```sh [pnpm]\npnpm i\n```',
    ],
    [
      'have the anchor of their title without its marks',
      '::: details Set `max_tokens` _first_, *then* [ask](/ask)\nA\n:::',
      '<a id="set-max_tokens-first-then-ask">\n\n**Set `max_tokens` _first_, *then* [ask](/ask)**\n\nA',
    ],
    ['drop the place of a list of headings', 'A\n\n[[toc]]\n\n[TOC]\n\nB', 'A\n\nB'],
    [
      'are made of indented notes and tabs',
      '!!! warning "Mind this"\n    A\n\n    - b\n\n=== "Python"\n\n    ```py\n    x\n    ```\n\nC',
      '<aside class="warning">\n\n**Mind this**\n\nA\n\n- b\n\n</aside>\n\n<a id="python">\n\n**Python**\n\n```py\nx\n```\n\nC',
    ],
    [
      'are made of indented notes without a space behind their marks',
      '!!!note\n    A\n\n???+tip "B"\n    C',
      '<aside class="note">\n\nA\n\n</aside>\n\n<aside class="tip">\n\n**B**\n\nC\n\n</aside>',
    ],
    [
      'leave code alone',
      '```\n::: tip\n[[toc]]\n!!! note\n```',
      '```\n::: tip\n[[toc]]\n!!! note\n```',
    ],
  ]);
});
