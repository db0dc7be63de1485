/**
 * Loopback server in front of a docs service. It records every exchange and causes faults on demand.
 * A *gate* holds a response until the test opens it, so no test has to sleep. The proxy doesn't
 * depend on a test runner. It runs in the process of the test or as its own process
 * (faultProxyControl.ts).
 */
import { createServer, request as startRequest } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { Conditions } from './conditions';
import { CueLine, deliver, encoded, noting, writePiece } from './faultDelivery';
import type { Cue, Exchange, Fault } from './faults';
import { lowerCased, withoutConnection, withoutNulls, type HttpHeaders } from './httpHeaders';
import { rewriteEvents } from './sseRewrite';

export interface FaultProxyConfig {
  /** Base URL of the service behind the proxy. Without it, the proxy gives only canned responses. */
  readonly target?: string;
  /** Port of the proxy. Default: a free one. */
  readonly port?: number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface Upstream {
  readonly status: number;
  readonly headers: HttpHeaders;
  readonly body: AsyncIterable<Buffer>;
}

/** Error that ends an exchange early, because of a cue or because the client closed the connection. */
class ExchangeOver extends Error {
  constructor(readonly state: 'cut' | 'client-gone' | 'complete') {
    super(state);
  }
}

const RECORDED_CHARACTERS = 16 * 1024 * 1024;

export class FaultProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #target: string | undefined;
  readonly #exchanges: Writable<Exchange>[] = [];
  readonly #openGates = new Set<string>();
  readonly #held = new Map<string, number>();
  readonly #conditions = new Conditions();
  #faults: { fault: Fault; left: number }[] = [];
  #port = 0;

  constructor(target: string | undefined) {
    this.#target = target;
    this.#server = createServer((incoming, response) => {
      void this.#serve(incoming, response);
    });
    this.#server.on('connection', (socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  /** Base URL without a trailing slash. It never changes, even if the proxy goes down and up again. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** All exchanges so far, in the order of their requests. Open exchanges still change. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  /** Queues faults. Each request takes the first one that matches it. */
  queue(...faults: readonly Fault[]): void {
    this.#faults.push(...faults.map((fault) => ({ fault, left: fault.times ?? 1 })));
  }

  /** Removes the faults that no request has taken. */
  clearFaults(): void {
    this.#faults = [];
  }

  /** Opens a gate for all responses that wait, or will wait, at it. */
  openGate(name: string): void {
    this.#openGates.add(name);
    this.#changed();
  }

  /** Returns whether a response waits at the gate. All bytes before the gate have been sent. */
  isHeld(gate: string): boolean {
    return (this.#held.get(gate) ?? 0) > 0;
  }

  /** Resolves when a response waits at the gate. */
  async whenHeld(gate: string): Promise<void> {
    await this.until(() => this.isHeld(gate));
  }

  /** Resolves when the condition is true. The proxy tests it whenever its state changes. */
  until(condition: () => boolean): Promise<void> {
    return this.#conditions.until(condition);
  }

  /** Closes the port and every connection, like a service that is down. The URL stays the same. */
  async goDown(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Listens on the same port again. */
  async comeBack(): Promise<void> {
    if (!this.#server.listening) await this.listen(this.#port);
  }

  async stop(): Promise<void> {
    this.#conditions.clear();
    await this.goDown();
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    // A TCP server's address is an AddressInfo; only a pipe's is a string.
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #changed(): void {
    this.#conditions.changed();
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const bodyText = await readText(incoming).catch(() => undefined);
    if (bodyText === undefined) return;
    const exchange: Writable<Exchange> = {
      index: this.#exchanges.length,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: withoutNulls(incoming.headers),
      body: parsed(bodyText),
      bodyText,
      responseText: '',
      responseBytes: 0,
      state: 'open',
    };
    this.#exchanges.push(exchange);
    const gone = new AbortController();
    response.on('close', () => {
      if (!response.writableFinished) gone.abort(new ExchangeOver('client-gone'));
    });
    const fault = this.#takeFault(exchange);
    this.#changed();
    try {
      await this.#respond(exchange, fault, response, gone.signal);
      exchange.state = 'complete';
    } catch (error) {
      exchange.state = stateAfter(error, gone.signal);
      if (exchange.state === 'complete') response.end();
      // A cut connection closes by itself, after its remaining bytes.
      else if (exchange.state !== 'cut') response.destroy();
    }
    this.#changed();
  }

  #takeFault(exchange: Exchange): Fault {
    const entry = this.#faults.find(
      ({ fault: { when } }) =>
        (when?.method ?? exchange.method) === exchange.method &&
        exchange.path.includes(when?.pathIncludes ?? ''),
    );
    if (!entry) return {};
    entry.left -= 1;
    if (entry.left <= 0) this.#faults = this.#faults.filter((other) => other !== entry);
    return entry.fault;
  }

  async #respond(
    exchange: Writable<Exchange>,
    fault: Fault,
    response: ServerResponse,
    gone: AbortSignal,
  ): Promise<void> {
    const cues = new CueLine(fault.cues ?? [], (cue) => this.#runCue(cue, response, gone));
    await cues.runWhile((at) => at === 'headers');

    const upstream = fault.respond
      ? cannedUpstream(fault.respond)
      : await this.#forward(exchange, gone);
    const headers: Record<string, string | readonly string[] | null> = {
      ...upstream.headers,
      'content-encoding': fault.encode ?? upstream.headers['content-encoding'] ?? null,
      ...lowerCased(fault.headers ?? {}),
    };
    exchange.status = upstream.status;
    response.statusCode = upstream.status;
    for (const [name, value] of Object.entries(headers)) {
      if (value !== null) response.setHeader(name, typeof value === 'string' ? value : [...value]);
    }
    exchange.responseHeaders = withoutNulls(headers);
    response.flushHeaders();
    this.#changed();

    let plain = upstream.body;
    if (fault.rewrite) plain = rewriteEvents(plain, fault.rewrite);
    const noted = noting(plain, (text) => {
      if (exchange.responseText.length < RECORDED_CHARACTERS) exchange.responseText += text;
    });
    const sent = fault.encode ? encoded(noted, fault.encode) : noted;
    const write = async (bytes: Buffer): Promise<void> => {
      const size = fault.pieceBytes ?? bytes.length;
      for (let start = 0; start < bytes.length; start += size) {
        if (fault.everyMs !== undefined && exchange.responseBytes > 0)
          await setTimeout(fault.everyMs, undefined, { signal: gone });
        await writePiece(response, bytes.subarray(start, start + size), gone);
        // Without a turn of the event loop, the system would join the pieces again.
        if (fault.pieceBytes !== undefined) await setImmediate();
        exchange.responseBytes += Math.min(size, bytes.length - start);
      }
      this.#changed();
    };
    await deliver(sent, cues, write);
    response.end();
  }

  async #runCue(cue: Cue, response: ServerResponse, gone: AbortSignal): Promise<void> {
    // The bytes before the cue must leave before the connection ends.
    if (response.headersSent) await setImmediate();
    switch (cue.do) {
      case 'hold':
        await this.#hold(cue.gate, gone);
        return;
      case 'end':
        throw new ExchangeOver('complete');
      case 'reset':
        response.socket?.resetAndDestroy();
        throw new ExchangeOver('cut');
      case 'close':
        // Half-closing lets all earlier bytes reach the client, which then sees an early end.
        response.socket?.end();
        throw new ExchangeOver('cut');
    }
  }

  async #hold(gate: string, gone: AbortSignal): Promise<void> {
    this.#held.set(gate, (this.#held.get(gate) ?? 0) + 1);
    this.#changed();
    const onGone = (): void => this.#changed();
    gone.addEventListener('abort', onGone);
    try {
      await this.until(() => this.#openGates.has(gate) || gone.aborted);
    } finally {
      gone.removeEventListener('abort', onGone);
      this.#held.set(gate, (this.#held.get(gate) ?? 1) - 1);
    }
    gone.throwIfAborted();
  }

  async #forward(exchange: Exchange, gone: AbortSignal): Promise<Upstream> {
    if (this.#target === undefined) {
      return cannedUpstream({ status: 503, body: '{"error":"No service stands behind."}' });
    }
    const { host: _host, 'accept-encoding': _encoding, ...headers } = exchange.headers;
    return new Promise((resolve, reject) => {
      const outgoing = startRequest(
        `${this.#target ?? ''}${exchange.path}`,
        {
          method: exchange.method,
          headers: withoutConnection(headers),
          signal: gone,
          // The service could close a reused connection meanwhile, which would be an unintended fault.
          agent: false,
        },
        (answer) =>
          resolve({
            status: answer.statusCode ?? 502,
            headers: withoutConnection(withoutNulls(answer.headers)),
            body: answer as AsyncIterable<Buffer>,
          }),
      );
      outgoing.on('error', reject);
      outgoing.end(exchange.bodyText);
    });
  }
}

/** Starts a proxy on loopback. The caller stops it at the end of the test. */
export async function startFaultProxy(config: FaultProxyConfig = {}): Promise<FaultProxy> {
  const proxy = new FaultProxy(config.target?.replace(/\/$/, ''));
  await proxy.listen(config.port ?? 0);
  return proxy;
}

function cannedUpstream(canned: NonNullable<Fault['respond']>): Upstream {
  const bytes = Buffer.concat([
    Buffer.from(canned.body ?? ''),
    Buffer.from(canned.bodyBase64 ?? '', 'base64'),
  ]);
  return {
    status: canned.status ?? 200,
    headers: lowerCased(canned.headers ?? {}),
    // eslint-disable-next-line @typescript-eslint/require-await -- a body that is there at once
    body: (async function* () {
      for (let count = canned.repeat ?? 1; count > 0; count -= 1) if (bytes.length > 0) yield bytes;
    })(),
  };
}

function stateAfter(error: unknown, gone: AbortSignal): Exchange['state'] {
  if (error instanceof ExchangeOver) return error.state;
  return gone.aborted ? 'client-gone' : 'service-unreachable';
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
