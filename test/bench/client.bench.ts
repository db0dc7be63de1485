/** How long one long reply takes to read: our client, plain reading, and the chat SDK's client. */
import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { AssistantClient } from '../../src/assistant/assistantClient';
import { systemClock } from '../../src/common/clock';
import { applyOps } from '../../src/shared/replyOps';
import type { MessagePart } from '../../src/shared/uiMessage';
import { against, median, report } from './benchRow';
import { readRecordedReply, replayedEvents } from './recordedReply';

const STREAM_BYTES = 10_000_000;
const ROUNDS = 7;

const question = 'How do I create a shipment?';

/** Reads the whole stream and answers how many characters of text it held. */
type Reader = (url: string) => Promise<number>;

const ours: Reader = async (url) => {
  const silent = { info: () => {}, debug: () => {}, warn: () => {}, error: () => {} };
  const client = new AssistantClient({
    fetch: (address, init) => fetch(address, init),
    clock: systemClock,
    log: silent,
  });
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
  let parts: readonly MessagePart[] = [];
  for await (const update of client.ask(request, new AbortController().signal)) {
    if (update.end && update.end.status !== 'complete') throw new Error(update.end.status);
    if (update.ops) parts = applyOps(parts, update.ops) ?? parts;
  }
  return textLength(parts);
};

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
  ]);
}

await main();
