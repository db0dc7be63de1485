/**
 * A window that asks and reads replies in one thread until it is killed, as its own process:
 * `<folder> <name>`. It prints the id of a reply and how many words of it are stored, or `end`,
 * a line each.
 */
import { randomUUID } from 'node:crypto';
import { ThreadFiles } from '../../../../src/chat/history/threadFiles';
import { titleOf, type Thread, type ThreadMessage } from '../../../../src/chat/conversation/thread';
import { systemClock } from '../../../../src/common/clock';
import { aQuestion, aReply, aThread } from '../../../builders/asking';
import { RecordingLog } from '../../../fakes/recordingLog';
import { wordsUpTo } from './growingReply';

const WORDS_PER_REPLY = 8;

const [folder = '', name = ''] = process.argv.slice(2);
const log = new RecordingLog();
const store = new ThreadFiles({
  folder,
  current: { read: () => undefined, write: () => Promise.resolve() },
  limitBytes: () => Number.POSITIVE_INFINITY,
  clock: systemClock,
  newId: randomUUID,
  log,
});

let thread: Thread = (await store.read('t1')) ?? aThread({ title: titleOf('How?') });

async function write(messages: readonly ThreadMessage[]): Promise<void> {
  thread = { ...thread, updatedAt: new Date().toISOString(), messages };
  await store.write(thread);
}

for (let turn = 0; ; turn++) {
  const before = thread.messages;
  const parentId = before.at(-1)?.id;
  const question = aQuestion({ id: `${name}-q${turn}`, parentId });
  const id = `${name}-r${turn}`;
  for (let count = 0; count <= WORDS_PER_REPLY; count++) {
    const status = count === WORDS_PER_REPLY ? 'complete' : 'streaming';
    const parts = [{ type: 'text' as const, text: wordsUpTo(count) }];
    await write([...before, question, aReply({ id, parentId: question.id, parts, status })]);
    process.stdout.write(`${id} ${status === 'complete' ? 'end' : count}\n`);
  }
  if (log.lines.some(({ level }) => level === 'warn' || level === 'error')) {
    process.stderr.write(log.text());
    process.exit(1);
  }
}
