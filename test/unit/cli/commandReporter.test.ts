import assert from 'node:assert/strict';
import { CommandReporter } from '../../../src/cli/commandReporter';
import { Interrupted } from '../../../src/cli/context';
import { Output } from '../../../src/cli/output';
import { plainTranslate } from '../../../src/common/errors';
import { ExportError } from '../../../src/export/exportErrors';
import { FakeClock } from '../../fakes/fakeClock';

interface Reporting {
  readonly reporter: CommandReporter;
  readonly clock: FakeClock;
  readonly out: { stdout: string; stderr: string };
}

function reporting({
  isTTY = false,
  env = {},
  isJson = false,
  signal = new AbortController().signal,
} = {}): Reporting {
  const out = { stdout: '', stderr: '' };
  const clock = new FakeClock();
  const context = {
    stdout: new Output({ write: (text) => (out.stdout += text), isTTY }),
    stderr: new Output({ write: (text) => (out.stderr += text), isTTY }),
    env,
    signal,
    t: plainTranslate,
  };
  return { reporter: new CommandReporter(context, { json: isJson }, clock), clock, out };
}

const checking = (
  pages: number,
): [{ event: 'checking'; pages: number; totalPages: number }, string] => [
  { event: 'checking', pages, totalPages: 100 },
  `${pages} of 100`,
];

describe('CommandReporter', () => {
  it('replaces one status line on a terminal, and clears it before results', () => {
    const { reporter, out } = reporting({ isTTY: true });
    reporter.progress('check', ...checking(1));
    reporter.progress('check', ...checking(2));
    reporter.tell({ event: 'listening', url: 'x' }, 'Done.');
    assert.equal(out.stderr, '\r\u001b[K1 of 100\r\u001b[K2 of 100\r\u001b[K');
    assert.equal(out.stdout, 'Done.\n');
  });

  it('prints no line that CI reads as a command, such as the name of a file', () => {
    const nasty = '::stop-commands::x ##[add-mask]y';
    const plain = reporting();
    plain.reporter.tell({ event: 'listening', url: nasty }, nasty);
    plain.reporter.warn(undefined, nasty);
    assert.equal(plain.out.stdout, ': :stop-commands::x ## [add-mask]y\n');
    assert.equal(plain.out.stderr, plain.out.stdout);
    const { reporter, out } = reporting({ isJson: true });
    reporter.tell({ event: 'listening', url: nasty });
    assert.doesNotMatch(out.stdout, /##\[/);
    assert.equal((JSON.parse(out.stdout) as { url: string }).url, nasty);
  });

  it('prints plain lines into a pipe, in CI and on a dumb terminal, less and less often', () => {
    for (const options of [
      {},
      { isTTY: true, env: { CI: 'true' } },
      { isTTY: true, env: { TERM: 'dumb' } },
    ]) {
      const { reporter, clock, out } = reporting(options);
      for (let second = 0; second < 600; second++) {
        reporter.progress('job:running', ...checking(second));
        clock.sleep(1000);
      }
      const lines = out.stderr.trimEnd().split('\n');
      assert.deepEqual(
        lines.slice(0, 6).map((line) => parseInt(line, 10)),
        [0, 10, 30, 70, 130, 190],
      );
      assert.equal(lines.length, 12);
      // A new state is told at once.
      reporter.progress('job:packing', ...checking(99));
      assert.match(out.stderr, /99 of 100\n$/);
    }
  });

  it('prints nothing for a short step', () => {
    const { reporter, clock, out } = reporting();
    reporter.progress('check', ...checking(1), { isBrief: true });
    assert.equal(out.stderr, '');
    clock.sleep(11_000);
    reporter.progress('check', ...checking(2), { isBrief: true });
    assert.equal(out.stderr, '2 of 100\n');
  });

  it('prints events on stdout with --json, with at most one progress event a second', () => {
    const { reporter, clock, out } = reporting({ isJson: true, isTTY: true });
    for (let step = 0; step < 10; step++) {
      reporter.progress('check', ...checking(step));
      clock.sleep(250);
    }
    reporter.warn({ event: 'detached', job: 'j', domain: 'd', command: 'c' }, 'It goes on.');
    const lines = out.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { event: string });
    assert.deepEqual(
      lines.map(({ event }) => event),
      ['checking', 'checking', 'checking', 'detached'],
    );
    assert.deepEqual(Object.keys(lines[0] ?? {}), [
      'version',
      'time',
      'event',
      'pages',
      'totalPages',
    ]);
    assert.equal(out.stderr, '');
  });

  it('removes terminal control characters', () => {
    const { reporter, out } = reporting();
    reporter.tell({ event: 'listening', url: 'x' }, 'a\u001b]0;title\u0007\nb');
    assert.equal(out.stdout.split('\n').length, 2);
    for (const control of ['\u001b', '\u0007']) assert.equal(out.stdout.includes(control), false);
  });

  it('reports a failure as its last event or as a sentence', async () => {
    const retryAt = new FakeClock().now() + 90_000;
    const error = new ExportError('export-rate-limited', { host: 'api.test', retryAt });
    const plain = reporting();
    assert.equal(await plain.reporter.fail(error), 6);
    assert.match(plain.out.stderr, /^Too many requests to api\.test\. Try again in/);
    const events = reporting({ isJson: true });
    assert.equal(await events.reporter.fail(error), 6);
    const event = JSON.parse(events.out.stdout) as Record<string, unknown>;
    assert.deepEqual(
      [event['event'], event['code'], event['exitCode'], event['retryAt']],
      ['error', 'export-rate-limited', 6, new Date(retryAt).toISOString()],
    );
  });

  it('prints nothing after its reader has gone', async () => {
    const gone = new AbortController();
    gone.abort(new Interrupted(0));
    const { reporter, out } = reporting({ isJson: true, signal: gone.signal });
    assert.equal(await reporter.fail(new Error('EPIPE')), 0);
    assert.equal(out.stdout, '');
  });
});
