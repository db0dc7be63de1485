/** faults.md A: what a reply's stream may do, through real HTTP. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { AssistantClient, type ReplyUpdate } from '../../src/assistant/assistantClient';
import { FakeClock } from '../fakes/fakeClock';
import { startFaultProxy, type FaultProxy } from '../fakes/faultProxy';
import type { Fault } from '../fakes/faults';
import { RecordingLog } from '../fakes/recordingLog';
import { ask, settingsFor, type Asking, type Outcome } from './asking';
import {
  delta,
  done,
  event,
  finish,
  replyOf,
  start,
  streamFault,
  textEnd,
  textStart,
} from './replyStream';

/** What one stream comes to. */
interface Case {
  readonly row: string;
  readonly sentence: string;
  readonly stream: string;
  readonly fault?: Fault;
  readonly text: string;
  readonly status?: 'complete' | 'incomplete' | 'stopped-by-service';
  readonly code?: string;
  readonly check?: (outcome: Outcome) => void;
}

const opening = start + textStart;
const closing = textEnd + finish + done;
const anyText = 'Grüße 👩‍💻 漢字';
const anyReply = replyOf('Grüße ', '👩‍💻 ', '漢字');
const isDegraded = ({ end }: Outcome): void => assert.equal(end?.isDegraded, true);
const isNotDegraded = ({ end }: Outcome): void => assert.equal(end?.isDegraded, false);

/** Every network cut at once: pieces of n bytes put a cut at each n-th offset. */
const cutEverywhere: readonly Case[] = [1, 2, 3, 5, 7].map((pieceBytes) => ({
  row: 'A1',
  sentence: `joins characters that the network cut, in pieces of ${pieceBytes} bytes`,
  stream: anyReply,
  fault: { pieceBytes },
  text: anyText,
  status: 'complete',
}));

const lineEnds: readonly Case[] = (['\r\n', '\r'] as const).flatMap((lineEnd) =>
  [undefined, 1].map((pieceBytes) => ({
    row: 'A2',
    sentence: `reads lines that end in ${JSON.stringify(lineEnd)}${pieceBytes ? ', cut between any two bytes' : ''}`,
    stream: anyReply,
    fault: {
      rewrite: [{ do: 'line-ends', with: lineEnd }],
      ...(pieceBytes ? { pieceBytes } : {}),
    } satisfies Fault,
    text: anyText,
    status: 'complete',
    check: isNotDegraded,
  })),
);

const cases: readonly Case[] = [
  ...cutEverywhere,
  ...lineEnds,
  {
    row: 'A2',
    sentence: 'reads mixed line ends',
    stream: `${start.replace('\n\n', '\r\n\r')}${textStart.replaceAll('\n', '\r')}${delta('a').replace('\n\n', '\n\r\n')}${closing}`,
    fault: { pieceBytes: 1 },
    text: 'a',
    status: 'complete',
  },
  {
    row: 'A2',
    sentence: 'reads a last event whose blank line ends in a lone CR, at the end of the body',
    stream: `${opening}${delta('a')}${textEnd}${finish}`,
    fault: { rewrite: [{ do: 'line-ends', with: '\r' }] },
    text: 'a',
    status: 'complete',
  },
  {
    row: 'A3',
    sentence: 'drops a byte order mark at the start',
    stream: `\uFEFF${opening}${delta('a')}${closing}`,
    text: 'a',
    status: 'complete',
  },
  {
    row: 'A3',
    sentence: 'leaves out only the event that a later byte order mark spoils',
    stream: `${opening}${delta('a')}\uFEFF${delta('lost')}${delta('b')}${closing}`,
    text: 'ab',
    status: 'complete',
  },
  {
    row: 'A4',
    sentence: 'ignores comments before, between and inside events',
    stream: `: hello\n\n${opening}: ping\n${delta('a')}data: {"type":"text-delta",\n: ping\ndata: "id":"t","delta":"b"}\n\n:\n\n${closing}`,
    text: 'ab',
    status: 'complete',
    check: isNotDegraded,
  },
  {
    row: 'A5',
    sentence: 'reads data without a space, in several lines, and among other fields',
    stream: `${opening}data:{"type":"text-delta","id":"t","delta":"a"}\n\nevent: message\nid: 7\nretry: 10\nfoo: bar\ndata: {"type":"text-delta",\ndata: "id":"t","delta":" b"}\n\n${closing}`,
    text: 'a b',
    status: 'complete',
    check: isNotDegraded,
  },
  {
    row: 'A6',
    sentence: 'takes a last event that lacks its blank line, where it is whole',
    stream: `${opening}${delta('a')}${finish.trimEnd()}`,
    text: 'a',
    status: 'complete',
  },
  {
    row: 'A6',
    sentence: 'takes [DONE] that lacks its blank line',
    stream: `${opening}${delta('a')}data: [DONE]`,
    text: 'a',
    status: 'complete',
  },
  {
    row: 'A6',
    sentence: 'drops a last event that was cut',
    stream: `${opening}${delta('a')}${delta('lost').slice(0, -6)}`,
    text: 'a',
    status: 'incomplete',
  },
  {
    row: 'A7',
    sentence: 'is complete with finish and without [DONE]',
    stream: `${opening}${delta('a')}${textEnd}${finish}`,
    text: 'a',
    status: 'complete',
  },
  {
    row: 'A7',
    sentence: 'is complete with [DONE] and without finish',
    stream: `${opening}${delta('a')}${textEnd}${done}`,
    text: 'a',
    status: 'complete',
  },
  {
    row: 'A8',
    sentence: 'keeps the text and says incomplete where the stream ends with neither',
    stream: `${opening}${delta('a')}${textEnd}`,
    text: 'a',
    status: 'incomplete',
  },
  {
    row: 'A9',
    sentence: 'skips an event that is not JSON, and says that some may be missing',
    stream: `${opening}${delta('a')}data: {"type":"text-delta","id":"t","del\n\n${delta('b')}${closing}`,
    text: 'ab',
    status: 'complete',
    check: isDegraded,
  },
  {
    row: 'A10',
    sentence: 'leaves out types, fields and values that it does not know',
    stream: [
      event({ type: 'start', extra: { deep: [1] } }),
      event({ type: 'steering-message', text: 'x' }),
      event({ type: 'data-weather', data: { sun: true } }),
      event({ type: 'text-start', id: 't', novel: 1 }),
      event({ type: 'text-delta', id: 't', delta: 'a', logprobs: [0] }),
      event({ type: 'finish', finishReason: 'unknown', usage: { totalTokens: 3 }, threadId: 'x' }),
      done,
    ].join(''),
    text: 'a',
    status: 'complete',
    check: isNotDegraded,
  },
  {
    row: 'A11',
    sentence: 'ignores JSON that is no chunk, and ids that are names of prototypes',
    stream: [
      opening,
      ...[null, [], 3, 'text', {}, { type: 5 }, { type: '__proto__' }, { type: 'constructor' }].map(
        event,
      ),
      event({ type: 'text-delta', id: 't', delta: 123 }),
      delta('a', '__proto__'),
      delta('b', 'constructor'),
      delta('c', '__proto__'),
      'data: {"type":"text-delta","id":"t","delta":"d","__proto__":{"polluted":true}}\n\n',
      closing,
    ].join(''),
    text: 'dacb',
    status: 'complete',
    check: () => assert.equal('polluted' in {}, false),
  },
  {
    row: 'A12',
    sentence: 'keeps the text around an error chunk and shows its words once, as plain text',
    stream: `${opening}${delta('a')}${event({ type: 'error', errorText: '<b>Quota</b> reached\u202E\n' })}${delta('b')}${event({ type: 'error', errorText: 'second' })}${closing}`,
    text: 'ab',
    code: 'service-error',
    check: ({ sentence, error }) => {
      assert.match(sentence ?? '', /<b>Quota<\/b> reached\)?$/);
      assert.doesNotMatch(error?.details.serviceMessage ?? '', /\u202E|\n|second/);
    },
  },
  {
    row: 'A12',
    sentence: 'cuts an endless error text',
    stream: `${opening}${event({ type: 'error', errorText: 'x'.repeat(100_000) })}`,
    text: '',
    code: 'service-error',
    check: ({ error }) => assert.ok((error?.details.serviceMessage?.length ?? 0) <= 500),
  },
  ...[{ type: 'abort' }, { type: 'abort', reason: 'moderation' }].map((abort) => ({
    row: 'A13',
    sentence: `is stopped by the service at ${JSON.stringify(abort)}, which is no error`,
    stream: `${opening}${delta('a')}${event(abort)}`,
    text: 'a',
    status: 'stopped-by-service' as const,
  })),
  {
    row: 'A18',
    sentence: 'keeps texts with interleaved ids apart, in the order of their start',
    stream: `${start}${event({ type: 'text-start', id: '1' })}${event({ type: 'text-start', id: '2' })}${delta('b', '2')}${delta('a', '1')}${delta('B', '2')}${delta('A', '1')}${finish}`,
    text: 'aAbB',
    status: 'complete',
    check: ({ parts }) => assert.equal(parts.filter(({ type }) => type === 'text').length, 2),
  },
  {
    row: 'A18',
    sentence: 'opens a new part where the next step uses an id again',
    stream: `${start}${event({ type: 'start-step' })}${textStart}${delta('a')}${event({ type: 'finish-step' })}${event({ type: 'start-step' })}${textStart}${delta('b')}${finish}`,
    text: 'ab',
    status: 'complete',
    check: ({ parts }) =>
      assert.deepEqual(
        parts.map((part) => (part.type === 'text' ? part.text : part.type)),
        ['step-start', 'a', 'step-start', 'b'],
      ),
  },
  {
    row: 'A19',
    sentence: 'opens a part at a delta without its start, and ignores an end without one',
    stream: `${start}${textEnd}${event({ type: 'reasoning-end', id: 'r' })}${event({ type: 'reasoning-delta', id: 'r', delta: 'hm' })}${delta('a')}${finish}`,
    text: 'a',
    status: 'complete',
    check: ({ parts }) => assert.deepEqual(parts[0], { type: 'reasoning', text: 'hm' }),
  },
  {
    row: 'A20',
    sentence: 'keeps one message with its text through a second start of text and message',
    stream: `${opening}${delta('a')}${textStart}${delta('b')}${event({ type: 'start', messageId: 'other' })}${delta('c')}${finish}${done}${delta('late')}`,
    text: 'abc',
    status: 'complete',
  },
  {
    row: 'A21',
    sentence: 'goes on without a thread where none is named',
    stream: `${opening}${delta('a')}${event({ type: 'finish' })}`,
    text: 'a',
    status: 'complete',
    check: ({ threadId }) => assert.equal(threadId, undefined),
  },
  {
    row: 'A21',
    sentence: 'takes the thread from message metadata where finish has none',
    stream: `${opening}${delta('a')}${event({ type: 'finish', messageMetadata: { threadId: 'meta' } })}`,
    text: 'a',
    status: 'complete',
    check: ({ threadId }) => assert.equal(threadId, 'meta'),
  },
  {
    row: 'A21',
    sentence: 'takes the thread from finish before metadata',
    stream: `${event({ type: 'start', messageMetadata: { threadId: 'meta' } })}${textStart}${delta('a')}${finish}`,
    text: 'a',
    status: 'complete',
    check: ({ threadId }) => assert.equal(threadId, 'thread-1'),
  },
  {
    row: 'A21',
    sentence: 'takes the thread and its key from headers before anything else, and logs a conflict',
    stream: replyOf('a'),
    fault: { headers: { 'X-Thread-Id': 'header', 'X-Thread-Key': 'thread-secret-1' } },
    text: 'a',
    status: 'complete',
    check: ({ threadId, threadKey, log }) => {
      assert.equal(threadId, 'header');
      assert.equal(threadKey, 'thread-secret-1');
      assert.match(log.text('warn'), /another thread/);
      assert.doesNotMatch(log.text(), /thread-secret-1/);
    },
  },
  ...[null, 'application/json', 'text/plain', 'application/octet-stream'].map((type) => ({
    row: 'A23',
    sentence: `reads an event stream under content type ${type ?? 'none'}`,
    stream: replyOf('a'),
    fault: { headers: { 'content-type': type } },
    text: 'a',
    status: 'complete' as const,
  })),
  {
    row: 'A23',
    sentence: 'shows the sentence of a JSON error under 200',
    stream: '{"error":"The index is being built."}',
    fault: { headers: { 'content-type': 'application/json' } },
    text: '',
    code: 'service-error',
    check: ({ sentence }) => assert.match(sentence ?? '', /The index is being built\./),
  },
  {
    row: 'A24',
    sentence: 'names a web page by its title, never by its markup',
    stream:
      '<!doctype html><html><head><title>Sign in to Wi-Fi</title></head><body><script>alert(1)</script></body></html>',
    fault: { headers: { 'content-type': 'text/html' } },
    text: '',
    code: 'unexpected-html',
    check: ({ sentence }) => {
      assert.match(sentence ?? '', /Sign in to Wi-Fi/);
      assert.doesNotMatch(sentence ?? '', /</);
    },
  },
  {
    row: 'A25',
    sentence: 'says empty for an empty 200',
    stream: '',
    text: '',
    code: 'empty-reply',
  },
  {
    row: 'A25',
    sentence: 'says empty for a stream that holds no content',
    stream: `${start}${finish}${done}`,
    text: '',
    code: 'empty-reply',
  },
  ...(['gzip', 'br', 'deflate'] as const).map((encode) => ({
    row: 'A26',
    sentence: `reads a stream in ${encode}`,
    stream: anyReply,
    fault: { encode, pieceBytes: 3 } satisfies Fault,
    text: anyText,
    status: 'complete' as const,
  })),
];

describe('AssistantClient: what a reply’s stream may do', () => {
  let proxy: FaultProxy;

  beforeEach(async () => {
    proxy = await startFaultProxy();
  });

  afterEach(() => proxy.stop());

  const askWith = (fault: Fault, asking: Asking = {}): Promise<Outcome> => {
    proxy.queue(fault);
    return ask(proxy.url, asking);
  };

  const assertCode = (outcome: Outcome, code: string): void => {
    assert.equal(outcome.thrown, undefined);
    assert.equal(outcome.error?.code, code);
  };

  for (const { row, sentence, stream, fault, text, status, code, check } of cases) {
    it(`${row}: ${sentence}`, async () => {
      const outcome = await askWith(streamFault(stream, fault));
      assert.equal(outcome.thrown, undefined);
      assert.equal(outcome.error?.code, code);
      assert.equal(outcome.end?.status, status);
      assert.equal(outcome.text, text);
      check?.(outcome);
      assert.equal(proxy.exchanges.length, 1);
    });
  }

  describe('recorded replies', () => {
    const folder = 'test/fixtures/replies';
    for (const file of ['reply.sse', 'followUp.sse', 'nothingFound.sse']) {
      it(`A1: are read alike whole, byte by byte and at other cuts: ${file}`, async () => {
        const stream = readFileSync(`${folder}/${file}`, 'utf8');
        const whole = await askWith(streamFault(stream));
        assert.equal(whole.end?.status, 'complete');
        assert.equal(whole.threadId, 'thread-1');
        assert.notEqual(whole.text, '');
        assert.doesNotMatch(whole.text, /\uFFFD/);
        for (const pieceBytes of [1, 13, 97]) {
          const cut = await askWith(streamFault(stream, { pieceBytes }));
          assert.deepEqual(cut.parts, whole.parts);
          assert.deepEqual(cut.end, whole.end);
        }
      });
    }
  });

  it('A2: delivers an event at once that a lone CR ends', async () => {
    let seen = '';
    const asked = askWith(
      streamFault(replyOf('first ', 'second'), {
        rewrite: [{ do: 'line-ends', with: '\r' }],
        cues: [{ at: { text: 'second"}\r\r' }, do: 'hold', gate: 'rest' }],
      }),
      {
        onUpdate: (update) => {
          seen = lastText(update) ?? seen;
          if (seen === 'first second') proxy.openGate('rest');
        },
      },
    );
    assert.equal((await asked).end?.status, 'complete');
  });

  it('A4: delivers data at once that follows a comment in the same network chunk', async () => {
    const gate = { at: { text: 'second"}\n\n' }, do: 'hold', gate: 'rest' } as const;
    let seen = '';
    const asked = askWith(
      streamFault(`${opening}: ping\n\n${delta('first ')}: ping\n${delta('second')}${closing}`, {
        cues: [gate],
      }),
      {
        onUpdate: (update) => {
          seen = lastText(update) ?? seen;
          if (seen === 'first second') proxy.openGate('rest');
        },
      },
    );
    // The gate is opened by what was read before it, so this ends only if nothing was kept back.
    assert.equal((await asked).end?.status, 'complete');
  });

  for (const how of ['reset', 'close'] as const) {
    it(`A14: keeps the text where the connection breaks off (${how}), and does not ask again`, async () => {
      const outcome = await askWith(
        streamFault(`${opening}${delta('kept')}${delta('later')}${closing}`, {
          cues: [
            { at: { text: 'kept"}\n\n' }, do: 'hold', gate: 'seen' },
            { at: { text: 'kept"}\n\n' }, do: how },
          ],
        }),
        {
          onUpdate: (update) => {
            if (lastText(update) === 'kept') proxy.openGate('seen');
          },
        },
      );
      assertCode(outcome, 'connection-lost');
      assert.equal(outcome.text, 'kept');
      assert.equal(proxy.exchanges.length, 1);
    });
  }

  it('A15: gives up after the idle time without a byte, and keeps the text', async () => {
    const clock = new FakeClock();
    const fault = streamFault(`${opening}${delta('kept')}${closing}`, {
      cues: [{ at: { text: 'kept"}\n\n' }, do: 'hold', gate: 'never' }],
    });
    const settings = { ...settingsFor(proxy.url), idleTimeoutMs: 30_000 };
    let read = (): void => {};
    const hasText = new Promise<void>((resolve) => (read = resolve));
    const asked = askWith(fault, {
      clock,
      settings,
      onUpdate: (update) => {
        if (lastText(update) === 'kept') read();
      },
    });
    await hasText;
    await clock.advance(29_999);
    assert.equal(proxy.exchanges[0]?.state, 'open');
    await clock.advance(1);
    const outcome = await asked;
    assertCode(outcome, 'timed-out');
    assert.match(outcome.sentence ?? '', /30 s/);
    assert.equal(outcome.text, 'kept');
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
  });

  it('A15: counts any byte as a sign of life, comments included', async () => {
    const clock = new FakeClock();
    const pings = ['p0', 'p1', 'p2'];
    const fault = streamFault(
      `${opening}${pings.map((ping) => `: ${ping}\n\n`).join('')}${delta('a')}${closing}`,
      { cues: pings.map((ping) => ({ at: { text: `: ${ping}\n\n` }, do: 'hold', gate: ping })) },
    );
    const settings = { ...settingsFor(proxy.url), idleTimeoutMs: 30_000 };
    let received = 0;
    const client = new AssistantClient({
      fetch: async (url, init) => counted(await fetch(url, init), (bytes) => (received += bytes)),
      clock,
      log: new RecordingLog(),
    });
    const asked = askWith(fault, { client, settings });
    for (const ping of pings) {
      await proxy.whenHeld(ping);
      const sent = proxy.exchanges[0]?.responseBytes ?? 0;
      while (received < sent) await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(20_000);
      proxy.openGate(ping);
    }
    const outcome = await asked;
    assert.equal(outcome.end?.status, 'complete');
    assert.equal(outcome.text, 'a');
  });

  it('A16: shows a trickle of single bytes as it comes, an update per event', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `word${index} `);
    const growths = new Set<string | undefined>();
    const outcome = await askWith(streamFault(replyOf(...texts), { pieceBytes: 1 }), {
      onUpdate: (update) => growths.add(lastText(update)),
    });
    assert.equal(outcome.text, texts.join(''));
    assert.ok(growths.size >= texts.length, `${growths.size} different texts`);
    assert.ok(outcome.updateCount <= texts.length + 8, `${outcome.updateCount} updates`);
  });

  const tooLong: readonly [string, Fault][] = [
    [
      'one line of 12 MB',
      streamFault('', { respond: { body: 'x'.repeat(1_000_000), repeat: 12 } }),
    ],
    [
      'a line that never ends',
      streamFault('', {
        respond: { body: `data: ${'x'.repeat(1000)}`.repeat(100), repeat: 1_000_000 },
      }),
    ],
    [
      'a reply that never ends',
      streamFault('', {
        respond: { body: delta('x'.repeat(1000)).repeat(100), repeat: 1_000_000 },
      }),
    ],
  ];
  for (const [what, fault] of tooLong) {
    it(`A17: stops at ${what}, with the connection closed`, async () => {
      const outcome = await askWith(fault);
      assertCode(outcome, 'bad-stream');
      await proxy.until(() => proxy.exchanges[0]?.state !== 'open');
      assert.ok((proxy.exchanges[0]?.responseBytes ?? 0) < 64_000_000);
    });
  }

  it('A17: reads a hundred thousand tiny deltas whole', async () => {
    const outcome = await askWith(
      streamFault('', {
        respond: { body: delta('x'), repeat: 1e5 },
      }),
    );
    assert.equal(outcome.text.length, 1e5);
    assert.equal(outcome.end?.status, 'incomplete');
  });

  it('A25: says empty for 204', async () => {
    assertCode(await askWith({ respond: { status: 204 } }), 'empty-reply');
  });

  it('A26: keeps the text of a compressed stream that is cut', async () => {
    const outcome = await askWith(
      streamFault(`${opening}${delta('kept')}${delta('x'.repeat(500))}${closing}`, {
        rewrite: [],
        encode: 'gzip',
        cues: [{ at: 150, do: 'close' }],
      }),
    );
    assertCode(outcome, 'connection-lost');
    assert.match(outcome.text, /^kept/);
  });

  for (const cue of ['end', 'reset'] as const) {
    it(`A26: takes a body for lost that is not in the encoding it names (${cue})`, async () => {
      const outcome = await askWith(
        streamFault(replyOf('a'), {
          headers: { 'content-encoding': 'gzip' },
          cues: [{ at: 60, do: cue }],
        }),
      );
      assertCode(outcome, 'connection-lost');
      assert.equal(proxy.exchanges.length, 1);
    });
  }

  const stopPlaces: readonly [string, Fault][] = [
    ['before the headers', { cues: [{ at: 'headers', do: 'hold', gate: 'never' }] }],
    ['after the headers', { cues: [{ at: 0, do: 'hold', gate: 'never' }] }],
    ['in mid-text', { cues: [{ at: { text: 'kept"}\n\n' }, do: 'hold', gate: 'never' }] }],
  ];
  for (const [place, fault] of stopPlaces) {
    it(`A27: stops at once ${place}, without an error, and keeps the text`, async () => {
      const stop = new AbortController();
      const reason = new Error('Stopped by the test');
      let onText = (): void => {};
      const hasText = new Promise<void>((resolve) => (onText = resolve));
      const asked = askWith(streamFault(replyOf('kept'), fault), {
        signal: stop.signal,
        onUpdate: () => onText(),
      });
      await proxy.whenHeld('never');
      if (place === 'in mid-text') await hasText;
      stop.abort(reason);
      const outcome = await asked;
      assert.equal(outcome.thrown, reason);
      assert.equal(outcome.text, place === 'in mid-text' ? 'kept' : '');
      await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
    });
  }

  it('A27: is complete where the end marker came before the connection was held open', async () => {
    const clock = new FakeClock();
    const asked = askWith(
      streamFault(replyOf('a') + ': rest\n\n', {
        cues: [{ at: { text: '[DONE]\n\n' }, do: 'hold', gate: 'never' }],
      }),
      { clock },
    );
    assert.equal((await asked).end?.status, 'complete');
    await proxy.until(() => proxy.exchanges[0]?.state === 'client-gone');
  });
});

function lastText({ parts }: ReplyUpdate): string | undefined {
  const last = parts?.findLast((part) => part.type === 'text');
  return last?.type === 'text' ? last.text : undefined;
}

/** The response, with each network chunk counted as it is passed on to who reads it. */
function counted(response: Response, count: (bytes: number) => void): Response {
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      count(bytes.length);
      controller.enqueue(bytes);
    },
  });
  return new Response(response.body?.pipeThrough(counter) ?? null, response);
}
