import assert from 'node:assert/strict';
import { messageRequest } from '../../../../src/chat/assistant/assistantClient';
import { storedDraft } from '../../../../src/chat/conversation/pendingQuestion';
import { requestDocument } from '../../../../src/chat/view/requestDocument';
import { plainTranslate } from '../../../../src/common/errors';
import { scanText } from '../../../../src/common/secretScan/scanText';
import { aContextItem, aFile } from '../../../builders/asking';
import { assertNoTrace } from '../../../builders/canary';
import { settled } from '../../../fakes/fakeClock';
import { MemoryDraftStore } from '../../../fakes/memoryDraftStore';
import { complete, openWindow, text } from './conversationWindow';

/** A password that no other text contains, put together so that no scanner finds it here. */
const canary = ['Zq7', 'canary!', '4mWx9'].join('');
const code = `const db = connect({ user: 'ann', password: '${canary}' });`;

function dataUrl(content: string): string {
  return `data:text/plain;base64,${Buffer.from(content).toString('base64')}`;
}

describe('a secret in what waits for the next question', () => {
  it('marks the chip before the question is sent, with the kind and not with the secret', async () => {
    const { conversation, events } = await openWindow();
    conversation.pending.addContextItems([aContextItem({ id: 'c1', value: code })]);
    await settled();
    const last = events.findLast(({ name }) => name === 'context-items');
    assert.ok(last?.name === 'context-items');
    assert.deepEqual(last.params.items[0]?.secrets, { state: 'found', kinds: ['password'] });
    assertNoTrace(canary, events);
  });

  // Shows faults.md P1.
  it('holds the question back, with everything that waits for a decision', async () => {
    const { conversation, client, log, events } = await openWindow();
    const file = aFile({ id: 'f1', filename: 'prod.cfg', url: dataUrl(`DB_PASSWORD=${canary}\n`) });
    conversation.pending.addContextItems([
      aContextItem({ id: 'c1', path: 'src/db.ts', value: code }),
      aContextItem({ id: 'c2', path: 'src/harmless.ts', value: 'const a = 1;' }),
    ]);
    conversation.pending.addFile(file);
    const result = await conversation.ask(`Why does --password=${canary} fail?`);
    assert.deepEqual(result, {
      held: [
        { id: 'c1', name: 'src/db.ts', kinds: ['password'] },
        { id: 'f1', name: 'prod.cfg', kinds: ['password'] },
        { id: 'question', name: 'Your question', kinds: ['password'] },
      ],
    });
    assert.equal(client.asked.length, 0);
    assert.equal(conversation.thread.messages.length, 0);
    assertNoTrace(canary, [result, log, events]);
  });

  // Shows faults.md P3.
  it('leaves the machine in no body once it is redacted, nor in what is stored', async () => {
    const { conversation, client, threads, draft, events, log } = await openWindow();
    conversation.pending.addContextItems([aContextItem({ id: 'c1', value: code })]);
    conversation.pending.addFile(
      aFile({ id: 'f1', mediaType: 'text/plain', url: dataUrl(`# ü\nDB_PASSWORD=${canary}\n`) }),
    );
    await conversation.pending.chooseAboutSecrets('c1', 'redact');
    await conversation.pending.chooseAboutSecrets('f1', 'redact');
    await conversation.flush();
    const waiting = storedDraft((await draft.read()) ?? { contextItems: [], files: [] });
    const result = await conversation.ask(`Why does --password=${canary} fail?`, 'redact');
    assert.ok('messageId' in result);
    await settled();
    const { body } = messageRequest(client.last());
    assert.equal(
      body.context?.[0]?.value,
      `const db = connect({ user: 'ann', password: '[redacted: password]' });`,
    );
    const [question, file] = body.messages[0]?.parts ?? [];
    assert.ok(question?.type === 'text' && file?.type === 'file');
    assert.equal(question.text, 'Why does --password=[redacted: password] fail?');
    assert.equal(
      Buffer.from(file.url.split(',')[1] ?? '', 'base64').toString(),
      '# ü\nDB_PASSWORD=[redacted: password]\n',
    );
    await client.say({ parts: [text('So.')] }, complete);
    await conversation.flush();
    assertNoTrace(canary, [body, waiting, conversation.thread, events, log]);
    assertNoTrace(canary, await threads.read(conversation.thread.id));
    const [shown] = conversation.thread.messages;
    assert.ok(shown?.role === 'user');
    assert.equal(shown.contextItems[0]?.secrets?.state, 'redacted');
    assert.equal(shown.files?.[0]?.secrets?.state, 'redacted');
  });

  // Shows faults.md P4.
  it('is sent as it is if the reader says so, and that holds for this content only', async () => {
    const { conversation, client, events } = await openWindow();
    const item = aContextItem({ id: 'c1', value: code });
    conversation.pending.addContextItems([item]);
    assert.ok('held' in (await conversation.ask('How?')));
    await conversation.pending.chooseAboutSecrets('c1', 'send');
    const last = events.findLast(({ name }) => name === 'context-items');
    assert.ok(last?.name === 'context-items');
    assert.equal(last.params.items[0]?.secrets?.state, 'allowed');
    assert.ok('messageId' in (await conversation.ask('How?')));
    await settled();
    assert.equal(messageRequest(client.last()).body.context?.[0]?.value, code);
    await client.say(complete);

    conversation.pending.addContextItems([{ ...item, id: 'c2' }]);
    assert.ok('messageId' in (await conversation.ask('And now?')), 'the same content again');
    await settled();
    await client.say(complete);
    conversation.pending.addContextItems([{ ...item, id: 'c3', value: `${code} // changed` }]);
    const result = await conversation.ask('And now?');
    assert.ok('held' in result);
    assert.deepEqual(
      result.held.map(({ id }) => id),
      ['c3'],
    );
  });

  it('is sent in the question if the reader says so, and is not asked about again', async () => {
    const { conversation, client } = await openWindow();
    const question = `Why does --password=${canary} fail?`;
    assert.ok('held' in (await conversation.ask(question)));
    for (const choice of ['send', undefined] as const) {
      assert.ok('messageId' in (await conversation.ask(question, choice)));
      await settled();
      const asked = client.last().messages.at(-1);
      assert.equal(asked?.role === 'user' && asked.text, question);
      await client.say({ parts: [text('So.')] }, complete);
    }
    assert.ok('held' in (await conversation.ask(`${question} Always?`)));
  });

  it('marks the chip of what a closed window left', async () => {
    const draft = new MemoryDraftStore();
    await draft.write({ contextItems: [aContextItem({ value: code })], files: [] });
    const { conversation } = await openWindow({ draft });
    await conversation.restore();
    await settled();
    assert.equal(conversation.pending.view.items[0]?.secrets?.state, 'found');
  });

  it('goes with its content if the reader removes it', async () => {
    const { conversation, client } = await openWindow();
    conversation.pending.addContextItems([aContextItem({ id: 'c1', value: code })]);
    await conversation.pending.chooseAboutSecrets('c1', 'remove');
    assert.ok('messageId' in (await conversation.ask('How?')));
    await settled();
    assert.equal(messageRequest(client.last()).body.context, undefined);
  });

  // Shows faults.md P2.
  it('is also found in what is attached while the rest is scanned', async () => {
    const { conversation, client } = await openWindow();
    const asked = conversation.ask('How?');
    conversation.pending.addContextItems([aContextItem({ id: 'c1', value: code })]);
    const result = await asked;
    assert.ok('held' in result && result.held.length === 1);
    assert.equal(client.asked.length, 0);
  });

  // Shows faults.md P7.
  it('holds everything back while the scan fails, and is looked for again with the next question', async () => {
    let isBroken = true;
    const scanSecrets = async (scanned: string) => {
      if (isBroken) throw new Error('The scan could not be loaded');
      return scanText(scanned);
    };
    const { conversation, client, log } = await openWindow({ scanSecrets });
    conversation.pending.addContextItems([aContextItem({ id: 'c1', value: code })]);
    await assert.rejects(conversation.ask('How?'));
    await settled();
    assert.equal(client.asked.length, 0);
    assert.ok(log.lines.some(({ message }) => message.includes('The scan for secrets failed')));
    isBroken = false;
    assert.ok('held' in (await conversation.ask('How?')));
  });

  it('holds back a changed question, too', async () => {
    const { conversation, client, ask } = await openWindow();
    await ask('How?');
    await client.say(complete);
    const [question] = conversation.thread.messages;
    const changed = `Why does --password=${canary} fail?`;
    const held = await conversation.askEdited(question?.id ?? '', changed);
    assert.deepEqual(held, {
      held: [{ id: 'question', name: 'Your question', kinds: ['password'] }],
    });
    await conversation.askEdited(question?.id ?? '', changed, 'redact');
    await settled();
    assertNoTrace(canary, messageRequest(client.last()).body);
  });
});

describe('the document of what will be sent', () => {
  // Shows faults.md P10.
  it('has the body that is sent then, but for the time of the question', async () => {
    const { conversation, client, ask, clock } = await openWindow();
    await ask('First?');
    const thread = { threadId: 'thread-1', threadKey: 'thread-key-of-the-service' };
    await client.say({ serviceThread: thread, parts: [text('So.')] }, complete);
    conversation.pending.addContextItems([aContextItem()]);
    conversation.pending.addFile(aFile({ url: dataUrl('x'.repeat(200_000)) }));
    const request = await conversation.requestFor('Second?');
    const before = conversation.thread;
    const shown = requestDocument({ request, held: [] }, plainTranslate);
    assert.deepEqual(conversation.thread, before, 'looking changes nothing');
    assert.equal(client.asked.length, 1, 'looking sends nothing');
    await clock.advance(5_000);
    await conversation.ask('Second?');
    await settled();
    const { url, body } = messageRequest(client.last());
    const [head = ''] = shown.split('\n');
    assert.equal(head, `// POST ${url}`);
    assert.match(shown, /\/\/ Authorization: Bearer ••••\n/);
    const written = JSON.parse(shown.replace(/^\/\/.*$/gm, '')) as typeof body;
    const sent = JSON.parse(JSON.stringify(body)) as typeof body;
    const withoutTime = (other: typeof body) => ({
      ...other,
      threadKey: undefined,
      messages: other.messages.map(({ createdAt: _createdAt, ...message }, index) =>
        index === other.messages.length - 1 ? message : { ...message, createdAt: _createdAt },
      ),
    });
    assert.deepEqual(withoutTime(written), withoutTime(sent));
    assert.equal(written.threadKey, '••••');
    assert.equal(sent.threadKey, 'thread-key-of-the-service');
    assertNoTrace('thread-key-of-the-service', shown);
  });

  // Shows faults.md P10.
  it('has 20 MB of files whole', async () => {
    const { conversation } = await openWindow();
    const fileOf = (letter: string) => dataUrl(letter.repeat(5 * 1024 * 1024));
    const urls = ['a', 'b', 'c', 'd'].map(fileOf);
    for (const [index, url] of urls.entries())
      conversation.pending.addFile(aFile({ id: `f${index}`, filename: `${index}.txt`, url }));
    const request = await conversation.requestFor('How?');
    const shown = requestDocument({ request, held: [] }, plainTranslate);
    const { messages } = JSON.parse(shown.replace(/^\/\/.*$/gm, '')) as {
      messages: { parts: { type: string; url?: string }[] }[];
    };
    const files = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'file'));
    assert.equal(files.length, urls.length);
    // Compared one by one, because a difference of megabytes could not be read.
    for (const [index, { url }] of files.entries()) assert.ok(url === urls[index], `file ${index}`);
  });

  it('is of a new thread at the site that is asked now, or the error that asking would show', async () => {
    const { conversation, client, ask, useSettings, useSite } = await openWindow();
    await ask('First?');
    await client.say({ serviceThread: { threadId: 'thread-1' } });
    const running = await conversation.requestFor('Second?');
    assert.deepEqual([running.threadId, running.messages.length], ['thread-1', 3]);
    await client.say({ parts: [text('So.')] }, complete);

    useSite('https://api.example.com other');
    useSettings({ assistantDomain: 'other' });
    const elsewhere = await conversation.requestFor('Second?');
    assert.deepEqual([elsewhere.threadId, elsewhere.messages.length], [undefined, 1]);
    useSettings({ baseUrl: undefined });
    await assert.rejects(conversation.requestFor('Second?'), { code: 'not-configured' });
    useSettings({ baseUrl: undefined, unavailable: 'assistant-air-gapped' });
    await assert.rejects(conversation.requestFor('Second?'), { code: 'assistant-air-gapped' });
    assert.equal(client.asked.length, 1);
  });

  it('has what goes to the model of a local docs service, as comments', async () => {
    const { conversation } = await openWindow();
    const request = await conversation.requestFor('First?');
    const requests = [
      [{ role: 'system', text: 'Write queries.\r\nNow.' }],
      [{ role: 'user', text: 'First?\u2028{"a": 1}' }],
    ];
    const model = { label: 'tiny at localhost', requests };
    const shown = requestDocument({ request, held: [], model }, plainTranslate);
    assert.match(shown, /\n\/\/ The docs service then sends this to tiny at localhost\./);
    assert.match(
      shown,
      /\n\/\/ Request 1 of 2\n\/\/\n\/\/ system:\n\/\/ Write queries\.\n\/\/ Now\.\n/,
    );
    assert.match(shown, /\n\/\/ user:\n\/\/ First\?\n\/\/ \{"a": 1\}\n$/);
    const body: unknown = JSON.parse(shown.replace(/^\/\/.*$/gm, ''));
    assert.deepEqual(
      body,
      JSON.parse(JSON.stringify(messageRequest({ ...request, key: '' }).body)),
    );
    assert.doesNotMatch(
      requestDocument({ request, held: [] }, plainTranslate),
      /The docs service then sends/,
    );
  });
});
