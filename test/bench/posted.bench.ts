/**
 * Bytes posted from host to webview for one reply, by its text's bytes. The recorded reply comes in
 * deltas of about 50 characters at the pace of a fast service, so that each is posted by itself.
 */
import { AssistantClient } from '../../src/chat/assistant/assistantClient';
import { Conversation, type ConversationEvent } from '../../src/chat/conversation/conversation';
import { workspaceSites } from '../../src/site/workspaceSites';
import { plainTranslate } from '../../src/common/errors';
import type { HostEnvelope } from '../../src/shared/protocol';
import { FakeClock } from '../fakes/fakeClock';
import { MemoryDraftStore } from '../fakes/memoryDraftStore';
import { MemoryKeyStore, MemoryThreadKeyStore } from '../fakes/memoryKeyStore';
import { MemoryMemento } from '../fakes/memoryMemento';
import { MemoryThreadStore } from '../fakes/memoryThreadStore';
import { RecordingLog } from '../fakes/recordingLog';
import { against, report, type BenchRow } from './benchRow';
import { deltaEvents, readRecordedReply, type RecordedReply } from './recordedReply';

/** Pause between two deltas in milliseconds, which makes about 1,000 characters a second. */
const PACE_MS = 50;

const url = 'https://docs.example.com';

/** Long replies of real services: some 1,500 words. */
const LONG_TEXT_BYTES = 10_000;

interface Posted {
  readonly bytes: number;
  readonly messages: number;
  readonly sourceBytes: number;
  readonly textBytes: number;
}

/** Returns the envelope in which `chatView.ts` posts an event. */
function envelope(event: ConversationEvent, seq: number): HostEnvelope {
  return event.name === 'reply-ops'
    ? [seq, ...event.ops]
    : { kind: 'event', seq, name: event.name, params: event.params };
}

async function postedFor(text: string, recorded: RecordedReply): Promise<Posted> {
  const events = [...recorded.head, ...deltaEvents({ ...recorded, text }), ...recorded.tail];
  const clock = new FakeClock();
  let body: ReadableStreamDefaultController<Uint8Array> | undefined;
  const client = new AssistantClient({
    fetch: () =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (controller) => {
              body = controller;
            },
          }),
        ),
      ),
    clock,
    log: new RecordingLog(),
  });
  const keys = new MemoryKeyStore();
  await keys.save('assistant', url, 'local_dsc_bench');
  let lastId = 0;
  const conversation = new Conversation({
    loadClient: () => Promise.resolve(client),
    threads: new MemoryThreadStore(),
    threadKeys: new MemoryThreadKeyStore(),
    draft: new MemoryDraftStore(),
    scanSecrets: () => Promise.resolve([]),
    workspaceSites: workspaceSites(new MemoryMemento()),
    keys,
    settings: () => ({
      baseUrl: url,
      assistantDomain: 'sample',
      fp: 'anonymous',
      retrievalPageSize: 5,
      filter: {},
      idleTimeoutMs: 60_000,
      headersTimeoutMs: 60_000,
    }),
    site: () => ({ id: `${url} sample`, label: 'sample' }),
    currentPath: () => undefined,
    clock,
    // As long as the identifiers of the real one.
    newId: () => `00000000-0000-4000-8000-${String(++lastId).padStart(12, '0')}`,
    log: new RecordingLog(),
    translate: plainTranslate,
  });

  let messages = 0;
  let bytes = 0;
  conversation.onDidChange((event) => {
    // The question travels by itself, before the reply is there.
    if (event.name === 'thread-shown') return;
    if (event.name === 'message-added' && event.params.message.role === 'user') return;
    messages++;
    bytes += Buffer.byteLength(JSON.stringify(envelope(event, messages)));
  });
  conversation.submit('How do I create a shipment and print its label?');
  await clock.advance(0);
  for (const event of events) {
    body?.enqueue(Buffer.from(`${event}\n\n`));
    await clock.advance(event.includes('-delta') ? PACE_MS : 0);
  }
  await clock.advance(PACE_MS);

  const reply = conversation.thread.messages.at(-1);
  if (reply?.role !== 'assistant' || reply.status !== 'complete') throw new Error('No whole reply');
  conversation.dispose();
  const textOf = (...types: readonly string[]): string =>
    reply.parts
      .map((part) => (types.includes(part.type) && 'text' in part ? part.text : ''))
      .join('');
  if (textOf('text') !== text) throw new Error('The reply holds another text than the recording');
  const sources = reply.parts.filter((part) => part.type === 'source-url');
  return {
    bytes,
    messages,
    textBytes: Buffer.byteLength(textOf('reasoning', 'text')),
    sourceBytes: Buffer.byteLength(JSON.stringify(sources)),
  };
}

async function main(): Promise<void> {
  const recorded = readRecordedReply('reply.sse');
  const times = Math.ceil(LONG_TEXT_BYTES / Buffer.byteLength(recorded.text));
  const replies = {
    'the recorded reply': recorded.text,
    'its text said over': Array<string>(times).fill(recorded.text).join('\n\n'),
  };
  const rows: BenchRow[] = [];
  for (const [name, text] of Object.entries(replies)) {
    const posted = await postedFor(text, recorded);
    rows.push(
      against({
        name: `Host to webview: bytes posted, ${name}`,
        unit: 'bytes',
        ours: posted.bytes,
        peer: posted.textBytes,
        peerName: 'the reply’s text',
        goal: 1.3,
        note: `${posted.messages} messages; ${posted.sourceBytes} bytes are sources`,
      }),
    );
  }
  report(rows);
}

await main();
