import assert from 'node:assert/strict';
import { localDocsEndpoint } from '../../../src/common/localDocsApi';
import { ReplyWriter } from '../../../src/docs/writers/replyWriter';
import type { LocalService } from '../../../src/service/server/server';
import { type ModelEndpoint, says, startModelEndpoint } from '../../fakes/modelEndpoint';
import { RecordingLog } from '../../fakes/recordingLog';
import { ask, docsFolder, serviceDomain, serviceKey, startService } from './localServiceAsking';

describe('who writes the replies of a local docs service, set by a request', () => {
  const question = 'How do I rotate a key?';
  const log = new RecordingLog();
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let endpoint: ModelEndpoint;

  const setWriter = (writer: unknown, key = service.adminKey): Promise<Response> =>
    fetch(localDocsEndpoint(service.url, serviceDomain, 'writer'), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(writer),
    });

  before(async () => {
    docs = await docsFolder({ 'keys.md': '# Keys\n\nRotate a key with `acme keys rotate`.' });
    const writer = new ReplyWriter({ fetch: globalThis.fetch, log });
    service = await startService(docs.root, { log, writer });
    await service.whenIndexed();
    endpoint = await startModelEndpoint();
    endpoint.reply = says('Run `acme keys rotate` [1].');
  });
  after(async () => {
    await service.stop();
    await docs.remove();
    await endpoint.stop();
  });

  it('is an endpoint’s model from the next question on, and quotes again after that', async () => {
    const { baseUrl } = endpoint;
    const key = 'sk-CANARY-0123456789abcdef';
    const set = await setWriter({ kind: 'endpoint', baseUrl, model: 'tiny', key });
    assert.equal(set.status, 200);
    assert.match((await ask(service, question)).text, /^Run `acme keys rotate`/);
    assert.equal(endpoint.replyRequests[0]?.headers.authorization, `Bearer ${key}`);
    assert.ok(!log.text().includes('CANARY'));
    assert.equal((await setWriter({ kind: 'quotes' })).status, 200);
    await ask(service, question);
    assert.equal(endpoint.replyRequests.length, 1);
  });

  it('is set with the admin key only, because the assistant key is public', async () => {
    const { baseUrl } = endpoint;
    for (const key of [serviceKey, 'local_wrong0123456789', '']) {
      const refused = await setWriter({ kind: 'endpoint', baseUrl, model: 'tiny' }, key);
      assert.equal(refused.status, 401, key);
    }
    const before = endpoint.replyRequests.length;
    await ask(service, question);
    assert.equal(endpoint.replyRequests.length, before);
  });

  for (const [what, writer] of [
    ['a model of VS Code', { kind: 'vscode', label: 'GPT', maxInputTokens: 8000 }],
    ['an unknown kind', { kind: 'oracle' }],
    ['nothing', null],
  ] as const) {
    it(`is not changed by ${what}`, async () => {
      const refused = await setWriter(writer);
      assert.equal(refused.status, 400);
      assert.match(JSON.stringify(await refused.json()), /"error":"/);
    });
  }
});
