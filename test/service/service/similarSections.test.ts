import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { localDocsEndpoint, searchResponseSchema } from '../../../src/common/localDocsApi';
import { ReplyWriter } from '../../../src/docs/writers/replyWriter';
import type { LocalService } from '../../../src/service/server/server';
import {
  fails,
  type ModelEndpoint,
  type ModelScript,
  says,
  startModelEndpoint,
} from '../../fakes/modelEndpoint';
import { RecordingLog } from '../../fakes/recordingLog';
import { ask, docsFolder, startService, until } from './localServiceAsking';

const pages = {
  'login.md': '# Authentication\n\n## Signing in\n\nUse the button at the top to authenticate.\n',
  'invoices.md': '# Invoices\n\n## Paying\n\nPay within 30 days.\n',
  'maps.md': '# Maps\n\nMaps show where parcels are.\n',
};

/** Vectors by topic: what a model would find near to each other. */
function embeddings(dimensions = 3, seen: string[] = []): ModelScript {
  const topics = [/authenticat|log ?in|password|do maps show/i, /invoice|pay/i, /map|parcel/i];
  return (response, { body }) => {
    seen.push(...(body.input ?? []));
    const data = (body.input ?? []).map((text, index) => ({
      object: 'embedding',
      index,
      embedding: Array.from({ length: dimensions }, (_item, place) =>
        topics[place]?.test(text) === true ? 1 : 0.01,
      ),
    }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        object: 'list',
        data,
        model: 'e',
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
    );
  };
}

describe('sections by meaning', () => {
  const log = new RecordingLog();
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let state: Awaited<ReturnType<typeof docsFolder>>;
  let endpoint: ModelEndpoint;
  let writer: ReplyWriter;
  const services: LocalService[] = [];

  beforeEach(async () => {
    docs = await docsFolder(pages);
    state = await docsFolder({});
    endpoint = await startModelEndpoint();
    endpoint.reply = says('Use the button [1].');
    endpoint.embeddings = embeddings();
    log.lines.length = 0;
  });
  afterEach(async () => {
    for (const service of services.splice(0)) await service.stop();
    await endpoint.stop();
    await docs.remove();
    await state.remove();
  });

  const start = async (embeddingModel = 'e'): Promise<LocalService> => {
    writer = new ReplyWriter({ fetch: (url, init) => fetch(url, init), log });
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, model: 'm', embeddingModel });
    const service = await startService(docs.root, { log, writer, stateFolder: state.root });
    services.push(service);
    await service.whenIndexed();
    return service;
  };
  const vectorsMade = (): Promise<void> =>
    until(() => log.messages().some((message) => message.startsWith('Made vectors')));
  const question = 'I forgot my password, maps?';

  it('are found though no word matches, and joined with sections found by words', async () => {
    const service = await start();
    await vectorsMade();
    const { sources } = await ask(service, question);
    const paths = sources.map(({ url }) => new URL(url).pathname);
    assert.ok(paths.includes('/docs/login'), String(paths));
    assert.ok(paths.includes('/docs/maps'), String(paths));
  });

  it('are found for quotes, too, without a model that writes', async () => {
    const service = await start();
    await vectorsMade();
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, embeddingModel: 'e' });
    assert.equal(writer.model, undefined);
    const { sources, text } = await ask(service, 'What do maps show?');
    const paths = sources.map(({ url }) => new URL(url).pathname);
    assert.ok(paths.includes('/docs/login'), String(paths));
    assert.ok(paths.includes('/docs/maps'), String(paths));
    assert.match(text, /\[\d\]\([^)]*\/docs\/login#signing-in\)/);
    assert.equal(endpoint.requests.filter(({ path }) => path.includes('chat')).length, 0);
    const none = await ask(service, 'zebra quantum gardening?');
    assert.deepEqual(none.sources, []);
  });

  it('of other versions and languages don’t join the quotes', async () => {
    await docs.write(
      'de/anmelden.md',
      '# Anmelden\n\n## Kennwort\n\nSetzen Sie Ihr password zurück.\n',
    );
    const service = await start();
    await vectorsMade();
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, embeddingModel: 'e' });
    const { sources } = await ask(service, 'What do maps show?');
    assert.deepEqual(
      sources.filter(({ url }) => url.includes('/de/')),
      [],
    );
  });

  it('are found by a search for programs too', async () => {
    const service = await start();
    await vectorsMade();
    const response = await fetch(localDocsEndpoint(service.url, service.domain, 'search'), {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: question }),
    });
    const { sections } = v.parse(searchResponseSchema, await response.json());
    const paths = sections.map(({ path: found }) => found);
    assert.ok(paths.includes('login#signing-in'), String(paths));
    assert.ok(paths.includes('maps'), String(paths));
  });

  it('are found with vectors from disk after a restart, without new ones', async () => {
    await start();
    await vectorsMade();
    await services.pop()?.stop();
    const seen: string[] = [];
    endpoint.embeddings = embeddings(3, seen);
    const service = await start();
    // The first question waits until the vectors are read.
    const { sources } = await ask(service, question);
    assert.ok(sources.some(({ url }) => url.includes('/docs/login')));
    assert.ok(
      seen.every((text) => text === question),
      String(seen),
    );
  });

  it('get a new vector when their text changes, and only those', async () => {
    await start();
    await vectorsMade();
    await services.pop()?.stop();
    await docs.write('invoices.md', '# Invoices\n\n## Paying\n\nPay within 60 days.\n');
    const seen: string[] = [];
    endpoint.embeddings = embeddings(3, seen);
    log.lines.length = 0;
    await start();
    await vectorsMade();
    assert.equal(seen.length, 1);
    assert.match(seen[0] ?? '', /60 days/);
  });

  it('get their vectors as soon as the reader names an embedding model', async () => {
    const seen: string[] = [];
    endpoint.embeddings = embeddings(3, seen);
    writer = new ReplyWriter({ fetch: (url, init) => fetch(url, init), log });
    const service = await startService(docs.root, { log, writer, stateFolder: state.root });
    services.push(service);
    await service.whenIndexed();
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, embeddingModel: 'e' });
    await vectorsMade();
    assert.equal(seen.length, 3);
  });

  it('get one vector each, also if the reader chooses the model again meanwhile', async () => {
    const seen: string[] = [];
    const answer = embeddings();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    endpoint.embeddings = async (response, request) => {
      seen.push(...(request.body.input ?? []));
      await held;
      return answer(response, request);
    };
    const service = await start();
    await until(() => seen.length > 0);
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, embeddingModel: 'e' });
    const asked = ask(service, question);
    goOn();
    await vectorsMade();
    await asked;
    const ofSections = seen.filter((text) => text !== question);
    assert.deepEqual(ofSections, [...new Set(ofSections)]);
  });

  it('get their vectors at once from another model after one that failed', async () => {
    endpoint.embeddings = fails(404, { message: 'no such model' });
    await start();
    await until(() => log.messages('warn').some((message) => message.includes('by words only')));
    endpoint.embeddings = embeddings();
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, embeddingModel: 'f' });
    await vectorsMade();
  });

  it('get the vectors of a model that the reader chooses while another one makes them', async () => {
    const seen: (string | undefined)[] = [];
    const answer = embeddings();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    endpoint.embeddings = async (response, request) => {
      seen.push(request.body.model);
      await held;
      return answer(response, request);
    };
    await start();
    await until(() => seen.length > 0);
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, embeddingModel: 'f' });
    goOn();
    await until(() => seen.includes('f'));
  });

  it('survive a damaged file and another number of dimensions', async () => {
    await start();
    await vectorsMade();
    await services.pop()?.stop();
    const folder = path.join(state.root, 'vectors');
    const [name = ''] = await readdir(folder);
    const content = await readFile(path.join(folder, name));
    content[content.length - 6] = (content[content.length - 6] ?? 0) ^ 0xff;
    await writeFile(path.join(folder, name), content);
    endpoint.embeddings = embeddings(5);
    log.lines.length = 0;
    const service = await start();
    await vectorsMade();
    log.lines.length = 0;
    await ask(service, question);
    const { sources } = await ask(service, question);
    assert.ok(sources.length > 0);
    log.assertNoErrors();
  });

  it('are made again if the model of that name has changed', async () => {
    const service = await start();
    await vectorsMade();
    endpoint.embeddings = embeddings(7);
    log.lines.length = 0;
    await ask(service, question);
    await vectorsMade();
    const { sources } = await ask(service, question);
    assert.ok(sources.some(({ url }) => url.includes('/docs/login')));
  });

  const unusable: readonly (readonly [string, ModelScript])[] = [
    ['has no embeddings', fails(404, { message: 'no such model' })],
    [
      'sends vectors of different lengths',
      (response, { body }): void => {
        const data = (body.input ?? []).map((_text, index) => ({
          embedding: Array(index + 1).fill(1),
          index,
        }));
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ data }));
      },
    ],
    [
      'sends something else',
      (response): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":"x"}'),
    ],
  ];
  for (const [name, script] of unusable) {
    // Shows faults.md J12.
    it(`are found by words only if the endpoint ${name}`, async () => {
      endpoint.embeddings = script;
      const service = await start();
      await until(() => log.messages('warn').some((message) => message.includes('by words only')));
      const { text } = await ask(service, 'How do I pay invoices?');
      assert.match(text, /^Use the button/);
    });
  }

  it('are never requested if the reader named no embedding model', async () => {
    writer = new ReplyWriter({ fetch: (url, init) => fetch(url, init), log });
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, model: 'm' });
    const service = await startService(docs.root, { log, writer, stateFolder: state.root });
    services.push(service);
    await service.whenIndexed();
    await ask(service, question);
    assert.deepEqual(
      endpoint.requests.filter(({ path: asked }) => asked.includes('embed')),
      [],
    );
  });
});
