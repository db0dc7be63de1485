/** faults.md A: what a reply's stream may do, through real HTTP. */
import assert from 'node:assert/strict';
import { startFaultProxy, type FaultProxy } from '../../fakes/faultProxy';
import type { Fault } from '../../fakes/faults';
import { ask, type Outcome } from './asking';
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

/** A stream and the result that it must have. */
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
      pieceBytes,
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

describe('AssistantClient: faults of a reply stream', () => {
  let proxy: FaultProxy;

  beforeEach(async () => {
    proxy = await startFaultProxy();
  });

  afterEach(() => proxy.stop());

  for (const { row, sentence, stream, fault, text, status, code, check } of cases) {
    it(`${row}: ${sentence}`, async () => {
      proxy.queue(streamFault(stream, fault));
      const outcome = await ask(proxy.url);
      assert.equal(outcome.thrown, undefined);
      assert.equal(outcome.error?.code, code);
      assert.equal(outcome.end?.status, status);
      assert.equal(outcome.text, text);
      check?.(outcome);
      assert.equal(proxy.exchanges.length, 1);
    });
  }
});
