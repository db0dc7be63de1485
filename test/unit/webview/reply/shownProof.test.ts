import assert from 'node:assert/strict';
import { replyParts } from '../../../../src/docs/answers/proof/statements';
import { MessageText } from '../../../../webview/find/findText';
import { QuoteFinder } from '../../../../webview/reply/quoteFinder';
import { codeCases } from '../../docs/answers/proof/codeCases';
import { statementCases } from '../../docs/answers/proof/proofCases';

const source = { type: 'source-url', sourceId: 's1', url: 'http://127.0.0.1:4100/docs/a' } as const;
const cite = `[1](${source.url})`;

/** Returns the text of a reply as the view draws it. */
function shownText(markdown: string): string {
  const reading = new MessageText().read({
    role: 'assistant',
    id: 'r1',
    createdAt: '2025-06-01T12:00:00.000Z',
    status: 'complete',
    parts: [source, { type: 'text', text: markdown }],
  });
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return value;
  }
}

const cases: [what: string, markdown: string][] = [
  ...statementCases.flatMap(({ statement, planted }) =>
    [statement, ...planted.map(([, text]) => text)].map((text): [string, string] => [
      text,
      `Before it. ${text.replace(/\.$/, '')} ${cite}. After it.`,
    ]),
  ),
  ...codeCases.map((given, index): [string, string] => [
    `code case ${index}`,
    `Call it like this ${cite}:\n\n${JSON.stringify(given)}`,
  ]),
  [
    'citations within a sentence',
    `It has 5 parts ${cite} and 6 rows [1] in all. Two more words ${cite}${cite}.`,
  ],
  [
    'a list of sentences',
    `- First it has 5 parts. Then it ends ${cite}.\n- Then it has **6** rows\n  1. and \`a.b\` too\n`,
  ],
  [
    'a table',
    `| Name | Limit |\n|--|--|\n| \`size\` | 20 MB ${cite} |\n| all **parts** | 10,000 |\n`,
  ],
  [
    'a quotation and hard line breaks',
    `> It can be 5 MB  \n> and has to be 6 ${cite}.\n\nIt is\\\nnew in 2.5 at once.`,
  ],
  [
    'links, entities and escapes',
    `Use [the \`put\` call](https://a.example/) &amp; wait 5&nbsp;s at *most* \\*now\\* ${cite}.`,
  ],
  ['a footnote', `It takes 7 steps for 5 parts[^1] ${cite}.\n\n[^1]: Not for 6 parts of it.`],
];

describe('statements of the local docs service', () => {
  for (const [what, markdown] of cases) {
    it(`are found in what the view draws: ${what}`, () => {
      const text = shownText(markdown);
      const finder = new QuoteFinder(text);
      const missed = replyParts(markdown).statements.filter(
        ({ text: quote }) => finder.find(quote) === undefined,
      );
      assert.deepEqual(
        missed.map(({ text: quote }) => quote),
        [],
        text,
      );
    });
  }
});
