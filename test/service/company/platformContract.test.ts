/** The published paths of platform-api.md behave the same on every service that we have, and on the fake of the tests. */
import assert from 'node:assert/strict';
import { parseJsonEventStream, uiMessageChunkSchema } from 'ai';
import type { LocalService } from '../../../src/service/server/server';
import { FakeAssistantApi } from '../../fakes/assistantApi';
import { FakeExportApi } from '../../fakes/exportApi';
import {
  docsFolder,
  serviceDomain,
  serviceKey,
  startService,
  until,
  userMessage,
} from '../service/localServiceAsking';
import { type Company, startCompany } from './company';

interface Platform {
  fetch(path: string, init: RequestInit): Promise<Response>;
  readonly assistantKey: string;
  readonly adminKey: string;
  stop(): Promise<void>;
}

const page = '# Webhooks\n\n## Verify the signature\n\nVerify the signature of each webhook.\n';
const question = { fp: 'anonymous', messages: [userMessage('How do I verify a webhook?')] };

const services: Readonly<Record<string, (docs: string) => Promise<Platform>>> = {
  'the window’s service': async (docs) => {
    const service: LocalService = await startService(docs);
    await service.whenIndexed();
    return {
      fetch: (path, init) => fetch(service.url + path, init),
      assistantKey: serviceKey,
      adminKey: service.adminKey,
      stop: () => service.stop(),
    };
  },
  'the service of a company': async (docs) => {
    const company: Company = await startCompany({
      sites: [{ domain: serviceDomain, source: { kind: 'folder', path: docs } }],
    });
    return {
      fetch: (path, init) => fetch(company.url + path, init),
      assistantKey: await company.newKey(),
      adminKey: await company.newKey({ kind: 'admin' }),
      stop: () => company.end(),
    };
  },
};

/** Sends JSON with a key. */
function send(
  platform: Platform,
  path: string,
  key: string | undefined,
  body?: unknown,
  init: RequestInit = {},
): Promise<Response> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (key !== undefined) headers['authorization'] = `Bearer ${key}`;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return platform.fetch(path, { method: 'POST', headers, body: text, ...init });
}

async function assertRefused(response: Response, status: number): Promise<void> {
  assert.equal(response.status, status);
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  const { error } = (await response.json()) as { error: unknown };
  assert.match(String(error), /^\S.*\.$/);
}

const messagePath = `/v2/assistant/${serviceDomain}/message`;

const asking: typeof services = {
  ...services,
  'the fake of the hosted platform': () => {
    const key = 'acme_dsc_0123456789abcdef';
    const api = new FakeAssistantApi({ domain: serviceDomain, key });
    return Promise.resolve({
      fetch: (path, init) => api.fetch(`https://api.example.com${path}`, init),
      assistantKey: key,
      adminKey: 'acme_0123456789abcdef',
      stop: () => Promise.resolve(),
    });
  },
};
for (const [name, start] of Object.entries(asking)) {
  describe(`the message endpoint of ${name}`, () => {
    let docs: Awaited<ReturnType<typeof docsFolder>>;
    let platform: Platform;

    before(async () => {
      docs = await docsFolder({ 'webhooks.md': page });
      platform = await start(docs.root);
    });
    after(async () => {
      await platform.stop();
      await docs.remove();
    });

    const ask = (fields: object = {}): Promise<Response> =>
      send(platform, messagePath, platform.assistantKey, { ...question, ...fields });

    /** Reads a reply as the chat SDK does, and returns its thread. */
    const threadOf = async (response: Response): Promise<unknown> => {
      assert.equal(response.status, 200);
      assert.ok(response.body);
      let last: unknown;
      const [body, copy] = response.body.tee();
      const events = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema });
      for await (const event of events) {
        assert.ok(event.success, JSON.stringify(event));
        last = event.value;
      }
      assert.ok(typeof last === 'object' && last !== null && 'threadId' in last && 'type' in last);
      assert.equal(last.type, 'finish');
      assert.match(await new Response(copy).text(), /data: \[DONE\]\n\n$/);
      return last.threadId;
    };

    it('streams a reply of the chat SDK, whose end names the thread', async () => {
      const threadId = await threadOf(await ask());
      assert.equal(typeof threadId, 'string');
      assert.equal(await threadOf(await ask({ threadId })), threadId);
    });

    it('takes every field and part of the document', async () => {
      const parts = [
        { type: 'text', text: 'Webhooks?' },
        { type: 'reasoning', text: 'r', providerMetadata: {} },
        { type: 'source-url', sourceId: 's', url: 'https://example.com', title: 't' },
        { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,x', filename: 'x.txt' },
        { type: 'step-start' },
      ];
      const at = '2025-01-31T12:00:00Z';
      await threadOf(
        await ask({
          messages: [
            { id: '1', role: 'system', parts: [{ type: 'text', text: 'Be brief.' }] },
            { id: '2', role: 'user', createdAt: at, parts, metadata: { any: 1 } },
          ],
          threadId: null,
          filter: null,
          retrievalPageSize: 5,
          context: [
            { type: 'code', value: 'x', path: 'a.ts' },
            { type: 'textSelection', value: 'y', elementId: 'e' },
          ],
          currentPath: '/'.padEnd(200, 'x'),
          further: 'unknown fields are ignored',
        }),
      );
    });

    for (const [what, fields] of [
      ['without fp', { fp: undefined }],
      ['without messages', { messages: undefined }],
      ['with a role that isn’t listed', { messages: [{ ...userMessage('x'), role: 'tool' }] }],
      ['with a currentPath of 201 characters', { currentPath: 'x'.repeat(201) }],
      ['with a context item of another type', { context: [{ type: 'image', value: 'x' }] }],
      ['with groups that are no list', { filter: { groups: 'a' } }],
    ] as const) {
      it(`refuses a body ${what} with 400`, async () => assertRefused(await ask(fields), 400));
    }

    it('refuses what is not JSON, another content type and another method', async () => {
      await assertRefused(await send(platform, messagePath, platform.assistantKey, '{'), 400);
      const headers = {
        authorization: `Bearer ${platform.assistantKey}`,
        'content-type': 'text/plain',
      };
      await assertRefused(await send(platform, messagePath, undefined, '{}', { headers }), 415);
      const get = await platform.fetch(messagePath, { method: 'GET' });
      await assertRefused(get, 405);
      assert.equal(get.headers.get('allow'), 'POST');
    });

    it('refuses requests without its assistant key with 401, before it says which sites exist', async () => {
      for (const key of [undefined, 'x', platform.adminKey, `${platform.assistantKey}0`]) {
        for (const path of [messagePath, '/v2/assistant/nothing/message']) {
          await assertRefused(await send(platform, path, key, question), 401);
        }
      }
    });

    it('answers 404 for a site and a thread that do not exist', async () => {
      const path = '/v2/assistant/nothing/message';
      await assertRefused(await send(platform, path, platform.assistantKey, question), 404);
      await assertRefused(await ask({ threadId: 'nothing' }), 404);
    });
  });
}

/** A platform whose jobs can be waited for. Those of the fake go on when the test says so. */
interface ExportPlatform extends Omit<Platform, 'assistantKey'> {
  finish(jobId: string): Promise<void>;
}

const exporting: Readonly<Record<string, (docs: string) => Promise<ExportPlatform>>> = {
  'the fake of the hosted platform': () => {
    const api = new FakeExportApi();
    api.expiresAt = Date.now() + 60_000;
    api.adminKey = 'acme_0123456789abcdef';
    return Promise.resolve({
      fetch: (path, init) => api.fetch(`https://api.example.com${path}`, init),
      adminKey: 'acme_0123456789abcdef',
      finish: (jobId) => {
        api.jobs.set(jobId, { status: 'completed', progress: 100, pageCount: 1 });
        return Promise.resolve();
      },
      stop: () => Promise.resolve(),
    });
  },
};
for (const [name, start] of Object.entries(services)) {
  const open = async (docs: string): Promise<ExportPlatform> => {
    const platform = await start(docs);
    const statusOf = async (jobId: string): Promise<string> => {
      const headers = { authorization: `Bearer ${platform.adminKey}` };
      const url = `/v1/static-export/jobs/${jobId}`;
      const response = await platform.fetch(url, { headers });
      return ((await response.json()) as { status: string }).status;
    };
    return {
      ...platform,
      finish: (jobId) => until(async () => (await statusOf(jobId)) === 'completed'),
    };
  };
  Object.assign(exporting, { [name]: open });
}

for (const [name, start] of Object.entries(exporting)) {
  describe(`static export at ${name}`, () => {
    const jobs = '/v1/static-export/jobs';
    let docs: Awaited<ReturnType<typeof docsFolder>>;
    let platform: ExportPlatform;

    before(async () => {
      docs = await docsFolder({ 'webhooks.md': page });
      platform = await start(docs.root);
    });
    after(async () => {
      await platform.stop();
      await docs.remove();
    });

    const call = (path: string, method: 'GET' | 'POST', body?: object): Promise<Response> =>
      platform.fetch(jobs + path, {
        method,
        headers: {
          authorization: `Bearer ${platform.adminKey}`,
          'content-type': 'application/json',
        },
        body: body && JSON.stringify(body),
      });

    it('starts a job, tells its status, and gives fresh links to its bundle', async () => {
      const started = await call('', 'POST', { domain: serviceDomain });
      assert.equal(started.status, 202);
      const { jobId } = (await started.json()) as { jobId: string };
      await platform.finish(jobId);
      const status = (await (await call(`/${jobId}`, 'GET')).json()) as Record<string, unknown>;
      assert.equal(status['status'], 'completed');
      assert.equal(status['progress'], 100);
      assert.ok(Number(status['pageCount']) >= 1);
      for (let times = 0; times < 2; times++) {
        const response = await call(`/${jobId}/bundle`, 'POST');
        assert.equal(response.status, 200);
        const { bundleUrl, expiresAt } = (await response.json()) as Record<string, string>;
        assert.match(bundleUrl ?? '', /^https?:\/\/.+\/bundle\.tar\.gz\?/);
        assert.ok(Date.parse(expiresAt ?? '') > Date.now());
      }
    });

    it('answers 404 for an unknown job', async () => {
      await assertRefused(await call('/nothing', 'GET'), 404);
      await assertRefused(await call('/nothing/bundle', 'POST'), 404);
    });

    it('takes the admin key only', async () => {
      const headers = { authorization: `Bearer ${serviceKey}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ domain: serviceDomain });
      const response = await platform.fetch(jobs, { method: 'POST', headers, body });
      await assertRefused(response, 401);
    });
  });
}
