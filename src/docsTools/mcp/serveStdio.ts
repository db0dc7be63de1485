/** Serves MCP over the process's stdin and stdout, with Node's own streams and console. */
import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  isSpecType,
  type JSONRPCMessage,
  type McpServer,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Clock, Log } from '../../common/ports';
import { sizeText } from '../../shared/units';
import { messageLines, type MessageId, type Refusal, refusalOf } from './messageLines';

interface StdioPorts {
  readonly stdin: Readable;
  /** Stream for the messages of the protocol. Nothing else is written to it. */
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly clock: Clock;
  readonly log: Log;
  /** Ends the connection. */
  readonly signal: AbortSignal;
  /** Builds a server. A client that probes for a newer protocol gets two, one after the other. */
  readonly createServer: () => McpServer;
}

/** Most bytes of a message. The SDK would end the connection at one over 10 MiB. */
const MAX_MESSAGE_BYTES = 10_000_000;
/** Milliseconds that running requests have once stdin has ended, as a client that pipes its requests still reads. */
const END_PATIENCE_MS = 30_000;
/** Milliseconds between two looks at the running requests. */
const POLL_MS = 20;
/** Errors of the connection that are logged. A client can send invalid messages without end. */
const MAX_LOGGED_ERRORS = 20;

/**
 * Resolves when the client has closed its end and the requests before that are answered, when it has stopped reading, or
 * when the signal aborts.
 */
export async function serveOverStdio(ports: StdioPorts): Promise<void> {
  const { stdin, stdout, stderr, clock, log, signal, createServer } = ports;
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
  const transport = new StdioServerTransport(lines, stdout);
  const handle = serveStdio(createServer, {
    transport,
    // Messages of clients can hold anything, and the sentences of the SDK repeat parts of them.
    onerror: (error) => warn(error.name),
  });
  const running = runningRequests(transport);
  const ended = new AbortController();
  const passOn = async (): Promise<void> => {
    await pipeline(stdin, lines, { end: false });
    // The last line can lack its end.
    lines.write('\n');
    const deadline = clock.now() + END_PATIENCE_MS;
    while ((lines.readableLength > 0 || running.size > 0) && clock.now() < deadline)
      await clock.delay(POLL_MS, ended.signal);
  };
  // The end of stdin, also by an error, reaches the transport as that of this stream.
  void passOn()
    .catch(() => undefined)
    .finally(() => lines.end());
  await new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  ended.abort(new Error('The connection is closed.'));
  await handle.close();
}

/** Returns the IDs of the requests that have come over a connection and have no answer yet. It changes with them. */
function runningRequests(transport: StdioServerTransport): ReadonlySet<unknown> {
  const running = new Set<unknown>();
  const receive = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isSpecType.JSONRPCRequest(message)) running.add(message.id);
    // A request that is canceled gets no answer.
    if (isSpecType.CancelledNotification(message)) running.delete(message.params.requestId);
    receive?.(message);
  };
  const send = transport.send.bind(transport);
  transport.send = async (message: JSONRPCMessage) => {
    try {
      await send(message);
    } finally {
      if (!('method' in message)) running.delete(message.id);
    }
  };
  return running;
}
