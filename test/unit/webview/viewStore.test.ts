import assert from 'node:assert/strict';
import type { ViewSnapshot } from '../../../src/shared/protocol';
import type { ReplyOp } from '../../../src/shared/replyOps';
import type { MessageView, ReplyView } from '../../../src/shared/uiMessage';
import { viewStrings } from '../../../src/shared/viewStrings';
import type { HostEvent } from '../../../webview/hostSchemas';
import {
  drawnModel,
  emptyModel,
  nextModel,
  runningReply,
  type ViewInput,
  type ViewModel,
} from '../../../webview/viewStore';

const question: MessageView = {
  role: 'user',
  id: 'q1',
  createdAt: '2025-06-01T12:00:00.000Z',
  text: 'Why?',
  contextItems: [],
};

const aReply = (given: Partial<ReplyView> = {}): ReplyView => ({
  role: 'assistant',
  id: 'r1',
  createdAt: '2025-06-01T12:00:01.000Z',
  parts: [],
  status: 'waiting',
  ...given,
});

const snapshotOf = (seq: number, messages: MessageView[] = [], now = 0): ViewInput => {
  const snapshot: ViewSnapshot = {
    protocolVersion: 1,
    seq,
    site: { isConfigured: true, label: 'acme', isLocal: false, filter: {} },
    thread: { id: 't', title: '', messages },
    contextItems: [],
    suggestions: [],
    now,
    strings: viewStrings,
  };
  return { kind: 'snapshot', snapshot, receivedAt: 1_000 };
};

const anEvent = <Name extends HostEvent['name']>(
  seq: number,
  name: Name,
  params: Extract<HostEvent, { name: Name }>['params'],
): ViewInput => ({ kind: 'event', event: { seq, name, params } as HostEvent });

const someOps = (seq: number, ...ops: ReplyOp[]): ViewInput => ({
  kind: 'ops',
  ops: [seq, ...ops],
});

const after = (...inputs: ViewInput[]): ViewModel => inputs.reduce(nextModel, emptyModel);

const messagesOf = (model: ViewModel): readonly MessageView[] => model.shown?.thread.messages ?? [];

const replyOf = (model: ViewModel): ReplyView => {
  const reply = messagesOf(model).findLast(({ role }) => role === 'assistant');
  assert.ok(reply?.role === 'assistant');
  return reply;
};

describe('viewStore', () => {
  it('shows what a snapshot says, with the offset of the host’s clock', () => {
    const model = after(snapshotOf(4, [question], 400));
    assert.deepEqual(messagesOf(model), [question]);
    assert.equal(model.shown?.clockOffsetMs, 600);
    assert.equal(model.isAwaitingSnapshot, false);
  });

  it('builds a reply from messages, status and changes', () => {
    const model = after(
      snapshotOf(0),
      anEvent(1, 'message-added', { message: question }),
      anEvent(2, 'message-added', { message: aReply() }),
      anEvent(3, 'reply-status', { messageId: 'r1', status: 'streaming' }),
      someOps(4, [0, { type: 'text', text: 'So' }]),
      someOps(5, ' it', ' is.'),
      anEvent(6, 'reply-status', { messageId: 'r1', status: 'complete' }),
    );
    assert.deepEqual(
      replyOf(model),
      aReply({ status: 'complete', parts: [{ type: 'text', text: 'So it is.' }] }),
    );
    assert.equal(model.shown?.seq, 6);
    assert.equal(runningReply(model.shown), undefined);
  });

  it('joins the text that was appended to a part since it was drawn', () => {
    const drawn = drawnModel(
      after(
        snapshotOf(0, [question, aReply({ status: 'streaming' })]),
        someOps(1, [0, { type: 'text', text: 'So' }]),
      ),
    );
    const [from] = replyOf(drawn).parts;
    const model = [someOps(2, ' it', ' is'), someOps(3, '.')].reduce(nextModel, drawn);
    const [part] = replyOf(model).parts;
    assert.ok(part && model.shown);
    assert.deepEqual([...model.shown.grown], [[part, { from, added: ' it is.' }]]);
    assert.equal(drawnModel(model).shown?.grown.size, 0);
  });

  it('takes a part that was put in place of another one for no growth of it', () => {
    const text = { type: 'text', text: 'So' } as const;
    const model = after(
      snapshotOf(0, [question, aReply({ status: 'streaming', parts: [text] })]),
      someOps(1, ' it', [0, { type: 'text', text: 'So it' }], ' is.'),
    );
    const [part] = replyOf(model).parts;
    assert.ok(part && model.shown);
    const from = { type: 'text', text: 'So it' };
    assert.deepEqual(model.shown.grown.get(part), { from, added: ' is.' });
  });

  it('shows a reply that waited as streaming from its first change on', () => {
    const model = after(
      snapshotOf(0, [question, aReply({ status: 'waiting' })]),
      someOps(1, [0, { type: 'text', text: 'So' }]),
    );
    assert.equal(replyOf(model).status, 'streaming');
  });

  it('keeps events that come before the snapshot and applies those that it does not include', () => {
    const model = after(
      anEvent(1, 'message-added', { message: question }),
      anEvent(2, 'message-added', { message: aReply({ status: 'streaming' }) }),
      someOps(3, [0, { type: 'text', text: 'a' }]),
      snapshotOf(2, [question, aReply({ status: 'streaming' })]),
    );
    assert.deepEqual(replyOf(model).parts, [{ type: 'text', text: 'a' }]);
    assert.equal(messagesOf(model).length, 2);
  });

  // Shows faults.md E2.
  it('asks for a snapshot after a gap and goes on from it', () => {
    const start = after(snapshotOf(0, [question, aReply({ status: 'streaming' })]));
    const gap = nextModel(start, someOps(2, 'b'));
    assert.equal(gap.isAwaitingSnapshot, true);
    const waiting = nextModel(gap, someOps(3, 'c'));
    const text = { type: 'text', text: 'ab' } as const;
    const model = nextModel(
      waiting,
      snapshotOf(2, [question, aReply({ status: 'streaming', parts: [text] })]),
    );
    assert.equal(model.isAwaitingSnapshot, false);
    assert.deepEqual(replyOf(model).parts, [{ type: 'text', text: 'abc' }]);
  });

  it('ignores what it has had already', () => {
    const model = after(
      snapshotOf(5, [
        question,
        aReply({ status: 'streaming', parts: [{ type: 'text', text: 'a' }] }),
      ]),
      someOps(5, 'a'),
      someOps(4, 'a'),
    );
    assert.deepEqual(replyOf(model).parts, [{ type: 'text', text: 'a' }]);
    assert.equal(model.isAwaitingSnapshot, false);
  });

  it('asks for a snapshot when changes do not fit what it shows', () => {
    const noReply = after(snapshotOf(0, [question]), someOps(1, 'text'));
    assert.equal(noReply.isAwaitingSnapshot, true);
    const noPart = after(snapshotOf(0, [aReply({ status: 'streaming' })]), someOps(1, 'text'));
    assert.equal(noPart.isAwaitingSnapshot, true);
    const noMessage = after(
      snapshotOf(0),
      anEvent(1, 'reply-status', { messageId: 'nobody', status: 'complete' }),
    );
    assert.equal(noMessage.isAwaitingSnapshot, true);
  });

  it('takes the same snapshot twice, and drops one that is older than what it shows', () => {
    const model = after(
      snapshotOf(1, [question]),
      snapshotOf(1, [question]),
      anEvent(2, 'message-added', { message: aReply() }),
      snapshotOf(1, [question]),
    );
    assert.equal(messagesOf(model).length, 2);
    assert.equal(model.isAwaitingSnapshot, false);
  });

  it('keeps the objects of messages that a snapshot does not change', () => {
    const start = after(snapshotOf(1, [question, aReply({ status: 'complete' })]));
    const same = nextModel(
      start,
      snapshotOf(2, structuredClone([question, aReply({ status: 'failed' })])),
    );
    assert.equal(messagesOf(same)[0], messagesOf(start)[0]);
    assert.notEqual(messagesOf(same)[1], messagesOf(start)[1]);
  });

  it('replaces a message that is added again under its id', () => {
    const model = after(
      snapshotOf(0, [question, aReply({ status: 'failed' })]),
      anEvent(1, 'message-added', { message: aReply() }),
    );
    assert.deepEqual(messagesOf(model), [question, aReply()]);
  });

  it('shows an offer of models until the next status', () => {
    const offer = {
      text: 'GPT can write.',
      choices: [{ writer: 'vscode', label: 'GPT' }],
    } as const;
    const offered = after(
      snapshotOf(0, [question, aReply({ status: 'waiting' })]),
      anEvent(1, 'reply-status', { messageId: 'r1', status: 'waiting', offer }),
    );
    assert.deepEqual(replyOf(offered).offer, offer);
    const model = nextModel(
      offered,
      anEvent(2, 'reply-status', { messageId: 'r1', status: 'waiting' }),
    );
    assert.equal(replyOf(model).offer, undefined);
  });

  it('keeps a notice while the status goes on', () => {
    const model = after(
      snapshotOf(0, [question, aReply()]),
      anEvent(1, 'reply-status', { messageId: 'r1', status: 'streaming', notice: 'New thread.' }),
      anEvent(2, 'reply-status', { messageId: 'r1', status: 'complete' }),
    );
    assert.equal(replyOf(model).notice, 'New thread.');
  });

  it('shows another thread, other context items and another site when told', () => {
    const items = [{ id: 'i', type: 'code', label: 'a.ts', length: 1 }] as const;
    const site = { isConfigured: false, label: '', isLocal: true, filter: {} };
    const { shown } = after(
      snapshotOf(0, [question]),
      anEvent(1, 'thread-shown', { thread: { id: 't2', title: '', messages: [] } }),
      anEvent(2, 'context-items', { items }),
      anEvent(3, 'site-changed', { site, suggestions: ['How?'] }),
      anEvent(4, 'composer-focus', {}),
    );
    assert.equal(shown?.thread.id, 't2');
    assert.deepEqual(shown.contextItems, items);
    assert.deepEqual([shown.site, shown.suggestions], [site, ['How?']]);
    assert.equal(shown.seq, 4);
  });

  it('finds the running reply before later messages', () => {
    const { shown } = after(snapshotOf(0, [question, aReply({ status: 'streaming' }), question]));
    assert.equal(shown && runningReply(shown)?.id, 'r1');
  });
});
