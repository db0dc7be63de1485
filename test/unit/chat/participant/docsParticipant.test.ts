import assert from 'node:assert/strict';
import type { ContextItem } from '../../../../src/chat/context/contextItem';
import type { ChatTurn } from '../../../../src/chat/participant/chatTurns';
import {
  answerInChat,
  followUpsOf,
  type ChatOutcome,
  type ChatQuestion,
  type DocsParticipantPorts,
} from '../../../../src/chat/participant/docsParticipant';
import { DocsAssistantError, plainTranslate } from '../../../../src/common/errors';
import type { KeptDocs } from '../../../../src/shared/errorInfo';
import type { MessagePart } from '../../../../src/shared/uiMessage';
import type { SiteVersion } from '../../../../src/site/siteVersion';
import { aContextItem, aKey, aReply, someSettings } from '../../../builders/asking';
import { FakeClock, settled } from '../../../fakes/fakeClock';
import { MemoryKeyStore, MemoryThreadKeyStore } from '../../../fakes/memoryKeyStore';
import { MemoryThreadStore } from '../../../fakes/memoryThreadStore';
import { RecordingLog } from '../../../fakes/recordingLog';
import {
  complete,
  ScriptedClient,
  text,
  type ScriptedUpdate,
} from '../conversation/conversationWindow';

const site = { id: 'https://api.example.com acme', label: 'acme · api.example.com' };
const source = (url: string, title: string): MessagePart => ({
  type: 'source-url',
  sourceId: url,
  url,
  title,
});

/** Opens VS Code's chat with `@docs`, whose replies a test writes by hand. */
async function openChat(key = aKey, keptDocs?: KeptDocs, siteVersion?: SiteVersion) {
  const clock = new FakeClock();
  const client = new ScriptedClient();
  const threads = new MemoryThreadStore();
  const threadKeys = new MemoryThreadKeyStore();
  const keys = new MemoryKeyStore();
  const log = new RecordingLog();
  if (key !== '') await keys.save('assistant', 'https://api.example.com', key);
  const turns: ChatTurn[] = [];
  const writes: Promise<void>[] = [];
  let ids = 0;
  let asked = site;
  let resumed: string | undefined;
  const ports: DocsParticipantPorts = {
    loadClient: () => Promise.resolve(client),
    threadKeys,
    keys,
    log,
    clock,
    translate: plainTranslate,
    settings: () => someSettings(),
    resumeDocs: async () => {
      await Promise.resolve();
      if (resumed !== undefined) asked = { id: resumed, label: resumed };
    },
    site: () => asked,
    currentPath: () => '/guides/start',
    storedThread: async (id) => {
      await Promise.all(writes);
      return threads.read(id);
    },
    keepThread: (thread) => writes.push(threads.write(thread)),
    newId: () => `id-${++ids}`,
    knownSecrets: () => ['known-admin-key-4711'],
    keptDocs: () => keptDocs,
    siteVersion: () => siteVersion,
  };
  /** Asks, plays the reply, and adds the turn to the chat as VS Code does. */
  const ask = async (
    question: Partial<ChatQuestion> & { readonly prompt: string },
    ...updates: (ScriptedUpdate | Error)[]
  ): Promise<ChatOutcome & { readonly calls: readonly string[] }> => {
    const calls: string[] = [];
    const asks = client.asked.length;
    const controller = new AbortController();
    const outcome = answerInChat(
      ports,
      { contextItems: [], leftOut: [], turns: [...turns], ...question },
      {
        progress: (sentence) => calls.push(`progress ${sentence}`),
        markdown: (markdown) => calls.push(markdown),
        reference: (url) => calls.push(`reference ${url}`),
      },
      controller.signal,
    );
    // The secrets of attachments are looked for in real time.
    while (updates.length > 0 && client.asked.length === asks) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (updates.length > 0) await client.say(...updates);
    const { metadata, error } = await outcome;
    const reply = calls.filter((call) => !/^(?:progress|reference) /.test(call)).join('');
    turns.push({
      prompt: question.prompt,
      reply,
      metadata: JSON.parse(JSON.stringify(metadata ?? null)),
    });
    await Promise.all(writes);
    return { calls, metadata, error: error ? error : undefined };
  };
  return {
    clock,
    client,
    threads,
    threadKeys,
    log,
    ports,
    turns,
    ask,
    useSite: (id: string) => (asked = { id, label: id }),
    /** Makes the next question serve docs that this workspace answered from before. */
    serveBefore: (id: string) => (resumed = id),
  };
}

const answer = (value: string): ScriptedUpdate => ({ parts: [text(value)] });

describe('answerInChat', () => {
  it('names the kept docs of a site that doesn’t answer, with their age', async () => {
    const kept = { id: 'set-1', label: 'acme *docs*' };
    const { ask } = await openChat(aKey, { ...kept, fetchedAt: new FakeClock().now() - 7_200_000 });
    const limited = await ask({ prompt: 'Hi?' }, new DocsAssistantError('rate-limited'));
    assert.equal(limited.error?.keptDocs?.id, 'set-1');
    assert.equal(
      limited.calls.filter((call) => !call.startsWith('progress ')).join(''),
      'You keep these docs on this machine: acme \\*docs\\*, updated 2 h ago.',
    );
    const other = await openChat(aKey, kept);
    const unexpected = await other.ask({ prompt: 'Hi?' }, new DocsAssistantError('unexpected'));
    assert.equal(unexpected.error?.keptDocs, undefined);
    assert.deepEqual(unexpected.calls, []);
  });

  it('asks nothing if the docs that the question waits for can’t be served', async () => {
    const { ask, client, ports } = await openChat();
    const resumeDocs = () => Promise.reject(new DocsAssistantError('docs-not-served'));
    Object.assign(ports, { resumeDocs });
    const { error } = await ask({ prompt: 'Hi?' });
    assert.match(error?.message ?? '', /can’t be served. Your question wasn’t sent/);
    assert.deepEqual(error?.actions, ['choose-docs']);
    assert.equal(client.asked.length, 0);
  });

  it('writes the reply as it comes, then how much is proven and its sources', async () => {
    const { ask } = await openChat();
    const page = source('https://docs.example.com/keys', 'Keys [old]');
    const proof = { type: 'proof', statements: 2, found: 1, unproven: [] } as const;
    const { calls, metadata, error } = await ask(
      { prompt: 'How do I sign in?' },
      { parts: [page, text('With a key.')] },
      { parts: [page, text('With a key. Always.'), proof], ...complete },
    );
    assert.deepEqual(calls, [
      'reference https://docs.example.com/keys',
      'With a key.',
      ' Always.',
      '\n\n',
      '> 1 of 2 statements found in the docs',
      '\n\n',
      '**Sources**',
      '\n\n',
      '1. [Keys \\[old\\]](<https://docs.example.com/keys>)',
    ]);
    assert.equal(error, undefined);
    assert.equal(metadata?.siteId, site.id);
  });

  it('sends the question with its attachments and the page that is open', async () => {
    const { ask, client } = await openChat();
    const contextItems: ContextItem[] = [aContextItem()];
    await ask({ prompt: 'How?', contextItems }, answer('So.'), complete);
    const request = client.last();
    assert.equal(request.key, aKey);
    assert.equal(request.currentPath, '/guides/start');
    assert.deepEqual(request.contextItems, contextItems);
    assert.deepEqual(
      request.messages.map((message) => (message.role === 'user' ? message.text : '')),
      ['How?'],
    );
  });

  it('asks the docs of this machine that the workspace answered from before the window closed', async () => {
    const { ask, serveBefore } = await openChat();
    serveBefore('local docs');
    const { metadata } = await ask({ prompt: 'How?' }, answer('So.'), complete);
    assert.equal(metadata?.siteId, 'local docs');
  });

  it('says first which attachments are not sent', async () => {
    const { ask } = await openChat();
    const leftOut = ['huge.log is too large.', 'a [b](command:c) is binary.'];
    const { calls } = await ask({ prompt: 'How?', leftOut }, answer('So.'), complete);
    assert.deepEqual(calls, [
      '> huge.log is too large.\n>\n> a \\[b\\](command:c) is binary.',
      '\n\n',
      'So.',
    ]);
  });

  // Shows faults.md N9.
  it('redacts secrets in attachments, names them, and stores none', async () => {
    const { ask, client, threads } = await openChat();
    const value = 'const a = 1;\nconst key = "known-admin-key-4711";\n';
    const contextItems = [aContextItem({ value }), aContextItem({ id: 'c2', value: 'let b;' })];
    const { calls } = await ask({ prompt: 'How?', contextItems }, answer('So.'), complete);
    const [first, second] = client.last().contextItems;
    assert.equal(first?.value, 'const a = 1;\nconst key = "[redacted: key]";\n');
    assert.equal(second?.value, 'let b;');
    // The panel marks it when the thread goes on there.
    assert.deepEqual([first.isRedacted, second.isRedacted], [true, undefined]);
    assert.equal(calls[0], '> a.ts has a secret, which was redacted: key.');
    assert.doesNotMatch([...threads.records.values()].join('\n'), /known-admin-key/);
  });

  it('redacts secrets in the question itself, also where it takes it from the chat again', async () => {
    const { ask, client, threads } = await openChat();
    const prompt = 'Is known-admin-key-4711 wrong?';
    const { calls, metadata } = await ask({ prompt }, answer('So.'), complete);
    assert.equal(calls[0], '> Your question has a secret, which was redacted: key.');
    assert.doesNotMatch([...threads.records.values()].join('\n'), /known-admin-key/);
    await threads.delete(metadata?.threadId ?? '');
    await ask({ prompt: 'And now?' }, answer('2.'), complete);
    assert.deepEqual(
      client.last().messages.flatMap((message) => (message.role === 'user' ? message.text : [])),
      ['Is [redacted: key] wrong?', 'And now?'],
    );
    const later = [...threads.records.values()].join('\n');
    assert.match(later, /Is \[redacted: key\] wrong\?/);
    assert.doesNotMatch(later, /known-admin-key/);
  });

  it('says once that it cites another version than the installed one: above its text, or below if that came first', async () => {
    const installed = { name: 'next', version: '15.5.2' };
    const versions = ['v13', 'v14', 'v15'];
    const old = source('/v14/routing', 'Routing');
    const older = source('/v13/routing', 'Routing');
    const note = '> This reply cites docs for v14. Installed here is next@15.5.2.';
    for (const [updates, expected] of [
      [
        [{ parts: [old] }, { parts: [old, text('So.'), older] }],
        [note, '\n\n', 'So.'],
      ],
      [
        [answer('So.'), { parts: [text('So.'), old] }],
        ['So.', '\n\n', note],
      ],
      [[answer('So.')], ['So.']],
    ] satisfies [ScriptedUpdate[], string[]][]) {
      const { ask } = await openChat(aKey, undefined, { installed, versions });
      const { calls } = await ask({ prompt: 'How?' }, ...updates, complete);
      assert.deepEqual(calls.slice(0, expected.length), expected);
      const notes = calls.filter((call) => call.includes('Installed here'));
      assert.equal(notes.length, expected.includes(note) ? 1 : 0);
    }
  });

  it('follows up in the same thread, also at the service', async () => {
    const { ask, client, threadKeys } = await openChat();
    const serviceThread = { threadId: 'service-1', threadKey: 'thread-key' };
    const first = await ask({ prompt: 'One?' }, { serviceThread }, answer('1.'), complete);
    const second = await ask({ prompt: 'Two?' }, answer('2.'), complete);
    const { messages, threadId, threadKey } = client.last();
    assert.deepEqual(
      messages.map((message) =>
        message.role === 'user' ? message.text : message.parts.map((part) => part.type),
      ),
      ['One?', ['text'], 'Two?'],
    );
    assert.deepEqual([threadId, threadKey], ['service-1', 'thread-key']);
    assert.equal(first.metadata?.threadId, second.metadata?.threadId);
    assert.equal(await threadKeys.read(first.metadata?.threadId ?? ''), 'thread-key');
    assert.doesNotMatch(JSON.stringify([first, second]), /thread-key/);
  });

  it('stores the thread as the panel does, with title, site and sources', async () => {
    const { ask, threads } = await openChat();
    const page = source('https://docs.example.com/keys', 'Keys');
    const { metadata } = await ask(
      { prompt: 'How do I sign in?' },
      { parts: [page, text('With a key.')] },
      complete,
    );
    const thread = await threads.read(metadata?.threadId ?? '');
    assert.equal(thread?.title, 'How do I sign in?');
    assert.deepEqual(thread.site, site);
    const [question, reply] = thread.messages;
    assert.equal(question?.role, 'user');
    assert.equal(reply?.role === 'assistant' && reply.status, 'complete');
    assert.deepEqual(reply?.role === 'assistant' && reply.parts, [page, text('With a key.')]);
    assert.equal(reply?.id, metadata?.replyId);
  });

  // Shows faults.md N11.
  it('follows the reply that is left when the reader took questions back', async () => {
    const { ask, turns, client, threads } = await openChat();
    const { metadata } = await ask({ prompt: 'One?' }, answer('1.'), complete);
    await ask({ prompt: 'Two?' }, answer('2.'), complete);
    turns.pop();
    await ask({ prompt: 'Three?' }, answer('3.'), complete);
    assert.deepEqual(
      client.last().messages.flatMap((message) => (message.role === 'user' ? message.text : [])),
      ['One?', 'Three?'],
    );
    const thread = await threads.read(metadata?.threadId ?? '');
    assert.equal(thread?.others?.length, 2, 'the question that was taken back is a branch');
  });

  it('takes earlier questions from the chat when their thread is gone', async () => {
    const { ask, client, threads } = await openChat();
    const { metadata } = await ask({ prompt: 'One?' }, answer('1.'), complete);
    await threads.delete(metadata?.threadId ?? '');
    const second = await ask({ prompt: 'Two?' }, answer('2.'), complete);
    assert.deepEqual(
      client
        .last()
        .messages.map((message) => (message.role === 'user' ? message.text : message.parts)),
      ['One?', [text('1.')], 'Two?'],
    );
    assert.equal(client.last().threadId, undefined);
    assert.notEqual(second.metadata?.threadId, metadata?.threadId);
  });

  it('keeps what was asked at one site from another', async () => {
    const { ask, client, useSite } = await openChat();
    await ask({ prompt: 'One?' }, answer('1.'), complete);
    useSite('other');
    await ask({ prompt: 'Two?' }, answer('2.'), complete);
    assert.equal(client.last().messages.length, 1);
  });

  it('ignores foreign and broken data of earlier replies', async () => {
    const { ask, client, turns } = await openChat();
    for (const metadata of [
      null,
      'x',
      { threadId: 5 },
      { threadId: '', replyId: '', siteId: '' },
    ]) {
      turns.push({ prompt: 'Old?', reply: 'Old.', metadata });
    }
    await ask({ prompt: 'New?' }, answer('So.'), complete);
    assert.equal(client.last().messages.length, 1);
  });

  it('reports an error with its actions, and keeps what was read', async () => {
    const { ask, threads } = await openChat();
    const { error, metadata, calls } = await ask(
      { prompt: 'How?' },
      answer('Half of'),
      new DocsAssistantError('connection-lost'),
    );
    assert.equal(error?.code, 'connection-lost');
    assert.deepEqual(calls, ['Half of'], 'VS Code shows the error itself');
    const thread = await threads.read(metadata?.threadId ?? '');
    const reply = thread?.messages.at(-1);
    assert.equal(reply?.role === 'assistant' && reply.status, 'failed');
  });

  // Shows faults.md N12.
  it('stores nothing of a first question that got no reply, and follows an earlier one', async () => {
    const { ask, threads, threadKeys, client } = await openChat();
    const serviceThread = { threadId: 'service-1', threadKey: 'thread-key' };
    const failed = await ask(
      { prompt: 'How?' },
      { serviceThread },
      new DocsAssistantError('service-down', { status: 503 }),
    );
    assert.equal(failed.metadata, undefined);
    assert.equal(threads.writeCount, 0);
    assert.equal(threadKeys.keys.size, 0);

    const first = await ask({ prompt: 'One?' }, answer('1.'), complete);
    const second = await ask({ prompt: 'Two?' }, new DocsAssistantError('offline'));
    assert.equal(second.metadata?.replyId, first.metadata?.replyId);
    await ask({ prompt: 'Three?' }, answer('3.'), complete);
    assert.deepEqual(
      client.last().messages.flatMap((message) => (message.role === 'user' ? message.text : [])),
      ['One?', 'Three?'],
    );
  });

  it('starts a new conversation at a service that lost the old one', async () => {
    const { ask, client } = await openChat();
    await ask({ prompt: 'One?' }, { serviceThread: { threadId: 's-1' } }, answer('1.'), complete);
    const lost = await ask({ prompt: 'Two?' }, new DocsAssistantError('unknown-thread'));
    assert.equal(client.last().threadId, 's-1');
    assert.equal(lost.error?.code, 'unknown-thread');
    await ask({ prompt: 'Three?' }, answer('3.'), complete);
    assert.equal(client.last().threadId, undefined);
    assert.deepEqual(
      client.last().messages.flatMap((message) => (message.role === 'user' ? message.text : [])),
      ['One?', 'Three?'],
    );
  });

  for (const [what, prompt, code] of [
    ['an empty question', ' \n', 'empty-question'],
    ['a question of 1 MB', 'x'.repeat(1_000_000), 'question-too-long'],
  ] as const) {
    // Shows faults.md N8.
    it(`refuses ${what} without a request`, async () => {
      const { ask, client } = await openChat();
      const { error } = await ask({ prompt });
      assert.equal(error?.code, code);
      assert.equal(client.asked.length, 0);
    });
  }

  it('asks nothing without a key, and offers to set one', async () => {
    const { ask, client } = await openChat('');
    const { error } = await ask({ prompt: 'How?' });
    assert.equal(error?.code, 'not-signed-in');
    assert.ok(error.actions.includes('set-assistant-key'));
    assert.equal(client.asked.length, 0);
  });

  it('stops at once, stores what was read, and writes nothing more', async () => {
    const { ports, client, threads } = await openChat();
    const calls: string[] = [];
    const controller = new AbortController();
    const outcome = answerInChat(
      ports,
      { prompt: 'How?', contextItems: [], leftOut: [], turns: [] },
      {
        progress: (sentence) => calls.push(sentence),
        markdown: (markdown) => calls.push(markdown),
        reference: (url) => calls.push(url),
      },
      controller.signal,
    );
    await settled();
    await client.say(answer('Half'));
    controller.abort(new Error('The reader stopped the reply'));
    await client.say(answer('Half of it'), complete);
    const { metadata, error } = await outcome;
    assert.equal(error, undefined);
    assert.deepEqual(calls, ['Half']);
    assert.equal(client.asked[0]?.signal.aborted, true);
    const reply = (await threads.read(metadata?.threadId ?? ''))?.messages.at(-1);
    assert.equal(reply?.role === 'assistant' && reply.status, 'stopped');
  });

  it('asks nothing that was stopped before it began', async () => {
    const { ports, client } = await openChat();
    const controller = new AbortController();
    controller.abort(new Error('The reader stopped the reply'));
    const ignore = (): void => undefined;
    const chat = { progress: ignore, markdown: ignore, reference: ignore };
    const question = { prompt: 'How?', contextItems: [], leftOut: [], turns: [] };
    assert.deepEqual(await answerInChat(ports, question, chat, controller.signal), {});
    assert.equal(client.asked.length, 0);
  });

  it('keeps the key out of the log, the chat and the thread', async () => {
    const key = 'qed_dsc_canary0123456789';
    const { ask, log, threads } = await openChat(key);
    const outcome = await ask({ prompt: 'How?' }, new DocsAssistantError('key-rejected'));
    const more = await ask({ prompt: 'How?' }, answer('So.'), complete);
    const everything = JSON.stringify([outcome, more, log.text(), [...threads.records.values()]]);
    assert.doesNotMatch(everything, /canary/);
  });
});

describe('followUpsOf', () => {
  const page = source('https://docs.example.com/a', 'Keys');

  it('asks for code where there is none, and about cited pages', () => {
    const reply = aReply({
      parts: [text('So.'), page, source('https://e.org/b', 'x'.repeat(200))],
    });
    assert.deepEqual(followUpsOf(reply, plainTranslate), [
      'Show a code example.',
      'What else does “Keys” say about this?',
    ]);
  });

  it('does not ask for code that is there', () => {
    const reply = aReply({ parts: [text('So:\n\n```js\nlet a;\n```'), page] });
    assert.deepEqual(followUpsOf(reply, plainTranslate), ['What else does “Keys” say about this?']);
  });

  it('has nothing to ask after a reply without sources, or one that broke off', () => {
    assert.deepEqual(followUpsOf(aReply(), plainTranslate), []);
    const cut = aReply({ parts: [text('So.'), page], status: 'incomplete' });
    assert.deepEqual(followUpsOf(cut, plainTranslate), []);
  });
});
