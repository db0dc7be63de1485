/** Runs commands in this process. Uses Node's process, its signals and its streams. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemErrorCode } from '../common/errorCode';
import { exitCodes, Interrupted, type CliContext, type Output } from './context';
import type { AddCommand } from './parser';
import { runCommand } from './program';
import { environmentLanguage, speak } from '../common/processLanguage';

/** Time that an interrupted command has to end its child processes. */
const EXIT_DEADLINE_MS = 3000;

/** Codes of writes to a pipe or a terminal that nobody reads any more. */
const goneReader: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'EOF']);

/** Signals that end a command, with their numbers. */
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Returns a stream that reads the width of the terminal at each access, because windows are
 * resized.
 */
function outputOf(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => stream.write(text),
    isTTY: stream.isTTY,
    get columns() {
      // A terminal that a program made can have no size, which shows as 0 columns.
      return stream.columns > 0 ? stream.columns : undefined;
    },
  };
}

/**
 * Runs the command that this process was started with, and ends the process with its exit code.
 *
 * @param entry URL of the entry module.
 */
export async function runProcess(commands: readonly AddCommand[], entry: string): Promise<void> {
  const stopping = new AbortController();
  const interrupt = (exitCode: number): void => {
    // A second Ctrl+C ends the process at once.
    if (stopping.signal.aborted) process.exit(exitCode);
    stopping.abort(new Interrupted(exitCode));
    setTimeout(() => process.exit(exitCode), EXIT_DEADLINE_MS).unref();
  };
  for (const [signal, number] of Object.entries(signals)) {
    process.on(signal, () => interrupt(128 + number));
  }
  const t = speak(environmentLanguage(process.env));
  let lostOutput: number | undefined;
  process.stdout.on('error', (error) => {
    // Every later write fails, too. Only the first failure ends the command, so that it can clean up.
    if (lostOutput !== undefined) return;
    const code = systemErrorCode(error) ?? '?';
    // The reader of the output, such as `head`, has enough and closed the pipe.
    lostOutput = goneReader.has(code) ? exitCodes.ok : exitCodes.file;
    if (lostOutput !== exitCodes.ok) {
      process.stderr.write(`${t('The output can’t be written ({0}).', code)}\n`);
    }
    if (!stopping.signal.aborted) interrupt(lostOutput);
  });
  process.stderr.on('error', () => undefined);

  const context: CliContext = {
    stdin: process.stdin,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    distFolder: path.dirname(fileURLToPath(entry)),
    signal: stopping.signal,
    t,
  };
  const exitCode = await runCommand(process.argv.slice(2), context, commands);
  // Windows writes pipes asynchronously, so the process ends only when all output is written.
  process.stdout.write('', () =>
    process.stderr.write('', () => process.exit(exitCode === exitCodes.ok ? lostOutput : exitCode)),
  );
}
