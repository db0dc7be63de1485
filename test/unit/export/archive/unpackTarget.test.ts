import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { removeStaleUnpacking, UnpackTarget } from '../../../../src/export/archive/unpackTarget';
import { aTar, aZip } from '../../../builders/archive';
import { FakeClock } from '../../../fakes/fakeClock';
import { UnpackingPlace } from './unpacking';

const files = Array.from({ length: 200 }, (_, index) => ({
  name: `pages/${index}.html`,
  content: `page ${index}`,
}));

describe('The folder that unpackBundle creates', () => {
  let place: UnpackingPlace;
  beforeEach(async () => {
    place = await UnpackingPlace.create();
  });
  afterEach(() => place.remove());

  it('is not created if a folder exists, even an empty one', async () => {
    await mkdir(place.target);
    const onProgress = (): void => assert.fail('It was unpacked before it was refused.');
    await assert.rejects(place.unpack(aTar(files), { onProgress }), {
      code: 'already-exists',
      details: { path: 'site' },
    });
    assert.deepEqual((await readdir(place.folder)).sort(), ['bundle', 'site']);
    assert.deepEqual(await readdir(place.target), []);
  });

  it('is not created if a file or a dead link exists', async () => {
    await writeFile(place.target, 'mine');
    await assert.rejects(place.unpack(aTar(files)), { code: 'already-exists' });
    assert.equal(await readFile(place.target, 'utf8'), 'mine');
    const link = join(place.folder, 'link');
    await symlink(join(place.folder, 'nowhere'), link);
    await assert.rejects(place.unpack(aTar(files), { target: link }), { code: 'already-exists' });
  });

  for (const inside of [[], ['mine']]) {
    it(`does not replace a folder with [${inside.join()}] that appeared meanwhile`, async () => {
      let isMade = false;
      const unpacking = place.unpack(aTar(files), {
        onProgress: () => {
          if (isMade) return;
          isMade = true;
          mkdirSync(join(place.target, ...inside), { recursive: true });
        },
      });
      await assert.rejects(unpacking, { code: 'already-exists' });
      assert.deepEqual(await readdir(place.target), inside);
      assert.deepEqual((await readdir(place.folder)).sort(), ['bundle', 'site']);
    });
  }

  it('appears only when its content is complete', async () => {
    const seen = new Set<string>();
    const modes = new Set<number>();
    const reading: Promise<void>[] = [];
    await place.unpack(aTar(files), {
      onProgress: ({ files: count }) => {
        if (count === files.length) return;
        const look = async (): Promise<void> => {
          for (const name of await readdir(place.folder)) {
            seen.add(name);
            const isTemporary = name.endsWith('.unpacking');
            if (isTemporary) modes.add((await stat(join(place.folder, name))).mode & 0o777);
          }
        };
        reading.push(look());
      },
    });
    await Promise.all(reading);
    assert.equal(
      [...seen].some((name) => /^\.site\.[\w-]+\.unpacking$/.test(name)),
      true,
    );
    assert.equal(seen.has('site'), false);
    // Windows has no such modes.
    if (process.platform !== 'win32') assert.deepEqual([...modes], [0o700]);
    assert.deepEqual((await readdir(place.folder)).sort(), ['bundle', 'site']);
    assert.equal(Object.keys(await place.unpacked()).length, files.length);
  });

  for (const [format, archive] of [
    ['tar.gz', gzipSync(aTar(files))],
    ['zip', aZip(files)],
  ] as const) {
    it(`is removed after a cancellation in the middle of a ${format}`, async () => {
      const cancel = new AbortController();
      const reason = new Error('cancelled');
      const unpacking = place.unpack(archive, {
        signal: cancel.signal,
        onProgress: () => {
          cancel.abort(reason);
        },
      });
      await assert.rejects(unpacking, (error) => error === reason);
      assert.deepEqual(await readdir(place.folder), ['bundle']);
    });

    it(`is removed after a cancellation in the middle of a file of a ${format}`, async () => {
      const content = Buffer.alloc(8_000_000, 'abc');
      const large =
        format === 'zip' ? aZip([{ name: 'a', content }]) : aTar([{ name: 'a', content }]);
      const cancel = new AbortController();
      const unpacking = place.unpack(large, {
        signal: cancel.signal,
        onProgress: ({ files: count }) => {
          assert.equal(count, 0);
          cancel.abort();
        },
      });
      await assert.rejects(unpacking, { name: 'AbortError' });
      assert.deepEqual(await readdir(place.folder), ['bundle']);
    });
  }

  it('is removed after a cancellation among empty files', async () => {
    const cancel = new AbortController();
    const reports: number[] = [];
    const unpacking = place.unpack(aTar(files.map(({ name }) => ({ name }))), {
      signal: cancel.signal,
      onProgress: ({ files: count }) => {
        reports.push(count);
        cancel.abort();
      },
    });
    await assert.rejects(unpacking, { name: 'AbortError' });
    assert.deepEqual(reports, [50]);
    assert.deepEqual(await readdir(place.folder), ['bundle']);
  });

  it('is not created after a cancellation', async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(place.unpack(aTar(files), { signal }), { name: 'AbortError' });
    assert.deepEqual(await readdir(place.folder), ['bundle']);
  });

  it('is removed when a progress callback throws, and the error is passed on', async () => {
    const failure = new Error('shown nowhere');
    const unpacking = place.unpack(aTar(files), {
      onProgress: () => {
        throw failure;
      },
    });
    await assert.rejects(unpacking, (error) => error === failure);
    assert.deepEqual(await readdir(place.folder), ['bundle']);
  });

  for (const [code, refusal] of [
    ['ENOSPC', 'disk-full'],
    ['EROFS', 'not-writable'],
  ] as const) {
    it(`D19: is removed when the disk reports ${code} midway`, async () => {
      let written = 0;
      const { path: shown } = await place.refuses(aTar(files), refusal, {
        writeFile: (file, content, options) => {
          written += 1;
          if (written < 3) return writeFile(file, content, options);
          return code === 'ENOSPC' && existsSync('/dev/full')
            ? writeFile('/dev/full', content)
            : Promise.reject(Object.assign(new Error(`${code}: write`), { code }));
        },
      });
      assert.equal(written, 3);
      assert.equal(shown, code === 'ENOSPC' ? 'site' : place.folder);
    });
  }

  it('can have a name as long as the file system allows', async () => {
    const target = join(place.folder, 'x'.repeat(255));
    const { siteRoot } = await place.unpack(aTar(files), { target });
    assert.equal(siteRoot, join(target, 'pages'));
    assert.equal((await readdir(siteRoot)).length, files.length);
  });

  it('is reported as not writable when its parent is missing or a file', async () => {
    for (const target of [join(place.folder, 'missing', 'site'), join(place.archive, 'site')]) {
      await assert.rejects(place.unpack(aTar(files), { target }), { code: 'not-writable' });
    }
    assert.deepEqual(await readdir(place.folder), ['bundle']);
  });

  it('does not overwrite a file when the file system treats two names as one', async () => {
    const target = await UnpackTarget.create(place.target, 'id');
    try {
      // As if an earlier entry had made it under a name that this code holds for different.
      await writeFile(join(place.folder, '.site.id.unpacking', 'site', 'a.html'), 'first');
      const second = target.addFile('a.html', ['a.html'], contentOf('second'));
      await assert.rejects(second, { code: 'unsafe-archive' });
    } finally {
      await target.discard();
    }
    assert.deepEqual(await readdir(place.folder), []);
  });

  it('passes on errors of a file’s content, whatever their code', async () => {
    const target = await UnpackTarget.create(place.target, 'id');
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    try {
      await assert.rejects(target.addFile('a', ['a'], failing(full)), (error) => error === full);
    } finally {
      await target.discard();
    }
  });
});

describe('removeStaleUnpacking', () => {
  let place: UnpackingPlace;
  beforeEach(async () => {
    place = await UnpackingPlace.create();
  });
  afterEach(() => place.remove());

  it('removes only folders that were left more than a day ago', async () => {
    const now = Date.UTC(2026, 0, 10);
    const old = new Date(now - 25 * 60 * 60 * 1000);
    const recent = new Date(now - 60 * 60 * 1000);
    const left: readonly (readonly [string, Date])[] = [
      ['.site.0b5c-1.unpacking', old],
      ['.site.recent.unpacking', recent],
      ['site.unpacking', old],
      ['.unpacking', old],
      ['site', old],
    ];
    for (const [name, date] of left) {
      await mkdir(join(place.folder, name, 'site'), { recursive: true });
      await utimes(join(place.folder, name), date, date);
    }
    await writeFile(join(place.folder, '.file.1.unpacking'), 'a file');
    await utimes(join(place.folder, '.file.1.unpacking'), old, old);
    await symlink(join(place.folder, 'site'), join(place.folder, '.link.1.unpacking'));

    assert.equal(await removeStaleUnpacking(place.folder, new FakeClock(now)), 1);
    assert.deepEqual((await readdir(place.folder)).sort(), [
      '.file.1.unpacking',
      '.link.1.unpacking',
      '.site.recent.unpacking',
      '.unpacking',
      'site',
      'site.unpacking',
    ]);
  });

  it('does nothing in a missing folder', async () => {
    const missing = join(place.folder, 'missing');
    assert.equal(await removeStaleUnpacking(missing, new FakeClock(0)), 0);
  });
});

async function* contentOf(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}

async function* failing(error: Error): AsyncGenerator<Buffer> {
  yield await Promise.reject<Buffer>(error);
}
