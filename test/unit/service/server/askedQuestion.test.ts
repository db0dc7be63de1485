import assert from 'node:assert/strict';
import { askedQuestion } from '../../../../src/service/server/askedQuestion';
import { parseMessageRequest } from '../../../../src/service/server/messageSchema';

function asked(text: string, fields: object = {}): ReturnType<typeof askedQuestion> {
  const messages = [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }];
  const parsed = parseMessageRequest({ fp: 'anonymous', messages, ...fields });
  assert.ok(parsed.ok);
  return askedQuestion(parsed.request, []);
}

describe('askedQuestion', () => {
  it('takes the beginning of a question of 10 MB', () => {
    const { text } = asked('How? '.repeat(2_000_000));
    assert.equal(text.length, 100_000);
    assert.match(text, /^How\? How\?/);
  });

  it('takes no message without text for a question', () => {
    const messages = ['How?', 'So.', ' '].map((text, index) => ({
      id: `m${index}`,
      role: index === 1 ? 'assistant' : 'user',
      parts: [{ type: 'text', text }],
    }));
    const { text, earlier } = asked('', { messages });
    assert.equal(text, 'How?');
    assert.deepEqual(earlier, []);
  });

  it('takes the beginnings of selected texts, and as many as there is room for', () => {
    const context = Array.from({ length: 20 }, (_, count) => ({
      type: 'textSelection',
      value: `${count} `.repeat(100_000),
    }));
    const { contextItems } = asked('How?', { context });
    assert.deepEqual(
      contextItems.map(({ value }) => value.length),
      [100_000, 100_000],
    );
  });
});
