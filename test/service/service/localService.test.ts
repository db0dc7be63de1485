import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import {
  parseJsonEventStream,
  readUIMessageStream,
  uiMessageChunkSchema,
  type UIMessage,
  type UIMessageChunk,
} from 'ai';
import type { Clock } from '../../../src/common/ports';
import { MAX_QUESTION_BYTES } from '../../../src/service/server/requestChecks';
import type { LocalService } from '../../../src/service/server/server';
import { RecordingLog } from '../../fakes/recordingLog';
import {
  ask,
  docsFolder,
  messageUrl,
  post,
  serviceKey,
  startService,
  userMessage,
} from './localServiceAsking';

const pages = {
  'v2/en/webhooks.md': `---
title: Webhooks
groups: [api]
---

## Verify the signature

Each webhook delivery carries a signature. Verify it before you trust the event.

## Retries

A failed webhook delivery is tried again.
`,
  'v1/en/webhooks.md':
    '# Webhooks\n\n## Verify the hash\n\nEach webhook carries a hash: verify it.\n',
  'v2/de/webhooks.md': '# Webhooks\n\n## Signatur prüfen\n\nJeder Webhook hat eine Signatur.\n',
  'v2/en/maps.md': '---\ntitle: Maps\ngroups: [guides]\n---\n\nMaps show where parcels are.\n',
};
const question = { fp: 'anonymous', messages: [userMessage('How do I verify a webhook?')] };

type ParseResult<T> =
  | { readonly success: true; readonly value: T }
  | { readonly success: false; readonly error: unknown };

interface ErrorBody {
  readonly error: string;
}

async function errorOf(response: Response): Promise<string> {
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
  const body = (await response.json()) as ErrorBody;
  assert.equal(typeof body.error, 'string');
  return body.error;
}

describe('local docs service', () => {
  const log = new RecordingLog();
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;

  before(async () => {
    docs = await docsFolder(pages);
    service = await startService(docs.root, { log });
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await docs.remove();
    log.assertNoErrors();
  });

  describe('a reply', () => {
    it('streams steps, the search, reasoning, sources, text and the thread, in this order', async () => {
      const { chunks, isDone, response } = await ask(service, 'How do I verify a webhook?');
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      assert.equal(response.headers.get('x-vercel-ai-ui-message-stream'), 'v1');
      const types = chunks.map(({ type }) => type);
      const order = types.filter((type, position) => type !== types[position - 1]);
      assert.deepEqual(order, [
        'start',
        'start-step',
        'tool-input-available',
        'reasoning-start',
        'reasoning-delta',
        'reasoning-end',
        'source-url',
        'tool-output-available',
        'finish-step',
        'start-step',
        'text-start',
        'text-delta',
        'text-end',
        // The second text is what only adds to the reply.
        'text-start',
        'text-delta',
        'text-end',
        'finish-step',
        'finish',
      ]);
      const [, more] = chunks.filter(({ type }) => type === 'text-start');
      assert.deepEqual(more?.['providerMetadata'], { localDocs: { role: 'more' } });
      assert.equal(typeof chunks[0]?.['messageId'], 'string');
      assert.equal(isDone, true);
    });

    it('is read by the chat SDK itself', async () => {
      const { body } = await post(service, question);
      assert.ok(body);
      const parsed = parseJsonEventStream({ stream: body, schema: uiMessageChunkSchema });
      const strict = new TransformStream<ParseResult<UIMessageChunk>, UIMessageChunk>({
        transform(result, controller) {
          if (!result.success) throw result.error;
          controller.enqueue(result.value);
        },
      });
      let last: UIMessage | undefined;
      for await (const message of readUIMessageStream({ stream: parsed.pipeThrough(strict) }))
        last = message;
      assert.ok(last);
      const types = last.parts.map(({ type }) => type);
      assert.deepEqual(
        types.filter((type, position) => type !== types[position - 1]),
        ['step-start', 'tool-search', 'reasoning', 'source-url', 'step-start', 'text'],
      );
    });

    it('cites pages that the service itself shows', async () => {
      const { sources, text } = await ask(service, 'How do I verify a webhook signature?');
      assert.equal(sources[0]?.url, `${service.url}/docs/v2/en/webhooks#verify-the-signature`);
      assert.equal(sources[0].title, 'Webhooks › Verify the signature');
      assert.ok(text.includes(`[1](${sources[0].url})`));
      const page = await fetch(sources[0].url);
      assert.match(await page.text(), /<h2 id="verify-the-signature">/);
    });

    it('cites nothing if the docs say nothing about the question', async () => {
      const { sources, text } = await ask(service, 'What is the weather in Paris?');
      assert.deepEqual(sources, []);
      assert.match(text, /nothing about that/);
    });
  });

  describe('fields of the request', () => {
    it('retrievalPageSize sets how many sections are used', async () => {
      const one = await ask(service, 'webhook delivery', { retrievalPageSize: 1 });
      const two = await ask(service, 'webhook delivery', { retrievalPageSize: 2 });
      assert.deepEqual([one.sources.length, two.sources.length], [1, 2]);
    });

    it('filter.version leaves other versions out', async () => {
      const { sources } = await ask(service, 'verify webhook', { filter: { version: 'v1' } });
      assert.ok(sources.length > 0 && sources.every(({ url }) => url.includes('/v1/')));
    });

    it('filter.language leaves other languages out', async () => {
      const { sources } = await ask(service, 'webhook', { filter: { language: 'de' } });
      assert.ok(sources.length > 0 && sources.every(({ url }) => url.includes('/de/')));
    });

    it('filter.groups leaves other groups out', async () => {
      const { sources } = await ask(service, 'webhook', { filter: { groups: ['guides'] } });
      assert.deepEqual(sources, []);
    });

    it('context is searched for when the question says nothing itself', async () => {
      const context = [{ type: 'code', value: 'verifySignature(webhook.delivery, event)' }];
      const { sources } = await ask(service, 'What does this do?', { context });
      assert.match(sources[0]?.url ?? '', /verify-the-signature$/);
    });

    it('context is searched for without showing its words beside those of the question', async () => {
      const context = [{ type: 'code', value: 'verifySignature(webhook.delivery, event)' }];
      const { chunks } = await ask(service, 'How do I check the signature here?', { context });
      const search = chunks.find(({ type }) => type === 'tool-input-available');
      assert.deepEqual(search?.['input'], { query: 'check signature' });
    });

    it('currentPath brings its page forward', async () => {
      const { sources } = await ask(service, 'What is this page about?', {
        currentPath: 'v2/en/maps',
      });
      assert.match(sources[0]?.title ?? '', /^Maps/);
    });

    it('messages before the last question explain it', async () => {
      const messages = [
        userMessage('How do I verify a webhook signature?', 'm1'),
        { id: 'm2', role: 'assistant', parts: [{ type: 'text', text: 'So.' }] },
        userMessage('and in v1?', 'm3'),
      ];
      const { sources } = await ask(service, '', { messages });
      assert.match(sources[0]?.url ?? '', /v1\/en\/webhooks#verify-the-hash$/);
    });

    for (const [field, body] of [
      ['fp', { messages: question.messages }],
      ['messages', { fp: 'anonymous' }],
      [
        'messages[0].parts[0].type',
        { fp: 'x', messages: [{ id: '1', role: 'user', parts: [{ type: 'x' }] }] },
      ],
      ['currentPath', { ...question, currentPath: 'x'.repeat(201) }],
      ['filter.groups', { ...question, filter: { groups: 'x' } }],
    ] as const) {
      it(`${field} is named when it is wrong`, async () => {
        const response = await post(service, body);
        assert.equal(response.status, 400);
        assert.ok((await errorOf(response)).startsWith(`${field} `));
      });
    }
  });

  describe('a thread', () => {
    it('continues, so that a follow-up is understood from the previous question', async () => {
      const first = await ask(service, 'How do I verify a webhook signature?');
      assert.match(first.threadId, /^[\w-]{20,}$/);
      const second = await ask(service, 'and in v1?', { threadId: first.threadId });
      assert.equal(second.threadId, first.threadId);
      assert.match(second.sources[0]?.url ?? '', /v1\/en\/webhooks#verify-the-hash$/);
    });

    it('is a different one for each conversation', async () => {
      const [one, two] = [await ask(service, 'webhook'), await ask(service, 'webhook')];
      assert.notEqual(one.threadId, two.threadId);
    });

    it('gets 404 if the service does not know it', async () => {
      const response = await post(service, { ...question, threadId: 'unknown' });
      assert.equal(response.status, 404);
      assert.match(await errorOf(response), /thread/);
    });

    it('gets 404 if it belongs to somebody else', async () => {
      const { threadId } = await ask(service, 'webhook', { fp: 'ada' });
      assert.equal((await post(service, { ...question, fp: 'bob', threadId })).status, 404);
    });
  });

  describe('a request that is refused', () => {
    for (const [name, authorization, hint] of [
      ['no key', '', /Authorization: Bearer/],
      ['another scheme', `Basic ${serviceKey}`, /Authorization: Bearer/],
      [
        'another assistant key',
        'Bearer local_dsc_wrong_0123456789',
        /not the assistant key of this service/,
      ],
      ['an admin key', 'Bearer local_0123456789', /admin key/],
      ['a user key', 'Bearer local_us_0123456789', /user key/],
      ['something else', 'Bearer 0123456789', /not an assistant key/],
    ] as const) {
      it(`gets 401 with the reason for ${name}`, async () => {
        const response = await post(service, question, { headers: { authorization } });
        assert.equal(response.status, 401);
        const error = await errorOf(response);
        assert.match(error, hint);
        assert.doesNotMatch(error, /0123456789/);
      });
    }

    it('gets 404 for another site', async () => {
      const response = await fetch(messageUrl(service, 'other'), {
        method: 'POST',
        headers: { authorization: `Bearer ${serviceKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(question),
      });
      assert.equal(response.status, 404);
      assert.match(await errorOf(response), /"sample"/);
    });

    it('does not learn without a key which sites exist', async () => {
      const response = await fetch(messageUrl(service, 'other'), { method: 'POST' });
      assert.equal(response.status, 401);
    });

    it('gets 405 for another method', async () => {
      const response = await fetch(messageUrl(service));
      assert.equal(response.status, 405);
      assert.equal(response.headers.get('allow'), 'POST');
      await errorOf(response);
    });

    for (const url of [
      '/v1/assistant/sample/message',
      '/nothing',
      '/v2/assistant/sample/message/x',
    ]) {
      it(`gets 404 for ${url}`, async () => {
        const response = await fetch(service.url + url, { method: 'POST' });
        assert.equal(response.status, 404);
        await errorOf(response);
      });
    }

    it('gets 415 for another content type', async () => {
      const response = await post(service, question, { headers: { 'content-type': 'text/plain' } });
      assert.equal(response.status, 415);
      await errorOf(response);
    });

    it('gets 400 for broken JSON', async () => {
      const response = await post(service, '{"fp": ');
      assert.equal(response.status, 400);
      assert.match(await errorOf(response), /not valid JSON/);
    });

    it('gets 413 if it is too large', async () => {
      const request = http.request(messageUrl(service), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${serviceKey}`,
          'content-type': 'application/json',
          'content-length': MAX_QUESTION_BYTES + 1,
        },
      });
      request.on('error', () => undefined);
      // The service hangs up, and what is on its way then can take the answer along.
      request.flushHeaders();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      assert.equal(response.statusCode, 413);
      assert.match(await textOf(response), /33554432 bytes/);
      request.destroy();
    });

    it('gets its reply if it comes in chunks, without its length', async () => {
      const request = http.request(messageUrl(service), {
        method: 'POST',
        headers: { authorization: `Bearer ${serviceKey}`, 'content-type': 'application/json' },
      });
      const written = JSON.stringify(question);
      request.write(written.slice(0, 10));
      request.end(written.slice(10));
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      assert.equal(response.statusCode, 200);
      assert.match(await textOf(response), /"finish"/);
    });

    it('gets 413 if it grows too large without declaring its length', async () => {
      const request = http.request(messageUrl(service), {
        method: 'POST',
        headers: { authorization: `Bearer ${serviceKey}`, 'content-type': 'application/json' },
      });
      // The service hangs up on what it does not want to read.
      request.on('error', () => undefined);
      // Not more, as what is on its way then can take the answer along.
      const piece = 'x'.repeat(MAX_QUESTION_BYTES / 16);
      for (let count = 0; count < 16; count++) request.write(piece);
      request.write('x');
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      assert.equal(response.statusCode, 413);
      request.destroy();
    });

    it('gets 403 for a foreign host name, whatever it asks for', async () => {
      for (const path of ['/', '/docs/v2/en/webhooks', '/v2/assistant/sample/message']) {
        const request = http.get(service.url + path, { headers: { host: 'evil.example' } });
        const [response] = (await once(request, 'response')) as [http.IncomingMessage];
        assert.equal(response.statusCode, 403);
        response.resume();
      }
    });
  });

  it('lets no other origin read a reply', async () => {
    const response = await post(service, question, { headers: { origin: 'https://evil.example' } });
    assert.equal(response.headers.get('access-control-allow-origin'), null);
    await response.body?.cancel();
    const preflight = await fetch(messageUrl(service), { method: 'OPTIONS' });
    assert.equal(preflight.headers.get('access-control-allow-origin'), null);
  });

  it('logs requests without keys and questions', async () => {
    await ask(service, 'How do I verify a CANARYQUESTION webhook?');
    assert.match(log.text('info'), /^POST \/v2\/assistant\/sample\/message 200 \d+ ms$/m);
    assert.doesNotMatch(log.text(), /CANARYQUESTION|local_dsc_/);
  });

  it('answers many at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ask(service, 'How do I verify a webhook?')),
    );
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1);
    assert.equal(new Set(replies.map(({ threadId }) => threadId)).size, 20);
  });
});

describe('local docs service, limits', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  before(async () => {
    docs = await docsFolder(pages);
  });
  after(() => docs.remove());

  const roomy = { requests: 1000, seconds: 60 };
  for (const [name, limits, who] of [
    [
      'of the organization',
      { organization: { requests: 2, seconds: 3600 }, address: roomy },
      /organization/,
    ],
    [
      'of the address',
      { organization: roomy, address: { requests: 2, seconds: 86_400 } },
      /address/,
    ],
  ] as const) {
    it(`${name} are enforced with 429 and the seconds to wait`, async () => {
      const service = await startService(docs.root, { limits });
      try {
        await ask(service, 'webhook');
        await ask(service, 'webhook');
        const response = await post(service, question);
        assert.equal(response.status, 429);
        const seconds = Number(response.headers.get('retry-after'));
        const { seconds: window } =
          name === 'of the address' ? limits.address : limits.organization;
        assert.ok(Number.isInteger(seconds) && seconds > window - 60 && seconds <= window);
        assert.match(await errorOf(response), who);
      } finally {
        await service.stop();
      }
    });
  }

  it('are not used up for the organization by wrong keys', async () => {
    const limits = { organization: { requests: 1, seconds: 60 }, address: roomy };
    const service = await startService(docs.root, { limits });
    try {
      for (let count = 0; count < 3; count++) {
        await post(service, question, { headers: { authorization: 'Bearer x' } });
      }
      assert.equal((await ask(service, 'webhook')).response.status, 200);
    } finally {
      await service.stop();
    }
  });
});

describe('local docs service, start and end', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  before(async () => {
    docs = await docsFolder(pages);
  });
  after(() => docs.remove());

  it('stops the reply as soon as the client hangs up', async () => {
    let hasStopped = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (hasStopped = resolve));
    // The pause after the first piece of text ends only when the reply is stopped.
    const clock: Clock = {
      now: () => 0,
      delay: async (_ms, signal) => {
        await once(signal ?? new EventTarget(), 'abort');
        hasStopped();
        signal?.throwIfAborted();
      },
    };
    const service = await startService(docs.root, { clock, paceMs: 1 });
    try {
      await service.whenIndexed();
      const controller = new AbortController();
      const response = await post(service, question, { signal: controller.signal });
      await response.body?.getReader().read();
      controller.abort();
      await stopped;
    } finally {
      await service.stop();
    }
  });

  it('ends running replies when it stops, and stops twice without harm', async () => {
    const service = await startService(docs.root, { paceMs: 60_000 });
    const response = await post(service, question);
    const reader = response.body?.getReader();
    await reader?.read();
    const ended = assert.rejects(async () => {
      for (;;) if ((await reader?.read())?.done) throw new Error('ended');
    });
    await Promise.all([service.stop(), service.stop(), ended]);
    await assert.rejects(fetch(service.url));
  });

  for (const [problem, options, message] of [
    ['a folder that is not there', { docs: 'no/such/folder' }, /doesn't exist/],
    ['a key of another form', { key: 'local_0123456789' }, /local_dsc_/],
    ['a domain with a slash', { domain: 'a/b' }, /domain/],
    ['an address of the network', { host: '0.0.0.0' }, /127\.0\.0\.1/],
  ] as const) {
    it(`says what is wrong with ${problem}`, async () => {
      await assert.rejects(startService(docs.root, options), {
        name: 'DocsError',
        message,
      });
    });
  }

  it('says that a port is in use', async () => {
    const service = await startService(docs.root);
    try {
      const port = Number(new URL(service.url).port);
      await assert.rejects(startService(docs.root, { port }), {
        name: 'DocsError',
        message: /in use/,
      });
    } finally {
      await service.stop();
    }
  });
});
