import assert from 'node:assert/strict';
import { parseAskLink } from '../../../../src/chat/context/askLink';
import { askLinkText } from '../../../../src/chat/context/askLinkText';

const extension = { scheme: 'vscode', id: 'docs-assistant.docs-assistant' };

/** Reads a link as VS Code hands it to the extension: its query is decoded once. */
function opened(link: string): ReturnType<typeof parseAskLink> {
  const { pathname, search } = new URL(link);
  return parseAskLink({ path: pathname, query: decodeURIComponent(search.slice(1)) });
}

describe('askLinkText', () => {
  for (const question of [
    'start',
    'How do I verify a webhook signature?',
    'Is 100% of C++ & C#=ok?',
    'a&path=/other',
    'a&q=b',
    '%41+%20b',
    'Wie grüßt man 你好?',
    'two\nlines',
  ]) {
    it(`is read as the same question and page: ${JSON.stringify(question)}`, () => {
      const link = askLinkText(extension, { question, page: '/v2/en/quickstart' });
      assert.match(link, /^vscode:\/\/docs-assistant\.docs-assistant\/ask\?[\w%&=/.~-]+$/);
      assert.deepEqual(opened(link), { question, page: '/v2/en/quickstart', isCut: false });
    });
  }

  it('leaves out a page that a link can’t have, and an empty question', () => {
    for (const page of ['/a b', '/../x', '//host', '/a?b', `/${'x'.repeat(200)}`]) {
      assert.deepEqual(opened(askLinkText(extension, { question: 'q', page })), {
        question: 'q',
        isCut: false,
      });
    }
    assert.equal(
      askLinkText(extension, { question: '', page: '/start' }),
      'vscode://docs-assistant.docs-assistant/ask?path=/start',
    );
  });
});
