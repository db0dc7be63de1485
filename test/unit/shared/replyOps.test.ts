import assert from 'node:assert/strict';
import { applyOps, diffParts, type ReplyOp } from '../../../src/shared/replyOps';
import type { MessagePart } from '../../../src/shared/uiMessage';

const text = (value: string): MessagePart => ({ type: 'text', text: value });
const step: MessagePart = { type: 'step-start' };
const search = (state: 'running' | 'done'): MessagePart => ({
  type: 'search',
  toolCallId: 's',
  toolName: 'search',
  state,
});

describe('diffParts', () => {
  for (const [name, before, after, ops] of [
    ['nothing for the same parts', [text('a')], [text('a')], []],
    ['the new text of the last part alone', [text('a')], [text('ab')], ['b']],
    ['an index for another part', [text('a'), step], [text('ab'), step], [[0, 'b']]],
    ['a part that is new', [text('a')], [text('a'), step], [[1, step]]],
    ['a part that changed', [search('running')], [search('done')], [[0, search('done')]]],
    ['a part of another type', [step], [text('a')], [[0, text('a')]]],
    ['a text that was emptied', [text('abc'), step], [text(''), step], [[0, text('')]]],
    [
      'text and a new part behind it',
      [text('a')],
      [text('ab'), text('c')],
      [
        [0, 'b'],
        [1, text('c')],
      ],
    ],
  ] as readonly (readonly [string, MessagePart[], MessagePart[], ReplyOp[]])[]) {
    it(`gives ${name}`, () => {
      assert.deepEqual(diffParts(before, after), ops);
      assert.deepEqual(applyOps(before, ops), after);
    });
  }
});

describe('applyOps', () => {
  it('keeps parts that did not change as the same objects and leaves the old list alone', () => {
    const before = [text('a'), text('b')];
    const after = applyOps(before, ['c']);
    assert.equal(after?.[0], before[0]);
    assert.deepEqual(before, [text('a'), text('b')]);
    assert.deepEqual(after, [text('a'), text('bc')]);
  });

  for (const op of ['x', [0, 'x'], [5, text('a')], [-1, text('a')]] as ReplyOp[]) {
    it(`says that ${JSON.stringify(op)} does not fit one step`, () => {
      assert.equal(applyOps([step], [op]), undefined);
    });
  }
});
