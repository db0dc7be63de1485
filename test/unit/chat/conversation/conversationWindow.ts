/** A conversation as one window has it, with a client whose replies a test writes by hand. */
import assert from 'node:assert/strict';
import type { AskRequest } from '../../../../src/chat/assistant/assistantClient';
import type { ReplyChange } from '../../../../src/shared/reply';
import {
  Conversation,
  type ConversationEvent,
  type ConversationPorts,
} from '../../../../src/chat/conversation/conversation';
import { workspaceSites } from '../../../../src/site/workspaceSites';
import type { ScanSecrets } from '../../../../src/chat/conversation/secretGuard';
import { plainTranslate } from '../../../../src/common/errors';
import { scanText } from '../../../../src/common/secretScan/scanText';
import type { KeptDocs } from '../../../../src/shared/errorInfo';
import type { PartOp } from '../../../../src/shared/replyOps';
import type { MessagePart, ReplyView, ThreadView } from '../../../../src/shared/uiMessage';
import { aKey, someSettings } from '../../../builders/asking';
import { FakeClock, settled } from '../../../fakes/fakeClock';
import { MemoryDraftStore } from '../../../fakes/memoryDraftStore';
import { MemoryKeyStore, MemoryThreadKeyStore } from '../../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { MemoryThreadStore } from '../../../fakes/memoryThreadStore';
import { RecordingLog } from '../../../fakes/recordingLog';
import { applied } from '../../../builders/ops';

export const text = (value: string): MessagePart => ({ type: 'text', text: value });
export const complete: ScriptedUpdate = { end: { status: 'complete', isDegraded: false } };

/** Update that a test lets the client send: all parts as they are then, instead of the changes. */
export type ScriptedUpdate = Omit<ReplyChange, 'ops'> & { readonly parts?: readonly MessagePart[] };

export interface Asked {
  readonly request: AskRequest;
  readonly signal: AbortSignal;
  readonly updates: (ScriptedUpdate | Error)[];
  wake(): void;
}

/**
 * A client whose replies a test writes by hand. It does not honor its signal, to be sure that
 * nobody relies on that alone.
 */
export class ScriptedClient {
  readonly asked: Asked[] = [];

  async *ask(request: AskRequest, signal: AbortSignal): AsyncGenerator<ReplyChange> {
    const asked: Asked = { request, signal, updates: [], wake: () => undefined };
    this.asked.push(asked);
    let before: readonly MessagePart[] = [];
    for (;;) {
      const update = asked.updates.shift();
      if (update instanceof Error) throw update;
      if (update) {
        const { parts, ...rest } = update;
        yield parts ? { ...rest, ops: opsBetween(before, parts) } : rest;
        before = parts ?? before;
      }
      if (update?.end) return;
      if (!update) await new Promise<void>((resolve) => (asked.wake = resolve));
    }
  }

  /** Sends what comes next for the last question. */
  async say(...updates: (ScriptedUpdate | Error)[]): Promise<void> {
    await this.sayTo(this.asked.length - 1, ...updates);
  }

  async sayTo(index: number, ...updates: (ScriptedUpdate | Error)[]): Promise<void> {
    const asked = this.asked[index];
    if (!asked) throw new Error(`Question ${index} was not asked`);
    asked.updates.push(...updates);
    asked.wake();
    await settled();
  }

  last(): AskRequest {
    const last = this.asked.at(-1);
    if (!last) throw new Error('Nothing was asked');
    return last.request;
  }
}

/**
 * Returns the changes from one state of a reply to a later one, whose texts are longer if they
 * differ.
 */
function opsBetween(before: readonly MessagePart[], after: readonly MessagePart[]): PartOp[] {
  return after.flatMap((part, index): PartOp[] => {
    const old = before[index];
    if (JSON.stringify(old) === JSON.stringify(part)) return [];
    const isGrown =
      old && 'text' in old && part.type === old.type && part.text.startsWith(old.text);
    return [[index, isGrown ? part.text.slice(old.text.length) : part]];
  });
}

export interface StartOptions {
  readonly scanSecrets?: ScanSecrets;
  readonly stored?: MemoryThreadStore;
  readonly draft?: MemoryDraftStore;
  readonly workspace?: MemoryMemento;
  readonly keptDocs?: KeptDocs;
  readonly offerModels?: ConversationPorts['offerModels'];
  readonly proveReply?: ConversationPorts['proveReply'];
  readonly siteVersion?: ReturnType<NonNullable<ConversationPorts['siteVersion']>>;
  readonly key?: string;
  /** Begins the ids of this window. */
  readonly name?: string;
}

export async function openWindow(options: StartOptions = {}) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const client = new ScriptedClient();
  const threads = options.stored ?? new MemoryThreadStore();
  const threadKeys = new MemoryThreadKeyStore();
  const keys = new MemoryKeyStore();
  const events: ConversationEvent[] = [];
  const draft = options.draft ?? new MemoryDraftStore();
  const { name = 'id' } = options;
  let settings = someSettings();
  let site = { id: 'https://api.example.com acme', label: 'acme · api.example.com' };
  let ids = 0;
  let failedSaves = 0;
  await keys.save('assistant', 'https://api.example.com', options.key ?? aKey);
  const conversation = new Conversation({
    loadClient: () => Promise.resolve(client),
    threads,
    threadKeys,
    draft,
    scanSecrets: options.scanSecrets ?? ((text) => scanText(text)),
    workspaceSites: workspaceSites(options.workspace ?? new MemoryMemento()),
    keys,
    settings: () => settings,
    site: () => site,
    currentPath: () => 'guides/start',
    clock,
    newId: () => `${name}-${++ids}-${clock.now()}`,
    log,
    translate: plainTranslate,
    keptDocs: () => options.keptDocs,
    siteVersion: () => options.siteVersion,
    offerModels: options.offerModels,
    proveReply: (...given) => options.proveReply?.(...given) ?? Promise.resolve(undefined),
    onDidFailToSave: () => failedSaves++,
  });
  conversation.onDidChange((event) => events.push(event));
  return {
    clock,
    log,
    client,
    threads,
    threadKeys,
    draft,
    keys,
    events,
    conversation,
    /** Returns the number of times that the window was told that a thread could not be saved. */
    failedSaves: () => failedSaves,
    useSite: (id: string) => (site = { id, label: id }),
    useSettings: (change: Parameters<typeof someSettings>[0]) => (settings = someSettings(change)),
    /** The reply of that place, counted from the end. */
    reply: (fromEnd = 1): ReplyView => {
      const replies = conversation.thread.messages.filter(({ role }) => role === 'assistant');
      const reply = replies.at(-fromEnd);
      if (reply?.role !== 'assistant') throw new Error('There is no such reply');
      return reply;
    },
    ask: async (question = 'How?') => {
      const { messageId } = conversation.submit(question);
      await settled();
      return messageId;
    },
  };
}

/** Returns the thread that a view shows when it applies the events as the webview does. */
export function followed(events: readonly ConversationEvent[]): ThreadView | undefined {
  let thread: ThreadView | undefined;
  for (const event of events) {
    if (event.name === 'thread-shown') thread = event.params.thread;
    if (!thread) continue;
    if (event.name === 'message-added') {
      const { message } = event.params;
      const others = thread.messages.filter(({ id }) => id !== message.id);
      // Only the last message is replaced in these tests.
      thread = { ...thread, messages: [...others, message] };
    }
    const change = (id: string, edit: (reply: ReplyView) => ReplyView): void => {
      const { messages } = thread ?? assert.fail();
      assert.ok(messages.some((message) => message.id === id));
      thread = {
        ...(thread ?? assert.fail()),
        messages: messages.map((message) =>
          message.id === id && message.role === 'assistant' ? edit(message) : message,
        ),
      };
    };
    if (event.name === 'reply-status') {
      const { messageId, ...rest } = event.params;
      change(messageId, ({ offer: _ended, ...reply }) => ({ ...reply, ...rest }));
    }
    if (event.name === 'reply-ops') {
      change(event.messageId, (reply) => ({
        ...reply,
        parts: applied(reply.parts, event.ops),
      }));
    }
  }
  return thread;
}
