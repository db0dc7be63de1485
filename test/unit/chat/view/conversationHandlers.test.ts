import assert from 'node:assert/strict';
import { conversationHandlers } from '../../../../src/chat/view/conversationHandlers';
import { DocsAssistantError } from '../../../../src/common/errors';
import { settled } from '../../../fakes/fakeClock';
import { openWindow } from '../conversation/conversationWindow';

const hosted = 'https://api.example.com acme';
const local = 'local docs';

/** Opens a window that shows a thread about docs on this machine, which aren't served again yet. */
async function reopenedWindow() {
  const window = await openWindow();
  const { ask, client, conversation, reply, useSite } = window;
  useSite(local);
  await ask('Before the reload?');
  await client.say(new DocsAssistantError('connection-lost'));
  useSite(hosted);
  const handlers = conversationHandlers(conversation, async () => {
    await settled();
    useSite(local);
  });
  const { id } = conversation.thread;
  return {
    ...window,
    handlers,
    id,
    failedId: reply().id,
    questionId: questionIds(window)[0] ?? '',
  };
}

function questionIds({ conversation }: Awaited<ReturnType<typeof openWindow>>): readonly string[] {
  return conversation.thread.messages.flatMap(({ id, role }) => (role === 'user' ? [id] : []));
}

describe('A question of the panel', () => {
  it('waits for docs of this machine that are being served again, and goes to no other site', async () => {
    const asks: [string, (window: Awaited<ReturnType<typeof reopenedWindow>>) => unknown][] = [
      ['a new question', ({ handlers }) => handlers['question-submit']({ text: 'And now?' })],
      ['a retry', ({ handlers, failedId }) => handlers['reply-retry']({ messageId: failedId })],
      [
        'an edited question',
        ({ handlers, questionId }) =>
          handlers['question-edit']({ messageId: questionId, text: 'After the reload?' }),
      ],
    ];
    for (const [name, ask] of asks) {
      const window = await reopenedWindow();
      const { client, conversation, id } = window;
      const asked = client.asked.length;
      await ask(window);
      await settled();
      assert.equal(client.asked.length, asked + 1, name);
      assert.equal(conversation.thread.id, id, `${name} went to the other site`);
    }
  });
});
