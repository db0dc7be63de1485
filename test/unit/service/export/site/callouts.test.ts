import assert from 'node:assert/strict';
import { renderDocs } from './renderedSite';

/** Returns the page's text after its title. */
async function rendered(name: string, text: string): Promise<string> {
  const site = await renderDocs({ [name]: `# A\n\n${text}\n` });
  return (site.article(`${name.replace(/\.\w+$/, '')}.html`).split('</h1>')[1] ?? '').trim();
}

const box = (kind: string, label: string, text: string): string =>
  `<div class="callout ${kind}" role="note" aria-label="${label}"><p class="callout-label">${label}</p>\n${text}\n</div>`;

describe('callouts', () => {
  const notes: [what: string, name: string, text: string, html: string][] = [
    [
      'a component',
      'a.mdx',
      '<Note>\nBe *quick*.\n</Note>',
      box('note', 'Note', '<p>Be <em>quick</em>.</p>'),
    ],
    [
      'a component in one line',
      'a.mdx',
      '<Tip>Be quick.</Tip>',
      box('tip', 'Tip', '<p>Be quick.</p>'),
    ],
    [
      'an indented component',
      'a.mdx',
      '<Warning>\n    Be quick.\n</Warning>',
      box('warning', 'Warning', '<p>Be quick.</p>'),
    ],
    [
      'a container',
      'a.md',
      ':::danger\nBe quick.\n:::',
      box('caution', 'Caution', '<p>Be quick.</p>'),
    ],
    [
      'a container with a title',
      'a.md',
      ':::note Hurry\nBe quick.\n:::',
      box('note', 'Note', '<p><strong>Hurry</strong></p>\n<p>Be quick.</p>'),
    ],
    [
      'an alert',
      'a.md',
      '> [!IMPORTANT]\n> Be quick.',
      box('important', 'Important', '<p>Be quick.</p>'),
    ],
    [
      'an alert above its paragraph',
      'a.md',
      '> [!NOTE]\n>\n> Be quick.',
      box('note', 'Note', '<p>Be quick.</p>'),
    ],
  ];
  for (const [what, name, text, html] of notes) {
    it(`are made of ${what}`, async () => {
      assert.equal(await rendered(name, text), html);
    });
  }

  it('can contain code, lists and one another', async () => {
    const html = await rendered(
      'a.mdx',
      '<Note>\n  - one\n\n  ```sh\n  <Tip>\n  ```\n\n  <Tip>\n  Inner.\n  </Tip>\n</Note>\n\nAfter.',
    );
    assert.match(
      html,
      /^<div class="callout note"[^]*<li>one<\/li>[^]*&lt;Tip&gt;[^]*<div class="callout tip"/,
    );
    assert.match(html, /<p>Inner\.<\/p>\n<\/div>\n<\/div>\n<p>After\.<\/p>$/);
  });

  for (const text of [
    '<Note>\n\nOpen.',
    '</Note>\n\nOpen.',
    '- <Note>\n\nOpen.\n\n</Note>',
    ':::note\n\nOpen.',
  ]) {
    it(`keep the text of an unclosed callout: ${JSON.stringify(text)}`, async () => {
      const html = await rendered('a.mdx', text);
      assert.match(html, /<p>Open\.<\/p>/);
      assert.equal(html.match(/<div/g)?.length ?? 0, html.match(/<\/div>/g)?.length ?? 0);
      assert.doesNotMatch(html, /\ue000/);
    });
  }

  it('do not change the anchors of headings', async () => {
    const site = await renderDocs({
      'a.mdx': '# A\n\n## One\n\n<Note>\n## One\n</Note>\n\n## One\n',
    });
    assert.deepEqual(
      site.ids('a.html').filter((id) => id.startsWith('one')),
      ['one', 'one-1', 'one-2'],
    );
  });

  it('leave front matter as it is', async () => {
    const site = await renderDocs({
      'a.md': '---\ndescription: |\n  :::note\n  x\ntitle: T\n---\n\nText.\n',
    });
    assert.match(site.article('a.html'), /<h1>T<\/h1>/);
    assert.match(site.article('a.html'), /<p class="lead">:::note x<\/p>/);
  });

  it('have their label in the language of the page', async () => {
    const site = await renderDocs({ 'de/a.md': '# A\n\n:::note\nX\n:::\n' });
    assert.match(site.article('de/a.html'), /callout-label">Hinweis</);
  });
});
