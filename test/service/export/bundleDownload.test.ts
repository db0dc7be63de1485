/** faults.md D3–D8: a bundle's way from the store to disk, and what may happen on it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DocsAssistantError } from '../../../src/common/errors';
import { ExportError, type ExportErrorCode } from '../../../src/export/exportErrors';
import { counted } from '../chat/replyStream';
import { archiveOf, Downloading, sha256, type Downloaded } from './downloading';

const SIZE = 1_500_000;
const CUT = 900_000;

describe('downloadBundle', () => {
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
    assert.deepEqual(archive, {
      path: at.target,
      sizeBytes: expected.length,
      sha256: sha256(expected),
    });
    assert.ok(readFileSync(at.target).equals(expected));
    assert.deepEqual(at.files, ['bundle.tar.gz']);
  };

  const assertFails = (
    { error }: Downloaded,
    code: ExportErrorCode,
    files: readonly string[] = [],
  ): ExportError => {
    assert.ok(error instanceof ExportError, String(error));
    assert.equal(error.code, code);
    assert.deepEqual(at.files, files);
    return error;
  };

  const kept = ['.bundle.tar.gz.part', '.bundle.tar.gz.part.json'];

  const ranges = (): readonly (string | undefined)[] =>
    at.store.requests.map(({ headers }) => headers.range);

  it('writes the archive to disk under its name, with its size and SHA-256', async () => {
    const downloaded = await at.run();
    assertWhole(downloaded);
    assert.equal(at.store.requests.length, 1);
    assert.deepEqual(downloaded.progress.at(-1), {
      receivedBytes: SIZE,
      totalBytes: SIZE,
      bytesPerSecond: 0,
      state: 'receiving',
    });
  });

  it('tells how much has arrived and how fast while bytes arrive', async () => {
    const { progress } = await at.run({
      fetch: async (url, init) => counted(await fetch(url, init), () => at.clock.advance(100)),
    });
    const between = progress.slice(1, -1);
    assert.ok(between.length > 0);
    for (const { receivedBytes, totalBytes, bytesPerSecond } of between) {
      assert.ok(receivedBytes > 0 && receivedBytes <= SIZE);
      assert.equal(totalBytes, SIZE);
      assert.ok(bytesPerSecond > 0);
    }
  });

  for (const [name, mark] of [
    ['zip', [0x50, 0x4b, 0x03, 0x04]],
    ['gzip', [0x1f, 0x8b, 0x08, 0x00]],
  ] as const) {
    it(`accepts a ${name} archive whatever the file is called`, async () => {
      const archive = archiveOf(5000);
      archive.set(mark);
      at.store.content = archive;
      assertWhole(await at.run({ target: at.target }), archive);
    });
  }

  it('accepts a tar archive, which is only recognizable at byte 257', async () => {
    const archive = Buffer.alloc(10_240);
    archive.write('index.html');
    archive.write('ustar', 257);
    at.store.content = archive;
    assertWhole(await at.run(), archive);
  });

  describe('when the connection breaks', () => {
    it('D3: resumes if the archive is still the same', async () => {
      at.store.queue({ cutAfter: CUT }, { cutAfter: 100_000 });
      const downloaded = await at.run();
      assertWhole(downloaded);
      assert.deepEqual(ranges(), [undefined, `bytes=${CUT}-`, `bytes=${CUT + 100_000}-`]);
      assert.equal(at.store.request(1).headers['if-range'], at.store.etag);
      assert.deepEqual(downloaded.waits, [1000, 1000]);
    });

    it('says that it waits, and then that bytes arrive again', async () => {
      at.store.queue({ cutAfter: CUT });
      const { progress } = await at.run();
      const states = progress.map(({ state, receivedBytes }) => `${state} ${receivedBytes}`);
      assert.deepEqual(states, [
        'receiving 0',
        `waiting ${CUT}`,
        `receiving ${CUT}`,
        `receiving ${SIZE}`,
      ]);
    });

    it('waits longer each time while no byte comes, and starts over after one', async () => {
      const lost = { hangUp: true } as const;
      at.store.queue({ cutAfter: CUT }, lost, lost, lost, { cutAfter: 10 }, lost);
      const downloaded = await at.run();
      assertWhole(downloaded);
      assert.deepEqual(downloaded.waits, [1000, 2000, 4000, 8000, 1000, 2000]);
    });

    it('gives up after six tries without a byte, and resumes at the next call', async () => {
      at.store.queue({ cutAfter: CUT }, ...Array<{ hangUp: true }>(6).fill({ hangUp: true }));
      const broken = await at.run();
      const { details } = assertFails(broken, 'download-broken', kept);
      assert.equal(details.host, new URL(at.store.origin).host);
      assert.deepEqual(broken.waits, [1000, 2000, 4000, 8000, 16_000, 30_000]);
      assertWhole(await at.run());
      assert.equal(at.store.requests.at(-1)?.headers.range, `bytes=${CUT}-`);
    });

    it('treats silence as a broken connection', async () => {
      at.store.queue({ stallAfter: CUT });
      const seen = { bytes: 0, isWaiting: false };
      const running = at.run({
        fetch: async (url, init) =>
          counted(await fetch(url, init), (bytes) => (seen.bytes += bytes)),
        onProgress: ({ state }) => (seen.isWaiting ||= state === 'waiting'),
      });
      // Time passes only while the download waits for bytes that don't come.
      while (seen.bytes < CUT) await new Promise(setImmediate);
      while (!seen.isWaiting) await at.clock.advance(30_000);
      assertWhole(await running);
      assert.deepEqual(ranges(), [undefined, `bytes=${CUT}-`]);
    });

    for (const status of [500, 502, 503, 504, 408]) {
      it(`waits out a ${status} of the store`, async () => {
        at.store.queue({ answer: { status, body: '<Error><Code>SlowDown</Code></Error>' } });
        const downloaded = await at.run();
        assertWhole(downloaded);
        assert.deepEqual(downloaded.waits, [1000]);
      });
    }

    for (const status of [429, 502, 503, 504]) {
      it(`waits as long as a ${status} asks`, async () => {
        at.store.queue({ answer: { status, headers: { 'retry-after': '7' } } });
        const downloaded = await at.run();
        assertWhole(downloaded);
        assert.deepEqual(downloaded.waits, [7000]);
      });
    }

    it('fails instead of waiting if the store asks for an hour', async () => {
      at.store.queue({ answer: { status: 429, headers: { 'retry-after': '3600' } } });
      const { details } = assertFails(await at.run(), 'export-rate-limited');
      assert.equal(details.retryAt, at.clock.now() + 3_600_000);
    });

    it('does not retry errors that a retry cannot fix', async () => {
      const fetch = (): Promise<Response> =>
        Promise.reject(
          new TypeError('fetch failed', {
            cause: Object.assign(new Error('expired'), { code: 'CERT_HAS_EXPIRED' }),
          }),
        );
      const { error, waits } = await at.run({ fetch });
      assert.ok(error instanceof DocsAssistantError);
      assert.equal(error.code, 'insecure-connection');
      assert.deepEqual(waits, []);
      assert.deepEqual(at.files, []);
    });

    it('resumes by date if the store sends no ETag', async () => {
      at.store.etag = undefined;
      at.store.queue({ cutAfter: CUT });
      assertWhole(await at.run());
      assert.equal(at.store.request(1).headers['if-range'], at.store.lastModified.toUTCString());
    });

    it('starts over if nothing distinguishes one version from another', async () => {
      at.store.etag = 'W/"weak"';
      const headers = { 'last-modified': null };
      at.store.queue({ headers, cutAfter: CUT }, { headers });
      assertWhole(await at.run());
      assert.deepEqual(ranges(), [undefined, undefined]);
    });

    it('leaves only data that a later call can resume', async () => {
      at.store.etag = undefined;
      const headers = { 'last-modified': null };
      at.store.queue(...Array.from({ length: 4 }, () => ({ headers, cutAfter: CUT })));
      assertFails(await at.run(), 'download-broken');
    });
  });

  describe('when the archive changes', () => {
    const changed = archiveOf(SIZE - 1000);

    const changing = { cutAfter: CUT };
    const change = (): void => {
      at.store.content = changed;
    };

    it('D5: starts over with the new archive, and never mixes two', async () => {
      at.store.queue(changing, { before: change });
      assertWhole(await at.run(), changed);
      assert.equal(at.store.requests.length, 2);
      assert.equal(at.store.request(1).status, 200);
    });

    it('D5: starts over if the store ignores If-Range and the ETag differs', async () => {
      at.store.queue(changing, { before: change, ignoreIfRange: true });
      assertWhole(await at.run(), changed);
      assert.deepEqual(ranges(), [undefined, `bytes=${CUT}-`, undefined]);
    });

    it('D5: starts over if the ETag is the same but the size differs', async () => {
      const etag = at.store.etag ?? '';
      const before = (): void => {
        change();
        at.store.etag = etag;
      };
      at.store.queue(changing, { before });
      assertWhole(await at.run(), changed);
      assert.deepEqual(ranges(), [undefined, `bytes=${CUT}-`, undefined]);
    });

    it('D5: starts over if the rest of the archive comes without its ETag', async () => {
      at.store.queue(changing, { headers: { etag: null } });
      assertWhole(await at.run());
      assert.equal(at.store.requests.length, 3);
    });

    for (const [name, range] of [
      ['another start', `bytes ${CUT + 1}-${SIZE - 1}/${SIZE}`],
      ['no such header', null],
      ['no numbers', 'bytes a-b/c'],
      ['an unknown size', `bytes ${CUT}-${SIZE - 1}/*`],
    ] as const) {
      it(`D5: starts over if Content-Range has ${name}`, async () => {
        at.store.queue(changing, { headers: { 'content-range': range } });
        assertWhole(await at.run());
        assert.deepEqual(ranges(), [undefined, `bytes=${CUT}-`, undefined]);
      });
    }

    for (const status of [412, 416]) {
      it(`D5: starts over after a ${status}`, async () => {
        at.store.queue(changing, { answer: { status } });
        assertWhole(await at.run());
        assert.deepEqual(ranges(), [undefined, `bytes=${CUT}-`, undefined]);
      });
    }

    it('D5: starts over if the store sends the whole archive instead of its rest', async () => {
      at.store.queue(changing, { ignoreRange: true });
      assertWhole(await at.run());
      assert.equal(at.store.requests.length, 2);
    });

    it('starts over if the store sends a part instead of the whole archive', async () => {
      at.store.queue({ status: 206 });
      assertWhole(await at.run());
    });

    it('gives up if the archive changes again after three times', async () => {
      const before = (): void => {
        at.store.content = archiveOf(SIZE);
      };
      at.store.queue(...Array.from({ length: 5 }, () => ({ before, cutAfter: CUT })));
      assertFails(await at.run(), 'bundle-changed');
      assert.equal(at.store.requests.length, 5);
    });
  });

  describe('when the size is wrong', () => {
    it('D6: refuses a body that is shorter than the link declared', async () => {
      at.store.queue({ body: content.subarray(0, CUT), headers: { 'content-length': null } });
      at.links.current = { ...at.store.presign(), sizeBytes: SIZE };
      assertFails(await at.run(), 'bundle-size-wrong');
    });

    it('D6: stops a body that is longer than declared', async () => {
      at.store.queue({
        headers: { 'content-length': null },
        body: Buffer.concat([content, content]),
      });
      at.links.current = { ...at.store.presign(), sizeBytes: SIZE };
      assertFails(await at.run(), 'bundle-size-wrong');
    });

    it('D6: stops an endless body without a length', async () => {
      at.store.queue({ headers: { 'content-length': null } });
      assertFails(await at.run({ maxUnannouncedBytes: CUT }), 'bundle-size-wrong');
    });

    it('D6: accepts a body without a length', async () => {
      at.store.queue({ headers: { 'content-length': null } });
      const downloaded = await at.run();
      assertWhole(downloaded);
      assert.equal(downloaded.progress[0]?.totalBytes, undefined);
    });

    it('D6: asks for a fresh link if the size differs, then reports it', async () => {
      at.links.current = { ...at.store.presign(), sizeBytes: SIZE + 1 };
      assertWhole(await at.run());
      assert.equal(at.links.renewals, 1);
    });

    it('D6: fails if the size of the fresh link differs too', async () => {
      const wrong = { sizeBytes: SIZE + 1 };
      at.links.current = at.store.presign(wrong);
      const links = Object.assign(at.links, { makeLink: () => at.store.presign(wrong) });
      assertFails(await at.run({ link: links }), 'bundle-size-wrong');
      assert.equal(at.links.renewals, 1);
    });
  });

  describe('when it is not an archive', () => {
    for (const [name, body, type] of [
      ['a web page', '<!doctype html><title>Sign in</title>', 'text/html'],
      ['a web page that claims to be one', '<html></html>', 'application/gzip'],
      ['XML', '<?xml version="1.0"?><Error><Code>Odd</Code></Error>', 'application/xml'],
      ['nothing', '', 'application/gzip'],
    ] as const) {
      it(`D7: refuses ${name} with status 200`, async () => {
        at.store.queue({ answer: { status: 200, headers: { 'content-type': type }, body } });
        const { details } = assertFails(await at.run(), 'not-an-archive');
        assert.equal(details.entry, 'bundle.tar.gz');
        assert.equal(details.host, new URL(at.store.presign().url).host);
      });
    }

    it('keeps the received part if a sign-in page arrives midway', async () => {
      const page = { answer: { status: 200, body: '<html>Sign in to the network</html>' } };
      at.store.queue({ cutAfter: CUT }, page, page);
      assertWhole(await at.run());
      assert.deepEqual(ranges().at(-1), `bytes=${CUT}-`);
    });
  });
});
