/** faults.md C6, C8, D19, E8, E9: what a download leaves on disk, whatever the disk is like. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../src/common/clock';
import { ExportError, type ExportErrorCode } from '../../../src/export/exportErrors';
import type { OpenFile } from '../../../src/export/download/partFile';
import { archiveOf, Downloading, sha256, type Downloaded } from './downloading';

const SIZE = 1_500_000;
const CUT = 900_000;

describe('downloadBundle: the disk', () => {
  const content = archiveOf(SIZE);
  let at: Downloading;
  let part: string;

  beforeEach(async () => {
    at = await Downloading.start(content);
    part = path.join(at.folder, '.bundle.tar.gz.part');
  });

  afterEach(async () => {
    await at.stop();
    at.log.assertNoErrors();
  });

  const assertWhole = ({ archive, error }: Downloaded): void => {
    assert.equal(error, undefined);
    assert.equal(archive?.sha256, sha256(content));
    assert.ok(readFileSync(at.target).equals(content));
    assert.deepEqual(at.files, ['bundle.tar.gz']);
  };

  const assertFails = (
    { error }: Downloaded,
    code: ExportErrorCode,
    causeCode?: string,
  ): ExportError => {
    assert.ok(error instanceof ExportError, String(error));
    assert.equal(error.code, code);
    assert.equal(error.details.causeCode, causeCode);
    return error;
  };

  /** Leaves the first bytes and their note, as a download that broke off does. */
  const breakOff = async (): Promise<void> => {
    at.store.queue({ cutAfter: CUT }, ...Array<{ hangUp: true }>(6).fill({ hangUp: true }));
    const { error } = await at.run();
    assert.ok(error instanceof ExportError && error.code === 'download-broken');
    assert.ok(readFileSync(part).equals(content.subarray(0, CUT)));
    at.store.requests.length = 0;
  };

  describe('an existing file', () => {
    it('is not changed, and nothing is fetched', async () => {
      writeFileSync(at.target, 'mine');
      const { details } = assertFails(await at.run(), 'already-exists');
      assert.equal(details.path, at.target);
      assert.equal(readFileSync(at.target, 'utf8'), 'mine');
      assert.deepEqual(at.files, ['bundle.tar.gz']);
      assert.equal(at.store.requests.length, 0);
    });

    it('is replaced in one step on request', async () => {
      writeFileSync(at.target, 'mine');
      at.store.queue({ cutAfter: CUT });
      const seen = new Set<string>();
      const onProgress = (): void => {
        if (readFileSync(at.target).length === 4) seen.add(readFileSync(at.target, 'utf8'));
      };
      assertWhole(await at.run({ overwrite: true, onProgress }));
      assert.deepEqual([...seen], ['mine']);
    });

    it('is kept when the download that was to replace it fails', async () => {
      writeFileSync(at.target, 'mine');
      at.store.queue({ answer: { status: 200, body: '<html></html>' } });
      assertFails(await at.run({ overwrite: true }), 'not-an-archive');
      assert.equal(readFileSync(at.target, 'utf8'), 'mine');
      assert.deepEqual(at.files, ['bundle.tar.gz']);
    });

    it('is not changed if it appeared during the download, and what arrived is kept', async () => {
      at.store.queue({ before: () => writeFileSync(at.target, 'mine') });
      assertFails(await at.run(), 'already-exists');
      assert.equal(readFileSync(at.target, 'utf8'), 'mine');
      at.store.requests.length = 0;
      assertWhole(await at.run({ overwrite: true }));
      assert.equal(at.store.requests.length, 1);
      assert.equal(at.store.request(0).headers.range, `bytes=${SIZE - 1}-`);
    });

    it('cannot be a folder', async () => {
      mkdirSync(at.target);
      assertFails(await at.run({ overwrite: true }), 'not-writable', 'EISDIR');
      assert.deepEqual(at.files, ['bundle.tar.gz']);
    });

    it('cannot be a device, whose place the bundle would take', async function () {
      if (process.platform === 'win32') this.skip();
      symlinkSync(os.devNull, at.target);
      assertFails(await at.run({ overwrite: true }), 'not-writable', 'EINVAL');
      assert.equal(readlinkSync(at.target), os.devNull);
      assert.equal(at.store.requests.length, 0);
    });
  });

  describe('a folder that cannot be written', () => {
    const target = (): string => path.join(at.folder, 'closed', 'bundle.tar.gz');

    // Windows has no folders of that kind, and root may write everywhere but as somebody else.
    if (process.platform !== 'win32') {
      it('is reported before anything is fetched', async () => {
        const isRoot = process.getuid?.() === 0;
        mkdirSync(path.dirname(target()), { mode: 0o555 });
        chmodSync(at.folder, 0o755);
        if (isRoot) process.seteuid?.(65_534);
        const downloaded = await at.run({ target: target() }).finally(() => {
          if (isRoot) process.seteuid?.(0);
        });
        const { details } = assertFails(downloaded, 'not-writable', 'EACCES');
        assert.equal(details.path, path.dirname(target()));
        assert.equal(at.store.requests.length, 0);
      });
    }

    it('is reported if it is missing', async () => {
      assertFails(await at.run({ target: target() }), 'not-writable', 'ENOENT');
      assert.equal(at.store.requests.length, 0);
    });

    it('is reported if it is a file', async () => {
      writeFileSync(path.dirname(target()), '');
      const { error } = await at.run({ target: target() });
      assert.ok(error instanceof ExportError);
      assert.equal(error.code, 'not-writable');
      assert.equal(at.store.requests.length, 0);
    });

    it('is reported if it becomes read-only midway, as a drive can', async () => {
      const downloaded = await at.run({ openFile: failingWith('EROFS') });
      assertFails(downloaded, 'not-writable', 'EROFS');
    });
  });

  describe('a full disk', () => {
    it('is reported before the first byte, if the store sends the size of the archive', async () => {
      // No disk has as much room.
      const headers = { 'content-length': String(9e14) };
      at.store.queue({ headers, stallAfter: 600_000 });
      const { details } = assertFails(await at.run(), 'disk-full');
      assert.equal(details.path, 'bundle.tar.gz');
      assert.deepEqual(at.files, []);
      await at.store.until(() => at.store.request(0).isBroken);
    });

    it('is reported when it fills up midway, and gets its space back', async () => {
      const downloaded = await at.run({ openFile: failingWith('ENOSPC') });
      assertFails(downloaded, 'disk-full', 'ENOSPC');
      assert.deepEqual(at.files, []);
    });
  });

  describe('a download that is canceled', () => {
    const reason = new Error('The person cancelled');

    it('C8: leaves nothing, and its connection is closed', async () => {
      const cancelling = new AbortController();
      at.store.queue({ stallAfter: CUT });
      const running = at.run({ signal: cancelling.signal });
      await at.store.until(() => at.store.requests.length === 1);
      cancelling.abort(reason);
      assert.equal((await running).error, reason);
      assert.deepEqual(at.files, []);
      await at.store.until(() => at.store.request(0).isBroken);
      assert.equal(at.clock.pendingCount, 0);
    });

    it('C8: leaves nothing of an earlier download', async () => {
      await breakOff();
      const cancelling = new AbortController();
      at.store.queue({ before: () => cancelling.abort(reason), stallAfter: 0 });
      assert.equal((await at.run({ signal: cancelling.signal })).error, reason);
      assert.deepEqual(at.files, []);
    });

    it('C8: stops while it waits to try again', async () => {
      const cancelling = new AbortController();
      at.store.queue({ cutAfter: CUT });
      const { error } = await at.run({
        signal: cancelling.signal,
        onProgress: ({ state }) => {
          if (state === 'waiting') cancelling.abort(reason);
        },
      });
      assert.equal(error, reason);
      assert.equal(at.store.requests.length, 1);
      assert.deepEqual(at.files, []);
    });

    it('does nothing if it was already canceled', async () => {
      assert.equal((await at.run({ signal: AbortSignal.abort(reason) })).error, reason);
      assert.deepEqual(at.files, []);
      assert.equal(at.store.requests.length, 0);
    });
  });

  describe('what an earlier download left', () => {
    it('is resumed, and the SHA-256 is that of the whole archive', async () => {
      await breakOff();
      const downloaded = await at.run();
      assertWhole(downloaded);
      assert.equal(at.store.request(0).headers.range, `bytes=${CUT}-`);
      assert.equal(downloaded.progress[0]?.receivedBytes, CUT);
    });

    it('is discarded if the archive has changed', async () => {
      await breakOff();
      const old = at.store.content;
      at.store.content = archiveOf(SIZE);
      const { archive } = await at.run();
      assert.equal(archive?.sha256, sha256(at.store.content));
      assert.notDeepEqual(at.store.content, old);
    });

    for (const note of ['', '{', '{"schemaVersion":2,"address":"x"}', '[]', '{"totalBytes":-1}']) {
      it(`is discarded if its note cannot be read: ${note || 'empty'}`, async () => {
        await breakOff();
        writeFileSync(`${part}.json`, note);
        assertWhole(await at.run());
        assert.equal(at.store.request(0).headers.range, undefined);
      });
    }

    it('is cut if it is longer than its archive', async () => {
      await breakOff();
      writeFileSync(part, Buffer.concat([content, content]));
      assertWhole(await at.run());
      assert.equal(at.store.request(0).headers.range, `bytes=${SIZE - 1}-`);
    });

    if (process.platform !== 'win32') {
      it('is never followed if it is a link', async () => {
        await breakOff();
        const elsewhere = path.join(at.folder, 'elsewhere');
        writeFileSync(elsewhere, 'mine');
        rmSync(part);
        symlinkSync(elsewhere, part);
        await at.run();
        assert.equal(readFileSync(elsewhere, 'utf8'), 'mine');
        assert.ok(readFileSync(at.target).equals(content));
      });
    }
  });

  describe('two downloads of one file', () => {
    it('C6: the second is refused while the first runs, and does no harm', async () => {
      at.store.queue({ stallAfter: CUT });
      const stopping = new AbortController();
      const first = at.run({ signal: stopping.signal });
      await at.store.until(() => at.store.requests.length === 1);
      assertFails(await at.run(), 'download-under-way');
      assert.ok(existsSync(part));
      stopping.abort(new Error('over'));
      await first;
      assertWhole(await at.run());
    });

    const lockOf = (fields: object): string =>
      JSON.stringify({ pid: process.pid, host: os.hostname(), processStart: 0, ...fields });

    /** The id of a process that has ended. */
    const deadPid = (): number => spawnSync(process.execPath, ['--version']).pid;

    for (const [name, lock] of [
      ['of a process that died', () => lockOf({ pid: deadPid() })],
      ['of an earlier process with this one’s number', () => lockOf({})],
    ] as const) {
      it(`E9: take over a lock ${name}, and resume its download`, async () => {
        await breakOff();
        writeFileSync(`${part}.lock`, lock());
        assertWhole(await at.run());
        assert.equal(at.store.request(0).headers.range, `bytes=${CUT}-`);
      });
    }

    it('E9: take over a lock that nobody touched for long, whoever has its number now', async () => {
      writeFileSync(`${part}.lock`, lockOf({ pid: process.ppid }));
      assertFails(await at.run({ clock: systemClock }), 'download-under-way');
      const longAgo = new Date(Date.now() - 3_600_000);
      utimesSync(`${part}.lock`, longAgo, longAgo);
      assertWhole(await at.run({ clock: systemClock }));
    });

    it('E9: respect a lock of another machine on a shared drive until nobody touches it', async () => {
      writeFileSync(`${part}.lock`, lockOf({ host: 'elsewhere', pid: deadPid() }));
      assertFails(await at.run({ clock: systemClock }), 'download-under-way');
    });
  });
});

/**
 * Returns a file whose writes fail after the first, with the system's own error where there is one.
 */
function failingWith(code: string): OpenFile {
  return async (file, flags) => {
    const handle = await open(file, flags);
    const write = handle.writev.bind(handle);
    let writes = 0;
    const writev: typeof handle.writev = async (buffers, position) => {
      writes += 1;
      if (writes === 1) return write(buffers, position);
      if (code !== 'ENOSPC' || !existsSync('/dev/full')) {
        throw Object.assign(new Error(`${code}: write`), { code });
      }
      const full = await open('/dev/full', 'r+');
      try {
        return await full.writev(buffers);
      } finally {
        await full.close();
      }
    };
    return Object.assign(handle, { writev });
  };
}
