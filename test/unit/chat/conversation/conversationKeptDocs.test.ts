import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../../src/common/errors';
import type { ErrorCode } from '../../../../src/shared/errorInfo';
import { workspaceSites } from '../../../../src/site/workspaceSites';
import { settled } from '../../../fakes/fakeClock';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { complete, openWindow, text } from './conversationWindow';

const acme = 'https://api.example.com acme';
const keptDocs = { id: 'set-1', label: 'acme docs', fetchedAt: 5 };
const file = {
  id: 'file-1',
  filename: 'log.txt',
  mediaType: 'text/plain',
  sizeBytes: 1,
  url: 'data:text/plain;base64,eA==',
};

describe('Kept docs of a site that doesn’t answer', () => {
  const failsWith = async (code: ErrorCode) => {
    const { ask, client, reply } = await openWindow({ keptDocs });
    await ask();
    await client.say(new DocsAssistantError(code));
    return reply().error?.keptDocs;
  };

  it('are offered after a limit, without a network, and for a refused key', async () => {
    for (const code of [
      'rate-limited',
      'offline',
      'timed-out',
      'service-down',
      'key-rejected',
      'forbidden',
    ] as const) {
      assert.deepEqual(await failsWith(code), keptDocs, code);
    }
  });

  it('are not offered for errors that other docs would not help with', async () => {
    for (const code of ['bad-request', 'too-large', 'unknown-thread', 'unexpected'] as const) {
      assert.equal(await failsWith(code), undefined, code);
    }
  });

  it('are not offered if there are none', async () => {
    const { ask, client, reply } = await openWindow();
    await ask();
    await client.say(new DocsAssistantError('offline'));
    assert.equal('keptDocs' in (reply().error ?? {}), false);
  });

  it('stay offered after a reload', async () => {
    const first = await openWindow({ keptDocs });
    await first.ask();
    await first.client.say(new DocsAssistantError('offline'));
    await first.conversation.flush();
    const later = await openWindow({ stored: first.threads, name: 'later' });
    await later.conversation.restore();
    assert.deepEqual(later.reply().error?.keptDocs, keptDocs);
  });

  // Shows faults.md O17.
  it('get the same question with its attachments, in a new thread of theirs', async () => {
    const { ask, client, conversation, reply, useSite, useSettings } = await openWindow({
      keptDocs,
    });
    await ask('Before?');
    await client.say({ parts: [text('1')] }, complete);
    conversation.pending.addFile(file);
    const failed = await ask('With a file?');
    await client.say(new DocsAssistantError('rate-limited'));
    conversation.pending.addFile({ ...file, id: 'file-2' });

    const { question } = conversation.shown.exchange(failed) ?? assert.fail();
    useSite('local acme docs');
    useSettings({ assistantDomain: 'docs' });
    conversation.askAnew(question);
    await settled();
    assert.equal(conversation.thread.messages.length, 2);
    assert.equal(conversation.thread.title, 'With a file?');
    const { messages, settings, threadId } = client.last();
    assert.equal(settings.assistantDomain, 'docs');
    assert.equal(threadId, undefined, 'the thread of the other site was named');
    assert.equal(messages.length, 1, 'earlier questions were sent to other docs');
    const [asked] = messages;
    assert.equal(asked?.role === 'user' ? asked.text : '', 'With a file?');
    assert.deepEqual(asked?.role === 'user' ? asked.files : [], [file]);
    assert.equal(conversation.pending.view.files?.[0]?.id, 'file-2', 'the draft was taken');
    await client.say({ parts: [text('2')] }, complete);
    assert.equal(reply().status, 'complete');

    useSite(acme);
    await conversation.followSite();
    assert.equal(conversation.thread.title, 'Before?', 'the thread of the site is lost');
  });

  it('are not asked while a reply runs', async () => {
    const { ask, conversation } = await openWindow({ keptDocs });
    const running = await ask();
    const { question } = conversation.shown.exchange(running) ?? assert.fail();
    assert.throws(() => conversation.askAnew(question), { code: 'reply-running' });
    assert.equal(conversation.thread.messages.length, 2);
  });
});

describe('The pages of a site', () => {
  const source = (url: string) => ({ type: 'source-url', sourceId: url, url }) as const;
  const hostAfter = async (...urls: string[]): Promise<string | undefined> => {
    const workspace = new MemoryMemento();
    const { ask, client } = await openWindow({ workspace });
    await ask();
    await client.say({ parts: [...urls.map(source), text('1')] }, complete);
    return workspaceSites(workspace).read(acme).pagesHost;
  };

  it('are known by the host of most sources of a complete reply', async () => {
    assert.equal(
      await hostAfter(
        'https://docs.acme.example/a',
        'https://docs.acme.example/b',
        'https://developer.mozilla.org/c',
        '/guides/d',
      ),
      'docs.acme.example',
    );
  });

  it('are unknown without such a host', async () => {
    assert.equal(await hostAfter('https://a.example/x', 'https://b.example/x'), undefined);
    assert.equal(await hostAfter('/guides/start'), undefined);
    assert.equal(await hostAfter('http://127.0.0.1:4000/docs/a'), undefined);
  });

  it('stay known after a reply that failed', async () => {
    const workspace = new MemoryMemento();
    const { ask, client } = await openWindow({ workspace });
    await ask();
    await client.say({ parts: [source('https://docs.acme.example/a')] }, complete);
    await ask();
    await client.say(
      { parts: [source('https://other.example/a')] },
      new DocsAssistantError('offline'),
    );
    assert.equal(workspaceSites(workspace).read(acme).pagesHost, 'docs.acme.example');
  });
});
