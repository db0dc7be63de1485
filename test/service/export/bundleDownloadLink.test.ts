/** faults.md D1, D2, D4, D9, D10, F1: the presigned link of a download, and what it may lead to. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DocsAssistantError, plainTranslate } from '../../../src/common/errors';
import {
  describeExportError,
  ExportError,
  type ExportErrorCode,
} from '../../../src/export/exportErrors';
import {
  type ObjectStore,
  QUERY_CANARY,
  startObjectStore,
  xmlError,
  type StoreFault,
} from '../../fakes/objectStore';
import { archiveOf, Downloading, StoreLinks, type Downloaded } from './downloading';

const SIZE = 1_200_000;
const CUT = 700_000;

describe('downloadBundle: the link', () => {
  const content = archiveOf(SIZE);
  let at: Downloading;

  beforeEach(async () => {
    at = await Downloading.start(content);
  });

  afterEach(async () => {
    assert.ok(!at.log.text().includes(QUERY_CANARY));
    await at.stop();
    at.log.assertNoErrors();
  });

  const assertWhole = ({ error }: Downloaded, expected: Uint8Array = content): void => {
    assert.equal(error, undefined);
    assert.ok(readFileSync(at.target).equals(expected));
    assert.deepEqual(at.files, ['bundle.tar.gz']);
  };

  const assertFails = ({ error }: Downloaded, code: ExportErrorCode): ExportError => {
    assert.ok(error instanceof ExportError, String(error));
    assert.equal(error.code, code);
    const told = JSON.stringify([error.details, describeExportError(error), error.stack]);
    assert.ok(!told.includes(QUERY_CANARY));
    return error;
  };

  const expire = (): void => at.store.expireLinks();
  const refused = (code: string, message = code, status = 403): StoreFault => ({
    answer: xmlError(status, code, message),
  });

  it('is requested without Authorization, cookie and referrer', async () => {
    at.store.queue({ cutAfter: CUT });
    assertWhole(await at.run());
    assert.equal(at.store.requests.length, 2);
    for (const { headers } of at.store.requests) {
      assert.equal(headers['accept-encoding'], 'identity');
      for (const name of ['authorization', 'cookie', 'referer', 'origin', 'x-api-key']) {
        assert.equal(headers[name], undefined, name);
      }
    }
  });

  it('leaves nothing on disk that opens the bundle', async () => {
    at.store.queue({ cutAfter: CUT }, ...Array<StoreFault>(6).fill({ hangUp: true }));
    assertFails(await at.run(), 'download-broken');
    assert.equal(at.files.length, 2);
    const note = readFileSync(`${at.folder}/.bundle.tar.gz.part.json`, 'utf8');
    assert.ok(note.includes('/bundles/bundle.tar.gz'));
    assert.ok(!note.includes(QUERY_CANARY) && !note.includes('?'));
  });

  describe('that expires', () => {
    it('D1: is renewed before the first request if it has expired', async () => {
      at.links.current = at.store.presign({ expiresAt: at.clock.now() - 1 });
      const downloaded = await at.run();
      assertWhole(downloaded);
      assert.equal(at.links.renewals, 1);
      assert.equal(at.store.requests.length, 1);
      assert.equal(downloaded.progress[0]?.state, 'renewing');
    });

    it('D1: is requested if there is none yet', async () => {
      at.links.current = undefined;
      assertWhole(await at.run());
      assert.equal(at.links.renewals, 1);
    });

    it('D1: is renewed when the store says that it expired, whatever its date is', async () => {
      at.links.current = at.store.presign({ expiresAt: at.clock.now() + 3_600_000 });
      expire();
      assertWhole(await at.run());
      assert.equal(at.links.renewals, 1);
    });

    it('is used despite its past date if it is fresh, because this machine’s clock may be wrong', async () => {
      const expiresAt = at.clock.now() - 3_600_000;
      at.links = new StoreLinks(() => at.store.presign({ expiresAt }), undefined);
      at.store.queue({ cutAfter: CUT });
      assertWhole(await at.run());
      assert.equal(at.links.renewals, 1);
    });

    it('D4: is renewed midway, and the download resumes', async () => {
      at.store.queue({ cutAfter: CUT }, { before: expire });
      const downloaded = await at.run();
      assertWhole(downloaded);
      assert.equal(at.links.renewals, 1);
      const { headers, url } = at.store.request(2);
      assert.equal(headers.range, `bytes=${CUT}-`);
      assert.notEqual(url, at.store.request(1).url);
      const states = downloaded.progress.map(({ state }) => state);
      assert.deepEqual(states, ['receiving', 'waiting', 'renewing', 'receiving', 'receiving']);
    });

    it('D4: resumes at another URL of the same archive', async () => {
      at.store.queue({ cutAfter: CUT }, { before: expire });
      at.links = new StoreLinks(
        () => at.store.presign({ path: '/bundles/again/bundle.tar.gz' }),
        at.links.current,
      );
      assertWhole(await at.run());
      assert.equal(at.store.request(2).status, 206);
    });

    it('D4: starts over if the fresh link leads to another archive', async () => {
      const other = archiveOf(SIZE);
      at.store.queue({ cutAfter: CUT }, { before: expire });
      at.links = new StoreLinks(() => {
        at.store.content = other;
        return at.store.presign();
      }, at.links.current);
      assertWhole(await at.run(), other);
    });

    it('D4: starts over at another URL if there is only a date to compare', async () => {
      at.store.etag = undefined;
      at.store.queue({ cutAfter: CUT }, { before: expire });
      at.links = new StoreLinks(
        () => at.store.presign({ path: '/other.tar.gz' }),
        at.links.current,
      );
      assertWhole(await at.run());
      assert.equal(at.store.requests.at(-1)?.headers.range, undefined);
    });

    it('is renewed as often as it expires, if bytes came in between', async () => {
      const cut = { cutAfter: 200_000 };
      const gone = { before: expire };
      at.store.queue(cut, gone, cut, gone, cut, gone, cut, gone);
      assertWhole(await at.run());
      assert.equal(at.links.renewals, 4);
    });

    it('D1: ends the download if the fresh one has expired too', async () => {
      at.store.queue({ before: expire }, { before: expire });
      assertFails(await at.run(), 'link-expired');
      assert.equal(at.links.renewals, 1);
      assert.deepEqual(at.files, []);
    });

    it('keeps what arrived when it ends the download', async () => {
      at.store.queue({ cutAfter: CUT }, { before: expire }, { before: expire });
      assertFails(await at.run(), 'link-expired');
      assert.deepEqual(at.files, ['.bundle.tar.gz.part', '.bundle.tar.gz.part.json']);
      at.links.current = at.store.presign();
      assertWhole(await at.run());
      assert.equal(at.store.requests.at(-1)?.headers.range, `bytes=${CUT}-`);
    });

    it('reports why it could not be renewed', async () => {
      const gone = new ExportError('unknown-job');
      at.links = new StoreLinks(() => Promise.reject(gone), undefined);
      const { error, waits } = await at.run();
      assert.equal(error, gone);
      assert.deepEqual(waits, []);
      assert.deepEqual(at.files, []);
    });

    it('is requested again if the API cannot be reached for a while', async () => {
      let tries = 0;
      at.links = new StoreLinks(() => {
        tries += 1;
        return tries < 3
          ? Promise.reject(new DocsAssistantError('offline', { host: 'api.example.com' }))
          : at.store.presign();
      }, undefined);
      const downloaded = await at.run();
      assertWhole(downloaded);
      assert.deepEqual(downloaded.waits, [1000, 2000]);
    });

    it('names the API, not the store, if the API cannot be reached', async () => {
      const offline = new DocsAssistantError('offline', { host: 'api.example.com' });
      at.links = new StoreLinks(() => Promise.reject(offline), undefined);
      const { error, waits } = await at.run();
      assert.equal(error, offline);
      assert.equal(waits.length, 6);
    });
  });

  describe('that is refused', () => {
    for (const [status, code] of [
      [403, 'SignatureDoesNotMatch'],
      [403, 'AccessDenied'],
      [404, 'NoSuchKey'],
      [400, 'InvalidToken'],
      [401, 'Unauthorized'],
    ] as const) {
      it(`D2: is renewed once, then the store’s code is reported: ${status} ${code}`, async () => {
        at.store.queue(refused(code, 'No.', status), refused(code, 'No.', status));
        const error = assertFails(await at.run(), 'store-refused');
        assert.equal(error.details.status, status);
        assert.equal(error.details.causeCode, code);
        assert.equal(at.links.renewals, 1);
        const { message } = describeExportError(error);
        assert.match(
          message,
          new RegExp(`127\\.0\\.0\\.1:\\d+ refused the download \\(${code}\\)`),
        );
      });

      it(`D2: is renewed, and the download goes on: ${status} ${code}`, async () => {
        at.store.queue({ cutAfter: CUT }, refused(code, 'No.', status));
        assertWhole(await at.run());
        assert.equal(at.store.request(2).headers.range, `bytes=${CUT}-`);
      });
    }

    for (const fault of [
      refused('ExpiredToken', 'The provided token has expired.', 400),
      refused('AccessDenied', 'Request has expired'),
    ]) {
      it(`D1: counts as expired if the store says so: ${String(fault.answer?.status)}`, async () => {
        at.store.queue(fault, fault);
        assertFails(await at.run(), 'link-expired');
      });
    }

    it('reads only a part of a refusal, and shows none of its text', async () => {
      const body = `<Code>evil ${QUERY_CANARY}</Code>${'x'.repeat(1_000_000)}`;
      const endless = { answer: { status: 403, body }, stallAfter: 500_000 };
      at.store.queue(endless, endless);
      const { details } = assertFails(await at.run(), 'store-refused');
      assert.equal(details.causeCode, undefined);
      assert.equal(details.status, 403);
      await at.store.until(() => at.store.requests.every(({ isBroken }) => isBroken));
    });

    for (const [url, reason] of [
      ['file:///etc/passwd', 'it doesn’t start with https://.'],
      ['http://example.com/bundle.tar.gz', /^it starts with http:\/\//],
      ['https://user:password@example.com/bundle.tar.gz', 'it contains a user name or a password.'],
    ] as const) {
      it(`D9: is never used with an unsafe URL: ${url}`, async () => {
        at.links.current = { url };
        const { details } = assertFails(await at.run(), 'link-refused');
        if (typeof reason === 'string') assert.equal(details.reason?.(plainTranslate), reason);
        else assert.match(details.reason?.(plainTranslate) ?? '', reason);
        assert.deepEqual(at.files, []);
      });
    }
  });

  describe('that redirects', () => {
    let other: ObjectStore;

    beforeEach(async () => {
      other = await startObjectStore(content);
    });

    afterEach(() => other.stop());

    const redirect = (location: string, status = 302): StoreFault => ({
      answer: { status, headers: { location } },
    });

    for (const status of [301, 302, 303, 307, 308]) {
      it(`D10: is followed after a ${status}, with the range and without more`, async () => {
        at.store.queue({ cutAfter: CUT }, redirect(other.presign().url, status));
        assertWhole(await at.run());
        const { headers, url } = other.request(0);
        assert.ok(url.startsWith('/bundles/bundle.tar.gz?'));
        assert.equal(headers.range, `bytes=${CUT}-`);
        assert.equal(headers.authorization, undefined);
        assert.equal(headers.cookie, undefined);
      });
    }

    it('D10: is followed within the store by a relative address', async () => {
      const { url } = at.store.presign({ path: '/moved.tar.gz' });
      at.store.queue(redirect(new URL(url).pathname + new URL(url).search));
      assertWhole(await at.run());
      assert.ok(at.store.request(1).url.startsWith('/moved.tar.gz?'));
    });

    it('D10: is followed at most five times', async () => {
      const hops = (count: number): StoreFault[] =>
        Array.from({ length: count }, () => redirect(at.store.presign().url));
      at.store.queue(...hops(5));
      assertWhole(await at.run());
      at.store.queue(...hops(6));
      const { details } = assertFails(await at.run({ overwrite: true }), 'link-refused');
      assert.equal(details.reason?.(plainTranslate), 'the file server redirects too often.');
    });

    for (const location of [
      'http://example.com/bundle.tar.gz',
      'file:///etc/passwd',
      'ftp://127.0.0.1/bundle.tar.gz',
      'https://user:password@127.0.0.1/bundle.tar.gz',
      'https://',
    ]) {
      it(`D10: is not followed to ${location}`, async () => {
        at.store.queue(redirect(location));
        assertFails(await at.run(), 'link-refused');
        assert.equal(at.store.requests.length, 1);
        assert.deepEqual(at.files, []);
      });
    }

    it('D10: is not followed without a target', async () => {
      at.store.queue({ answer: { status: 302 } });
      const { details } = assertFails(await at.run(), 'link-refused');
      assert.equal(details.reason?.(plainTranslate), 'the file server redirects without a target.');
    });
  });
});
