/**
 * Object store on this machine that serves presigned links to bundles. It answers `Range` and
 * `If-Range` with an `ETag`, refuses an expired link with 403 and XML, and rejects a request with an
 * `Authorization` header (field-notes.md § Static export). A test can also make it misbehave.
 */
import { createHash } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BundleLink } from '../../src/export/download/bundleLink';
import { Conditions } from './conditions';

/** Changes to the answer of one request. */
export interface StoreFault {
  /** Runs before the request is answered. */
  readonly before?: () => void;
  /** Complete answer that replaces the archive. */
  readonly answer?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
  };
  /** Headers that replace those of the answer. Null removes a header. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Status that replaces that of the answer. */
  readonly status?: number;
  /** Whether to send the whole archive, even if the request asks for a range. */
  readonly ignoreRange?: true;
  /** Whether to send the range, even if `If-Range` names another version. */
  readonly ignoreIfRange?: true;
  /** Body that replaces the expected one. */
  readonly body?: Uint8Array;
  /** Number of bytes of the body after which the connection breaks. 0 is right after the headers. */
  readonly cutAfter?: number;
  /** Number of bytes of the body after which the store pauses, until the client leaves or `resume` is called. */
  readonly stallAfter?: number;
  /** Whether to close the connection without an answer. */
  readonly hangUp?: true;
}

export interface StoreRequest {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Status of the answer. Undefined until the store sends it. */
  status?: number;
  /** Whether the connection closed before the store had written the whole answer. */
  isBroken: boolean;
}

/** Text in the query of every link. It must never appear anywhere else. */
export const QUERY_CANARY = 'QUERYCANARY0123456789';

export class ObjectStore {
  readonly requests: StoreRequest[] = [];
  etag: string | undefined;
  lastModified = new Date('2025-01-01T00:00:00Z');
  #content: Uint8Array = new Uint8Array();
  readonly #server: Server;
  readonly #faults: StoreFault[] = [];
  readonly #conditions = new Conditions();
  readonly #validSignatures = new Set<string>();
  #signatures = 0;
  #port = 0;

  constructor() {
    this.#server = createServer((incoming, response) => {
      void this.#serve(incoming, response);
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Sets the archive and, with it, the `ETag` of its version. */
  set content(content: Uint8Array) {
    this.#content = content;
    this.etag = `"${createHash('md5').update(content).digest('hex')}"`;
  }

  get content(): Uint8Array {
    return this.#content;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    // A TCP server's address is an AddressInfo; only a pipe's is a string.
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Returns a fresh link to the archive. */
  presign(fields: Partial<BundleLink> & { readonly path?: string } = {}): BundleLink {
    const { path = '/bundles/bundle.tar.gz', ...link } = fields;
    const signature = `${QUERY_CANARY}-${++this.#signatures}`;
    this.#validSignatures.add(signature);
    return { url: `${this.origin}${path}?X-Amz-Signature=${signature}`, ...link };
  }

  /** Makes all links so far expire. */
  expireLinks(): void {
    this.#validSignatures.clear();
  }

  /** Queues faults. Each request takes one. */
  queue(...faults: readonly StoreFault[]): void {
    this.#faults.push(...faults);
  }

  /** Resolves when the condition is true. The store tests it whenever a request arrives or ends. */
  until(condition: () => boolean): Promise<void> {
    return this.#conditions.until(condition);
  }

  /** Returns the request with that index. */
  request(index: number): StoreRequest {
    const request = this.requests[index];
    if (!request) throw new Error(`There were only ${this.requests.length} requests`);
    return request;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, url = '' } = incoming;
    const request: StoreRequest = { url, headers, isBroken: false };
    this.requests.push(request);
    response.on('close', () => {
      request.isBroken = !response.writableEnded;
      this.#changed();
    });
    const fault = this.#faults.shift() ?? {};
    fault.before?.();
    this.#changed();
    if (fault.hangUp) {
      response.destroy();
      return;
    }
    const answer = fault.answer
      ? { headers: {}, body: '', ...fault.answer }
      : this.#answerTo(incoming, fault);
    request.status = fault.status ?? answer.status;
    response.writeHead(request.status, withReplaced(answer.headers, fault.headers));
    await send(response, Buffer.from(fault.body ?? answer.body), fault);
  }

  #answerTo(
    { headers, url = '' }: IncomingMessage,
    fault: StoreFault,
  ): { status: number; headers: Record<string, string>; body: string | Uint8Array } {
    if (headers.authorization !== undefined) {
      return xmlError(400, 'InvalidArgument', 'Only one auth mechanism allowed');
    }
    const signature = new URL(url, this.origin).searchParams.get('X-Amz-Signature') ?? '';
    if (!this.#validSignatures.has(signature)) {
      return xmlError(403, 'AccessDenied', 'Request has expired');
    }
    const common: Record<string, string> = {
      'content-type': 'application/gzip',
      'accept-ranges': 'bytes',
      'last-modified': this.lastModified.toUTCString(),
    };
    if (this.etag !== undefined) common['etag'] = this.etag;
    const from = this.#rangeStart(headers, fault);
    const size = this.#content.length;
    if (from === undefined) {
      return {
        status: 200,
        headers: { ...common, 'content-length': String(size) },
        body: this.#content,
      };
    }
    if (from >= size)
      return xmlError(416, 'InvalidRange', 'The requested range is not satisfiable');
    return {
      status: 206,
      headers: {
        ...common,
        'content-length': String(size - from),
        'content-range': `bytes ${from}-${size - 1}/${size}`,
      },
      body: this.#content.subarray(from),
    };
  }

  /** Returns the requested range, or undefined to send the whole archive. */
  #rangeStart(headers: IncomingHttpHeaders, fault: StoreFault): number | undefined {
    const from = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1];
    if (from === undefined || fault.ignoreRange) return undefined;
    // Node joins repeated headers of this name into one string.
    const ifRange = headers['if-range'] as string | undefined;
    const isThisVersion =
      ifRange === undefined ||
      ifRange === this.etag ||
      ifRange === this.lastModified.toUTCString() ||
      fault.ignoreIfRange;
    return isThisVersion ? Number(from) : undefined;
  }

  #changed(): void {
    this.#conditions.changed();
  }
}

export async function startObjectStore(content: Uint8Array): Promise<ObjectStore> {
  const store = new ObjectStore();
  store.content = content;
  await store.start();
  return store;
}

/** Returns an error in the XML form of object stores. */
export function xmlError(
  status: number,
  code: string,
  message: string,
): { status: number; headers: Record<string, string>; body: string } {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>4442587FB7D0A2F9</RequestId></Error>`,
  };
}

function withReplaced(
  headers: Readonly<Record<string, string>>,
  replaced: StoreFault['headers'] = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...headers, ...replaced }).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]],
    ),
  );
}

async function send(response: ServerResponse, body: Buffer, fault: StoreFault): Promise<void> {
  const end = fault.cutAfter ?? fault.stallAfter;
  if (end === undefined) {
    response.end(body);
    return;
  }
  response.flushHeaders();
  // The written bytes must leave before the connection closes.
  if (end > 0) await new Promise((resolve) => response.write(body.subarray(0, end), resolve));
  if (fault.cutAfter !== undefined) response.destroy();
}
