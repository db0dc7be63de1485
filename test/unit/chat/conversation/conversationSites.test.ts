import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../../src/common/errors';
import { NO_SITE_ID } from '../../../../src/site/activeSite';
import { aContextItem, aThread } from '../../../builders/asking';
import { settled } from '../../../fakes/fakeClock';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { MemoryThreadStore } from '../../../fakes/memoryThreadStore';
import { complete, openWindow, text } from './conversationWindow';

const acme = 'https://api.example.com acme';
const other = 'https://docs.example.net other';

/** Opens a window that asked one question at each of two sites, and now has the second one. */
async function askedAtTwoSites() {
  const workspace = new MemoryMemento();
  const stored = new MemoryThreadStore();
  const window = await openWindow({ workspace, stored });
  const { ask, client, conversation, useSite } = window;
  const switchTo = async (id: string): Promise<void> => {
    useSite(id);
    await conversation.followSite();
  };
  const shown = (): readonly string[] =>
    conversation.thread.messages.flatMap((message) =>
      message.role === 'user' ? [message.text] : [],
    );
  await ask('At acme?');
  await client.say({ parts: [text('1')] }, complete);
  await switchTo(other);
  assert.deepEqual(shown(), [], 'the thread of the first site is still shown');
  await ask('At other?');
  await client.say({ parts: [text('2')] }, complete);
  return { ...window, workspace, stored, switchTo, shown };
}

describe('Threads when the site is switched', () => {
  it('stay with their site, and are shown again with it', async () => {
    const { switchTo, shown } = await askedAtTwoSites();
    await switchTo(acme);
    assert.deepEqual(shown(), ['At acme?']);
    await switchTo(other);
    assert.deepEqual(shown(), ['At other?']);
    await switchTo('a third site');
    assert.deepEqual(shown(), []);
  });

  it('are remembered by the workspace, and an empty thread is as well', async () => {
    const { workspace, stored, conversation, switchTo } = await askedAtTwoSites();
    await conversation.flush();
    const later = await openWindow({ workspace, stored, name: 'later' });
    later.useSite(acme);
    await later.conversation.followSite();
    assert.equal(later.conversation.thread.title, 'At acme?');
    await switchTo(acme);
    conversation.startThread();
    await switchTo(other);
    await switchTo(acme);
    assert.deepEqual(conversation.thread.messages, []);
  });

  // Shows faults.md O4.
  it('keep a reply that runs at its own site, and the next question starts a thread', async () => {
    const { ask, client, conversation, reply, shown, switchTo } = await askedAtTwoSites();
    await ask('Still at other?');
    const asked = client.asked.at(-1);
    await switchTo(acme);
    assert.equal(asked?.signal.aborted, false, 'the reply was stopped');
    assert.deepEqual(shown(), ['At other?', 'Still at other?']);
    await client.say({ parts: [text('3')] }, complete);
    assert.equal(reply().status, 'complete');
    assert.deepEqual(reply().parts, [text('3')]);
    await ask('Now at acme?');
    assert.deepEqual(shown(), ['Now at acme?']);
    await client.say({ parts: [text('4')] }, complete);
    const titles = (await conversation.library.find('')).map(({ title }) => title);
    assert.deepEqual(titles.sort(), ['At acme?', 'Now at acme?']);
    await switchTo(other);
    assert.deepEqual(shown(), ['At other?', 'Still at other?']);
  });

  it('stay away from an empty thread after a set-up', async () => {
    const { conversation, shown, switchTo, useSite } = await askedAtTwoSites();
    await switchTo('a third site');
    useSite(acme);
    await conversation.followSite({ keepsEmpty: true });
    assert.deepEqual(shown(), []);
    useSite(other);
    await conversation.followSite();
    assert.deepEqual(shown(), ['At other?']);
  });

  it('take no retry and no edited question that would go to another site', async () => {
    const { ask, client, conversation, reply, switchTo } = await askedAtTwoSites();
    await ask('Still at other?');
    await switchTo(acme);
    await client.say({ parts: [text('3')] }, complete);
    const asked = client.asked.length;
    const { id } = reply();
    const question = conversation.thread.messages.at(-2)?.id ?? '';
    const expected = { code: 'other-site', details: { domain: other } };
    assert.throws(() => conversation.retry(id), expected);
    assert.throws(() => conversation.editQuestion(question, 'Now at acme?'), expected);
    assert.equal(client.asked.length, asked);
    await switchTo(other);
    conversation.retry(id);
    await settled();
    assert.equal(client.asked.length, asked + 1);
  });

  it('send nothing to another site that is asked without a command, as when a service stops', async () => {
    const { ask, client, conversation, reply, shown, switchTo, useSite } = await askedAtTwoSites();
    conversation.pending.addContextItems([aContextItem({ value: 'private code' })]);
    await ask('With code?');
    await client.say(new DocsAssistantError('connection-lost'));
    useSite(acme);
    assert.throws(() => conversation.retry(reply().id), { code: 'other-site' });
    await ask('Now at acme?');
    const { messages, contextItems } = client.last();
    assert.deepEqual([messages.length, contextItems.length], [1, 0]);
    await client.say({ parts: [text('3')] }, complete);
    assert.deepEqual(shown(), ['Now at acme?']);
    await switchTo(other);
    assert.deepEqual(shown(), ['At other?', 'With code?']);
  });

  it('stay after a set-up if their question came before it, and belong to the new site', async () => {
    const { ask, client, conversation, reply, useSettings, useSite } = await openWindow();
    useSite(NO_SITE_ID);
    useSettings({ baseUrl: undefined });
    await ask('Before the set-up?');
    assert.deepEqual(reply().error?.actions, ['set-up-site', 'choose-docs', 'retry']);
    useSite(acme);
    useSettings({});
    await conversation.followSite({ keepsEmpty: true });
    assert.equal(conversation.thread.title, 'Before the set-up?');
    conversation.retry(reply().id);
    await settled();
    await client.say({ parts: [text('1')] }, complete);
    await conversation.flush();
    const titles = (await conversation.library.find('')).map(({ title }) => title);
    assert.deepEqual(titles, ['Before the set-up?']);
  });

  it('stay after their domain is corrected if the service knew no such site, and belong to the right one', async () => {
    const { ask, client, conversation, reply, useSite } = await openWindow();
    useSite('https://api.example.com amce');
    await ask('At a misspelled site?');
    await client.say(new DocsAssistantError('unknown-site'));
    await conversation.flush();
    useSite(other);
    assert.throws(() => conversation.retry(reply().id), { code: 'other-site' });
    useSite(acme);
    await conversation.followSite({ keepsEmpty: true });
    assert.equal(conversation.thread.title, 'At a misspelled site?');
    conversation.retry(reply().id);
    await settled();
    await client.say({ parts: [text('1')] }, complete);
    await conversation.flush();
    const titles = (await conversation.library.find('')).map(({ title }) => title);
    assert.deepEqual(titles, ['At a misspelled site?']);
    useSite('https://api.example.com amce');
    assert.throws(() => conversation.retry(reply().id), { code: 'other-site' });
  });

  it('that were begun before the set-up stay in the list of every site, until one of them answers', async () => {
    const { ask, client, conversation, reply, useSettings, useSite } = await openWindow();
    const listed = async (query = ''): Promise<readonly string[]> =>
      (await conversation.library.find(query)).map(({ title }) => title);
    useSite(NO_SITE_ID);
    useSettings({ baseUrl: undefined });
    await ask('Before the set-up?');
    const { id } = conversation.thread;
    conversation.startThread();
    useSettings({});
    useSite(other);
    await ask('At other?');
    await client.say({ parts: [text('1')] }, complete);
    assert.deepEqual((await listed()).toSorted(), ['At other?', 'Before the set-up?']);
    useSite(acme);
    assert.deepEqual(await listed(), ['Before the set-up?']);
    assert.deepEqual(await listed('set-up'), ['Before the set-up?']);
    await conversation.openThread(id);
    conversation.retry(reply().id);
    await settled();
    await client.say({ parts: [text('2')] }, complete);
    useSite(other);
    assert.deepEqual(await listed(), ['At other?']);
  });

  it('that are restored while another site is asked are left by the next question', async () => {
    const { conversation, workspace, stored } = await askedAtTwoSites();
    await conversation.flush();
    const later = await openWindow({ workspace, stored, name: 'later' });
    await later.conversation.restore();
    assert.equal(later.conversation.thread.title, 'At other?');
    await later.ask('At acme again?');
    assert.equal(later.conversation.thread.title, 'At acme again?');
    await later.conversation.flush();
    const again = await openWindow({ workspace, stored, name: 'again' });
    again.useSite(other);
    await stored.setCurrentId(conversation.thread.id);
    await again.conversation.restore();
    await again.ask('At other again?');
    assert.equal(again.conversation.thread.title, 'At other?');
  });

  it('stay if the site is switched back while the reply runs', async () => {
    const { ask, client, shown, switchTo } = await askedAtTwoSites();
    await ask('Second?');
    await switchTo(acme);
    await switchTo(other);
    await client.say({ parts: [text('3')] }, complete);
    await ask('Third?');
    assert.deepEqual(shown(), ['At other?', 'Second?', 'Third?']);
  });

  it('give way to a thread that the reader begins during a switch', async () => {
    const { conversation, shown, useSite } = await askedAtTwoSites();
    useSite(acme);
    const slow = conversation.followSite();
    conversation.startThread();
    await slow;
    assert.deepEqual(shown(), []);
  });

  it('are remembered for their site also if a window only restored them', async () => {
    const stored = new MemoryThreadStore();
    await stored.write(aThread({ id: 't1', site: { id: acme, label: acme } }));
    await stored.setCurrentId('t1');
    const { conversation, useSite } = await openWindow({ stored });
    await conversation.restore();
    useSite(other);
    await conversation.followSite();
    assert.equal(conversation.thread.messages.length, 0);
    useSite(acme);
    await conversation.followSite();
    assert.equal(conversation.thread.id, 't1');
  });

  it('are left alone by a thread that was deleted, and by a switch that came too late', async () => {
    const { conversation, shown, switchTo, useSite } = await askedAtTwoSites();
    useSite(acme);
    const slow = conversation.followSite();
    useSite(other);
    await Promise.all([slow, conversation.followSite()]);
    assert.deepEqual(shown(), ['At other?']);
    const { id } = conversation.thread;
    await switchTo(acme);
    await conversation.deleteThread(id);
    await switchTo(other);
    assert.deepEqual(shown(), []);
  });
});
