import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { allMessages } from '../../../../src/chat/history/threadRecord';
import type { ThreadFiles } from '../../../../src/chat/history/threadFiles';
import { aQuestion, aReply, aThread } from '../../../builders/asking';
import { wordsUpTo } from './growingReply';
import { useThreadFolders } from './threadFolder';

/**
 * Text that a writer said it has stored: the number of words of each reply by its ID, or all of it.
 */
type Acknowledged = Map<string, number | 'end'>;

class Writer {
  readonly acknowledged: Acknowledged = new Map();
  readonly #child: ChildProcess;
  readonly #end: Promise<unknown>;
  #lineCount = 0;
  #waiting: { count: number; resolve: () => void } | undefined;
  stderr = '';

  constructor(program: string, folder: string, name: string) {
    const child = spawn(process.execPath, [program, folder, name]);
    this.#child = child;
    this.#end = once(child, 'close');
    child.stderr.on('data', (text: Buffer) => (this.stderr += text.toString()));
    createInterface(child.stdout).on('line', (line) => {
      const [id = '', count = ''] = line.split(' ');
      this.acknowledged.set(id, count === 'end' ? 'end' : Number(count));
      this.#lineCount++;
      if (this.#waiting && this.#lineCount >= this.#waiting.count) this.#waiting.resolve();
    });
    child.once('close', () => this.#waiting?.resolve());
  }

  /** Resolves when it has written so often. */
  async whenWritten(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      if (this.#lineCount >= count) resolve();
      else this.#waiting = { count, resolve };
    });
    assert.equal(this.stderr, '');
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#end;
  }
}

/** Asserts the acknowledged state: all of it is there, unharmed, and at most one state more. */
async function assertStored(store: ThreadFiles, acknowledged: Acknowledged): Promise<void> {
  const thread = await store.read('t1');
  assert.ok(thread);
  const replies = new Map(allMessages(thread).map((message) => [message.id, message]));
  for (const [id, count] of acknowledged) {
    const reply = replies.get(id);
    assert.ok(reply?.role === 'assistant', id);
    const [part] = reply.parts;
    const text = part?.type === 'text' ? part.text : '';
    const words = text === '' ? 0 : text.split(' ').length;
    assert.equal(text, wordsUpTo(words));
    if (count === 'end') assert.equal(reply.status, 'complete');
    else assert.ok(words === count || words === count + 1, `${words} words of ${count} in ${id}`);
  }
}

describe('a window that is killed while it writes', function () {
  const { aFolder, aThreadFolder } = useThreadFolders();
  this.timeout(120_000);
  let program = '';

  beforeEach(async () => {
    program = path.join(await aFolder(), 'writerProcess.mjs');
    await build({
      entryPoints: ['test/unit/chat/history/writerProcess.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: program,
      logLevel: 'error',
    });
  });

  it('loses nothing that was written, however often it happens', async () => {
    const { folder, log, open } = await aThreadFolder();
    const long = aReply({ parentId: 'q1', parts: [{ type: 'text', text: 'x'.repeat(100_000) }] });
    await open().write(aThread({ messages: [aQuestion(), long] }));
    const all: Acknowledged = new Map();
    for (let run = 0; run < 8; run++) {
      const writer = new Writer(program, folder, `w${run}`);
      // From soon after the start to somewhere within the writes that follow.
      await writer.whenWritten(1 + run * 3);
      await writer.kill();
      for (const [id, count] of writer.acknowledged) all.set(id, count);
      await assertStored(open(), writer.acknowledged);
    }
    const ended = new Map([...all].filter(([, count]) => count === 'end'));
    assert.ok(ended.size > 0);
    await assertStored(open(), ended);
    assert.equal((await open().list('')).length, 1);
    assert.deepEqual(log.messages('warn'), []);
    log.assertNoErrors();
  });

  it('takes nothing away from a window that writes the same thread', async () => {
    const { folder, log, open } = await aThreadFolder();
    await open().write(aThread());
    const survivor = new Writer(program, folder, 'survivor');
    for (let run = 0; run < 3; run++) {
      const victim = new Writer(program, folder, `victim${run}`);
      await victim.whenWritten(2 + run * 5);
      await survivor.whenWritten(5 * (run + 1));
      await victim.kill();
      await assertStored(open(), victim.acknowledged);
    }
    await survivor.whenWritten(30);
    await survivor.kill();
    await assertStored(open(), survivor.acknowledged);
    assert.deepEqual(log.messages('warn'), []);
    log.assertNoErrors();
  });
});
