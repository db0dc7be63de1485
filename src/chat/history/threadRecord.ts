import * as v from 'valibot';
import { count, parsedAs } from '../../shared/schemas';
import {
  linked,
  parseStoredThread,
  SCHEMA_VERSION,
  storedThread,
  type Reply,
  type Thread,
  type ThreadMessage,
} from '../conversation/thread';
import type { ThreadSummary } from './threadStore';
import { compareText, parsedJson } from '../../common/text/strings';
import { withoutUndefined } from '../../common/withoutUndefined';
import { isReplyRunning } from '../../shared/uiMessage';

/** Version of the head. Raised when a field changes its meaning. */
const FORMAT = 1;

/** Largest head in bytes. The head is the first line of a record. */
export const MAX_HEAD_BYTES = 8192;
const MAX_ID_LENGTH = 500;
const MAX_HEAD_TITLE_LENGTH = 300;

/** Head of a record: the values that lists show, and the version of the rest. */
export type RecordHead = v.InferOutput<typeof headSchema>;

const text = v.string();

const headSchema = v.object({
  format: v.literal(FORMAT),
  id: v.pipe(text, v.minLength(1)),
  title: text,
  // JSON reads `1e400` as infinity and writes that as null.
  titleAt: v.fallback(v.pipe(v.number(), v.finite()), 0),
  updatedAt: text,
  messageCount: count,
  order: count,
  leafId: v.optional(text),
});

const versionsSchema = v.looseObject({
  format: v.optional(v.number(), FORMAT),
  schemaVersion: v.optional(v.number(), 0),
});

/** Stands for a record of a later version of this extension. It is kept for that version. */
export const newer = Symbol('newer');

/**
 * Returns a record as it is stored: a line for lists, and a line with the thread.
 * @param messageCount number of messages of the shown branch.
 * @throws {RangeError} for a thread that can't be stored.
 */
export function encodeRecord(record: ThreadRecord, messageCount: number): string {
  const { thread, order, titleAt, leafId } = record;
  const { id, title, updatedAt } = thread;
  if (id === '' || id.length > MAX_ID_LENGTH) throw new RangeError('No id of a thread');
  const body = JSON.stringify(storedThread(thread));
  const head = JSON.stringify({
    format: FORMAT,
    schemaVersion: SCHEMA_VERSION,
    id,
    title: title.slice(0, MAX_HEAD_TITLE_LENGTH),
    titleAt,
    updatedAt,
    messageCount,
    order,
    leafId,
  });
  return `${head}\n${body}\n`;
}

/** Parses the first line of a record. Returns undefined if it is corrupt. */
export function parseHead(line: string): RecordHead | typeof newer | undefined {
  const record = parsedJson(line);
  if (isNewer(record)) return newer;
  return parsedAs(headSchema, record);
}

/**
 * Parses a record that {@link encodeRecord} returned. Returns undefined if it is corrupt or cut
 * off.
 */
export function decodeRecord(content: string): ThreadRecord | typeof newer | undefined {
  const lineEnd = content.indexOf('\n');
  const head = parseHead(lineEnd < 0 ? content : content.slice(0, lineEnd));
  if (!head || head === newer) return head;
  const stored = parsedJson(content.slice(lineEnd + 1));
  if (isNewer(stored)) return newer;
  const thread = parseStoredThread(stored);
  if (thread?.id !== head.id) return undefined;
  const { order, titleAt, leafId } = head;
  return withoutUndefined({ thread, order, titleAt, leafId });
}

/** Returns a thread's summary for lists, from the heads of all its records. */
export function summaryOf(heads: readonly RecordHead[]): ThreadSummary | undefined {
  const newest = heads.reduce<RecordHead | undefined>(
    (a, b) =>
      !a || b.order > a.order || (b.order === a.order && b.updatedAt > a.updatedAt) ? b : a,
    undefined,
  );
  if (!newest) return undefined;
  const titled = heads.reduce((a, b) => (b.titleAt > a.titleAt ? b : a), newest);
  const updatedAt = heads.reduce((at, head) => (head.updatedAt > at ? head.updatedAt : at), '');
  const { id, messageCount } = newest;
  return { id, title: titled.title, updatedAt, messageCount };
}

function isNewer(record: unknown): boolean {
  const parsed = v.safeParse(versionsSchema, record);
  if (!parsed.success) return false;
  return parsed.output.format > FORMAT || parsed.output.schemaVersion > SCHEMA_VERSION;
}

export interface ThreadRecord {
  readonly thread: Thread;
  /**
   * ID of the last message of the shown branch. Set only if the record has just the changed
   * messages. All of them are in `others` then.
   */
  readonly leafId?: string;
  /** Number that is higher than that of every record that the writer knew. */
  readonly order: number;
  /** Time at which the title was given, in milliseconds since the epoch. */
  readonly titleAt: number;
}

export type ThreadState = Omit<ThreadRecord, 'leafId'>;

/**
 * Joins what several windows wrote of one thread. No message is lost. The newest record decides
 * which branch is shown and the values beside the messages.
 */
export function joinRecords(records: readonly ThreadRecord[]): ThreadState | undefined {
  const inOrder = [...records].sort(byOrder);
  const newest = inOrder.at(-1);
  if (!newest) return undefined;
  if (inOrder.length === 1 && newest.leafId === undefined) return newest;

  const messages = new Map<string, ThreadMessage>();
  for (const { thread } of inOrder) {
    for (const message of allMessages(thread)) {
      const other = messages.get(message.id);
      messages.set(message.id, other ? furtherOf(other, message) : message);
    }
  }
  const leafId = newest.leafId ?? newest.thread.messages.at(-1)?.id;
  const shown = leafId === undefined ? [] : branchTo(leafId, messages);
  const shownIds = new Set(shown.map(({ id }) => id));
  const others = [...messages.values()].filter(({ id }) => !shownIds.has(id));
  const titled = inOrder.reduce((a, b) => (b.titleAt >= a.titleAt ? b : a));
  const site = inOrder.findLast(({ thread }) => thread.site)?.thread.site;
  const { others: _others, ...thread } = newest.thread;
  return {
    thread: withoutUndefined({
      ...thread,
      title: titled.thread.title,
      createdAt: inOrder.map((record) => record.thread.createdAt).reduce(earlier),
      updatedAt: inOrder.map((record) => record.thread.updatedAt).reduce(later),
      site,
      messages: shown,
      others: others.length > 0 ? others : undefined,
    }),
    order: newest.order,
    titleAt: titled.titleAt,
  };
}

/**
 * Returns the state to store when a window writes a thread.
 * @param written the thread to write, as {@link linkedThread} returns it.
 * @param known the stored state.
 * @param lastWritten the messages that this window wrote last, by ID, if it wrote any. Messages that
 * it now leaves out or changes are meant to be gone. All other stored messages stay.
 */
export function joinWritten(
  written: ThreadState,
  known: ThreadState | undefined,
  lastWritten: ReadonlyMap<string, ThreadMessage> | undefined,
): ThreadState {
  if (!known) return written;
  const isFromElsewhere = (message: ThreadMessage): boolean =>
    lastWritten?.get(message.id) !== message;
  const elsewhere = allMessages(known.thread).filter(isFromElsewhere);
  const { others: _others, ...knownThread } = known.thread;
  const joined = joinRecords([
    { ...known, thread: { ...knownThread, messages: [], others: elsewhere } },
    written,
  ]);
  return joined ?? written;
}

export function allMessages({ messages, others }: Thread): readonly ThreadMessage[] {
  return others ? [...messages, ...others] : messages;
}

/**
 * Returns the messages from the first one to this one, or from the first known one if some are
 * lost. The first message gets no parent, whatever a corrupt record says, so that following a
 * branch always ends.
 */
function branchTo(leafId: string, messages: ReadonlyMap<string, ThreadMessage>): ThreadMessage[] {
  const branch: ThreadMessage[] = [];
  const seen = new Set<string>();
  let next = messages.get(leafId);
  while (next && !seen.has(next.id)) {
    seen.add(next.id);
    branch.push(next);
    next = next.parentId === undefined ? undefined : messages.get(next.parentId);
  }
  const first = branch.pop();
  if (first) {
    const { parentId: _parentId, ...rest } = first;
    branch.push(next ? rest : first);
  }
  return branch.reverse();
}

/**
 * Returns the thread with the order of its shown branch in the messages' parents, as it is stored.
 */
export function linkedThread(thread: Thread): Thread {
  return { ...thread, messages: linked(thread.messages) };
}

function byOrder(a: ThreadRecord, b: ThreadRecord): number {
  return a.order - b.order || compareText(a.thread.updatedAt, b.thread.updatedAt);
}

/**
 * Returns the more complete state of a message. A finished reply wins over a running or interrupted
 * one, then the longer one wins, then the newer one.
 */
function furtherOf(older: ThreadMessage, newer: ThreadMessage): ThreadMessage {
  if (older === newer || older.role !== 'assistant' || newer.role !== 'assistant') return newer;
  const isFurther =
    Number(isFinished(older)) - Number(isFinished(newer)) ||
    lengthOf(older) - lengthOf(newer) ||
    Number(older.status === 'interrupted') - Number(newer.status === 'interrupted');
  return isFurther > 0 ? older : newer;
}

function isFinished({ status }: Reply): boolean {
  return !isReplyRunning(status) && status !== 'interrupted';
}

/** Returns the characters of the reply's texts, with one for each part. */
function lengthOf({ parts }: Reply): number {
  return parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0) + 1, 0);
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

function later(a: string, b: string): string {
  return a < b ? b : a;
}
