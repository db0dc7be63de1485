import assert from 'node:assert/strict';
import { requestPreview } from '../../../src/service/server/requestPreview';
import { ReplyWriter } from '../../../src/docs/writers/replyWriter';
import type { LocalService } from '../../../src/service/server/server';
import { proofSchema } from '../../../src/shared/proof';
import {
  fails,
  finish,
  type ModelEndpoint,
  type ModelScript,
  says,
  saysThen,
  startModelEndpoint,
  startRawServer,
} from '../../fakes/modelEndpoint';
import { RecordingLog } from '../../fakes/recordingLog';
import {
  ask,
  docsFolder,
  post,
  type Reply,
  startService,
  until,
  userMessage,
} from './localServiceAsking';
import sinon from 'sinon';
import * as v from 'valibot';

const pages = {
  'keys.md':
    '# API keys\n\n## Rotate a key\n\nA key expires after 90 days. Run `acme keys rotate` before that. See [limits](limits.md).\n\n## Lost keys\n\nRevoke a key at once if it is lost.\n',
  'limits.md':
    '# Rate limits\n\n## Requests\n\nEach key can send 600 requests per minute. The guide is at https://docs.acme.example/limits.\n',
  'webhooks.md': '# Webhooks\n\n## Signatures\n\nEach webhook carries a signature header.\n',
};
const key = 'sk-CANARY-0123456789abcdef';
const never = 10 * 60_000;
/** A pause of this machine must not look like one of the model. */
const patient = { firstTextMs: never, idleMs: never, totalMs: never, maxCharacters: 60_000 };
const SOON_MS = 100;

function proofOf({ chunks }: Reply): v.InferOutput<typeof proofSchema> {
  const data = chunks.filter(({ type }) => type === 'data-proof').at(-1)?.['data'];
  return v.parse(proofSchema, data);
}

/** Returns a request's text with one mark for all sections, and without the secret of the markers. */
function withoutMarks(text: string): string {
  const secret = /<<<[\w ]+ (\w+)$/m.exec(text)?.[1] ?? '';
  const plain = secret === '' ? text : text.replaceAll(secret, '');
  return plain.replace(/(?:<<<section \d+ \n[^]*?\n>>>\s*)+/, '(sections)\n\n');
}

describe('a reply that a model writes', () => {
  const log = new RecordingLog();
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let endpoint: ModelEndpoint;
  const writer = new ReplyWriter({ fetch: (url, init) => fetch(url, init), log });
  /** Limits of each reply, which the service reads as they are then. */
  const limits = { ...patient };

  before(async () => {
    docs = await docsFolder(pages);
    service = await startService(docs.root, { log, writer, replyLimits: limits });
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await docs.remove();
  });
  const printed = sinon.stub(console, 'error');
  after(() => printed.restore());

  beforeEach(async () => {
    Object.assign(limits, patient);
    endpoint = await startModelEndpoint();
    writer.answerWith({ kind: 'endpoint', baseUrl: endpoint.baseUrl, model: 'tiny', key });
  });
  afterEach(async () => {
    await endpoint.stop();
    assert.ok(!JSON.stringify(log).includes('CANARY'), 'the key is in the log');
    // The library prints requests that failed, with their headers and bodies, unless it is told not to.
    assert.equal(printed.callCount, 0, 'a library printed an error');
  });

  const question = 'How do I rotate an API key?';

  it('streams with citations that lead to the sections, and a proof', async () => {
    endpoint.reply = says(
      'A key expires ',
      'after 90 days [',
      '1]. Run `acme keys',
      ' rotate` [1].',
    );
    const reply = await ask(service, question);
    const { url } = reply.sources[0]!;
    assert.match(url, /\/docs\/keys#rotate-a-key$/);
    assert.equal(
      reply.text,
      `A key expires after 90 days [1](${url}). Run \`acme keys rotate\` [1](${url}).`,
    );
    assert.deepEqual(proofOf(reply), { statements: 2, found: 2, unproven: [] });
    assert.ok(reply.isDone);
    assert.notEqual(reply.threadId, '');
  });

  it('reaches the client while the model still writes', async () => {
    let goOn = (): void => undefined;
    endpoint.reply = async (response, request) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
        void saysThen(['A key expires after ', '90 days.'], () => undefined)(response, request);
      });
      finish('stop')(response);
    };
    const { body } = await post(service, { fp: 'anonymous', messages: [userMessage(question)] });
    assert.ok(body);
    let seen = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      seen += chunk;
      // The source before the text quotes the same words.
      if (seen.includes('text-delta')) goOn();
    }
    assert.match(seen, /90/);
    assert.match(seen, /"type":"finish"/);
  });

  it('ends at the endpoint as soon as the client disconnects', async () => {
    let isClosed = false;
    endpoint.reply = async (response, request) => {
      response.once('close', () => (isClosed = true));
      await saysThen(['A key expires after ', '90 days. '], () => undefined)(response, request);
    };
    const hangUp = new AbortController();
    const { body } = await post(
      service,
      { fp: 'anonymous', messages: [userMessage(question)] },
      { signal: hangUp.signal },
    );
    assert.ok(body);
    const reading = (async () => {
      let seen = '';
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        seen += chunk;
        // The source before the text quotes the same words, and comes before the model is asked.
        if (seen.includes('text-delta')) hangUp.abort();
      }
    })();
    await assert.rejects(reading, { name: 'AbortError' });
    await until(() => isClosed);
  });

  it('is made from the sections, with the key in one header and without tools', async () => {
    await ask(service, question, {
      context: [{ type: 'code', value: 'rotate(key)', path: 'src/a.ts' }],
    });
    const [request] = endpoint.replyRequests;
    assert.equal(request?.headers.authorization, `Bearer ${key}`);
    assert.ok(!JSON.stringify(request.body).includes('CANARY'));
    assert.equal(request.body.tools, undefined);
    assert.equal(request.body.messages?.[0]?.role, 'system');
    assert.match(request.text, /A key expires after 90 days/);
    assert.match(request.text, /rotate\(key\)/);
    assert.match(request.text, /How do I rotate an API key\?/);
  });

  it('is made from other sections of the cited pages, too, and cites no more for them', async () => {
    const reply = await ask(service, question, { retrievalPageSize: 1 });
    const [section] = /<<<section 1[^]*?>>>/.exec(endpoint.replyRequests[0]?.text ?? '') ?? [''];
    assert.match(
      section,
      /A key expires after 90 days[^]*\*\*Lost keys\*\*\s+Revoke a key at once/,
    );
    assert.deepEqual(
      reply.sources.map(({ url }) => new URL(url).hash),
      ['#rotate-a-key'],
    );
  });

  it('is requested as it was shown beforehand, but for the sections', async () => {
    const fields = {
      fp: 'anonymous',
      messages: [
        userMessage('What is a key?'),
        { id: 'm2', role: 'assistant', parts: [{ type: 'text', text: 'A secret.' }] },
        userMessage(question, 'm3'),
      ],
      context: [{ type: 'code', value: 'rotate(key)', path: 'src/a.ts' }],
    };
    await (await post(service, fields)).text();
    const preview = requestPreview(fields, 'SECTIONS', () => 'secret');
    const sent = endpoint.requests.map(({ body }) =>
      (body.messages ?? []).map(({ role, content }) => ({ role, text: withoutMarks(content) })),
    );
    const shown = [preview?.queries, preview?.reply].map((messages) =>
      messages?.map(({ role, text }) => ({ role, text: withoutMarks(text) })),
    );
    assert.deepEqual(sent, shown);
  });

  it('searches with the queries of the model, too, and shows each search', async () => {
    endpoint.queries = says('Sure: {"queries": ["webhook signature header", "rate limits"]}');
    const reply = await ask(service, question, { retrievalPageSize: 3 });
    const searches = reply.chunks.filter(({ type }) => type === 'tool-input-available');
    assert.deepEqual(searches.map(({ input }) => (input as { query: string }).query).slice(1), [
      'webhook signature header',
      'rate limits',
    ]);
    const outputs = reply.chunks.filter(({ type }) => type === 'tool-output-available');
    assert.equal(outputs.length, 3);
    assert.match(JSON.stringify(outputs[1]), /webhooks#signatures/);
    assert.match(endpoint.replyRequests[0]?.text ?? '', /carries a signature header/);
    assert.equal(reply.sources.length, 3);
  });

  for (const [name, window, firstTextMs] of [
    ['has a small window', 1500, undefined],
    ['was slow before', 3000, 20_000],
  ] as const) {
    it(`is written in one call from the service’s own query if the model ${name}`, async () => {
      const { baseUrl } = endpoint;
      writer.answerWith({ kind: 'endpoint', baseUrl, model: 'tiny', maxInputTokens: window });
      assert.ok(writer.model);
      writer.model.experience.firstTextMs = firstTextMs;
      endpoint.queries = says('{"queries": ["webhook signature"]}');
      endpoint.reply = says('A key expires after 90 days [1].');
      const { text } = await ask(service, question);
      assert.match(text, /^A key expires after 90 days \[1\]\([^)]*\)\.$/);
      assert.equal(endpoint.requests.length, 1);
      assert.match(endpoint.requests[0]?.text ?? '', /A key expires after 90 days/);
      // A model that was fast again writes queries for the next question.
      await ask(service, question);
      assert.equal(endpoint.requests.length, firstTextMs === undefined ? 2 : 3);
    });
  }

  it('writes queries in any case if the service’s own query finds nothing', async () => {
    const { baseUrl } = endpoint;
    writer.answerWith({ kind: 'endpoint', baseUrl, model: 'tiny', maxInputTokens: 1500 });
    endpoint.queries = says('{"queries": ["rotate an API key"]}');
    endpoint.reply = says('After 90 days [1].');
    assert.match((await ask(service, 'zebra quantum gardening?')).text, /^After 90 days/);
  });

  it('knows the earlier questions and replies', async () => {
    endpoint.reply = says('After 90 days [1].');
    const { threadId } = await ask(service, question);
    await ask(service, 'And how often can it send requests?', { threadId });
    const roles = endpoint.replyRequests[1]?.body.messages?.map(({ role }) => role);
    assert.deepEqual(roles, ['system', 'user', 'assistant', 'user']);
    assert.match(endpoint.replyRequests[1]?.text ?? '', /After 90 days/);
  });

  // Shows faults.md J9.
  it('never reaches the model if the docs say nothing about the question', async () => {
    const reply = await ask(service, 'zebra quantum gardening?');
    assert.match(reply.text, /^I found nothing about that/);
    assert.equal(endpoint.replyRequests.length, 0);
    assert.deepEqual(reply.sources, []);
  });

  // Shows faults.md J8.
  it('uses the service’s own query if the model writes no usable queries', async () => {
    for (const script of [says('no idea'), says('{"queries": "x"}'), fails(500, 'x'), says('')]) {
      endpoint.queries = script;
      endpoint.reply = says('After 90 days [1].');
      const reply = await ask(service, question);
      assert.match(reply.text, /^After 90 days \[1\]/);
    }
  });

  it('leaves out what the model only thinks', async () => {
    endpoint.reply = says(
      '<thi',
      'nk>Hm, [x](https://evil.example)',
      '</think>\n\nAfter 90 days [1].',
    );
    assert.match((await ask(service, question)).text, /^After 90 days/);
  });

  // Shows faults.md J14.
  describe('when the server opens the thought for the model', () => {
    const opened = says('Hm, the key', ' expires.</think>\n\nAfter 90 days [1].');

    it('takes back what turns out to be a thought', async () => {
      endpoint.reply = opened;
      const { chunks } = await ask(service, question);
      const types = chunks.map(({ type }) => type);
      const reset = types.lastIndexOf('reset-step');
      assert.ok(reset > types.indexOf('text-delta'));
      const text = chunks
        .slice(reset)
        .flatMap(({ type, delta }) => (type === 'text-delta' ? [String(delta)] : []));
      assert.match(text.join(''), /^After 90 days \[1\]\(/);
    });

    it('shows none of the thought once a text has shown it', async () => {
      endpoint.queries = says('Hm, queries.</think>{"queries": ["rotate a key"]}');
      endpoint.reply = opened;
      const reply = await ask(service, question);
      assert.match(reply.text, /^After 90 days \[1\]\(/);
      assert.ok(reply.chunks.every(({ type }) => type !== 'reset-step'));
      assert.match(JSON.stringify(reply.chunks), /"query":"rotate a key"/);
    });
  });

  describe('ends with the model, whatever the connection does then', () => {
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } };
    const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
    const text = (content: string, finish_reason: string | null = null): string =>
      data({ choices: [{ index: 0, delta: { content }, finish_reason }] });
    const raw =
      (...bytes: readonly string[]): ModelScript =>
      async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const piece of bytes) {
          response.write(piece);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
    const andBreak =
      (script: ModelScript): ModelScript =>
      async (response, request) => {
        await script(response, request);
        response.destroy();
      };
    const cases: readonly (readonly [name: string, script: ModelScript])[] = [
      ['it stays open after the reason', raw(text('After 90 days [1].', 'stop'))],
      ['it stays open after [DONE]', raw(text('After 90 days [1].'), 'data: [DONE]\n\n')],
      [
        'it brings usage after the reason and stays open',
        raw(text('After 90 days [1].'), text('', 'stop'), data(usage), data({ usage: {} })),
      ],
      ['it breaks after the reason', andBreak(raw(text('After 90 days [1].', 'stop')))],
      ['it breaks after usage', andBreak(raw(text('After 90 days [1].', 'stop'), data(usage)))],
      [
        'it brought empty data and events without a choice',
        raw(
          'data:\n\n',
          ': hi\n\n',
          data({ type: 'ping' }),
          text('After 90 days [1].'),
          'data: \n\n',
          'data: [DONE]\n\n',
        ),
      ],
      [
        'each event has a reason',
        raw(text('After ', 'stop'), text('90 ', 'stop'), text('days [1].', 'stop')),
      ],
      [
        'the last event lacks its blank line',
        async (response, request) => {
          await raw(text('After 90 days [1].', ''), 'data: [DONE]')(response, request);
          response.end();
        },
      ],
    ];
    for (const [name, script] of cases) {
      // Shows faults.md J13.
      it(`even if ${name}`, async () => {
        endpoint.reply = script;
        const { chunks, text: written } = await ask(service, question);
        assert.match(written, /^After 90 days \[1\]\([^)]*\)\.$/);
        assert.equal(chunks.at(-1)?.['finishReason'], 'stop');
      });
    }

    it('but not with empty reasons alone', async () => {
      endpoint.reply = andBreak(raw(text('After 90 days [1].', '')));
      assert.match((await ask(service, question)).text, /The reply is cut off here/);
    });

    it('but not before an error that names itself otherwise', async () => {
      endpoint.reply = raw(data({ object: 'error', message: 'boom', code: 500 }));
      assert.match((await ask(service, question)).text, /didn't answer \(it had an error\)/);
    });
  });

  describe('when the model fails', () => {
    const fallback = (reason: string): RegExp =>
      new RegExp(
        `^\\*The model tiny at 127\\.0\\.0\\.1:\\d+ didn't answer \\(${reason}\\)\\. These are quotes from the docs\\.\\*`,
      );
    type Case = readonly [name: string, script: () => ModelScript, reason: string];
    const cases: readonly Case[] = [
      ['a server error', () => fails(500, { message: 'out of memory' }), 'it had an error'],
      [
        'a wrong key',
        () => fails(401, { message: `Incorrect API key provided: ${key}` }),
        'it refused the request',
      ],
      ['no permission', () => fails(403, 'no'), 'it refused the request'],
      [
        'an unknown model',
        () => fails(404, { message: 'model "tiny" not found' }),
        'no such model there',
      ],
      ['too many requests', () => fails(429, { message: 'slow down' }), 'its quota is used up.*'],
      [
        'a used-up quota',
        () => fails(400, { message: 'x', code: 'insufficient_quota' }),
        'its quota is used up.*',
      ],
      [
        'an error within the stream',
        () =>
          saysThen(
            [],
            (response) => void response.end('data: {"error":{"message":"boom","code":"x"}}\n\n'),
          ),
        'it had an error',
      ],
      [
        'a web page',
        () =>
          (response): void =>
            void response
              .writeHead(200, { 'content-type': 'text/html' })
              .end('<html>Log in</html>'),
        'it is not an OpenAI-compatible API',
      ],
      [
        'JSON without a stream',
        () =>
          (response): void =>
            void response
              .writeHead(200, { 'content-type': 'application/json' })
              .end('{"choices":[{"message":{"content":"Hi"}}]}'),
        'it is not an OpenAI-compatible API',
      ],
      ['an empty reply', () => says(''), 'the reply was empty'],
      ['only spaces', () => says('  \n', ' '), 'the reply was empty'],
      ['silence', () => (): void => undefined, 'timed out'],
      ['headers and then silence', () => saysThen([], () => undefined), 'timed out'],
      [
        'a cut before the first word',
        () => saysThen([], (response) => void response.destroy()),
        'the connection ended too early',
      ],
      [
        'an end without a reason',
        () => saysThen([], (response) => void response.end()),
        'the connection ended too early',
      ],
      [
        'its own instructions',
        () =>
          says(
            'You answer questions about a documentation site. You get numbered sections of its pages, a question',
          ),
        'it repeated its instructions',
      ],
    ];
    for (const [name, script, reason] of cases) {
      // Shows faults.md J1.
      it(`falls back to quotes and says so after ${name}`, async () => {
        if (reason === 'timed out') limits.firstTextMs = SOON_MS;
        endpoint.reply = script();
        const reply = await ask(service, question);
        assert.match(reply.text, fallback(reason));
        assert.match(reply.text, /^A key expires after 90 days/m);
        assert.ok(reply.isDone);
        assert.equal(reply.chunks.at(-1)?.type, 'finish');
      });
    }

    it('falls back to quotes after occasional bytes without text', async () => {
      let timer: NodeJS.Timeout | undefined;
      endpoint.reply = (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        timer = setInterval(() => response.write(':'), SOON_MS / 10);
      };
      limits.firstTextMs = SOON_MS;
      assert.match((await ask(service, question)).text, fallback('timed out'));
      clearInterval(timer);
    });

    it('falls back to quotes if nothing listens at the endpoint', async () => {
      await endpoint.stop();
      assert.match((await ask(service, question)).text, fallback("can't connect"));
      endpoint = await startModelEndpoint();
    });

    // Shows faults.md J4.
    it('falls back to quotes if the endpoint redirects, and sends the key to nobody else', async () => {
      const other = await startModelEndpoint();
      try {
        for (const status of [301, 302, 307, 308]) {
          endpoint.reply = (response) => {
            response.writeHead(status, { location: `${other.baseUrl}/chat/completions` }).end();
          };
          assert.match(
            (await ask(service, question)).text,
            fallback('it redirects to another address'),
          );
        }
        assert.equal(other.requests.length, 0);
      } finally {
        await other.stop();
      }
    });
  });

  it('is read from a server of HTTP/1.0', async () => {
    const event = JSON.stringify({
      choices: [{ index: 0, delta: { content: 'After 90 days [1].' }, finish_reason: 'stop' }],
    });
    const raw = await startRawServer(
      `HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: ${event}\n\ndata: [DONE]\n\n`,
    );
    try {
      writer.answerWith({ kind: 'endpoint', baseUrl: raw.baseUrl, model: 'old' });
      assert.match((await ask(service, question)).text, /^After 90 days \[1\]\(/);
    } finally {
      await raw.stop();
    }
  });

  describe('when the model breaks off', () => {
    const cutOff = (reason: string): RegExp =>
      new RegExp(
        `^A key expires after 90 days.*\\n\\n\\*The reply is cut off here: the model tiny at \\S+ didn't finish \\(${reason}\\)\\.\\*$`,
        's',
      );
    const start = ['A key expires after 90 days ', '[1]. Then '];
    const cases = [
      [
        'the connection breaks',
        saysThen(start, (response) => void response.destroy()),
        'the connection ended too early',
      ],
      [
        'the stream ends without a reason',
        saysThen(start, (response) => void response.end()),
        'the connection ended too early',
      ],
      ['nothing more comes', saysThen(start, () => undefined), 'timed out'],
      [
        'the model reaches its limit',
        saysThen(start, finish('length')),
        'it reached its own limit of length',
      ],
      [
        'the stream holds an error',
        saysThen(start, (response) => void response.end('data: {"error":{"message":"boom"}}\n\n')),
        'it had an error',
      ],
      [
        'it grows to a megabyte',
        says(...start, ...Array.from({ length: 1000 }, () => 'words and more words '.repeat(50))),
        'the reply was too long',
      ],
      [
        'it begins to repeat its instructions',
        says(
          ...start,
          'Copy names, options, numbers, commands and code from the sections exactly.',
        ),
        'it repeated its instructions',
      ],
    ] as const;
    for (const [name, script, reason] of cases) {
      // Shows faults.md J2.
      it(`keeps what came and says that it is cut off when ${name}`, async () => {
        if (reason === 'timed out') limits.idleMs = SOON_MS;
        endpoint.reply = script;
        const reply = await ask(service, question);
        assert.match(reply.text, cutOff(reason));
        assert.ok(reply.text.length < 80_000);
        assert.ok(proofOf(reply).statements >= 1);
        const isLong = reason.includes('length') || reason.includes('long');
        assert.equal(reply.chunks.at(-1)?.['finishReason'], isLong ? 'length' : 'error');
      });
    }

    it('ends the code block that was open', async () => {
      endpoint.reply = saysThen(
        ['A key expires after 90 days [1].\n\n```sh\nacme'],
        (response) => void response.destroy(),
      );
      assert.match(
        (await ask(service, question)).text,
        /```sh\nacme\n```\n\n\*The reply is cut off/,
      );
    });
  });

  // Shows faults.md J5.
  it('is requested again with fewer sections if the request was too long', async () => {
    let count = 0;
    endpoint.reply = (response, request) =>
      ++count === 1
        ? fails(400, {
            message: "This model's maximum context length is 2048 tokens",
            code: 'context_length_exceeded',
          })(response, request)
        : says('After 90 days [1].')(response, request);
    assert.match((await ask(service, question)).text, /^After 90 days/);
    assert.equal(endpoint.replyRequests.length, 2);
  });

  it('says that it has no citation, and proves nothing', async () => {
    endpoint.reply = says('A key expires after 90 days. Run `acme keys rotate`.');
    const reply = await ask(service, question);
    assert.match(reply.text, /\*The model cited no page for this reply\./);
    assert.deepEqual(
      proofOf(reply).unproven.map(({ reason }) => reason),
      ['uncited', 'uncited'],
    );
  });

  // Shows faults.md J6.
  it('loses citations of sections that do not exist', async () => {
    endpoint.reply = says('A key expires after 90 days [1][42].');
    assert.match((await ask(service, question)).text, /90 days \[1\]\([^)]*\)\.$/);
  });

  it('stays unchanged in another language', async () => {
    endpoint.reply = says('Ein Schlüssel läuft nach 90 Tagen ab [1].');
    assert.match(
      (await ask(service, question)).text,
      /^Ein Schlüssel läuft nach 90 Tagen ab \[1\]\(/,
    );
  });

  it('keeps the links that the sections contain, and no others', async () => {
    endpoint.reply = says(
      'See [limits](https://docs.acme.example/limits) and [more](https://docs.acme.example/other) [1].',
    );
    const { text } = await ask(service, 'How many requests can a key send per minute?');
    assert.match(text, /^See \[limits\]\(<https:\/\/docs\.acme\.example\/limits>\) and more /);
  });

  // Shows faults.md J11.
  it('is sent to nobody once the reader chose quotes', async () => {
    writer.answerWith({ kind: 'quotes' });
    const reply = await ask(service, question);
    assert.equal(endpoint.requests.length, 0);
    assert.match(reply.text, /^A key expires after 90 days[^\n]* \[1\]\(/);
  });

  // Shows faults.md J10.
  it('is sent to no endpoint to which the key would travel unencrypted', () => {
    writer.answerWith({
      kind: 'endpoint',
      baseUrl: 'http://models.acme.example/v1',
      model: 'm',
      key,
    });
    assert.equal(writer.model, undefined);
    assert.match(JSON.stringify(log), /would be sent to models\.acme\.example unencrypted/);
  });
});
