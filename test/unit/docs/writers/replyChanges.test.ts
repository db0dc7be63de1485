import assert from 'node:assert/strict';
import type { AnswerSource } from '../../../../src/docs/answers/answer';
import {
  type EngineChange,
  replyChanges,
  type ReplyPiece,
} from '../../../../src/docs/writers/replyChanges';
import type { MessagePart } from '../../../../src/shared/uiMessage';
import { applied } from '../../../builders/ops';

const source: AnswerSource = { sourceId: 'source-1', url: '/a', title: 'A', quote: 'Quoted.' };

async function changesOf(...pieces: readonly ReplyPiece[]): Promise<readonly EngineChange[]> {
  async function* written(): AsyncGenerator<ReplyPiece> {
    for (const piece of pieces) yield await Promise.resolve(piece);
  }
  const changes: EngineChange[] = [];
  for await (const change of replyChanges(written())) changes.push(change);
  return changes;
}

function partsOf(changes: readonly EngineChange[]): readonly MessagePart[] {
  return changes.reduce<readonly MessagePart[]>((parts, { ops = [] }) => applied(parts, ops), []);
}

describe('replyChanges', () => {
  it('puts searches and sources into the first step, and the text into the second', async () => {
    const changes = await changesOf(
      { type: 'search', id: 'search-1', query: 'keys' },
      { type: 'reasoning', text: 'Searched.' },
      { type: 'sources', sources: [source] },
      { type: 'found', id: 'search-1', sources: [source] },
      { type: 'text', text: 'Closest.', role: 'closest' },
      { type: 'more', text: 'More.' },
    );
    assert.deepEqual(partsOf(changes), [
      { type: 'step-start' },
      {
        type: 'search',
        toolCallId: 'search-1',
        toolName: 'search',
        state: 'done',
        query: 'keys',
        resultCount: 1,
        sourceIds: ['source-1'],
      },
      { type: 'reasoning', text: 'Searched.' },
      { type: 'source-url', sourceId: 'source-1', url: '/a', title: 'A' },
      { type: 'step-start' },
      { type: 'text', text: 'Closest.', role: 'closest' },
      { type: 'text', text: 'More.', role: 'more' },
    ]);
    assert.deepEqual(changes.at(-1), { end: { status: 'complete', isDegraded: false } });
  });

  it('empties a text that was taken back, and begins another one behind it', async () => {
    const changes = await changesOf(
      { type: 'taken-back' },
      { type: 'delta', text: 'Wrong' },
      { type: 'delta', text: ' text' },
      { type: 'taken-back' },
      { type: 'delta', text: 'Right' },
    );
    assert.deepEqual(partsOf(changes), [
      { type: 'step-start' },
      { type: 'step-start' },
      { type: 'text', text: '' },
      { type: 'text', text: 'Right' },
    ]);
  });

  it('says nothing while the model has nothing to say, and how a cut reply ended', async () => {
    const changes = await changesOf(
      { type: 'waiting' },
      { type: 'delta', text: 'Half' },
      { type: 'incomplete', reason: 'length' },
    );
    assert.deepEqual(changes[1], {});
    assert.deepEqual(changes.at(-1), {
      end: { status: 'incomplete', isDegraded: false, isUnfinished: true },
      unfinished: 'length',
    });
  });

  it('cuts titles and quotes of any length', async () => {
    const long = { ...source, title: 't'.repeat(10_000), quote: 'q'.repeat(10_000) };
    const [, change] = await changesOf({ type: 'sources', sources: [long] });
    const [part] = partsOf([{ ops: [[0, { type: 'step-start' }]] }, change ?? {}]).slice(1);
    assert.ok(part?.type === 'source-url');
    assert.equal(part.title?.length, 500);
    assert.equal(change?.quotes?.['source-1']?.length, 2000);
  });
});
