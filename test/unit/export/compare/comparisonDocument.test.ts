import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import {
  comparisonDocument,
  comparisonJson,
} from '../../../../src/export/compare/comparisonDocument';
import { compared, docsPage, prose } from './comparing';

const canonical = (host: string): string => `<link rel="canonical" href="https://${host}/">`;

describe('comparisonDocument', () => {
  it('begins with what differs and says that two sites may not belong together', async () => {
    const text = comparisonDocument(
      await compared(
        { 'index.html': docsPage('Home', prose('a'), { head: canonical('one.example') }) },
        {
          'index.html': docsPage('Home', prose('b'), { head: canonical('two.example') }),
          'a.txt': 'x',
        },
      ),
    );
    assert.match(text, /^# 1 changed page, 1 changed file\n\n> \*\*.*one\.example.*two\.example/);
    assert.match(text, /\| Pages \| 1 \| 1 \|/);
    assert.match(text, /\| added \| `a\.txt` \|/);
  });

  it('says in one line that nothing differs', async () => {
    const site = { 'index.html': docsPage('Home', prose('a')) };
    const text = comparisonDocument(await compared(site, site));
    assert.match(text, /^# The texts, files and links are the same\.\n/);
    assert.ok(!text.includes('## '));
  });

  // Shows faults.md R13.
  it('shows texts of a bundle as text, never as Markdown or HTML', async () => {
    const evil = '<img src=x onerror=alert(1)> [click](javascript:alert(1)) `code` ``` ~~~';
    const name = 'a`b|<b>.html';
    const escaped = evil.replaceAll('<', '&lt;');
    const text = comparisonDocument(
      await compared(
        { 'index.html': docsPage('Home', '<p>One</p>'), 'c.html': docsPage('C', '<p>x</p>') },
        {
          'index.html': docsPage(escaped, `<pre><code>\`\`\`\n${escaped}</code></pre>`),
          [name]: docsPage(escaped, prose('x')),
          '<i>|.bin': 'x',
        },
      ),
    );
    const html = new MarkdownIt({ html: true, linkify: false }).render(text);
    assert.ok(!/<img|<b>|<i>|href=/.test(html), html);
    assert.ok(html.includes('&lt;i&gt;|.bin'), html);
  });

  it('shows no character that controls a terminal or hides text', async () => {
    const nasty = 'a\u001b[2Jb\u009bc\u202ed\u2066e\u200bf';
    const page = (text: string): string => docsPage(nasty, `<p>${text} ${nasty}</p>`);
    const document = comparisonDocument(
      await compared(
        { 'index.html': page('One'), [`old${nasty}.html`]: page('Old') },
        { 'index.html': page('Two'), [`${nasty}.html`]: page('x'), [`${nasty}.bin`]: 'x' },
      ),
    );
    assert.match(document, /```diff/);
    assert.match(document, /a\ufffd\[2Jb\ufffdc\ufffdd/);
    assert.doesNotMatch(document, /(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it('lists lost URLs with their redirects, links that broke or were mended, and moved pages', async () => {
    const links = (...targets: string[]): string =>
      targets.map((target) => `<a href="${target}">${target}</a>`).join(' ');
    const guide = docsPage('Guide', prose('guide'));
    const text = comparisonDocument(
      await compared(
        {
          'index.html': docsPage(
            'Home',
            links('guide.html', 'gone.html', 'gone.html', 'late.html'),
          ),
          'guide.html': guide,
          'gone.html': docsPage('Gone', prose('gone')),
        },
        {
          'index.html': docsPage('Home', links('start/guide.html', 'gone.html', 'late.html')),
          'start/guide.html': guide,
          'late.html': docsPage('Late', prose('late')),
        },
      ),
    );
    for (const line of [
      '| `/gone` | `/late.html` (302, the most similar page) | 1 link, on `index.html` |',
      '| `/guide` | `/start/guide.html` (301, the page moved) |  |',
      '## Links that broke (1)\n\n- `gone.html`, the bundle has no such file: `index.html` line 5',
      '## Links that were mended (1)\n\n- `late.html`, the bundle has no such file: `index.html` line 5',
      '- `guide.html` → `start/guide.html`: same text',
      '- `gone.html`: Gone',
    ]) {
      assert.ok(text.includes(`\n${line}\n`), text);
    }
  });

  it('cuts long lists and says how much is left', async () => {
    const pages = Object.fromEntries(
      Array.from({ length: 130 }, (_, at) => [`p${at}.html`, docsPage(`P ${at}`, `<p>${at}</p>`)]),
    );
    const home = { 'index.html': docsPage('Home', prose('home')) };
    const text = comparisonDocument(await compared(home, { ...home, ...pages }));
    assert.match(text, /## Added pages \(130\)/);
    assert.match(text, /- 30 more\. The comparison saved as JSON lists all\./);
    assert.equal([...text.matchAll(/^- `p\d+\.html`/gm)].length, 100);
  });
});

describe('comparisonJson', () => {
  it('is the comparison', async () => {
    const site = { 'index.html': docsPage('Home', prose('a')) };
    const comparison = await compared(site, {});
    assert.equal(
      JSON.stringify(JSON.parse(comparisonJson(comparison))),
      JSON.stringify(comparison),
    );
  });
});
