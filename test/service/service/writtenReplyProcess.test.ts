/** The service as it ships, in a process of its own: with an endpoint, and with its parent's model. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import {
  LocalServiceProcess,
  type RunningService,
} from '../../../src/service/server/localServiceProcess';
import type { Writer } from '../../../src/docs/writers/writer';
import type { ToHost } from '../../../src/service/server/parentChannel';
import { type ModelEndpoint, says, startModelEndpoint } from '../../fakes/modelEndpoint';
import { RecordingLog } from '../../fakes/recordingLog';
import { ask, docsFolder, messageUrl, until, userMessage } from './localServiceAsking';

const script = path.resolve('dist/localService.js');
const key = 'sk-CANARY-0123456789abcdef';
const question = 'How do I rotate an API key?';

describe('the process of the local docs service', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let stateFolder: string;

  before(async () => {
    docs = await docsFolder({
      'keys.md': '# API keys\n\n## Rotate a key\n\nA key expires after 90 days.\n',
      'maps.md': '# Maps\n\nMaps show where parcels are.\n',
    });
    stateFolder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-state-'));
  });
  after(async () => {
    await docs.remove();
    await rm(stateFolder, { recursive: true, force: true, maxRetries: 5 });
  });

  describe('on the command line', () => {
    let endpoint: ModelEndpoint;
    beforeEach(async () => {
      endpoint = await startModelEndpoint();
      endpoint.reply = says('After 90 days [1].');
    });
    afterEach(() => endpoint.stop());

    const run = (args: readonly string[]) =>
      spawn(process.execPath, [script, '--docs', docs.root, ...args], {
        env: { ...process.env, DOCS_ASSISTANT_MODEL_KEY: key },
      });

    it('answers with the endpoint that is named, and prints its key nowhere', async () => {
      const child = run(['--model-endpoint', endpoint.baseUrl, '--model', 'tiny', '--pace', '0']);
      let printed = '';
      child.stderr.on('data', (chunk) => (printed += String(chunk)));
      try {
        const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        const first = await lines.next();
        printed += String(first.value);
        const { url, key: assistantKey } = JSON.parse(String(first.value)) as RunningService;
        await until(
          async () => (await ask({ url }, question, {}, assistantKey)).sources.length > 0,
        );
        const { text } = await ask({ url }, question, {}, assistantKey);
        assert.match(text, /^After 90 days \[1\]\(/);
        assert.equal(endpoint.replyRequests[0]?.headers.authorization, `Bearer ${key}`);
        assert.match(printed, /Replies are written by tiny at 127\.0\.0\.1/);
        assert.ok(!printed.includes('CANARY'));
      } finally {
        child.kill('SIGKILL');
      }
    });

    const refusals: readonly (readonly [readonly string[], RegExp])[] = [
      [['--model', 'tiny'], /Name the endpoint of the model: --model-endpoint/],
      [['--model-endpoint', 'http://127.0.0.1:1/v1'], /Name the model of the endpoint/],
      [['--model-endpoint', 'ftp://x.example', '--model', 'm'], /must start with http/],
      [
        ['--model-endpoint', 'http://models.example/v1', '--model', 'm'],
        /would be sent to models\.example unencrypted/,
      ],
    ];
    for (const [args, message] of refusals) {
      it(`refuses ${args.join(' ')}`, async () => {
        const child = run(args);
        let out = '';
        child.stdout.on('data', (chunk) => (out += String(chunk)));
        // The output can come after the exit.
        const [code] = (await once(child, 'close')) as [number];
        assert.equal(code, 1);
        assert.match(out, message);
      });
    }
  });

  describe('with a parent', () => {
    const log = new RecordingLog();
    let processes: LocalServiceProcess[] = [];
    let received: ToHost[] = [];
    afterEach(() => {
      for (const one of processes) one.dispose();
      processes = [];
      received = [];
    });

    /** Starts the service with a writer; `answer` is what the host does with a request. */
    const start = async (
      writer: Writer,
      answer: (service: LocalServiceProcess, message: ToHost) => void,
    ) => {
      let isIndexed = false;
      const service: LocalServiceProcess = new LocalServiceProcess({
        script,
        stateFolder,
        log,
        onDidCrash: (reason) => assert.fail(reason),
        onDidIndex: () => (isIndexed = true),
        writer: () => Promise.resolve(writer),
        onMessage: (message) => {
          received.push(message);
          answer(service, message);
        },
      });
      processes.push(service);
      const running = await service.start(
        { kind: 'folder', folder: docs.root, label: 'docs' },
        new AbortController().signal,
      );
      await until(() => isIndexed);
      return { service, running, ask: () => ask(running, question, {}, running.key) };
    };
    const model = { kind: 'vscode', label: 'Tiny', maxInputTokens: 8000 } as const;
    const isForQueries = (message: ToHost): boolean =>
      message.type === 'model-request' &&
      message.messages.some(({ text }) => text.includes('You prepare the search'));

    it('lets the parent’s model write the reply', async () => {
      const { ask: asked } = await start(model, (service, message) => {
        if (message.type !== 'model-request') return;
        const { id } = message;
        const text = isForQueries(message) ? '{"queries": ["key expires"]}' : 'After 90 days [1].';
        for (const piece of text.match(/.{1,4}/gs) ?? [])
          service.send({ type: 'model-text', id, text: piece });
        service.send({ type: 'model-end', id });
      });
      const reply = await asked();
      assert.match(reply.text, /^After 90 days \[1\]\(/);
      const request = received.find((message) => !isForQueries(message));
      assert.ok(request?.type === 'model-request');
      assert.deepEqual([...new Set(request.messages.map(({ role }) => role))], ['user']);
      assert.match(request.messages.at(-1)?.text ?? '', /A key expires after 90 days/);
    });

    for (const [code, reason] of [
      ['no-consent', 'VS Code has no permission to use it'],
      ['no-quota', 'its quota is used up'],
      ['not-found', 'no such model there'],
    ] as const) {
      it(`quotes the docs if the parent says ${code}`, async () => {
        const { ask: asked } = await start(model, (service, message) => {
          if (message.type !== 'model-request') return;
          service.send({ type: 'model-failed', id: message.id, code, message: '' });
        });
        const { text } = await asked();
        assert.match(text, new RegExp(`^\\*The model Tiny didn't answer \\(${reason}`));
        assert.match(text, /A key expires after 90 days/);
      });
    }

    it('tells the parent when nobody waits for the reply anymore', async () => {
      const hangUp = new AbortController();
      const { running } = await start(model, (service, message) => {
        if (message.type !== 'model-request') return;
        const { id } = message;
        if (isForQueries(message)) service.send({ type: 'model-end', id });
        else service.send({ type: 'model-text', id, text: 'After 90 days [1]. And ' });
      });
      const asked = fetch(messageUrl(running), {
        method: 'POST',
        signal: hangUp.signal,
        headers: { authorization: `Bearer ${running.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ fp: 'anonymous', messages: [userMessage(question)] }),
      });
      const { body } = await asked;
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
      await until(() => received.some(({ type }) => type === 'model-cancel'));
      const request = received.find((message) => !isForQueries(message));
      assert.ok(request);
      assert.deepEqual(received.at(-1), { type: 'model-cancel', id: request.id });
    });

    it('changes the writer while it runs', async () => {
      const { service, ask: asked } = await start({ kind: 'quotes' }, () => undefined);
      assert.match((await asked()).text, /^A key expires after 90 days\. \[1\]/);
      assert.deepEqual(received, []);
      const endpoint = await startModelEndpoint();
      try {
        endpoint.reply = says('After 90 days [1].');
        service.send({
          type: 'answer-with',
          writer: { kind: 'endpoint', baseUrl: endpoint.baseUrl, model: 'm', key },
        });
        await until(async () => (await asked()).text.startsWith('After 90 days'));
        assert.ok(!log.text().includes('CANARY'));
      } finally {
        await endpoint.stop();
      }
    });
  });
});
