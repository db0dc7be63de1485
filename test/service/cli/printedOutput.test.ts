/** Tests of everything that reaches the terminal and CI, and of output that can't be written. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { Interrupted } from '../../../src/cli/context';
import { docsFolder } from '../service/localServiceAsking';
import { program, type Ran, runHere, start } from './running';

/** Lines that GitHub Actions or Azure Pipelines obey. */
const ciCommand = /^\s*::|##\w*\[/m;
const unseen = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u;

const page = `# Tokens

Rotate tokens with these lines. ##[add-mask]x

::stop-commands::tokens rotate
  ::set-output name=tokens::rotate
##vso[task.complete result=Failed]tokens rotate

See [gone](gone.md).
`;

describe('what docs-assistant prints', () => {
  let work: Awaited<ReturnType<typeof docsFolder>>;
  let env: Readonly<Record<string, string>>;

  before(async () => {
    work = await docsFolder({ 'docs/tokens.md': page, 'site/index.html': '<h1>Home</h1>' });
    if (process.platform !== 'win32') {
      await work.write('docs/a\n::stop-commands::b\u001b[2J.md', '# Line\n\n[gone](gone.md)\n');
    }
    env = { DOCS_ASSISTANT_CACHE: path.join(work.root, 'cache') };
  });
  after(() => work.remove());

  const here = (...args: string[]): Promise<Ran> => runHere(args, { env, cwd: work.root });

  for (const options of [[], ['--json']] as const) {
    it(`has no line of the docs that CI obeys: ask ${options.join('')}`, async () => {
      const asked = ['ask', 'how do I rotate tokens', '--docs', 'docs'];
      const { code, stdout } = await here(...asked, ...options);
      assert.match(stdout, /stop-commands/);
      assert.match(stdout, /vso/);
      assert.doesNotMatch(stdout, ciCommand);
      assert.equal(code, 0);
      const colored = await runHere([...asked, ...options], {
        env: { ...env, FORCE_COLOR: '1' },
        cwd: work.root,
      });
      assert.match(colored.stdout, /stop-commands/);
      // eslint-disable-next-line no-control-regex -- the styles of the terminal
      assert.doesNotMatch(colored.stdout.replace(/\u001b\[\d+m/g, ''), ciCommand);
    });
  }

  it('has no name of a file with a line break: serve --check', async function () {
    if (process.platform === 'win32') this.skip();
    const { stdout } = await here('serve', '--docs', 'docs', '--check');
    assert.match(stdout, /^a ::stop-commands::b ?\[2J\.md:3: gone\.md is broken/m);
    assert.doesNotMatch(stdout, ciCommand);
    assert.doesNotMatch(stdout, unseen);
  });

  it('has no escape codes of arguments', async () => {
    const nasty = '\u001b[31m\u009b2J\u202ex\n::error::y';
    for (const args of [
      [nasty],
      ['ask', `--${nasty}`],
      ['bundle', nasty],
      ['bundle', 'check', nasty],
      ['bundle', 'check', 'site', '--fail-on', nasty],
      ['bundle', 'open', nasty],
      ['test', nasty],
      ['test', '--parallel', nasty],
      ['ask', 'x', '--docs', nasty],
      ['ask', 'x', '--code', nasty],
      ['values', 'set', nasty, '--link-file', 'x'],
      ['export', 'workflow', '--for', nasty, '--package', nasty],
    ]) {
      const { code, stdout, stderr } = await here(...args);
      assert.notEqual(code, 0, JSON.stringify(args));
      assert.doesNotMatch(stdout + stderr, unseen, JSON.stringify(args));
      assert.doesNotMatch(stdout + stderr, ciCommand, JSON.stringify(args));
    }
  });

  // Shows faults.md L30.
  it('refuses blank arguments, which would name the current folder', async () => {
    for (const args of [
      ['bundle', 'preview', ''],
      ['bundle', 'check', ''],
      ['bundle', 'check', ' '],
      ['bundle', 'open', ''],
      ['bundle', 'diff', 'site', ''],
      ['bundle', 'hosting', '', '--for', 'nginx', '--output', 'out'],
      ['bundle', 'hosting', 'site', '--for', 'nginx', '--output', ''],
      ['bundle', 'hosting', 'site', '--for', 'nginx', '--output', 'out', '--root', ''],
      ['bundle', 'check', 'site', '--report', ''],
      ['values', 'set', '', '--link-file', 'x'],
      ['test', ''],
      ['test', 'a.yaml', '', '--docs', 'docs'],
      ['ask', 'x', '--docs', 'docs', '--filter-version', ''],
      ['ask', 'x', '--docs', 'docs', '--filter-group', 'a', '--filter-group', ''],
      ['serve', '--docs', ''],
      ['export', 'run', '--output', ''],
      ['export', 'download', 'x', '--output', ' '],
    ]) {
      const { code, stdout, stderr } = await here(...args);
      assert.match(stderr, /^The (?:argument .* is missing|option .* needs a value)\.\n$/);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, JSON.stringify(args));
    }
    const { code, stderr } = await here('ask', '');
    assert.match(stderr, /^Ask a question/);
    assert.equal(code, 2);
  });

  it('refuses an option in the place of the value of the one before it', async () => {
    for (const [flags, ...args] of [
      ['--markdown <file>', 'bundle', 'check', 'site', '--markdown', '--air-gapped'],
      ['--json <file>', 'test', '--docs', 'docs', '--json', '--replies'],
      ['--docs <folder|bundle|url>', 'ask', 'x', '--docs', '--json'],
      ['-o, --output <folder>', 'bundle', 'open', 'site.zip', '-o', '--json'],
      ['--path <path>', 'export', 'start', '--path', 'a', '--path', '--new'],
      ['--domain <host>', 'export', 'start', '--domain', '-h'],
    ] as const) {
      const { code, stdout, stderr } = await here(...args);
      assert.equal(stderr, `The option ${flags} needs a value.\n`);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, JSON.stringify(args));
    }
  });

  it('refuses to write a file named -, which stands for stdout elsewhere', async () => {
    for (const [flags, ...args] of [
      ['-o, --output <file>', 'export', 'download', '-o', '-'],
      ['--link-file <file>', 'export', 'run', '--link-file', '-'],
      ['--markdown <file>', 'bundle', 'check', 'site', '--markdown', '-'],
      ['--junit <file>', 'test', '--json', '-', '--junit', '-'],
    ] as const) {
      const { code, stdout, stderr } = await here(...args);
      assert.equal(stderr, `The option ${flags} doesn’t accept “-”. Enter a path.\n`);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, JSON.stringify(args));
    }
    const { stderr } = await here('values', 'set', 'none.yaml', '--link-file', '-');
    assert.doesNotMatch(stderr, /accept/);
  });

  it('prints a sentence and no object for wrong arguments, also with --json', async () => {
    for (const args of [
      ['ask', '', '--docs', 'docs'],
      ['ask', 'x', '--docs', 'docs', '--site', 'acme', '--base-url', 'https://docs.example.com'],
      ['bundle', 'enhance', 'site', '--site', 'acme'],
      ['bundle', 'hosting', 'site', '--for', 'nope', '--output', 'out'],
      ['bundle', 'check', 'site', '--fail-on', 'nope'],
      ['export', 'workflow', '--for', 'nope', '--package', 'x'],
      ['values', 'set', 'values.yaml'],
    ]) {
      const { code, stdout, stderr } = await here(...args, '--json');
      assert.match(stderr, /^\S.*\n$/, JSON.stringify(args));
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' }, JSON.stringify(args));
    }
  });

  it('names an option that a command cannot do without as it names a missing argument', async () => {
    for (const [args, missing] of [
      [['host'], '--values <file>'],
      [['export', 'workflow', '--for', 'github'], '--package <package>'],
      [['packages', 'diff', 'zod@3'], 'newer'],
    ] as const) {
      const { code, stderr } = await here(...args);
      assert.equal(stderr, `The argument ${missing} is missing.\nAdd --help to see the options.\n`);
      assert.equal(code, 2);
    }
  });

  it('names an unknown command of which the help is asked, and those like it', async () => {
    for (const [args, sentences] of [
      [['help', 'nope'], 'Unknown command nope.'],
      [['help', 'bundel'], 'Unknown command bundel.\nDid you mean bundle?'],
      [['help', 'bundle', 'opn'], 'Unknown command opn.\nDid you mean open?'],
      [['export', 'help', 'runn'], 'Unknown command runn.\nDid you mean run?'],
      [['nope', '--help'], 'Unknown command nope.'],
      [['bundle', 'opn', '-h'], 'Unknown command opn.\nDid you mean open?'],
      [['bundle', 'opn', 'a.zip', '--json', '--help'], 'Unknown command opn.\nDid you mean open?'],
    ] as const) {
      const { code, stdout, stderr } = await here(...args);
      assert.equal(stderr, `${sentences}\nAdd --help to see the options.\n`);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    }
    for (const args of [
      ['help', 'bundle', 'open'],
      ['bundle', 'help', 'open'],
    ]) {
      const { code, stdout } = await here(...args);
      assert.match(stdout, /^Usage: docs-assistant bundle open /);
      assert.equal(code, 0);
    }
  });

  it('prints the help of a group whose command is missing', async () => {
    for (const args of [[], ['export'], ['bundle']]) {
      const { code, stdout, stderr } = await here(...args);
      assert.match(stderr, new RegExp(`^Usage: ${['docs-assistant', ...args].join(' ')} `));
      assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
    }
  });

  it('says in the help which options a command cannot do without', async () => {
    for (const [args, required] of [
      [
        ['export', 'workflow'],
        ['--for <service>', '--package <package>'],
      ],
      [
        ['bundle', 'hosting'],
        ['--for <servers>', '-o, --output <folder>'],
      ],
      [['host'], ['--values <file>', '--data <folder>']],
    ] as const) {
      const { stdout } = await here(...args, '--help');
      const shown = stdout.replace(/\n {10,}/g, ' ').split('\n');
      const marked = shown.filter((line) => line.endsWith('(required)'));
      assert.deepEqual(
        marked.map((line) => /^ {2}(.*?) {2}/.exec(line)?.[1]),
        required,
      );
    }
  });

  it('says how many arguments are too many', async () => {
    const { code, stderr } = await here('bundle', 'open', 'my', 'site.tar.gz');
    assert.equal(
      stderr,
      'Too many arguments for open: 2 instead of 1.\nAdd --help to see the options.\n',
    );
    assert.equal(code, 2);
  });

  it('says what a workflow needs, and how to replace one that already exists', async () => {
    await work.write('taken.yml', 'name: ours\n');
    const workflow = ['export', 'workflow', '--for', 'github', '--package', './tools/x.tgz'];
    const site = ['--domain', 'docs.acme.com', '--api-url', 'https://api.example.com'];
    const noApi = await here(...workflow, '--domain', 'docs.acme.com');
    assert.equal(
      noApi.stderr,
      'Set the URL of the export API with --api-url or DOCS_ASSISTANT_API_URL.\n',
    );
    assert.equal(noApi.code, 3);
    const { code, stderr } = await here(...workflow, ...site, '--output', 'taken.yml');
    assert.equal(stderr, 'taken.yml already exists. Add --force to replace it.\n');
    assert.equal(code, 13);
  });

  it('writes a workflow where the CI service reads it, also from a folder of the repository', async () => {
    const cwd = path.join(work.root, 'repository', 'docs');
    await work.write('repository/.git/HEAD', '');
    await mkdir(cwd, { recursive: true });
    const write = (...args: string[]): Promise<Ran> => {
      const site = ['--domain', 'docs.acme.com', '--api-url', 'https://api.example.com'];
      const all = ['export', 'workflow', '--package', './tools/x.tgz', ...site, ...args];
      return runHere(all, { env, cwd });
    };
    const { code, stderr } = await write('--for', 'github');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const top = path.dirname(cwd);
    assert.ok(existsSync(path.join(top, '.github', 'workflows', 'docs-release.yml')));
    const gitlab = await write('--for', 'gitlab', '--output', './ci.yml');
    assert.match(gitlab.stdout, /^Wrote ci\.yml\.[^]*local: "\/docs\/ci\.yml"\n$/);
  });

  // Shows faults.md L7.
  it('ends at Ctrl+C while it waits for its input, which a terminal doesn’t end', async () => {
    for (const args of [
      ['ask', '-', '--docs', 'docs'],
      ['values', 'set', 'values.yaml', '--link-file', '-'],
    ]) {
      const stopping = new AbortController();
      async function* endless(): AsyncGenerator<string> {
        setImmediate(() => stopping.abort(new Interrupted(130)));
        await new Promise(() => undefined);
        yield '';
      }
      const ran = await runHere(args, {
        env,
        cwd: work.root,
        stdin: endless(),
        signal: stopping.signal,
      });
      assert.deepEqual(ran, { code: 130, stdout: '', stderr: '' }, JSON.stringify(args));
    }
  });

  it('names a report file that can’t be written before it reads the bundle', async () => {
    for (const args of [
      ['bundle', 'check', 'missing', '--report', 'no/folder/a.json'],
      ['bundle', 'check', 'missing', '--markdown', 'docs'],
      ['bundle', 'diff', 'missing', 'missing', '--redirects', 'no/folder/a.json'],
    ]) {
      const { code, stderr } = await here(...args);
      assert.match(stderr, /can’t be written \((?:ENOENT|EISDIR)\)/);
      assert.equal(code, 13);
    }
  });

  /** Runs a command in a shell, with a folder and a limit of its own. */
  async function inShell(script: string, args: readonly string[]): Promise<Ran> {
    const child = spawn('bash', ['-c', script, 'bash', process.execPath, program, ...args], {
      env: { ...process.env, ...env, DOCS_ASSISTANT_LANGUAGE: 'en' },
      cwd: work.root,
    });
    const printed = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.stderr += text));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...printed };
  }

  // Shows faults.md L28.
  it('ends with 13 if the disk is full, whatever is printed', async function () {
    // Writes to this device fail as on a disk without space.
    if (!existsSync('/dev/full')) this.skip();
    for (const args of [
      ['--version'],
      ['--help'],
      ['bundle', 'check', 'site', '--json'],
      ['ask', 'how do I rotate tokens', '--docs', 'docs', '--json'],
    ]) {
      const full = openSync('/dev/full', 'w');
      const child = spawn(process.execPath, [program, ...args], {
        env: { ...process.env, ...env, DOCS_ASSISTANT_LANGUAGE: 'en' },
        cwd: work.root,
        stdio: ['ignore', full, 'pipe'],
      });
      closeSync(full);
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      const [code] = (await once(child, 'close')) as [number | null];
      assert.equal(stderr, 'The output can’t be written (ENOSPC).\n', args.join(' '));
      assert.equal(code, 13, args.join(' '));
    }
  });

  it('ends with 13 if the disk takes only the first part', async function () {
    if (process.platform !== 'linux') this.skip();
    const { code, stderr } = await inShell('ulimit -f 1; exec "$@" > part.txt', ['--help']);
    assert.equal(stderr, 'The output can’t be written (EFBIG).\n');
    assert.equal(code, 13);
    const whole = await inShell('"$@" > whole.txt && cat whole.txt', ['--help']);
    assert.match(whole.stdout, /^Usage: docs-assistant[^]*\n {2}130 {2}interrupted\n$/);
  });

  // Shows faults.md L31.
  it('says in a sentence that the folder it was started in is gone', async function () {
    if (process.platform === 'win32') this.skip();
    const gone = path.join(work.root, 'gone');
    const script = `cd "${gone}" && rmdir "${gone}" && exec "$@"`;
    for (const args of [
      ['bundle', 'check', 'site'],
      ['ask', 'x', '--docs', 'docs'],
      ['test'],
      ['export', 'workflow', '--for', 'github', '--package', 'x'],
    ]) {
      await mkdir(gone, { recursive: true });
      const { code, stdout, stderr } = await inShell(script, args);
      assert.equal(
        stderr,
        'The current folder no longer exists. Change to another folder, then try again.\n',
      );
      assert.deepEqual({ code, stdout }, { code: 5, stdout: '' });
    }
    await mkdir(gone, { recursive: true });
    const { code, stdout } = await inShell(script, ['--version']);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.equal(code, 0);
    await rm(gone, { recursive: true, force: true });
  });
});

describe('a command whose files an update replaced while it runs', () => {
  let work: Awaited<ReturnType<typeof docsFolder>>;
  let running: ReturnType<typeof start> | undefined;

  before(async () => {
    work = await docsFolder({ 'docs/tokens.md': page, 'package.json': '{ "type": "module" }' });
    // Only the files that the program loads when it starts are there.
    const loaded = new Set(['cli.js']);
    for (const name of loaded) {
      const text = await readFile(path.join(path.dirname(program), name), 'utf8');
      for (const [, chunk = ''] of text.matchAll(
        /\b(?:from|import)"\.\/((?:chunks\/)?\w+\.js)"/g,
      )) {
        loaded.add(name === 'cli.js' ? chunk : `chunks/${chunk}`);
      }
      await work.write(name, text);
    }
  });
  after(async () => {
    running?.child.kill('SIGKILL');
    await work.remove();
  });

  // Shows faults.md L31.
  it('says so and ends, where neither the command nor the report of its failure can be loaded', async () => {
    running = start(['ask', 'How do I rotate tokens?', '--docs', 'docs'], {
      program: path.join(work.root, 'cli.js'),
      cwd: work.root,
    });
    assert.deepEqual(await running.done, {
      code: 1,
      stdout: '',
      stderr: 'Files of this program are missing or were replaced while it ran. Start it again.\n',
    });
  });
});
