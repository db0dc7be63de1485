/**
 * The view's state and its changes. This file needs no browser, so that it can be tested without
 * one.
 */
import type { OpsEnvelope, QueuedQuestion, SiteView, ViewSnapshot } from '../src/shared/protocol';
import { applyOp } from '../src/shared/replyOps';
import {
  isRunningReply,
  type AttachmentView,
  type ContextItemView,
  type MessagePart,
  type MessageView,
  type ReplyView,
  type ThreadView,
} from '../src/shared/uiMessage';
import type { ViewStrings } from '../src/shared/viewStrings';
import type { HostEvent } from './hostSchemas';

/** Text that was appended to a part. */
interface Growth {
  /** The part as it was last drawn. */
  readonly from: MessagePart;
  readonly added: string;
}

/** Everything that is shown, as the host last sent it. */
export interface ShownView {
  /** Number of the last event that is included. */
  readonly seq: number;
  readonly site: SiteView;
  readonly thread: ThreadView;
  /**
   * Texts of the thread's questions, oldest first. The array stays the same while none of them
   * changes.
   */
  readonly questions: readonly string[];
  /** Index of the running reply in the thread, or -1 if there is none. */
  readonly runningIndex: number;
  /** Parts of the running reply that have grown since the view was last drawn. */
  readonly grown: ReadonlyMap<MessagePart, Growth>;
  readonly contextItems: readonly ContextItemView[];
  readonly files: readonly AttachmentView[];
  readonly page: string | undefined;
  /** Name of the installed package that the next question is narrowed to. */
  readonly package: string | undefined;
  /** Question that was asked while a reply ran. */
  readonly queued: QueuedQuestion | undefined;
  readonly suggestions: readonly string[];
  readonly strings: ViewStrings;
  /** Difference in milliseconds between this clock and the host's. */
  readonly clockOffsetMs: number;
}

type NumberedInput =
  | { readonly kind: 'event'; readonly event: HostEvent }
  | { readonly kind: 'ops'; readonly ops: OpsEnvelope };

export type ViewInput =
  | { readonly kind: 'snapshot'; readonly snapshot: ViewSnapshot; readonly receivedAt: number }
  | NumberedInput;

/** The state of the view's store. */
export interface ViewModel {
  readonly shown?: ShownView;
  /**
   * True from a gap (or the start) until a snapshot arrives. Events wait in the backlog meanwhile.
   */
  readonly isAwaitingSnapshot: boolean;
  readonly backlog: readonly NumberedInput[];
}

const noGrowth: ShownView['grown'] = new Map();

export const emptyModel: ViewModel = { isAwaitingSnapshot: true, backlog: [] };

/**
 * Maximum size of the backlog. Few events come while a snapshot is on its way, and lost ones show
 * up as a gap again.
 */
const MAX_BACKLOG = 5_000;

/**
 * Returns the model after one message. A gap in the numbers, or changes that don't fit, make it
 * wait for a snapshot: ask for one when `isAwaitingSnapshot` turns true.
 */
export function nextModel(model: ViewModel, input: ViewInput): ViewModel {
  if (input.kind === 'snapshot') return withSnapshot(model, input.snapshot, input.receivedAt);
  if (model.isAwaitingSnapshot || !model.shown) {
    return { ...model, backlog: [...model.backlog.slice(-MAX_BACKLOG + 1), input] };
  }
  const seq = seqOf(input);
  if (seq <= model.shown.seq) return model;
  const shown = seq === model.shown.seq + 1 ? apply(model.shown, input) : undefined;
  if (!shown) return { ...model, isAwaitingSnapshot: true, backlog: [input] };
  return { ...model, shown: { ...shown, seq } };
}

/** Returns the model after it was drawn. What grows from now on is new to the view. */
export function drawnModel(model: ViewModel): ViewModel {
  const { shown } = model;
  return shown && shown.grown.size > 0 ? { ...model, shown: { ...shown, grown: noGrowth } } : model;
}

/** Returns the reply that the service may still add to. There is at most one. */
export function runningReply({ thread, runningIndex }: ShownView): ReplyView | undefined {
  const message = thread.messages[runningIndex];
  return message?.role === 'assistant' ? message : undefined;
}

function seqOf(input: NumberedInput): number {
  return input.kind === 'event' ? input.event.seq : input.ops[0];
}

function withSnapshot(model: ViewModel, snapshot: ViewSnapshot, receivedAt: number): ViewModel {
  // If two requests were answered, the older answer may arrive when the view is already ahead.
  if (!model.isAwaitingSnapshot && model.shown && snapshot.seq < model.shown.seq) return model;
  const { seq, site, thread, contextItems, files, page, queued, suggestions, strings } = snapshot;
  const shown: ShownView = {
    seq,
    site,
    ...threadFields(model.shown ? reuseMessages(model.shown.thread, thread) : thread),
    grown: model.shown?.grown ?? noGrowth,
    contextItems,
    files: files ?? [],
    page,
    package: snapshot.package,
    queued,
    suggestions,
    strings,
    clockOffsetMs: receivedAt - snapshot.now,
  };
  const fresh: ViewModel = { shown, isAwaitingSnapshot: false, backlog: [] };
  return model.backlog.reduce<ViewModel>(nextModel, fresh);
}

/**
 * Computes the fields that need a look at every message, so that a change of the last one need not
 * do it.
 */
function threadFields(
  thread: ThreadView,
): Pick<ShownView, 'thread' | 'questions' | 'runningIndex'> {
  const { messages } = thread;
  return {
    thread,
    questions: messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])),
    runningIndex: messages.findLastIndex(isRunningReply),
  };
}

/** Reuses the objects of unchanged messages, so that they are not drawn again. */
function reuseMessages(before: ThreadView, after: ThreadView): ThreadView {
  if (before.id !== after.id) return after;
  const old = new Map(before.messages.map((message) => [message.id, message]));
  return {
    ...after,
    messages: after.messages.map((message) => {
      const known = old.get(message.id);
      return known && isEqual(known, message) ? known : message;
    }),
  };
}

/**
 * Compares two JSON values. Texts are compared directly, because serializing them would cost their
 * length.
 */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other)) return false;
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** @returns undefined if the change does not fit what is shown. */
function apply(shown: ShownView, input: NumberedInput): ShownView | undefined {
  if (input.kind === 'ops') return withOps(shown, input.ops);
  const { event } = input;
  switch (event.name) {
    case 'thread-shown':
      return { ...shown, ...threadFields(reuseMessages(shown.thread, event.params.thread)) };
    case 'message-added':
      return withMessage(shown, event.params.message);
    case 'reply-status':
      return withStatus(shown, event.params);
    case 'context-items':
      return {
        ...shown,
        contextItems: event.params.items,
        files: event.params.files ?? [],
        page: event.params.page,
        package: event.params.package,
        queued: event.params.queued,
      };
    case 'suggestions-changed':
      return { ...shown, suggestions: event.params.suggestions };
    case 'code-theme-changed':
      return shown;
    case 'site-changed':
      return { ...shown, site: event.params.site, suggestions: event.params.suggestions };
    case 'composer-focus':
    case 'overlay-show':
      return shown;
  }
}

/**
 * Applies changes to the running reply, and notes how its parts grow.
 * @returns undefined if the changes do not fit.
 */
function withOps(shown: ShownView, [, ...ops]: OpsEnvelope): ShownView | undefined {
  const reply = runningReply(shown);
  if (!reply) return undefined;
  const parts = [...reply.parts];
  const grown = new Map(shown.grown);
  for (const op of ops) {
    const [index, value] = typeof op === 'string' ? [parts.length - 1, op] : op;
    const before = parts[index];
    if (!applyOp(parts, op)) return undefined;
    const after = parts[index];
    if (typeof value !== 'string' || !before || !after) continue;
    const { from, added } = grown.get(before) ?? { from: before, added: '' };
    grown.delete(before);
    grown.set(after, { from, added: added + value });
  }
  return {
    ...withReply(shown, shown.runningIndex, { ...reply, parts, status: 'streaming' }),
    grown,
  };
}

function withStatus(
  shown: ShownView,
  change: Extract<HostEvent, { name: 'reply-status' }>['params'],
): ShownView | undefined {
  const index = indexOf(shown.thread, change.messageId);
  const reply = shown.thread.messages[index];
  if (reply?.role !== 'assistant') return undefined;
  const { error: _error, offer: _offer, ...rest } = reply;
  return withReply(shown, index, {
    ...rest,
    status: change.status,
    ...(change.error ? { error: change.error } : {}),
    ...(change.notice === undefined ? {} : { notice: change.notice }),
    ...(change.versionNote === undefined ? {} : { versionNote: change.versionNote }),
    ...(change.offer ? { offer: change.offer } : {}),
  });
}

/** Replaces the message with the same ID, or appends the message. */
function withMessage(shown: ShownView, message: MessageView): ShownView {
  const { thread } = shown;
  const index = indexOf(thread, message.id);
  const messages = index < 0 ? [...thread.messages, message] : thread.messages.with(index, message);
  return { ...shown, ...threadFields({ ...thread, messages }) };
}

/**
 * Replaces the running reply. It runs many times a second, so its cost does not depend on the
 * number of messages, except for one copy.
 */
function withReply(shown: ShownView, index: number, reply: ReplyView): ShownView {
  const messages = shown.thread.messages.with(index, reply);
  const thread = { ...shown.thread, messages };
  if (isRunningReply(reply)) {
    return { ...shown, thread, runningIndex: Math.max(index, shown.runningIndex) };
  }
  const runningIndex =
    index === shown.runningIndex ? messages.findLastIndex(isRunningReply) : shown.runningIndex;
  return { ...shown, thread, runningIndex };
}

function indexOf({ messages }: ThreadView, id: string): number {
  return messages.findLastIndex((message) => message.id === id);
}
