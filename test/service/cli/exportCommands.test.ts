import assert from 'node:assert/strict';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { Interrupted } from '../../../src/cli/context';
import type { LocalService } from '../../../src/service/server/server';
import { type FaultProxy, startFaultProxy } from '../../fakes/faultProxy';
import type { Fault } from '../../fakes/faults';
import { hurriedClock } from '../export/exporting';
import { docsFolder, startService } from '../service/localServiceAsking';
import {
  adminKey,
  assertNoKey,
  atStatus,
  ExportingCli,
  fieldsOf,
  json,
  namesOf,
  type HereOptions,
  type RanHere,
} from './exportingCli';

const pages = {
  'index.md': '# Birds\n\nStart with [pelicans](guides/pelicans.md).\n',
  'guides/pelicans.md': '# Pelicans\n\nPelicans eat fish.\n',
  'guides/storks.md': '# Storks\n\nStorks eat frogs.\n',
};

describe('docs-assistant export', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let service: LocalService;
  let proxy: FaultProxy;
  let cli: ExportingCli;

  before(async () => {
    docs = await docsFolder(pages);
    service = await startService(docs.root, { adminKey });
  });
  after(async () => {
    await service.stop();
    await docs.remove();
  });
  beforeEach(async () => {
    proxy = await startFaultProxy({ target: service.url });
    cli = await ExportingCli.make();
  });
  afterEach(async () => {
    await proxy.stop();
    for (const { headers, path, bodyText } of proxy.exchanges) {
      const { authorization, ...others } = headers;
      assert.equal(authorization, `Bearer ${adminKey}`);
      assertNoKey([others, path, bodyText]);
    }
    await cli.remove();
  });

  function run(args: readonly string[], { env, ...options }: HereOptions = {}): Promise<RanHere> {
    return cli.run(['export', ...args], { env: { ...cli.envFor(proxy.url), ...env }, ...options });
  }
  const starts = (): number =>
    proxy.exchanges.filter(({ method, path }) => method === 'POST' && path.endsWith('/jobs'))
      .length;
  const jobOf = ({ stdout }: RanHere): string => /\(job ([\w-]+)\)/.exec(stdout)?.[1] ?? '';

  it('exports, downloads and checks a site with one command', async () => {
    const { code, stdout } = await run(['run', '--output', 'bundle.tar.gz']);
    const job = /\(job ([\w-]{36})\)/.exec(stdout)?.[1] ?? '';
    assert.deepEqual(
      stdout
        .replace(job, 'JOB')
        .replace(/after [^:]+:/, 'after 1 s:')
        .split('\n')
        .map((line) => line.replace(/\(\d.*SHA-256 \w{64}\)/, '(SIZE)')),
      [
        'Started the export of sample (job JOB).',
        'The export of sample completed after 1 s: 3 pages.',
        'Downloaded bundle.tar.gz (SIZE).',
        'Self-contained: 5 pages, no broken links, nothing loaded from other hosts',
        '',
      ],
    );
    assert.equal(code, 0);
    assert.deepEqual(
      [...(await readFile(cli.pathOf('bundle.tar.gz'))).subarray(0, 2)],
      [0x1f, 0x8b],
    );
    // The run has ended, so the next one is another export.
    await run(['start']);
    assert.equal(starts(), 2);
  });

  it('prints each step as an event with --json', async () => {
    const { code, events } = await run(['run', '--label', 'v2', '--path', 'guides/', '--json']);
    assert.equal(code, 0);
    const told = events();
    const steps = [
      'started',
      'progress',
      'completed',
      'downloading',
      'downloaded',
      'checking',
      'checked',
    ];
    const [first, ...others] = namesOf(told);
    // A job that is done before the first look has no progress.
    assert.deepEqual(
      [first, ...others],
      others[0] === 'progress' ? steps : steps.filter((name) => name !== 'progress'),
    );
    const { apiUrl, domain, label, paths } = fieldsOf(told[0]);
    assert.deepEqual(
      { apiUrl, domain, label, paths },
      { apiUrl: proxy.url, domain: 'sample', label: 'v2', paths: ['/guides'] },
    );
    const { failed, report } = fieldsOf(told.at(-1));
    assert.deepEqual(failed, []);
    assert.equal((report as { pages: number }).pages, 5);
    assert.deepEqual(proxy.exchanges[0]?.body, {
      domain: 'sample',
      version: 'v2',
      paths: ['guides'],
    });
  });

  it('says which options a service doesn’t take', async () => {
    proxy.queue({ times: 2, respond: json(400, { error: 'Unknown field “paths”.' }) });
    const { code, stderr } = await run(['start', '--path', '/guides', '--label', 'v2']);
    assert.equal(code, 0);
    assert.match(stderr, /doesn’t accept --path, so the whole site is exported/);
    assert.deepEqual(
      proxy.exchanges.map(({ body }) => body),
      [
        { domain: 'sample', version: 'v2', paths: ['guides'] },
        { domain: 'sample', paths: ['guides'] },
        { domain: 'sample', version: 'v2' },
      ],
    );
    // The same command knows its job again.
    proxy.queue(atStatus({ respond: json(200, { status: 'running' }) }));
    const again = await run(['start', '--path', '/guides', '--label', 'v2']);
    assert.match(again.stdout, /^Continuing/);
    assert.match(again.stderr, /the whole site is exported/);
    assert.equal(starts(), 3);
  });

  it('tells the pages and their rate, and a percent only where its unit is certain', async () => {
    await run(['start']);
    // A new status is printed at once, however short the pause was.
    for (const [status, progress, pageCount] of [
      ['queued', 0, 0],
      ['reading', 0.4, 10],
      ['rendering', 0.9, 40],
      ['packing', 50, 60],
    ] as const) {
      proxy.queue(atStatus({ respond: json(200, { status, progress, pageCount }) }));
    }
    const { events } = await run(['watch', '--json']);
    const told = events().filter(({ event }) => event === 'progress');
    assert.deepEqual(
      told
        .slice(0, 4)
        .map(fieldsOf)
        .map(({ pages: count, percent, pagesPerSecond }) => [
          count,
          percent,
          typeof pagesPerSecond,
        ]),
      [
        [0, 0, 'undefined'],
        [10, undefined, 'undefined'],
        [40, undefined, 'number'],
        [60, 50, 'number'],
      ],
    );
  });

  it('resumes the running job, and starts only one job for two simultaneous commands', async () => {
    proxy.queue(atStatus({ times: 1000, respond: json(200, { status: 'running' }) }));
    const [one, two] = await Promise.all([run(['start']), run(['start'])]);
    assert.equal(starts(), 1);
    assert.equal(jobOf(one), jobOf(two));
    assert.deepEqual([one, two].map(({ stdout }) => stdout.startsWith('Continuing')).toSorted(), [
      false,
      true,
    ]);
    const other = await run(['start', '--label', 'v2']);
    assert.notEqual(jobOf(other), jobOf(one));
    const third = await run(['start', '--new']);
    assert.match(third.stdout, /^Started/);
    assert.equal(starts(), 3);
  });

  it('starts another job after the previous one has ended or no longer exists', async () => {
    for (const [label, answer] of [
      ['v1', json(200, { status: 'failed' })],
      ['v2', json(404, { error: 'No such job.' })],
    ] as const) {
      await run(['start', '--label', label]);
      proxy.queue(atStatus({ respond: answer }));
      const before = starts();
      assert.match((await run(['start', '--label', label])).stdout, /^Started/);
      assert.equal(starts(), before + 1);
    }
  });

  // Shows faults.md L14.
  it('says that the job goes on when the command is interrupted, and how to resume it', async () => {
    const started = await run(['start']);
    proxy.queue(atStatus({ times: 1000, respond: json(200, { status: 'running', pageCount: 1 }) }));
    const stop = new AbortController();
    const { code, stderr, stdout } = await run(['watch'], {
      signal: stop.signal,
      onOutput: (text) => {
        if (text.includes('1 page')) stop.abort(new Interrupted(130));
      },
    });
    assert.deepEqual({ code, stdout }, { code: 130, stdout: '' });
    const command = /docs-assistant export (watch .*)/.exec(stderr)?.[1] ?? '';
    assert.equal(command, `watch ${jobOf(started)} --api-url ${proxy.url}`);
    proxy.clearFaults();
    const watched = await run(command.split(' '));
    assert.match(watched.stdout, /completed/);
    assert.equal(watched.code, 0);
  });

  it('says that a link has expired by the clock of this machine', async () => {
    await run(['start']);
    await run(['watch']);
    const expiresAt = new Date(Date.now() - 3_600_000).toISOString();
    const bundleUrl = `${proxy.url}/v1/bundles/bundle.tar.gz?X-Signature=a`;
    proxy.queue({
      when: { pathIncludes: '/bundle' },
      respond: json(200, { bundleUrl, expiresAt }),
    });
    const { code, stdout } = await run(['link', '--output', 'link.txt']);
    assert.equal(code, 0);
    assert.equal(
      stdout,
      'Wrote the link to link.txt. By the clock of this machine, the link has expired. Check the clock, then get a new link.\n',
    );
  });

  // Shows faults.md L17.
  it('writes the link to a file that only the user can read, or to stdout on request', async () => {
    await run(['start']);
    await run(['watch']);
    await writeFile(cli.pathOf('link.txt'), 'old', { mode: 0o644 });
    const { code, stdout } = await run(['link', '--output', 'link.txt']);
    assert.equal(code, 0);
    assert.match(stdout, /^Wrote the link to link\.txt\. The link expires in (?:59 min|1 h)\.\n$/);
    const link = await readFile(cli.pathOf('link.txt'), 'utf8');
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/v1\/bundles\/.*X-Signature=\w+\n$/);
    if (process.platform !== 'win32')
      assert.equal((await stat(cli.pathOf('link.txt'))).mode & 0o777, 0o600);
    const printed = await run(['link', '--print'], { isLinkPrinted: true });
    assert.match(printed.stdout, /^http:\S+X-Signature=\w+\n$/);
    const refused = await run(['link']);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--output.*--print/);
  });

  // Shows faults.md L32.
  it('names a file that can’t be written before it asks the service for anything', async () => {
    await cli.write('file.txt', 'x');
    const hasDevices = process.platform !== 'win32';
    if (hasDevices) await symlink(os.devNull, cli.pathOf('device'));
    for (const args of [
      ['run', '--output', 'no/folder/bundle.tar.gz'],
      ['run', '--output', 'file.txt/bundle.tar.gz'],
      ['run', '--output', '.'],
      ['run', '--output', 'folder/'],
      ['run', '--link-file', 'no/folder/link.txt'],
      ['run', '--link-file', '.'],
      ['link', 'job-1', '--output', 'no/folder/link.txt'],
      ['download', 'job-1', '--output', 'no/folder/bundle.tar.gz'],
      ...(hasDevices
        ? [
            ['run', '--output', 'device'],
            ['run', '--link-file', 'device'],
            ['download', 'job-1', '--output', 'device'],
          ]
        : []),
    ]) {
      const { code, stdout, stderr } = await run(args);
      assert.match(stderr, /can’t be written/);
      assert.deepEqual({ code, stdout }, { code: 13, stdout: '' }, args.join(' '));
    }
    const twice = await run(['run', '--output', 'x.tar.gz', '--link-file', './x.tar.gz']);
    assert.match(twice.stderr, /^Two options name the file x\.tar\.gz\. Choose another name/);
    assert.equal(twice.code, 2);
    const { code, stderr } = await run(['run'], {
      env: { DOCS_ASSISTANT_CACHE: cli.pathOf('file.txt', 'cache') },
    });
    assert.match(stderr, /^The cache folder .* can’t be written/);
    assert.equal(code, 13);
    assert.equal(proxy.exchanges.length, 0);
  });

  // Shows faults.md L16.
  it('ends with the exit code and the sentence of each failure of a start', async () => {
    const say = (status: number, headers = {}): Fault => ({
      times: 2,
      respond: json(status, { error: `No: ${adminKey}` }, headers),
    });
    for (const [fault, exitCode, sentence] of [
      [say(400), 5, /can’t export “sample”/],
      [say(401), 4, /rejected the admin key.*DOCS_ASSISTANT_ADMIN_KEY/],
      [say(403), 10, /Enterprise plan/],
      [
        say(404),
        7,
        /no export API at this URL, or no site “sample” \(HTTP 404\)\. Check --api-url/,
      ],
      [say(429, { 'retry-after': '3600' }), 6, /Too many requests.*Try again in (?:59 min|1 h)/],
      [say(500), 7, /did not confirm the start/],
      [say(302, { location: 'https://elsewhere.test/' }), 3, /elsewhere\.test.*--api-url/],
      [{ cues: [{ at: 'headers', do: 'reset' }] }, 7, /did not confirm the start/],
      [{ respond: { body: '<html><title>Sign in</title>' } }, 7, /web page.*Sign in/],
    ] as const) {
      proxy.clearFaults();
      proxy.queue(fault);
      const before = proxy.exchanges.length;
      const { code, stdout, stderr } = await run(['start', '--timeout', '30s']);
      assert.match(stderr, sentence);
      assert.deepEqual({ code, stdout }, { code: exitCode, stdout: '' }, stderr);
      assert.equal(proxy.exchanges.length, before + 1);
    }
    await proxy.goDown();
    const { code, stderr } = await run(['start']);
    assert.match(stderr, /Can’t reach 127\.0\.0\.1/);
    assert.equal(code, 7);
  });

  it('waits as long as a busy service asks, then goes on', async () => {
    const busy = json(429, { error: 'Slow down.' }, { 'retry-after': '10' });
    proxy.queue({ when: { method: 'POST', pathIncludes: 'jobs' }, respond: busy });
    const { code, events } = await run(['start', '--json'], { clock: hurriedClock() });
    assert.equal(code, 0);
    assert.deepEqual(namesOf(events()), ['waiting', 'started']);
    assert.equal(starts(), 2);
  });

  it('waits out failures of the service while it watches', async () => {
    await run(['start']);
    proxy.queue(atStatus({ respond: json(503, {}) }), atStatus({ respond: { body: '<html>' } }));
    const { code, stderr, stdout } = await run(['watch']);
    assert.equal(code, 0);
    assert.match(stderr, /temporarily unavailable \(HTTP 503\).*Next try in/);
    assert.match(stdout, /completed/);
  });

  it('times out with the exit code of what it waited for', async () => {
    await run(['start']);
    const busy = json(429, {}, { 'retry-after': '3600' });
    for (const [answer, timeout, exitCode, sentence] of [
      [busy, '30m', 6, /Too many requests/],
      [json(503, {}), '40s', 7, /HTTP 503/],
      [json(200, { status: 'running' }), '40s', 14, /still running/],
    ] as const) {
      proxy.clearFaults();
      proxy.queue(atStatus({ times: 1000, respond: answer }));
      const { code, stderr } = await run(['watch', '--timeout', timeout]);
      assert.match(stderr, sentence);
      assert.match(stderr, /The job keeps running at 127/);
      assert.equal(code, exitCode, stderr);
    }
  });

  it('watches the newest job of the site that --domain names', async () => {
    await run(['start']);
    proxy.queue({ when: { method: 'POST' }, respond: json(200, { jobId: 'other-job' }) });
    const other = await run(['start', '--domain', 'birds.example']);
    assert.match(other.stdout, /\(job other-job\)/, other.stderr);
    const { stdout } = await run(['watch', '--domain', 'sample']);
    assert.match(stdout, /^The export of sample completed/m);
  });

  it('times out with its own code if the service has recovered since a failure', async () => {
    await run(['start']);
    const running = json(200, { status: 'running' });
    proxy.queue(atStatus({ respond: json(503, {}) }), atStatus({ times: 1000, respond: running }));
    const { code, stderr } = await run(['watch', '--timeout', '40s']);
    assert.match(stderr, /still running/);
    assert.equal(code, 14);
  });

  it('quotes the ID of a job for the shell in the command that continues it', async () => {
    proxy.queue(atStatus({ times: 1000, respond: json(200, { status: 'running' }) }));
    const { stderr } = await run(['watch', "it's 7", '--timeout', '40s']);
    const [, command] = /To continue: docs-assistant export (.*)$/m.exec(stderr) ?? [];
    assert.equal(command, String.raw`watch 'it'\''s 7' --api-url ${proxy.url}`);
  });

  it('ends with the failure of the job, its link and its bundle', async () => {
    await run(['start']);
    const early = json(409, { error: 'Not yet.' });
    proxy.queue({ when: { pathIncludes: '/bundle' }, respond: early });
    const asked = await run(['link', '--output', 'link.txt']);
    assert.match(asked.stderr, /hasn’t completed/);
    assert.equal(asked.code, 5);
    proxy.queue(atStatus({ respond: json(200, { status: 'failed', error: 'No pages.' }) }));
    const { code, events } = await run(['watch', '--json']);
    assert.equal(code, 11);
    const { event, message, exitCode } = fieldsOf(events().at(-1));
    assert.deepEqual(
      [event, message, exitCode],
      ['error', 'The export of sample failed. (No pages.)', 11],
    );
    for (const command of ['link', 'download']) {
      const ended = await run([command, '--output', 'x']);
      assert.equal(ended.stderr, 'The export of sample failed. (No pages.)\n');
      assert.equal(ended.code, 11);
    }
    const gone = await run(['watch', 'no-such-job']);
    assert.match(gone.stderr, /no longer exists/);
    assert.match(gone.stderr, /Check its ID/);
    assert.equal(gone.stderr.split('Start a new export').length, 2, gone.stderr);
    assert.equal(gone.code, 5);
  });

  it('refuses missing or wrong input before it sends anything', async () => {
    const unset = (name: string): HereOptions => ({ env: { [name]: '' } });
    for (const [args, options, exitCode, sentence] of [
      [
        ['run'],
        unset('DOCS_ASSISTANT_ADMIN_KEY'),
        4,
        /Set DOCS_ASSISTANT_ADMIN_KEY to the admin key of 127/,
      ],
      [['start'], unset('DOCS_ASSISTANT_API_URL'), 3, /--api-url or DOCS_ASSISTANT_API_URL/],
      [['start'], unset('DOCS_ASSISTANT_DOMAIN'), 3, /--domain or DOCS_ASSISTANT_DOMAIN/],
      [['watch'], {}, 5, /No job at 127/],
      [['start', '--api-url', 'http://api.test'], {}, 2, /unencrypted/],
      [['start', '--domain', 'a b'], {}, 2, /isn’t a host name/],
      [['start', '--path', '../x'], {}, 2, /not a path/],
      [['run', '--fail-on', 'typos'], {}, 2, /doesn’t accept “typos”.*broken-links/],
      [['run', '--fail-on', 'no-pages, none'], {}, 2, /“none” together with other kinds/],
      [['start', '--timeout', 'soon'], {}, 2, /90s, 30m or 2h/],
      [['start', '--key', 'x'], {}, 2, /DOCS_ASSISTANT_ADMIN_KEY/],
      [['start', `--label=acme_4f9a8b7c6d5e4f9a8b7c6d5e`], {}, 2, /looks like a key/],
      [['watch', '.'], {}, 2, /not the ID of a job/],
    ] as const) {
      const { code, stdout, stderr } = await run(args, options);
      assert.match(stderr, sentence);
      assert.deepEqual({ code, stdout }, { code: exitCode, stdout: '' }, stderr);
    }
    const other = { env: { DOCS_ASSISTANT_ADMIN_KEY: 'local_dsc_0123456789' } };
    const { code, stderr } = await run(['start'], other);
    assert.match(stderr, /looks like an assistant key and was not sent/);
    assert.equal(code, 4);
    assert.equal(proxy.exchanges.length, 0);
  });

  it('asks the named API about a job, even if the job was stored with another one', async () => {
    const job = jobOf(await run(['start']));
    const seen = proxy.exchanges.length;
    const other = await startFaultProxy({ target: service.url });
    try {
      other.queue({ respond: json(404, { error: 'No such job.' }) });
      const { code } = await run(['watch', job, '--api-url', other.url]);
      assert.equal(code, 5);
      assert.equal(other.exchanges.length, 1);
      assert.equal((await run(['watch', '--api-url', other.url])).code, 5);
      assert.equal(other.exchanges.length, 1);
      assert.equal(proxy.exchanges.length, seen);
    } finally {
      await other.stop();
    }
  });

  it('names no site in the events of a job of another machine, of which only the ID is known', async () => {
    const job = jobOf(await run(['start']));
    const env = { DOCS_ASSISTANT_STATE: cli.pathOf('other-state'), DOCS_ASSISTANT_DOMAIN: '' };
    const { code, events } = await run(['watch', job, '--json'], { env });
    assert.equal(code, 0);
    const { event, ...told } = fieldsOf(events().at(-1));
    assert.deepEqual([event, told['job'], 'domain' in told], ['completed', job, false]);
  });

  it('takes the site of a job from --domain, also after a command that didn’t name it', async () => {
    const job = jobOf(await run(['start']));
    const env = { DOCS_ASSISTANT_STATE: cli.pathOf('other-state'), DOCS_ASSISTANT_DOMAIN: '' };
    assert.equal((await run(['watch', job], { env })).code, 0);
    const { stdout } = await run(['watch', job, '--domain', 'sample'], { env });
    assert.match(stdout, /^The export of sample completed/m);
    // The name is stored, and a command that names another site doesn’t change it.
    const later = await run(['watch', job, '--domain', 'birds.example'], { env });
    assert.match(later.stdout, /^The export of sample completed/m);
  });

  // Shows faults.md L15.
  it('continues without a writable state folder, and says so once', async () => {
    await cli.write('file', '');
    const env = { DOCS_ASSISTANT_STATE: cli.pathOf('file', 'state') };
    const { code, stdout, stderr } = await run(['run', '--output', 'bundle.tar.gz'], { env });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Self-contained/);
    assert.equal(
      stderr.match(/can’t be written \((?:ENOTDIR|EEXIST)\).*DOCS_ASSISTANT_STATE/g)?.length,
      1,
      stderr,
    );
  });

  it('sets aside files of the state folder that are not jobs', async () => {
    await cli.write('state/exports/broken.json', '{"schemaVersion":1,"record":{');
    const { code, stderr } = await run(['start']);
    assert.equal(code, 0);
    assert.match(stderr, /broken\.json.*renamed/);
    assert.equal((await run(['watch'])).stderr.includes('broken'), false);
  });
});
