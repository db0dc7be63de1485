import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../../src/common/errors';
import { describeExportError, ExportError } from '../../../../src/export/exportErrors';
import { ExportClient } from '../../../../src/export/job/client';
import { FakeClock } from '../../../fakes/fakeClock';
import { FakeFetch, fetchFailure, OpenStream, type Answer } from '../../../fakes/fakeFetch';
import { RecordingLog } from '../../../fakes/recordingLog';

const adminKey = 'acme_CANARY4f9a1c7e2b00';
const endpoint = { url: 'https://api.example.com/some/prefix', adminKey };
const never = new AbortController().signal;
const steps = ['start', 'status', 'bundle'] as const;
type Step = (typeof steps)[number];

function clientOver(...answers: Answer[]): {
  ask: (step: Step, signal?: AbortSignal, jobId?: string) => Promise<unknown>;
  fake: FakeFetch;
  clock: FakeClock;
  log: RecordingLog;
} {
  const fake = new FakeFetch(...answers);
  const clock = new FakeClock();
  const log = new RecordingLog();
  const client = new ExportClient({
    fetch: fake.fetch,
    clock,
    log,
    timeouts: () => ({ headersTimeoutMs: 30_000, idleTimeoutMs: 20_000 }),
    secrets: () => ['another-secret'],
  });
  return {
    fake,
    clock,
    log,
    ask: (step, signal = never, jobId = 'job-1') =>
      step === 'start'
        ? client
            .startJob(endpoint, 'docs.example.com', {}, signal)
            .then(({ jobId: started }) => started)
        : step === 'status'
          ? client.jobStatus(endpoint, jobId, signal)
          : client.generateBundle(endpoint, jobId, signal),
  };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json(body, { status, headers });
const text =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  () =>
    new Response(body, { status, headers });
const throwing =
  (error: Error): Answer =>
  () =>
    Promise.reject(error);

/** Returns the error of a failed request. */
async function failure(step: Step, answer: Answer): Promise<ExportError | DocsAssistantError> {
  const { ask, log, fake } = clientOver(answer);
  const error = await ask(step).then(
    () => assert.fail('nothing was thrown'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ExportError || error instanceof DocsAssistantError, String(error));
  assert.equal(fake.requests.length, 1);
  const told = JSON.stringify([describeExportError(error), error.details, log.lines]);
  assert.doesNotMatch(told, /CANARY|another-secret/);
  return error;
}

describe('ExportClient', () => {
  it('starts a job with the documented request and nothing else', async () => {
    const { ask, fake } = clientOver(json(202, { jobId: 'job-1', more: true }));
    assert.equal(await ask('start'), 'job-1');
    const { url, init, headers, body } = fake.request(0);
    assert.equal(url, 'https://api.example.com/some/prefix/v1/static-export/jobs');
    assert.deepEqual([init.method, init.redirect], ['POST', 'manual']);
    assert.equal(headers.get('authorization'), `Bearer ${adminKey}`);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.deepEqual(body, { domain: 'docs.example.com' });
  });

  // Shows faults.md C13.
  it('sends a label and paths, and reports which ones a service refused', async () => {
    const options = { label: 'v2', paths: ['/', '/guides/x'] };
    const start = (
      fake: FakeFetch,
      given: Parameters<ExportClient['startJob']>[2] = options,
    ): ReturnType<ExportClient['startJob']> =>
      new ExportClient({
        fetch: fake.fetch,
        clock: new FakeClock(),
        log: new RecordingLog(),
        timeouts: () => ({ headersTimeoutMs: 30_000, idleTimeoutMs: 20_000 }),
        secrets: () => [],
      }).startJob(endpoint, 'docs.example.com', given, never);
    const accepting = new FakeFetch(json(202, { jobId: 'job-1' }));
    assert.deepEqual(await start(accepting), { jobId: 'job-1', leftOut: [] });
    const offered = { domain: 'docs.example.com', version: 'v2', paths: ['index', 'guides/x'] };
    assert.deepEqual(accepting.request(0).body, offered);

    const refusal = json(400, { error: 'Unknown field.' });
    const domain = 'docs.example.com';
    const cases = [
      { bodies: [offered, { domain, paths: ['index', 'guides/x'] }], leftOut: ['label'] },
      {
        bodies: [offered, { domain, paths: ['index', 'guides/x'] }, { domain, version: 'v2' }],
        leftOut: ['paths'],
      },
      {
        bodies: [
          offered,
          { domain, paths: ['index', 'guides/x'] },
          { domain, version: 'v2' },
          { domain },
        ],
        leftOut: ['label', 'paths'],
      },
    ];
    for (const { bodies, leftOut } of cases) {
      const strict = new FakeFetch(
        ...bodies.slice(1).map(() => refusal),
        json(202, { jobId: 'job-2' }),
      );
      assert.deepEqual(await start(strict), { jobId: 'job-2', leftOut });
      assert.deepEqual(
        strict.requests.map((_, index) => strict.request(index).body),
        bodies,
      );
    }
    const one = new FakeFetch(refusal, json(202, { jobId: 'job-3' }));
    assert.deepEqual(await start(one, { label: 'v2' }), { jobId: 'job-3', leftOut: ['label'] });
    assert.deepEqual(one.request(1).body, { domain });

    const unknown = new FakeFetch(refusal, refusal, refusal, refusal);
    await assert.rejects(start(unknown), { code: 'bad-export-domain' });
    assert.equal(unknown.requests.length, 4);
    const lost = new FakeFetch(refusal, json(500, {}));
    await assert.rejects(start(lost), { code: 'start-unclear' });
    assert.equal(lost.requests.length, 2, 'a job may run, so no other is started');
    const forbidden = new FakeFetch(json(403, { error: 'Enterprise only.' }));
    await assert.rejects(start(forbidden), { code: 'export-forbidden' });
    assert.equal(forbidden.requests.length, 1);
  });

  it('asks about a job without a body', async () => {
    const { ask, fake } = clientOver(json(200, { status: 'running', progress: 42 }));
    assert.deepEqual(await ask('status'), {
      status: 'running',
      outcome: 'running',
      progress: { kind: 'number', value: 42 },
    });
    const { url, init } = fake.request(0);
    assert.equal(url, 'https://api.example.com/some/prefix/v1/static-export/jobs/job-1');
    assert.deepEqual([init.method, init.body], ['GET', undefined]);
  });

  it('generates a bundle without a body', async () => {
    const bundleUrl = 'https://store.example.com/bundle.tar.gz?sig=1';
    const { ask, fake, log } = clientOver(json(201, { bundleUrl, expiresAt: 1_748_779_200 }));
    assert.deepEqual(await ask('bundle'), { url: bundleUrl, expiresAt: 1_748_779_200_000 });
    const { url, init, headers } = fake.request(0);
    assert.equal(url, 'https://api.example.com/some/prefix/v1/static-export/jobs/job-1/bundle');
    assert.deepEqual([init.method, init.body], ['POST', undefined]);
    assert.equal(headers.get('content-type'), null);
    assert.doesNotMatch(log.text(), /sig=1/);
  });

  for (const jobId of ['../../admin', 'a/b', 'a?b#c', '%2e%2e', 'ä é', '@evil.example']) {
    // Shows faults.md C2.
    it(`keeps the job “${jobId}” within its segment of the path`, async () => {
      const { ask, fake } = clientOver(json(200, { status: 'queued' }));
      await ask('status', never, jobId);
      const { origin, pathname, search, hash } = new URL(fake.request(0).url);
      assert.equal(origin, 'https://api.example.com');
      const prefix = '/some/prefix/v1/static-export/jobs/';
      assert.ok(pathname.startsWith(prefix));
      assert.equal(decodeURIComponent(pathname.slice(prefix.length)), jobId);
      assert.doesNotMatch(pathname.slice(prefix.length), /\//);
      assert.equal(search + hash, '');
    });
  }

  for (const status of [200, 201, 202, 207]) {
    it(`treats ${status} as a success`, async () => {
      assert.equal(await clientOver(json(status, { jobId: 'x' })).ask('start'), 'x');
    });
  }

  const codes: readonly [status: number, start: string, job: string, bundle: string][] = [
    [400, 'bad-export-domain', 'service-error', 'service-error'],
    [401, 'admin-key-rejected', 'admin-key-rejected', 'admin-key-rejected'],
    [402, 'export-forbidden', 'export-forbidden', 'export-forbidden'],
    [403, 'export-forbidden', 'export-forbidden', 'export-forbidden'],
    [404, 'export-not-found', 'unknown-job', 'unknown-job'],
    [407, 'proxy-refused', 'proxy-refused', 'proxy-refused'],
    [408, 'start-unclear', 'service-down', 'service-down'],
    [409, 'service-error', 'service-error', 'job-not-completed'],
    [410, 'export-not-found', 'unknown-job', 'unknown-job'],
    [418, 'service-error', 'service-error', 'service-error'],
    [422, 'bad-export-domain', 'service-error', 'service-error'],
    [429, 'export-rate-limited', 'export-rate-limited', 'export-rate-limited'],
    [500, 'start-unclear', 'service-down', 'service-down'],
    [502, 'start-unclear', 'service-down', 'service-down'],
    [503, 'start-unclear', 'service-down', 'service-down'],
    [504, 'start-unclear', 'service-down', 'service-down'],
  ];
  for (const [status, ...expected] of codes) {
    steps.forEach((step, index) => {
      it(`treats ${status} at ${step} as ${expected[index]}`, async () => {
        const error = await failure(step, json(status, { error: `No: ${adminKey}` }));
        assert.equal(error.code, expected[index]);
        assert.equal(error.details.host, 'api.example.com');
        if (error.code !== 'start-unclear') {
          assert.equal(error.details.serviceMessage, 'No: [redacted]');
        }
      });
    });
  }

  for (const [told, headers, waitMs] of [
    ['7', {}, 7000],
    ['Wed, 01 Jan 2025 00:00:30 GMT', { date: 'Wed, 01 Jan 2025 00:00:10 GMT' }, 20_000],
    ['Wed, 01 Jan 2020 00:00:30 GMT', { date: 'Wed, 01 Jan 2025 00:00:10 GMT' }, 0],
    ['-1', {}, 5000],
    ['1e9', {}, 5000],
    ['soon', {}, 5000],
    ['', {}, 5000],
  ] as const) {
    it(`waits ${waitMs} ms after a 429 that says “${told}”`, async () => {
      const error = await failure('status', json(429, {}, { ...headers, 'retry-after': told }));
      assert.equal(error.details.retryAt, new FakeClock().now() + waitMs);
    });
  }

  it('waits longer after each 429 in a row that names no time', async () => {
    const limited = json(429, {});
    const { ask, clock } = clientOver(limited, limited, json(200, { status: 'x' }), limited);
    const waits: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await ask('status').catch((error: unknown) => {
        assert.ok(error instanceof ExportError);
        waits.push((error.details.retryAt ?? 0) - clock.now());
      });
    }
    assert.deepEqual(waits, [5000, 10_000, 5000]);
  });

  for (const status of [500, 502, 503, 504, 408]) {
    for (const step of steps) {
      it(`honors the wait that a ${status} at ${step} asks for, as for a 429`, async () => {
        const told = json(status, {}, { 'retry-after': '20' });
        const error = await failure(step, told);
        assert.equal(error.details.retryAt, new FakeClock().now() + 20_000);
      });
    }

    it(`adds no wait of its own for a ${status} that asks for none`, async () => {
      const replies: Record<string, string>[] = [{}, { 'retry-after': 'soon' }];
      for (const headers of replies) {
        const error = await failure('status', json(status, {}, headers));
        assert.equal(error.details.retryAt, undefined);
      }
    });
  }

  it('honors the wait of a 503 that a proxy answers with a web page', async () => {
    const page = { 'content-type': 'text/html', 'retry-after': '20' };
    const error = await failure('status', text(503, '<html><title>Maintenance</title>', page));
    assert.equal(error.code, 'unexpected-html');
    assert.equal(error.details.retryAt, new FakeClock().now() + 20_000);
  });

  it('names the plan or another cause when a start is forbidden', async () => {
    const error = await failure('start', json(403, { error: 'Not for you.' }));
    const { message } = describeExportError(error);
    assert.match(message, /Static export needs the Enterprise plan\./);
    assert.match(message, /key may also belong to another organization.*network/);
    assert.match(message, /\(Not for you\.\)$/);
  });

  it('keeps the service’s own sentence beside the time of a 429', async () => {
    const told = json(429, { error: 'Two exports an hour.' }, { 'retry-after': '20' });
    const { message, retryAt } = describeExportError(await failure('status', told));
    assert.match(message, /Too many requests to .*\. \(Two exports an hour\.\)$/);
    assert.equal(retryAt, new FakeClock().now() + 20_000);
  });

  const html = '<!doctype html><title>Sign in</title><script>alert(1)</script>';
  for (const [status, step, code] of [
    [200, 'start', 'unexpected-html'],
    [200, 'status', 'unexpected-html'],
    [200, 'bundle', 'unexpected-html'],
    [404, 'status', 'unexpected-html'],
    [502, 'status', 'unexpected-html'],
    [502, 'start', 'start-unclear'],
    [403, 'status', 'export-forbidden'],
  ] as const) {
    it(`treats a web page with ${status} at ${step} as ${code}`, async () => {
      const error = await failure(step, text(status, html, { 'content-type': 'text/html' }));
      assert.equal(error.code, code);
      assert.doesNotMatch(describeExportError(error).message, /<|alert/);
    });
  }

  for (const body of ['{"status":"runn', '', 'ok', '\u0000\u0001']) {
    it(`does not accept ${JSON.stringify(body)} as JSON`, async () => {
      const error = await failure('status', text(200, body));
      assert.deepEqual(
        [error.code, error instanceof ExportError && error.details.field],
        ['bad-answer', 'JSON'],
      );
      assert.equal((await failure('start', text(202, body))).code, 'start-unclear');
    });
  }

  it('stops reading an endless response', async () => {
    let pulled = 0;
    const endless: Answer = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled++;
            controller.enqueue(new Uint8Array(64 * 1024).fill(32));
          },
        }),
      );
    assert.equal((await failure('status', endless)).code, 'bad-answer');
    assert.ok(pulled < 40, `${pulled} pieces were read`);
  });

  it('reads at most 64 KiB of an error body', async () => {
    let pulled = 0;
    const endless: Answer = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            pulled++;
            controller.enqueue(new TextEncoder().encode('x'.repeat(16 * 1024)));
          },
        }),
        { status: 403 },
      );
    assert.equal((await failure('status', endless)).code, 'export-forbidden');
    assert.ok(pulled < 10, `${pulled} pieces were read`);
  });

  for (const [cause, start, other] of [
    ['ECONNREFUSED', 'offline', 'offline'],
    ['ENOTFOUND', 'offline', 'offline'],
    ['EHOSTUNREACH', 'offline', 'offline'],
    ['UND_ERR_CONNECT_TIMEOUT', 'offline', 'offline'],
    ['ECONNRESET', 'start-unclear', 'offline'],
    ['UND_ERR_SOCKET', 'start-unclear', 'offline'],
    ['ETIMEDOUT', 'start-unclear', 'offline'],
    ['CERT_HAS_EXPIRED', 'insecure-connection', 'insecure-connection'],
  ] as const) {
    it(`treats ${cause} as ${start} at the start, and as ${other} later`, async () => {
      assert.equal((await failure('start', throwing(fetchFailure(cause)))).code, start);
      assert.equal((await failure('status', throwing(fetchFailure(cause)))).code, other);
    });
  }

  it('knows that no job started at a port to which Node sends nothing', async () => {
    const refused = new TypeError('fetch failed', { cause: new Error('bad port') });
    const { code, details } = await failure('start', throwing(refused));
    assert.deepEqual([code, details.causeCode], ['offline', 'ERR_UNSAFE_PORT']);
  });

  it('does not know whether a job started after an unknown failure', async () => {
    assert.equal((await failure('start', throwing(new Error('odd')))).code, 'start-unclear');
    assert.equal((await failure('status', throwing(new Error('odd')))).code, 'unexpected');
  });

  for (const body of [{}, [], null, { jobId: '' }, { jobId: null }, { id: 'job-1' }]) {
    it(`says that a job may run after a start answered with ${JSON.stringify(body)}`, async () => {
      const error = await failure('start', json(202, body));
      assert.equal(error.code, 'start-unclear');
      assert.match(describeExportError(error).message, /it may have started/);
    });
  }

  it('redacts a key that does not look like one', async () => {
    const { log, clock } = clientOver();
    const plain = { url: endpoint.url, adminKey: 'acme_wordswordswords' };
    const fake = new FakeFetch(json(403, { error: `No: ${plain.adminKey}, another-secret` }));
    const client = new ExportClient({
      fetch: fake.fetch,
      clock,
      log,
      secrets: () => ['another-secret'],
      timeouts: () => ({ headersTimeoutMs: 30_000, idleTimeoutMs: 20_000 }),
    });
    await assert.rejects(client.jobStatus(plain, 'job-1', never), (error) => {
      assert.ok(error instanceof ExportError);
      assert.equal(error.details.serviceMessage, 'No: [redacted], [redacted]');
      return true;
    });
  });

  for (const [step, waitMs, code] of [
    ['start', 30_000, 'start-unclear'],
    ['status', 30_000, 'timed-out'],
    ['bundle', 300_000, 'timed-out'],
  ] as const) {
    it(`waits ${waitMs / 1000} s for the headers at ${step}, then says ${code}`, async () => {
      const { ask, clock } = clientOver(() => new Promise(() => undefined));
      const asked = ask(step);
      let isOver = false;
      const rejected = assert.rejects(asked, { code }).then(() => (isOver = true));
      await clock.advance(waitMs - 1);
      assert.equal(isOver, false);
      await clock.advance(1);
      await rejected;
    });
  }

  it('does not know whether a job started if the response broke off', async () => {
    const stream = new OpenStream({ 'content-type': 'application/json' });
    const { ask } = clientOver(() => stream.response);
    const asked = ask('start');
    stream.write('{"jobId":');
    stream.fail(new Error('terminated'));
    await assert.rejects(asked, { code: 'start-unclear' });
  });

  for (const step of steps) {
    it(`stops at once at ${step}, with the reason of the stop`, async () => {
      const { ask, fake, clock } = clientOver(() => new Promise(() => undefined));
      const stop = new AbortController();
      const asked = ask(step, stop.signal);
      const reason = new Error('enough');
      stop.abort(reason);
      await assert.rejects(asked, (error) => error === reason);
      assert.ok(fake.request(0).signal.aborted);
      assert.equal(clock.pendingCount, 0);
    });

    it(`sends no key that could break out of its header at ${step}`, async () => {
      const fake = new FakeFetch();
      const { clock, log } = clientOver();
      const timeouts = { headersTimeoutMs: 1, idleTimeoutMs: 1 };
      const ports = { fetch: fake.fetch, clock, log, timeouts: () => timeouts, secrets: () => [] };
      const client = new ExportClient(ports);
      const broken = { url: endpoint.url, adminKey: 'acme_x\r\nHost: evil.example' };
      const asked =
        step === 'start'
          ? client.startJob(broken, 'docs.example.com', {}, never)
          : step === 'status'
            ? client.jobStatus(broken, 'job-1', never)
            : client.generateBundle(broken, 'job-1', never);
      await assert.rejects(asked, { code: 'admin-key-rejected' });
      assert.equal(fake.requests.length, 0);
    });
  }
});

describe('ExportClient and redirects', () => {
  const redirect = (location: string, status = 307): Answer =>
    text(status, '', location === '' ? {} : { location });

  for (const [location, otherHost] of [
    ['https://evil.example/v1', 'evil.example'],
    ['https://api.example.com:8443/v1', 'api.example.com:8443'],
    ['http://api.example.com/v1?key=1', 'http://api.example.com/v1'],
    ['//evil.example/v1', 'evil.example'],
    ['https://api.example.com@evil.example/', 'evil.example'],
    ['https://user:pass@api.example.com/v1', 'https://api.example.com/v1'],
    ['', undefined],
    ['http://[', undefined],
  ] as const) {
    for (const step of steps) {
      // Shows faults.md B11.
      it(`does not follow “${location}” at ${step}`, async () => {
        const error = await failure(step, redirect(location));
        assert.equal(error.code, 'export-redirected');
        assert.ok(error instanceof ExportError);
        assert.equal(error.details.otherHost, otherHost);
      });
    }
  }

  for (const status of [301, 302, 303, 307, 308]) {
    it(`follows ${status} within the origin when it asks about a job`, async () => {
      const { ask, fake } = clientOver(
        redirect('/moved/jobs/job-1', status),
        json(200, { status: 'queued' }),
      );
      await ask('status');
      assert.equal(fake.request(1).url, 'https://api.example.com/moved/jobs/job-1');
      assert.equal(fake.request(1).headers.get('authorization'), `Bearer ${adminKey}`);
    });
  }

  it('stays with an answer that names a location and is no redirect', async () => {
    const headers = { location: '/moved/jobs/job-1' };
    const { ask, fake } = clientOver(json(200, { status: 'queued' }, headers));
    assert.deepEqual(await ask('status'), { status: 'queued', outcome: 'running' });
    assert.equal(fake.requests.length, 1);
    assert.equal((await failure('status', json(401, {}, headers))).code, 'admin-key-rejected');
  });

  it('follows at most three redirects', async () => {
    const { ask, fake } = clientOver(...Array.from({ length: 4 }, () => redirect('/round')));
    await assert.rejects(ask('status'), { code: 'export-redirected' });
    assert.equal(fake.requests.length, 4);
  });

  it('checks the origin at each hop', async () => {
    const { ask, fake } = clientOver(redirect('/moved'), redirect('https://evil.example/'));
    await assert.rejects(ask('status'), { code: 'export-redirected' });
    assert.equal(fake.requests.length, 2);
  });

  for (const step of ['start', 'bundle'] as const) {
    it(`sends no second request at ${step}, even within the origin`, async () => {
      const error = await failure(step, redirect('/moved'));
      assert.equal(error.code, 'export-redirected');
    });
  }
});
