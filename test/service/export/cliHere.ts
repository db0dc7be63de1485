/** `docs-assistant` for scripts, as a program that lets the process of the test run the commands. */
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { runHere } from '../cli/running';

/**
 * Sends its folder, its arguments and its environment, each with a zero byte behind it, and prints what
 * comes back: the code and the lengths of both outputs in a line, then the outputs.
 */
const program = (port: number): string => `#!/usr/bin/env bash
set -eu
exec 3<> /dev/tcp/127.0.0.1/${port}
printf '%s\\0' "$PWD" "$#" "$@" >&3
env -0 >&3
printf 'end\\0' >&3
read -r code stdout stderr <&3
head -c "$stdout" <&3
head -c "$stderr" <&3 >&2
exit "$code"
`;

/** A running `docs-assistant` of scripts. */
export interface CliHere {
  /** Writes the program into a folder of programs. */
  readonly writeTo: (bin: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts to take the commands of scripts. A process for each would load the same code each time, which takes
 * most of the time of a script. Commands get no input, and all of their output comes at their end.
 */
export async function startCliHere(): Promise<CliHere> {
  const server = createServer((socket) => {
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text;
      if (received.endsWith('\0end\0')) void answer(socket, received.slice(0, -5));
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    writeTo: async (bin) => {
      await mkdir(bin, { recursive: true });
      await writeFile(path.join(bin, 'docs-assistant'), program(port));
      await chmod(path.join(bin, 'docs-assistant'), 0o755);
    },
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(socket: Socket, received: string): Promise<void> {
  const [cwd = '', count = '0', ...rest] = received.split('\0');
  const args = rest.slice(0, Number(count));
  const env = Object.fromEntries(
    rest.slice(args.length).map((entry) => {
      const at = entry.indexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
  );
  // A process would resolve it against its own folder.
  const state = path.resolve(cwd, env['DOCS_ASSISTANT_STATE'] ?? 'state');
  const { code, stdout, stderr } = await runHere(args, {
    cwd,
    env: { ...env, DOCS_ASSISTANT_STATE: state },
  });
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
  socket.end(Buffer.concat([Buffer.from(`${code} ${out.length} ${err.length}\n`), out, err]));
}
