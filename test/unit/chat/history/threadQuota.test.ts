import assert from 'node:assert/strict';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ThreadFiles } from '../../../../src/chat/history/threadFiles';
import { aFile, aQuestion, aReply, aThread } from '../../../builders/asking';
import { FakeClock } from '../../../fakes/fakeClock';
import { filesIn, useThreadFolders } from './threadFolder';

const { aThreadFolder } = useThreadFolders();

const DAY_MS = 24 * 60 * 60 * 1000;
const site = { id: 'docs', label: 'Docs' };

/**
 * Returns a folder with threads `t1` (the oldest) to `t<count>` of about 10 KB, written long ago.
 */
async function aFullFolder(count: number) {
  const place = await aThreadFolder();
  const clock = new FakeClock(Date.now());
  const old = place.open();
  for (let index = 1; index <= count; index++) await old.write(aThreadOf10Kb(index));
  await old.settled();
  const age = async (ms: number) => {
    const time = new Date(Date.now() - ms);
    for (const name of await filesIn(place.folder)) {
      await utimes(path.join(place.folder, name), time, time);
    }
  };
  await age(DAY_MS);
  const open = (limitBytes: number, current?: string): ThreadFiles =>
    place.open({
      clock,
      limitBytes: () => limitBytes,
      current: { read: () => current, write: () => Promise.resolve() },
    });
  return { ...place, place, clock, age, open };
}

function aThreadOf10Kb(index: number) {
  const parts = [{ type: 'text' as const, text: 'x'.repeat(10_000) }];
  return aThread({
    id: `t${index}`,
    site,
    updatedAt: new Date(Date.UTC(2025, 0, index)).toISOString(),
    messages: [aQuestion({ files: [aFile()] }), aReply({ parentId: 'q1', parts })],
  });
}

async function idsOf(store: ThreadFiles): Promise<string[]> {
  return (await store.list('docs')).map(({ id }) => id).reverse();
}

/** Writes a question that is asked now, after which the store checks how much room is left. */
async function write(store: ThreadFiles, id = 'now'): Promise<void> {
  await store.write(aThread({ id, site, updatedAt: new Date().toISOString() }));
  await store.settled();
}

describe('ThreadFiles and its limit', () => {
  it('lets the oldest threads leave, to the last file and secret', async () => {
    const { folder, forgotten, open } = await aFullFolder(6);
    const store = open(45_000);
    await write(store);
    assert.deepEqual(await idsOf(store), ['t4', 't5', 't6', 'now']);
    assert.deepEqual(forgotten, ['t1', 't2', 't3']);
    const left = [
      ...(await filesIn(folder)),
      ...(await readdir(path.join(folder, (await readdir(folder))[0] ?? ''))),
    ];
    for (const name of left) assert.doesNotMatch(name, /t[123]\./);
  });

  it('lets no thread leave below the limit', async () => {
    const { forgotten, open } = await aFullFolder(4);
    const store = open(60_000);
    await write(store);
    assert.equal((await idsOf(store)).length, 5);
    assert.deepEqual(forgotten, []);
  });

  it('notices when a window gradually exceeds the limit', async () => {
    const { forgotten, open } = await aFullFolder(4);
    const store = open(60_000);
    await write(store);
    for (let index = 11; index <= 13; index++) await store.write(aThreadOf10Kb(index));
    await store.settled();
    assert.deepEqual(forgotten, ['t1', 't2']);
  });

  it('keeps the thread that is shown, and those that are being written', async () => {
    const { forgotten, open } = await aFullFolder(4);
    await open(Number.POSITIVE_INFINITY).write({ ...aThreadOf10Kb(2), title: 'Running' });
    const store = open(1000, 't1');
    await write(store);
    assert.deepEqual(await idsOf(store), ['t1', 't2', 'now']);
    assert.deepEqual(forgotten, ['t3', 't4']);
  });

  it('lets deleted threads leave first', async () => {
    const { forgotten, open } = await aFullFolder(4);
    const store = open(40_000);
    await store.delete('t4');
    await write(store);
    assert.deepEqual(forgotten, ['t4']);
    assert.deepEqual(await idsOf(store), ['t1', 't2', 't3', 'now']);
    assert.equal(await store.restore('t4'), false);
  });

  it('keeps a deleted thread for 30 days, and its secrets as long', async () => {
    const { clock, forgotten, open } = await aFullFolder(2);
    await open(Number.POSITIVE_INFINITY).delete('t1');
    clock.sleep(30 * DAY_MS - 60_000);
    await write(open(Number.POSITIVE_INFINITY));
    assert.deepEqual(forgotten, []);
    clock.sleep(120_000);
    const store = open(Number.POSITIVE_INFINITY);
    await write(store);
    assert.deepEqual(forgotten, ['t1']);
    assert.equal(await store.restore('t1'), false);
    assert.deepEqual(await idsOf(store), ['t2', 'now']);
  });

  for (const [why, limitBytes] of [
    ['was deleted', Number.POSITIVE_INFINITY],
    ['is the oldest', 15_000],
  ] as const) {
    it(`lets a thread leave whole that got its site after its first question and ${why}`, async () => {
      const { folder, clock, age, forgotten, open } = await aFullFolder(2);
      const thread = { ...aThreadOf10Kb(0), id: 't0' };
      const store = open(Number.POSITIVE_INFINITY);
      await store.write({ ...thread, site: { id: 'none', label: '' } });
      await store.write(thread);
      await age(DAY_MS);
      if (limitBytes === Number.POSITIVE_INFINITY) await store.delete('t0');
      clock.sleep(31 * DAY_MS);
      await write(open(limitBytes));
      assert.equal(forgotten[0], 't0');
      assert.ok((await filesIn(folder)).every((name) => !/\bt0\./.test(name)));
    });
  }

  it('does not let go what a newer version wrote', async () => {
    const { folder, age, forgotten, open } = await aFullFolder(2);
    const [first = ''] = (await filesIn(folder)).filter((name) => name.endsWith('.json'));
    await writeFile(path.join(folder, first), JSON.stringify({ format: 2 }));
    await age(DAY_MS);
    await write(open(10));
    assert.deepEqual(forgotten, ['t2']);
    assert.ok((await filesIn(folder)).includes(first));
  });

  it('finishes a removal that was cut short', async () => {
    const { folder, clock, forgotten, open } = await aFullFolder(1);
    await open(Number.POSITIVE_INFINITY).delete('t1');
    const place = path.join(folder, (await readdir(folder))[0] ?? '');
    for (const name of await readdir(place)) {
      if (!name.endsWith('.deleted')) await rm(path.join(place, name), { recursive: true });
    }
    clock.sleep(31 * DAY_MS);
    await write(open(Number.POSITIVE_INFINITY));
    assert.deepEqual(forgotten, ['t1']);
    assert.ok((await readdir(place)).every((name) => !name.startsWith('t1.')));
  });

  it('sweeps up what a window left half written, once nobody writes it any more', async () => {
    const { folder, age, open } = await aFullFolder(1);
    const place = path.join(folder, (await readdir(folder))[0] ?? '');
    await writeFile(path.join(place, '.part-old'), 'x');
    await age(2 * 60 * 60 * 1000);
    await writeFile(path.join(place, '.part-new'), 'x');
    await write(open(Number.POSITIVE_INFINITY));
    const parts = (await readdir(place)).filter((name) => name.startsWith('.part-'));
    assert.deepEqual(parts, ['.part-new']);
  });

  it('keeps the twenty newest of those that could not be read, and says that others went', async () => {
    const { folder, log, open } = await aFullFolder(25);
    for (const name of await filesIn(folder)) {
      if (name.endsWith('.json')) await writeFile(path.join(folder, name), 'x');
    }
    await open(Number.POSITIVE_INFINITY).list('docs');
    await write(open(Number.POSITIVE_INFINITY));
    const aside = (await filesIn(folder)).filter((name) => name.startsWith('set-aside'));
    assert.equal(aside.length, 20);
    assert.equal(log.messages('warn').filter((line) => line.includes('removed: 5')).length, 1);
  });

  it('goes on where the secrets of a thread cannot be removed', async () => {
    const { folder, log, place, open } = await aFullFolder(3);
    const isLocked = { value: true };
    const locked = () => {
      if (isLocked.value) throw new Error('locked');
    };
    const store = place.open({ limitBytes: () => 1000, onDidForget: locked });
    await write(store);
    assert.deepEqual(await idsOf(store), ['now']);
    assert.equal(log.messages('warn').length, 3);
    log.assertNoErrors();
    const marks = async () => (await filesIn(folder)).filter((name) => name.endsWith('.deleted'));
    assert.equal((await marks()).length, 3);
    isLocked.value = false;
    const forgotten: string[] = [];
    const later = place.open({ limitBytes: () => 1, onDidForget: (id) => void forgotten.push(id) });
    await write(later);
    assert.deepEqual(forgotten.sort(), ['t1', 't2', 't3']);
    assert.deepEqual(await marks(), []);
    assert.ok(await open(1).read('now'));
  });
});
