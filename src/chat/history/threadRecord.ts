import { compareText } from '../../common/compareText';
import { isReplyRunning } from '../../shared/uiMessage';
import type { Thread, ThreadMessage } from '../thread';

/** What one record says of a thread. */
export interface ThreadRecord {
  readonly thread: Thread;
  /**
   * Set if the record holds only the messages that changed since the others, all of them in
   * `others`: the last message of the branch that is shown.
   */
  readonly leafId?: string;
  /** Higher than that of every record which its writer knew. */
  readonly order: number;
  /** When the title was given, in milliseconds. */
  readonly titleAt: number;
}

export type ThreadState = Omit<ThreadRecord, 'leafId'>;

/**
 * One thread out of what several windows wrote of it. No message of any of them is lost; the
 * newest record says which branch is shown, and what else stands beside the messages.
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
    thread: {
      ...thread,
      title: titled.thread.title,
      createdAt: inOrder.map((record) => record.thread.createdAt).reduce(earlier),
      updatedAt: inOrder.map((record) => record.thread.updatedAt).reduce(later),
      ...(site ? { site } : {}),
      messages: shown,
      ...(others.length > 0 ? { others } : {}),
    },
    order: newest.order,
    titleAt: titled.titleAt,
  };
}

/**
 * What is to be stored when a window writes its state of a thread.
 * @param written by {@link linkedThread}.
 * @param known what is stored of it by now.
 * @param lastWritten the messages that this window wrote the last time, by id: what it leaves out
 * of these, or says differently, is meant to be gone. All else that is stored stays.
 */
export function joinWritten(
  written: ThreadState,
  known: ThreadState | undefined,
  lastWritten: ReadonlyMap<string, ThreadMessage>,
): ThreadState {
  if (!known) return written;
  const isFromElsewhere = (message: ThreadMessage): boolean =>
    lastWritten.get(message.id) !== message;
  const elsewhere = allMessages(known.thread).filter(isFromElsewhere);
  const { others: _others, ...knownThread } = known.thread;
  const joined = joinRecords([
    { ...known, thread: { ...knownThread, messages: [], others: elsewhere } },
    written,
  ]);
  return joined ?? written;
}

/** The messages of all branches. */
export function allMessages({ messages, others }: Thread): readonly ThreadMessage[] {
  return others ? [...messages, ...others] : messages;
}

/**
 * The messages from the first one to this one; from where it is known if some are lost. The first
 * one is below none of them, whatever a corrupt record says: nobody who follows a branch comes back.
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

/** The thread with the order of its shown branch in the messages too, as it is stored. */
export function linkedThread(thread: Thread): Thread {
  const messages = thread.messages.map((message, index): ThreadMessage => {
    const parentId = thread.messages[index - 1]?.id;
    if (message.parentId === parentId) return message;
    const { parentId: _parentId, ...rest } = message;
    return parentId === undefined ? rest : { ...rest, parentId };
  });
  return { ...thread, messages };
}

function byOrder(a: ThreadRecord, b: ThreadRecord): number {
  return a.order - b.order || compareText(a.thread.updatedAt, b.thread.updatedAt);
}

/**
 * Of two states of one message, the one that knows more: a reply that ended over one that runs or
 * was cut off by a window's end, then the longer one, then the newer one.
 */
function furtherOf(older: ThreadMessage, newer: ThreadMessage): ThreadMessage {
  if (older === newer || older.role !== 'assistant' || newer.role !== 'assistant') return newer;
  const [before, after] = [older, newer].map((reply) => [
    isReplyRunning(reply.status) || reply.status === 'interrupted' ? 0 : 1,
    reply.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0) + 1, 0),
    reply.status === 'interrupted' ? 1 : 0,
  ]);
  const difference = before?.findIndex((value, index) => value !== after?.[index]) ?? -1;
  if (!before || !after || difference < 0) return newer;
  return (before[difference] ?? 0) > (after[difference] ?? 0) ? older : newer;
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

function later(a: string, b: string): string {
  return a < b ? b : a;
}
