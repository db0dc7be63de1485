/**
 * The messages of a thread form a tree by `parentId`. An edited question and a regenerated reply
 * are versions: messages with the same parent. `messages` is the shown branch, and `others` has all
 * other messages. Two copies of a thread are joined by putting their messages together.
 */
import { compareText } from '../../common/text/strings';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { BranchView } from '../../shared/uiMessage';
import type { Question, Reply, Thread, ThreadMessage } from './thread';

/** Adds a question at the end of the shown branch. */
export function withQuestion(thread: Thread, question: Question): Thread {
  return withMessages(thread, [...thread.messages, childOf(thread.messages.at(-1), question)]);
}

/**
 * Puts a question in the place of an earlier one. The earlier one stays as another branch, with
 * everything below it.
 */
export function withEditedQuestion(thread: Thread, oldId: string, question: Question): Thread {
  const index = thread.messages.findLastIndex(({ id }) => id === oldId);
  return index < 0 ? thread : withVersion(thread, index, question);
}

/**
 * Puts a reply below a question of the shown branch. An earlier reply stays as another branch,
 * unless it is empty.
 */
export function withReply(thread: Thread, questionId: string, reply: Reply): Thread {
  const index = thread.messages.findLastIndex(({ id }) => id === questionId);
  return index < 0 ? thread : withVersion(thread, index + 1, reply);
}

/**
 * Shows the version with that index in {@link branchViews}, and the newest messages below it.
 * @returns the same thread if there is no such version, or if it is the one that is shown.
 */
export function showVersion(thread: Thread, messageId: string, index: number): Thread {
  const place = thread.messages.findLastIndex(({ id }) => id === messageId);
  const message = thread.messages[place];
  if (!message) return thread;
  const tree = new Tree(thread);
  const version = tree.versionsOf(message)[index];
  if (!version || version.id === messageId) return thread;
  const path = [...thread.messages.slice(0, place), version, ...tree.newestBelow(version)];
  const shown = new Set(path.map(({ id }) => id));
  const rest = [...(thread.others ?? []), ...thread.messages.slice(place)];
  return withMessages(
    thread,
    path,
    rest.filter(({ id }) => !shown.has(id)),
  );
}

/**
 * Shows the branch that ends with a message, and nothing below it.
 * @returns undefined if the thread has no such message.
 */
export function withBranchTo(thread: Thread, messageId: string): Thread | undefined {
  const all = [...thread.messages, ...(thread.others ?? [])];
  const byId = new Map(all.map((message) => [message.id, message]));
  const path = new Set<ThreadMessage>();
  // A corrupt record can name a message as its own ancestor.
  for (let next = byId.get(messageId); next && !path.has(next);) {
    path.add(next);
    next = next.parentId === undefined ? undefined : byId.get(next.parentId);
  }
  if (path.size === 0) return undefined;
  const rest = all.filter((message) => !path.has(message));
  return withMessages(thread, [...path].reverse(), rest);
}

/** Extends the shown branch to the newest message below it, which another window may have added. */
export function withWholeBranch(thread: Thread): Thread {
  const last = thread.messages.at(-1);
  if (!thread.others || !last) return thread;
  const below = new Tree(thread).newestBelow(last);
  if (below.length === 0) return thread;
  const shown = new Set(below.map(({ id }) => id));
  return withMessages(
    thread,
    [...thread.messages, ...below],
    thread.others.filter(({ id }) => !shown.has(id)),
  );
}

/**
 * Returns the version of each message of the shown branch, by ID, for messages with several
 * versions. Versions have the same parent and are ordered by age. An empty reply with nothing below
 * it counts only while it is shown.
 */
export function branchViews(thread: Thread): ReadonlyMap<string, BranchView> {
  const views = new Map<string, BranchView>();
  if (!thread.others) return views;
  const tree = new Tree(thread);
  for (const message of thread.messages) {
    const versions = tree.versionsOf(message);
    if (versions.length > 1) {
      views.set(message.id, { index: versions.indexOf(message), count: versions.length });
    }
  }
  return views;
}

/** Returns whether a reply has content that a person would want back. */
export function hasContent({ parts }: Reply): boolean {
  return parts.some((part) =>
    part.type === 'text' || part.type === 'reasoning'
      ? part.text.trim() !== ''
      : part.type === 'source-url' || part.type === 'file',
  );
}

/**
 * Puts a message at an index of the shown branch. The messages from there on move to the other
 * branches.
 */
function withVersion(thread: Thread, index: number, message: ThreadMessage): Thread {
  const above = thread.messages.slice(0, index);
  const aside = thread.messages.slice(index);
  const [first] = aside;
  const isNothing = aside.length === 1 && first?.role === 'assistant' && !hasContent(first);
  return withMessages(
    thread,
    [...above, childOf(above.at(-1), message)],
    [...(thread.others ?? []), ...(isNothing ? [] : aside)],
  );
}

function withMessages(
  { others: before, ...thread }: Thread,
  messages: readonly ThreadMessage[],
  others = before ?? [],
): Thread {
  return withoutUndefined({ ...thread, messages, others: others.length > 0 ? others : undefined });
}

function childOf<T extends ThreadMessage>(parent: ThreadMessage | undefined, message: T): T {
  return parent ? { ...message, parentId: parent.id } : message;
}

/**
 * The tree of a thread's messages. In a corrupt record, a message can name a parent that is missing
 * or that is below it.
 */
class Tree {
  readonly #children = new Map<string | undefined, ThreadMessage[]>();

  constructor({ messages, others = [] }: Thread) {
    const ids = new Set<string>();
    for (const message of [...messages, ...others]) {
      if (ids.has(message.id)) continue;
      ids.add(message.id);
      const siblings = this.#children.get(message.parentId);
      if (siblings) siblings.push(message);
      else this.#children.set(message.parentId, [message]);
    }
    for (const siblings of this.#children.values()) siblings.sort(byAge);
  }

  versionsOf(shown: ThreadMessage): readonly ThreadMessage[] {
    return this.#childrenOf(shown.parentId).filter(
      (other) => other.role === shown.role && (other === shown || !this.#isHollow(other)),
    );
  }

  /**
   * Returns the messages from below a message to the newest end of a branch, or nothing if the
   * message is an end. The walk can't return to the message, because each message has one parent.
   */
  newestBelow(message: ThreadMessage): readonly ThreadMessage[] {
    const above = new Map<ThreadMessage, ThreadMessage>();
    const ends: ThreadMessage[] = [];
    const open = [message];
    for (let next = open.pop(); next; next = open.pop()) {
      const children = this.#childrenOf(next.id);
      const full = children.filter((child) => !this.#isHollow(child));
      const ways = full.length > 0 ? full : children.slice(-1);
      if (ways.length === 0) ends.push(next);
      for (const child of ways) {
        above.set(child, next);
        open.push(child);
      }
    }
    const way: ThreadMessage[] = [];
    let end = ends.sort(byAge).at(-1);
    while (end && end !== message) {
      way.push(end);
      end = above.get(end);
    }
    return way.reverse();
  }

  #childrenOf(parentId: string | undefined): readonly ThreadMessage[] {
    return this.#children.get(parentId) ?? [];
  }

  #isHollow(message: ThreadMessage): boolean {
    return (
      message.role === 'assistant' &&
      !hasContent(message) &&
      this.#childrenOf(message.id).length === 0
    );
  }
}

/**
 * Compares messages by age. Equal ISO times are ordered by ID, so that the order is the same in
 * every copy.
 */
function byAge(a: ThreadMessage, b: ThreadMessage): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}
