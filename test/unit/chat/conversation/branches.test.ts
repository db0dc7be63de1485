import assert from 'node:assert/strict';
import {
  branchViews,
  showVersion,
  withBranchTo,
  withEditedQuestion,
  withQuestion,
  withReply,
  withWholeBranch,
} from '../../../../src/chat/conversation/branches';
import {
  parseStoredThread,
  storedThread,
  type Thread,
  type ThreadMessage,
} from '../../../../src/chat/conversation/thread';
import { threadView } from '../../../../src/chat/conversation/shownThread';
import { aQuestion, aReply, aThread } from '../../../builders/asking';

/** Seconds since the messages of the builders. */
const at = (seconds: number): string =>
  new Date(Date.parse('2025-01-02T03:05:00.000Z') + 1000 * seconds).toISOString();

const question = (id: string, seconds: number) => aQuestion({ id, createdAt: at(seconds) });
const reply = (id: string, seconds: number) => aReply({ id, createdAt: at(seconds) });
const nothing = (id: string, seconds: number) =>
  aReply({ id, createdAt: at(seconds), parts: [], status: 'failed' });

/** Returns a thread with q1, r1, q2 and r2, asked one after the other. */
function linear(): Thread {
  let thread = aThread({ messages: [] });
  thread = withReply(withQuestion(thread, question('q1', 1)), 'q1', reply('r1', 2));
  return withReply(withQuestion(thread, question('q2', 3)), 'q2', reply('r2', 4));
}

const ids = (messages: readonly ThreadMessage[] = []): string =>
  messages.map(({ id }) => id).join();
const path = ({ messages }: Thread): string => ids(messages);

/** Returns the versions of a shown message, in their order. */
function versionsOf(thread: Thread, id: string): string {
  const place = thread.messages.findIndex((message) => message.id === id);
  const { count } = branchViews(thread).get(id) ?? assert.fail(`${id} has no versions`);
  const shown = Array.from({ length: count }, (_, index) => showVersion(thread, id, index));
  return ids(shown.map(({ messages }) => messages[place] ?? assert.fail()));
}

/** Returns all messages with their parents, which must never get lost, in an order of their own. */
function tree({ messages, others = [] }: Thread): string[] {
  return [...messages, ...others].map(({ id, parentId }) => `${parentId ?? ''}>${id}`).sort();
}

describe('withQuestion, withReply', () => {
  it('put messages one below the other', () => {
    assert.equal(path(linear()), 'q1,r1,q2,r2');
    assert.deepEqual(tree(linear()), ['>q1', 'q1>r1', 'q2>r2', 'r1>q2']);
    assert.equal(linear().others, undefined);
  });

  it('keep a reply that was asked for again, with all that came after it, as another branch', () => {
    const thread = withReply(linear(), 'q1', reply('r1b', 5));
    assert.equal(path(thread), 'q1,r1b');
    assert.deepEqual(tree(thread), ['>q1', 'q1>r1', 'q1>r1b', 'q2>r2', 'r1>q2']);
  });

  it('drop a reply with nothing in it that another takes the place of', () => {
    const failed = withReply(withQuestion(linear(), question('q3', 5)), 'q3', nothing('r3', 6));
    const thread = withReply(failed, 'q3', reply('r3b', 7));
    assert.equal(path(thread), 'q1,r1,q2,r2,q3,r3b');
    assert.equal(thread.others, undefined);
  });

  it('keep a reply with nothing in it that a question came after', () => {
    let thread = withReply(withQuestion(linear(), question('q3', 5)), 'q3', nothing('r3', 6));
    thread = withReply(withQuestion(thread, question('q4', 7)), 'q4', reply('r4', 8));
    thread = withReply(thread, 'q3', reply('r3b', 9));
    assert.equal(path(thread), 'q1,r1,q2,r2,q3,r3b');
    assert.equal(ids(thread.others), 'r3,q4,r4');
    assert.equal(path(showVersion(thread, 'r3b', 0)), 'q1,r1,q2,r2,q3,r3,q4,r4');
  });

  it('change nothing for a message that is not shown', () => {
    const thread = linear();
    assert.equal(withReply(thread, 'gone', reply('x', 5)), thread);
    assert.equal(withEditedQuestion(thread, 'gone', question('x', 5)), thread);
  });
});

describe('withEditedQuestion', () => {
  it('puts a question beside the old one, below the same reply', () => {
    const thread = withEditedQuestion(linear(), 'q2', question('q2b', 5));
    assert.equal(path(thread), 'q1,r1,q2b');
    assert.deepEqual(tree(thread), ['>q1', 'q1>r1', 'q2>r2', 'r1>q2', 'r1>q2b']);
  });

  it('puts a question beside the first one', () => {
    const thread = withEditedQuestion(linear(), 'q1', question('q1b', 5));
    assert.equal(path(thread), 'q1b');
    assert.equal(versionsOf(thread, 'q1b'), 'q1,q1b');
    assert.equal(path(showVersion(thread, 'q1b', 0)), 'q1,r1,q2,r2');
  });
});

describe('the versions of a message', () => {
  it('stand by age, whichever is shown', () => {
    let thread = withReply(linear(), 'q2', reply('r2b', 5));
    thread = withReply(thread, 'q2', reply('r2c', 6));
    const all = 'r2,r2b,r2c';
    assert.equal(versionsOf(thread, 'r2c'), all);
    thread = showVersion(thread, 'r2c', 0);
    assert.equal(path(thread), 'q1,r1,q2,r2');
    assert.equal(versionsOf(thread, 'r2'), all);
    assert.equal(versionsOf(showVersion(thread, 'r2', 1), 'r2b'), all);
  });

  it('leave out a reply with nothing in it unless it is shown', () => {
    const failed = withReply(withReply(linear(), 'q2', reply('r2b', 5)), 'q2', nothing('r2c', 6));
    assert.equal(versionsOf(failed, 'r2c'), 'r2,r2b,r2c');
    assert.equal(versionsOf(showVersion(failed, 'r2c', 0), 'r2'), 'r2,r2b');
  });

  it('of one moment stand the same in every copy of the thread', () => {
    const [a, b] = [reply('ra', 4), reply('rb', 4)];
    const one = withReply(withReply(withQuestion(linear(), question('q3', 5)), 'q3', a), 'q3', b);
    const other = withReply(withReply(withQuestion(linear(), question('q3', 5)), 'q3', b), 'q3', a);
    assert.equal(versionsOf(one, 'rb'), 'ra,rb');
    assert.equal(versionsOf(other, 'ra'), 'ra,rb');
  });
});

describe('showVersion', () => {
  it('goes down to the newest message below the version, and loses none', () => {
    let thread = withReply(linear(), 'q1', reply('r1b', 5));
    const before = tree(thread);
    thread = showVersion(thread, 'r1b', 0);
    assert.equal(path(thread), 'q1,r1,q2,r2');
    assert.deepEqual(tree(thread), before);
    thread = showVersion(thread, 'r1', 1);
    assert.equal(path(thread), 'q1,r1b');
    assert.deepEqual(tree(thread), before);
  });

  it('goes where something was added last, not along the newest version of each message', () => {
    // Below r1: q2 with r2, and q2b with r2x; then r2 is asked for again.
    let thread = withEditedQuestion(linear(), 'q2', question('q2b', 5));
    thread = withReply(thread, 'q2b', reply('r2x', 6));
    thread = showVersion(thread, 'q2b', 0);
    thread = withReply(thread, 'q2', reply('r2y', 7));
    thread = withReply(thread, 'q1', reply('r1b', 8));
    assert.equal(path(showVersion(thread, 'r1b', 0)), 'q1,r1,q2,r2y');
  });

  it('does not end at a reply with nothing in it while there is a better one', () => {
    let thread = withReply(withReply(linear(), 'q2', reply('r2b', 5)), 'q2', nothing('r2c', 6));
    thread = withReply(thread, 'q1', reply('r1b', 7));
    assert.equal(path(showVersion(thread, 'r1b', 0)), 'q1,r1,q2,r2b');
  });

  it('shows a reply with nothing in it where there is no other', () => {
    let thread = withEditedQuestion(linear(), 'q2', question('q2b', 5));
    thread = withReply(thread, 'q2b', nothing('r2x', 6));
    thread = showVersion(thread, 'q2b', 0);
    assert.equal(path(showVersion(thread, 'q2', 1)), 'q1,r1,q2b,r2x');
  });

  it('changes nothing for a version or a message that is not there, or is shown', () => {
    const thread = withReply(linear(), 'q2', reply('r2b', 5));
    assert.equal(showVersion(thread, 'r2b', 1), thread);
    assert.equal(showVersion(thread, 'r2b', 2), thread);
    assert.equal(showVersion(thread, 'r2b', -1), thread);
    assert.equal(showVersion(thread, 'gone', 0), thread);
    assert.equal(showVersion(thread, 'r2', 1), thread);
  });
});

describe('two copies of a thread', () => {
  it('are joined by putting their messages together', () => {
    const ours = withReply(withQuestion(linear(), question('q3', 5)), 'q3', reply('r3', 6));
    const theirs = withReply(withQuestion(linear(), question('q4', 7)), 'q4', reply('r4', 8));
    const known = new Set(ours.messages.map(({ id }) => id));
    const joined = { ...ours, others: theirs.messages.filter(({ id }) => !known.has(id)) };
    assert.equal(versionsOf(joined, 'q3'), 'q3,q4');
    assert.equal(path(showVersion(joined, 'q3', 1)), 'q1,r1,q2,r2,q4,r4');
  });

  it('show what another window added below the shown branch', () => {
    const longer = withReply(withQuestion(linear(), question('q3', 5)), 'q3', reply('r3', 6));
    const joined = {
      ...longer,
      messages: longer.messages.slice(0, 4),
      others: longer.messages.slice(4),
    };
    assert.deepEqual(withWholeBranch(joined), longer);
    assert.equal(withWholeBranch(longer), longer);
  });
});

describe('branchViews', () => {
  it('says which version is shown, only where there are several', () => {
    let thread = withReply(linear(), 'q2', reply('r2b', 5));
    assert.deepEqual([...branchViews(thread)], [['r2b', { index: 1, count: 2 }]]);
    thread = showVersion(thread, 'r2b', 0);
    assert.deepEqual([...branchViews(thread)], [['r2', { index: 0, count: 2 }]]);
    assert.deepEqual([...branchViews(linear())], []);
  });

  it('stands in the views of those messages alone', () => {
    const thread = withEditedQuestion(linear(), 'q2', question('q2b', 5));
    assert.deepEqual(
      threadView(thread).messages.map(({ branch }) => branch),
      [undefined, undefined, { index: 1, count: 2 }],
    );
  });
});

describe('a record that no one wrote', () => {
  const read = (messages: readonly ThreadMessage[], others: readonly ThreadMessage[]): Thread =>
    parseStoredThread(storedThread(aThread({ messages, others }))) ?? assert.fail();

  it('with parents in a circle or nowhere keeps what can be shown', () => {
    const thread = read(
      [question('q1', 1), reply('r1', 2)],
      [
        aReply({ id: 'a', parentId: 'b' }),
        aQuestion({ id: 'b', parentId: 'a' }),
        aReply({ id: 'r1b', parentId: 'q1', createdAt: at(3) }),
        aQuestion({ id: 'self', parentId: 'self' }),
        aReply({ id: 'lost', parentId: 'gone' }),
      ],
    );
    assert.equal(path(withWholeBranch(thread)), 'q1,r1');
    assert.deepEqual([...branchViews(thread)], [['r1', { index: 0, count: 2 }]]);
    assert.equal(path(showVersion(thread, 'r1', 1)), 'q1,r1b');
  });

  it('with a message twice counts it once', () => {
    const thread = read(
      [question('q1', 1), reply('r1', 2)],
      [aReply({ id: 'r1', parentId: 'q1' })],
    );
    assert.deepEqual([...branchViews(thread)], []);
    assert.equal(path(withWholeBranch(thread)), 'q1,r1');
  });

  it('of two thousand branches is read all the same', () => {
    const messages = Array.from({ length: 4000 }, (_, index) =>
      index % 2 === 0 ? question(`q${index}`, index) : reply(`r${index}`, index),
    );
    const others = messages.flatMap((message, index) =>
      message.role === 'assistant'
        ? [aReply({ id: `o${index}`, parentId: `q${index - 1}`, createdAt: at(index + 0.5) })]
        : [],
    );
    const thread = read(messages, others);
    assert.equal(branchViews(thread).size, 2000);
    assert.equal(path(showVersion(thread, 'r1', 1)), 'q0,o1');
  });
});

describe('withBranchTo', () => {
  it('ends the shown branch with the message, and loses nothing', () => {
    const thread = linear();
    const cut = withBranchTo(thread, 'r1') ?? assert.fail();
    assert.equal(path(cut), 'q1,r1');
    assert.deepEqual(tree(cut), tree(thread));
  });

  it('shows another branch', () => {
    const edited = withEditedQuestion(linear(), 'q2', question('q2b', 5));
    const back = withBranchTo(edited, 'r2') ?? assert.fail();
    assert.equal(path(back), 'q1,r1,q2,r2');
    assert.equal(ids(back.others), 'q2b');
  });

  it('returns nothing for a message that is not there, and survives a circle', () => {
    assert.equal(withBranchTo(linear(), 'gone'), undefined);
    const a = aQuestion({ id: 'a', parentId: 'b' });
    const b = aReply({ id: 'b', parentId: 'a' });
    assert.equal(path(withBranchTo(aThread({ messages: [a, b] }), 'b') ?? assert.fail()), 'a,b');
  });
});
