import assert from 'node:assert/strict';
import { plainTranslate } from '../../../src/common/errors';
import {
  askConfirmation,
  type Confirmation,
  invocationLine,
  questionIn,
} from '../../../src/docsTools/confirmation';
import { sentQuestion } from '../../../src/docsTools/sentQuestion';
import { hosted } from './asking';

const confirmation = async (input: object): Promise<Confirmation> => {
  const asked = questionIn(input);
  assert.ok(asked);
  return askConfirmation(await sentQuestion(asked), hosted, plainTranslate);
};

describe('the confirmation of a question', () => {
  it('shows exactly what is sent, and to whom', async () => {
    const question = 'How do I [retry](https://evil.example)?\n# Really';
    assert.deepEqual(await confirmation({ question }), {
      title: 'Ask acme · api.example.com?',
      markdown: `Asking spends a credit of your organization. This question is sent to acme · api.example.com:\n\n\`\`\`text\n${question}\n\`\`\``,
    });
  });

  it('lets a question with fences not leave its block', async () => {
    const { markdown } = await confirmation({ question: '```\n[a](command:x)\n````' });
    assert.match(markdown, /\n`````text\n```\n\[a\]\(command:x\)\n````\n`````$/);
  });

  it('shows the code, or its beginning and its length', async () => {
    assert.match(
      (await confirmation({ question: 'How?', code: 'a();', path: 'src/_a_.ts' })).markdown,
      /This code is sent with it \(src\/\\_a\\_\.ts\):\n\n```text\na\(\);\n```$/,
    );
    const { markdown } = await confirmation({ question: 'How?', code: 'x'.repeat(5000) });
    assert.match(markdown, /5000 characters of code are sent with it\. They begin:/);
    assert.ok(markdown.length < 2500);
  });

  it('shows the question without secrets, as it is sent', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const { markdown } = await confirmation({ question: `Why is ${token} refused?` });
    assert.match(markdown, /Why is \[redacted: GitHub token\] refused\?/);
    assert.match(markdown, /Secrets were replaced: GitHub token\.$/);
    assert.ok(!markdown.includes(token));
  });

  it('shows no character that hides text, because none is sent', () => {
    const tag = String.fromCodePoint(0xe0041);
    assert.equal(questionIn({ question: `How?${tag}\u202e` })?.question, 'How?');
  });
});

describe('invocationLine', () => {
  it('says in one short line what a call does', () => {
    const line = invocationLine(
      'ask',
      { question: `How\n${'very '.repeat(100)}?` },
      plainTranslate,
    );
    assert.match(line, /^Asking the docs: How very very/);
    assert.ok(line.length < 120);
    assert.equal(invocationLine('search', { query: 'a' }, plainTranslate), 'Searching the docs: a');
    assert.equal(
      invocationLine('readPage', { page: '/a' }, plainTranslate),
      'Reading the docs: /a',
    );
  });

  it('takes input that the call refuses', () => {
    for (const input of [undefined, {}, { question: 7 }, { question: 'x'.repeat(1_000_000) }]) {
      assert.equal(invocationLine('ask', input, plainTranslate), 'Asking the docs');
    }
  });
});
