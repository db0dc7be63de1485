import assert from 'node:assert/strict';
import { readViewState, writeViewState, type StatePort } from '../../../webview/viewState';

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

describe('viewState', () => {
  it('gives back what was kept', () => {
    const port = portWith(undefined);
    const scroll = { threadId: 't', messageId: 'm', offset: -40, isFollowing: false };
    const state = { draft: 'half a quest', scroll };
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
    const scroll = { threadId: 't', messageId: 'm', offset: Number.NaN, isFollowing: true };
    assert.deepEqual(readViewState(portWith({ schemaVersion: 1, draft: 'x', scroll })), {
      draft: 'x',
    });
    assert.deepEqual(readViewState(portWith({ schemaVersion: 1, draft: { html: '<b>' } })), {
      draft: '',
    });
    const huge = 'x'.repeat(1_000_000);
    assert.deepEqual(readViewState(portWith({ schemaVersion: 1, draft: huge })), { draft: '' });
  });

  it('takes over nothing but the draft and the position', () => {
    const stored = { schemaVersion: 1, draft: 'x', messages: ['forged'], site: { isLocal: true } };
    assert.deepEqual(readViewState(portWith(stored)), { draft: 'x' });
  });
});
