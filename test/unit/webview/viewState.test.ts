import assert from 'node:assert/strict';
import {
  QuestionEdits,
  readViewState,
  writeViewState,
  type StatePort,
} from '../../../webview/viewState';

const portWith = (stored: unknown): StatePort & { stored: unknown } => ({
  stored,
  getState() {
    return this.stored;
  },
  setState(state) {
    this.stored = state;
    return state;
  },
});

// Shows faults.md E7.
describe('viewState', () => {
  it('gives back what was kept', () => {
    const port = portWith(undefined);
    const scroll = { threadId: 't', messageId: 'm', offset: -40, isFollowing: false };
    const edits = [{ messageId: 'q', text: 'half a change' }];
    const state = { draft: 'half a quest', edits, scroll };
    writeViewState(port, state);
    assert.deepEqual(readViewState(port), state);
  });

  const unusable: Record<string, unknown> = {
    nothing: undefined,
    null: null,
    'a text': 'draft',
    'an older form': { draft: 'x' },
    'a newer version': { schemaVersion: 2, draft: 'x' },
  };
  for (const [name, stored] of Object.entries(unusable)) {
    it(`starts empty with ${name}`, () => {
      assert.deepEqual(readViewState(portWith(stored)), { draft: '' });
    });
  }

  it('keeps the draft when the position is forged, and drops a draft of another type', () => {
    const scroll = { threadId: 't', messageId: 'm', offset: 0, isFollowing: true };
    for (const forged of [
      { offset: Number.NaN },
      { offset: -Infinity },
      { messageId: 'm'.repeat(201) },
      { threadId: 5 },
      { isFollowing: 'no' },
    ]) {
      const stored = { schemaVersion: 1, draft: 'x', scroll: { ...scroll, ...forged } };
      assert.deepEqual(readViewState(portWith(stored)), { draft: 'x' });
    }
    assert.deepEqual(readViewState(portWith({ schemaVersion: 1, draft: { html: '<b>' } })), {
      draft: '',
    });
    const huge = 'x'.repeat(1_000_000);
    assert.deepEqual(readViewState(portWith({ schemaVersion: 1, draft: huge })), { draft: '' });
  });

  it('drops forged edits and no others', () => {
    const edit = { messageId: 'q', text: 'x' };
    for (const edits of [
      edit,
      [1],
      [{ ...edit, text: {} }],
      [{ ...edit, messageId: 'q'.repeat(201) }],
      Array.from({ length: 99 }, () => edit),
    ]) {
      assert.deepEqual(readViewState(portWith({ schemaVersion: 1, draft: 'd', edits })), {
        draft: 'd',
      });
    }
    const known = { schemaVersion: 1, draft: 'd', edits: [{ ...edit, html: '<b>' }] };
    assert.deepEqual(readViewState(portWith(known)), { draft: 'd', edits: [edit] });
  });

  it('takes over nothing but texts that were typed and the position', () => {
    const stored = { schemaVersion: 1, draft: 'x', messages: ['forged'], site: { isLocal: true } };
    assert.deepEqual(readViewState(portWith(stored)), { draft: 'x' });
  });
});

describe('QuestionEdits', () => {
  it('keeps the last ten, and tells of each change', () => {
    let changes = 0;
    const edits = new QuestionEdits([{ messageId: 'q0', text: 'a' }], () => changes++);
    for (let index = 1; index <= 10; index++) edits.keep(`q${index}`, 'b');
    assert.equal(edits.textOf('q0'), undefined);
    assert.equal(edits.all.length, 10);
    edits.end('q10');
    edits.end('q10');
    assert.equal(edits.textOf('q10'), undefined);
    assert.equal(changes, 11);
  });
});
