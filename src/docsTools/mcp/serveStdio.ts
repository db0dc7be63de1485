/** Serves MCP over the process's stdin and stdout, with Node's own streams and console. */
import { Console } from 'node:console';
import { pipeline, type Readable, type Writable } from 'node:stream';
import { type McpServer, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../../common/ports';
import { sizeText } from '../../shared/units';
import { messageLines, type MessageId, type Refusal, refusalOf } from './messageLines';

interface StdioPorts {
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

/** Most bytes of a message. The SDK would end the connection at one over 10 MiB. */
const MAX_MESSAGE_BYTES = 10_000_000;
/** Errors of the connection that are logged. A client can send invalid messages without end. */
const MAX_LOGGED_ERRORS = 20;

/** Resolves when the client has closed the connection or stopped reading, or the signal aborts. */
export async function serveOverStdio(ports: StdioPorts): Promise<void> {
  const { stdin, stdout, stderr, log, signal, createServer } = ports;
  // A line that a library prints between the messages would break the connection.
  globalThis.console = new Console(stderr, stderr);
  let logged = 0;
  const warn = (problem: string): void => {
    logged += 1;
    if (logged <= MAX_LOGGED_ERRORS) log.warn(`Problem with the connection: ${problem}`);
  };
  const refuse = ({ id, ...error }: Refusal): void => {
    warn(error.message);
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  };
  const refuseLarge = (id: MessageId): void =>
    refuse({
      id,
      code: ProtocolErrorCode.InvalidRequest,
      message: `The message is larger than ${sizeText(MAX_MESSAGE_BYTES)}.`,
    });
  const isPassed = (line: string): boolean => {
    const refusal = refusalOf(line);
    if (refusal) refuse(refusal);
    return refusal === undefined;
  };
  const lines = messageLines(MAX_MESSAGE_BYTES, refuseLarge, isPassed);
  // The end and the errors of stdin reach the transport as those of this stream.
  pipeline(stdin, lines, () => undefined);
  const transport = new StdioServerTransport(lines, stdout);
  const handle = serveStdio(createServer, {
    transport,
    // Messages of clients can hold anything, and the sentences of the SDK repeat parts of them.
    onerror: (error) => warn(error.name),
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
