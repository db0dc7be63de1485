import assert from 'node:assert/strict';
import { FirstAnswer } from '../../../../src/cli/ask/askCommand';
import { ReplyFold } from '../../../../src/shared/reply';

describe('the first answer of a reply', () => {
  it('leaves out further passages, also those that arrive bit by bit, and keeps what comes behind them', () => {
    const first = new FirstAnswer();
    const fold = new ReplyFold();
    for (const ops of [
      [[0, { type: 'text', text: 'Use the key.' }]],
      [[1, { type: 'text', text: '**Keys**', role: 'more' }]],
      [[1, '\n\nA key has two parts.']],
      [[2, { type: 'source-url', sourceId: 's1', url: 'https://x.dev/keys', title: 'Keys' }]],
    ] as const) {
      fold.take(first.of({ ops: ops.map((op) => [...op]) as never }));
    }
    assert.equal(fold.text, 'Use the key.');
    assert.deepEqual(
      fold.sources.map(({ title }) => title),
      ['Keys'],
    );
    assert.equal(first.hasMore, true);
  });

  it('tells that a reply without them has no more', () => {
    const first = new FirstAnswer();
    first.of({ ops: [[0, { type: 'text', text: 'Use the key.' }]] });
    assert.equal(first.hasMore, false);
  });
});
