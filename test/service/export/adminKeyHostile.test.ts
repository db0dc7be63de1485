/** faults.md F1, F2, F6: services that know the admin key, and try to have it shown, kept or passed on. */
import assert from 'node:assert/strict';
import { assertNoTrace, everythingIn } from '../../builders/canary';
import { startFaultProxy, type FaultProxy } from '../../fakes/faultProxy';
import type { CannedResponse, Exchange } from '../../fakes/faults';
import { CanaryWindow, canaryKeys } from './canaryWindow';
import { never } from './exporting';
import { JOBS } from '../service/localServiceExporting';

const { admin: key } = canaryKeys;
const bearer = `Bearer ${key}`;

const json = (answer: unknown, status = 200): CannedResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(answer),
});

/** Returns everything about the requests except the one header in which the key belongs. */
function withoutKey(exchanges: readonly Exchange[]): unknown {
  return exchanges.map(({ method, path, headers: { authorization: _, ...headers }, bodyText }) => [
    method,
    path,
    headers,
    bodyText,
  ]);
}

describe('the admin key at a service that echoes it', () => {
  let api: FaultProxy;
  let elsewhere: FaultProxy;
  let window: CanaryWindow;

  beforeEach(async () => {
    api = await startFaultProxy();
    elsewhere = await startFaultProxy();
    window = new CanaryWindow();
    await window.saveKeys(api.url);
  });
  afterEach(async () => {
    const { traces } = window;
    window.stop();
    await Promise.all([api.stop(), elsewhere.stop()]);
    // Holds after every test, whatever it was about.
    assertNoTrace(key, traces);
    assertNoTrace(key, withoutKey(api.exchanges));
    assertNoTrace(key, elsewhere.exchanges);
    for (const { url } of window.requests) assertNoTrace(key, url);
  });

  /** Answers requests for jobs that come, in turn. */
  const answer = (...answers: readonly CannedResponse[]): void => {
    api.queue(...answers.map((respond) => ({ respond })));
  };
  const started = json({ jobId: 'job-1' }, 202);
  const completed = json({ status: 'completed' });
  /** A completed job, ready for whatever its bundle is answered with. */
  const completedJob = async (): Promise<string> => {
    answer(started, completed);
    return (await window.export(api.url)).record.id;
  };
  const failedStart = (): Promise<unknown> =>
    window.failureOf(window.exports.start({ apiUrl: api.url, exportDomain: 'sample' }, never));

  const echoes: readonly (readonly [name: string, response: CannedResponse])[] = [
    ['a sentence', json({ error: `No such key: ${key}.` }, 401)],
    ['an object', json({ error: { message: `${bearer} is revoked`, code: key } }, 403)],
    ['a message', json({ message: `key=${encodeURIComponent(key)}&again=${key}` }, 400)],
    ['a detail that escapes it', json({}, 403)],
    ['plain text', { status: 403, body: `Refused: ${key}` }],
    ['a header', { status: 403, headers: { 'x-echo': bearer, 'www-authenticate': bearer } }],
    ['the reason of a wait', { ...json({ error: key }, 429), headers: { 'retry-after': '600' } }],
    [
      'a page’s title',
      {
        status: 404,
        headers: { 'content-type': 'text/html' },
        body: `<title>${bearer}</title><p>${key}</p>`,
      },
    ],
    ['what is no JSON', { status: 200, body: `{"jobId": "${key}` }],
    ['a link', json({ error: `See https://${key}@help.example.com/${key}?k=${key}#${key}` }, 403)],
    // A text is cut before it is searched for secrets.
    ['a text that is cut in it', { status: 403, body: `${'\t'.repeat(9_985)}${key}` }],
    [
      'a text that is cut in it behind links',
      json({ error: `${`https://a.example/?${'q'.repeat(1000)} `.repeat(10)}${key}` }, 403),
    ],
    [
      'a text that is cut in it behind other keys',
      json({ error: `${'ab_dsc_0123456789abcdef '.repeat(416)}${key}` }, 403),
    ],
  ];
  for (const [name, response] of echoes) {
    it(`never leaks when the start is refused with it in ${name}`, async () => {
      const respond = name.endsWith('escapes it')
        ? { ...response, body: `{"detail":"${escaped(key)}"}` }
        : response;
      answer(respond);
      await failedStart();
      assert.equal(api.exchanges[0]?.headers['authorization'], bearer);
      assert.deepEqual(window.exports.list, []);
    });
  }

  it('is removed from the service’s sentence, and the rest is shown', async () => {
    answer(json({ error: `The key ${key} has no export in its plan.` }, 403));
    await failedStart();
    assert.match(everythingIn(window.told), /The key \[redacted\] has no export in its plan\./);
  });

  it('is not stored as the ID of a job', async () => {
    for (const jobId of [key, `job-${key}-1`, encodeURIComponent(`a ${key}`)]) {
      answer(json({ jobId }, 202));
      assert.match(String(await failedStart()), /start-unclear/);
    }
    assert.equal(window.records.records.size, 0);
  });

  it('is not shown in the status or the error of a failed job', async () => {
    answer(
      started,
      json({ status: `waiting for ${key}`, progress: key, pageCount: key }),
      json({ status: 'failed', error: { message: `${bearer} ended it`, code: key } }),
    );
    const { record } = await window.export(api.url);
    assert.equal(record.outcome, 'failed');
    assert.equal(record.errorMessage, 'Bearer [redacted] ended it');
  });

  it('is not shown if the job can no longer be watched', async () => {
    answer(started, json({ error: `${key} is not for job-1` }, 404));
    const { record } = await window.export(api.url);
    assert.equal(record.errorMessage, '[redacted] is not for job-1');
  });

  const places: readonly (readonly [name: string, link: (origin: string) => string])[] = [
    ['query', (origin) => `${origin}/bundle.tar.gz?sig=${key}`],
    ['query, encoded', (origin) => `${origin}/bundle.tar.gz?sig=${percentEncoded(key)}`],
    ['path', (origin) => `${origin}/${key}/bundle.tar.gz`],
    ['path, in upper case', (origin) => `${origin}/${key.toUpperCase()}`],
    ['host', (origin) => origin.replace('127.0.0.1', `${key}.localhost`)],
    ['user name', (origin) => origin.replace('//', `//${key}@`)],
  ];
  for (const [place, linkTo] of places) {
    it(`is not sent to the target of a bundle link that contains it in its ${place}`, async () => {
      const id = await completedJob();
      const bundleUrl = linkTo(elsewhere.url);
      answer(json({ bundleUrl, expiresAt: new Date(Date.now() + 3_600_000).toISOString() }));
      const error = await window.failureOf(window.exports.bundleLink(id, never));
      assert.match(String(error), /link-refused/);
      answer(json({ bundleUrl }));
      assert.match(String(await window.failureOf(window.download(id))), /link-refused/);
      assert.equal(elsewhere.exchanges.length, 0);
    });
  }

  it('is not shown in the error of a bundle', async () => {
    const id = await completedJob();
    answer(json({ error: `${key} may not` }, 403));
    await window.failureOf(window.exports.bundleLink(id, never));
    assert.match(everythingIn(window.told), /\[redacted\] may not/);
  });

  const targets: readonly (readonly [name: string, location: () => string])[] = [
    ['another origin', () => `${elsewhere.url}/v1?k=${key}`],
    ['another origin with it in its path', () => `${elsewhere.url}/${key}`],
    ['a host of its name', () => elsewhere.url.replace('127.0.0.1', `${key}.localhost`)],
    ['a link with it as user name', () => elsewhere.url.replace('//', `//${key}@`)],
    ['its own origin with it in the query', () => `/v1/moved?k=${key}`],
    ['its own origin with it in the path', () => `${JOBS}/${percentEncoded(key)}`],
  ];
  for (const [name, location] of targets) {
    it(`is not sent along a redirect to ${name}`, async () => {
      const redirect = { status: 307, headers: { location: location() } };
      answer(redirect);
      await failedStart();
      answer(started, redirect);
      const { record } = await window.export(api.url);
      assert.equal(record.errorCode, 'export-redirected');
      answer(redirect);
      await window.failureOf(window.exports.linkSource(record.id).renew(never));
      assert.equal(elsewhere.exchanges.length, 0);
      assert.equal(api.exchanges.length, 4);
    });
  }

  it('is not sent to the store, nor to where the store redirects', async () => {
    const id = await completedJob();
    const content = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(2000)]);
    answer(json({ bundleUrl: `${api.url}/store/bundle.tar.gz?sig=PRESIGNED0123456789` }));
    api.queue({ respond: { status: 302, headers: { location: `${elsewhere.url}/b?sig=NEXT` } } });
    elsewhere.queue({ respond: { bodyBase64: content.toString('base64') } });
    const { sizeBytes } = await window.download(id);
    assert.equal(sizeBytes, content.length);
    const asked = [...api.exchanges, ...elsewhere.exchanges].filter(
      ({ path }) => !path.startsWith(JOBS),
    );
    assert.equal(asked.length, 2);
    for (const { headers } of asked) assert.equal(headers['authorization'], undefined);
    const { log, records } = window.traces as Readonly<Record<string, unknown>>;
    assertNoTrace('PRESIGNED0123456789', [log, records]);
  });
});

function percentEncoded(text: string): string {
  return text.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/** Returns the text with every character escaped, as JSON allows. */
function escaped(text: string): string {
  return text.replace(
    /./g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
