import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/** Bytes of a request's body. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Bytes of a question: it may carry files of 20 MB, which are a third longer in base64. */
export const MAX_QUESTION_BYTES = 32 * 1024 * 1024;

/** Lets bodies through that say that they are JSON: 415 for others. */
export const requireJson: MiddlewareHandler = async (c, next) => {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? '')) {
    return c.json({ error: 'Send the request as "Content-Type: application/json".' }, 415);
  }
  await next();
  return undefined;
};

/** 413 for bodies that are too large, before they are read whole. */
export const limitBody = limit(MAX_BODY_BYTES);

/** The same for questions. */
export const limitQuestion = limit(MAX_QUESTION_BYTES);

function limit(maxSize: number): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: (c) =>
      c.json({ error: `The request is larger than ${maxSize} bytes.` }, 413, {
        // The rest of the body is not read: nothing else can come over this connection.
        Connection: 'close',
      }),
  });
}
