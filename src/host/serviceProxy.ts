/** Passes questions on to the docs service beside the host, and its replies back as they come. Uses `node:http`. */
import { request as requestHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream';
import { systemErrorCode } from '../common/errorCode';

/** Maximum bytes of a question. */
const MAX_QUESTION_BYTES = 2 * 1024 * 1024;

/** Longest wait for the headers of a reply. */
const HEADERS_MS = 60_000;

/** Longest silence within a reply. A model can think for long. */
const SILENCE_MS = 5 * 60_000;

/** The only routes that are passed on: those that ask. The service has others, for the admin of exports. */
const askedPath = /^\/v2\/assistant\/[A-Za-z0-9-]{1,63}\/message$/;

/** Headers of a request and of a reply that are passed on. The others belong to a connection, or are cookies. */
const passedOn = ['accept', 'accept-language', 'authorization', 'content-length', 'content-type'];
const passedBack = ['content-type', 'content-length', 'retry-after', 'www-authenticate'];

/**
 * Answers a request with what the service answers. If either side closes its connection, the other one is closed.
 *
 * @param base URL of the service, without a slash at its end.
 * @param path path below the place of the service, with its slash.
 * @param warn called with a sentence for the log.
 */
export function passToService(
  request: IncomingMessage,
  response: ServerResponse,
  base: string,
  path: string,
  warn: (message: string) => void,
): void {
  const refuse = (status: number, error: string): void => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body = `${JSON.stringify({ error })}\n`;
    response.writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      // The rest of the request isn't read.
      Connection: 'close',
    });
    response.end(body);
  };
  if (!askedPath.test(path)) {
    refuse(404, 'The docs site passes on only questions to the assistant.');
    return;
  }
  if (request.method !== 'POST') {
    response.setHeader('Allow', 'POST');
    refuse(405, 'Use POST to ask a question.');
    return;
  }
  const bytes = Number(request.headers['content-length']);
  if (!Number.isInteger(bytes) || bytes > MAX_QUESTION_BYTES) {
    refuse(413, `Send a question of at most ${MAX_QUESTION_BYTES} bytes, with its length.`);
    return;
  }
  const target = new URL(base + path);
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = headersIn(request, passedOn);
  // The service limits requests by address. Without this header, all readers would share one limit.
  const before = headersIn(request, ['x-forwarded-for'])['x-forwarded-for'];
  const address = request.socket.remoteAddress ?? 'unknown';
  headers['x-forwarded-for'] = before === undefined ? address : `${before}, ${address}`;
  const asked = send(target, { method: 'POST', headers });
  const fail = (status: number, why: string): void => {
    asked.destroy();
    warn(`The docs service did not answer a question (${why})`);
    refuse(status, 'The docs service is not available.');
  };
  request.socket.setTimeout(0);
  asked.setTimeout(HEADERS_MS, () => fail(504, 'no reply in time'));
  asked.on('error', (error) => {
    if (!response.destroyed) fail(502, systemErrorCode(error) ?? 'error');
  });
  asked.on('response', (reply) => {
    asked.setTimeout(SILENCE_MS, () => asked.destroy());
    response.statusCode = reply.statusCode ?? 502;
    for (const [name, value] of Object.entries(headersIn(reply, passedBack))) {
      response.setHeader(name, value);
    }
    response.flushHeaders();
    // An end of either side ends both. A reply that breaks off breaks off for the reader, too.
    pipeline(reply, response, () => undefined);
  });
  response.on('close', () => asked.destroy());
  // A pipeline would end the reader's connection if the service refuses its own, before the reader hears of it.
  request.pipe(asked);
}

function headersIn({ headers }: IncomingMessage, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
