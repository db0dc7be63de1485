import assert from 'node:assert/strict';
import { ReplyWriter } from '../../../src/docs/writers/replyWriter';
import type { LocalService } from '../../../src/service/server/server';
import type { ReplyView } from '../../../src/shared/uiMessage';
import {
  finish,
  type ModelEndpoint,
  says,
  saysThen,
  startModelEndpoint,
} from '../../fakes/modelEndpoint';
import { RecordingLog } from '../../fakes/recordingLog';
import { assistantKey } from '../chat/asking';
import { openSession, type Session } from '../chat/conversationSession';
import { aCall, localTarget, toolsOver } from '../docsTools/toolsOver';
import { docsFolder, startService } from './localServiceAsking';

const pages = {
  'keys.md':
    '# API keys\n\n## Rotate a key\n\nA key expires after 90 days. Run `acme keys rotate` before that.\n',
  'limits.md': '# Rate limits\n\n## Requests\n\nEach key can send 600 requests per minute.\n',
  'webhooks.md': '# Webhooks\n\n## Signatures\n\nEach webhook carries a signature header.\n',
};

const partsOf = ({ parts }: ReplyView, type: string) => parts.filter((part) => part.type === type);

describe('a written reply in the chat', () => {
  const writer = new ReplyWriter({
    fetch: (url, init) => fetch(url, init),
    log: new RecordingLog(),
  });
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let endpoint: ModelEndpoint;
  let session: Session;

  before(async () => {
    docs = await docsFolder(pages);
    service = await startService(docs.root, { key: assistantKey, writer });
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await docs.remove();
  });
  beforeEach(async () => {
    endpoint = await startModelEndpoint();
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, model: 'tiny' });
    session = await openSession({ url: service.url });
  });
  afterEach(async () => {
    session.conversation.dispose();
    await endpoint.stop();
  });

  it('shows each search with its query and its pages, before the text', async () => {
    endpoint.queries = says('{"queries": ["webhook signature header", "requests per minute"]}');
    endpoint.reply = says('A key expires after 90 days [1].');
    const reply = await session.ask('How do I rotate an API key?');
    const searches = reply.parts.filter((part) => part.type === 'search');
    assert.deepEqual(searches.map(({ state, query }) => [state, query]).slice(1), [
      ['done', 'webhook signature header'],
      ['done', 'requests per minute'],
    ]);
    const known = new Set(
      reply.parts.flatMap((part) => (part.type === 'source-url' ? [part.sourceId] : [])),
    );
    for (const { resultCount, sourceIds = [], query } of searches) {
      assert.ok(resultCount !== undefined && resultCount > 0, query);
      assert.equal(sourceIds.length, resultCount, query);
      assert.ok(
        sourceIds.every((id) => known.has(id)),
        query,
      );
    }
    const places = reply.parts.map(({ type }) => type);
    assert.ok(places.lastIndexOf('search') < places.indexOf('text'));
    assert.equal(partsOf(reply, 'reasoning').length, 1);
  });

  it('has a proof that is stored with the thread', async () => {
    endpoint.reply = says('A key expires after 30 days [1]. Run `acme keys rotate` [1].');
    const reply = await session.ask('How do I rotate an API key?');
    const [proof] = partsOf(reply, 'proof');
    assert.deepEqual(proof, {
      type: 'proof',
      statements: 2,
      found: 1,
      unproven: [{ quote: 'A key expires after 30 days.', reason: 'number', missing: ['30 days'] }],
    });
    await session.conversation.flush();
    const stored = await session.stores.threads.read(session.conversation.thread.id);
    const kept = stored?.messages.at(-1);
    assert.deepEqual(kept?.role === 'assistant' && kept.parts.at(-1), proof);
  });

  it('is incomplete if the model broke off', async () => {
    endpoint.reply = saysThen(['A key expires ', 'after '], finish('length'));
    const reply = await session.ask('How do I rotate an API key?');
    assert.equal(reply.status, 'incomplete');
    assert.match(JSON.stringify(partsOf(reply, 'text')), /The reply is cut off here/);
  });

  it('loses the thought that the server opened for the model', async () => {
    endpoint.reply = says('Hm, keys.', ' Is it?</think>\nAfter 90 days [1].');
    const reply = await session.ask('How do I rotate an API key?');
    assert.equal(reply.status, 'complete');
    assert.match(JSON.stringify(partsOf(reply, 'text')), /"After 90 days \[1\]/);
    assert.doesNotMatch(JSON.stringify(reply.parts), /Is it\?/);
  });

  it('is incomplete as the result of a tool, too', async () => {
    endpoint.reply = saysThen(['A key expires ', 'after '], finish('length'));
    const tools = toolsOver(localTarget(service.url, assistantKey));
    const { data, text } = await tools.ask({ question: 'How do I rotate an API key?' }, aCall());
    assert.equal(data.isComplete, false);
    assert.match(text, /\*\*Incomplete:\*\* The answer was not written to its end\./);
  });

  it('has no source if the docs say nothing, so that an issue can be drafted', async () => {
    const reply = await session.ask('zebra quantum gardening?');
    assert.equal(reply.status, 'complete');
    assert.deepEqual(partsOf(reply, 'source-url'), []);
    assert.equal(
      session.conversation.shown.exchange(reply.id)?.question.text,
      'zebra quantum gardening?',
    );
  });
});
