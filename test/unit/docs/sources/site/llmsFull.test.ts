import assert from 'node:assert/strict';
import { type LlmsPage, splitLlmsFull } from '../../../../../src/docs/sources/site/llmsFull';

const base = 'https://docs.example.com/llms-full.txt';
const noBreath = (): Promise<void> => Promise.resolve();

async function pagesOf(text: string): Promise<LlmsPage[]> {
  const pages = [];
  for await (const page of splitLlmsFull(text, base, noBreath)) pages.push(page);
  return pages;
}

/** Returns the title, the URL and the first line of text of each page. */
async function gistOf(text: string): Promise<(string | undefined)[][]> {
  return (await pagesOf(text)).map(({ title, url, markdown }) => [
    title,
    url?.replace('https://docs.example.com', ''),
    markdown.split('\n').filter((line) => line !== '' && !line.startsWith('# '))[0],
  ]);
}

describe('splitLlmsFull', () => {
  const forms: readonly (readonly [string, string])[] = [
    [
      'a title with its source below it, as Mintlify writes',
      '# Birds\nSource: https://docs.example.com/birds\n\nAll about birds.\n\n# Not a page\n\nMore.\n\n\n# Fish\nSource: https://docs.example.com/guide/fish\n\nAll about fish.\n',
    ],
    [
      'a title, a description and a link as quotes',
      '# Birds\n\n> Feathers\n\n> https://docs.example.com/birds\n\nAll about birds.\n\n---\n\n# Fish\n\n> https://docs.example.com/guide/fish\n\nAll about fish.\n',
    ],
    [
      'a heading of level 2 with a URL',
      '# The docs\n\nShort.\n\n## Birds\n\nURL: https://docs.example.com/birds\n\nAll about birds.\n\n## Fish\n\nURL: /guide/fish\n\nAll about fish.\n',
    ],
    [
      'front matter before each page, as VitePress writes',
      '---\nurl: /birds\ntitle: Birds\n---\n\n# Birds\n\nAll about birds.\n\n---\n\n---\nurl: https://docs.example.com/guide/fish\ntitle: "Fish"\n---\n\nAll about fish.\n',
    ],
    [
      'front matter between long rules',
      '--------------------\ntitle: "Birds"\nsource: "https://docs.example.com/birds"\n--------------------\n\n# Birds\n\nAll about birds.\n\n--------------------\ntitle: Fish: an overview\nsource: https://docs.example.com/guide/fish\n--------------------\n\nAll about fish.\n',
    ],
    [
      'front matter whose first rule is of stars, as Fern writes',
      '***\n\ntitle: Birds\nslug: birds\n-----------\n\nAll about birds.\n\n***\n\ntitle: Fish\nslug: guide/fish\n-----------\n\nAll about fish.\n',
    ],
    [
      'elements around each page, as Cloudflare writes',
      '<page>\n---\ntitle: Birds\nsource_url:\n  html: https://docs.example.com/birds\n  md: https://docs.example.com/birds/index.md\n---\n\nAll about birds.\n</page>\n\n<page>\n---\ntitle: Fish\nsource_url:\n  html: https://docs.example.com/guide/fish\n---\n\nAll about fish.\n</page>\n',
    ],
    [
      'elements with attributes',
      '<doc title="Birds" url="https://docs.example.com/birds">\n\nAll about birds.\n\n</doc>\n<doc title="Fish" url="https://docs.example.com/guide/fish">\nAll about fish.\n</doc>\n',
    ],
  ];
  for (const [what, text] of forms) {
    it(`reads pages with ${what}`, async () => {
      const pages = await gistOf(text);
      assert.deepEqual(
        pages.map(([title, url, line]) => [title?.split(':')[0], url, line]),
        [
          ['Birds', '/birds', 'All about birds.'],
          ['Fish', '/guide/fish', 'All about fish.'],
        ],
      );
    });
  }

  it('reads lines with URLs alone, with the title from the text below', async () => {
    assert.deepEqual(
      await gistOf(
        'URL: https://docs.example.com/birds\n\n# Birds\n\nAll about birds.\n\nURL: https://docs.example.com/fish\n\n# Fish\n\nAll about fish.\n',
      ),
      [
        ['Birds', '/birds', 'All about birds.'],
        ['Fish', '/fish', 'All about fish.'],
      ],
    );
  });

  it('reads headings of level 1 as pages, and none in code', async () => {
    assert.deepEqual(
      await gistOf(
        '<SYSTEM>The docs of birds</SYSTEM>\n\n# Birds\n\nAll about birds.\n\n```sh\n# a comment\nrun\n```\n\n## Wings\n\n# Fish\n\nAll about fish.\n',
      ),
      [
        ['Birds', undefined, 'All about birds.'],
        ['Fish', undefined, 'All about fish.'],
      ],
    );
  });

  it('reads headings of level 2 as pages below a single title, as Docusaurus plugins write', async () => {
    const pages = await pagesOf(
      '# The docs\n\n> Short\n\n## Birds\n\nAll about birds.\n\n---\n\n## Fish\n\nAll about fish.\n\n### Fins\n',
    );
    assert.deepEqual(
      pages.map(({ markdown }) => markdown),
      ['# Birds\n\nAll about birds.', '# Fish\n\nAll about fish.\n\n### Fins'],
    );
  });

  it('reads titles without the marks that close a heading', async () => {
    const pages = await pagesOf('# Birds #\n\nBirds.\n\n# C# ##\n\nSharp.\n\n# `Fish`\n\nFish.\n');
    assert.deepEqual(
      pages.map(({ title }) => title),
      ['Birds', 'C#', 'Fish'],
    );
  });

  it('finds the pages after a block of code that never ends', async () => {
    const text =
      '# Birds\n\n```sh\nrun\n\n# Fish\n\nAll about fish.\n\n# Frogs\n\nAll about frogs.\n';
    assert.deepEqual(
      (await pagesOf(text)).map(({ title }) => title),
      ['Birds', 'Fish', 'Frogs'],
    );
  });

  it('does not treat front matter in the text of a page as a new page', async () => {
    const text =
      '# Birds\nSource: https://docs.example.com/birds\n\n```md\n---\ntitle: Sample\n---\n```\n\nText\n\n---\n\n# Fish\nSource: https://docs.example.com/fish\n\n```md\n---\ntitle: Sample\n---\n```\n';
    assert.deepEqual(
      (await pagesOf(text)).map(({ title }) => title),
      ['Birds', 'Fish'],
    );
  });

  it('keeps a long text before the first page, and leaves out a short one', async () => {
    const intro = 'Everything there is to know about animals. '.repeat(20);
    const pages = '# Birds\nSource: /birds\n\nBirds.\n\n# Fish\nSource: /fish\n\nFish.\n';
    assert.equal((await pagesOf(`${intro}\n\n${pages}`)).length, 3);
    assert.equal((await pagesOf(`Short.\n\n${pages}`)).length, 2);
  });

  for (const [what, text, count] of [
    ['nothing', '', 0],
    ['only white space', ' \n\n', 0],
    ['one text without headings', 'All about birds.', 1],
    [
      'Windows line ends and a byte order mark',
      '\uFEFF# A\r\nSource: /a\r\n\r\nText a\r\n\r\n# B\r\nSource: /b\r\n\r\nText b\r\n',
      2,
    ],
  ] as const) {
    it(`reads ${what}`, async () => assert.equal((await pagesOf(text)).length, count));
  }

  it('yields to other work in a file of a million lines', async () => {
    let turns = 0;
    const text = `# A\n\n${'line\n'.repeat(1_000_000)}\n# B\n\nText\n`;
    const breathe = (): Promise<void> => {
      turns++;
      return Promise.resolve();
    };
    let count = 0;
    for await (const { title } of splitLlmsFull(text, base, breathe)) count += title.length;
    assert.equal(count, 2);
    assert.ok(turns >= 50, String(turns));
  });
});
