import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type KeptJob, KeptJobs } from '../../../../src/cli/export/keptJobs';
import { systemClock } from '../../../../src/common/clock';
import type { Clock } from '../../../../src/common/ports';
import { FakeClock } from '../../../fakes/fakeClock';
import type { JobAnswer } from '../../../../src/export/job/answers';
import type { JobEvent } from '../../../../src/export/job/jobState';
import type { ExportRecord } from '../../../../src/export/job/record';

const never = new AbortController().signal;

function jobOf(id: string, fields: Partial<ExportRecord> = {}): KeptJob {
  return {
    record: {
      schemaVersion: 1,
      id,
      apiUrl: 'https://api.example.com',
      exportDomain: 'docs.example.com',
      jobId: `job-${id}`,
      startedAt: 1,
      outcome: 'running',
      ...fields,
    },
  };
}

describe('KeptJobs', () => {
  let folder: string;
  let told: string[];

  const open = (at = folder, clock: Clock = systemClock): KeptJobs =>
    new KeptJobs({
      folder: at,
      clock,
      onWaiting: (host) => told.push(`waiting for ${host}`),
      onUnwritable: (code) => told.push(code),
      onUnreadable: (name) => told.push(name),
    });

  beforeEach(async () => {
    folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-test-')), 'exports');
    told = [];
  });
  afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

  it('keeps jobs for later commands, newest first, for the user alone', async () => {
    await open().save(jobOf('a', { startedAt: 1 }));
    await open().save({ ...jobOf('b', { startedAt: 2, label: 'v2' }), run: { output: '/out' } });
    const kept = await open().list();
    assert.deepEqual(kept, [
      { ...jobOf('b', { startedAt: 2, label: 'v2' }), run: { output: '/out' } },
      jobOf('a', { startedAt: 1 }),
    ]);
    if (process.platform === 'win32') return;
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.equal((await stat(path.join(folder, 'a.json'))).mode & 0o777, 0o600);
  });

  it('applies a change to what is stored, and keeps an end that another command has stored', async () => {
    const answered = (answer: JobAnswer, at: number): JobEvent => ({
      name: 'answered',
      answer,
      at,
    });
    const [one, other] = [open(), open()];
    await one.save(jobOf('a'));
    await other.apply(jobOf('a'), answered({ status: 'completed', outcome: 'completed' }, 5));
    const late = answered({ status: 'running', outcome: 'running', pages: 3 }, 6);
    const changed = await one.apply(jobOf('a'), late);
    assert.equal(changed.record.outcome, 'completed');
    assert.equal((await open().list())[0]?.record.endedAt, 5);
  });

  it('counts a job as running again if its bundle was asked for too early (B5)', async () => {
    const completed = jobOf('a', { outcome: 'completed', status: 'completed', endedAt: 5 });
    await open().save(completed);
    await open().apply(completed, { name: 'bundle-refused' });
    assert.deepEqual(await open().list(), [jobOf('a', { status: 'completed' })]);
  });

  it('lets only one command act at a time, and takes over the lock of a dead command', async () => {
    const lock = path.join(folder, '.start.lock');
    const order: string[] = [];
    const act = (name: string): Promise<void> =>
      open().alone('start', never, async () => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${name} ends`);
      });
    await Promise.all([act('one'), act('two')]);
    assert.deepEqual(
      order.map((line) => line.split(' ')[1]),
      ['begins', 'ends', 'begins', 'ends'],
    );
    // No process has this ID.
    const dead = { pid: 2 ** 30, host: os.hostname(), processStart: 0 };
    await writeFile(lock, JSON.stringify(dead));
    await act('three');
    assert.equal(order.at(-1), 'three ends');
    assert.deepEqual(await readdir(folder), []);
  });

  it('waits for a command of another host while that one lives, and says so', async () => {
    await open().save(jobOf('a'));
    const lock = path.join(folder, '.start.lock');
    // Containers that share a folder have a host name each. No process has this ID.
    await writeFile(lock, JSON.stringify({ pid: 2 ** 30, host: 'elsewhere', processStart: 0 }));
    const clock = new FakeClock();
    let isDone = false;
    const acting = open(folder, clock)
      .alone('start', never, () => Promise.resolve())
      .then(() => (isDone = true));
    const pass = async (seconds: number): Promise<void> => {
      for (let step = 0; step < seconds * 5 && !isDone; step++) {
        await Promise.race([clock.whenDelayed(), acting]);
        await clock.advance(200);
      }
    };
    for (let beats = 0; beats < 6; beats++) {
      await utimes(lock, clock.now() / 1000, clock.now() / 1000);
      await pass(20);
    }
    assert.equal(isDone, false);
    await pass(40);
    assert.equal(isDone, true);
    assert.deepEqual(told, ['waiting for elsewhere']);
  });

  it('shows other hosts that it lives while it acts', async () => {
    const lock = path.join(folder, '.start.lock');
    const clock = new FakeClock();
    await open(folder, clock).alone('start', never, async () => {
      await utimes(lock, 1, 1);
      await clock.whenDelayed();
      await clock.advance(5000);
      while ((await stat(lock)).mtimeMs === 1000)
        await new Promise((resolve) => setImmediate(resolve));
    });
    assert.equal(clock.pendingCount, 0);
  });

  it('sets aside a file that is not a job, and reports it once', async () => {
    const jobs = open();
    await jobs.save(jobOf('a'));
    await writeFile(path.join(folder, 'cut.json'), '{"schemaVersion":1,');
    // A job under another name could be written to twice.
    await writeFile(path.join(folder, 'b.json'), await readFile(path.join(folder, 'a.json')));
    await writeFile(path.join(folder, 'new.json'), '{"schemaVersion":2}');
    assert.equal((await jobs.list()).length, 1);
    assert.equal((await jobs.list()).length, 1);
    assert.deepEqual(told.toSorted(), ['b.json', 'cut.json', 'new.json']);
    assert.ok((await readdir(folder)).includes('cut.json.unreadable'));
  });

  it('removes what killed commands left behind for a day, and no other file', async () => {
    const jobs = open();
    await jobs.save(jobOf('a'));
    for (const name of ['a.1.part', 'b.json.unreadable', '.c.starting', '.start.lock', 'notes.txt'])
      await writeFile(path.join(folder, name), '');
    assert.equal((await readdir(folder)).length, 6);
    for (const name of await readdir(folder)) await utimes(path.join(folder, name), 1, 1);
    assert.equal((await jobs.list()).length, 1);
    assert.deepEqual((await readdir(folder)).toSorted(), ['.start.lock', 'a.json', 'notes.txt']);
  });

  it('continues if nothing can be written, and reports it once', async () => {
    await writeFile(path.join(path.dirname(folder), 'file'), '');
    const jobs = open(path.join(path.dirname(folder), 'file', 'exports'));
    await jobs.save(jobOf('a'));
    const changed = await jobs.change(jobOf('a'), ({ record }) => ({
      record: { ...record, pages: 2 },
    }));
    assert.equal(changed.record.pages, 2);
    assert.equal(await jobs.alone('start', never, () => Promise.resolve('done')), 'done');
    assert.deepEqual(await jobs.list(), []);
    assert.equal(told.length, 1);
  });

  it('removes the oldest jobs that have ended, never a running one', async () => {
    const jobs = open();
    await jobs.save(jobOf('running', { startedAt: 0 }));
    for (let index = 1; index <= 101; index++) {
      await jobs.save(jobOf(`ended-${index}`, { startedAt: index, outcome: 'completed' }));
    }
    const ids = (await jobs.list()).map(({ record }) => record.id);
    assert.equal(ids.length, 101);
    assert.equal(ids.at(-1), 'running');
    assert.equal(ids.includes('ended-1'), false);
  });
});
