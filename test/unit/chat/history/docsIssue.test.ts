import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { docsIssueDraft, type DocsIssueInput } from '../../../../src/chat/history/docsIssue';
import { plainTranslate } from '../../../../src/common/errors';
import type { MessagePart } from '../../../../src/shared/uiMessage';
import { aContextItem, aFile, aQuestion, aReply } from '../../../builders/asking';

const text: MessagePart = { type: 'text', text: 'I found **nothing** about that.' };
const item = aContextItem({
  value: 'const secretPlan = 1;',
  path: 'src/plan.ts',
  startLine: 3,
  endLine: 4,
});

const draftOf = (given: Partial<DocsIssueInput> = {}): string =>
  docsIssueDraft(
    {
      question: aQuestion({ text: 'How do I rotate keys?' }),
      earlier: [],
      reply: aReply({ parts: [text] }),
      docs: 'acme · docs.acme.example',
      filter: {},
      includesSelections: false,
      ...given,
    },
    plainTranslate,
  );

/** Reader that is as careless as any can be: raw HTML counts. */
const reader = new MarkdownIt({ html: true });

const headings = (markdown: string): string[] => {
  const tokens = reader.parse(markdown, {});
  return tokens.flatMap(({ type, tag, level }, index) =>
    type === 'heading_open' && level === 0 && /h[12]/.test(tag)
      ? [`${tag} ${tokens[index + 1]?.content ?? ''}`]
      : [],
  );
};

const usualHeadings = [
  'h1 Docs don’t answer: How do I rotate keys?',
  'h2 Question',
  'h2 What was searched',
  'h2 What Docs Assistant replied',
];

// Shows faults.md G14.
describe('docsIssueDraft', () => {
  it('has the question, what was searched, the docs, and the reply', () => {
    const draft = draftOf({
      filter: { version: 'v2', language: 'en', groups: ['admin', 'beta'] },
      earlier: ['What keys are there?'],
      reply: aReply({
        createdAt: '2025-06-01T12:00:01.000Z',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          {
            type: 'search',
            toolCallId: 'a',
            toolName: 'search',
            state: 'done',
            query: 'rotate `keys`',
            resultCount: 0,
          },
          {
            type: 'search',
            toolCallId: 'b',
            toolName: 'search',
            state: 'done',
            query: 'key rotation',
            resultCount: 1,
          },
          {
            type: 'source-url',
            sourceId: 's',
            url: 'https://docs.acme.example/keys',
            title: 'Keys [all]',
          },
          text,
        ],
      }),
    });
    assert.equal(
      draft,
      `# Docs don’t answer: How do I rotate keys?

> This is a draft. Review it before you share it.

## Question

How do I rotate keys?

Asked earlier in the same thread:

- What keys are there?

## What was searched

- Searched for \`\` rotate \`keys\` \`\` · no results
- Searched for \`key rotation\` · 1 result
- Docs: acme · docs.acme.example
- Version: \`v2\`
- Language: \`en\`
- Groups: \`admin\`, \`beta\`
- Asked: 2025-06-01T12:00:01.000Z

Pages that the service looked at:

- [Keys \\[all\\]](<https://docs.acme.example/keys>)

## What Docs Assistant replied

I found **nothing** about that.
`,
    );
  });

  it('says that no page was cited', () => {
    assert.match(draftOf(), /^No page was cited\.$/m);
    assert.deepEqual(headings(draftOf()), usualHeadings);
  });

  it('names selections and files, and leaves out their content unless the person agreed', () => {
    const question = aQuestion({
      text: 'How do I rotate keys?',
      contextItems: [item],
      files: [aFile({ filename: 'trace.log', url: 'data:text/plain;base64,c2VjcmV0' })],
    });
    const without = draftOf({ question });
    assert.match(without, /^- `src\/plan\.ts`, lines 3–4$/m);
    assert.match(without, /^- `trace\.log`$/m);
    assert.doesNotMatch(without, /secretPlan|c2VjcmV0/);
    const included = draftOf({ question, includesSelections: true });
    assert.match(included, /^> Review this code before you share it\.$/m);
    assert.match(included, /^```ts\nconst secretPlan = 1;\n```$/m);
    assert.match(included, /^- `trace\.log`$/m);
    assert.doesNotMatch(included, /c2VjcmV0/);
  });

  it('lists the statements that the cited pages don’t support', () => {
    const unproven = [
      { quote: 'Keys live <b>90</b> days.', reason: 'number', missing: ['90'] },
      { quote: 'rotateKey', reason: 'code-name', missing: [] },
    ] as const;
    const draft = draftOf({
      reply: aReply({ parts: [text, { type: 'proof', statements: 2, found: 1, unproven }] }),
    });
    assert.match(draft, /## Statements that the cited pages don’t support\n\n- Keys live .*90/);
    assert.doesNotMatch(draft, /rotateKey|<b>/);
  });

  it('keeps its structure whatever the question, the reply and the pages say', () => {
    const hostile = '# Own\n\n## Heading\n\n</details><script>alert(1)</script>\n\n```\nopen';
    const draft = draftOf({
      question: aQuestion({
        text: 'How do I rotate keys?\n\n# Own\n\n<script>',
        contextItems: [aContextItem({ value: '```\n# Own\n', path: '`a`\n# Own.ts' })],
      }),
      earlier: ['# Own\n- [x](javascript:alert(1))'],
      docs: '# Own\n<b>',
      filter: { version: '`# Own' },
      includesSelections: true,
      reply: aReply({
        parts: [
          { type: 'text', text: hostile },
          { type: 'source-url', sourceId: 's', url: 'javascript:alert(1)', title: '# Own](x)' },
          {
            type: 'proof',
            statements: 1,
            found: 0,
            unproven: [{ quote: '# Own\n\n# Own', reason: 'words', missing: [] }],
          },
        ],
      }),
    });
    assert.deepEqual(headings(draft), [
      ...usualHeadings.slice(0, 2),
      'h2 Selection',
      ...usualHeadings.slice(2),
      'h2 Statements that the cited pages don’t support',
    ]);
    const tokens = reader.parse(draft, {}).flatMap((token) => [token, ...(token.children ?? [])]);
    assert.deepEqual(
      tokens.filter(({ type }) => type.startsWith('html_')),
      [],
    );
    assert.deepEqual(
      tokens.filter(({ type }) => type === 'link_open'),
      [],
    );
  });

  it('is short for a question of many lines and pages', () => {
    const parts = Array.from({ length: 500 }, (_, index): MessagePart => ({
      type: 'source-url',
      sourceId: `s${index}`,
      url: `https://docs.acme.example/${index}`,
    }));
    const draft = draftOf({ reply: aReply({ parts }), earlier: Array(50).fill('Why?') });
    assert.match(draft, /^- 480 more$/m);
    assert.equal(draft.match(/^- Why\?$/gm)?.length, 5);
  });
});
