import assert from 'node:assert/strict';
import { replyPrinter, replyObject } from '../../../../src/cli/ask/replyPrinter';
import { Output } from '../../../../src/cli/output';
import { lookOf } from '../../../../src/cli/terminal/style';
import { plainTranslate as t } from '../../../../src/common/errors';
import type { ReplyNews } from '../../../../src/shared/reply';
import type { ProofPart, SourcePart } from '../../../../src/shared/uiMessage';

const source = (url: string, title: string): SourcePart => ({
  type: 'source-url',
  sourceId: url,
  url,
  title,
});
const guide = source('https://docs.test/guide', 'Guide');

function printed(updates: readonly ReplyNews[], stream: Parameters<typeof lookOf>[0]): string {
  let text = '';
  const output = new Output({ write: (piece: string) => (text += piece) });
  const printer = replyPrinter(output, lookOf(stream, {}), t);
  for (const update of updates) printer.update(update);
  printer.end();
  return text;
}

const pipe = {};
const terminal = { isTTY: true, columns: 60 };

/** Texts that would move the cursor, set the title, make a link, or turn text around. */
const hostile = [
  '\u001b[2J\u001b[H',
  '\u001b]0;title\u0007',
  '\u001b]8;;https://evil.test\u001b\\link\u001b]8;;\u001b\\',
  '\u009b2J',
  '\u009d0;title\u009c',
  'a\rb',
  'a\bb',
  '\u202etxt.exe',
  '\u2066hidden\u2069',
  '\u{e0041}\u200b',
];

describe('replyPrinter', () => {
  it('prints Markdown as it is into a pipe, with a list of sources', () => {
    const text = printed(
      [{ sources: [guide, guide] }, { text: 'Use **it**' }, { text: '.' }],
      pipe,
    );
    assert.equal(text, 'Use **it**.\n\n## Sources\n\n1. [Guide](<https://docs.test/guide>)\n');
  });

  it('lists the sources and the links of the reply on a terminal', () => {
    const text = printed(
      [{ sources: [guide] }, { text: 'See [1](https://docs.test/guide) and [x](https://x.test).' }],
      terminal,
    );
    // eslint-disable-next-line no-control-regex -- escape sequences are what is removed
    const seen = text.replace(/\u001b\[\d+m/g, '');
    assert.equal(
      seen,
      'See [1] and x [2].\n\nSources\n[1] Guide\n    https://docs.test/guide\n[2] x\n    https://x.test\n',
    );
  });

  it('names the statements that the cited pages don’t say', () => {
    const proof: ProofPart = {
      type: 'proof',
      statements: 2,
      found: 1,
      unproven: [{ quote: 'Keys live for\n30 days.', reason: 'number', missing: ['30'] }],
    };
    const updates = [{ text: 'Keys live for 30 days.' }, { proof }];
    const sentence = 'The cited pages don’t say this. Check it before you rely on it:';
    assert.equal(
      printed(updates, pipe),
      `Keys live for 30 days.\n\n${sentence}\n\n- “Keys live for 30 days.”\n`,
    );
    assert.match(printed(updates, terminal), /\n- “Keys live for 30 days\.”\n$/);
  });

  // Shows faults.md L4.
  it('separates retracted text from the text that replaces it', () => {
    const updates = [{ text: 'Wrong. ' }, { text: 'Right.', kept: 0 }];
    assert.equal(printed(updates, pipe), 'Wrong. \n\n---\n\nRight.\n');
    assert.equal(printed(updates, terminal), 'Wrong.\n\nRight.\n');
  });

  // Shows faults.md L3.
  it('removes control characters of a reply, title or URL, however they are split', () => {
    for (const stream of [pipe, terminal]) {
      for (const text of hostile) {
        const parts = [source(`https://x.test/${text}`, `Title ${text}`)];
        for (const code of [
          text,
          `\`${text}\``,
          `\`\`\`${text}\n${text}\n\`\`\``,
          `[a](${text})`,
        ]) {
          const updates = [{ sources: parts }, ...Array.from(code, (piece) => ({ text: piece }))];
          const safe = printed(updates, stream)
            // eslint-disable-next-line no-control-regex -- the styles of the printer itself
            .replace(/\u001b\[(?:[1-9]|2[2-9]|3[0-9])m/g, '');
          assert.doesNotMatch(safe, /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\u200b]/u, code);
        }
      }
    }
  });

  it('joins a character that two updates split', () => {
    const [high = '', low = ''] = '😀'.split('');
    assert.equal(printed([{ text: high }, { text: low }], pipe), '😀\n');
  });
});

function replyJson(...args: Parameters<typeof replyObject>): string {
  let text = '';
  new Output({ write: (piece) => (text += piece) }).json(replyObject(...args));
  return text;
}

describe('replyObject', () => {
  it('is one line of visible characters with all data', () => {
    const text = hostile.join('');
    const json = replyJson({
      question: 'Why?',
      status: 'complete',
      target: undefined,
      reply: { text, sources: [guide] },
      redacted: ['Stripe key'],
    });
    assert.doesNotMatch(json.slice(0, -1), /[\p{Cc}\u2028\u202e\u200b]|\u{e0041}/u);
    assert.deepEqual(JSON.parse(json), {
      version: 1,
      status: 'complete',
      question: 'Why?',
      answer: text,
      sources: [{ number: 1, title: 'Guide', url: 'https://docs.test/guide' }],
      redacted: ['Stripe key'],
    });
  });

  it('has the failure with the time of the next try', () => {
    const json = replyJson({
      question: 'Why?',
      status: 'error',
      target: undefined,
      reply: { text: '', sources: [] },
      redacted: [],
      failure: { exitCode: 6, code: 'rate-limited', message: 'Wait.', retryAt: 0 },
    });
    assert.deepEqual((JSON.parse(json) as { error: unknown }).error, {
      code: 'rate-limited',
      message: 'Wait.',
      retryAt: '1970-01-01T00:00:00.000Z',
    });
  });
});
