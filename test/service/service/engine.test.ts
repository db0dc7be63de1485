import assert from 'node:assert/strict';
import type { DocsQuestion } from '../../../src/common/localDocsApi';
import { type DocsEngine, openDocs } from '../../../src/docs/engine';
import { addressesAt } from '../../../src/docs/pages/links';
import { ReplyWriter } from '../../../src/docs/writers/replyWriter';
import { searchableDocs } from '../../../src/docsTools/localDocs';
import type { LocalService } from '../../../src/service/server/server';
import type { ReplyChange } from '../../../src/shared/reply';
import { type MessagePart, partView } from '../../../src/shared/uiMessage';
import { systemClock } from '../../../src/common/clock';
import { silentLog } from '../../../src/common/ports';
import { AssistantClient } from '../../../src/chat/assistant/assistantClient';
import {
  finish,
  type ModelEndpoint,
  says,
  saysThen,
  startModelEndpoint,
} from '../../fakes/modelEndpoint';
import { aQuestion, settingsFor } from '../chat/asking';
import { docsFolder, serviceDomain, serviceKey, startService } from './localServiceAsking';
import { applied } from '../../builders/ops';

const pages = {
  'keys.md':
    '# API keys\n\n## Rotate a key\n\nA key expires after 90 days. Run `acme keys rotate` before that. See [limits](limits.md).\n',
  'limits.md': '# Rate limits\n\n## Requests\n\nEach key can send 600 requests per minute.\n',
  'webhooks.md': '# Webhooks\n\n## Signatures\n\nEach webhook carries a signature header.\n',
};

/** A whole reply, in the form that every surface shows. */
interface WholeReply extends Pick<ReplyChange, 'quotes' | 'end'> {
  readonly parts: readonly MessagePart[];
}

async function whole(changes: AsyncIterable<ReplyChange>): Promise<WholeReply> {
  let reply: WholeReply = { parts: [] };
  for await (const { ops = [], quotes, end } of changes) {
    // Readers never see the metadata that a service attached for itself.
    const views = applied(reply.parts, ops).map(partView);
    reply = { parts: views, quotes: quotes ?? reply.quotes, end: end ?? reply.end };
  }
  return reply;
}

describe('docs in this process', () => {
  const { signal } = new AbortController();
  const writer = new ReplyWriter({ fetch: (url, init) => fetch(url, init), log: silentLog });
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let engine: DocsEngine;
  let endpoint: ModelEndpoint;

  before(async () => {
    docs = await docsFolder(pages);
    endpoint = await startModelEndpoint();
    service = await startService(docs.root, { writer });
    engine = await openDocs(
      { kind: 'folder', folder: docs.root },
      { addresses: addressesAt(() => service.url), writer },
    );
    engine.start();
    await Promise.all([engine.whenIndexed(), service.whenIndexed()]);
  });
  after(async () => {
    await engine.close();
    await service.stop();
    await endpoint.stop();
    await docs.remove();
  });
  beforeEach(() => writer.answerWith({ kind: 'quotes' }));

  const asked = (text: string): DocsQuestion => ({
    text,
    earlier: [],
    contextItems: [],
    pageSize: 5,
  });

  /** Returns the reply of the engine, and that of the service to the same question. */
  async function bothReplies(text: string): Promise<readonly [WholeReply, WholeReply]> {
    const client = new AssistantClient({
      fetch: (url, init) => fetch(url, init),
      clock: systemClock,
      log: silentLog,
    });
    const request = {
      settings: settingsFor(service.url),
      key: serviceKey,
      messages: [aQuestion(text)],
      contextItems: [],
    };
    return [await whole(engine.ask(asked(text), signal)), await whole(client.ask(request, signal))];
  }

  for (const [what, question] of [
    ['quotes of an answer', 'how do I rotate a key'],
    ['quotes that only come close', 'is there a limit for signatures of keys'],
    ['no section at all', 'who was the horse of Napoleon'],
  ] as const) {
    it(`give the reply that the service gives over HTTP: ${what}`, async () => {
      const [own, served] = await bothReplies(question);
      assert.ok(own.parts.some(({ type }) => type === 'text'));
      assert.deepEqual(own.parts, served.parts);
      assert.deepEqual([own.quotes ?? {}, own.end], [served.quotes ?? {}, served.end]);
    });
  }

  for (const [what, script] of [
    ['its own text', says('Rotate the ', 'key [1]. ', 'It expires after 90 days [1].')],
    ['a text that broke off', saysThen(['Rotate the key [1]. ', 'Then '], finish('length'))],
    ['no text', says('')],
  ] as const) {
    it(`give the reply that the service gives over HTTP: a model’s, with ${what}`, async () => {
      endpoint.reply = script;
      writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, model: 'tiny' });
      const [own, served] = await bothReplies('how do I rotate a key');
      assert.deepEqual(own.parts, served.parts);
      assert.deepEqual([own.quotes, own.end], [served.quotes, served.end]);
    });
  }

  it('are searched, listed and read as over HTTP', async () => {
    const over = searchableDocs(
      { fetch: (url, init) => fetch(url, init), clock: systemClock, log: silentLog },
      { url: service.url, domain: serviceDomain, key: serviceKey },
    );
    const requests = {
      search: { query: 'rotate a key', limit: 3 },
      claims: { text: 'A key expires after 90 days.' },
      proof: {
        text: 'A key expires after 80 days.',
        cited: [`${service.url}/docs/keys`],
        readersTexts: [],
      },
    };
    const plain = (value: object): unknown => JSON.parse(JSON.stringify(value));
    for (const read of [
      (from: DocsEngine | typeof over) => from.search(requests.search, signal),
      (from: DocsEngine | typeof over) => from.page({ page: 'keys.md#rotate-a-key' }, signal),
      (from: DocsEngine | typeof over) => from.page({ page: 'key' }, signal),
      (from: DocsEngine | typeof over) => from.pages({}, signal),
      (from: DocsEngine | typeof over) => from.filters(signal),
      (from: DocsEngine | typeof over) => from.claims(requests.claims, signal),
      (from: DocsEngine | typeof over) => from.proof(requests.proof, signal),
    ]) {
      assert.deepEqual(plain(await read(engine)), plain(await read(over)));
    }
  });

  it('end a reply when they are closed', async () => {
    endpoint.reply = () => undefined;
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, model: 'tiny' });
    const other = await openDocs(
      { kind: 'folder', folder: docs.root },
      { addresses: addressesAt(() => service.url), writer },
    );
    other.start();
    await other.whenIndexed();
    const asking = whole(other.ask(asked('how do I rotate a key'), signal));
    const failing = assert.rejects(asking, /closed/);
    await other.close();
    await failing;
  });
});
