import assert from 'node:assert/strict';
import { createDocsTools, type DocsTools } from '../../../src/docsTools/docsTools';
import { DocsToolError } from '../../../src/docsTools/toolErrors';
import { systemClock } from '../../../src/common/clock';
import { FakeClock } from '../../fakes/fakeClock';
import { RecordingLog } from '../../fakes/recordingLog';
import type { FaultProxy } from '../../fakes/faultProxy';
import { assertNoTrace } from '../../builders/canary';
import { assistantKey } from '../chat/asking';
import { startSampleService, type SampleService } from '../service/sampleService';
import { aCall, localTarget, toolsOver } from './toolsOver';

const question = 'How do I verify the signature of a webhook?';

describe('docs tools over a service with faults', () => {
  let service: SampleService;
  let proxy: FaultProxy;
  let tools: DocsTools;
  let log: RecordingLog;
  before(async () => {
    service = await startSampleService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    proxy = await service.startProxy();
    log = new RecordingLog();
    // Time stands still, so that no pause of the machine is a second less to wait.
    tools = toolsOver(localTarget(proxy.url, assistantKey), log, new FakeClock());
  });
  afterEach(() => proxy.stop());

  const errorOf = async (call: Promise<unknown>): Promise<DocsToolError> => {
    const error: unknown = await call.then(
      () => assert.fail('no error'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof DocsToolError, String(error));
    return error;
  };

  for (const [name, run] of [
    ['ask_docs', () => tools.ask({ question }, aCall())],
    ['search_docs', () => tools.search({ query: 'webhooks' }, aCall())],
    ['read_docs_page', () => tools.readPage({ page: 'v2/en/webhooks' }, aCall())],
  ] as const) {
    describe(name, () => {
      // Shows faults.md T6.
      it('names the seconds to wait after a 429', async () => {
        proxy.queue({
          respond: { status: 429, headers: { 'retry-after': '90' }, body: '{"error":"Slow down"}' },
        });
        const { message } = await errorOf(run());
        assert.match(
          message,
          /Call again in 90 seconds, not sooner\. The service said: “Slow down”/,
        );
      });

      it('says that the service is down, and when to try again', async () => {
        proxy.queue({ respond: { status: 503, body: 'upstream' } });
        const { message } = await errorOf(run());
        assert.match(
          message,
          /temporarily unavailable \(HTTP 503\)\. You can call again once, in 30/,
        );
      });

      it('says that the service does not respond', async () => {
        await proxy.goDown();
        const { code, message } = await errorOf(run());
        assert.equal(code, 'offline');
        assert.match(message, /^127\.0\.0\.1:\d+ cannot be reached\./);
      });

      it('does not accept a web page as an answer', async () => {
        proxy.queue({
          respond: {
            headers: { 'content-type': 'text/html' },
            body: '<html><title>Sign in</title><script>x</script></html>',
          },
        });
        const { message } = await errorOf(run());
        assert.ok(!message.includes('<'), message);
      });

      // Shows faults.md T7.
      it('ends when the connection breaks', async () => {
        proxy.queue({ cues: [{ at: 'headers', do: 'reset' }] });
        const { message } = await errorOf(run());
        assert.match(message, /call again once/i);
      });

      it('does not follow a redirect with its key', async () => {
        proxy.queue({
          respond: { status: 307, headers: { location: 'https://elsewhere.example/' } },
        });
        const { code } = await errorOf(run());
        assert.equal(code, 'redirected');
      });

      it('closes the request when it is canceled', async () => {
        proxy.queue({ cues: [{ at: 'headers', do: 'hold', gate: name }] });
        const controller = new AbortController();
        const canceled = createDocsTools({
          fetch: (url, init) => fetch(url, init),
          clock: systemClock,
          log,
          newId: () => 'id',
          target: () => Promise.resolve(localTarget(proxy.url, assistantKey)),
        });
        const call = aCall({ signal: controller.signal });
        const running =
          name === 'ask_docs'
            ? canceled.ask({ question }, call)
            : name === 'search_docs'
              ? canceled.search({ query: 'webhooks' }, call)
              : canceled.readPage({ page: 'v2/en/webhooks' }, call);
        const ended = assert.rejects(running, /stopped/);
        await proxy.whenHeld(name);
        controller.abort(new Error('stopped'));
        await ended;
        await proxy.until(() => proxy.exchanges.at(-1)?.state === 'client-gone');
        proxy.openGate(name);
      });
    });
  }

  it('keep the received part of an answer if the connection breaks', async () => {
    proxy.queue({
      cues: [
        { at: { text: '"type":"text-delta"' }, do: 'hold', gate: 'first' },
        { at: { text: '\n\n' }, do: 'reset' },
      ],
    });
    proxy.openGate('first');
    const { text, data } = await tools.ask({ question }, aCall());
    assert.equal(data.isComplete, false);
    assert.ok(data.answer.length > 0);
    assert.match(text, /\*\*Incomplete:\*\* The answer broke off\. The connection was lost/);
    assert.ok(data.sources.length > 0, 'the sources came before');
  });

  it('answer sixty callers at once, however many of them give up', async () => {
    const calls = Array.from({ length: 60 }, async (_, index) => {
      const controller = new AbortController();
      const call = aCall({ signal: controller.signal });
      const running =
        index % 3 === 0
          ? tools.ask({ question: `${question} ${index}` }, call)
          : tools.search({ query: `webhook ${index}` }, call);
      if (index % 2 === 1) {
        controller.abort(new Error('gave up'));
        await assert.rejects(running, /gave up/);
        return 'gave up';
      }
      return (await running).text;
    });
    const texts = await Promise.all(calls);
    assert.equal(texts.filter((text) => text !== 'gave up').length, 30);
    assert.ok(texts.every((text) => text === 'gave up' || /webhook/i.test(text)));
  });

  describe('with canary keys', () => {
    const keys = {
      assistant: assistantKey,
      admin: 'local_CANARY7e3b9f1d5a2c8e4b0f',
      thread: 'thread-secret-CANARY-9c1b7a3e',
    };
    const text = (delta: string): string =>
      [
        {
          type: 'source-url',
          sourceId: 's',
          url: `https://d.example/?key=${keys.assistant}`,
          title: keys.assistant,
        },
        { type: 'text-delta', id: '0', delta },
        { type: 'finish' },
      ]
        .map((event) => `data: ${JSON.stringify(event)}\n\n`)
        .join('');

    // Shows faults.md T11.
    it('puts none of them into a result, an error or the log', async () => {
      const seen: unknown[] = [];
      const keep = async (call: Promise<unknown>): Promise<void> => {
        seen.push(await call.catch((error: unknown) => error));
      };
      const threadHeaders = { 'x-thread-id': 't1', 'x-thread-key': keys.thread };
      // A service that repeats whatever it was sent, and its own secrets.
      const echo = `Bearer ${keys.assistant}, ${keys.thread}`;
      proxy.queue({ headers: threadHeaders });
      await keep(tools.ask({ question }, aCall()));
      proxy.queue({
        respond: {
          headers: { ...threadHeaders, 'content-type': 'text/event-stream' },
          body: text(`Your key is ${keys.assistant} and that of the thread ${keys.thread}.`),
        },
      });
      await keep(tools.ask({ question }, aCall()));
      for (const status of [400, 401, 403, 404, 413, 500]) {
        for (const run of [
          () => tools.ask({ question }, aCall()),
          () => tools.search({ query: 'webhooks' }, aCall()),
          () => tools.readPage({ page: 'v2/en/webhooks' }, aCall()),
        ]) {
          proxy.queue({
            respond: {
              status,
              headers: threadHeaders,
              body: JSON.stringify({ error: `Refused: ${echo} ${keys.admin}` }),
            },
          });
          await keep(run());
        }
      }
      proxy.queue({
        respond: {
          body: JSON.stringify({
            sections: [
              {
                title: keys.assistant,
                url: `https://d.example/${keys.assistant}`,
                path: keys.assistant,
                heading: keys.assistant,
                excerpt: keys.assistant,
              },
            ],
            isWeak: false,
            isIndexed: true,
            pages: 1,
          }),
        },
      });
      await keep(tools.search({ query: 'webhooks' }, aCall()));
      proxy.queue({
        respond: {
          body: JSON.stringify({
            title: keys.assistant,
            url: 'https://d.example',
            path: 'x',
            markdown: `# x\n\n${keys.assistant}`,
            start: 0,
          }),
        },
      });
      await keep(tools.readPage({ page: 'x' }, aCall()));
      assert.equal(seen.length, 22);
      // Errors carry the stack of this test, which has none of the keys.
      for (const key of Object.values(keys)) assertNoTrace(key, [seen, log.lines]);
      assert.ok(
        proxy.exchanges.every(
          ({ headers }) => headers['authorization'] === `Bearer ${keys.assistant}`,
        ),
      );
    });
  });
});
