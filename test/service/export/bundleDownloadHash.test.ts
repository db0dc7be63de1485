/** The SHA-256 that a download returns. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ExportError } from '../../../src/export/exportErrors';
import { archiveOf, Downloading, sha256, type Downloaded } from './downloading';

const SIZE = 3_000_000;
const CUT = 1_800_000;

const places = {
  'on this thread': {},
  'in a worker thread': { hashScript: path.resolve('dist/hashArchive.js') },
};

for (const [place, options] of Object.entries(places)) {
  describe(`downloadBundle: the hash, computed ${place}`, () => {
    const content = archiveOf(SIZE);
    let at: Downloading;

    beforeEach(async () => {
      at = await Downloading.start(content);
    });

    afterEach(async () => {
      await at.stop();
      at.log.assertNoErrors();
    });

    const assertWhole = ({ archive, error }: Downloaded, expected: Uint8Array = content): void => {
      assert.equal(error, undefined);
      assert.equal(archive?.sha256, sha256(expected));
      assert.ok(readFileSync(at.target).equals(expected));
      assert.deepEqual(at.files, ['bundle.tar.gz']);
      assert.doesNotMatch(at.log.text(), /worker/);
    };

    it('is that of the file', async () => {
      assertWhole(await at.run(options));
    });

    it('is that of the whole file if the connection broke off', async () => {
      at.store.queue({ cutAfter: CUT });
      assertWhole(await at.run(options));
    });

    it('is that of the whole file if an earlier download left its start', async () => {
      at.store.queue({ cutAfter: CUT }, ...Array<{ hangUp: true }>(6).fill({ hangUp: true }));
      assert.ok((await at.run(options)).error instanceof ExportError);
      assert.ok(existsSync(path.join(at.folder, '.bundle.tar.gz.part')));
      assertWhole(await at.run(options));
    });

    it('is that of the new archive if it changed midway', async () => {
      const changed = archiveOf(SIZE - 500_000);
      const before = (): void => {
        at.store.content = changed;
      };
      at.store.queue({ cutAfter: CUT }, { before });
      assertWhole(await at.run(options), changed);
    });

    it('lets a canceled download leave nothing behind', async () => {
      const cancelling = new AbortController();
      at.store.queue({ stallAfter: CUT });
      const running = at.run({ ...options, signal: cancelling.signal });
      await at.store.until(() => at.store.requests.length === 1);
      cancelling.abort(new Error('The person cancelled'));
      const { error } = await running;
      assert.match(String(error), /The person cancelled/);
      assert.deepEqual(at.files, []);
    });
  });
}
