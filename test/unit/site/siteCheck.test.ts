import assert from 'node:assert/strict';
import { systemClock } from '../../../src/common/clock';
import { checkSite } from '../../../src/site/siteCheck';

const site = { baseUrl: 'https://api.example.com/x', domain: 'ac me', key: 'acme_dsc_12345678' };

/** Checks the site against one response and gives what was sent as well. */
async function check(answer: () => Response | Promise<Response>) {
  const sent: { url: string; init: RequestInit }[] = [];
  const result = await checkSite(
    site,
    {
      fetch: async (url, init) => {
        sent.push({ url, init });
        return answer();
      },
      clock: systemClock,
    },
    new AbortController().signal,
  );
  return { result, sent };
}

const json = (status: number, body: unknown = { error: 'no' }) =>
  new Response(JSON.stringify(body), { status });

describe('checkSite', () => {
  it('sends one request that no service can answer, with the key in its header alone', async () => {
    const { sent } = await check(() => json(400));
    assert.equal(sent.length, 1);
    const [{ url, init } = { url: '', init: {} }] = sent;
    assert.equal(url, 'https://api.example.com/x/v2/assistant/ac%20me/message');
    assert.equal(new Headers(init.headers).get('authorization'), `Bearer ${site.key}`);
    assert.equal(init.redirect, 'manual');
    assert.deepEqual(JSON.parse(init.body as string), { fp: 'anonymous', messages: 'check' });
  });

  for (const status of [400, 422, 429]) {
    it(`reads a refusal of the body (${status}) as a working site`, async () => {
      assert.deepEqual((await check(() => json(status))).result, { ok: true });
    });
  }

  it('closes a reply that begins anyway', async () => {
    let isCanceled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new TextEncoder().encode('data: {}\n\n')),
      cancel: () => void (isCanceled = true),
    });
    const { result } = await check(() => new Response(body, { status: 200 }));
    assert.deepEqual(result, { ok: true });
    assert.equal(isCanceled, true);
  });

  for (const [status, field, code] of [
    [401, 'key', 'key-rejected'],
    [403, 'key', 'forbidden'],
    [404, 'site', 'unknown-site'],
    [302, 'baseUrl', 'redirected'],
    [503, 'baseUrl', 'service-down'],
  ] as const) {
    it(`points at the ${field} for ${status}`, async () => {
      const { result } = await check(() =>
        status === 302
          ? new Response(null, { status, headers: { location: 'https://other.example/' } })
          : json(status),
      );
      assert.deepEqual(!result.ok && [result.field, result.error.code], [field, code]);
    });
  }

  it('points at the base URL for a web page', async () => {
    const { result } = await check(
      () =>
        new Response('<!doctype html><title>Sign in</title>', {
          headers: { 'content-type': 'text/html' },
        }),
    );
    assert.deepEqual(!result.ok && [result.field, result.error.code], [
      'baseUrl',
      'unexpected-html',
    ]);
  });

  it('points at the base URL when the host cannot be reached', async () => {
    const { result } = await check(() => {
      throw new TypeError('fetch failed', { cause: { code: 'ENOTFOUND' } });
    });
    assert.deepEqual(!result.ok && [result.field, result.error.code], ['baseUrl', 'offline']);
  });

  for (const [status, isDoubtful] of [
    [401, false],
    [302, false],
    [407, false],
    [403, true],
    [404, true],
    [405, true],
    [418, true],
    [500, true],
    [503, true],
  ] as const) {
    // Shows faults.md S10.
    it(`${isDoubtful ? 'leaves it open' : 'is certain'} whether questions fail after ${status}`, async () => {
      const { result } = await check(() =>
        status === 302
          ? new Response(null, { status, headers: { location: 'https://other.example/' } })
          : json(status),
      );
      assert.equal(!result.ok && result.isDoubtful, isDoubtful);
    });
  }

  for (const [what, isDoubtful, status] of [
    ['is certain after a web page with 200', false, 200],
    ['is certain after a web page with 404', false, 404],
    ['leaves it open after a web page with 500', true, 500],
  ] as const) {
    it(what, async () => {
      const headers = { 'content-type': 'text/html' };
      const { result } = await check(
        () => new Response('<!doctype html><title>Oops</title>', { status, headers }),
      );
      assert.equal(!result.ok && result.isDoubtful, isDoubtful);
    });
  }

  for (const [code, isDoubtful] of [
    ['ECONNRESET', true],
    ['UND_ERR_SOCKET', true],
    ['ECONNREFUSED', false],
    ['ENOTFOUND', false],
    ['CERT_HAS_EXPIRED', false],
  ] as const) {
    it(`${isDoubtful ? 'leaves it open' : 'is certain'} after ${code}`, async () => {
      const { result } = await check(() => {
        throw new TypeError('fetch failed', { cause: { code } });
      });
      assert.equal(!result.ok && result.isDoubtful, isDoubtful);
    });
  }

  it('ends with the reason of its signal when it is stopped', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const checking = checkSite(
      site,
      { fetch: () => new Promise(() => undefined), clock: systemClock },
      stop.signal,
    );
    stop.abort(reason);
    await assert.rejects(checking, reason);
  });
});
