import assert from 'node:assert/strict';
import type { MessageView } from '../../../../src/shared/uiMessage';
import { FindSearch } from '../../../../webview/find/findSearch';

const sentence = 'A reply can be cut off where its limit is, and the rest of its words come later.';

/** Returns what is told around the first place that has the text. */
async function excerpt(markdown: string, text: string, length: number): Promise<string> {
  const reply: MessageView = {
    role: 'assistant',
    id: 'r1',
    createdAt: '2025-06-01T12:00:00.000Z',
    status: 'complete',
    parts: [{ type: 'text', text: markdown }],
  };
  const search = await new Promise<FindSearch>((resolve) => {
    const running = new FindSearch({
      openParts: () => [],
      onProgress: (isDone) => {
        if (isDone) resolve(running);
      },
    });
    running.run([reply], { text, isCaseSensitive: false }, undefined);
  });
  const place = search.at(0);
  assert.ok(place, 'nothing was found');
  return search.excerpt(place, length);
}

describe('the words around a match', () => {
  it('are whole on both sides', async () => {
    assert.equal(await excerpt(sentence, 'limit', 20), 'cut off where its limit is, and the');
  });

  it('are all of a short paragraph, and nothing of the next', async () => {
    assert.equal(await excerpt('One word.\n\nAnother word.', 'word', 60), 'One word.');
  });

  it('have all of a match that is longer than they may be', async () => {
    const long = 'where its limit is, and the rest';
    assert.equal(await excerpt(sentence, long, 10), `cut off ${long}`);
  });

  it('may be cut where there is no space', async () => {
    assert.equal(
      await excerpt('x'.repeat(50) + 'match' + 'y'.repeat(50), 'match', 10),
      `${'x'.repeat(10)}match${'y'.repeat(5)}`,
    );
  });
});
