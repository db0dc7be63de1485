import assert from 'node:assert/strict';
import { ask, aQuestion, settingsFor } from '../chat/asking';
import { docsFolder, serviceDomain, serviceKey, startService } from './localServiceAsking';

const section = 'Each webhook delivery carries a signature. Verify it before you trust the event.';
/** A section longer than an event that clients accept, in one word and in one block. */
const longWord = 'pelican'.repeat(200_000);
const pages = {
  'webhooks.md': `# Webhooks\n\nWebhooks tell you of events.\n\n## Verify the signature\n\n${section}\n`,
  'maps.md': '# Maps\n\nMaps show where parcels are.\n',
};

describe('the local docs service’s sources', () => {
  it('reach the client, each with a quote of the cited section', async () => {
    const docs = await docsFolder(pages);
    const service = await startService(docs.root);
    try {
      await service.whenIndexed();
      let quotes: Readonly<Record<string, string>> = {};
      const { parts } = await ask(service.url, {
        settings: { ...settingsFor(service.url), assistantDomain: serviceDomain },
        key: serviceKey,
        messages: [aQuestion('How do I verify the signature of a webhook?')],
        onUpdate: (update) => (quotes = update.quotes ?? quotes),
      });
      const sources = parts.filter((part) => part.type === 'source-url');
      assert.deepEqual(Object.keys(quotes).sort(), sources.map(({ sourceId }) => sourceId).sort());
      const verify = sources.find(({ url }) => url.endsWith('/docs/webhooks#verify-the-signature'));
      assert.equal(quotes[verify?.sourceId ?? ''], section);
    } finally {
      await service.stop();
      await docs.remove();
    }
  });

  // Shows faults.md K15.
  it('reach the client from a section of 1.4 MB, and so does the reply', async () => {
    const docs = await docsFolder({
      'long.md': `# Archives\n\n## Unpack an archive\n\nUnpack ${longWord} an archive.\n`,
    });
    const service = await startService(docs.root);
    try {
      await service.whenIndexed();
      const { parts } = await ask(service.url, {
        settings: { ...settingsFor(service.url), assistantDomain: serviceDomain },
        key: serviceKey,
        messages: [aQuestion('How do I unpack an archive?')],
      });
      assert.ok(parts.some((part) => part.type === 'source-url'));
      const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      assert.ok(text.includes('pelicanpelican'));
    } finally {
      await service.stop();
      await docs.remove();
    }
  });
});
