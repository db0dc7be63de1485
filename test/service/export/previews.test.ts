import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Previews } from '../../../src/export/preview/previews';
import { RecordingLog } from '../../fakes/recordingLog';

describe('Previews of a window', () => {
  let folder: string;
  let previews: Previews;
  let changes: number;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-previews-'));
    await writeFile(path.join(folder, 'index.html'), '<h1>Home</h1>');
    let ids = 0;
    previews = new Previews({ newId: () => `p${++ids}`, log: new RecordingLog() });
    changes = 0;
    previews.onDidChange(() => {
      changes++;
    });
  });
  afterEach(async () => {
    previews.dispose();
    await rm(folder, { recursive: true });
  });

  const isThere = async (url: string): Promise<boolean> =>
    fetch(url).then(
      async (response) => (await response.text()).includes('Home'),
      () => false,
    );

  it('serve each folder once, even if it is requested twice at once', async () => {
    const [one, two] = await Promise.all([
      previews.start(folder, 'docs'),
      previews.start(folder, 'docs'),
    ]);
    assert.equal(one.id, two.id);
    assert.deepEqual(previews.list, [one]);
    assert.equal(changes, 1);
    assert.ok(await isThere(one.url));
  });

  it('serve a folder again below the path that a check has found since', async () => {
    const top = await previews.start(folder, 'docs');
    const below = await previews.start(folder, 'docs', '/docs');
    assert.match(below.url, /:\d+\/docs\/$/);
    assert.ok(await isThere(below.url));
    assert.equal(await isThere(top.url), false);
    assert.deepEqual(
      previews.list.map(({ id }) => id),
      [below.id],
    );
  });

  it('start after an earlier start failed', async () => {
    const gone = path.join(folder, 'gone');
    const failing = previews.start(gone, 'gone');
    const next = failing.catch(() => mkdir(gone)).then(() => previews.start(gone, 'gone'));
    await assert.rejects(failing, { code: 'file-gone' });
    await next;
    assert.equal(previews.list.length, 1);
  });

  it('are listed until they are stopped', async () => {
    const { id, url } = await previews.start(folder, 'docs');
    await previews.stop(id);
    assert.deepEqual(previews.list, []);
    assert.equal(changes, 2);
    assert.equal(await isThere(url), false);
  });

  it('end with the window, even while they are starting', async () => {
    const running = await previews.start(folder, 'docs');
    const other = path.join(folder, 'other');
    await mkdir(other);
    await writeFile(path.join(other, 'index.html'), '<h1>Home</h1>');
    const starting = previews.start(other, 'other');
    previews.dispose();
    const late = await starting;
    assert.equal(await isThere(running.url), false);
    assert.equal(await isThere(late.url), false);
    assert.deepEqual(previews.list, []);
  });
});
