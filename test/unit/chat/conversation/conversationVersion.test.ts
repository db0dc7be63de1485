import assert from 'node:assert/strict';
import type { MessagePart } from '../../../../src/shared/uiMessage';
import { complete, followed, openWindow, text } from './conversationWindow';

const siteVersion = {
  installed: { name: 'next', version: '15.5.2' },
  versions: ['v13', 'v14', 'v15'],
};
const source = (url: string): MessagePart => ({ type: 'source-url', sourceId: url, url });

describe('A reply for another version than the installed one', () => {
  it('says so above itself as soon as it cites such a page', async () => {
    const { ask, client, clock, reply, events } = await openWindow({ siteVersion });
    await ask();
    await client.say({ parts: [source('/v14/routing')] });
    const wanted = 'This reply cites docs for v14. Installed here is next@15.5.2.';
    assert.equal(reply().versionNote, wanted);
    await clock.advance(20);
    const parts = [source('/v14/routing'), source('/v13/a'), source('/v15/b'), text('Use it.')];
    await client.say({ parts }, complete);
    const both = 'This reply cites docs for v14, v13. Installed here is next@15.5.2.';
    assert.equal(reply().versionNote, both);
    assert.equal(reply().notice, undefined);
    const shown = followed(events)?.messages.at(-1);
    assert.equal(shown?.role === 'assistant' ? shown.versionNote : undefined, both);
  });

  it('says so if its filter names another version and its pages name none', async () => {
    const { ask, client, reply, useSettings } = await openWindow({ siteVersion });
    useSettings({ filter: { version: 'v14' } });
    await ask();
    await client.say({ parts: [source('/routing'), text('Use it.')] }, complete);
    assert.equal(
      reply().versionNote,
      'This reply is from the docs for v14. Installed here is next@15.5.2.',
    );
  });

  it('still says so after a reload', async () => {
    const { ask, client, conversation, threads } = await openWindow({ siteVersion });
    await ask();
    await client.say({ parts: [source('/v14/routing'), text('Use it.')] }, complete);
    await conversation.flush();
    const later = await openWindow({ stored: threads, name: 'later' });
    await later.conversation.restore();
    assert.match(later.reply().versionNote ?? '', /docs for v14/);
  });

  it('says nothing about pages of the installed version, and nothing if none is known', async () => {
    for (const [known, url] of [
      [siteVersion, '/v15/routing'],
      [siteVersion, '/routing'],
      [undefined, '/v14/routing'],
    ] as const) {
      const { ask, client, reply, useSettings } = await openWindow({ siteVersion: known });
      useSettings({ filter: { version: known ? 'v15' : 'v14' } });
      await ask();
      await client.say({ parts: [source(url), text('Use it.')] }, complete);
      assert.equal(reply().versionNote, undefined, url);
    }
  });
});
