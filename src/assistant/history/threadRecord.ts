import * as v from 'valibot';
import { parseStoredThread, storedThread } from '../thread';
import type { ThreadSummary } from '../threadStore';
import type { ThreadRecord } from './joinThreads';

/** Raised when the head changes its meaning. */
const FORMAT = 1;

/** Room for a head, which is the first line of a record. */
export const MAX_HEAD_BYTES = 8192;
const MAX_ID_LENGTH = 500;
const MAX_HEAD_TITLE_LENGTH = 300;

/** What a list needs of a record, and what tells how to read the rest. */
export type RecordHead = v.InferOutput<typeof headSchema>;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
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
  leafId: v.exactOptional(text),
});

const versionsSchema = v.looseObject({
  format: v.optional(v.number(), FORMAT),
  schemaVersion: v.optional(v.number(), 0),
});

/** Written by a later version of this extension, which will want to read it again. */
export const newer = Symbol('newer');

/** The version in which this extension stores threads. */
const SCHEMA_VERSION = v.parse(
  v.object({ schemaVersion: v.number() }),
  storedThread({ id: '', title: '', createdAt: '', updatedAt: '', messages: [] }),
).schemaVersion;

/**
 * A record as it is stored: a line for lists, and a line with the thread.
 * @param messageCount how many messages the branch has that is shown.
 * @throws {RangeError} for a thread that cannot be stored.
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
    ...(leafId === undefined ? {} : { leafId }),
  });
  return `${head}\n${body}\n`;
}

/** Reads the first line of a record; undefined for anything corrupt. */
export function parseHead(line: string): RecordHead | typeof newer | undefined {
  const record = parseJson(line);
  if (isNewer(record)) return newer;
  const parsed = v.safeParse(headSchema, record);
  return parsed.success ? parsed.output : undefined;
}

/** Reads what {@link encodeRecord} made; undefined for anything corrupt or cut off. */
export function decodeRecord(content: string): ThreadRecord | typeof newer | undefined {
  const lineEnd = content.indexOf('\n');
  const head = parseHead(lineEnd < 0 ? content : content.slice(0, lineEnd));
  if (!head || head === newer) return head;
  const stored = parseJson(content.slice(lineEnd + 1));
  if (isNewer(stored)) return newer;
  const thread = parseStoredThread(stored);
  if (thread?.id !== head.id) return undefined;
  const { order, titleAt, leafId } = head;
  return { thread, order, titleAt, ...(leafId === undefined ? {} : { leafId }) };
}

/** What a list shows of a thread, from the heads of all its records. */
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

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
