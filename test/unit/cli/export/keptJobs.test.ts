import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type KeptJob, KeptJobs } from '../../../../src/cli/export/keptJobs';
import { systemClock } from '../../../../src/common/clock';
import type { ExportRecord } from '../../../../src/export/job/record';

const never = new AbortController().signal;

function jobOf(id: string, fields: Partial<ExportRecord> = {}): KeptJob {
  return {
    record: {
      ...{ schemaVersion: 1, id, apiUrl: 'https://api.example.com' },
      ...{ exportDomain: 'docs.example.com', jobId: `job-${id}`, startedAt: 1 },
      ...{ outcome: 'running', ...fields },
    },
  };
}

describe('KeptJobs', () => {
  let folder: string;
  let told: string[];

  const open = (at = folder): KeptJobs =>
    new KeptJobs({
      ...{ folder: at, clock: systemClock },
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
    const [one, other] = [open(), open()];
    await one.save(jobOf('a'));
    await other.change(jobOf('a'), (job) => ({
      ...job,
      record: { ...job.record, outcome: 'completed', endedAt: 5 },
    }));
    const changed = await one.change(jobOf('a'), ({ record }) => ({
      record: { ...record, outcome: 'running', pages: 3 },
    }));
    assert.equal(changed.record.outcome, 'completed');
    assert.equal((await open().list())[0]?.record.endedAt, 5);
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
