import assert from 'node:assert/strict';
import {
  contextItemView,
  isSameContextItem,
  isSameRange,
  type ContextItem,
} from '../../../../src/chat/context/contextItem';

const target = {
  uri: 'file:///a.ts',
  startLine: 4,
  startCharacter: 0,
  endLine: 4,
  endCharacter: 12,
};

function anItem(changes: Partial<ContextItem> = {}): ContextItem {
  return {
    id: 'item-1',
    type: 'code',
    value: 'const a = 1;',
    path: 'src/pay.ts',
    label: 'pay.ts',
    startLine: 5,
    endLine: 5,
    target,
    ...changes,
  };
}

describe('contextItemView', () => {
  it('keeps the value and the target in the host', () => {
    const view = contextItemView(anItem());
    assert.deepEqual(view, {
      id: 'item-1',
      type: 'code',
      label: 'pay.ts',
      path: 'src/pay.ts',
      startLine: 5,
      endLine: 5,
      length: 12,
    });
  });
});

describe('isSameContextItem', () => {
  it('takes one range of one document with one text for the same, whatever its id', () => {
    assert.equal(isSameContextItem(anItem(), anItem({ id: 'item-2' })), true);
  });

  for (const [what, other] of [
    ['another range', anItem({ target: { ...target, startLine: 3 } })],
    ['another text', anItem({ value: 'const a = 2;' })],
    ['another document', anItem({ target: { ...target, uri: 'file:///b.ts' } })],
  ] as const) {
    it(`tells ${what} apart`, () => {
      assert.equal(isSameContextItem(anItem(), other), false);
    });
  }
});

describe('isSameRange', () => {
  it('does not look at the text', () => {
    assert.equal(isSameRange(target, { ...target }), true);
    assert.equal(isSameRange(target, { ...target, endCharacter: 13 }), false);
  });
});
