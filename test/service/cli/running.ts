/**
 * Runs `docs-assistant` as users do, as a process of its own, piped or on a pseudo-terminal, and in this
 * process, which takes a fraction of the time.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cliCommands } from '../../../src/cli/commands';
import { Output } from '../../../src/cli/output';
import { runCommand } from '../../../src/cli/program';
import { plainTranslate } from '../../../src/common/errors';
import type { Clock } from '../../../src/common/ports';

/** The program that ships. Tests run at the repository's top after a build. */
export const program = path.resolve('dist/cli.js');

/** Output of a command, and its end. */
export interface Ran {
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Columns of the pseudo-terminal. 0 is one whose size nobody has set. */
  readonly columns?: number;
  /** Another program than the one of this clone. */
  readonly program?: string;
}

/** Returns the environment without the variables that would change what a test expects. */
function cleanEnv(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:DOCS_ASSISTANT_|NO_COLOR|FORCE_COLOR|LANG|LC_|COLUMNS|TERM$)/.test(name),
  );
  return {
    ...Object.fromEntries(own),
    TERM: 'xterm-256color',
    DOCS_ASSISTANT_LANGUAGE: 'en',
    // A model server of this machine would be named in tests that know nothing of it.
    DOCS_ASSISTANT_MODEL_PORTS: '',
    ...env,
  };
}

/** Starts a command whose output is collected until it ends. */
export function start(
  args: readonly string[],
  { env, cwd, input, program: script = program }: RunOptions = {},
): { readonly child: ChildProcess; readonly done: Promise<Ran>; stdout: () => string } {
  const child = spawn(process.execPath, [script, ...args], {
    env: cleanEnv(env),
    cwd,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A command that fails at once doesn't read its input.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const done = once(child, 'close').then(([code, signal]): Ran => {
    return { code: (code ?? signal) as Ran['code'], stdout, stderr };
  });
  return { child, done, stdout: () => stdout };
}

/** Runs a command to its end. */
export function run(args: readonly string[], options?: RunOptions): Promise<Ran> {
  return start(args, options).done;
}

export interface HereOptions extends Omit<RunOptions, 'columns' | 'program'> {
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  /** Input in place of `input`, such as one that doesn't end. */
  readonly stdin?: AsyncIterable<string>;
  /** Called with everything that was printed so far. */
  readonly onOutput?: (text: string) => void;
}

/**
 * Runs a command to its end in this process. For what a command does with its arguments, files and services.
 * Its start, its signals and its streams are tested with a process.
 */
export async function runHere(
  args: readonly string[],
  { env, cwd = process.cwd(), input = '', stdin, signal, clock, onOutput }: HereOptions = {},
): Promise<Ran & { readonly code: number }> {
  const printed = { stdout: '', stderr: '' };
  const outputOf = (name: keyof typeof printed): Output =>
    new Output({
      write: (text: string): void => {
        printed[name] += text;
        onOutput?.(printed.stdout + printed.stderr);
      },
    });
  const code = await runCommand(
    args,
    {
      stdin: stdin ?? stdinOf(input),
      stdout: outputOf('stdout'),
      stderr: outputOf('stderr'),
      env: cleanEnv(env),
      cwd,
      t: plainTranslate,
      distFolder: path.dirname(program),
      signal: signal ?? new AbortController().signal,
      clock,
    },
    cliCommands,
  );
  return { code, ...printed };
}

async function* stdinOf(text: string): AsyncGenerator<string> {
  await Promise.resolve();
  if (text !== '') yield text;
}

/** Whether this machine can give a command a pseudo-terminal: `script` of util-linux. */
export const hasTerminal =
  (spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout as string | null)?.includes(
    'util-linux',
  ) === true;

/** Skips a test that needs a pseudo-terminal, and says so. */
export function skipLoudly(test: Mocha.Context): never {
  process.stderr.write('SKIPPED: no `script` of util-linux for a pseudo-terminal\n');
  return test.skip();
}

/** Runs a command on a pseudo-terminal, of 60 columns by default. Both streams are `stdout` then. */
export async function runOnTerminal(
  args: readonly string[],
  { env, cwd, columns = 60, program: script = program }: RunOptions = {},
): Promise<Ran> {
  const quoted = [process.execPath, script, ...args].map(
    (word) => `'${word.replaceAll("'", "'\\''")}'`,
  );
  const child = spawn(
    'script',
    ['-qec', `stty cols ${columns}; exec ${quoted.join(' ')}`, '/dev/null'],
    {
      env: cleanEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd,
    },
  );
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: stdout.replaceAll('\r\n', '\n'), stderr: '' };
}

/** Returns the text as a person sees it, without styles and without status lines that were replaced. */
export function seen(text: string): string {
  return (
    text
      .split('\n')
      .map((line) =>
        line.slice(line.lastIndexOf('\r\u001b[K') < 0 ? 0 : line.lastIndexOf('\r\u001b[K') + 4),
      )
      .join('\n')
      // eslint-disable-next-line no-control-regex -- escape sequences are what is removed
      .replace(/\u001b\[\d+m/g, '')
  );
}

/** Returns the IDs of the living processes that a process started, by the file system of Linux. */
export function childrenOf(processId: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
