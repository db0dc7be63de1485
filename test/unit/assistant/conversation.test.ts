import assert from 'node:assert/strict';
import type { AskRequest, ReplyUpdate } from '../../../src/assistant/assistantClient';
import { Conversation, type ConversationEvent } from '../../../src/assistant/conversation';
import { DocsAssistantError, plainTranslate } from '../../../src/common/errors';
import { applyOps } from '../../../src/shared/replyOps';
import { MAX_QUESTION_LENGTH } from '../../../src/shared/protocol';
import type { MessagePart, ReplyView, ThreadView } from '../../../src/shared/uiMessage';
import { aContextItem, aKey, aThread, someSettings } from '../../builders/asking';
import { FakeClock, settled } from '../../fakes/fakeClock';
import { MemoryDraftStore } from '../../fakes/memoryDraftStore';
import { MemoryKeyStore, MemoryThreadKeyStore } from '../../fakes/memoryKeyStore';
import { MemoryThreadStore } from '../../fakes/memoryThreadStore';
import { RecordingLog } from '../../fakes/recordingLog';

const text = (value: string): MessagePart => ({ type: 'text', text: value });
const complete: ReplyUpdate = { end: { status: 'complete', isDegraded: false } };

interface Asked {
  readonly request: AskRequest;
  readonly signal: AbortSignal;
  readonly updates: (ReplyUpdate | Error)[];
  wake(): void;
}

/**
 * A client whose replies a test writes by hand. It does not honour its signal, to be sure that
 * nobody relies on that alone.
 */
class ScriptedClient {
  readonly asked: Asked[] = [];

  async *ask(request: AskRequest, signal: AbortSignal): AsyncGenerator<ReplyUpdate> {
    const asked: Asked = { request, signal, updates: [], wake: () => undefined };
    this.asked.push(asked);
    for (;;) {
      const update = asked.updates.shift();
      if (update instanceof Error) throw update;
      if (update) yield update;
      if (update?.end) return;
      if (!update) await new Promise<void>((resolve) => (asked.wake = resolve));
    }
  }

  /** What comes next for the last question. */
  async say(...updates: (ReplyUpdate | Error)[]): Promise<void> {
    await this.sayTo(this.asked.length - 1, ...updates);
  }

  async sayTo(index: number, ...updates: (ReplyUpdate | Error)[]): Promise<void> {
    const asked = this.asked[index];
    if (!asked) throw new Error(`Question ${index} was not asked`);
    asked.updates.push(...updates);
    asked.wake();
    await settled();
  }

  last(): AskRequest {
    const last = this.asked.at(-1);
    if (!last) throw new Error('Nothing was asked');
    return last.request;
  }
}

interface StartOptions {
  readonly stored?: MemoryThreadStore;
  readonly draft?: MemoryDraftStore;
  readonly key?: string;
  /** Begins the ids of this window. */
  readonly name?: string;
}

async function start(options: StartOptions = {}) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const client = new ScriptedClient();
  const threads = options.stored ?? new MemoryThreadStore();
  const threadKeys = new MemoryThreadKeyStore();
  const keys = new MemoryKeyStore();
  const events: ConversationEvent[] = [];
  const draft = options.draft ?? new MemoryDraftStore();
  const { name = 'id' } = options;
  let settings = someSettings();
  let site = { id: 'https://api.example.com acme', label: 'acme · api.example.com' };
  let ids = 0;
  await keys.save('assistant', 'https://api.example.com', options.key ?? aKey);
  const conversation = new Conversation({
    loadClient: () => Promise.resolve(client),
    threads,
    threadKeys,
    draft,
    keys,
    settings: () => settings,
    site: () => site,
    currentPath: () => 'guides/start',
    clock,
    newId: () => `${name}-${++ids}-${clock.now()}`,
    log,
    translate: plainTranslate,
  });
  conversation.onDidChange((event) => events.push(event));
  return {
    clock,
    log,
    client,
    threads,
    threadKeys,
    draft,
    keys,
    events,
    conversation,
    useSite: (id: string) => (site = { id, label: id }),
    useSettings: (change: Parameters<typeof someSettings>[0]) => (settings = someSettings(change)),
    /** The reply of that place, counted from the end. */
    reply: (fromEnd = 1): ReplyView => {
      const replies = conversation.thread.messages.filter(({ role }) => role === 'assistant');
      const reply = replies.at(-fromEnd);
      if (reply?.role !== 'assistant') throw new Error('There is no such reply');
      return reply;
    },
    ask: async (question = 'How?') => {
      const { messageId } = conversation.submit(question);
      await settled();
      return messageId;
    },
  };
}

/** What a view that follows the events shows, applied as the webview does it. */
function followed(events: readonly ConversationEvent[]): ThreadView | undefined {
  let thread: ThreadView | undefined;
  for (const event of events) {
    if (event.name === 'thread-shown') thread = event.params.thread;
    if (!thread) continue;
    if (event.name === 'message-added') {
      thread = { ...thread, messages: [...thread.messages, event.params.message] };
    }
    const change = (id: string, edit: (reply: ReplyView) => ReplyView): void => {
      const { messages } = thread ?? assert.fail();
      assert.ok(messages.some((message) => message.id === id));
      thread = {
        ...(thread ?? assert.fail()),
        messages: messages.map((message) =>
          message.id === id && message.role === 'assistant' ? edit(message) : message,
        ),
      };
    };
    if (event.name === 'reply-status') {
      const { messageId, ...rest } = event.params;
      change(messageId, (reply) => ({ ...reply, ...rest }));
    }
    if (event.name === 'reply-ops') {
      change(event.messageId, (reply) => ({
        ...reply,
        parts: applyOps(reply.parts, event.ops) ?? assert.fail('the ops do not fit'),
      }));
    }
  }
  return thread;
}

describe('Conversation', () => {
  describe('submit', () => {
    it('asks with the key, the settings, the path and the context items of that moment', async () => {
      const { conversation, client, useSettings } = await start();
      const item = aContextItem();
      conversation.addContextItems([item]);
      conversation.submit('How?');
      useSettings({ retrievalPageSize: 9 });
      await settled();
      const request = client.last();
      assert.equal(request.key, aKey);
      assert.equal(request.settings.retrievalPageSize, 5);
      assert.equal(request.currentPath, 'guides/start');
      assert.deepEqual(request.contextItems, [item]);
      assert.deepEqual(conversation.contextItems, []);
      assert.equal(request.threadId, undefined);
    });

    it('shows the question, its chips and a waiting reply at once', async () => {
      const { conversation, events } = await start();
      conversation.addContextItems([aContextItem()]);
      const { messageId } = conversation.submit('How?');
      const { messages, title } = conversation.thread;
      assert.equal(title, 'How?');
      assert.equal(messages.length, 2);
      assert.equal(messages[1]?.id, messageId);
      assert.equal(messages[1].role === 'assistant' && messages[1].status, 'waiting');
      assert.deepEqual(followed(events), conversation.thread);
    });

    for (const [code, question] of [
      ['empty-question', ''],
      ['empty-question', ' \n\t '],
      ['question-too-long', 'x'.repeat(MAX_QUESTION_LENGTH + 1)],
    ] as const) {
      it(`refuses a question of ${question.length} characters as ${code} and keeps the items`, async () => {
        const { conversation } = await start();
        conversation.addContextItems([aContextItem()]);
        assert.throws(() => conversation.submit(question), { code });
        assert.equal(conversation.contextItems.length, 1);
        assert.equal(conversation.thread.messages.length, 0);
      });
    }

    it('takes a question of the greatest length', async () => {
      const { conversation } = await start();
      conversation.submit('x'.repeat(MAX_QUESTION_LENGTH));
      assert.equal(conversation.thread.messages.length, 2);
    });

    it('refuses a second question while a reply runs', async () => {
      const { conversation, ask } = await start();
      await ask();
      assert.throws(() => conversation.submit('And?'), { code: 'reply-running' });
      assert.equal(conversation.thread.messages.length, 2);
    });

    it('fails with not-configured without a site, and not-signed-in without a key', async () => {
      const { ask, reply, useSettings, client, keys } = await start();
      useSettings({ baseUrl: undefined });
      await ask();
      assert.equal(reply().error?.code, 'not-configured');
      useSettings({});
      await keys.forget('assistant', 'https://api.example.com');
      await ask();
      assert.equal(reply().error?.code, 'not-signed-in');
      assert.match(reply().error?.message ?? '', /api\.example\.com/);
      assert.equal(client.asked.length, 0);
    });

    it('never takes the key of another origin', async () => {
      const { ask, reply, useSettings, client } = await start();
      for (const baseUrl of ['https://api.example.com:8443', 'https://api.example.com.evil.test']) {
        useSettings({ baseUrl });
        await ask();
        assert.equal(reply().error?.code, 'not-signed-in');
      }
      assert.equal(client.asked.length, 0);
    });

    it('says that the secret storage failed when it does', async () => {
      const { ask, reply, keys } = await start();
      keys.failure = new Error('no keyring');
      await ask();
      assert.equal(reply().error?.code, 'secret-store-failed');
    });
  });

  describe('a running reply', () => {
    it('grows in the thread and in the events alike, and ends', async () => {
      const { client, ask, reply, events, conversation } = await start();
      await ask();
      await client.say({ parts: [text('So')] });
      assert.equal(reply().status, 'streaming');
      assert.ok(!events.some((event) => event.name === 'reply-status'), 'its changes say so');
      await client.say({ parts: [text('So it is.'), { type: 'step-start' }] }, complete);
      assert.equal(reply().status, 'complete');
      assert.deepEqual(reply().parts, [text('So it is.'), { type: 'step-start' }]);
      assert.deepEqual(followed(events), conversation.thread);
      assert.equal(conversation.isReplyRunning, false);
    });

    it('shows changes at most once per 16 ms, and the last one at its end', async () => {
      const { client, ask, events, clock, reply } = await start();
      await ask();
      let said = '';
      for (let word = 0; word < 32; word++) {
        said += 'word ';
        await client.say({ parts: [text(said)] });
        await clock.advance(1);
      }
      const opsCount = (): number => events.filter(({ name }) => name === 'reply-ops').length;
      assert.ok(opsCount() >= 2 && opsCount() <= 3, `${opsCount()} changes in 32 ms`);
      await client.say({ parts: [text(`${said}end`)] }, complete);
      assert.deepEqual(reply().parts, [text(`${said}end`)]);
    });

    it('posts little more than the text of the reply', async () => {
      const { client, ask, events, clock } = await start();
      await ask();
      let said = '';
      for (let word = 0; word < 200; word++) {
        said += 'several words of text ';
        await client.say({ parts: [text(said)] });
        await clock.advance(16);
      }
      await client.say(complete);
      const posted = events.reduce(
        (sum, event) => sum + (event.name === 'reply-ops' ? JSON.stringify(event.ops).length : 0),
        0,
      );
      assert.ok(posted < 1.3 * said.length, `${posted} for ${said.length}`);
    });

    it('shows in a snapshot what the events have told, and nothing that they will tell again', async () => {
      const { client, ask, events, clock, conversation } = await start();
      await ask();
      await client.say({ parts: [text('a')] });
      await client.say({ parts: [text('ab')] });
      const snapshot = conversation.thread;
      const told = events.length;
      await clock.advance(16);
      const later = events.slice(told);
      const view = followed([{ name: 'thread-shown', params: { thread: snapshot } }, ...later]);
      assert.deepEqual(view, conversation.thread);
      assert.deepEqual(view.messages[1]?.role === 'assistant' && view.messages[1].parts, [
        text('ab'),
      ]);
    });

    for (const status of ['stopped-by-service', 'incomplete'] as const) {
      it(`ends as ${status} with its text and without an error`, async () => {
        const { client, ask, reply } = await start();
        await ask();
        await client.say({ parts: [text('So')], end: { status, isDegraded: false } });
        assert.equal(reply().status, status);
        assert.equal(reply().error, undefined);
        assert.deepEqual(reply().parts, [text('So')]);
      });
    }

    it('keeps its text when it fails, with the error once', async () => {
      const { client, ask, reply, events } = await start();
      await ask();
      await client.say({ parts: [text('So')] }, new DocsAssistantError('connection-lost'));
      assert.equal(reply().status, 'failed');
      assert.equal(reply().error?.code, 'connection-lost');
      assert.deepEqual(reply().parts, [text('So')]);
      const told = events.filter((event) => event.name === 'reply-status' && event.params.error);
      assert.equal(told.length, 1);
    });

    it('says in a notice that a part could not be read', async () => {
      const { client, ask, reply } = await start();
      await ask();
      await client.say({ parts: [text('So')], end: { status: 'complete', isDegraded: true } });
      assert.match(reply().notice ?? '', /could not be read/);
    });

    it('becomes unexpected, with its cause in the log alone, for an error that is not ours', async () => {
      const { client, ask, reply, log } = await start();
      await ask();
      await client.say(new TypeError('undefined is not a function'));
      assert.equal(reply().error?.code, 'unexpected');
      assert.doesNotMatch(reply().error?.message ?? '', /undefined/);
      assert.match(log.text('error'), /undefined is not a function/);
    });
  });

  describe('stop', () => {
    it('ends the request at once, keeps what was read and shows no error', async () => {
      const { client, ask, reply, conversation } = await start();
      const id = await ask();
      await client.say({ parts: [text('a')] }, { parts: [text('ab')] });
      conversation.stop(id);
      assert.equal(reply().status, 'stopped');
      assert.equal(reply().error, undefined);
      assert.deepEqual(reply().parts, [text('ab')]);
      assert.ok(client.asked[0]?.signal.aborted);
      assert.equal(conversation.isReplyRunning, false);
    });

    it('lets nothing of the stopped reply reach the next one', async () => {
      const { client, ask, reply, conversation, clock } = await start();
      conversation.stop(await ask('First?'));
      await ask('Second?');
      await clock.advance(100);
      await client.sayTo(0, { parts: [text('late')] }, complete);
      assert.equal(reply(2).status, 'stopped');
      assert.deepEqual(reply(2).parts, []);
      await client.say({ parts: [text('second')] }, complete);
      assert.deepEqual(reply(1).parts, [text('second')]);
      assert.deepEqual(reply(2).parts, []);
    });

    it('stops before the client is there', async () => {
      const { conversation, client, reply } = await start();
      const { messageId } = conversation.submit('How?');
      conversation.stop(messageId);
      await settled();
      assert.equal(reply().status, 'stopped');
      assert.ok(client.asked.every(({ signal }) => signal.aborted));
    });

    it('does nothing for a reply that does not run', async () => {
      const { client, ask, conversation, reply } = await start();
      const id = await ask();
      await client.say(complete);
      conversation.stop(id);
      assert.equal(reply().status, 'complete');
    });
  });

  describe('retry', () => {
    it('asks the same question with its items again, in the place of the old reply', async () => {
      const { client, ask, conversation, reply, events } = await start();
      conversation.addContextItems([aContextItem()]);
      const id = await ask('How?');
      await client.say({ parts: [text('So')] }, new DocsAssistantError('connection-lost'));
      conversation.retry(id);
      await settled();
      assert.equal(conversation.thread.messages.length, 2);
      assert.notEqual(reply().id, id);
      assert.equal(reply().status, 'waiting');
      assert.deepEqual(client.last().contextItems, [aContextItem()]);
      assert.equal(client.last().messages.length, 1);
      await client.say({ parts: [text('So it is.')] }, complete);
      assert.deepEqual(reply().parts, [text('So it is.')]);
      assert.deepEqual(followed(events), conversation.thread);
    });

    it('sends of the thread what came before the question that is asked again', async () => {
      const { client, ask, conversation } = await start();
      const first = await ask('First?');
      await client.say({ parts: [text('1')] }, complete);
      await ask('Second?');
      await client.say({ parts: [text('2')] }, complete);
      conversation.retry(first);
      await settled();
      assert.deepEqual(
        client.last().messages.map((message) => message.role === 'user' && message.text),
        ['First?'],
      );
      assert.equal(conversation.thread.messages.length, 2);
    });

    it('waits until the time that the service named', async () => {
      const { client, ask, conversation, clock, reply } = await start();
      const id = await ask();
      const retryAt = clock.now() + 7000;
      await client.say(new DocsAssistantError('rate-limited', { retryAt }));
      assert.equal(reply().error?.retryAt, retryAt);
      await clock.advance(6999);
      assert.throws(() => conversation.retry(id), { code: 'rate-limited' });
      assert.equal(client.asked.length, 1);
      await clock.advance(1);
      conversation.retry(id);
      await settled();
      assert.equal(client.asked.length, 2);
    });

    it('never happens by itself', async () => {
      const { client, ask, clock } = await start();
      await ask();
      await client.say(new DocsAssistantError('rate-limited', { retryAt: clock.now() + 1000 }));
      await clock.advance(3_600_000);
      assert.equal(client.asked.length, 1);
    });
  });

  describe('the service’s thread', () => {
    const named = (threadId: string, threadKey?: string): ReplyUpdate => ({
      serviceThread: { threadId, ...(threadKey === undefined ? {} : { threadKey }) },
    });

    it('goes along with the next question', async () => {
      const { client, ask } = await start();
      await ask();
      await client.say(named('service-1'), { parts: [text('1')] }, complete);
      await ask('And?');
      assert.equal(client.last().threadId, 'service-1');
      assert.equal(client.last().threadKey, undefined);
      assert.equal(client.last().messages.length, 3);
    });

    it('goes along with its key, which is kept in the secret storage alone', async () => {
      const { client, ask, threads, threadKeys, events, log } = await start();
      await ask();
      await client.say(named('service-1', 'CANARY-thread-key'), complete);
      await ask('And?');
      assert.equal(client.last().threadKey, 'CANARY-thread-key');
      await client.say(named('service-1'), complete);
      await ask('And then?');
      assert.equal(client.last().threadKey, 'CANARY-thread-key');
      assert.deepEqual([...threadKeys.keys.values()], ['CANARY-thread-key']);
      const everything = JSON.stringify([[...threads.records], events, log.lines]);
      assert.doesNotMatch(everything, /CANARY/);
      assert.ok(!everything.includes(aKey));
    });

    it('stays behind when its key is lost, and a notice says so', async () => {
      const { client, ask, threadKeys, reply } = await start();
      await ask();
      await client.say(named('service-1', 'thread-key-1'), complete);
      threadKeys.keys.clear();
      await ask('And?');
      assert.equal(client.last().threadId, undefined);
      await client.say({ parts: [text('2')] }, complete);
      assert.match(reply().notice ?? '', /began a new one/);
    });

    it('does not go to another site', async () => {
      const { client, ask, useSettings, keys } = await start();
      await ask();
      await client.say(named('service-1'), complete);
      useSettings({ assistantDomain: 'other' });
      await ask('And?');
      assert.equal(client.last().threadId, undefined);
      await client.say(complete);
      await keys.save('assistant', 'https://other.example.com', aKey);
      useSettings({ baseUrl: 'https://other.example.com' });
      await ask('And then?');
      assert.equal(client.last().threadId, undefined);
    });

    it('is forgotten at a 404; only the user’s retry asks again, without it and with a notice', async () => {
      const { client, ask, conversation, reply, threadKeys, clock } = await start();
      await ask();
      await client.say(named('service-1', 'thread-key-1'), { parts: [text('1')] }, complete);
      const id = await ask('And?');
      await client.say(new DocsAssistantError('unknown-thread'));
      assert.equal(reply().error?.code, 'unknown-thread');
      assert.equal(threadKeys.keys.size, 0);
      await clock.advance(60_000);
      assert.equal(client.asked.length, 2);
      conversation.retry(id);
      await settled();
      assert.equal(client.last().threadId, undefined);
      assert.equal(client.last().messages.length, 3);
      await client.say(named('service-2'), { parts: [text('2')] }, complete);
      assert.match(reply().notice ?? '', /began a new one/);
      await ask('And then?');
      assert.equal(client.last().threadId, 'service-2');
      assert.equal(reply().notice, undefined);
    });
  });

  describe('threads', () => {
    it('are stored at the start, at most once a second while they grow, and at the end', async () => {
      const { client, ask, threads, clock, conversation } = await start();
      await ask();
      const countAtStart = threads.writeCount;
      assert.equal(countAtStart, 1);
      let said = '';
      for (let word = 0; word < 100; word++) {
        said += 'word ';
        await client.say({ parts: [text(said)] });
        await clock.advance(30);
      }
      const count = threads.writeCount - countAtStart;
      assert.ok(count >= 2 && count <= 4, `${count} writes in 3 s`);
      await client.say(complete);
      await conversation.flush();
      const stored = await threads.read(conversation.thread.id);
      assert.deepEqual(stored?.messages[1]?.role === 'assistant' && stored.messages[1].parts, [
        text(said),
      ]);
    });

    it('come back after a reload, with a reply that ran marked as interrupted', async () => {
      const first = await start();
      await first.ask();
      await first.client.say({ parts: [text('So')] });
      await first.clock.advance(1000);
      const second = await start({ stored: first.threads });
      await second.conversation.restore();
      assert.equal(second.reply().status, 'interrupted');
      assert.deepEqual(second.reply().parts, [text('So')]);
      assert.equal(second.conversation.isReplyRunning, false);
      assert.deepEqual(followed(second.events), second.conversation.thread);
      second.conversation.retry(second.reply().id);
      assert.equal(second.reply().status, 'waiting');
    });

    it('keep what was read when the window closes', async () => {
      const { client, ask, threads, conversation } = await start();
      await ask();
      await client.say({ parts: [text('a')] }, { parts: [text('ab')] });
      const { id } = conversation.thread;
      conversation.dispose();
      await settled();
      assert.ok(client.asked[0]?.signal.aborted);
      const stored = await threads.read(id);
      const reply = stored?.messages[1];
      assert.deepEqual(reply?.role === 'assistant' && reply.parts, [text('ab')]);
    });

    it('do not come back over a question that was asked in the meantime', async () => {
      const stored = new MemoryThreadStore();
      await stored.write(aThread());
      await stored.setCurrentId('t1');
      const { conversation } = await start({ stored });
      const restored = conversation.restore();
      conversation.submit('Now?');
      await restored;
      assert.equal(conversation.thread.title, 'Now?');
    });

    it('begin anew empty, stay listed, and can be opened again', async () => {
      const { client, ask, conversation } = await start();
      conversation.addContextItems([aContextItem()]);
      await ask('First?');
      await client.say({ parts: [text('1')] }, complete);
      const { id } = conversation.thread;
      conversation.startThread();
      assert.equal(conversation.thread.messages.length, 0);
      assert.notEqual(conversation.thread.id, id);
      assert.deepEqual(
        (await conversation.listThreads()).map(({ title }) => title),
        ['First?'],
      );
      await conversation.openThread(id);
      assert.equal(conversation.thread.messages.length, 2);
      assert.equal(conversation.contextItem('c1')?.value, aContextItem().value);
    });

    it('stop a running reply when another one is shown', async () => {
      const { client, ask, conversation, threads } = await start();
      await ask();
      await client.say({ parts: [text('So')] });
      const { id } = conversation.thread;
      conversation.startThread();
      await conversation.flush();
      assert.ok(client.asked[0]?.signal.aborted);
      const reply = (await threads.read(id))?.messages[1];
      assert.equal(reply?.role === 'assistant' && reply.status, 'stopped');
    });

    it('go on in memory when the store fails, with a line in the log', async () => {
      const { client, ask, threads, reply, log, conversation } = await start();
      threads.failure = new Error('disk full');
      await ask();
      await client.say({ parts: [text('So')] }, complete);
      await conversation.flush();
      assert.equal(reply().status, 'complete');
      assert.match(log.text('error'), /could not be stored/);
    });
  });

  describe('context items', () => {
    it('are added once and removed by id', async () => {
      const { conversation, events } = await start();
      conversation.addContextItems([aContextItem()]);
      conversation.addContextItems([
        aContextItem({ id: 'same' }),
        aContextItem({ id: 'c2', value: 'other' }),
      ]);
      assert.deepEqual(
        conversation.contextItems.map(({ id }) => id),
        ['c1', 'c2'],
      );
      conversation.removeContextItem('c1');
      conversation.removeContextItem('unknown');
      const told = events.filter(({ name }) => name === 'context-items');
      assert.equal(told.length, 3);
      assert.doesNotMatch(JSON.stringify(told), /let a = 1/);
    });
  });

  it('finds sources and files by their place in the reply', async () => {
    const { client, ask, conversation } = await start();
    const id = await ask();
    const source = { type: 'source-url', sourceId: 's', url: 'https://docs.example.com/' } as const;
    const file = { type: 'file', mediaType: 'image/png', url: 'data:,' } as const;
    await client.say({ parts: [text('So'), source, file] }, complete);
    assert.equal(conversation.source(id, 's'), source);
    assert.equal(conversation.source(id, 'other'), undefined);
    assert.equal(conversation.source('other', 's'), undefined);
    assert.equal(conversation.file(id, 2), file);
    assert.equal(conversation.file(id, 1), undefined);
  });

  it('logs neither question nor reply nor key', async () => {
    const { client, ask, log, conversation } = await start();
    conversation.addContextItems([aContextItem({ value: 'CANARY-code' })]);
    await ask('CANARY-question');
    await client.say({ parts: [text('CANARY-reply')] }, new DocsAssistantError('service-down'));
    assert.match(log.text(), /service-down/);
    assert.doesNotMatch(log.text(), /CANARY/);
    assert.ok(!log.text().includes(aKey));
  });
});
