import assert from 'node:assert/strict';
import {
  applyOp,
  postedOps,
  WaitingOps,
  type PartOp,
  type ReplyOp,
} from '../../../src/shared/replyOps';
import type { MessagePart } from '../../../src/shared/uiMessage';
import { applied } from '../../builders/ops';

const text = (value: string): MessagePart => ({ type: 'text', text: value });
const step: MessagePart = { type: 'step-start' };
const search = (state: 'running' | 'done'): MessagePart => ({
  type: 'search',
  toolCallId: 's',
  toolName: 'search',
  state,
});

describe('WaitingOps', () => {
  const taken = (fill: (ops: WaitingOps) => void): readonly PartOp[] => {
    const ops = new WaitingOps();
    fill(ops);
    return ops.take();
  };

  it('joins what a text grows by', () => {
    const ops = taken((waiting) => {
      for (const letter of 'abc') waiting.append(3, letter);
    });
    assert.deepEqual(ops, [[3, 'abc']]);
  });

  it('puts a text that is new there with all it has grown by', () => {
    const ops = taken((waiting) => {
      waiting.put(0, text(''));
      waiting.append(0, 'a');
      waiting.append(0, 'b');
    });
    assert.deepEqual(ops, [[0, text('ab')]]);
  });

  it('keeps the last part of those that were put in one place', () => {
    const ops = taken((waiting) => {
      waiting.append(0, 'lost');
      waiting.put(0, search('running'));
      waiting.put(0, search('done'));
    });
    assert.deepEqual(ops, [[0, search('done')]]);
  });

  it('gives each change once', () => {
    const waiting = new WaitingOps();
    const note = { providerMetadata: { acme: 's' } };
    waiting.add([
      [0, 'a'],
      [0, note],
    ]);
    assert.deepEqual(waiting.take(), [
      [0, 'a'],
      [0, note],
    ]);
    assert.deepEqual(waiting.take(), []);
  });

  it('joins changes that were taken elsewhere to the same state, wherever they are cut', () => {
    const ops: PartOp[] = [
      [0, text('a')],
      [1, search('running')],
      [0, 'b'],
      [2, text('')],
      [1, search('done')],
      [2, 'c'],
      [0, text('')],
      [2, 'd'],
      [0, 'e'],
    ];
    const expected = [text('e'), search('done'), text('cd')];
    for (let cut = 0; cut <= ops.length; cut++) {
      const waiting = new WaitingOps();
      let parts: readonly MessagePart[] = [];
      for (const some of [ops.slice(0, cut), ops.slice(cut)]) {
        waiting.add(some);
        parts = applied(parts, waiting.take());
      }
      assert.deepEqual(parts, expected);
    }
  });

  it('gives what a service attached behind the part, and not if another takes its place', () => {
    const note = { providerMetadata: { acme: { signature: 's' } } };
    const source = { type: 'source-url', sourceId: 'a', url: 'https://a.example/' } as const;
    const ops = taken((waiting) => {
      waiting.put(0, { type: 'reasoning', text: '' });
      waiting.add([[0, { providerMetadata: { acme: 'first' } }]]);
      waiting.add([[0, note]]);
      waiting.append(0, 'Hm.');
      waiting.put(1, step);
      waiting.add([[2, note]]);
      waiting.put(2, text(''));
      waiting.put(3, source);
      waiting.add([[3, note]]);
    });
    assert.deepEqual(applied([], ops), [
      { type: 'reasoning', text: 'Hm.', ...note },
      step,
      text(''),
      { ...source, ...note },
    ]);
  });

  it('lets nothing but a text grow', () => {
    const waiting = new WaitingOps();
    waiting.put(0, step);
    assert.throws(() => waiting.append(0, 'a'), /does not grow/);
  });
});

describe('postedOps', () => {
  it('returns only the new text if it belongs to the last part, as in most changes', () => {
    const ops: PartOp[] = [
      [0, 'a'],
      [1, step],
      [2, 'b'],
    ];
    assert.deepEqual(postedOps(ops, 3), [[0, 'a'], [1, step], 'b']);
  });

  it('gives nothing of what a service attached', () => {
    const note = { providerMetadata: { acme: 'CANARY' } };
    const ops: PartOp[] = [
      [0, { type: 'reasoning', text: 'Hm.', ...note }],
      [0, note],
      [1, { type: 'source-url', sourceId: 's', url: '', ...note }],
    ];
    const posted = postedOps(ops, 2);
    assert.doesNotMatch(JSON.stringify(posted), /CANARY/);
    assert.equal(posted.length, 2);
  });
});

describe('applyOp', () => {
  it('replaces the part that changed and keeps the others as the same objects', () => {
    const before = [text('a'), text('b')];
    const parts = [...before];
    assert.ok(applyOp(parts, 'c'));
    assert.equal(parts[0], before[0]);
    assert.deepEqual(before, [text('a'), text('b')]);
    assert.deepEqual(parts, [text('a'), text('bc')]);
  });

  const misfits: (PartOp | ReplyOp)[] = [
    'x',
    [0, 'x'],
    [5, text('a')],
    [-1, text('a')],
    [0, { providerMetadata: {} }],
  ];
  for (const op of misfits) {
    it(`says that ${JSON.stringify(op)} does not fit one step`, () => {
      const parts = [step];
      assert.equal(applyOp(parts, op), false);
      assert.deepEqual(parts, [step]);
    });
  }
});
