import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { ToolCall } from '../../../src/docsTools/toolCall';
import { answerSchema } from '../../../src/docsTools/toolDefinitions';
import type { LocalService } from '../../../src/service/server/server';
import { docsFolder, startService } from '../service/localServiceAsking';
import { aCall, localTarget, toolsOver } from './toolsOver';

const long = 'Rotate keys often. '.repeat(300).trim();
const pages = {
  'keys.md': `# API keys\n\n## Rotate a key\n\nA key expires after 90 days.\n\nRun \`acme keys rotate\` before that.\n\n${long}\n`,
  'tokens.md': `# Tokens\n\n## Rotate a token\n\nTokens rotate like an API key. ${long}\n`,
  'maps.md': '# Maps\n\nMaps show streets.\n',
};
const question = 'How do I rotate an API key?';

describe('ask_docs, docs on this machine without a model', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;

  before(async () => {
    docs = await docsFolder(pages);
    service = await startService(docs.root);
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await docs.remove();
  });

  const ask = (text: string, call: Partial<ToolCall> = {}, asked = service) => {
    const { url, key } = asked;
    const target = localTarget(url, key);
    assert.ok(target.local);
    const local = { ...target.local, hasWriter: false };
    return toolsOver({ ...target, local }).ask({ question: text }, aCall(call));
  };

  it('returns the best sections whole, best first, with their paths', async () => {
    const { text, data } = await ask(question);
    assert.match(text, /^Sections of Sample Docs for the question, whole and best first\./);
    assert.match(text, /## 1\. \[API keys › Rotate a key\]\(http.*\)\npath: `keys#rotate-a-key`/);
    assert.ok(text.includes(long));
    assert.match(text, /If none of them answers the question, say so\./);
    assert.equal(data.isComplete, true);
    assert.equal(data.isSections, true);
    assert.deepEqual(data.sources.map(({ number, path }) => [number, path])[0], [
      1,
      'keys#rotate-a-key',
    ]);
    assert.equal(data.answer, text);
    v.parse(answerSchema, data);
  });

  it('adds the best other sections of a page to its section, under one number', async () => {
    const others = ['Invites', 'Cookies', 'Sessions', 'Tokens'].map((name): [string, string] => [
      `${name}.md`,
      `# ${name}\n\n${name} rotate like an API key.\n`,
    ]);
    const more = await docsFolder({
      'keys.md':
        '# API keys\n\n## Rotate a key\n\nTo rotate an API key, run `acme keys rotate`.\n\n## Lost keys\n\nRevoke a key.\n',
      ...Object.fromEntries(others),
    });
    const serviceOfMore = await startService(more.root);
    try {
      await serviceOfMore.whenIndexed();
      const { text, data } = await ask(question, {}, serviceOfMore);
      assert.match(text, /run `acme keys rotate`\.\s+\*\*Lost keys\*\*\s+Revoke a key\./);
      assert.equal(data.sources.length, 5);
      assert.equal(data.sources.filter(({ path }) => path?.startsWith('keys#')).length, 1);
    } finally {
      await serviceOfMore.stop();
      await more.remove();
    }
  });

  it('names the sections that are left out to fit, and cuts only the best one', async () => {
    const count = (text: string): Promise<number> => Promise.resolve(text.length);
    const { text, data } = await ask(question, { budget: { tokens: 1500, count } });
    assert.ok(text.length <= 1500, String(text.length));
    assert.match(text, /\[Cut at character \d+ of \d+\. Read the rest with read_docs_page/);
    assert.match(
      text,
      /Left out to fit\. Read them with read_docs_page:\n- Tokens › Rotate a token/,
    );
    assert.equal(data.isComplete, false);
    assert.equal(data.omittedSources, 1);
    assert.deepEqual(data.sources.length, 1);
  });

  it('says so if nothing matches', async () => {
    const { text, data } = await ask('zebra quantum gardening?');
    assert.match(text, /^Nothing in Sample Docs matches the question\./);
    assert.deepEqual(data.sources, []);
  });

  it('replaces secrets before anything is sent', async () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const { text, data } = await ask(`${question} ${secret}`);
    assert.equal(data.redacted.length, 1);
    assert.ok(!text.includes(secret));
  });

  it('lets the caller’s model write from the sections, and names what it wrote from', async () => {
    const asked: string[] = [];
    const { text, data } = await ask(question, {
      write: ({ instructions, text: prompt }) => {
        asked.push(instructions, prompt);
        return Promise.resolve({ text: 'After 90 days [1].', isWhole: true });
      },
    });
    assert.match(asked[1] ?? '', /<<<section 1 \w+\nAPI keys › Rotate a key\n\nA key expires/);
    assert.match(asked[1] ?? '', /<<<question \w+\nHow do I rotate an API key\?/);
    assert.match(text, /^After 90 days \[1\]\.\n\nSources in Sample Docs:\n1\. \[API keys/);
    assert.equal(data.isComplete, true);
    assert.equal(data.isSections, undefined);
    const cut = await ask(question, {
      write: () => Promise.resolve({ text: 'After', isWhole: false }),
    });
    assert.equal(cut.data.isComplete, false);
  });

  it('returns the sections if the caller’s model declines or writes nothing', async () => {
    for (const write of [
      () => Promise.reject(new Error('declined')),
      () => Promise.resolve({ text: ' ', isWhole: true }),
    ]) {
      assert.equal((await ask(question, { write })).data.isSections, true);
    }
  });
});
