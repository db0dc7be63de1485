import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

function read(source: string, files?: ReadonlyMap<string, string>): string {
  return readPage('guide.mdx', source, files)
    .text.replace(/\n(?:[ \t]*\n)+/g, '\n\n')
    .trim();
}

describe('Components of docs in MDX', () => {
  it('are tabs with the labels of their group', () => {
    const npm = '<a id="npm">\n\n**npm**\n\nA\n\n<a id="pnpm">\n\n**pnpm**\n\nB';
    assert.equal(
      read(
        "<Tabs items={['npm', 'pnpm']}>\n  <Tabs.Tab>A</Tabs.Tab>\n  <Tabs.Tab>B</Tabs.Tab>\n</Tabs>",
      ),
      npm,
    );
    assert.equal(
      read(
        "<Tabs values={[{ label: 'pnpm', value: 'p' }, { label: 'npm', value: 'n' }]}>\n<TabItem value=\"n\">\nA\n</TabItem>\n<TabItem value=\"p\">\nB\n</TabItem>\n</Tabs>",
      ),
      npm,
    );
  });

  it('are tabs with their own labels', () => {
    assert.equal(
      read(
        '<Tabs values={[{ label: "a", value: "a" }]}>\n<Tab value="a" label="A">\nB\n</Tab>\n</Tabs>',
      ),
      '<a id="a">\n\n**A**\n\nB',
    );
  });

  it('are a list that a group of tabs has without tabs', () => {
    assert.equal(read("<Tabs items={['a', 'b']} />"), '- a\n- b');
  });

  it('are tables of rows', () => {
    const table = '| A | B |\n| --- | --- |\n| c | d |';
    assert.equal(
      read(
        '<Table align={["left","left"]}>\n  <thead>\n    <tr>\n      <th>A</th>\n      <th>B</th>\n    </tr>\n  </thead>\n  <tbody>\n    <tr>\n      <td>c</td>\n      <td>d</td>\n    </tr>\n  </tbody>\n</Table>',
      ),
      table,
    );
    assert.equal(
      read(
        '<Table>\n<thead><Table.Tr><Table.Th>A</Table.Th><Table.Th>B</Table.Th></Table.Tr></thead>\n<tbody><Table.Tr><Table.Td>c</Table.Td><Table.Td>d</Table.Td></Table.Tr></tbody>\n</Table>',
      ),
      table,
    );
  });

  it('are tables of data, which is a list', () => {
    assert.equal(read("<Table rows={[['a', 'b']]} />"), '- a\n- b');
  });

  it('are the properties of a type', () => {
    assert.equal(
      read(
        "<TypeTable\n  type={{\n    size: { description: 'How big.', type: 'number', default: 2, required: true },\n    'on-click': { type: '() => void' },\n  }}\n/>",
      ),
      '- **`size`** · `number` · required · default `2` · How big.\n- **`on-click`** · `() => void`',
    );
  });

  it('are code in an attribute', () => {
    assert.equal(
      read('<Code code={`const x = 1;`} lang="js" title="x.js" />'),
      '```js title="x.js"\nconst x = 1;\n```',
    );
    assert.equal(read('A <Code>b</Code>'), 'A b');
  });

  it('are links with one label', () => {
    assert.equal(read('A <Anchor label="B" href="/b">B</Anchor>'), 'A [B](/b)');
    assert.equal(read('A <Anchor label="B" href="/b" />'), 'A [B](/b)');
  });

  it('are included pages and code', () => {
    const files = new Map([
      ['owls.mdx', 'B'],
      ['a.ts', 'a();'],
      ['b.mdx', '# C'],
    ]);
    assert.equal(
      read(
        'A\n\n<include>./owls.mdx</include>\n\n<include lang="tsx">./a.ts</include>\n\n<include cwd lang="mdx">b.mdx</include>',
        files,
      ),
      'A\n\nB\n\n```ts\na();\n```\n\n```mdx\n# C\n```',
    );
  });
});

describe('Containers with a title among their settings', () => {
  it('show it', () => {
    for (const first of [':::tip{title="Owls"}', '::: {.callout-tip icon=false title="Owls"}'])
      assert.equal(read(`${first}\nA\n:::`), '<aside class="tip">\n\n**Owls**\n\nA\n\n</aside>');
  });
});

describe('Elements beside the text', () => {
  it('are callouts, unless they are something else', () => {
    for (const [tag, kind] of [
      ['<aside>', 'note'],
      ['<aside class="notice">', 'note'],
      ['<aside class="success">', 'tip'],
    ])
      assert.equal(read(`${tag}\nA\n</aside>`), `<aside class="${kind}">\n\nA\n\n</aside>`);
    assert.equal(read('<aside class="menu">\nA\n</aside>'), 'A');
  });
});
