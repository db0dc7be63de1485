/** The MCP server as a process of its own, as clients start it, and the SDK's client for it. */
import { once } from 'node:events';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The server as the extension ships it. Tests run at the top of the repository. */
const program = path.resolve('dist/mcp.js');

export interface StartOptions {
  /** Arguments behind `mcp`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function environment({ env = {} }: StartOptions): Record<string, string> {
  return { ...getDefaultEnvironment(), ...env };
}

/** A client of the SDK with everything that its server wrote on stderr. */
export interface ConnectedClient {
  readonly client: Client;
  readonly stderr: () => string;
}

/** Starts the server and connects the SDK's client to it. */
export async function connectClient(
  options: StartOptions,
  clientOptions: ClientOptions = {},
): Promise<ConnectedClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...(options.args ?? [])],
    env: environment(options),
    stderr: 'pipe',
  });
  const stderr = textOf(transport.stderr as Readable);
  const client = new Client({ name: 'test', version: '1.0.0' }, clientOptions);
  await client.connect(transport);
  return { client, stderr };
}

function textOf(stream: Readable): () => string {
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

/** A message that the server sent. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The server without a client: the test writes the lines. */
export class RawServer {
  readonly process: ChildProcessWithoutNullStreams;
  /** Lines of stdout, each as it came. */
  readonly lines: string[] = [];
  readonly stderr: () => string;
  readonly #exit: Promise<unknown[]>;
  readonly #watchers = new Set<() => void>();

  constructor(options: StartOptions) {
    this.process = spawn(process.execPath, [program, 'mcp', ...(options.args ?? [])], {
      env: environment(options),
    });
    this.#exit = once(this.process, 'close');
    this.stderr = textOf(this.process.stderr);
    // The server can end while a test still writes.
    this.process.stdin.on('error', () => undefined);
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      this.lines.push(line);
      for (const watch of this.#watchers) watch();
    });
  }

  send(message: object | string): void {
    const line = typeof message === 'string' ? message : JSON.stringify(message);
    this.process.stdin.write(`${line}\n`);
  }

  /** Sends the handshake of a client and returns the answer. */
  async initialize(protocolVersion = '2025-06-18'): Promise<Message> {
    const clientInfo = { name: 'raw', version: '1' };
    const params = { protocolVersion, capabilities: {}, clientInfo };
    this.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    const answer = await this.answer(0);
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** Sends a request and returns its answer. */
  async request(id: number, method: string, params: object = {}): Promise<Message> {
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.answer(id);
  }

  /** Resolves with the answer to a request, once it has come. */
  async answer(id: number): Promise<Message> {
    for (;;) {
      const found = this.messages.find((message) => message.id === id && !message.method);
      if (found) return found;
      await this.#nextLine();
    }
  }

  /** Everything on stdout. Fails on a line that isn't a message. */
  get messages(): Message[] {
    return this.lines.map((line) => JSON.parse(line) as Message);
  }

  /** Closes stdin and resolves with the exit code. */
  async close(): Promise<unknown> {
    this.process.stdin.end();
    return this.exitCode();
  }

  async exitCode(): Promise<unknown> {
    return (await this.#exit)[0];
  }

  #nextLine(): Promise<void> {
    return new Promise((resolve, reject) => {
      const watch = (): void => {
        this.#watchers.delete(watch);
        resolve();
      };
      this.#watchers.add(watch);
      void this.#exit.then(() => reject(new Error(`The server ended: ${this.stderr()}`)));
    });
  }
}
