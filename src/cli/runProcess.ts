/** Runs commands in this process. Uses Node's process, its signals and its streams. */
import { fstatSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemErrorCode } from '../common/errorCode';
import { environmentLanguage, speak } from '../common/processLanguage';
import { CliError, exitCodes, Interrupted, type CliContext } from './context';
import { Output, type OutputStream } from './output';
import type { AddCommand } from './parser';
import { runCommand } from './program';

/** Time that an interrupted command has to end its child processes. */
const EXIT_DEADLINE_MS = 3000;

/** Codes of writes to a pipe or a terminal that nobody reads any more. */
const goneReader: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'EOF']);

/** Signals that end a command, with their numbers. */
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

type ProcessStream = NodeJS.WriteStream & { readonly fd: number };

/**
 * Returns a stream that reads the width of the terminal at each access, because windows are
 * resized.
 * @param onLost called with the error of a file that doesn't take all of a text.
 */
function outputOf(stream: ProcessStream, onLost: (error: unknown) => void): OutputStream {
  return {
    write: isFile(stream)
      ? (text) => writeAll(stream.fd, text, onLost)
      : (text) => stream.write(text),
    isTTY: stream.isTTY,
    get columns() {
      // A terminal that a program made can have no size, which shows as 0 columns.
      return stream.columns > 0 ? stream.columns : undefined;
    },
  };
}

function isFile({ fd }: ProcessStream): boolean {
  try {
    return fstatSync(fd).isFile();
  } catch {
    return false;
  }
}

/** Writes a whole text to a file. Node's stream doesn't notice that a disk took only a part of it. */
function writeAll(fd: number, text: string, onLost: (error: unknown) => void): void {
  const bytes = Buffer.from(text);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
  } catch (error) {
    onLost(error);
  }
}

/**
 * Runs the command that this process was started with, and ends the process with its exit code.
 *
 * @param entry URL of the entry module.
 */
export async function runProcess(commands: readonly AddCommand[], entry: string): Promise<void> {
  const stopping = new AbortController();
  let exitMs = EXIT_DEADLINE_MS;
  const interrupt = (exitCode: number): void => {
    // A second Ctrl+C ends the process at once.
    if (stopping.signal.aborted) process.exit(exitCode);
    stopping.abort(new Interrupted(exitCode));
    setTimeout(() => process.exit(exitCode), exitMs).unref();
  };
  for (const [signal, number] of Object.entries(signals)) {
    process.on(signal, () => interrupt(128 + number));
  }
  const t = speak(environmentLanguage(process.env));
  const stderr = new Output(outputOf(process.stderr, () => undefined));
  let lostOutput: number | undefined;
  let isServer = false;
  const lose = (error: unknown): void => {
    // The output of a server is its log. It goes on without one.
    if (isServer) return;
    // Every later write fails, too. Only the first failure ends the command, so that it can clean up.
    if (lostOutput !== undefined) return;
    const code = systemErrorCode(error) ?? '?';
    // The reader of the output, such as `head`, has enough and closed the pipe.
    lostOutput = goneReader.has(code) ? exitCodes.ok : exitCodes.file;
    if (lostOutput !== exitCodes.ok) {
      stderr.line(t('The output can’t be written ({0}).', code));
    }
    if (!stopping.signal.aborted) interrupt(lostOutput);
  };
  process.stdout.on('error', lose);
  process.stderr.on('error', () => undefined);

  const context: CliContext = {
    stdin: process.stdin,
    stdout: new Output(outputOf(process.stdout, lose)),
    stderr,
    env: process.env,
    get cwd() {
      return currentFolder(t);
    },
    distFolder: path.dirname(fileURLToPath(entry)),
    signal: stopping.signal,
    becomeServer: (onHangUp, ms) => {
      isServer = true;
      exitMs = ms;
      process.removeAllListeners('SIGHUP').on('SIGHUP', onHangUp);
    },
    t,
  };
  process.on('uncaughtException', (error) => {
    // Node would print a stack with the paths of this program, and the command could not clean up.
    void import('./failure')
      .then(({ reportFailure }) => reportFailure(error, context))
      .catch(() => {
        // Without this, the failed import would come here again, without end.
        stderr.line(
          t('Files of this program are missing or were replaced while it ran. Start it again.'),
        );
        return (process.exitCode = exitCodes.unexpected);
      })
      .then((exitCode) => !stopping.signal.aborted && interrupt(exitCode));
  });
  const exitCode = await runCommand(process.argv.slice(2), context, commands);
  // Windows writes pipes asynchronously, so the process ends only when all output is written.
  process.stdout.write('', (error) => {
    const lost = process.stdout.errored ?? error;
    if (lost) lose(lost);
    process.stderr.write('', () => process.exit(exitCode === exitCodes.ok ? lostOutput : exitCode));
  });
}

/** @throws {CliError} if the folder that the command was started in was deleted. */
function currentFolder(t: CliContext['t']): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CliError(
      exitCodes.notFound,
      t('The current folder no longer exists. Change to another folder, then try again.'),
      { cause },
    );
  }
}
