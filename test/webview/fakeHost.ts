/** The extension host's side of the line, played by the test. */
import assert from 'node:assert/strict';
import * as v from 'valibot';
import type { ErrorInfo } from '../../src/shared/errorInfo';
import {
  parseRequest,
  PROTOCOL_VERSION,
  viewRequestSchemas,
  type HostEnvelope,
  type HostEventName,
  type HistoryEntry,
  type ModelOfferView,
  type HostEvents,
  type RequestEnvelope,
  type ViewRequestName,
  type ViewRequests,
  type ViewSnapshot,
} from '../../src/shared/protocol';
import type { ReplyOp } from '../../src/shared/replyOps';
import type { MessageView, ReplyStatus, ReplyView } from '../../src/shared/uiMessage';
import { viewStrings, type ViewStrings } from '../../src/shared/viewStrings';
import { applied } from '../builders/ops';

export type HostView = Omit<ViewSnapshot, 'seq' | 'now' | 'protocolVersion' | 'strings'>;

/** A host that refuses a request says so with this. */
export class Refusal extends Error {
  constructor(readonly info: ErrorInfo) {
    super(info.message);
  }
}

type Answers = {
  [Name in ViewRequestName]?: (
    params: ViewRequests[Name]['params'],
  ) => ViewRequests[Name]['result'] | Promise<ViewRequests[Name]['result']>;
};

/** Keeps what a real host keeps, so that a snapshot at any time says what the events said. */
export class FakeHost {
  view: HostView;
  /** Everything asked, in order; each was valid by the protocol's own schema. */
  readonly requests: { name: ViewRequestName; params: unknown }[] = [];
  /** Every thread of the site, newest first: what the requests about the history are about. */
  history: readonly HistoryEntry[] = [];
  /** Texts of the view, in the language of its reader. */
  strings: ViewStrings = viewStrings;
  /** Answers other than the usual ones. */
  readonly answers: Answers = {};
  /** Posts to the page. The code that connects the host sets it. */
  post: (message: HostEnvelope) => Promise<void> = async () => {
    // Nobody is connected yet.
  };
  #seq = 0;
  #deleted = new Map<string, HistoryEntry>();

  constructor(view: HostView) {
    this.view = view;
  }

  get seq(): number {
    return this.#seq;
  }

  snapshot(): ViewSnapshot {
    return {
      ...this.view,
      protocolVersion: PROTOCOL_VERSION,
      seq: this.#seq,
      now: Date.now(),
      strings: this.strings,
    };
  }

  /** @param answer sends the answer to whoever asked. */
  async receive(message: unknown, answer: (reply: HostEnvelope) => Promise<void>): Promise<void> {
    const request = parseRequest(message);
    assert.ok(request, `not a request: ${JSON.stringify(message)}`);
    assert.ok(
      v.is(viewRequestSchemas[request.name], request.params),
      `params of ${request.name}: ${JSON.stringify(request.params)}`,
    );
    this.requests.push({ name: request.name, params: request.params });
    const { id } = request;
    try {
      const result = await this.#answer(request);
      await answer({ kind: 'reply', id, ok: true, result: result ?? null });
    } catch (error: unknown) {
      if (!(error instanceof Refusal)) throw error;
      await answer({ kind: 'reply', id, ok: false, error: error.info });
    }
  }

  /** Returns every request of that name so far. */
  requestsFor<Name extends ViewRequestName>(name: Name): ViewRequests[Name]['params'][] {
    return this.requests
      .filter((request) => request.name === name)
      .map(({ params }) => params as ViewRequests[Name]['params']);
  }

  async emit<Name extends HostEventName>(name: Name, params: HostEvents[Name]): Promise<void> {
    this.#keep({ name, params } as { name: HostEventName; params: never });
    await this.post({ kind: 'event', seq: ++this.#seq, name, params });
  }

  async addMessage(message: MessageView): Promise<void> {
    await this.emit('message-added', { message });
  }

  async setStatus(
    messageId: string,
    status: ReplyStatus,
    more: { error?: ErrorInfo; notice?: string; versionNote?: string; offer?: ModelOfferView } = {},
  ): Promise<void> {
    await this.emit('reply-status', { messageId, status, ...more });
  }

  async sendOps(...ops: ReplyOp[]): Promise<void> {
    const reply = this.#lastReply();
    this.#put({ ...reply, parts: applied(reply.parts, ops) });
    await this.post([++this.#seq, ...ops]);
  }

  /** Skips a sequence number, as if messages were lost on the way. */
  skipSeq(): void {
    this.#seq++;
  }

  #answer(request: RequestEnvelope): unknown {
    const answer = this.answers[request.name] as ((params: unknown) => unknown) | undefined;
    if (answer) return answer(request.params);
    if (request.name === 'view-ready') return this.snapshot();
    if (request.name === 'question-submit' || request.name === 'question-edit') {
      return { messageId: 'reply' };
    }
    if (request.name === 'mention-list') return { mentions: [] };
    return this.#answerFromHistory(request);
  }

  #answerFromHistory({ name, params }: RequestEnvelope): unknown {
    const { query, threadId, title } = params as Record<string, string>;
    if (name === 'history-list') {
      return { entries: findIn(this.history, query ?? ''), isCut: false };
    }
    const entry = this.history.find(({ id }) => id === threadId);
    if (name === 'thread-rename' && entry) {
      this.history = this.history.with(this.history.indexOf(entry), {
        ...entry,
        title: title ?? '',
      });
    } else if (name === 'thread-delete' && entry) {
      this.#deleted.set(entry.id, entry);
      this.history = this.history.filter((other) => other !== entry);
    } else if (name === 'thread-restore') {
      const deleted = this.#deleted.get(threadId ?? '');
      if (deleted) {
        this.history = [...this.history, deleted].sort((a, b) =>
          a.updatedAt < b.updatedAt ? 1 : -1,
        );
      }
    }
    return null;
  }

  #lastReply(): ReplyView {
    const reply = this.view.thread.messages.findLast(({ role }) => role === 'assistant');
    assert.ok(reply?.role === 'assistant');
    return reply;
  }

  #put(message: MessageView): void {
    const { thread } = this.view;
    const index = thread.messages.findIndex(({ id }) => id === message.id);
    const messages =
      index < 0 ? [...thread.messages, message] : thread.messages.with(index, message);
    this.view = { ...this.view, thread: { ...thread, messages } };
  }

  #keep(event: { [N in HostEventName]: { name: N; params: HostEvents[N] } }[HostEventName]): void {
    switch (event.name) {
      case 'thread-shown':
        this.view = { ...this.view, thread: event.params.thread };
        break;
      case 'message-added':
        this.#put(event.params.message);
        break;
      case 'reply-status': {
        const { messageId, ...change } = event.params;
        const reply = this.view.thread.messages.find(({ id }) => id === messageId);
        assert.ok(reply?.role === 'assistant');
        const { error: _error, ...rest } = reply;
        this.#put({ ...rest, ...change });
        break;
      }
      case 'context-items':
        {
          const { items, ...pending } = event.params;
          const { files: _files, page: _page, ...view } = this.view;
          this.view = { ...view, contextItems: items, ...pending };
        }
        break;
      case 'suggestions-changed':
        this.view = { ...this.view, ...event.params };
        break;
      case 'code-theme-changed':
        break;
      case 'site-changed':
        this.view = { ...this.view, ...event.params };
        break;
      case 'composer-focus':
      case 'overlay-show':
        break;
    }
  }
}

/** Returns the entries whose title has every word of the query, with the first word marked. */
function findIn(history: readonly HistoryEntry[], query: string): readonly HistoryEntry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return history
    .filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
    .map((entry) => {
      const start = entry.title.toLowerCase().indexOf(words[0] ?? '');
      const end = start + (words[0]?.length ?? 0);
      return words.length === 0
        ? entry
        : { ...entry, excerpt: { text: entry.title, matches: [{ start, end }] } };
    });
}
