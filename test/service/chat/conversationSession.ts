/** A conversation over real HTTP, with a view that hears its events as the webview does. */
import assert from 'node:assert/strict';
import { AssistantClient } from '../../../src/chat/assistant/assistantClient';
import type { AskSettings } from '../../../src/site/activeSite';
import {
  Conversation,
  type ConversationEvent,
  type ConversationPorts,
} from '../../../src/chat/conversation/conversation';
import { workspaceSites } from '../../../src/site/workspaceSites';
import { plainTranslate } from '../../../src/common/errors';
import { scanText } from '../../../src/common/secretScan/scanText';
import type { Clock } from '../../../src/common/ports';
import type { KeptDocs } from '../../../src/shared/errorInfo';
import { isReplyRunning, type MessageView, type ReplyView } from '../../../src/shared/uiMessage';
import { Conditions } from '../../fakes/conditions';
import { FakeClock } from '../../fakes/fakeClock';
import { MemoryDraftStore } from '../../fakes/memoryDraftStore';
import { MemoryKeyStore, MemoryThreadKeyStore } from '../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../fakes/memoryMemento';
import { MemoryThreadStore } from '../../fakes/memoryThreadStore';
import { RecordingLog } from '../../fakes/recordingLog';
import { assistantKey, settingsFor, textOf } from './asking';
import { applied } from '../../builders/ops';

/** Stores that outlive a window. */
export class Stores {
  readonly threads = new MemoryThreadStore();
  readonly threadKeys = new MemoryThreadKeyStore();
  readonly keys = new MemoryKeyStore();
  readonly draft = new MemoryDraftStore();
}

export interface SessionConfig {
  /** URL to which questions go at first. */
  readonly url: string;
  readonly stores?: Stores;
  /** A clock that stands still unless given: shows each change at once or at `finish`. */
  readonly clock?: Clock;
  /** Put in the key store for `url`; undefined for none. */
  readonly key?: string | undefined;
  /** Docs on this machine that are those of the site. */
  readonly keptDocs?: KeptDocs;
  readonly proveReply?: ConversationPorts['proveReply'];
}

/** One window: a conversation, its stores, and what a view of it has heard and shows. */
export class Session {
  readonly stores: Stores;
  readonly log = new RecordingLog();
  readonly events: ConversationEvent[] = [];
  readonly conversation: Conversation;
  /** Messages as the webview has them, made of events alone. */
  messages: readonly MessageView[] = [];
  settings: AskSettings;
  readonly #conditions = new Conditions();

  constructor(config: SessionConfig) {
    const { url, clock = new FakeClock(), stores = new Stores(), keptDocs, proveReply } = config;
    this.stores = stores;
    this.settings = settingsFor(url);
    let lastId = 0;
    const log = this.log;
    const client = new AssistantClient({
      fetch: (address, init) => fetch(address, init),
      clock,
      log,
    });
    this.conversation = new Conversation({
      loadClient: () => Promise.resolve(client),
      threads: stores.threads,
      threadKeys: stores.threadKeys,
      draft: stores.draft,
      scanSecrets: (text) => scanText(text),
      workspaceSites: workspaceSites(new MemoryMemento()),
      keys: stores.keys,
      settings: () => this.settings,
      site: () => ({ id: 'local', label: 'Local docs' }),
      currentPath: () => undefined,
      clock,
      newId: () => `id-${process.hrtime.bigint().toString(36)}-${++lastId}`,
      log,
      translate: plainTranslate,
      keptDocs: () => keptDocs,
      proveReply: (...given) => proveReply?.(...given) ?? Promise.resolve(undefined),
    });
    this.conversation.onDidChange((event) => this.#hear(event));
  }

  /** The last reply that the view shows. */
  get reply(): ReplyView {
    const last = this.messages.at(-1);
    if (last?.role !== 'assistant') assert.fail('There is no reply');
    return last;
  }

  get replyText(): string {
    return textOf(this.reply.parts);
  }

  /** Asks and waits for the reply's end. */
  async ask(text: string): Promise<ReplyView> {
    this.conversation.submit(text);
    return this.whenEnded();
  }

  /** Retries the last reply and waits for the new one's end. */
  async retry(): Promise<ReplyView> {
    this.conversation.retry(this.reply.id);
    return this.whenEnded();
  }

  /** Waits until no reply runs; then the view must show what the host holds. */
  async whenEnded(): Promise<ReplyView> {
    await this.until(() => !this.conversation.isReplyRunning && !isReplyRunning(this.reply.status));
    await this.conversation.flush();
    assert.deepEqual(this.messages, this.conversation.thread.messages);
    assert.deepEqual(this.log.errors, []);
    return this.reply;
  }

  /** Resolves as soon as the condition holds; it is looked at after each event. */
  until(condition: () => boolean): Promise<void> {
    return this.#conditions.until(condition);
  }

  #hear(event: ConversationEvent): void {
    // Only JSON crosses to the webview.
    this.events.push(JSON.parse(JSON.stringify(event)) as ConversationEvent);
    switch (event.name) {
      case 'thread-shown':
        this.messages = event.params.thread.messages;
        break;
      case 'message-added':
        this.messages = [
          ...this.messages.filter(({ id }) => id !== event.params.message.id),
          event.params.message,
        ];
        break;
      case 'reply-status': {
        const { messageId, ...change } = event.params;
        this.#changeReply(messageId, (reply) => ({ ...reply, ...change }));
        break;
      }
      case 'reply-ops':
        this.#changeReply(event.messageId, (reply) => ({
          ...reply,
          parts: applied(reply.parts, event.ops),
        }));
        break;
      case 'composer-focus':
      case 'context-items':
      case 'site-changed':
      case 'overlay-show':
      case 'suggestions-changed':
      case 'code-theme-changed':
        break;
    }
    // After the conversation has done what it does with this event.
    setImmediate(() => this.#conditions.changed());
  }

  #changeReply(id: string, change: (reply: ReplyView) => ReplyView): void {
    assert.ok(this.messages.some((message) => message.id === id && message.role === 'assistant'));
    this.messages = this.messages.map((message) =>
      message.id === id && message.role === 'assistant' ? change(message) : message,
    );
  }
}

/** Opens a session whose site is the one at the address, with its key. */
export async function openSession(config: SessionConfig): Promise<Session> {
  const session = new Session(config);
  const key = 'key' in config ? config.key : assistantKey;
  if (key !== undefined) await session.stores.keys.save('assistant', config.url, key);
  return session;
}
