/**
 * Tests that no link leads to the beginning of an address while that is still being written
 * (faults.md G7).
 */
import assert from 'node:assert/strict';
import { everyCut, htmlOf, unfinished, whole } from './renderedHtml';

const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href ?? '');

const addresses = [
  'https://docs.acme.com.evil.example/x?y=z#a',
  'http://localhost:3000/admin',
  'www.acme.com.evil.example/x',
  'help@acme.com.evil.example',
  'mailto:help@acme.com.evil.example',
  '<https://docs.acme.com.evil.example/x>',
  '<mailto:help@acme.com.evil.example>',
  '<help@acme.com.evil.example>',
  '[text](https://acme.com.evil.example/x_(y)/z)',
  '[text](<https://acme.com.evil.example/x y> "Title")',
  '[text](help@acme.com)',
  '![text](https://acme.com.evil.example/x.png)',
  '[https://acme.com.evil.example](https://acme.com.evil.example/)',
  '[a](https://a.example) [text][later]',
  'https://acme.com/*a*/b_c_d',
  'https://acme.com/(a).b,c.d;e',
  'https://acme.com/~~a~~/`b`',
  'https://acme.com/$x$/y',
  'https://acme.com/a&amp;b&lt;c',
  'https://acme.com/a\\_b',
  'https://acme.com/[a]/b',
  'https://acme.com/a|b',
  'https://acme.com/a!',
  'https://acme.com/"a"',
  "https://acme.com/'a'.b",
  'https://acme.com/a[^1]',
  'https://acme.com/é/日本',
  'https://acme.com/a**b**c',
];

const places: Readonly<Record<string, (address: string) => string>> = {
  'by itself': (address) => address,
  'within a sentence': (address) => `See ${address} or ask.`,
  'in brackets': (address) => `See (${address}), [${address}].`,
  'in bold text': (address) => `See **${address}** or *${address}*.`,
  'in text that is struck out': (address) => `See ~~${address}~~.`,
  'in bold text within italic text': (address) => `See *a **b ${address}***.`,
  'in quotation marks': (address) => `See "${address}" and “${address}”.`,
  'in a heading': (address) => `## ${address}\n\ntext`,
  'in a list': (address) => `- ${address}\n- **${address}**\n  - ${address}\n\nend`,
  'in a list of paragraphs': (address) => `1. a\n\n   ${address}\n\n2. ${address}`,
  'in a quote': (address) => `> ${address}\n> more\n\nend`,
  'in an alert': (address) => `> [!NOTE]\n> ${address}`,
  'in a table': (address) => `| a | b |\n|---|---|\n| ${address} | ${address} |\n| c | d |\n`,
  'in the head of a table': (address) => `| ${address} | b |\n|---|---|\n| c | d |\n`,
  'in a footnote': (address) => `a[^1]\n\n[^1]: ${address}\n`,
  'behind a line break': (address) => `a\n${address}\n${address}\nb`,
  'behind a long bracket': (address) => `[${'word '.repeat(80)}](${address}) ${address}`,
  'behind an open marker': (address) => `a *b _c ~d ${address} e`,
  'behind open code': (address) => `a \`b ${address} \`c\` ${address}`,
  'behind another': (address) => `${address},${address} ${address}`,
};

/** Definitions of links, which are there in other places before their address is complete. */
const definitions = [
  'See [text][a].\n\n[a]: https://acme.com.evil.example/x\n',
  'See [a].\n\n[a]: <https://acme.com.evil.example/x y> "Title"\n\nend',
  '- [a]\n- [b]\n\n[a]: https://acme.com.evil.example/x\n[b]: https://b.example/x\n  "Title"\n\nend',
  '[a]: https://acme.com.evil.example/x\n\nSee [text][a] and [a].',
  '[a]: https://acme.com.evil.example/x\n[a]: https://other.example/\n\n[a]',
  '[a]:\n  https://acme.com.evil.example/x\n\n[a]',
  '> [a]: https://acme.com.evil.example/x\n\n[a]',
  'a[^1] [a]\n\n[^1]: [a]\n\n[a]: https://acme.com.evil.example/x',
  '| [a] |\n|---|\n| [a] |\n\n[a]: https://acme.com.evil.example/x',
];

describe('an address that is being written', function () {
  this.timeout(60_000);

  const isTrue = (text: string): void => {
    const whenWhole = hrefsOf(htmlOf(whole(text)));
    for (const cut of everyCut(text)) {
      const part = text.slice(0, cut);
      for (const href of hrefsOf(unfinished(part))) {
        assert.ok(whenWhole.includes(href), `${JSON.stringify(part)} links to ${href}`);
      }
    }
  };

  for (const [name, textOf] of Object.entries(places)) {
    it(`is no link to its beginning ${name}`, () => {
      // A bar would part the cells of a head, which then has more of them than the row below it.
      const those = name.includes('head')
        ? addresses.filter((one) => !one.includes('|'))
        : addresses;
      for (const address of those) isTrue(textOf(address));
    });
  }

  it('is no link to its beginning in a definition', () => {
    for (const text of definitions) isTrue(text);
  });

  it('is a link once it is complete', () => {
    for (const [text, href] of [
      ['https://acme.com/x ', 'https://acme.com/x'],
      ['**https://acme.com/x** ', 'https://acme.com/x'],
      ['<https://acme.com/x>', 'https://acme.com/x'],
      ['[text](https://acme.com/x)', 'https://acme.com/x'],
      ['help@acme.com\nand', 'mailto:help@acme.com'],
      ['[a]\n\n[a]: https://acme.com/x\n', 'https://acme.com/x'],
      ['[a]\n\n[a]: https://acme.com/x\n\nend', 'https://acme.com/x'],
    ] as const) {
      assert.deepEqual(hrefsOf(unfinished(text)), [href], text);
    }
    assert.deepEqual(hrefsOf(htmlOf(whole('https://acme.com/x'))), ['https://acme.com/x']);
  });
});
