import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FileClaims } from '../../../../src/export/job/claims';
import { FakeClock } from '../../../fakes/fakeClock';
import { RecordingLog } from '../../../fakes/recordingLog';

describe('FileClaims', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'claims-'));
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  /** Returns the claims of one more window over a folder. */
  const aWindow = (folder = path.join(root, 'claims'), now = Date.now()) => {
    const log = new RecordingLog();
    return { log, claims: new FileClaims({ folder, clock: new FakeClock(now), log }) };
  };

  it('grants a name to one of many windows that claim it at once', async () => {
    const granted = await Promise.all(
      Array.from({ length: 20 }, () => aWindow().claims.claim('export-end:e1')),
    );
    assert.equal(granted.filter(Boolean).length, 1);
    assert.equal(await aWindow().claims.claim('export-end:e1'), false);
  });

  it('keeps names apart, whatever is in them', async () => {
    const { claims } = aWindow();
    for (const name of ['a', 'A', '../a', 'a/b', 'con', 'x'.repeat(5000), 'a\0b']) {
      assert.equal(await claims.claim(name), true, name);
    }
    assert.deepEqual(await readdir(root), ['claims']);
  });

  it('grants every claim and logs it if the storage is not writable', async () => {
    const file = path.join(root, 'file');
    await writeFile(file, '');
    const { claims, log } = aWindow(path.join(file, 'claims'));
    assert.equal(await claims.claim('a'), true);
    assert.equal(await claims.claim('a'), true);
    assert.match(log.messages('warn')[0] ?? '', /could not be written \(ENOTDIR\)/);
    assert.ok(!log.text().includes(root));
  });

  it('removes only old claims', async () => {
    await aWindow().claims.claim('old');
    const folder = path.join(root, 'claims');
    const [old = ''] = await readdir(folder);
    await utimes(path.join(folder, old), 1, 1);
    await aWindow().claims.claim('new');
    const left = await readdir(folder);
    assert.equal(left.length, 1);
    assert.ok(!left.includes(old));
    assert.equal(await aWindow().claims.claim('new'), false);
  });

  it('continues if another window has already removed some old claims', async () => {
    await aWindow().claims.claim('old');
    const folder = path.join(root, 'claims');
    const [old = ''] = await readdir(folder);
    await utimes(path.join(folder, old), 1, 1);
    // A link to nowhere is listed and is not there, as what was removed in between.
    for (let each = 0; each < 20; each++) {
      await symlink('nowhere', path.join(folder, `gone-${each}`));
    }
    const { claims, log } = aWindow();
    await claims.claim('new');
    assert.ok(!(await readdir(folder)).includes(old));
    assert.deepEqual(log.messages('warn'), []);
  });
});
