import assert from 'node:assert/strict';
import { Parser } from 'htmlparser2';
import { nameKeyOf } from './names';
import { renderDocs, type RenderedSite } from './renderedSite';

/** Elements and handlers of a page's own text that are none of ours. */
function activeParts(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (/^(?:script|style|iframe|object|embed|form|input|svg|meta|link|base)$/.test(name))
        found.push(name);
      for (const [attribute, value] of Object.entries(attributes)) {
        if (/^on|^style$|^srcset$/.test(attribute)) found.push(attribute);
        if (/^(?:javascript|vbscript|data:text)/i.test(value.replace(/\s/g, ''))) found.push(value);
      }
    },
  });
  parser.end(html);
  return found;
}

/** Returns pairs of names that some file system takes for one. */
function clashes(site: RenderedSite): string[] {
  const seen = new Map<string, string>();
  const found: string[] = [];
  const folders = site.names.flatMap((name) => {
    const parts = name.split('/').slice(0, -1);
    return parts.map((_part, index) => parts.slice(0, index + 1).join('/'));
  });
  for (const name of [...site.names, ...new Set(folders)]) {
    const known = seen.get(nameKeyOf(name));
    if (known !== undefined && known !== name) found.push(`${known} ${name}`);
    seen.set(nameKeyOf(name), name);
  }
  return found;
}

describe('malicious docs', () => {
  it('put no tags, handlers or scripts into the site', async () => {
    const payloads = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      'a <b onclick="alert(1)">b</b> <kbd onclick=x>k</kbd>',
      '[x](javascript:alert(1)) [y](JaVaScRiPt&colon;alert(1)) <javascript:alert(1)>',
      '![x](data:text/html,<script>alert(1)</script>)',
      '![x](data:image/svg+xml,<svg onload=alert(1)>)',
      '[x]: javascript:alert(1)\n\n[x]',
      '```"><script>alert(1)</script>\ncode\n```',
      '```ts title="</figcaption><script>alert(1)</script>"\ncode </code><script>\n```',
      '| <script>x</script> |\n|---|\n| <style>*{}</style> |',
      '## <img src=x onerror=alert(1)> {#"><script>}',
      '<svg><style><img src=x onerror=alert(1)></style></svg>',
      '<style>@import "//x.example"</style>',
      ':::note <script>alert(1)</script>\n:::',
    ];
    for (const [index, payload] of payloads.entries()) {
      const site = await renderDocs({ 'a.md': payload, 'b.mdx': payload });
      for (const name of ['a.html', 'b.html']) {
        assert.deepEqual(activeParts(site.article(name)), [], `${index} in ${name}`);
      }
      assert.equal(site.text('a.html').match(/<script/g)?.length, 2);
      assert.deepEqual(site.brokenLinks(), []);
    }
  });

  it('cannot break out of a title, a description, a version or a language', async () => {
    const title = '</title><script>alert(1)</script>"\'<!--\\u0000\\u202e\\nx';
    const site = await renderDocs({
      'a.md': `---\ntitle: "${title.replaceAll('"', '\\"')}"\ndescription: "\\"><script>"\nversion: "\\"><b>"\nlanguage: "en\\"><b>"\n---\n\nText\n`,
      'b.md': '# B\n',
    });
    for (const name of site.htmlNames) {
      assert.equal(activeParts(site.article(name)).length, 0, name);

      assert.doesNotMatch(site.text(name), /[\0\u202e]/);
      const scripts = name === '404.html' ? 1 : 2;
      assert.equal(site.text(name).match(/<script/g)?.length, scripts, name);
    }
    const indexes = site.names.filter((file) => file.startsWith('assets/search'));
    assert.ok(indexes.length > 0);
    for (const name of indexes) {
      const [, list = ''] = /^window\.siteSearchIndex = (\[[^]*\]);\n$/.exec(site.text(name)) ?? [];
      assert.ok(Array.isArray(JSON.parse(list)), name);
    }
    assert.deepEqual(site.brokenLinks(), []);
  });

  for (const front of [
    'title: [1, 2]\norder: {a: b}\nversion: true',
    'title: null\norder: .nan\nlanguage: [de]',
    'title: "  "\norder: -.inf\ndescription: {}',
    '- a\n- b',
    'title: "unclosed\norder: 1',
    '__proto__: {order: 1}\nconstructor: x',
  ]) {
    it(`can have front matter such as ${JSON.stringify(front)}`, async () => {
      const site = await renderDocs({ 'a-page.md': `---\n${front}\n---\n\nText.\n` });
      assert.match(site.article('a-page.html'), /<h1>A page<\/h1>/);
      site.log.assertNoErrors();
    });
  }

  it('can have names that no file system accepts, or that it confuses', async () => {
    const names = [
      'A.md',
      'a.md',
      'Guides/x.md',
      'guides/y.md',
      'con.md',
      'aux/nul.md',
      'a b.md',
      'a?b.md',
      'a#b.md',
      'a%b.md',
      'a%20b.md',
      'x:y.md',
      'ﬁ.md',
      'fi.md',
      'u\u0308.md',
      'ü.md',
      '404.md',
      'sitemap.xml/a.md',
      'assets/site.css.md',
      'assets/x.md',
      'same.md',
      'same.mdx',
      'INDEX/a.md',
      `${'n'.repeat(240)}.md`,
      '__proto__.md',
    ];
    const text = names
      .map(
        (name) =>
          `- [${name.slice(0, 9)}](</${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}>)`,
      )
      .join('\n');
    const site = await renderDocs(
      Object.fromEntries(names.map((name) => [name, `# ${name.slice(0, 20)}\n\n${text}\n`])),
    );
    assert.equal(site.pages, names.length);
    assert.deepEqual(clashes(site), []);
    assert.deepEqual(site.brokenLinks(), []);
    for (const name of site.names) {
      assert.doesNotMatch(name, /[<>:"|?*\\#% ]|(?:^|\/)(?:con|aux|nul)(?:\.|\/|$)|[. ](?:\/|$)/i);
      assert.ok(
        name.split('/').every((part) => Buffer.byteLength(part) <= 255),
        name,
      );
    }
    assert.match(site.log.text('warn'), /a\.md becomes a-2\.html/);
    assert.match(site.text('404.html'), /Page not found/);
  });

  it('can repeat headings, or give them IDs that the page itself uses', async () => {
    const site = await renderDocs({
      'a.md':
        '# A\n\n## Same\n\n## Same\n\n## !!!\n\n## Content\n\n## Navigation {#search}\n\n### Same\n',
    });
    const ids = site.ids('a.html');
    assert.deepEqual(
      ids.filter((id) => !id.startsWith('site:')),
      ['a', 'same', 'same-1', 'content', 'search', 'same-2'],
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  it('lose pages that are too large or not text, and links to them become text', async () => {
    const site = await renderDocs({
      'a.md': '# A\n\n[b](b.md) [c](c.md)\n',
      'b.md': 'x'.repeat(10 * 1024 * 1024),
      'c.md': 'a\0b',
      'empty.md': '',
    });
    assert.equal(site.pages, 2);
    assert.match(site.article('a.html'), /<p>b c<\/p>/);
    assert.match(site.article('empty.html'), /<h1>Empty<\/h1>/);
    assert.match(site.log.text('warn'), /Skipped b\.md/);
  });

  it('do not take long even if they are costly to read', async function () {
    this.timeout(60_000);
    const pages: Record<string, string> = {
      quotes: `${'>'.repeat(5_000)} x`,
      alerts: '> [!NOTE]\n> x\n\n'.repeat(5_000),
      callouts: ':::note\n'.repeat(10_000),
      brackets: '['.repeat(50_000),
      code: `\`\`\`ts\n${'const a = `${b}`; /* '.repeat(20_000)}\n\`\`\``,
      headings: '## x\n'.repeat(5_000),
    };
    const site = await renderDocs(
      Object.fromEntries(Object.entries(pages).map(([name, text]) => [`${name}.md`, text])),
    );
    assert.equal(site.pages, 6);
    site.log.assertNoErrors();
  });
});
