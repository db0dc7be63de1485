import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { readablePage, readableText } from '../../../../src/export/compare/readableText';
import { ExportError } from '../../../../src/export/exportErrors';
import { withSite } from '../check/site';
import { docsPage } from './comparing';

const textOf = (text: string, file = 'guides/a.html', basePath = ''): string =>
  readableText(file, docsPage('Title', text), basePath).markdown;

describe('readableText', () => {
  it('has the main content as Markdown, without navigation, IDs and anchors', () => {
    assert.equal(
      textOf(
        '<h2 id="one">One <a href="#one">#</a></h2><p><a id="two"></a>Text with <b>weight</b>.</p>',
      ),
      '# Title\n\n## One\n\nText with **weight**.',
    );
  });

  it('keeps code as it is', () => {
    const code = '# comment {#id}\n<a id="x"></a>';
    assert.ok(textOf(`<pre><code>${code.replaceAll('<', '&lt;')}</code></pre>`).includes(code));
    assert.ok(textOf('<p>Write <code>&lt;a id="x"&gt;</code>.</p>').includes('`<a id="x">`'));
  });

  it('leaves out IDs of headings behind code in a quotation', () => {
    assert.equal(
      textOf('<blockquote><pre><code>code</code></pre></blockquote><h2 id="one">One</h2>'),
      '# Title\n\n> ```\n> code\n> ```\n\n## One',
    );
  });

  for (const [href, written] of [
    ['b.html', '/guides/b'],
    ['../c/index.html#part', '/c#part'],
    ['/c/', '/c'],
    ['/docs/c', '/docs/c'],
    ['#part', '#part'],
    ['files/a.3f2a9c1d.pdf', '/guides/files/a.pdf'],
    ['https://example.com/x.html', 'https://example.com/x.html'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
  ] as const) {
    it(`writes a link to ${href} as ${written}`, () => {
      assert.ok(textOf(`<p><a href="${href}">x</a></p>`).includes(`[x](${written})`));
    });
  }

  it('writes links without the base path of the site', () => {
    const text = textOf(
      '<p><a href="/docs/c.html">x</a> <a href="b.html">y</a></p>',
      'a.html',
      '/docs',
    );
    assert.ok(text.includes('[x](/c) [y](/b)'), text);
  });
});

describe('readablePage', () => {
  const refused = async (root: string, file: string): Promise<void> => {
    await assert.rejects(readablePage(root, file, ''), (error) => {
      assert.ok(error instanceof ExportError);
      assert.equal(error.code, 'file-gone');
      return true;
    });
  };

  it('reads a page of a folder', async () => {
    await withSite({ 'guides/a.html': docsPage('Title', '<p>Text</p>') }, async (root) => {
      assert.equal(await readablePage(root, 'guides/a.html', ''), '# Title\n\nText\n');
    });
  });

  // Shows faults.md R5.
  it('reads nothing outside the folder, and no missing file', async () => {
    await withSite(
      { 'in/a.html': docsPage('A', ''), 'secret.html': docsPage('B', '') },
      async (root) => {
        const inner = path.join(root, 'in');
        await symlink(path.join(root, 'secret.html'), path.join(inner, 'link.html'));
        await mkdir(path.join(inner, 'folder.html'));
        for (const file of [
          '../secret.html',
          'link.html',
          'folder.html',
          'none.html',
          path.join(root, 'secret.html'),
          '',
        ])
          await refused(inner, file);
      },
    );
  });
});
