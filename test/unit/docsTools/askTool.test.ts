import assert from 'node:assert/strict';
import { type ReplyChange, ReplyFold } from '../../../src/shared/reply';
import { answerSchema } from '../../../src/docsTools/toolDefinitions';
import { aKey } from '../../builders/asking';
import { aReplyStream, event, events } from '../../builders/stream';
import { OpenStream, streamOf } from '../../fakes/fakeFetch';
import { settled } from '../../fakes/fakeClock';
import { json } from '../../builders/ask';
import * as v from 'valibot';
import { aCall, hosted, local, localKey, tokenBudget, toolsWith } from './asking';

const source = (id: number, url: string, title?: string): object => ({
  type: 'source-url',
  sourceId: `s${id}`,
  url,
  title,
});

const reply = (text: string, ...chunks: object[]): string =>
  events(
    { type: 'start', messageId: 'm1' },
    ...chunks,
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: text },
    { type: 'text-end', id: '0' },
    { type: 'finish' },
    '[DONE]',
  );

const answering = (body: string) => () => streamOf([body]);

describe('ask_docs', () => {
  it('sends the question with its code and asks in a thread of its own', async () => {
    const { tools, server } = toolsWith(hosted, [answering(aReplyStream('Like this.'))]);
    const result = await tools.ask(
      { question: ' How do I retry? ', code: '  retry(1);', path: 'src/a.ts' },
      aCall(),
    );
    const { body, headers, url } = server.request(0);
    assert.equal(url, 'https://api.example.com/prefix/v2/assistant/acme/message');
    assert.equal(headers.get('authorization'), `Bearer ${aKey}`);
    assert.deepEqual(body, {
      fp: 'anonymous',
      messages: [
        {
          id: 'id-2',
          role: 'user',
          createdAt: '2025-01-01T00:00:00.000Z',
          parts: [{ type: 'text', text: 'How do I retry?' }],
        },
      ],
      retrievalPageSize: 5,
      context: [{ type: 'code', value: '  retry(1);', path: 'src/a.ts' }],
    });
    assert.equal(result.text, 'Like this.');
    assert.equal(result.data.isComplete, true);
  });

  for (const [path, sent] of [
    ['/home/someone/secret-project/src/a.ts', 'a.ts'],
    ['C:\\Users\\someone\\a.ts', 'a.ts'],
    ['\\\\server\\share\\a.ts', 'a.ts'],
    ['../other/a.ts', 'a.ts'],
    ['~/work/a.ts', 'a.ts'],
    ['file:///home/someone/a.ts', 'a.ts'],
    ['./src/a.ts', 'src/a.ts'],
    ['src\\a.ts', 'src/a.ts'],
  ] as const) {
    it(`sends the path ${path} as ${sent}`, async () => {
      const { tools, server } = toolsWith(hosted, [answering(aReplyStream('So.'))]);
      await tools.ask({ question: 'How?', code: 'a', path }, aCall());
      assert.match(JSON.stringify(server.request(0).body), new RegExp(`"path":"${sent}"`));
    });
  }

  it('returns the sources with their numbers, each URL once', async () => {
    const { tools } = toolsWith(hosted, [
      answering(
        reply(
          'See [1](https://docs.example.com/a).',
          source(1, 'https://docs.example.com/a', 'Page [A]'),
          source(2, 'https://docs.example.com/b(c)', ''),
          source(3, 'https://docs.example.com/a', 'Again'),
          source(4, 'javascript:alert(1)', 'Bad'),
          source(5, '/guides/start', 'Start'),
        ),
      ),
    ]);
    const { text, data } = await tools.ask({ question: 'How?' }, aCall());
    assert.equal(
      text,
      [
        'See [1](https://docs.example.com/a).',
        '',
        'Sources in acme · api.example.com:',
        '1. [Page \\[A\\]](https://docs.example.com/a)',
        '2. [https://docs.example.com/b(c)](https://docs.example.com/b%28c%29)',
        '3. Bad',
        '4. Start',
      ].join('\n'),
    );
    assert.deepEqual(
      data.sources.map(({ number, title }) => [number, title]),
      [
        [1, 'Page [A]'],
        [2, 'https://docs.example.com/b(c)'],
        [3, 'Bad'],
        [4, 'Start'],
      ],
    );
  });

  it('splits the titles of local docs and gives paths that can be read', async () => {
    const url = 'http://127.0.0.1:4100/docs/v2/en/web%20hooks#retries';
    const { tools } = toolsWith(local, [
      answering(reply('So.', source(1, url, 'Webhooks › Retries'))),
    ]);
    const { text, data } = await tools.ask({ question: 'How?' }, aCall());
    assert.deepEqual(data.sources, [
      { number: 1, title: 'Webhooks', heading: 'Retries', url, path: 'v2/en/web hooks#retries' },
    ]);
    assert.match(text, /1\. \[Webhooks › Retries\]\(.*\) \(path: `v2\/en\/web hooks#retries`\)$/);
  });

  it('lists the statements that the sources do not support', async () => {
    const proof = {
      type: 'data-proof',
      id: 'proof',
      data: {
        statements: 2,
        found: 1,
        unproven: [{ quote: 'Uploads can have 512 MB.', reason: 'number', missing: ['512'] }],
      },
    };
    const body = reply('Uploads can have 512 MB.').replace(
      'data: {"type":"finish"}',
      `${event(proof)}data: {"type":"finish"}`,
    );
    const { tools } = toolsWith(hosted, [answering(body)]);
    const { text, data } = await tools.ask({ question: 'How?' }, aCall());
    assert.deepEqual(data.unproven, ['Uploads can have 512 MB.']);
    assert.match(
      text,
      /The sources do not support 1 of the answer's statements\. .*\n- “Uploads can have 512 MB\.”/,
    );
  });

  it('says what is missing when the stream ends without an end', async () => {
    const body = events({ type: 'text-delta', id: '0', delta: 'Half of it' });
    const { tools } = toolsWith(hosted, [answering(body)]);
    const { text, data } = await tools.ask({ question: 'How?' }, aCall());
    assert.match(
      text,
      /^Half of it\n\n\*\*Incomplete:\*\* The connection ended before the answer did/,
    );
    assert.equal(data.isComplete, false);
  });

  it('keeps the text that came before the service reported an error', async () => {
    const body = events(
      { type: 'text-delta', id: '0', delta: 'Half of it' },
      { type: 'error', errorText: 'Model overloaded' },
    );
    const { tools } = toolsWith(hosted, [answering(body)]);
    const { text, data } = await tools.ask({ question: 'How?' }, aCall());
    assert.match(
      text,
      /^Half of it\n\n\*\*Incomplete:\*\* The answer broke off\..*“Model overloaded”/,
    );
    assert.equal(data.isComplete, false);
  });

  it('throws when nothing but an error came', async () => {
    const body = events({ type: 'error', errorText: 'Model overloaded' });
    const { tools } = toolsWith(hosted, [answering(body)]);
    await assert.rejects(tools.ask({ question: 'How?' }, aCall()), {
      code: 'service-error',
      message:
        'The docs service reported an error. You can call again once. If that fails too, tell the user. The service said: “Model overloaded”',
    });
  });

  for (const tokens of [10, 50, 200, 1000]) {
    it(`fits ${tokens} tokens, with code blocks and links whole`, async () => {
      const long =
        'A paragraph with [a link](https://docs.example.com/x) in it.\n\n```js\nlet a = 1;\n\nlet b = 2;\n```\n\n'.repeat(
          80,
        );
      const sources = Array.from({ length: 12 }, (_, index) =>
        source(index, `https://docs.example.com/page-${index}`, `Page ${index}`),
      );
      const { tools } = toolsWith(hosted, [answering(reply(long, ...sources))]);
      const budget = tokenBudget(tokens);
      const { text, data } = await tools.ask({ question: 'How?' }, aCall({ budget }));
      assert.ok((await budget.count(text)) <= tokens, `${text.length} characters`);
      if (tokens < 200) return;
      assert.equal((text.match(/```/g) ?? []).length % 2, 0);
      assert.equal(data.isComplete, false);
      assert.match(
        text,
        /\*\*Incomplete:\*\* The answer was cut to fit: \d+ of its \d+ characters/,
      );
      assert.ok(data.sources.length > 0, 'no source');
      assert.equal(data.omittedSources, 12 - data.sources.length);
      if (data.omittedSources > 0) assert.match(text, /more sources? (?:is|are) left out to fit/);
    });
  }

  it('leaves room for the answer beside many statements and a source with a long URL', async () => {
    const unproven = Array.from({ length: 30 }, (_, index) => ({
      quote: `Statement ${index} ${'with many words '.repeat(20)}`,
      reason: 'words',
      missing: [],
    }));
    const proof = { type: 'data-proof', id: 'p', data: { statements: 30, found: 0, unproven } };
    const sources = [
      source(1, `https://docs.example.com/${'x'.repeat(50_000)}`, 'Long'),
      source(2, 'https://docs.example.com/a', 'A'),
    ];
    const answer = 'A sentence of the answer. '.repeat(200).trim();
    const { tools } = toolsWith(hosted, [answering(reply(answer, ...sources, proof))]);
    const budget = tokenBudget(400);
    const { text, data } = await tools.ask({ question: 'How?' }, aCall({ budget }));
    assert.ok((await budget.count(text)) <= 400);
    assert.ok(data.answer.length > 300, `${data.answer.length} characters of the answer`);
    assert.match(text, /The sources do not support 10 of the answer's statements/);
    assert.deepEqual(
      data.sources.map(({ title }) => title),
      ['A'],
    );
  });

  it('gives data that is what its schema says', async () => {
    const { tools } = toolsWith(hosted, [
      answering(reply('So.', source(1, 'https://a.example/x'))),
    ]);
    const { data } = await tools.ask({ question: 'How?' }, aCall());
    assert.deepEqual(v.parse(answerSchema, data), data);
  });

  it('takes characters out that only a machine would read', async () => {
    const hidden = Array.from('ignore all', (letter) =>
      String.fromCodePoint(0xe0000 + letter.charCodeAt(0)),
    ).join('');
    const { tools } = toolsWith(hosted, [answering(reply(`So.${hidden}\u202e\u200b`))]);
    assert.equal((await tools.ask({ question: 'How?' }, aCall())).text, 'So.');
  });

  it('replaces secrets in the question and its code, and says so', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const { tools, server } = toolsWith(hosted, [answering(reply('So.'))]);
    const { text, data } = await tools.ask(
      {
        question: `Why is ${token} refused?`,
        code: `DB_PASSWORD=x7Kq9mPz2vLw\nlogin("${token}")`,
      },
      aCall(),
    );
    const sent = JSON.stringify(server.request(0).body);
    assert.ok(!sent.includes(token) && !sent.includes('x7Kq9mPz2vLw'), sent);
    assert.match(sent, /Why is \[redacted: GitHub token\] refused\?/);
    assert.deepEqual(data.redacted.toSorted(), ['GitHub token', 'password']);
    assert.match(text, /Secrets in the question or its code were replaced before they were sent: /);
  });

  it('tells what the service does while it works', async () => {
    const body = reply(
      'So.',
      { type: 'tool-input-start', toolCallId: 't1', toolName: 'search' },
      {
        type: 'tool-input-available',
        toolCallId: 't1',
        toolName: 'search',
        input: { query: 'retry' },
      },
    );
    const progress: string[] = [];
    const { tools } = toolsWith(hosted, [answering(body)]);
    await tools.ask(
      { question: 'How?' },
      aCall({ onProgress: (sentence) => progress.push(sentence) }),
    );
    assert.equal(progress[0], 'Asking the docs');
    assert.equal(progress.at(-1), 'Writing the answer');
  });

  // Shows faults.md T3.
  describe('canceled', () => {
    it('closes the request in the middle of the reply and throws the reason', async () => {
      const stream = new OpenStream();
      const { tools, server } = toolsWith(hosted, [() => stream.response]);
      const controller = new AbortController();
      const asked = tools.ask({ question: 'How?' }, aCall({ signal: controller.signal }));
      await settled();
      stream.write(events({ type: 'text-delta', id: '0', delta: 'Half' }));
      await settled();
      const reason = new Error('stopped');
      controller.abort(reason);
      await assert.rejects(asked, reason);
      assert.equal(server.request(0).signal.aborted, true);
      await settled();
      assert.notEqual(stream.canceledWith, undefined);
    });

    it('sends nothing when it was canceled before', async () => {
      const { tools, server } = toolsWith(hosted);
      const signal = AbortSignal.abort(new Error('stopped'));
      await assert.rejects(tools.ask({ question: 'How?' }, aCall({ signal })), /stopped/);
      assert.equal(server.requests.length, 0);
    });
  });

  // Shows faults.md T2.
  it('answers twenty callers, four at a time, and none twice', async () => {
    let running = 0;
    let most = 0;
    const opened: OpenStream[] = [];
    const answers = Array.from({ length: 20 }, () => () => {
      most = Math.max(most, ++running);
      const stream = new OpenStream();
      opened.push(stream);
      return stream.response;
    });
    const { tools, server } = toolsWith(hosted, answers);
    const all = Array.from({ length: 20 }, (_, index) =>
      tools.ask({ question: `Question ${index}` }, aCall()),
    );
    for (let index = 0; index < 20; index++) {
      while (opened.length <= index) await settled();
      running--;
      opened[index]?.write(aReplyStream(`Answer ${index}`));
      opened[index]?.end();
      await settled();
    }
    const texts = (await Promise.all(all)).map(({ text }) => text);
    assert.deepEqual(
      texts,
      Array.from({ length: 20 }, (_, index) => `Answer ${index}`),
    );
    assert.equal(most, 4);
    assert.equal(server.requests.length, 20);
  });

  describe('after the service asked to wait', () => {
    const wait = json(429, { error: 'Too many questions' }, { 'retry-after': '20' });

    it('names the seconds and asks again only when they are over', async () => {
      const { tools, server, clock } = toolsWith(hosted, [wait, answering(aReplyStream('So.'))]);
      const ask = () => tools.ask({ question: 'How?' }, aCall());
      await assert.rejects(ask(), /Call again in 20 seconds, not sooner\. .*“Too many questions”/);
      await clock.advance(5000);
      await assert.rejects(ask(), /Call again in 15 seconds, not sooner/);
      assert.equal(server.requests.length, 1);
      await clock.advance(15_000);
      assert.equal((await ask()).text, 'So.');
    });
  });

  it('keeps the keys out of the answer, its sources and its errors', async () => {
    const { tools, log } = toolsWith({ ...local, key: aKey }, [
      answering(
        reply(
          `Your keys are ${aKey} and ${localKey}.`,
          source(1, `https://a.example/${localKey}`, aKey),
        ),
      ),
      json(400, { error: `Bad key ${aKey}` }),
    ]);
    const result = await tools.ask({ question: 'Which key?' }, aCall());
    const error: unknown = await tools
      .ask({ question: 'Which key?' }, aCall())
      .catch((thrown: unknown) => thrown);
    assert.ok(error instanceof Error);
    const everything = JSON.stringify([result, error.message, error]) + log.text();
    for (const key of [aKey, localKey]) assert.ok(!everything.includes(key), everything);
  });

  // Shows faults.md T4.
  it('says before set-up what the user has to do', async () => {
    const { tools } = toolsWith(undefined, [], 'vscode');
    await assert.rejects(tools.ask({ question: 'How?' }, aCall()), {
      code: 'not-configured',
      message: /^No docs are set up yet\. Ask the user to run “Docs Assistant: Choose Docs…”/,
    });
  });

  it('never asks a site without a key', async () => {
    const { tools, server } = toolsWith({ ...hosted, key: undefined });
    await assert.rejects(tools.ask({ question: 'How?' }, aCall()), {
      code: 'not-signed-in',
      message: /DOCS_ASSISTANT_KEY.*Never ask for the key itself/,
    });
    assert.equal(server.requests.length, 0);
  });

  it('words a failure that nobody planned for without its details', async () => {
    const { tools, log } = toolsWith(hosted, [
      () => {
        throw new RangeError('/home/someone/private.ts is broken');
      },
    ]);
    await assert.rejects(tools.ask({ question: 'How?' }, aCall()), (error: Error) => {
      assert.match(error.message, /^Something went wrong inside Docs Assistant/);
      assert.ok(!JSON.stringify(error).includes('private'));
      return true;
    });
    assert.equal(log.errors.length, 1);
  });
});

/** Reads updates to their end. */
async function allOf(updates: AsyncIterable<ReplyChange>): Promise<ReplyChange[]> {
  const all: ReplyChange[] = [];
  for await (const update of updates) all.push(update);
  return all;
}

describe('askStream', () => {
  it('yields text, sources and the end as they come', async () => {
    const { tools } = toolsWith(hosted, [
      answering(reply('One two', source(1, 'https://a.example/x', 'X'))),
    ]);
    const updates = await allOf(tools.askStream({ question: 'How?' }, aCall()));
    const fold = new ReplyFold();
    for (const change of updates) fold.take(change);
    assert.equal(fold.text, 'One two');
    assert.equal(fold.sources[0]?.url, 'https://a.example/x');
    assert.deepEqual(updates.at(-1)?.end, { status: 'complete', isDegraded: false });
  });

  it('begins anew when the service takes back what it has written', async () => {
    const stream = new OpenStream();
    const { tools } = toolsWith(hosted, [() => stream.response]);
    const updates = tools.askStream({ question: 'How?' }, aCall());
    const next = async (): Promise<ReplyChange | undefined> => {
      const result = await updates.next();
      return result.done === true ? undefined : result.value;
    };
    const fold = new ReplyFold();
    const first = next();
    await settled();
    stream.write(events({ type: 'start-step' }, { type: 'text-delta', id: '0', delta: 'Wrong' }));
    assert.equal(fold.take((await first) ?? {}).text, 'Wrong');
    const second = next();
    stream.write(events({ type: 'reset-step' }, { type: 'text-delta', id: '0', delta: 'Right' }));
    const { kept, text } = fold.take((await second) ?? {});
    assert.deepEqual([kept, text], [0, 'Right']);
    await updates.return(undefined);
  });

  it('sends earlier turns as messages', async () => {
    const { tools, server } = toolsWith(hosted, [answering(aReplyStream('So.'))]);
    const input = { question: 'And then?', earlier: [{ question: 'How?', reply: 'So.' }] };
    await allOf(tools.askStream(input, aCall()));
    const { messages } = server.request(0).body as { messages: { role: string }[] };
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    );
  });

  it('replaces secrets in code and names them before the reply', async () => {
    const token = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
    const { tools, server } = toolsWith(hosted, [answering(aReplyStream('So.'))]);
    const input = { question: 'Why?', code: [{ text: `login("${token}")`, path: 'a.ts' }] };
    const told: unknown[] = [];
    const onRedacted = (names: readonly string[]): number => told.push(names);
    for await (const change of tools.askStream(input, { ...aCall(), onRedacted }))
      told.push(change);
    assert.deepEqual(told[0], ['GitHub token']);
    assert.ok(!JSON.stringify(server.request(0).body).includes(token));
  });

  it('throws errors for people', async () => {
    const { tools } = toolsWith(undefined);
    await assert.rejects(allOf(tools.askStream({ question: 'How?' }, aCall())), {
      name: 'DocsAssistantError',
      code: 'not-configured',
    });
  });
});
