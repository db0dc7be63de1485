import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Interrupted } from '../../../src/cli/context';
import type { LocalService } from '../../../src/service/server/server';
import { assertNoTrace } from '../../builders/canary';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import type { Fault } from '../../fakes/faults';
import { hurriedClock } from '../export/exporting';
import { docsFolder, startService } from '../service/localServiceAsking';
import { type HereOptions, type Ran, run, runHere } from './running';

const key = 'local_dsc_Canary7Qx2mVb9Kt4';
const modelKey = 'sk-Canary8Wn3Lp5Rz6Hd7Fg1';

/** Returns a whole reply with these pieces of text. */
function replyOf(...deltas: readonly string[]): NonNullable<Fault['respond']> {
  const events = [
    ...[{ type: 'start' }, { type: 'text-start', id: 't' }],
    ...deltas.map((delta) => ({ type: 'text-delta', id: 't', delta })),
    ...[{ type: 'text-end', id: 't' }, { type: 'finish' }],
  ];
  const lines = [...events.map((event) => JSON.stringify(event)), '[DONE]'];
  return {
    headers: { 'content-type': 'text/event-stream' },
    body: lines.map((line) => `data: ${line}\n\n`).join(''),
  };
}

describe('docs-assistant ask, a site of the platform', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let proxy: FaultProxy;

  before(async () => {
    docs = await docsFolder({ 'birds.md': '# Birds\n\nPelicans eat fish.\n' });
    service = await startService(docs.root, { key });
    proxy = await startFaultProxy({ target: service.url });
    await writeFile(path.join(docs.root, 'app.ts'), 'one();\ntwo();\nthree();\n');
  });
  after(async () => {
    await proxy.stop();
    await service.stop();
    await docs.remove();
  });
  afterEach(() => proxy.clearFaults());

  /** Asks with canary keys, and fails if one gets out. */
  async function ask(
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = {},
    { ask: asking = runHere, ...more }: HereOptions & { readonly ask?: typeof run } = {},
  ): Promise<Ran> {
    const site = { DOCS_ASSISTANT_BASE_URL: proxy.url, DOCS_ASSISTANT_SITE: 'sample' };
    const keys = { DOCS_ASSISTANT_KEY: key, DOCS_ASSISTANT_MODEL_KEY: modelKey };
    const ran = await asking(['ask', 'what do pelicans eat', '--verbose', ...args], {
      env: { ...keys, ...site, ...env },
      cwd: docs.root,
      ...more,
    });
    for (const secret of [key, modelKey]) assertNoTrace(secret, ran);
    return ran;
  }

  it('asks with the key of the environment, the code and the filters', async () => {
    const args = ['--code', 'app.ts:2-3', '--filter-version', '2.0', '--filter-group', 'admins'];
    const { code, stdout } = await ask([...args, '--filter-group', 'users'], {}, { ask: run });
    assert.equal(code, 0);
    assert.match(stdout, /found nothing|Pelicans/);
    const { body, headers } = proxy.exchanges.at(-1) ?? {};
    assert.equal(headers?.['authorization'], `Bearer ${key}`);
    const { context, filter } = body as Readonly<Record<string, unknown>>;
    assert.deepEqual(context, [{ type: 'code', value: 'two();\nthree();', path: 'app.ts' }]);
    assert.deepEqual(filter, { version: '2.0', groups: ['admins', 'users'] });
  });

  // Shows faults.md L12.
  it('replaces secrets in code and in piped questions before it sends them, and says so', async () => {
    const secret = ['ghp', 'Zx81nQ4tVb7Lk2Wm9Rc5Ty3Hd6Jf0PsAeUoX'].join('_');
    await writeFile(path.join(docs.root, 'deploy.sh'), `export TOKEN=${secret}\n`);
    const { stderr } = await ask(['--code', 'deploy.sh']);
    assert.match(stderr, /Secrets replaced before sending: GitHub/);
    const { stdout } = await run(['ask', '-', '--json'], {
      input: `what do pelicans eat? ${secret} ${modelKey}`,
      env: {
        DOCS_ASSISTANT_KEY: key,
        DOCS_ASSISTANT_MODEL_KEY: modelKey,
        DOCS_ASSISTANT_SITE: 'sample',
        DOCS_ASSISTANT_BASE_URL: proxy.url,
      },
    });
    const { redacted } = JSON.parse(stdout) as { redacted: string[] };
    assert.match(redacted.join(), /GitHub/);
    for (const { bodyText } of proxy.exchanges.slice(-2)) {
      assertNoTrace(secret, bodyText);
      assertNoTrace(modelKey, bodyText);
    }
  });

  // Shows faults.md L5.
  it('ends with the exit code and the sentence of each failure', async () => {
    const answer = (status: number, headers: Record<string, string> = {}): Fault => ({
      respond: { status, headers, body: JSON.stringify({ error: `No: ${key}` }) },
    });
    for (const [fault, exitCode, sentence] of [
      [answer(400), 2, /didn’t accept the question/],
      [answer(401), 4, /rejected the assistant key/],
      [answer(403), 4, /refused the request/],
      [answer(404), 5, /No docs site named “sample”/],
      [answer(429, { 'retry-after': '90' }), 6, /Too many requests.*Try again in 1 min\./],
      [answer(500), 7, /temporarily unavailable \(HTTP 500\)/],
      [answer(302, { location: 'https://elsewhere.test/' }), 3, /redirects to elsewhere\.test/],
      [{ cues: [{ at: 'headers', do: 'reset' }] }, 7, /Can’t reach 127\.0\.0\.1/],
      [{ respond: { body: '<html><title>Sign in</title>' } }, 7, /web page.*Sign in/],
    ] as const) {
      proxy.queue(fault);
      const { code, stdout, stderr } = await ask();
      assert.match(stderr, sentence);
      assert.deepEqual({ code, stdout }, { code: exitCode, stdout: '' }, stderr);
    }
  });

  // Shows faults.md L6.
  it('prints the part of a reply that arrived before the stream was cut', async () => {
    const reply = replyOf('Pelicans eat ', 'fish.');
    proxy.queue({ respond: reply, cues: [{ at: { text: 'eat "}\n\n' }, do: 'close' }] });
    const plain = await ask();
    assert.match(plain.stdout, /Pelicans/);
    assert.match(plain.stderr, /connection was lost/);
    assert.equal(plain.code, 8);

    proxy.queue({
      rewrite: [
        { do: 'drop', event: 'finish' },
        { do: 'drop', event: '[DONE]' },
      ],
    });
    const json = await ask(['--json']);
    const { status, answer } = JSON.parse(json.stdout) as { status: string; answer: string };
    assert.equal(status, 'incomplete');
    assert.match(answer, /Pelicans/);
    assert.equal(json.code, 8);
  });

  it('gives up on a service that falls silent', async () => {
    proxy.queue({ cues: [{ at: 0, do: 'hold', gate: 'silence' }] });
    const { code, stderr } = await ask(['--timeout', '5'], {}, { clock: hurriedClock() });
    assert.match(stderr, /sent no data for 5 s\. Try again, or raise --timeout\./);
    assert.equal(code, 7);
    proxy.openGate('silence');
  });

  it('says with --json why there is no reply, and when to try again', async () => {
    proxy.queue({ respond: { status: 429, headers: { 'retry-after': '90' } } });
    const { code, stdout } = await ask(['--json']);
    const { status, error } = JSON.parse(stdout) as {
      status: string;
      error: Record<string, string>;
    };
    assert.deepEqual([status, error['code'], code], ['error', 'rate-limited', 6]);
    assert.ok(Date.parse(error['retryAt'] ?? '') > Date.now());
  });

  it('can’t reach a service that is down', async () => {
    const { code, stderr } = await ask([], { DOCS_ASSISTANT_BASE_URL: 'http://127.0.0.1:9' });
    assert.match(stderr, /Can’t reach 127\.0\.0\.1:9/);
    assert.equal(code, 7);
  });

  it('stops immediately on Ctrl+C in the middle of a reply', async () => {
    proxy.queue({ cues: [{ at: { text: 'Pelicans' }, do: 'hold', gate: 'interrupted' }] });
    const stopping = new AbortController();
    // A process would end after some seconds even if the command didn't.
    const done = runHere(['ask', 'what do pelicans eat'], {
      env: {
        DOCS_ASSISTANT_KEY: key,
        DOCS_ASSISTANT_SITE: 'sample',
        DOCS_ASSISTANT_BASE_URL: proxy.url,
      },
      signal: stopping.signal,
    });
    await proxy.whenHeld('interrupted');
    stopping.abort(new Interrupted(130));
    const { code, stderr } = await done;
    assert.deepEqual({ code, stderr }, { code: 130, stderr: '' });
    await proxy.until(() => proxy.exchanges.at(-1)?.state === 'client-gone');
  });

  it('ends with the code of Ctrl+C although a part of the reply was printed', async () => {
    proxy.queue({
      respond: replyOf('Pelicans ', 'eat fish.'),
      cues: [{ at: { text: '"Pelicans "}\n\n' }, do: 'hold', gate: 'printed' }],
    });
    const stopping = new AbortController();
    const { code, stdout } = await ask(
      [],
      {},
      {
        signal: stopping.signal,
        onOutput: (text) => {
          if (text.includes('Pelicans')) stopping.abort(new Interrupted(130));
        },
      },
    );
    assert.match(stdout, /Pelicans/);
    assert.equal(code, 130);
  });

  it('says which arguments are wrong on stderr, also with --json', async () => {
    const { code, stdout, stderr } = await ask(['--json', '--code', 'app.ts:3-2']);
    assert.match(stderr, /isn’t a range of lines/);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });

  it('lets no escape sequence of a reply through', async () => {
    const hostile = '\u001b]0;owned\u0007\u001b[2J\u009b1mPelicans\r\u202e';
    proxy.queue({ respond: replyOf(hostile), times: 2 });
    const environments: Record<string, string>[] = [{}, { FORCE_COLOR: '1' }];
    for (const env of environments) {
      const { code, stdout } = await ask([], env);
      assert.equal(stdout, ']0;owned[2J1mPelicans\n');
      assert.equal(code, 0);
    }
  });

  // Shows faults.md L2.
  it('refuses keys as arguments and keys of another kind, and shows none of them', async () => {
    const asArgument = await ask(['--site', `acme_dsc_${'x'.repeat(12)}`]);
    assert.match(asArgument.stderr, /looks like a key/);
    assert.doesNotMatch(asArgument.stderr, /xxxx/);
    assert.equal(asArgument.code, 2);
    const admin = await ask([], { DOCS_ASSISTANT_KEY: 'local_0123456789abcdef' });
    assert.match(admin.stderr, /looks like an admin key.*was not sent/);
    assert.equal(admin.code, 4);
    const missing = await ask([], { DOCS_ASSISTANT_KEY: '' });
    assert.match(missing.stderr, /Set DOCS_ASSISTANT_KEY/);
    assert.equal(missing.code, 4);
  });
});
