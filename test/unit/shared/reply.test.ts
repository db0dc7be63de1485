import assert from 'node:assert/strict';
import { ReplyFold, type ReplyNews } from '../../../src/shared/reply';
import type { PartOp } from '../../../src/shared/replyOps';
import type { MessagePart } from '../../../src/shared/uiMessage';

const text = (value: string): MessagePart => ({ type: 'text', text: value });
const step: MessagePart = { type: 'step-start' };
const source = (url: string): MessagePart => ({ type: 'source-url', sourceId: url, url });
const search = (query?: string): MessagePart => ({
  type: 'search',
  toolCallId: 's',
  toolName: 'search',
  state: 'running',
  query,
});

/** Returns the news of each change, and the reply at the end. */
function folded(...changes: readonly (readonly PartOp[])[]): {
  readonly news: readonly ReplyNews[];
  readonly reply: ReplyFold;
} {
  const reply = new ReplyFold();
  return { news: changes.map((ops) => reply.take({ ops })), reply };
}

const textNews = (news: readonly ReplyNews[]) => news.map(({ text: added, kept }) => [added, kept]);

describe('ReplyFold', () => {
  it('gives appended text as it comes', () => {
    const { news, reply } = folded([[0, text('Use')]], [[0, ' the']], [[0, ' key.']]);
    assert.deepEqual(textNews(news), [
      ['Use', undefined],
      [' the', undefined],
      [' key.', undefined],
    ]);
    assert.equal(reply.text, 'Use the key.');
  });

  it('parts texts by a blank line, and leaves out blank ones', () => {
    const { news, reply } = folded(
      [
        [0, step],
        [1, text('One.')],
        [2, text(' ')],
      ],
      [
        [3, text('')],
        [3, 'Two.'],
      ],
    );
    assert.deepEqual(textNews(news), [
      ['One.', undefined],
      ['\n\nTwo.', undefined],
    ]);
    assert.equal(reply.text, 'One.\n\nTwo.');
  });

  it('gives the whole text when it begins anew, and says how much of it was there before', () => {
    const { news, reply } = folded(
      [[0, text('One.')]],
      [[1, text('Wrong.')]],
      [
        [1, text('')],
        [2, text('Two.')],
      ],
    );
    assert.deepEqual(textNews(news).at(-1), ['One.\n\nTwo.', 4]);
    assert.equal(reply.text, 'One.\n\nTwo.');
  });

  it('says that the text begins anew even if nothing takes its place yet', () => {
    assert.deepEqual(textNews(folded([[0, text('Wrong.')]], [[0, text('')]]).news).at(-1), ['', 0]);
  });

  it('says nothing of a text that comes and goes within one change', () => {
    const { news } = folded([
      [0, text('Wrong.')],
      [0, text('')],
      [1, text('Right.')],
    ]);
    assert.deepEqual(textNews(news), [['Right.', undefined]]);
  });

  it('writes into a part again that was emptied, behind the text before it', () => {
    const { news, reply } = folded(
      [
        [0, text('One.')],
        [1, text('Wrong.')],
      ],
      [[1, text('')]],
      [[1, 'Two.']],
    );
    assert.deepEqual(textNews(news).slice(1), [
      ['One.', 4],
      ['\n\nTwo.', undefined],
    ]);
    assert.equal(reply.text, 'One.\n\nTwo.');
  });

  it('begins anew behind an earlier text that grows', () => {
    const { news } = folded([[0, text('One')]], [[1, text('Two')]], [[0, ' more']]);
    assert.deepEqual(textNews(news).at(-1), ['One more\n\nTwo', 3]);
  });

  it('tells the same text, wherever the changes are cut', () => {
    const ops: readonly PartOp[] = [
      [0, text('a')],
      [1, search()],
      [0, 'b'],
      [2, text('')],
      [2, 'c'],
      [0, text('')],
      [3, source('u')],
      [2, 'd'],
      [0, 'e'],
      [0, 'f'],
      [2, text('')],
      [4, text('g')],
    ];
    for (let first = 0; first <= ops.length; first++) {
      for (let second = first; second <= ops.length; second++) {
        const { news, reply } = folded(
          ops.slice(0, first),
          ops.slice(first, second),
          ops.slice(second),
        );
        let told = '';
        for (const { text: added = '', kept } of news) {
          if (kept === undefined) told += added;
          else {
            assert.equal(added.slice(0, kept), told.slice(0, kept));
            told = added;
          }
        }
        assert.deepEqual([told, reply.text], ['ef\n\ng', 'ef\n\ng']);
      }
    }
  });

  it('names each step once', () => {
    const { news } = folded(
      [[0, search()]],
      [[0, search('keys')]],
      [[0, search('keys')]],
      [[1, text(' ')]],
      [[1, 'So']],
      [[1, ' it is']],
    );
    assert.deepEqual(
      news.map(({ step: found }) => found?.name),
      ['searching', 'searching', undefined, undefined, 'writing', undefined],
    );
  });

  it('gives all sources when one is new', () => {
    const { news } = folded([[0, source('a')]], [[1, text('x')]], [[2, source('b')]]);
    assert.deepEqual(
      news.map(({ sources }) => sources?.map(({ url }) => url)),
      [['a'], undefined, ['a', 'b']],
    );
  });

  it('keeps the last proof, quotes, metadata and the end', () => {
    const reply = new ReplyFold();
    const proof = { type: 'proof', statements: 1, found: 1, unproven: [] } as const;
    assert.deepEqual(reply.take({ ops: [[0, proof]], quotes: { a: 'A' } }).proof, proof);
    reply.take({ quotes: { a: 'A', b: 'B' }, metadata: { acme: 1 } });
    const end = { status: 'complete', isDegraded: false } as const;
    assert.deepEqual(reply.take({ end }), {});
    assert.deepEqual(
      [reply.proof, reply.quotes, reply.metadata, reply.end],
      [proof, { a: 'A', b: 'B' }, { acme: 1 }, end],
    );
  });

  it('refuses a change that does not fit', () => {
    assert.throws(() => folded([[1, text('lost')]]), /does not fit/);
  });
});
