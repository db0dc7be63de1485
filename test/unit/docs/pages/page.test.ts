import assert from 'node:assert/strict';
import { codeTitle, isBadgeRow } from '../../../../src/docs/pages/sections';
import { pageMarkdown } from '../../../../src/docs/pages/pageMarkdown';
import { parsePage } from '../../../../src/docs/pages/page';
import { renderPage } from '../../../../src/docs/pages/pageHtml';

const headings = (path: string, source: string): string[] =>
  parsePage(path, source).sections.map(({ heading, slug }) => `${heading} #${slug}`);

describe('parsePage', () => {
  it('takes the ID of a heading from a comment at its end', () => {
    assert.deepEqual(headings('use.md', '# Use\n\nText.\n\n## Call it {/*calling*/}\n\nNow.\n'), [
      'Use #use',
      'Call it #calling',
    ]);
  });

  it('leaves logos and badges out of a heading that has words, but not out of its ID', () => {
    const logo =
      '<h1>\n  <a href="https://wren.example"><img alt="Wren" src="logo.png"></a>\n  <br>\n  Wren tools\n</h1>';
    const source = `${logo}\n\nText.\n\n## Use ![build](badge.svg) it {#use}\n\nNow.\n\n## ![Birds](birds.png)\n\nSing.\n`;
    assert.equal(parsePage('README.md', source).title, 'Wren tools');
    assert.deepEqual(headings('README.md', source), [
      'Wren tools #wren---wren-tools',
      'Use it #use',
      'Birds #birds',
    ]);
  });

  it('has the items of a list in a cell of a table side by side', () => {
    const table = '| a | b |\n| - | - |\n| - c<br>- d | - |\n| e | - f<br>- g |';
    const { sections } = parsePage('birds.md', `# Birds\n\n${table}\n\n| a |\n| - |\n| - 1 |\n`);
    assert.deepEqual(
      sections[0]?.blocks.map(({ markdown }) => markdown),
      ['| a | b |\n| - | - |\n| c · d | - |\n| e | f · g |', '| a |\n| - |\n| - 1 |'],
    );
  });

  it('finds the row of links to a page in other languages', () => {
    const isRow = (markdown: string): boolean => isBadgeRow({ kind: 'prose', markdown, text: '' });
    assert.ok(isRow('Available Languages: [en](../en/a.html) | [pt-br](../pt-br/a.html)'));
    assert.ok(isRow('Verfügbare Sprachen: [de](a.html)'));
    assert.ok(!isRow('Available Languages: [Python](py.md) | [Rust](rs.md)'));
    assert.ok(!isRow('Available Languages: [en](a.html) and more'));
    assert.ok(!isRow('See also: [de](a.html)'));
  });

  it('takes no lines and words to mark for the title of code', () => {
    for (const [info, title] of [
      ['js {1-5,8,9}', ''],
      ["js {expectedErrors: {'compiler': [17]}} src/App.js", 'src/App.js'],
      ['js [[1, 8, "state"], [2, 8, "dispatch"]]', ''],
      ['js [[1, 8, "state"], [2, 8, "disp', ''],
      ['ts {2} [client.ts]', 'client.ts'],
      ['ts title="a {b}"', 'a {b}'],
      ['ts tab="npm"', 'npm'],
      ['sh npm2yarn', ''],
      ['ts wrapCode', ''],
      ['ts import.meta.vitest', ''],
      ['graphql prettier-ignore', ''],
      ['shellscript nonumber', ''],
      ['ts snippet:ReadmeSampleLogin', ''],
      ['tsx [2]', ''],
      ['tsx highlight={"7"}', ''],
    ]) {
      assert.equal(codeTitle(info ?? ''), title, info);
    }
  });

  it('leaves out the list of its own headings, which repeats their words', () => {
    const page = parsePage(
      'errors.md',
      '# Errors\n\n**Table of contents**\n\n- [Codes](#codes)\n  - [E_ONE](#e_one)\n\n## Codes\n\n- [E_ONE](#e_one): the first\n- [All](other.md)\n',
    );
    assert.deepEqual(
      page.sections.map(({ heading, blocks }) => [heading, blocks.length]),
      [['Codes', 1]],
    );
  });

  it('leaves out a table of contents with a few other entries', () => {
    const links = ['Use', 'Options', 'Errors', 'License'].map((name) => `- [${name}](#${name})`);
    const blocksOf = (...entries: readonly string[]): string[] =>
      parsePage('a.md', `# A\n\nText.\n\n${entries.join('\n')}\n`).sections.flatMap((section) =>
        section.blocks.map(({ kind }) => kind),
      );
    assert.deepEqual(blocksOf(...links, '- [Changes](changes.md)'), ['prose']);
    assert.deepEqual(blocksOf(...links, '- [Changes](changes.md)', '- One'), ['prose', 'list']);
  });

  it('reads title, description, version, language and groups from the front matter', () => {
    const page = parsePage(
      'guides/start.md',
      '---\ntitle: "Start"\ndescription: First steps.\nversion: 2\nlanguage: de\ngroups: [api, admin]\n---\n\nHallo.\n',
    );
    assert.equal(page.title, 'Start');
    assert.equal(page.description, 'First steps.');
    assert.equal(page.version, '2');
    assert.equal(page.language, 'de');
    assert.deepEqual(page.groups, ['api', 'admin']);
  });

  it('reads front matter in TOML, as Hugo and Zola have it', () => {
    const page = parsePage(
      'start.md',
      '+++\ntitle = "Start \\"here\\"" # for all\ndescription = \'First steps.\'\ndate = 2026-01-02\ngroups = ["api", "admin"]\nintro = """\nLong.\n"""\n\n[extra]\nversion = "no"\n+++\n\nHello.\n',
    );
    assert.equal(page.title, 'Start "here"');
    assert.equal(page.description, 'First steps.');
    assert.deepEqual(page.groups, ['api', 'admin']);
    assert.equal(page.version, undefined);
    assert.deepEqual(
      page.sections.map(({ heading, blocks }) => [heading, blocks.map(({ text }) => text)]),
      [['Start "here"', ['Hello.']]],
    );
  });

  it('reads front matter in JSON, as Hugo and Eleventy have it', () => {
    for (const front of [
      '{\n  "title": "Start"\n}\n',
      ';;;\n{"title": "Start"}\n;;;',
      '---json\n{"title": "Start"}\n---',
    ]) {
      const { title, sections } = parsePage('a.md', `${front}\n\nHello.\n`);
      assert.equal(title, 'Start', front);
      assert.deepEqual(
        sections.flatMap(({ blocks }) => blocks.map(({ text }) => text)),
        ['Hello.'],
      );
    }
    assert.equal(parsePage('a.md', '{\nno JSON\n}\n').sections[0]?.blocks[0]?.text, '{ no JSON }');
  });

  it('reads version and language from the folders if the front matter has none', () => {
    const page = parsePage('v2/en/start.md', '# Start\n\nHello.');
    assert.equal(page.version, 'v2');
    assert.equal(page.language, 'en');
  });

  for (const [problem, source] of [
    ['is not YAML', '---\ntitle: [\n---\n# Start\n\nHello.'],
    ['is a list', '---\n- a\n---\n# Start\n\nHello.'],
    [
      'has values of odd types',
      '---\ntitle: {a: 1}\ngroups: 3\nversion: true\n---\n# Start\n\nHello.',
    ],
    ['never ends', '# Start\n\nHello.\n\n---\n\ntitle: no'],
  ] as const) {
    it(`keeps the page when the front matter ${problem}`, () => {
      const page = parsePage('start.md', source);
      assert.equal(page.title, 'Start');
      assert.deepEqual(page.groups, []);
      assert.equal(page.version, undefined);
      assert.match(page.sections[0]?.blocks[0]?.text ?? '', /Hello/);
    });
  }

  it('writes the values of the front matter where the text has their names', () => {
    const front =
      'version: 2.1\nparams:\n  tool: owl\nmyst:\n  substitutions:\n    nest: The **nest**\n';
    for (const [written, text] of [
      ['Since {{% param version %}} and {{< param "tool" >}}.', 'Since 2.1 and owl.'],
      ['```sh\nrun {{< param version >}} {{ nest }}\n```', 'run 2.1 {{ nest }}\n'],
      ['{{ nest }} of {{ $frontmatter.version }}', 'The nest of 2.1'],
      [
        '`{{ nest }}` {{ other }} {{% param other %}}',
        '{{ nest }} {{ other }} {{% param other %}}',
      ],
    ] as const) {
      const page = parsePage('a.md', `---\n${front}---\n\n# Owls\n\n${written}\n`);
      assert.equal(page.sections[0]?.blocks[0]?.text, text);
    }
  });

  it('names a page without title or heading after its file', () => {
    for (const [path, title] of [
      ['guides/rate-limits.md', 'Rate limits'],
      ['1.guides/2.rate-limits.md', 'Rate limits'],
      ['guides/02-rate-limits.md', 'Rate limits'],
      ['releases/1.x.md', '1.x'],
      ['releases/2.1.md', '2.1'],
      ['guides/2-factor-login.md', '2 factor login'],
    ] as const)
      assert.equal(parsePage(path, 'Text.').title, title);
  });

  for (const [path, route] of [
    ['index.md', ''],
    ['README.md', ''],
    ['guides/index.mdx', 'guides'],
    ['guides/_index.md', 'guides'],
    ['guides/start.markdown', 'guides/start'],
  ] as const) {
    it(`gives ${path} the route "${route}"`, () => {
      assert.equal(parsePage(path, 'Text.').route, route);
    });
  }

  it('begins a section at each heading and leaves out empty ones', () => {
    assert.deepEqual(
      headings(
        'a.md',
        '# A\n\nTop.\n\n## Empty\n\n### Deep\n\nx\n\n## Last\n\ny\n\n##### Small\n\nz',
      ),
      ['A #a', 'Deep #deep', 'Last #last', 'Small #small'],
    );
  });

  it('returns the headings above a section', () => {
    const page = parsePage('a.md', '# A\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\nd');
    assert.deepEqual(
      page.sections.map(({ heading, ancestors }) => [heading, ancestors]),
      [
        ['B', []],
        ['C', ['B']],
        ['D', []],
      ],
    );
  });

  it('returns the release above a section of a changelog, whatever level its heading has', () => {
    const page = parsePage(
      'CHANGELOG.md',
      [
        '# Change Log\n\nAll changes.',
        '# 2.1.0 (2026-03-01)\n\n### Features\n\na',
        '## [2.0.2](https://example.com) (2026-02-02)\n\n### Bug Fixes\n\nb',
        '### 2.0.1 (2026-02-01)\n\n### Bug Fixes\n\nc\n\n### Features\n\nd\n\n#### More\n\ne',
        '# 2.0.0 (2026-01-01)\n\nf',
        '## Notes\n\ng',
      ].join('\n\n'),
    );
    assert.deepEqual(
      page.sections.map(({ heading, ancestors }) => [...ancestors, heading].join(' › ')),
      [
        'Change Log',
        '2.1.0 (2026-03-01) › Features',
        '2.0.2 (2026-02-02) › Bug Fixes',
        '2.0.1 (2026-02-01) › Bug Fixes',
        '2.0.1 (2026-02-01) › Features',
        '2.0.1 (2026-02-01) › Features › More',
        '2.0.0 (2026-01-01)',
        '2.0.0 (2026-01-01) › Notes',
      ],
    );
  });

  it('returns further headings of the highest level above a section, but not the title', () => {
    const page = parsePage('a.md', 'Badges.\n\n# A\n\n## B\n\nb\n\n# C\n\n## D\n\nd');
    assert.deepEqual(
      page.sections.map(({ heading, ancestors }) => [heading, ancestors]),
      [
        ['A', []],
        ['B', []],
        ['D', ['C']],
      ],
    );
  });

  it('creates the same fragments as GitHub, and respects explicit IDs', () => {
    assert.deepEqual(
      headings(
        'a.md',
        '## Prüfe `foo.bar()`, bitte!\n\nx\n\n## Same\n\nx\n\n## Same\n\nx\n\n## Other {#my-id}\n\nx\n\n## H<sub>2</sub>O\n\nx',
      ),
      [
        'Prüfe foo.bar(), bitte! #prüfe-foobar-bitte',
        'Same #same',
        'Same #same-1',
        'Other #my-id',
        'H2O #h2o',
      ],
    );
  });

  it('distinguishes code, lists, tables, quotes and prose', () => {
    const { blocks = [] } =
      parsePage(
        'a.md',
        'Text\nof two lines.\n\n- a\n- b\n\n| a |\n|---|\n| 1 |\n\n```py title="x"\nprint(1)\n```\n\n> quote\n',
      ).sections[0] ?? {};
    assert.deepEqual(
      blocks.map(({ kind }) => kind),
      ['prose', 'list', 'table', 'prose', 'code', 'quote'],
    );
    assert.equal(blocks[3]?.markdown, '**x**');
    assert.equal(blocks[4]?.codeLanguage, 'python');
    assert.equal(blocks[4].markdown, '```py\nprint(1)\n```');
  });

  it('keeps code that contains fences itself', () => {
    const source = '````md\n```js\nx\n```\n````\n';
    assert.equal(parsePage('a.md', source).sections[0]?.blocks[0]?.markdown, source.trimEnd());
  });

  it('drops tags, comments and scripts of HTML and keeps its text', () => {
    const page = parsePage(
      'a.md',
      'A <b>bold</b> word<br>more.\n\n<!-- hidden -->\n\n<div onclick="x()">Shown\n<script>alert(1)</script></div>\n',
    );
    const shown = page.sections[0]?.blocks.map(({ markdown }) => markdown).join('\n') ?? '';
    assert.match(shown, /A \*\*bold\*\* word more\./);
    assert.match(shown, /Shown/);
    assert.doesNotMatch(shown, /hidden|alert|onclick/);
  });

  it('keeps the target of a link in angle brackets, which a path with a space needs', () => {
    const link = '[a](<my docs/a b.md#c> "A"), ![b](<em dash.png>)';
    for (const file of ['page.md', 'page.mdx']) {
      const [section] = parsePage(file, `# Page\n\nSee ${link} and [x](<b>y</b>).\n`).sections;
      const [block] = section?.blocks ?? [];
      assert.equal(block?.markdown, `See ${link} and [x](**y**).`, file);
    }
  });

  it('reads files with a byte order mark and Windows line ends', () => {
    const page = parsePage('a.md', '\uFEFF---\r\ntitle: T\r\n---\r\n\r\n## B\r\n\r\ntext\r\n');
    assert.equal(page.title, 'T');
    assert.equal(page.sections[0]?.blocks[0]?.text, 'text');
  });
});

describe('parsePage of a page with too many marks', () => {
  const spent = /too many marks/;
  const text = (source: string): string =>
    parsePage('a.md', source)
      .sections.flatMap(({ blocks }) => blocks.map((block) => block.text))
      .join('\n');
  const reasons = (source: string): string =>
    parsePage('a.md', source)
      .problems.map(({ reason }) => reason)
      .join();

  for (const [name, unit] of [
    ['headings', '# Same\n\ntext\n\n'],
    ['emphasis', '*a* '],
    ['escapes', '\\*'],
    ['marks in a row', '_'],
    ['nested quotes', '\n\n> > a'],
  ] as const) {
    it(`reads the rest as plain text, and says so: ${name}`, () => {
      const source = `start${unit.repeat(400_000 / unit.length)}\n\nlast words\n`;
      assert.match(reasons(source), spent);
      assert.match(text(source), /last words/);
    });
  }

  it('reads the rest of one paragraph as plain text, and what follows as usual', () => {
    const source = `${'*a* '.repeat(10_000)}\n\n## Next\n\n*last* words\n`;
    assert.match(reasons(source), /too many marks/);
    assert.equal(parsePage('a.md', source).sections.at(-1)?.heading, 'Next');
    assert.equal(parsePage('a.md', source).sections.at(-1)?.blocks[0]?.text, 'last words');
  });

  it('reads a long page of usual text as a whole', () => {
    const entry =
      '- **Fixed** the `start` of [uploads](https://x.dev/a) in *all* browsers (#123)\n';
    const source = `# Changes\n\n${`## Version\n\n${entry.repeat(5)}\n`.repeat(1500)}`;
    assert.ok(source.length > 500_000);
    assert.equal(reasons(source), '');
  });

  it('keeps no more than 1,000 empty lines and rules in a row', () => {
    for (const line of ['', '---', ' * * *']) {
      const { text: plain } = pageMarkdown('a.md', `a\n${`${line}\n`.repeat(100_000)}b`);
      assert.equal(plain, `a\n${`${line}\n`.repeat(1000)}b`);
    }
  });
});

describe('parsePage of MDX', () => {
  const source = `---
title: Install
---
import { Tabs, Tab } from '@site/components';
export const meta = {
  a: 1,
};

<Note>
  Read **this** first.
</Note>

<Tabs>
  <Tab title="Python">
    \`\`\`python
    import install
    if x:
        print("<Tag>")
    \`\`\`
  </Tab>
  <Tab title="Go">
    \`\`\`go
    package main
    \`\`\`
  </Tab>
</Tabs>

{/* hidden */}

<Card
  title="More"
  href="./more.mdx"
>
  Text below.
</Card>

Use \`<Tag attr>\` and \`{braces}\` in text.
`;
  const page = parsePage('install.mdx', source);
  const blocks = page.sections.flatMap((section) => section.blocks);
  const all = blocks.map(({ markdown }) => markdown).join('\n\n');

  it('drops imports, exports, comments and tags', () => {
    assert.doesNotMatch(all, /@site|meta|hidden|<Note|<\/Tab|<Card/);
  });

  it('keeps the text and the code inside of components, without their indentation', () => {
    assert.match(all, /^Read \*\*this\*\* first\.$/m);
    assert.ok(all.includes('```python\nimport install\nif x:\n    print("<Tag>")\n```'), all);
    assert.ok(all.includes('```go\npackage main\n```'), all);
  });

  it('keeps titles of components as text and links', () => {
    assert.match(all, /\*\*Python\*\*/);
    assert.match(all, /\[More\]\(\.\/more\.mdx\)/);
  });

  it('leaves code in text alone', () => {
    assert.match(all, /Use `<Tag attr>` and `\{braces\}` in text\./);
  });

  it('reads a line full of open marks as text', () => {
    const line = `${'<A b="'.repeat(2_000)}${'{'.repeat(2_000)}`;
    assert.match(pageMarkdown('a.mdx', line).text, /^\\?<A b=/);
  });
});

describe('renderPage', () => {
  for (const [what, source, html] of [
    ['no title', 'Text.', '<main><p>Text.</p>\n</main>'],
    [
      'a title in its front matter',
      '---\ntitle: A & b\n---\n\nText.',
      '<main><h1>A &amp; b</h1><p>Text.</p>\n</main>',
    ],
    [
      'a title above its text, too',
      '---\ntitle: A\n---\n\n# B\n\nText.',
      '<main><h1 id="b">B</h1>\n<p>Text.</p>\n</main>',
    ],
  ] as const) {
    it(`shows a page with ${what}`, () => {
      const page = parsePage('a.md', source);
      assert.equal(
        renderPage(page, source, (href) => href),
        html,
      );
    });
  }
});
