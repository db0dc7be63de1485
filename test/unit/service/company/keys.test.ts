import assert from 'node:assert/strict';
import { createKey, hashOfKey, KeyError, KnownKeys } from '../../../../src/service/company/keys';
import type { KeyRecord, KeyRecords } from '../../../../src/service/company/stores';
import { FakeClock } from '../../../fakes/fakeClock';

class MemoryKeys implements KeyRecords {
  readonly stored = new Map<string, KeyRecord>();
  lookUps = 0;

  find(hash: string): Promise<KeyRecord | undefined> {
    this.lookUps++;
    return Promise.resolve(this.stored.get(hash));
  }

  list(): Promise<readonly KeyRecord[]> {
    return Promise.resolve([...this.stored.values()]);
  }

  add(hash: string, record: KeyRecord): Promise<void> {
    this.stored.set(hash, record);
    return Promise.resolve();
  }

  remove(id: string): Promise<boolean> {
    const [hash] = [...this.stored].find(([, record]) => record.id === id) ?? [];
    return Promise.resolve(hash !== undefined && this.stored.delete(hash));
  }
}

describe('keys of the service', () => {
  it('are stored by their hash, without their text', async () => {
    const keys = new MemoryKeys();
    const { key, record } = await createKey(keys, { kind: 'admin', name: 'ci' }, 0);
    assert.match(key, /^docs_(?!dsc_|us_)[0-9a-f]{48}$/);
    assert.deepEqual([...keys.stored], [[hashOfKey(key), record]]);
    assert.ok(!JSON.stringify([...keys.stored]).includes(key.slice(-12)));
  });

  it('of the assistant look as the API documents them', async () => {
    const { key } = await createKey(new MemoryKeys(), { kind: 'assistant', name: 'web' }, 0);
    assert.match(key, /^docs_dsc_[0-9a-f]{48}$/);
  });

  it('of an administrator are at most two with one name, until one is revoked or has expired', async () => {
    const keys = new MemoryKeys();
    const wanted = { kind: 'admin', name: 'ci' } as const;
    const first = await createKey(keys, wanted, 0);
    await createKey(keys, { ...wanted, days: 1 }, 0);
    await assert.rejects(createKey(keys, wanted, 0), KeyError);
    await createKey(keys, { ...wanted, name: 'other' }, 0);
    await createKey(keys, wanted, 2 * 24 * 60 * 60 * 1000);
    await assert.rejects(createKey(keys, wanted, 2 * 24 * 60 * 60 * 1000), KeyError);
    await keys.remove(first.record.id);
    await createKey(keys, wanted, 2 * 24 * 60 * 60 * 1000);
  });

  it('are looked up once in five seconds, so a revoked key works no longer than that', async () => {
    const clock = new FakeClock();
    const keys = new MemoryKeys();
    const { key, record } = await createKey(keys, { kind: 'assistant', name: 'a' }, clock.now());
    const known = new KnownKeys(keys, clock);
    assert.equal((await known.find(key))?.id, record.id);
    await keys.remove(record.id);
    assert.equal((await known.find(key))?.id, record.id);
    assert.equal(keys.lookUps, 1);
    await clock.advance(5001);
    assert.equal(await known.find(key), undefined);
  });

  it('that were revoked are not found after the clock was set back', async () => {
    let now = 10_000_000;
    const keys = new MemoryKeys();
    const { key, record } = await createKey(keys, { kind: 'assistant', name: 'a' }, now);
    const known = new KnownKeys(keys, { now: () => now, delay: () => Promise.resolve() });
    assert.ok(await known.find(key));
    await keys.remove(record.id);
    now -= 3_600_000;
    assert.equal(await known.find(key), undefined);
  });

  it('that have expired are not found', async () => {
    const clock = new FakeClock();
    const keys = new MemoryKeys();
    const wanted = { kind: 'assistant', name: 'a', days: 1 } as const;
    const { key } = await createKey(keys, wanted, clock.now());
    const known = new KnownKeys(keys, clock);
    assert.ok(await known.find(key));
    await clock.advance(24 * 60 * 60 * 1000 + 1);
    assert.equal(await known.find(key), undefined);
  });
});
