/** Serves MCP over the process's stdin and stdout, with Node's own streams and console. */
import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../../common/ports';

export interface StdioPorts {
  readonly stdin: Readable;
  /** Stream for the messages of the protocol. Nothing else is written to it. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly log: Log;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** Builds a server. A client that probes for a newer protocol gets two, one after the other. */
  readonly createServer: () => McpServer;
}

/** Errors of the connection that are logged. A client can send invalid messages without end. */
const MAX_LOGGED_ERRORS = 20;

/** Resolves when the client has closed the connection or stopped reading, or the signal aborts. */
export async function serveOverStdio(ports: StdioPorts): Promise<void> {
  const { stdin, stdout, stderr, log, signal, createServer } = ports;
  // A line that a library prints between the messages would break the connection.
  globalThis.console = new Console(stderr, stderr);
  const transport = new StdioServerTransport(stdin, stdout);
  let logged = 0;
  const handle = serveStdio(createServer, {
    transport,
    onerror: (error) => {
      logged += 1;
      // Messages of clients can hold anything, and the sentences of the SDK repeat parts of them.
      if (logged <= MAX_LOGGED_ERRORS) log.warn(`Problem with the connection: ${error.name}`);
    },
  });
  await new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await handle.close();
}
