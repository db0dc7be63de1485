import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { findingLine, type LinkFinding } from '../../../../../src/service/export/site/linkFindings';
import { DocsPlace, renderDocs, renderFolder, type DocsFiles } from './renderedSite';

async function findingsOf(docs: DocsFiles): Promise<readonly LinkFinding[]> {
  return (await renderDocs(docs)).links.findings;
}

/** Returns the kind and the reason of the finding about one link of the page `a`. */
async function findingOf(written: string, more: DocsFiles = {}): Promise<string> {
  const found = await findingsOf({ 'a.md': `# A\n\n${written}\n`, ...more });
  assert.ok(found.length <= 1, JSON.stringify(found));
  return found.map(({ kind, reason }) => `${kind} ${reason}`).join();
}

describe('findings about the links of the docs', () => {
  const broken: Record<string, string> = {
    '[x](./gone.md)': 'no-page',
    '[x](/gone)': 'no-page',
    '[x](/gone.pdf)': 'no-page',
    '![x](gone.png)': 'no-image',
    '[x](b.md#nowhere)': 'no-heading',
    '[x](#nowhere)': 'no-heading',
    '[x](http://)': 'not-an-address',
    '[x]()': 'not-an-address',
    '[x](%E4.md)': 'not-an-address',
  };
  for (const [written, reason] of Object.entries(broken)) {
    // Shows faults.md H4.
    it(`report ${written} as broken, because it leads nowhere on any site`, async () => {
      assert.equal(await findingOf(written, { 'b.md': '# B\n' }), `broken ${reason}`);
    });
  }

  const unfollowed: Record<string, readonly [string, DocsFiles]> = {
    '[x](../other/page.md)': ['outside-folder', {}],
    '[x](tool.html)': ['active-file', { 'tool.html': '<p>x</p>' }],
    '![x](d.svg)': ['active-file', { 'd.svg': '<svg><script>x</script></svg>' }],
    '[x](big.zip)': ['large-file', { 'big.zip': new Uint8Array(32 * 1024 * 1024 + 1) }],
    '[x](.github/x.yml)': ['hidden-file', { '.github/x.yml': 'x' }],
    '[x](binary.md)': ['page-left-out', { 'binary.md': 'a\0b' }],
    '![x](clip.mp4)': ['no-image-type', { 'clip.mp4': 'x' }],
    '[x](vscode://settings)': ['scheme', {}],
    '[x](b.mdx#made)': ['made-by-component', { 'b.mdx': '# B\n\n<OptionsTable of="x" />\n' }],
    '[x](b.md#made)': ['made-by-component', { 'b.md': '# B\n\n<!--@include: ./part.txt-->\n' }],
    '[x](packages/core)': ['made-by-code', { 'packages/[name].md': '# {{ name }}\n' }],
    '[x](/api-reference/users)': [
      'made-by-code',
      {
        'docs.json': JSON.stringify({
          navigation: { tabs: [{ tab: 'API', openapi: 'openapi.json', pages: ['a'] }] },
        }),
      },
    ],
    '[x](/blog/post)': ['other-part', { 'docusaurus.config.js': 'module.exports = {};\n' }],
  };
  for (const [written, [reason, files]] of Object.entries(unfollowed)) {
    it(`report that ${written} cannot be followed here: ${reason}`, async () => {
      assert.equal(await findingOf(written, files), `unfollowed ${reason}`);
    });
  }

  it('leave out links that are kept', async () => {
    assert.equal(
      await findingOf(
        '[x](b) [y](#a) [z](https://example.com) ![i](https://example.com/i.png) [p](c#place)',
        { 'b.md': '# B\n', 'c.mdx': '# C\n\n    <a id="place"></a>Here.\n' },
      ),
      '',
    );
  });

  it('report links to another part of the site if links contain the base of the docs', async () => {
    const place = await DocsPlace.create({
      'docs/a.md': '# A\n\n[one](/cookbook/x) [two](/docs/b)\n\n[three](/docs/gone)\n',
      'docs/b.md': '# B\n',
    });
    try {
      const { links } = await renderFolder(path.join(place.root, 'docs'));
      assert.deepEqual(
        links.findings.map(({ link, reason }) => `${link} ${reason}`),
        ['/cookbook/x other-part', '/docs/gone no-page'],
      );
      assert.deepEqual([links.broken, links.unfollowed], [1, 1]);
    } finally {
      await place.remove();
    }
  });

  it('report files behind a symbolic link', async () => {
    const place = await DocsPlace.create({ 'a.md': '# A\n\n[x](l.pdf)\n', 'x.pdf': 'x' });
    try {
      await symlink('x.pdf', path.join(place.root, 'l.pdf'));
      const { links } = await renderFolder(place.root);
      assert.deepEqual(
        links.findings.map(({ reason }) => reason),
        ['linked-file'],
      );
    } finally {
      await place.remove();
    }
  });

  it('name the line in the source, and each link once', async () => {
    const found = await findingsOf({
      'a.mdx': [
        '---',
        'title: A',
        '---',
        "import X from 'x';",
        '',
        '```md',
        '[x](./gone one.md)',
        '```',
        '',
        'See [x](./gone%20one.md) and [again](./gone%20one.md).',
        '',
        '[ref][r]',
        '',
        '[r]: ./other.md "Title"',
      ].join('\n'),
    });
    assert.deepEqual(
      found.map(({ line, link }) => [line, link]),
      [
        [10, './gone%20one.md'],
        [14, './other.md'],
      ],
    );
  });

  it('stand in the order of the lines, and those of included files come last', async () => {
    const found = await findingsOf({
      'a.mdx':
        "import Part from './_part.mdx';\n\n# A\n\n<Part />\n\n[x](gone)\n\n![y](gone.png)\n",
      '_part.mdx': '[z](nowhere)\n',
    });
    assert.deepEqual(
      found.map(({ line, link }) => [line, link]),
      [
        [7, 'gone'],
        [9, 'gone.png'],
        [undefined, 'nowhere'],
      ],
    );
  });

  it('name pages that the navigation lists but that do not exist', async () => {
    const found = await findingsOf({
      'a.md': '# A\n',
      'docs.json': '{\n  "navigation": {\n    "pages": ["a", "gone/page"]\n  }\n}\n',
    });
    assert.deepEqual(found, [
      { kind: 'broken', reason: 'listed-page', file: 'docs.json', line: 3, link: 'gone/page' },
    ]);
  });

  it('are lines that say what happened and why', () => {
    assert.equal(
      findingLine({ kind: 'broken', reason: 'no-page', file: 'a.md', line: 3, link: './b' }),
      'a.md:3: ./b is broken: no such page or file exists',
    );
    assert.equal(
      findingLine({ kind: 'unfollowed', reason: 'outside-folder', file: 'a.md', link: '../b' }),
      "a.md: ../b can't be followed: the link leads out of the docs folder",
    );
  });
});
