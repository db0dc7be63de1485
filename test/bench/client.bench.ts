/**
 * Measures how long a reply takes to read: a long one by our client, by plain reading and by the
 * chat SDK's client. Also measures what a delta, a part and a read cost more where there are many.
 */
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { AssistantClient } from '../../src/chat/assistant/assistantClient';
import { systemClock } from '../../src/common/clock';
import type { Fetch } from '../../src/common/ports';
import { WaitingOps } from '../../src/shared/replyOps';
import { applied } from '../builders/ops';
import { against, median, report, type BenchRow } from './benchRow';
import { readRecordedReply, replayedEvents } from './recordedReply';

const STREAM_BYTES = 10_000_000;
const ROUNDS = 7;

/** A few and many: what one costs must not depend on how many there are. */
const FEW = 1_000;
const MANY = 20_000;

/** About as many as a reply may have. */
const OPEN_TEXTS = 1_900;

const question = 'How do I create a shipment?';

/** Reads the whole stream and answers how many characters of text it held. */
type Reader = (url: string) => Promise<number>;

/** Asks with our client and applies what it tells, as the host does. */
async function readByOurs(fetchReply: Fetch, url: string): Promise<number> {
  const silent = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };
  const client = new AssistantClient({ fetch: fetchReply, clock: systemClock, log: silent });
  const request = {
    settings: {
      baseUrl: url,
      assistantDomain: 'sample',
      fp: 'anonymous',
      retrievalPageSize: 5,
      filter: {},
      idleTimeoutMs: 60_000,
      headersTimeoutMs: 60_000,
    },
    key: 'local_dsc_bench',
    messages: [
      {
        role: 'user',
        id: 'question',
        createdAt: '2025-01-01T00:00:00.000Z',
        text: question,
        contextItems: [],
      },
    ],
    contextItems: [],
  } as const;
  let ops = 0;
  const waiting = new WaitingOps();
  for await (const update of client.ask(request, new AbortController().signal)) {
    if (update.end && update.end.status !== 'complete') throw new Error(update.end.status);
    if (update.ops) waiting.add(update.ops);
    ops += update.ops?.length ?? 0;
  }
  const parts = applied([], waiting.take());
  if (ops === 0) throw new Error('The stream had no changes');
  return textLength(parts);
}

const ours: Reader = (url) => readByOurs((address, init) => fetch(address, init), url);

const plain: Reader = async (url) => {
  const response = await fetch(`${url}/v2/assistant/sample/message`, {
    method: 'POST',
    body: JSON.stringify({ question }),
  });
  const decoder = new TextDecoder();
  let rest = '';
  let text = '';
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    rest += decoder.decode(read.value, { stream: true });
    const events = rest.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const value = event.slice('data: '.length);
      if (value === '[DONE]') continue;
      // Plain reading, as a sketch would have it: nothing is checked.
      const chunk = JSON.parse(value) as { type: string; delta?: string };
      if (chunk.type === 'text-delta') text += chunk.delta ?? '';
    }
  }
  return text.length;
};

const chatSdk: Reader = async (url) => {
  const transport = new DefaultChatTransport({ api: `${url}/v2/assistant/sample/message` });
  const message: UIMessage = {
    id: 'question',
    role: 'user',
    parts: [{ type: 'text', text: question }],
  };
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: 'bench',
    messageId: undefined,
    messages: [message],
    abortSignal: undefined,
  });
  let length = 0;
  const failures: unknown[] = [];
  const snapshots = readUIMessageStream({ stream, onError: (error) => failures.push(error) });
  for await (const { parts } of snapshots) length = textLength(parts);
  if (failures.length > 0) throw new Error('The chat SDK failed', { cause: failures[0] });
  return length;
};

function textLength(parts: readonly { type: string; text?: string }[]): number {
  return parts.reduce(
    (length, part) => length + (part.type === 'text' ? (part.text?.length ?? 0) : 0),
    0,
  );
}

/** Returns a network that answers with a reply in reads of that many events each. */
function replyIn(events: readonly unknown[], eventsPerRead: number): Fetch {
  const encoder = new TextEncoder();
  const reads: Uint8Array[] = [];
  for (let start = 0; start < events.length; start += eventsPerRead) {
    const some = events.slice(start, start + eventsPerRead);
    const text = some.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    reads.push(encoder.encode(text));
  }
  return () => {
    let next = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const bytes = reads[next++];
        if (bytes) controller.enqueue(bytes);
        else controller.close();
      },
    });
    return Promise.resolve(new Response(body));
  };
}

const started = (ids: number): unknown[] =>
  Array.from({ length: ids }, (_, id) => ({ type: 'text-start', id: String(id) }));

/** Deltas that grow as many texts in turn. */
const deltas = (count: number, ids: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'text-delta',
    id: String(index % ids),
    delta: 'word ',
  }));

const sources = (count: number): unknown[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'source-url',
    sourceId: `source ${index}`,
    url: `https://docs.example.com/page-${index}`,
    title: 'A page',
  }));

const files = (count: number): unknown[] =>
  Array.from({ length: count }, () => ({
    type: 'file',
    mediaType: 'image/png',
    url: `data:image/png;base64,${'A'.repeat(1_000_000)}`,
  }));

interface Sized {
  readonly events: readonly unknown[];
  /** Number by which the cost is divided. */
  readonly units: number;
  /** Events before the measured ones. Their cost is subtracted. */
  readonly before: readonly unknown[];
  /** Number of times that the events are read for one figure, so that few take as long as many. */
  readonly times?: number;
}

/** Milliseconds for one unit of each, in turns, so that a slow machine slows both alike. */
async function perUnit(
  sizes: readonly [Sized, Sized],
  eventsPerRead: number,
): Promise<[number, number]> {
  const timeOf = async (events: readonly unknown[], times: number): Promise<number> => {
    const fetchReply = replyIn([...events, { type: 'finish' }], eventsPerRead);
    const startedAt = performance.now();
    for (let time = 0; time < times; time++) {
      await readByOurs(fetchReply, 'https://docs.example.com');
    }
    return (performance.now() - startedAt) / times;
  };
  const figures: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const side of [0, 1] as const) {
      const { events, units, before, times = 1 } = sizes[side];
      const all = await timeOf([...before, ...events], times);
      const first = await timeOf([...before, ...deltas(1, 1)], times);
      if (round > 0) figures[side].push((all - first) / units);
    }
  }
  return [median(figures[0]), median(figures[1])];
}

/** Measures the cost of one unit among many, divided by its cost among few. */
async function growthRows(): Promise<BenchRow[]> {
  const over = (ids: number, count: number, times: number): Sized => ({
    before: started(ids),
    events: deltas(count, ids),
    units: count,
    times,
  });
  const rows: readonly {
    readonly name: string;
    readonly peerName: string;
    readonly sizes: readonly [Sized, Sized];
    readonly eventsPerRead: number;
  }[] = [
    {
      name: `Client: a delta of ${MANY.toLocaleString('en')} over ${OPEN_TEXTS.toLocaleString('en')} open texts`,
      peerName: `one of ${FEW.toLocaleString('en')} over as many`,
      sizes: [over(OPEN_TEXTS, MANY, 1), over(OPEN_TEXTS, FEW, MANY / FEW)],
      eventsPerRead: 10,
    },
    {
      name: `Client: a delta over ${OPEN_TEXTS.toLocaleString('en')} open texts, a read for each`,
      peerName: 'one over one open text',
      sizes: [over(OPEN_TEXTS, MANY, 1), over(1, MANY, 1)],
      eventsPerRead: 1,
    },
    {
      name: `Client: one of ${OPEN_TEXTS.toLocaleString('en')} parts`,
      peerName: 'one of 95',
      sizes: [
        { before: [], events: sources(OPEN_TEXTS), units: OPEN_TEXTS },
        { before: [], events: sources(95), units: 95, times: OPEN_TEXTS / 95 },
      ],
      eventsPerRead: 10,
    },
    {
      name: 'Client: a delta behind 15 files of 1 MB, a read for each',
      peerName: 'one with no file',
      sizes: [
        { before: files(15), events: deltas(MANY, 1), units: MANY },
        { before: started(1), events: deltas(MANY, 1), units: MANY },
      ],
      eventsPerRead: 1,
    },
  ];
  const measured: BenchRow[] = [];
  for (const { name, peerName, sizes, eventsPerRead } of rows) {
    const [many, few] = await perUnit(sizes, eventsPerRead);
    measured.push(
      against({ name, unit: 'µs', ours: 1000 * many, peer: 1000 * few, peerName, goal: 1.3 }),
    );
  }
  return measured;
}

async function main(): Promise<void> {
  const events = replayedEvents(readRecordedReply('reply.sse'), STREAM_BYTES);
  mkdirSync('out/bench', { recursive: true });
  writeFileSync('out/bench/longReply.sse', events.map((event) => `${event}\n\n`).join(''));
  const server = spawn(
    process.execPath,
    ['test/bench/streamServer.mjs', 'out/bench/longReply.sse'],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();

  const readers = { ours, plain, chatSdk };
  const times: Record<keyof typeof readers, number[]> = { ours: [], plain: [], chatSdk: [] };
  const lengths = new Set<number>();
  // Interleaved, so that a machine that slows down slows all alike; the first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ['ours', 'plain', 'chatSdk'] as const) {
      const startedAt = performance.now();
      lengths.add(await readers[name](url));
      if (round > 0) times[name].push(performance.now() - startedAt);
    }
  }
  server.stdin.end();
  if (lengths.size !== 1) throw new Error(`Readers disagree on the text: ${[...lengths].join()}`);

  const [ourMs, plainMs, sdkMs] = [median(times.ours), median(times.plain), median(times.chatSdk)];
  const eventsPerSecond = (ms: number): string =>
    `${Math.round(events.length / ms).toLocaleString('en')}k events/s`;
  const name = `Client: ${events.length.toLocaleString('en')} events, 10 MB`;
  report([
    against({
      name,
      unit: 'ms',
      ours: ourMs,
      peer: plainMs,
      peerName: 'fetch + decoder + JSON.parse',
      goal: 1.5,
      note: `${eventsPerSecond(ourMs)}, peer ${eventsPerSecond(plainMs)}`,
    }),
    against({
      name,
      unit: 'ms',
      ours: ourMs,
      peer: sdkMs,
      peerName: 'DefaultChatTransport + readUIMessageStream',
      goal: 0.5,
      note: `${eventsPerSecond(ourMs)}, peer ${eventsPerSecond(sdkMs)}`,
    }),
    ...(await growthRows()),
  ]);
}

await main();
